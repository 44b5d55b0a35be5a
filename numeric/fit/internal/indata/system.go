package indata

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/outputs"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
	"github.com/greenbench/workbench/numeric/mesh"
)

// System is the problem in the space of the data. The bias is one more input
// that is constantly one (paper, section 4.1): A = [F·dx, 1]/√n = P B with P
// orthonormal, T = Pᵀ U dy^½ / √n. With K̄ = blockdiag(K/λ, Q/ρ) and
// S = B ⊗ dy^½, the weights are Bᵀ Z dy^½, each block divided by its λ or
// ρ, where
//
//	(S K̄ Sᵀ + I) Z = T
//
// is symmetric positive definite with smallest eigenvalue at least 1.
type System struct {
	K    gram.Product // K on X × Y
	Q    gram.Product // Q on Y; nil without bias
	B    *mat.Dense   // B, r × (mx + 1), the last column for the bias, or several for its parts; without bias r × mx
	P    *mat.Dense   // P, n × r; nil when it is the identity
	T    *mat.Dense   // T, r × my
	RSS0 float64      // ‖U dy^½/√n‖² - ‖T‖²: what no estimate can explain
	Rdy  []float64    // dy^½
	r    *mat.Dense   // R of whitening on dy^½, in place of which is R dy^½; nil: errors are white along the output
	N    int          // samples
	more int          // values beyond the landmarks, in rss0
	Mx   int
	My   int

	Orbit *Orbit     // that the pairs are images of; nil: they are the pairs given
	parts *BiasParts // of β then; nil: it is one

	Flat   outputs.Contrast // of the free constant of β; nil: there is none
	Length float64          // of the data of the constant one
	mean   float64          // component of the data along flat, which T is without

	Unexplained *mat.Dense          // U dy^½/√n - P T, n × my; nil when it is zero
	V           linop.AxisBasis     // basis of the outputs that t and z are in; nil for the mesh points
	Core        *core               // the operator held in these bases, where that pays
	between     *linop.KroneckerSum // or between the rows of B alone: Σ_q (B Kx_q Bᵀ) ⊗ Ky_q
	Lambda, Rho float64
	scratch     *linop.Scratch // of products with the system
}

// SystemOf builds everything but λ and ρ. why says why K has its structure.
func SystemOf(ctx context.Context, s *problem.Setting) (sys *System, why string, err error) {
	h, err := problem.HoldKernel(ctx, s, nil, Size(s.Data.N(), s.Data.InputMesh, s.Data.OutputMesh))
	if err != nil {
		return nil, "", err
	}
	sys, err = NewSystem(ctx, s, h, true)
	return sys, h.Why, err
}

// NewSystem builds the system for a kernel h whose matrix has been made; reduce says
// whether rows may be reduced to the independent ones.
func NewSystem(ctx context.Context, s *problem.Setting, h *problem.Held, reduce bool) (sys *System, err error) {
	return NewSystemOf(ctx, s, h, reduce, nil)
}

// NewSystemOf is NewSystem for a bias of several parts; nil: it is one.
func NewSystemOf(ctx context.Context, s *problem.Setting, h *problem.Held, reduce bool, parts *BiasParts) (sys *System, err error) {
	d := s.Data
	x, y := d.InputMesh, d.OutputMesh
	sys = &System{N: d.N(), Mx: x.Size(), My: y.Size(), K: h.K, scratch: &linop.Scratch{}, parts: parts}
	if d.Errors != nil && d.Errors.Covariance != nil {
		if sys.r, err = outputs.PairWhitening(ctx, d); err != nil {
			return nil, err
		}
	}
	if q := s.Bias; q != nil {
		if sys.Q, _, err = gram.Output(ctx, q, y, s.BiasStructure()); err != nil {
			return nil, fmt.Errorf("bias: %w", err)
		}
	}
	if err := sys.reduce(ctx, d, reduce); err != nil {
		return nil, err
	}
	sys.more, sys.RSS0 = s.Beyond.Values, sys.RSS0+s.Beyond.Squares
	if s.Flat && sys.Q != nil {
		sys.setContrast(ctx)
		sys.mean = sys.Flat.Project(sys.T.RawMatrix().Data)
	}
	return sys, nil
}

// Reduced is a system as far as the data go: with B, P and T, without a kernel of G.
func Reduced(ctx context.Context, d *dataset.Dataset, q gram.Product, rows bool) (*System, error) {
	sys := &System{N: d.N(), Mx: d.InputMesh.Size(), My: d.OutputMesh.Size(), Q: q}
	return sys, sys.reduce(ctx, d, rows)
}

