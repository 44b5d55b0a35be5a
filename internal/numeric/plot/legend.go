package plot

import (
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
)

const (
	handleLength vg.Length = 19 // of the piece of line in a legend
	handleGap    vg.Length = 5
	legendRow    vg.Length = 11.5
	legendPad    vg.Length = 4
	legendInset  vg.Length = 5 // from the axes
	entryGap     vg.Length = 14
)

// legend names curves. Its place is its upper left corner.
type legend struct {
	entries       []legendEntry
	width, height vg.Length
	at            vg.Point
	place         string // a corner; not used if beside or on its own
	beside        bool   // right of the box
	framed        bool
}

// legendEntry is a curve and where it is named, relative to the legend.
type legendEntry struct {
	Curve
	at vg.Point // middle left of its row
}

// columnLegend lists the curves under each other, at most so many in a column.
func (l *layout) columnLegend(curves []Curve, most int) *legend {
	g := &legend{width: legendPad}
	for column := range slices.Chunk(curves, most) {
		var widest vg.Length
		for i, c := range column {
			widest = max(widest, l.text.width(c.Label, legendSize))
			g.entries = append(g.entries, legendEntry{c, vg.Point{X: g.width, Y: -legendPad - (vg.Length(i)+0.5)*legendRow}})
		}
		g.width += handleLength + handleGap + widest + entryGap
	}
	g.width += legendPad - entryGap
	g.height = 2*legendPad + vg.Length(min(most, len(curves)))*legendRow
	return g
}

// besideLegend lists the curves right of a box, in columns as high as the panel.
func (l *layout) besideLegend(b *box, curves []Curve) *legend {
	room := b.rect.Size().Y + b.margins.bottom
	g := l.columnLegend(curves, max(1, int(room/legendRow)))
	g.beside = true
	return g
}

// rowLegend lists the curves beside each other, in as many rows as needed.
func (l *layout) rowLegend(curves []Curve, width vg.Length) *legend {
	g := &legend{}
	var x vg.Length
	y := -legendRow / 2
	for _, c := range curves {
		w := handleLength + handleGap + l.text.width(c.Label, legendSize)
		if x > 0 && x+w > width {
			x, y = 0, y-legendRow
		}
		g.entries = append(g.entries, legendEntry{c, vg.Point{X: x, Y: y}})
		g.width = max(g.width, x+w)
		x += w + entryGap
	}
	g.height = legendRow/2 - y
	return g
}

// placeLegend decides where the legend of a panel goes: where it was asked to,
// else into the corner where it covers least, else, if it would cover too
// much everywhere, beside the box.
func (l *layout) placeLegend(b *box) *legend {
	named := labelled(b.Curves)
	if len(named) == 0 || b.Panel.Legend == none {
		return nil
	}
	if b.Panel.Legend == "right" {
		return l.besideLegend(b, named)
	}
	g := l.columnLegend(named, len(named))
	g.framed = true
	if b.Panel.Legend != "" {
		g.place = b.Panel.Legend
		return g
	}
	const tolerable = 0.015 // of the length of all lines
	points := b.inkPoints()
	least, best := len(points)+1, ""
	for _, place := range []string{"top right", "top left", "bottom right", "bottom left"} {
		g.place = place
		g.moveInto(b)
		if n := g.covers(points); n < least {
			least, best = n, place
		}
	}
	g.place = best
	if blocks := slices.ContainsFunc(b.Curves, func(c Curve) bool { return c.grounded }); least > 0 && blocks || // the end of a bar is its value
		float64(least) > tolerable*float64(len(points)) || g.width > 0.7*b.rect.Size().X || g.height > b.rect.Size().Y-2*legendInset {
		return l.besideLegend(b, named)
	}
	return g
}

