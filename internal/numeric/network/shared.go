package network

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// shared learns layers of many pairs. The kernels of all terms are products with one factor on
// the output, K_c(x,y; x',y') = a_c k_c(x,x') k(y,y'), so that the pairs have the covariance
//
//	H ⊗ Y/λ + 1,  H = Σ_c a_c B_c k_c B_cᵀ + b 11ᵀ/n,  Y = dy^½ k dy^½,
//
// B_c = φ_c dx/√n, b that of β. In the eigenvectors of H, n × n, and Y, points × points,
// everything is closed: the solution for every λ, its certificate, and what is predicted of each
// pair from all others. A layer costs some factorisations of H, whatever the number of its
// terms, where a fit of kernels of other forms is iterative, and is done six times over.
type shared struct {
	l      *learner
	n, m   int
	root   []float64     // dy^½
	t      *mat.Dense    // U dy^½/√n
	output kernel.Kernel // k
	y      []float64     // eigenvalues of Y
	v      *mat.Dense    // eigenvectors
	tv     *mat.Dense    // t in these
	ones   []float64     // the constant one in these, of a pair
	last   float64       // λ of the layer before, in units of H and Y; 0: none
}

const (
	manyNumbers = 100_000 // outputs of all pairs, from where layers share the kernel on the output
	manyPairs   = 200     // that there must be: leaving one out is then as good as leaving out a fifth
	biasShare   = 1.0     // b, in the mean of the diagonal of the other terms
	leastLambda = 1e-12   // in units of H and Y
	mostLambda  = 1e2
)

// addend is a term of a layer.
type addend struct {
	name    string
	input   kernel.Kernel
	columns *mat.Dense // B_c
	kernel  *mat.Dense // k_c on the points
	gram    *mat.Dense // B_c k_c B_cᵀ over scale
	scale   float64    // mean of its diagonal
}

// sharing tells whether layers can be learned so, and has the kernels that are given: of each
// term on its input, and the one on the output, both nil where they are to be chosen.
func (s *Spec) sharing() (input map[string]kernel.Kernel, output kernel.Kernel, ok bool) {
	m, d := &s.Model, s.Model.Data
	outs := d.Outputs[0]
	if s.Layers < 2 || s.Choose || d.N() < manyPairs || len(outs.Values.Data) < manyNumbers || outs.Errors != nil || d.Missing {
		return nil, nil, false
	}
	if len(m.Constraints)+len(m.Amplitudes)+len(m.Metrics)+len(m.Prior) > 0 || m.Noise.Kind != "" || m.Noise.Huber || m.Bias != nil || m.NoBias ||
		m.Intercept == fit.NoIntercept || m.Lambda > 0 || m.Rho > 0 || m.Criterion != "" || m.Dense {
		return nil, nil, false
	}
	terms := s.names()
	for _, name := range terms {
		if d.Field(name) == nil { // a covariate, a group, an operator
			return nil, nil, false
		}
	}
	if len(m.Kernels) == 0 {
		return nil, nil, true
	}
	for _, c := range s.Channels {
		terms = append(slices.Clone(terms), c.Name)
	}
	input = map[string]kernel.Kernel{}
	for _, name := range terms {
		k, is := m.Kernels[name].(kernel.Tensor)
		if !is || kernels.IsAuto(k) || output != nil && output.String() != k.Output.String() {
			return nil, nil, false
		}
		input[name], output = k.Input, k.Output
	}
	return input, output, true
}

func newShared(l *learner) *shared {
	o := l.data.Outputs[0]
	s := &shared{l: l, n: l.data.N(), m: o.Mesh.Size(), t: mat.DenseCopyOf(l.u)}
	for _, w := range o.Mesh.Weights() {
		s.root = append(s.root, math.Sqrt(w))
	}
	for i := range s.n {
		row := s.t.RawRowView(i)
		floats.Mul(row, s.root)
		floats.Scale(1/math.Sqrt(float64(s.n)), row)
	}
	return s
}

