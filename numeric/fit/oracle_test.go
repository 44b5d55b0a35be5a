package fit_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/laws"
	"github.com/greenbench/workbench/internal/numeric/written"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// oracle says what a constraint on points (x, s, y, t) means, by functions of numbers.
type oracle struct {
	c         constraint.Constraint
	obey      []signedMap
	prepare   []signedMap // of the kernel alone
	mask      func(p []float64) bool
	invariant bool // a function of t - s
}

// region is where G may differ from zero: where a function of the coordinates is 1, not 0.
type region struct {
	constraint.Constraint
	where func(p kernels.Point) *expr.Node
	text  string
}

func (c region) String() string { return "mask(" + c.text + ")" }

func (c region) Laws(s kernel.Space) (laws.Laws, error) {
	p, _ := kernels.Points(s)
	return laws.Laws{Masks: []*expr.Node{c.where(p)}}, nil
}

type signedMap struct {
	sign float64
	at   func(p []float64) []float64
}

// oracles has every constraint of the catalog, in the order of the catalog, then some
// that are defined by maps and masks.
func oracles(t *testing.T) []oracle {
	t.Helper()
	sym := func(p []float64) []float64 { return []float64{p[2], p[1], p[0], p[3]} }
	flip := func(p []float64) []float64 { return []float64{-p[0], p[1], -p[2], p[3]} }
	swap := func(p []float64) []float64 { return []float64{p[0], p[3], p[2], p[1]} }
	both := func(p []float64) []float64 { return []float64{p[2], p[3], p[0], p[1]} }
	turn := func(p []float64) []float64 { return []float64{p[2], p[1], -p[0], p[3]} }
	keep := func(f func([]float64) []float64) []signedMap { return []signedMap{{1, f}} }
	quarter := written.Defined{
		Average: []written.Signed{{Sign: 1, Map: written.Map{
			Formula: kernels.Formula{Points: 1, Names: []string{"x", "y"}, Forms: []kernels.Form{{Nodes: []*expr.Node{expr.Var(kernels.NameSlot(0, 1), ""), expr.Neg(expr.Var(kernels.NameSlot(0, 0), ""))}}}},
			Image:   []string{"x", "y"},
		}}},
		Text: "quarter turn",
	}
	band := region{text: "band", where: func(p kernels.Point) *expr.Node {
		return expr.GE(expr.Const(.61), p.X[0])
	}}
	all := map[string]oracle{
		"symmetric":      {c: constraint.Symmetric{Names: []string{"x", "y"}}, obey: keep(sym)},
		"antisymmetric":  {c: constraint.Antisymmetric{Names: []string{"x", "y"}}, obey: []signedMap{{-1, sym}}},
		"flip":           {c: constraint.Flip{Names: []string{"x", "y"}}, obey: keep(flip)},
		"permute":        {c: constraint.Permute{Lists: [][]string{{"x", "y"}, {"s", "t"}}}, obey: keep(both)},
		"causal":         {c: constraint.Causal{Input: "s", Output: "t"}, prepare: keep(swap), mask: func(p []float64) bool { return p[3] >= p[1] }},
		"anticausal":     {c: constraint.Anticausal{Input: "s", Output: "t"}, prepare: keep(swap), mask: func(p []float64) bool { return p[3] <= p[1] }},
		"time_invariant": {c: constraint.TimeInvariant{Input: "s", Output: "t"}, invariant: true},
	}
	var out []oracle
	for _, e := range written.Catalog() {
		o, ok := all[e.Name]
		if !ok {
			t.Errorf("constraint %s of the catalog has no oracle here", e.Name)
			continue
		}
		out = append(out, o)
	}
	return append(
		out,
		oracle{c: constraint.Flip{Names: []string{"s"}, About: .5, Odd: true}, obey: []signedMap{{-1, func(p []float64) []float64 { return []float64{p[0], 1 - p[1], p[2], p[3]} }}}},
		oracle{c: quarter, obey: keep(turn)},
		oracle{c: band, mask: func(p []float64) bool { return p[0] <= .61 }},
	)
}

// meaning is what a list of constraints means.
type meaning struct {
	laws      []signedMap // a group
	average   []signedMap // the group that is averaged over
	masks     []func(p []float64) bool
	invariant bool
}

// chi is 1 where no mask cuts an image of p.
func (m *meaning) chi(p []float64) bool {
	for _, g := range m.laws {
		for _, mask := range m.masks {
			if !mask(g.at(p)) {
				return false
			}
		}
	}
	return true
}

// grouped completes maps to a group, by their values at some points; it returns nil if
// the signs contradict each other.
func grouped(rng *rand.Rand, maps []signedMap) []signedMap {
	points := make([][]float64, 4)
	for i := range points {
		points[i] = []float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
	}
	values := func(m signedMap) (v []float64) {
		for _, p := range points {
			v = append(v, m.at(p)...)
		}
		return v
	}
	all := []signedMap{{1, func(p []float64) []float64 { return p }}}
	for i := 0; i < len(all); i++ {
		first := all[i]
		for _, m := range maps {
			next := signedMap{m.sign * first.sign, func(p []float64) []float64 { return m.at(first.at(p)) }}
			at := slices.IndexFunc(all, func(o signedMap) bool { return floats.EqualApprox(values(o), values(next), 1e-9) })
			switch {
			case at < 0:
				all = append(all, next)
			case all[at].sign != next.sign:
				return nil
			}
		}
	}
	return all
}

