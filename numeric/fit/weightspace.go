package fit

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/internal/gram"
	"github.com/greenbench/workbench/numeric/internal/lattice"
	"github.com/greenbench/workbench/numeric/internal/linop"
	"github.com/greenbench/workbench/numeric/internal/outputs"
)

// weightSpace is the optimality system of a constrained fit, in the space of the
// weights v of G and b of the bias, both scaled by square roots of quadrature
// weights, or of their means over the images of a point. With P the average and M the
// mask of the constraint, 𝒜 the response, c the constant input, and K̃, Q̃ the scaled
// kernels,
//
//	P M 𝒜ᵀ r + λ v = 0,  cᵀ r + ρ b = 0,  r = 𝒜 M P K̃ v + c Q̃ b - T.
//
// It is not symmetric: GMRES. The right preconditioner takes K̃ and 𝒜ᵀ𝒜 for
// diagonal, κ and ν, in the tensor product V of one-axis bases:
// P V diag(1/(ν κ + λ)) Vᵀ; which bases, see suited.
type weightSpace struct {
	g    *lattice.Lattice
	k    gram.Product
	q    gram.Product // nil without bias
	resp response
	s    []float64          // scales of the weights of the grid
	dxdy []float64          // square roots of the quadrature weights over s; nil: all ones
	rdy  []float64          // square roots of the weights of the outputs
	c    []float64          // constant input, one entry for each row of the outputs
	t    []float64          // scaled outputs, 0 where missing
	d    *outputs.Whitening // of what was observed; nil: all outputs were, with white noise
	rss0 float64

	flat   outputs.Contrast // of the free constant of β; nil: there is none
	length float64          // of the data of the constant one
	mean   float64          // component of the data along flat, which t is without

	lambda, rho float64
	nu, kappa   *mat.Dense // mx × my
	vx, vy      linop.AxisBasis
	qd          []float64 // diagonal of Q̃ in vq
	vq          linop.AxisBasis
	coupling    *coupling // where that is no diagonal; nil: nowhere yet
	n           int       // samples

	p, unexplained *mat.Dense // see system; nil where rows are the samples
	scratch        *linop.Scratch
}

// coupling is where the preconditioner is no diagonal. A few hundred pairs of inputs, sampled at
// random, tell modes of G apart badly: 𝒜ᵀ𝒜 is far from diagonal among those of which the data say
// more than λ does, and GMRES takes hundreds of iterations to see that. For each mode of the
// outputs these are coupled as 𝒜ᵀ𝒜 couples them: (𝒜ᵀ𝒜 κ + λ)⁻¹ = κ^-½ (κ^½ 𝒜ᵀ𝒜 κ^½ + λ)⁻¹ κ^½.
type coupling struct {
	lambda float64
	blocks []coupled
}

// coupled is the modes of G in one mode of the outputs.
type coupled struct {
	at    []int         // numbers of the modes
	roots []float64     // κ^½
	by    *mat.Cholesky // of κ^½ 𝒜ᵀ𝒜 κ^½ + λ
}

// newWeightSpace is the problem on a lattice; why says why the kernel has its structure.
func newWeightSpace(ctx context.Context, s *Spec, g *lattice.Lattice) (w *weightSpace, why string, err error) {
	q := &question{spec: s, lattice: g}
	w, err = newWeightSpaceOn(ctx, q)
	if err != nil {
		return nil, "", err
	}
	return w, q.held.why, nil
}

// newWeightSpaceOn is the problem on a lattice, or on the meshes of the data.
func newWeightSpaceOn(ctx context.Context, q *question) (w *weightSpace, err error) {
	s, d := q.spec, q.spec.Data
	g := q.lattice
	if g == nil {
		g = lattice.On(d.InputMesh, d.OutputMesh)
	}
	if err := q.hold(ctx, weightSpaceVectors*float64(g.Size())); err != nil {
		return nil, err
	}
	w = &weightSpace{g: g, n: d.N(), k: q.held.k, scratch: &linop.Scratch{}}
	if q := s.biasKernel(); q != nil {
		if w.q, _, err = gram.Output(ctx, q, d.OutputMesh, s.biasStructure()); err != nil {
			return nil, fmt.Errorf("bias: %w", err)
		}
	}
	w.s, w.dxdy = g.Scales()
	w.rdy = linop.Roots(d.OutputMesh.Weights())
	if err := w.setData(ctx, s); err != nil {
		return nil, err
	}
	if s.flat() && w.q != nil {
		c := linop.Outer(w.c, w.rdy)
		w.d.Forward(c)
		w.flat, w.length = outputs.NewContrast(c)
		w.mean = w.flat.Project(w.t)
	}
	return w, nil
}

