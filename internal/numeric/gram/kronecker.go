package gram

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
)

// Kronecker is the structure of short sums of Kronecker products.
const Kronecker Structure = "kronecker"

const (
	crossTolerance = 1e-13 // of Kronecker sums, relative to the kernel's largest value
	maxTerms       = 64    // of a Kronecker sum that is worth having
	// shortSum is how many Kronecker products are better than a sum of scaled terms;
	// with many terms they are, up to four for each.
	shortSum = 8
)

func kroneckerStructure() structure {
	return structure{
		name: Kronecker, term: true,
		apt: func(g *chooser) bool {
			return !g.allLags() || len(g.y.Axes()) == 1 && len(g.x.Axes()) == 1
		},
		make: func(g *chooser) (Product, error) {
			return made(g.kronecker(crossTolerance, g.worthHaving()))
		},
		why:     whyKronecker,
		lacks:   func(*chooser) string { return "no sum of Kronecker products reaches 1e-13" },
		between: (*crosser).kronecker,
	}
}

// longKroneckerStructure is a longer sum than one would like.
func longKroneckerStructure() structure {
	return structure{
		name: Kronecker, term: true, why: whyKronecker,
		apt:  func(g *chooser) bool { return g.worthHaving() < maxTerms },
		make: func(g *chooser) (Product, error) { return made(g.kronecker(crossTolerance, maxTerms)) },
	}
}

func whyKronecker(_ *chooser, p Product) string {
	k := p.(*kronecker)
	if k.Terms() == 1 {
		return "the kernel is separable into input and output"
	}
	return fmt.Sprintf("the kernel's values have rank %d between input and output pairs", k.Terms())
}

// worthHaving is how many Kronecker products are better than another structure.
func (g *chooser) worthHaving() int {
	switch {
	case g.asked:
		return math.MaxInt
	case g.allLags():
		return 2 // beyond, the FFT is faster
	}
	if terms, err := g.f.Terms(); err == nil && terms != nil {
		return min(maxTerms, max(shortSum, 4*len(terms)))
	}
	return maxTerms
}

// kronecker returns nil when the kernel has no such sum of limit terms, or when
// its factors would be too large.
func (g *chooser) kronecker(tol float64, limit int) (*kronecker, error) {
	px, err := sidePairsWithin(g.f, g.x, g.x, 0)
	if px == nil || err != nil {
		return nil, err
	}
	py, err := sidePairsWithin(g.f, g.y, g.y, g.x.Dim())
	if py == nil || err != nil {
		return nil, err
	}
	low, err := cross(g.ctx, g.reference, px, py, tol, limit)
	if err != nil || low == nil {
		return nil, err
	}
	return newKronecker(low, px, py)
}

func (c *crosser) kronecker() (adjoint, error) {
	if !sameShape(c.xs, c.x) || !sameShape(c.ys, c.y) {
		return nil, nil
	}
	px, err := sidePairsWithin(c.f, c.xs, c.x, 0)
	if px == nil || err != nil {
		return nil, err
	}
	py, err := sidePairsWithin(c.f, c.ys, c.y, c.x.Dim())
	if py == nil || err != nil {
		return nil, err
	}
	low, err := cross(c.ctx, c.reference, px, py, crossTolerance, maxTerms)
	if err != nil || low == nil {
		return nil, err
	}
	return newKronecker(low, px, py)
}

// kronecker is K as Σ_q Kx_q ⊗ Ky_q.
type kronecker struct {
	checked
	*linop.KroneckerSum
	all bool // every value of the kernel was compared
}

func newKronecker(low *lowRank, px, py *pairSet) (*kronecker, error) {
	mx, my := float64(px.rows)*float64(px.cols), float64(py.rows)*float64(py.cols)
	terms := float64(len(low.a))
	what := fmt.Sprintf("kernel as %d Kronecker products of %d × %d and %d × %d:", len(low.a), px.rows, px.cols, py.rows, py.cols)
	if err := needs(what, 2*terms*(mx+my)); err != nil { // and once more while they are put side by side
		return nil, err
	}
	as, bs := make([]*mat.Dense, len(low.a)), make([]*mat.Dense, len(low.b))
	for q := range low.a {
		as[q], bs[q] = px.matrix(low.a[q]), py.matrix(low.b[q])
	}
	sum, err := linop.NewKroneckerSum(as, bs)
	if err != nil {
		return nil, err
	}
	return &kronecker{KroneckerSum: sum, all: low.all}, nil
}

func (k *kronecker) entries(dst []float64, i, j []int) { k.At(dst, i, j) }

func (k *kronecker) certain() bool { return k.all }

