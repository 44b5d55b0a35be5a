package gram

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/simd"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Gaussians is the structure of mixtures of these.
const Gaussians Structure = "mixture"

func mixtureStructure() structure {
	return structure{
		name: Gaussians, term: true,
		apt: func(g *chooser) bool { return !g.allLags() && len(g.x.Axes())+len(g.y.Axes()) > 2 },
		make: func(g *chooser) (Product, error) {
			return made(newMixture(g.ctx, g.f, g.x, g.y, g.x, g.y, math.Inf(1)))
		},
		why: func(g *chooser, _ Product) string { return g.notLags("and the kernel is a mixture of Gaussians") },
		lacks: func(g *chooser) string {
			return fmt.Sprintf("%s is no mixture of Gaussians on these meshes", g.f.Kernel)
		},
		between: (*crosser).mixture,
	}
}

// mixtureTolerance is that of sums of Gaussians, relative to the kernel at zero.
const mixtureTolerance = 1e-12

// mixture is the kernel between two products of axes as a sum of terms, each the
// tensor product of one matrix per axis.
type mixture struct {
	checked
	to, from []int
	inputs   int            // the first axes belong to the input
	terms    [][]*mat.Dense // by term and axis
}

// newMixture returns nil when the kernel is no mixture of Gaussians, or one whose matrices have
// more than most entries together.
func newMixture(ctx context.Context, f *kernels.Function, xs, ys, x, y mesh.Mesh, most float64) (*mixture, error) {
	to, from := append(xs.Axes(), ys.Axes()...), append(x.Axes(), y.Axes()...)
	if len(to) != len(from) {
		return nil, nil
	}
	var least []float64
	for i := range to {
		if to[i].Dim() != from[i].Dim() {
			return nil, nil
		}
		for k := range to[i].Dim() {
			least = append(least, leastDifference(ctx, to[i], from[i], k))
		}
	}
	gaussians := f.Mixture(least, mixtureTolerance)
	entries := 0.0
	for i := range to {
		entries += float64(len(gaussians)) * float64(to[i].Size()) * float64(from[i].Size())
	}
	if gaussians == nil || entries > most {
		return nil, nil
	}
	out := &mixture{inputs: len(x.Axes())}
	for i := range to {
		out.to, out.from = append(out.to, to[i].Size()), append(out.from, from[i].Size())
	}
	squares := make([]*squaredDifferences, len(to))
	for i := range to {
		squares[i] = newSquaredDifferences(ctx, to[i], from[i])
		for j := range i { // input and output often have one axis
			if to[j].Size() == to[i].Size() && sameAxis(to[i], to[j]) && sameAxis(from[i], from[j]) {
				squares[i] = squares[j]
				break
			}
		}
	}
	if err := linop.Stopped(ctx); err != nil {
		return nil, err
	}
	for _, g := range gaussians {
		if err := linop.Stopped(ctx); err != nil {
			return nil, err
		}
		term, first := make([]*mat.Dense, len(to)), 0
		for i := range to {
			rates := g.Rates[first : first+to[i].Dim()]
			first += to[i].Dim()
			if i > 0 && squares[i] == squares[i-1] && slices.Equal(rates, g.Rates[first-2*to[i].Dim():first-to[i].Dim()]) {
				term[i] = term[i-1]
				continue
			}
			term[i] = squares[i].gaussian(rates)
		}
		term[0] = scaled(g.Weight, term[0])
		out.terms = append(out.terms, term)
	}
	return out, linop.Stopped(ctx)
}

func scaled(f float64, m *mat.Dense) *mat.Dense {
	r, c := m.Dims()
	return mat.NewDense(r, c, floats.ScaleTo(make([]float64, r*c), f, m.RawMatrix().Data))
}

// same is the difference below which two coordinates count as equal.
func same(a, b mesh.Axis, k int) float64 {
	return 1e-13 * max(1e-300, math.Abs(a.Lower[k]), math.Abs(a.Upper[k]), math.Abs(b.Lower[k]), math.Abs(b.Upper[k]))
}

