package plot

import (
	"fmt"
	"image"
	"image/color"

	"gonum.org/v1/plot/vg"
)

type bounded struct {
	min, max vg.Point
	bad      bool
}

func (b *bounded) see(p vg.Path) {
	for _, c := range p {
		if c.Type == vg.CloseComp {
			continue
		}
		b.bad = b.bad || !finite(float64(c.Pos.X)) || !finite(float64(c.Pos.Y))
		b.min.X, b.max.X = min(b.min.X, c.Pos.X), max(b.max.X, c.Pos.X)
		b.min.Y, b.max.Y = min(b.min.Y, c.Pos.Y), max(b.max.Y, c.Pos.Y)
	}
}

func (b *bounded) fill(p vg.Path, _ color.NRGBA)                       { b.see(p) }
func (b *bounded) stroke(p vg.Path, _ pen)                             { b.see(p) }
func (b *bounded) raster(r vg.Rectangle, _ func(w, h int) image.Image) { b.see(rectangle(r)) }
func (b *bounded) encode() ([]byte, error)                             { return nil, nil }

// Reach returns how far the drawing of a figure reaches, and its page.
func Reach(fig Figure, size Size) (reach vg.Rectangle, page vg.Point, err error) {
	sheet, err := fig.sheet()
	if err != nil {
		return reach, page, err
	}
	text := newTypesetter()
	l, err := arrange(sheet, text, size)
	if err != nil {
		return reach, page, err
	}
	b := &bounded{}
	p := painter{b, text}
	p.layout(l)
	if b.bad {
		err = fmt.Errorf("something is drawn at no finite place")
	}
	return vg.Rectangle{Min: b.min, Max: b.max}, vg.Point{X: l.width, Y: l.height}, err
}

// Box is where a panel stands: inside its axes, and with its margins.
type Box struct {
	Row, Column int
	Rect, Outer vg.Rectangle
}

// Boxes returns the places of the panels of a figure.
func Boxes(fig Figure, size Size) ([]Box, error) {
	sheet, err := fig.sheet()
	if err != nil {
		return nil, err
	}
	l, err := arrange(sheet, newTypesetter(), size)
	if err != nil {
		return nil, err
	}
	var boxes []Box
	for _, b := range l.boxes {
		m, outer := b.margins, b.rect
		outer.Min = outer.Min.Sub(vg.Point{X: m.left, Y: m.bottom})
		outer.Max = outer.Max.Add(vg.Point{X: m.right, Y: m.top})
		boxes = append(boxes, Box{b.row, b.column, b.rect, outer})
	}
	return boxes, nil
}

// FormatNames are the file formats that Encode writes.
func FormatNames() []string { return formatNames() }
