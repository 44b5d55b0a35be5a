package fit

import (
	"context"
	"fmt"

	"github.com/greenbench/workbench/numeric/internal/outputs"
)

// way is one to write a fit as a problem.
type way struct {
	name string
	// pose returns nil where the fit cannot be written so.
	pose func(ctx context.Context, q *question) (*posed, error)
}

// ways are all, in the order in which they are tried: the first that can be taken is. The
// last one always can. Missing outputs decorate those in the space of the data.
func ways() []way {
	return []way{
		{"dense", poseDense},       // the definition, on request
		{"images", poseImages},     // of pairs with their images, in the space of the data
		{"weights", poseWeights},   // a constraint on the meshes, in the space of the weights
		{"composed", poseComposed}, // a constraint as a part of the kernel
		{"data", poseData},         // in the space of the data
	}
}

// pose writes a fit whose kernels are chosen as a problem.
func pose(ctx context.Context, s *Spec) (*posed, error) { return poseWith(ctx, s, nil) }

// on is the problem for other data on the same meshes, which shares the kernel.
func (p *posed) on(ctx context.Context, s *Spec) (*posed, error) { return poseWith(ctx, s, p.held) }

func poseWith(ctx context.Context, s *Spec, h *held) (*posed, error) {
	q, err := newQuestion(s, h)
	if err != nil {
		return nil, err
	}
	if err := q.findLattice(ctx); err != nil {
		return nil, err
	}
	for _, w := range ways() {
		p, err := w.pose(ctx, q)
		if err != nil {
			return nil, err
		}
		if p != nil {
			given := *q.spec
			given.Data = s.Data
			p.name, p.spec, p.held = w.name, &given, q.held
			return p, nil
		}
	}
	panic("fit: no way can be taken, and the last one always can")
}

func poseDense(ctx context.Context, q *question) (*posed, error) {
	if !q.spec.Dense {
		return nil, nil
	}
	q.spec = q.spec.composed()
	p, err := newDense(ctx, q.spec)
	return &posed{problem: p, why: "asked for"}, err
}

func poseImages(ctx context.Context, q *question) (*posed, error) {
	s := q.spec
	if q.lattice == nil || s.withoutImages() {
		return nil, nil
	}
	o, ok := newOrbit(ctx, q.lattice, s.Data.N())
	if !ok {
		return nil, nil
	}
	q.orbit = o
	if err := q.hold(ctx, systemSize(len(o.sign)*o.n, s.Data.InputMesh, s.Data.OutputMesh)); err != nil {
		return nil, err
	}
	if ok, err := o.commutes(ctx, q.lattice, q.held.k); err != nil || !ok {
		return nil, err
	}
	parts, ok, err := q.biasParts(ctx)
	if err != nil || !ok {
		return nil, err
	}
	p, err := newImages(ctx, q, parts)
	return &posed{problem: p, why: "the constraint maps inputs and outputs separately, so each pair is taken with its images; " + q.held.why, lattice: q.lattice}, err
}

// withoutImages reports whether pairs cannot be taken with their images, whatever the constraint: leaving out a pair
// leaves its images.
func (s *Spec) withoutImages() bool {
	return outputs.Missing(s.Data) || s.Data.Errors != nil || s.Lambda == 0 && s.Criterion == LOO
}

func poseWeights(ctx context.Context, q *question) (*posed, error) {
	if q.lattice == nil {
		return nil, nil
	}
	p, err := newInWeights(ctx, q)
	if err != nil {
		return nil, err
	}
	return &posed{problem: p, why: q.held.why, lattice: q.lattice}, nil
}

// poseComposed chooses λ in the space of the weights: the closed form of the criteria does
// not hold for such a kernel, which is far from diagonal in the bases of the axes.
func poseComposed(ctx context.Context, q *question) (*posed, error) {
	if q.off == "" {
		return nil, nil
	}
	why := q.off + ", so the constraint is part of the kernel's expression; "
	q.spec, q.off = q.spec.composed(), ""
	p, err := poseData(ctx, q)
	if err != nil {
		return p, err
	}
	p.why = why + p.why
	if _, exact := p.problem.(*inValues); !exact {
		p.problem = amongWeights{p.problem, q}
	}
	return p, nil
}

func poseData(ctx context.Context, q *question) (*posed, error) {
	p, err := newRegression(ctx, q)
	if err != nil {
		return nil, err
	}
	out := &posed{problem: p, why: q.held.why}
	if all := len(q.spec.Data.Output.Data); p.observed() < all && !q.spec.Data.OutputMesh.Axes()[0].OfCurves() {
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
	if fewValues(d) {
		if p, err := newInValues(ctx, q); p != nil || err != nil {
			return p, err
		}
	}
	if outputs.Sharp(d) && !outputs.AlikeErrors(d) {
		return newInObserved(ctx, q)
	}
	return newInData(ctx, q)
}
