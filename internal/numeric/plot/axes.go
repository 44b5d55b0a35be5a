package plot

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
)

// Axes is what figures over a pair of axes have in common: what stands around
// the data, how the axes are scaled, and what is written between them.
type Axes struct {
	Title  string  `arg:"title" doc:"above the picture" default:""`
	XLabel string  `arg:"xlabel" doc:"below the x axis; $G(x,y)$ is set as mathematics" default:""`
	YLabel string  `arg:"ylabel" doc:"beside the y axis" default:""`
	LogX   bool    `arg:"logx" doc:"logarithmic x axis; x must be > 0" default:"false"`
	LogY   bool    `arg:"logy" doc:"logarithmic y axis; y must be > 0" default:"false"`
	XLin   float64 `arg:"xlin" doc:"logarithmic x axis for both signs, linear from -xlin to xlin" default:"0" allow:">=0"`
	YLin   float64 `arg:"ylin" doc:"logarithmic y axis for both signs, linear from -ylin to ylin" default:"0" allow:">=0"`

	XMin *float64 `arg:"xmin" doc:"left end of the x axis; by default from the data"`
	XMax *float64 `arg:"xmax" doc:"right end of the x axis"`
	YMin *float64 `arg:"ymin" doc:"lower end of the y axis"`
	YMax *float64 `arg:"ymax" doc:"upper end of the y axis"`

	RightLabel string `arg:"right_label" doc:"beside the second y axis, that of the series with right = true" default:""`
	LogRight   bool   `arg:"logright" doc:"logarithmic second y axis" default:"false"`

	Rules  []Rule `arg:"rules" doc:"straight lines across the figure" default:"nil"`
	Texts  []Text `arg:"texts" doc:"words at points of the picture" default:"nil"`
	Legend string `arg:"legend" doc:"none, right (beside the picture), or a corner: top left, top right, bottom left, bottom right; by default the emptiest corner" default:""`
}

// Rule is a straight line across the figure: one of X and Y is its place.
type Rule struct {
	X     *float64 `arg:"x" doc:"place of a vertical line"`
	Y     *float64 `arg:"y" doc:"place of a horizontal line"`
	Label string   `arg:"label" doc:"name in the legend" default:""`
	Style string   `arg:"style" doc:"as of a series" default:"k--"`
}

// Text stands at a point of the data, or beside it with an arrow to the point.
type Text struct {
	X     float64  `arg:"x" doc:"the point that is meant"`
	Y     float64  `arg:"y" doc:"its other coordinate"`
	Text  string   `arg:"text" doc:"what to write; $G(x,y)$ is set as mathematics"`
	TextX *float64 `arg:"text_x" doc:"where to write it, with an arrow to the point; by default at the point"`
	TextY *float64 `arg:"text_y" doc:"the other coordinate of that place"`

	side *side // nil: above the point, or where it covers least
}

// A side is the direction from a point in which its text stands, and a text that stands there, too,
// nearer to the point.
type side struct {
	x, y   float64
	beyond string
}

// Shift is how far the middle of a text is from its point, where one unit of the axes is perX and
// perY long, and texts are as wide and high as said.
func (t Text) Shift(perX, perY float64, width func(label string) float64, height float64) (dx, dy float64) {
	if t.side == nil {
		return 0, 0
	}
	dx, dy = t.side.x*perX, t.side.y*perY
	size := math.Hypot(dx, dy)
	if size == 0 {
		return 0, 0
	}
	// Aside of the point, and above or below it, by as much of the text as the direction says: the
	// edge or the corner that is nearest touches the point.
	share := func(d float64) float64 { return min(max(1.5*d/size, -1), 1) }
	half := func(label string) (x, y float64) {
		if label == "" {
			return 0, 0
		}
		return share(dx) * width(label) / 2, share(dy) * height / 2
	}
	x, y := half(t.Text)
	bx, by := half(t.side.beyond)
	return x + 2*bx, y + 2.5*by
}

// legendPlaces are the allowed values of Lines.Legend.
func legendPlaces() []string {
	return []string{none, "right", "top left", "top right", "bottom left", "bottom right"}
}

// panel puts curves between axes that hold all of them.
func (a Axes) panel(curves []Curve) (*Panel, error) {
	if err := a.check(); err != nil {
		return nil, err
	}
	rules, err := a.rules()
	if err != nil {
		return nil, err
	}
	p := &Panel{Title: a.Title, Legend: a.Legend, grid: true, Ratio: 0.7}
	if p.Texts, err = a.texts(); err != nil {
		return nil, err
	}
	if p.X, p.Y, err = a.ranges(curves, rules, p.Texts); err != nil {
		return nil, err
	}
	if p.Right, err = a.right(curves); err != nil {
		return nil, err
	}
	for i := range rules { // a rule has one point until now; it reaches from end to end
		if a.Rules[i].X != nil {
			rules[i].X, rules[i].Y = []float64{rules[i].X[0], rules[i].X[0]}, []float64{p.Y.Lo, p.Y.Hi}
		} else {
			rules[i].X, rules[i].Y = []float64{p.X.Lo, p.X.Hi}, []float64{rules[i].Y[0], rules[i].Y[0]}
		}
	}
	p.Curves = append(curves, rules...)
	return p, nil
}

