package fit

import (
	"context"
	"math"

	"github.com/greenbench/workbench/numeric/internal/criteria"
)

// contender is one of several kernels of the same data that REML chooses from.
type contender struct {
	value, err float64 // REML at its λ, and its standard error; NaN: not known
	fall       float64 // what was taken off the value at the λ it was computed at
	bound      bool    // the value is of the diagonal of the preconditioner: an upper bound
	probed     *criteria.Probed
}

const (
	decisive  = 3   // standard errors, that decide between two values
	undecided = 0.5 // nats, that are not worth deciding
	mostMore  = 6   // blocks of random vectors besides the first
)

// settle lets go of what is no longer needed for contenders that have lost. At the end of
// the field it adds random vectors for those that have not, until one is decided on or
// the difference is not worth it.
func settle(ctx context.Context, field []*contender, end bool) error {
	for round := 0; ; round++ {
		best := leader(field)
		if best < 0 {
			return nil
		}
		open := false
		for i, c := range field {
			switch {
			case i == best:
			case !c.rivals(field[best]):
				c.probed = nil
			default:
				open = true
			}
		}
		if !end || !open || round == mostMore {
			return nil
		}
		for i, c := range field {
			if c.probed == nil || i != best && !c.rivals(field[best]) {
				continue
			}
			v, err := c.probed.More(ctx)
			if err != nil {
				return err
			}
			c.value, c.err = v.REML-c.fall, v.REMLErr
		}
	}
}

// rivals reports whether it is not decided that the best is better, and worth deciding.
func (c *contender) rivals(best *contender) bool {
	err := math.Hypot(c.err, best.err)
	return err > undecided && c.value-best.value < decisive*err
}

// leader is the contender of the least value, -1 if none has one.
func leader(field []*contender) int {
	best := -1
	for i, c := range field {
		if !math.IsNaN(c.value) && !math.IsInf(c.value, 0) && (best < 0 || c.value < field[best].value) {
			best = i
		}
	}
	return best
}

// winner is the leader, and what is to be said about how sure that is.
func winner(field []*contender) (best int, doubt string) {
	best = leader(field)
	for i, c := range field {
		switch {
		case c.bound:
			return best, " in its diagonal approximation (the problem is too large for more)"
		case best >= 0 && i != best && c.rivals(field[best]):
			doubt = " (others are no worse within the error of its estimate)"
		}
	}
	return best, doubt
}
