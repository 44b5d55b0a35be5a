package inweights

import (
	"context"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/lattice"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/fit/internal/bases"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
	"github.com/greenbench/workbench/numeric/kernel"
)

// precondition sets ν, κ and the bases up.
func (w *Space) precondition(ctx context.Context, s *problem.Setting) error {
	g := w.G
	at, k := lattice.Centre(g.X(), g.Y()), g.Kernel(s.Kernel)
	vx, _, err := bases.OfAxes(ctx, k, g.Space(), at, g.X().Axes(), 0)
	if err != nil {
		return err
	}
	vy, _, err := bases.OfOutput(ctx, k, g.Space(), at, g.Y())
	if err != nil {
		return err
	}
	if err := w.diagonalIn(ctx, vx, vy); err != nil {
		return err
	}
	if w.Q == nil {
		return nil
	}
	y := s.Data.OutputMesh
	var sq gram.Basis
	q := s.Bias
	if w.vq, sq, err = bases.OfAxes(ctx, q, kernel.Space{Names: y.Names()}, lattice.Centre(y), y.Axes(), 0); err != nil {
		return err
	}
	one := mat.NewDense(1, 1, []float64{1})
	qd, err := diagonalForms(ctx, w.Q, sq, one)
	if err != nil {
		return err
	}
	w.qd = qd.RawRowView(0)
	return nil
}

// weightPreconditioner is the right preconditioner.
type weightPreconditioner struct{ *Space }

// Apply implements linop.Operator.
func (p weightPreconditioner) Apply(ctx context.Context, dst, x []float64) {
	w := p.Space
	cut := w.G.Size()
	v := dst[:cut]
	copy(dst, x)
	all := append(append(linop.AxisBasis{}, w.vx...), w.vy...)
	all.Forward(ctx, v)
	w.coupling.apply(v, func() {
		nu, kappa := w.nu.RawMatrix().Data, w.kappa.RawMatrix().Data
		for i := range v {
			v[i] /= nu[i]*kappa[i] + w.Lambda
		}
	})
	all.Backward(ctx, v)
	w.G.Average(v)
	if w.Q == nil {
		return
	}
	b := dst[cut:]
	w.vq.Forward(ctx, b)
	c2 := w.share() * floats.Dot(w.c, w.c)
	for i, q := range w.qd {
		b[i] /= c2*max(q, 0) + w.Rho
	}
	w.vq.Backward(ctx, b)
}
