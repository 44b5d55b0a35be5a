package gram

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/linop"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Product is the kernel operator K on weights over X × Y, row-major mx × my.
// It is symmetric.
type Product interface {
	linop.Operator
	linop.Describer
	// Diagonal keeps of K, between each pair of inputs, only the diagonal in the
	// output vectors v. The error is the context's.
	Diagonal(ctx context.Context, v Basis) (Diagonal, error)
}

// Factored is a Product held as Σ_q Left(q) ⊗ Right(q).
type Factored interface {
	Product
	Terms() int
	Left(q int) mat.Matrix  // mx × mx
	Right(q int) mat.Matrix // my × my
}

// Rough is a Product whose Diagonal comes from a rough form of the kernel: good
// enough to choose bases by, but not a preconditioner to rely on.
type Rough interface {
	Product
	Rough()
}

// Basis holds vectors on the output mesh, one matrix per axis with a vector in
// each column; the vectors of the mesh are their tensor products, row-major.
type Basis []*mat.Dense

// Diagonal is C_k(x, ξ) = v_kᵀ K(x,·; ξ,·) v_k for every output vector v_k.
type Diagonal interface {
	// Sum returns Σ_k C_k, mx × mx. The error is the context's.
	Sum(ctx context.Context) (*mat.SymDense, error)
	// Forms returns ⟨b_i, C_k b_i⟩ for the columns b_i of b: r × my for b of
	// mx × r. The error is the context's.
	Forms(ctx context.Context, b *mat.Dense) (*mat.Dense, error)
}

// Structure says which form an operator takes.
type Structure string

// The structures. Automatic lets gram choose.
const (
	Automatic Structure = ""
	FFT       Structure = "toeplitz"
	Kronecker Structure = "kronecker"
	Blocks    Structure = "blocks"
	Gaussians Structure = "mixture"
	Scaled    Structure = "scaled"
	Ranks     Structure = "rank"
	Full      Structure = "dense"
)

// Options change the choice; the zero value lets gram choose.
type Options struct {
	Structure Structure // insist on one; refused where it does not apply
}

const (
	crossTolerance = 1e-13 // of Kronecker sums, relative to the kernel's largest value
	maxTerms       = 64    // of a Kronecker sum that is worth having
	maxPairs       = 1 << 23
	maxDense       = 4096 // unknowns whose matrix is held in memory rather than evaluated anew
)

// Self returns K on X × Y and the reason for its structure. The coordinates of
// f are those of x, then those of y.
func Self(ctx context.Context, f *kernel.Function, x, y mesh.Mesh, o Options) (Product, string, error) {
	if x.Dim()+y.Dim() != f.Space.Dim() {
		return nil, "", fmt.Errorf("gram: meshes have %d + %d coordinates, the kernel %d", x.Dim(), y.Dim(), f.Space.Dim())
	}
	g := &chooser{ctx: ctx, f: f, x: x, y: y}
	switch o.Structure {
	case Automatic:
		return g.choose()
	case FFT:
		if !g.allLags() {
			return nil, "", fmt.Errorf("structure toeplitz: %s", g.whyNotLags())
		}
		p, err := newToeplitz(ctx, f, x, y)
		return p, "asked for", err
	case Kronecker:
		p, err := g.kronecker(crossTolerance, math.MaxInt)
		if err == nil && p == nil {
			err = fmt.Errorf("structure kronecker: no sum of Kronecker products reaches 1e-13")
		}
		return p, "asked for", err
	case Gaussians:
		p := newMixture(g.f, x, y, x, y)
		if p == nil {
			return nil, "", fmt.Errorf("structure mixture: %s is no mixture of Gaussians on these meshes", f.Kernel)
		}
		return p, "asked for", nil
	case Ranks:
		p, err := g.ranked()
		if err == nil && p == nil {
			err = fmt.Errorf("structure rank: the matrix of %s has no low rank", f.Kernel)
		}
		return p, "asked for", err
	case Scaled:
		p, err := newScaled(ctx, f, x, y)
		return p, "asked for", err
	case Full:
		p, err := newDense(ctx, f, x, y)
		return p, "asked for", err
	case Blocks:
		p, err := newBlocks(ctx, f, x, y)
		return p, "asked for", err
	}
	return nil, "", fmt.Errorf("structure %q: must be toeplitz, kronecker, mixture, scaled, rank, blocks or dense", o.Structure)
}

