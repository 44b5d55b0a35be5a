package pde

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/solve"
)

// explain says why a steady problem is singular.
func (p *Defined) explain(d *discrete, err error) error {
	if !errors.Is(err, solve.ErrSingular) {
		return err
	}
	for axis, a := range p.grid.axes {
		if k := p.Operator.orderIn(axis); math.Pow(float64(a.Size()), float64(k)) > 1e14 {
			return fmt.Errorf("with %d points in %s rounding leaves no digit of derivatives of order %d (%w); use fewer points", a.Size(), p.Mesh.Names()[axis], k, err)
		}
	}
	n := p.Mesh.Size()
	ones, image, size := make([]float64, n), make([]float64, n), 0.0
	for i := range ones {
		ones[i] = 1
		_, vals := d.orders[0].Row(i)
		size = max(size, floats.Norm(vals, 1))
	}
	d.orders[0].MulVec(image, ones)
	fixed := false
	for _, is := range p.grid.given {
		fixed = fixed || is
	}
	if !fixed && floats.Norm(image, math.Inf(1)) <= 1e-10*size {
		return fmt.Errorf("u is determined up to a constant only: neither the operator nor a condition changes when a constant is added to u; give u on a side (dirichlet), a robin condition, or add a multiple of u to the operator (%w)", solve.ErrSingular)
	}
	return fmt.Errorf("the operator with these conditions has a solution other than zero for f = 0, so u is not unique (%w); change a condition or a coefficient", err)
}

// checkEigenvalue refuses a steady problem with an eigenvalue that the mesh cannot
// tell from zero: the one nearest to zero by inverse iteration, then corrected to
// first order by differences of a higher order of accuracy. If the correction
// brings it to zero, within 5 % of itself, what would be solved is the error of the
// differences.
func (p *Defined) checkEigenvalue(ctx context.Context, d *discrete) error {
	e := p.solver
	n := len(e.free)
	if n < 2 || dominant(e.inside) {
		return nil
	}
	finer, room := *p.grid, math.MaxInt // how far the order can be raised on this mesh
	for axis, a := range p.grid.axes {
		room = min(room, a.Size()-1-p.Operator.orderIn(axis)-p.Order)
	}
	if room < 2 {
		return nil
	}
	finer.strict = true
	finer.order += min(4, room/2*2)
	better, err := finer.discretise(ctx, p.Operator, 0)
	if err != nil {
		return nil // a coefficient that is not finite at the boundary: nothing to compare with
	}
	right, left, ok, err := nearest(ctx, e.factors, restrict(d.forcing, e), n)
	if err != nil || !ok {
		return err
	}
	mass := bilinear(left, restrict(d.forcing, e), right)
	value := bilinear(left, e.inside, right) / mass
	correction := (bilinear(left, restrict(better.orders[0], e), right) - value*bilinear(left, restrict(better.forcing, e), right)) / mass
	if better := value + correction; math.Abs(better) < 0.05*math.Abs(correction) {
		return fmt.Errorf("the operator has an eigenvalue that is zero, or too near for this mesh to tell (%.3g with these differences, %.1g with better ones), so u is not unique; change a coefficient a little, or refine the mesh", value, better)
	}
	return nil
}

// dominant reports whether every row has a positive diagonal, no other positive
// entry and a sum that is not negative: then the smallest eigenvalue has been found
// not to be zero, and no wave is resonant.
func dominant(m *linop.Sparse) bool {
	n, _ := m.Dims()
	for i := range n {
		cols, vals := m.Row(i)
		sum, size := 0.0, 0.0
		for k, j := range cols {
			if (j == i) != (vals[k] > 0) {
				return false
			}
			sum += vals[k]
			size = max(size, vals[k])
		}
		if sum < -1e-12*size {
			return false
		}
	}
	return true
}

// nearest returns the right and left eigenvectors of (K, S) for the eigenvalue
// nearest to zero. ok is false when iterating does not settle on one, which then is
// not much nearer to zero than others.
func nearest(ctx context.Context, k *solve.Factorisation, s *linop.Sparse, n int) (right, left []float64, ok bool, err error) {
	right, left = make([]float64, n), make([]float64, n)
	for i := range right {
		right[i] = 1 + math.Sin(float64(i+1))/2 // no symmetry that an eigenvector might lack
		left[i] = right[i]
	}
	next, size := make([]float64, n), 0.0
	for range 30 {
		s.MulVec(next, right)
		if err := k.SolveVector(ctx, next); err != nil {
			return nil, nil, false, err
		}
		right, next = next, right
		grown := floats.Norm(right, 2)
		s.ApplyTranspose(ctx, next, left)
		if err := k.SolveVectorTransposed(ctx, next); err != nil {
			return nil, nil, false, err
		}
		left, next = next, left
		floats.Scale(1/grown, right)
		floats.Scale(1/floats.Norm(left, 2), left)
		if math.Abs(grown-size) < 1e-4*grown {
			return right, left, true, nil
		}
		size = grown
	}
	return nil, nil, false, nil
}

// restrict is the part of a matrix in the free rows and columns.
func restrict(m *linop.Sparse, e *elimination) *linop.Sparse {
	r, _ := m.Dims()
	place := make([]int, r)
	for _, j := range e.fixed {
		place[j] = -1
	}
	for k, j := range e.free {
		place[j] = k
	}
	var entries []linop.Entry
	for r, i := range e.freeRow {
		cols, vals := m.Row(i)
		for k, j := range cols {
			if place[j] >= 0 {
				entries = append(entries, linop.Entry{Row: r, Col: place[j], Value: vals[k]})
			}
		}
	}
	return linop.NewSparse(len(e.free), len(e.free), entries)
}

// bilinear is xᵀ M y.
func bilinear(x []float64, m *linop.Sparse, y []float64) float64 {
	image := make([]float64, len(x))
	m.MulVec(image, y)
	return floats.Dot(x, image)
}
