package criteria

import (
	"context"
	"math"
)

// Contender is one of several kernels of the same data that REML chooses from.
type Contender struct {
	Value, Err float64 // REML at its λ, and its standard error; NaN: not known
	Fall       float64 // what was taken off the value at the λ it was computed at
	Bound      bool    // the value is of the diagonal of the preconditioner: an upper bound
	Probed     *Probed
}

const (
	decisive  = 3   // standard errors, that decide between two values
	Undecided = 0.5 // nats, that are not worth deciding
	mostMore  = 6   // blocks of random vectors besides the first
)

// Settle lets go of what is no longer needed for contenders that have lost. At the end of
// the field it adds random vectors for those that have not, until one is decided on or
// the difference is not worth it.
func Settle(ctx context.Context, field []*Contender, end bool) error {
	for round := 0; ; round++ {
		best := Leader(field)
		if best < 0 {
			return nil
		}
		open := false
		for i, c := range field {
			switch {
			case i == best:
			case !c.rivals(field[best]):
				c.Probed = nil
			default:
				open = true
			}
		}
		if !end || !open || round == mostMore {
			return nil
		}
		for i, c := range field {
			if c.Probed == nil || i != best && !c.rivals(field[best]) {
				continue
			}
			v, err := c.Probed.More(ctx)
			if err != nil {
				return err
			}
			c.Value, c.Err = v.REML-c.Fall, v.REMLErr
		}
	}
}

// rivals reports whether it is not decided that the best is better, and worth deciding.
func (c *Contender) rivals(best *Contender) bool {
	err := math.Hypot(c.Err, best.Err)
	return err > Undecided && c.Value-best.Value < decisive*err
}

// Leader is the contender of the least value, -1 if none has one.
func Leader(field []*Contender) int {
	best := -1
	for i, c := range field {
		if !math.IsNaN(c.Value) && !math.IsInf(c.Value, 0) && (best < 0 || c.Value < field[best].Value) {
			best = i
		}
	}
	return best
}

// Winner is the leader, and what is to be said about how sure that is.
func Winner(field []*Contender) (best int, doubt string) {
	best = Leader(field)
	for i, c := range field {
		switch {
		case c.Bound:
			return best, " in its diagonal approximation (the problem is too large for more)"
		case best >= 0 && i != best && c.rivals(field[best]):
			doubt = " (others are no worse within the error of its estimate)"
		}
	}
	return best, doubt
}
