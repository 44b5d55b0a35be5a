package joint

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/mesh"
)

// activation is σ with its derivative; nil: the identity.
type activation struct{ value, slope *expr.Program }

// layer is u ↦ σ(∫ G u dx + β) on meshes, with G = K v and β = Q w: v and w are the weights of
// the representation with the quadrature weights in them.
type layer struct {
	x, y        mesh.Mesh
	dx          []float64
	k           linop.Operator // on v, mx × my row-major
	left, right *mat.Dense     // K is their Kronecker product, or is about that
	q           *mat.Dense     // nil: without β
	sigma       *activation
	size, bias  float64 // of K and Q: what λ is relative to
	modes       *modes  // nil: K is no product of two kernels
}

// chain is a network on its data, which have units of their own.
type chain struct {
	layers []*layer
	f, u   *mat.Dense // of the pairs, n × points
	roots  []float64  // of the weights of the points of the output in the misfit
	lambda float64
}

// weights are the unknowns.
type weights struct {
	v []*mat.Dense
	w [][]float64 // nil: without β
}

// zero are weights of a network that is β alone, which is zero.
func (c *chain) zero() *weights {
	p := &weights{}
	for _, l := range c.layers {
		p.v = append(p.v, mat.NewDense(l.x.Size(), l.y.Size(), nil))
		var w []float64
		if l.q != nil {
			w = make([]float64, l.y.Size())
		}
		p.w = append(p.w, w)
	}
	return p
}

// functions are G and β of weights on the meshes: G times the quadrature weights of x.
type functions struct {
	g    []*mat.Dense
	beta [][]float64
	norm float64 // Σ size ‖G‖² + bias ‖β‖²
}

func (c *chain) functions(ctx context.Context, p *weights) *functions {
	f := &functions{}
	for k, l := range c.layers {
		g := mat.NewDense(l.x.Size(), l.y.Size(), nil)
		data := g.RawMatrix().Data
		l.k.Apply(ctx, data, p.v[k].RawMatrix().Data)
		f.norm += l.size * floats.Dot(data, p.v[k].RawMatrix().Data)
		for i, w := range l.dx {
			floats.Scale(w, g.RawRowView(i))
		}
		beta := make([]float64, l.y.Size())
		if l.q != nil {
			mat.NewVecDense(len(beta), beta).MulVec(l.q, mat.NewVecDense(len(beta), p.w[k]))
			f.norm += l.bias * floats.Dot(beta, p.w[k])
		}
		f.g, f.beta = append(f.g, g), append(f.beta, beta)
	}
	return f
}

// state is what the network makes of the pairs.
type state struct {
	at        *functions
	u         []*mat.Dense // u[0] is f
	z         []*mat.Dense // before σ
	slope     []*mat.Dense // σ' there; nil: 1
	misfit    *mat.Dense   // weighted: (u - u_L) times the root of the weight
	mse       float64
	objective float64
}

// forward costs two products of n × mx × my for each layer.
func (c *chain) forward(ctx context.Context, p *weights) *state {
	return c.forwardAt(ctx, c.functions(ctx, p))
}

func (c *chain) forwardAt(ctx context.Context, f *functions) *state {
	s := &state{at: f, u: []*mat.Dense{c.f}}
	for k, l := range c.layers {
		z := linop.Product(ctx, s.u[k], s.at.g[k])
		n, m := z.Dims()
		for i := range n {
			floats.Add(z.RawRowView(i), s.at.beta[k])
		}
		u, slope := z, (*mat.Dense)(nil)
		if l.sigma != nil {
			u, slope = mat.NewDense(n, m, nil), mat.NewDense(n, m, nil)
			in := []expr.Operand{{Vector: z.RawMatrix().Data}}
			l.sigma.value.Block(u.RawMatrix().Data, in)
			l.sigma.slope.Block(slope.RawMatrix().Data, in)
		}
		s.z, s.u, s.slope = append(s.z, z), append(s.u, u), append(s.slope, slope)
	}
	s.misfit = mat.DenseCopyOf(c.u)
	s.misfit.Sub(s.misfit, s.u[len(c.layers)])
	c.weigh(s.misfit)
	data := s.misfit.RawMatrix().Data
	s.mse = floats.Dot(data, data) / float64(c.samples())
	s.objective = s.mse + c.lambda*s.at.norm
	if math.IsNaN(s.objective) {
		s.objective = math.Inf(1)
	}
	return s
}

