package fit_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// definition is a fit by nothing but its definition: the constrained kernel at all
// pairs of points, one equation for each observed value, Cholesky. With r the root of
// dy/n of each, R the integrals against the inputs and C = R K Rᵀ/λ + r Q rᵀ/ρ,
//
//	(C + I) z = r u,  G = K(·, points) Rᵀ z / λ,  β = Q(·, points) r z / ρ .
//
// With a free constant b in β, z = (C + I)⁻¹ r (u - b) with ⟨r, z⟩ = 0.
//
// It shares with the estimator the values of kernels at two points and the points and
// weights of meshes, and nothing else.
type definition struct {
	lambda, rho float64
	k           *kernels.Function // of the problem, not constrained
	rule        rule
	group       []signed // that is averaged over
	inside      func(p []float64) bool
	x, y        mesh.Mesh
	points      [][]image // the images of every point of x × y that the masks leave
	weighted    [][]float64
	observed    []observation
	noise       *mat.SymDense                // covariance N of the observed errors, in units of white noise; C + N in place of C + I
	q           func(a, b []float64) float64 // nil: β = 0

	factors mat.Cholesky
	inverse *mat.SymDense // (C + I)⁻¹, once needed
	flat    []float64     // (C + I)⁻¹ r; nil without a free constant
	size    float64       // ⟨r, (C + I)⁻¹ r⟩
	b       float64       // the free constant
	z       []float64
	weights []float64 // Rᵀ z / λ

	objective, misfit, green, bias float64 // and its three parts
	trusted                        float64 // to how much of its size the solution is known
}

// observation is an output value that was observed.
type observation struct {
	sample, at  int
	root, value float64
}

// image is a point that the kernel is evaluated at, and a sign; a point whose mask is
// zero has none.
type image struct {
	sign float64
	at   []float64
}

func define(t *testing.T, p *randomProblem) *definition {
	t.Helper()
	s := p.spec
	d := &definition{lambda: s.Lambda, rho: s.Rho, rule: p.rule, x: s.Data.InputMesh, y: s.Data.OutputMesh}
	if d.rho == 0 {
		d.rho = s.Lambda
	}
	_, d.group, d.inside = p.laws()
	d.k = compiled(t, s.Kernel, p.kernelSpace())
	d.defineBias(t, p)
	for j := range d.x.Size() {
		for k := range d.y.Size() {
			d.points = append(d.points, d.images(d.point(j, k)))
		}
	}
	d.observe(s)
	d.errors(s)
	d.solve(t, s.Intercept == fit.Flat)
	return d
}

func compiled(t *testing.T, k kernel.Kernel, s kernel.Space) *kernels.Function {
	t.Helper()
	return testmain.Must(kernels.Compile(k, s))(t)
}

// point is a point of x × y.
func (d *definition) point(j, k int) []float64 {
	p := make([]float64, d.x.Dim()+d.y.Dim())
	d.x.Point(p[:d.x.Dim()], j)
	d.y.Point(p[d.x.Dim():], k)
	return p
}

// images are the points where the kernel is taken for one point: none where G vanishes.
func (d *definition) images(p []float64) []image {
	if !d.inside(p) {
		return nil
	}
	var all []image
	for _, g := range d.group {
		at := g.to(p)
		if d.rule.lag != nil {
			s, t := d.rule.lag[0], d.rule.lag[1]
			lag := at[t] - at[s]
			at = slices.Delete(slices.Clone(at), t, t+1)
			at = append(slices.Delete(at, s, s+1), lag)
		}
		all = append(all, image{g.sign, at})
	}
	return all
}

// at is the constrained kernel at two points, given by their images.
func (d *definition) at(p, q []image) float64 {
	sum := 0.0
	for _, a := range p {
		for _, b := range q {
			sum += a.sign * b.sign * d.k.At(a.at, b.at)
		}
	}
	return sum / float64(len(d.group)*len(d.group))
}

