package fit

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/internal/criteria"
	"github.com/greenbench/workbench/numeric/internal/gram"
	"github.com/greenbench/workbench/numeric/internal/linop"
	"github.com/greenbench/workbench/numeric/internal/outputs"
	"github.com/greenbench/workbench/numeric/mesh"
)

// system is the problem in the space of the data. The bias is one more input
// that is constantly one (paper, section 4.1): A = [F·dx, 1]/√n = P B with P
// orthonormal, T = Pᵀ U dy^½ / √n. With K̄ = blockdiag(K/λ, Q/ρ) and
// S = B ⊗ dy^½, the weights are Bᵀ Z dy^½, each block divided by its λ or
// ρ, where
//
//	(S K̄ Sᵀ + I) Z = T
//
// is symmetric positive definite with smallest eigenvalue at least 1.
type system struct {
	k    gram.Product // K on X × Y
	q    gram.Product // Q on Y; nil without bias
	b    *mat.Dense   // B, r × (mx + 1), the last column for the bias, or several for its parts; without bias r × mx
	p    *mat.Dense   // P, n × r; nil when it is the identity
	t    *mat.Dense   // T, r × my
	rss0 float64      // ‖U dy^½/√n‖² - ‖T‖²: what no estimate can explain
	rdy  []float64    // dy^½
	r    *mat.Dense   // R of whitening on dy^½, in place of which is R dy^½; nil: errors are white along the output
	n    int          // samples
	more int          // values beyond the landmarks, in rss0
	mx   int
	my   int

	orbit *orbit     // that the pairs are images of; nil: they are the pairs given
	parts *biasParts // of β then; nil: it is one

	flat   outputs.Contrast // of the free constant of β; nil: there is none
	length float64          // of the data of the constant one
	mean   float64          // component of the data along flat, which T is without

	unexplained *mat.Dense          // U dy^½/√n - P T, n × my; nil when it is zero
	v           linop.AxisBasis     // basis of the outputs that t and z are in; nil for the mesh points
	core        *core               // the operator held in these bases, where that pays
	between     *linop.KroneckerSum // or between the rows of B alone: Σ_q (B Kx_q Bᵀ) ⊗ Ky_q
	lambda, rho float64
	scratch     *linop.Scratch // of products with the system
}

// newSystem builds everything but λ and ρ. why says why K has its structure.
func newSystem(ctx context.Context, s *Spec) (sys *system, why string, err error) {
	h, err := holdKernel(ctx, s, nil, systemSize(s.Data.N(), s.Data.InputMesh, s.Data.OutputMesh))
	if err != nil {
		return nil, "", err
	}
	sys, err = newSystemWith(ctx, s, h, true)
	return sys, h.why, err
}

// newSystemWith builds the system for a kernel h whose matrix has been made; reduce says
// whether rows may be reduced to the independent ones.
func newSystemWith(ctx context.Context, s *Spec, h *held, reduce bool) (sys *system, err error) {
	return newSystemOf(ctx, s, h, reduce, nil)
}

// newSystemOf is newSystemWith for a bias of several parts; nil: it is one.
func newSystemOf(ctx context.Context, s *Spec, h *held, reduce bool, parts *biasParts) (sys *system, err error) {
	d := s.Data
	x, y := d.InputMesh, d.OutputMesh
	sys = &system{n: d.N(), mx: x.Size(), my: y.Size(), k: h.k, scratch: &linop.Scratch{}, parts: parts}
	if d.Errors != nil && d.Errors.Covariance != nil {
		if sys.r, err = outputs.PairWhitening(ctx, d); err != nil {
			return nil, err
		}
	}
	if q := s.biasKernel(); q != nil {
		if sys.q, _, err = gram.Output(ctx, q, y, s.biasStructure()); err != nil {
			return nil, fmt.Errorf("bias: %w", err)
		}
	}
	input, output := d.Matrices()
	if err := sys.reduce(ctx, input, output, x.Weights(), y.Weights(), outputs.PairRoots(d), reduce); err != nil {
		return nil, err
	}
	sys.more, sys.rss0 = s.beyond.Values, sys.rss0+s.beyond.Squares
	if s.flat() && sys.q != nil {
		sys.setContrast(ctx)
		sys.mean = sys.flat.Project(sys.t.RawMatrix().Data)
	}
	return sys, nil
}

