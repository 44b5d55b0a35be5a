package criteria

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
)

// Coupled is the likelihood of several outputs at once, each with noise of its own:
//
//	H_ij = (v[o_i] v[o_j])^½ (Σ_t B_t[o_i, o_j] C_t[e_i, e_j] + δ_ij)
//
// for the output o_i and the entry e_i of each datum. The covariances B_t between the outputs,
// in units of their noise, are its parameters, for each term as logarithms of the variances of the outputs, then, row by
// row, w for the entries z = sinh w below the diagonal of a triangle that is one on it, whose rows
// divided by their lengths are a root of the matrix of correlations. After these come the logarithms of the
// variances v of the noise, of all outputs but the first, whose own is one.
type Coupled struct {
	Components       // C by entry, T and Contrast by datum
	Entry      []int // e
	Output     []int // o
	Outputs    int
}

// mostCorrelation bounds w: correlations up to 1 - 1e-6.
const mostCorrelation = 7.3

// each is how many parameters a term has.
func (l *Coupled) each() int { return l.Outputs * (l.Outputs + 1) / 2 }

func (l *Coupled) count() int { return len(l.C)*l.each() + l.Outputs - 1 }

// Covariance is B of a term, in units of the noise of the outputs.
func (l *Coupled) Covariance(s Sizes, t int) *mat.Dense {
	root, b := l.root(s, t), mat.NewDense(l.Outputs, l.Outputs, nil)
	for i := range l.Outputs {
		for j := range l.Outputs {
			b.Set(i, j, floats.Dot(root.RawRowView(i), root.RawRowView(j)))
		}
	}
	return b
}

// root is R with B = R Rᵀ, its rows of the lengths of the standard deviations.
func (l *Coupled) root(s Sizes, t int) *mat.Dense {
	own, n := s[t*l.each():], l.Outputs
	r := mat.NewDense(n, n, nil)
	w := own[n:]
	for o := range n {
		row := r.RawRowView(o)[:o+1]
		for k := range o {
			row[k] = math.Sinh(w[k])
		}
		row[o] = 1
		floats.Scale(math.Exp(own[o]/2)/floats.Norm(row, 2), row)
		w = w[o:]
	}
	return r
}

// Noise is v.
func (l *Coupled) Noise(s Sizes) []float64 {
	v := []float64{1}
	for _, nu := range s[len(l.C)*l.each():] {
		v = append(v, math.Exp(nu))
	}
	return v
}

// changes are the derivatives of B of a term by its parameters.
func (l *Coupled) changes(s Sizes, t int) (all []*mat.Dense) {
	n, b, root := l.Outputs, l.Covariance(s, t), l.root(s, t)
	for o := range n {
		d := mat.NewDense(n, n, nil)
		for j := range n {
			d.Set(o, j, d.At(o, j)+b.At(o, j)/2)
			d.Set(j, o, d.At(j, o)+b.At(o, j)/2)
		}
		all = append(all, d)
	}
	w := s[t*l.each()+n:]
	for o := range n {
		row := root.RawRowView(o)
		variance := b.At(o, o)
		for k := range o { // the row is σ (z, 1)/|(z, 1)|, so that its entry o is σ/|(z, 1)|
			change := mat.NewVecDense(n, nil)
			change.SetVec(k, row[o])
			change.AddScaledVec(change, -row[o]*row[k]/variance, mat.NewVecDense(n, row))
			d := mat.NewDense(n, n, nil)
			for j := range n {
				if j != o {
					v := math.Cosh(w[k]) * mat.Dot(change, root.RowView(j))
					d.Set(o, j, v)
					d.Set(j, o, v)
				}
			}
			all = append(all, d)
		}
		w = w[o:]
	}
	return all
}

func (l *Coupled) clamped(s Sizes) Sizes {
	out := s.clamped()
	for t := range l.C {
		for k := t*l.each() + l.Outputs; k < (t+1)*l.each(); k++ {
			out[k] = min(max(s[k], -mostCorrelation), mostCorrelation)
		}
	}
	return out
}

// matrix is H.
func (l *Coupled) matrix(s Sizes) *mat.Dense {
	n := len(l.T)
	h, noise := mat.NewDense(n, n, nil), l.Noise(s)
	for t, c := range l.C {
		l.add(h, timesRoots(l.Covariance(s, t), noise), c)
	}
	for i, o := range l.Output {
		h.Set(i, i, h.At(i, i)+noise[o])
	}
	return h
}

// timesRoots is b in other units than those of noise of variances v; b is lost.
func timesRoots(b *mat.Dense, v []float64) *mat.Dense {
	b.Apply(func(i, j int, x float64) float64 { return x * math.Sqrt(v[i]*v[j]) }, b)
	return b
}