// defineBias is the kernel of the bias: given, or that of G on the output, averaged
// over the input: the middle one of every run of an axis and the weight of the run,
// where there are more points than 32 for all axes together.
func (d *definition) defineBias(t *testing.T, p *randomProblem) {
	t.Helper()
	s := p.spec
	switch {
	case s.NoBias:
		return
	case s.Bias != nil:
		d.q = compiled(t, s.Bias, kernel.Space{Names: d.y.Names()}).At
		return
	}
	space := p.kernelSpace()
	f := compiled(t, withoutKinks(s.Kernel), space)
	var held [][]float64 // values of the coordinates of the input
	weights := []float64{1}
	held = [][]float64{nil}
	most := max(2, int(math.Pow(32, 1/float64(len(d.x.Axes())))))
	for _, a := range d.x.Axes() {
		n, total := min(most, a.Size()), floats.Sum(a.Weights)
		var next [][]float64
		var shares []float64
		for i := range held {
			for r := range n {
				lo, hi := r*a.Size()/n, (r+1)*a.Size()/n
				middle := (lo + hi - 1) / 2
				next = append(next, append(slices.Clone(held[i]), a.Coordinates[middle*a.Dim():(middle+1)*a.Dim()]...))
				shares = append(shares, weights[i]*floats.Sum(a.Weights[lo:hi])/total)
			}
		}
		held, weights = next, shares
	}
	if d.rule.lag != nil {
		for i := range held {
			held[i] = slices.Delete(held[i], d.rule.lag[0], d.rule.lag[0]+1)
		}
	}
	d.q = func(a, b []float64) float64 {
		sum := 0.0
		for i, x := range held {
			sum += weights[i] * f.At(slices.Concat(x, a), slices.Concat(x, b))
		}
		return sum
	}
}

func withoutKinks(k kernel.Kernel) kernel.Kernel {
	switch k := k.(type) {
	case kernel.Kink:
		return withoutKinks(k.Base)
	case kernel.Scaled:
		return kernel.Scaled{Factor: k.Factor, Kernel: withoutKinks(k.Kernel)}
	case kernel.Sum:
		var terms []kernel.Kernel
		for _, t := range k.Terms {
			terms = append(terms, withoutKinks(t))
		}
		return kernel.Sum{Terms: terms}
	}
	return k
}

func (d *definition) observe(s fit.Spec) {
	dy, n := d.y.Weights(), s.Data.N()
	for i := range n {
		var row []float64
		for j, w := range d.x.Weights() {
			row = append(row, w*s.Data.Input.At(i, j))
		}
		d.weighted = append(d.weighted, row)
		for k, w := range dy {
			if v := s.Data.Output.At(i, k); !math.IsNaN(v) {
				d.observed = append(d.observed, observation{i, k, math.Sqrt(w / float64(n)), v})
			}
		}
	}
}

// integrate returns for every observation the integral of h(x, y) against its input,
// for values h at all points.
func (d *definition) integrate(h []float64) []float64 {
	my := d.y.Size()
	out := make([]float64, len(d.observed))
	for a, o := range d.observed {
		sum := 0.0
		for j, f := range d.weighted[o.sample] {
			sum += f * h[j*my+o.at]
		}
		out[a] = o.root * sum
	}
	return out
}

// covariances are those of G at a point with every observation, for λ = 1.
func (d *definition) covariances(p []image) []float64 {
	k := make([]float64, len(d.points))
	for i, q := range d.points {
		k[i] = d.at(p, q)
	}
	return d.integrate(k)
}

