package fit

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/lattice"
	"github.com/greenbench/workbench/internal/numeric/remedy"
	"github.com/greenbench/workbench/internal/numeric/solve"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit/internal/landmarks"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
	"github.com/greenbench/workbench/numeric/kernel"
)

// Spec is everything a fit depends on. Data is required; the zero
// value of every other field stands for a good choice.
type Spec struct {
	Data    *dataset.Dataset
	Kernel  kernel.Kernel   // K, on the coordinates of the input, then those of the output; nil: chosen by REML from Kernels, or by REML and LOO from families
	Kernels []kernel.Kernel // to choose from where Kernel is nil
	Bias    kernel.Kernel   // Q, on the output; nil: Kernel on the output, averaged over the input
	NoBias  bool            // β is zero

	Constraint    constraint.Constraint // what is known of G; nil: nothing
	AskConstraint bool                  // of the data, where Constraint is nil: see FindConstraint
	Prior         Known                 // to begin with: the fit learns the rest of G = c Prior + rest, c by least squares; nil: zero

	Lambda    float64   // λ > 0; 0: chosen by Criterion
	Chosen    bool      // λ, and ρ unless it is zero, were chosen for these data before: bands of few data know that
	Rho       float64   // ρ > 0; 0: chosen with λ, or equal to a λ that is given
	Criterion Criterion // what chooses λ and ρ; "": REML, or LOO with a kernel from families
	OwnNoise  bool      // a part of K is noise that no other pair has: leaving a pair out says nothing of λ
	Intercept Intercept // whether β has a constant that is not penalised; "": where λ and ρ are chosen

	Tolerance     float64   // relative residual of the solve; 0: 1e-10, or what rounding leaves where the objective is within 1e-13 of its minimum, 1e-6 if λ is chosen
	MaxIterations int       // 0: 1000
	Structure     Structure // of K; "": chosen
	Landmarks     int       // of each side with more points, that the fit is made on; 0: as many as it takes where the fit on all points is too large
	Dense         bool      // the direct reference method, O((n my)³): for small problems and for tests

	// Write writes, for the report, a kernel, or a *Spec with the choices made as what makes
	// the same fit by hand; nil: as its String.
	Write func(v fmt.Stringer) string

	found      string // what is to be said of a constraint that was found
	seal       seal   // of Data, of an estimate
	reweighted bool   // the weights of single values of Data are those of a loss
	penalties  int    // that stand for all that are plausible; 0: penaltiesOfOne

	onLandmarks bool   // Data are on landmarks
	beyond      Beyond // what they are without
}

// String is what a spec says of a fit, but for its data.
func (s *Spec) String() string {
	text := fmt.Sprintf("kernel %v", s.Kernel)
	switch {
	case s.NoBias:
		text += ", no bias"
	case s.Bias != nil:
		text += fmt.Sprintf(", bias %s", s.Bias)
	}
	if s.Constraint != nil {
		text += fmt.Sprintf(", constraint %s", s.Constraint)
	}
	return text + fmt.Sprintf(", lambda %v, rho %v", s.Lambda, s.rho(s.Lambda))
}

// Text writes a value for the report.
func (s *Spec) Text(v fmt.Stringer) string {
	if s.Write == nil {
		return v.String()
	}
	return s.Write(v)
}

// Intercept says whether β has, besides its penalised part, a constant that costs
// nothing. With one, predictions follow the outputs when a constant is added to them
// (degrees Celsius or kelvin); without, the objective is the paper's.
type Intercept string

// The values of Spec.Intercept; the zero value is flat where λ and ρ are both chosen.
const (
	Flat        Intercept = "flat"
	NoIntercept Intercept = "none"
)

// flat reports whether β has a free constant.
func (s *Spec) flat() bool { return s.Intercept == Flat }

// decidedIntercept is a decision in place of the zero value.
func (s *Spec) decidedIntercept() Intercept {
	switch {
	case s.Intercept != "":
		return s.Intercept
	case !s.NoBias && s.Lambda == 0 && s.Rho == 0 && !s.Dense:
		return Flat
	}
	return NoIntercept
}

// rho is ρ at a λ that is given: the given one, or that λ.
func (s *Spec) rho(lambda float64) float64 {
	if s.Rho > 0 {
		return s.Rho
	}
	return lambda
}

// Beyond is what outputs on landmarks are without.
type Beyond = landmarks.Beyond

// Criterion names a way to choose λ.
type Criterion = criteria.Criterion

// The criteria. The first three are computed together, and reported beside one
// another.
const (
	REML = criteria.REML // restricted maximum likelihood: the default
	GCV  = criteria.GCV  // generalised cross-validation
	LOO  = criteria.LOO  // leaving out one sample at a time, in closed form
	CV   = criteria.CV   // leaving out every fifth sample, by fits without them
)

