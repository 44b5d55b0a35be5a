package lattice

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/numeric/kernel"
)

// Expansion is a function that obeys a constraint, by weights W on the meshes of a lattice:
//
//	G(p) = χ(p)/|Γ| Σ_{g ∈ Γ} σ(g) F(g φ p),   F(z) = Σ_j k(z, z_j) W_j
//
// with the reduction φ, the group Γ and the mask χ of the lattice. Every value of it, and of
// its derivatives, is found in one way: where the points that are asked for are a product of
// meshes in the coordinates of the lattice, so is their image under each map that does not mix
// inputs and outputs, and [gram.Cross] evaluates F there with what structure the kernel has;
// where the maps send the points to one another, F is evaluated once. Other points cost one
// kernel value for each map and weight. It is immutable and safe for concurrent use.
type Expansion struct {
	l       *Lattice
	kernel  *kernels.Function // on the space of l
	weights *mat.Dense
	obeys   bool // F is G but for rounding, and where the mask is
}

// Expand compiles the kernel k for weights on the meshes of the lattice, X.Size × Y.Size.
func (l *Lattice) Expand(k kernel.Kernel, weights *mat.Dense) (*Expansion, error) {
	f, err := kernels.Compile(l.Kernel(k), l.space)
	if err != nil {
		return nil, err
	}
	return &Expansion{l: l, kernel: f, weights: weights, obeys: l.invariant(f) && l.obey(weights)}, nil
}

// invariant reports whether the maps of the group, applied to both arguments, leave a kernel as it
// is: they mirror and move coordinates of which it knows the distance only.
func (l *Lattice) invariant(f *kernels.Function) bool {
	for _, im := range l.images {
		for i, name := range l.space.Names {
			if im.Permutation == nil || im.Permutation[i] != i || !f.Even(i) && !expr.Equal(im.At[i], expr.Var(i, name)) {
				return false
			}
		}
	}
	return true
}

// obey reports whether weights are their own average, but for rounding.
func (l *Lattice) obey(weights *mat.Dense) bool {
	own := weights.RawMatrix().Data
	average := slices.Clone(own)
	l.Average(average)
	return l.off == "" && floats.Distance(own, average, math.Inf(1)) <= lagTolerance*floats.Norm(own, math.Inf(1))
}

// Lattice is that of the weights.
func (e *Expansion) Lattice() *Lattice { return e.l }
