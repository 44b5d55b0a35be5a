package network

import (
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
)

// TestLinearTerms: what is linear in u, always or on the data, is told from what has a kink,
// whose second derivative is 0 almost everywhere, and from what is nonlinear enough.
func TestLinearTerms(t *testing.T) {
	d := cubic(t, 8, 7, 2, constant(2), 1)
	positive := *d
	positive.Outputs = append(positive.Outputs[:0:0], d.Outputs...)
	positive.Outputs[0].Values = array.New(8, 7)
	for i := range positive.Outputs[0].Values.Data {
		positive.Outputs[0].Values.Data[i] = d.Outputs[0].Values.Data[i] + 10
	}
	u, f, slope := expr.Var(0, "u"), expr.Var(1, "f"), expr.Var(2, "u'")
	number, of := expr.Const, expr.Of
	small := func(c float64) *expr.Node {
		return of(expr.OpAdd, u, of(expr.OpMul, number(c), of(expr.OpMul, u, of(expr.OpMul, u, u))))
	}
	negative := of(expr.OpLT, u, number(0))
	const always, here = "whatever the data are", "on these data"
	for _, c := range []struct {
		name string
		on   int // 0: u of both signs, 1: u > 0
		n    *expr.Node
		want string // "": accepted
	}{
		{"|u|", 0, of(expr.OpAbs, u), ""},
		{"max(u, 0)", 0, of(expr.OpMax, u, number(0)), ""},
		{"where", 0, of(expr.OpWhere, negative, number(0), u), ""},
		{"|u| of u > 0", 1, of(expr.OpAbs, u), here},
		{"|u+100|", 0, of(expr.OpAbs, of(expr.OpAdd, u, number(100))), here},
		{"3u", 0, of(expr.OpMul, u, number(3)), always},
		{"u'", 0, slope, always},
		{"u+2u'+5", 0, of(expr.OpAdd, number(5), of(expr.OpAdd, u, of(expr.OpMul, number(2), slope))), always},
		{"2u+f", 0, of(expr.OpAdd, of(expr.OpMul, number(2), u), f), always},
		{"f u", 0, of(expr.OpMul, f, u), ""},
		{"f", 0, f, ""}, // that is refused as the input itself
		{"exp(u)", 0, of(expr.OpExp, u), ""},
		{"u+1e-9u³", 0, small(1e-9), here},
		{"u+0.1u³", 0, small(0.1), ""},
		{"u u'", 0, of(expr.OpMul, u, slope), ""},
	} {
		data := d
		if c.on == 1 {
			data = &positive
		}
		for _, scale := range []float64{1, 1e-170, 1e150} { // units do not matter
			p, err := newChannel(Channel{Name: "c", Map: of(expr.OpMul, number(scale), c.n), Atoms: []Atom{{}, {Input: "f"}, {Order: []int{1}}}}, data)
			if err != nil {
				t.Fatal(err)
			}
			in, err := p.inputs(data)
			if err != nil {
				t.Fatal(err)
			}
			err = p.notLinear(in, rows(&data.Outputs[0]), "G")
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("%g × %s: %v, want %q", scale, c.name, err, c.want)
			}
		}
	}
}

// TestShiftOutOfMesh: a shift by which no point stays in the mesh is named.
func TestShiftOutOfMesh(t *testing.T) {
	d := cubic(t, 8, 7, 2, constant(2), 1)
	for _, shift := range []float64{5, -5, 1, 0.3, -0.3} {
		_, err := newChannel(Channel{Name: "c", Map: expr.Var(0, "u"), Atoms: []Atom{{Shift: []float64{shift}}}}, d)
		if out := shift*shift >= 1; (err != nil) != out || out && !strings.Contains(err.Error(), "out of the mesh [0, 1]") {
			t.Errorf("shift %g: %v", shift, err)
		}
	}
}

// TestFewSamples: in no more samples than there are functions and a constant anything is affine in them, and is let through; in one
// more it is seen.
func TestFewSamples(t *testing.T) {
	u, f := expr.Var(0, "u"), expr.Var(1, "f")
	for _, c := range []struct {
		n      *expr.Node
		enough int
	}{{expr.Of(expr.OpAbs, u), 3}, {expr.Of(expr.OpAbs, expr.Of(expr.OpAdd, u, expr.Of(expr.OpMul, expr.Const(1e-3), f))), 4}} {
		for n := 2; n <= 5; n++ {
			d := *cubic(t, n, 7, 2, constant(2), 1)
			d.Outputs = append(d.Outputs[:0:0], d.Outputs...)
			d.Outputs[0].Values = d.Outputs[0].Values.Map(func(v float64) float64 { return v + 10 })
			p := testmain.Must(newChannel(Channel{Name: "c", Map: c.n, Atoms: []Atom{{}, {Input: "f"}}}, &d))(t)
			in := testmain.Must(p.inputs(&d))(t)
			if err := p.notLinear(in, rows(&d.Outputs[0]), "G"); (err == nil) != (n < c.enough) {
				t.Errorf("%s in %d samples: %v", c.n.String(), n, err)
			}
		}
	}
}

// TestMeshesOfTerms: a term with u in it is on the finest mesh of the inputs that covers that of u; one of inputs alone on theirs.
func TestMeshesOfTerms(t *testing.T) {
	d := *cubic(t, 4, 7, 2, constant(2), 1)
	fine := mesh.Must(mesh.Uniform(0, 1, 13, "z"))
	d.Fields = append(append(d.Fields[:0:0], d.Fields...), dataset.Field{Name: "g", Values: array.New(4, 13), Mesh: fine})
	u, f := expr.Var(0, "u"), expr.Var(1, "f")
	for want, n := range map[int]*expr.Node{13: expr.Of(expr.OpMul, u, f), 7: expr.Of(expr.OpMul, f, f)} {
		p := testmain.Must(newChannel(Channel{Name: "c", Map: n, Atoms: []Atom{{}, {Input: "f"}}}, &d))(t)
		if p.on.Size() != want {
			t.Errorf("%s is on %d points, want %d", n, p.on.Size(), want)
		}
	}
}
