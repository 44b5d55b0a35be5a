package plot

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"image"
	"image/color"
	"slices"
	"unicode/utf16"

	"gonum.org/v1/plot/vg"
)

// pdfSurface writes a PDF 1.4 file of one page. It is our own, small, because
// gonum's PDF canvas stamps the time, orders its objects by chance, and has
// fonts of 256 characters.
type pdfSurface struct {
	page    page
	content bytes.Buffer
	images  [][]byte // finished image objects
	alphas  []uint8  // opacities in use; the first is opaque
	err     error
}

func newPDFSurface(p page) *pdfSurface { return &pdfSurface{page: p, alphas: []uint8{255}} }

func (s *pdfSurface) path(p vg.Path) {
	var at vg.Point
	point := func(q vg.Point) { fmt.Fprintf(&s.content, "%s %s ", number(q.X), number(q.Y)) }
	for _, c := range p {
		switch c.Type {
		case vg.MoveComp:
			point(c.Pos)
			s.content.WriteString("m\n")
		case vg.LineComp:
			point(c.Pos)
			s.content.WriteString("l\n")
		case vg.CurveComp:
			control := c.Control
			if len(control) == 1 { // PDF has cubic curves only: raise the degree
				q := control[0]
				control = []vg.Point{between(at, q, 2.0/3), between(c.Pos, q, 2.0/3)}
			}
			point(control[0])
			point(control[1])
			point(c.Pos)
			s.content.WriteString("c\n")
		case vg.CloseComp:
			s.content.WriteString("h\n")
			continue
		}
		at = c.Pos
	}
}

// between returns the point at fraction t of the way from a to b.
func between(a, b vg.Point, t vg.Length) vg.Point { return a.Add(b.Sub(a).Scale(t)) }

// paint sets the colour for filling ("rg") or stroking ("RG"), and the opacity.
func (s *pdfSurface) paint(c color.NRGBA, operator string) {
	i := slices.Index(s.alphas, c.A)
	if i < 0 {
		i = len(s.alphas)
		s.alphas = append(s.alphas, c.A)
	}
	channel := func(v uint8) string { return fmt.Sprintf("%.3g", float64(v)/255) }
	fmt.Fprintf(&s.content, "/A%d gs %s %s %s %s\n", i, channel(c.R), channel(c.G), channel(c.B), operator)
}

func (s *pdfSurface) fill(p vg.Path, c color.NRGBA) {
	s.paint(c, "rg")
	s.path(p)
	s.content.WriteString("f\n")
}

func (s *pdfSurface) stroke(p vg.Path, pen pen) {
	s.paint(pen.color, "RG")
	s.content.WriteString("[")
	for _, d := range pen.dash {
		fmt.Fprintf(&s.content, "%s ", number(d))
	}
	fmt.Fprintf(&s.content, "] 0 d %s w 1 j\n", number(pen.width))
	s.path(p)
	s.content.WriteString("S\n")
}

func (s *pdfSurface) raster(r vg.Rectangle, paint func(w, h int) image.Image) {
	size := r.Size()
	img := paint(rasterPixels(size.X), rasterPixels(size.Y))
	pixels, space := pdfPixels(img)
	data, err := deflate(pixels)
	if err != nil {
		s.err = err
		return
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "<< /Type /XObject /Subtype /Image /Width %d /Height %d /BitsPerComponent 8 "+
		"/ColorSpace %s /Filter /FlateDecode /Length %d >>\nstream\n",
		img.Bounds().Dx(), img.Bounds().Dy(), space, len(data))
	b.Write(data)
	b.WriteString("\nendstream")
	fmt.Fprintf(&s.content, "/A0 gs q %s 0 0 %s %s %s cm /I%d Do Q\n",
		number(size.X), number(size.Y), number(r.Min.X), number(r.Min.Y), len(s.images))
	s.images = append(s.images, b.Bytes())
}

// pdfPixels returns the bytes of a picture, one for a pixel where it has a palette and
// three otherwise, and the colour space that says what they mean.
func pdfPixels(img image.Image) (pixels []byte, space string) {
	if p, ok := img.(*image.Paletted); ok {
		var palette []byte
		for _, c := range p.Palette {
			n := nrgba(c)
			palette = append(palette, n.R, n.G, n.B)
		}
		return p.Pix, fmt.Sprintf("[/Indexed /DeviceRGB %d <%x>]", len(p.Palette)-1, palette)
	}
	r := img.Bounds()
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			n := nrgba(img.At(x, y))
			pixels = append(pixels, n.R, n.G, n.B)
		}
	}
	return pixels, "/DeviceRGB"
}

func deflate(data []byte) ([]byte, error) {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func (s *pdfSurface) encode() ([]byte, error) {
	if s.err != nil {
		return nil, s.err
	}
	content, err := deflate(s.content.Bytes())
	if err != nil {
		return nil, err
	}
	// Objects 1 catalogue, 2 page tree, 3 page, 4 content, 5 information, 6… images.
	objects := [][]byte{
		[]byte("<< /Type /Catalog /Pages 2 0 R >>"),
		[]byte("<< /Type /Pages /Kids [3 0 R] /Count 1 >>"),
		fmt.Appendf(nil, "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %s %s] /Contents 4 0 R /Resources %s >>",
			number(s.page.width), number(s.page.height), s.resources()),
		slices.Concat(fmt.Appendf(nil, "<< /Filter /FlateDecode /Length %d >>\nstream\n", len(content)),
			content, []byte("\nendstream")),
		fmt.Appendf(nil, "<< /Title %s /Producer (workbench) >>", pdfText(s.page.title)),
	}
	return pdfFile(append(objects, s.images...)), nil
}

func (s *pdfSurface) resources() []byte {
	b := []byte("<< /ExtGState <<")
	for i, a := range s.alphas {
		b = fmt.Appendf(b, " /A%d << /ca %.3g /CA %.3g >>", i, float64(a)/255, float64(a)/255)
	}
	b = append(b, " >> /XObject <<"...)
	for i := range s.images {
		b = fmt.Appendf(b, " /I%d %d 0 R", i, 6+i)
	}
	return append(b, " >> >>"...)
}

// pdfText encodes a string as UTF-16 with a byte order mark, in hexadecimal.
func pdfText(text string) string {
	b := []byte("<FEFF")
	for _, u := range utf16.Encode([]rune(text)) {
		b = fmt.Appendf(b, "%04X", u)
	}
	return string(append(b, '>'))
}

// pdfFile puts the objects, numbered from 1, into a file with its index.
func pdfFile(objects [][]byte) []byte {
	b := []byte("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
	offsets := make([]int, len(objects))
	for i, o := range objects {
		offsets[i] = len(b)
		b = fmt.Appendf(b, "%d 0 obj\n", i+1)
		b = append(b, o...)
		b = append(b, "\nendobj\n"...)
	}
	start := len(b)
	b = fmt.Appendf(b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, o := range offsets {
		b = fmt.Appendf(b, "%010d 00000 n \n", o)
	}
	return fmt.Appendf(b, "trailer\n<< /Size %d /Root 1 0 R /Info 5 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, start)
}
