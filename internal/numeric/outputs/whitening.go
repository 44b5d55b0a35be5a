package outputs

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/dataset"
)

// Whitening is D: what turns the scaled errors dy^½ e of all outputs into white noise of those
// that were observed, pair by pair. In the coordinates of D T the misfit is a sum of squares,
// and the system D S K̄ Sᵀ Dᵀ + I. With weights W of the values and L Lᵀ the scaled covariance
// of what was observed of a pair, D is L⁻¹ W^½ on that, and zero on the rest. Weights of whole
// pairs are no part of it: the rows of S have them.
type Whitening struct {
	my      int
	Scale   []float64 // W^½, n × my, 0 where an output is missing
	factors []*pairFactor
	groups  []*factorGroup
}

// factorGroup are the pairs with the same factor.
type factorGroup struct {
	*pairFactor
	pairs []int
}

// pairFactor is L of the observed outputs of a pair.
type pairFactor struct {
	at        []int // their places
	l         *mat.TriDense
	precision float64 // one over the mean of the diagonal of L Lᵀ; 0 where nothing was observed
}

// NewWhitening is that of the errors of data; nil where all outputs were observed with white
// noise.
func NewWhitening(ctx context.Context, d *dataset.Dataset) (*Whitening, error) {
	if !Sharp(d) {
		return nil, nil
	}
	w := Weighing(d)
	if e := d.Errors; e == nil || e.Covariance == nil {
		return w, nil
	}
	return w, w.factor(ctx, d)
}

// Weighing is that of data without the covariance of their errors.
func Weighing(d *dataset.Dataset) *Whitening {
	e, my := d.Errors, d.OutputMesh.Size()
	w := &Whitening{my: my, Scale: linop.Ones(len(d.Output.Data))}
	for i, v := range d.Output.Data {
		switch {
		case math.IsNaN(v):
			w.Scale[i] = 0
		case e != nil:
			if e.Points != nil {
				w.Scale[i] *= math.Sqrt(e.Points[i%my])
			}
			if e.Values != nil {
				w.Scale[i] *= math.Sqrt(e.Values.Data[i])
			}
		}
	}
	return w
}

// factor finds L of each pair; pairs that were observed at the same points share it.
func (w *Whitening) factor(ctx context.Context, d *dataset.Dataset) error {
	c, dy := ScaledCovariance(d), d.OutputMesh.Weights()
	known := map[string]*factorGroup{}
	for i := range d.N() {
		own := &pairFactor{}
		for k := range w.my {
			if w.Scale[i*w.my+k] > 0 && dy[k] > 0 {
				own.at = append(own.at, k)
			}
		}
		name := fmt.Sprint(own.at)
		if known[name] == nil && len(own.at) > 0 {
			m := mat.NewSymDense(len(own.at), nil)
			for a, p := range own.at {
				for b := range a + 1 {
					m.SetSym(a, b, c.At(p, own.at[b]))
				}
			}
			f, err := linop.Cholesky(ctx, m)
			if err != nil {
				return fmt.Errorf("the covariance of the noise: %w", err)
			}
			own.precision = float64(len(own.at)) / mat.Trace(m)
			own.l = mat.NewTriDense(len(own.at), mat.Lower, nil)
			f.LTo(own.l)
			known[name] = &factorGroup{pairFactor: own}
			w.groups = append(w.groups, known[name])
		}
		if len(own.at) > 0 {
			own = known[name].pairFactor
			known[name].pairs = append(known[name].pairs, i)
		}
		w.factors = append(w.factors, own)
	}
	return nil
}

// ScaledCovariance is dy^½ C dy^½, with a mean diagonal of one: the identity for white noise.
func ScaledCovariance(d *dataset.Dataset) *mat.SymDense {
	c, dy := d.Errors.Covariance, d.OutputMesh.Weights()
	n := c.SymmetricDim()
	out := mat.NewSymDense(n, nil)
	mean, count := 0.0, 0.0
	for i, w := range dy {
		if w > 0 {
			mean, count = mean+w*c.At(i, i), count+1
		}
	}
	for i := range n {
		for j := range i + 1 {
			out.SetSym(i, j, c.At(i, j)*math.Sqrt(dy[i])*math.Sqrt(dy[j])/(mean/count))
		}
	}
	return out
}

// Forward replaces v, one number for each output, by D v; a nil whitening leaves it.
func (w *Whitening) Forward(v []float64) {
	if w == nil {
		return
	}
	floats.Mul(v, w.Scale)
	w.eachFactor(v, linop.SolveLower, false)
}

// Adjoint replaces v by Dᵀ v.
func (w *Whitening) Adjoint(v []float64) {
	if w == nil {
		return
	}
	w.eachFactor(v, linop.SolveLower, true)
	floats.Mul(v, w.Scale)
}

// Back replaces v by D⁻¹ v on what was observed, and by zero on the rest.
func (w *Whitening) Back(v []float64) {
	w.eachFactor(v, linop.TimesLower, false)
	w.unscale(v)
}

