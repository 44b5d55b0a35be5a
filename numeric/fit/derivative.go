package fit

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/expr"
	"github.com/greenbench/workbench/numeric/gram"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Diff evaluates a derivative of G on xs × ys, once with respect to each of the
// named coordinates: {"y", "y"} is ∂²G/∂y². The derivative is that of the kernel,
// exact. A kernel that is not that smooth is refused.
func (e *Estimate) Diff(ctx context.Context, along []string, xs, ys mesh.Mesh) (*mat.Dense, error) {
	xs, ys, err := e.meshes(xs, ys)
	if err != nil {
		return nil, err
	}
	full := space(e.InputMesh, e.OutputMesh)
	var slots []int
	for _, name := range along {
		i := slices.Index(full.Names, name)
		if i < 0 {
			return nil, fmt.Errorf("no coordinate %q: the coordinates of G are %s", name, strings.Join(full.Names, ", "))
		}
		slots = append(slots, i)
	}
	if err := e.smoothEnough(slots); err != nil {
		return nil, err
	}
	var g *mat.Dense
	if e.grid != nil {
		g, err = e.constrainedDiff(ctx, slots, xs, ys)
	} else {
		g, err = e.freeDiff(ctx, slots, xs, ys)
	}
	if err != nil {
		return nil, err
	}
	return g, nil
}

// smoothEnough refuses derivatives that jump where the two points of the kernel
// meet: next to every weight the estimate would have a jump, or worse.
func (e *Estimate) smoothEnough(slots []int) error {
	if e.grid == nil {
		return checkJumps(e.Kernel, space(e.InputMesh, e.OutputMesh), slots, e.InputMesh, e.OutputMesh)
	}
	// A constraint exchanges coordinates, and a lag is one for two: all of them.
	for c := range e.grid.Space().Dim() {
		along := make([]int, len(slots))
		for i := range along {
			along[i] = c
		}
		if err := checkJumps(e.grid.Kernel(e.Kernel), e.grid.Space(), along, e.grid.X(), e.grid.Y()); err != nil {
			return err
		}
	}
	return nil
}

// checkJumps looks at each derivative on the way, along its own coordinate, at a
// place that is on no diagonal.
func checkJumps(k kernel.Kernel, s kernel.Space, slots []int, meshes ...mesh.Mesh) error {
	const near, jump = 1e-7, 1e-2 // a smooth function changes by about near between -near and near
	var at, length []float64
	for _, m := range meshes {
		for _, a := range m.Axes() {
			for i, low := range a.Lower {
				length = append(length, max(a.Upper[i]-low, near))
				at = append(at, low+(0.21+0.2183*float64(len(at)%3))*(a.Upper[i]-low))
			}
		}
	}
	for order := 1; order <= len(slots); order++ {
		f, err := kernel.Compile(derivative{Kernel: k, along: slots[:order]}, s)
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
				return fmt.Errorf("derivative %d of the kernel %s along %s jumps, and so would that of G at each weight: take a smoother kernel", order, k, s.Names[c])
			}
		}
	}
	return nil
}

func (e *Estimate) freeDiff(ctx context.Context, slots []int, xs, ys mesh.Mesh) (*mat.Dense, error) {
	f, err := kernel.Compile(derivative{Kernel: e.Kernel, along: slots}, space(e.InputMesh, e.OutputMesh))
	if err != nil {
		return nil, err
	}
	// Without quadrature the meshes are never taken for those of the weights, on
	// which gram may assume that a kernel is symmetric.
	x, err := unweighted(xs)
	if err != nil {
		return nil, err
	}
	y, err := unweighted(ys)
	if err != nil {
		return nil, err
	}
	op, err := gram.Cross(ctx, f, x, y, e.InputMesh, e.OutputMesh)
	if err != nil {
		return nil, err
	}
	g := mat.NewDense(xs.Size(), ys.Size(), nil)
	op.Apply(ctx, g.RawMatrix().Data, e.Weights.RawMatrix().Data)
	if ctx.Err() != nil {
		return nil, fmt.Errorf("diff stopped: %w", context.Cause(ctx))
	}
	return g, nil
}

func unweighted(m mesh.Mesh) (mesh.Mesh, error) {
	var axes []mesh.Axis
	for _, a := range m.Axes() {
		b, err := mesh.Scattered(a.Coordinates, a.Dim(), ones(a.Size()), a.Names...)
		if err != nil {
			return m, err
		}
		axes = append(axes, b)
	}
	return mesh.New(axes...)
}

// derivative is ∂k/∂p_i … of its first point: no kernel, but a function of two
// points like one.
type derivative struct {
	kernel.Kernel
	along []int
}

// Expr implements kernel.Kernel.
func (k derivative) Expr(p, q kernel.Point) (*expr.Node, error) {
	a, b := kernel.Points(p.Space)
	n, err := k.Kernel.Expr(a, b)
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

// constrainedDiff differentiates G(p) = χ(p)/|Γ| Σ_g sign(g) Σ_j k(φ(g p), z_j) W_j
// at one point after the other: one value for every point and weight.
func (e *Estimate) constrainedDiff(ctx context.Context, slots []int, xs, ys mesh.Mesh) (*mat.Dense, error) {
	full, g := e.grid.Full(), e.grid
	p, _ := kernel.Points(full)
	reduced := g.Reduced(p.X)
	z := kernel.Point{Space: g.Space()}
	for i, name := range g.Space().Names {
		z.X = append(z.X, expr.Var(full.Dim()+i, name))
	}
	sum := expr.Const(0)
	for _, im := range g.Group() {
		k, err := g.Kernel(e.Kernel).Expr(kernel.Point{X: im.Map(reduced), Space: g.Space()}, z)
		if err != nil {
			return nil, err
		}
		sum = expr.Add(sum, expr.Mul(expr.Const(im.Sign/float64(len(g.Group()))), k))
	}
	if g.Chi() != nil {
		by := map[int]*expr.Node{}
		for i, n := range g.Seen(p.X) {
			by[i] = n
		}
		sum = expr.Mul(expr.Substitute(g.Chi(), by), sum)
	}
	program, err := expr.Compile(differentiate(sum, slots), full.Dim()+g.Space().Dim())
	if err != nil {
		return nil, err
	}
	weights, err := mesh.Product(g.X(), g.Y())
	if err != nil {
		return nil, err
	}
	columns, w := weights.Columns(), e.Weights.RawMatrix().Data
	out := mat.NewDense(xs.Size(), ys.Size(), nil)
	perPoint := 40 * float64(len(w)) // nanoseconds: derivatives are larger than kernels
	err = kernel.Rows(ctx, xs.Size()*ys.Size(), perPoint, func(i int) {
		x, y, row := room(xs), room(ys), make([]float64, len(w))
		xs.Point(x, i/ys.Size())
		ys.Point(y, i%ys.Size())
		ops := make([]expr.Operand, 0, full.Dim()+len(columns))
		for _, v := range both(x, y) {
			ops = append(ops, expr.Operand{Scalar: v})
		}
		for _, c := range columns {
			ops = append(ops, expr.Operand{Vector: c})
		}
		program.Block(row, ops)
		out.RawMatrix().Data[i] = floats.Dot(row, w)
	})
	return out, err
}
