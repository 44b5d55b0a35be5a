package linop

import (
	"context"
	"math"
	"sort"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/internal/numeric/parallel"
	"github.com/greenbench/workbench/internal/numeric/simd"
)

const (
	smallestDivided = 32  // rows of tridiagonal matrices that are not divided
	chunkOfRoots    = 256 // eigenvectors that are computed together
)

// conquer replaces the diagonal d of a symmetric tridiagonal matrix with neighbours e by
// its eigenvalues, increasing, and stores eigenvectors in the rows of z: by dividing it
// into two and a matrix of rank one (Cuppen 1981, Numer. Math. 36; Gu & Eisenstat 1995,
// SIAM J. Matrix Anal. Appl. 16). O(n³) at most, in matrix products.
func conquer(ctx context.Context, d, e []float64, z simd.Matrix) error {
	c := &conqueror{ctx: ctx, d: d, e: e, z: z, room: make([]float64, len(d)*len(d))}
	return c.solve(0, len(d))
}

type conqueror struct {
	ctx  context.Context
	d, e []float64
	z    simd.Matrix
	room []float64 // as large as z
}

// solve treats rows lo … hi-1.
func (c *conqueror) solve(lo, hi int) error {
	block := part(c.z, lo, hi, lo, hi)
	if hi-lo <= smallestDivided {
		e := append([]float64(nil), c.e[lo:hi]...)
		e[len(e)-1] = 0
		for i := range hi - lo {
			row(block, i)[i] = 1
		}
		if err := implicitQL(c.ctx, c.d[lo:hi], e, block); err != nil {
			return err
		}
		sortRows(c.d[lo:hi], block)
		return nil
	}
	mid := (lo + hi) / 2
	link := c.e[mid-1]
	c.d[mid-1] -= math.Abs(link)
	c.d[mid] -= math.Abs(link)
	if err := c.solve(lo, mid); err != nil {
		return err
	}
	if err := c.solve(mid, hi); err != nil {
		return err
	}
	m := newMerger(c.d[lo:hi], block, mid-lo, link)
	return m.merge(c.ctx, c.room)
}

// merger finds the eigenvalues and eigenvectors of Z diag(d) Zᵀ + rho w wᵀ for the
// block-diagonal Z of the eigenvectors of two parts.
type merger struct {
	d     []float64
	z     simd.Matrix
	cut   int       // rows of the first part
	w     []float64 // in the basis of Z, of norm one
	rho   float64
	kept  []int // rows that take part, by increasing d
	gone  []int // rows that are eigenvectors already
	where []side
}

// side says in which part a row of Z is not zero.
type side int

const (
	first side = iota
	both
	second
)

func newMerger(d []float64, z simd.Matrix, cut int, link float64) *merger {
	n := len(d)
	m := &merger{d: d, z: z, cut: cut, w: make([]float64, n), rho: 2 * math.Abs(link), where: make([]side, n)}
	for i := range cut {
		m.w[i] = row(z, i)[cut-1] * math.Sqrt2 / 2
	}
	for i := cut; i < n; i++ {
		m.w[i], m.where[i] = math.Copysign(math.Sqrt2/2, link)*row(z, i)[cut], second
	}
	m.deflate()
	return m
}

// deflate sets rows aside that are eigenvectors to rounding: those with no part in w,
// and one of each two with the same d, after a rotation.
func (m *merger) deflate() {
	order := make([]int, len(m.d))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(i, j int) bool { return m.d[order[i]] < m.d[order[j]] })
	largest := 0.0
	for i, v := range m.d {
		largest = max(largest, math.Abs(v), math.Abs(m.w[i]))
	}
	tol := 8 * epsilon * largest
	last := -1
	for _, j := range order {
		if m.rho*math.Abs(m.w[j]) <= tol {
			m.gone = append(m.gone, j)
			continue
		}
		if last >= 0 {
			s, c := m.w[last], m.w[j]
			size := math.Hypot(s, c)
			apart := m.d[j] - m.d[last]
			c, s = c/size, s/size
			if math.Abs(apart*c*s) <= tol {
				turn(row(m.z, last), row(m.z, j), c, s)
				m.w[last], m.w[j] = 0, size
				if m.where[last] != m.where[j] {
					m.where[last], m.where[j] = both, both
				}
				m.d[last], m.d[j] = m.d[last]*c*c+m.d[j]*s*s, m.d[last]*s*s+m.d[j]*c*c
				m.gone, m.kept = append(m.gone, last), m.kept[:len(m.kept)-1]
			}
		}
		m.kept, last = append(m.kept, j), j
	}
}

// merge stores the eigenvalues in d and the eigenvectors in the rows of z, both
// increasing.
func (m *merger) merge(ctx context.Context, room []float64) error {
	n, k := len(m.d), len(m.kept)
	s := secular{rho: m.rho, d: make([]float64, k), w: make([]float64, k)}
	for i, at := range m.kept {
		s.d[i], s.w[i] = m.d[at], m.w[at]
	}
	if err := s.solve(ctx); err != nil {
		return err
	}
	values := make([]float64, n)
	for i := range k {
		values[i] = s.root(i)
	}
	for i, at := range m.gone {
		values[k+i] = m.d[at]
	}
	place := places(values)
	for i, v := range values {
		m.d[place[i]] = v
	}
	// Rows that take part by their sides, then the others.
	aside := simd.Dense(n, n, room[:n*n])
	var columns []int // the root's component that a row takes
	var count [3]int
	for _, side := range []side{first, both, second} {
		for i, at := range m.kept {
			if m.where[at] == side {
				copy(row(aside, len(columns)), row(m.z, at))
				columns = append(columns, i)
				count[side]++
			}
		}
	}
	for i, at := range m.gone {
		copy(row(aside, k+i), row(m.z, at))
	}
	for i := range m.gone {
		copy(row(m.z, place[k+i]), row(aside, k+i))
	}
	top, bottom := count[first]+count[both], count[first]
	components := simd.Dense(min(k, chunkOfRoots), k, make([]float64, min(k, chunkOfRoots)*k))
	turned := simd.Dense(components.Rows, n, make([]float64, components.Rows*n))
	for lo := 0; lo < k; lo += chunkOfRoots {
		hi := min(lo+chunkOfRoots, k)
		parallel.Range(hi-lo, 2*float64(k), func(from, to int) {
			v := make([]float64, k)
			for i := from; i < to; i++ {
				s.vector(v, lo+i)
				out := row(components, i)
				for q, at := range columns {
					out[q] = v[at]
				}
			}
		})
		rows := hi - lo
		if err := gemm(ctx, vector.GemmParallel, 1, part(components, 0, rows, 0, top), part(aside, 0, top, 0, m.cut), 0, part(turned, 0, rows, 0, m.cut)); err != nil {
			return err
		}
		if err := gemm(ctx, vector.GemmParallel, 1, part(components, 0, rows, bottom, k), part(aside, bottom, k, m.cut, n), 0, part(turned, 0, rows, m.cut, n)); err != nil {
			return err
		}
		for i := range rows {
			copy(row(m.z, place[lo+i]), row(turned, i))
		}
	}
	return nil
}

// places returns where each value comes in increasing order.
func places(values []float64) []int {
	sorted, order, place := append([]float64(nil), values...), make([]int, len(values)), make([]int, len(values))
	floats.Argsort(sorted, order)
	for p, i := range order {
		place[i] = p
	}
	return place
}
