package constraint

import (
	"fmt"
	"math"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/laws"
	"github.com/greenbench/workbench/numeric/kernel"
)

// Apply returns the constrained kernel. Applied to a constrained kernel, or to sums and
// multiples of such, it gives the kernel of the functions that obey both.
func Apply(c Constraint, k kernel.Kernel) kernel.Kernel { return constrained{Kernel: k, constraint: c} }

// Applied takes apart what [Apply] made: the kernel and its constraint, or false for a kernel of
// another kind. The kernel is on the reduced space when the constraint reduces.
func Applied(k kernel.Kernel) (inner kernel.Kernel, c Constraint, ok bool) {
	applied, ok := k.(constrained)
	return applied.Kernel, applied.constraint, ok
}

// constrained is a kernel all of whose functions obey a constraint.
type constrained struct {
	kernel.Kernel
	constraint Constraint
}

// IsConstrained reports whether a kernel is a constrained one, or a sum with such or
// a multiple of one: the functions of another average over it would not obey.
func IsConstrained(k kernel.Kernel) bool {
	switch k := k.(type) {
	case constrained:
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

// Check refuses what the kernel inside cannot be.
func (k constrained) Check() error { return kernel.Check(k.Kernel) }

// Size implements kernels.Sizer: the largest |k(g p, g p)| of the kernel inside at the
// images of points. The terms of the average are of that size, also where they cancel.
func (k constrained) Size(s kernel.Space, points [][]float64) float64 {
	l, err := LawsOf(k.constraint, s)
	if err != nil {
		return 0
	}
	t, err := l.On(s)
	if err != nil {
		return 0
	}
	f, err := kernels.Compile(k.Kernel, t.Space)
	if err != nil {
		return 0
	}
	p, _ := kernels.Points(s)
	x := p.X
	if t.Reduce != nil {
		x = t.Reduce.Point(x)
	}
	inner, nested := k.Kernel.(kernels.Sizer)
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

// Expr implements kernels.Custom: |Γ|² terms.
func (k constrained) Expr(p, q kernels.Point) (*expr.Node, error) { return k.with(laws.Laws{}, p, q) }

// with is the formula of the kernel whose functions obey this constraint and the laws l.
func (k constrained) with(l laws.Laws, p, q kernels.Point) (*expr.Node, error) {
	own, err := LawsOf(k.constraint, p.Space)
	if err != nil {
		return nil, err
	}
	if own.Reduce != nil && l.Reduce != nil {
		return nil, fmt.Errorf("%s: time is reduced twice; give one time_invariant", k.constraint)
	}
	l = l.And(own)
	n, err := formula(l, k.Kernel, p, q)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", k.constraint, err)
	}
	return n, nil
}

// formula is the expression of a kernel under laws. It is linear in the kernel; laws of
// kernels inside are taken together with these.
func formula(l laws.Laws, k kernel.Kernel, p, q kernels.Point) (*expr.Node, error) {
	if !IsConstrained(k) {
		return l.Average(k, p, q)
	}
	switch k := k.(type) {
	case kernel.Scaled:
		n, err := formula(l, k.Kernel, p, q)
		if err != nil {
			return nil, err
		}
		return expr.Mul(expr.Const(k.Factor), n), nil
	case kernel.Sum:
		sum := expr.Const(0)
		for _, term := range k.Terms {
			n, err := formula(l, term, p, q)
			if err != nil {
				return nil, err
			}
			sum = expr.Add(sum, n)
		}
		return sum, nil
	}
	inner := k.(constrained)
	if l.Reduce == nil {
		return inner.with(l, p, q)
	}
	// The kernel inside is on the reduced space, and so are its laws.
	reduced, err := l.Reduced(p.Space.Dim())
	if err != nil {
		return nil, err
	}
	s := l.Reduce.Space(p.Space)
	return inner.with(reduced, kernels.Point{X: l.Reduce.Point(p.X), Space: s}, kernels.Point{X: l.Reduce.Point(q.X), Space: s})
}

func (k constrained) String() string {
	return fmt.Sprintf("%s under %s", k.Kernel, k.constraint)
}
