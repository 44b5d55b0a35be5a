package plot

import (
	"image"
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
)

// A surface is what a picture is drawn on. Coordinates are points (1/72 inch)
// from the lower left corner. Paths hold only moves, lines, quadratic and cubic
// curves and closes; text comes as outlines. To add a file format, write a
// surface and list it in formats.
type surface interface {
	fill(p vg.Path, c color.NRGBA)
	stroke(p vg.Path, pen pen)
	// raster fills r with the picture that paint makes; the surface chooses how
	// many pixels it wants. Row 0 of the picture is the top.
	raster(r vg.Rectangle, paint func(w, h int) image.Image)
	// encode returns the finished file.
	encode() ([]byte, error)
}

// pen is how a line is drawn.
type pen struct {
	color color.NRGBA
	width vg.Length
	dash  []vg.Length // lengths of dashes and gaps; nil is a solid line
	crisp bool        // axis-parallel: a raster surface may move it to whole pixels
}

// page is what every surface needs to know.
type page struct {
	width, height vg.Length
	dpi           float64
	title         string
}

// format is a file format: its extension and how to make its surface.
type format struct {
	name string
	make func(page) surface
}

func formats() []format {
	return []format{
		{"png", func(p page) surface { return newRasterSurface(p) }},
		{"svg", func(p page) surface { return newSVGSurface(p) }},
		{"pdf", func(p page) surface { return newPDFSurface(p) }},
	}
}

// vectorDensity is the number of raster pixels per point in SVG and PDF:
// enough that a viewer which smooths enlarged images leaves cell borders sharp.
const vectorDensity = 4

// rasterPixels is the size in pixels of a raster of the given length.
func rasterPixels(l vg.Length) int { return max(1, int(math.Round(float64(l)*vectorDensity))) }

// rectangle returns r as a closed path.
func rectangle(r vg.Rectangle) vg.Path {
	var p vg.Path
	p.Move(r.Min)
	p.Line(vg.Point{X: r.Max.X, Y: r.Min.Y})
	p.Line(r.Max)
	p.Line(vg.Point{X: r.Min.X, Y: r.Max.Y})
	p.Close()
	return p
}

func segment(x0, y0, x1, y1 vg.Length) vg.Path {
	var p vg.Path
	p.Move(vg.Point{X: x0, Y: y0})
	p.Line(vg.Point{X: x1, Y: y1})
	return p
}

// circle returns a circle as four cubic curves (error below 3e-4 of r).
func circle(c vg.Point, r vg.Length) vg.Path {
	k := 4 * (math.Sqrt2 - 1) / 3 * r
	at := func(x, y vg.Length) vg.Point { return vg.Point{X: c.X + x, Y: c.Y + y} }
	var p vg.Path
	p.Move(at(r, 0))
	p.CubeTo(at(r, k), at(k, r), at(0, r))
	p.CubeTo(at(-k, r), at(-r, k), at(-r, 0))
	p.CubeTo(at(-r, -k), at(-k, -r), at(0, -r))
	p.CubeTo(at(k, -r), at(r, -k), at(r, 0))
	p.Close()
	return p
}
