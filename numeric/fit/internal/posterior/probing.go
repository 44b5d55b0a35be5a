package posterior

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Bands of predictions where too many directions of the data matter for their covariance to be
// factored, as of fine outputs in the plane: points of the output that are far from each other
// are nearly independent given the data, so that one solve serves a whole lattice of them
// (probing; Tang and Saad, Numer. Linear Algebra Appl. 19, 2012). With signs s and the
// functionals ℓ_y of a lattice, s_y Cov(ℓ_y, Σ s ℓ) is the variance of ℓ_y, and the covariances
// with the others of the lattice, which are held below a tolerance by its strides.

// probes is what bands of predictions are found with.
type probes struct {
	p        *Posterior
	d        problem.Complete
	t        targets // of one input
	to, from linop.Operator
	self     linop.Operator
	q        *mat.Dense // Q/ρ from the output of the data to that of the targets; nil without β
	qq       *mat.Dense // between the targets
}

const (
	leastProbed      = 200  // points of the output that probing is worth it for
	probeContact     = 4e-3 // the largest sum of the correlations of a point with its lattice, in squares, rooted
	probeLeft        = 5e-3 // part of the variances that iterations may leave explained too little
	probedPart       = 0.1  // of the points that lattices may be, for it to be worth it
	probeChecks      = 4    // points that are computed by themselves, at the sides too
	probeChecked     = 0.01 // what the standard deviation may be off there
	probeAloneDigits = 1e-5 // of a variance, in the checks
)

// byProbes is the standard deviations of predictions, nil where probing does not apply, does
// not pay, or is off by more than 1 % at points that are computed by themselves.
func (p *Posterior) byProbes(ctx context.Context, t targets) (*mat.Dense, error) {
	d, ok := p.Regression.(problem.Complete)
	if !ok || t.weights == nil || t.ys.Size() < leastProbed || !gridded(t.ys) {
		return nil, nil
	}
	b := &probes{p: p, d: d, t: t}
	if err := b.operators(ctx); err != nil {
		return nil, err
	}
	if gram.Evaluates(b.to) || gram.Evaluates(b.self) {
		return nil, linop.Stopped(ctx)
	}
	n := t.count()
	out := mat.NewDense(n, t.ys.Size(), nil)
	for i := range n {
		b.t.weights = t.weights.Slice(i, i+1, 0, t.xs.Size()).(*mat.Dense)
		v, err := b.variances(ctx)
		if v == nil || err != nil {
			return nil, err
		}
		for k, v := range v {
			out.Set(i, k, math.Sqrt(p.Tau2*v))
		}
	}
	return out, nil
}

// gridded reports whether a mesh has lattices: all its axes are of one coordinate.
func gridded(m mesh.Mesh) bool {
	return !slices.ContainsFunc(m.Axes(), func(a mesh.Axis) bool { return a.Dim() != 1 })
}

// operators are the kernels between the meshes, which are often all the same.
func (b *probes) operators(ctx context.Context) (err error) {
	p, t := b.p, b.t
	if t.xs.Equal(p.x) && t.ys.Equal(p.y) {
		b.self = b.d.Kernel()
		b.to, b.from = b.self, b.self
	} else {
		if b.self, _, err = gram.Self(ctx, p.f, t.xs, t.ys, gram.Options{}); err != nil {
			return err
		}
		if b.to, err = gram.Cross(ctx, p.f, p.x, p.y, t.xs, t.ys); err != nil {
			return err
		}
		if b.from, err = gram.Cross(ctx, p.f, t.xs, t.ys, p.x, p.y); err != nil {
			return err
		}
	}
	if b.q, err = p.biasBetween(ctx, t); err != nil || b.q == nil {
		return err
	}
	b.qq, err = p.q.Gram(ctx, t.ys, t.ys)
	if err == nil {
		b.qq.Scale(1/p.at.Rho, b.qq)
	}
	return err
}

// probed is a sum of targets, and the posterior of all targets with it.
type probed struct {
	covariance []float64 // with every target, without a free constant
	local      []float64 // what iterations left explained too little, by output points of the data
}

