package gram

import (
	"math"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/mesh"
)

// UsualTerms is how many Kronecker products kernels take as a rule that are neither products nor
// functions of lags: Matérn kernels 20 to 34.
const UsualTerms = 28

// Outlook is how many Kronecker products Self will most likely hold a kernel by, before it is tried:
// 0 where it is Fourier transforms.
func Outlook(f *kernels.Function, x, y mesh.Mesh) int {
	g := &chooser{reference: &reference{f: f}, x: x, y: y}
	if g.allLags() {
		return 0
	}
	return UsualTerms
}

// OfFamily is the kernel of functions of a family with its mesh, which is held once for so many parameters; of any other kernel
// what it is given, and 1.
func OfFamily(f *kernels.Function, x mesh.Mesh) (field *kernels.Function, on mesh.Mesh, parameters int, err error) {
	of, err := partsOfFamily(f, x)
	if of == nil || err != nil {
		return f, x, 1, err
	}
	return of.field, of.x, of.params.Size(), nil
}

// Separable tells whether a kernel is a function on x times one on y, as far as its values at some
// points near each other can tell.
func Separable(f *kernels.Function, x, y mesh.Mesh) bool {
	const tries, tolerance = 7, 1e-12
	p, q := make([]float64, x.Dim()+y.Dim()), make([]float64, x.Dim()+y.Dim())
	value := func(i, i2, j, j2 int) float64 {
		x.Point(p[:x.Dim()], i)
		y.Point(p[x.Dim():], j)
		x.Point(q[:x.Dim()], i2)
		y.Point(q[x.Dim():], j2)
		return f.At(p, q)
	}
	for k := range tries {
		i, j := k*(x.Size()-1)/tries, (tries-1-k)*(y.Size()-1)/tries
		i2, j2 := min(i+1+k%3, x.Size()-1), min(j+1+k%2, y.Size()-1)
		whole := value(i, i, j, j) * value(i, i2, j, j2)
		if !(math.Abs(whole-value(i, i2, j, j)*value(i, i, j, j2)) <= tolerance*value(i, i, j, j)*value(i2, i2, j2, j2)) {
			return false
		}
	}
	return true
}

// What structures take on the processor that costs are of, in seconds; see [linop.Here].
const (
	perLag    = 30e-9  // setting up Fourier transforms, by weight and axis
	perWeight = 11e-9  // and a product by them
	perPair   = 0.8e-9 // finding a sum of products, by pair of points of a side and square of the number of terms
	perCheck  = 5e-9   // a value of the kernel that such a sum is held against
	usualRows = 400    // flops by weight and term, of the rows that it is held against
)

// Holding is about how long it takes to find the structure of a kernel on mx and my points, on meshes with so many axes
// together: a sum of some Kronecker products, or 0 for Fourier transforms.
func Holding(mx, my, terms float64, axes int) float64 {
	if terms == 0 {
		return perLag * float64(axes) * mx * my
	}
	weights := mx * my
	return perPair*terms*terms*(mx*mx+my*my) + perCheck*min(weights*weights, checkPairs) + usualRows*terms*weights*linop.PerFlop
}

// ProductTime is about how long a product with a kernel takes that is so held, on meshes with so many axes together.
func ProductTime(mx, my, terms float64, axes int) float64 {
	if terms == 0 {
		return perWeight * float64(axes) * mx * my
	}
	return terms * 2 * mx * my * (mx + my) * linop.PerFlop
}

// CongruenceTime is about how long it takes to find the structure of a kernel, a product where it can be, and the matrix
// (B ⊗ V) K (B ⊗ V)ᵀ, for so many rows of B and of V.
func CongruenceTime(f *kernels.Function, x, y mesh.Mesh, rows, modes float64) float64 {
	mx, my, terms := float64(x.Size()), float64(y.Size()), float64(Outlook(f, x, y))
	if Separable(f, x, y) {
		terms = 1
	}
	if terms == 0 {
		axes := len(x.Axes()) + len(y.Axes())
		each := ProductTime(mx, my, 0, axes)
		return Holding(mx, my, 0, axes) + rows*modes*(each+2*rows*mx*my*linop.PerFlop)
	}
	return Holding(mx, my, terms, 0) + terms*(2*rows*mx*mx+2*modes*my*my+rows*rows*modes*modes)*linop.PerFlop
}
