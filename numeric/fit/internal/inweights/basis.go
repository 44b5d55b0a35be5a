package inweights

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/lattice"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/fit/internal/bases"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
)

// suited returns the system with the bases of its preconditioner that suit λ. Taking an
// operator for its diagonal says that its determinant is the product of this, which is
// never less (Hadamard), and equal where the basis diagonalises it: of several bases the
// one of the least product is nearest. Those are
//
//   - the eigenvectors of the kernel on each axis, in which K̃ is nearly diagonal but 𝒜ᵀ𝒜 not:
//     good where the kernel's eigenvalues span more decades than those of the inputs;
//   - the eigenvectors of the inputs' covariance, in which 𝒜ᵀ𝒜 is diagonal but K̃ not. What the
//     inputs hardly excite, compared with λ, is one space in which these are arbitrary:
//     there they are those of the kernel.
//
// Axes that the constraint exchanges have the same basis.
func (w *Space) suited(ctx context.Context, s *problem.Setting) (*Space, error) {
	vx, err := w.inputBases(ctx, s)
	if vx == nil || err != nil {
		return w, err
	}
	vy := append(linop.AxisBasis{}, w.vy...)
	for k, to := range w.G.Exchanged() {
		if first := len(vx); k >= first && to < first {
			vy[k-first] = vx[to]
		}
	}
	other := *w
	if err := other.diagonalIn(ctx, vx, vy); err != nil || !(other.logDiagonal() < w.logDiagonal()) {
		return w, err
	}
	return &other, nil
}

// diagonalIn takes other bases of the inputs and outputs, with the diagonals κ and ν in them.
func (w *Space) diagonalIn(ctx context.Context, vx, vy linop.AxisBasis) (err error) {
	w.vx, w.vy, w.coupling = vx, vy, nil
	sx, sy := bases.Weighted(vx, w.G.X().Axes()), bases.Weighted(vy, w.G.Y().Axes())
	if w.kappa, err = diagonalForms(ctx, w.K, sy, sx.Matrix()); err != nil {
		return err
	}
	bases.AtLeastZero(w.kappa)
	if w.nu, err = w.resp.Energies(ctx, gram.Basis(vx).Matrix(), gram.Basis(vy), w.G.LastAxisMask()); err != nil {
		return err
	}
	w.G.AverageModes(w.nu)
	w.nu.Scale(w.share(), w.nu)
	return nil
}

// logDiagonal is the logarithm of the product of the preconditioner's diagonal.
func (w *Space) logDiagonal() float64 {
	sum, kappa := 0.0, w.kappa.RawMatrix().Data
	for i, nu := range w.nu.RawMatrix().Data {
		sum += math.Log(nu*kappa[i] + w.Lambda)
	}
	return sum
}

// hardly are the bounds that are tried, in units of λ over the largest eigenvalue of K̃, below
// which the inputs excite a direction hardly.
var hardly = []float64{1, 30, 1000}

// inputBases are bases by the inputs' covariance, one for each axis of the inputs; nil where
// there are none that promise more than those of the kernel.
func (w *Space) inputBases(ctx context.Context, s *problem.Setting) (linop.AxisBasis, error) {
	marginal, ok := w.resp.(interface {
		Marginal(ctx context.Context, before, n, after int) *mat.Dense
	})
	if !ok {
		return nil, nil
	}
	g, size := w.G, 1
	at, k := lattice.Centre(g.X(), g.Y()), g.Kernel(s.Kernel)
	first, top, promising := 0, mat.Max(w.kappa), false
	out := append(linop.AxisBasis{}, w.vx...)
	for i, a := range g.X().Axes() {
		n := a.Size()
		c := marginal.Marginal(ctx, size, n, g.X().Size()/size/n)
		size *= n
		form, err := bases.Form(ctx, kernels.Restrict(k, g.Space(), first, first+a.Dim(), at), a)
		if err != nil {
			return nil, err
		}
		first += a.Dim()
		axis := oneAxis{c: c, k: form, lambda: w.Lambda, top: top}
		v, better, err := axis.best(ctx, w.vx[i])
		if err != nil {
			return nil, err
		}
		out[i], promising = v, promising || better
	}
	if !promising {
		return nil, linop.Stopped(ctx)
	}
	return out, linop.Stopped(ctx)
}

// oneAxis is the inputs' covariance and the kernel on one axis, the others standing for the
// largest of their eigenvalues.
type oneAxis struct {
	c, k        *mat.Dense
	lambda, top float64 // of K̃ on all axes
}

// best is the best basis for one axis, and whether that is another one than v, of the kernel's
// eigenvectors.
func (o oneAxis) best(ctx context.Context, v *mat.Dense) (*mat.Dense, bool, error) {
	best, kernels := v, o.forms(ctx, v, o.k)
	unit := o.top / max(kernels[len(kernels)-1], math.SmallestNonzeroFloat64)
	least, better := o.logDiagonal(ctx, v, unit), false
	values, e, err := linop.Eigen(ctx, o.c)
	if err != nil {
		return nil, false, err
	}
	n, before := len(values), -1
	for _, by := range hardly {
		bound, cut := by*o.lambda/o.top, 0
		for cut < n && values[cut] <= bound {
			cut++
		}
		if cut == before || cut == n {
			continue
		}
		before = cut
		b := mat.DenseCopyOf(e)
		if cut > 0 {
			hidden := e.Slice(0, n, 0, cut)
			_, turn, err := linop.Eigen(ctx, linop.Sandwich(ctx, mat.DenseCopyOf(hidden), o.k))
			if err != nil {
				return nil, false, err
			}
			b.Slice(0, n, 0, cut).(*mat.Dense).Copy(linop.Product(ctx, hidden, turn))
		}
		if l := o.logDiagonal(ctx, b, unit); l < least {
			best, least, better = b, l, true
		}
	}
	return best, better, linop.Stopped(ctx)
}

func (o oneAxis) logDiagonal(ctx context.Context, v *mat.Dense, unit float64) float64 {
	sum, kernels := 0.0, o.forms(ctx, v, o.k)
	for i, c := range o.forms(ctx, v, o.c) {
		sum += math.Log(max(c*kernels[i]*unit, 0) + o.lambda)
	}
	return sum
}

// forms are ⟨v_i, A v_i⟩ for the columns v_i.
func (o oneAxis) forms(ctx context.Context, v, a *mat.Dense) []float64 {
	n, cols := v.Dims()
	av, out := linop.Product(ctx, a, v), make([]float64, cols)
	for i := range n {
		for j, x := range av.RawRowView(i) {
			out[j] += x * v.At(i, j)
		}
	}
	return out
}

// diagonalForms are ⟨b_i, C_k b_i⟩ of the diagonal C of a kernel in the output vectors v.
func diagonalForms(ctx context.Context, k gram.Product, v gram.Basis, b *mat.Dense) (*mat.Dense, error) {
	d, err := k.Diagonal(ctx, v)
	if err != nil {
		return nil, err
	}
	return d.Forms(ctx, b)
}