// leastDifference is the smallest difference of coordinate k that is not zero.
func leastDifference(ctx context.Context, a, b mesh.Axis, k int) float64 {
	best, tol, d := math.Inf(1), same(a, b, k), a.Dim()
	for i := range a.Size() {
		if ctx.Err() != nil {
			break
		}
		for j := range b.Size() {
			if v := math.Abs(a.Coordinates[i*d+k] - b.Coordinates[j*d+k]); v > tol {
				best = min(best, v)
			}
		}
	}
	return best
}

// squaredDifferences are (a_ik - b_jk)² between two axes, a matrix for each
// coordinate k; exactly 0 where two coordinates count as equal.
type squaredDifferences struct {
	rows, cols int
	of         [][]float64
}

func newSquaredDifferences(ctx context.Context, a, b mesh.Axis) *squaredDifferences {
	s, d := &squaredDifferences{rows: a.Size(), cols: b.Size()}, a.Dim()
	for k := range d {
		tol, values := same(a, b, k), make([]float64, s.rows*s.cols)
		for i := range s.rows {
			if ctx.Err() != nil {
				break
			}
			row := values[i*s.cols:][:s.cols]
			for j := range row {
				if v := a.Coordinates[i*d+k] - b.Coordinates[j*d+k]; math.Abs(v) > tol {
					row[j] = v * v
				}
			}
		}
		s.of = append(s.of, values)
	}
	return s
}

// gaussian is the matrix exp(-Σ_k rate_k (a_k - b_k)²); an infinite rate leaves
// coincident points only.
func (s *squaredDifferences) gaussian(rates []float64) *mat.Dense {
	out := make([]float64, s.rows*s.cols)
	for k, r := range rates {
		if math.IsInf(r, 1) {
			r = math.MaxFloat64
		}
		floats.AddScaled(out, -r, s.of[k])
	}
	simd.Best().Exp(out, out)
	return mat.NewDense(s.rows, s.cols, out)
}

// Dims implements linop.Operator.
func (m *mixture) Dims() (r, c int) {
	r, c = 1, 1
	for i := range m.to {
		r, c = r*m.to[i], c*m.from[i]
	}
	return r, c
}

// Apply implements linop.Operator: for each term one matrix product per axis.
func (m *mixture) Apply(ctx context.Context, dst, x []float64) {
	contractTerms(ctx, dst, x, m.terms, m.to, m.from, false)
}

// ApplyTranspose implements linop.Adjoint.
func (m *mixture) ApplyTranspose(ctx context.Context, dst, x []float64) {
	contractTerms(ctx, dst, x, m.terms, m.to, m.from, true)
}

func (m *mixture) entries(dst []float64, i, j []int) {
	clear(dst)
	at := make([][]int, len(m.to)) // by axis and entry, in the matrices of that axis
	for k := range at {
		at[k] = make([]int, len(dst))
	}
	for p := range dst {
		a, b := i[p], j[p]
		for k := len(at) - 1; k >= 0; k-- {
			at[k][p] = a%m.to[k]*m.from[k] + b%m.from[k]
			a, b = a/m.to[k], b/m.from[k]
		}
	}
	own := make([]float64, len(dst))
	for _, term := range m.terms {
		for k, e := range term {
			values := e.RawMatrix().Data
			for p, x := range at[k] {
				if k == 0 {
					own[p] = values[x]
				} else {
					own[p] *= values[x]
				}
			}
		}
		floats.Add(dst, own)
	}
}

// rowsTimes implements rowTimer: for each term a product with the rows of the first axis,
// and for each row one with those of the others.
func (m *mixture) rowsTimes(ctx context.Context, dst *mat.Dense, at []int, b *mat.Dense) error {
	n, cols := b.Dims()
	rows, last := make([][]int, len(m.to)), len(m.to)-1 // by axis
	for _, i := range at {
		for k := last; k >= 0; k-- {
			rows[k] = append(rows[k], i%m.to[k])
			i /= m.to[k]
		}
	}
	dst.Zero()
	flat := mat.NewDense(m.from[0], n/m.from[0]*cols, b.RawMatrix().Data)
	first, v := mat.NewDense(len(at), m.from[0], nil), mat.NewDense(len(at), n/m.from[0]*cols, nil)
	for _, term := range m.terms {
		for s, i := range rows[0] {
			first.SetRow(s, term[0].RawRowView(i))
		}
		if err := linop.MulContext(ctx, v, first, flat); err != nil {
			return err
		}
		for s := range at {
			x := v.RawRowView(s)
			for k := 1; k <= last; k++ {
				rest, row := len(x)/m.from[k], term[k].RawRowView(rows[k][s])
				floats.Scale(row[0], x[:rest])
				for j, e := range row[1:] {
					floats.AddScaled(x[:rest], e, x[(j+1)*rest:(j+2)*rest])
				}
				x = x[:rest]
			}
			floats.Add(dst.RawRowView(s), x)
		}
	}
	return nil
}

