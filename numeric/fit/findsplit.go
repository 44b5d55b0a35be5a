package fit

import (
	"context"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/numeric/expr"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

const (
	splitTolerance = 1e-9
	splitPairs     = 80 // of random points that the product form is checked on
)

// diagonal reports whether the preconditioner is the system, on a random vector.
func diagonal(ctx context.Context, sys *system, pre *simultaneous) bool {
	n, _ := sys.Dims()
	draw := rand.New(rand.NewPCG(1, 2))
	z, az := make([]float64, n), make([]float64, n)
	for i := range z {
		z[i] = draw.NormFloat64()
	}
	sys.Apply(ctx, az, z)
	size := floats.Norm(az, 2)
	for i, d := range pre.d {
		az[i] -= d * z[i]
	}
	return floats.Norm(az, 2) <= splitTolerance*size
}

// findSplit checks, in numbers, all that the closed form assumes.
func (p *factors) findSplit(ctx context.Context) *split {
	whole, ok := p.regression.(*inData)
	if !ok || !diagonal(ctx, whole.sys.at(p.at), whole.m.at(p.at.lambda, p.at.rho)) {
		return nil
	}
	draw := rand.New(rand.NewPCG(1, 3))
	at := centre(p.x, p.y)
	s := &split{sys: whole.sys.at(p.at), pre: whole.m.at(p.at.lambda, p.at.rho), x0: at[:p.x.Dim()], y0: at[p.x.Dim():], unit: p.f.At(at, at)}
	if !(s.unit > 0) {
		return nil
	}
	if p.q != nil {
		s.q = p.q.At(s.y0, s.y0)
	}
	a, b, c, d := room(p.x), room(p.y), room(p.x), room(p.y)
	for range splitPairs {
		randomPair(draw, p.x, a, c)
		randomPair(draw, p.y, b, d)
		kx, ky := p.f.At(both(a, s.y0), both(c, s.y0)), p.f.At(both(s.x0, b), both(s.x0, d))/s.unit
		if math.Abs(p.f.At(both(a, b), both(c, d))-kx*ky) > splitTolerance*s.unit {
			return nil
		}
		if p.q != nil && math.Abs(p.q.At(b, d)-s.q*ky) > splitTolerance*s.q {
			return nil
		}
	}
	if !s.holds(ctx, p.f, p.x, p.y) {
		return nil
	}
	return s
}

// holds reports whether the kernel of every point of xs × ys with itself is the product:
// where a local term of a sum lives, it is not. It ends with ctx.
func (s *split) holds(ctx context.Context, f *kernel.Function, xs, ys mesh.Mesh) bool {
	x, columns := room(xs), ys.Columns()
	own := func(dst, x []float64) { // of (x, y) for all y
		at := make([]expr.Operand, 0, len(x)+len(columns))
		for _, v := range x {
			at = append(at, expr.Operand{Scalar: v})
		}
		for _, c := range columns {
			at = append(at, expr.Operand{Vector: c})
		}
		f.Block(dst, at, at)
	}
	ky, row := make([]float64, ys.Size()), make([]float64, ys.Size())
	own(ky, s.x0)
	for i := range xs.Size() {
		if ctx.Err() != nil {
			return false
		}
		xs.Point(x, i)
		own(row, x)
		at := both(x, s.y0)
		kx := f.At(at, at) / s.unit
		for k, v := range ky {
			if math.Abs(row[k]-kx*v) > splitTolerance*s.unit {
				return false
			}
		}
	}
	return true
}

// randomPair draws two points of a mesh or, every other time, two points of its domain
// at any scale from each other: a kernel that is nearly zero between the points of the
// mesh looks like a product there, and is none in between.
func randomPair(draw *rand.Rand, m mesh.Mesh, a, b []float64) {
	if draw.IntN(2) == 0 {
		m.Point(a, draw.IntN(m.Size()))
		m.Point(b, draw.IntN(m.Size()))
		return
	}
	i, near := 0, math.Pow(10, -4*draw.Float64())
	for _, axis := range m.Axes() {
		for k := range axis.Lower {
			size := axis.Upper[k] - axis.Lower[k]
			a[i] = axis.Lower[k] + size*draw.Float64()
			b[i] = a[i] + near*size*(2*draw.Float64()-1)
			i++
		}
	}
}

// room is a place for one point of a mesh.
func room(m mesh.Mesh) []float64 { return make([]float64, m.Dim()) }

func both(x, y []float64) []float64 { return append(append([]float64(nil), x...), y...) }