// mean is what a list means; it is nil where nothing but zero obeys it.
func mean(rng *rand.Rand, list []oracle) *meaning {
	m := &meaning{}
	var obey, prepare []signedMap
	for _, o := range list {
		obey, prepare = append(obey, o.obey...), append(prepare, o.prepare...)
		m.invariant = m.invariant || o.invariant
		if o.mask != nil {
			m.masks = append(m.masks, o.mask)
		}
	}
	if m.laws = grouped(rng, obey); m.laws == nil {
		return nil
	}
	if m.invariant { // all maps keep pairs of times with one lag together
		for _, g := range m.laws {
			a, b := g.at([]float64{.1, .2, .3, .7}), g.at([]float64{.1, .5, .3, 1.})
			if math.Abs((a[3]-a[1])-(b[3]-b[1])) > 1e-12 {
				return nil
			}
		}
	}
	inside := false
	for range 500 {
		inside = inside || m.chi(anywhere(rng))
	}
	if !inside {
		return nil
	}
	m.average = grouped(rng, append(obey, prepare...))
	if m.average == nil || m.ties(rng) {
		m.average = m.laws
	}
	return m
}

// anywhere is a point of the meshes' box.
func anywhere(rng *rand.Rand) []float64 {
	return []float64{2*rng.Float64() - 1, rng.Float64(), 2*rng.Float64() - 1, rng.Float64()}
}

// ties reports whether the average ties points inside of the mask that no law ties.
func (m *meaning) ties(rng *rand.Rand) bool {
	for range 200 {
		p := anywhere(rng)
		for _, g := range m.average {
			q := g.at(p)
			lawful := slices.ContainsFunc(m.laws, func(l signedMap) bool { return floats.EqualApprox(l.at(p), q, 1e-12) })
			if !lawful && m.chi(p) && m.chi(q) {
				return true
			}
		}
	}
	return false
}

// imaged is a point inside of the mask with all its images, reduced; none outside.
func (m *meaning) imaged(p []float64) (images [][]float64) {
	if !m.chi(p) {
		return nil
	}
	for _, g := range m.average {
		q := g.at(p)
		if m.invariant {
			q = []float64{q[0], q[2], q[3] - q[1]}
		}
		images = append(images, q)
	}
	return images
}

// kernel is K_c(p,q) by its definition, all of it, for points with their images.
func (m *meaning) kernel(k *kernels.Function, p, q [][]float64) float64 {
	sum := 0.0
	for i, a := range p {
		for j, b := range q {
			sum += m.average[i].sign * m.average[j].sign * k.At(a, b)
		}
	}
	return sum / float64(len(m.average)*len(m.average))
}

// solve returns G of the representer theorem: G(p) = Σ_j K_c(p, z_j) w_j, with
// z = (R K_c Rᵀ/λ + I)⁻¹ r u and w = Rᵀ z/λ, R the integrals against the inputs.
func (m *meaning) solve(t *testing.T, s fit.Spec, k *kernels.Function) func(p []float64) float64 {
	t.Helper()
	x, y, n := s.Data.InputMesh, s.Data.OutputMesh, s.Data.N()
	both := testmain.Must(mesh.Product(renamed(x, "x", "s"), renamed(y, "y", "t")))(t)
	points := make([][][]float64, both.Size())
	for i := range points {
		p := make([]float64, 4)
		both.Point(p, i)
		points[i] = m.imaged(p)
	}
	gram := mat.NewDense(len(points), len(points), nil)
	for i, p := range points {
		for j := range i + 1 {
			v := m.kernel(k, p, points[j])
			gram.Set(i, j, v)
			gram.Set(j, i, v)
		}
	}
	my := y.Size()
	r, u := mat.NewDense(n*my, len(points), nil), mat.NewVecDense(n*my, nil)
	for i := range n {
		for l, wy := range y.Weights() {
			root := math.Sqrt(wy / float64(n))
			u.SetVec(i*my+l, root*s.Data.Output.At(i, l))
			for j, wx := range x.Weights() {
				r.Set(i*my+l, j*my+l, root*wx*s.Data.Input.At(i, j))
			}
		}
	}
	var left, c mat.Dense
	left.Mul(r, gram)
	c.Mul(&left, r.T())
	c.Scale(1/s.Lambda, &c)
	for i := range n * my {
		c.Set(i, i, c.At(i, i)+1)
	}
	var z, w mat.VecDense
	if err := z.SolveVec(&c, u); err != nil {
		t.Log(err)
	}
	w.MulVec(r.T(), &z)
	return func(p []float64) float64 {
		sum, images := 0.0, m.imaged(p)
		for j, q := range points {
			sum += m.kernel(k, images, q) * w.AtVec(j) / s.Lambda
		}
		return sum
	}
}
