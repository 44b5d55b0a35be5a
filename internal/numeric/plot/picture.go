package plot

import (
	"fmt"
	"image"
	"image/color"
	"math"
)

// Picture shows numbers as the colours of a picture: Pixels[i][j] are red, green and blue
// in row i from the top and column j from the left, as cameras and files count.
type Picture struct {
	Pixels [][][]float64 `arg:"pixels" pos:"1" doc:"pixels[i][j]: red, green and blue between 0 and 1, in row i from the top and column j; rows × columns × 3" allow:"nan"`
	Title  string        `arg:"title" doc:"above the picture" default:""`
}

// check returns an error that names the first argument which cannot be drawn.
func (p Picture) check() error {
	_, err := p.panel()
	return err
}

func (p Picture) sheet() (*Sheet, error) { return single(p.panel()) }

func (p Picture) panel() (*Panel, error) {
	if len(p.Pixels) == 0 || len(p.Pixels[0]) == 0 {
		return nil, fmt.Errorf("pixels: empty: must hold at least one row and one column")
	}
	h, w := len(p.Pixels), len(p.Pixels[0])
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for i, row := range p.Pixels {
		if len(row) != w {
			return nil, fmt.Errorf("pixels: row %d has %d columns, row 1 has %d: must be the same", i+1, len(row), w)
		}
		for j, rgb := range row {
			if len(rgb) != 3 {
				return nil, fmt.Errorf("pixels: row %d, column %d has %d numbers: must be 3, for red, green and blue (a heat map shows one number as a colour)", i+1, j+1, len(rgb))
			}
			for _, v := range rgb { // a little outside is rounding, or what interpolation adds
				if v > 2 || v < -1 {
					return nil, fmt.Errorf("pixels: row %d, column %d has %g: must be between 0 and 1; divide bytes by 255", i+1, j+1, v)
				}
			}
			img.SetNRGBA(j, i, pixel(rgb))
		}
	}
	return &Panel{
		Title: p.Title, Bare: true, Fixed: true, Ratio: float64(h) / float64(w), picture: img,
		X: Axis{Lo: 0, Hi: float64(w)}, Y: Axis{Lo: 0, Hi: float64(h)},
	}, nil
}

func pixel(rgb []float64) color.NRGBA {
	if math.IsNaN(rgb[0]) || math.IsNaN(rgb[1]) || math.IsNaN(rgb[2]) {
		return missingColor()
	}
	channel := func(v float64) uint8 { return uint8(math.Round(255 * min(max(v, 0), 1))) }
	return color.NRGBA{channel(rgb[0]), channel(rgb[1]), channel(rgb[2]), 255}
}

// scaled returns the picture on w × h pixels: each takes the mean of what it covers.
func scaled(img *image.NRGBA, w, h int) *image.NRGBA {
	columns, rows := pixelCells(evenEdges(img.Rect.Dx()), Axis{Hi: 1}, w), pixelCells(evenEdges(img.Rect.Dy()), Axis{Hi: 1}, h)
	out := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y, is := range rows {
		for x, js := range columns {
			var sum [3]int
			for i := is[0]; i < is[1]; i++ {
				for j := js[0]; j < js[1]; j++ {
					c := img.NRGBAAt(j, i)
					sum[0], sum[1], sum[2] = sum[0]+int(c.R), sum[1]+int(c.G), sum[2]+int(c.B)
				}
			}
			n := (is[1] - is[0]) * (js[1] - js[0])
			mean := func(k int) uint8 { return uint8((sum[k] + n/2) / n) }
			out.SetNRGBA(x, y, color.NRGBA{mean(0), mean(1), mean(2), 255})
		}
	}
	return out
}

// evenEdges are the borders of n equal cells from 0 to 1.
func evenEdges(n int) []float64 {
	edges := make([]float64, n+1)
	for i := range edges {
		edges[i] = float64(i) / float64(n)
	}
	return edges
}
