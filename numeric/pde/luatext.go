package pde

import (
	"fmt"
	"strings"

	"github.com/greenbench/workbench/numeric/expr"
)

// String writes the problem as the call of pde.define that makes it.
func (p *Defined) String() string {
	s := []string{fmt.Sprintf("name=%q, mesh=%s", p.Name, p.Mesh)}
	add := func(format string, a ...any) { s = append(s, fmt.Sprintf(format, a...)) }
	if p.Time.Size() > 0 {
		add("time=%s", p.Time)
	}
	add("operator=function(u, at) return %s end", p.Operator)
	if len(p.Boundary) > 0 {
		add("boundary={%s}", p.boundaryText())
	}
	for _, c := range []struct {
		name  string
		value Coefficient
	}{{"initial", p.Initial}, {"velocity", p.Velocity}, {"source", p.Source}} {
		if v, ok := constantOf(c.value); !ok || v != 0 {
			add("%s=%s", c.name, c.value)
		}
	}
	add("input=%q", p.Input)
	if p.Time.Size() > 0 {
		add("scheme=%q", p.Scheme)
	}
	add("order=%d", p.Order)
	return "pde.define{" + strings.Join(s, ", ") + "}"
}

func (p *Defined) boundaryText() string {
	var sides []string
	for _, key := range sideNames(p.Mesh.Names()) {
		if side, ok := p.Boundary[key]; ok {
			sides = append(sides, fmt.Sprintf("[%q]={%s}", key, side.text()))
		}
	}
	return strings.Join(sides, ", ")
}

func (s Side) text() string {
	var parts []string
	for _, c := range s.conditions() {
		if c.name != "robin" {
			parts = append(parts, fmt.Sprintf("%s=%s", c.name, c.value))
		} else {
			parts = append(parts, fmt.Sprintf("robin={a=%s, b=%s, value=%s}", s.Robin.A, s.Robin.B, c.value))
		}
	}
	if s.Periodic {
		parts = append(parts, "periodic=true")
	}
	if s.Reflecting {
		parts = append(parts, "reflecting=true")
	}
	return strings.Join(parts, ", ")
}

// String writes the operator as a Lua expression in u and at.
func (o *Operator) String() string {
	if o.err != nil {
		return "invalid operator: " + o.err.Error()
	}
	s := o.sum(o.terms)
	for _, f := range o.fluxes {
		s = joinTerms(s, fmt.Sprintf("(%s):d(%q, 1)", o.sum(f.inner), o.names[f.axis]))
	}
	if s == "" {
		return "0*u"
	}
	return s
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

func (o *Operator) sum(terms []term) string {
	s := ""
	for _, t := range terms {
		d := "u"
		for axis, k := range t.orders {
			if k > 0 {
				d += fmt.Sprintf(":d(%q, %d)", o.names[axis], k)
			}
		}
		v, constant := constantOf(t.coef)
		switch {
		case constant && v == -1:
			d = "-" + d
		case !constant || v != 1:
			d = o.coefficientText(t.coef) + "*" + d
		}
		s = joinTerms(s, d)
	}
	return s
}

// coefficientText writes a coefficient as a factor, with at.x for x.
func (o *Operator) coefficientText(c Coefficient) string {
	n, ok := nodeOf(c)
	if !ok {
		return "c(at)"
	}
	by := map[int]*expr.Node{}
	for i, name := range o.names {
		by[i] = expr.Var(i, "at."+name)
	}
	s := luaText(expr.Substitute(n, by))
	if n.IsConst() || n.Op() == expr.OpVar {
		return s
	}
	return "(" + s + ")"
}
