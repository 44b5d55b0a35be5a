package ode

import (
	"context"
	"errors"
	"fmt"
	"math"
)

// passes solves a problem more than once, until the error of the solution is known and within
// the tolerance: each pass has smaller errors in its steps than the last, by the share of the
// tolerance that they may use, and what two passes differ by is about the error of the first.
// That of the second is smaller in the ratio of their shares, as its steps are of order 8 and
// their errors estimated as if they were (Hairer, Nørsett and Wanner I, II.4; Shampine,
// Numerical Solution of Ordinary Differential Equations, 1994, 7).
type passes struct {
	ctx    context.Context
	system System
	t0, t1 float64
	y0     []float64
	Options
	all []*Solution
}

// The most passes with full output: the second and third only where the first was not enough.
const attempts = 3

func solveGlobally(ctx context.Context, f System, t0, t1 float64, y0 []float64, o Options) (*Solution, error) {
	p := &passes{ctx: ctx, system: f, t0: t0, t1: t1, y0: y0, Options: o}
	if p.Rel == 0 {
		p.Rel = defaultRel
	}
	p.Rel = max(p.Rel, leastRel)
	before, err := p.loose()
	if err != nil {
		return nil, err
	}
	var best *Solution
	next := shares{tight(p.Rel, before), 0.1}
	for n := range attempts {
		// An event may change what F sees, which only passes with all events do.
		if n > 0 || len(p.Events) > 0 {
			if err := p.same(); err != nil && (n == 0 || len(p.Events) == 0 || ctx.Err() != nil) {
				return nil, err
			} else if err != nil {
				best.Error = nil
				break
			}
		}
		s, err := p.pass(next, before, p.Options)
		if many := (*tooManySteps)(nil); n == 0 && before != nil && errors.As(err, &many) {
			s, err = p.pass(shares{1, 1}, before, p.Options) // as where F jumps to and fro
		}
		if err != nil && (best == nil || ctx.Err() != nil) {
			return nil, err
		}
		if err != nil {
			break
		}
		if best = s; before != nil {
			if err := p.compare(before, s); err != nil {
				return nil, err
			}
			const enough = 0.6 // as the estimate may be too small
			if s.Off <= enough {
				break
			}
		}
		before, next = s, p.smaller(s)
		if now := (shares{s.run.share, s.run.stiffShare}); next.explicit > now.explicit/2 && (!s.run.isStiff || next.stiff > now.stiff/2) {
			break // that would be below rounding
		}
	}
	return p.conclude(best), nil
}

// shares are those parts of the tolerance that the error of a step may use.
type shares struct{ explicit, stiff float64 }

// loose is the first pass, which serves for the estimate only: without output, and with the
// events that end the solution. It is nil where large errors led it astray.
func (p *passes) loose() (*Solution, error) {
	o := p.Options
	o.Times, o.Events = nil, nil
	for _, e := range p.Options.Events {
		if e.Terminal {
			o.Events = append(o.Events, e)
		}
	}
	const coarse = 0.1
	s, err := p.pass(shares{min(80*math.Pow(min(1, p.Rel/1e-3), 0.2), max(1, coarse/p.Rel)), 1}, nil, o)
	if many := (*tooManySteps)(nil); p.ctx.Err() != nil || errors.As(err, &many) {
		return nil, err
	}
	return s, nil
}

// tight is the share of the tolerance that the steps of the second pass may use. Measured on
// the set of Hull and others: the errors of the steps add up to 30 times as much on orbits; on
// a solution of few steps they do not.
func tight(rel float64, before *Solution) float64 {
	share := 0.03
	if before != nil {
		few := 6 / float64(max(1, before.Steps))
		most := 3.0
		if before.Steps < 5 {
			most = 1
		}
		share = max(share, min(most, 3*math.Pow(few, 6)))
	}
	return share * math.Pow(min(1, rel/1e-3), 0.3)
}

// smaller are the shares after a pass whose error was too large.
func (p *passes) smaller(s *Solution) shares {
	by := 0.01
	if s.Error != nil && !math.IsNaN(s.Off) && !math.IsInf(s.Off, 0) {
		by = max(1e-4, min(0.1, 0.3/s.Off))
	}
	least := leastRel / p.Rel
	return shares{max(least, s.run.share*by), max(least, s.run.stiffShare*by)}
}

