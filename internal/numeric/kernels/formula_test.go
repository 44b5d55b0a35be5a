package kernels_test

import (
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/kernels"
)

// What no program writes into a file is refused, each with what is wrong; up to each bound
// a formula is right.
func TestFormulasFromFiles(t *testing.T) {
	one := []*expr.Node{expr.Const(1)}
	form := func(dims ...int) (f []kernels.Form) {
		for _, d := range dims {
			f = append(f, kernels.Form{Dim: d, Nodes: one})
		}
		return f
	}
	names := func(n int) (s []string) {
		for i := range n {
			s = append(s, strings.Repeat("a", i+1))
		}
		return s
	}
	for _, c := range []struct {
		f    kernels.Formula
		want string // in the error; "": none
	}{
		{kernels.Formula{Points: 1, Forms: form(0, 1, kernels.MaxNumbered)}, ""},
		{kernels.Formula{Points: 1, Forms: form(-1)}, "form of -1 coordinates"},
		{kernels.Formula{Points: 1, Forms: form(kernels.MaxNumbered + 1)}, "form of 33 coordinates"},
		{kernels.Formula{Points: 1, Forms: form(1, 1)}, "must be increasing"},
		{kernels.Formula{Points: 1, Forms: form(2, 1)}, "must be increasing"},
		{kernels.Formula{Points: 1}, "without a form"},
		{kernels.Formula{Points: 2, Forms: form(0)}, "of 2 points: must be of 1"},
		{kernels.Formula{Points: 1, Forms: form(0), Names: names(kernels.MaxNamed)}, ""},
		{kernels.Formula{Points: 1, Forms: form(0), Names: names(kernels.MaxNamed + 1)}, "must be at most"},
		{kernels.Formula{Points: 1, Forms: form(0), Names: []string{"x", "x"}}, "must be given, and once"},
		{kernels.Formula{Points: 1, Forms: form(0), Names: []string{""}}, "must be given, and once"},
		{kernels.Formula{Points: 1, Forms: form(0), Params: []string{"a"}}, "must be equally many"},
		{kernels.Formula{Points: 1, Forms: form(0), Params: names(kernels.MaxParams), Values: make([]float64, kernels.MaxParams)}, ""},
		{kernels.Formula{Points: 1, Forms: form(0), Params: names(kernels.MaxParams + 1), Values: make([]float64, kernels.MaxParams+1)}, "must be at most"},
		{kernels.Formula{Points: 1, Forms: []kernels.Form{{Nodes: []*expr.Node{nil}}}}, "without an expression"},
		{kernels.Formula{Points: 1, Forms: []kernels.Form{{Nodes: append(one, one...)}}}, "must have 1"},
		{kernels.Formula{Points: 1, Forms: []kernels.Form{{Dim: 1, Nodes: []*expr.Node{expr.Var(1, "x1")}}}}, "is no coordinate"},
		{kernels.Formula{Points: 1, Forms: []kernels.Form{{Dim: 1, Nodes: []*expr.Node{expr.Var(0, "x0")}}}}, ""},
	} {
		err := c.f.Check(1, 1)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%d forms, %d names: error %v, want %q", len(c.f.Forms), len(c.f.Names), err, c.want)
		}
	}
	many := kernels.Formula{Points: 1, Forms: []kernels.Form{{Nodes: append(one, one...)}}}
	if err := many.Check(1, 0); err != nil {
		t.Errorf("of any number of values: %v", err)
	}
}

// A formula has the coordinates and parameters that it says, and no other variable, whatever a
// file says.
func TestVariablesOfFormulas(t *testing.T) {
	for _, points := range []int{1, 2} {
		for dim := range 3 {
			for names := range 3 {
				for params := range 3 {
					has := map[int]bool{}
					f := kernels.Formula{Points: points, Names: []string{"s", "t"}[:names], Params: []string{"a", "b"}[:params], Values: make([]float64, params)}
					for j := range points {
						for i := range dim {
							has[kernels.NumberSlot(j, i)] = true
						}
						for k := range names {
							has[kernels.NameSlot(j, k)] = true
						}
					}
					for k := range params {
						has[kernels.ParamSlot(k)] = true
					}
					for slot := range kernels.FormulaSlots {
						f.Forms = []kernels.Form{{Dim: dim, Nodes: []*expr.Node{expr.Var(slot, "v")}}}
						if err := f.Check(points, 1); (err == nil) != has[slot] {
							t.Errorf("%d points of %d coordinates, names %v, parameters %v: variable %d: %v", points, dim, f.Names, f.Params, slot, err)
						}
					}
				}
			}
		}
	}
}
