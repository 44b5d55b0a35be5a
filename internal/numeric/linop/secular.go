package linop

import (
	"context"
	"math"

	"github.com/greenbench/workbench/internal/numeric/parallel"
)

// secular is the eigenproblem of diag(d) + rho w wᵀ: d increasing, no two alike, no w
// zero, rho > 0. Its eigenvalues are the roots of
//
//	f(x) = 1/rho + Σ_j w_j² / (d_j - x),
//
// one above each d. Each is held by its distance from the nearer of its neighbours, which
// is what eigenvectors that are orthogonal to rounding take (Gu & Eisenstat 1994, SIAM
// J. Matrix Anal. Appl. 15).
type secular struct {
	rho    float64
	d, w   []float64
	origin []int     // of each root
	offset []float64 // from it
}

// solve finds the roots and then replaces w by that of which they are the exact roots.
func (s *secular) solve(ctx context.Context) error {
	k := len(s.d)
	s.origin, s.offset = make([]int, k), make([]float64, k)
	const chunk = 64
	for lo := 0; lo < k; lo += chunk {
		if err := Stopped(ctx); err != nil {
			return err
		}
		hi := min(lo+chunk, k)
		parallel.Range(hi-lo, 10*float64(k), func(from, to int) {
			for i := lo + from; i < lo+to; i++ {
				s.find(i)
			}
		})
	}
	w := make([]float64, k)
	parallel.Range(k, 2*float64(k), func(lo, hi int) {
		for j := lo; j < hi; j++ {
			w[j] = s.distance(j, j)
		}
		for i := range k {
			if ctx.Err() != nil {
				return
			}
			d, o, off := s.d[i], s.d[s.origin[i]], s.offset[i]
			for j := lo; j < hi; j++ {
				if j != i {
					w[j] *= ((s.d[j] - o) - off) / (s.d[j] - d)
				}
			}
		}
	})
	if err := Stopped(ctx); err != nil {
		return err
	}
	for j, v := range w {
		s.w[j] = math.Copysign(math.Sqrt(math.Abs(v)), s.w[j])
	}
	return nil
}

// distance is d_j - x_i, to its last digits.
func (s *secular) distance(j, i int) float64 { return (s.d[j] - s.d[s.origin[i]]) - s.offset[i] }

// root is the i-th root.
func (s *secular) root(i int) float64 { return s.d[s.origin[i]] + s.offset[i] }

// vector stores the eigenvector of the i-th root in v.
func (s *secular) vector(v []float64, i int) {
	sum, o, off := 0.0, s.d[s.origin[i]], s.offset[i]
	for j, w := range s.w {
		x := w / ((s.d[j] - o) - off)
		v[j] = x
		sum += x * x
	}
	by := 1 / math.Sqrt(sum)
	for j := range v {
		v[j] *= by
	}
}

// value is f at a point and what steps towards its root take.
type value struct {
	f            float64
	below, above float64 // derivatives of the terms of d_j up to d_i, and of the others
	rounding     float64 // bound on the error of f
}

// at evaluates f at the offset x from an origin, with the terms up to i by themselves.
func (s *secular) at(origin, i int, x float64) value {
	o := s.d[origin]
	sum := func(d, w []float64) (f, slope float64) {
		w = w[:len(d)]
		for j, v := range d {
			t := w[j] / ((v - o) - x)
			f += w[j] * t
			slope += t * t
		}
		return f, slope
	}
	f1, below := sum(s.d[:i+1], s.w[:i+1])
	f2, above := sum(s.d[i+1:], s.w[i+1:])
	return value{
		f: 1/s.rho + f1 + f2, below: below, above: above,
		rounding: epsilon * (8*(math.Abs(f1)+math.Abs(f2)) + 2/s.rho + math.Abs(x)*(below+above)),
	}
}

const mostSteps = 100

// find finds root i, between d_i and d_{i+1}: steps to the root of an interpolation by
// two poles (Li 1994, LAPACK Working Note 89, "the middle way"), held in a bracket.
func (s *secular) find(i int) {
	k := len(s.d)
	last := i == k-1
	left, right := i, i+1 // the poles of the interpolation
	var gap float64
	if last {
		left, right = i-1, i
		norm := 0.0
		for _, w := range s.w {
			norm += w * w
		}
		gap = s.rho * norm
		if k == 1 {
			s.origin[i], s.offset[i] = 0, gap
			return
		}
	} else {
		gap = s.d[right] - s.d[left]
	}
	origin, lo, hi := i, 0.0, gap*(1+4*epsilon)
	x := gap / 2
	v := s.at(origin, left, x)
	switch {
	case v.f >= 0:
		hi = x
	case last:
		lo = x
	default: // nearer to the upper pole
		origin, lo, hi = right, -gap/2, 0
		x = -gap / 2
	}
	p, q := s.d[left]-s.d[origin], s.d[right]-s.d[origin]
	for range mostSteps {
		if math.Abs(v.f) <= v.rounding || hi-lo <= epsilon*max(math.Abs(lo), math.Abs(hi)) {
			break
		}
		step := towards(v, p-x, q-x, last)
		next := x + step
		if !(next > lo && next < hi) {
			next = between(lo, hi)
		}
		if next == x {
			break
		}
		x = next
		if v = s.at(origin, left, x); v.f < 0 {
			lo = x
		} else {
			hi = x
		}
	}
	s.origin[i], s.offset[i] = origin, x
}

// towards is the step to the root of the function c + a/(p - x) + b/(q - x) that agrees
// with f and both its slopes; p and q are the distances of the poles. The root is between
// them, or beyond both.
func towards(v value, p, q float64, beyond bool) float64 {
	c := v.f - p*v.below - q*v.above
	a := (p+q)*v.f - p*q*(v.below+v.above)
	b := p * q * v.f
	root := math.Sqrt(math.Abs(a*a - 4*b*c))
	var step float64
	switch {
	case c == 0:
		step = b / a
	case beyond && a >= 0:
		step = (a + root) / (2 * c)
	case beyond:
		step = 2 * b / (a - root)
	case a <= 0:
		step = (a - root) / (2 * c)
	default:
		step = 2 * b / (a + root)
	}
	if v.f*step >= 0 { // f increases
		step = -v.f / (v.below + v.above)
	}
	return step
}

// between halves a bracket, in the logarithm where its ends are of different size.
func between(lo, hi float64) float64 {
	switch {
	case lo == 0:
		return hi / 16
	case hi == 0:
		return lo / 16
	case lo > 0 && hi > 4*lo || hi < 0 && lo < 4*hi:
		return math.Copysign(math.Sqrt(math.Abs(lo))*math.Sqrt(math.Abs(hi)), lo)
	}
	return lo + (hi-lo)/2
}
