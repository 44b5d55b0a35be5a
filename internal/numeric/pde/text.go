package pde

import (
	"fmt"
	"strings"

	"github.com/greenbench/workbench/internal/numeric/expr"
)

// String is the problem as its name, its equation and its meshes.
func (p *Defined) String() string {
	s := fmt.Sprintf("%s: %s = f on %s", p.Name, p.Operator, p.Mesh)
	if p.Time.Size() > 0 {
		s += fmt.Sprintf(" and %s", p.Time)
	}
	return s
}

// String writes the operator as a sum of derivatives of u: "-d(u, x, 2) + x*u".
func (o *Operator) String() string {
	if o.err != nil {
		return "invalid operator: " + o.err.Error()
	}
	return o.Write(func(of, coordinate string, order int) string {
		return fmt.Sprintf("d(%s, %s, %d)", of, coordinate, order)
	}, nil)
}

// Write writes the operator as a sum in another language: derivative writes a derivative
// of u, or of a sum, and coefficient a coefficient that is not a number; nil writes it as
// its String. The coefficients are multiplied with *.
func (o *Operator) Write(derivative func(of, coordinate string, order int) string, coefficient func(Coefficient) string) string {
	w := writer{o, derivative, coefficient}
	s := w.sum(o.terms)
	for _, f := range o.fluxes {
		s = joinTerms(s, derivative("("+w.sum(f.inner)+")", o.names[f.axis], 1))
	}
	if o.rest != nil {
		s = joinTerms(s, o.rest.text(w))
	}
	if s == "" {
		return "0*u"
	}
	return s
}

// writer writes an operator in some language.
type writer struct {
	*Operator
	derivative  func(of, coordinate string, order int) string
	coefficient func(Coefficient) string
}

// joinTerms writes a + b, or a - c where b is -c.
func joinTerms(a, b string) string {
	switch rest, negative := strings.CutPrefix(b, "-"); {
	case a == "":
		return b
	case negative:
		return a + " - " + rest
	}
	return a + " + " + b
}

func (w writer) sum(terms []term) string {
	s := ""
	for _, t := range terms {
		d := "u"
		for axis, k := range t.orders {
			if k > 0 {
				d = w.derivative(d, w.names[axis], k)
			}
		}
		v, constant := constantOf(t.coef)
		switch {
		case constant && v == -1:
			d = "-" + d
		case !constant || v != 1:
			d = w.factor(t.coef) + "*" + d
		}
		s = joinTerms(s, d)
	}
	return s
}

// factor writes a coefficient so that it can be multiplied.
func (w writer) factor(c Coefficient) string {
	n, ok := nodeOf(c)
	text := c.String()
	if w.coefficient != nil {
		text = w.coefficient(c)
	}
	if !ok || n.IsConst() || n.Op() == expr.OpVar {
		return text
	}
	return "(" + text + ")"
}
