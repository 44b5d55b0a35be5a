package inweights

import (
	"context"
	"errors"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/parallel"
)

const (
	coupledFrom  = 0.2   // λ, the least νκ of a mode that is coupled
	coupledModes = 12    // of inputs and lags: times the root of how many points there are beside the lags, or 200, and 2000 at most
	coupledSize  = 16    // numbers in factors for each weight, or a million in all, at most
	lostBelow    = 1e-12 // of the largest νκ: a smaller λ is lost in the rounding of couplings
	sameLambda   = 3     // a coupling serves λ up to so many times greater or less
)

// coupler is a response that knows how modes of G are coupled, alike for all modes of the outputs.
type coupler interface {
	Overlaps(ctx context.Context, u, v *mat.Dense, modes [][2]int) (*mat.Dense, error)
}

// couple makes the coupling for λ, unless there is one.
func (w *Space) couple(ctx context.Context) error {
	if w.coupling != nil && math.Abs(math.Log(w.Lambda/w.coupling.lambda)) <= math.Log(sameLambda) {
		return nil
	}
	w.coupling = &coupling{lambda: w.Lambda}
	resp, ok := w.resp.(coupler)
	if !ok {
		return nil
	}
	lag := mat.DenseCopyOf(w.vy[len(w.vy)-1])
	if !w.G.OnLastAxis(lag) {
		return nil
	}
	modes, least := w.strong(lag)
	if len(modes) < 2 {
		return nil
	}
	overlaps, err := resp.Overlaps(ctx, gram.Basis(w.vx).Matrix(), lag, modes)
	if err != nil {
		return err
	}
	_, nl := lag.Dims()
	for first := 0; first < w.G.Y().Size(); first += nl {
		if err := w.coupleIn(ctx, first, modes, least, overlaps); err != nil {
			return err
		}
	}
	return nil
}

// strong lists the modes of inputs and lags that are coupled, and the least νκ of such a mode.
func (w *Space) strong(lag *mat.Dense) (modes [][2]int, least float64) {
	nx, my := w.nu.Dims()
	_, nl := lag.Dims()
	seen := make([]bool, nl) // the others obey no constraint
	for l := range seen {
		seen[l] = mat.Norm(lag.ColView(l), 2) > 1e-8
	}
	most, largest := min(2000, max(200, coupledModes*math.Sqrt(float64(nx*my/nl)))), max(1<<20, min(coupledSize*nx*my, gram.MemoryShare(.05, 1<<26)))
	top := 0.
	for i, nu := range w.nu.RawMatrix().Data {
		top = max(top, nu*w.kappa.RawMatrix().Data[i])
	}
	if !(w.Lambda > lostBelow*top) {
		return nil, 0
	}
	for least = coupledFrom * w.Lambda; ; least *= 2 {
		modes = modes[:0]
		size, each := 0., make([]float64, my/nl)
		for a := range nx {
			nu, kappa := w.nu.RawRowView(a), w.kappa.RawRowView(a)
			for l := range nl {
				strong := false
				for j := l; j < my && seen[l]; j += nl {
					if nu[j]*kappa[j] > least {
						strong = true
						each[j/nl]++
					}
				}
				if strong {
					modes = append(modes, [2]int{a, l})
				}
			}
		}
		for _, n := range each {
			size += n * n
		}
		if float64(len(modes)) <= most && size <= float64(largest) {
			return modes, least
		}
	}
}

// coupleIn couples modes in the mode of the outputs that begins at column first of ν and κ.
func (w *Space) coupleIn(ctx context.Context, first int, modes [][2]int, least float64, overlaps *mat.Dense) error {
	_, my := w.nu.Dims()
	var c coupled
	var which []int
	for s, m := range modes {
		if k := w.kappa.At(m[0], first+m[1]); w.nu.At(m[0], first+m[1])*k > least {
			which = append(which, s)
			c.at, c.roots = append(c.at, m[0]*my+first+m[1]), append(c.roots, math.Sqrt(k))
		}
	}
	if len(which) < 2 {
		return nil
	}
	b, share := mat.NewSymDense(len(which), nil), w.share() // a sum over all outputs
	for p, s := range which {
		for q := p; q < len(which); q++ {
			b.SetSym(p, q, share*c.roots[p]*c.roots[q]*overlaps.At(s, which[q]))
		}
		b.SetSym(p, p, b.At(p, p)+w.Lambda)
	}
	f, err := linop.Cholesky(ctx, b)
	if errors.Is(err, linop.ErrNotPositive) { // λ is lost in rounding: the diagonal will do
		return nil
	}
	if err != nil {
		return err
	}
	c.by = f
	w.coupling.blocks = append(w.coupling.blocks, c)
	return nil
}

// apply divides the coefficients of coupled modes by the operator, and calls others for all.
func (c *coupling) apply(v []float64, others func()) {
	if c == nil {
		others()
		return
	}
	kept := make([][]float64, len(c.blocks))
	for k, b := range c.blocks {
		kept[k] = make([]float64, len(b.at))
		for p, i := range b.at {
			kept[k][p] = b.roots[p] * v[i]
		}
	}
	size := 0
	for _, b := range c.blocks {
		size = max(size, len(b.at))
	}
	parallel.Range(len(c.blocks), float64(size)*float64(size), func(lo, hi int) {
		for k := lo; k < hi; k++ {
			linop.SolveOne(c.blocks[k].by, kept[k])
			floats.Div(kept[k], c.blocks[k].roots)
		}
	})
	others()
	for k, b := range c.blocks {
		for p, i := range b.at {
			v[i] = kept[k][p]
		}
	}
}
