package network

import (
	"context"
	"errors"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/internal/numeric/solve"
	"github.com/greenbench/workbench/numeric/mesh"
)

const mostRounds = 3

// implicit learns an implicit network, with channels of the data. Under noise these are noisy,
// which makes the terms too small: then channels are those of predictions of pairs that were
// left out, which have none of the noise of their own pair.
func (l *learner) implicit(ctx context.Context, a *attempt) (*attempt, error) {
	if err := l.finishRound(ctx, a, l.u); err != nil || !l.noisy(a) {
		return a, err
	}
	for k := range mostRounds {
		progress.Report(ctx, progress.Step{Task: "channels without noise", Done: float64(k), Total: mostRounds})
		b, err := l.attempt(ctx, a.names, a.out, a.like)
		if err != nil {
			return nil, err
		}
		if err := l.finishRound(ctx, b, a.out); err != nil {
			return nil, err
		}
		if b.worseThan(a) {
			break
		}
		moved := distance(a.out, b.out)
		b.rounds = a.rounds + 1
		a = b
		if moved < littleNoise*l.spread() {
			break
		}
	}
	return a, l.again(ctx, a)
}

// worseThan tells whether more pairs have no solution, or errors are larger by more than a step is worth.
func (b *attempt) worseThan(a *attempt) bool {
	return b.failed > a.failed || b.leftOut > a.leftOut/worthWhile
}

// again learns every fold once more, with channels of what it makes of its own pairs. Channels of
// the other folds have errors that all folds have in common: bands from these would be too narrow.
func (l *learner) again(ctx context.Context, a *attempt) error {
	_, in := l.named(a.names)
	kept, _ := l.parted()
	for k, own := range a.folds.layers {
		u := mat.DenseCopyOf(a.out)
		start, err := fixed(ctx, own.output, own.op.channels, l.inputsOnly(), mesh.Mesh{})
		if err != nil {
			return err
		}
		for _, pair := range kept[k] {
			s, err := own.op.solve(ctx, start.RawRowView(pair), in, pair, a.out.RawRowView(pair))
			switch {
			case errors.Is(err, errNoFixedPoint):
				continue
			case err != nil:
				return err
			}
			u.SetRow(pair, s.u)
		}
		t, err := l.table(a.names, u)
		if err != nil {
			return err
		}
		if t, err = t.Select(kept[k]); err != nil {
			return err
		}
		e, err := l.fit(ctx, t, a.names, a.like)
		if err != nil {
			return err
		}
		a.refitted = append(a.refitted, e.Outputs[0])
	}
	return nil
}

// finishRound is what is done with a fit of channels of u: its λ, and the pairs left out.
func (l *learner) finishRound(ctx context.Context, a *attempt, u *mat.Dense) error {
	if len(a.names) > 0 && l.spec.Model.Lambda == 0 && !l.noisy(a) {
		if err := l.sharpen(ctx, a, u); err != nil {
			return err
		}
	}
	return l.solveLeftOut(ctx, a)
}

// solveLeftOut predicts every pair from the fold that it was left out of.
func (l *learner) solveLeftOut(ctx context.Context, a *attempt) error {
	_, in := l.named(a.names)
	a.out, a.failed = mat.DenseCopyOf(l.u), 0
	for k, own := range a.folds.layers {
		for i, pair := range a.folds.out[k] {
			start := a.folds.fixed[k].RawRowView(i)
			s, err := own.op.solve(ctx, start, in, pair, start)
			switch {
			case errors.Is(err, errNoFixedPoint):
				a.failed++ // the pair stays as it was observed
				continue
			case err != nil:
				return err
			}
			copy(a.out.RawRowView(pair), s.u)
		}
	}
	a.leftOut = l.error(a.out)
	return linop.Stopped(ctx)
}

const (
	sharper     = 1e-2 // λ of one step of sharpen, in that of the one before
	sharpenings = 4
	sharp       = 5e-7 // error of left-out pairs, relative to the spread, that is enough
)

// sharpen takes λ below those that likelihood is evaluated for, as long as pairs that are left
// out are predicted better from channels of u: without noise λ is what rounding and the
// integrals leave.
func (l *learner) sharpen(ctx context.Context, a *attempt, u *mat.Dense) error {
	t, err := l.table(a.names, u)
	if err != nil {
		return err
	}
	left, err := l.applyLeftOut(ctx, a, u)
	if err != nil {
		return err
	}
	best := distance(left, l.u)
	for range sharpenings {
		if a.other != nil && best < sharp*l.spread() {
			break
		}
		b := *a
		b.like = a.like.with(a.like.lambda * sharper)
		if b.folds, err = l.folds(ctx, t, b.names, b.like); err != nil {
			return unlessSmaller(ctx, err)
		}
		if left, err = l.applyLeftOut(ctx, &b, u); err != nil {
			return err
		}
		now := distance(left, l.u)
		better := now < worthWhile*best
		if !better && a.other != nil {
			break
		}
		if b.e, err = l.fit(ctx, t, b.names, b.like); err != nil {
			return unlessSmaller(ctx, err)
		}
		if !better || !b.e.Outputs[0].Report.Converged {
			a.other = b.e.Outputs[0]
			break
		}
		b.other = a.e.Outputs[0]
		*a, best = b, now
	}
	return nil
}

// unlessSmaller is nil where a fit that went with a larger λ cannot be solved with this one, for
// rounding: then there is none that is sharper.
func unlessSmaller(ctx context.Context, err error) error {
	if errors.Is(err, solve.ErrNotPositive) {
		return linop.Stopped(ctx)
	}
	return err
}
