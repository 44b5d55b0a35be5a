package plot

import (
	"math"

	"gonum.org/v1/plot/vg"
)

// band fills the area between low and high, or draws error bars.
func (p *painter) band(b *box, c Curve) {
	if c.Low == nil {
		return
	}
	if c.Bars {
		p.errorBars(b, c)
		return
	}
	tint := c.Style.Color
	tint.A = 46
	var lower, upper []vg.Point
	flush := func() {
		polygon := lower
		for i := len(upper) - 1; i >= 0; i-- {
			polygon = append(polygon, upper[i])
		}
		if clipped := clippedPolygon(b.rect, polygon); len(polygon) > 2 && len(clipped) > 2 {
			path := polyline(clipped)
			path.Close()
			p.fill(path, tint)
		}
		lower, upper = nil, nil
	}
	for i := range c.X {
		if l, h, ok := b.limits(c, i); ok {
			lower, upper = append(lower, l), append(upper, h)
		} else {
			flush()
		}
	}
	flush()
}

// limits returns the ends of the band at point i; false if there is none.
func (b *box) limits(c Curve, i int) (low, high vg.Point, ok bool) {
	if math.IsNaN(c.Y[i]) {
		return low, high, false
	}
	low, okLow := b.limit(c.X[i], c.Low[i])
	high, okHigh := b.limit(c.X[i], c.High[i])
	return low, high, okLow && okHigh
}

// limit is like at, but has a place far outside for infinite limits, and for
// those that a log axis cannot show.
func (b *box) limit(x, y float64) (vg.Point, bool) {
	if math.IsNaN(y) {
		return vg.Point{}, false
	}
	least := -math.MaxFloat64
	if b.Y.Log {
		least = math.SmallestNonzeroFloat64
	}
	top, bottom := min(b.Y.value(100), math.MaxFloat64), max(b.Y.value(-100), least)
	return b.at(x, min(max(y, bottom), top))
}

func (p *painter) errorBars(b *box, c Curve) {
	for i := range c.X {
		l, h, ok := b.limits(c, i)
		if !ok || l.X < b.rect.Min.X || l.X > b.rect.Max.X {
			continue
		}
		lo, hi := max(l.Y, b.rect.Min.Y), min(h.Y, b.rect.Max.Y)
		if lo > hi {
			continue
		}
		bar := segment(l.X, lo, l.X, hi)
		if lo == l.Y {
			bar = append(bar, segment(l.X-capSize, lo, l.X+capSize, lo)...)
		}
		if hi == h.Y {
			bar = append(bar, segment(l.X-capSize, hi, l.X+capSize, hi)...)
		}
		p.stroke(bar, pen{color: c.Style.Color, width: tickWidth})
	}
}

func polyline(points []vg.Point) vg.Path {
	var path vg.Path
	for i, q := range points {
		if i == 0 {
			path.Move(q)
		} else {
			path.Line(q)
		}
	}
	return path
}

// curve draws the line, clipped to the box, and the markers inside it.
func (p *painter) curve(b *box, c Curve) {
	if c.Style.Line {
		line := pen{color: c.Style.Color, width: c.width, dash: c.Style.Dash.pattern(c.width)}
		for _, run := range b.runs(c) {
			if len(run) == 1 && c.Style.Marker == 0 && b.contains(run[0]) { // a line of one point is a dot
				p.fill(circle(run[0], c.width), c.Style.Color)
			}
			for _, piece := range clippedLine(b.rect, run) {
				p.stroke(polyline(thinned(piece)), line)
			}
		}
	}
	if c.Style.Marker == 0 {
		return
	}
	for i := range c.X {
		if q, ok := b.at(c.X[i], c.Y[i]); ok && b.contains(q) {
			s := c.Style
			s.Color = c.markerColor(i)
			p.marker(s, q, markerSize*c.markerScale(i))
			if c.Colors != nil && s.Marker == 'o' { // pale ones are seen on white
				p.stroke(circle(q, markerSize*c.markerScale(i)), pen{color: frameColor(), width: outlineWidth / 2})
			}
		}
	}
}

// thinned leaves out points that nobody sees: closer than a tenth of a point
// (0.04 mm) to the one before. A fine mesh has many.
func thinned(points []vg.Point) []vg.Point {
	const invisible = 0.1
	kept := points[:0:0]
	for i, q := range points {
		if i > 0 && i < len(points)-1 {
			last := kept[len(kept)-1]
			if math.Abs(float64(q.X-last.X)) < invisible && math.Abs(float64(q.Y-last.Y)) < invisible {
				continue
			}
		}
		kept = append(kept, q)
	}
	return kept
}

func (b *box) contains(q vg.Point) bool {
	const slack = 0.01
	return q.X >= b.rect.Min.X-slack && q.X <= b.rect.Max.X+slack && q.Y >= b.rect.Min.Y-slack && q.Y <= b.rect.Max.Y+slack
}

// runs cuts a curve where a point is missing.
func (b *box) runs(c Curve) [][]vg.Point {
	var runs [][]vg.Point
	var run []vg.Point
	for i := range c.X {
		if q, ok := b.at(c.X[i], c.Y[i]); ok {
			run = append(run, q)
			continue
		}
		runs, run = append(runs, run), nil
	}
	return append(runs, run)
}

func (p *painter) marker(s LineStyle, at vg.Point, r vg.Length) {
	corner := func(x, y vg.Length) vg.Point { return vg.Point{X: at.X + x*r, Y: at.Y + y*r} }
	shape := func(points ...vg.Point) {
		path := polyline(points)
		path.Close()
		p.fill(path, s.Color)
	}
	cross := func(k vg.Length, diagonal bool) {
		if diagonal {
			p.stroke(append(segment(at.X-k, at.Y-k, at.X+k, at.Y+k), segment(at.X-k, at.Y+k, at.X+k, at.Y-k)...), pen{color: s.Color, width: 1})
			return
		}
		p.stroke(append(segment(at.X-k, at.Y, at.X+k, at.Y), segment(at.X, at.Y-k, at.X, at.Y+k)...), pen{color: s.Color, width: 1})
	}
	switch s.Marker {
	case 'o':
		p.fill(circle(at, r), s.Color)
	case '.':
		p.fill(circle(at, r/2), s.Color)
	case 's':
		shape(corner(-0.88, -0.88), corner(0.88, -0.88), corner(0.88, 0.88), corner(-0.88, 0.88))
	case 'd':
		shape(corner(0, -1.2), corner(1.2, 0), corner(0, 1.2), corner(-1.2, 0))
	case '^':
		shape(corner(-1.1, -0.75), corner(1.1, -0.75), corner(0, 1.15))
	case 'v':
		shape(corner(-1.1, 0.75), corner(1.1, 0.75), corner(0, -1.15))
	case '+':
		cross(1.2*r, false)
	case 'x':
		cross(0.9*r, true)
	case '*':
		cross(1.2*r, false)
		cross(0.85*r, true)
	}
}