// moveInto places the legend of a box.
func (g *legend) moveInto(b *box) {
	r := b.rect
	if g.beside {
		x := r.Max.X + columnGap/2
		if b.bar != nil || b.Right != nil {
			x = r.Max.X + b.margins.right - g.width
		}
		g.at = vg.Point{X: x, Y: r.Max.Y + legendPad}
		return
	}
	g.at = vg.Point{X: r.Max.X - legendInset - g.width, Y: r.Max.Y - legendInset}
	switch g.place {
	case "top left", "bottom left":
		g.at.X = r.Min.X + legendInset
	}
	switch g.place {
	case "bottom left", "bottom right":
		g.at.Y = r.Min.Y + legendInset + g.height
	}
}

func (g *legend) rect() vg.Rectangle {
	return vg.Rectangle{
		Min: vg.Point{X: g.at.X, Y: g.at.Y - g.height},
		Max: vg.Point{X: g.at.X + g.width, Y: g.at.Y},
	}
}

func (g *legend) covers(points []vg.Point) int {
	r, n := g.rect(), 0
	for _, p := range points {
		if p.X >= r.Min.X && p.X <= r.Max.X && p.Y >= r.Min.Y && p.Y <= r.Max.Y {
			n++
		}
	}
	return n
}

// inkPoints returns points about 3 apart along all curves and bands inside the
// box: what a legend should not cover.
func (b *box) inkPoints() []vg.Point {
	const apart = 3
	var points []vg.Point
	inside := func(p vg.Point) bool {
		return p.X >= b.rect.Min.X && p.X <= b.rect.Max.X && p.Y >= b.rect.Min.Y && p.Y <= b.rect.Max.Y
	}
	for _, c := range b.Curves {
		b := b.of(c)
		for _, s := range c.Shapes {
			points = append(points, b.covered(s, apart)...)
		}
		for _, ys := range [][]float64{c.Y, c.Low, c.High} {
			var last vg.Point
			for i := range ys {
				p, ok := b.at(c.X[i], ys[i])
				if ok && i > 0 && inside(p) && inside(last) {
					d := p.Sub(last)
					n := int(math.Hypot(float64(d.X), float64(d.Y)) / apart)
					for k := 1; k <= n; k++ {
						points = append(points, between(last, p, vg.Length(k)/vg.Length(n+1)))
					}
				}
				if ok && inside(p) {
					points = append(points, p)
				}
				last = p
			}
		}
	}
	return points
}

// at returns the place of a point of the data; false if it has none.
func (b *box) at(x, y float64) (vg.Point, bool) {
	tx, ty := b.X.Norm(x), b.Y.Norm(y)
	if !finite(tx) || !finite(ty) {
		return vg.Point{X: -1e6, Y: -1e6}, false
	}
	// Far outside is as good as very far, and leaves clipping its digits.
	tx, ty = min(max(tx, -1e3), 1e3), min(max(ty, -1e3), 1e3)
	size := b.rect.Size()
	return b.rect.Min.Add(vg.Point{X: vg.Length(tx) * size.X, Y: vg.Length(ty) * size.Y}), true
}

// covered returns points about so far apart in the rectangle around a shape: what a
// legend should not cover of it.
func (b *box) covered(s Shape, apart vg.Length) []vg.Point {
	corners := b.corners(s)
	if len(corners) == 0 {
		return nil
	}
	lo, hi := corners[0], corners[0]
	for _, c := range corners {
		lo.X, lo.Y = min(lo.X, c.X), min(lo.Y, c.Y)
		hi.X, hi.Y = max(hi.X, c.X), max(hi.Y, c.Y)
	}
	lo.X, lo.Y = max(lo.X, b.rect.Min.X), max(lo.Y, b.rect.Min.Y)
	hi.X, hi.Y = min(hi.X, b.rect.Max.X), min(hi.Y, b.rect.Max.Y)
	const most = 50 // along one side: bars of a histogram, not a field of points
	stepX, stepY := max(apart, (hi.X-lo.X)/most), max(apart, (hi.Y-lo.Y)/most)
	var points []vg.Point
	for x := lo.X; x <= hi.X; x += stepX {
		for y := lo.Y; y <= hi.Y; y += stepY {
			points = append(points, vg.Point{X: x, Y: y})
		}
	}
	return points
}
