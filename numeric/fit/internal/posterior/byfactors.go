package posterior

import (
	"context"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/fit/internal/indata"
	"github.com/greenbench/workbench/numeric/internal/linop"
	"github.com/greenbench/workbench/numeric/mesh"
)

// targets are values of G on xs × ys or, for rows of weights, sums of them over xs, with β.
type targets struct {
	xs, ys  mesh.Mesh
	weights *mat.Dense // nil: values of G
}

// count is how many functionals there are for each point of ys.
func (t targets) count() int {
	if t.weights == nil {
		return t.xs.Size()
	}
	n, _ := t.weights.Dims()
	return n
}

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
	d, complete := p.Regression.(*indata.Problem)
	if !factored || !complete {
		return nil, nil
	}
	sys := d.Sys
	r, cols := sys.B.Dims()
	f := &fromFactors{my: sys.My, of: t.ys.Size(), left: make([]*mat.Dense, r), right: make([]*mat.Dense, sys.My)}
	modes := sys.Modes(ctx)
	for i := range f.left {
		f.left[i] = mat.NewDense(t.count(), k.Terms(), nil)
	}
	for i := range f.right {
		f.right[i] = mat.NewDense(k.Terms(), t.ys.Size(), nil)
	}
	for q := range k.Terms() {
		left := linop.Product(ctx, k.Left(q), sys.B.Slice(0, r, 0, sys.Mx).T())
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
		f.row, f.bias = mat.Col(nil, cols-1, sys.B), linop.Product(ctx, modes, bias.T())
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

// columns is what stores a column of S K̄ Sᵀ + I for complete data whose core is a sum of products, at terms operations for each
// entry; nil for others.
func (p *Posterior) columns(ctx context.Context) func(ctx context.Context, dst []float64, j int) {
	d, complete := p.Regression.(*indata.Problem)
	if !complete || d.Sys.Core == nil || d.Sys.Core.Green == nil || linop.Stopped(ctx) != nil {
		return nil
	}
	c := d.Sys.Core
	n, _ := c.Green.Dims()
	r, my, terms := n/c.My, c.My, c.Green.Terms()
	left, right := make([]*mat.Dense, r), make([]*mat.Dense, my) // by row: rows × terms; by mode: terms × modes
	for i := range left {
		left[i] = mat.NewDense(r, terms, nil)
	}
	for k := range right {
		right[k] = mat.NewDense(terms, my, nil)
	}
	for q := range terms {
		a, b := c.Green.Left(q), c.Green.Right(q)
		for i, own := range left {
			own.SetCol(q, mat.Col(nil, i, a))
		}
		for k, own := range right {
			own.SetRow(q, mat.Col(nil, k, b))
		}
	}
	return func(ctx context.Context, dst []float64, j int) {
		i, k := j/my, j%my
		if linop.MulContext(ctx, mat.NewDense(r, my, dst), left[i], right[k]) != nil {
			return
		}
		floats.Scale(1/p.at.Lambda, dst)
		if c.Bias != nil {
			for row := range r {
				for m := range my {
					dst[row*my+m] += c.B.At(row, c.Parts.Of(m)) * c.B.At(i, c.Parts.Of(k)) / p.at.Rho * c.Bias.At(m, k)
				}
			}
		}
		dst[j]++
	}
}
