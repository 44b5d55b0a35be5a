package fit

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/internal/criteria"
	"github.com/greenbench/workbench/numeric/internal/linop"
)

// allEigenvalues is the model of a small problem: an eigenproblem for each ρ/λ. The matrix
// of the smaller side, of A or of Bᵀ B (see exactFromWeights), is made once.
type allEigenvalues struct {
	w           *weightSpace
	once        bool       // for one ratio
	green, bias *mat.Dense // A = green + bias / (ρ/λ)
	b, bb       *mat.Dense // B and Bᵀ B at λ = ρ = 1
}

// Tied implements criteria.Model.
func (m *allEigenvalues) Tied() bool { return m.w.q != nil }

// Along implements criteria.Model, from the smaller side.
func (m *allEigenvalues) Along(ctx context.Context, p criteria.Penalty) (criteria.Curve, error) {
	if ctx.Err() != nil {
		return nil, fmt.Errorf("lambda stopped: %w", context.Cause(ctx))
	}
	s := m.w.newSpectrum(p.Ratio)
	if unknowns, _ := m.w.Dims(); unknowns < len(m.w.t) {
		b, h, err := m.fromWeights(ctx, p.Ratio)
		if err != nil {
			return nil, err
		}
		return s, s.exactFromWeights(ctx, m.w.t, b, h)
	}
	a, err := m.fromData(ctx, p.Ratio)
	if err != nil {
		return nil, err
	}
	return s, s.exact(ctx, a, m.w.t)
}

// fromData is A at λ = 1, from its two parts: these from A at two ratios, about where they
// are equally large.
func (m *allEigenvalues) fromData(ctx context.Context, ratio float64) (*mat.Dense, error) {
	at := *m.w
	at.lambda, at.rho = 1, ratio
	if m.once || at.q == nil {
		return linop.Matrix(ctx, dataKernel{&at})
	}
	if m.green == nil {
		at.rho = cmp.Or(at.ratioUnit(), 1)
		var err error
		if m.green, err = linop.Matrix(ctx, dataKernel{&at}); err != nil {
			return nil, err
		}
		near := at.rho
		at.rho *= 4
		less, err := linop.Matrix(ctx, dataKernel{&at})
		if err != nil {
			m.green = nil
			return nil, err
		}
		m.bias = mat.NewDense(len(at.t), len(at.t), nil)
		m.bias.Sub(m.green, less)
		m.bias.Scale(near*4/3, m.bias)
		floats.AddScaled(m.green.RawMatrix().Data, -1/near, m.bias.RawMatrix().Data)
	}
	a := mat.DenseCopyOf(m.green)
	floats.AddScaled(a.RawMatrix().Data, 1/ratio, m.bias.RawMatrix().Data)
	return a, nil
}

// fromWeights is B and Bᵀ B at λ = 1.
func (m *allEigenvalues) fromWeights(ctx context.Context, ratio float64) (b, h *mat.Dense, err error) {
	if m.b == nil {
		at := *m.w
		at.lambda, at.rho = 1, 1
		if b, err = at.responses(ctx); err != nil {
			return nil, nil, err
		}
		_, unknowns := b.Dims()
		h = mat.NewDense(unknowns, unknowns, nil)
		if err = linop.MulContext(ctx, h, b.T(), b); err != nil {
			return nil, nil, err
		}
		m.b, m.bb = b, h
	}
	_, unknowns := m.b.Dims()
	scale := ones(unknowns)
	for j := m.w.g.Size(); j < unknowns; j++ {
		scale[j] = 1 / math.Sqrt(ratio)
	}
	b, h = mat.DenseCopyOf(m.b), mat.DenseCopyOf(m.bb)
	for i := range len(m.w.t) {
		floats.Mul(b.RawRowView(i), scale)
	}
	for i, s := range scale {
		row := h.RawRowView(i)
		floats.Mul(row, scale)
		floats.Scale(s, row)
	}
	return b, h, nil
}

// exact fills the rules from all eigenvectors of A.
func (s *spectrum) exact(ctx context.Context, a *mat.Dense, t []float64) error {
	values, v, err := linop.Eigen(ctx, a)
	if err != nil {
		return err
	}
	c := mat.NewVecDense(len(t), nil)
	c.MulVec(v.T(), mat.NewVecDense(len(t), t))
	c.MulElemVec(c, c)
	s.AllEigenvalues(values, c.RawVector().Data, ones(len(t)))
	return nil
}

// leastEigenvalue is what eigenvalues are zero below, relative to the largest.
const leastEigenvalue = 1e-14

