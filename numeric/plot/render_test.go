package plot

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
)

func encoded(t *testing.T, fig Figure, format string, size Size) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Encode(&b, fig, format, size); err != nil {
		t.Fatalf("%s: %v", format, err)
	}
	return b.Bytes()
}

// colorsIn counts the different colours of a picture.
func colorsIn(img image.Image) int {
	seen := make(map[color.Color]bool)
	b := img.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			seen[img.At(x, y)] = true
		}
	}
	return len(seen)
}

// The PNG files decode, have the size that was asked for, and something on them.
func TestPNG(t *testing.T) {
	for _, s := range gallery() {
		img, err := png.Decode(bytes.NewReader(encoded(t, s.figure, "png", Size{Width: 6, Height: 4, DPI: 100})))
		if err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
		if got, want := img.Bounds().Size(), image.Pt(600, 400); got != want {
			t.Errorf("%s: %v pixels, want %v", s.name, got, want)
		}
		if n := colorsIn(img); n < 20 {
			t.Errorf("%s: %d colours: nearly blank", s.name, n)
		}
	}
}

// A document that includes the file learns how large it is to be: 100 dots per
// inch are 3937 per metre (PNG specification, 11.3.5.3).
func TestPNGResolution(t *testing.T) {
	data := encoded(t, gallery()[0].figure, "png", Size{DPI: 100})
	want := []byte("\x00\x00\x00\x09pHYs\x00\x00\x0f\x61\x00\x00\x0f\x61\x01")
	if !bytes.Contains(data, want) {
		t.Errorf("no pHYs chunk of 3937 pixels per metre")
	}
}

func TestSVG(t *testing.T) {
	for _, s := range append(gallery(), hard()...) {
		data := encoded(t, s.figure, "svg", Size{})
		if !bytes.HasPrefix(data, []byte("<?xml")) || !bytes.Contains(data, []byte(`<svg xmlns="http://www.w3.org/2000/svg"`)) {
			t.Errorf("%s: no SVG header", s.name)
		}
		if regexp.MustCompile(`["MLQCZ ]-?(NaN|.?Inf)[" MLQCZ]`).Match(data) {
			t.Errorf("%s: a coordinate is not a number", s.name)
		}
		for d := xml.NewDecoder(bytes.NewReader(data)); ; {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", s.name, err)
			}
		}
	}
}

// The title is the accessible name of the picture, as plain text.
func TestSVGTitle(t *testing.T) {
	data := encoded(t, Lines{Series: []Series{{Y: []float64{1, 2}}}, Title: `$\hat{G} < 10^{-4}$ & more`}, "svg", Size{})
	if want := "<title>Ĝ &lt; 10⁻⁴ &amp; more</title>"; !bytes.Contains(data, []byte(want)) {
		t.Errorf("no %s", want)
	}
}

// The index of a PDF file points to its objects, and nothing in it is a NaN.
func TestPDF(t *testing.T) {
	for _, s := range append(gallery(), hard()...) {
		data := encoded(t, s.figure, "pdf", Size{})
		if !bytes.HasPrefix(data, []byte("%PDF-1.4\n")) || !bytes.HasSuffix(data, []byte("%%EOF\n")) {
			t.Errorf("%s: no PDF header or end", s.name)
		}
		start, err := strconv.Atoi(string(regexp.MustCompile(`startxref\n(\d+)\n`).FindSubmatch(data)[1]))
		if err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
		if !bytes.HasPrefix(data[start:], []byte("xref\n")) {
			t.Errorf("%s: startxref does not point to xref", s.name)
		}
		for i, m := range regexp.MustCompile(`(\d{10}) 00000 n `).FindAllSubmatch(data[start:], -1) {
			offset, err := strconv.Atoi(string(m[1]))
			if err != nil {
				t.Fatal(err)
			}
			if want := fmt.Sprintf("%d 0 obj\n", i+1); !bytes.HasPrefix(data[offset:], []byte(want)) {
				t.Errorf("%s: object %d is not where the index says", s.name, i+1)
			}
		}
	}
}

// The same figure gives the same bytes.
func TestDeterminism(t *testing.T) {
	for i, s := range gallery() {
		for _, format := range Formats() {
			size := Size{DPI: 50}
			if !bytes.Equal(encoded(t, s.figure, format, size), encoded(t, gallery()[i].figure, format, size)) {
				t.Errorf("%s: two %s files differ", s.name, format)
			}
		}
	}
}

