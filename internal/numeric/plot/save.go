package plot

import (
	"bytes"
	"fmt"
	"image"
	"io"
	"math"
	"path/filepath"
	"strings"

	"gonum.org/v1/plot/vg"

	"github.com/greenbench/workbench/internal/numeric/arrays"
)

// Size is the size of a picture in a file. The zero Size suits the figure:
// about 8 cm for one panel, the width of a page for three side by side.
type Size struct {
	Width  float64 `arg:"width" doc:"inches; 0: a size that suits the figure" default:"0"`
	Height float64 `arg:"height" doc:"inches; 0: in proportion to the width" default:"0"`
	DPI    float64 `arg:"dpi" doc:"pixels per inch, for PNG; 0: 200" default:"0"`
	Scale  float64 `arg:"scale" doc:"how many times as large lines and texts are as in a paper, for slides and posters; 0: once" default:"0"`
}

const (
	defaultDPI = 200
	mostPixels = 200e6
)

// Check returns an error that names the first number that is not allowed.
func (s Size) Check() error {
	const largest = 200 // inches: PDF allows no more
	for _, v := range []struct {
		name  string
		value float64
		most  float64
		unit  string
	}{{"scale", s.Scale, 20, ""}, {"width", s.Width, largest, " inches"}, {"height", s.Height, largest, " inches"}, {"dpi", s.DPI, 2400, ""}} {
		if !(v.value >= 0 && v.value <= v.most) {
			return fmt.Errorf("%s %v: must be between 0 and %v%s", v.name, v.value, v.most, v.unit)
		}
	}
	return nil
}

// endings are the extensions of files that Save writes.
func endings() (all []string) {
	for _, name := range formatNames() {
		all = append(all, "."+name)
	}
	return all
}

// formatNames returns the file formats that Encode and Save write.
func formatNames() []string {
	var names []string
	for _, f := range formats() {
		names = append(names, f.name)
	}
	return names
}

func findFormat(name string) (format, error) {
	for _, f := range formats() {
		if f.name == name {
			return f, nil
		}
	}
	return format{}, fmt.Errorf("format %q: must be one of %s", name, strings.Join(formatNames(), ", "))
}

// Encode writes the figure to w as "png", "svg" or "pdf". The same figure gives
// the same bytes. Cost: about 50 ms for a panel as PNG.
func Encode(w io.Writer, fig Figure, format string, size Size) error {
	f, err := findFormat(format)
	if err != nil {
		return err
	}
	s, err := render(fig, f, size)
	if err != nil {
		return err
	}
	data, err := s.encode()
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	return err
}

// Save writes the figure to a file; the extension (.png, .svg, .pdf) decides
// the format. The file appears complete or not at all.
func Save(fig Figure, path string, size Size) error {
	name := strings.ToLower(strings.TrimPrefix(filepath.Ext(path), "."))
	if err := arrays.CheckEnding(path, "figures", endings()...); err != nil {
		return fmt.Errorf("file: %w", err) // the argument of whoever draws
	}
	var b bytes.Buffer
	if err := Encode(&b, fig, name, size); err != nil {
		return err
	}
	return arrays.WriteAtomic(path, func(w io.Writer) error {
		_, err := w.Write(b.Bytes())
		return err
	})
}

// Image draws the figure on w × h pixels; with h = 0, the height follows from
// the width. Text keeps its proportion to a figure of natural size.
func Image(fig Figure, w, h int) (image.Image, error) {
	if w < 50 || w > 10000 || h != 0 && (h < 50 || h > 10000) {
		return nil, fmt.Errorf("w %d, h %d: must be between 50 and 10000 pixels (h may be 0)", w, h)
	}
	if fig == nil {
		return nil, errNoFigure()
	}
	s, err := fig.sheet()
	if err != nil {
		return nil, err
	}
	natural, err := arrange(s, newTypesetter(), Size{})
	if err != nil {
		return nil, err
	}
	dpi := float64(w) / float64(natural.width/vg.Inch)
	if h > 0 {
		dpi = min(dpi, float64(h)/float64(natural.height/vg.Inch))
	}
	surface, err := render(fig, format{"image", func(p page) surface { return newRasterSurface(p) }},
		Size{Width: float64(w) / dpi, Height: float64(h) / dpi, DPI: dpi})
	if err != nil {
		return nil, err
	}
	return surface.(*rasterSurface).pixels, nil
}

func errNoFigure() error {
	return fmt.Errorf("figure: missing: must be a Heatmap, Lines, Scatter, Grid or another")
}

// render lays the figure out and draws it on a surface of the format.
func render(fig Figure, f format, size Size) (surface, error) {
	if fig == nil {
		return nil, errNoFigure()
	}
	if size.DPI == 0 {
		size.DPI = defaultDPI
	}
	if err := size.Check(); err != nil {
		return nil, err
	}
	s, err := fig.sheet()
	if err != nil {
		return nil, err
	}
	text := newTypesetter()
	scale := size.Scale
	if scale == 0 {
		scale = 1
	}
	l, err := arrange(s, text, Size{Width: size.Width / scale, Height: size.Height / scale})
	if err != nil {
		return nil, err
	}
	factor := vg.Length(scale)
	if pixels := float64(l.width*l.height) * scale * scale * math.Pow(size.DPI/72, 2); pixels > mostPixels {
		return nil, fmt.Errorf("dpi %v: makes %.0f million pixels: must be at most %.0f", size.DPI, pixels/1e6, mostPixels/1e6)
	}
	paper := f.make(page{width: l.width * factor, height: l.height * factor, dpi: size.DPI, title: s.name()})
	p := painter{paper, text}
	if scale != 1 {
		p.surface = scaledSurface{paper, factor}
	}
	p.layout(l)
	return paper, nil
}

// name returns the title of the figure as plain text.
func (s *Sheet) name() string {
	title := s.Title
	s.each(func(_, _ int, p *Panel) {
		if title == "" {
			title = p.Title
		}
	})
	return PlainText(title, true)
}