// exactFromWeights fills the rules of A = B Bᵀ from all eigenvectors of Bᵀ B, which is
// smaller when there are fewer weights than data. B is the response to roots of the
// kernels.
func (s *spectrum) exactFromWeights(ctx context.Context, data []float64, b, h *mat.Dense) error {
	_, unknowns := b.Dims()
	values, v, err := linop.Eigen(ctx, h)
	if err != nil {
		return err
	}
	t := mat.NewDense(len(data), 1, append([]float64(nil), data...))
	bt, c := mat.NewDense(unknowns, 1, nil), mat.NewDense(unknowns, 1, nil)
	if err := linop.MulContext(ctx, bt, b.T(), t); err != nil {
		return err
	}
	if err := linop.MulContext(ctx, c, v.T(), bt); err != nil {
		return err
	}
	squares := make([]float64, unknowns+1)
	for i, x := range values {
		at := c.At(i, 0)
		c.Set(i, 0, 0)
		if x > leastEigenvalue*values[unknowns-1] {
			squares[i] = at * at / x
			c.Set(i, 0, at/x)
		}
	}
	// What no weights explain is left at the eigenvalue zero.
	if err := linop.MulContext(ctx, bt, v, c); err != nil {
		return err
	}
	explained := mat.NewDense(len(data), 1, nil)
	if err := linop.MulContext(ctx, explained, b, bt); err != nil {
		return err
	}
	t.Sub(t, explained)
	rest := t.RawMatrix().Data
	squares[unknowns] = floats.Dot(rest, rest)
	count := append(ones(unknowns), float64(len(data)-unknowns))
	s.AllEigenvalues(append(values, 0), squares, count)
	return nil
}

// responses returns (𝒜 M P K̃^½ / √λ, c Q̃^½ / √ρ): data × weights.
func (w *weightSpace) responses(ctx context.Context) (*mat.Dense, error) {
	unknowns, _ := w.Dims()
	cut := w.g.Size()
	b := mat.NewDense(len(w.t), unknowns, nil)
	k, err := rootOf(ctx, scaledProduct{w, w.k, w.s}, 1/w.lambda)
	if err != nil {
		return nil, err
	}
	column := make([]float64, cut)
	for j := range cut {
		if err := linop.Stopped(ctx); err != nil {
			return nil, err
		}
		b.SetCol(j, w.respond(ctx, mat.Col(column, j, k), nil))
	}
	if w.q == nil {
		return b, nil
	}
	q, err := rootOf(ctx, scaledProduct{w, w.q, w.rdy}, 1/w.rho)
	if err != nil {
		return nil, err
	}
	my := len(w.rdy)
	for i, c := range w.c {
		for k := range my {
			if w.observed != nil && w.observed[i*my+k] == 0 {
				continue
			}
			row := b.RawRowView(i*my + k)[cut:]
			floats.AddScaled(row, c, q.RawRowView(k))
		}
	}
	for j := cut; j < unknowns && w.flat != nil; j++ {
		column := mat.Col(nil, j, b)
		w.flat.project(column)
		b.SetCol(j, column)
	}
	return b, nil
}

// exactCriteria is that of what was observed, by as many products as that is.
func (w *weightSpace) exactCriteria(ctx context.Context) (*criteria.Exact, error) {
	my := len(w.rdy)
	at := *w
	at.lambda, at.q = 1, nil
	places := observedAt(w.observed, len(w.t))
	x := &criteria.Exact{RSS0: w.rss0, Outputs: float64(w.outputs()), Width: my, P: w.p, Unexplained: w.unexplained}
	for _, i := range places {
		x.T = append(x.T, w.t[i])
		if w.flat != nil {
			x.Contrast = append(x.Contrast, w.flat[i])
		}
	}
	x.Pairs = w.pairsOf(places)
	var err error
	x.Green, err = columns(ctx, len(places), w.g.Size(), func(ctx context.Context, dst, z []float64) {
		all, out := make([]float64, len(w.t)), make([]float64, len(w.t))
		for k, i := range places {
			all[i] = z[k]
		}
		dataKernel{&at}.Apply(ctx, out, all)
		for k, i := range places {
			dst[k] = out[i]
		}
	})
	if err != nil || w.q == nil {
		return x, err
	}
	root, err := rootOf(ctx, scaledProduct{w, w.q, w.rdy}, 1)
	if err != nil {
		return nil, fmt.Errorf("bias: %w", err)
	}
	x.Bias = mat.NewDense(len(places), my, nil)
	for k, i := range places {
		floats.AddScaled(x.Bias.RawRowView(k), w.c[i/my], root.RawRowView(i%my))
	}
	return x, nil
}

// observedAt returns the indices of the observed values among n; observed = nil stands for all.
func observedAt(observed []float64, n int) []int {
	var at []int
	for i := range n {
		if observed == nil || observed[i] > 0 {
			at = append(at, i)
		}
	}
	return at
}

// pairsOf is the entries of each pair among the observed values.
func (w *weightSpace) pairsOf(places []int) [][]criteria.Span {
	my := len(w.rdy)
	if w.observed == nil {
		return criteria.Each(w.n, my)
	}
	var pairs [][]criteria.Span
	for k, i := range places {
		if k == 0 || i/my != places[k-1]/my {
			pairs = append(pairs, []criteria.Span{{Lo: k, Hi: k}})
		}
		pairs[len(pairs)-1][0].Hi++
	}
	return pairs
}
