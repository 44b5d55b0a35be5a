package lattice

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/laws"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// A map that permutes, mirrors and moves coordinates has a derivative of ±1 of one coordinate
// in one other: the derivative of F(g r) along r_c is ± that of F along one coordinate, at g r.

// along turns coordinates before the reduction into those after it: ∂/∂s = -∂/∂(t-s).
func (l *Lattice) along(full []int) (sign float64, slots []int) {
	sign = 1
	if l.lag == nil {
		return sign, full
	}
	for _, c := range full {
		switch c {
		case l.lag.Input:
			sign = -sign
			slots = append(slots, l.space.Dim()-1)
		case l.lag.Output:
			slots = append(slots, l.space.Dim()-1)
		default:
			at := c
			for _, time := range []int{l.lag.Input, l.lag.Output} {
				if c > time {
					at--
				}
			}
			if l.point {
				at++
			}
			slots = append(slots, at)
		}
	}
	return sign, slots
}

// through turns coordinates of r into those of g r; ok is false where the map mixes them.
func through(g laws.Image, slots []int) (sign float64, own []int, ok bool) {
	sign = 1
	for _, c := range slots {
		at := slices.Index(g.Permutation, c)
		if at < 0 {
			return 0, nil, false
		}
		sign *= expr.Simplify(expr.Diff(g.At[at], c)).Value()
		own = append(own, at)
	}
	return sign, own, true
}

// derivative is that of the kernel along some coordinates of its first point.
func (e *Expansion) derivative(slots []int) (*kernels.Function, error) {
	if len(slots) == 0 {
		return e.kernel, nil
	}
	return kernels.Compile(derivative{Kernel: e.kernel.Kernel, along: slots}, e.l.space)
}

// composed is Σ_j ∂k(g r, z_j) W_j with derivatives in r, at points r given by their columns.
func (e *Expansion) composed(ctx context.Context, g laws.Image, slots []int, points [][]float64) ([]float64, error) {
	d := e.l.space.Dim()
	r, z := kernels.Points(e.l.space)
	k, err := kernels.Symbolic(e.kernel.Kernel, kernels.Point{X: g.Map(r.X), Space: e.l.space}, z)
	if err != nil {
		return nil, err
	}
	program, err := expr.Compile(differentiate(k, slots), 2*d)
	if err != nil {
		return nil, err
	}
	columns, w := e.l.columns(), e.weights.RawMatrix().Data
	out := make([]float64, len(points[0]))
	perPoint := 40 * float64(len(w)) // nanoseconds: derivatives are larger than kernels
	err = kernels.Rows(ctx, len(out), perPoint, func(i int) {
		ops, row := make([]expr.Operand, 0, 2*d), make([]float64, len(w))
		for _, c := range points {
			ops = append(ops, expr.Operand{Scalar: c[i]})
		}
		for _, c := range columns {
			ops = append(ops, expr.Operand{Vector: c})
		}
		program.Block(row, ops)
		out[i] = floats.Dot(row, w)
	})
	return out, err
}

// CheckSmooth refuses derivatives, as in [Expansion.Diff], that jump where the two points of
// the kernel meet: next to every weight the function would have a jump, or worse.
func (e *Expansion) CheckSmooth(along []int) error {
	_, slots := e.l.along(along)
	known := map[string]bool{}
	for _, g := range e.l.group() {
		lists := [][]int{nil}
		if _, own, ok := through(g, slots); ok {
			lists[0] = own
		} else { // each coordinate may be any other
			lists = nil
			for c := range e.l.space.Dim() {
				lists = append(lists, slices.Repeat([]int{c}, len(slots)))
			}
		}
		for _, own := range lists {
			if text := fmt.Sprint(own); !known[text] {
				known[text] = true
				if err := e.checkJumps(own); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// checkJumps looks at each derivative on the way, along its own coordinate, at a
// place that is on no diagonal.
func (e *Expansion) checkJumps(slots []int) error {
	const near, jump = 1e-7, 1e-2 // a smooth function changes by about near between -near and near
	var at, length []float64
	for _, m := range []mesh.Mesh{e.l.x, e.l.y} {
		for _, a := range m.Axes() {
			for i, low := range a.Lower {
				length = append(length, max(a.Upper[i]-low, near))
				at = append(at, low+(0.21+0.2183*float64(len(at)%3))*(a.Upper[i]-low))
			}
		}
	}
	for order := 1; order <= len(slots); order++ {
		f, err := e.derivative(slots[:order])
		if err != nil {
			return err
		}
		for _, c := range slots {
			moved := func(h float64) float64 {
				p := slices.Clone(at)
				p[c] += h * length[c]
				return f.At(p, at)
			}
			low, high, size := moved(-near), moved(near), math.Abs(moved(0))
			for _, h := range []float64{0.003, 0.03, 0.2} {
				size = max(size, math.Abs(moved(h)), math.Abs(moved(-h)))
			}
			if !(math.Abs(high-low) <= jump*size) {
				return fmt.Errorf("derivative %d of the kernel %s along %s jumps, and so would that of G at each weight: take a smoother kernel", order, e.kernel.Kernel, e.l.space.Names[c])
			}
		}
	}
	return nil
}

// derivative is ∂k/∂p_i … of its first point: no kernel, but a function of two
// points like one.
type derivative struct {
	kernel.Kernel
	along []int
}

// Expr implements kernels.Custom.
func (k derivative) Expr(p, q kernels.Point) (*expr.Node, error) {
	a, b := kernels.Points(p.Space)
	n, err := kernels.Symbolic(k.Kernel, a, b)
	if err != nil {
		return nil, err
	}
	by := map[int]*expr.Node{}
	for i, v := range append(slices.Clone(p.X), q.X...) {
		by[i] = v
	}
	return expr.Substitute(differentiate(n, k.along), by), nil
}

func differentiate(n *expr.Node, along []int) *expr.Node {
	for _, slot := range along {
		n = expr.Diff(n, slot)
	}
	return n
}