// chooser finds the structure of one kernel on one pair of meshes.
type chooser struct {
	ctx  context.Context
	f    *kernel.Function
	x, y mesh.Mesh
}

func (g *chooser) choose() (Product, string, error) {
	if p, why, err := g.structured(); p != nil || err != nil {
		return p, why, err
	}
	if p, err := g.ranked(); p != nil || err != nil {
		return p, g.whyNotLags() + ", and the kernel is smooth: its matrix has a low rank", err
	}
	why := fmt.Sprintf("%s, and no short sum of Kronecker products reproduces the kernel", g.whyNotLags())
	if g.x.Size()*g.y.Size() <= maxDense {
		p, err := newDense(g.ctx, g.f, g.x, g.y)
		return p, why, err
	}
	p, err := newBlocks(g.ctx, g.f, g.x, g.y)
	return p, why, err
}

// structured returns nil when nothing better is found than to evaluate the
// kernel between all pairs of points.
func (g *chooser) structured() (Product, string, error) {
	lags := g.allLags()
	if !lags && len(g.x.Axes())+len(g.y.Axes()) > 2 {
		if p := newMixture(g.f, g.x, g.y, g.x, g.y); p != nil {
			return p, fmt.Sprintf("%s, and the kernel is a mixture of Gaussians", g.whyNotLags()), nil
		}
	}
	if !lags || len(g.y.Axes()) == 1 && len(g.x.Axes()) == 1 {
		limit := maxTerms
		if lags {
			limit = 2 // beyond, the FFT is faster
		} else if scaled, err := g.scaledSum(); err != nil {
			return nil, "", err
		} else if scaled != nil {
			k, err := g.kronecker(crossTolerance, min(maxTerms, max(shortSum, 4*len(scaled.terms))))
			if err != nil {
				return nil, "", err
			}
			if k != nil {
				return k, fmt.Sprintf("the kernel's values have rank %d between input and output pairs, to %.0e", k.Terms(), max(k.error, 1e-16)), nil
			}
			if p, err := g.ranked(); p != nil || err != nil {
				return p, g.whyNotLags() + ", and the kernel is smooth: its matrix has a low rank", err
			}
			return scaled, "the kernel is a sum of kernels scaled from point to point, each with a structure of its own", nil
		}
		k, err := g.kronecker(crossTolerance, limit)
		if err != nil {
			return nil, "", err
		}
		switch {
		case k != nil && k.Terms() == 1:
			return k, "the kernel is separable into input and output", nil
		case k != nil:
			return k, fmt.Sprintf("the kernel's values have rank %d between input and output pairs, to %.0e", k.Terms(), max(k.error, 1e-16)), nil
		}
	}
	if lags {
		p, err := newToeplitz(g.ctx, g.f, g.x, g.y)
		return p, "the kernel depends on differences only and every axis is uniform", err
	}
	return nil, "", nil
}

// allLags reports whether the kernel sees only lags on every axis.
func (g *chooser) allLags() bool { return g.whyNotLags() == "" }

func (g *chooser) whyNotLags() string {
	c := 0
	for _, a := range append(g.x.Axes(), g.y.Axes()...) {
		name := g.f.Space.Names[c]
		if a.Dim() > 1 || a.Scattered() {
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

// kronecker returns nil when the kernel has no such sum of limit terms, or when
// its factors would be too large.
func (g *chooser) kronecker(tol float64, limit int) (*kronecker, error) {
	px := sidePairsWithin(g.f, g.x, g.x, 0)
	py := sidePairsWithin(g.f, g.y, g.y, g.x.Dim())
	if px == nil || py == nil {
		return nil, nil
	}
	low, err := cross(g.ctx, g.f, px, py, tol, limit)
	if err != nil || low == nil {
		return nil, err
	}
	return newKronecker(low, px, py)
}

// sidePairsWithin is sidePairs, or nil when there would be more than maxPairs.
func sidePairsWithin(f *kernel.Function, a, b mesh.Mesh, first int) *pairSet {
	if a.Size()*b.Size() > maxPairs {
		return nil
	}
	return sidePairs(f, a, b, first)
}