func (a Axes) check() error {
	if a.Legend != "" && !slices.Contains(legendPlaces(), a.Legend) {
		return fmt.Errorf("legend %q: must be one of %s", a.Legend, strings.Join(legendPlaces(), ", "))
	}
	for _, s := range []struct {
		name string
		log  bool
		lin  float64
	}{{"x", a.LogX, a.XLin}, {"y", a.LogY, a.YLin}} {
		switch {
		case !(s.lin >= 0) || !finite(s.lin):
			return fmt.Errorf("%slin %v: must be a finite number >= 0", s.name, s.lin)
		case s.lin > 0 && s.log:
			return fmt.Errorf("%slin %v: must not be given together with log%s, which shows positive numbers only", s.name, s.lin, s.name)
		}
	}
	return nil
}

// texts checks the texts.
func (a Axes) texts() ([]Text, error) {
	for i, t := range a.Texts {
		name := fmt.Sprintf("texts %d", i+1)
		if (t.TextX == nil) != (t.TextY == nil) {
			return nil, fmt.Errorf("%s: text_x and text_y: must be given together", name)
		}
		for _, c := range []struct {
			name string
			at   *float64
			log  bool
		}{{"x", &t.X, a.LogX}, {"y", &t.Y, a.LogY}, {"text_x", t.TextX, a.LogX}, {"text_y", t.TextY, a.LogY}} {
			if err := checkPlace(c.name, c.at, c.log); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	return a.Texts, nil
}

// rules returns the rules as curves of one point, the other coordinate NaN.
func (a Axes) rules() ([]Curve, error) {
	var curves []Curve
	for i, r := range a.Rules {
		name := fmt.Sprintf("rules %d", i+1)
		if (r.X == nil) == (r.Y == nil) {
			return nil, fmt.Errorf("%s: must have either x or y", name)
		}
		at, axis, log := r.X, "x", a.LogX
		if r.Y != nil {
			at, axis, log = r.Y, "y", a.LogY
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

// ranges chooses the ends of the axes: all finite points, with a margin above and
// below, and at the sides only if markers need it. Bars stand on zero.
func (a Axes) ranges(curves, rules []Curve, texts []Text) (x, y Axis, err error) {
	ex, ey := newExtent(a.LogX), newExtent(a.LogY)
	side, grounded := 0.0, false
	for _, c := range slices.Concat(curves, rules) {
		if c.Style.Marker != 0 || c.Bars || len(c.Shapes) > 0 {
			side = 0.03
		}
		if c.Right {
			c.see(&ex, new(newExtent(false)))
			continue
		}
		grounded = grounded || c.grounded
		c.see(&ex, &ey)
	}
	for _, t := range texts {
		ex.add(t.X)
		ey.add(t.Y)
		if t.TextX != nil {
			ex.add(*t.TextX)
			ey.add(*t.TextY)
		}
	}
	x = Axis{Label: a.XLabel, Log: a.LogX, Linear: a.XLin}
	y = Axis{Label: a.YLabel, Log: a.LogY, Linear: a.YLin}
	if x.Lo, x.Hi, err = rangeOf("x", ex, a.XMin, a.XMax, side); err != nil {
		return x, y, err
	}
	y.Lo, y.Hi, err = rangeOf("y", ey, a.YMin, a.YMax, 0.05)
	return x, y.on(grounded && !a.LogY, ey, a.YMin, a.YMax), err
}

// on lets the axis end at zero where bars stand on it, or hang from it.
func (a Axis) on(ground bool, data extent, lo, hi *float64) Axis {
	if ground && data.lo == 0 && lo == nil && a.Hi > 0 {
		a.Lo = 0
	}
	if ground && data.hi == 0 && hi == nil && a.Lo < 0 {
		a.Hi = 0
	}
	return a
}

// right is the second y axis, nil if no curve belongs to it.
func (a Axes) right(curves []Curve) (*Axis, error) {
	e, used := newExtent(a.LogRight), false
	for _, c := range curves {
		if c.Right {
			used = true
			c.see(new(newExtent(false)), &e)
		}
	}
	if !used {
		if a.RightLabel != "" || a.LogRight {
			return nil, fmt.Errorf("right_label, logright: no series belongs to the second y axis: one must have right set")
		}
		return nil, nil
	}
	axis := &Axis{Label: a.RightLabel, Log: a.LogRight}
	var err error
	axis.Lo, axis.Hi, err = rangeOf("y", e, nil, nil, 0.05)
	return axis, err
}

// see widens the extents by what the curve shows.
func (c Curve) see(x, y *extent) {
	for i := range c.X {
		if finite(c.X[i]) && finite(c.Y[i]) || c.Rule {
			x.add(c.X[i])
			y.add(c.Y[i])
		}
	}
	for i := range c.Low {
		if finite(c.X[i]) && finite(c.Y[i]) {
			y.add(c.Low[i], c.High[i])
		}
	}
	for _, s := range c.Shapes {
		x.add(s.X...)
		y.add(s.Y...)
	}
	for _, s := range c.Arrows {
		x.add(s.X, s.ToX)
		y.add(s.Y, s.ToY)
	}
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
