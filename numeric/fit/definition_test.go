package fit_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// definition is a fit by nothing but its definition: the constrained kernel at all
// pairs of points, one equation for each observed value, Cholesky. With r the root of
// dy/n of each, R the integrals against the inputs and C = R K Rᵀ/λ + r Q rᵀ/ρ,
//
//	(C + I) z = r u,  G = K(·, points) Rᵀ z / λ .
//
// With a free constant b in β, z = (C + I)⁻¹ r (u - b) with ⟨r, z⟩ = 0.
type definition struct {
	lambda    float64
	k         *kernel.Function // constrained
	points    [][]float64      // of x × y
	observed  []observation
	integrals *mat.Dense // R, observations × points
	factors   mat.Cholesky
	weights   []float64 // Rᵀ z / λ
	objective float64
	constant  float64   // b
	inverse   []float64 // (C + I)⁻¹ r; nil without a free constant
	size      float64   // ⟨r, (C + I)⁻¹ r⟩
}

type observation struct {
	sample, at  int
	root, value float64
}

func define(t *testing.T, s fit.Spec, c constraint.Constraint) *definition {
	t.Helper()
	x, y := s.Data.InputMesh, s.Data.OutputMesh
	in, out := mesh.JointNames(x, y)
	k := s.Kernel
	if c != nil {
		k = constraint.Apply(c, k)
	}
	d := &definition{lambda: s.Lambda, k: compiled(t, k, kernel.Space{Names: append(in, out...), Inputs: len(in)})}
	d.observe(s)
	both, err := mesh.Product(renamedTo(x, in), renamedTo(y, out))
	if err != nil {
		t.Fatal(err)
	}
	for i := range both.Size() {
		d.points = append(d.points, make([]float64, both.Dim()))
		both.Point(d.points[i], i)
	}
	d.integrals = mat.NewDense(len(d.observed), len(d.points), nil)
	for i, o := range d.observed {
		for j, w := range x.Weights() {
			d.integrals.Set(i, j*y.Size()+o.at, o.root*s.Data.Input.At(o.sample, j)*w)
		}
	}
	d.solve(t, s)
	return d
}

func compiled(t *testing.T, k kernel.Kernel, s kernel.Space) *kernel.Function {
	t.Helper()
	f, err := kernel.Compile(k, s)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func renamedTo(m mesh.Mesh, names []string) mesh.Mesh {
	r, err := m.Rename(names...)
	if err != nil {
		panic(err)
	}
	return r
}

func (d *definition) observe(s fit.Spec) {
	dy, n := s.Data.OutputMesh.Weights(), s.Data.N()
	for i := range n {
		for k, w := range dy {
			if v := s.Data.Output.At(i, k); !math.IsNaN(v) {
				d.observed = append(d.observed, observation{i, k, math.Sqrt(w / float64(n)), v})
			}
		}
	}
}

func (d *definition) solve(t *testing.T, s fit.Spec) {
	t.Helper()
	gram := mat.NewDense(len(d.points), len(d.points), nil)
	for i, p := range d.points {
		for j, q := range d.points {
			gram.Set(i, j, d.k.At(p, q))
		}
	}
	var left, c mat.Dense
	left.Mul(d.integrals, gram)
	c.Mul(&left, d.integrals.T())
	c.Scale(1/s.Lambda, &c)
	if !s.NoBias {
		d.addBias(t, s, &c)
	}
	n := len(d.observed)
	sum, u := mat.NewSymDense(n, nil), mat.NewVecDense(n, nil)
	for i, o := range d.observed {
		u.SetVec(i, o.root*o.value)
		for j := i; j < n; j++ {
			sum.SetSym(i, j, (c.At(i, j)+c.At(j, i))/2)
		}
		sum.SetSym(i, i, sum.At(i, i)+1)
	}
	if !d.factors.Factorize(sum) {
		t.Fatalf("C + I is not positive definite for %v", s.Kernel)
	}
	var z, w mat.VecDense
	if err := d.factors.SolveVecTo(&z, u); err != nil {
		t.Log(err) // ill-conditioned
	}
	if s.Intercept == fit.Flat {
		r := mat.NewVecDense(n, nil)
		for i, o := range d.observed {
			r.SetVec(i, o.root)
		}
		inverse := mat.NewVecDense(n, nil)
		_ = d.factors.SolveVecTo(inverse, r) // logged before
		d.inverse, d.size = inverse.RawVector().Data, mat.Dot(r, inverse)
		d.constant = mat.Dot(r, &z) / d.size
		z.AddScaledVec(&z, -d.constant, inverse)
	}
	d.objective = mat.Dot(u, &z)
	w.MulVec(d.integrals.T(), &z)
	w.ScaleVec(1/s.Lambda, &w)
	d.weights = w.RawVector().Data
}

func (d *definition) addBias(t *testing.T, s fit.Spec, c *mat.Dense) {
	t.Helper()
	y := s.Data.OutputMesh
	q := compiled(t, s.Bias, kernel.Space{Names: y.Names()})
	rho := s.Rho
	if rho == 0 {
		rho = s.Lambda
	}
	a, b := make([]float64, y.Dim()), make([]float64, y.Dim())
	for i, o := range d.observed {
		y.Point(a, o.at)
		for j, p := range d.observed {
			y.Point(b, p.at)
			c.Set(i, j, c.At(i, j)+o.root*p.root*q.At(a, b)/rho)
		}
	}
}

// values is how many values, or contrasts of them, there are.
func (d *definition) values() float64 {
	if d.inverse != nil {
		return float64(len(d.observed) - 1)
	}
	return float64(len(d.observed))
}

// reml is the criterion at λ: of the contrasts, with a free constant.
func (d *definition) reml() float64 {
	n, det := d.values(), d.factors.LogDet()
	if d.inverse != nil {
		length := 0.0
		for _, o := range d.observed {
			length += o.root * o.root
		}
		det += math.Log(d.size / length)
	}
	return 0.5 * (n*math.Log(d.objective/n) + det)
}

// green is G at a point, its posterior variance and the variance without data.
func (d *definition) green(p []float64) (g, variance, prior float64) {
	k := make([]float64, len(d.points))
	for j, q := range d.points {
		k[j] = d.k.At(p, q)
	}
	var h, z mat.VecDense
	h.MulVec(d.integrals, mat.NewVecDense(len(k), k))
	h.ScaleVec(1/d.lambda, &h)
	_ = d.factors.SolveVecTo(&z, &h) // logged before
	tau2 := d.objective / d.values()
	prior = tau2 * d.k.At(p, p) / d.lambda
	variance = prior - tau2*mat.Dot(&h, &z)
	if d.inverse != nil {
		along := floats.Dot(d.inverse, h.RawVector().Data)
		variance += tau2 * along * along / d.size
	}
	return floats.Dot(k, d.weights), variance, prior
}
