package kernels

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// DirectSum is the kernel of several functions at once that have their outputs in
// common: G_1, …, G_T, each on a mesh of inputs of its own, independent of one another.
// Together they are one function on the disjoint union of their inputs,
//
//	K((t, x), y; (t', x'), y') = K_t(x, y; x', y') where t = t', 0 elsewhere,
//
// so that whatever is known of one function holds for all of them. A point of the union
// has the number of its part as its first coordinate, from 0, then the coordinates of
// that part, then zeros.
type DirectSum struct {
	own
	Parts  []Summand
	Output mesh.Mesh
}

// Summand is one addend of a DirectSum.
type Summand struct {
	Kernel kernel.Kernel // on the coordinates of On, then those of the output
	On     mesh.Mesh     // of the inputs
}

// PartName is the coordinate that tells the parts apart; users cannot give it to an axis.
const PartName = "(part)"

// Check refuses a sum without parts, and what their kernels cannot be.
func (k DirectSum) Check() error {
	kernels := make([]kernel.Kernel, len(k.Parts))
	for i, p := range k.Parts {
		kernels[i] = p.Kernel
	}
	return checkAll(kernels)
}

func (k DirectSum) String() string {
	parts := make([]string, len(k.Parts))
	for i, p := range k.Parts {
		parts[i] = p.Kernel.String()
	}
	return "(" + strings.Join(parts, " ⊕ ") + ")"
}

// dim is the number of coordinates of a point of the union.
func (k DirectSum) dim() int {
	most := 0
	for _, p := range k.Parts {
		most = max(most, p.On.Dim())
	}
	return 1 + most
}

// Mesh is the disjoint union of the meshes of the parts, with their weights.
func (k DirectSum) Mesh() (mesh.Mesh, error) {
	d := k.dim()
	var points, weights []float64
	for t, p := range k.Parts {
		x := make([]float64, p.On.Dim())
		for i := range p.On.Size() {
			at := make([]float64, d)
			at[0] = float64(t)
			p.On.Point(x, i)
			copy(at[1:], x)
			points = append(points, at...)
		}
		weights = append(weights, p.On.Weights()...)
	}
	names := []string{PartName}
	for i := 1; i < d; i++ {
		names = append(names, "("+strconv.Itoa(i)+")")
	}
	axis, err := mesh.Scattered(points, d, weights, names...)
	if err != nil {
		return mesh.Mesh{}, err
	}
	return mesh.New(axis)
}

// Space is that of a part's kernel.
func (k DirectSum) Space(part int) kernel.Space {
	p := k.Parts[part]
	in, out := mesh.JointNames(p.On, k.Output)
	return kernel.Space{Names: append(in, out...), Inputs: p.On.Dim()}
}

// Expr implements Custom: a sum over the parts, each where both points are of it.
func (k DirectSum) Expr(p, q Point) (*expr.Node, error) {
	cut := k.dim()
	if p.Space.Inputs != cut || len(p.X) <= cut {
		return nil, fmt.Errorf("direct sum: points have %d coordinates of the input, must have %d", p.Space.Inputs, cut)
	}
	sum := expr.Const(0)
	for t, part := range k.Parts {
		s := k.Space(t)
		n, err := Symbolic(part.Kernel, part.point(p, s, cut), part.point(q, s, cut))
		if err != nil {
			return nil, fmt.Errorf("part %d: %w", t+1, err)
		}
		both := expr.Mul(isPart(p.X[0], t), isPart(q.X[0], t))
		sum = expr.Add(sum, expr.Mul(both, n))
	}
	return sum, nil
}

func isPart(x *expr.Node, t int) *expr.Node {
	return expr.LT(expr.Abs(expr.Sub(x, expr.Const(float64(t)))), expr.Const(0.5))
}

// point is what a part sees of a point of the union.
func (p Summand) point(of Point, s kernel.Space, cut int) Point {
	x := append([]*expr.Node(nil), of.X[1:1+p.On.Dim()]...)
	return Point{X: append(x, of.X[cut:]...), Space: s}
}

// OnOutput is the sum of what the kernels of the parts are on the output, averaged over
// their inputs: see Average.
func (k DirectSum) OnOutput() kernel.Kernel {
	var terms []kernel.Kernel
	for t, p := range k.Parts {
		s := k.Space(t)
		points, weights := p.On.Nodes()
		for i := range points {
			points[i] = append(points[i], make([]float64, k.Output.Dim())...)
		}
		terms = append(terms, Average(p.Kernel, s, s.Inputs, s.Dim(), points, weights))
	}
	if len(terms) == 1 {
		return terms[0]
	}
	return kernel.Sum{Terms: terms}
}

// Trace is the integral of K(x, y; x, y) over the inputs and outputs of a part.
func (k DirectSum) Trace(part int) (float64, error) {
	p, y := k.Parts[part], k.Output
	f, err := Compile(p.Kernel, k.Space(part))
	if err != nil {
		return 0, err
	}
	dim := p.On.Dim()
	x, at, values := make([]float64, dim), make([]expr.Operand, dim+y.Dim()), make([]float64, y.Size())
	for c, column := range y.Columns() {
		at[dim+c].Vector = column
	}
	wy, sum := y.Weights(), 0.0
	for i, v := range p.On.Weights() {
		p.On.Point(x, i)
		for c := range x {
			at[c].Scalar = x[c]
		}
		f.Block(values, at, at)
		for j, w := range wy {
			sum += v * w * values[j]
		}
	}
	if math.IsNaN(sum) || math.IsInf(sum, 0) {
		return 0, fmt.Errorf("kernel %s: is not finite on its diagonal", p.Kernel)
	}
	return sum, nil
}
