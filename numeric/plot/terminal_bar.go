package plot

import (
	"image"
	"math"
)

// tallBar draws a colour bar on the right of a box, as high as it.
func (t *terminal) tallBar(v *pane) {
	const width = 2
	b := v.bar
	x := v.x + v.w + 2
	rowOf := func(value float64) int {
		return v.y + v.h - 1 - cellAt(axis{lo: b.lo, hi: b.hi, log: b.log}.norm(value), v.h)
	}
	shown := *b.colorbar
	shown.filled = b.levels != nil
	t.colors(v.screen, x, v.y, width, v.h, shown.paint)
	for _, k := range b.ticks.ticks {
		v.text(x+width+1, rowOf(k.at), clipped(t.label(k.label), v.screen.w-x-width-1), plain)
	}
	factor := t.label(b.ticks.factor)
	v.text(min(x, v.screen.w-textWidth(factor)), v.y-1, factor, plain)
}

// wideBar draws the colour bar of a whole grid as one line.
func (t *terminal) wideBar(b *colorbar, width int) *screen {
	a := axis{lo: b.lo, hi: b.hi, log: b.log}
	low, high := t.label(shortNumber(rounded(b.lo, b))), t.label(shortNumber(rounded(b.hi, b)))
	name := t.label(b.label)
	if name != "" {
		name += "  "
	}
	s := newScreen(width, 1)
	x := 1
	for _, text := range []string{name, low + " "} {
		s.text(x, 0, clipped(text, width-x), plain)
		x += textWidth(text)
	}
	w := min(40, width-x-textWidth(high)-2)
	if w > 0 {
		t.colors(s, x, 0, w, 1, func(w, h int) *image.Paletted {
			img := image.NewPaletted(image.Rect(0, 0, w, h), b.spec.table())
			for i := range img.Pix {
				img.Pix[i] = b.index(a.value((float64(i%w) + 0.5) / float64(w)))
			}
			return img
		})
		x += w
	}
	s.text(x+1, 0, clipped(high, max(0, width-x-1)), plain)
	return s
}

// rounded makes an end of a linear scale that is nearly zero zero.
func rounded(v float64, b *colorbar) float64 {
	if !b.log && math.Abs(v) < 1e-6*max(math.Abs(b.lo), math.Abs(b.hi)) {
		return 0
	}
	return v
}
