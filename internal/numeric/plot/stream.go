package plot

import (
	"fmt"
	"math"
	"sort"
)

// Stream shows a vector field on a rectangular grid by lines that follow it, about
// equally far from each other, with an arrow in the middle of each.
type Stream struct {
	U       [][]float64 `arg:"u" pos:"1" doc:"component along x: u[i][j] at x[i], y[j]; lines end where it is NaN" allow:"nan"`
	V       [][]float64 `arg:"v" pos:"2" doc:"component along y, of the same shape" allow:"nan"`
	X       []float64   `arg:"x" doc:"coordinates of the first index, increasing; by default 1, 2, 3, …" default:"nil"`
	Y       []float64   `arg:"y" doc:"coordinates of the second index, increasing; by default 1, 2, 3, …" default:"nil"`
	Density float64     `arg:"density" doc:"how close the lines are; at 1 about 30 fit beside each other" default:"1" allow:"(0,10]"`
	Color   string      `arg:"color" doc:"#rrggbb or a name" default:"blue"`
	Axes
}

// check returns an error that names the first argument which cannot be drawn.
func (s Stream) check() error {
	_, err := s.panel()
	return err
}

func (s Stream) sheet() (*Sheet, error) { return single(s.panel()) }

func (s Stream) panel() (*Panel, error) {
	f, err := newVectors(s.U, s.V, s.X, s.Y, s.Axes)
	if err != nil {
		return nil, err
	}
	if s.LogX || s.LogY || s.XLin > 0 || s.YLin > 0 {
		return nil, fmt.Errorf("logx, logy: a field has no direction on a logarithmic axis: must be false")
	}
	if len(f.u.x) < 2 || len(f.u.y) < 2 {
		return nil, fmt.Errorf("u: %d rows and %d columns: must be at least two of each", len(f.u.x), len(f.u.y))
	}
	density := s.Density
	if density == 0 {
		density = 1
	}
	if !(density > 0 && density <= 10) {
		return nil, fmt.Errorf("density %v: must be in (0, 10]", s.Density)
	}
	c := Curve{Style: LineStyle{Color: seriesColor(0), Line: true, Dash: Solid}, width: ruleWidth}
	if s.Color != "" {
		if c.Style.Color, err = parseColor(s.Color); err != nil {
			return nil, err
		}
	}
	for _, line := range newTracer(f, int(math.Ceil(30*density))).lines() {
		for _, p := range line {
			x, y := f.place(p)
			c.X, c.Y = append(c.X, x), append(c.Y, y)
		}
		c.X, c.Y = append(c.X, math.NaN()), append(c.Y, math.NaN())
		c.Arrows = append(c.Arrows, f.middle(line))
	}
	// The axes cover the field, whatever the lines do.
	corners := Curve{X: []float64{f.u.x[0], f.u.x[len(f.u.x)-1]}, Y: []float64{f.u.y[0], f.u.y[len(f.u.y)-1]}}
	p, err := s.Axes.panel([]Curve{corners})
	if err != nil {
		return nil, err
	}
	p.Curves[0], p.grid = c, false
	return p, nil
}

// spot is a place in a field: how far along each axis, from 0 to 1.
type spot struct{ x, y float64 }

func (p spot) inside() bool { return p.x >= 0 && p.x <= 1 && p.y >= 0 && p.y <= 1 }

// place is the spot in the units of the axes.
func (f vectors) place(p spot) (x, y float64) {
	along := func(c []float64, t float64) float64 { return c[0]*(1-t) + c[len(c)-1]*t }
	return along(f.u.x, p.x), along(f.u.y, p.y)
}

// middle is the arrow in the middle of a line.
func (f vectors) middle(line []spot) Arrow {
	i := max(1, len(line)/2)
	x0, y0 := f.place(line[i-1])
	x1, y1 := f.place(line[i])
	return Arrow{X: x0, Y: y0, ToX: x1, ToY: y1, Head: true, Pointed: true}
}