// bounded is a surface that remembers how far the drawing reaches.
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

func (b *bounded) fill(p vg.Path, _ color.NRGBA)                           { b.see(p) }
func (b *bounded) stroke(p vg.Path, _ pen)                                 { b.see(p) }
func (b *bounded) raster(r vg.Rectangle, _ func(w, h int) *image.Paletted) { b.see(rectangle(r)) }
func (b *bounded) encode() ([]byte, error)                                 { return nil, nil }

// Everything is on the page, whatever the size: margins know what they hold.
func TestEverythingIsOnThePage(t *testing.T) {
	for _, s := range append(gallery(), hard()...) {
		for _, size := range []Size{{}, {Width: 7}, {Width: 8, Height: 5}} {
			sheet, err := s.figure.sheet()
			if err != nil {
				t.Fatal(err)
			}
			text := newTypesetter()
			l, err := arrange(sheet, text, size)
			if err != nil {
				t.Fatalf("%s %v: %v", s.name, size, err)
			}
			b := &bounded{}
			p := painter{b, text}
			p.layout(l)
			const slack = 1 // half a line width, and side bearings
			if b.bad || b.min.X < -slack || b.min.Y < -slack || b.max.X > l.width+slack || b.max.Y > l.height+slack {
				t.Errorf("%s %v: drawn from %v to %v on a page of %v × %v (bad: %v)", s.name, size, b.min, b.max, l.width, l.height, b.bad)
			}
			if size.Width > 0 && math.Abs(float64(l.width)-72*size.Width) > 3 || size.Height > 0 && math.Abs(float64(l.height)-72*size.Height) > 3 {
				t.Errorf("%s %v: the page is %.1f × %.1f points", s.name, size, l.width, l.height)
			}
		}
	}
}

// Data of extreme sizes give a picture, not a panic.
func TestHardFigures(t *testing.T) {
	for _, s := range hard() {
		if _, err := Image(s.figure, 120, 90); err != nil {
			t.Errorf("%s: %v", s.name, err)
		}
	}
}

func TestImageSize(t *testing.T) {
	for _, size := range []image.Point{{640, 480}, {300, 300}, {801, 233}} {
		img, err := Image(gallery()[0].figure, size.X, size.Y)
		if err != nil {
			t.Fatal(err)
		}
		if got := img.Bounds().Size(); got != size {
			t.Errorf("%v pixels, want %v", got, size)
		}
	}
	img, err := Image(gallery()[0].figure, 640, 0)
	if err != nil {
		t.Fatal(err)
	}
	if got := img.Bounds().Size(); got.X != 640 || got.Y < 400 || got.Y > 700 {
		t.Errorf("%v pixels, want 640 and a height in proportion", got)
	}
}

// G(x,y) grows to the right if it grows with x, upwards if it grows with y.
func TestOrientation(t *testing.T) {
	x := linspace(0, 1, 10)
	for _, c := range []struct {
		name   string
		f      func(x, y float64) float64
		dx, dy int
	}{
		{"x", func(x, _ float64) float64 { return x }, 1, 0},
		{"y", func(_, y float64) float64 { return y }, 0, -1}, // rows of pixels count downwards
	} {
		p, err := Heatmap{Values: table(x, x, c.f), X: x, Y: x}.panel()
		if err != nil {
			t.Fatal(err)
		}
		img := p.field.paint(p.x, p.y, 10, 10)
		for k := range 9 {
			a, b := image.Pt(5, 5), image.Pt(5, 5)
			if c.dx != 0 {
				a.X, b.X = k, k+1
			} else {
				a.Y, b.Y = k+1, k
			}
			if img.ColorIndexAt(a.X, a.Y) >= img.ColorIndexAt(b.X, b.Y) {
				t.Errorf("a field that grows with %s does not grow from %v to %v", c.name, a, b)
			}
		}
	}
}

func TestSaveChoosesFormat(t *testing.T) {
	fig := gallery()[0].figure
	dir := t.TempDir()
	for ext, magic := range map[string]string{".png": "\x89PNG", ".SVG": "<?xml", ".pdf": "%PDF"} {
		path := dir + "/figure" + ext
		if err := Save(fig, path, Size{DPI: 50}); err != nil {
			t.Fatal(err)
		}
		if data := readFile(t, path); !strings.HasPrefix(data, magic) {
			t.Errorf("%s begins with %q", ext, data[:5])
		}
	}
}
