package plot

import (
	"fmt"
	"image/color"
	"math"
	"slices"
)

// The kinds of a series. To add one, give it a case in drawnAs.
const (
	kindLine = "line"
	kindStep = "step"
	kindStem = "stem"
	kindBar  = "bar"
	kindArea = "area"
)

// drawnAs returns the curve of a series as its kind is drawn: i is its number among the
// series, bars tells where those of bars stand.
func (c Curve) drawnAs(kind string, bars bars, i int) (Curve, error) {
	switch kind {
	case "", kindLine:
	case kindStep:
		c.stairs()
	case kindStem:
		c.stalks()
	case kindBar:
		c.blocks(bars, i)
	case kindArea:
		c.fillDown()
	default:
		return c, fmt.Errorf("kind %q: must be one of line, step, stem, bar, area", kind)
	}
	return c, nil
}

// stairs makes a line of steps: each value holds until the next point. The points keep
// their order, so that a NaN still interrupts.
func (c *Curve) stairs() {
	n := len(c.X)
	var x []float64
	twice := func(v []float64) []float64 {
		if v == nil {
			return nil
		}
		out := make([]float64, 0, 2*n)
		for i := range v {
			out = append(out, v[i])
			if i+1 < n {
				out = append(out, v[i])
			}
		}
		return out
	}
	for i := range c.X {
		x = append(x, c.X[i])
		if i+1 < n {
			x = append(x, c.X[i+1])
		}
	}
	c.X, c.Y, c.Low, c.High = x, twice(c.Y), twice(c.Low), twice(c.High)
}

// stalks puts the markers on stalks that stand on zero.
func (c *Curve) stalks() {
	c.Style.Line, c.grounded = false, true
	if c.Style.Marker == 0 {
		c.Style.Marker = 'o'
	}
	for i := range c.X {
		if finite(c.X[i]) && finite(c.Y[i]) {
			c.Arrows = append(c.Arrows, Arrow{X: c.X[i], ToX: c.X[i], ToY: c.Y[i]})
		}
	}
}

// fillDown fills the area between the line and zero.
func (c *Curve) fillDown() {
	c.grounded = true
	tint := c.Style.Color
	tint.A = 90
	var x, y []float64
	flush := func() {
		if n := len(x); n > 1 {
			c.Shapes = append(c.Shapes, Shape{X: append(x, x[n-1], x[0]), Y: append(y, 0, 0), Fill: tint})
		}
		x, y = nil, nil
	}
	for i := range c.X {
		if finite(c.X[i]) && finite(c.Y[i]) {
			x, y = append(x, c.X[i]), append(y, c.Y[i])
			continue
		}
		flush()
	}
	flush()
}

// bars are the places of the bars of a figure: how wide one is, in x or on a log axis
// in log10 x, and which of those beside each other a series has.
type bars struct {
	log   bool
	width float64
	slot  []int // of each series; -1 for series of another kind
	slots int
	bases [][]float64 // of each series, where its bars stand; nil: on zero
}

// newBars shares the least distance between the places of bars among the series of bars.
func newBars(series []Series, log bool) bars {
	b := bars{log: log, bases: make([][]float64, len(series))}
	var places []float64
	for _, s := range series {
		if s.Kind != kindBar {
			b.slot = append(b.slot, -1)
			continue
		}
		b.slot = append(b.slot, b.slots)
		b.slots++
		for _, x := range s.at() {
			if t := b.scaled(x); finite(t) {
				places = append(places, t)
			}
		}
	}
	slices.Sort(places)
	gap := math.Inf(1)
	for i := 1; i < len(places); i++ {
		if d := places[i] - places[i-1]; d > 0 {
			gap = min(gap, d)
		}
	}
	const cover = 0.8 // of the distance is bars, the rest between them
	b.width = cover
	if finite(gap) {
		b.width = cover * gap
	}
	return b
}

// stack puts the bars of each series on those of the series before it.
func (b *bars) stack(series []Series) {
	b.slots = 1
	below := make([]float64, len(series[0].Y))
	for i, s := range series {
		b.slot[i], b.bases[i] = 0, slices.Clone(below)
		for k, v := range s.Y {
			if finite(v) {
				below[k] += v
			}
		}
	}
}

func (b bars) scaled(x float64) float64 {
	if b.log {
		return math.Log10(x)
	}
	return x
}

// ends are the left and the right end of the bar of series i at x.
func (b bars) ends(i int, x float64) (left, right float64) {
	slots, slot := max(b.slots, 1), max(b.slot[i], 0)
	left = b.scaled(x) + b.width*(float64(slot)/float64(slots)-0.5)
	right = left + b.width/float64(slots)
	if b.log {
		return math.Pow(10, left), math.Pow(10, right)
	}
	return left, right
}

// blocks draws the values as bars that stand on zero, or on the series below.
func (c *Curve) blocks(b bars, i int) {
	c.Style.Line, c.Style.Marker, c.grounded = false, 0, true
	for k, x := range c.X {
		base := 0.0
		if b.bases[i] != nil {
			base = b.bases[i][k]
		}
		if !finite(x) || !finite(c.Y[k]) {
			continue
		}
		left, right := b.ends(i, x)
		c.Shapes = append(c.Shapes, block(left, base, right, base+c.Y[k], c.Style.Color))
	}
	if c.Low == nil { // the points would only hide the legend's place
		c.X, c.Y = nil, nil
		return
	}
	c.Bars = true
	x := make([]float64, len(c.X))
	for k := range x {
		left, right := b.ends(i, c.X[k])
		x[k] = left/2 + right/2
	}
	c.X, c.Style.Color = x, Toned(c.Style.Color, 0, 0.35) // error bars are seen on the bars
}

// block is the rectangle with these corners.
func block(x0, y0, x1, y1 float64, fill color.NRGBA) Shape {
	return Shape{X: []float64{x0, x1, x1, x0}, Y: []float64{y0, y0, y1, y1}, Fill: fill}
}
