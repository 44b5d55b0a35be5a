package joint

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
)

// blocks are the blocks of n + J K Jᵀ/total on the diagonal in the modes of the output, the
// eigenvectors of the kernel of the last layer there: the system itself where nothing but the
// last layer is unknown.
type blocks struct {
	modes   *mat.Dense   // my × my, a mode in each row, the largest first
	inverse []*mat.Dense // of the blocks of the first modes
	rest    float64      // in place of the others
}

const (
	blockWork = 4e9 // operations that inverses may take
	nothing   = 0.3 // trace of J K Jᵀ/total in a mode, in n, that is as good as none
)

// modes are the eigenvectors of the kernel of the last layer on the output, in rows.
func (c *chain) outputModes(ctx context.Context) (*mat.Dense, error) {
	last := c.layers[len(c.layers)-1]
	my := len(c.roots)
	a := mat.NewDense(my, my, nil)
	a.Apply(func(i, j int, _ float64) float64 {
		return c.roots[i] * c.roots[j] * last.right.At(i, j)
	}, a)
	_, v, err := linop.Eigen(ctx, a)
	if err != nil {
		return nil, err
	}
	modes := mat.NewDense(my, my, nil)
	for k := range my {
		modes.SetRow(k, mat.Col(nil, my-1-k, v))
	}
	return modes, nil
}

func (c *chain) precondition(ctx context.Context, s *state, modes *mat.Dense, total float64) (*blocks, error) {
	n := c.samples()
	b := &blocks{modes: modes, rest: float64(n)}
	grams := c.grams(ctx, s)
	most := min(len(c.roots), max(1, int(blockWork/math.Pow(float64(n), 3))))
	for k := range most {
		a, err := c.block(ctx, s, grams, modes.RawRowView(k), total)
		if err != nil {
			return nil, err
		}
		if mat.Trace(a) < nothing*float64(n) {
			break
		}
		for i := range n {
			a.Set(i, i, a.At(i, i)*(1+1e-12)+float64(n))
		}
		f, err := linop.Cholesky(ctx, linop.Symmetric(a))
		if err != nil {
			return nil, err
		}
		root, err := linop.InverseFactor(ctx, f)
		if err != nil {
			return nil, err
		}
		b.inverse = append(b.inverse, linop.Product(ctx, root.T(), root))
	}
	return b, linop.Stopped(ctx)
}

// grams are those of the inputs of each layer, n × n.
func (c *chain) grams(ctx context.Context, s *state) (all []*mat.Dense) {
	for k, l := range c.layers {
		u := mat.DenseCopyOf(s.u[k])
		for i := range c.samples() {
			floats.Mul(u.RawRowView(i), l.dx)
		}
		all = append(all, linop.Product(ctx, linop.Product(ctx, u, l.left), u.T()))
	}
	return all
}

// block is J K Jᵀ/total in a mode: the Gram matrix of the layers seen through it.
func (c *chain) block(ctx context.Context, s *state, grams []*mat.Dense, mode []float64, total float64) (*mat.Dense, error) {
	n := c.samples()
	sum := mat.NewDense(n, n, nil)
	e := mat.NewDense(n, len(mode), nil)
	for i := range n {
		e.SetRow(i, mode)
	}
	c.weigh(e)
	for k := len(c.layers) - 1; k >= 0; k-- {
		l := c.layers[k]
		s.times(k, e)
		same := k == len(c.layers)-1 && s.slope[k] == nil // every row of e is the mode
		addGram(ctx, sum, e, l.right, 1/(total*l.size), grams[k], same)
		if l.q != nil {
			addGram(ctx, sum, e, l.q, 1/(total*l.bias), nil, same)
		}
		if k > 0 {
			e = linop.Product(ctx, e, s.at.g[k].T())
		}
	}
	return sum, linop.Stopped(ctx)
}

// addGram adds alpha e k eᵀ to sum, entry by entry times another matrix unless that is nil.
func addGram(ctx context.Context, sum, e, k *mat.Dense, alpha float64, times *mat.Dense, same bool) {
	data := sum.RawMatrix().Data
	if same {
		row := mat.NewVecDense(len(e.RawRowView(0)), e.RawRowView(0))
		if alpha *= mat.Inner(row, k, row); times != nil {
			floats.AddScaled(data, alpha, times.RawMatrix().Data)
		} else {
			floats.AddConst(alpha, data)
		}
		return
	}
	of := linop.Product(ctx, linop.Product(ctx, e, k), e.T())
	if times != nil {
		of.MulElem(of, times)
	}
	floats.AddScaled(data, alpha, of.RawMatrix().Data)
}

// solve divides by the blocks.
func (b *blocks) solve(ctx context.Context, r *mat.Dense) (*mat.Dense, error) {
	n, my := r.Dims()
	in := linop.Product(ctx, b.modes, r.T())
	out := mat.NewDense(my, n, nil)
	for k := range my {
		if k < len(b.inverse) {
			mat.NewVecDense(n, out.RawRowView(k)).MulVec(b.inverse[k], mat.NewVecDense(n, in.RawRowView(k)))
		} else {
			floats.AddScaled(out.RawRowView(k), 1/b.rest, in.RawRowView(k))
		}
	}
	return linop.Product(ctx, out.T(), b.modes), linop.Stopped(ctx)
}
