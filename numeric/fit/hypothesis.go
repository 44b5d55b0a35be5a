package fit

import (
	"context"
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"github.com/greenbench/workbench/internal/numeric/outputs"
	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/numeric/constraint"
)

// A constraint is taken where the noise it leaves is not greater beyond chance, pairs that are left out are predicted better, and either the
// restricted likelihood is greater by evident nats, very strong evidence on the scale of Kass and Raftery (1995), or their
// errors are less by surely standard errors. None is enough by itself: of a kernel that is not the one that made G the likelihood
// may favour by tens of nats what predicts worse, and few pairs what all of them contradict.
const (
	evident = 5
	surely  = 3
)

// FindConstraint is a spec that asks for no constraint any more, but has those that its data show G to obey, one after the other:
// symmetric, where input and output have the same space coordinates on the same box, and causal, where both have a time. A spec that does not
// ask, or has a constraint, is returned as it is. Each is tried with the kernel that is chosen without it. Cost: a fit of all data, two of
// data thinned out for each constraint, and four of half the pairs where these do not speak against it. [Fit] and [Path] ask by themselves;
// who makes several fits of the same data asks once.
func FindConstraint(ctx context.Context, s Spec) (Spec, error) {
	if !s.AskConstraint {
		return s, nil
	}
	s.AskConstraint = false
	if err := s.check(); err != nil {
		return s, err
	}
	candidates := natural(s.Data.InputMesh, s.Data.OutputMesh)
	if s.Constraint != nil || len(candidates) == 0 {
		return s, nil
	}
	ctx, end := progress.During(ctx, "search for a constraint")
	defer end()
	free, trials := s.searchCosts(ctx)
	far := searching{ctx: ctx, all: free.Seconds}
	for _, t := range trials {
		far.all += t.seconds()
	}
	far.after(0)
	e, err := fitAsGiven(ctx, s)
	if err != nil {
		return s, err
	}
	far.after(free.Seconds)
	tried := s
	tried.Criterion, tried.Kernel, tried.Kernels = REML, e.Kernel, nil
	if s.Bias != nil {
		tried.Bias = e.BiasKernel
	}
	var found []string
	for i, c := range candidates {
		with := tried
		if with.Constraint = c; tried.Constraint != nil {
			with.Constraint = constraint.List{tried.Constraint, c}
		}
		ok, why, err := with.isEvident(ctx, tried.Constraint)
		if err != nil {
			return s, fmt.Errorf("%s: %w", s.Text(c), err)
		}
		if ok {
			tried.Constraint = with.Constraint
			found = append(found, fmt.Sprintf("%s (%s)", s.Text(c), why))
		}
		far.after(trials[i].seconds())
	}
	s.Constraint, s.found = tried.Constraint, "no constraint is evident"
	if len(found) > 0 {
		s.found = "constraint found: " + strings.Join(found, ", ")
	}
	return s, nil
}

// isEvident compares the constraint of a spec with another one, on the same data, and says what speaks for it.
func (s *Spec) isEvident(ctx context.Context, than constraint.Constraint) (ok bool, why string, err error) {
	with, err := s.fewer(ctx)
	if err != nil || with.Data.N() < fewestTold {
		return false, "", err
	}
	without := *with
	without.Constraint = than
	gain, err := with.likelier(ctx, &without)
	if err != nil || gain < 0 {
		return false, "", err
	}
	better, err := with.leftOutByHalves(ctx)
	if err != nil {
		return false, "", err
	}
	worse, err := without.leftOutByHalves(ctx)
	if err != nil {
		return false, "", err
	}
	ratio := math.Sqrt(floats.Sum(better) / floats.Sum(worse))
	floats.Sub(better, worse)
	mean, sd := stat.MeanStdDev(better, nil)
	if !(mean < 0) || !(gain > evident || mean < -surely*sd/math.Sqrt(float64(len(better)))) {
		return false, "", nil
	}
	why = fmt.Sprintf("left-out pairs have %.3g of the error without it", ratio)
	if gain > evident {
		why += fmt.Sprintf(", the likelihood is %.0f nats greater", gain)
	}
	return true, why, nil
}

// likelier is by how many nats the restricted likelihood of a spec is greater than that of another one, less three standard errors
// where it is estimated; NaN where it is not known. It is -Inf where the noise that is left is greater beyond chance.
func (s *Spec) likelier(ctx context.Context, than *Spec) (float64, error) {
	with, err := fitAsGiven(ctx, *s)
	if err != nil {
		return 0, err
	}
	without, err := fitAsGiven(ctx, *than)
	if err != nil {
		return 0, err
	}
	a, b := with.Report, without.Report
	if chance := surely * math.Sqrt(2/float64(outputs.Count(s.Data))); a.Sigma*a.Sigma > b.Sigma*b.Sigma*(1+chance) {
		return math.Inf(-1), nil
	}
	if a.REML == nil || b.REML == nil {
		return math.NaN(), nil
	}
	gain := *b.REML - *a.REML
	for _, err := range []*float64{a.REMLError, b.REMLError} {
		if err != nil {
			gain -= surely * *err
		}
	}
	return gain, nil
}

// leftOutByHalves are the squared errors of pairs, integrated over the outputs, of which every other one is left out.
func (s *Spec) leftOutByHalves(ctx context.Context) ([]float64, error) {
	n := s.Data.N()
	out := make([]float64, n)
	for half := range 2 {
		var in []int
		for i := half; i < n; i += 2 {
			in = append(in, i)
		}
		own := *s
		var err error
		if own.Data, err = s.Data.Select(in); err != nil {
			return nil, err
		}
		e, err := fitAsGiven(ctx, own)
		if err != nil {
			return nil, err
		}
		for i := 1 - half; i < n; i += 2 {
			one, err := s.Data.Select([]int{i})
			if err != nil {
				return nil, err
			}
			one.Errors = nil
			if out[i], err = heldOut(ctx, e, one); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}
