package criteria

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
)

// problem is a small problem in the space of r independent rows of my outputs, for pairs of
// which they are Pᵀ: A = C/λ + U Uᵀ/ρ with U = β ⊗ diag(q)^½.
type problem struct {
	pairs, r, my int
	p            *mat.Dense // pairs × r
	green        *mat.Dense // C
	row          *mat.Dense // β of each class of outputs; nil without bias
	class        []int      // of the outputs; nil: one
	out          []float64  // q; nil without bias
	constant     []float64  // y of the contrast β ⊗ y; nil: none
	t            []float64
	rest         *mat.Dense // of the outputs, orthogonal to P; nil: none
	diagonal     bool       // C is
}

// catalog is small problems of every shape that evaluators know: as many pairs as rows and
// more, one row, one output, with and without bias and contrast, C diagonal and not, data
// that C explains and that it does not, in other units.
func catalog() map[string]problem {
	all := map[string]problem{}
	for _, c := range []struct {
		name         string
		pairs, r, my int
		diagonal     bool
		bias, flat   bool
		unit         float64 // of C
	}{
		{"diagonal", 6, 6, 5, true, false, false, 1},
		{"diagonal, more pairs", 11, 6, 5, true, false, false, 1e6},
		{"diagonal, bias", 9, 6, 4, true, true, false, 1},
		{"diagonal, flat", 9, 6, 4, true, true, true, 1e-8},
		{"rough", 6, 6, 5, false, false, false, 1},
		{"rough, more pairs", 11, 6, 5, false, false, false, 1e9},
		{"rough, bias", 7, 7, 4, false, true, false, 1e-9},
		{"rough, flat", 9, 6, 4, false, true, true, 1},
		{"one row", 5, 1, 6, false, true, true, 1},
		{"one output", 14, 12, 1, false, true, true, 1},
		{"two pairs", 2, 2, 9, false, true, true, 1},
	} {
		all[c.name] = newProblem(c.pairs, c.r, c.my, c.diagonal, c.bias, c.flat, c.unit)
	}
	all["classes"] = newProblem(9, 6, 5, true, true, false, 1, 1, 0, 0, 1, 0)
	all["classes, flat"] = newProblem(9, 6, 4, true, true, true, 1e-8, 0, 2, 1, 2)
	return all
}

func newProblem(pairs, r, my int, diagonal, bias, flat bool, unit float64, class ...int) problem {
	rng := rand.New(rand.NewPCG(uint64(pairs*1000+r*10+my), 7))
	normal := func(r, c int) *mat.Dense {
		m := mat.NewDense(r, c, nil)
		for i := range m.RawMatrix().Data {
			m.RawMatrix().Data[i] = rng.NormFloat64()
		}
		return m
	}
	n := r * my
	b := problem{pairs: pairs, r: r, my: my, p: normal(pairs, r), green: mat.NewDense(n, n, nil), diagonal: diagonal}
	var qr mat.QR
	var q mat.Dense
	qr.Factorize(b.p)
	qr.QTo(&q)
	b.p.Copy(q.Slice(0, pairs, 0, r))
	for i := range n {
		b.green.Set(i, i, unit*math.Exp(-.6*float64(i%my)-.4*float64(i/my)))
	}
	if !diagonal {
		var eigen mat.QR
		var turn, left mat.Dense
		near := normal(n, n)
		near.Scale(.15/math.Sqrt(float64(n)), near)
		for i := range n {
			near.Set(i, i, 1+near.At(i, i))
		}
		eigen.Factorize(near)
		eigen.QTo(&turn)
		left.Mul(&turn, b.green)
		b.green.Mul(&left, turn.T())
	}
	if bias {
		b.row, b.out, b.class = normal(r, 1+slices.Max(append(class, 0))), make([]float64, my), class
		for k := range b.out {
			b.out[k] = math.Exp(-float64(k))
		}
	}
	if flat {
		b.constant = normal(1, my).RawRowView(0)
		floats.Scale(1/floats.Norm(b.contrast(), 2), b.constant)
	}
	b.t = b.data(normal(1, n).RawRowView(0), normal(1, n).RawRowView(0))
	if pairs > r {
		b.rest = normal(pairs, my)
		var along, part mat.Dense
		along.Mul(b.p.T(), b.rest)
		part.Mul(b.p, &along)
		b.rest.Sub(b.rest, &part)
		b.rest.Scale(.1, b.rest)
	}
	return b
}

// data is a draw of A at λ = 1e-3 of C's size plus noise, without its part along the
// contrast.
func (b problem) data(signal, noise []float64) []float64 {
	var ch mat.Cholesky
	a := b.matrix(1e-3*mat.Max(b.green), .1)
	for i := range signal {
		a.Set(i, i, a.At(i, i)+1e-9)
	}
	if !ch.Factorize(linop.Symmetric(a)) {
		panic("the covariance of a problem is not positive")
	}
	var l mat.TriDense
	ch.LTo(&l)
	var t mat.VecDense
	t.MulVec(&l, mat.NewVecDense(len(signal), signal))
	floats.Add(t.RawVector().Data, noise)
	if c := b.contrast(); c != nil {
		floats.AddScaled(t.RawVector().Data, -floats.Dot(c, t.RawVector().Data), c)
	}
	return t.RawVector().Data
}

