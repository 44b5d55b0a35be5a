package screen

import (
	"image"
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"

	"github.com/greenbench/workbench/internal/numeric/plot"
)

// shades are the characters for heat maps without colour, from the smallest
// value to the largest. A blank means that there is no number.
const shades = ".:-=+*#%@"

// field draws the colours of a heat map, or the bands of a contour: contour
// lines are too fine for a terminal.
func (t *terminal) field(v *pane) {
	if v.Panel.Field == nil {
		return
	}
	t.colors(v.screen, v.x, v.y, v.w, v.h, func(w, h int) *image.Paletted {
		return v.Panel.Field.Paint(v.Panel.X, v.Panel.Y, w, h)
	})
}

// fills draws what is filled: bars, areas, surfaces, pictures.
func (t *terminal) fills(v *pane) {
	lines := v.h
	if half := t.Unicode && t.Color != NoColor; half {
		lines = 2 * v.h
	}
	img := v.Panel.Fills(v.w, lines)
	if img == nil {
		return
	}
	pixel := func(c, r int) int32 {
		if p := img.NRGBAAt(c, r); p.A > 0 {
			return packed(p)
		}
		return plain
	}
	for r := range v.h {
		for c := range v.w {
			at := v.screen.at(v.x+c, v.y+r)
			switch {
			case lines > v.h:
				at.halves(pixel(c, 2*r), pixel(c, 2*r+1))
			case t.Color != NoColor:
				at.bg = pixel(c, r)
			case img.NRGBAAt(c, r).A > 0:
				at.r = tone(img.NRGBAAt(c, r))
			}
		}
	}
}

// tone is the character for a colour where there is none: the darker, the more ink.
func tone(c color.NRGBA) rune {
	c.A = 255
	gray := int(color.GrayModel.Convert(c).(color.Gray).Y)
	return rune(shades[(255-gray)*len(shades)/256])
}

// texts writes the words between the axes.
func (t *terminal) texts(v *pane) {
	for _, k := range v.Panel.Texts {
		x, y := k.X, k.Y
		if k.TextX != nil {
			x, y = *k.TextX, *k.TextY
		}
		if _, ok := v.Place(x, y, v.w, v.h); !ok {
			continue
		}
		text := clipped(t.label(k.Text), v.w)
		right, up := k.Shift(float64(v.w)/(v.Panel.X.Hi-v.Panel.X.Lo), float64(v.h)/(v.Panel.Y.Hi-v.Panel.Y.Lo),
			func(label string) float64 { return float64(textWidth(t.label(label))) }, 1)
		column, row := v.column(x)+int(math.Round(right))-textWidth(text)/2, v.row(y)-int(math.Round(up))
		v.text(min(max(column, v.x), v.x+v.w-textWidth(text)), min(max(row, v.y), v.y+v.h-1), text, plain)
	}
}

// colors fills w × h cells at x, y with a picture: two pixels a cell with
// half-blocks, else one.
func (t *terminal) colors(s *screen, x, y, w, h int, paint func(w, h int) *image.Paletted) {
	half := t.Unicode && t.Color != NoColor
	lines := h
	if half {
		lines = 2 * h
	}
	img := paint(w, lines)
	pixel := func(c, r int) int32 {
		i := img.ColorIndexAt(c, r)
		if i == plot.Missing {
			return plain
		}
		return packed(color.NRGBAModel.Convert(img.Palette[i]).(color.NRGBA))
	}
	for r := range h {
		for c := range w {
			at := s.at(x+c, y+r)
			switch {
			case t.Color == NoColor:
				at.r = shade(img.ColorIndexAt(c, r))
			case half:
				at.halves(pixel(c, 2*r), pixel(c, 2*r+1))
			default:
				at.bg = pixel(c, r)
			}
		}
	}
}

func shade(index uint8) rune {
	if index == plot.Missing {
		return ' '
	}
	return rune(shades[int(index)*len(shades)/plot.Missing])
}