// probe conditions the sum of targets, each so many times, on the data.
func (b *probes) probe(ctx context.Context, times []float64, least float64) (*probed, error) {
	p, my := b.p, b.t.ys.Size()
	w := b.t.weights.RawRowView(0)
	in := make([]float64, len(w)*my)
	for x, v := range w {
		floats.AddScaled(in[x*my:(x+1)*my], v/p.at.Lambda, times)
	}
	kin := make([]float64, len(in))
	b.self.Apply(ctx, kin, in)
	atData := kin
	if b.to != b.self {
		atData = make([]float64, p.x.Size()*p.y.Size())
		b.to.Apply(ctx, atData, in)
	}
	out := &probed{covariance: b.sum(w, kin)}
	var beta []float64
	if b.q != nil {
		beta = make([]float64, p.y.Size())
		mat.NewVecDense(len(beta), beta).MulVec(b.q.T(), mat.NewVecDense(my, times))
		addProduct(out.covariance, b.qq, times)
	}
	h := p.Respond(ctx, atData, beta)
	z, r, err := b.solve(ctx, h, least)
	if err != nil {
		return nil, err
	}
	explained := b.against(ctx, z)
	floats.Sub(out.covariance, explained)
	v := b.d.Turned().V
	v.Backward(ctx, z)
	v.Backward(ctx, r)
	out.local = make([]float64, p.y.Size())
	for i, v := range z {
		out.local[i%len(out.local)] += v * r[i]
	}
	return out, linop.Stopped(ctx)
}

// against is the covariances of all targets with the data, times z.
func (b *probes) against(ctx context.Context, z []float64) []float64 {
	p := b.p
	weights := b.d.Spread(ctx, z)
	cut := p.x.Size() * p.y.Size()
	values := make([]float64, b.t.xs.Size()*b.t.ys.Size())
	b.from.Apply(ctx, values, weights.RawMatrix().Data[:cut])
	floats.Scale(1/p.at.Lambda, values)
	out := b.sum(b.t.weights.RawRowView(0), values)
	if b.q != nil {
		addProduct(out, b.q, weights.RawRowView(p.x.Size()))
	}
	return out
}

// sum is Σ_x w_x values(x, ·).
func (b *probes) sum(w, values []float64) []float64 {
	my := b.t.ys.Size()
	out := make([]float64, my)
	for x, v := range w {
		floats.AddScaled(out, v, values[x*my:(x+1)*my])
	}
	return out
}

// addProduct adds m v to dst.
func addProduct(dst []float64, m *mat.Dense, v []float64) {
	for i := range dst {
		dst[i] += floats.Dot(m.RawRowView(i), v)
	}
}

// solve finds z with A z + r = h by preconditioned conjugate gradients, until about what r would
// explain, ⟨r, D⁻¹ r⟩, is at most least.
func (b *probes) solve(ctx context.Context, h []float64, least float64) (z, r []float64, err error) {
	n := len(h)
	z, r = make([]float64, n), append([]float64(nil), h...)
	d, ad, m := make([]float64, n), make([]float64, n), make([]float64, n)
	last := 0.0
	for range maxBandSteps {
		b.p.inverse.Apply(ctx, m, r)
		size := floats.Dot(r, m)
		if size <= least {
			break
		}
		if last > 0 {
			floats.Scale(size/last, d)
		}
		floats.Add(d, m)
		last = size
		b.p.a.Apply(ctx, ad, d)
		if err := linop.Stopped(ctx); err != nil {
			return nil, nil, err
		}
		step := size / floats.Dot(d, ad)
		floats.AddScaled(z, step, d)
		floats.AddScaled(r, -step, ad)
	}
	return z, r, nil
}

