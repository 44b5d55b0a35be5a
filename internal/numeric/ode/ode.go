package ode

import (
	"context"
	"fmt"
	"slices"
	"sort"
)

// System is y' = F(t, y). An error of F or Jacobian ends the solution.
type System struct {
	F func(t float64, y, derivative []float64) error
	// Jacobian stores ∂F/∂y, row by row. nil: it is formed by differences of F.
	Jacobian func(t float64, y, jacobian []float64) error
}

// The methods.
const (
	Auto   = "auto"   // DOP853, and Radau from where the problem is stiff, until the error of the solution is within the tolerance
	RK45   = "RK45"   // Dormand and Prince, order 5(4), for problems that are not stiff
	DOP853 = "DOP853" // Dormand and Prince, order 8(5,3), for problems that are not stiff
	Radau  = "Radau"  // Radau IIA, order 5, implicit, for stiff problems
)

// Options say how a problem is solved. Auto keeps the error of the solution at the end below
// Rel times the largest |y| plus Abs in each component, by solving more than once: the error
// is estimated, and made smaller where that says that it is too large. The other methods keep
// the error of each step below Rel |y| + Abs, as a root mean square over the components.
type Options struct {
	Method string    // "": Auto
	Rel    float64   // 0: 1e-6
	Abs    []float64 // one for all components or one for each; nil: Rel/1000 of the largest size of each component so far, Rel/10000 by Radau

	FirstStep, MaxStep float64 // 0: chosen
	MaxSteps           int     // 0: 500000

	Times  []float64 // where the solution is wanted, in its direction; nil: at the ends of the steps
	Events []Event

	switches          bool    // to Radau where the problem is stiff
	share, stiffShare float64 // of the tolerance, which the error of a step may use; 0: 1
	start             *run    // of an earlier pass, which knows F there and the sizes of the components
}

const (
	defaultRel = 1e-6
	leastRel   = 100 * 0x1p-52 // less is below rounding
)

// Event is a function whose zeros are located.
type Event struct {
	G         func(t float64, y []float64) (float64, error)
	Terminal  bool // the solution ends at its first zero
	Direction int  // 1: only where G increases, -1: only where it decreases, 0: both
}

// Hits are the zeros of an event.
type Hits struct {
	T []float64
	Y [][]float64
}

// Solution is a solution.
type Solution struct {
	T      []float64
	Y      [][]float64 // one state for each time
	Events []Hits      // in the order of Options.Events

	Calls, Jacobians, Decompositions, Steps, Rejected int

	// By Auto: the estimated error of each component at the end (nil: not known), the largest in
	// units of the tolerance, the largest on the way and where that is.
	Error            []float64
	Off, Peak, PeakT float64

	Message string
	Ended   bool // by an event, before the end of the range

	run    *run
	pieces []piece
}

// piece is the solution over one step, a polynomial in (t - t0)/h.
type piece struct {
	t0, h float64
	at    func(x float64, y []float64)
	ready func() error // to be called before at; may be nil
}

func (p piece) end() float64 { return p.t0 + p.h }

func (p piece) eval(t float64, y []float64) error {
	if p.ready != nil && t != p.t0 {
		if err := p.ready(); err != nil {
			return err
		}
	}
	p.at((t-p.t0)/p.h, y)
	return nil
}

// At is the solution at a time between its ends, to about the exactness of the steps. Within a
// step of DOP853 that was not looked at yet it calls F three or four times; not for several
// goroutines at once.
func (s *Solution) At(ctx context.Context, t float64) ([]float64, error) {
	s.run.ctx = ctx
	return s.state(t)
}

func (s *Solution) state(t float64) ([]float64, error) {
	if t == s.run.t {
		return slices.Clone(s.run.y), nil
	}
	first, last := s.pieces[0].t0, s.pieces[len(s.pieces)-1].end()
	forward := last >= first
	if !(t >= min(first, last) && t <= max(first, last)) {
		return nil, fmt.Errorf("t = %g: the solution goes from %g to %g", t, first, last)
	}
	i := sort.Search(len(s.pieces)-1, func(i int) bool {
		if forward {
			return t <= s.pieces[i].end()
		}
		return t >= s.pieces[i].end()
	})
	y := make([]float64, len(s.run.y))
	return y, s.pieces[i].eval(t, y)
}

// Solve solves the system from t0, where it is y0, to t1, which may be before t0.
func Solve(ctx context.Context, f System, t0, t1 float64, y0 []float64, o Options) (*Solution, error) {
	if o.Method == "" || o.Method == Auto {
		return solveGlobally(ctx, f, t0, t1, y0, o)
	}
	s, err := solveOnce(ctx, f, t0, t1, y0, o)
	if err != nil {
		return nil, err
	}
	return s, nil
}

// solveOnce returns how far it came with an error.
func solveOnce(ctx context.Context, f System, t0, t1 float64, y0 []float64, o Options) (*Solution, error) {
	r := &run{ctx: ctx, system: f, Options: o, t: t0, end: t1, y: slices.Clone(y0), small: 1e-3, sol: &Solution{Message: "the end of the range was reached"}}
	r.sol.run = r
	if err := r.check(); err != nil {
		return r.sol, err
	}
	if err := r.begin(); err != nil {
		return r.sol, err
	}
	err := r.solve()
	r.start = nil
	return r.sol, err
}
