package posterior

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/linop"
)

// Bands where so many directions of complete data matter that their covariance is not worth factoring, as of kernels that are
// rough and no product: the directions that weigh most, the head, are coupled to all, and the others, the tail, only to the head.
// With A = S K̄ Sᵀ + I in these directions,
//
//	Â = ( A_HH  A_HT )
//	    ( A_TH   M   )
//
// is an arrow for a diagonal M. For M - A_TT that is not negative Â is not less than A, so that bands can only become wider.
// M is s times the diagonal of A_TT, and s the largest eigenvalue of A_TT scaled by that. Eliminating the tail,
//
//	⟨h, Â⁻¹ h⟩ = ⟨h_T, M⁻¹ h_T⟩ + ⟨f, (A_HH - A_HT M⁻¹ A_TH)⁻¹ f⟩,  f = h_H - A_HT M⁻¹ h_T:
//
// the covariances of targets with one direction of the data each, and a triangular solve as long as the head is. By how much that
// is too wide is seen where some targets are computed by themselves.

const (
	mostHead     = 4000
	mostRows     = 1e8 // numbers of the head on all data: 800 MB
	tailTogether = 256 // directions whose covariances are held at a time
	stripOfHead  = 256
)

// arrow is Â factored.
type arrow struct {
	conditioned
	p *Posterior

	head  []int
	extra []float64 // one more direction of the head: what no direction has of the data of the free constant; nil: nothing
	tail  []int
	m     []float64  // of the tail, by direction; 0 for others
	rows  *mat.Dense // e_H - M⁻¹ A_TH: head × data
}

// newArrow is that whose head weighs more than a weight; nil where it is too long.
func (p *Posterior) newArrow(ctx context.Context, t targets, diagonal []float64, weight float64) (*arrow, error) {
	n := len(diagonal)
	a := &arrow{p: p, m: make([]float64, n)}
	a.least = leastDirected
	for j, v := range diagonal {
		switch {
		case v-1 > weight:
			a.head = append(a.head, j)
		case v-1 > leastWeight:
			a.tail = append(a.tail, j)
			a.m[j] = v
		}
	}
	k, count := float64(len(a.head)), float64(t.count()*t.ys.Size())
	values := float64(t.xs.Size() * t.ys.Size())
	if len(a.head) > mostHead || k*float64(n) > mostRows || dense.CheckSize("std:", k*float64(n)+3*k*k+k*count+tailTogether*(count+values)) != nil {
		return nil, nil
	}
	a.setExtra()
	largest, err := a.largestOfTail(ctx)
	if err != nil {
		return nil, err
	}
	floats.Scale(largest, a.m)
	return a, a.make(ctx)
}

// setExtra takes what no direction has of the data of the free constant as one more of the head.
func (a *arrow) setExtra() {
	flat, _ := a.p.Constants()
	if flat == nil {
		return
	}
	e := slices.Clone(flat)
	for _, j := range a.head {
		e[j] = 0
	}
	for _, j := range a.tail {
		e[j] = 0
	}
	if size := floats.Norm(e, 2); size > leastExtra {
		floats.Scale(1/size, e)
		a.extra = e
	}
}

// heads is how long the head is.
func (a *arrow) heads() int {
	if a.extra != nil {
		return len(a.head) + 1
	}
	return len(a.head)
}

// tailShare is by what part of the width of its spectrum the largest eigenvalue of the tail may be more than Lanczos' method finds
// from a random vector: with a probability of 4e-7 for 10⁴ data (as lanczosSteps says).
const tailShare = 1. / 9

// largestOfTail bounds the eigenvalues of A_TT, its diagonal scaled to ones.
func (a *arrow) largestOfTail(ctx context.Context) (float64, error) {
	n := len(a.m)
	v, smallest := make([]float64, n), 1.0
	draw := rand.New(rand.NewPCG(1, 6))
	root := make([]float64, n)
	for _, j := range a.tail {
		v[j], root[j] = draw.NormFloat64(), 1/math.Sqrt(a.m[j])
		smallest = min(smallest, 1/a.m[j])
	}
	values, err := lanczos(ctx, v, lanczosSteps, func(v []float64) ([]float64, error) {
		in, out := make([]float64, n), make([]float64, n)
		floats.MulTo(in, v, root)
		a.p.a.Apply(ctx, out, in)
		floats.Mul(out, root)
		return out, linop.Stopped(ctx)
	})
	if len(values) == 0 || err != nil {
		return 1, err
	}
	largest := slices.Max(values)
	return largest + tailShare*(largest-smallest), nil
}

