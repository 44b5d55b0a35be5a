package fit

import (
	"context"
	"math"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/numeric/constraint"
)

// fewestTold is how many pairs there must be that halves can tell anything of.
const fewestTold = 6

// Expected is what a fit of a spec will take; 0 where that cannot be told, as where the fit will be refused.
// Costs some products of small matrices.
func Expected(ctx context.Context, s Spec) progress.Cost {
	return afterSearch(ctx, s, func(s Spec) progress.Cost { return linop.Here(ctx, s.expected(ctx)) })
}

// afterSearch is what [FindConstraint] will take and what follows, by what that takes with the spec that is found; of a spec that does
// not ask, that alone. What will be found is not known: it is the mean, of the logarithms, of the least, where every constraint is dismissed
// by its likelihood, and the most, where all are found.
func afterSearch(ctx context.Context, s Spec, of func(Spec) progress.Cost) progress.Cost {
	asked := s.AskConstraint
	s.AskConstraint = false
	if !asked || s.Constraint != nil || s.check() != nil {
		return of(s)
	}
	free, trials := s.searchCosts(ctx)
	if len(trials) == 0 {
		return of(s)
	}
	with := s
	least, most, all := outcomes(free, trials)
	with.Constraint = all
	least, most = linop.Here(ctx, least).And(of(s)), linop.Here(ctx, most).And(of(with))
	return progress.Cost{Seconds: math.Sqrt(least.Seconds * most.Seconds), Bytes: max(least.Bytes, most.Bytes)}
}

// outcomes are what a search takes where every constraint is dismissed by its likelihood, and where all are found, and these.
func outcomes(free progress.Cost, trials []trial) (least, most progress.Cost, all constraint.List) {
	least, most = free, free
	for _, t := range trials {
		least, most = least.And(t.likelihoods), most.And(t.likelihoods).And(t.halves)
		all = append(all, t.of)
	}
	return least, most, all
}

// trial is what a constraint that is tried takes.
type trial struct {
	of          constraint.Constraint
	likelihoods progress.Cost // of the fits with it and without
	halves      progress.Cost // of those of half the pairs each
}

// trial is that of the constraint of a spec; nothing where there are too few pairs.
func (s *Spec) trial(ctx context.Context) trial {
	out := trial{of: s.Constraint}
	few, err := s.fewer(ctx)
	if err != nil || few.Data.N() < fewestTold {
		return out
	}
	half := *few
	if half.Data, err = few.Data.Select(evenly(few.Data.N(), few.Data.N()/2)); err != nil {
		return out
	}
	for _, c := range []constraint.Constraint{s.Constraint, nil} {
		few.Constraint, half.Constraint = c, c
		one := half.expected(ctx)
		out.likelihoods = out.likelihoods.And(few.expected(ctx))
		out.halves = out.halves.And(one).And(one)
	}
	return out
}

func (t trial) seconds() float64 { return t.likelihoods.Seconds + t.halves.Seconds }

// searchCosts are those of the parts of [FindConstraint], on the processor that costs are of: the fit without any constraint, and each
// constraint that is tried with the kernel which that chooses.
func (s *Spec) searchCosts(ctx context.Context) (free progress.Cost, trials []trial) {
	free = s.expected(ctx)
	for _, c := range natural(s.Data.InputMesh, s.Data.OutputMesh) {
		with := *s
		with.Criterion, with.Constraint, with.Kernels = REML, c, nil
		if with.Kernel == nil || kernels.IsAuto(with.Kernel) {
			with.Kernel = someKernel()
		}
		trials = append(trials, with.trial(ctx))
	}
	return free, trials
}

// searching reports how far the search for a constraint is, in the seconds that its parts are expected to take.
type searching struct {
	ctx       context.Context
	done, all float64
}

// after reports that a part is over.
func (p *searching) after(part float64) {
	p.done += part
	progress.Report(p.ctx, progress.Step{Task: "search for a constraint", Done: p.done, Total: p.all})
}
