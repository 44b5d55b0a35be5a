package plot

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
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
}

// Rule is a straight line across the figure: one of X and Y is its place.
type Rule struct {
	X     *float64 `arg:"x" doc:"place of a vertical line"`
	Y     *float64 `arg:"y" doc:"place of a horizontal line"`
	Label string   `arg:"label" doc:"name in the legend" default:""`
	Style string   `arg:"style" doc:"as of a series" default:"k--"`
}

// Lines shows one or more series over common axes.
type Lines struct {
	Series []Series `arg:"series" doc:"what to draw, at least one" pos:"list"`
	Rules  []Rule   `arg:"rules" doc:"straight lines across the figure" default:"nil"`
	Title  string   `arg:"title" doc:"above the picture" default:""`
	XLabel string   `arg:"xlabel" doc:"below the x axis; $G(x,y)$ is set as mathematics" default:""`
	YLabel string   `arg:"ylabel" doc:"beside the y axis" default:""`
	LogX   bool     `arg:"logx" doc:"logarithmic x axis; x must be > 0" default:"false"`
	LogY   bool     `arg:"logy" doc:"logarithmic y axis; y must be > 0" default:"false"`

	XMin *float64 `arg:"xmin" doc:"left end of the x axis; by default from the data"`
	XMax *float64 `arg:"xmax" doc:"right end of the x axis"`
	YMin *float64 `arg:"ymin" doc:"lower end of the y axis"`
	YMax *float64 `arg:"ymax" doc:"upper end of the y axis"`

	Palette string `arg:"palette" doc:"take the colours of the series in order from this palette, for series that are themselves ordered (times, say)" default:"nil" allow:"viridis|magma|grey|bluered|purplegreen"`
	Legend  string `arg:"legend" doc:"none, right (beside the picture), or a corner: top left, top right, bottom left, bottom right; by default the emptiest corner" default:""`
}

// legendPlaces are the allowed values of Lines.Legend.
func legendPlaces() []string {
	return []string{none, "right", "top left", "top right", "bottom left", "bottom right"}
}

// Check returns an error that names the first argument which cannot be drawn.
func (l Lines) Check() error {
	_, err := l.panel()
	return err
}

func (l Lines) sheet() (*Sheet, error) { return single(l.panel()) }

func (l Lines) panel() (*Panel, error) {
	if len(l.Series) == 0 {
		return nil, fmt.Errorf("series: empty: must hold at least one")
	}
	if l.Legend != "" && !slices.Contains(legendPlaces(), l.Legend) {
		return nil, fmt.Errorf("legend %q: must be one of %s", l.Legend, strings.Join(legendPlaces(), ", "))
	}
	colors, err := l.colors()
	if err != nil {
		return nil, err
	}
	curves, err := newCurves(l.Series, "series", colors, l.LogX, l.LogY)
	if err != nil {
		return nil, err
	}
	rules, err := l.rules()
	if err != nil {
		return nil, err
	}
	p := &Panel{Title: l.Title, Legend: l.Legend, grid: true, Ratio: 0.7}
	if p.X, p.Y, err = l.axes(append(curves, rules...)); err != nil {
		return nil, err
	}
	for i := range rules { // a rule has one point until now; it reaches from end to end
		if l.Rules[i].X != nil {
			rules[i].X, rules[i].Y = []float64{rules[i].X[0], rules[i].X[0]}, []float64{p.Y.Lo, p.Y.Hi}
		} else {
			rules[i].X, rules[i].Y = []float64{p.X.Lo, p.X.Hi}, []float64{rules[i].Y[0], rules[i].Y[0]}
		}
	}
	p.Curves = append(curves, rules...)
	return p, nil
}

// colors returns the colour of series i.
func (l Lines) colors() (func(i int) color.NRGBA, error) {
	if l.Palette == "" {
		return seriesColor, nil
	}
	spec, err := findPalette(l.Palette)
	if err != nil {
		return nil, err
	}
	const brightest = 0.92 // the end of viridis is too light for a line on white
	return func(i int) color.NRGBA {
		if len(l.Series) == 1 {
			return spec.at(0)
		}
		return spec.at(brightest * float64(i) / float64(len(l.Series)-1))
	}, nil
}

