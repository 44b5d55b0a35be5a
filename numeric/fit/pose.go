package fit

import (
	"context"
	"fmt"
)

// way is one to write a fit as a problem.
type way struct {
	name string
	// fits reports whether it can be taken, and what is to be said of that.
	fits func(ctx context.Context, q *question) (ok bool, why string, err error)
	make func(ctx context.Context, q *question) (*posed, error)
}

// ways are all, in the order in which they are tried: the first that fits is taken. The
// last one always does. Missing outputs decorate those in the space of the data.
func ways() []way {
	return []way{
		{"dense", fitsDense, makeDense},          // the definition, on request
		{"images", fitsImages, makeImages},       // of pairs with their images, in the space of the data
		{"weights", fitsWeights, makeWeights},    // a constraint on the meshes, in the space of the weights
		{"composed", fitsComposed, makeComposed}, // a constraint as a part of the kernel
		{"data", fitsData, makeData},             // in the space of the data
	}
}

// pose writes a fit whose kernels are chosen as a problem.
func pose(ctx context.Context, s *Spec) (*posed, error) { return poseWith(ctx, s, nil) }

// on is the problem for other data on the same meshes, which shares the kernel.
func (p *posed) on(ctx context.Context, s *Spec) (*posed, error) { return poseWith(ctx, s, p.held) }

func poseWith(ctx context.Context, s *Spec, h *held) (*posed, error) {
	q := &question{spec: s, held: h}
	if err := q.findLattice(ctx); err != nil {
		return nil, err
	}
	for _, w := range ways() {
		ok, why, err := w.fits(ctx, q)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		p, err := w.make(ctx, q)
		if err != nil {
			return nil, err
		}
		p.name, p.held = w.name, q.held
		if why != "" {
			p.why = why + "; " + p.why
		}
		return p, nil
	}
	panic("fit: no way fits, and the last one always does")
}

func fitsDense(_ context.Context, q *question) (bool, string, error) {
	return q.spec.Dense, "asked for", nil
}

func fitsImages(ctx context.Context, q *question) (bool, string, error) {
	s := q.spec
	if q.lattice == nil || missing(s.Data) || s.Lambda == 0 && s.Criterion == LOO || s.biasKernel() != nil {
		return false, "", nil // the bias need not obey; leaving out a pair leaves its images
	}
	o, ok := newOrbit(ctx, q.lattice, s.Data.N())
	if !ok {
		return false, "", nil
	}
	q.orbit = o
	if err := q.hold(ctx, systemSize(len(o.sign)*o.n, s.Data.InputMesh, s.Data.OutputMesh)); err != nil {
		return false, "", err
	}
	ok, err := o.commutes(ctx, q.lattice, q.held.k)
	return ok, "the constraint maps inputs and outputs separately, so each pair is taken with its images", err
}

func fitsWeights(_ context.Context, q *question) (bool, string, error) {
	return q.lattice != nil, "", nil
}

func fitsComposed(_ context.Context, q *question) (bool, string, error) {
	return q.off != "", q.off + ", so the constraint is part of the kernel's expression", nil
}

func fitsData(context.Context, *question) (bool, string, error) { return true, "", nil }

func makeDense(ctx context.Context, q *question) (*posed, error) {
	s := q.spec.composed()
	p, err := newDense(ctx, s)
	if err != nil {
		return nil, err
	}
	return &posed{problem: p, spec: s}, nil
}

func makeImages(ctx context.Context, q *question) (*posed, error) {
	p, err := newImages(ctx, q)
	if err != nil {
		return nil, err
	}
	return &posed{problem: p, why: q.held.why, spec: q.spec, lattice: q.lattice}, err
}

func makeWeights(ctx context.Context, q *question) (*posed, error) {
	p, err := newInWeights(ctx, q)
	if err != nil {
		return nil, err
	}
	return &posed{problem: p, why: q.held.why, spec: q.spec, lattice: q.lattice}, nil
}

// makeComposed chooses λ in the space of the weights: the closed form of the criteria does
// not hold for such a kernel, which is far from diagonal in the bases of the axes.
func makeComposed(ctx context.Context, q *question) (*posed, error) {
	q.spec, q.off = q.spec.composed(), ""
	p, err := makeData(ctx, q)
	if err == nil {
		p.problem = amongWeights{p.problem, q}
	}
	return p, err
}

func makeData(ctx context.Context, q *question) (*posed, error) {
	p, err := newRegression(ctx, q)
	if err != nil {
		return nil, err
	}
	out, d := &posed{problem: p, why: q.held.why, spec: q.spec}, q.spec.Data
	if all := len(d.Output.Data); p.observed() < all {
		out.why += fmt.Sprintf("; %d of %d outputs are missing", all-p.observed(), all)
	}
	return out, nil
}

// newRegression is the problem in the space of the data, of all or of what was observed.
func newRegression(ctx context.Context, q *question) (regression, error) {
	d := q.spec.Data
	if err := q.hold(ctx, systemSize(d.N(), d.InputMesh, d.OutputMesh)); err != nil {
		return nil, err
	}
	if missing(d) {
		return newInObserved(ctx, q)
	}
	return newInData(ctx, q)
}
