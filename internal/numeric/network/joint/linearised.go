package joint

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
)

// linearised is the network linearised at a state, in coordinates in which the block of each layer in
// JᵀJ/n is about diagonal. By Martens and Grosse (Optimizing neural networks with
// Kronecker-factored approximate curvature, 2015) it is about the Kronecker product of the mean
// square of what goes into the layer, and that of how the output depends on what comes out: of the
// last layer, where that is linear, it is exactly that.
type linearised struct {
	c       *chain
	s       *state
	in, out []*mat.Dense // n × modes of the input, and points × modes of the output: the change of z is in a outᵀ
	bias    []*mat.Dense
	turn    []*modesTurn
	slopes  []*mat.Dense // with the roots of the weights in those of the last layer
	curve   []float64    // the diagonal
	cut     [][2]int     // modes of each layer, of the input and the output, before which they do next to nothing
	work    []work
}

// modesTurn are the coordinates of a layer among the modes: orthogonal matrices.
type modesTurn struct{ x, y, b *mat.Dense }

func (c *chain) linearise(ctx context.Context, s *state) (*linearised, error) {
	n := float64(c.samples())
	t := &linearised{c: c, s: s, slopes: c.slopes(s)}
	effect := t.effects(ctx)
	for k, l := range c.layers {
		u := mat.DenseCopyOf(s.u[k])
		for i := range c.samples() {
			floats.Mul(u.RawRowView(i), l.dx)
		}
		in := linop.Product(ctx, u, l.modes.left.root)
		in.Scale(1/math.Sqrt(l.size), in)
		alpha, qx, err := linop.Eigen(ctx, linop.Product(ctx, in.T(), in))
		if err != nil {
			return nil, err
		}
		beta, qy, err := seen(ctx, effect[k], l.modes.right.root)
		if err != nil {
			return nil, err
		}
		t.in, t.out = append(t.in, linop.Product(ctx, in, qx)), append(t.out, linop.Product(ctx, l.modes.right.root, qy))
		for _, a := range alpha {
			for _, b := range beta {
				t.curve = append(t.curve, max(a, 0)*max(b, 0)/n)
			}
		}
		top := max(alpha[len(alpha)-1], 0) / n
		t.cut = append(t.cut, [2]int{few(alpha, beta[len(beta)-1]/n, c.lambda), few(beta, top, c.lambda)})
		rows, points := c.samples(), l.y.Size()
		t.work = append(t.work, work{mat.NewDense(rows, points, nil), mat.NewDense(rows, points, nil), mat.NewDense(rows, len(beta), nil)})
		turn := &modesTurn{x: qx, y: qy}
		t.turn, t.bias = append(t.turn, turn), append(t.bias, nil)
		if l.q == nil {
			continue
		}
		root := mat.DenseCopyOf(l.modes.bias.root)
		root.Scale(1/math.Sqrt(l.bias), root)
		gamma, qb, err := seen(ctx, effect[k], root)
		if err != nil {
			return nil, err
		}
		t.bias[k], turn.b = linop.Product(ctx, root, qb), qb
		for _, g := range gamma {
			t.curve = append(t.curve, max(g, 0))
		}
	}
	return t, linop.Stopped(ctx)
}

// seen are the eigenvalues and eigenvectors of an effect in modes.
func seen(ctx context.Context, effect, root *mat.Dense) ([]float64, *mat.Dense, error) {
	return linop.Eigen(ctx, linop.Product(ctx, linop.Product(ctx, root.T(), effect), root))
}

// slopes are the derivatives of each layer by its z, weighted in the last.
func (c *chain) slopes(s *state) (all []*mat.Dense) {
	for k, l := range c.layers {
		out := mat.NewDense(c.samples(), l.y.Size(), nil)
		if s.slope[k] != nil {
			out.Copy(s.slope[k])
		} else {
			floats.AddConst(1, out.RawMatrix().Data)
		}
		if k == len(c.layers)-1 {
			c.weigh(out)
		}
		all = append(all, out)
	}
	return all
}

// effects are the mean squares of the derivatives of the outputs by z of each layer, points × points: as if
// derivatives of layers were independent.
func (t *linearised) effects(ctx context.Context) []*mat.Dense {
	last := len(t.slopes) - 1
	effect := make([]*mat.Dense, last+1)
	for k := last; k >= 0; k-- {
		m := linop.Product(ctx, t.slopes[k].T(), t.slopes[k])
		m.Scale(1/float64(t.c.samples()), m)
		if k == last {
			m.Apply(func(i, j int, v float64) float64 {
				if i != j {
					return 0
				}
				return v
			}, m)
		} else {
			g := t.s.at.g[k+1]
			m.MulElem(m, linop.Product(ctx, linop.Product(ctx, g, effect[k+1]), g.T()))
		}
		effect[k] = m
	}
	return effect
}