// setData makes the response and the scaled outputs.
func (w *weightSpace) setData(ctx context.Context, s *Spec) error {
	d := s.Data
	var err error
	if w.d, err = outputs.NewWhitening(ctx, d); err != nil {
		return err
	}
	pairs := outputs.PairRoots(d)
	if w.d != nil {
		d = outputs.Fill(d)
	}
	input, output := d.Matrices()
	x, y := d.InputMesh, d.OutputMesh
	if w.g.Lag() == nil {
		sys := &system{n: w.n, mx: x.Size(), my: y.Size(), q: w.q}
		if err := sys.reduce(ctx, input, output, x.Weights(), y.Weights(), pairs, w.d == nil); err != nil {
			return err
		}
		r, cols := sys.b.Dims()
		c := mat.DenseCopyOf(sys.b.Slice(0, r, 0, sys.mx))
		inverse := x.Weights()
		for i, v := range inverse {
			if v > 0 { // points without weight have no influence, and C is zero there
				inverse[i] = 1 / math.Sqrt(v)
			}
		}
		linop.TimesRows(c.RawMatrix().Data, inverse)
		w.resp = pointwise{c: c, my: sys.my}
		w.t, w.rss0, w.p, w.unexplained = sys.t.RawMatrix().Data, sys.rss0, sys.p, sys.unexplained
		w.d.Forward(w.t)
		if w.q != nil {
			w.c = mat.Col(nil, cols-1, sys.b)
		}
		return nil
	}
	weighted := mat.DenseCopyOf(input)
	for i, p := range pairs {
		floats.Scale(p, weighted.RawRowView(i))
	}
	conv, err := lattice.NewConvolution(ctx, w.g, weighted, x, y, true)
	if err != nil {
		return err
	}
	w.resp = conv
	root := 1 / math.Sqrt(float64(w.n))
	w.t = append([]float64(nil), output.RawMatrix().Data...)
	linop.TimesRows(w.t, w.rdy)
	for i, p := range pairs {
		floats.Scale(root*p, w.t[i*len(w.rdy):(i+1)*len(w.rdy)])
	}
	w.d.Forward(w.t)
	if w.q != nil {
		w.c = slices.Clone(pairs)
		floats.Scale(root, w.c)
	}
	return nil
}

// Dims implements linop.Operator.
func (w *weightSpace) Dims() (r, c int) {
	n := w.g.Size()
	if w.q != nil {
		n += len(w.rdy)
	}
	return n, n
}

// Apply implements linop.Operator.
func (w *weightSpace) Apply(ctx context.Context, dst, x []float64) {
	cut := w.g.Size()
	out, kv, qb := w.forward(ctx, x)
	w.backward(ctx, dst, out)
	w.scratch.Give(out, kv, qb)
	for i, v := range x[:cut] {
		dst[i] += w.lambda * v
	}
	for i, v := range x[cut:] {
		dst[cut+i] += w.rho * v
	}
}

// forward returns 𝒜 M P K̃ v + c Q̃ b, and the two kernel products K̃ v and Q̃ b. Like all
// products here it ends with ctx, and is of no use then.
func (w *weightSpace) forward(ctx context.Context, x []float64) (out, kv, qb []float64) {
	cut := w.g.Size()
	kv = w.scaledKernel(ctx, w.k, w.s, x[:cut])
	if w.q != nil {
		qb = w.scaledKernel(ctx, w.q, w.rdy, x[cut:])
	}
	return w.respond(ctx, kv, qb), kv, qb
}

// respond returns 𝒜 M P kv + c qb, without its component along a free constant.
func (w *weightSpace) respond(ctx context.Context, kv, qb []float64) []float64 {
	out := w.response(ctx, kv, qb)
	w.flat.Project(out)
	return out
}

// response returns 𝒜 M P kv + c qb, nil standing for zero.
func (w *weightSpace) response(ctx context.Context, kv, qb []float64) []float64 {
	g := w.scratch.Take(w.g.Size())
	defer w.scratch.Give(g)
	clear(g[copy(g, kv):])
	w.g.Average(g)
	w.g.Mask(g)
	if w.dxdy != nil {
		floats.Mul(g, w.dxdy)
	}
	out := w.scratch.Take(w.resp.Outputs())
	w.resp.Apply(ctx, out, g)
	if qb != nil {
		for i, c := range w.c {
			floats.AddScaled(out[i*len(qb):(i+1)*len(qb)], c, qb)
		}
	}
	w.d.Forward(out)
	return out
}

