package fit

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/internal/criteria"
	"github.com/greenbench/workbench/numeric/internal/linop"
	"github.com/greenbench/workbench/numeric/internal/outputs"
)

// allEigenvalues is the model of a small problem: one eigenproblem, of the smaller side, and the
// bias as an update of low rank for other ρ/λ.
type allEigenvalues struct {
	w *weightSpace
	eigenbasis
}

// Tied implements criteria.Model.
func (m *allEigenvalues) Tied() bool { return m.w.q != nil }

// eigenbasis is the eigenvectors at one ρ/λ, found again where a greater one is asked for.
type eigenbasis struct {
	at   func(ctx context.Context, ratio float64) (*criteria.Diagonalised, error)
	unit float64 // of ρ/λ where that is free; 0: it is not
	last *criteria.Diagonalised
}

// The ρ/λ of the eigenvectors, from which criteria follow for all smaller ones but not for much
// greater: above the unit, around which the best is looked for, and above what is asked.
const (
	aboveUnit  = 1e3
	aboveAsked = 100
)

// Along implements criteria.Model.
func (m *eigenbasis) Along(ctx context.Context, p criteria.Penalty) (criteria.Curve, error) {
	if ctx.Err() != nil {
		return nil, fmt.Errorf("lambda stopped: %w", context.Cause(ctx))
	}
	if m.last == nil || !m.last.Reaches(p.Ratio) {
		ratio := p.Ratio
		switch {
		case m.last != nil:
			ratio *= aboveAsked
		case m.unit > 0:
			ratio = max(ratio, aboveUnit*m.unit)
		}
		d, err := m.at(ctx, ratio)
		if err != nil {
			return nil, err
		}
		m.last = d
	}
	return m.last.At(p.Ratio), nil
}

// exactly is the rules from the eigenvalues at a ρ/λ.
func (m *allEigenvalues) exactly(ctx context.Context, ratio float64) (*spectrum, error) {
	s, d := m.w.newSpectrum(ratio), m.last
	if d.Zeros > 0 && d.Ratio != ratio { // eigenvectors below rounding are left out, and may not be at this ratio
		var err error
		if d, err = m.w.diagonalised(ctx, ratio); err != nil {
			return nil, err
		}
	}
	var err error
	s.Rules, err = d.Rules(ctx, ratio)
	return s, err
}

// diagonalised is the problem in its eigenvectors at a ρ/λ.
func (w *weightSpace) diagonalised(ctx context.Context, ratio float64) (*criteria.Diagonalised, error) {
	s := w.newSpectrum(ratio)
	d := &criteria.Diagonalised{RSS0: s.RSS0, Outputs: s.Outputs, Values: s.Values, Ratio: ratio}
	at := *w
	at.lambda, at.rho = 1, ratio
	diagonalise := at.diagonaliseData
	if unknowns, _ := w.Dims(); unknowns < len(w.t) {
		diagonalise = at.diagonaliseWeights
	}
	err := diagonalise(ctx, d)
	d.KnowZeros()
	return d, err
}

// diagonaliseData takes the eigenvectors of A.
func (w *weightSpace) diagonaliseData(ctx context.Context, d *criteria.Diagonalised) error {
	a, err := linop.Matrix(ctx, dataKernel{w})
	if err != nil {
		return err
	}
	values, v, err := linop.Eigen(ctx, a)
	if err != nil {
		return err
	}
	t := mat.NewVecDense(len(w.t), nil)
	t.MulVec(v.T(), mat.NewVecDense(len(w.t), w.t))
	d.Eigenvalues, d.T = values, t.RawVector().Data
	if w.q == nil {
		return nil
	}
	u, err := w.biasResponses(ctx, 1)
	if err != nil {
		return err
	}
	u = withoutRounding(u)
	_, k := u.Dims()
	d.Bias = mat.NewDense(len(w.t), k, nil)
	return linop.MulContext(ctx, d.Bias, v.T(), u)
}

// withoutRounding is the columns of a root, increasing in length, whose squares are not rounding
// of the largest.
func withoutRounding(u *mat.Dense) *mat.Dense {
	rows, k := u.Dims()
	first, least := 0, 1e-16*math.Pow(mat.Norm(u.ColView(k-1), 2), 2)
	for first < k-1 && math.Pow(mat.Norm(u.ColView(first), 2), 2) < least {
		first++
	}
	return u.Slice(0, rows, first, k).(*mat.Dense)
}