// velocity interpolates the field linearly at a spot, in spots per unit of time and scaled
// to length one; false where there is none.
func (f vectors) velocity(p spot) (spot, bool) {
	x, y := f.place(p)
	i, s := bracket(f.u.x, x)
	j, t := bracket(f.u.y, y)
	at := func(v [][]float64) float64 {
		return (v[i][j]*(1-s)+v[i+1][j]*s)*(1-t) + (v[i][j+1]*(1-s)+v[i+1][j+1]*s)*t
	}
	d := spot{at(f.u.values) / (f.u.x[len(f.u.x)-1] - f.u.x[0]), at(f.v.values) / (f.u.y[len(f.u.y)-1] - f.u.y[0])}
	size := math.Hypot(d.x, d.y)
	if !finite(size) || size == 0 {
		return spot{}, false
	}
	return spot{d.x / size, d.y / size}, true
}

// bracket returns the interval of the nodes that holds v and how far along it v is.
func bracket(nodes []float64, v float64) (int, float64) {
	i := min(max(sort.SearchFloat64s(nodes, v)-1, 0), len(nodes)-2)
	return i, min(max((v-nodes[i])/(nodes[i+1]-nodes[i]), 0), 1)
}

// tracer follows a field from one cell after another of a coarse grid; a line ends where
// it enters a cell that another has crossed.
type tracer struct {
	vectors
	cells int
	taken []int // the line that has crossed the cell, counted from 1
	line  int
}

func newTracer(f vectors, cells int) *tracer {
	return &tracer{vectors: f, cells: cells, taken: make([]int, cells*cells)}
}

func (t *tracer) cell(p spot) int {
	at := func(v float64) int { return min(max(int(v*float64(t.cells)), 0), t.cells-1) }
	return at(p.x)*t.cells + at(p.y)
}

// lines starts in the cells from the border inwards, as lines that enter from outside are
// the longest.
func (t *tracer) lines() [][]spot {
	const shortest = 2.5 // cells
	var lines [][]spot
	for ring := 0; 2*ring < t.cells; ring++ {
		for i := ring; i < t.cells-ring; i++ {
			for j := ring; j < t.cells-ring; j++ {
				if i != ring && j != ring && i != t.cells-1-ring && j != t.cells-1-ring {
					continue
				}
				start := spot{(float64(i) + 0.5) / float64(t.cells), (float64(j) + 0.5) / float64(t.cells)}
				if t.taken[t.cell(start)] != 0 {
					continue
				}
				t.line++
				line := t.follow(start)
				if length(line)*float64(t.cells) >= shortest {
					lines = append(lines, line)
				} else {
					t.release()
				}
			}
		}
	}
	return lines
}

// release gives back the cells of the line that was just followed: it is too short.
func (t *tracer) release() {
	for i, by := range t.taken {
		if by == t.line {
			t.taken[i] = 0
		}
	}
}

// follow goes both ways from a spot.
func (t *tracer) follow(start spot) []spot {
	t.taken[t.cell(start)] = t.line
	back, ahead := t.walk(start, -1), t.walk(start, 1)
	line := make([]spot, 0, len(back)+1+len(ahead))
	for i := len(back) - 1; i >= 0; i-- {
		line = append(line, back[i])
	}
	return append(append(line, start), ahead...)
}

// walk takes midpoint steps of a fifth of a cell; a line that comes back into a cell of its
// own ends after crossing the picture a few times.
func (t *tracer) walk(p spot, sign float64) []spot {
	step := sign * 0.2 / float64(t.cells)
	last := t.cell(p)
	var line []spot
	for range 15 * t.cells {
		v, ok := t.velocity(p)
		if !ok {
			break
		}
		half := spot{p.x + step/2*v.x, p.y + step/2*v.y}
		if v, ok = t.velocity(half); !ok || !half.inside() {
			break
		}
		p = spot{p.x + step*v.x, p.y + step*v.y}
		if !p.inside() {
			break
		}
		if c := t.cell(p); c != last {
			if t.taken[c] != 0 { // another's, or its own: the line has come round
				break
			}
			t.taken[c], last = t.line, c
		}
		line = append(line, p)
	}
	return line
}

func length(line []spot) float64 {
	sum := 0.0
	for i := 1; i < len(line); i++ {
		sum += math.Hypot(line[i].x-line[i-1].x, line[i].y-line[i-1].y)
	}
	return sum
}
