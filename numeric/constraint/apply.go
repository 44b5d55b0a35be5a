package constraint

import (
	"fmt"
	"math"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/numeric/kernel"
)

// Apply returns the constrained kernel. Applied to a constrained kernel, or to sums and
// multiples of such, it gives the kernel of the functions that obey both.
func Apply(c Constraint, k kernel.Kernel) kernel.Kernel { return Constrained{Kernel: k, Constraint: c} }

// Constrained is a kernel all of whose functions obey a constraint. Its own
// Kernel is on the reduced space when the constraint reduces.
type Constrained struct {
	kernel.Kernel
	Constraint Constraint
}

// IsConstrained reports whether a kernel is a constrained one, or a sum with such or
// a multiple of one: the functions of another average over it would not obey.
func IsConstrained(k kernel.Kernel) bool {
	switch k := k.(type) {
	case Constrained:
		return true
	case kernel.Scaled:
		return IsConstrained(k.Kernel)
	case kernel.Sum:
		for _, term := range k.Terms {
			if IsConstrained(term) {
				return true
			}
		}
	}
	return false
}

// Check implements kernel.Checker.
func (k Constrained) Check() error { return kernel.Check(k.Kernel) }

// Size implements kernel.Sizer: the largest |k(g p, g p)| of the kernel inside at the
// images of points. The terms of the average are of that size, also where they cancel.
func (k Constrained) Size(s kernel.Space, points [][]float64) float64 {
	t, err := On(k.Constraint, s)
	if err != nil {
		return 0
	}
	f, err := kernel.Compile(k.Kernel, t.Space)
	if err != nil {
		return 0
	}
	p, _ := kernel.Points(s)
	x := p.X
	if t.Reduce != nil {
		x = t.Reduce.Point(x)
	}
	inner, nested := k.Kernel.(kernel.Sizer)
	largest := 0.0
	for _, g := range t.Images {
		at := g.Map(x)
		for _, p := range points {
			q := make([]float64, len(at))
			for i, n := range at {
				q[i] = expr.Eval(n, p)
			}
			largest = max(largest, math.Abs(f.At(q, q)))
			if nested {
				largest = max(largest, inner.Size(t.Space, [][]float64{q}))
			}
		}
	}
	return largest
}

// maxSummed is the largest group whose double sum is written as an expression.
const maxSummed = 128

// Expr implements kernel.Kernel: |Γ|² terms.
func (k Constrained) Expr(p, q kernel.Point) (*expr.Node, error) { return k.with(Laws{}, p, q) }

// with is the formula of the kernel whose functions obey this constraint and the laws l.
func (k Constrained) with(l Laws, p, q kernel.Point) (*expr.Node, error) {
	own, err := LawsOf(k.Constraint, p.Space)
	if err != nil {
		return nil, err
	}
	if own.Reduce != nil && l.Reduce != nil {
		return nil, fmt.Errorf("%s: time is reduced twice; give one time_invariant", k.Constraint)
	}
	l = l.and(own)
	n, err := l.kernel(k.Kernel, p, q)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", k.Constraint, err)
	}
	return n, nil
}

// kernel is the expression of a kernel under laws. It is linear in the kernel; laws of
// kernels inside are taken together with these.
func (l Laws) kernel(k kernel.Kernel, p, q kernel.Point) (*expr.Node, error) {
	if !IsConstrained(k) {
		return l.average(k, p, q)
	}
	switch k := k.(type) {
	case kernel.Scaled:
		n, err := l.kernel(k.Kernel, p, q)
		if err != nil {
			return nil, err
		}
		return expr.Mul(expr.Const(k.Factor), n), nil
	case kernel.Sum:
		sum := expr.Const(0)
		for _, term := range k.Terms {
			n, err := l.kernel(term, p, q)
			if err != nil {
				return nil, err
			}
			sum = expr.Add(sum, n)
		}
		return sum, nil
	}
	inner := k.(Constrained)
	if l.Reduce == nil {
		return inner.with(l, p, q)
	}
	// The kernel inside is on the reduced space, and so are its laws.
	reduced, err := l.reduced(p.Space.Dim())
	if err != nil {
		return nil, err
	}
	s := l.Reduce.Space(p.Space)
	return inner.with(reduced, kernel.Point{X: l.Reduce.Point(p.X), Space: s}, kernel.Point{X: l.Reduce.Point(q.X), Space: s})
}

// average is the double sum over the group.
func (l Laws) average(k kernel.Kernel, p, q kernel.Point) (*expr.Node, error) {
	t, err := l.on(p.Space)
	if err != nil {
		return nil, err
	}
	if n := len(t.Images); n > maxSummed {
		return nil, fmt.Errorf("the maps generate a group of %d elements, too many for an expression that sums over pairs of them: at most %d; a fit on meshes that the maps send to themselves does without the expression", n, maxSummed)
	}
	x, y := p.X, q.X
	if t.Reduce != nil {
		x, y = t.Reduce.Point(x), t.Reduce.Point(y)
	}
	at := func(g Image, x []*expr.Node) kernel.Point { return kernel.Point{X: g.Map(x), Space: t.Space} }
	first, err := t.representatives(k)
	if err != nil {
		return nil, err
	}
	sum := expr.Const(0)
	for _, g := range first {
		for _, h := range t.Images {
			n, err := kernel.Expr(k, at(g, x), at(h, y))
			if err != nil {
				return nil, err
			}
			sum = expr.Add(sum, expr.Mul(expr.Const(g.Sign*h.Sign), n))
		}
	}
	scale := 1 / float64(len(first)*len(t.Images))
	n := expr.Mul(expr.Const(scale), sum)
	if t.Chi != nil {
		if x, y = p.X, q.X; t.Reduce != nil {
			x, y = t.Reduce.Seen(x), t.Reduce.Seen(y)
		}
		chi := substitute([]*expr.Node{t.Chi}, x)
		n = expr.Mul(expr.Mul(chi[0], substitute([]*expr.Node{t.Chi}, y)[0]), n)
	}
	return n, nil
}

// representatives are images g such that all others are u g for one of them and a map u
// with k(u p, u q) = k(p, q), by the form of its expression: the terms of the double sum
// for (u g, u h) and (g, h) are one.
func (t *Transform) representatives(k kernel.Kernel) ([]Image, error) {
	p, q := kernel.Points(t.Space)
	n, err := kernel.Expr(k, p, q)
	if err != nil {
		return nil, err
	}
	n = expr.Simplify(n)
	var keep []Image
	for _, u := range t.Images {
		moved, err := kernel.Expr(k, kernel.Point{X: u.Map(p.X), Space: t.Space}, kernel.Point{X: u.Map(q.X), Space: t.Space})
		if err != nil {
			return nil, err
		}
		if expr.Equal(n, expr.Simplify(moved)) {
			keep = append(keep, u)
		}
	}
	kept, err := generate(t.Space.Dim(), keep)
	if err != nil {
		return nil, err
	}
	covered := newGroup(t.Space.Dim())
	covered.scale = kept.scale
	first := t.Images[:1]
	for i, g := range t.Images {
		e := covered.element(g)
		if i > 0 && covered.find(e) != nil {
			continue
		}
		if i > 0 {
			first = append(first[:len(first):len(first)], g)
		}
		for _, u := range kept.elements {
			covered.add(covered.compose(e, u))
		}
	}
	return first, nil
}

func (k Constrained) String() string {
	return fmt.Sprintf("%s under %s", k.Kernel, k.Constraint)
}