// matrix is A.
func (b problem) matrix(lambda, rho float64) *mat.Dense {
	a := mat.NewDense(len(b.green.RawRowView(0)), len(b.green.RawRowView(0)), nil)
	a.Scale(1/lambda, b.green)
	if b.row != nil {
		u := b.bias()
		var uu mat.Dense
		uu.Mul(u, u.T())
		uu.Scale(1/rho, &uu)
		a.Add(a, &uu)
	}
	return a
}

// bias is U.
func (b problem) bias() *mat.Dense {
	if b.row == nil {
		return nil
	}
	u := mat.NewDense(b.r*b.my, b.my, nil)
	for i := range b.r {
		for k, q := range b.out {
			u.Set(i*b.my+k, k, b.beta(i, k)*math.Sqrt(q))
		}
	}
	return u
}

func (b problem) beta(i, k int) float64 {
	if b.class == nil {
		return b.row.At(i, 0)
	}
	return b.row.At(i, b.class[k])
}

func (b problem) contrast() []float64 {
	if b.constant == nil {
		return nil
	}
	var c []float64
	for i := range b.r {
		for k, y := range b.constant {
			c = append(c, b.beta(i, k)*y)
		}
	}
	return c
}

func (b problem) rss0() float64 {
	if b.rest == nil {
		return 0
	}
	return floats.Dot(b.rest.RawMatrix().Data, b.rest.RawMatrix().Data)
}

// defined is the criteria by their definitions, for all outputs of all pairs, from the
// inverse of I + (P ⊗ I) A (P ⊗ I)ᵀ.
func (b problem) defined(lambda, rho float64) Sheet {
	size := b.pairs * b.my
	var turn, left, h mat.Dense
	turn.Kronecker(b.p, mat.NewDiagDense(b.my, ones(b.my)))
	left.Mul(&turn, b.matrix(lambda, rho))
	h.Mul(&left, turn.T())
	for i := range size {
		h.Set(i, i, h.At(i, i)+1)
	}
	var ch mat.Cholesky
	var inverse mat.SymDense
	if !ch.Factorize(linop.Symmetric(&h)) || ch.InverseTo(&inverse) != nil {
		panic("the matrix has no inverse")
	}
	var u, z mat.VecDense
	u.MulVec(&turn, mat.NewVecDense(len(b.t), b.t))
	if b.rest != nil {
		u.AddVec(&u, mat.NewVecDense(size, b.rest.RawMatrix().Data))
	}
	values, det := float64(size), ch.LogDet()
	if c := b.contrast(); c != nil {
		var all, hc mat.VecDense
		all.MulVec(&turn, mat.NewVecDense(len(c), c))
		hc.MulVec(&inverse, &all)
		chc := mat.Dot(&all, &hc)
		inverse.SymRankOne(&inverse, -1/chc, &hc)
		values--
		det += math.Log(chc / mat.Dot(&all, &all))
	}
	z.MulVec(&inverse, &u)
	out := Sheet{Lambda: lambda, Rho: rho, LogDet: det, ResidualDF: mat.Trace(&inverse)}
	out.REML = 0.5 * (values*math.Log(mat.Dot(&u, &z)/values) + det)
	out.GCV = float64(size) * mat.Dot(&z, &z) / (out.ResidualDF * out.ResidualDF)
	out.EffectiveDF = values - out.ResidualDF
	for i := range b.pairs {
		var e mat.VecDense
		if e.SolveVec(inverse.SliceSym(i*b.my, (i+1)*b.my), z.SliceVec(i*b.my, (i+1)*b.my)) != nil {
			out.LOO = math.NaN()
			return out
		}
		out.LOO += mat.Dot(&e, &e) / float64(size)
	}
	return out
}

func (b problem) exact() *Exact {
	return &Exact{
		Green: b.green, Bias: b.bias(), T: b.t, RSS0: b.rss0(), Outputs: float64(b.pairs * b.my), Contrast: b.contrast(),
		Width: b.my, P: b.p, Unexplained: b.rest, Pairs: Each(b.pairs, b.my),
	}
}

func (b problem) closed() *Closed {
	c := &Closed{
		Green: mat.NewDense(b.r, b.my, nil), Row: b.row, Class: b.class, Out: b.out, Open: b.row != nil, T: mat.NewDense(b.r, b.my, b.t), P: b.p,
		Unexplained: b.rest, RSS0: b.rss0(), Outputs: float64(b.pairs * b.my), Constant: b.constant,
	}
	for i := range b.t {
		c.Green.RawMatrix().Data[i] = b.green.At(i, i)
	}
	return c
}

