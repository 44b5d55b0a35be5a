package screen

import (
	"image"

	"github.com/greenbench/workbench/internal/numeric/plot"
)

// tallBar draws a colour bar on the right of a box, as high as it.
func (t *terminal) tallBar(v *pane) {
	const width = 2
	b, scale := v.Bar, v.Bar.Scale()
	x := v.x + v.w + 2
	rowOf := func(value float64) int {
		return v.y + v.h - 1 - cellAt(scale.Norm(value), v.h)
	}
	shown := *b
	shown.Filled = b.Levels != nil
	t.colors(v.screen, x, v.y, width, v.h, shown.Paint)
	for _, k := range v.barTicks.Marks {
		v.text(x+width+1, rowOf(k.At), clipped(t.label(k.Label), v.screen.w-x-width-1), plain)
	}
	factor := t.label(v.barTicks.Factor)
	v.text(min(x, v.screen.w-textWidth(factor)), v.y-1, factor, plain)
}

// wideBar draws the colour bar of a whole grid as one line.
func (t *terminal) wideBar(b *plot.Colorbar, width int) *screen {
	low, high := b.Ends()
	low, high = t.label(low), t.label(high)
	name := t.label(b.Label)
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
			column := b.Paint(1, w) // row 0 is the last colour
			img := image.NewPaletted(image.Rect(0, 0, w, h), column.Palette)
			for i := range img.Pix {
				img.Pix[i] = column.Pix[w-1-i%w]
			}
			return img
		})
		x += w
	}
	s.text(x+1, 0, clipped(high, max(0, width-x-1)), plain)
	return s
}
