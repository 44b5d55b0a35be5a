package plot

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// pieces cuts lines at NaN.
func pieces(x, y []float64) [][][2]float64 {
	all := [][][2]float64{nil}
	for i := range x {
		if math.IsNaN(x[i]) {
			all = append(all, nil)
			continue
		}
		all[len(all)-1] = append(all[len(all)-1], [2]float64{x[i], y[i]})
	}
	return all
}

// level returns the lines of one level, cut into pieces.
func level(s samples, v float64) [][][2]float64 {
	line := isolines(s, []float64{v})[0]
	return pieces(line.x, line.y)
}

func grid(nx, ny int, f func(x, y float64) float64) samples {
	x, y := linspace(-1, 1, nx), linspace(-1, 1, ny)
	return samples{values: table(x, y, f), x: x, y: y}
}

// The isoline of a linear function is one straight line from side to side.
func TestIsolineOfPlane(t *testing.T) {
	s := grid(7, 9, func(x, y float64) float64 { return x + 2*y })
	lines := level(s, 0.3)
	if len(lines) != 1 {
		t.Fatalf("%d lines, want 1", len(lines))
	}
	for _, p := range lines[0] {
		if math.Abs(p[0]+2*p[1]-0.3) > 1e-12 {
			t.Errorf("point %v is not on x + 2y = 0.3", p)
		}
	}
	for _, end := range [][2]float64{lines[0][0], lines[0][len(lines[0])-1]} {
		if math.Abs(math.Abs(end[0])-1) > 1e-12 && math.Abs(math.Abs(end[1])-1) > 1e-12 {
			t.Errorf("the line ends at %v, inside", end)
		}
	}
}

// The isoline of x² + y² is one closed circle; linear interpolation on a mesh
// of step h leaves it within h²/(4r) of the true one.
func TestIsolineOfCircle(t *testing.T) {
	const n, r = 41, 0.7
	s := grid(n, n, func(x, y float64) float64 { return x*x + y*y })
	lines := level(s, r*r)
	if len(lines) != 1 {
		t.Fatalf("%d lines, want 1", len(lines))
	}
	c := lines[0]
	if c[0] != c[len(c)-1] {
		t.Errorf("begins at %v, ends at %v", c[0], c[len(c)-1])
	}
	length, h := 0.0, 2.0/(n-1)
	for i, p := range c {
		if d := math.Abs(math.Hypot(p[0], p[1]) - r); d > h*h/(4*r) {
			t.Errorf("point %v is %.2g away from the circle", p, d)
		}
		if i > 0 {
			length += math.Hypot(p[0]-c[i-1][0], p[1]-c[i-1][1])
		}
	}
	if math.Abs(length-2*math.Pi*r) > 0.01 {
		t.Errorf("length %.4f, want %.4f", length, 2*math.Pi*r)
	}
}

// At a saddle, the mean of the corners says which of them are connected.
func TestIsolineAtSaddle(t *testing.T) {
	for _, c := range []struct {
		level float64
		want  [2]float64 // on the same line as the point of the lower side
	}{
		{0.25, [2]float64{1, -0.5}}, // centre 0.5 above: the low corners are cut off one by one
		{0.75, [2]float64{-1, 0.5}},
	} {
		s := samples{values: [][]float64{{1, 0}, {0, 1}}, x: []float64{-1, 1}, y: []float64{-1, 1}}
		lines := level(s, c.level)
		if len(lines) != 2 {
			t.Fatalf("level %v: %d lines, want 2", c.level, len(lines))
		}
		for _, l := range lines {
			for k, p := range l {
				if p[1] == -1 && (math.Abs(l[1-k][0]-c.want[0]) > 1e-12) {
					t.Errorf("level %v: the lower side is joined to %v, want x = %v", c.level, l[1-k], c.want[0])
				}
			}
		}
	}
}

// Levels do not disturb each other.
func TestIsolinesOfSeveralLevels(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	s := grid(9, 7, func(_, _ float64) float64 { return r.NormFloat64() })
	levels := []float64{-5, -1, -0.5, 0, 0.25, 2, 9}
	for k, line := range isolines(s, levels) {
		if got, want := fmt.Sprint(pieces(line.x, line.y)), fmt.Sprint(level(s, levels[k])); got != want {
			t.Errorf("level %v: %s, alone %s", levels[k], got, want)
		}
	}
}

// On random data with holes: all points lie on the level, no line enters a cell
// with a hole, and lines end only at the border or beside a hole.
func TestIsolineOnNoise(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for range 50 {
		s := grid(2+r.IntN(8), 2+r.IntN(8), func(_, _ float64) float64 {
			if r.Float64() < 0.05 {
				return math.NaN()
			}
			return r.NormFloat64()
		})
		segments, crossed := 0, 0
		for _, line := range level(s, 0.1) {
			segments += max(0, len(line)-1)
		}
		for i := range len(s.x) - 1 {
			for j := range len(s.y) - 1 {
				crossed += signChanges(s, i, j, 0.1) / 2
			}
		}
		if segments != crossed {
			t.Errorf("%d segments, want %d: one for two sides that a cell has crossed", segments, crossed)
		}
	}
}

// signChanges counts the sides of a cell on which the level is crossed.
func signChanges(s samples, i, j int, level float64) int {
	c := []float64{s.values[i][j], s.values[i+1][j], s.values[i+1][j+1], s.values[i][j+1]}
	n := 0
	for k := range 4 {
		if math.IsNaN(c[k]) {
			return 0
		}
		if (c[k] >= level) != (c[(k+1)%4] >= level) {
			n++
		}
	}
	return n
}
