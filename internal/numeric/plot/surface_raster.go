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

	"git.sr.ht/~sbinet/gg"
	"gonum.org/v1/plot/vg"
)

// rasterSurface draws to pixels. gonum's canvas for images does the same by the same rasteriser,
// but brings four fonts and a second typesetter, which no figure uses.
type rasterSurface struct {
	pixels *image.RGBA
	canvas *gg.Context // of the pixels, y upwards
	page   page
}

func newRasterSurface(p page) *rasterSurface {
	w := max(1, int(math.Round(float64(p.width)/72*p.dpi)))
	h := max(1, int(math.Round(float64(p.height)/72*p.dpi)))
	pixels := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.Draw(pixels, pixels.Bounds(), image.White, image.Point{}, draw.Src)
	canvas := gg.NewContextForRGBA(pixels)
	canvas.SetLineCapButt()
	canvas.InvertY()
	return &rasterSurface{pixels: pixels, canvas: canvas, page: p}
}

func (s *rasterSurface) scale() vg.Length { return vg.Length(s.page.dpi / 72) }

// trace begins the path p, in pixels; its ends are moved, its control points are not.
func (s *rasterSurface) trace(p vg.Path, move func(vg.Point) vg.Point) {
	k := s.scale()
	for _, c := range p {
		end := move(c.Pos.Scale(k))
		x, y := float64(end.X), float64(end.Y)
		var at [4]float64 // of the control points
		for i, q := range c.Control {
			at[2*i], at[2*i+1] = float64(q.X*k), float64(q.Y*k)
		}
		switch {
		case c.Type == vg.MoveComp:
			s.canvas.MoveTo(x, y)
		case c.Type == vg.LineComp:
			s.canvas.LineTo(x, y)
		case c.Type == vg.CloseComp:
			s.canvas.ClosePath()
		case len(c.Control) == 1:
			s.canvas.QuadraticTo(at[0], at[1], x, y)
		default:
			s.canvas.CubicTo(at[0], at[1], at[2], at[3], x, y)
		}
	}
}

func unmoved(p vg.Point) vg.Point { return p }

func (s *rasterSurface) fill(p vg.Path, c color.NRGBA) {
	s.canvas.SetColor(c)
	s.trace(p, unmoved)
	s.canvas.Fill()
}

func (s *rasterSurface) stroke(p vg.Path, pen pen) {
	width := float64(pen.width * s.scale())
	move := unmoved
	if pen.crisp {
		width = max(1, math.Round(width))
		half := math.Mod(width, 2) / 2 // odd widths centre on a pixel, even ones on an edge
		snap := func(l vg.Length) vg.Length { return vg.Length(math.Round(float64(l)-half) + half) }
		move = func(p vg.Point) vg.Point { return vg.Point{X: snap(p.X), Y: snap(p.Y)} }
	}
	if width <= 0 {
		return
	}
	dash := make([]float64, len(pen.dash))
	for i, d := range pen.dash {
		dash[i] = float64(d * s.scale())
	}
	s.canvas.SetColor(pen.color)
	s.canvas.SetLineWidth(width)
	s.canvas.SetDash(dash...)
	s.trace(p, move)
	s.canvas.Stroke()
}

func (s *rasterSurface) raster(r vg.Rectangle, paint func(w, h int) image.Image) {
	k := float64(s.scale())
	height := s.pixels.Bounds().Dy()
	at := func(l vg.Length) int { return int(math.Round(float64(l) * k)) }
	target := image.Rect(at(r.Min.X), height-at(r.Max.Y), at(r.Max.X), height-at(r.Min.Y))
	if target.Empty() {
		return
	}
	draw.Draw(s.pixels, target, paint(target.Dx(), target.Dy()), image.Point{}, draw.Over)
}

func (s *rasterSurface) encode() ([]byte, error) {
	var b bytes.Buffer
	if err := png.Encode(&b, s.pixels); err != nil {
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
