package model_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/model"
)

// defined is the restricted likelihood of a model by its definition, with nothing of the package in it: the
// covariances of terms, of β and of the noise between all values of one output.
type defined struct {
	terms       []*mat.SymDense
	bias, noise *mat.SymDense
	u           []float64
}

// reml is minus its logarithm, with a free constant and in the scale where noise is white, for factors of the
// kernels; +∞ where rounding is too much.
func (d *defined) reml(factors []float64, lambda, rho float64) float64 {
	n := len(d.u)
	h := mat.NewSymDense(n, nil)
	h.CopySym(d.noise)
	for i := range n {
		for j := range i + 1 {
			v := h.At(i, j) + d.bias.At(i, j)/rho
			for t, c := range d.terms {
				v += factors[t] * c.At(i, j) / lambda
			}
			h.SetSym(i, j, v)
		}
	}
	var f mat.Cholesky
	if !f.Factorize(h) {
		return math.Inf(1)
	}
	one, u := mat.NewVecDense(n, nil), mat.NewVecDense(n, d.u)
	for i := range n {
		one.SetVec(i, 1)
	}
	var hone, hu mat.VecDense
	if f.SolveVecTo(&hone, one) != nil || f.SolveVecTo(&hu, u) != nil {
		return math.Inf(1)
	}
	size, along, values := mat.Dot(one, &hone), mat.Dot(one, &hu), float64(n-1)
	scale := 0.0
	for i := range n {
		scale += math.Log(d.noise.At(i, i))
	}
	return .5 * (values*math.Log((mat.Dot(u, &hu)-along*along/size)/values) + f.LogDet() - scale + math.Log(size))
}

// least is the least for given factors that a walk over λ and ρ finds from those given, by steps that become shorter.
func (d *defined) least(factors []float64, lambda, rho float64) float64 {
	best := d.reml(factors, lambda, rho)
	for step := 3.0; step > .05; {
		moved := false
		for _, by := range [][2]float64{{step, 0}, {-step, 0}, {0, step}, {0, -step}} {
			l, r := lambda*math.Exp(by[0]), rho*math.Exp(by[1])
			if v := d.reml(factors, l, r); v < best-1e-4 {
				best, lambda, rho, moved = v, l, r, true
			}
		}
		if !moved {
			step /= 2
		}
	}
	return best
}

// define has the covariances of the terms of a table of everything; its kernels are given.
func define(t *testing.T, d *dataset.Table, names []string, bias kernel.Kernel) *defined {
	t.Helper()
	of, n, ys := givenKernels(), d.N(), d.Outputs[0].Mesh.Points()
	who, raw, age := d.Groups[0].Of, d.Scalars[0].Values, make([]float64, n)
	for i, v := range raw {
		age[i] = v
		for _, w := range raw {
			age[i] -= w / float64(n)
		}
	}
	compile := func(k kernel.Kernel, names ...string) *kernels.Function {
		return testmain.Must(kernels.Compile(k, kernel.Space{Names: names, Inputs: len(names) - 1}))(t)
	}
	all := func(at func(i, p, j, q int) float64) *mat.SymDense {
		m := len(ys)
		c := mat.NewSymDense(n*m, nil)
		for a := range n * m {
			for b := range a + 1 {
				c.SetSym(a, b, at(a/m, a%m, b/m, b%m))
			}
		}
		return c
	}
	curve := func(k kernel.Kernel, both func(i, j int) float64) *mat.SymDense {
		f := compile(k, "y")
		return all(func(i, p, j, q int) float64 { return both(i, j) * f.At(ys[p:p+1], ys[q:q+1]) })
	}
	operator := func(k kernel.Kernel, x string, field *dataset.Field, both func(i, j int) float64) *mat.SymDense {
		f, xs, w := compile(k, x, "y"), field.Mesh.Points(), field.Mesh.Weights()
		m := len(xs)
		g := mat.NewDense(m*len(ys), m*len(ys), nil)
		for a := range m * len(ys) {
			for b := range m * len(ys) {
				g.Set(a, b, f.At([]float64{xs[a/len(ys)], ys[a%len(ys)]}, []float64{xs[b/len(ys)], ys[b%len(ys)]}))
			}
		}
		return all(func(i, p, j, q int) (sum float64) {
			for a := range m {
				for b := range m {
					sum += field.Values.At(i, a) * w[a] * field.Values.At(j, b) * w[b] * g.At(a*len(ys)+p, b*len(ys)+q)
				}
			}
			return both(i, j) * sum
		})
	}
	once := func(i, j int) float64 { return 1 }
	ages := func(i, j int) float64 { return age[i] * age[j] }
	times := func(other string) func(i, j int) float64 { // what varies with age is of its mean where that is a term, too
		if slices.Contains(names, other) {
			return ages
		}
		return func(i, j int) float64 { return raw[i] * raw[j] }
	}
	alike := func(i, j int) float64 {
		if who[i] == who[j] {
			return 1
		}
		return 0
	}
	out := &defined{bias: curve(bias, once), u: d.Outputs[0].Values.Data}
	out.noise = all(func(i, p, j, q int) float64 {
		if i == j && p == q {
			return float64(n) / d.Outputs[0].Mesh.Weights()[p]
		}
		return 0
	})
	kinds := map[string]func(k kernel.Kernel) *mat.SymDense{
		"f":     func(k kernel.Kernel) *mat.SymDense { return operator(k, "x", d.Field("f"), once) },
		"g":     func(k kernel.Kernel) *mat.SymDense { return operator(k, "z", d.Field("g"), once) },
		"age*f": func(k kernel.Kernel) *mat.SymDense { return operator(k, "x", d.Field("f"), times("f")) },
		"age":   func(k kernel.Kernel) *mat.SymDense { return curve(k, ages) },
		"who":   func(k kernel.Kernel) *mat.SymDense { return curve(k, alike) },
		"age*who": func(k kernel.Kernel) *mat.SymDense {
			return curve(k, func(i, j int) float64 { return times("who")(i, j) * alike(i, j) })
		},
	}
	for _, name := range names {
		out.terms = append(out.terms, kinds[name](of[name]))
	}
	return out
}

