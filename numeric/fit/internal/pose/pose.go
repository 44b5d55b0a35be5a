package pose

import (
	"context"
	"fmt"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/internal/numeric/outputs"
	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/numeric/fit/internal/indata"
	"github.com/greenbench/workbench/numeric/fit/internal/inobserved"
	"github.com/greenbench/workbench/numeric/fit/internal/invalues"
	"github.com/greenbench/workbench/numeric/fit/internal/inweights"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
)

// way is one to write a fit as a problem.
type way struct {
	Name string
	// pose returns nil where the fit cannot be written so.
	pose func(ctx context.Context, q *problem.Question) (*problem.Posed, error)
}

// Ways are all, in the order in which they are tried: the first that can be taken is. The
// last one always can. Missing outputs decorate those in the space of the data.
func Ways() []way {
	return []way{
		{"dense", poseDense},       // the definition, on request
		{"images", poseImages},     // of pairs with their images, in the space of the data
		{"weights", poseWeights},   // a constraint on the meshes, in the space of the weights
		{"composed", poseComposed}, // a constraint as a part of the kernel
		{"data", poseData},         // in the space of the data
	}
}

// New writes a fit whose kernels are chosen as a problem.
func New(ctx context.Context, s *problem.Setting) (*problem.Posed, error) {
	return poseWith(ctx, s, nil)
}

// On is a problem for other data on the same meshes, which shares the kernel.
func On(ctx context.Context, p *problem.Posed, s *problem.Setting) (*problem.Posed, error) {
	return poseWith(ctx, s, p.Held)
}

func poseWith(ctx context.Context, s *problem.Setting, h *problem.Held) (*problem.Posed, error) {
	ctx, end := progress.During(ctx, "set-up")
	defer end()
	q, err := problem.NewQuestion(s, h)
	if err != nil {
		return nil, err
	}
	if err := q.FindLattice(ctx); err != nil {
		return nil, err
	}
	for _, w := range Ways() {
		p, err := w.pose(ctx, q)
		if err != nil {
			return nil, err
		}
		if p != nil {
			given := *q.Setting
			given.Data = s.Data
			p.Name, p.Setting, p.Held = w.Name, &given, q.Held
			return p, nil
		}
	}
	panic("fit: no way can be taken, and the last one always can")
}

func poseDense(ctx context.Context, q *problem.Question) (*problem.Posed, error) {
	if !q.Setting.Dense {
		return nil, nil
	}
	q.Setting = q.Setting.Composed()
	p, err := newDense(ctx, q.Setting)
	return &problem.Posed{Problem: p, Why: "asked for"}, err
}

func poseImages(ctx context.Context, q *problem.Question) (*problem.Posed, error) {
	s := q.Setting
	if q.Lattice == nil || WithoutImages(s) {
		return nil, nil
	}
	o, ok := indata.NewOrbit(ctx, q.Lattice, s.Data.N())
	if !ok {
		return nil, nil
	}
	if err := q.Hold(ctx, indata.Size(len(o.Sign)*o.N, s.Data.InputMesh, s.Data.OutputMesh)); err != nil {
		return nil, err
	}
	if ok, err := o.Commutes(ctx, q.Lattice, q.Held.K); err != nil || !ok {
		return nil, err
	}
	parts, ok, err := biasParts(ctx, q, o)
	if err != nil || !ok {
		return nil, err
	}
	p, err := newImages(ctx, q, o, parts)
	return &problem.Posed{Problem: p, Why: "the constraint maps inputs and outputs separately, so each pair is taken with its images; " + q.Held.Why, Lattice: q.Lattice}, err
}

// WithoutImages reports whether pairs cannot be taken with their images, whatever the constraint: leaving out a pair
// leaves its images.
func WithoutImages(s *problem.Setting) bool {
	return outputs.Missing(s.Data) || s.Data.Errors != nil || s.Lambda == 0 && s.Criterion == criteria.LOO
}

func poseWeights(ctx context.Context, q *problem.Question) (*problem.Posed, error) {
	if q.Lattice == nil {
		return nil, nil
	}
	p, err := inweights.New(ctx, q)
	if err != nil {
		return nil, err
	}
	return &problem.Posed{Problem: p, Why: q.Held.Why, Lattice: q.Lattice}, nil
}

// poseComposed chooses λ in the space of the weights: the closed form of the criteria does
// not hold for such a kernel, which is far from diagonal in the bases of the axes.
func poseComposed(ctx context.Context, q *problem.Question) (*problem.Posed, error) {
	if q.Off == "" {
		return nil, nil
	}
	why := q.Off + ", so the constraint is part of the kernel's expression; "
	q.Setting, q.Off = q.Setting.Composed(), ""
	p, err := poseData(ctx, q)
	if err != nil {
		return p, err
	}
	p.Why = why + p.Why
	if _, exact := p.Problem.(*invalues.Problem); !exact {
		p.Problem = inweights.Choosing(p.Problem, q)
	}
	return p, nil
}

func poseData(ctx context.Context, q *problem.Question) (*problem.Posed, error) {
	p, err := NewRegression(ctx, q)
	if err != nil {
		return nil, err
	}
	out := &problem.Posed{Problem: p, Why: q.Held.Why}
	if all := len(q.Setting.Data.Output.Data); p.Observed() < all && !q.Setting.Data.OutputMesh.Axes()[0].OfCurves() {
		out.Why += fmt.Sprintf("; %d of %d outputs are missing", all-p.Observed(), all)
	}
	return out, nil
}

// NewRegression is the problem in the space of the data, of all or of what was observed.
func NewRegression(ctx context.Context, q *problem.Question) (problem.Regression, error) {
	d := q.Setting.Data
	if err := Hold(ctx, q); err != nil {
		return nil, err
	}
	if invalues.Few(d) {
		if p, err := invalues.New(ctx, q); p != nil || err != nil {
			return p, err
		}
	}
	if outputs.Uneven(d) {
		return inobserved.New(ctx, q)
	}
	return indata.New(ctx, q)
}

// Hold makes the kernel of a question for a problem in the space of the data.
func Hold(ctx context.Context, q *problem.Question) error {
	d := q.Setting.Data
	return q.Hold(ctx, indata.Size(d.N(), d.InputMesh, d.OutputMesh))
}
