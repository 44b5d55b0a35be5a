package plot

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
)

// of returns the box as a curve sees it: with the axis that it is drawn on.
func (b *box) of(c Curve) *box {
	if !c.Right || b.Right == nil {
		return b
	}
	r := *b
	r.Panel = b.Panel.For(c)
	return &r
}

// shapes fills the shapes of a curve, cut to the box.
func (p *painter) shapes(b *box, c Curve) {
	for _, s := range c.Shapes {
		polygon := b.corners(s)
		clipped := clippedPolygon(b.rect, polygon)
		if len(polygon) < 3 || len(clipped) < 3 {
			continue
		}
		path := polyline(clipped)
		path.Close()
		p.fill(path, s.Fill)
		if s.Outline.A > 0 {
			p.stroke(path, pen{color: s.Outline, width: outlineWidth})
		}
	}
}

const outlineWidth vg.Length = 0.5

// corners are the places of the corners of a shape; none where one has no place.
func (b *box) corners(s Shape) []vg.Point {
	polygon := make([]vg.Point, len(s.X))
	for i := range s.X {
		var ok bool
		if polygon[i], ok = b.limit(s.X[i], s.Y[i]); !ok {
			return nil
		}
	}
	return polygon
}

const (
	headLength vg.Length = 5 // of the head of an arrow
	headWidth  vg.Length = 1.8
)

// arrows draws the arrows of a curve as far as they are in the box.
func (p *painter) arrows(b *box, c Curve) {
	for _, a := range c.Arrows {
		from, okFrom := b.limit(a.X, a.Y)
		to, okTo := b.limit(a.ToX, a.ToY)
		if okFrom && okTo {
			p.arrow(b.rect, from, to, a, pen{color: c.Style.Color, width: c.width})
		}
	}
}

// arrow draws a line, cut to a rectangle, and its head where the end is inside. The head
// of a short arrow is as long as half of it.
func (p *painter) arrow(within vg.Rectangle, from, to vg.Point, a Arrow, line pen) {
	way := to.Sub(from)
	length := vg.Length(math.Hypot(float64(way.X), float64(way.Y)))
	inside := to.X >= within.Min.X && to.X <= within.Max.X && to.Y >= within.Min.Y && to.Y <= within.Max.Y
	end := to
	if a.Head && inside && length > 0 {
		long := min(headLength, length/2)
		if a.Pointed {
			long = headLength
		}
		along := way.Scale(1 / length)
		across := vg.Point{X: -along.Y, Y: along.X}.Scale(headWidth * long / headLength)
		base := to.Sub(along.Scale(long))
		tip := polyline([]vg.Point{to, base.Add(across), base.Sub(across)})
		tip.Close()
		p.fill(tip, line.color)
		end = base
	}
	if a.Pointed {
		return
	}
	for _, piece := range clippedLine(within, []vg.Point{from, end}) {
		p.stroke(polyline(piece), line)
	}
}

// texts writes the texts of a panel, moved so that they stand between its axes.
func (p *painter) texts(b *box) {
	const gap = 3
	for _, t := range b.sided(p.text) {
		p.label(t.text, tickSize, between(t.rect.Min, t.rect.Max, 0.5), align{0.5, 0.5}, false)
	}
	for _, t := range b.Texts {
		point, ok := b.at(t.X, t.Y)
		if !ok || t.side != nil {
			continue
		}
		half := p.text.width(t.Text, tickSize) / 2
		inside := func(at vg.Point) vg.Point {
			at.X = min(max(at.X, b.rect.Min.X+half+gap), b.rect.Max.X-half-gap)
			at.Y = min(max(at.Y, b.rect.Min.Y+textHeight/2+gap), b.rect.Max.Y-textHeight/2-gap)
			return at
		}
		var at vg.Point
		if t.TextX == nil {
			at = b.free(point, half, gap, inside)
		} else {
			if at, ok = b.at(*t.TextX, *t.TextY); !ok {
				continue
			}
			at = inside(at)
			p.arrow(b.rect, leave(at, point, half+gap, textHeight/2+gap), point, Arrow{Head: true}, pen{color: inkColor(), width: tickWidth})
		}
		p.label(t.Text, tickSize, at, align{0.5, 0.5}, false)
	}
}

const textHeight = tickSize

// setText is a text with its place.
type setText struct {
	text string
	rect vg.Rectangle
}

// sided are the texts that have a side, without those that would cover one before: at a corner of
// a surface the last labels of two axes may meet.
func (b *box) sided(text *typesetter) []setText {
	var set []setText
	width := func(label string) float64 { return float64(text.width(label, tickSize)) }
	size := b.rect.Size()
	for _, t := range b.Texts {
		point, ok := b.at(t.X, t.Y)
		if t.side == nil || t.Text == "" || !ok {
			continue
		}
		dx, dy := t.Shift(float64(size.X)/(b.X.Hi-b.X.Lo), float64(size.Y)/(b.Y.Hi-b.Y.Lo), width, float64(textHeight))
		at, half := point.Add(vg.Point{X: vg.Length(dx), Y: vg.Length(dy)}), vg.Point{X: text.width(t.Text, tickSize) / 2, Y: textHeight / 2}
		r := vg.Rectangle{Min: at.Sub(half), Max: at.Add(half)}
		if !slices.ContainsFunc(set, func(o setText) bool { return overlap(r, o.rect) }) {
			set = append(set, setText{t.Text, r})
		}
	}
	return set
}

func overlap(a, b vg.Rectangle) bool {
	return a.Min.X < b.Max.X && b.Min.X < a.Max.X && a.Min.Y < b.Max.Y && b.Min.Y < a.Max.Y
}

// free is where a text stands next to a point: above, below, right or left of it, where it
// covers least of the curves.
func (b *box) free(point vg.Point, half, gap vg.Length, inside func(vg.Point) vg.Point) vg.Point {
	ink, least := b.inkPoints(), math.MaxInt
	var best vg.Point
	up, across := gap+textHeight/2, gap+half
	for _, step := range []vg.Point{{Y: up}, {Y: -up}, {X: across}, {X: -across}} {
		at := inside(point.Add(step))
		covered := 0
		for _, q := range append(ink, point) {
			if math.Abs(float64(q.X-at.X)) < float64(half+1) && math.Abs(float64(q.Y-at.Y)) < float64(textHeight/2+1) {
				covered++
			}
		}
		if covered < least {
			least, best = covered, at
		}
	}
	return best
}

// leave is where the way from the middle of a text to a point leaves its rectangle.
func leave(middle, point vg.Point, halfWidth, halfHeight vg.Length) vg.Point {
	way := point.Sub(middle)
	t := vg.Length(1)
	if way.X != 0 {
		t = min(t, halfWidth/vg.Length(math.Abs(float64(way.X))))
	}
	if way.Y != 0 {
		t = min(t, halfHeight/vg.Length(math.Abs(float64(way.Y))))
	}
	return middle.Add(way.Scale(t))
}

// markerColor and markerSize are those of marker i of a curve.
func (c Curve) markerColor(i int) color.NRGBA {
	if c.Colors != nil {
		return c.Colors[i]
	}
	return c.Style.Color
}

func (c Curve) markerScale(i int) vg.Length {
	if c.Sizes != nil {
		return vg.Length(c.Sizes[i])
	}
	return 1
}
