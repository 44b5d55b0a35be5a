package fit

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/internal/lattice"
	"github.com/greenbench/workbench/numeric/mesh"
)

// question is a fit that is to be posed, with what several ways ask of it.
type question struct {
	spec    *Spec
	lattice *lattice.Lattice // of the constraint; nil: there is none, or it is off the meshes
	off     string           // why it is; "": it is not
	held    *held            // the kernel on the meshes, made when it is first needed
	orbit   *orbit           // if the constraint is one
}

// newQuestion is that of a spec, for a kernel that may have been made before.
func newQuestion(s *Spec, h *held) (*question, error) {
	s, err := s.inWeightedMesh()
	return &question{spec: s, held: h}, err
}

// findLattice looks for the constraint on the meshes.
func (q *question) findLattice(ctx context.Context) error {
	if q.spec.Constraint == nil {
		return nil
	}
	l, why, err := q.spec.lattice(ctx)
	if q.off = why; why == "" {
		q.lattice = l
	}
	return err
}

// composed is the spec with its constraint as a part of the kernel.
func (s *Spec) composed() *Spec {
	c := *s
	if s.Constraint != nil {
		c.Bias, c.Kernel, c.Constraint = s.biasKernel(), constraint.Apply(s.Constraint, s.Kernel), nil
	}
	return &c
}

// hold makes the kernel on the meshes of its weights. numbers is what the problem takes
// besides it.
func (q *question) hold(ctx context.Context, numbers float64) error {
	if q.held != nil {
		return nil
	}
	var err error
	q.held, err = holdKernel(ctx, q.spec, q.lattice, numbers)
	return err
}

// inWeightedMesh is the spec with weights of the output points as those of the mesh, where
// that is all the same: the squares of the misfit are summed with these weights, and neither G
// nor β know of them. A constraint may.
func (s *Spec) inWeightedMesh() (*Spec, error) {
	e := s.Data.Errors
	axes := s.Data.OutputMesh.Axes()
	if e == nil || e.Points == nil || e.Covariance != nil || s.Constraint != nil || len(axes) > 1 {
		return s, nil
	}
	a := axes[0]
	a.Weights = slices.Clone(a.Weights)
	floats.Mul(a.Weights, e.Points)
	y, err := mesh.New(a)
	if err != nil {
		return nil, err
	}
	d, out, errs := *s.Data, *s, *e
	errs.Points = nil
	d.Errors, d.OutputMesh, out.Data = &errs, y, &d
	return &out, nil
}