// backward stores (P M 𝒜ᵀ out, cᵀ out) in dst.
func (w *weightSpace) backward(ctx context.Context, dst, out []float64) {
	cut := w.g.Size()
	if w.d != nil || w.flat != nil {
		out = append([]float64(nil), out...)
		w.flat.Project(out)
	}
	w.d.Adjoint(out)
	w.resp.Adjoint(ctx, dst[:cut], out)
	if w.dxdy != nil {
		floats.Mul(dst[:cut], w.dxdy)
	}
	w.g.Mask(dst[:cut])
	w.g.Average(dst[:cut])
	if w.q == nil {
		return
	}
	my := len(w.rdy)
	b := dst[cut:]
	clear(b)
	for i, c := range w.c {
		floats.AddScaled(b, c, out[i*my:(i+1)*my])
	}
}

// scaledKernel returns s K s v.
func (w *weightSpace) scaledKernel(ctx context.Context, k gram.Product, s, v []float64) []float64 {
	in, out := w.scratch.Take(len(v)), w.scratch.Take(len(v))
	defer w.scratch.Give(in)
	floats.MulTo(in, s, v)
	k.Apply(ctx, out, in)
	floats.Mul(out, s)
	return out
}

// scaledProduct is s K s.
type scaledProduct struct {
	w *weightSpace
	k gram.Product
	s []float64
}

// Dims implements linop.Operator.
func (p scaledProduct) Dims() (r, c int) { return len(p.s), len(p.s) }

// Apply implements linop.Operator.
func (p scaledProduct) Apply(ctx context.Context, dst, v []float64) {
	copy(dst, p.w.scaledKernel(ctx, p.k, p.s, v))
}

func (w *weightSpace) rightHandSide(ctx context.Context) []float64 {
	n, _ := w.Dims()
	b := make([]float64, n)
	w.backward(ctx, b, w.t)
	return b
}

// outputs is how many values were observed.
func (w *weightSpace) outputs() int {
	if w.d == nil {
		return w.n * len(w.rdy)
	}
	return w.d.Count()
}

// share is the part of the outputs that was observed, and how sharply.
func (w *weightSpace) share() float64 {
	if w.d == nil {
		return 1
	}
	return w.d.Sharpness()
}

// weigh turns a solution, which becomes the weights, into these.
func (w *weightSpace) weigh(ctx context.Context, x []float64) *weighed {
	out, cut := w.state(ctx, x), w.g.Size()
	weights := x[:cut:cut]
	floats.Mul(weights, w.s)
	out.green = mat.NewDense(w.g.X().Size(), w.g.Y().Size(), weights)
	if w.q != nil {
		out.bias = append([]float64(nil), x[cut:]...)
		floats.Mul(out.bias, w.rdy)
	}
	return out
}

// state is what is known of the weights x. The dual point is the misfit Z, of weights
// P M 𝒜ᵀ Z / λ.
func (w *weightSpace) state(ctx context.Context, x []float64) *weighed {
	cut := w.g.Size()
	_, kv, qb := w.forward(ctx, x)
	out := &weighed{k: w.k, q: w.q, unexplained: w.rss0}
	out.respond = func(ctx context.Context, green, bias []float64) []float64 {
		return w.response(ctx, scaledBy(green, w.s), scaledBy(bias, w.rdy))
	}
	seen := w.response(ctx, kv, qb)
	if left := w.mean - w.flat.Project(seen); w.flat != nil {
		out.intercept = left / w.length
	}
	out.misfit = floats.SubTo(seen, w.t, seen)
	out.dual = out.misfit
	apart := make([]float64, len(x))
	w.weightsOf(ctx, apart, out.dual)
	floats.Sub(apart, x)
	out.green2 = floats.Dot(x[:cut], kv)
	out.apart = w.lambda * floats.Dot(apart[:cut], w.scaledKernel(ctx, w.k, w.s, apart[:cut]))
	if w.q != nil {
		out.bias2 = floats.Dot(x[cut:], qb)
		out.apart += w.rho * floats.Dot(apart[cut:], w.scaledKernel(ctx, w.q, w.rdy, apart[cut:]))
	}
	return out
}

// weightsOf stores the weights of a point in the space of the data. It ends with ctx.
func (w *weightSpace) weightsOf(ctx context.Context, x, z []float64) {
	w.backward(ctx, x, z)
	cut := w.g.Size()
	floats.Scale(1/w.lambda, x[:cut])
	floats.Scale(1/w.rho, x[cut:])
}

// scaledBy is v times s, or nil for nil.
func scaledBy(v, s []float64) []float64 {
	if v == nil {
		return nil
	}
	out := make([]float64, len(v))
	return floats.MulTo(out, v, s)
}

// weightSpaceVectors is how many arrays of the size of the weights the solve of a
// constrained problem takes at least.
const weightSpaceVectors = 30

// memoryShare is how many numbers a part of the memory limit holds, at most so many. The limit,
// not what of it is free, decides: results must not depend on what ran before.
func memoryShare(part float64, most int) int {
	return int(min(float64(most), part*array.MemoryLimit()/8))
}