// newCurves checks the series and resolves their styles.
func newCurves(series []Series, argument string, colors func(int) color.NRGBA, logX, logY bool) ([]Curve, error) {
	curves := make([]Curve, len(series))
	for i, s := range series {
		name := fmt.Sprintf("%s %d", argument, i+1)
		if s.Label != "" {
			name += fmt.Sprintf(" (%s)", s.Label)
		}
		if err := s.check(name, logX, logY); err != nil {
			return nil, err
		}
		style := LineStyle{Color: colors(i), Dash: defaultDash(i)}
		style, err := parseStyle(s.Style, style)
		if err == nil && s.Color != "" {
			style.Color, err = parseColor(s.Color)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		curves[i] = Curve{
			Label: s.Label, Style: style, width: lineWidth,
			X: s.X, Y: s.Y, Low: s.Low, High: s.High, Bars: s.Bars,
		}
		if s.X == nil {
			curves[i].X = count(len(s.Y))
		}
	}
	return curves, nil
}

func (s Series) check(name string, logX, logY bool) error {
	if len(s.Y) == 0 {
		return fmt.Errorf("%s: y: empty: must hold at least one value", name)
	}
	for _, a := range []struct {
		name     string
		values   []float64
		log, opt bool
	}{{"x", s.X, logX, true}, {"y", s.Y, logY, false}, {"low", s.Low, false, true}, {"high", s.High, false, true}} {
		if len(a.values) != len(s.Y) && !(a.opt && a.values == nil) {
			return fmt.Errorf("%s: %s: %d values for %d of y: must be as many", name, a.name, len(a.values), len(s.Y))
		}
		for i, v := range a.values {
			if a.log && v <= 0 {
				return fmt.Errorf("%s: %s: value %d is %v: must be > 0 on a log axis", name, a.name, i+1, v)
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

// rules returns the rules as curves of one point, the other coordinate NaN.
func (l Lines) rules() ([]Curve, error) {
	var curves []Curve
	for i, r := range l.Rules {
		name := fmt.Sprintf("rules %d", i+1)
		if (r.X == nil) == (r.Y == nil) {
			return nil, fmt.Errorf("%s: must have either x or y", name)
		}
		at, axis, log := r.X, "x", l.LogX
		if r.Y != nil {
			at, axis, log = r.Y, "y", l.LogY
		}
		if err := checkPlace(axis, at, log); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		style, err := parseStyle(r.Style, LineStyle{Dash: Solid, Color: unhex(0)})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if r.Style == "" {
			style.Dash = Dashed
		}
		c := Curve{Rule: true, Label: r.Label, Style: style, width: ruleWidth, X: []float64{math.NaN()}, Y: []float64{math.NaN()}}
		if r.X != nil {
			c.X[0] = *at
		} else {
			c.Y[0] = *at
		}
		curves = append(curves, c)
	}
	return curves, nil
}

const (
	lineWidth vg.Length = 1.3
	ruleWidth vg.Length = 0.9
)

// axes chooses the ranges: all finite points, with a margin above and below,
// and at the sides only if markers need it.
func (l Lines) axes(curves []Curve) (x, y Axis, err error) {
	ex, ey := newExtent(l.LogX), newExtent(l.LogY)
	side := 0.0
	for _, c := range curves {
		if c.Style.Marker != 0 || c.Bars {
			side = 0.03
		}
		for i := range c.X {
			if finite(c.X[i]) && finite(c.Y[i]) || c.Rule {
				ex.add(c.X[i])
				ey.add(c.Y[i])
			}
		}
		for i := range c.Low {
			if finite(c.X[i]) && finite(c.Y[i]) {
				ey.add(c.Low[i], c.High[i])
			}
		}
	}
	x = Axis{Label: l.XLabel, Log: l.LogX}
	y = Axis{Label: l.YLabel, Log: l.LogY}
	if x.Lo, x.Hi, err = rangeOf("x", ex, l.XMin, l.XMax, side); err != nil {
		return x, y, err
	}
	y.Lo, y.Hi, err = rangeOf("y", ey, l.YMin, l.YMax, 0.05)
	return x, y, err
}

// rangeOf returns the ends of an axis: the given ones, else those of the data
// widened by a margin.
func rangeOf(name string, data extent, lo, hi *float64, margin float64) (float64, float64, error) {
	if data.empty() {
		data.lo, data.hi = 0, 1
		if data.log {
			data.lo, data.hi = 1, 10
		}
	}
	if err := cmp.Or(checkPlace(name+"min", lo, data.log), checkPlace(name+"max", hi, data.log)); err != nil {
		return 0, 0, err
	}
	a, b := spread(data.lo, data.hi, data.log)
	if lo == nil || hi == nil {
		a, b = pad(a, b, margin, data.log)
	}
	if lo != nil {
		a = *lo
	}
	if hi != nil {
		b = *hi
	}
	if lo != nil && hi != nil && a >= b {
		return 0, 0, fmt.Errorf("%smax %v: must be greater than %smin %v", name, b, name, a)
	}
	if a >= b { // one end was given, and all the data lie beyond it: keep to it
		a, b = beyond(a, b, lo != nil, data.log)
	}
	a, b = spread(a, b, data.log)
	return a, b, nil
}

// checkPlace reports a value, if given, that has no place on an axis.
func checkPlace(name string, v *float64, log bool) error {
	switch {
	case v == nil:
		return nil
	case !finite(*v):
		return fmt.Errorf("%s %v: must be a finite number", name, *v)
	case log && *v <= 0:
		return fmt.Errorf("%s %v: must be > 0 on a log axis", name, *v)
	}
	return nil
}

// beyond makes a range that starts at lo, or ends at hi.
func beyond(lo, hi float64, keepLow, log bool) (float64, float64) {
	switch {
	case log && keepLow:
		return lo, 10 * lo
	case log:
		return hi / 10, hi
	case keepLow:
		return lo, lo + max(1, math.Abs(lo))
	}
	return hi - max(1, math.Abs(hi)), hi
}
