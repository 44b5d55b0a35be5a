package interp

import (
	"fmt"
	"math"
)

// Grid is a function through values on a rectangular grid: linear or cubic in each
// direction.
type Grid struct {
	Options
	x, y           []float64
	z, dx, dy, dxy []float64
}

// NewGrid interpolates z, a row for each x with a number for each y. Linear, Cubic and
// Natural are kinds; splines are products of those along the axes.
func NewGrid(x, y, z []float64, o Options) (*Grid, error) {
	if o.Kind == "" {
		o.Kind = Cubic
	}
	if o.Outside == "" {
		o.Outside = Refuse
	}
	if o.Kind != Linear && o.Kind != Cubic && o.Kind != Natural {
		return nil, fmt.Errorf("kind %s: want %s, %s or %s on a grid", o.Kind, Linear, Cubic, Natural)
	}
	if err := increasing("x", x); err != nil {
		return nil, err
	}
	if err := increasing("y", y); err != nil {
		return nil, err
	}
	if len(z) != len(x)*len(y) {
		return nil, fmt.Errorf("%d values on a grid of %d×%d", len(z), len(x), len(y))
	}
	for i, v := range z {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("z[%d][%d] is %g: want finite numbers", i/len(y)+1, i%len(y)+1, v)
		}
	}
	g := &Grid{Options: o, x: x, y: y, z: z}
	if o.Kind != Linear {
		g.dy = g.along(z, y, 1, len(y))
		g.dx = g.along(z, x, len(y), 1)
		g.dxy = g.along(g.dy, x, len(y), 1)
	}
	return g, nil
}

// along are the slopes of the lines along an axis, whose values are step apart and whose
// lines begin next apart.
func (g *Grid) along(z, axis []float64, step, next int) []float64 {
	out, line := make([]float64, len(z)), make([]float64, len(axis))
	for k := range len(z) / len(axis) {
		from := k * next
		for i := range line {
			line[i] = z[from+i*step]
		}
		for i, v := range slopes(axis, line, g.Options) {
			out[from+i*step] = v
		}
	}
	return out
}

// At is the value at a point.
func (g *Grid) At(x, y float64) (float64, error) {
	x, err := place("x", g.x, x, g.Outside)
	if err != nil {
		return 0, err
	}
	if y, err = place("y", g.y, y, g.Outside); err != nil {
		return 0, err
	}
	i, j := cell(g.x, x), cell(g.y, y)
	hx, hy := g.x[i+1]-g.x[i], g.y[j+1]-g.y[j]
	u, v := weights((x-g.x[i])/hx, g.dx != nil), weights((y-g.y[j])/hy, g.dx != nil)
	sum := 0.0
	for a := range 2 {
		for b := range 2 {
			k := (i+a)*len(g.y) + j + b
			sum += u[a] * v[b] * g.z[k]
			if g.dx != nil {
				sum += u[2+a]*hx*v[b]*g.dx[k] + u[a]*v[2+b]*hy*g.dy[k] + u[2+a]*hx*v[2+b]*hy*g.dxy[k]
			}
		}
	}
	return sum, nil
}

// weights are those of the values at both ends, then of the slopes there.
func weights(t float64, cubic bool) [4]float64 {
	if !cubic {
		return [4]float64{1 - t, t}
	}
	s := 1 - t
	return [4]float64{s * s * (1 + 2*t), t * t * (3 - 2*t), t * s * s, -t * t * s}
}