// rotate takes coordinates of the network to those of the linearised one.
func (t *linearised) rotate(ctx context.Context, x []float64) []float64 {
	return t.turned(x, func(m *modesTurn, a *mat.Dense, b *mat.VecDense) *mat.Dense {
		if b != nil {
			b.MulVec(m.b.T(), mat.VecDenseCopyOf(b))
		}
		return linop.Product(ctx, linop.Product(ctx, m.x.T(), a), m.y)
	})
}

// back takes them back.
func (t *linearised) back(ctx context.Context, x []float64) []float64 {
	return t.turned(x, func(m *modesTurn, a *mat.Dense, b *mat.VecDense) *mat.Dense {
		if b != nil {
			b.MulVec(m.b, mat.VecDenseCopyOf(b))
		}
		return linop.Product(ctx, linop.Product(ctx, m.x, a), m.y.T())
	})
}

func (t *linearised) turned(x []float64, turn func(m *modesTurn, a *mat.Dense, b *mat.VecDense) *mat.Dense) []float64 {
	out := append([]float64(nil), x...)
	for k, rest := 0, out; k < len(t.c.layers); k++ {
		a, b, next := t.c.layers[k].modes.part(rest)
		a.Copy(turn(t.turn[k], a, b))
		rest = next
	}
	return out
}

// work is what products with a layer are made in: of the outputs and in their modes.
type work struct{ z, e, modes *mat.Dense }

// few are modes by which a layer changes the outputs as far as λ lets it: those before weigh less than
// a hundredth of λ, as the modes go, the largest of the other side with them.
func few(values []float64, other, lambda float64) (from int) {
	for from < len(values)-1 && values[from]*other < lambda/100 {
		from++
	}
	return from
}

// some are rows and columns of a matrix from some on.
func some(a *mat.Dense, row, col int) *mat.Dense {
	r, c := a.Dims()
	return a.Slice(row, r, col, c).(*mat.Dense)
}

// tangent is J d, with what few leave out taken as zero. It holds until the next product.
func (t *linearised) tangent(ctx context.Context, d []float64) *mat.Dense {
	var du *mat.Dense
	for k, l := range t.c.layers {
		a, b, rest := l.modes.part(d)
		cut, dz := t.cut[k], t.work[k].z
		mode := some(t.work[k].modes, 0, cut[1])
		_ = linop.MulContext(ctx, mode, some(t.in[k], 0, cut[0]), some(a, cut[0], cut[1]))
		_ = linop.MulContext(ctx, dz, mode, some(t.out[k], 0, cut[1]).T())
		if b != nil {
			var beta mat.VecDense
			beta.MulVec(t.bias[k], b)
			for i := range t.c.samples() {
				floats.Add(dz.RawRowView(i), beta.RawVector().Data)
			}
		}
		if du != nil {
			_ = linop.AddMul(ctx, dz, du, t.s.at.g[k])
		}
		floats.Mul(dz.RawMatrix().Data, t.slopes[k].RawMatrix().Data)
		du, d = dz, rest
	}
	return du
}

// adjoint is Jᵀ e: all of it, or what the tangent has.
func (t *linearised) adjoint(ctx context.Context, e *mat.Dense, all bool) []float64 {
	out := make([]float64, len(t.curve))
	at := len(out)
	for k := len(t.c.layers) - 1; k >= 0; k-- {
		w, cut := t.work[k], t.cut[k]
		if all {
			cut = [2]int{}
		}
		nx, ny, nb := t.c.layers[k].modes.sizes()
		at -= nx*ny + nb
		a, b, _ := t.c.layers[k].modes.part(out[at:])
		floats.MulTo(w.e.RawMatrix().Data, e.RawMatrix().Data, t.slopes[k].RawMatrix().Data)
		mode := some(w.modes, 0, cut[1])
		_ = linop.MulContext(ctx, mode, w.e, some(t.out[k], 0, cut[1]))
		_ = linop.MulContext(ctx, some(a, cut[0], cut[1]), some(t.in[k], 0, cut[0]).T(), mode)
		if b != nil {
			sum := columnSums(w.e)
			b.MulVec(t.bias[k].T(), mat.NewVecDense(len(sum), sum))
		}
		if k > 0 {
			e = t.work[k-1].z
			_ = linop.MulContext(ctx, e, w.e, t.s.at.g[k].T())
		}
	}
	return out
}
