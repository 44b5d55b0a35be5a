package plot

import (
	"image"
	"image/color"

	"gonum.org/v1/plot/vg"
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
	if b.under {
		p.tip(b.rect.Min, -barTip, b.spec.at(0))
	}
	if b.over {
		p.tip(vg.Point{X: b.rect.Min.X, Y: b.rect.Max.Y}, barTip, b.spec.at(1))
	}
	x := b.rect.Max.X
	widest := vg.Length(0)
	for _, t := range b.ticks.ticks {
		y := b.place(t.at)
		p.line(segment(x, y, x+t.length(), y), frameColor(), tickWidth)
		p.label(t.label, tickSize, vg.Point{X: x + tickLength + tickPad, Y: y}, align{0, 0.5}, false)
		widest = max(widest, p.text.width(t.label, tickSize))
	}
	p.label(b.ticks.factor, tickSize, vg.Point{X: b.rect.Min.X, Y: b.rect.Max.Y + b.overTip() + titlePad/2}, align{}, false)
	at := vg.Point{X: x + tickLength + tickPad + widest + labelPad, Y: (b.rect.Min.Y + b.rect.Max.Y) / 2}
	p.label(b.label, labelSize, at, align{0.5, 1}, true)
}

// tip draws a triangle at the end of a colour bar: there are values beyond it.
func (p *painter) tip(left vg.Point, height vg.Length, c color.NRGBA) {
	triangle := polyline([]vg.Point{left, {X: left.X + barWidth/2, Y: left.Y + height}, {X: left.X + barWidth, Y: left.Y}})
	triangle.Close()
	p.fill(triangle, c)
	p.stroke(triangle, pen{color: frameColor(), width: tickWidth})
}

func (b *barPlace) overTip() vg.Length {
	if b.over {
		return barTip
	}
	return 0
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