// variances are those of all targets over τ²; nil where lattices do not have them.
func (b *probes) variances(ctx context.Context) ([]float64, error) {
	prior, err := b.p.priors(ctx, b.t)
	if err != nil {
		return nil, err
	}
	draw := rand.New(rand.NewPCG(1, 5))
	ny := b.t.ys.Size()
	size := prior[ny/2]
	exact := map[int]float64{}
	shape := make([]int, 0, 3)
	for _, a := range b.t.ys.Axes() {
		shape = append(shape, a.Size())
	}
	strides := make([]int, len(shape))
	for check, at := range []int{middle(shape), 0, shape[len(shape)-1] / 2, draw.IntN(ny)} { // a corner and an end have fewer data
		times := make([]float64, ny)
		times[at] = 1
		one, err := b.probe(ctx, times, probeAloneDigits*size)
		if err != nil {
			return nil, err
		}
		exact[at] = one.covariance[at] - floats.Sum(one.local)
		widen(strides, shape, one.covariance, at)
		size = min(size, exact[at])
		progress.Report(ctx, progress.Step{Task: "std", Done: float64(check), Total: probeChecks + float64(productOf(strides))})
		if productOf(strides) > int(probedPart*float64(ny)) {
			return nil, nil
		}
	}
	out, err := b.onLattices(ctx, shape, strides, probeLeft*size)
	if err != nil {
		return nil, err
	}
	for at, v := range exact {
		if !(math.Abs(out[at]-v) <= 2*probeChecked*v) {
			return nil, nil
		}
	}
	return b.withConstant(ctx, out)
}

// onLattices is the variances from a probe for each lattice.
func (b *probes) onLattices(ctx context.Context, shape, strides []int, least float64) ([]float64, error) {
	ny, count := b.t.ys.Size(), productOf(strides)
	out := make([]float64, ny)
	for c := range count {
		times, signs, on := make([]float64, ny), criteria.Signs(ny, uint64(c)), 0
		for k := range times {
			if latticeNumber(k, shape, strides) == c {
				times[k] = signs[k]
				on++
			}
		}
		one, err := b.probe(ctx, times, least*float64(on))
		if err != nil {
			return nil, err
		}
		for k, s := range times {
			if s != 0 {
				out[k] += s * one.covariance[k]
			}
		}
		if b.t.ys.Equal(b.p.y) {
			for k, v := range one.local {
				out[nearest(k, c, shape, strides)] -= v
			}
		}
		progress.Report(ctx, progress.Step{Task: "std", Done: float64(c + 1), Total: float64(count)})
	}
	return out, nil
}

// withConstant adds what a free constant does, and takes rounding below zero for zero.
func (b *probes) withConstant(ctx context.Context, v []float64) ([]float64, error) {
	c, err := b.p.free(ctx)
	if c == nil || err != nil {
		return v, err
	}
	for k, a := range b.against(ctx, c.me) {
		v[k] += (1 - a) * (1 - a) / c.size
	}
	return v, linop.Stopped(ctx)
}

// widen makes strides such that the points of its lattice have little to do with point at: the
// root of the sum of the squares of their covariances is small beside its variance.
func widen(strides, shape []int, covariance []float64, at int) {
	for i, s := range strides {
		strides[i] = max(s, 1)
	}
	for {
		sum := 0.0
		for k, v := range covariance {
			if k != at && latticeNumber(k, shape, strides) == latticeNumber(at, shape, strides) {
				sum += v * v
			}
		}
		if math.Sqrt(sum) <= probeContact*covariance[at] {
			return
		}
		axis := 0
		for i := range strides {
			if float64(strides[i])/float64(shape[i]) < float64(strides[axis])/float64(shape[axis]) {
				axis = i
			}
		}
		if strides[axis] >= shape[axis] {
			return
		}
		strides[axis]++
	}
}

// latticeNumber is the number of the lattice of a point.
func latticeNumber(k int, shape, strides []int) int {
	number, unit := 0, 1
	for i := len(shape) - 1; i >= 0; i-- {
		number += unit * (k % shape[i] % strides[i])
		k, unit = k/shape[i], unit*strides[i]
	}
	return number
}

// nearest is the point of a lattice that is nearest to a point, in steps of the mesh.
func nearest(k, number int, shape, strides []int) int {
	out, unit := 0, 1
	for i := len(shape) - 1; i >= 0; i-- {
		at, from := k%shape[i], number%strides[i]
		step := int(math.Round(float64(at-from) / float64(strides[i])))
		step = max(0, min(step, (shape[i]-1-from)/strides[i]))
		out += unit * (from + step*strides[i])
		k, number, unit = k/shape[i], number/strides[i], unit*shape[i]
	}
	return out
}

func middle(shape []int) int {
	at := 0
	for _, n := range shape {
		at = at*n + n/2
	}
	return at
}

func productOf(v []int) int {
	out := 1
	for _, n := range v {
		out *= n
	}
	return out
}