// check refuses what cannot be fitted, by the name of the field.
func (s *Spec) check() error {
	switch {
	case s.Data == nil:
		return fmt.Errorf("data: missing")
	case s.Lambda != 0 && !(s.Lambda > 0 && !math.IsInf(s.Lambda, 0)):
		return remedy.HaveItChosen.For(fmt.Errorf("lambda %g: must be > 0 and finite", s.Lambda))
	case s.Rho != 0 && !(s.Rho > 0 && !math.IsInf(s.Rho, 0)):
		return remedy.HaveItChosen.For(fmt.Errorf("rho %g: must be > 0 and finite", s.Rho))
	case s.Tolerance < 0 || s.Tolerance >= 1:
		return fmt.Errorf("tolerance %g: must be between 0 and 1", s.Tolerance)
	case s.Landmarks != 0 && s.Landmarks < 2:
		return fmt.Errorf("landmarks %d: must be at least 2", s.Landmarks)
	case s.MaxIterations < 0:
		return fmt.Errorf("max_iterations %d: must be at least 1", s.MaxIterations)
	case s.Intercept != "" && s.Intercept != Flat && s.Intercept != NoIntercept:
		return fmt.Errorf("intercept %q: must be \"flat\" or \"none\"", s.Intercept)
	case s.flat() && (s.NoBias || s.Dense):
		return fmt.Errorf("intercept \"flat\": is a part of the bias, and not of the dense method; leave out the intercept, or what excludes it")
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

const defaultMaxIterations = 1000

func (s *Spec) maxIterations() int { return cmp.Or(s.MaxIterations, defaultMaxIterations) }

// setting is the spec as problems are posed of it.
func (s *Spec) setting() *problem.Setting {
	return &problem.Setting{
		Data: s.Data, Kernel: s.Kernel, Bias: s.biasKernel(), Flat: s.flat(), Constraint: s.Constraint,
		Lambda: s.Lambda, Rho: s.Rho, Criterion: s.Criterion, OwnNoise: s.OwnNoise,
		Tolerance: cmp.Or(s.Tolerance, solve.DefaultTolerance), MaxIterations: s.maxIterations(),
		Structure: s.Structure, Dense: s.Dense, OnLandmarks: s.onLandmarks, Beyond: s.beyond,
	}
}

// unfolded takes the constraint of a constrained kernel together with that of the fit:
// an average over the one alone would undo the other. What cannot be unfolded is left to
// lattice.
func (s Spec) unfolded() Spec {
	for s.Constraint != nil {
		inner, own, ok := constraint.Applied(s.Kernel)
		full := lattice.Space(s.Data.InputMesh, s.Data.OutputMesh)
		if l, err := constraint.LawsOf(s.Constraint, full); !ok || err != nil || l.Reduce != nil {
			break // a kernel of the lag has its laws there
		}
		s.Constraint, s.Kernel = constraint.List{s.Constraint, own}, inner
	}
	return s
}

// lattice is the constraint on the meshes of the data. Where it has to be part of the
// kernel's expression instead, why says why.
func (s *Spec) lattice(ctx context.Context) (l *lattice.Lattice, why string, err error) {
	return problem.OnMeshes(ctx, s.Data, s.Kernel, s.Constraint)
}

// biasKernel is Q, or nil for none: given, or Q(y, η) = K((x, y), (x, η)). That is
// the same for all x where K is stationary in x, as in all examples of the paper
// (section 2.3); otherwise it is averaged over the input. Under a time-invariant
// constraint the kernel is on the lag, whose lengthscale serves for the time of the
// bias.
func (s *Spec) biasKernel() kernel.Kernel {
	switch {
	case s.NoBias:
		return nil
	case s.Bias != nil:
		return s.Bias
	}
	full := lattice.Space(s.Data.InputMesh, s.Data.OutputMesh)
	on := full
	if s.Constraint != nil {
		if l, err := constraint.LawsOf(s.Constraint, full); err == nil && l.Reduce != nil {
			on = l.Reduce.Space(full)
		}
	}
	points, weights := s.Data.InputMesh.Nodes()
	for i, p := range points {
		held := make([]float64, on.Dim())
		for c, name := range on.Names[:on.Inputs] {
			held[c] = p[slices.Index(full.Names, name)]
		}
		points[i] = held
	}
	return kernels.Average(s.Kernel, on, on.Inputs, on.Dim(), points, weights)
}

// intact is an error if the data of an estimate have changed since.
func (s *Spec) intact() error { return s.seal.check(s.Data) }

// MostFactored is up to how many observed outputs the likelihood is exact where some are missing, and λ is chosen from all of them.
const MostFactored = problem.MostMatrix
