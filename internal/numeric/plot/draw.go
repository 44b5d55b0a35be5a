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
	if l.sheet.Title != "" {
		p.title(l.sheet.Title, sheetTitleSize, l.titleAt, edge, l.width-edge)
	}
}

// title writes a title with its middle at a place, but between from and to: a
// long one moves, a longer one shrinks.
func (p *painter) title(s string, size vg.Length, at vg.Point, from, to vg.Length) {
	size, at.X = p.fitted(s, size, at.X, from, to)
	p.label(s, size, at, align{x: 0.5}, false)
}

// fitted is the size and the middle of a text that should have its middle at a place, and must
// lie between from and to.
func (p *painter) fitted(s string, size, middle, from, to vg.Length) (vg.Length, vg.Length) {
	if w := p.text.width(s, size); w > to-from {
		size *= (to - from) / w
	}
	half := p.text.width(s, size) / 2
	return size, min(max(middle, from+half), to-half)
}

// beside writes the label of a vertical axis, upwards, with its middle at that of the box.
func (p *painter) beside(b *box, s string, x, across vg.Length) {
	size, y := p.fitted(s, labelSize, (b.rect.Min.Y+b.rect.Max.Y)/2, b.rect.Min.Y-b.margins.bottom, b.rect.Max.Y+b.margins.top)
	p.label(s, size, vg.Point{X: x, Y: y}, align{0.5, float64(across)}, true)
}

func (p *painter) box(b *box) {
	if b.Field != nil && !b.hidden {
		p.raster(b.rect, func(w, h int) image.Image { return b.Field.Paint(b.X, b.Y, w, h) })
	}
	if b.picture != nil {
		p.raster(b.rect, func(w, h int) image.Image { return scaled(b.picture, w, h) })
	}
	if b.grid {
		p.grid(b)
	}
	for _, c := range b.Curves {
		if c.Behind {
			p.arrows(b, c)
		}
	}
	for _, c := range b.Curves {
		p.shapes(b.of(c), c)
		p.band(b.of(c), c)
	}
	for _, rules := range []bool{true, false} {
		for _, c := range b.Curves {
			if c.Rule == rules && !c.Behind {
				p.arrows(b.of(c), c)
				p.curve(b.of(c), c)
			}
		}
	}
	if !b.Bare {
		p.line(rectangle(b.rect), frameColor(), frameWidth)
		p.xAxis(b)
		p.yAxis(b)
		p.rightAxis(b)
	}
	p.texts(b)
	if b.Title != "" {
		at := vg.Point{X: (b.rect.Min.X + b.rect.Max.X) / 2, Y: b.rect.Max.Y + b.titleUp}
		p.title(b.Title, titleSize, at, b.from, b.to)
	}
	if b.bar != nil {
		p.colorbar(b.bar)
	}
	if b.legend != nil {
		p.legend(b.legend)
	}
}

func (p *painter) grid(b *box) {
	for _, t := range b.xTicks.Marks {
		if x := b.xPlace(t.At); !t.Minor {
			p.line(segment(x, b.rect.Min.Y, x, b.rect.Max.Y), gridColor(), gridWidth)
		}
	}
	for _, t := range b.yTicks.Marks {
		if y := b.yPlace(t.At); !t.Minor {
			p.line(segment(b.rect.Min.X, y, b.rect.Max.X, y), gridColor(), gridWidth)
		}
	}
}

// xPlace and yPlace are where ticks stand.
func (b *box) xPlace(v float64) vg.Length {
	return b.rect.Min.X + vg.Length(min(max(b.X.Norm(v), 0), 1))*b.rect.Size().X
}

func (b *box) yPlace(v float64) vg.Length {
	return b.rect.Min.Y + vg.Length(min(max(b.Y.Norm(v), 0), 1))*b.rect.Size().Y
}

func (t Tick) length() vg.Length {
	if t.Minor {
		return minorLength
	}
	return tickLength
}

func (p *painter) xAxis(b *box) {
	y := b.rect.Min.Y
	for _, t := range b.xTicks.Marks {
		x := b.xPlace(t.At)
		p.line(segment(x, y, x, y-t.length()), frameColor(), tickWidth)
		if b.showX {
			p.label(t.Label, tickSize, vg.Point{X: x, Y: y - tickLength - tickPad}, align{0.5, 1}, false)
		}
	}
	base := y - tickLength - labelPad
	if b.showX {
		base -= tickPad + tickSize*capHeight
		p.label(b.xTicks.Factor, tickSize, vg.Point{X: b.rect.Max.X, Y: base}, align{1, 1}, false)
	}
	if b.nameX {
		size, x := p.fitted(b.X.Label, labelSize, (b.rect.Min.X+b.rect.Max.X)/2, b.from, b.to)
		p.label(b.X.Label, size, vg.Point{X: x, Y: base}, align{0.5, 1}, false)
	}
}