// Constants are the free constants, by least squares.
func (l *Coupled) Constants(ctx context.Context, s Sizes) ([]float64, error) {
	n, q := len(l.T), len(l.Contrast)
	if q == 0 {
		return nil, nil
	}
	h := l.matrix(l.clamped(s))
	d := make([]float64, n)
	for i := range d {
		d[i] = h.At(i, i)
	}
	f, err := factor(ctx, h, d)
	if err != nil {
		return nil, err
	}
	g, along := mat.NewDense(q, q, nil), mat.NewVecDense(q, nil)
	for i, c := range l.Contrast {
		hc := f.solve(c)
		along.SetVec(i, floats.Dot(hc, l.T))
		for j, other := range l.Contrast {
			g.Set(i, j, floats.Dot(hc, other))
		}
	}
	constants := mat.NewVecDense(q, nil)
	if err := constants.SolveVec(g, along); err != nil && !isCondition(err) {
		return nil, err
	}
	return constants.RawVector().Data, linop.Stopped(ctx)
}

func (l *Coupled) at(ctx context.Context, s Sizes) (*sized, error) {
	s = l.clamped(s)
	n := len(l.T)
	var slopes []derivative
	noise := l.Noise(s)
	for t, c := range l.C {
		for _, d := range l.changes(s, t) {
			m := mat.NewDense(n, n, nil)
			l.add(m, timesRoots(d, noise), c)
			slopes = append(slopes, derivative{1, m})
		}
		if err := linop.Stopped(ctx); err != nil {
			return nil, err
		}
	}
	h := l.matrix(s)
	for o := 1; o < l.Outputs; o++ {
		m := mat.NewDense(n, n, nil) // half of the rows and of the columns of the output
		for i, p := range l.Output {
			row, of := m.RawRowView(i), h.RawRowView(i)
			for j, q := range l.Output {
				switch {
				case p == o && q == o:
					row[j] = of[j]
				case p == o || q == o:
					row[j] = of[j] / 2
				}
			}
		}
		slopes = append(slopes, derivative{1, m})
	}
	return l.evaluate(ctx, s, h, slopes)
}

// inside is at without the derivatives that point out of the bounds, so that steps along the
// others are as long as if there were none.
func (l *Coupled) inside(ctx context.Context, s Sizes) (*sized, error) {
	p, err := l.at(ctx, s)
	if err == nil {
		p.holdOutward(l.clamped)
	}
	return p, err
}

// add adds b[o_i, o_j] c[e_i, e_j] to h.
func (l *Coupled) add(h, b, c *mat.Dense) {
	for i := range l.T {
		row, of, between := h.RawRowView(i), c.RawRowView(l.Entry[i]), b.RawRowView(l.Output[i])
		for j := range row {
			row[j] += between[l.Output[j]] * of[l.Entry[j]]
		}
	}
}

// Variance is which of the parameters is that of an output for a term.
func (l *Coupled) Variance(t, output int) int { return t*l.each() + output }

// Best finds the parameters of greatest likelihood, and minus its logarithm, as that of
// Components does.
func (l *Coupled) Best(ctx context.Context, from Sizes, limits Limits, steps int, hopeless float64) (Sizes, float64, error) {
	begin := []Sizes{from}
	if from == nil {
		begin = begin[:0]
		for _, all := range starts() {
			s := make(Sizes, l.count())
			for t := range l.C {
				for o := range l.Outputs {
					s[t*l.each()+o] = math.Log(all / float64(len(l.C)))
				}
			}
			begin = append(begin, s)
		}
	}
	free := parameters{count: l.count(), apart: true}
	for t := range l.C {
		var own []int
		for o := range l.Outputs {
			own = append(own, l.Variance(t, o))
		}
		free.terms = append(free.terms, own)
	}
	best, err := limits.climb(ctx, l.inside, free, begin, steps, hopeless)
	if err != nil {
		return nil, 0, fmt.Errorf("covariances of the outputs: %w", err)
	}
	return best.at, best.value, nil
}

// Upper is how much larger the covariances of a term may be, all alike; see Components.
func (l *Coupled) Upper(ctx context.Context, s Sizes, t int) (float64, error) {
	return upper(ctx, l.at, l.clamped(s), t*l.each(), t*l.each()+l.Outputs)
}

// Sizes are the parameters of given covariances of the terms, row-major, with noise of
// variance one in all outputs.
func (l *Coupled) Sizes(covariances [][]float64) Sizes {
	s, n := make(Sizes, l.count()), l.Outputs
	for t, b := range covariances {
		own := s[t*l.each():]
		w := own[n:]
		root := mat.NewDense(n, n, nil) // of the correlations
		for o := range n {
			own[o] = math.Log(b[o*n+o])
			row, left := root.RawRowView(o), 1.0
			for k := range o {
				row[k] = b[o*n+k] / math.Sqrt(b[o*n+o]*b[k*n+k])
				row[k] = (row[k] - floats.Dot(row[:k], root.RawRowView(k)[:k])) / root.At(k, k)
				left -= row[k] * row[k]
			}
			row[o] = math.Sqrt(max(left, 1e-7)) // rounding
			for k := range o {
				w[k] = math.Asinh(row[k] / row[o])
			}
			w = w[o:]
		}
	}
	return l.clamped(s)
}
