package plot_test

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
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"github.com/greenbench/workbench/internal/numeric/plot"
	"github.com/greenbench/workbench/internal/plottest"
)

func encoded(t *testing.T, fig plot.Figure, format string, size plot.Size) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := plot.Encode(&b, fig, format, size); err != nil {
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
	for _, s := range plottest.Gallery() {
		img, err := png.Decode(bytes.NewReader(encoded(t, s.Figure, "png", plot.Size{Width: 6, Height: 4, DPI: 100})))
		if err != nil {
			t.Fatalf("%s: %v", s.Name, err)
		}
		if got, want := img.Bounds().Size(), image.Pt(600, 400); got != want {
			t.Errorf("%s: %v pixels, want %v", s.Name, got, want)
		}
		if n := colorsIn(img); n < 20 {
			t.Errorf("%s: %d colours: nearly blank", s.Name, n)
		}
	}
}

// A document that includes the file learns how large it is to be: 100 dots per
// inch are 3937 per metre (PNG specification, 11.3.5.3).
func TestPNGResolution(t *testing.T) {
	data := encoded(t, plottest.Gallery()[0].Figure, "png", plot.Size{DPI: 100})
	want := []byte("\x00\x00\x00\x09pHYs\x00\x00\x0f\x61\x00\x00\x0f\x61\x01")
	if !bytes.Contains(data, want) {
		t.Errorf("no pHYs chunk of 3937 pixels per metre")
	}
}

func TestSVG(t *testing.T) {
	for _, s := range append(plottest.Gallery(), plottest.Hard()...) {
		data := encoded(t, s.Figure, "svg", plot.Size{})
		if !bytes.HasPrefix(data, []byte("<?xml")) || !bytes.Contains(data, []byte(`<svg xmlns="http://www.w3.org/2000/svg"`)) {
			t.Errorf("%s: no SVG header", s.Name)
		}
		if regexp.MustCompile(`["MLQCZ ]-?(NaN|.?Inf)[" MLQCZ]`).Match(data) {
			t.Errorf("%s: a coordinate is not a number", s.Name)
		}
		for d := xml.NewDecoder(bytes.NewReader(data)); ; {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", s.Name, err)
			}
		}
	}
}

// The title is the accessible name of the picture, as plain text.
func TestSVGTitle(t *testing.T) {
	data := encoded(t, plot.Lines{Series: []plot.Series{{Y: []float64{1, 2}}}, Axes: plot.Axes{Title: `$\hat{G} < 10^{-4}$ & more`}}, "svg", plot.Size{})
	if want := "<title>Ĝ &lt; 10⁻⁴ &amp; more</title>"; !bytes.Contains(data, []byte(want)) {
		t.Errorf("no %s", want)
	}
}

// The index of a PDF file points to its objects, and nothing in it is a NaN.
func TestPDF(t *testing.T) {
	for _, s := range append(plottest.Gallery(), plottest.Hard()...) {
		data := encoded(t, s.Figure, "pdf", plot.Size{})
		if !bytes.HasPrefix(data, []byte("%PDF-1.4\n")) || !bytes.HasSuffix(data, []byte("%%EOF\n")) {
			t.Errorf("%s: no PDF header or end", s.Name)
		}
		start, err := strconv.Atoi(string(regexp.MustCompile(`startxref\n(\d+)\n`).FindSubmatch(data)[1]))
		if err != nil {
			t.Fatalf("%s: %v", s.Name, err)
		}
		if !bytes.HasPrefix(data[start:], []byte("xref\n")) {
			t.Errorf("%s: startxref does not point to xref", s.Name)
		}
		for i, m := range regexp.MustCompile(`(\d{10}) 00000 n `).FindAllSubmatch(data[start:], -1) {
			offset, err := strconv.Atoi(string(m[1]))
			if err != nil {
				t.Fatal(err)
			}
			if want := fmt.Sprintf("%d 0 obj\n", i+1); !bytes.HasPrefix(data[offset:], []byte(want)) {
				t.Errorf("%s: object %d is not where the index says", s.Name, i+1)
			}
		}
	}
}

// The same figure gives the same bytes.
func TestDeterminism(t *testing.T) {
	for i, s := range plottest.Gallery() {
		for _, format := range plot.FormatNames() {
			size := plot.Size{DPI: 50}
			if !bytes.Equal(encoded(t, s.Figure, format, size), encoded(t, plottest.Gallery()[i].Figure, format, size)) {
				t.Errorf("%s: two %s files differ", s.Name, format)
			}
		}
	}
}

// bounded is a surface that remembers how far the drawing reaches.
// A figure in twice the size with everything twice as large is the same picture: that of
// half the resolution.
func TestScale(t *testing.T) {
	for _, s := range plottest.Gallery()[:6] {
		small, err := png.Decode(bytes.NewReader(encoded(t, s.Figure, "png", plot.Size{Width: 5, Height: 4, DPI: 100})))
		if err != nil {
			t.Fatal(err)
		}
		large, err := png.Decode(bytes.NewReader(encoded(t, s.Figure, "png", plot.Size{Width: 10, Height: 8, DPI: 50, Scale: 2})))
		if err != nil {
			t.Fatal(err)
		}
		if small.Bounds() != large.Bounds() {
			t.Fatalf("%s: %v and %v pixels", s.Name, small.Bounds(), large.Bounds())
		}
		for y := range small.Bounds().Dy() {
			for x := range small.Bounds().Dx() {
				if small.At(x, y) != large.At(x, y) {
					t.Fatalf("%s: pixel %d, %d is %v, in the scaled picture %v", s.Name, x, y, small.At(x, y), large.At(x, y))
				}
			}
		}
	}
}

