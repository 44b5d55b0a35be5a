package inweights

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
)

// diagonaliseData takes the eigenvectors of A.
func (w *Space) diagonaliseData(ctx context.Context, d *criteria.Diagonalised) error {
	a, err := linop.Matrix(ctx, dataKernel{w})
	if err != nil {
		return err
	}
	values, v, err := linop.Eigen(ctx, a)
	if err != nil {
		return err
	}
	t := mat.NewVecDense(len(w.T), nil)
	t.MulVec(v.T(), mat.NewVecDense(len(w.T), w.T))
	d.Eigenvalues, d.T = values, t.RawVector().Data
	if w.Q == nil {
		return nil
	}
	u, err := w.biasResponses(ctx, 1)
	if err != nil {
		return err
	}
	u = withoutRounding(u)
	_, k := u.Dims()
	d.Bias = mat.NewDense(len(w.T), k, nil)
	return linop.MulContext(ctx, d.Bias, v.T(), u)
}

// withoutRounding is the columns of a root, increasing in length, whose squares are not rounding
// of the largest.
func withoutRounding(u *mat.Dense) *mat.Dense {
	rows, k := u.Dims()
	first, least := 0, 1e-16*math.Pow(mat.Norm(u.ColView(k-1), 2), 2)
	for math.Pow(mat.Norm(u.ColView(first), 2), 2) < least { // the last is not
		first++
	}
	return u.Slice(0, rows, first, k).(*mat.Dense)
}

// diagonaliseWeights takes the eigenvectors of A = B Bᵀ where there are fewer weights than data: B is the response to
// roots of the kernels.
func (w *Space) diagonaliseWeights(ctx context.Context, d *criteria.Diagonalised) error {
	b, err := w.responses(ctx)
	if err != nil {
		return err
	}
	bias := 0
	if w.Q != nil {
		unknowns, _ := w.Dims()
		bias = unknowns - w.G.Size()
	}
	return d.Factor(ctx, b, bias)
}

// responses returns (𝒜 M P K̃^½ / √λ, c Q̃^½ / √ρ, T): data × weights and one.
func (w *Space) responses(ctx context.Context) (*mat.Dense, error) {
	unknowns, _ := w.Dims()
	cut := w.G.Size()
	b := mat.NewDense(len(w.T), unknowns+1, nil)
	b.SetCol(unknowns, w.T)
	k, err := linop.RootOf(ctx, scaledProduct{w, w.K, w.S}, 1/w.Lambda)
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
	if w.Q == nil {
		return b, nil
	}
	u, err := w.biasResponses(ctx, 1/w.Rho)
	if err != nil {
		return nil, err
	}
	b.Slice(0, len(w.T), cut, unknowns).(*mat.Dense).Copy(u)
	return b, nil
}

// biasResponses is c (Q̃ by)^½, without its component along a free constant: data × outputs.
func (w *Space) biasResponses(ctx context.Context, by float64) (*mat.Dense, error) {
	q, err := linop.RootOf(ctx, scaledProduct{w, w.Q, w.Rdy}, by)
	if err != nil {
		return nil, err
	}
	my := len(w.Rdy)
	_, columns := q.Dims()
	u := mat.NewDense(len(w.T), columns, nil)
	for i, c := range w.c {
		for k := range my {
			floats.AddScaled(u.RawRowView(i*my+k), c, q.RawRowView(k))
		}
	}
	w.d.Columns(u)
	for j := 0; j < columns && w.Flat != nil; j++ {
		column := mat.Col(nil, j, u)
		w.Flat.Project(column)
		u.SetCol(j, column)
	}
	return u, nil
}

// exactCriteria is that of what was observed, by as many products as that is.
func (w *Space) exactCriteria(ctx context.Context) (*criteria.Exact, error) {
	my := len(w.Rdy)
	at := *w
	at.Lambda, at.Q = 1, nil
	places := observedAt(w.d, len(w.T))
	x := &criteria.Exact{RSS0: w.RSS0, Outputs: float64(w.Outputs()), Width: my, P: w.p, Unexplained: w.unexplained}
	for _, i := range places {
		x.T = append(x.T, w.T[i])
		if w.Flat != nil {
			x.Contrast = append(x.Contrast, w.Flat[i])
		}
	}
	x.Pairs = w.pairsOf(places)
	var err error
	x.Green, err = gram.MatrixOf(ctx, len(places), w.G.Size(), func(ctx context.Context, dst, z []float64) {
		all, out := make([]float64, len(w.T)), make([]float64, len(w.T))
		for k, i := range places {
			all[i] = z[k]
		}
		dataKernel{&at}.Apply(ctx, out, all)
		for k, i := range places {
			dst[k] = out[i]
		}
	})
	if err != nil || w.Q == nil {
		return x, err
	}
	root, err := linop.RootOf(ctx, scaledProduct{w, w.Q, w.Rdy}, 1)
	if err != nil {
		return nil, fmt.Errorf("bias: %w", err)
	}
	all := mat.NewDense(len(w.T), my, nil)
	for i := range w.T {
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
func (w *Space) pairsOf(places []int) [][]criteria.Span {
	my := len(w.Rdy)
	if w.d == nil {
		return criteria.Each(w.N, my)
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
