package plot

import (
	"image"
	"math"
	"math/rand/v2"
	"testing"
)

func linspace(a, b float64, n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = a + (b-a)*float64(i)/float64(n-1)
	}
	return v
}

func table(x, y []float64, f func(x, y float64) float64) [][]float64 {
	v := make([][]float64, len(x))
	for i := range v {
		v[i] = make([]float64, len(y))
		for j := range v[i] {
			v[i][j] = f(x[i], y[j])
		}
	}
	return v
}

// poisson is the Green's function of −u″ = f with u(0) = u(1) = 0.
func poisson(x, y float64) float64 { return math.Min(x, y) - x*y }

func randomTable(r *rand.Rand, nx, ny int) [][]float64 {
	return table(make([]float64, nx), make([]float64, ny), func(_, _ float64) float64 { return r.Float64() })
}

// increasing returns n random coordinates, all positive.
func increasing(r *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	at := 0.1
	for i := range x {
		at += 0.05 + r.Float64()
		x[i] = at
	}
	return x
}

// Where pixels are smaller than cells, a pixel has the colour of the node
// nearest to its centre (nearest on the axis as drawn), on any mesh.
func TestPaintShowsTheNearestNode(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for n := range 40 {
		log := n%2 == 1
		h := Heatmap{Values: randomTable(r, 1+n%7, 1+n%5), LogX: log, LogY: log}
		if n%7 > 0 && n%5 > 0 {
			h.X, h.Y = increasing(r, 1+n%7), increasing(r, 1+n%5)
		}
		p, err := h.panel()
		if err != nil {
			t.Fatal(err)
		}
		const w, height = 97, 83
		img := p.Field.Paint(p.X, p.Y, w, height)
		for row := range height {
			for column := range w {
				tx, ty := (centre(column) / w), 1-centre(row)/height
				i, dx := nearestNode(p.Field.x, p.X, tx)
				j, dy := nearestNode(p.Field.y, p.Y, ty)
				if dx < 1e-9 || dy < 1e-9 { // halfway between two nodes either will do
					continue
				}
				if got, want := img.ColorIndexAt(column, row), p.Field.colors.index(h.Values[i][j]); got != want {
					t.Fatalf("case %d: pixel %d, %d has colour %d, node %d, %d has %d", n, column, row, got, i, j, want)
				}
			}
		}
	}
}

func centre(k int) float64 { return float64(k) + 0.5 }

// nearestNode returns the node nearest to fraction t of an axis, and by how
// much it is nearer than the next.
func nearestNode(nodes []float64, a Axis, t float64) (nearest int, margin float64) {
	best, second := math.Inf(1), math.Inf(1)
	for i, v := range nodes {
		switch d := math.Abs(a.Norm(v) - t); {
		case d < best:
			nearest, best, second = i, d, best
		case d < second:
			second = d
		}
	}
	return nearest, second - best
}

// Where cells are smaller than pixels, a pixel shows the mean of its cells.
func TestPaintAverages(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	h := Heatmap{Values: randomTable(r, 24, 24), Min: new(0.0), Max: new(1.0)} // below wholeCells: all cells are whole
	h.Values[0][0] = math.NaN()
	for i := range 3 {
		for j := range 2 {
			h.Values[3+i][j] = math.NaN() // a whole pixel
		}
	}
	p, err := h.panel()
	if err != nil {
		t.Fatal(err)
	}
	img := p.Field.Paint(p.X, p.Y, 8, 12) // 3 × 2 cells a pixel
	for column := range 8 {
		for row := range 12 {
			sum, n := 0.0, 0.0
			for i := range 3 {
				for j := range 2 {
					if v := h.Values[3*column+i][2*(11-row)+j]; !math.IsNaN(v) {
						sum, n = sum+v, n+1
					}
				}
			}
			want := int(p.Field.colors.index(sum / n))
			if got := int(img.ColorIndexAt(column, row)); got < want-1 || got > want+1 || (want == Missing) != (got == Missing) {
				t.Errorf("pixel %d, %d has colour %d, want %d", column, row, got, want)
			}
		}
	}
}

// A mesh of many nodes fills its interval exactly; few cells are shown whole.
func TestCellEdges(t *testing.T) {
	many := linspace(0, 1, wholeCells)
	if e := cellEdges(many, false); e[0] != 0 || e[wholeCells] != 1 {
		t.Errorf("the axis goes from %v to %v, want 0 to 1", e[0], e[wholeCells])
	}
	for _, c := range []struct {
		nodes []float64
		log   bool
		want  []float64
	}{
		{[]float64{0, 1, 2}, false, []float64{-0.5, 0.5, 1.5, 2.5}},
		{[]float64{0, 1, 3}, false, []float64{-0.5, 0.5, 2, 4}},
		{[]float64{0, 1, 4}, false, []float64{0, 0.5, 2.5, 4}},
		{[]float64{3}, false, []float64{2.5, 3.5}},
		{[]float64{1, 100}, true, []float64{0.1, 10, 1000}},
	} {
		got := cellEdges(c.nodes, c.log)
		for i := range c.want {
			if math.Abs(got[i]-c.want[i]) > 1e-9*math.Abs(c.want[i]) {
				t.Errorf("edges of %v: %v, want %v", c.nodes, got, c.want)
				break
			}
		}
	}
}

// The bands of a filled contour meet where the interpolated value is a level:
// for a linear function, at a straight line.
func TestBands(t *testing.T) {
	x := linspace(0, 1, 5)
	c := Contour{Heatmap: Heatmap{Values: table(x, x, func(x, y float64) float64 { return x + y }), X: x, Y: x}, Levels: []float64{0.5, 1, 1.5}, Filled: true}
	p, err := c.panel()
	if err != nil {
		t.Fatal(err)
	}
	const n = 50
	img := p.Field.Paint(p.X, p.Y, n, n)
	seen := make(map[uint8]int)
	for column := range n {
		for row := range n {
			v := centre(column)/n + 1 - centre(row)/n
			if math.Abs(math.Mod(v+0.25, 0.5)-0.25) < 1e-9 {
				continue
			}
			band := min(int(v/0.5), 3)
			want := p.Field.colors.index(0.25 + 0.5*float64(band))
			if got := img.ColorIndexAt(column, row); got != want {
				t.Fatalf("pixel %d, %d (value %.3f) has colour %d, want %d", column, row, v, got, want)
			}
			seen[want]++
		}
	}
	if len(seen) != 4 {
		t.Errorf("%d bands, want 4", len(seen))
	}
}

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
		img := p.Field.Paint(p.X, p.Y, 10, 10)
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
