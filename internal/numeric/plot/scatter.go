package plot

import (
	"fmt"
	"image/color"
	"math"
)

// Scatter shows points, whose colours and sizes may say more about them.
type Scatter struct {
	X      []float64 `arg:"x" pos:"1" doc:"coordinates of the points; a point with NaN is left out" allow:"nan"`
	Y      []float64 `arg:"y" pos:"2" doc:"their other coordinates, as many" allow:"nan"`
	Values []float64 `arg:"values" doc:"numbers that the colours show, one for each point" default:"nil" allow:"nan"`
	Sizes  []float64 `arg:"sizes" doc:"areas of the markers relative to each other, one for each point" default:"nil"`
	Marker string    `arg:"marker" doc:"shape of the points, one of os^vd+x*." default:"o"`
	Label  string    `arg:"label" doc:"name in the legend; none if empty" default:""`
	Color  string    `arg:"color" doc:"#rrggbb or a name, where there are no values" default:""`

	Palette   string   `arg:"palette" doc:"of the values; by default bluered for values of both signs, else viridis" default:"nil" allow:"viridis|magma|plasma|inferno|cividis|grey|bluered|purplegreen"`
	Symmetric bool     `arg:"symmetric" doc:"centre the colours at zero" default:"false"`
	Log       bool     `arg:"log" doc:"logarithmic colours; values must be > 0" default:"false"`
	Min       *float64 `arg:"min" doc:"value of the first colour; by default the smallest value"`
	Max       *float64 `arg:"max" doc:"value of the last colour; by default the largest value"`
	Colorbar  string   `arg:"colorbar" doc:"label of the colour bar, or none to leave the bar out" default:""`
	Axes
}

// check returns an error that names the first argument which cannot be drawn.
func (s Scatter) check() error {
	_, err := s.panel()
	return err
}

func (s Scatter) sheet() (*Sheet, error) { return single(s.panel()) }

func (s Scatter) panel() (*Panel, error) {
	marker := s.Marker
	if marker == "" {
		marker = "o"
	}
	if len(s.X) != len(s.Y) || len(s.X) == 0 {
		return nil, fmt.Errorf("x, y: %d and %d coordinates: must be as many, and at least one", len(s.X), len(s.Y))
	}
	curves, err := newCurves([]Series{{X: s.X, Y: s.Y, Style: marker, Color: s.Color, Label: s.Label}}, "points", seriesStyle, s.Axes)
	if err != nil {
		return nil, err
	}
	c := &curves[0]
	if c.Style.Line || c.Style.Marker == 0 {
		return nil, fmt.Errorf("marker %q: must be one of %s", s.Marker, markers)
	}
	if c.Sizes, err = s.sizes(); err != nil {
		return nil, err
	}
	var bar *Colorbar
	if s.Values != nil {
		if c.Colors, bar, err = s.colors(); err != nil {
			return nil, err
		}
	}
	p, err := s.Axes.panel(curves)
	if err == nil {
		p.Bar = bar
	}
	return p, err
}

// sizes turns areas into radii: the mean area is that of a usual marker.
func (s Scatter) sizes() ([]float64, error) {
	if s.Sizes == nil {
		return nil, nil
	}
	if len(s.Sizes) != len(s.X) {
		return nil, fmt.Errorf("sizes: %d for %d points: must be as many", len(s.Sizes), len(s.X))
	}
	mean, largest := 0.0, 0.0
	for i, v := range s.Sizes {
		if !finite(v) || v < 0 {
			return nil, fmt.Errorf("sizes: size %d is %v: must be finite and >= 0", i+1, v)
		}
		mean += v / float64(len(s.Sizes))
		largest = max(largest, v)
	}
	const most = 6 // times the usual radius
	radii := make([]float64, len(s.Sizes))
	for i, v := range s.Sizes {
		if mean > 0 {
			radii[i] = math.Sqrt(v / max(mean, largest/(most*most)))
		}
	}
	return radii, nil
}

// colors returns the colour of each point, and the bar that explains them.
func (s Scatter) colors() ([]color.NRGBA, *Colorbar, error) {
	if len(s.Values) != len(s.X) {
		return nil, nil, fmt.Errorf("values: %d for %d points: must be as many", len(s.Values), len(s.X))
	}
	e := newExtent(s.Log)
	for i, v := range s.Values {
		if s.Log && v <= 0 {
			return nil, nil, fmt.Errorf("values: value %d is %v: must be > 0 with log", i+1, v)
		}
		e.add(v)
	}
	m, err := coloring{palette: s.Palette, symmetric: s.Symmetric, log: s.Log, lo: s.Min, hi: s.Max}.colormap(e)
	if err != nil {
		return nil, nil, err
	}
	colors := make([]color.NRGBA, len(s.Values))
	for i, v := range s.Values {
		colors[i] = m.color(v)
	}
	return colors, newColorbar(m, s.Colorbar, e), nil
}