// Everything is on the page, whatever the size: margins know what they hold.
// Data of extreme sizes give a picture, not a panic.
func TestHardFigures(t *testing.T) {
	for _, s := range plottest.Hard() {
		if _, err := plot.Image(s.Figure, 120, 90); err != nil {
			t.Errorf("%s: %v", s.Name, err)
		}
	}
}

func TestImageSize(t *testing.T) {
	for _, size := range []image.Point{{640, 480}, {300, 300}, {801, 233}} {
		img, err := plot.Image(plottest.Gallery()[0].Figure, size.X, size.Y)
		if err != nil {
			t.Fatal(err)
		}
		if got := img.Bounds().Size(); got != size {
			t.Errorf("%v pixels, want %v", got, size)
		}
	}
	img, err := plot.Image(plottest.Gallery()[0].Figure, 640, 0)
	if err != nil {
		t.Fatal(err)
	}
	if got := img.Bounds().Size(); got.X != 640 || got.Y < 400 || got.Y > 700 {
		t.Errorf("%v pixels, want 640 and a height in proportion", got)
	}
}

// G(x,y) grows to the right if it grows with x, upwards if it grows with y.
func TestSaveChoosesFormat(t *testing.T) {
	fig := plottest.Gallery()[0].Figure
	dir := t.TempDir()
	for ext, magic := range map[string]string{".png": "\x89PNG", ".SVG": "<?xml", ".pdf": "%PDF"} {
		path := dir + "/figure" + ext
		if err := plot.Save(fig, path, plot.Size{DPI: 50}); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(string(data), magic) {
			t.Errorf("%s begins with %q", ext, data[:5])
		}
	}
}

// Everything is on the page, whatever the size: margins know what they hold.
func TestEverythingIsOnThePage(t *testing.T) {
	for _, s := range append(plottest.Gallery(), plottest.Hard()...) {
		for _, size := range []plot.Size{{}, {Width: 7}, {Width: 8, Height: 5}} {
			reach, page, err := plot.Reach(s.Figure, size)
			if err != nil {
				t.Fatalf("%s %v: %v", s.Name, size, err)
			}
			const slack = 1 // half a line width, and side bearings
			if reach.Min.X < -slack || reach.Min.Y < -slack || reach.Max.X > page.X+slack || reach.Max.Y > page.Y+slack {
				t.Errorf("%s %v: drawn from %v to %v on a page of %v", s.Name, size, reach.Min, reach.Max, page)
			}
			if size.Width > 0 && math.Abs(float64(page.X)-72*size.Width) > 3 || size.Height > 0 && math.Abs(float64(page.Y)-72*size.Height) > 3 {
				t.Errorf("%s %v: the page is %.1f × %.1f points", s.Name, size, page.X, page.Y)
			}
		}
	}
}

// The boxes of a grid have one size, and stand in straight rows and columns,
// apart from each other.
func TestGridIsStraight(t *testing.T) {
	grids := 0
	for _, size := range []plot.Size{{}, {Width: 7}, {Width: 7, Height: 4}} {
		for _, s := range plottest.Gallery() {
			if !slices.Contains([]string{"grid", "same", "predictions"}, s.Name) {
				continue
			}
			grids++
			boxes, err := plot.Boxes(s.Figure, size)
			if err != nil {
				t.Fatal(err)
			}
			for _, a := range boxes {
				for _, b := range boxes {
					near := func(x, y vg.Length) bool { return math.Abs(float64(x-y)) < 1e-9 }
					if as, bs := a.Rect.Size(), b.Rect.Size(); !near(as.X, bs.X) || !near(as.Y, bs.Y) {
						t.Fatalf("%q: boxes of size %v and %v", s.Name, as, bs)
					}
					if (a.Row == b.Row) != near(a.Rect.Min.Y, b.Rect.Min.Y) || (a.Column == b.Column) != near(a.Rect.Min.X, b.Rect.Min.X) {
						t.Fatalf("%q: boxes at %v and %v are out of line", s.Name, a.Rect, b.Rect)
					}
					if a.Row == b.Row && a.Column+1 == b.Column && a.Outer.Max.X > b.Outer.Min.X {
						t.Errorf("%q: columns %d and %d overlap", s.Name, a.Column, b.Column)
					}
					if a.Column == b.Column && a.Row+1 == b.Row && a.Outer.Min.Y < b.Outer.Max.Y {
						t.Errorf("%q: rows %d and %d overlap", s.Name, a.Row, b.Row)
					}
				}
			}
		}
	}
	if grids != 9 {
		t.Errorf("%d grids were laid out, want 9", grids)
	}
}

func TestGalleryIsSound(t *testing.T) {
	for _, s := range append(plottest.Gallery(), plottest.Hard()...) {
		if err := plot.Check(s.Figure); err != nil {
			t.Errorf("%s: %v", s.Name, err)
		}
	}
}