// rules are those of all eigenvalues of the contrasts, at one ρ/λ.
func (b problem) rules(ratio float64) *Rules {
	a := b.matrix(1, ratio)
	n := len(b.t)
	s := &Rules{RSS0: b.rss0(), Outputs: b.pairs * b.my, Values: b.pairs * b.my, Ratio: ratio}
	if c := b.contrast(); c != nil {
		s.Values--
		var pa mat.Dense
		project := mat.NewDense(n, n, nil)
		for i := range n {
			project.Set(i, i, 1)
		}
		project.RankOne(project, -1, mat.NewVecDense(n, c), mat.NewVecDense(n, c))
		pa.Mul(project, a)
		a.Mul(&pa, project)
	}
	values, v, err := linop.Eigen(context.Background(), a)
	if err != nil {
		panic(err)
	}
	var along mat.VecDense
	along.MulVec(v.T(), mat.NewVecDense(n, b.t))
	along.MulElemVec(&along, &along)
	s.AllEigenvalues(values, along.RawVector().Data, ones(n))
	return s
}

// Tied and Along make a problem the model of its eigenvalues.
func (b problem) Tied() bool { return b.row != nil }

func (b problem) Along(_ context.Context, p Penalty) (Curve, error) { return b.rules(p.Ratio), nil }

// dense is a problem as a System.
type dense struct {
	linop.Dense
	b problem
	r *mat.SymDense // H⁻¹
}

func (b problem) system(lambda, rho float64) System {
	h := b.matrix(lambda, rho)
	for i := range b.t {
		h.Set(i, i, h.At(i, i)+1)
	}
	var ch mat.Cholesky
	var inverse mat.SymDense
	if !ch.Factorize(linop.Symmetric(h)) || ch.InverseTo(&inverse) != nil {
		panic("the matrix has no inverse")
	}
	return &dense{linop.Dense{M: h}, b, &inverse}
}

func (s *dense) times(v []float64) []float64 {
	var z mat.VecDense
	z.MulVec(s.r, mat.NewVecDense(len(v), v))
	return z.RawVector().Data
}

func (s *dense) Solve(context.Context, []float64) ([]float64, error) {
	z := s.times(s.b.t)
	if c := s.b.contrast(); c != nil {
		hc := s.times(c)
		floats.AddScaled(z, -floats.Dot(hc, s.b.t)/floats.Dot(hc, c), hc)
	}
	return z, nil
}

func (s *dense) SolveContrast(context.Context) ([]float64, error) {
	return s.times(s.b.contrast()), nil
}

func (s *dense) Diagonals(context.Context) (d, diagonal []float64) {
	for i := range s.b.t {
		diagonal = append(diagonal, s.M.At(i, i))
	}
	return diagonal, diagonal
}

func (s *dense) Each(ctx context.Context, count int, do func(i int)) error {
	return inTurn(ctx, count, do)
}

func (b problem) probed() *Probed {
	return &Probed{Make: b.system, T: b.t, RSS0: b.rss0(), Outputs: float64(b.pairs * b.my), Bias: b.row != nil, Contrast: b.contrast(), Blocks: 1}
}

// curveEvaluator is a curve at the ρ/λ that it is asked at.
type curveEvaluator struct{ m Model }

func (e curveEvaluator) At(ctx context.Context, lambda, rho float64) (Sheet, error) {
	c, err := e.m.Along(ctx, Penalty{Ratio: rho / lambda})
	if err != nil {
		return Sheet{}, err
	}
	return c.Sheet(ctx, lambda)
}

// Where β is part of the matrix of the closed form, as beside a given ρ, that is diagonal: 1 + K/λ and β's part over ρ.
func TestDiagonalWithTheBias(t *testing.T) {
	seen := 0
	for name, b := range catalog() {
		if b.row == nil || b.constant != nil || b.rest != nil {
			continue
		}
		seen++
		c := b.closed()
		c.Open = false
		for _, rho := range []float64{.05, 20} {
			const lambda = .3
			logDet, left, i := 0.0, 0.0, 0
			for r := range b.r {
				for k := range b.my {
					beta := c.Row.At(r, c.class(k))
					d := 1 + c.Green.At(r, k)/lambda + beta*beta*c.Out[k]/rho
					logDet, left, i = logDet+math.Log(d), left+1/d, i+1
				}
			}
			got := c.diagonal(lambda, rho)
			if !(math.Abs(got.logD-logDet) <= 1e-9*(1+math.Abs(logDet))) || !(math.Abs(got.left-left) <= 1e-9*left) || got.modes != float64(i) {
				t.Errorf("%s, ρ = %g: log det %g, %g left of %g; want %g, %g of %d", name, rho, got.logD, got.left, got.modes, logDet, left, i)
			}
		}
	}
	if seen == 0 {
		t.Error("no problem with a bias")
	}
}
