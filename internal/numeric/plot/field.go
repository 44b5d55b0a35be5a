package plot

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"sort"
)

// samples are values on a rectangular grid: values[i][j] belongs to x[i], y[j].
type samples struct {
	values [][]float64
	x, y   []float64
}

// newSamples checks the shapes and fills in coordinates that were not given:
// 1, 2, 3, … as scripts count.
func newSamples(values [][]float64, x, y []float64, logX, logY bool) (samples, error) {
	if len(values) == 0 || len(values[0]) == 0 {
		return samples{}, fmt.Errorf("values: empty: must hold at least one row and one column")
	}
	for i, row := range values {
		if len(row) != len(values[0]) {
			return samples{}, fmt.Errorf("values: row %d has %d columns, row 1 has %d: must be the same", i+1, len(row), len(values[0]))
		}
	}
	x, err := coordinates("x", x, len(values), "rows", logX)
	if err != nil {
		return samples{}, err
	}
	y, err = coordinates("y", y, len(values[0]), "columns", logY)
	return samples{values, x, y}, err
}

func coordinates(name string, c []float64, n int, of string, log bool) ([]float64, error) {
	if c == nil {
		return count(n), nil
	}
	if len(c) != n {
		return nil, fmt.Errorf("%s: %d coordinates for %d %s of values: must be as many", name, len(c), n, of)
	}
	for i, v := range c {
		switch {
		case !finite(v):
			return nil, fmt.Errorf("%s: coordinate %d is %v: must be a finite number", name, i+1, v)
		case log && v <= 0:
			return nil, fmt.Errorf("%s: coordinate %d is %v: must be > 0 on a log axis", name, i+1, v)
		case i > 0 && v <= c[i-1]:
			return nil, fmt.Errorf("%s: coordinate %d is %v after %v: must increase", name, i+1, v, c[i-1])
		}
	}
	return c, nil
}

// count returns 1, 2, …, n.
func count(n int) []float64 {
	c := make([]float64, n)
	for i := range c {
		c[i] = float64(i + 1)
	}
	return c
}

// limits returns the extent of the values; with log, it refuses those that
// have no logarithm.
func (s samples) limits(log bool) (extent, error) {
	e := newExtent(log)
	for i, row := range s.values {
		for j, v := range row {
			if log && v <= 0 {
				return e, fmt.Errorf("values: %v in row %d, column %d: must be > 0 with log (NaN leaves a cell empty)", v, i+1, j+1)
			}
			e.add(v)
		}
	}
	return e, nil
}

// Along an axis with many nodes, or with uneven ones, the outer cells are cut at
// their nodes, so that a mesh of [0, 1] fills the axis from 0 to 1 exactly. A
// small even table shows all its cells in full.
const (
	wholeCells = 30  // fewer nodes than this are a small table
	evenCells  = 2.5 // nodes are even if the largest gap is at most so many times the smallest
)

// cellEdges returns the borders of the cells around the nodes, halfway between
// neighbours (in the logarithm on a log axis).
func cellEdges(nodes []float64, log bool) []float64 {
	n := len(nodes)
	c := make([]float64, n)
	for i, v := range nodes {
		c[i] = v
		if log {
			c[i] = math.Log10(v)
		}
	}
	edges := make([]float64, n+1)
	for i := 1; i < n; i++ {
		edges[i] = c[i-1]/2 + c[i]/2
	}
	switch {
	case n == 1:
		half := 0.5
		if !log {
			half = max(0.5, math.Abs(c[0])*1e-9)
		}
		edges[0], edges[1] = c[0]-half, c[0]+half
	case n >= wholeCells || !even(c):
		edges[0], edges[n] = c[0], c[n-1]
	default:
		edges[0], edges[n] = c[0]-(edges[1]-c[0]), c[n-1]+(c[n-1]-edges[n-1])
	}
	for i, v := range edges {
		if log {
			v = math.Pow(10, v)
		}
		edges[i] = min(max(v, -math.MaxFloat64), math.MaxFloat64)
	}
	return edges
}

func even(c []float64) bool {
	least, most := math.Inf(1), 0.0
	for i := 1; i < len(c); i++ {
		gap := c[i] - c[i-1]
		least, most = min(least, gap), max(most, gap)
	}
	return most <= evenCells*least
}

// Field is the picture between the axes: cells of one colour each, or bands
// between the contour lines of the interpolated values.
type Field struct {
	samples
	colors         colormap
	xEdges, yEdges []float64 // of the cells
	bands          bool
	levels         []float64 // of the bands
}

