package gram

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/greenbench/workbench/internal/numeric/kernels"
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

// structures lists them as gram prefers them, each in its own file. The first that is apt, made, and found
// to be the kernel is taken; those at the end are evaluated from the kernel itself.
func structures() []structure {
	return []structure{
		partsStructure(), coupledStructure(), familyStructure(), mixtureStructure(), kroneckerStructure(), fftStructure(),
		ranksStructure(), scaledStructure(), longKroneckerStructure(), denseStructure(), blocksStructure(),
	}
}

// Structures are the names of those that can be asked for, as gram prefers them.
func Structures() (names []Structure) {
	for _, s := range structures() {
		if !s.given && !slices.Contains(names, s.name) {
			names = append(names, s.name)
		}
	}
	return names
}

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
	asked bool // the structure is not gram's choice
}

func newChooser(ctx context.Context, f *kernels.Function, x, y mesh.Mesh) (*chooser, error) {
	r, err := newReference(ctx, f, x, y, x, y)
	return &chooser{reference: r, x: x, y: y}, err
}

// candidate is a Product to be held against the kernel.
type candidate interface {
	Product
	compressed
	set(*Check)
}

// choose takes the first structure that is the kernel.
func (g *chooser) choose() (Product, string, error) {
	var refused []string
	for _, s := range structures() {
		if !s.apt(g) {
			continue
		}
		p, wrong, err := g.try(s)
		switch {
		case err != nil:
			return nil, "", err
		case wrong != "":
			refused = append(refused, fmt.Sprintf("structure %s %s", s.name, wrong))
		case p != nil:
			return p, strings.Join(append([]string{s.why(g, p)}, refused...), "; "), nil
		}
	}
	return nil, "", fmt.Errorf("gram: no structure for %s", g.f.Kernel)
}

// try makes a structure and holds it against the kernel; p is nil when there is no
// such structure, or when it is wrong.
func (g *chooser) try(s structure) (p Product, wrong string, err error) {
	p, err = s.make(g)
	c, ok := p.(candidate)
	if err != nil || !ok {
		return p, "", err
	}
	check, wrong, err := g.check(c)
	if err != nil || wrong != "" {
		return nil, wrong, err
	}
	c.set(check)
	return p, "", nil
}

// insist makes the structure that was asked for.
func (g *chooser) insist(name Structure) (Product, string, error) {
	g.asked = true
	for _, s := range structures() {
		if s.name != name {
			continue
		}
		p, wrong, err := g.try(s)
		switch {
		case err != nil:
			return nil, "", err
		case wrong != "":
			return nil, "", fmt.Errorf("structure %s: %s; leave the choice of the structure to the program", name, wrong)
		case p == nil:
			return nil, "", fmt.Errorf("structure %s: %s", name, s.lacks(g))
		}
		return p, "asked for", nil
	}
	return nil, "", fmt.Errorf("structure %q: must be one of %v", name, Structures())
}

// ofTerm is the structure of a term of a sum, not held against the kernel: the sum
// will be. It is nil when nothing is better than to evaluate the kernel.
func (g *chooser) ofTerm() (candidate, error) {
	for _, s := range structures() {
		if !s.term || !s.apt(g) {
			continue
		}
		if p, err := s.make(g); p != nil || err != nil {
			c, _ := p.(candidate)
			return c, err
		}
	}
	return nil, nil
}

// worthHaving is how many Kronecker products are better than another structure.
func (g *chooser) worthHaving() int {
	switch {
	case g.asked:
		return math.MaxInt
	case g.allLags():
		return 2 // beyond, the FFT is faster
	}
	if terms, err := g.f.Terms(); err == nil && terms != nil {
		return min(maxTerms, max(shortSum, 4*len(terms)))
	}
	return maxTerms
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

// sidePairsWithin lists the pairs of points of two meshes on one side of the kernel, whose
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
