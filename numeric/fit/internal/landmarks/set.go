package landmarks

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Set is few points Z of an axis, from whose values a function is known about
// everywhere on it, by the kernel k that the axis has:
//
//	g(x) ≈ Σ_j ℓ_j(x) g(z_j),  ℓ(x) = k(Z,Z)⁻¹ (k(Z,x) + μ(x) 1)
//
// with μ such that Σ ℓ_j(x) = 1: kriging, which has constants exactly.
type Set struct {
	Mesh  mesh.Mesh // Z; its weights are those of a quadrature of their own
	f     *kernels.Function
	at    [][]float64
	upper *mat.Dense // U⁻¹ of k(Z,Z) = UᵀU
	mean  []float64  // k(Z,Z)⁻¹ 1 / ⟨1, k(Z,Z)⁻¹ 1⟩
}

const (
	mostCandidates = 20000   // points that landmarks are taken from
	resolvedBy     = 1e-10   // of the kernel: what landmarks leave of a point that they say all of
	landmarkChunk  = 1 << 21 // values that are interpolated at a time
)

// Spread returns at most so many points of a mesh, each the one furthest from those before it
// in the metric of the kernel, √(k(x,x) + k(z,z) - 2 k(x,z)): the beginning of the list is as
// evenly spread as all of it. Points that those before say all of are left out. Cost: a row of
// kernel values and most²/2 operations for each.
func Spread(ctx context.Context, f *kernels.Function, points mesh.Mesh, most int) (at []int, err error) {
	own := candidates(points.Weights())
	most = min(most, len(own))
	if err := dense.CheckMatrix("landmarks", 5, most, most); err != nil {
		return nil, err
	}
	columns := make([][]float64, points.Dim())
	for c, v := range points.Columns() {
		for _, i := range own {
			columns[c] = append(columns[c], v[i])
		}
	}
	var ops []expr.Operand
	for _, v := range columns {
		ops = append(ops, expr.Operand{Vector: v})
	}
	diagonal, row, near := make([]float64, len(own)), make([]float64, len(own)), make([]float64, len(own))
	f.Block(diagonal, ops, ops)
	for i := range near {
		near[i] = math.Inf(1)
	}
	p, next, top := make([]float64, points.Dim()), 0, floats.Max(diagonal)
	var picked []int
	var lower [][]float64
	for len(picked) < most {
		if err := linop.Stopped(ctx); err != nil {
			return nil, err
		}
		for c := range p {
			p[c] = columns[c][next]
		}
		f.Row(row, p, columns)
		l, left := substituted(lower, row, picked, diagonal[next])
		if !(left > resolvedBy*top) {
			break
		}
		lower, picked, at = append(lower, append(l, math.Sqrt(left))), append(picked, next), append(at, own[next])
		for i := range near {
			near[i] = min(near[i], diagonal[i]+diagonal[next]-2*row[i])
		}
		next = floats.MaxIdx(near)
	}
	return at, nil
}

// substituted is the next row of a Cholesky factor, and what is left on the diagonal.
func substituted(lower [][]float64, row []float64, at []int, own float64) (l []float64, left float64) {
	left = own
	for j, k := range at {
		v := (row[k] - floats.Dot(l, lower[j][:j])) / lower[j][j]
		l = append(l, v)
		left -= v * v
	}
	return l, left
}

// candidates are the numbers of all points that have a weight, or of enough drawn from many.
func candidates(weights []float64) (some []int) {
	for i, w := range weights {
		if w > 0 {
			some = append(some, i)
		}
	}
	if len(some) > mostCandidates {
		rand.New(rand.NewPCG(1, 4)).Shuffle(len(some), func(i, j int) { some[i], some[j] = some[j], some[i] })
		some = some[:mostCandidates]
		slices.Sort(some)
	}
	return some
}

// newSet are those at points of a mesh of one axis, as Spread gave them.
func newSet(ctx context.Context, f *kernels.Function, points mesh.Mesh, at []int) (*Set, error) {
	var coordinates []float64
	l := &Set{f: f}
	for _, i := range at {
		p := make([]float64, points.Dim())
		points.Point(p, i)
		coordinates = append(coordinates, p...)
	}
	m, err := scatteredLike(points, coordinates, nil)
	if err != nil {
		return nil, err
	}
	return l, l.factor(ctx, m)
}

// scatteredLike is a mesh of points with the coordinates of another.
func scatteredLike(m mesh.Mesh, coordinates, weights []float64) (mesh.Mesh, error) {
	a, err := mesh.Scattered(coordinates, m.Dim(), weights, m.Names()...)
	if err != nil {
		return mesh.Mesh{}, err
	}
	return mesh.New(a)
}

