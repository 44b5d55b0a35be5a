package fit

import (
	"fmt"
	"math"

	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/gram"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Spec is everything a fit depends on. Data and Kernel are required; the zero
// value of every other field stands for a good choice.
type Spec struct {
	Data   *dataset.Dataset
	Kernel kernel.Kernel // K, on the coordinates of the input, then those of the output
	Bias   kernel.Kernel // Q, on the output; nil: the restriction of Kernel to the output
	NoBias bool          // β is zero

	Constraint constraint.Constraint // what is known of G; nil: nothing

	Lambda    float64   // λ > 0; 0: chosen by Criterion
	Rho       float64   // ρ > 0; 0: equal to λ
	Criterion Criterion // what chooses λ; "": REML

	Tolerance     float64        // relative residual of the solve; 0: 1e-10
	MaxIterations int            // 0: 1000
	Structure     gram.Structure // of K; "": chosen
	Dense         bool           // the direct reference method, O((n my)³): for small problems and for tests
	Adam          *Adam          // the paper's trainer instead of the exact method; nil: exact
}

// Criterion names a way to choose λ.
type Criterion string

// The criteria. The first three are computed together, and reported beside one
// another.
const (
	REML Criterion = "reml" // restricted maximum likelihood: the default
	GCV  Criterion = "gcv"  // generalised cross-validation
	LOO  Criterion = "loo"  // leaving out one sample at a time, in closed form
	CV   Criterion = "cv"   // leaving out every fifth sample, by fits without them
)

// check refuses what cannot be fitted, by the name of the field in Lua.
func (s *Spec) check() error {
	switch {
	case s.Data == nil:
		return fmt.Errorf("data: missing")
	case s.Kernel == nil:
		return fmt.Errorf("kernel: missing")
	case s.Lambda != 0 && !(s.Lambda > 0 && !math.IsInf(s.Lambda, 0)):
		return fmt.Errorf("lambda %g: must be > 0, or \"auto\"", s.Lambda)
	case s.Rho != 0 && !(s.Rho > 0 && !math.IsInf(s.Rho, 0)):
		return fmt.Errorf("rho %g: must be > 0, or \"auto\"", s.Rho)
	case s.Tolerance < 0 || s.Tolerance >= 1:
		return fmt.Errorf("tolerance %g: must be between 0 and 1", s.Tolerance)
	case s.MaxIterations < 0:
		return fmt.Errorf("max_iterations %d: must be at least 1", s.MaxIterations)
	case s.Dense && s.Lambda == 0:
		return fmt.Errorf("method \"dense\": needs a number for lambda")
	}
	switch s.Criterion {
	case "", REML, GCV, LOO, CV:
	default:
		return fmt.Errorf("criterion %q: must be \"reml\", \"gcv\", \"loo\" or \"cv\"", s.Criterion)
	}
	return nil
}

// space names the coordinates of (x, y).
func space(x, y mesh.Mesh) kernel.Space {
	in, out := mesh.JointNames(x, y)
	return kernel.Space{Names: append(in, out...), Inputs: x.Dim()}
}

// biasKernel is Q, or nil for none: given, or the restriction of the kernel to
// the output. Under a time-invariant constraint the kernel is on the lag, whose
// lengthscale serves for the time of the bias.
func (s *Spec) biasKernel() kernel.Kernel {
	switch {
	case s.NoBias:
		return nil
	case s.Bias != nil:
		return s.Bias
	}
	x, y := s.Data.InputMesh, s.Data.OutputMesh
	full := space(x, y)
	on, at := full, centre(x, y)
	if s.Constraint != nil {
		if t, err := s.Constraint.Transform(full); err == nil && t.Reduce != nil {
			on = t.Space(full)
			at = at[len(at)-on.Dim():]
		}
	}
	return kernel.Restrict(s.Kernel, on, on.Inputs, on.Dim(), at)
}

// centre is the middle of the box that holds the product of meshes.
func centre(meshes ...mesh.Mesh) []float64 {
	var c []float64
	for _, m := range meshes {
		for _, a := range m.Axes() {
			for i := range a.Lower {
				c = append(c, (a.Lower[i]+a.Upper[i])/2)
			}
		}
	}
	return c
}
