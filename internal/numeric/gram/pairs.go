package gram

import (
	"fmt"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/numeric/mesh"
)

// maxPairs is how many pairs of points of one side are listed.
const maxPairs = 1 << 23

// pairSet lists the pairs (p, q) of points of two meshes, on the coordinates of
// one side of the kernel, that the kernel can tell apart. Where it depends on
// differences only and the axes are uniform these are the lags.
type pairSet struct {
	rows, cols int
	p, q       [][]float64 // coordinates of each pair: Dim columns of length count
	index      []int32     // pair of (i, j) at i*cols+j; nil when that is its number
}

func (s *pairSet) count() int { return len(s.p[0]) }

// at returns the number of the pair of points (i, j).
func (s *pairSet) at(i, j int) int {
	if s.index == nil {
		return i*s.cols + j
	}
	return int(s.index[i*s.cols+j])
}

// axisPairs lists the pairs of one axis of each mesh. first is the number of
// the axis' first coordinate in the kernel.
func axisPairs(f *kernels.Function, a, b mesh.Axis, first int) *pairSet {
	if lags, even := lagAxis(f, a, first); lags && sameAxis(a, b) {
		return lagPairs(a, even)
	}
	if a.Dim() == 1 && f.Even(first) && sameAxis(a, b) {
		return evenPairs(a)
	}
	d := a.Dim()
	s := &pairSet{rows: a.Size(), cols: b.Size(), p: make([][]float64, d), q: make([][]float64, d)}
	for k := range d {
		for i := range s.rows {
			for j := range s.cols {
				s.p[k] = append(s.p[k], a.Coordinates[i*d+k])
				s.q[k] = append(s.q[k], b.Coordinates[j*d+k])
			}
		}
	}
	return s
}

// lagAxis reports whether pairs of points of the axis are told apart by their
// lag only, and whether the lag's sign matters.
func lagAxis(f *kernels.Function, a mesh.Axis, first int) (lags, even bool) {
	return a.Dim() == 1 && a.Step > 0 && f.Stationary(first), f.Even(first)
}

func sameAxis(a, b mesh.Axis) bool {
	if a.Size() != b.Size() || a.Dim() != b.Dim() {
		return false
	}
	for i, v := range a.Coordinates {
		if b.Coordinates[i] != v {
			return false
		}
	}
	return true
}

// lagPairs lists the lags of a uniform axis: 0 … n-1 when the kernel is even,
// 1-n … n-1 otherwise.
func lagPairs(a mesh.Axis, even bool) *pairSet {
	n, s := a.Size(), lagsOf(a, even)
	s.rows, s.cols, s.index = n, n, make([]int32, n*n)
	for i := range n {
		for j := range n {
			if even {
				s.index[i*n+j] = int32(max(i-j, j-i))
			} else {
				s.index[i*n+j] = int32(i - j + n - 1)
			}
		}
	}
	return s
}

// lagsOf lists the lags of a uniform axis themselves.
func lagsOf(a mesh.Axis, even bool) *pairSet {
	n, s := a.Size(), &pairSet{cols: 1, p: make([][]float64, 1), q: make([][]float64, 1)}
	x := a.Coordinates
	if !even {
		for l := n - 1; l > 0; l-- {
			s.p[0], s.q[0] = append(s.p[0], x[0]), append(s.q[0], x[l])
		}
	}
	for l := range n {
		s.p[0], s.q[0] = append(s.p[0], x[l]), append(s.q[0], x[0])
	}
	s.rows = s.count()
	return s
}

// evenPairs lists the pairs of an axis with i >= j: the others have the same
// values of a kernel that is even in the difference.
func evenPairs(a mesh.Axis) *pairSet {
	n := a.Size()
	s := &pairSet{rows: n, cols: n, p: make([][]float64, 1), q: make([][]float64, 1), index: make([]int32, n*n)}
	for i := range n {
		for j := range i + 1 {
			at := int32(len(s.p[0]))
			s.index[i*n+j], s.index[j*n+i] = at, at
			s.p[0], s.q[0] = append(s.p[0], a.Coordinates[i]), append(s.q[0], a.Coordinates[j])
		}
	}
	return s
}

// sidePairs lists the pairs of points of two meshes on one side of the kernel,
// whose coordinates start at number first: the product of the axes' pairs.
func sidePairs(f *kernels.Function, a, b mesh.Mesh, first int) *pairSet {
	ax, bx := a.Axes(), b.Axes()
	var s *pairSet
	for i := range ax {
		next := axisPairs(f, ax[i], bx[i], first)
		first += ax[i].Dim()
		if s == nil {
			s = next
		} else {
			s = productPairs(s, next)
		}
	}
	return s
}

// sidePairsWithin is sidePairs; nil where they are too many.
func sidePairsWithin(f *kernels.Function, a, b mesh.Mesh, first int) (*pairSet, error) {
	pairs := a.Size() * b.Size()
	if pairs > maxPairs {
		return nil, nil
	}
	if err := needs(fmt.Sprintf("pairs of %d and %d points:", a.Size(), b.Size()), float64(pairs*2*a.Dim())); err != nil {
		return nil, err
	}
	return sidePairs(f, a, b, first), nil
}

func productPairs(s, t *pairSet) *pairSet {
	n, m := s.count(), t.count()
	out := &pairSet{rows: s.rows * t.rows, cols: s.cols * t.cols}
	spread := func(col []float64) []float64 { // each entry m times
		c := make([]float64, 0, n*m)
		for _, v := range col {
			for range m {
				c = append(c, v)
			}
		}
		return c
	}
	repeat := func(col []float64) []float64 { // the whole column n times
		c := make([]float64, 0, n*m)
		for range n {
			c = append(c, col...)
		}
		return c
	}
	for k := range s.p {
		out.p, out.q = append(out.p, spread(s.p[k])), append(out.q, spread(s.q[k]))
	}
	for k := range t.p {
		out.p, out.q = append(out.p, repeat(t.p[k])), append(out.q, repeat(t.q[k]))
	}
	out.index = make([]int32, out.rows*out.cols)
	for i := range out.rows {
		for j := range out.cols {
			a := s.at(i/t.rows, j/t.cols)
			b := t.at(i%t.rows, j%t.cols)
			out.index[i*out.cols+j] = int32(a*m + b)
		}
	}
	return out
}

// row stores the kernel's values between pair i of side s and every pair of
// side t in dst; input tells whether s holds the input coordinates.
func row(f *kernels.Function, dst []float64, s *pairSet, i int, t *pairSet, input bool) {
	var p, q []expr.Operand
	fixed := func() {
		for k := range s.p {
			p = append(p, expr.Operand{Scalar: s.p[k][i]})
			q = append(q, expr.Operand{Scalar: s.q[k][i]})
		}
	}
	if input {
		fixed()
	}
	for k := range t.p {
		p = append(p, expr.Operand{Vector: t.p[k]})
		q = append(q, expr.Operand{Vector: t.q[k]})
	}
	if !input {
		fixed()
	}
	f.Block(dst, p, q)
}
