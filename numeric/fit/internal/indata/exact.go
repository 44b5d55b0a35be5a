package indata

import (
	"context"
	"fmt"
	"math"
	"sort"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/linop"
)

// exactCriteria is that of a system in its bases; weighted is dy^½ V.
func (sys *System) exactCriteria(ctx context.Context, weighted gram.Basis) (*criteria.Exact, error) {
	x := &criteria.Exact{
		T: sys.T.RawMatrix().Data, RSS0: sys.RSS0, Outputs: float64(sys.outputs()), Width: sys.My,
		P: sys.P, Unexplained: sys.Unexplained, Pairs: criteria.Each(sys.N, sys.My), Contrast: sys.Flat,
	}
	var err error
	if sys.Core != nil && sys.Core.factor != nil {
		x.Root, err = mat.DenseCopyOf(sys.Core.factor.T()), linop.Stopped(ctx)
	} else {
		x.Green, err = sys.greenMatrix(ctx)
	}
	if err != nil || sys.Q == nil {
		return x, err
	}
	form, err := sys.biasForm(ctx, weighted)
	if err != nil {
		return nil, err
	}
	root, err := linop.SquareRoot(ctx, form, 1)
	if err != nil {
		return nil, fmt.Errorf("bias: %w", err)
	}
	_, cols := sys.B.Dims()
	x.Bias = mat.NewDense(len(x.T), sys.My, nil)
	for i := range len(x.T) {
		floats.AddScaled(x.Bias.RawRowView(i), sys.B.At(i/sys.My, cols-1), root.RawRowView(i%sys.My))
	}
	return x, nil
}

// greenMatrix is the part of G of S K̄ Sᵀ at λ = 1: from the core where the operator is
// held in one, otherwise by as many products as it has rows.
func (sys *System) greenMatrix(ctx context.Context) (*mat.Dense, error) {
	if sys.Core != nil && sys.Core.matrix != nil {
		return mat.DenseCopyOf(sys.Core.matrix), nil
	}
	if sys.Core != nil {
		return kroneckerMatrix(ctx, sys.Core.green)
	}
	alone := *sys
	alone.Lambda, alone.Q = 1, nil
	r, cols := sys.B.Dims()
	if sys.Q != nil {
		cols--
	}
	alone.B = sys.B.Slice(0, r, 0, cols).(*mat.Dense)
	return gram.MatrixOf(ctx, len(sys.T.RawMatrix().Data), sys.Mx*sys.My, alone.ApplyKernel)
}

// diagonalSamples is how many entries of a diagonal are checked by products, of small
// systems.
const diagonalSamples = 16

// diagonal is that of S K̄ Sᵀ + I at λ and ρ, nil where it is not known: D is it unless it
// comes from a rough form of the kernel, which shows in the smallest entries first.
func (sys *System) diagonal(ctx context.Context, m *Preconditioner, lambda, rho float64) []float64 {
	at := *sys
	at.Lambda, at.Rho = lambda, rho
	d := m.At(lambda, rho).D
	e, he := make([]float64, len(d)), make([]float64, len(d))
	for _, i := range sampled(d) {
		e[i] = 1
		at.Apply(ctx, he, e)
		e[i] = 0
		if math.Abs(he[i]-d[i]) > 1e-6*d[i] {
			return nil
		}
	}
	return d
}

// sampled are places in a diagonal: small entries and some of all sizes, or the smallest
// and the one in the middle of a large one, where a product takes as long as a step of the
// solve.
func sampled(d []float64) (places []int) {
	if len(d) > criteria.FewUnknowns {
		return []int{floats.MinIdx(d), len(d) / 2}
	}
	order := make([]int, len(d))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(i, j int) bool { return d[order[i]] < d[order[j]] })
	for k := range min(diagonalSamples, len(d)) {
		i := order[k/2]
		if k%2 == 1 {
			i = order[k*(len(d)-1)/diagonalSamples]
		}
		places = append(places, i)
	}
	return places
}

// kroneckerMatrix is the matrix of a sum of Kronecker products of square matrices.
func kroneckerMatrix(ctx context.Context, s *linop.KroneckerSum) (*mat.Dense, error) {
	n, _ := s.Dims()
	r, _ := s.Left(0).Dims()
	my := n / r
	right := mat.NewDense(s.Terms(), my*my, nil)
	for q := range s.Terms() {
		mat.NewDense(my, my, right.RawRowView(q)).Copy(s.Right(q))
	}
	m := mat.NewDense(n, n, nil)
	err := kernels.Rows(ctx, r, 0.05*float64(r)*float64(s.Terms())*float64(my*my), func(i int) {
		left, blocks := mat.NewDense(r, s.Terms(), nil), mat.NewDense(r, my*my, nil)
		for q := range s.Terms() {
			a := s.Left(q)
			for j := range r {
				left.Set(j, q, a.At(i, j))
			}
		}
		_ = linop.MulContext(ctx, blocks, left, right)
		for j := range r {
			for k := range my {
				copy(m.RawRowView(i*my + k)[j*my:(j+1)*my], blocks.RawRowView(j)[k*my:])
			}
		}
	})
	return m, err
}
