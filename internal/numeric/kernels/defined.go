package kernels

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/numeric/kernel"
)

// Defined is a kernel given by its formula, such as one that a script defines.
// It has every privilege of a kernel of the catalog: structure, speed, files.
type Defined struct {
	own
	Formula Formula
	// Lengthscale is the value of the parameter called lengthscale: nil for "auto",
	// empty when there is no such parameter.
	Lengthscale kernel.Lengthscale
	Text        string // the function as it was written
	Given       string // options besides the parameters, as they were written: dim = 2
}

// lengthscale is the parameter that a fit can choose.
const lengthscale = "lengthscale"

// NewDefined returns the kernel k(p, q) of a formula. Where simplifying shows
// more structure, differences that only appear once terms are collected, the
// simplified formula is kept.
func NewDefined(f Formula, text string) (Defined, error) {
	if err := f.Check(2, 1); err != nil {
		return Defined{}, err
	}
	k := Defined{Formula: f, Lengthscale: kernel.Lengthscale{}, Text: text}
	if i := slices.Index(f.Params, lengthscale); i >= 0 {
		k.Lengthscale = kernel.Lengthscale{f.Values[i]}
	}
	// One form tells: the others are the same function of more coordinates.
	first := f.Forms[0]
	if f.structure(first.Dim, expr.Simplify(first.Nodes[0])) > f.structure(first.Dim, first.Nodes[0]) {
		f.Forms = slices.Clone(f.Forms)
		for i, form := range f.Forms {
			f.Forms[i].Nodes = []*expr.Node{expr.Simplify(form.Nodes[0])}
		}
	}
	k.Formula = f
	return k, k.Check()
}

// structure counts what is found in the coordinates of an expression.
func (f *Formula) structure(dim int, n *expr.Node) (found int) {
	look := func(a, b int) {
		if expr.DifferenceOnly(n, a, b) {
			found++
			if expr.EvenIn(n, a, b) {
				found++
			}
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

// Check refuses a formula that is not one of two points, and lengthscales that no kernel has.
func (k Defined) Check() error {
	if err := k.Formula.Check(2, 1); err != nil {
		return err
	}
	if len(k.Lengthscale) > 0 && !slices.Contains(k.Formula.Params, lengthscale) {
		return fmt.Errorf("lengthscale %s: there is no such parameter", k.Lengthscale)
	}
	return kernel.Check(kernel.SE{Lengthscale: k.Lengthscale}) // as that of any kernel
}

// Expr implements Custom: the formula at the coordinates that it takes.
func (k Defined) Expr(p, q Point) (*expr.Node, error) {
	f, err := k.At()
	if err != nil {
		return nil, err
	}
	n, err := f.At(p, q)
	if err != nil {
		return nil, err
	}
	return n[0], nil
}

// At is the formula with the parameters at their values. A lengthscale that a fit
// chose for each coordinate counts with its geometric mean, for the formula has
// one for all.
func (k Defined) At() (*Formula, error) {
	f := k.Formula
	i := slices.Index(f.Params, lengthscale)
	if i < 0 {
		return &f, nil
	}
	mean := 0.0
	for _, l := range k.Lengthscale {
		mean += math.Log(l) / float64(len(k.Lengthscale))
	}
	l := math.Exp(mean)
	if len(k.Lengthscale) < 2 {
		var err error
		if l, err = lengths(k.Lengthscale).of(0, len(k.Lengthscale)); err != nil {
			return nil, err
		}
	}
	f.Values = slices.Clone(f.Values)
	f.Values[i] = l
	return &f, nil
}

// gradient returns the derivatives of k(p, q) with respect to the parameters, in
// their order.
func (k Defined) gradient(p, q Point) ([]*expr.Node, error) {
	f, err := k.At()
	if err != nil {
		return nil, err
	}
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
	if len(k.Formula.Params) == 0 {
		return k, fmt.Errorf("no parameter %q: the kernel has none", param)
	}
	i := slices.Index(k.Formula.Params, param)
	switch {
	case i < 0:
		return k, fmt.Errorf("no parameter %q: the parameters are %s", param, strings.Join(k.Formula.Params, ", "))
	case math.IsNaN(value) || math.IsInf(value, 0):
		return k, fmt.Errorf("%s %g: must be finite", param, value)
	}
	k.Formula.Values = slices.Clone(k.Formula.Values)
	k.Formula.Values[i] = value
	if param == lengthscale {
		k.Lengthscale = kernel.Lengthscale{value}
	}
	return k, k.Check()
}

// String is the function as it was written, with the parameters.
func (k Defined) String() string {
	text := k.Text
	if text == "" {
		text = "…"
	}
	for i, name := range k.Formula.Params {
		value := fmt.Sprint(k.Formula.Values[i])
		if name == lengthscale {
			value = k.Lengthscale.String()
		}
		text += ", " + name + "=" + value
	}
	return "define(" + text + ")"
}
