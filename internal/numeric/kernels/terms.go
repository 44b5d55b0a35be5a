package kernels

import (
	"fmt"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/numeric/kernel"
)

// Term is one term s(p) k(p, q) s(q) of a kernel. Between meshes it is a matrix
// with the structure of k, between two diagonal ones.
type Term struct {
	Scale    *expr.Node // s, the coordinates of its point in slots 0 … Dim-1; nil stands for 1
	Function *Function  // k
}

// Terms writes the kernel as a sum Σ_t s_t(p) k_t(p, q) s_t(q), terms of equal s_t
// gathered; nil when no s_t but 1 is found.
func (f *Function) Terms() ([]Term, error) {
	if f.Node == nil {
		return nil, nil
	}
	parts, err := f.parts()
	if err != nil {
		return nil, err
	}
	var terms []Term
	scaled := false
	for _, p := range parts {
		g, err := Compile(p.Kernel, f.Space)
		if err != nil {
			return nil, err
		}
		terms = append(terms, Term{Scale: p.Scale, Function: g})
		scaled = scaled || p.Scale != nil
	}
	if !scaled {
		return nil, nil
	}
	return terms, nil
}

func (f *Function) parts() ([]Part, error) {
	if k, ok := known(f.Kernel).(decomposer); ok {
		p, _ := Points(f.Space)
		return k.decompose(p)
	}
	d := decomposition{dim: f.Space.Dim()}
	d.add(f.Node, 1)
	var parts []Part
	for i, s := range d.scales {
		parts = append(parts, Part{Scale: s, Kernel: addend{node: d.functions[i], Kernel: f.Kernel}})
	}
	return parts, nil
}

func (k kink) decompose(p Point) ([]Part, error) {
	d, err := k.factor(p)
	if err != nil {
		return nil, err
	}
	return []Part{{Kernel: k.Base}, {Scale: d, Kernel: k.Jump}}, nil
}

// decomposition gathers the terms of a sum by their scale.
type decomposition struct {
	dim       int
	scales    []*expr.Node // nil for 1
	functions []*expr.Node
}

// add takes sign times n, a sum.
func (d *decomposition) add(n *expr.Node, sign float64) {
	switch a := n.Args(); n.Op() {
	case expr.OpAdd:
		d.add(a[0], sign)
		d.add(a[1], sign)
		return
	case expr.OpSub:
		d.add(a[0], sign)
		d.add(a[1], -sign)
		return
	case expr.OpNeg:
		d.add(a[0], -sign)
		return
	}
	s, k := d.split(n)
	k = expr.Mul(expr.Const(sign), k)
	for i, other := range d.scales {
		if s == other || s != nil && other != nil && expr.Equal(s, other) {
			d.functions[i] = expr.Add(d.functions[i], k)
			return
		}
	}
	d.scales, d.functions = append(d.scales, s), append(d.functions, k)
}

// split writes a product as s(p) k(p, q) s(q), s nil for 1.
func (d *decomposition) split(n *expr.Node) (s, k *expr.Node) {
	onP, onQ, rest := expr.Const(1), expr.Const(1), expr.Const(1)
	var visit func(m *expr.Node)
	visit = func(m *expr.Node) {
		if m.Op() == expr.OpMul {
			visit(m.Args()[0])
			visit(m.Args()[1])
			return
		}
		switch p, q := d.uses(m); {
		case p && !q:
			onP = expr.Mul(onP, m)
		case q && !p:
			onQ = expr.Mul(onQ, m)
		default:
			rest = expr.Mul(rest, m)
		}
	}
	visit(n)
	toP := map[int]*expr.Node{}
	for _, slot := range expr.Slots(onQ) {
		toP[slot] = expr.Var(slot-d.dim, fmt.Sprintf("p%d", slot-d.dim))
	}
	s = expr.Simplify(onP)
	if s.IsConst() || !expr.Equal(s, expr.Simplify(expr.Substitute(onQ, toP))) {
		return nil, n
	}
	return s, rest
}

// uses tells of which of the two points n uses coordinates.
func (d *decomposition) uses(n *expr.Node) (p, q bool) {
	for _, s := range expr.Slots(n) {
		p, q = p || s < d.dim, q || s >= d.dim
	}
	return p, q
}

// addend is a term of a kernel, known by its expression in the space it was
// found in.
type addend struct {
	kernel.Kernel
	node *expr.Node
}

func (k addend) Expr(Point, Point) (*expr.Node, error) { return k.node, nil }

func (k addend) String() string { return k.TextBy(kernel.Kernel.String) }

// TextBy is String with other kernels written by write.
func (k addend) TextBy(write func(kernel.Kernel) string) string {
	return "a term of " + write(k.Kernel)
}