// factor makes of a mesh of landmarks what interpolates.
func (l *Set) factor(ctx context.Context, m mesh.Mesh) error {
	l.Mesh = m
	r, columns := m.Size(), m.Columns()
	k := mat.NewSymDense(r, nil)
	for i := range r {
		if err := linop.Stopped(ctx); err != nil {
			return err
		}
		l.at = append(l.at, make([]float64, m.Dim()))
		m.Point(l.at[i], i)
		row := make([]float64, r)
		l.f.Row(row, l.at[i], columns)
		for j := range i + 1 {
			k.SetSym(i, j, row[j])
		}
	}
	root, err := linop.Cholesky(ctx, k)
	if err != nil {
		return fmt.Errorf("landmarks: %w", err)
	}
	if l.upper, err = upperInverse(ctx, root); err != nil {
		return err
	}
	l.mean = linop.Ones(r)
	linop.SolveOne(root, l.mean)
	floats.Scale(1/floats.Sum(l.mean), l.mean)
	return nil
}

// upperInverse is U⁻¹ of a matrix UᵀU.
func upperInverse(ctx context.Context, root *mat.Cholesky) (*mat.Dense, error) {
	lower, err := linop.InverseFactor(ctx, root)
	if err != nil {
		return nil, err
	}
	return mat.DenseCopyOf(lower.T()), nil
}

// count is how many there are.
func (l *Set) count() int { return len(l.at) }

// cardinal returns ℓ at points lo … hi-1 of a mesh, landmarks × points, and the largest
// relative square of what is left, k(x,x) - k(x,Z) k(Z,Z)⁻¹ k(Z,x) over k(x,x). Cost: a kernel
// value and 4 count operations for each.
func (l *Set) cardinal(ctx context.Context, m mesh.Mesh, lo, hi int) (values *mat.Dense, left float64, err error) {
	columns := m.ColumnsOf(lo, hi)
	k := mat.NewDense(l.count(), hi-lo, nil)
	if err := kernels.Rows(ctx, l.count(), l.f.Time(hi-lo), func(i int) { l.f.Row(k.RawRowView(i), l.at[i], columns) }); err != nil {
		return nil, 0, err
	}
	half := linop.Product(ctx, l.upper.T(), k)
	values = linop.Product(ctx, l.upper, half)
	var ops []expr.Operand
	for _, v := range columns {
		ops = append(ops, expr.Operand{Vector: v})
	}
	own, explained, missing := make([]float64, hi-lo), make([]float64, hi-lo), linop.Ones(hi-lo)
	l.f.Block(own, ops, ops)
	for i := range l.at {
		for j, v := range half.RawRowView(i) {
			explained[j] += v * v
		}
		floats.Sub(missing, values.RawRowView(i))
	}
	for i, w := range l.mean {
		floats.AddScaled(values.RawRowView(i), w, missing)
	}
	for j, v := range own {
		if v > 0 {
			left = max(left, (v-explained[j])/v)
		}
	}
	return values, left, linop.Stopped(ctx)
}

// eachCardinal calls do with ℓ at all points of a mesh, some of them at a time.
func (l *Set) eachCardinal(ctx context.Context, m mesh.Mesh, do func(values *mat.Dense, lo, hi int) error) (left float64, err error) {
	step := max(64, landmarkChunk/l.count())
	for lo := 0; lo < m.Size(); lo += step {
		hi := min(lo+step, m.Size())
		values, most, err := l.cardinal(ctx, m, lo, hi)
		if err != nil {
			return 0, err
		}
		if err := do(values, lo, hi); err != nil {
			return 0, err
		}
		left = max(left, most)
	}
	return left, nil
}

// gather returns functions on a mesh, one in each row, as functions on the landmarks with the
// same integrals ∫ f g for every g that is what its values at the landmarks say.
func (l *Set) gather(ctx context.Context, f *mat.Dense, m mesh.Mesh) (*mat.Dense, error) {
	n, _ := f.Dims()
	out := mat.NewDense(n, l.count(), nil)
	w := m.Weights()
	_, err := l.eachCardinal(ctx, m, func(values *mat.Dense, lo, hi int) error {
		return linop.AddMul(ctx, out, weightedColumns(f, w, lo, hi), values.T())
	})
	if err != nil {
		return nil, err
	}
	overColumns(out, l.Mesh.Weights())
	return out, nil
}

// overColumns divides the columns of m.
func overColumns(m *mat.Dense, by []float64) {
	n, _ := m.Dims()
	for i := range n {
		floats.Div(m.RawRowView(i), by)
	}
}

// weightedColumns are columns lo … hi-1 of f times weights.
func weightedColumns(f *mat.Dense, w []float64, lo, hi int) *mat.Dense {
	n, _ := f.Dims()
	part := mat.DenseCopyOf(f.Slice(0, n, lo, hi))
	linop.TimesRows(part.RawMatrix().Data, w[lo:hi])
	return part
}

// extend returns values at the landmarks, rows of u, on a mesh.
func (l *Set) extend(ctx context.Context, u *mat.Dense, m mesh.Mesh) (*mat.Dense, error) {
	n, _ := u.Dims()
	out := mat.NewDense(n, m.Size(), nil)
	_, err := l.eachCardinal(ctx, m, func(values *mat.Dense, lo, hi int) error {
		out.Slice(0, n, lo, hi).(*mat.Dense).Copy(linop.Product(ctx, u, values))
		return linop.Stopped(ctx)
	})
	return out, err
}
