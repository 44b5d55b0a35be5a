package plot

import (
	"fmt"

	"github.com/greenbench/workbench/internal/numeric/remedy"
	"github.com/greenbench/workbench/internal/numeric/spelling"
)

// Series is one line of a figure. NaN in X or Y interrupts it, and its band.
type Series struct {
	X     []float64 `arg:"x" doc:"coordinates; by default 1, 2, 3, …" default:"nil" allow:"nan"`
	Y     []float64 `arg:"y" doc:"values, as many as x" allow:"nan"`
	Label string    `arg:"label" doc:"name in the legend; none if empty" default:""`
	Style string    `arg:"style" doc:"line (- -- : -.), marker (one of os^vd+x*.) and colour (one of bgrcmykw), as in Matlab: \"o--\"" default:""`
	Color string    `arg:"color" doc:"#rrggbb or a name; by default the next of the figure's colours" default:""`
	Low   []float64 `arg:"low" doc:"lower limits of a band around the line; what is <= 0 on a log axis runs off the picture" default:"nil" allow:"nan"`
	High  []float64 `arg:"high" doc:"upper limits of the band" default:"nil" allow:"nan"`
	Bars  bool      `arg:"bars" doc:"draw low and high as error bars instead of a band" default:"false"`
	Kind  string    `arg:"kind" doc:"line, where nothing else is said: from point to point; step: each value holds until the next x; stem: a marker on a stalk; bar: bars beside each other, one for each such series; area: filled down to zero" default:"nil" allow:"line|step|stem|bar|area"`
	Right bool      `arg:"right" doc:"values on a second y axis, at the right" default:"false"`
}

// Lines shows one or more series over common axes.
type Lines struct {
	Series  []Series `arg:"series" doc:"what to draw, at least one" pos:"list"`
	Palette string   `arg:"palette" doc:"take the colours of the series in order from this palette, for series that are themselves ordered (times, say)" default:"nil" allow:"viridis|magma|plasma|inferno|cividis|grey|bluered|purplegreen"`
	Axes
}

// check returns an error that names the first argument which cannot be drawn.
func (l Lines) check() error {
	_, err := l.panel()
	return err
}

func (l Lines) sheet() (*Sheet, error) { return single(l.panel()) }

func (l Lines) panel() (*Panel, error) {
	if len(l.Series) == 0 {
		return nil, fmt.Errorf("series: empty: must hold at least one")
	}
	styles, err := l.styles()
	if err != nil {
		return nil, err
	}
	curves, err := newCurves(l.Series, "series", styles, l.Axes)
	if err != nil {
		return nil, err
	}
	return l.Axes.panel(curves)
}

// styles returns the style of series i.
func (l Lines) styles() (func(i int) LineStyle, error) {
	if l.Palette == "" {
		return seriesStyle, nil
	}
	spec, err := findPalette(l.Palette)
	if err != nil {
		return nil, err
	}
	const brightest = 0.92 // the end of viridis is too light for a line on white
	return func(i int) LineStyle {
		return LineStyle{Color: spec.at(brightest * float64(i) / float64(max(1, len(l.Series)-1)))}
	}, nil
}

// newCurves checks the series and resolves their styles and kinds.
func newCurves(series []Series, argument string, styles func(int) LineStyle, axes Axes) ([]Curve, error) {
	return resolved(series, argument, styles, axes, newBars(series, axes.LogX))
}

func resolved(series []Series, argument string, styles func(int) LineStyle, axes Axes, bars bars) ([]Curve, error) {
	curves := make([]Curve, len(series))
	for i, s := range series {
		name := fmt.Sprintf("%s %d", argument, i+1)
		if s.Label != "" {
			name += fmt.Sprintf(" (%s)", s.Label)
		}
		if s.Right && argument != "series" {
			return nil, fmt.Errorf("%s: right: only figures of lines have a second y axis", name)
		}
		if err := s.check(name, axes); err != nil {
			return nil, err
		}
		style, err := parseStyle(s.Style, styles(i))
		if err == nil && s.Color != "" {
			style.Color, err = parseColor(s.Color)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		c := Curve{
			Label: s.Label, Style: style, width: lineWidth, Right: s.Right,
			X: s.at(), Y: s.Y, Low: s.Low, High: s.High, Bars: s.Bars,
		}
		if curves[i], err = c.drawnAs(s.Kind, bars, i); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return curves, nil
}

// at are the coordinates of the series: 1, 2, 3, … where none are given.
func (s Series) at() []float64 {
	if s.X == nil {
		return count(len(s.Y))
	}
	return s.X
}

func (s Series) check(name string, axes Axes) error {
	if len(s.Y) == 0 {
		return fmt.Errorf("%s: y: empty: must hold at least one value", name)
	}
	logY := axes.LogY && !s.Right || axes.LogRight && s.Right
	for _, a := range []struct {
		name     string
		values   []float64
		log, opt bool
	}{{"x", s.X, axes.LogX, true}, {"y", s.Y, logY, false}, {"low", s.Low, false, true}, {"high", s.High, false, true}} {
		if len(a.values) != len(s.Y) && !(a.opt && a.values == nil) {
			return fmt.Errorf("%s: %s: %s for %d of y: must be as many", name, a.name, spelling.Count(len(a.values), "value"), len(s.Y))
		}
		for i, v := range a.values {
			if a.log && v <= 0 {
				err := fmt.Errorf("%s: %s: value %d is %v: must be > 0 on a log axis", name, a.name, i+1, v)
				if s.Right && a.name == "y" { // which has no linear part
					return err
				}
				return remedy.ShowBothSigns.For(err, a.name)
			}
		}
	}
	if (s.Low == nil) != (s.High == nil) {
		return fmt.Errorf("%s: low and high: must be given together", name)
	}
	if s.Bars && s.Low == nil {
		return fmt.Errorf("%s: bars: need low and high", name)
	}
	return nil
}