// reduce forms B, P, T and what P leaves of U, for pairs multiplied by roots of their weights. With at least as many samples as
// columns P R = A is a QR factorisation; otherwise, or when rows are not to be
// reduced, P is the identity.
func (sys *System) reduce(ctx context.Context, d *dataset.Dataset, rows bool) error {
	input, output := d.Matrices()
	dx, dy, pairs := d.InputMesh.Weights(), d.OutputMesh.Weights(), outputs.PairRoots(d)
	cols := sys.Mx + sys.biases()
	a := mat.NewDense(sys.N, cols, nil)
	u := mat.NewDense(sys.N, sys.My, nil)
	sys.Rdy = make([]float64, sys.My)
	for k, w := range dy {
		sys.Rdy[k] = math.Sqrt(w)
	}
	for i := range sys.N {
		row, root := a.RawRowView(i), pairs[i]/math.Sqrt(float64(sys.N))
		for j, f := range input.RawRowView(i) {
			row[j] = f * dx[j] * root
		}
		for c := range sys.biases() {
			row[sys.Mx+c] = root * sys.parts.factor(c, i)
		}
		copy(u.RawRowView(i), output.RawRowView(i))
		sys.TimesRoots(ctx, u.RawRowView(i))
		floats.Scale(root, u.RawRowView(i))
	}
	if sys.N <= cols || !rows {
		sys.B, sys.T = a, u
		return nil
	}
	var err error
	if sys.P, sys.B, err = linop.QR(ctx, a); err != nil {
		return err
	}
	sys.T = linop.Product(ctx, sys.P.T(), u)
	u.Sub(u, linop.Product(ctx, sys.P, sys.T))
	sys.Unexplained, sys.RSS0 = u, floats.Dot(u.RawMatrix().Data, u.RawMatrix().Data)
	return linop.Stopped(ctx)
}

// setContrast finds the direction of a free constant in the present bases.
func (sys *System) setContrast(ctx context.Context) {
	y := linop.Ones(sys.My)
	sys.TimesRoots(ctx, y)
	sys.V.Forward(ctx, y)
	sys.Flat, sys.Length = outputs.NewContrast(sys.parts.response(sys.biasColumns(), y, sys.V != nil))
}

// rotateOutputs turns the system into an orthonormal basis V of the outputs: T V.
func (sys *System) rotateOutputs(ctx context.Context, v linop.AxisBasis) {
	v.Forward(ctx, sys.T.RawMatrix().Data)
	if sys.Unexplained != nil {
		v.Forward(ctx, sys.Unexplained.RawMatrix().Data)
	}
	sys.V = v
}

// rotateRows turns the system into an orthonormal basis E of the rows: Eᵀ B, Eᵀ T, P E.
// The weights that a solution stands for do not change. Rows and columns are ordered by
// the size of what they stand for; the large entries of Z belong to small ones, so that
// rounding no longer spoils the residual.
func (sys *System) rotateRows(ctx context.Context, e *mat.Dense) error {
	sys.B, sys.T = linop.Product(ctx, e.T(), sys.B), linop.Product(ctx, e.T(), sys.T)
	if sys.P == nil {
		sys.P = e
	} else {
		sys.P = linop.Product(ctx, sys.P, e)
	}
	if sys.Flat != nil {
		sys.setContrast(ctx)
	}
	return linop.Stopped(ctx)
}

// outputs is how many values were observed. A free constant takes one of them.
func (sys *System) outputs() int {
	if sys.Orbit != nil {
		return sys.Orbit.N * sys.My
	}
	return sys.N*sys.My + sys.more
}

// biases is how many columns B has for β.
func (sys *System) biases() int {
	if sys.Q == nil {
		return 0
	}
	return sys.parts.count()
}

// biasColumns are those of B, r × biases.
func (sys *System) biasColumns() *mat.Dense {
	r, cols := sys.B.Dims()
	return mat.DenseCopyOf(sys.B.Slice(0, r, sys.Mx, cols))
}

// Rows is r, the number of independent inputs.
func (sys *System) Rows() int { r, _ := sys.B.Dims(); return r }

// Dims implements linop.Operator.
func (sys *System) Dims() (r, c int) { n := sys.Rows() * sys.My; return n, n }