// setOutput takes a kernel on the output.
func (s *shared) setOutput(ctx context.Context, k kernel.Kernel) error {
	on := s.l.data.Outputs[0].Mesh
	y, err := gramOn(ctx, k, on)
	if err != nil {
		return err
	}
	y.Apply(func(i, j int, v float64) float64 { return s.root[i] * v * s.root[j] }, y)
	if s.y, s.v, err = linop.Eigen(ctx, y); err != nil {
		return err
	}
	positive(s.y)
	s.output, s.tv = k, linop.Product(ctx, s.t, s.v)
	s.ones = make([]float64, s.m)
	for k := range s.ones {
		s.ones[k] = floats.Dot(mat.Col(nil, k, s.v), s.root) / math.Sqrt(float64(s.n))
	}
	return linop.Stopped(ctx)
}

// gramOn is a kernel between the points of a mesh.
func gramOn(ctx context.Context, k kernel.Kernel, on mesh.Mesh) (*mat.Dense, error) {
	f, err := kernels.Compile(k, kernel.Space{Names: on.Names()})
	if err != nil {
		return nil, err
	}
	return f.Gram(ctx, on, on)
}

func positive(v []float64) {
	for i := range v {
		v[i] = max(v[i], 0)
	}
}

// addends are the terms of samples t by name, with their kernels.
func (s *shared) addends(ctx context.Context, t *dataset.Table, names []string, input func(name string, on mesh.Mesh) kernel.Kernel) ([]*addend, error) {
	var all []*addend
	made := map[string]*mat.Dense{}
	for _, name := range names {
		f := t.Field(name)
		a := &addend{name: name, input: input(name, f.Mesh), columns: mat.DenseCopyOf(rows(f))}
		key := a.input.String() + f.Mesh.String()
		if made[key] == nil {
			var err error
			if made[key], err = gramOn(ctx, a.input, f.Mesh); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
		a.kernel = made[key]
		w := slices.Clone(f.Mesh.Weights())
		floats.Scale(1/math.Sqrt(float64(s.n)), w)
		for i := range s.n {
			floats.Mul(a.columns.RawRowView(i), w)
		}
		a.gram = linop.Product(ctx, linop.Product(ctx, a.columns, a.kernel), a.columns.T())
		if err := linop.Stopped(ctx); err != nil {
			return nil, err
		}
		if a.scale = mat.Trace(a.gram) / float64(s.n); a.scale > 0 && !math.IsInf(a.scale, 0) {
			a.gram.Scale(1/a.scale, a.gram)
			all = append(all, a)
			continue
		}
		return nil, fmt.Errorf("terms.%s: is next to nothing, or too large, for the pairs", name)
	}
	return all, nil
}

// weighted is H of terms of relative sizes: the inputs one, channels a.
type weighted struct {
	sizes []float64 // of the addends, in their scales
	bias  float64   // b
	w     []float64 // eigenvalues of H
	v     *mat.Dense
	vt    *mat.Dense // Vᵀ T in the vectors of Y
	ones  []float64  // Vᵀ 1
}

func (s *shared) weigh(ctx context.Context, all []*addend, size float64) (*weighted, error) {
	h := mat.NewDense(s.n, s.n, nil)
	x := &weighted{}
	for _, a := range all {
		own := size
		if slices.Contains(s.l.spec.names(), a.name) {
			own = 1
		}
		x.sizes = append(x.sizes, own)
		x.bias += own * biasShare
		floats.AddScaled(h.RawMatrix().Data, own, a.gram.RawMatrix().Data)
	}
	floats.AddConst(x.bias, h.RawMatrix().Data) // b 11ᵀ/n, whose diagonal has the mean b/n, n of them
	var err error
	if x.w, x.v, err = linop.Eigen(ctx, h); err != nil {
		return nil, err
	}
	positive(x.w)
	x.ones = make([]float64, s.n)
	for i := range s.n {
		floats.Add(x.ones, x.v.RawRowView(i))
	}
	return x, s.rotate(ctx, x)
}

func (s *shared) rotate(ctx context.Context, x *weighted) error {
	x.vt = linop.Product(ctx, x.v.T(), s.tv)
	return linop.Stopped(ctx)
}

// dual is the solution of a λ, in the vectors of Y.
type dual struct {
	lambda    float64    // in the units of H and Y
	z         *mat.Dense // n × points
	rest      *mat.Dense // what each pair differs by from its prediction from the others
	intercept float64
	value     float64 // sum of squares of rest
}

// solve is the solution of λ, with each pair left out where that is asked for. A free constant c
// makes of M⁻¹ the matrix M⁻¹ - q qᵀ/γ, q = M⁻¹ c, γ = cᵀ q, whose blocks of a pair are
// diagonal but for one direction.
func (s *shared) solve(ctx context.Context, x *weighted, lambda float64, leaveOut bool) (*dual, error) {
	d, zt, qt := mat.NewDense(s.n, s.m, nil), mat.NewDense(s.n, s.m, nil), mat.NewDense(s.n, s.m, nil)
	gamma, mean := 0.0, 0.0
	for j, w := range x.w {
		for k, y := range s.y {
			r := 1 / (w*y/lambda + 1)
			c := x.ones[j] * s.ones[k]
			d.Set(j, k, r)
			zt.Set(j, k, r*x.vt.At(j, k))
			qt.Set(j, k, r*c)
			gamma, mean = gamma+r*c*c, mean+r*c*x.vt.At(j, k)
		}
	}
	out := &dual{lambda: lambda}
	if gamma > 0 {
		out.intercept = mean / gamma
		zt.Apply(func(j, k int, v float64) float64 { return v - out.intercept*qt.At(j, k) }, zt)
	}
	out.z = linop.Product(ctx, x.v, zt)
	if !leaveOut {
		return out, linop.Stopped(ctx)
	}
	q := linop.Product(ctx, x.v, qt)
	squares := mat.NewDense(s.n, s.n, nil)
	squares.MulElem(x.v, x.v)
	blocks := linop.Product(ctx, squares, d)
	if err := linop.Stopped(ctx); err != nil {
		return nil, err
	}
	out.rest = mat.NewDense(s.n, s.m, nil)
	for i := range s.n {
		own, z, qi, b := out.rest.RawRowView(i), out.z.RawRowView(i), q.RawRowView(i), blocks.RawRowView(i)
		above, below := 0.0, gamma
		for k := range own {
			own[k] = z[k] / b[k]
			above, below = above+qi[k]*own[k], below-qi[k]*qi[k]/b[k]
		}
		for k := range own {
			if below > 0 {
				own[k] += qi[k] / b[k] * above / below
			}
			out.value += own[k] * own[k]
		}
	}
	return out, nil
}

// best is the λ of least error of pairs left out, by steps of ten and then of the root of that.
func (s *shared) best(ctx context.Context, x *weighted) (*dual, error) {
	unit := floats.Sum(x.w) / float64(s.n) * floats.Max(s.y)
	from := s.last
	if from == 0 {
		from = 1e-3
	}
	try := func(at float64) (*dual, error) { return s.solve(ctx, x, at*unit, true) }
	best, err := try(from)
	if err != nil {
		return nil, err
	}
	for _, factor := range []float64{10, math.Sqrt(10)} {
		for _, step := range []float64{factor, 1 / factor} {
			moved := false
			for at := from * step; at >= leastLambda && at <= mostLambda; at *= step {
				next, err := try(at)
				if err != nil {
					return nil, err
				}
				if !(next.value < best.value) {
					break
				}
				best, from, moved = next, at, true
			}
			if moved {
				break
			}
		}
	}
	s.last = from
	return best, nil
}

// learned is a layer in the closed form.
type learned struct {
	all []*addend
	x   *weighted
	d   *dual
}

// layer learns terms whose channels are in t, with the size of the channels beside the inputs.
func (s *shared) layer(ctx context.Context, all []*addend) (best *learned, err error) {
	try := func(size float64) (*learned, error) {
		x, err := s.weigh(ctx, all, size)
		if err != nil {
			return nil, err
		}
		d, err := s.best(ctx, x)
		return &learned{all, x, d}, err
	}
	if best, err = try(1); err != nil || len(all) == len(s.l.spec.names()) {
		return best, err
	}
	for _, step := range []float64{10, 0.1} {
		moved := false
		for size := step; size > 1e-4 && size < 1e4; size *= step {
			next, err := try(size)
			if err != nil {
				return nil, err
			}
			if !(next.d.value < 0.999*best.d.value) {
				break
			}
			best, moved = next, true
		}
		if moved {
			break
		}
	}
	return best, nil
}