// BackAdjoint replaces v by D⁻ᵀ v on what was observed, and by zero on the rest.
func (w *Whitening) BackAdjoint(v []float64) {
	w.unscale(v)
	w.eachFactor(v, linop.TimesLower, true)
}

func (w *Whitening) unscale(v []float64) {
	for i, s := range w.Scale {
		if s > 0 {
			v[i] /= s
		} else {
			v[i] = 0
		}
	}
}

// eachFactor does something to the observed outputs of every pair, and clears the others: to those of
// all pairs that share a factor at once, a column for each. Products with the factor are what a fit to
// correlated noise does most; none of them asks for its condition, as solving for a vector would.
func (w *Whitening) eachFactor(v []float64, do func(l *mat.TriDense, transposed bool, x *mat.Dense), transposed bool) {
	if w.factors == nil {
		return
	}
	var rest []float64 // what is neither observed nor left
	if len(w.groups) != 1 || len(w.groups[0].pairs)*len(w.groups[0].at) != len(v) {
		rest = make([]float64, len(v))
	}
	for _, g := range w.groups {
		n := len(g.pairs)
		x := mat.NewDense(len(g.at), n, nil)
		for j, i := range g.pairs {
			for a, k := range g.at {
				x.Set(a, j, v[i*w.my+k])
			}
		}
		do(g.l, transposed, x)
		to := rest
		if to == nil {
			to = v
		}
		for j, i := range g.pairs {
			for a, k := range g.at {
				to[i*w.my+k] = x.At(a, j)
			}
		}
	}
	if rest != nil {
		copy(v, rest)
	}
}

// PairWhitening is R of one pair that was observed everywhere, my × my.
func PairWhitening(ctx context.Context, d *dataset.Dataset) (*mat.Dense, error) {
	one, err := d.Select([]int{0})
	if err != nil {
		return nil, err
	}
	w, err := NewWhitening(ctx, one)
	if err != nil {
		return nil, err
	}
	r := mat.NewDense(w.my, w.my, nil)
	for k := range w.my {
		e := make([]float64, w.my)
		e[k] = 1
		w.Forward(e)
		r.SetCol(k, e)
	}
	return r, nil
}

// Correlated reports whether the errors of a pair have a covariance.
func (w *Whitening) Correlated() bool { return w.factors != nil }

// Seen reports whether an output was observed.
func (w *Whitening) Seen(i int) bool { return w == nil || w.Scale[i] > 0 }

// Mask is 1 for outputs that were observed and 0 for the others.
func (w *Whitening) Mask() []float64 {
	m := make([]float64, len(w.Scale))
	for i, s := range w.Scale {
		if s > 0 {
			m[i] = 1
		}
	}
	return m
}

// Count is how many outputs were observed.
func (w *Whitening) Count() int { return int(floats.Sum(w.Mask())) }

// Sharpness is the mean of the diagonal of Dᵀ D, over all outputs.
func (w *Whitening) Sharpness() float64 {
	sum := 0.0
	for i, s := range w.Scale {
		own := 1.0
		if w.factors != nil && s > 0 {
			own = w.factors[i/w.my].precision
		}
		sum += s * s * own
	}
	return sum / float64(len(w.Scale))
}

// Columns replaces the columns of m, one entry for each output, by D times them.
func (w *Whitening) Columns(m *mat.Dense) {
	if w == nil {
		return
	}
	_, count := m.Dims()
	for j := range count {
		c := mat.Col(nil, j, m)
		w.Forward(c)
		m.SetCol(j, c)
	}
}

// PairRoots are the square roots of the weights of the pairs.
func PairRoots(d *dataset.Dataset) []float64 {
	if d.Errors == nil || d.Errors.Pairs == nil {
		return linop.Ones(d.N())
	}
	return linop.Roots(d.Errors.Pairs)
}

// LogDensity is what minus the logarithm of the density of the outputs, or of their contrasts
// where β has a free constant, has beside that of the whitened ones: the logarithm of the
// determinant of D⁻¹.
func LogDensity(ctx context.Context, d *dataset.Dataset, flat bool) (float64, error) {
	if d.Errors == nil {
		return 0, nil
	}
	w, err := NewWhitening(ctx, d)
	if err != nil {
		return 0, err
	}
	sum, my, rows, dy := 0.0, d.OutputMesh.Size(), PairRoots(d), d.OutputMesh.Weights()
	constant, plain := make([]float64, len(d.Output.Data)), 0.0
	for i, v := range d.Output.Data {
		if math.IsNaN(v) {
			continue
		}
		sum -= math.Log(rows[i/my])
		constant[i] = rows[i/my] * math.Sqrt(dy[i%my])
		plain += dy[i%my]
		if w != nil {
			sum -= math.Log(w.Scale[i])
		}
	}
	if w != nil {
		for _, t := range w.factors {
			for k := range t.at {
				sum += math.Log(t.l.At(k, k))
			}
		}
	}
	if w.Forward(constant); flat {
		sum += math.Log(floats.Norm(constant, 2) / math.Sqrt(plain))
	}
	return sum, nil
}
