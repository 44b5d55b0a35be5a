package kernel

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/greenbench/workbench/numeric/expr"
)

// Defined is a kernel given by its formula, such as one that a script defines.
// It has every privilege of a kernel of the catalog: structure, speed, files.
type Defined struct {
	Formula Formula
	Text    string // the Lua function it was traced from
}

// NewDefined returns the kernel k(p, q) of a formula. Where simplifying shows
// more structure, differences that only appear once terms are collected, the
// simplified formula is kept.
func NewDefined(f Formula, text string) (Defined, error) {
	if err := f.check(2, 1); err != nil {
		return Defined{}, err
	}
	f.Forms = slices.Clone(f.Forms)
	for i, form := range f.Forms {
		n := form.Nodes[0]
		if s := expr.Simplify(n); f.structure(form.Dim, s) > f.structure(form.Dim, n) {
			f.Forms[i].Nodes = []*expr.Node{s}
		}
	}
	return Defined{Formula: f, Text: text}, nil
}

// structure counts what is found in the coordinates of an expression.
func (f *Formula) structure(dim int, n *expr.Node) int {
	found := 0
	look := func(a, b int) {
		if expr.DifferenceOnly(n, a, b) {
			found++
		}
		if expr.EvenIn(n, a, b) {
			found++
		}
	}
	for i := range dim {
		look(NumberSlot(0, i), NumberSlot(1, i))
	}
	for k := range f.Names {
		look(NameSlot(0, k), NameSlot(1, k))
	}
	return found
}

// Check implements Checker.
func (k Defined) Check() error { return k.Formula.check(2, 1) }

// Expr implements Kernel.
func (k Defined) Expr(p, q Point) (*expr.Node, error) {
	n, err := k.Formula.At(p, q)
	if err != nil {
		return nil, err
	}
	return n[0], nil
}

// Gradient returns the derivatives of k(p, q) with respect to the parameters, in
// their order.
func (k Defined) Gradient(p, q Point) ([]*expr.Node, error) {
	f := k.Formula
	f.Forms = slices.Clone(f.Forms)
	for i, form := range f.Forms {
		f.Forms[i].Nodes = nil
		for j := range f.Params {
			f.Forms[i].Nodes = append(f.Forms[i].Nodes, expr.Diff(form.Nodes[0], ParamSlot(j)))
		}
	}
	return f.At(p, q)
}

// With returns the kernel with one parameter at another value.
func (k Defined) With(param string, value float64) (Defined, error) {
	i := slices.Index(k.Formula.Params, param)
	switch {
	case i < 0 && len(k.Formula.Params) == 0:
		return k, fmt.Errorf("%s: the kernel has no parameters that can change", param)
	case i < 0:
		return k, fmt.Errorf("%s: the parameters are %s", param, strings.Join(k.Formula.Params, ", "))
	case math.IsNaN(value) || math.IsInf(value, 0):
		return k, fmt.Errorf("%s %g: must be finite", param, value)
	}
	k.Formula.Values = slices.Clone(k.Formula.Values)
	k.Formula.Values[i] = value
	return k, nil
}

// String is the Lua expression that makes the kernel.
func (k Defined) String() string {
	text := k.Text
	if text == "" {
		text = "…"
	}
	if options := k.Formula.options(); options != "" {
		text += ", " + options
	}
	return "kernel.define(" + text + ")"
}

// options is the table of parameters that follows the function. A parameter that
// was a list has one name for each entry: l[1], l[2].
func (f *Formula) options() string {
	var parts []string
	lists := map[string]int{}
	for i, name := range f.Params {
		value := formatNumber(f.Values[i])
		list, _, isList := strings.Cut(name, "[")
		at, again := lists[list]
		switch {
		case isList && again:
			parts[at] = strings.TrimSuffix(parts[at], "}") + ", " + value + "}"
		case isList:
			lists[list] = len(parts)
			parts = append(parts, list+" = {"+value+"}")
		default:
			parts = append(parts, name+" = "+value)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func formatNumber(v float64) string { return fmt.Sprintf("%v", v) }
