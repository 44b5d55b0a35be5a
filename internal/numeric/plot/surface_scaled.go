package plot

import (
	"image"
	"image/color"

	"gonum.org/v1/plot/vg"
)

// scaledSurface draws everything larger by a factor, lines and text with it.
type scaledSurface struct {
	surface
	factor vg.Length
}

func (s scaledSurface) path(p vg.Path) vg.Path {
	out := make(vg.Path, len(p))
	for i, c := range p {
		c.Pos = c.Pos.Scale(s.factor)
		control := make([]vg.Point, len(c.Control))
		for k, q := range c.Control {
			control[k] = q.Scale(s.factor)
		}
		c.Control = control
		out[i] = c
	}
	return out
}

func (s scaledSurface) fill(p vg.Path, c color.NRGBA) { s.surface.fill(s.path(p), c) }

func (s scaledSurface) stroke(p vg.Path, line pen) {
	line.width *= s.factor
	dash := make([]vg.Length, len(line.dash))
	for i, d := range line.dash {
		dash[i] = d * s.factor
	}
	line.dash = dash
	s.surface.stroke(s.path(p), line)
}

func (s scaledSurface) raster(r vg.Rectangle, paint func(w, h int) image.Image) {
	s.surface.raster(vg.Rectangle{Min: r.Min.Scale(s.factor), Max: r.Max.Scale(s.factor)}, paint)
}
