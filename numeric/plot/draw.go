package plot

import (
	"image"
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

const (
	frameWidth vg.Length = 0.7
	tickWidth  vg.Length = 0.6
	gridWidth  vg.Length = 0.4
	markerSize vg.Length = 2.4 // radius
	capSize    vg.Length = 2.0 // half the width of the ends of an error bar
)

func inkColor() color.NRGBA   { return unhex(0x1a1a1a) }
func frameColor() color.NRGBA { return unhex(0x333333) }
func gridColor() color.NRGBA  { return unhex(0xe2e2e2) }

// painter draws a layout on a surface.
type painter struct {
	surface
	text *typesetter
}

func (p *painter) label(s string, size vg.Length, at vg.Point, a align, turned bool) {
	if path := p.text.outline(s, size, at, a, turned); len(path) > 0 {
		p.fill(path, inkColor())
	}
}

func (p *painter) line(path vg.Path, c color.NRGBA, width vg.Length) {
	p.stroke(path, pen{color: c, width: width, crisp: true})
}

func (p *painter) layout(l *layout) {
	for _, b := range l.boxes {
		p.box(b)
	}
	if l.bar != nil {
		p.colorbar(l.bar)
	}
	if l.legend != nil {
		p.legend(l.legend)
	}
	if l.sheet.title != "" {
		p.title(l.sheet.title, sheetTitleSize, l.titleAt, edge, l.width-edge)
	}
}

// title writes a title with its middle at a place, but between from and to: a
// long one moves, a longer one shrinks.
func (p *painter) title(s string, size vg.Length, at vg.Point, from, to vg.Length) {
	if w := p.text.width(s, size); w > to-from {
		size *= (to - from) / w
	}
	half := p.text.width(s, size) / 2
	at.X = min(max(at.X, from+half), to-half)
	p.label(s, size, at, align{x: 0.5}, false)
}

func (p *painter) box(b *box) {
	if b.field != nil && !b.hidden {
		p.raster(b.rect, func(w, h int) *image.Paletted { return b.field.paint(b.x, b.y, w, h) })
	}
	if b.grid {
		p.grid(b)
	}
	for _, c := range b.curves {
		p.band(b, c)
	}
	for _, rules := range []bool{true, false} {
		for _, c := range b.curves {
			if c.rule == rules {
				p.curve(b, c)
			}
		}
	}
	p.line(rectangle(b.rect), frameColor(), frameWidth)
	p.xAxis(b)
	p.yAxis(b)
	if b.title != "" {
		at := vg.Point{X: (b.rect.Min.X + b.rect.Max.X) / 2, Y: b.rect.Max.Y + b.titleUp}
		p.title(b.title, titleSize, at, b.from, b.to)
	}
	if b.bar != nil {
		p.colorbar(b.bar)
	}
	if b.legend != nil {
		p.legend(b.legend)
	}
}

func (p *painter) grid(b *box) {
	for _, t := range b.xTicks.ticks {
		if x := b.xPlace(t.at); !t.minor {
			p.line(segment(x, b.rect.Min.Y, x, b.rect.Max.Y), gridColor(), gridWidth)
		}
	}
	for _, t := range b.yTicks.ticks {
		if y := b.yPlace(t.at); !t.minor {
			p.line(segment(b.rect.Min.X, y, b.rect.Max.X, y), gridColor(), gridWidth)
		}
	}
}

// xPlace and yPlace are where ticks stand.
func (b *box) xPlace(v float64) vg.Length {
	return b.rect.Min.X + vg.Length(min(max(b.x.norm(v), 0), 1))*b.rect.Size().X
}

func (b *box) yPlace(v float64) vg.Length {
	return b.rect.Min.Y + vg.Length(min(max(b.y.norm(v), 0), 1))*b.rect.Size().Y
}

func (t tick) length() vg.Length {
	if t.minor {
		return minorLength
	}
	return tickLength
}

func (p *painter) xAxis(b *box) {
	y := b.rect.Min.Y
	for _, t := range b.xTicks.ticks {
		x := b.xPlace(t.at)
		p.line(segment(x, y, x, y-t.length()), frameColor(), tickWidth)
		if b.showX {
			p.label(t.label, tickSize, vg.Point{X: x, Y: y - tickLength - tickPad}, align{0.5, 1}, false)
		}
	}
	base := y - tickLength - labelPad
	if b.showX {
		base -= tickPad + tickSize*capHeight
		p.label(b.xTicks.factor, tickSize, vg.Point{X: b.rect.Max.X, Y: base}, align{1, 1}, false)
	}
	if b.nameX {
		p.label(b.x.label, labelSize, vg.Point{X: (b.rect.Min.X + b.rect.Max.X) / 2, Y: base}, align{0.5, 1}, false)
	}
}

func (p *painter) yAxis(b *box) {
	x := b.rect.Min.X
	widest := vg.Length(0)
	for _, t := range b.yTicks.ticks {
		y := b.yPlace(t.at)
		p.line(segment(x, y, x-t.length(), y), frameColor(), tickWidth)
		if b.showY {
			p.label(t.label, tickSize, vg.Point{X: x - tickLength - tickPad, Y: y}, align{1, 0.5}, false)
			widest = max(widest, p.text.width(t.label, tickSize))
		}
	}
	side := x - tickLength - labelPad
	if b.showY {
		side -= tickPad + widest
		p.label(b.yTicks.factor, tickSize, vg.Point{X: x, Y: b.rect.Max.Y + titlePad/2}, align{}, false)
	}
	if b.nameY {
		p.label(b.y.label, labelSize, vg.Point{X: side, Y: (b.rect.Min.Y + b.rect.Max.Y) / 2}, align{0.5, 0}, true)
	}
}

func (p *painter) colorbar(b *barPlace) {
	p.raster(b.rect, b.paint)
	if b.levels != nil && !b.filled {
		for _, v := range b.levels {
			y := b.place(v)
			p.line(segment(b.rect.Min.X, y, b.rect.Max.X, y), b.lineColor(v), lineWidth)
		}
	}
	p.line(rectangle(b.rect), frameColor(), tickWidth)
	x := b.rect.Max.X
	widest := vg.Length(0)
	for _, t := range b.ticks.ticks {
		y := b.place(t.at)
		p.line(segment(x, y, x+t.length(), y), frameColor(), tickWidth)
		p.label(t.label, tickSize, vg.Point{X: x + tickLength + tickPad, Y: y}, align{0, 0.5}, false)
		widest = max(widest, p.text.width(t.label, tickSize))
	}
	p.label(b.ticks.factor, tickSize, vg.Point{X: b.rect.Min.X, Y: b.rect.Max.Y + titlePad/2}, align{}, false)
	at := vg.Point{X: x + tickLength + tickPad + widest + labelPad, Y: (b.rect.Min.Y + b.rect.Max.Y) / 2}
	p.label(b.label, labelSize, at, align{0.5, 1}, true)
}

func (b *barPlace) place(v float64) vg.Length {
	t := axis{lo: b.lo, hi: b.hi, log: b.log}.norm(v)
	return b.rect.Min.Y + vg.Length(min(max(t, 0), 1))*b.rect.Size().Y
}

// paint draws the colours of a bar, as a column or with bands; the bar of a
// line contour is white, and its lines come on top.
func (b *colorbar) paint(w, h int) *image.Paletted {
	img := image.NewPaletted(image.Rect(0, 0, w, h), b.spec.table())
	f := field{colors: b.colormap, levels: b.levels}
	for r := range h {
		v := axis{lo: b.lo, hi: b.hi, log: b.log}.value((float64(h-1-r) + 0.5) / float64(h))
		i := b.index(v)
		switch {
		case b.filled:
			i = f.bandIndex(v)
		case b.levels != nil:
			i = missing
		}
		for c := range w {
			img.Pix[r*img.Stride+c] = i
		}
	}
	if b.levels != nil && !b.filled {
		img.Palette[missing] = unhex(0xffffff)
	}
	return img
}

// band fills the area between low and high, or draws error bars.
func (p *painter) band(b *box, c curve) {
	if c.low == nil {
		return
	}
	if c.bars {
		p.errorBars(b, c)
		return
	}
	tint := c.style.color
	tint.A = 46
	var lower, upper []vg.Point
	flush := func() {
		polygon := lower
		for i := len(upper) - 1; i >= 0; i-- {
			polygon = append(polygon, upper[i])
		}
		clip := draw.Canvas{Rectangle: b.rect}
		if clipped := clip.ClipPolygonXY(polygon); len(polygon) > 2 && len(clipped) > 2 {
			path := polyline(clipped)
			path.Close()
			p.fill(path, tint)
		}
		lower, upper = nil, nil
	}
	for i := range c.x {
		if l, h, ok := b.limits(c, i); ok {
			lower, upper = append(lower, l), append(upper, h)
		} else {
			flush()
		}
	}
	flush()
}

// limits returns the ends of the band at point i; false if there is none.
func (b *box) limits(c curve, i int) (low, high vg.Point, ok bool) {
	if math.IsNaN(c.y[i]) {
		return low, high, false
	}
	low, okLow := b.limit(c.x[i], c.low[i])
	high, okHigh := b.limit(c.x[i], c.high[i])
	return low, high, okLow && okHigh
}

// limit is like at, but has a place far outside for infinite limits, and for
// those that a log axis cannot show.
func (b *box) limit(x, y float64) (vg.Point, bool) {
	if math.IsNaN(y) {
		return vg.Point{}, false
	}
	top, bottom := b.y.value(100), b.y.value(-100)
	if !b.y.log {
		top, bottom = min(top, math.MaxFloat64), max(bottom, -math.MaxFloat64)
	}
	return b.at(x, min(max(y, bottom), top))
}

func (p *painter) errorBars(b *box, c curve) {
	for i := range c.x {
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
		p.stroke(bar, pen{color: c.style.color, width: tickWidth})
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
func (p *painter) curve(b *box, c curve) {
	if c.style.line {
		line := pen{color: c.style.color, width: c.width, dash: c.style.dash.pattern(c.width)}
		clip := draw.Canvas{Rectangle: b.rect}
		for _, run := range b.runs(c) {
			if len(run) == 1 && c.style.marker == 0 && b.contains(run[0]) { // a line of one point is a dot
				p.fill(circle(run[0], c.width), c.style.color)
			}
			for _, piece := range clip.ClipLinesXY(run) {
				p.stroke(polyline(piece), line)
			}
		}
	}
	if c.style.marker == 0 {
		return
	}
	for i := range c.x {
		if q, ok := b.at(c.x[i], c.y[i]); ok && b.contains(q) {
			p.marker(c.style, q)
		}
	}
}

func (b *box) contains(q vg.Point) bool {
	const slack = 0.01
	return q.X >= b.rect.Min.X-slack && q.X <= b.rect.Max.X+slack && q.Y >= b.rect.Min.Y-slack && q.Y <= b.rect.Max.Y+slack
}

// runs cuts a curve where a point is missing.
func (b *box) runs(c curve) [][]vg.Point {
	var runs [][]vg.Point
	var run []vg.Point
	for i := range c.x {
		if q, ok := b.at(c.x[i], c.y[i]); ok {
			run = append(run, q)
			continue
		}
		runs, run = append(runs, run), nil
	}
	return append(runs, run)
}

func (p *painter) marker(s lineStyle, at vg.Point) {
	r := markerSize
	corner := func(x, y vg.Length) vg.Point { return vg.Point{X: at.X + x*r, Y: at.Y + y*r} }
	shape := func(points ...vg.Point) {
		path := polyline(points)
		path.Close()
		p.fill(path, s.color)
	}
	cross := func(k vg.Length, diagonal bool) {
		if diagonal {
			p.stroke(append(segment(at.X-k, at.Y-k, at.X+k, at.Y+k), segment(at.X-k, at.Y+k, at.X+k, at.Y-k)...), pen{color: s.color, width: 1})
			return
		}
		p.stroke(append(segment(at.X-k, at.Y, at.X+k, at.Y), segment(at.X, at.Y-k, at.X, at.Y+k)...), pen{color: s.color, width: 1})
	}
	switch s.marker {
	case 'o':
		p.fill(circle(at, r), s.color)
	case '.':
		p.fill(circle(at, r/2), s.color)
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

func (p *painter) legend(g *legend) {
	if g.framed {
		p.fill(rectangle(g.rect()), color.NRGBA{255, 255, 255, 215})
	}
	for _, e := range g.entries {
		at := g.at.Add(e.at)
		end := at.Add(vg.Point{X: handleLength})
		if e.low != nil && !e.bars {
			tint := e.style.color
			tint.A = 46
			p.fill(rectangle(vg.Rectangle{Min: at.Sub(vg.Point{Y: 3}), Max: end.Add(vg.Point{Y: 3})}), tint)
		}
		if e.style.line {
			p.stroke(segment(at.X, at.Y, end.X, end.Y), pen{color: e.style.color, width: e.width, dash: e.style.dash.pattern(e.width)})
		}
		if e.style.marker != 0 {
			p.marker(e.style, between(at, end, 0.5))
		}
		p.label(e.label, legendSize, end.Add(vg.Point{X: handleGap}), align{0, 0.5}, false)
	}
}
