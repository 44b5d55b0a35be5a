package posterior

import (
	"context"
	"math"
	"math/big"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Bands from the features of kernels are those of the definition in 300 bits, never narrower
// and at most 1 % wider, also where the data leave less of a prior variance than rounding
// of the covariance of the data tells: with a free constant, missing outputs and a constraint,
// for values of G and for predictions, on the meshes of the data and on others.
func TestBandsFromFeatures(t *testing.T) {
	ctx := context.Background()
	x, y := mesh.Must(mesh.Uniform(0, 1, 8, "x")), mesh.Must(mesh.Uniform(0, 1, 6, "y"))
	xs, ys := mesh.Must(mesh.Gauss(.1, .9, 4, "x")), mesh.Must(mesh.Uniform(0, 1, 4, "y"))
	flat := kernel.SE{Lengthscale: kernel.Lengthscale{3, 5}}
	kink := kernel.Kink{Base: flat, Jump: kernel.Scaled{Factor: 1e-2, Kernel: flat}, Power: 1}
	for name, c := range map[string]struct {
		missing bool
		s       spec
	}{
		"free constant":   {false, spec{Kernel: kink, Lambda: 1e-9, Rho: 1e-4, Flat: true}},
		"missing outputs": {true, spec{Kernel: kink, Lambda: 1e-9}},
		"symmetric":       {false, spec{Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{2}}, Lambda: 1e-7, NoBias: true, Constraint: constraint.Symmetric{Names: []string{"x", "y"}}}},
	} {
		t.Run(name, func(t *testing.T) {
			c.s.Data = smoothPairs(t, x, y, 9, c.missing)
			p := c.s.posterior(t)
			definition, least := newPrecise(p), 1.0
			for _, on := range []targets{
				{xs: xs, ys: ys},
				{xs: x, ys: ys, weights: mat.NewDense(2, 8, append([]float64(nil), c.s.Data.Input.Data[:16]...))},
			} {
				got, err := p.byFeatures(ctx, on)
				if err != nil || got == nil {
					t.Fatal("no band", err)
				}
				root, err := p.featureRoot(ctx, on, 0) // of what draws are made

				if err != nil || root == nil {
					t.Fatal("no root", err)
				}
				for i := 0; i < on.count(); i += 2 {
					for k := range on.ys.Size() {
						want, part := definition.std(on, i, k)
						least = min(least, part)
						if n := mat.Norm(root.ColView(i*on.ys.Size()+k), 2); !(math.Abs(n-got.At(i, k)) <= 1e-12*n) {
							t.Errorf("draws have the standard deviation %g at %d, %d, the band %g", n, i, k, got.At(i, k))
						}
						if v := got.At(i, k); !(v >= want*(1-1e-4) && v <= want*(1+featureWidth)) {
							t.Errorf("band %.8g at %d, %d; by the definition %.8g", v, i, k, want)
						}
					}
				}
			}
			point := targets{xs: mesh.Must(mesh.Scattered([]float64{.3}, 1, nil, "x")), ys: mesh.Must(mesh.Scattered([]float64{.4}, 1, nil, "y"))}
			k := p.factor.features.factor.SymmetricDim()
			if root, err := p.featureRoot(ctx, point, 0); (root == nil) != (k > factoredPerFunctional) || err != nil {
				t.Errorf("%d features for one target: a root %v, %v", k, root != nil, err)
			}
			t.Logf("%d features; the data leave %.1g of a prior variance", k, least)
			if !(least <= 1e-6) {
				t.Error("no case in which rounding would matter")
			}
		})
	}
}

// precise is the posterior by its definition, in 300 bits: factors' (c - ⟨h, M h⟩), and what a
// free constant adds.
type precise struct {
	p       *Posterior
	s       [][]*big.Float // data × (X × Y, then Y)
	lower   [][]*big.Float // of S K̄ Sᵀ + I
	flat    []*big.Float
	points  [][]float64 // of X × Y
	outputs [][]float64
}

func exactly(v float64) *big.Float { return new(big.Float).SetPrec(300).SetFloat64(v) }

func dot(a, b []*big.Float) *big.Float {
	sum, v := exactly(0), exactly(0)
	for i := range a {
		sum.Add(sum, v.Mul(a[i], b[i]))
	}
	return sum
}

func newPrecise(p *Posterior) *precise {
	ctx := context.Background()
	m := &precise{p: p, points: rowsOfColumns(p.all), outputs: rowsOfColumns(p.y.Columns())}
	n, _ := p.a.Dims()
	m.s = make([][]*big.Float, n)
	respond := func(g, b []float64) {
		for i, v := range p.Respond(ctx, g, b) {
			m.s[i] = append(m.s[i], exactly(v))
		}
	}
	for j := range m.points {
		g := make([]float64, len(m.points))
		g[j] = 1
		respond(g, nil)
	}
	for k := range m.outputs {
		if p.q != nil {
			b := make([]float64, len(m.outputs))
			b[k] = 1
			respond(nil, b)
		}
	}
	var columns [][]*big.Float // of K̄ Sᵀ, by data
	for i := range n {
		columns = append(columns, make([]*big.Float, len(m.s[i])))
	}
	for a := range m.s[0] {
		row := m.prior(a)
		for i := range n {
			columns[i][a] = dot(row, m.s[i])
		}
	}
	var matrix [][]*big.Float
	for i := range n {
		matrix = append(matrix, nil)
		for j := range i + 1 {
			matrix[i] = append(matrix[i], dot(m.s[i], columns[j]))
		}
		matrix[i][i].Add(matrix[i][i], exactly(1))
	}
	m.lower = lowerFactor(matrix)
	if flat, length := p.Constants(); flat != nil {
		for _, v := range flat {
			m.flat = append(m.flat, new(big.Float).SetPrec(300).Mul(exactly(v), exactly(length)))
		}
		m.flat = m.solve(m.flat)
	}
	return m
}

