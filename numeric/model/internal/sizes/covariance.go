package sizes

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/model/internal/term"
)

// covariance is C of a term, scaled to unit mean of its diagonal, and the scale: C of the
// kernel is that times the scale. Cost: a product with the kernel for each number, or two
// small ones for each Kronecker product of a kernel that is a sum of these.
func (r *reduced) covariance(ctx context.Context, t *term.Term, k kernel.Kernel) (*mat.Dense, float64, error) {
	c, err := r.ofTerm(ctx, t, k)
	if err != nil {
		return nil, 0, err
	}
	return r.scaled(r.whitened(c))
}

// ofTerm is C of a term in the entries kept.
func (r *reduced) ofTerm(ctx context.Context, t *term.Term, k kernel.Kernel) (*mat.Dense, error) {
	if of, ok := k.(kernels.OfParameter); ok {
		return r.ofFamily(ctx, t, of)
	}
	t, err := t.OfSamples(r.samples)
	if err != nil {
		return nil, err
	}
	part := kernels.DirectSum{Output: r.out, Parts: []kernels.Summand{{Kernel: k, On: t.On}}}
	f, err := kernels.Compile(k, part.Space(0))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.Name, err)
	}
	p, err := inFactors(ctx, f, t.On, r.out)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.Name, err)
	}
	b := r.columns(t)
	c, err := r.congruence(ctx, p, b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.Name, err)
	}
	return c, nil
}

// inFactors holds a kernel as the product of one on x and one on y where it is that, of which a matrix costs two
// small products; Fourier transforms take one for each of its rows.
func inFactors(ctx context.Context, f *kernels.Function, x, y mesh.Mesh) (gram.Product, error) {
	if gram.Separable(f, x, y) {
		if p, _, err := gram.Self(ctx, f, x, y, gram.Options{Structure: gram.Kronecker}); err == nil {
			return p, nil
		}
	}
	p, _, err := gram.Self(ctx, f, x, y, gram.Options{})
	return p, err
}

// ofFamily is the covariance of the functions, without their parameters, times that of the
// parameters of the samples.
func (r *reduced) ofFamily(ctx context.Context, t *term.Term, k kernels.OfParameter) (*mat.Dense, error) {
	fields, of := t.Gather()
	c, err := r.ofTerm(ctx, fields, k.Kernel)
	if err != nil {
		return nil, err
	}
	axes := t.On.Axes()
	points, err := mesh.New(axes[len(axes)-1])
	if err != nil {
		return nil, err
	}
	f, err := kernels.Compile(k.Parameter, kernel.Space{Names: t.Family.Names})
	if err != nil {
		return nil, err
	}
	p, err := f.Gram(ctx, points, points)
	if err != nil {
		return nil, err
	}
	_, modes := r.modes.Dims()
	at := make([]int, len(r.kept))
	for i, entry := range r.kept {
		at[i] = of[r.samples[entry/modes]]
	}
	c.Apply(func(i, j int, v float64) float64 { return v * p.At(at[i], at[j]) }, c)
	return c, nil
}

func (r *reduced) scaled(c *mat.Dense) (*mat.Dense, float64, error) {
	n, _ := c.Dims()
	scale := mat.Trace(c) / float64(n)
	if scale > 0 && !math.IsInf(scale, 0) {
		c.Scale(1/scale, c)
	}
	return c, scale, nil
}

// columns of a term for the samples taken, with the weights of their points and 1/√n.
func (r *reduced) columns(t *term.Term) *mat.Dense {
	_, m := t.Columns.Dims()
	b := mat.NewDense(len(r.samples), m, nil)
	wx := t.On.Weights()
	root := 1 / math.Sqrt(float64(r.n))
	for i, s := range r.samples {
		floats.MulTo(b.RawRowView(i), t.Columns.RawRowView(s), wx)
		floats.Scale(root, b.RawRowView(i))
	}
	return b
}

// congruence is (b ⊗ modes) K (b ⊗ modes)ᵀ in the entries kept.
func (r *reduced) congruence(ctx context.Context, p gram.Product, b *mat.Dense) (*mat.Dense, error) {
	count, m := b.Dims()
	my, modes := r.modes.Dims()
	all := mat.NewDense(count*modes, count*modes, nil)
	if k, ok := p.(gram.Factored); ok {
		for q := range k.Terms() {
			var both mat.Dense
			both.Kronecker(sandwich(ctx, b, k.Left(q)), sandwich(ctx, r.modes.T(), k.Right(q)))
			all.Add(all, &both)
		}
		return r.keep(all), linop.Stopped(ctx)
	}
	w, kw := make([]float64, m*my), make([]float64, m*my)
	for j := range count {
		for a := range modes {
			for x, v := range b.RawRowView(j) {
				for k := range my {
					w[x*my+k] = v * r.modes.At(k, a)
				}
			}
			p.Apply(ctx, kw, w)
			column := linop.Product(ctx, linop.Product(ctx, b, mat.NewDense(m, my, kw)), r.modes)
			if err := linop.Stopped(ctx); err != nil {
				return nil, err
			}
			all.SetCol(j*modes+a, column.RawMatrix().Data)
		}
	}
	return r.keep(all), nil
}

// keep takes the rows and columns of entries that are there.
func (r *reduced) keep(all *mat.Dense) *mat.Dense {
	if n, _ := all.Dims(); n == len(r.kept) {
		return all
	}
	out := mat.NewDense(len(r.kept), len(r.kept), nil)
	for i, p := range r.kept {
		for j, q := range r.kept {
			out.Set(i, j, all.At(p, q))
		}
	}
	return out
}

// sandwich is a m aᵀ. It ends with ctx, as products do.
func sandwich(ctx context.Context, a, m mat.Matrix) *mat.Dense {
	return linop.Product(ctx, linop.Product(ctx, a, m), a.T())
}

// bias is the covariance of β, of unit mean diagonal, and its scale.
func (r *reduced) bias(ctx context.Context, k kernel.Kernel) (*mat.Dense, float64, error) {
	ones := mat.NewDense(r.n, 1, nil)
	for i := range r.n {
		ones.Set(i, 0, 1)
	}
	on, err := mesh.New(gram.Point())
	if err != nil {
		return nil, 0, err
	}
	return r.covariance(ctx, &term.Term{Name: "bias", On: on, Columns: ones}, gram.OnOutput{Kernel: k})
}
