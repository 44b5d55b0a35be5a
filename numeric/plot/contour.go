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
	Values [][]float64 `arg:"values" pos:"1" doc:"values[i][j] at x[i], y[j]; at least two rows and columns" allow:"nan"`
	X      []float64   `arg:"x" doc:"coordinates of the first index, increasing; uniform or not; by default those of G on meshes of one axis, else 1, 2, 3, …" default:"nil"`
	Y      []float64   `arg:"y" doc:"coordinates of the second index, increasing; uniform or not; by default those of G on meshes of one axis, else 1, 2, 3, …" default:"nil"`
	Title  string      `arg:"title" doc:"above the picture" default:""`
	XLabel string      `arg:"xlabel" doc:"below the x axis; $G(x,y)$ is set as mathematics" default:""`
	YLabel string      `arg:"ylabel" doc:"beside the y axis" default:""`
	LogX   bool        `arg:"logx" doc:"logarithmic x axis" default:"false"`
	LogY   bool        `arg:"logy" doc:"logarithmic y axis" default:"false"`
	Aspect string      `arg:"aspect" doc:"equal: a unit of x is as long as one of y; fill: take the room there is; by default equal if both axes cover the same interval" default:"nil" allow:"equal|fill"`

	Levels []float64 `arg:"levels" doc:"values of the lines, increasing; by default about count round ones" default:"nil"`
	Count  int       `arg:"count" doc:"about how many lines" default:"10"`
	Filled bool      `arg:"filled" doc:"colour the bands between the lines" default:"false"`

	Log       bool     `arg:"log" doc:"logarithmic colours and levels; values must be > 0" default:"false"`
	Palette   string   `arg:"palette" doc:"of the colours; by default bluered for data of both signs, else viridis" default:"nil" allow:"viridis|magma|grey|bluered|purplegreen"`
	Symmetric bool     `arg:"symmetric" doc:"centre the colours at zero, as a diverging palette does by itself" default:"false"`
	Min       *float64 `arg:"min" doc:"value of the first colour; by default the smallest value"`
	Max       *float64 `arg:"max" doc:"value of the last colour; by default the largest value"`
	Colorbar  string   `arg:"colorbar" doc:"label of the colour bar, or none to leave the bar out" default:""`

	Lines []Series `arg:"lines" doc:"lines drawn over the contours" default:"nil"`
}

// Check returns an error that names the first argument which cannot be drawn.
func (c Contour) Check() error {
	_, err := c.panel()
	return err
}

func (c Contour) sheet() (*Sheet, error) { return single(c.panel()) }

func (c Contour) coloring() coloring {
	return coloring{palette: c.Palette, symmetric: c.Symmetric, log: c.Log, lo: c.Min, hi: c.Max}
}

func (c Contour) values() (extent, error) { return samples{values: c.Values}.limits(c.Log) }

func (c Contour) barLabel() string { return c.Colorbar }

// recolored returns the figure with the colours of m, and no bar of its own.
func (c Contour) recolored(m colormap) Figure {
	c.Min, c.Max, c.Palette, c.Symmetric, c.Colorbar = &m.lo, &m.hi, m.spec.name, false, none
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
	over, err := newCurves(c.Lines, "lines", seriesColor, c.LogX, c.LogY)
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
