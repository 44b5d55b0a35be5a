package plot

import (
	"fmt"
	"math"
)

// Heatmap shows values on a rectangular grid as colours.
//
// The first index of Values goes to the right and the second upwards, as in
// G(x, y): Values[i][j] belongs to X[i] and Y[j], the lower left corner is
// Values[0][0]. (A matrix prints the other way round.) NaN cells are grey, and
// infinite ones take the colour at the end of the scale.
type Heatmap struct {
	Values [][]float64 `arg:"values" pos:"1" doc:"values[i][j] at x[i], y[j]" allow:"nan"`
	X      []float64   `arg:"x" doc:"coordinates of the first index, increasing; uniform or not; by default those of G on meshes of one axis, else 1, 2, 3, …" default:"nil"`
	Y      []float64   `arg:"y" doc:"coordinates of the second index, increasing; uniform or not; by default those of G on meshes of one axis, else 1, 2, 3, …" default:"nil"`
	Title  string      `arg:"title" doc:"above the picture" default:""`
	XLabel string      `arg:"xlabel" doc:"below the x axis; $G(x,y)$ is set as mathematics" default:""`
	YLabel string      `arg:"ylabel" doc:"beside the y axis" default:""`
	LogX   bool        `arg:"logx" doc:"logarithmic x axis" default:"false"`
	LogY   bool        `arg:"logy" doc:"logarithmic y axis" default:"false"`
	Aspect string      `arg:"aspect" doc:"equal: a unit of x is as long as one of y; fill: use all the space; by default equal if both axes cover the same interval" default:"nil" allow:"equal|fill"`

	Log       bool     `arg:"log" doc:"logarithmic colours and levels; values must be > 0" default:"false"`
	Palette   string   `arg:"palette" doc:"of the colours; by default bluered for data of both signs, else viridis" default:"nil" allow:"viridis|magma|plasma|inferno|cividis|grey|bluered|purplegreen"`
	Symmetric bool     `arg:"symmetric" doc:"centre the colours at zero, as a diverging palette does by itself" default:"false"`
	Min       *float64 `arg:"min" doc:"value of the first colour; by default the smallest value"`
	Max       *float64 `arg:"max" doc:"value of the last colour; by default the largest value"`
	Colorbar  string   `arg:"colorbar" doc:"label of the colour bar, or none to leave the bar out" default:""`

	Lines []Series `arg:"lines" doc:"lines drawn over the values" default:"nil"`
}

// check returns an error that names the first argument which cannot be drawn.
func (h Heatmap) check() error {
	_, err := h.panel()
	return err
}

func (h Heatmap) sheet() (*Sheet, error) { return single(h.panel()) }

func (h Heatmap) coloring() coloring {
	return coloring{palette: h.Palette, symmetric: h.Symmetric, log: h.Log, lo: h.Min, hi: h.Max}
}

func (h Heatmap) values() (extent, error) { return samples{values: h.Values}.limits(h.Log) }

func (h Heatmap) barLabel() string { return h.Colorbar }

func (h Heatmap) recolored(m colormap) Figure { return h.withColors(m) }

func (h Heatmap) withColors(m colormap) Heatmap {
	h.Min, h.Max, h.Palette, h.Symmetric, h.Colorbar = &m.lo, &m.hi, m.spec.name, false, none
	return h
}

func (h Heatmap) panel() (*Panel, error) {
	s, err := newSamples(h.Values, h.X, h.Y, h.LogX, h.LogY)
	if err != nil {
		return nil, err
	}
	values, err := s.limits(h.Log)
	if err != nil {
		return nil, err
	}
	colors, err := h.coloring().colormap(values)
	if err != nil {
		return nil, err
	}
	f := &Field{samples: s, colors: colors, xEdges: cellEdges(s.x, h.LogX), yEdges: cellEdges(s.y, h.LogY)}
	p := &Panel{
		Title: h.Title,
		X:     Axis{Label: h.XLabel, Lo: f.xEdges[0], Hi: f.xEdges[len(s.x)], Log: h.LogX},
		Y:     Axis{Label: h.YLabel, Lo: f.yEdges[0], Hi: f.yEdges[len(s.y)], Log: h.LogY},
		Field: f,
		Bar:   newColorbar(colors, h.Colorbar, values),
	}
	if err := p.setAspect(h.Aspect); err != nil {
		return nil, err
	}
	p.Curves, err = newCurves(h.Lines, "lines", seriesStyle, Axes{LogX: h.LogX, LogY: h.LogY})
	return p, err
}

// newColorbar returns the bar for a label, nil for the label "none" or if
// there is no value to explain.
func newColorbar(colors colormap, label string, values extent) *Colorbar {
	if label == none || values.empty() {
		return nil
	}
	return &Colorbar{
		colormap: colors, Label: label,
		under: values.lo < colors.lo, over: values.hi > colors.hi,
	}
}

// none is the word for leaving a part of the picture out.
const none = "none"

// setAspect decides the shape of the box from the argument and the axes.
func (p *Panel) setAspect(aspect string) error {
	width, height := p.X.Hi-p.X.Lo, p.Y.Hi-p.Y.Lo
	x, y := p.Field.x, p.Field.y
	near := 2e-9 * (x[len(x)-1]/2 - x[0]/2)
	same := math.Abs(x[0]-y[0]) <= near && math.Abs(x[len(x)-1]-y[len(y)-1]) <= near && !p.X.Log && !p.Y.Log
	p.Ratio = 0.78
	switch aspect {
	case "", aspectFill:
		p.Fixed = same && aspect == ""
	case aspectEqual:
		if p.X.Log || p.Y.Log {
			return fmt.Errorf("aspect %q: must not be equal on a log axis", aspect)
		}
		if r := height / width; !(r >= 0.05 && r <= 20) {
			return fmt.Errorf("aspect %q: y covers %.3g and x %.3g: too unlike to be drawn to the same scale", aspect, height, width)
		}
		p.Fixed = true
	default:
		return fmt.Errorf("aspect %q: must be equal or fill", aspect)
	}
	if p.Fixed {
		p.Ratio = height / width
	}
	return nil
}
