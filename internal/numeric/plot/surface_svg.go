package plot

import (
	"bytes"
	"encoding/base64"
	"encoding/xml"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"strconv"

	"gonum.org/v1/plot/vg"
)

// svgSurface writes SVG 1.1, with the figure's title as its accessible name.
type svgSurface struct {
	page page
	body bytes.Buffer
	err  error
}

func newSVGSurface(p page) *svgSurface { return &svgSurface{page: p} }

// number writes a coordinate in points to a hundredth, without trailing zeros.
func number(v vg.Length) string {
	r := math.Round(float64(v)*100) / 100
	if r == 0 {
		r = 0 // no negative zero
	}
	return strconv.FormatFloat(r, 'f', -1, 64)
}

func (s *svgSurface) data(p vg.Path) string {
	var b []byte
	point := func(q vg.Point) {
		b = append(b, number(q.X)...)
		b = append(b, ' ')
		b = append(b, number(s.page.height-q.Y)...)
	}
	for _, c := range p {
		switch c.Type {
		case vg.MoveComp:
			b = append(b, 'M')
		case vg.LineComp:
			b = append(b, 'L')
		case vg.CurveComp:
			b = append(b, " QC"[len(c.Control)])
			for _, q := range c.Control {
				point(q)
				b = append(b, ' ')
			}
		case vg.CloseComp:
			b = append(b, 'Z')
			continue
		}
		point(c.Pos)
	}
	return string(b)
}

func hexColor(c color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

func opacity(attribute string, c color.NRGBA) string {
	if c.A == 255 {
		return ""
	}
	return fmt.Sprintf(` %s="%s"`, attribute, number(vg.Length(c.A)/255))
}

func (s *svgSurface) fill(p vg.Path, c color.NRGBA) {
	fmt.Fprintf(&s.body, `<path fill="%s"%s d="%s"/>`+"\n", hexColor(c), opacity("fill-opacity", c), s.data(p))
}

func (s *svgSurface) stroke(p vg.Path, pen pen) {
	dash := ""
	if len(pen.dash) > 0 {
		dash = ` stroke-dasharray="`
		for i, d := range pen.dash {
			if i > 0 {
				dash += " "
			}
			dash += number(d)
		}
		dash += `"`
	}
	fmt.Fprintf(&s.body, `<path fill="none" stroke="%s"%s stroke-width="%s"%s stroke-linejoin="round" d="%s"/>`+"\n",
		hexColor(pen.color), opacity("stroke-opacity", pen.color), number(pen.width), dash, s.data(p))
}

func (s *svgSurface) raster(r vg.Rectangle, paint func(w, h int) image.Image) {
	var b bytes.Buffer
	size := r.Size()
	if err := png.Encode(&b, paint(rasterPixels(size.X), rasterPixels(size.Y))); err != nil {
		s.err = err
		return
	}
	fmt.Fprintf(&s.body, `<image x="%s" y="%s" width="%s" height="%s" preserveAspectRatio="none" style="image-rendering:pixelated" xlink:href="data:image/png;base64,%s"/>`+"\n",
		number(r.Min.X), number(s.page.height-r.Max.Y), number(size.X), number(size.Y),
		base64.StdEncoding.EncodeToString(b.Bytes()))
}

func (s *svgSurface) encode() ([]byte, error) {
	if s.err != nil {
		return nil, s.err
	}
	var out bytes.Buffer
	w, h := number(s.page.width), number(s.page.height)
	fmt.Fprintf(&out, `<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" role="img" width="%spt" height="%spt" viewBox="0 0 %s %s">
`, w, h, w, h)
	if s.page.title != "" {
		out.WriteString("<title>")
		if err := xml.EscapeText(&out, []byte(s.page.title)); err != nil {
			return nil, err
		}
		out.WriteString("</title>\n")
	}
	fmt.Fprintf(&out, `<rect width="%s" height="%s" fill="#ffffff"/>`+"\n", w, h)
	out.Write(s.body.Bytes())
	out.WriteString("</svg>\n")
	return out.Bytes(), nil
}
