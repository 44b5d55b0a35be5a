package plot

import (
	"fmt"
	"math"
)

// vectors are two components on a rectangular grid: u[i][j] and v[i][j] at x[i], y[j].
type vectors struct{ u, v samples }

func newVectors(u, v [][]float64, x, y []float64, axes Axes) (vectors, error) {
	us, err := newSamples(u, x, y, axes.LogX, axes.LogY)
	if err != nil {
		return vectors{}, fmt.Errorf("u: %w", err)
	}
	if len(v) != len(u) {
		return vectors{}, fmt.Errorf("v: %d rows for %d of u: must be as many", len(v), len(u))
	}
	vs, err := newSamples(v, x, y, axes.LogX, axes.LogY)
	if err != nil {
		return vectors{}, fmt.Errorf("v: %w", err)
	}
	if len(v[0]) != len(u[0]) {
		return vectors{}, fmt.Errorf("v: %d columns for %d of u: must be as many", len(v[0]), len(u[0]))
	}
	return vectors{us, vs}, nil
}

// Quiver shows vectors on a rectangular grid as arrows.
type Quiver struct {
	U      [][]float64 `arg:"u" pos:"1" doc:"component along x: u[i][j] at x[i], y[j]; NaN leaves an arrow out" allow:"nan"`
	V      [][]float64 `arg:"v" pos:"2" doc:"component along y, of the same shape" allow:"nan"`
	X      []float64   `arg:"x" doc:"coordinates of the first index, increasing; by default 1, 2, 3, …" default:"nil"`
	Y      []float64   `arg:"y" doc:"coordinates of the second index, increasing; by default 1, 2, 3, …" default:"nil"`
	Length float64     `arg:"length" doc:"in units of the axes, of an arrow of size 1; 0: the longest nearly reaches its neighbour" default:"0" allow:">=0"`
	Most   int         `arg:"most" doc:"at most so many arrows along an axis; of a finer grid every second, third, … is drawn" default:"20" allow:">=2"`
	Color  string      `arg:"color" doc:"#rrggbb or a name" default:"black"`
	Axes
}

// check returns an error that names the first argument which cannot be drawn.
func (q Quiver) check() error {
	_, err := q.panel()
	return err
}

func (q Quiver) sheet() (*Sheet, error) { return single(q.panel()) }

func (q Quiver) panel() (*Panel, error) {
	f, err := newVectors(q.U, q.V, q.X, q.Y, q.Axes)
	if err != nil {
		return nil, err
	}
	if q.LogX || q.LogY || q.XLin > 0 || q.YLin > 0 {
		return nil, fmt.Errorf("logx, logy: arrows have no direction on a logarithmic axis: must be false")
	}
	if !finite(q.Length) || q.Length < 0 {
		return nil, fmt.Errorf("length %v: must be finite and >= 0", q.Length)
	}
	c := Curve{Style: LineStyle{Color: unhex(0)}, width: ruleWidth}
	if q.Color != "" {
		if c.Style.Color, err = parseColor(q.Color); err != nil {
			return nil, err
		}
	}
	most := q.Most
	if most == 0 {
		most = 20
	}
	if most < 2 {
		return nil, fmt.Errorf("most %d: must be at least 2", q.Most)
	}
	strideX, strideY := (len(f.u.x)-1)/most+1, (len(f.u.y)-1)/most+1
	scale := q.Length
	if scale == 0 {
		scale = f.reach(strideX, strideY)
	}
	for i := 0; i < len(f.u.x); i += strideX {
		for j := 0; j < len(f.u.y); j += strideY {
			u, v := f.u.values[i][j], f.v.values[i][j]
			if x, y := f.u.x[i], f.u.y[j]; finite(u) && finite(v) && (u != 0 || v != 0) {
				c.Arrows = append(c.Arrows, Arrow{X: x, Y: y, ToX: x + scale*u, ToY: y + scale*v, Head: true})
			}
		}
	}
	p, err := q.Axes.panel([]Curve{c})
	if err == nil {
		p.grid = false
	}
	return p, err
}

// reach is the scale with which no arrow is longer, along either axis, than the mean
// distance to the next.
func (f vectors) reach(strideX, strideY int) float64 {
	const cover = 0.9
	gap := func(c []float64, stride int) float64 {
		if len(c) < 2 {
			return 1
		}
		return float64(stride) * (c[len(c)-1]/float64(len(c)-1) - c[0]/float64(len(c)-1))
	}
	largest := func(values [][]float64) float64 {
		m := 0.0
		for _, row := range values {
			for _, v := range row {
				if finite(v) {
					m = max(m, math.Abs(v))
				}
			}
		}
		return m
	}
	scale := math.Inf(1)
	if u := largest(f.u.values); u > 0 {
		scale = gap(f.u.x, strideX) / u
	}
	if v := largest(f.v.values); v > 0 {
		scale = min(scale, gap(f.u.y, strideY)/v)
	}
	if !finite(scale) {
		return 1
	}
	return cover * scale
}