func (c *chain) samples() int { n, _ := c.f.Dims(); return n }

// weigh multiplies the columns by the roots of the weights of the output.
func (c *chain) weigh(e *mat.Dense) {
	n, _ := e.Dims()
	for i := range n {
		floats.Mul(e.RawRowView(i), c.roots)
	}
}

// times multiplies e by the slopes of a layer.
func (s *state) times(k int, e *mat.Dense) {
	if s.slope[k] != nil {
		e.MulElem(e, s.slope[k])
	}
}

// tangent is the derivative of the weighted outputs along changes of G and β.
func (c *chain) tangent(ctx context.Context, s *state, d *functions) *mat.Dense {
	var du *mat.Dense
	for k := range c.layers {
		dz := linop.Product(ctx, s.u[k], d.g[k])
		n, _ := dz.Dims()
		for i := range n {
			floats.Add(dz.RawRowView(i), d.beta[k])
		}
		if du != nil {
			_ = linop.AddMul(ctx, dz, du, s.at.g[k])
		}
		s.times(k, dz)
		du = dz
	}
	c.weigh(du)
	return du
}

// adjoint takes weighted residuals of the outputs, n × my, to the weights p whose inner products
// with changes of G and β are those of the tangent with e: for G = K v, ⟨e, tangent⟩ = ⟨p, K δv⟩.
func (c *chain) adjoint(ctx context.Context, s *state, e *mat.Dense) *weights {
	p := &weights{v: make([]*mat.Dense, len(c.layers)), w: make([][]float64, len(c.layers))}
	e = mat.DenseCopyOf(e)
	c.weigh(e)
	for k := len(c.layers) - 1; k >= 0; k-- {
		l := c.layers[k]
		s.times(k, e)
		p.v[k] = linop.Product(ctx, s.u[k].T(), e)
		for i, w := range l.dx {
			floats.Scale(w, p.v[k].RawRowView(i))
		}
		if l.q != nil {
			p.w[k] = columnSums(e)
		}
		if k > 0 {
			e = linop.Product(ctx, e, s.at.g[k].T())
		}
	}
	return p
}

func columnSums(e *mat.Dense) []float64 {
	n, m := e.Dims()
	sum := make([]float64, m)
	for i := range n {
		floats.Add(sum, e.RawRowView(i))
	}
	return sum
}

// scaled is p with the part of each layer divided by the size of its kernel.
func (c *chain) scaled(p *weights, alpha float64) *weights {
	out := &weights{w: make([][]float64, len(c.layers))}
	for k, l := range c.layers {
		var v mat.Dense
		v.Scale(alpha/l.size, p.v[k])
		out.v = append(out.v, &v)
		if l.q != nil {
			w := make([]float64, len(p.w[k]))
			floats.AddScaled(w, alpha/l.bias, p.w[k])
			out.w[k] = w
		}
	}
	return out
}

// add is a p + b q.
func (c *chain) add(a float64, p *weights, b float64, q *weights) *weights {
	out := &weights{w: make([][]float64, len(c.layers))}
	for k := range c.layers {
		var x, y mat.Dense
		x.Scale(a, p.v[k])
		y.Scale(b, q.v[k])
		x.Add(&x, &y)
		out.v = append(out.v, &x)
		if p.w[k] != nil {
			w := make([]float64, len(p.w[k]))
			floats.AddScaled(w, a, p.w[k])
			floats.AddScaled(w, b, q.w[k])
			out.w[k] = w
		}
	}
	return out
}
