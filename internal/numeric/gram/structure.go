package gram

import (
	"context"
	"fmt"
	"strings"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/mesh"
)

// structure is one form that K on X × Y may take.
type structure struct {
	name Structure
	// apt says whether it is worth trying where gram chooses.
	apt func(g *chooser) bool
	// make returns nil where the kernel and the meshes do not have the structure.
	make func(g *chooser) (Product, error)
	// why is the reason given for it.
	why func(g *chooser, p Product) string
	// lacks says why make returned nil.
	lacks func(g *chooser) string
	// term says that it may be that of one term of a sum.
	term bool
	// given says that its kernels always have it, so that no one asks for it.
	given bool
	// between makes the operator between different meshes; nil where there is none.
	between func(c *crosser) (adjoint, error)
}

func always(*chooser) bool { return true }

// made turns a pointer that is nil into a Product that is nil.
func made[T any, P interface {
	*T
	Product
}](p P, err error) (Product, error) {
	if p == nil {
		return nil, err
	}
	return p, err
}

// chooser finds the structure of one kernel on one pair of meshes.
type chooser struct {
	*reference
	x, y  mesh.Mesh
	among []structure // as gram prefers them
	asked bool        // the structure is not gram's choice
}

func newChooser(ctx context.Context, f *kernels.Function, x, y mesh.Mesh, among []structure) (*chooser, error) {
	if x.Dim()+y.Dim() != f.Space.Dim() {
		return nil, fmt.Errorf("gram: meshes have %d + %d coordinates, the kernel %d", x.Dim(), y.Dim(), f.Space.Dim())
	}
	r, err := newReference(ctx, f, x, y, x, y)
	return &chooser{reference: r, x: x, y: y, among: among}, err
}

// candidate is a Product to be held against the kernel.
type candidate interface {
	Product
	compressed
	set(*Check)
}

// allLags reports whether the kernel sees only lags on every axis.
func (g *chooser) allLags() bool { return g.whyNotLags() == "" }

// notLags is a reason, after the one that speaks against the FFT.
func (g *chooser) notLags(reason string) string {
	if why := g.whyNotLags(); why != "" {
		return why + ", " + reason
	}
	return strings.TrimPrefix(reason, "and ")
}

func (g *chooser) whyNotLags() string {
	c := 0
	for _, a := range append(g.x.Axes(), g.y.Axes()...) {
		name := g.f.Space.Names[c]
		if a.Scattered() {
			return fmt.Sprintf("the points of %s are scattered", name)
		}
		if a.Step == 0 {
			return fmt.Sprintf("the spacing of %s varies", name)
		}
		if !g.f.Stationary(c) {
			return fmt.Sprintf("the kernel is not a function of the difference in %s", name)
		}
		c++
	}
	return ""
}

// crosser finds operators from functions on x × y to functions on xs × ys.
type crosser struct {
	*reference
	xs, ys, x, y mesh.Mesh
	most         float64 // entries of matrices that are worth making
}

// adjoint is an operator to be held against the kernel.
type adjoint interface {
	linop.Adjoint
	compressed
}