// Apply implements linop.Operator: (S K̄ Sᵀ + I) z.
func (sys *System) Apply(ctx context.Context, dst, z []float64) {
	sys.ApplyKernel(ctx, dst, z)
	floats.Add(dst, z)
}

// ApplyKernel stores S K̄ Sᵀ z in dst.
func (sys *System) ApplyKernel(ctx context.Context, dst, z []float64) {
	if sys.Core != nil {
		sys.Core.apply(ctx, dst, z, sys.Lambda, sys.Rho)
		return
	}
	if sys.between != nil {
		sys.applyBetween(ctx, dst, z)
		return
	}
	w := sys.Weights(ctx, z)
	kw := sys.KernelTimes(ctx, w)
	sys.response(ctx, dst, kw)
	sys.scratch.Give(w.RawMatrix().Data, kw.RawMatrix().Data)
}

// response stores the response to values kw of G and β, (mx + 1) × my, in dst.
func (sys *System) response(ctx context.Context, dst []float64, kw *mat.Dense) {
	out := mat.NewDense(sys.Rows(), sys.My, dst)
	if linop.MulContext(ctx, out, sys.B, kw) != nil {
		return
	}
	sys.TimesRoots(ctx, dst)
	sys.V.Forward(ctx, dst)
}

// Weights returns Bᵀ Z dy^½, not yet divided by λ or ρ: (mx + 1) × my. It ends with ctx
// as products with an operator do.
func (sys *System) Weights(ctx context.Context, z []float64) *mat.Dense {
	r, cols := sys.B.Dims()
	w, zw := mat.NewDense(cols, sys.My, sys.scratch.Take(cols*sys.My)), sys.onPoints(ctx, z)
	_ = linop.MulContext(ctx, w, sys.B.T(), mat.NewDense(r, sys.My, zw))
	sys.scratch.Give(zw)
	return w
}

// onPoints returns Z dy^½ at the points of the outputs. It ends with ctx.
func (sys *System) onPoints(ctx context.Context, z []float64) []float64 {
	zw := sys.scratch.Take(len(z))
	copy(zw, z)
	sys.V.Backward(ctx, zw)
	sys.TimesRootsAdjoint(ctx, zw)
	return zw
}

// applyBetween is applyKernel by what the kernel is between the rows of B.
func (sys *System) applyBetween(ctx context.Context, dst, z []float64) {
	zw := sys.onPoints(ctx, z)
	sys.between.Apply(ctx, dst, zw)
	floats.Scale(1/sys.Lambda, dst)
	if sys.Q != nil {
		r, cols := sys.B.Dims()
		sum, qs := make([]float64, sys.My), make([]float64, sys.My)
		for i := range r {
			floats.AddScaled(sum, sys.B.At(i, cols-1), zw[i*sys.My:(i+1)*sys.My])
		}
		sys.Q.Apply(ctx, qs, sum)
		for i := range r {
			floats.AddScaled(dst[i*sys.My:(i+1)*sys.My], sys.B.At(i, cols-1)/sys.Rho, qs)
		}
	}
	sys.scratch.Give(zw)
	sys.TimesRoots(ctx, dst)
	sys.V.Forward(ctx, dst)
}

// TimesRoots multiplies every row of data by R dy^½. It ends with ctx.
func (sys *System) TimesRoots(ctx context.Context, data []float64) {
	linop.TimesRows(data, sys.Rdy)
	if sys.r != nil {
		m := mat.NewDense(len(data)/sys.My, sys.My, data)
		_ = linop.MulContext(ctx, m, mat.DenseCopyOf(m), sys.r.T())
	}
}

// TimesRootsAdjoint multiplies every row of data by dy^½ Rᵀ.
func (sys *System) TimesRootsAdjoint(ctx context.Context, data []float64) {
	if sys.r != nil {
		m := mat.NewDense(len(data)/sys.My, sys.My, data)
		_ = linop.MulContext(ctx, m, mat.DenseCopyOf(m), sys.r)
	}
	linop.TimesRows(data, sys.Rdy)
}

