package posterior

import (
	"context"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
)

// factoredKernel is a kernel Σ L_q ⊗ R_q from the meshes of the data to those of targets.
type factoredKernel interface {
	linop.Operator
	Terms() int
	Left(q int) mat.Matrix
	Right(q int) mat.Matrix
}

// fromFactors are the covariances of targets with directions of complete data. Direction (i, k) stands for weights that
// are an outer product, b_i of the input and v_k of the output, so its covariances are Σ (W L_q b_i)(R_q v_k)ᵀ: each
// factor is multiplied once, and a direction costs terms × targets.
type fromFactors struct {
	my    int          // modes
	of    int          // points of the output of the targets
	left  []*mat.Dense // by input i: functionals × terms
	right []*mat.Dense // by mode k: terms × points of the output
	row   []float64    // of the bias, by input; nil: it has no part
	bias  *mat.Dense   // modes × points of the output
}

// newFromFactors returns nil where the kernel has no factors, or the data are not complete. bias is that between the points.
func (p *Posterior) newFromFactors(ctx context.Context, to linop.Operator, t targets, bias *mat.Dense) (*fromFactors, error) {
	k, factored := to.(factoredKernel)
	d, complete := p.Regression.(problem.Complete)
	if !factored || !complete {
		return nil, nil
	}
	in, rdy, _ := d.RowsOf(ctx)
	r, cols := in.Dims()
	f := &fromFactors{my: len(rdy), of: t.ys.Size(), left: make([]*mat.Dense, r), right: make([]*mat.Dense, len(rdy))}
	modes := d.Modes(ctx)
	for i := range f.left {
		f.left[i] = mat.NewDense(t.count(), k.Terms(), nil)
	}
	for i := range f.right {
		f.right[i] = mat.NewDense(k.Terms(), t.ys.Size(), nil)
	}
	for q := range k.Terms() {
		left := linop.Product(ctx, k.Left(q), in.Slice(0, r, 0, p.x.Size()).T())
		if t.weights != nil {
			left = linop.Product(ctx, t.weights, left)
		}
		right := linop.Product(ctx, modes, k.Right(q).T())
		if err := linop.Stopped(ctx); err != nil {
			return nil, err
		}
		left.Scale(1/p.at.Lambda, left)
		for i, own := range f.left {
			own.SetCol(q, mat.Col(nil, i, left))
		}
		for i, own := range f.right {
			own.SetRow(q, right.RawRowView(i))
		}
	}
	if bias != nil {
		f.row, f.bias = mat.Col(nil, cols-1, in), linop.Product(ctx, modes, bias.T())
	}
	return f, linop.Stopped(ctx)
}

// covariances are those of data entry j with all targets, functionals × points of the output.
func (f *fromFactors) covariances(ctx context.Context, j int) *mat.Dense {
	out := linop.Product(ctx, f.left[j/f.my], f.right[j%f.my])
	if f.bias != nil {
		n, _ := out.Dims()
		for c := range n {
			floats.AddScaled(out.RawRowView(c), f.row[j/f.my], f.bias.RawRowView(j%f.my))
		}
	}
	return out
}

// with is those of target i with all data.
func (f *fromFactors) with(ctx context.Context, i int) []float64 {
	on := i % f.of
	i /= f.of
	terms, _ := f.right[0].Dims()
	left, right := mat.NewDense(len(f.left), terms, nil), mat.NewDense(terms, f.my, nil)
	for r, own := range f.left {
		left.SetRow(r, own.RawRowView(i))
	}
	for k, own := range f.right {
		right.SetCol(k, mat.Col(nil, on, own))
	}
	out := linop.Product(ctx, left, right)
	if f.bias != nil {
		b := mat.Col(nil, on, f.bias)
		for r, v := range f.row {
			floats.AddScaled(out.RawRowView(r), v, b)
		}
	}
	return out.RawMatrix().Data
}

// columns stores a column of S K̄ Sᵀ + I, at less than a product with it costs; nil where nothing does.
func (p *Posterior) columns() func(ctx context.Context, dst []float64, j int) {
	if d, complete := p.Regression.(problem.Complete); complete {
		return d.Columns(p.at)
	}
	return nil
}
