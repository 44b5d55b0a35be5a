package laws

import (
	"math"

	"github.com/greenbench/workbench/internal/numeric/expr"
)

// affine is the map x ↦ a x + b, which most maps are: compositions of such are no
// longer to write than one of them.
type affine struct {
	a []float64 // dim × dim
	b []float64
}

// affineOf recognises affine maps; nil for others.
func affineOf(nodes []*expr.Node) *affine {
	dim := len(nodes)
	m := &affine{a: make([]float64, dim*dim), b: make([]float64, dim)}
	origin := make([]float64, dim)
	for i, n := range nodes {
		for _, j := range expr.Slots(n) {
			slope := expr.Simplify(expr.Diff(n, j))
			if !slope.IsConst() {
				return nil
			}
			m.a[i*dim+j] = slope.Value()
		}
		m.b[i] = expr.Eval(n, origin)
		if math.IsNaN(m.b[i]) || math.IsInf(m.b[i], 0) {
			return nil
		}
	}
	return m
}

// after is the composition x ↦ m(first(x)).
func (m *affine) after(first *affine) *affine {
	dim := len(m.b)
	out := &affine{a: make([]float64, dim*dim), b: append([]float64(nil), m.b...)}
	for i := range dim {
		for k, v := range m.a[i*dim : (i+1)*dim] {
			if v == 0 {
				continue
			}
			out.b[i] += v * first.b[k]
			for j := range dim {
				out.a[i*dim+j] += v * first.a[k*dim+j]
			}
		}
		for j := range dim {
			if r := math.Round(out.a[i*dim+j]); math.Abs(out.a[i*dim+j]-r) < 1e-14 { // rotations do not drift
				out.a[i*dim+j] = r
			}
		}
	}
	return out
}

// at stores the image of x in dst.
func (m *affine) at(dst, x []float64) {
	for i := range dst {
		sum := m.b[i]
		for j, v := range m.a[i*len(x) : (i+1)*len(x)] {
			if v != 0 {
				sum += v * x[j]
			}
		}
		dst[i] = sum
	}
}

// is reports whether two maps are one, to rounding: scale is that of the
// translations they are made of.
func (m *affine) is(n *affine, scale float64) bool {
	for i, v := range m.a {
		if !(math.Abs(v-n.a[i]) <= 1e-9) {
			return false
		}
	}
	for i, v := range m.b {
		if !(math.Abs(v-n.b[i]) <= 1e-11*scale) {
			return false
		}
	}
	return true
}

// moves reports whether a map that is not the identity is a translation.
func (m *affine) moves() bool {
	dim := len(m.b)
	for i, v := range m.a {
		one := 0.0
		if i%(dim+1) == 0 {
			one = 1
		}
		if math.Abs(v-one) > 1e-9 {
			return false
		}
	}
	return true
}

// unbounded reports whether a map stretches as no power of a map of a finite group does.
func (m *affine) unbounded() bool {
	for _, v := range m.a {
		if !(math.Abs(v) < 1e100) {
			return true
		}
	}
	return false
}

// permutation is that of the coordinates, of a map that permutes, mirrors and moves
// them; nil for others.
func (m *affine) permutation() []int {
	dim := len(m.b)
	p, used := make([]int, dim), make([]bool, dim)
	for i := range dim {
		p[i] = -1
		for j, v := range m.a[i*dim : (i+1)*dim] {
			switch {
			case v == 0:
			case math.Abs(v) != 1 || p[i] >= 0 || used[j]:
				return nil
			default:
				p[i], used[j] = j, true
			}
		}
		if p[i] < 0 {
			return nil
		}
	}
	return p
}

// nodes writes the map.
func (m *affine) nodes() []*expr.Node {
	dim := len(m.b)
	x, out := Coordinates(dim), make([]*expr.Node, dim)
	for i := range out {
		out[i] = expr.Const(m.b[i])
		for j, v := range m.a[i*dim : (i+1)*dim] {
			switch {
			case v == 0:
			case v == -1:
				out[i] = expr.Sub(out[i], x[j])
			default:
				out[i] = expr.Add(out[i], expr.Mul(expr.Const(v), x[j]))
			}
		}
	}
	return out
}
