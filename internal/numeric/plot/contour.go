package plot

import (
	"fmt"
	"slices"
)

// Contour shows lines of equal value on a rectangular grid, interpolated
// linearly between the nodes. Values are indexed as in Heatmap: Values[i][j]
// belongs to X[i] (to the right) and Y[j] (upwards). No line enters a cell
// with a corner that is NaN or infinite.
type Contour struct {
	Heatmap           // values, axes and colours; at least two rows and columns
	Levels  []float64 `arg:"levels" doc:"values of the lines, increasing; by default about count round ones" default:"nil"`
	Count   int       `arg:"count" doc:"about how many lines" default:"10"`
	Filled  bool      `arg:"filled" doc:"colour the bands between the lines" default:"false"`
}

// check returns an error that names the first argument which cannot be drawn.
func (c Contour) check() error {
	_, err := c.panel()
	return err
}

func (c Contour) sheet() (*Sheet, error) { return single(c.panel()) }

func (c Contour) recolored(m colormap) Figure {
	c.Heatmap = c.withColors(m)
	return c
}

func (c Contour) panel() (*Panel, error) {
	s, err := newSamples(c.Values, c.X, c.Y, c.LogX, c.LogY)
	if err != nil {
		return nil, err
	}
	if len(s.x) < 2 || len(s.y) < 2 {
		return nil, fmt.Errorf("values: %d rows and %d columns: must be at least two of each", len(s.x), len(s.y))
	}
	values, err := s.limits(c.Log)
	if err != nil {
		return nil, err
	}
	colors, err := c.coloring().colormap(values)
	if err != nil {
		return nil, err
	}
	levels, err := c.levels(colors)
	if err != nil {
		return nil, err
	}
	p := &Panel{
		Title: c.Title,
		X:     Axis{Label: c.XLabel, Lo: s.x[0], Hi: s.x[len(s.x)-1], Log: c.LogX},
		Y:     Axis{Label: c.YLabel, Lo: s.y[0], Hi: s.y[len(s.y)-1], Log: c.LogY},
		Field: &Field{samples: s, colors: colors, bands: true, levels: levels},
		Bar:   newColorbar(colors, c.Colorbar, values),
	}
	if p.Bar != nil {
		p.Bar.Levels, p.Bar.Filled = levels, c.Filled
	}
	if err := p.setAspect(c.Aspect); err != nil {
		return nil, err
	}
	p.Curves = c.curves(s, levels, colors)
	p.hidden = !c.Filled
	over, err := newCurves(c.Lines, "lines", seriesStyle, Axes{LogX: c.LogX, LogY: c.LogY})
	p.Curves = append(p.Curves, over...)
	return p, err
}

// levels returns the given levels, or round ones inside the colour range.
func (c Contour) levels(colors colormap) ([]float64, error) {
	if c.Count < 0 {
		return nil, fmt.Errorf("count %d: must be > 0", c.Count)
	}
	for i, v := range c.Levels {
		switch {
		case !finite(v) || c.Log && v <= 0:
			return nil, fmt.Errorf("levels: level %d is %v: must be a finite number, and > 0 with log", i+1, v)
		case i > 0 && v <= c.Levels[i-1]:
			return nil, fmt.Errorf("levels: level %d is %v after %v: must increase", i+1, v, c.Levels[i-1])
		}
	}
	if len(c.Levels) > 0 {
		return slices.Clone(c.Levels), nil
	}
	n := c.Count
	if n == 0 {
		n = 10
	}
	var levels []float64
	for _, t := range (Axis{Lo: colors.lo, Hi: colors.hi, Log: c.Log}).roundValues(n) {
		if t > colors.lo && t < colors.hi {
			levels = append(levels, t)
		}
	}
	return levels, nil
}

// curves returns the contour lines of all levels. Filled contours have thin
// dark lines; else a line has the colour of its level.
func (c Contour) curves(s samples, levels []float64, colors colormap) []Curve {
	var curves []Curve
	for i, line := range isolines(s, levels) {
		style := LineStyle{Color: colors.lineColor(levels[i]), Line: true, Dash: Solid}
		width := lineWidth
		if c.Filled {
			style.Color, width = unhex(0x333333), lineWidth/3
		}
		if len(line.x) > 0 {
			curves = append(curves, Curve{Isoline: true, Style: style, width: width, X: line.x, Y: line.y})
		}
	}
	return curves
}
