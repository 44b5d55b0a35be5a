package plot

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
)

// rasterSurface draws to pixels with gonum's image canvas.
type rasterSurface struct {
	canvas *vgimg.Canvas
	page   page
}

func newRasterSurface(p page) *rasterSurface {
	w := max(1, int(math.Round(float64(p.width)/72*p.dpi)))
	h := max(1, int(math.Round(float64(p.height)/72*p.dpi)))
	// The canvas only knows whole dots per inch: give it one pixel per inch of
	// its own and scale our coordinates ourselves.
	return &rasterSurface{
		canvas: vgimg.NewWith(vgimg.UseImage(image.NewRGBA(image.Rect(0, 0, w, h))), vgimg.UseDPI(72)),
		page:   p,
	}
}

func (s *rasterSurface) image() image.Image { return s.canvas.Image() }

func (s *rasterSurface) scale() vg.Length { return vg.Length(s.page.dpi / 72) }

// pixels converts a path from points to pixels.
func (s *rasterSurface) pixels(p vg.Path, move func(vg.Point) vg.Point) vg.Path {
	k := s.scale()
	q := make(vg.Path, len(p))
	for i, c := range p {
		q[i] = vg.PathComp{Type: c.Type, Pos: move(c.Pos.Scale(k))}
		for _, control := range c.Control {
			q[i].Control = append(q[i].Control, control.Scale(k))
		}
	}
	return q
}

func unmoved(p vg.Point) vg.Point { return p }

func (s *rasterSurface) fill(p vg.Path, c color.NRGBA) {
	s.canvas.SetColor(c)
	s.canvas.Fill(s.pixels(p, unmoved))
}

func (s *rasterSurface) stroke(p vg.Path, pen pen) {
	width := pen.width * s.scale()
	move := unmoved
	if pen.crisp {
		width = vg.Length(max(1, math.Round(float64(width))))
		half := math.Mod(float64(width), 2) / 2 // odd widths centre on a pixel, even ones on an edge
		snap := func(l vg.Length) vg.Length { return vg.Length(math.Round(float64(l)-half) + half) }
		move = func(p vg.Point) vg.Point { return vg.Point{X: snap(p.X), Y: snap(p.Y)} }
	}
	dash := make([]vg.Length, len(pen.dash))
	for i, d := range pen.dash {
		dash[i] = d * s.scale()
	}
	s.canvas.SetColor(pen.color)
	s.canvas.SetLineWidth(width)
	s.canvas.SetLineDash(dash, 0)
	s.canvas.Stroke(s.pixels(p, move))
}

func (s *rasterSurface) raster(r vg.Rectangle, paint func(w, h int) image.Image) {
	k := float64(s.scale())
	img := s.canvas.Image()
	height := img.Bounds().Dy()
	at := func(l vg.Length) int { return int(math.Round(float64(l) * k)) }
	target := image.Rect(at(r.Min.X), height-at(r.Max.Y), at(r.Max.X), height-at(r.Min.Y))
	if target.Empty() {
		return
	}
	draw.Draw(img, target, paint(target.Dx(), target.Dy()), image.Point{}, draw.Over)
}

func (s *rasterSurface) encode() ([]byte, error) {
	var b bytes.Buffer
	if err := png.Encode(&b, s.image()); err != nil {
		return nil, err
	}
	return withResolution(b.Bytes(), s.page.dpi), nil
}

// withResolution inserts the pHYs chunk (pixels per metre) after the header of
// a PNG file, so that a document which includes the picture gives it its size
// in inches and the text its size in points.
func withResolution(file []byte, dpi float64) []byte {
	const headerEnd = 8 + 25 // signature, IHDR chunk
	perMetre := uint32(math.Round(dpi / 0.0254))
	chunk := binary.BigEndian.AppendUint32(nil, 9)
	chunk = append(chunk, "pHYs"...)
	chunk = binary.BigEndian.AppendUint32(chunk, perMetre)
	chunk = binary.BigEndian.AppendUint32(chunk, perMetre)
	chunk = append(chunk, 1) // the unit is the metre
	chunk = binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(chunk[4:]))
	out := append([]byte(nil), file[:headerEnd]...)
	return append(append(out, chunk...), file[headerEnd:]...)
}