// Paint draws the field on w × h pixels, row 0 on top.
func (f *Field) Paint(x, y Axis, w, h int) *image.Paletted {
	img := image.NewPaletted(image.Rect(0, 0, w, h), f.palette())
	if f.bands {
		f.paintBands(x, y, img)
	} else {
		f.paintCells(x, y, img)
	}
	return img
}

func (f *Field) palette() color.Palette { return f.colors.spec.table() }

func (f *Field) paintCells(x, y Axis, img *image.Paletted) {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	columns, rows := pixelCells(f.xEdges, x, w), pixelCells(f.yEdges, y, h)
	for r := range h {
		js, line := rows[h-1-r], img.Pix[r*img.Stride:]
		if r > 0 && js == rows[h-r] { // the same cells as in the line above
			copy(line[:w], img.Pix[(r-1)*img.Stride:])
			continue
		}
		for c := range w {
			line[c] = f.colors.index(f.mean(columns[c], js))
		}
	}
}

// mean averages the cells that share a pixel, so that a large array keeps its
// look on few pixels; NaN if half of them or more hold no number.
func (f *Field) mean(is, js [2]int) float64 {
	if is[1]-is[0] == 1 && js[1]-js[0] == 1 {
		return f.values[is[0]][js[0]]
	}
	sum, n, cells := 0.0, 0, (is[1]-is[0])*(js[1]-js[0])
	for i := is[0]; i < is[1]; i++ {
		for _, v := range f.values[i][js[0]:js[1]] {
			if !math.IsNaN(v) {
				sum += v / float64(cells)
				n++
			}
		}
	}
	if 2*n <= cells {
		return math.NaN()
	}
	return sum * float64(cells) / float64(n)
}

// pixelCells returns, for each of n pixels along an axis, the half-open range
// of cells it shows: those with their centre in the pixel, or, if there are
// none, the one that holds the centre of the pixel.
func pixelCells(edges []float64, a Axis, n int) [][2]int {
	cells := len(edges) - 1
	at := make([]float64, cells+1)
	for i, e := range edges {
		at[i] = a.Norm(e)
	}
	centre := func(i int) float64 { return (at[i] + at[i+1]) / 2 }
	out := make([][2]int, n)
	for p := range out {
		lo, hi := float64(p)/float64(n), float64(p+1)/float64(n)
		first := sort.Search(cells, func(i int) bool { return centre(i) >= lo })
		last := sort.Search(cells, func(i int) bool { return centre(i) >= hi })
		if first == last {
			i := sort.Search(cells, func(i int) bool { return at[i+1] > (lo+hi)/2 })
			first = min(i, cells-1)
			last = first + 1
		}
		out[p] = [2]int{first, last}
	}
	return out
}

func (f *Field) paintBands(x, y Axis, img *image.Paletted) {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	xs, ys := pixelNodes(f.x, x, w), pixelNodes(f.y, y, h)
	for r := range h {
		for c := range w {
			img.Pix[r*img.Stride+c] = f.bandIndex(f.interpolate(xs[c], ys[h-1-r]))
		}
	}
}

// bandIndex returns the colour of the band that v lies in: that of the middle
// between its two levels.
func (f *Field) bandIndex(v float64) uint8 {
	if math.IsNaN(v) {
		return Missing
	}
	return f.colors.index(bandMiddle(f.levels, sort.SearchFloat64s(f.levels, v), f.colors))
}

// bandMiddle returns the value that stands for band i: below levels[0] for 0,
// above the last one for len(levels).
func bandMiddle(levels []float64, i int, m colormap) float64 {
	lo, hi := m.lo, m.hi
	if i > 0 {
		lo = levels[i-1]
	}
	if i < len(levels) {
		hi = levels[i]
	}
	if m.log {
		return math.Sqrt(lo) * math.Sqrt(hi)
	}
	return lo/2 + hi/2
}

// node is a place between nodes[i] and nodes[i+1], at fraction t.
type node struct {
	i int
	t float64
}

func pixelNodes(nodes []float64, a Axis, n int) []node {
	out := make([]node, n)
	for p := range out {
		v := a.value((float64(p) + 0.5) / float64(n))
		i := min(max(sort.SearchFloat64s(nodes, v)-1, 0), len(nodes)-2)
		t := (v/2 - nodes[i]/2) / (nodes[i+1]/2 - nodes[i]/2)
		out[p] = node{i, min(max(t, 0), 1)}
	}
	return out
}

func (f *Field) interpolate(x, y node) float64 {
	lower := f.values[x.i][y.i]*(1-x.t) + f.values[x.i+1][y.i]*x.t
	upper := f.values[x.i][y.i+1]*(1-x.t) + f.values[x.i+1][y.i+1]*x.t
	return lower*(1-y.t) + upper*y.t
}
