package optimize

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
)

// step minimises the linear model among the steps of the variables that may move that are no
// longer than radius, in units of the scale. Those that would leave their bounds go to them,
// and the others are solved for again. held tells whether radius made the step shorter.
func (s *squares) step(radius float64, free []bool) (step []float64, held bool, err error) {
	step = make([]float64, len(free))
	var at []int
	for j, f := range free {
		if f {
			at = append(at, j)
		}
	}
	for len(at) > 0 {
		if held, err = s.linear(radius, at, step); err != nil {
			return nil, false, err
		}
		inside := at[:0:0]
		for _, j := range at {
			x := s.fit.X[j]
			switch lower, upper := s.box.bounds(j); {
			case x+step[j] < lower:
				step[j] = lower - x
			case x+step[j] > upper:
				step[j] = upper - x
			default:
				inside = append(inside, j)
			}
		}
		if len(inside) == len(at) {
			break
		}
		at = inside
	}
	return step, held, s.ctx.Err()
}

// linear solves for the variables at, the others making the steps that they make, by QR: as
// accurate as J itself.
func (s *squares) linear(radius float64, at []int, step []float64) (held bool, err error) {
	n := len(step)
	for _, j := range at {
		step[j] = 0
	}
	a, b := mat.NewDense(s.N+len(at), len(at), nil), make([]float64, s.N+len(at))
	for i, r := range s.fit.Residuals {
		row := s.fit.Jacobian[i*n : (i+1)*n]
		b[i] = -r - dot(row, step)
		for k, j := range at {
			a.Set(i, k, row[j]/s.scale[j])
		}
	}
	lengths := s.lengths()
	for k, j := range at {
		a.Set(s.N+k, k, 1) // columns without influence make no step
		if lengths[j] > 0 {
			a.Set(s.N+k, k, rounding*lengths[j]/s.scale[j])
		}
	}
	m, err := s.triangle(a, b)
	if err != nil {
		return false, err
	}
	d, held, err := s.within(m, radius)
	if err != nil {
		return false, err
	}
	for k, j := range at {
		step[j] = d[k] / s.scale[j]
	}
	return held, nil
}

// rounding is the part of a column that no accuracy is lost by.
const rounding = 1e-15

// triangle is what a damped linear problem is after QR: R d = c.
type triangle struct {
	r *mat.Dense
	c []float64
}

// triangle reduces a d = b.
func (s *squares) triangle(a *mat.Dense, b []float64) (triangle, error) {
	_, n := a.Dims()
	q, r, err := linop.QR(s.ctx, a)
	if err != nil {
		return triangle{}, err
	}
	t := triangle{r: mat.NewDense(n, n, nil), c: make([]float64, n)}
	for k := range n {
		for i, v := range b {
			t.c[k] += q.At(i, k) * v
		}
		for j := k; j < n; j++ {
			t.r.Set(k, j, r.At(k, j))
		}
	}
	return t, nil
}

func (t triangle) solve() []float64 {
	d := make([]float64, len(t.c))
	for k := len(d) - 1; k >= 0; k-- {
		d[k] = t.c[k]
		for j := k + 1; j < len(d); j++ {
			d[k] -= t.r.At(k, j) * d[j]
		}
		d[k] /= t.r.At(k, k)
	}
	return d
}

// within damps a problem until its solution is about as long as radius, unless it is shorter
// undamped: Newton's method for 1/‖d‖ as a function of the damping, which is concave, so that
// it grows to the damping wanted (Moré 1978).
func (s *squares) within(t triangle, radius float64) (d []float64, held bool, err error) {
	const enough, most = 1.1, 100
	n := len(t.c)
	damping, undamped := 0.0, t
	for range most {
		d = t.solve()
		length := norm(d)
		if length <= enough*radius {
			break
		}
		held = true
		w := make([]float64, n) // Rᵀ w = d/‖d‖
		for k := range w {
			w[k] = d[k] / length
			for j := range k {
				w[k] -= t.r.At(j, k) * w[j]
			}
			w[k] /= t.r.At(k, k)
		}
		steep := norm(w)
		if damping += (length - radius) / radius / steep / steep; math.IsInf(damping, 0) {
			return make([]float64, n), true, nil
		}
		a := mat.NewDense(2*n, n, nil)
		a.Slice(0, n, 0, n).(*mat.Dense).Copy(undamped.r)
		for k := range n {
			a.Set(n+k, k, math.Sqrt(damping))
		}
		if t, err = s.triangle(a, append(undamped.c[:n:n], make([]float64, n)...)); err != nil {
			return nil, false, err
		}
	}
	return d, held, nil
}

// norm is the length of a vector, without overflow.
func norm(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum = math.Hypot(sum, x)
	}
	return sum
}
