package joint

import (
	"context"
	"math"

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
