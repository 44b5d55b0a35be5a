package mesh

import (
	"fmt"
	"slices"
	"strings"

	"github.com/greenbench/workbench/internal/numeric/dense"
)

// Mesh is the tensor product of axes. It is immutable; the zero Mesh has no
// points.
type Mesh struct {
	axes  []Axis
	names []string
	size  int
}

// New returns the tensor product of the axes, the first varying slowest. Axes
// without a name are called x, y, z, x4, … in order, skipping names in use. Two
// axes of the same name are refused, and a product with more points than memory
// has room for numbers.
func New(axes ...Axis) (Mesh, error) {
	if len(axes) == 0 {
		return Mesh{}, fmt.Errorf("mesh: needs at least one axis")
	}
	points := 1.0
	for _, a := range axes {
		points *= float64(a.Size())
	}
	if err := dense.CheckSize("mesh: a product of "+dense.ShapeString(Mesh{axes: axes}.Shape())+" points", points); err != nil {
		return Mesh{}, err
	}
	m := Mesh{axes: slices.Clone(axes), size: 1}
	given := map[string]bool{}
	for _, a := range axes {
		m.size *= a.Size()
		for _, name := range a.Names {
			if name != "" && given[name] {
				return Mesh{}, fmt.Errorf("axis name %q: used twice; give the axes different names", name)
			}
			given[name] = true
		}
	}
	free := 0
	for _, a := range axes {
		for _, name := range a.Names {
			for name == "" || (name != "" && slices.Contains(m.names, name)) {
				name = defaultName(free)
				free++
				if given[name] {
					name = ""
				}
			}
			m.names = append(m.names, name)
		}
	}
	return m, nil
}

func defaultName(i int) string {
	if i < 3 {
		return "xyz"[i : i+1]
	}
	return fmt.Sprintf("x%d", i+1)
}

// Must returns m, or panics with err. For tests and for axes known to be valid.
func Must(a Axis, err error) Mesh {
	if err != nil {
		panic(err)
	}
	m, err := New(a)
	if err != nil {
		panic(err)
	}
	return m
}

// Product returns the tensor product of a and b, the axes of a first.
func Product(a, b Mesh) (Mesh, error) {
	return New(append(slices.Clone(a.axes), b.axes...)...)
}

// Size is the number of points.
func (m Mesh) Size() int { return m.size }

// Dim is the number of coordinates of a point.
func (m Mesh) Dim() int { return len(m.names) }

// Names are the names of the coordinates, length Dim.
func (m Mesh) Names() []string { return slices.Clone(m.names) }

// Axes are the factors of the product.
func (m Mesh) Axes() []Axis { return slices.Clone(m.axes) }

// Shape is the number of points of each axis.
func (m Mesh) Shape() []int {
	s := make([]int, len(m.axes))
	for i, a := range m.axes {
		s[i] = a.Size()
	}
	return s
}

// Point stores the i-th point, 0 <= i < Size, in dst; len(dst) == Dim.
func (m Mesh) Point(dst []float64, i int) {
	c := len(dst)
	for k := len(m.axes) - 1; k >= 0; k-- {
		a := m.axes[k]
		d, n := a.Dim(), a.Size()
		c -= d
		copy(dst[c:c+d], a.Coordinates[(i%n)*d:(i%n+1)*d])
		i /= n
	}
}

// Points returns all points, Size × Dim, row-major.
func (m Mesh) Points() []float64 {
	if len(m.axes) == 1 {
		return slices.Clone(m.axes[0].Coordinates)
	}
	d := m.Dim()
	p := make([]float64, m.size*d)
	for i := range m.size {
		m.Point(p[i*d:(i+1)*d], i)
	}
	return p
}

// Columns returns the coordinates one by one: Dim slices of length Size.
func (m Mesh) Columns() [][]float64 { return m.ColumnsOf(0, m.size) }

// ColumnsOf returns the coordinates of points lo … hi-1: Dim slices of length hi-lo.
func (m Mesh) ColumnsOf(lo, hi int) [][]float64 {
	cols := make([][]float64, 0, m.Dim())
	stride := m.size
	for _, a := range m.axes {
		n, d := a.Size(), a.Dim()
		stride /= n
		for k := range d {
			col := make([]float64, hi-lo)
			for i := lo; i < hi; { // the next points have one coordinate until the next multiple of stride
				end := min(hi, (i/stride+1)*stride)
				v := a.Coordinates[i/stride%n*d+k]
				for ; i < end; i++ {
					col[i-lo] = v
				}
			}
			cols = append(cols, col)
		}
	}
	return cols
}