// diagonaliseWeights takes the eigenvectors of A = B Bᵀ where there are fewer weights than data.
// B is the response to roots of the kernels: with B = Q R and R Rᵀ = W S Wᵀ they are Q W, and U,
// the columns of the bias times the root of ρ/λ, is in them Wᵀ times these columns of R. Those of
// Bᵀ B, without Q, would be orthogonal in B only where eigenvalues are large. Cost: for n data and
// k weights 4 n k² multiplications and additions, and the eigenvectors of k × k.
func (w *weightSpace) diagonaliseWeights(ctx context.Context, d *criteria.Diagonalised) error {
	unknowns, _ := w.Dims()
	b, err := w.responses(ctx)
	if err != nil {
		return err
	}
	r, err := triangle(ctx, b) // its last column is Qᵀ T, and what is left of T
	if err != nil {
		return err
	}
	d.Rest, d.Zeros = r.At(unknowns, unknowns)*r.At(unknowns, unknowns), len(w.t)-unknowns
	t, cut := mat.Col(nil, unknowns, r)[:unknowns], w.g.Size()
	r = r.Slice(0, unknowns, 0, unknowns).(*mat.Dense)
	h := mat.NewDense(unknowns, unknowns, nil)
	if err := linop.MulContext(ctx, h, r, r.T()); err != nil {
		return err
	}
	var v *mat.Dense
	if d.Eigenvalues, v, err = linop.Eigen(ctx, h); err != nil {
		return err
	}
	along := mat.NewVecDense(unknowns, nil)
	along.MulVec(v.T(), mat.NewVecDense(unknowns, t))
	d.T = along.RawVector().Data
	if w.q == nil {
		return nil
	}
	d.Bias = mat.NewDense(unknowns, unknowns-cut, nil)
	err = linop.MulContext(ctx, d.Bias, v.T(), r.Slice(0, unknowns, cut, unknowns))
	d.Bias.Scale(math.Sqrt(d.Ratio), d.Bias)
	return err
}

// triangle is R of B = Q R, for no fewer rows than columns: of some rows after the other, so that
// it takes no more memory than these.
func triangle(ctx context.Context, b *mat.Dense) (*mat.Dense, error) {
	rows, cols := b.Dims()
	r, atOnce := new(mat.Dense), 8*cols
	for from := 0; from < rows; from += atOnce {
		next := b.Slice(from, min(rows, from+atOnce), 0, cols)
		all := mat.DenseCopyOf(next)
		if from > 0 {
			all = new(mat.Dense)
			all.Stack(r, next)
		}
		var err error
		if _, r, err = linop.QR(ctx, all); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// responses returns (𝒜 M P K̃^½ / √λ, c Q̃^½ / √ρ, T): data × weights and one.
func (w *weightSpace) responses(ctx context.Context) (*mat.Dense, error) {
	unknowns, _ := w.Dims()
	cut := w.g.Size()
	b := mat.NewDense(len(w.t), unknowns+1, nil)
	b.SetCol(unknowns, w.t)
	k, err := linop.RootOf(ctx, scaledProduct{w, w.k, w.s}, 1/w.lambda)
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
	u, err := w.biasResponses(ctx, 1/w.rho)
	if err != nil {
		return nil, err
	}
	b.Slice(0, len(w.t), cut, unknowns).(*mat.Dense).Copy(u)
	return b, nil
}

// biasResponses is c (Q̃ by)^½, without its component along a free constant: data × outputs.
func (w *weightSpace) biasResponses(ctx context.Context, by float64) (*mat.Dense, error) {
	q, err := linop.RootOf(ctx, scaledProduct{w, w.q, w.rdy}, by)
	if err != nil {
		return nil, err
	}
	my := len(w.rdy)
	_, columns := q.Dims()
	u := mat.NewDense(len(w.t), columns, nil)
	for i, c := range w.c {
		for k := range my {
			floats.AddScaled(u.RawRowView(i*my+k), c, q.RawRowView(k))
		}
	}
	w.d.Columns(u)
	for j := 0; j < columns && w.flat != nil; j++ {
		column := mat.Col(nil, j, u)
		w.flat.Project(column)
		u.SetCol(j, column)
	}
	return u, nil
}

// exactCriteria is that of what was observed, by as many products as that is.
func (w *weightSpace) exactCriteria(ctx context.Context) (*criteria.Exact, error) {
	my := len(w.rdy)
	at := *w
	at.lambda, at.q = 1, nil
	places := observedAt(w.d, len(w.t))
	x := &criteria.Exact{RSS0: w.rss0, Outputs: float64(w.outputs()), Width: my, P: w.p, Unexplained: w.unexplained}
	for _, i := range places {
		x.T = append(x.T, w.t[i])
		if w.flat != nil {
			x.Contrast = append(x.Contrast, w.flat[i])
		}
	}
	x.Pairs = w.pairsOf(places)
	var err error
	x.Green, err = matrixOf(ctx, len(places), w.g.Size(), func(ctx context.Context, dst, z []float64) {
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
	root, err := linop.RootOf(ctx, scaledProduct{w, w.q, w.rdy}, 1)
	if err != nil {
		return nil, fmt.Errorf("bias: %w", err)
	}
	all := mat.NewDense(len(w.t), my, nil)
	for i := range w.t {
		floats.AddScaled(all.RawRowView(i), w.c[i/my], root.RawRowView(i%my))
	}
	w.d.Columns(all)
	x.Bias = mat.NewDense(len(places), my, nil)
	for k, i := range places {
		x.Bias.SetRow(k, all.RawRowView(i))
	}
	return x, nil
}

// observedAt returns the indices of the observed values among n.
func observedAt(d *outputs.Whitening, n int) []int {
	var at []int
	for i := range n {
		if d.Seen(i) {
			at = append(at, i)
		}
	}
	return at
}

// pairsOf is the entries of each pair among the observed values.
func (w *weightSpace) pairsOf(places []int) [][]criteria.Span {
	my := len(w.rdy)
	if w.d == nil {
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