// KernelTimes returns K̄ W for W of (mx + 1) × my. It ends with ctx.
func (sys *System) KernelTimes(ctx context.Context, w *mat.Dense) *mat.Dense {
	cols, _ := w.Dims()
	out := mat.NewDense(cols, sys.My, sys.scratch.Take(cols*sys.My))
	data, res := w.RawMatrix().Data, out.RawMatrix().Data
	cut := sys.Mx * sys.My
	sys.K.Apply(ctx, res[:cut], data[:cut])
	floats.Scale(1/sys.Lambda, res[:cut])
	for c := range sys.biases() {
		lo, hi := cut+c*sys.My, cut+(c+1)*sys.My
		sys.Q.Apply(ctx, res[lo:hi], data[lo:hi])
		sys.parts.project(c, res[lo:hi])
		floats.Scale(1/sys.Rho, res[lo:hi])
	}
	return out
}

// Weigh turns a solution Z into weights. Like all products it ends with ctx, and is of no
// use then.
func (sys *System) Weigh(ctx context.Context, z []float64) *problem.Weighed {
	sys.Flat.Project(z) // rounding along a free constant, which A makes large
	w, kw := sys.WeightsOf(ctx, z)
	az := make([]float64, len(z))
	if sys.Core == nil && sys.between == nil {
		sys.response(ctx, az, kw)
	} else {
		sys.ApplyKernel(ctx, az, z)
	}
	if left := sys.mean - sys.Flat.Project(az); sys.Flat != nil {
		w.Intercept = left / sys.Length
	}
	t := sys.T.RawMatrix().Data
	w.Misfit, w.Dual, w.Unexplained = floats.SubTo(az, t, az), z, sys.RSS0
	w.Size = problem.NotNothing(floats.Norm(t, 2))
	return w
}

// WeightsOf is the weights that a point of the dual problem stands for, and kernelTimes of them.
func (sys *System) WeightsOf(ctx context.Context, z []float64) (out *problem.Weighed, kw *mat.Dense) {
	w := sys.Weights(ctx, z)
	kw = sys.KernelTimes(ctx, w)
	cut := sys.Mx * sys.My
	wd, kd := w.RawMatrix().Data, kw.RawMatrix().Data
	out = &problem.Weighed{K: sys.K, Q: sys.Q, Respond: sys.Respond, Values: kd[:cut:cut]}
	out.Green2 = floats.Dot(wd[:cut], kd[:cut]) / sys.Lambda
	floats.Scale(1/sys.Lambda, wd[:cut])
	out.Green = mat.NewDense(sys.Mx, sys.My, wd[:cut:cut])
	if sys.Q != nil {
		out.Bias2 = floats.Dot(wd[cut:], kd[cut:]) / sys.Rho
		floats.Scale(1/sys.Rho, wd[cut:])
		out.Bias = sys.parts.total(wd[cut:])
	}
	return out, kw
}

// Respond returns S (g; b) in the bases of the system, for values g of G on X × Y and b of
// β on Y, nil for zero.
func (sys *System) Respond(ctx context.Context, g, b []float64) []float64 {
	r := sys.Rows()
	h := make([]float64, r*sys.My)
	if g != nil {
		_ = linop.MulContext(ctx, mat.NewDense(r, sys.My, h), sys.B.Slice(0, r, 0, sys.Mx), mat.NewDense(sys.Mx, sys.My, g))
	}
	if b != nil && sys.Q != nil {
		floats.Add(h, sys.parts.response(sys.biasColumns(), b, false))
	}
	sys.TimesRoots(ctx, h)
	sys.V.Forward(ctx, h)
	return h
}

// Size is about how many numbers a problem in the space of the data takes at a time,
// the kernel not counted: the data and what their factors and the preconditioner are made
// of, or the vectors of the solve.
func Size(n int, x, y mesh.Mesh) float64 {
	pairs, mx, my := float64(n), float64(x.Size()), float64(y.Size())
	rows := min(pairs, mx+1)
	data := 2*pairs*mx + 3*pairs*my
	if pairs > mx {
		data += 2 * pairs * mx // its orthonormal factor, and how that is made
	}
	preparing := 3*mx*mx + rows*mx
	if len(y.Axes()) > 1 {
		preparing += my * my
	}
	solving := 6*rows*my + 4*mx*my + criteria.ProbedSpace(rows*my)
	return data + max(preparing, solving)
}

// Modes is what each vector of the basis of the outputs stands for at their points, with dy^½ and whitening: my × my.
func (sys *System) Modes(ctx context.Context) *mat.Dense {
	modes := linop.Identity(sys.My)
	sys.V.Backward(ctx, modes.RawMatrix().Data)
	sys.TimesRootsAdjoint(ctx, modes.RawMatrix().Data)
	return modes
}
