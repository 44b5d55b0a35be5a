package model

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/internal/gram"
	"github.com/greenbench/workbench/numeric/internal/linop"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// reduced is a part of the data that the sizes of the terms are chosen from: some numbers
// of each sample, projections of its output on orthonormal modes, or values at single
// points where outputs are missing. In the scale where noise is white of variance one,
// they have the covariance I + Σ_t s_t C_t, and their likelihood is one of its own: the
// sizes s_t are where it is greatest, and cost no more than a matrix of few rows.
type reduced struct {
	samples []int
	modes   *mat.Dense  // dy^½ V, my × r
	kept    []int       // entries (sample, mode) that are there, row-major
	t       []float64   // the data
	flat    [][]float64 // those of the constant one; none: β has no free constant
	n       int         // of all samples
	out     mesh.Mesh
}

const (
	mostReduced = 240 // rows of the matrix
	fewestModes = 6   // of each sample
	mostModes   = 600 // points of the output, whose modes are found
)

// newReduced takes at most mostReduced numbers. curve is a kernel on the output whose
// leading eigenvectors are the modes.
func newReduced(ctx context.Context, out *dataset.Field, curve kernel.Kernel, flat bool) (*reduced, error) {
	my := out.Mesh.Size()
	n := len(out.Values.Data) / my
	u := mat.NewDense(n, my, out.Values.Data)
	if flat {
		u = withoutConstant(u)
	}
	r := &reduced{n: n, out: out.Mesh}
	perSample := min(my, max(fewestModes, mostReduced/n))
	count := min(n, mostReduced/perSample)
	for i := range count {
		r.samples = append(r.samples, i*n/count)
	}
	incomplete := false
	for _, v := range u.RawMatrix().Data {
		incomplete = incomplete || math.IsNaN(v)
	}
	if err := r.setModes(ctx, curve, perSample, incomplete); err != nil {
		return nil, err
	}
	dy := out.Mesh.Weights()
	root := 1 / math.Sqrt(float64(n))
	ones := make([]float64, my)
	for k := range ones {
		ones[k] = 1
	}
	weigh := func(row []float64) *mat.VecDense { // dy^½ is in the modes
		v := mat.NewVecDense(my, nil)
		for k, w := range dy {
			x := row[k] * math.Sqrt(w) * root
			if math.IsNaN(x) {
				x = 0 // of points that are left out
			}
			v.SetVec(k, x)
		}
		return v
	}
	unweighted := r.unweighted(dy)
	var ofOne []float64
	for i, s := range r.samples {
		var t, c mat.VecDense
		t.MulVec(unweighted.T(), weigh(u.RawRowView(s)))
		c.MulVec(unweighted.T(), weigh(ones))
		for a := range perSample {
			if incomplete && math.IsNaN(u.At(s, r.pointOf(a))) {
				continue
			}
			r.kept = append(r.kept, i*perSample+a)
			r.t = append(r.t, t.AtVec(a))
			ofOne = append(ofOne, c.AtVec(a))
		}
	}
	if flat {
		r.flat = [][]float64{ofOne}
	}
	if len(r.t) < 2 {
		return nil, fmt.Errorf("output %s: has too few values to choose the sizes of the terms from; give amplitude", out.Name)
	}
	return r, nil
}

// withoutConstant takes the mean of all values off, which rounds less than to take a
// constant off the covariance: the data may be small beside their mean.
func withoutConstant(u *mat.Dense) *mat.Dense {
	first, sum, count := math.NaN(), 0.0, 0.0
	for _, v := range u.RawMatrix().Data {
		switch {
		case math.IsNaN(v):
			continue
		case math.IsNaN(first):
			first = v
		}
		sum, count = sum+(v-first), count+1
	}
	out := mat.DenseCopyOf(u)
	out.Apply(func(_, _ int, v float64) float64 { return (v - first) - sum/count }, out)
	return out
}

// setModes finds the leading eigenvectors of dy^½ curve dy^½, or takes single points,
// evenly through the mesh.
func (r *reduced) setModes(ctx context.Context, curve kernel.Kernel, count int, points bool) error {
	my, dy := r.out.Size(), r.out.Weights()
	r.modes = mat.NewDense(my, count, nil)
	if points || my > mostModes {
		for a := range count {
			k := (2*a + 1) * my / (2 * count)
			r.modes.Set(k, a, math.Sqrt(dy[k]))
		}
		return nil
	}
	f, err := kernel.Compile(curve, kernel.Space{Names: r.out.Names()})
	if err != nil {
		return err
	}
	g, err := f.Gram(ctx, r.out, r.out)
	if err != nil {
		return err
	}
	g.Apply(func(i, j int, v float64) float64 { return v * math.Sqrt(dy[i]*dy[j]) }, g)
	_, v, err := linop.Eigen(ctx, g)
	if err != nil {
		return err
	}
	for a := range count {
		for k := range my {
			r.modes.Set(k, a, math.Sqrt(dy[k])*v.At(k, my-1-a))
		}
	}
	return nil
}

// pointOf is the point that mode a is the value at.
func (r *reduced) pointOf(a int) int {
	for k := range r.out.Size() {
		if r.modes.At(k, a) != 0 {
			return k
		}
	}
	return 0
}

// unweighted is V; points without weight have no part in it.
func (r *reduced) unweighted(dy []float64) *mat.Dense {
	v := mat.DenseCopyOf(r.modes)
	v.Apply(func(k, _ int, x float64) float64 {
		if dy[k] == 0 {
			return 0
		}
		return x / math.Sqrt(dy[k])
	}, v)
	return v
}

// covariance is C of a term, scaled to unit mean of its diagonal, and the scale: C of the
// kernel is that times the scale. Cost: a product with the kernel for each number, or two
// small ones for each Kronecker product of a kernel that is a sum of these.
func (r *reduced) covariance(ctx context.Context, t *term, k kernel.Kernel) (*mat.Dense, float64, error) {
	part := kernel.DirectSum{Output: r.out, Parts: []kernel.Summand{{Kernel: k, On: t.on}}}
	f, err := kernel.Compile(k, part.Space(0))
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w", t.name, err)
	}
	p, _, err := gram.Self(ctx, f, t.on, r.out, gram.Options{})
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w", t.name, err)
	}
	b := r.columns(t)
	c, err := r.congruence(ctx, p, b)
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w", t.name, err)
	}
	return r.scaled(c)
}

func (r *reduced) scaled(c *mat.Dense) (*mat.Dense, float64, error) {
	sum := 0.0
	for i := range r.kept {
		sum += c.At(i, i)
	}
	scale := sum / float64(len(r.kept))
	if scale > 0 && !math.IsInf(scale, 0) {
		c.Scale(1/scale, c)
	}
	return c, scale, nil
}

// columns of a term for the samples taken, with the weights of their points and 1/√n.
func (r *reduced) columns(t *term) *mat.Dense {
	_, m := t.columns.Dims()
	b := mat.NewDense(len(r.samples), m, nil)
	wx := t.on.Weights()
	root := 1 / math.Sqrt(float64(r.n))
	for i, s := range r.samples {
		floats.MulTo(b.RawRowView(i), t.columns.RawRowView(s), wx)
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