// reduce forms B, P, T and what P leaves of U, for pairs multiplied by roots of their weights. With at least as many samples as
// columns P R = A is a QR factorisation; otherwise, or when rows are not to be
// reduced, P is the identity.
func (sys *system) reduce(ctx context.Context, input, output *mat.Dense, dx, dy, pairs []float64, rows bool) error {
	cols := sys.mx + sys.biases()
	a := mat.NewDense(sys.n, cols, nil)
	u := mat.NewDense(sys.n, sys.my, nil)
	sys.rdy = make([]float64, sys.my)
	for k, w := range dy {
		sys.rdy[k] = math.Sqrt(w)
	}
	for i := range sys.n {
		row, root := a.RawRowView(i), pairs[i]/math.Sqrt(float64(sys.n))
		for j, f := range input.RawRowView(i) {
			row[j] = f * dx[j] * root
		}
		for c := range sys.biases() {
			row[sys.mx+c] = root * sys.parts.factor(c, i)
		}
		copy(u.RawRowView(i), output.RawRowView(i))
		sys.timesRoots(ctx, u.RawRowView(i))
		floats.Scale(root, u.RawRowView(i))
	}
	if sys.n <= cols || !rows {
		sys.b, sys.t = a, u
		return nil
	}
	var err error
	if sys.p, sys.b, err = linop.QR(ctx, a); err != nil {
		return err
	}
	sys.t = linop.Product(ctx, sys.p.T(), u)
	u.Sub(u, linop.Product(ctx, sys.p, sys.t))
	sys.unexplained, sys.rss0 = u, floats.Dot(u.RawMatrix().Data, u.RawMatrix().Data)
	return linop.Stopped(ctx)
}

// setContrast finds the direction of a free constant in the present bases.
func (sys *system) setContrast(ctx context.Context) {
	y := linop.Ones(sys.my)
	sys.timesRoots(ctx, y)
	sys.v.Forward(ctx, y)
	sys.flat, sys.length = outputs.NewContrast(sys.parts.response(sys.biasColumns(), y, sys.v != nil))
}

// rotateOutputs turns the system into an orthonormal basis V of the outputs: T V.
func (sys *system) rotateOutputs(ctx context.Context, v linop.AxisBasis) {
	v.Forward(ctx, sys.t.RawMatrix().Data)
	if sys.unexplained != nil {
		v.Forward(ctx, sys.unexplained.RawMatrix().Data)
	}
	sys.v = v
}

// rotateRows turns the system into an orthonormal basis E of the rows: Eᵀ B, Eᵀ T, P E.
// The weights that a solution stands for do not change. Rows and columns are ordered by
// the size of what they stand for; the large entries of Z belong to small ones, so that
// rounding no longer spoils the residual.
func (sys *system) rotateRows(ctx context.Context, e *mat.Dense) error {
	sys.b, sys.t = linop.Product(ctx, e.T(), sys.b), linop.Product(ctx, e.T(), sys.t)
	if sys.p == nil {
		sys.p = e
	} else {
		sys.p = linop.Product(ctx, sys.p, e)
	}
	if sys.flat != nil {
		sys.setContrast(ctx)
	}
	return linop.Stopped(ctx)
}

// outputs is how many values were observed. A free constant takes one of them.
func (sys *system) outputs() int {
	if sys.orbit != nil {
		return sys.orbit.n * sys.my
	}
	return sys.n*sys.my + sys.more
}

// biases is how many columns B has for β.
func (sys *system) biases() int {
	if sys.q == nil {
		return 0
	}
	return sys.parts.count()
}

// biasColumns are those of B, r × biases.
func (sys *system) biasColumns() *mat.Dense {
	r, cols := sys.b.Dims()
	return mat.DenseCopyOf(sys.b.Slice(0, r, sys.mx, cols))
}