// rowsTimes implements rowTimer: for each term a product with the rows on the left, and for each row one with the row
// on the right.
func (k *kronecker) rowsTimes(ctx context.Context, dst *mat.Dense, at []int, b *mat.Dense) error {
	_, cols := b.Dims()
	to, from := k.Right(0).Dims()
	_, left := k.Left(0).Dims()
	first, v := mat.NewDense(len(at), left, nil), mat.NewDense(len(at), from*cols, nil)
	flat := mat.NewDense(left, from*cols, b.RawMatrix().Data)
	dst.Zero()
	for q := range k.Terms() {
		a, r := k.Left(q), k.Right(q)
		for s, i := range at {
			mat.Row(first.RawRowView(s), i/to, a)
		}
		if err := linop.MulContext(ctx, v, first, flat); err != nil {
			return err
		}
		for s, i := range at {
			for j, row := 0, v.RawRowView(s); j < from; j++ {
				floats.AddScaled(dst.RawRowView(s), r.At(i%to, j), row[j*cols:(j+1)*cols])
			}
		}
	}
	return nil
}

// matrix spreads a value per pair over all pairs of points, rows × cols.
func (s *pairSet) matrix(values []float64) *mat.Dense {
	if s.index == nil {
		return mat.NewDense(s.rows, s.cols, values)
	}
	m := mat.NewDense(s.rows, s.cols, nil)
	data := m.RawMatrix().Data
	for i, p := range s.index {
		data[i] = values[p]
	}
	return m
}

// Diagonal implements Product.
func (k *kronecker) Diagonal(ctx context.Context, v Basis) (Diagonal, error) {
	d := &kroneckerDiagonal{sum: k.KroneckerSum, weights: make([][]float64, k.Terms())}
	full := v.Matrix()
	for q := range d.weights {
		var t mat.Dense
		if err := linop.MulContext(ctx, &t, k.Right(q), full); err != nil {
			return nil, err
		}
		d.weights[q] = columnDots(full, &t)
	}
	return d, nil
}

// kroneckerDiagonal is C_k = Σ_q Kx_q s_qk with s_qk = v_kᵀ Ky_q v_k.
type kroneckerDiagonal struct {
	sum     interface{ Left(q int) mat.Matrix }
	weights [][]float64 // s_qk, by q
}

// Sum implements Diagonal.
func (d *kroneckerDiagonal) Sum(ctx context.Context) (*mat.SymDense, error) {
	var total, t mat.Dense
	for q, s := range d.weights {
		if err := linop.Stopped(ctx); err != nil {
			return nil, err
		}
		t.Scale(floats.Sum(s), d.sum.Left(q))
		if q == 0 {
			total.CloneFrom(&t)
		} else {
			total.Add(&total, &t)
		}
	}
	return linop.Symmetric(&total), nil
}

// Forms implements Diagonal.
func (d *kroneckerDiagonal) Forms(ctx context.Context, b *mat.Dense) (*mat.Dense, error) {
	_, r := b.Dims()
	forms := mat.NewDense(r, len(d.weights[0]), nil)
	var t mat.Dense
	for q, s := range d.weights {
		if err := linop.MulContext(ctx, &t, d.sum.Left(q), b); err != nil {
			return nil, err
		}
		forms.RankOne(forms, 1, mat.NewVecDense(r, columnDots(b, &t)), mat.NewVecDense(len(s), s))
	}
	return forms, nil
}

// columnDots returns the inner products of the columns of a and b.
func columnDots(a, b *mat.Dense) []float64 {
	r, c := a.Dims()
	dots := make([]float64, c)
	for i := range r {
		x, y := a.RawRowView(i), b.RawRowView(i)
		for j := range dots {
			dots[j] += x[j] * y[j]
		}
	}
	return dots
}

func (k *kronecker) multiplications(n int) (direct, through float64) {
	toX, fromX := k.Left(0).Dims()
	toY, fromY := k.Right(0).Dims()
	q := float64(k.Terms())
	direct = float64(n) * q * float64(toX*fromX+fromX*fromY+fromY*toY)
	return direct, q*float64(fromX*toY)*float64(fromY+toX) + float64(n)*float64(toX*toY)
}

func (k *kronecker) respond(ctx context.Context, dst, f, w *mat.Dense) {
	for q := range k.Terms() {
		var a, b mat.Dense
		if linop.MulContext(ctx, &a, f, k.Left(q)) != nil || linop.MulContext(ctx, &b, &a, w) != nil {
			return
		}
		if q == 0 {
			_ = linop.MulContext(ctx, dst, &b, k.Right(q).T())
			continue
		}
		_ = linop.AddMul(ctx, dst, &b, k.Right(q).T())
	}
}
