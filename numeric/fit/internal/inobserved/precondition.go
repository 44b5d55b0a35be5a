package inobserved

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/outputs"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit/internal/indata"
)

// MaxSchur bounds the missing outputs whose Schur complement is factored: a square
// matrix of that size, 128 MB.
const MaxSchur = 4000

// Values of less than lightWeight are light, as those that a loss takes for wrong: where they are up to mostLight of all, they are known
// by their weights beside what is missing.
const (
	lightWeight = .5
	mostLight   = .25
)

// observedPreconditioner makes that of the complete system, M, one for what is
// observed. With few missing outputs it is the inverse of the observed part of M,
//
//	(M⁻¹)_oo - (M⁻¹)_om ((M⁻¹)_mm)⁻¹ (M⁻¹)_mo,
//
// as good for that part of the system as M is for the whole. With many of them it is
// (M⁻¹)_oo alone. Errors of their own are put on both sides of it, D⁻ᵀ M⁻¹ D⁻¹, which is off by
// at most what their variances are apart: of values with next to no weight, by all of that. These are
// treated as what is missing is, which is the limit, with (M⁻¹)_mm + W (I - W)⁻¹ for weights W: D⁻² is then in M, and
// that is as good as without them.
type observedPreconditioner struct {
	observed
	m     *indata.Preconditioner
	light []int         // entries of what is missing or light, if there are few
	own   []float64     // W (I - W)⁻¹ of these
	schur *mat.TriDense // the lower factor of (M⁻¹)_mm + W (I - W)⁻¹
}

func newObservedPreconditioner(ctx context.Context, o observed, m *indata.Preconditioner) (*observedPreconditioner, error) {
	p := &observedPreconditioner{observed: o, m: m, light: o.light()}
	if len(p.light) == 0 {
		return p, nil
	}
	s, err := p.inverseWhereLight(ctx)
	if err != nil {
		return nil, err
	}
	for q, i := range p.light {
		w := o.D.Scale[i] * o.D.Scale[i]
		p.own = append(p.own, w/(1-w))
		s.SetSym(q, q, s.At(q, q)+p.own[q])
	}
	l, err := linop.LowerFactor(ctx, s)
	if err != nil {
		return nil, fmt.Errorf("preconditioner: the part for missing outputs: %w", err)
	}
	p.schur = mat.NewTriDense(len(p.light), mat.Lower, l.RawMatrix().Data)
	return p, nil
}

// light are the entries that are missing, and those with a small weight where these are few; none where there are too many.
func (o observed) light() []int {
	var missing, light []int
	for i, v := range o.D.Scale {
		if v == 0 {
			missing = append(missing, i)
		}
		if v*v < lightWeight {
			light = append(light, i)
		}
	}
	few := float64(len(light)-len(missing)) <= mostLight*float64(o.D.Count())
	switch {
	case few && len(light) <= MaxSchur && !o.D.Correlated():
		return light
	case len(missing) <= MaxSchur:
		return missing
	}
	return nil
}

// Outlook is how many outputs of data the preconditioner will know by their weights, and by which factor those of the others are
// apart: by so much it is off, and steps of CG are as its root.
func Outlook(d *dataset.Dataset) (known int, apart float64) {
	if !outputs.Sharp(d) {
		return 0, 1
	}
	own := *d
	if e := d.Errors; e != nil && e.Covariance != nil { // which no weights of values go with
		own.Errors = nil
	}
	o := observed{D: outputs.Weighing(&own)}
	all := o.light()
	least, most := math.Inf(1), 0.0
	for q, i := 0, 0; i < len(o.D.Scale); i++ {
		if q < len(all) && all[q] == i {
			q++
		} else if w := o.D.Scale[i] * o.D.Scale[i]; w > 0 {
			least, most = min(least, w), max(most, w)
		}
	}
	if most == 0 {
		return len(all), 1
	}
	return len(all), most / least
}

// inverseWhereLight is (M⁻¹)_mm, above its diagonal: with M⁻¹ = (P ⊗ V) D⁻¹ (P ⊗ V)ᵀ the entries for
// samples a and b are Σ_j V_kj V_lj w_j, w_j = Σ_i P_ai P_bi / D_ij.
func (p *observedPreconditioner) inverseWhereLight(ctx context.Context) (*mat.SymDense, error) {
	n, my := p.Sys.N, p.Sys.My
	v := linop.Identity(my)
	p.Sys.V.Forward(ctx, v.RawMatrix().Data) // row k is V_k·
	inverse := mat.NewDense(n, my, nil)
	for i, d := range p.m.D {
		inverse.RawMatrix().Data[i] = 1 / d
	}
	var first []int                             // of these outputs of each sample that has some
	rows := mat.NewDense(len(p.light), my, nil) // of V, for each of these outputs
	var samples []float64                       // rows of P, for each sample that has some
	for x, i := range p.light {
		if x == 0 || i/my != p.light[x-1]/my {
			first, samples = append(first, x), append(samples, p.Sys.P.RawRowView(i/my)...)
		}
		rows.SetRow(x, v.RawRowView(i%my))
	}
	count := len(first)
	first = append(first, len(p.light))
	of := mat.NewDense(count, n, samples)
	s := mat.NewSymDense(len(p.light), nil)
	whole := mat.NewDense(len(p.light), len(p.light), s.RawSymmetric().Data)
	perSample := 0.05 * float64(n*count*my) // nanoseconds, most of it a product of matrices
	err := kernels.Rows(ctx, count, perSample, func(a int) {
		scaled, w := mat.DenseCopyOf(inverse), mat.NewDense(count-a, my, nil)
		for i, x := range of.RawRowView(a) {
			floats.Scale(x, scaled.RawRowView(i))
		}
		if linop.MulContext(ctx, w, of.Slice(a, count, 0, n), scaled) != nil {
			return
		}
		// Row b - a of w is Σ_i P_bi P_ai / D_ij.
		lo, hi := first[a], first[a+1]
		own := mat.NewDense(hi-lo, my, nil)
		for b := a; b < count && ctx.Err() == nil; b++ {
			for x := lo; x < hi; x++ {
				floats.MulTo(own.RawRowView(x-lo), rows.RawRowView(x), w.RawRowView(b-a))
			}
			from, to := first[b], first[b+1]
			_ = linop.MulContext(ctx, whole.Slice(lo, hi, from, to).(*mat.Dense), own, rows.Slice(from, to, 0, my).T())
		}
	})
	return s, err
}

// Apply implements linop.Operator.
func (p *observedPreconditioner) Apply(ctx context.Context, dst, r []float64) {
	in := append([]float64(nil), r...)
	p.D.Back(in)
	p.rotated(ctx, dst, in, p.m)
	defer p.D.BackAdjoint(dst)
	if p.schur == nil {
		return
	}
	x := make([]float64, len(p.light))
	for q, i := range p.light {
		x[q] = dst[i]
	}
	linop.SolveOneLower(p.schur, x)
	clear(in)
	for q, i := range p.light {
		in[i] = x[q]
	}
	back := make([]float64, len(r))
	p.rotated(ctx, back, in, p.m)
	floats.Sub(dst, back)
	for q, i := range p.light {
		dst[i] = p.own[q] * x[q] // the same but for rounding, which light values would magnify
	}
}