// The sizes of the terms are where the restricted likelihood is greatest, not only nearby: of data in which one of
// two terms is nothing, no other size of either does better, with λ and ρ anew, by more than nobody can tell.
func TestSizesAreWhereLikelihoodIsGreatest(t *testing.T) {
	kinds := []string{"f", "g", "age", "who", "age*f", "age*who"}
	bias := kernel.SE{Lengthscale: ell(.5)}
	seeds := uint64(1)
	if testmain.EveryCase() {
		seeds = 8
	}
	for seed := range seeds {
		for i, a := range kinds {
			for j, b := range kinds {
				if i == j || (i+j+1)%testmain.Stride(2) != 0 { // each is the first and the second of some
					continue
				}
				d := everything(t, 13, false, false)
				names := []string{a, b}
				def := define(t, d, names, bias)
				drawFirst(def, rand.New(rand.NewPCG(seed, uint64(10*i+j))))
				s := model.Spec{Data: d, Terms: names, Kernels: map[string]kernel.Kernel{}, Bias: bias}
				for _, name := range names {
					s.Kernels[name] = givenKernels()[name]
				}
				o := testmain.Must(model.Fit(t.Context(), s))(t).Outputs[0]
				factors := []float64{o.Term(a).Factor, o.Term(b).Factor}
				lambda, rho := o.Report.Lambda, o.Report.Rho
				own := def.reml(factors, lambda, rho)
				label := fmt.Sprintf("seed %d, %v", seed, names)
				if o.Report.REML == nil || math.Abs(*o.Report.REML-own) > 1e-5 {
					t.Errorf("%s: REML %g, by definition %g", label, *o.Report.REML, own)
				}
				if v := def.least(factors, lambda, rho); v < own-.05 {
					t.Errorf("%s: λ %.3g and ρ %.3g have %.4f nats, and others %.4f", label, lambda, rho, own, v)
				}
				for k := range factors {
					for _, times := range []float64{1e-6, 1e-3, .1, .5, 2, 10} {
						other := []float64{factors[0], factors[1]}
						other[k] *= times
						if v := def.least(other, lambda, rho); v < own-.05 {
							t.Errorf("%s: factors %.3g have %.4f nats, and %.3g %.4f", label, factors, own, other, v)
						}
					}
				}
			}
		}
	}
}

// drawFirst makes outputs of the first term, as large as the noise, and noise.
func drawFirst(d *defined, rng *rand.Rand) {
	n := len(d.u)
	scale := mat.Trace(d.noise) / mat.Trace(d.terms[0])
	h := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			h.SetSym(i, j, d.noise.At(i, j)+scale*d.terms[0].At(i, j))
		}
	}
	var f mat.Cholesky
	f.Factorize(h)
	var l mat.TriDense
	f.LTo(&l)
	z := mat.NewVecDense(n, nil)
	for i := range n {
		z.SetVec(i, rng.NormFloat64())
	}
	u := mat.NewVecDense(n, d.u)
	u.MulVec(&l, z)
}
