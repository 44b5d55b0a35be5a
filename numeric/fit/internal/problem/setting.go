package problem

import (
	"context"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/lattice"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit/internal/landmarks"
	"github.com/greenbench/workbench/numeric/kernel"
	"gonum.org/v1/gonum/mat"
)

// Setting is what a problem is posed of: a spec in which nothing is open any more but λ and ρ.
type Setting struct {
	Data       *dataset.Dataset
	Kernel     kernel.Kernel         // K
	Bias       kernel.Kernel         // Q; nil: β is zero
	Flat       bool                  // β has a constant that is not penalised
	Constraint constraint.Constraint // nil: nothing is known of G

	Lambda    float64 // 0: to be chosen
	Rho       float64 // 0: chosen with λ, or equal to a λ that is given
	Criterion criteria.Criterion
	OwnNoise  bool // a part of K is noise that no other pair has: leaving a pair out says nothing of λ

	Tolerance     float64        // relative residual that is asked of a solver
	MaxIterations int            // that it may take
	Structure     gram.Structure // of K; "": chosen
	Dense         bool           // the definition is asked for

	OnLandmarks bool             // Data are on landmarks
	Beyond      landmarks.Beyond // what they are without
}

// FreeRatio reports whether ρ/λ is to be chosen.
func (s *Setting) FreeRatio() bool { return s.Lambda == 0 && s.Rho == 0 }

// RhoAt is ρ at a λ that is given: the given one, or that λ.
func (s *Setting) RhoAt(lambda float64) float64 {
	if s.Rho > 0 {
		return s.Rho
	}
	return lambda
}

// BiasStructure is the kernel itself for the bias too, where that is asked for.
func (s *Setting) BiasStructure() gram.Options {
	if s.Structure == gram.Full || s.Structure == gram.Blocks {
		return gram.Options{Structure: gram.Full}
	}
	return gram.Options{}
}

// BiasMatrix is Q between the points of the output.
func (s *Setting) BiasMatrix(ctx context.Context) (*mat.Dense, error) {
	y := s.Data.OutputMesh
	k, err := kernels.Compile(s.Bias, kernel.Space{Names: y.Names()})
	if err != nil {
		return nil, err
	}
	return k.Gram(ctx, y, y)
}

// OnMeshes is a constraint on the meshes of data. Where it has to be part of the
// kernel's expression instead, why says why.
func OnMeshes(ctx context.Context, d *dataset.Dataset, k kernel.Kernel, c constraint.Constraint) (l *lattice.Lattice, why string, err error) {
	if l, err = lattice.New(ctx, c, d.InputMesh, d.OutputMesh); err != nil {
		return nil, "", err
	}
	if _, why = l.OnMeshes(); c != nil && constraint.IsConstrained(k) {
		why = "the kernel is constrained itself"
	}
	return l, why, nil
}

// Composed is the same with the constraint as a part of the kernel.
func (s *Setting) Composed() *Setting {
	c := *s
	if s.Constraint != nil {
		c.Kernel, c.Constraint = constraint.Apply(s.Constraint, s.Kernel), nil
	}
	return &c
}