// make eliminates the tail.
func (a *arrow) make(ctx context.Context) error {
	k, n := a.heads(), len(a.m)
	a.rows = mat.NewDense(k, n, nil)
	head := mat.NewSymDense(k, nil)
	column := a.p.columns()
	err := gram.EachProduct(ctx, k, n, func(i int) {
		row := a.rows.RawRowView(i)
		if i < len(a.head) && column != nil {
			column(ctx, row, a.head[i])
		} else {
			a.p.a.Apply(ctx, row, a.direction(i))
		}
		for c, v := range a.ofHead(row) {
			if c >= i {
				head.SetSym(i, c, v)
			}
		}
		for j, m := range a.m { // A_TH over the root of M
			if row[j] = row[j] / math.Sqrt(m); m == 0 {
				row[j] = 0
			}
		}
	})
	if err != nil {
		return fmt.Errorf("std: %w", err)
	}
	for lo := 0; lo < k; lo += stripOfHead {
		hi := min(lo+stripOfHead, k)
		strip := linop.Product(ctx, a.rows.Slice(lo, hi, 0, n), a.rows.Slice(lo, k, 0, n).T())
		for i := lo; i < hi; i++ {
			for c := i; c < k; c++ {
				head.SetSym(i, c, head.At(i, c)-strip.At(i-lo, c-lo))
			}
		}
		if err := linop.Stopped(ctx); err != nil {
			return fmt.Errorf("std: %w", err)
		}
	}
	for i := range k {
		row := a.rows.RawRowView(i)
		for j, m := range a.m {
			if m > 0 {
				row[j] /= -math.Sqrt(m)
			}
		}
		if i < len(a.head) {
			row[a.head[i]] = 1
		} else {
			floats.Add(row, a.extra)
		}
	}
	if a.factor, err = linop.Cholesky(ctx, head); err != nil {
		if errors.Is(err, linop.ErrNotPositive) { // rounding leaves no factor
			a.factor = nil
			return linop.Stopped(ctx)
		}
		return fmt.Errorf("std: %w", err)
	}
	return a.setConstant(ctx)
}

// direction is the data of direction i of the head.
func (a *arrow) direction(i int) []float64 {
	if i == len(a.head) {
		return a.extra
	}
	e := make([]float64, len(a.m))
	e[a.head[i]] = 1
	return e
}

// ofHead is the components of data in the head.
func (a *arrow) ofHead(data []float64) []float64 {
	out := make([]float64, len(a.head), a.heads())
	for i, j := range a.head {
		out[i] = data[j]
	}
	if a.extra != nil {
		out = append(out, floats.Dot(a.extra, data))
	}
	return out
}

// reduced is the data of columns, what of them is left to the head after the tail, and the squared lengths of their tails over M.
func (a *arrow) reduced(ctx context.Context, data *mat.Dense) (head *mat.Dense, tails []float64) {
	head = linop.Product(ctx, a.rows, data)
	_, count := data.Dims()
	tails = make([]float64, count)
	for _, j := range a.tail {
		for i, v := range data.RawRowView(j) {
			tails[i] += v * v / a.m[j]
		}
	}
	return head, tails
}

// setConstant solves for the free constant.
func (a *arrow) setConstant(ctx context.Context) error {
	e := a.p.dataOfConstant()
	if e == nil {
		return nil
	}
	x, energies, err := a.solve(ctx, mat.NewDense(len(e), 1, e))
	if err != nil {
		return err
	}
	a.constant = &constant{me: mat.Col(nil, 0, x), size: energies[0]}
	return linop.Stopped(ctx)
}

// solve is Â⁻¹ h for each column h of data, and ⟨h, Â⁻¹ h⟩.
func (a *arrow) solve(ctx context.Context, data *mat.Dense) (x *mat.Dense, energies []float64, err error) {
	head, energies := a.reduced(ctx, data)
	var solved mat.Dense
	if err := a.factor.SolveTo(&solved, head); err != nil && !isCondition(err) {
		return nil, nil, fmt.Errorf("std: %w", err)
	}
	x = linop.Product(ctx, a.rows.T(), &solved)
	for _, j := range a.tail {
		floats.AddScaled(x.RawRowView(j), 1/a.m[j], data.RawRowView(j))
	}
	for i := range energies {
		energies[i] += mat.Dot(head.ColView(i), solved.ColView(i))
	}
	return x, energies, linop.Stopped(ctx)
}
