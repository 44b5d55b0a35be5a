package ode

import (
	"fmt"
	"math"
	"math/cmplx"
)

// lu is the decomposition of a dense matrix with row pivots.
type lu[T float64 | complex128] struct {
	n     int
	a     []T
	pivot []int
}

// decomposed decomposes a, whose memory it takes. A pivot of 0 becomes the smallest number:
// the solution is then not finite, and the step is tried again, smaller.
func decomposed[T float64 | complex128](n int, a []T, size func(T) float64) *lu[T] {
	p := &lu[T]{n, a, make([]int, n)}
	for k := range n {
		best := k
		for i := k + 1; i < n; i++ {
			if size(a[i*n+k]) > size(a[best*n+k]) {
				best = i
			}
		}
		p.pivot[k] = best
		top := a[k*n : k*n+n]
		if best != k {
			other := a[best*n : best*n+n]
			for j := range top {
				top[j], other[j] = other[j], top[j]
			}
		}
		if top[k] == 0 {
			top[k] = T(math.SmallestNonzeroFloat64)
		}
		for i := k + 1; i < n; i++ {
			row := a[i*n : i*n+n]
			if row[k] == 0 {
				continue
			}
			row[k] /= top[k]
			f := row[k]
			for j := k + 1; j < n; j++ {
				row[j] -= f * top[j]
			}
		}
	}
	return p
}

// solve overwrites b with the solution.
func (p *lu[T]) solve(b []T) {
	n := p.n
	for k, best := range p.pivot {
		b[k], b[best] = b[best], b[k]
	}
	for i := range n {
		for j, v := range p.a[i*n : i*n+i] {
			b[i] -= v * b[j]
		}
	}
	for i := n - 1; i >= 0; i-- {
		for j := i + 1; j < n; j++ {
			b[i] -= p.a[i*n+j] * b[j]
		}
		b[i] /= p.a[i*n+i]
	}
}

// decompose makes the decompositions of mu/h - J, with a Jacobian if there is none yet.
func (s *radau) decompose(h float64) error {
	if s.sol.Jacobians == 0 {
		if err := s.differentiate(s.t, s.y, s.f); err != nil {
			return err
		}
	}
	mu, pair := radauEigenvalues()
	a, b := make([]float64, s.n*s.n), make([]complex128, s.n*s.n)
	for i, v := range s.jac {
		a[i], b[i] = -v, complex(-v, 0)
	}
	for i := range s.n {
		a[i*s.n+i] += mu / h
		b[i*s.n+i] += pair / complex(h, 0)
	}
	s.real, s.complex = decomposed(s.n, a, math.Abs), decomposed(s.n, b, cmplx.Abs)
	s.sol.Decompositions += 2
	return s.ctx.Err()
}

// differentiate makes the Jacobian at a state whose derivative is f.
func (s *radau) differentiate(t float64, y, f []float64) error {
	s.sol.Jacobians++
	s.fresh = true
	if s.system.Jacobian != nil {
		if err := s.system.Jacobian(t, y, s.jac); err != nil {
			return err
		}
	} else if err := s.differences(t, y, f); err != nil {
		return err
	}
	if !finite(s.jac) {
		return fmt.Errorf("the Jacobian of f is not finite at t = %.9g, y = %s", t, show(y))
	}
	return nil
}

func (s *radau) differences(t float64, y, f []float64) error {
	moved, value := append([]float64(nil), y...), make([]float64, s.n)
	for j := range y {
		d := 0x1p-26 * max(math.Abs(y[j]), s.tolerance(j, y[j])/(s.part*s.Rel), s.h*math.Abs(f[j]))
		if d == 0 {
			d = 0x1p-26
		}
		if f[j] < 0 { // where the solution goes, F is defined
			d = -d
		}
		moved[j] = y[j] + d
		d = moved[j] - y[j]
		if err := s.call(t, moved, value); err != nil {
			return err
		}
		for i := range value {
			s.jac[i*s.n+j] = (value[i] - f[i]) / d
		}
		moved[j] = y[j]
	}
	return nil
}
