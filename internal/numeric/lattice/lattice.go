package lattice

import (
	"slices"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/laws"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Lattice is a constraint on meshes that its maps send to themselves: index maps and
// a mask on arrays of weights over X × Y, or over the reduced meshes when time is
// reduced to a lag.
type Lattice struct {
	x, y   mesh.Mesh    // of the weights; the lag is the last axis of y
	space  kernel.Space // of the kernel, on x then y
	full   kernel.Space // before the reduction
	lag    *laws.Lag
	point  bool // the input had no coordinate but time; see gram.Point
	before int  // lags on the axis before those between the meshes

	images     []laws.Image // the group on the lattice's space
	generators []laws.Image // of that group
	chi        *expr.Node   // the mask on the lattice's space; nil: everywhere one

	off    string     // why the maps do not send the meshes to themselves; "": they do
	maps   []IndexMap // of the generators; nil: nothing to average
	orbits *orbits    // of these maps
	mask   []float64  // 0 or 1 for each weight; nil: all ones
}

// Space names the coordinates of (x, y).
func Space(x, y mesh.Mesh) kernel.Space {
	in, out := mesh.JointNames(x, y)
	return kernel.Space{Names: append(in, out...), Inputs: x.Dim()}
}

// Centre is the middle of the box that holds the product of meshes.
func Centre(meshes ...mesh.Mesh) []float64 {
	var c []float64
	for _, m := range meshes {
		for _, a := range m.Axes() {
			for i := range a.Lower {
				c = append(c, (a.Lower[i]+a.Upper[i])/2)
			}
		}
	}
	return c
}

// OnMeshes reports whether the maps of the constraint send the points of the meshes to one
// another. Where they do not, why says what is in the way; the lattice then has the meshes, but
// no average and no mask: the constrained kernel as one expression does without, see
// [constraint.Apply].
func (l *Lattice) OnMeshes() (ok bool, why string) { return l.off == "", l.off }

// X is the mesh of the input's coordinates.
func (l *Lattice) X() mesh.Mesh { return l.x }

// Y is the mesh of the output's coordinates, of which the lag is the last.
func (l *Lattice) Y() mesh.Mesh { return l.y }

// Space is that of the kernel, on X then Y.
func (l *Lattice) Space() kernel.Space { return l.space }

// Full is the space before the reduction.
func (l *Lattice) Full() kernel.Space { return l.full }

// Lag is the reduction of two times to their difference, nil for none.
func (l *Lattice) Lag() *laws.Lag { return l.lag }

// Point reports whether the input has no coordinate but time: X has one point then, see
// [gram.Point].
func (l *Lattice) Point() bool { return l.point }

// Before is how many lags are on the last axis of Y before those between the meshes.
func (l *Lattice) Before() int { return l.before }

// Images are the maps that are averaged over; nil without a constraint.
func (l *Lattice) Images() []laws.Image { return l.images }

// Maps are the index maps of generators of the group; nil: nothing to average.
func (l *Lattice) Maps() []IndexMap { return l.maps }

// Masked reports whether there is a mask.
func (l *Lattice) Masked() bool { return l.mask != nil }

// Kernel is the kernel on the lattice's space.
func (l *Lattice) Kernel(k kernel.Kernel) kernel.Kernel {
	if l.point {
		return gram.OnOutput{Kernel: k}
	}
	return k
}

// reduced returns the coordinates of a point in the lattice's space.
func (l *Lattice) reduced(x []*expr.Node) []*expr.Node {
	if l.lag == nil {
		return x
	}
	return l.pointed(l.lag.Point(x))
}

// seen returns the coordinates of a point as masks see them: a lag that is zero but for rounding is zero.
func (l *Lattice) seen(x []*expr.Node) []*expr.Node {
	if l.lag == nil {
		return x
	}
	return l.pointed(l.lag.Seen(x))
}

func (l *Lattice) pointed(x []*expr.Node) []*expr.Node {
	if l.point {
		return append([]*expr.Node{expr.Const(0)}, x...)
	}
	return x
}

// On is the lattice of two meshes without a constraint.
func On(x, y mesh.Mesh) *Lattice {
	l := &Lattice{x: x, y: y, full: Space(x, y)}
	l.space = l.full
	return l
}

// group is what is averaged over: at least the identity.
func (l *Lattice) group() []laws.Image {
	if l.images != nil {
		return l.images
	}
	return identity(l.space)
}

func identity(s kernel.Space) []laws.Image {
	one := laws.Image{Sign: 1}
	for i, name := range s.Names {
		one.At, one.Permutation = append(one.At, expr.Var(i, name)), append(one.Permutation, i)
	}
	return []laws.Image{one}
}

// lift returns maps of the lattice's space for maps of the reduced one, which may lack
// the one point of an input.
func (l *Lattice) lift(images []laws.Image) []laws.Image {
	if !l.point {
		return images
	}
	out := make([]laws.Image, len(images))
	for i, im := range images {
		out[i] = laws.Image{Sign: im.Sign, At: []*expr.Node{expr.Var(0, gram.PointName)}}
		for _, n := range im.At {
			out[i].At = append(out[i].At, l.lifted(n))
		}
		if im.Permutation != nil {
			out[i].Permutation = []int{0}
			for _, j := range im.Permutation {
				out[i].Permutation = append(out[i].Permutation, j+1)
			}
		}
	}
	return out
}

func (l *Lattice) lifted(n *expr.Node) *expr.Node {
	if !l.point {
		return n
	}
	by := map[int]*expr.Node{}
	for i := 1; i < l.space.Dim(); i++ {
		by[i-1] = expr.Var(i, l.space.Names[i])
	}
	return expr.Substitute(n, by)
}

// Size is the number of weights.
func (l *Lattice) Size() int { return l.x.Size() * l.y.Size() }

// columns are the coordinates of all weights in the lattice's space.
func (l *Lattice) columns() [][]float64 { return columnsOf(append(l.x.Axes(), l.y.Axes()...)) }

// alongAxis returns the coordinates of the points of axis k, by coordinate, with
// the first point of each other axis.
func (l *Lattice) alongAxis(k int) [][]float64 {
	var out [][]float64
	axes := append(l.x.Axes(), l.y.Axes()...)
	for i, a := range axes {
		column := a.Coordinates
		if i != k {
			column = slices.Repeat(a.Coordinates[:1], axes[k].Size())
		}
		out = append(out, column)
	}
	return out
}
