package optimize

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/internal/linop"
)

// step solves the damped linear problem for the variables that may move. Those that would
// leave their bounds go to them, and the others are solved for again.
func (s *squares) step(damping float64, free []bool) ([]float64, error) {
	step := make([]float64, len(free))
	var at []int
	for j, f := range free {
		if f {
			at = append(at, j)
		}
	}
	for len(at) > 0 {
		if err := s.linear(damping, at, step); err != nil {
			return nil, err
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
	return step, s.ctx.Err()
}

// linear solves for the variables at, the others making the steps that they make, by QR: as
// accurate as J itself.
func (s *squares) linear(damping float64, at []int, step []float64) error {
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
	for k := range at {
		a.Set(s.N+k, k, math.Sqrt(max(damping, 1e-30)))
	}
	q, r, err := linop.QR(s.ctx, a)
	if err != nil {
		return err
	}
	d := make([]float64, len(at))
	for k := len(d) - 1; k >= 0; k-- {
		for i, v := range b {
			d[k] += q.At(i, k) * v
		}
		for j := k + 1; j < len(d); j++ {
			d[k] -= r.At(k, j) * d[j]
		}
		d[k] /= r.At(k, k)
	}
	for k, j := range at {
		step[j] = d[k] / s.scale[j]
	}
	return nil
}