// Weights returns the product quadrature weights, length Size.
func (m Mesh) Weights() []float64 {
	w := []float64{1}
	for _, a := range m.axes {
		next := make([]float64, 0, len(w)*a.Size())
		for _, p := range w {
			for _, q := range a.Weights {
				next = append(next, p*q)
			}
		}
		w = next
	}
	return w
}

// Rename returns the mesh with other names for its coordinates.
func (m Mesh) Rename(names ...string) (Mesh, error) {
	if len(names) != m.Dim() {
		return Mesh{}, fmt.Errorf("names: got %d, must be one per coordinate (%d)", len(names), m.Dim())
	}
	axes, c := slices.Clone(m.axes), 0
	for i := range axes {
		d := axes[i].Dim()
		axes[i].Names = slices.Clone(names[c : c+d])
		c += d
	}
	return New(axes...)
}

// Refine returns the mesh with spacings k times finer by the same rules:
// (n-1)k+1 points where the ends are included, nk otherwise. Scattered axes
// and axes of given points cannot be refined.
func (m Mesh) Refine(k int) (Mesh, error) {
	if k < 1 {
		return Mesh{}, fmt.Errorf("k %d: must be at least 1", k)
	}
	for _, a := range m.axes {
		points := float64(a.Size()) * float64(k)
		if err := dense.CheckSize(fmt.Sprintf("k %d: an axis of %g points", k, points), points); err != nil {
			return Mesh{}, err
		}
	}
	axes := make([]Axis, len(m.axes))
	for i, a := range m.axes {
		fine, err := a.refine(k)
		if err != nil {
			return Mesh{}, err
		}
		axes[i] = fine
	}
	return New(axes...)
}

func (a Axis) refine(k int) (Axis, error) {
	base, right := a, a.Rule == rightRule
	if right {
		base.Rule = TrapezoidRule
	}
	if r, ok := ruleOf(base); ok {
		fine, err := r.Axis(a.Lower[0], a.Upper[0], r.refined(a.Size(), k), a.Names[0])
		if err != nil || !right {
			return fine, err
		}
		return fine.Right()
	}
	return Axis{}, fmt.Errorf("axis %s: its points were given, so there is no rule to refine it by", a)
}

// Right returns the points of a mesh of one axis with the weights of right Riemann
// sums, as [Axis.Right].
func (m Mesh) Right() (Mesh, error) {
	if len(m.axes) != 1 {
		return Mesh{}, fmt.Errorf("a mesh of %d axes: take right() of one axis, and then the product", len(m.axes))
	}
	a, err := m.axes[0].Right()
	if err != nil {
		return Mesh{}, err
	}
	return New(a)
}

// Equal reports whether a and b have the same coordinates and weights.
func (m Mesh) Equal(b Mesh) bool {
	return slices.EqualFunc(m.axes, b.axes, func(p, q Axis) bool {
		return p.Dim() == q.Dim() && slices.Equal(p.Coordinates, q.Coordinates) && slices.Equal(p.Weights, q.Weights)
	})
}

// String is the product of the axes.
func (m Mesh) String() string {
	s := make([]string, len(m.axes))
	for i, a := range m.axes {
		s[i] = a.String()
	}
	return strings.Join(s, " * ")
}

// JointNames names the coordinates of input × output so that each is told
// apart. Names used on both sides are changed: a single space axis x becomes
// input x, output y; a time t becomes input s, output t; any other output name
// gets the ending _out.
func JointNames(input, output Mesh) (in, out []string) {
	in, out = input.Names(), output.Names()
	space := 0
	for _, n := range in {
		if n != "t" {
			space++
		}
	}
	used := func(n string) bool { return slices.Contains(in, n) || slices.Contains(out, n) }
	for i, n := range in {
		j := slices.Index(out, n)
		switch {
		case j < 0:
		case n == "t" && !used("s"):
			in[i] = "s"
		case n == "x" && space == 1 && !used("y"):
			out[j] = "y"
		default:
			out[j] = n + "_out"
		}
	}
	return in, out
}
