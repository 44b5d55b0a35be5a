package joint

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
)

// Eigenfunctions of a kernel on a mesh that a network is reduced to.
const (
	leastMode = 1e-12 // of their eigenvalues, in the largest
	mostModes = 512
)

// factor is a kernel on a mesh by its eigenvectors: root rootᵀ, with K back = root.
type factor struct{ of, root, back *mat.Dense }

func newFactor(ctx context.Context, k *mat.Dense) (*factor, error) {
	values, vectors, err := linop.Eigen(ctx, k)
	if err != nil {
		return nil, err
	}
	m := len(values)
	rank := 0
	for rank < min(m, mostModes) && values[m-1-rank] > leastMode*values[m-1] {
		rank++
	}
	f := &factor{k, mat.NewDense(m, rank, nil), mat.NewDense(m, rank, nil)}
	for j := range rank {
		size := math.Sqrt(values[m-1-j])
		for i := range m {
			v := vectors.At(i, m-1-j)
			f.root.Set(i, j, v*size)
			f.back.Set(i, j, v/size)
		}
	}
	return f, nil
}

// factors are those of matrices, one for all that are equal.
type factors []*factor

func (all *factors) of(ctx context.Context, k *mat.Dense) (*factor, error) {
	for _, f := range *all {
		if mat.Equal(f.of, k) {
			return f, nil
		}
	}
	f, err := newFactor(ctx, k)
	*all = append(*all, f)
	return f, err
}

// modes is a layer in eigenfunctions of its kernels: G = Σ a_ij e_i(x) e_j(y), whose norm is that of a.
type modes struct{ left, right, bias *factor }

func (m *modes) sizes() (x, y, b int) {
	_, x = m.left.root.Dims()
	_, y = m.right.root.Dims()
	if m.bias != nil {
		_, b = m.bias.root.Dims()
	}
	return x, y, b
}

// part is what a vector of coordinates has of a layer, and what is left of it.
func (m *modes) part(x []float64) (a *mat.Dense, b *mat.VecDense, rest []float64) {
	nx, ny, nb := m.sizes()
	a, x = mat.NewDense(nx, ny, x[:nx*ny]), x[nx*ny:]
	if nb > 0 {
		b = mat.NewVecDense(nb, x[:nb])
	}
	return a, b, x[nb:]
}

// whole says whether nothing was left out but what rounding knows nothing of.
func (f *factor) whole() bool {
	_, rank := f.root.Dims()
	return rank < mostModes
}

// coordinates are those of the part of a network in the modes; all kernels must be products.
func (c *chain) coordinates(ctx context.Context, p *weights) (x []float64) {
	for k, l := range c.layers {
		m := l.modes
		a := linop.Product(ctx, linop.Product(ctx, m.left.root.T(), p.v[k]), m.right.root)
		a.Scale(math.Sqrt(l.size), a)
		x = append(x, a.RawMatrix().Data...)
		if l.q != nil {
			var b mat.VecDense
			b.MulVec(m.bias.root.T(), mat.NewVecDense(len(p.w[k]), p.w[k]))
			b.ScaleVec(math.Sqrt(l.bias), &b)
			x = append(x, b.RawVector().Data...)
		}
	}
	return x
}

// fromCoordinates are weights of a network of coordinates.
func (c *chain) fromCoordinates(ctx context.Context, x []float64) *weights {
	p := &weights{w: make([][]float64, len(c.layers))}
	for k, l := range c.layers {
		a, b, rest := l.modes.part(x)
		v := linop.Product(ctx, linop.Product(ctx, l.modes.left.back, a), l.modes.right.back.T())
		v.Scale(1/math.Sqrt(l.size), v)
		p.v = append(p.v, v)
		if b != nil {
			var w mat.VecDense
			w.MulVec(l.modes.bias.back, b)
			w.ScaleVec(1/math.Sqrt(l.bias), &w)
			p.w[k] = w.RawVector().Data
		}
		x = rest
	}
	return p
}

// reducible says whether all kernels are products, so that there are modes, and whether these are all.
func (c *chain) reducible() (some, all bool) {
	all = true
	for _, l := range c.layers {
		if l.modes == nil {
			return false, false
		}
		all = all && l.modes.left.whole() && l.modes.right.whole() && (l.q == nil || l.modes.bias.whole())
	}
	return true, all
}

// reducedFunctions are G and β of coordinates.
func (c *chain) reducedFunctions(ctx context.Context, x []float64) *functions {
	f := &functions{norm: floats.Dot(x, x)}
	for _, l := range c.layers {
		a, b, rest := l.modes.part(x)
		g := linop.Product(ctx, linop.Product(ctx, l.modes.left.root, a), l.modes.right.root.T())
		for i, w := range l.dx {
			floats.Scale(w/math.Sqrt(l.size), g.RawRowView(i))
		}
		beta := make([]float64, l.y.Size())
		if b != nil {
			v := mat.NewVecDense(len(beta), beta)
			v.MulVec(l.modes.bias.root, b)
			v.ScaleVec(1/math.Sqrt(l.bias), v)
		}
		f.g, f.beta = append(f.g, g), append(f.beta, beta)
		x = rest
	}
	return f
}
