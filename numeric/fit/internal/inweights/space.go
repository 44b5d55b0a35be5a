package inweights

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/lattice"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/outputs"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit/internal/indata"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
)

// Space is the optimality system of a constrained fit, in the space of the
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
type Space struct {
	G    *lattice.Lattice
	K    gram.Product
	Q    gram.Product // nil without bias
	resp response
	S    []float64          // scales of the weights of the grid
	dxdy []float64          // square roots of the quadrature weights over s; nil: all ones
	Rdy  []float64          // square roots of the weights of the outputs
	c    []float64          // constant input, one entry for each row of the outputs
	T    []float64          // scaled outputs, 0 where missing
	d    *outputs.Whitening // of what was observed; nil: all outputs were, with white noise
	RSS0 float64

	Flat   outputs.Contrast // of the free constant of β; nil: there is none
	length float64          // of the data of the constant one
	mean   float64          // component of the data along flat, which t is without

	Lambda, Rho float64
	nu, kappa   *mat.Dense // mx × my
	vx, vy      linop.AxisBasis
	qd          []float64 // diagonal of Q̃ in vq
	vq          linop.AxisBasis
	coupling    *coupling // where that is no diagonal; nil: nowhere yet
	N           int       // samples

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

// NewSpace is the problem on a lattice; why says why the kernel has its structure.
func NewSpace(ctx context.Context, s *problem.Setting, g *lattice.Lattice) (w *Space, why string, err error) {
	q := &problem.Question{Setting: s, Lattice: g}
	w, err = newWeightSpaceOn(ctx, q)
	if err != nil {
		return nil, "", err
	}
	return w, q.Held.Why, nil
}

// newWeightSpaceOn is the problem on a lattice, or on the meshes of the data.
func newWeightSpaceOn(ctx context.Context, q *problem.Question) (w *Space, err error) {
	s, d := q.Setting, q.Setting.Data
	g := q.Lattice
	if g == nil {
		g = lattice.On(d.InputMesh, d.OutputMesh)
	}
	if err := q.Hold(ctx, weightSpaceVectors*float64(g.Size())); err != nil {
		return nil, err
	}
	w = &Space{G: g, N: d.N(), K: q.Held.K, scratch: &linop.Scratch{}}
	if q := s.Bias; q != nil {
		if w.Q, _, err = gram.Output(ctx, q, d.OutputMesh, s.BiasStructure()); err != nil {
			return nil, fmt.Errorf("bias: %w", err)
		}
	}
	w.S, w.dxdy = g.Scales()
	w.Rdy = linop.Roots(d.OutputMesh.Weights())
	if err := w.SetData(ctx, d); err != nil {
		return nil, err
	}
	if s.Flat && w.Q != nil {
		c := linop.Outer(w.c, w.Rdy)
		w.d.Forward(c)
		w.Flat, w.length = outputs.NewContrast(c)
		w.mean = w.Flat.Project(w.T)
	}
	return w, nil
}

// SetData makes the response and the scaled outputs.
func (w *Space) SetData(ctx context.Context, d *dataset.Dataset) error {
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
	if w.G.Lag() == nil {
		sys, err := indata.Reduced(ctx, d, w.Q, w.d == nil)
		if err != nil {
			return err
		}
		r, cols := sys.B.Dims()
		c := mat.DenseCopyOf(sys.B.Slice(0, r, 0, sys.Mx))
		inverse := x.Weights()
		for i, v := range inverse {
			if v > 0 { // points without weight have no influence, and C is zero there
				inverse[i] = 1 / math.Sqrt(v)
			}
		}
		linop.TimesRows(c.RawMatrix().Data, inverse)
		w.resp = pointwise{c: c, my: sys.My}
		w.T, w.RSS0, w.p, w.unexplained = sys.T.RawMatrix().Data, sys.RSS0, sys.P, sys.Unexplained
		w.d.Forward(w.T)
		if w.Q != nil {
			w.c = mat.Col(nil, cols-1, sys.B)
		}
		return nil
	}
	weighted := mat.DenseCopyOf(input)
	for i, p := range pairs {
		floats.Scale(p, weighted.RawRowView(i))
	}
	conv, err := lattice.NewConvolution(ctx, w.G, weighted, x, y, true)
	if err != nil {
		return err
	}
	w.resp = conv
	root := 1 / math.Sqrt(float64(w.N))
	w.T = append([]float64(nil), output.RawMatrix().Data...)
	linop.TimesRows(w.T, w.Rdy)
	for i, p := range pairs {
		floats.Scale(root*p, w.T[i*len(w.Rdy):(i+1)*len(w.Rdy)])
	}
	w.d.Forward(w.T)
	if w.Q != nil {
		w.c = slices.Clone(pairs)
		floats.Scale(root, w.c)
	}
	return nil
}

// Dims implements linop.Operator.
func (w *Space) Dims() (r, c int) {
	n := w.G.Size()
	if w.Q != nil {
		n += len(w.Rdy)
	}
	return n, n
}

// Apply implements linop.Operator.
func (w *Space) Apply(ctx context.Context, dst, x []float64) {
	cut := w.G.Size()
	out, kv, qb := w.Forward(ctx, x)
	w.Backward(ctx, dst, out)
	w.scratch.Give(out, kv, qb)
	for i, v := range x[:cut] {
		dst[i] += w.Lambda * v
	}
	for i, v := range x[cut:] {
		dst[cut+i] += w.Rho * v
	}
}

// Forward returns 𝒜 M P K̃ v + c Q̃ b, and the two kernel products K̃ v and Q̃ b. Like all
// products here it ends with ctx, and is of no use then.
func (w *Space) Forward(ctx context.Context, x []float64) (out, kv, qb []float64) {
	kv, qb = w.kernelTimes(ctx, x)
	return w.respond(ctx, kv, qb), kv, qb
}

// kernelTimes returns K̃ v and Q̃ b, nil without a bias.
func (w *Space) kernelTimes(ctx context.Context, x []float64) (kv, qb []float64) {
	cut := w.G.Size()
	kv = w.ScaledKernel(ctx, w.K, w.S, x[:cut])
	if w.Q != nil {
		qb = w.ScaledKernel(ctx, w.Q, w.Rdy, x[cut:])
	}
	return kv, qb
}

// respond returns 𝒜 M P kv + c qb, without its component along a free constant.
func (w *Space) respond(ctx context.Context, kv, qb []float64) []float64 {
	out := w.response(ctx, kv, qb)
	w.Flat.Project(out)
	return out
}

// response returns 𝒜 M P kv + c qb, nil standing for zero.
func (w *Space) response(ctx context.Context, kv, qb []float64) []float64 {
	g := w.scratch.Take(w.G.Size())
	defer w.scratch.Give(g)
	clear(g[copy(g, kv):])
	w.G.Average(g)
	w.G.Mask(g)
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

// Backward stores (P M 𝒜ᵀ out, cᵀ out) in dst.
func (w *Space) Backward(ctx context.Context, dst, out []float64) {
	cut := w.G.Size()
	if w.d != nil || w.Flat != nil {
		out = append([]float64(nil), out...)
		w.Flat.Project(out)
	}
	w.d.Adjoint(out)
	w.resp.Adjoint(ctx, dst[:cut], out)
	if w.dxdy != nil {
		floats.Mul(dst[:cut], w.dxdy)
	}
	w.G.Mask(dst[:cut])
	w.G.Average(dst[:cut])
	if w.Q == nil {
		return
	}
	my := len(w.Rdy)
	b := dst[cut:]
	clear(b)
	for i, c := range w.c {
		floats.AddScaled(b, c, out[i*my:(i+1)*my])
	}
}

// ScaledKernel returns s K s v.
func (w *Space) ScaledKernel(ctx context.Context, k gram.Product, s, v []float64) []float64 {
	in, out := w.scratch.Take(len(v)), w.scratch.Take(len(v))
	defer w.scratch.Give(in)
	floats.MulTo(in, s, v)
	k.Apply(ctx, out, in)
	floats.Mul(out, s)
	return out
}

// scaledProduct is s K s.
type scaledProduct struct {
	w *Space
	k gram.Product
	s []float64
}

// Dims implements linop.Operator.
func (p scaledProduct) Dims() (r, c int) { return len(p.s), len(p.s) }

// Apply implements linop.Operator.
func (p scaledProduct) Apply(ctx context.Context, dst, v []float64) {
	copy(dst, p.w.ScaledKernel(ctx, p.k, p.s, v))
}

func (w *Space) RightHandSide(ctx context.Context) []float64 {
	n, _ := w.Dims()
	b := make([]float64, n)
	w.Backward(ctx, b, w.T)
	return b
}

// Outputs is how many values were observed.
func (w *Space) Outputs() int {
	if w.d == nil {
		return w.N * len(w.Rdy)
	}
	return w.d.Count()
}

// share is the part of the outputs that was observed, and how sharply.
func (w *Space) share() float64 {
	if w.d == nil {
		return 1
	}
	return w.d.Sharpness()
}

// Weigh turns a solution, which becomes the weights, into these.
func (w *Space) Weigh(ctx context.Context, x []float64) *problem.Weighed {
	out, cut := w.State(ctx, x), w.G.Size()
	weights := x[:cut:cut]
	floats.Mul(weights, w.S)
	out.Green = mat.NewDense(w.G.X().Size(), w.G.Y().Size(), weights)
	if w.Q != nil {
		out.Bias = append([]float64(nil), x[cut:]...)
		floats.Mul(out.Bias, w.Rdy)
	}
	return out
}

// State is what is known of the weights x. The dual point is the misfit Z, of weights
// P M 𝒜ᵀ Z / λ.
func (w *Space) State(ctx context.Context, x []float64) *problem.Weighed {
	cut := w.G.Size()
	kv, qb := w.kernelTimes(ctx, x)
	out := &problem.Weighed{K: w.K, Q: w.Q, Unexplained: w.RSS0}
	out.Respond = func(ctx context.Context, green, bias []float64) []float64 {
		return w.response(ctx, scaledBy(green, w.S), scaledBy(bias, w.Rdy))
	}
	seen := w.response(ctx, kv, qb)
	if left := w.mean - w.Flat.Project(seen); w.Flat != nil {
		out.Intercept = left / w.length
	}
	out.Misfit = floats.SubTo(seen, w.T, seen)
	out.Dual = out.Misfit
	apart := make([]float64, len(x))
	w.weightsOf(ctx, apart, out.Dual)
	floats.Sub(apart, x)
	out.Green2 = floats.Dot(x[:cut], kv)
	out.Apart = w.Lambda * floats.Dot(apart[:cut], w.ScaledKernel(ctx, w.K, w.S, apart[:cut]))
	if w.Q != nil {
		out.Bias2 = floats.Dot(x[cut:], qb)
		out.Apart += w.Rho * floats.Dot(apart[cut:], w.ScaledKernel(ctx, w.Q, w.Rdy, apart[cut:]))
	}
	return out
}

// weightsOf stores the weights of a point in the space of the data. It ends with ctx.
func (w *Space) weightsOf(ctx context.Context, x, z []float64) {
	w.Backward(ctx, x, z)
	cut := w.G.Size()
	floats.Scale(1/w.Lambda, x[:cut])
	floats.Scale(1/w.Rho, x[cut:])
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