func (d *definition) solve(t *testing.T, flat bool) {
	t.Helper()
	n := len(d.observed)
	rows := mat.NewDense(len(d.points), n, nil) // K Rᵀ
	for i, p := range d.points {
		rows.SetRow(i, d.covariances(p))
	}
	green, bias := mat.NewDense(n, n, nil), mat.NewDense(n, n, nil)
	for b := range n {
		green.SetRow(b, d.integrate(mat.Col(nil, b, rows)))
	}
	if d.q != nil {
		at := make([][]float64, d.y.Size())
		for k := range at {
			at[k] = make([]float64, d.y.Dim())
			d.y.Point(at[k], k)
		}
		for i, o := range d.observed {
			for j, p := range d.observed {
				bias.Set(i, j, o.root*p.root*d.q(at[o.at], at[p.at]))
			}
		}
	}
	sum, u := mat.NewSymDense(n, nil), mat.NewVecDense(n, nil)
	largest := 1.0
	for i, o := range d.observed {
		u.SetVec(i, o.root*o.value)
		for j := i; j < n; j++ {
			sum.SetSym(i, j, (green.At(i, j)+green.At(j, i))/2/d.lambda+bias.At(i, j)/d.rho)
		}
	}
	sum.AddSym(sum, d.noise)
	for i := range n {
		largest = max(largest, sum.At(i, i))
	}
	d.trusted = 1e-15 * largest * float64(n)
	if !d.factors.Factorize(sum) {
		t.Fatalf("C + I is not positive definite for %v", d.k.Kernel)
	}
	var z mat.VecDense
	_ = d.factors.SolveVecTo(&z, u) // its condition is looked at above
	if flat {
		r, inverse := mat.NewVecDense(n, nil), mat.NewVecDense(n, nil)
		for i, o := range d.observed {
			r.SetVec(i, o.root)
		}
		_ = d.factors.SolveVecTo(inverse, r)
		d.flat, d.size = inverse.RawVector().Data, mat.Dot(r, inverse)
		d.b = mat.Dot(r, &z) / d.size
		z.AddScaledVec(&z, -d.b, inverse)
	}
	d.z = z.RawVector().Data
	d.objective, d.misfit = mat.Dot(u, &z), mat.Inner(&z, d.noise, &z)
	d.green, d.bias = mat.Inner(&z, green, &z)/d.lambda, mat.Inner(&z, bias, &z)/d.rho
	d.weights = make([]float64, len(d.points))
	for a, o := range d.observed {
		for j, f := range d.weighted[o.sample] {
			d.weights[j*d.y.Size()+o.at] += f * o.root * d.z[a] / d.lambda
		}
	}
}

// value is G at a point.
func (d *definition) value(p []float64) float64 {
	sum, from := 0.0, d.images(p)
	for i, w := range d.weights {
		if w != 0 {
			sum += w * d.at(from, d.points[i])
		}
	}
	return sum
}

// beta is the bias at a point of the output.
func (d *definition) beta(y []float64) float64 {
	if d.q == nil {
		return 0
	}
	sum, at := d.b, make([]float64, len(y))
	for a, o := range d.observed {
		d.y.Point(at, o.at)
		sum += d.q(y, at) * o.root * d.z[a] / d.rho
	}
	return sum
}

// variance is that of G at a point when the outputs are known, and when not; both are 0
// where only rounding of the terms of the kernel is left.
func (d *definition) variance(p []float64) (posterior, prior float64) {
	from, term := d.images(p), 0.0
	for _, a := range from {
		term = max(term, math.Abs(d.k.At(a.at, a.at)))
	}
	if d.at(from, from) <= 1e-9*term {
		return 0, 0
	}
	h := d.covariances(from)
	floats.Scale(1/d.lambda, h)
	var z mat.VecDense
	_ = d.factors.SolveVecTo(&z, mat.NewVecDense(len(h), h))
	tau2 := d.objective / d.values()
	prior = tau2 * d.at(from, from) / d.lambda
	posterior = prior - tau2*floats.Dot(h, z.RawVector().Data)
	if d.flat != nil {
		along := floats.Dot(d.flat, h)
		posterior += tau2 * along * along / d.size
	}
	return posterior, prior
}
