package written_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/laws"
	"github.com/greenbench/workbench/internal/numeric/written"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/kernel"
)

// on is what a constraint does on a space.
func on(c constraint.Constraint, s kernel.Space) (*laws.Transform, error) {
	l, err := constraint.LawsOf(c, s)
	if err != nil {
		return nil, err
	}
	return l.On(s)
}

// point is a random one of the cube [-1, 1]ᵈ.
func point(rng *rand.Rand, d int) []float64 {
	p := make([]float64, d)
	for i := range p {
		p[i] = 2*rng.Float64() - 1
	}
	return p
}

// The contract of the catalog: every example applies to its space and says what
// made it.
func TestCatalog(t *testing.T) {
	for _, e := range written.Catalog() {
		tr, err := on(e.Example, e.Space)
		if err != nil {
			t.Errorf("%s: %v", e.Name, err)
			continue
		}
		if tr.Reduce == nil && len(tr.Images) < 2 && len(tr.Masks) == 0 {
			t.Errorf("%s constrains nothing", e.Name)
		}
		if want := e.Name + "{"; !strings.HasPrefix(e.Example.String(), want) {
			t.Errorf("%s prints as %s", e.Name, e.Example)
		}
	}
}

// Constraints read back are the constraints that were written.
func TestMarshal(t *testing.T) {
	all := constraint.List{}
	for _, e := range written.Catalog() {
		all = append(all, e.Example)
	}
	late := kernels.Formula{Points: 1, Names: []string{"x", "y"}, Forms: []kernels.Form{{Nodes: []*expr.Node{expr.Var(kernels.NameSlot(0, 0), "x")}}}}
	defined := written.Defined{Mask: &late, Text: "mask(function(p) return p.x end)"}
	for _, c := range append([]constraint.Constraint{all, defined, constraint.Flip{Names: []string{"x"}, About: .5, Odd: true}}, all...) {
		b, err := written.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		back, err := written.Unmarshal(b)
		if err != nil {
			t.Fatal(err)
		}
		if back.String() != c.String() {
			t.Errorf("%s was read back as %s", c, back)
		}
	}
	if _, err := written.Unmarshal([]byte(`{"constraint":"levitating"}`)); err == nil || !strings.Contains(err.Error(), "not known") {
		t.Errorf("an unknown constraint: %v", err)
	}
}
