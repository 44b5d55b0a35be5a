package problem

import (
	"context"

	"github.com/greenbench/workbench/internal/numeric/lattice"
	"github.com/greenbench/workbench/internal/numeric/outputs"
)

// Question is a fit that is to be posed, with what several ways ask of it.
type Question struct {
	Setting *Setting
	Lattice *lattice.Lattice // of the constraint; nil: there is none, or it is off the meshes
	Off     string           // why it is; "": it is not
	Held    *Held            // the kernel on the meshes, made when it is first needed
}

// NewQuestion is that of a setting, for a kernel that may have been made before.
func NewQuestion(s *Setting, h *Held) (*Question, error) {
	q := &Question{Setting: s, Held: h}
	if s.Constraint != nil {
		return q, nil
	}
	d, err := outputs.InWeightedMesh(s.Data)
	if d != s.Data {
		in := *s
		in.Data, q.Setting = d, &in
	}
	return q, err
}

// FindLattice looks for the constraint on the meshes.
func (q *Question) FindLattice(ctx context.Context) error {
	if q.Setting.Constraint == nil {
		return nil
	}
	l, why, err := OnMeshes(ctx, q.Setting.Data, q.Setting.Kernel, q.Setting.Constraint)
	if q.Off = why; why == "" {
		q.Lattice = l
	}
	return err
}

// Hold makes the kernel on the meshes of its weights. numbers is what the problem takes
// besides it.
func (q *Question) Hold(ctx context.Context, numbers float64) error {
	if q.Held != nil {
		return nil
	}
	var err error
	q.Held, err = HoldKernel(ctx, q.Setting, q.Lattice, numbers)
	return err
}