// certain: the terms are those of the kernel's expression.
func (m *mixture) certain() bool { return true }

// Describe implements linop.Describer.
func (m *mixture) Describe() string {
	return fmt.Sprintf("mixture of %d Gaussians, each a product over %d axes", len(m.terms), len(m.to))
}

// Left returns the input factor of a term.
func (m *mixture) Left(q int) mat.Matrix { return Basis(m.terms[q][:m.inputs]).Matrix() }

// Diagonal implements Product.
func (m *mixture) Diagonal(ctx context.Context, v Basis) (Diagonal, error) {
	d := &kroneckerDiagonal{sum: m, weights: make([][]float64, len(m.terms))}
	for q, term := range m.terms {
		s := []float64{1}
		for k, e := range term[m.inputs:] {
			var t mat.Dense
			if err := linop.MulContext(ctx, &t, e, v[k]); err != nil {
				return nil, err
			}
			next := make([]float64, 0, len(s)*len(e.RawRowView(0)))
			for _, p := range s {
				for _, w := range columnDots(v[k], &t) {
					next = append(next, p*w)
				}
			}
			s = next
		}
		d.weights[q] = s
	}
	return d, nil
}

// mixture returns nil where the kernel is none, as those below, and where its matrices take
// longer to make than the kernel to evaluate.
func (c *crosser) mixture() (adjoint, error) {
	if m, err := newMixture(c.ctx, c.f, c.xs, c.ys, c.x, c.y, c.most); m != nil || err != nil {
		return m, err
	}
	return nil, nil
}

func (m *mixture) multiplications(n int) (direct, through float64) {
	in, out, terms := m.inputs, append([]int{n}, m.to[m.inputs:]...), float64(len(m.terms))
	inputs := contractions(append([]int{n}, m.from[:in]...), append([]int{n}, m.to[:in]...)) - float64(n*n*product(m.to[:in]))
	direct = terms * (inputs + contractions(out, append([]int{product(m.from[:in])}, m.from[in:]...)))
	return direct, terms*contractions(m.to, m.from) + float64(n)*float64(product(m.to))
}

// largestFactors bounds the memory of the input factors of all terms.
const largestFactors = 1 << 25

// respond is a mixture whose first axis goes from the input to the functions.
func (m *mixture) respond(ctx context.Context, dst, f, w *mat.Dense) {
	m.respondBy(ctx, dst, f, w, max(8, largestFactors/(product(m.from[:m.inputs])*len(m.terms))))
}

// respondBy is respond with so many functions at a time.
func (m *mixture) respondBy(ctx context.Context, dst, f, w *mat.Dense, count int) {
	n, _ := f.Dims()
	mx, in := product(m.from[:m.inputs]), m.inputs
	for lo := 0; lo < n; lo += count {
		hi := min(n, lo+count)
		var terms [][]*mat.Dense
		for _, term := range m.terms {
			if ctx.Err() != nil {
				return
			}
			v, shape := rowsOf(f, lo, hi).(*mat.Dense).RawMatrix().Data, append([]int{hi - lo}, m.to[:in]...)
			v = v[:product(shape)]
			for k, e := range term[:in] {
				_, to := e.Dims()
				next := make([]float64, len(v)/m.to[k]*to)
				shape[k+1] = to
				addAlongAxis(ctx, next, v, e.T(), shape, k+1)
				v = next
			}
			terms = append(terms, append([]*mat.Dense{mat.NewDense(hi-lo, mx, v)}, term[in:]...))
		}
		_, my := dst.Dims()
		to, from := append([]int{hi - lo}, m.to[in:]...), append([]int{mx}, m.from[in:]...)
		contractTerms(ctx, dst.RawMatrix().Data[lo*my:hi*my], w.RawMatrix().Data, terms, to, from, false)
	}
}