// rows is r, the number of independent inputs.
func (sys *system) rows() int { r, _ := sys.b.Dims(); return r }

// Dims implements linop.Operator.
func (sys *system) Dims() (r, c int) { n := sys.rows() * sys.my; return n, n }

// Apply implements linop.Operator: (S K̄ Sᵀ + I) z.
func (sys *system) Apply(ctx context.Context, dst, z []float64) {
	sys.applyKernel(ctx, dst, z)
	floats.Add(dst, z)
}

// applyKernel stores S K̄ Sᵀ z in dst.
func (sys *system) applyKernel(ctx context.Context, dst, z []float64) {
	if sys.core != nil {
		sys.core.apply(ctx, dst, z, sys.lambda, sys.rho)
		return
	}
	if sys.between != nil {
		sys.applyBetween(ctx, dst, z)
		return
	}
	w := sys.weights(ctx, z)
	kw := sys.kernelTimes(ctx, w)
	sys.response(ctx, dst, kw)
	sys.scratch.Give(w.RawMatrix().Data, kw.RawMatrix().Data)
}

// response stores the response to values kw of G and β, (mx + 1) × my, in dst.
func (sys *system) response(ctx context.Context, dst []float64, kw *mat.Dense) {
	out := mat.NewDense(sys.rows(), sys.my, dst)
	if linop.MulContext(ctx, out, sys.b, kw) != nil {
		return
	}
	sys.timesRoots(ctx, dst)
	sys.v.Forward(ctx, dst)
}

// weights returns Bᵀ Z dy^½, not yet divided by λ or ρ: (mx + 1) × my. It ends with ctx
// as products with an operator do.
func (sys *system) weights(ctx context.Context, z []float64) *mat.Dense {
	r, cols := sys.b.Dims()
	w, zw := mat.NewDense(cols, sys.my, sys.scratch.Take(cols*sys.my)), sys.onPoints(ctx, z)
	_ = linop.MulContext(ctx, w, sys.b.T(), mat.NewDense(r, sys.my, zw))
	sys.scratch.Give(zw)
	return w
}

// onPoints returns Z dy^½ at the points of the outputs. It ends with ctx.
func (sys *system) onPoints(ctx context.Context, z []float64) []float64 {
	zw := sys.scratch.Take(len(z))
	copy(zw, z)
	sys.v.Backward(ctx, zw)
	sys.timesRootsAdjoint(ctx, zw)
	return zw
}

// applyBetween is applyKernel by what the kernel is between the rows of B.
func (sys *system) applyBetween(ctx context.Context, dst, z []float64) {
	zw := sys.onPoints(ctx, z)
	sys.between.Apply(ctx, dst, zw)
	floats.Scale(1/sys.lambda, dst)
	if sys.q != nil {
		r, cols := sys.b.Dims()
		sum, qs := make([]float64, sys.my), make([]float64, sys.my)
		for i := range r {
			floats.AddScaled(sum, sys.b.At(i, cols-1), zw[i*sys.my:(i+1)*sys.my])
		}
		sys.q.Apply(ctx, qs, sum)
		for i := range r {
			floats.AddScaled(dst[i*sys.my:(i+1)*sys.my], sys.b.At(i, cols-1)/sys.rho, qs)
		}
	}
	sys.scratch.Give(zw)
	sys.timesRoots(ctx, dst)
	sys.v.Forward(ctx, dst)
}

// timesRoots multiplies every row of data by R dy^½. It ends with ctx.
func (sys *system) timesRoots(ctx context.Context, data []float64) {
	linop.TimesRows(data, sys.rdy)
	if sys.r != nil {
		m := mat.NewDense(len(data)/sys.my, sys.my, data)
		_ = linop.MulContext(ctx, m, mat.DenseCopyOf(m), sys.r.T())
	}
}