func (p *passes) pass(part shares, before *Solution, o Options) (*Solution, error) {
	o.Method, o.switches = DOP853, true
	o.share, o.stiffShare = max(part.explicit, leastRel/p.Rel), max(part.stiff, leastRel/p.Rel)
	if before != nil {
		o.start = before.run
		if o.FirstStep == 0 && len(before.pieces) > 0 {
			o.FirstStep = math.Abs(before.pieces[0].h) * math.Pow(o.share/before.run.share, 1.0/8)
		}
	}
	s, err := solveOnce(p.ctx, p.system, p.t0, p.t1, p.y0, o)
	p.all = append(p.all, s)
	if err != nil {
		return nil, err
	}
	return s, nil
}

// same refuses an F that has changed since the first pass.
func (p *passes) same() error {
	f := make([]float64, len(p.y0))
	p.all[0].Calls++
	if err := p.system.F(p.t0, p.y0, f); err != nil {
		return err
	}
	for i, v := range f {
		if first := p.all[0].run.first; v != first[i] {
			return fmt.Errorf("f at t = %.9g was %s and is now %s: it depends on more than t and y, so that solving twice does not say how large the error is; the methods RK45, DOP853 and Radau solve once", p.t0, show(first), show(f))
		}
	}
	return nil
}

// compare estimates the error of the solution b from one with larger errors.
func (p *passes) compare(a, b *Solution) error {
	ratio := b.run.share / a.run.share
	if a.run.isStiff || b.run.isStiff {
		ratio = max(ratio, b.run.stiffShare/a.run.stiffShare)
	}
	const few = 8
	if len(b.pieces) <= few { // too few for the shares to be all that decides on their sizes
		ratio = max(ratio, math.Pow(float64(len(a.pieces))/float64(len(b.pieces)), 8))
	}
	end := a
	if (a.run.t-b.run.t)*(p.t1-p.t0) > 0 {
		end = b
	}
	tolerance := b.run.allowed()
	difference := func(t float64, u []float64) (float64, error) {
		v, err := b.state(t)
		worst := 0.0
		for i := range v {
			if u[i] = ratio * math.Abs(u[i]-v[i]); u[i] != 0 {
				worst = max(worst, u[i]/tolerance[i])
			}
		}
		return worst, err
	}
	var err error
	if b.Error, err = a.state(end.run.t); err != nil {
		return err
	}
	if b.Off, err = difference(end.run.t, b.Error); err != nil {
		return err
	}
	if a.Ended != b.Ended {
		b.Off = math.Inf(1)
	}
	b.Peak, b.PeakT = b.Off, end.run.t
	u := make([]float64, len(p.y0))
	every := max(1, len(a.pieces)*10/len(b.pieces))
	for i := every; i < len(a.pieces); i += every {
		t := a.pieces[i].t0
		if (t-end.run.t)*(p.t1-p.t0) >= 0 {
			break
		}
		if err := a.pieces[i].eval(t, u); err != nil {
			return err
		}
		off, err := difference(t, u)
		if err != nil {
			return err
		}
		if off > b.Peak {
			b.Peak, b.PeakT = off, t
		}
	}
	return nil
}

// conclude says in the message how large the error is.
func (p *passes) conclude(s *Solution) *Solution {
	for _, other := range p.all {
		if other != s {
			s.Calls += other.Calls
			s.Jacobians += other.Jacobians
			s.Decompositions += other.Decompositions
		}
	}
	switch {
	case s.Error == nil:
		s.Off, s.Peak = math.NaN(), math.NaN()
		s.Message += "; its error is not known"
	case !(s.Off <= 1):
		s.Message += fmt.Sprintf("; the error at the end is about %.2g × the tolerance and was not made smaller by solving again", s.Off)
	case !(s.Peak <= 1):
		s.Message += fmt.Sprintf("; the error at the end is within the tolerance, and about %.2g × that at t = %.4g", s.Peak, s.PeakT)
	default:
		s.Message += "; the error at the end is within the tolerance"
	}
	return s
}
