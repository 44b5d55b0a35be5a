package gram

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// reference is the kernel between the points of two meshes, to hold operators
// against.
type reference struct {
	ctx      context.Context
	f        *kernels.Function
	to, from mesh.Mesh // joint
	near     func(i int) int
	rng      *rand.Rand
	weights  []float64 // by which rows are drawn
}

// newReference is for operators from functions on x × y to functions on xs × ys.
func newReference(ctx context.Context, f *kernels.Function, xs, ys, x, y mesh.Mesh) (*reference, error) {
	to, err := jointMesh(f, xs, ys)
	if err != nil {
		return nil, err
	}
	from, err := jointMesh(f, x, y)
	if err != nil {
		return nil, err
	}
	r := &reference{ctx: ctx, f: f, to: to, from: from, rng: rand.New(rand.NewPCG(20, 24))}
	nx, ny := nearest(xs, x), nearest(ys, y)
	r.near = func(i int) int { return nx(i/ys.Size())*y.Size() + ny(i%ys.Size()) }
	return r, nil
}

func (r *reference) notFinite(v float64, i, j int) error {
	p, q := make([]float64, r.to.Dim()), make([]float64, r.from.Dim())
	r.to.Point(p, i)
	r.from.Point(q, j)
	return &notFinite{Kernel: r.f.Kernel, Value: v, P: p, Q: q}
}

// notFinite is a kernel that has no finite value between two points.
type notFinite struct {
	Kernel kernel.Kernel
	Value  float64
	P, Q   []float64
}

func (e *notFinite) Error() string {
	return fmt.Sprintf("kernel %s is %g at p = %.4g, q = %.4g: must be finite", e.Kernel, e.Value, e.P, e.Q)
}

// relative is a/b, 0 for 0/0.
func relative(a, b float64) float64 {
	if a == 0 {
		return 0
	}
	return a / b
}

// columns are the coordinates of some points of a mesh.
func columns(m mesh.Mesh, at []int) []expr.Operand {
	ops, p := make([]expr.Operand, m.Dim()), make([]float64, m.Dim())
	for c := range ops {
		ops[c].Vector = make([]float64, len(at))
	}
	for k, i := range at {
		m.Point(p, i)
		for c, v := range p {
			ops[c].Vector[k] = v
		}
	}
	return ops
}

// drawRows draws rows with replacement.
func (r *reference) drawRows(count int) ([]int, error) {
	if r.weights == nil {
		var err error
		if r.weights, err = r.rowWeights(); err != nil {
			return nil, err
		}
	}
	n := r.to.Size()
	sums := floats.CumSum(make([]float64, n), r.weights)
	draws := make([]int, count)
	for k := range draws {
		draws[k], _ = slices.BinarySearch(sums, r.rng.Float64()*sums[n-1]) // sums end with what is looked for, or more
	}
	return draws, nil
}

// mostAddends is how many addends of a kernel are looked at by themselves.
const mostAddends = 16

// rowWeights are the probabilities of drawing each row: all alike where the kernel sees
// only differences, which are nothing on its diagonal.
func (r *reference) rowWeights() ([]float64, error) {
	n, d := r.to.Size(), r.to.Dim()
	if r.differences() {
		return slices.Repeat([]float64{1 / float64(n)}, n), nil
	}
	weights, own, count := make([]float64, n), make([]float64, n), 0
	add := func(evaluate func(dst []float64, ops []expr.Operand)) error {
		const part = 1 << 16
		for lo := 0; lo < n; lo += part {
			if err := linop.Stopped(r.ctx); err != nil {
				return fmt.Errorf("kernel structure: %w", err)
			}
			hi := min(lo+part, n)
			ops := make([]expr.Operand, 2*d)
			for i, c := range r.to.ColumnsOf(lo, hi) {
				ops[i].Vector, ops[d+i].Vector = c, c
			}
			evaluate(own[lo:hi], ops)
		}
		for i, v := range own {
			own[i] = math.Abs(v)
		}
		if s := floats.Sum(own); s > 0 && !math.IsInf(s, 1) {
			floats.AddScaled(weights, 1/s, own)
			count++
		}
		return nil
	}
	if r.f.Node != nil {
		for i, a := range expr.Addends(r.f.Node) {
			if i == mostAddends {
				break
			}
			p, err := expr.Compile(a, 2*d)
			if err != nil {
				return nil, err
			}
			if err := add(p.Block); err != nil {
				return nil, err
			}
		}
	}
	if err := add(func(dst []float64, ops []expr.Operand) { r.f.Block(dst, ops[:d], ops[d:]) }); err != nil {
		return nil, err
	}
	if count == 0 { // the kernel is zero
		floats.AddConst(1/float64(n), weights)
		return weights, nil
	}
	floats.Scale(0.5/float64(count), weights)
	floats.AddConst(0.5/float64(n), weights)
	return weights, nil
}

// differences reports whether the kernel sees only differences.
func (r *reference) differences() bool {
	for i := range r.to.Dim() {
		if !r.f.Stationary(i) {
			return false
		}
	}
	return true
}

// rounding is how much rows of the kernel change, relative to their norm, when the last
// two bits of all coordinates are dropped, those of equal points alike: what no
// structure can be blamed for, such as lags that are equal but for rounding.
func (r *reference) rounding(at []int) float64 {
	from := r.from.Columns()
	blurred := make([][]float64, len(from))
	for k, column := range from {
		blurred[k] = blur(column)
	}
	worst, p := 0.0, make([]float64, r.to.Dim())
	row, other := make([]float64, r.from.Size()), make([]float64, r.from.Size())
	count := min(len(at), 8)
	for k := range count {
		r.to.Point(p, at[k*len(at)/count])
		r.f.Row(row, p, from)
		r.f.Row(other, blur(p), blurred)
		worst = max(worst, relative(floats.Distance(row, other, 2), floats.Norm(row, 2)))
	}
	return worst
}

// blur returns numbers without their last two bits, by Veltkamp's splitting.
func blur(v []float64) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		c := 5 * x
		out[i] = c - (c - x)
	}
	return out
}

// jointMesh is X × Y with the coordinate names of the kernel's space.
func jointMesh(f *kernels.Function, x, y mesh.Mesh) (mesh.Mesh, error) {
	xr, err := x.Rename(f.Space.Names[:x.Dim()]...)
	if err != nil {
		return mesh.Mesh{}, err
	}
	yr, err := y.Rename(f.Space.Names[x.Dim():]...)
	if err != nil {
		return mesh.Mesh{}, err
	}
	return mesh.Product(xr, yr)
}