// timesRootsAdjoint multiplies every row of data by dy^½ Rᵀ.
func (sys *system) timesRootsAdjoint(ctx context.Context, data []float64) {
	if sys.r != nil {
		m := mat.NewDense(len(data)/sys.my, sys.my, data)
		_ = linop.MulContext(ctx, m, mat.DenseCopyOf(m), sys.r)
	}
	linop.TimesRows(data, sys.rdy)
}

// kernelTimes returns K̄ W for W of (mx + 1) × my. It ends with ctx.
func (sys *system) kernelTimes(ctx context.Context, w *mat.Dense) *mat.Dense {
	cols, _ := w.Dims()
	out := mat.NewDense(cols, sys.my, sys.scratch.Take(cols*sys.my))
	data, res := w.RawMatrix().Data, out.RawMatrix().Data
	cut := sys.mx * sys.my
	sys.k.Apply(ctx, res[:cut], data[:cut])
	floats.Scale(1/sys.lambda, res[:cut])
	for c := range sys.biases() {
		lo, hi := cut+c*sys.my, cut+(c+1)*sys.my
		sys.q.Apply(ctx, res[lo:hi], data[lo:hi])
		sys.parts.project(c, res[lo:hi])
		floats.Scale(1/sys.rho, res[lo:hi])
	}
	return out
}

// weigh turns a solution Z into weights. Like all products it ends with ctx, and is of no
// use then.
func (sys *system) weigh(ctx context.Context, z []float64) *weighed {
	sys.flat.Project(z) // rounding along a free constant, which A makes large
	w, kw := sys.weightsOf(ctx, z)
	az := make([]float64, len(z))
	if sys.core == nil && sys.between == nil {
		sys.response(ctx, az, kw)
	} else {
		sys.applyKernel(ctx, az, z)
	}
	if left := sys.mean - sys.flat.Project(az); sys.flat != nil {
		w.intercept = left / sys.length
	}
	t := sys.t.RawMatrix().Data
	w.misfit, w.dual, w.unexplained = floats.SubTo(az, t, az), z, sys.rss0
	w.size = notNothing(floats.Norm(t, 2))
	return w
}

// weightsOf is the weights that a point of the dual problem stands for, and kernelTimes of them.
func (sys *system) weightsOf(ctx context.Context, z []float64) (out *weighed, kw *mat.Dense) {
	w := sys.weights(ctx, z)
	kw = sys.kernelTimes(ctx, w)
	cut := sys.mx * sys.my
	wd, kd := w.RawMatrix().Data, kw.RawMatrix().Data
	out = &weighed{k: sys.k, q: sys.q, respond: sys.respond, values: kd[:cut:cut]}
	out.green2 = floats.Dot(wd[:cut], kd[:cut]) / sys.lambda
	floats.Scale(1/sys.lambda, wd[:cut])
	out.green = mat.NewDense(sys.mx, sys.my, wd[:cut:cut])
	if sys.q != nil {
		out.bias2 = floats.Dot(wd[cut:], kd[cut:]) / sys.rho
		floats.Scale(1/sys.rho, wd[cut:])
		out.bias = sys.parts.total(wd[cut:])
	}
	return out, kw
}

// respond returns S (g; b) in the bases of the system, for values g of G on X × Y and b of
// β on Y, nil for zero.
func (sys *system) respond(ctx context.Context, g, b []float64) []float64 {
	r := sys.rows()
	h := make([]float64, r*sys.my)
	if g != nil {
		_ = linop.MulContext(ctx, mat.NewDense(r, sys.my, h), sys.b.Slice(0, r, 0, sys.mx), mat.NewDense(sys.mx, sys.my, g))
	}
	if b != nil && sys.q != nil {
		floats.Add(h, sys.parts.response(sys.biasColumns(), b, false))
	}
	sys.timesRoots(ctx, h)
	sys.v.Forward(ctx, h)
	return h
}

// systemSize is about how many numbers a problem in the space of the data takes at a time,
// the kernel not counted: the data and what their factors and the preconditioner are made
// of, or the vectors of the solve.
func systemSize(n int, x, y mesh.Mesh) float64 {
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