func (p *painter) yAxis(b *box) {
	x := b.rect.Min.X
	widest := vg.Length(0)
	for _, t := range b.yTicks.Marks {
		y := b.yPlace(t.At)
		p.line(segment(x, y, x-t.length(), y), frameColor(), tickWidth)
		if b.showY {
			p.label(t.Label, tickSize, vg.Point{X: x - tickLength - tickPad, Y: y}, align{1, 0.5}, false)
			widest = max(widest, p.text.width(t.Label, tickSize))
		}
	}
	side := x - tickLength - labelPad
	if b.showY {
		side -= tickPad + widest
		p.label(b.yTicks.Factor, tickSize, vg.Point{X: x, Y: b.rect.Max.Y + titlePad/2}, align{}, false)
	}
	if b.nameY {
		p.beside(b, b.Y.Label, side, 0)
	}
}

// rightAxis draws the second y axis, where there is one.
func (p *painter) rightAxis(b *box) {
	if b.Right == nil {
		return
	}
	x, r := b.rect.Max.X, b.of(Curve{Right: true})
	widest := vg.Length(0)
	for _, t := range b.rightTicks.Marks {
		y := r.yPlace(t.At)
		p.line(segment(x, y, x+t.length(), y), frameColor(), tickWidth)
		p.label(t.Label, tickSize, vg.Point{X: x + tickLength + tickPad, Y: y}, align{0, 0.5}, false)
		widest = max(widest, p.text.width(t.Label, tickSize))
	}
	p.label(b.rightTicks.Factor, tickSize, vg.Point{X: x, Y: b.rect.Max.Y + titlePad/2}, align{1, 0}, false)
	p.beside(b, b.Right.Label, x+tickLength+tickPad+widest+labelPad, 1)
}

func (p *painter) colorbar(b *barPlace) {
	p.raster(b.rect, func(w, h int) image.Image { return b.Paint(w, h) })
	if b.Levels != nil && !b.Filled {
		for _, v := range b.Levels {
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
	for _, t := range b.ticks.Marks {
		y := b.place(t.At)
		p.line(segment(x, y, x+t.length(), y), frameColor(), tickWidth)
		p.label(t.Label, tickSize, vg.Point{X: x + tickLength + tickPad, Y: y}, align{0, 0.5}, false)
		widest = max(widest, p.text.width(t.Label, tickSize))
	}
	p.label(b.ticks.Factor, tickSize, vg.Point{X: b.rect.Min.X, Y: b.rect.Max.Y + b.overTip() + titlePad/2}, align{}, false)
	at := vg.Point{X: x + tickLength + tickPad + widest + labelPad, Y: (b.rect.Min.Y + b.rect.Max.Y) / 2}
	p.label(b.Label, labelSize, at, align{0.5, 1}, true)
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
	t := Axis{Lo: b.lo, Hi: b.hi, Log: b.log}.Norm(v)
	return b.rect.Min.Y + vg.Length(min(max(t, 0), 1))*b.rect.Size().Y
}

// Paint draws the colours of a bar, as a column or with bands; the bar of a
// line contour is white, and its lines come on top.
func (b *Colorbar) Paint(w, h int) *image.Paletted {
	img := image.NewPaletted(image.Rect(0, 0, w, h), b.spec.table())
	f := Field{colors: b.colormap, levels: b.Levels}
	for r := range h {
		v := Axis{Lo: b.lo, Hi: b.hi, Log: b.log}.value((float64(h-1-r) + 0.5) / float64(h))
		i := b.index(v)
		switch {
		case b.Filled:
			i = f.bandIndex(v)
		case b.Levels != nil:
			i = Missing
		}
		for c := range w {
			img.Pix[r*img.Stride+c] = i
		}
	}
	if b.Levels != nil && !b.Filled {
		img.Palette[Missing] = unhex(0xffffff)
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
		if e.Low != nil && !e.Bars {
			tint := e.Style.Color
			tint.A = 46
			p.fill(rectangle(vg.Rectangle{Min: at.Sub(vg.Point{Y: 3}), Max: end.Add(vg.Point{Y: 3})}), tint)
		}
		if len(e.Shapes) > 0 {
			p.fill(rectangle(vg.Rectangle{Min: at.Sub(vg.Point{Y: 3}), Max: end.Add(vg.Point{Y: 3})}), e.Shapes[0].Fill)
		}
		if e.Style.Line {
			p.stroke(segment(at.X, at.Y, end.X, end.Y), pen{color: e.Style.Color, width: e.width, dash: e.Style.Dash.pattern(e.width)})
		}
		if e.Style.Marker != 0 {
			p.marker(e.Style, between(at, end, 0.5), markerSize)
		}
		p.label(e.Label, legendSize, end.Add(vg.Point{X: handleGap}), align{0, 0.5}, false)
	}
}