// rowsOfColumns are the points of columns of coordinates.
func rowsOfColumns(columns [][]float64) [][]float64 {
	out := make([][]float64, len(columns[0]))
	for i := range out {
		for _, c := range columns {
			out[i] = append(out[i], c[i])
		}
	}
	return out
}

// prior is row a of K̄: of K/λ on X × Y, then of Q/ρ on Y.
func (m *precise) prior(a int) []*big.Float {
	if k := a - len(m.points); k >= 0 {
		return m.between(nil, m.outputs[k])
	}
	return m.between(m.points[a], nil)
}

// between is the prior covariances over τ² of G at z, or β at y, with all unknowns.
func (m *precise) between(z, y []float64) (out []*big.Float) {
	over := func(v, by float64) *big.Float {
		return new(big.Float).SetPrec(300).Quo(exactly(v), exactly(by))
	}
	for _, w := range m.points {
		v := exactly(0)
		if z != nil {
			v = over(m.p.f.At(z, w), m.p.at.Lambda)
		}
		out = append(out, v)
	}
	for _, w := range m.outputs {
		if m.p.q == nil {
			break
		}
		v := exactly(0)
		if y != nil {
			v = over(m.p.q.At(y, w), m.p.at.Rho)
		}
		out = append(out, v)
	}
	return out
}

func lowerFactor(a [][]*big.Float) [][]*big.Float {
	for i := range a {
		for j := range i + 1 {
			v := a[i][j].Sub(a[i][j], dot(a[i][:j], a[j][:j]))
			if i == j {
				v.Sqrt(v)
			} else {
				v.Quo(v, a[j][j])
			}
		}
	}
	return a
}

// solve is L⁻¹ h.
func (m *precise) solve(h []*big.Float) (out []*big.Float) {
	for i := range h {
		v := new(big.Float).SetPrec(300).Sub(h[i], dot(m.lower[i][:i], out))
		out = append(out, v.Quo(v, m.lower[i][i]))
	}
	return out
}

// std is the standard deviation of target i at point k of its outputs, and which part of the
// prior variance is left.
func (m *precise) std(on targets, i, k int) (std, part float64) {
	y := make([]float64, 1)
	on.ys.Point(y, k)
	with, own, times := make([]*big.Float, len(m.s[0])), exactly(0), 0.0
	for a := range with {
		with[a] = exactly(0)
	}
	add := func(z, y []float64, w float64) {
		for a, v := range m.between(z, y) {
			with[a].Add(with[a], v.Mul(v, exactly(w)))
		}
	}
	points, weights := rowsOfColumns(on.xs.Columns()), []float64{1}
	if on.weights == nil {
		points = points[i : i+1]
	} else {
		weights = on.weights.RawRowView(i)
	}
	for a, z := range points {
		add(problem.Beside(z, y), nil, weights[a])
		for b, w := range points {
			v := exactly(m.p.f.At(problem.Beside(z, y), problem.Beside(w, y)))
			v.Quo(v, exactly(m.p.at.Lambda))
			own.Add(own, v.Mul(v, new(big.Float).SetPrec(300).Mul(exactly(weights[a]), exactly(weights[b]))))
		}
	}
	if on.weights != nil && m.p.q != nil {
		add(nil, y, 1)
		v := exactly(m.p.q.At(y, y))
		own.Add(own, v.Quo(v, exactly(m.p.at.Rho)))
		times = 1
	}
	var h []*big.Float
	for i := range m.s {
		h = append(h, dot(m.s[i], with))
	}
	h = m.solve(h)
	left := new(big.Float).SetPrec(300).Sub(own, dot(h, h))
	if m.flat != nil {
		v := new(big.Float).SetPrec(300).Sub(exactly(times), dot(m.flat, h))
		left.Add(left, v.Quo(v.Mul(v, v), dot(m.flat, m.flat)))
	}
	v, _ := left.Float64()
	prior, _ := own.Float64()
	return math.Sqrt(m.p.Tau2 * v), v / prior
}

// A band by features is as wide as these and all that they leave out are together: τ √(1 + excess), and the rest on top; where
// nothing is uncertain, it stays nothing.
func TestWidthsByFeatures(t *testing.T) {
	p := &Posterior{Tau2: 4}
	const excess = 1e-3
	missing := []float64{0, 1e-6, -1e-9, 0}
	widths, err := p.featureWidths(context.Background(), targets{}, []float64{9, 1, .25, 0}, missing, excess, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{2 * math.Sqrt(1+excess), 2 * (math.Sqrt(1+excess) + 1e-3), 2 * math.Sqrt(1+excess), 2} {
		if !(math.Abs(widths[i]-want) <= 1e-14) {
			t.Errorf("target %d is %.15g times as wide, want %.15g", i, widths[i], want)
		}
	}
	if widths, err := p.featureWidths(context.Background(), targets{}, []float64{1, 1}, []float64{0, 1}, excess, 0); widths != nil || err != nil {
		t.Errorf("a target of which much is left out has the width %v (%v)", widths, err)
	}
}