// halves colours the upper and the lower half of a cell.
func (c *cell) halves(upper, lower int32) {
	switch {
	case upper == lower:
		c.r, c.fg, c.bg = ' ', plain, upper
	case upper == plain:
		c.r, c.fg, c.bg = '▄', lower, plain
	default:
		c.r, c.fg, c.bg = '▀', upper, lower
	}
}

// dots is a picture of dots, some in each cell: 2 × 4 in braille, one in ASCII.
type dots struct {
	pane   *pane
	dx, dy int // dots per cell
	masks  []uint8
}

func (t *terminal) newDots(v *pane) *dots {
	d := &dots{pane: v, dx: 1, dy: 1, masks: make([]uint8, v.w*v.h)}
	if t.Unicode && !(v.Panel.Field != nil && t.Color == NoColor) { // braille is lost among shades
		d.dx, d.dy = 2, 4
	}
	return d
}

// size is that of the panel in dots.
func (d *dots) size() (w, h int) { return d.pane.w * d.dx, d.pane.h * d.dy }

// ink is what dots are drawn with.
type ink struct {
	letter rune // in ASCII
	fg     int32
	below  bool // not on what is filled
}

// marker stands for markers of all shapes.
const marker = '•'

// set draws the dot at p, counted from the lower left.
func (d *dots) set(p vg.Point, k ink) {
	v := d.pane
	x := min(max(int(p.X), 0), v.w*d.dx-1)
	y := v.h*d.dy - 1 - min(max(int(p.Y), 0), v.h*d.dy-1)
	column, row := x/d.dx, y/d.dy
	c := v.at(v.x+column, v.y+row)
	if k.below && (c.bg != plain || c.r != ' ' && d.masks[row*v.w+column] == 0) {
		return
	}
	if c.r == '▀' || c.r == '▄' { // dots on colours: keep the lower one
		if c.r == '▄' {
			c.bg = c.fg
		}
		c.r = ' '
	}
	if d.dx == 1 {
		c.fg, c.r = k.fg, k.letter
		return
	}
	if c.r == marker { // not hidden by what is drawn later
		return
	}
	c.fg = k.fg
	// Unicode numbers the dots of a braille pattern column by column, the
	// fourth row last.
	bits := [4][2]uint8{{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}
	m := &d.masks[row*v.w+column]
	*m |= bits[y%4][x%2]
	c.r = 0x2800 + rune(*m)
}

// line draws from a to b, leaving out the dots where on reports false; n counts
// dots along the curve.
func (d *dots) line(a, b vg.Point, n *int, on func(n int) bool, k ink) {
	steps := int(math.Ceil(math.Max(math.Abs(float64(b.X-a.X)), math.Abs(float64(b.Y-a.Y)))))
	for i := 0; i <= steps; i++ {
		if i > 0 || *n == 0 {
			if on(*n) {
				d.set(a.Add(b.Sub(a).Scale(vg.Length(i)/vg.Length(max(steps, 1)))), k)
			}
			*n++
		}
	}
}

// rhythm tells which of the dots of a line to draw for a dash pattern.
func rhythm(d plot.Dash, n int) bool {
	switch d {
	case plot.Dashed:
		return n%6 < 4
	case plot.Dotted:
		return n%3 == 0
	case plot.DashDot:
		return n%8 < 4 || n%8 == 6
	}
	return true
}

func (t *terminal) curves(v *pane) {
	d := t.newDots(v)
	for _, rules := range []bool{true, false} { // curves on top of rules
		named := 0
		for i, c := range v.Panel.Curves {
			k := t.ink(c, named)
			if c.Label != "" {
				named++
			}
			if c.Rule != rules || c.Isoline {
				continue
			}
			if v.Panel.Field != nil {
				k.fg = packed(c.Style.Color) // the background is ours, not the terminal's
			}
			if k.letter == 0 {
				k.letter = letter(i)
			}
			d.curve(c, k)
		}
	}
	t.names(d)
}

// ink returns what a curve is drawn with; named counts the labelled curves
// before it. Rules are drawn as such in ASCII.
func (t *terminal) ink(c plot.Curve, named int) ink {
	k := ink{fg: readable(c.Style.Color)}
	switch {
	case c.Rule && len(c.X) > 0 && c.X[0] == c.X[1]:
		k.letter = '|'
	case c.Rule:
		k.letter = '-'
	case c.Label != "":
		k.letter = letter(named)
	}
	return k
}

// letter is the name of a curve in ASCII.
func letter(i int) rune {
	const letters = "abcdefghijklmnopqrstuvwxyz"
	return rune(letters[i%len(letters)])
}

func (d *dots) curve(c plot.Curve, k ink) {
	w, h := d.size()
	if c.Right {
		v := *d.pane
		v.Panel = v.Panel.For(c)
		right := *d
		right.pane = &v
		d, c.Right = &right, false
	}
	for _, a := range c.Arrows {
		if from, to, ok := d.pane.Segment(a, w, h); ok {
			n := 0
			k := k
			k.below = c.Behind
			d.line(from, to, &n, func(int) bool { return true }, k)
		}
	}
	for _, limit := range [][]float64{c.Low, c.High} {
		if limit != nil && !c.Bars && d.dx > 1 {
			d.strokes(c.X, limit, func(n int) bool { return n%4 == 0 }, k)
		}
	}
	if c.Bars {
		for i := range c.X {
			if low, high, ok := d.pane.ErrorBar(c, i, w, h); ok {
				n := 0
				d.line(low, high, &n, func(int) bool { return true }, k)
			}
		}
	}
	if c.Style.Line {
		d.strokes(c.X, c.Y, func(n int) bool { return rhythm(c.Style.Dash, n) }, k)
	}
	if c.Style.Marker == 0 && (c.Style.Line && len(c.X) > 1 || len(c.Shapes) > 0) {
		return
	}
	for i := range c.X {
		if q, ok := d.pane.Place(c.X[i], c.Y[i], w, h); ok {
			if c.Colors != nil {
				k.fg = readable(c.Colors[i])
			}
			d.set(q, k)
			if d.dx > 1 && len(c.X) <= 2*d.pane.w {
				v := d.pane
				v.put(v.column(c.X[i]), v.row(c.Y[i]), marker)
			}
		}
	}
}

func (d *dots) strokes(x, y []float64, on func(n int) bool, k ink) {
	w, h := d.size()
	n := 0
	for _, piece := range d.pane.Trace(x, y, w, h) {
		if len(piece) == 1 {
			d.set(piece[0], k)
		}
		for i := 1; i < len(piece); i++ {
			d.line(piece[i-1], piece[i], &n, on, k)
		}
	}
}

// names writes the letters of the curves on them, where there are several and
// no colours to tell them apart.
func (t *terminal) names(d *dots) {
	curves := labelled(d.pane.Panel.Curves)
	if !t.Unicode || t.Color != NoColor || len(curves) < 2 {
		return
	}
	v := d.pane
	w, h := d.size()
	for i, c := range curves {
		if c.Rule || len(c.Shapes) > 0 && !c.Style.Line {
			continue
		}
		for half := range 2 { // one letter in each half, at different places for each curve
			target := (float64(half) + (float64(i)+0.5)/float64(len(curves))) / 2 * float64(v.w)
			nearest, distance := -1, math.Inf(1)
			for j := range c.X {
				q, ok := v.Place(c.X[j], c.Y[j], w, h)
				if far := math.Abs(float64(q.X)/float64(d.dx) - target); ok && far < distance {
					nearest, distance = j, far
				}
			}
			if nearest >= 0 {
				v.put(v.column(c.X[nearest]), v.row(c.Y[nearest]), letter(i))
			}
		}
	}
}
