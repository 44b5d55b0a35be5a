package ode

import (
	"context"
	"fmt"
	"math"
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
	Auto  = "auto"  // RK45, and Radau from where the problem is stiff
	RK45  = "RK45"  // Dormand and Prince, order 5(4), for problems that are not stiff
	Radau = "Radau" // Radau IIA, order 5, implicit, for stiff problems
)

// Options say how a problem is solved. The error of each step is kept below Rel |y| + Abs
// in each component, as a root mean square over them.
type Options struct {
	Method string    // "": Auto
	Rel    float64   // 0: 1e-6
	Abs    []float64 // one for all components or one for each; nil: Rel/1000 of the largest size of each component so far, Rel/10000 by Radau

	FirstStep, MaxStep float64 // 0: chosen
	MaxSteps           int     // 0: 500000

	Times  []float64 // where the solution is wanted, in its direction; nil: at the ends of the steps
	Events []Event
}

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

	Message string
	Ended   bool // by an event, before the end of the range

	pieces []piece
}

// piece is the solution over one step, a polynomial in (t - t0)/h.
type piece struct {
	t0, h float64
	at    func(x float64, y []float64)
}

func (p piece) end() float64 { return p.t0 + p.h }

func (p piece) eval(t float64, y []float64) { p.at((t-p.t0)/p.h, y) }

// At is the solution at a time between its ends, to about the exactness of the steps.
func (s *Solution) At(t float64) ([]float64, error) {
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
	y := make([]float64, s.size())
	s.pieces[i].eval(t, y)
	return y, nil
}

func (s *Solution) size() int { return len(s.Y[0]) }

// Solve solves the system from t0, where it is y0, to t1, which may be before t0.
func Solve(ctx context.Context, f System, t0, t1 float64, y0 []float64, o Options) (*Solution, error) {
	r := &run{ctx: ctx, system: f, Options: o, t: t0, end: t1, y: slices.Clone(y0), small: 1e-3, sol: &Solution{Message: "the end of the range was reached"}}
	if err := r.check(); err != nil {
		return nil, err
	}
	r.f = make([]float64, len(y0))
	if err := r.call(t0, r.y, r.f); err != nil {
		return nil, err
	}
	if !finite(r.f) {
		return nil, r.notFinite(t0, r.y)
	}
	if err := r.firstStep(); err != nil {
		return nil, err
	}
	if err := r.solve(); err != nil {
		return nil, err
	}
	return r.sol, nil
}

// run is the state of a solution on its way.
type run struct {
	ctx    context.Context
	system System
	Options
	t, end float64
	h      float64 // size of the next step
	y, f   []float64
	scales []float64 // largest sizes so far
	small  float64   // their part that is allowed as an error, in units of Rel, where nothing is said
	events []float64 // values at t
	sol    *Solution
	bad    error // where F was last not finite
}

func (r *run) direction() float64 { return math.Copysign(1, r.end-r.t) }

// call is F.
func (r *run) call(t float64, y, derivative []float64) error {
	if err := r.ctx.Err(); err != nil {
		return err
	}
	r.sol.Calls++
	return r.system.F(t, y, derivative)
}

// stepper makes one step of at most r.h that is exact enough, and the piece for it. It
// sets r.t, r.y, r.f and r.h.
type stepper interface {
	step() (piece, error)
	stiff() bool // it has seen that the problem is
}

func (r *run) solve() error {
	explicit := newExplicit(r)
	var s stepper = explicit
	if r.Method == Radau {
		s = newRadau(r)
	}
	r.sol.Events = make([]Hits, len(r.Options.Events))
	if err := r.startEvents(); err != nil {
		return err
	}
	r.record(r.t, r.y)
	for next := 0; r.t != r.end && !r.sol.Ended; {
		if r.sol.Steps >= r.MaxSteps {
			return fmt.Errorf("%d steps reached only t = %.9g of %g: allow more, or larger errors%s", r.sol.Steps, r.t, r.end, stiffHint(s, r.Method))
		}
		p, err := s.step()
		if err != nil {
			return err
		}
		r.sol.Steps++
		r.grow()
		r.sol.pieces = append(r.sol.pieces, p)
		if err := r.locate(p); err != nil {
			return err
		}
		next = r.output(p, next)
		if r.Method == Auto && s.stiff() && s == stepper(explicit) {
			r.sol.Message += fmt.Sprintf("; stiff from t = %.4g on, solved by Radau there", r.t)
			s = newRadau(r)
		}
	}
	if len(r.sol.pieces) == 0 { // the range is empty
		if len(r.sol.T) == 0 {
			r.sol.T, r.sol.Y = []float64{r.t}, [][]float64{slices.Clone(r.y)}
		}
		r.sol.pieces = []piece{{t0: r.t, h: 0, at: func(_ float64, y []float64) { copy(y, r.y) }}}
	}
	return nil
}

func stiffHint(s stepper, method string) string {
	if method == RK45 && s.stiff() {
		return "; the problem is stiff: method Radau is made for that"
	}
	return ""
}

// output stores the solution where it is wanted.
func (r *run) output(p piece, next int) int {
	if r.Times == nil {
		r.record(r.t, r.y)
		return 0
	}
	for ; next < len(r.Times) && (r.Times[next]-r.t)*math.Copysign(1, p.h) <= 0; next++ {
		y := make([]float64, len(r.y))
		p.eval(r.Times[next], y)
		r.record(r.Times[next], y)
	}
	return next
}

// record stores a state; that at the beginning only where it is wanted.
func (r *run) record(t float64, y []float64) {
	if r.sol.Steps == 0 && len(r.Times) > 0 && len(r.sol.pieces) == 0 {
		return
	}
	r.sol.T = append(r.sol.T, t)
	r.sol.Y = append(r.sol.Y, slices.Clone(y))
}

// tolerance is what the error of a component may be at y.
func (r *run) tolerance(i int, y float64) float64 {
	switch len(r.Abs) {
	case 0:
		const tiny = 1e-12
		return r.Rel * (math.Abs(y) + r.small*max(r.scales[i], tiny*slices.Max(r.scales)) + math.SmallestNonzeroFloat64)
	case 1:
		return r.Rel*math.Abs(y) + r.Abs[0]
	}
	return r.Rel*math.Abs(y) + r.Abs[i]
}

// grow keeps the largest sizes of the components.
func (r *run) grow() {
	for i, v := range r.y {
		r.scales[i] = max(r.scales[i], math.Abs(v))
	}
}

// lift gives a solution that was 0 until now a size, from its slopes: without one no error
// would be small enough where something begins to move it.
func (r *run) lift(slopes ...[]float64) {
	if slices.Max(r.scales) > 0 {
		return
	}
	const small = 1e-6
	for _, k := range slopes {
		for i, v := range k {
			if size := small * math.Abs(v*(r.end-r.t)); !math.IsInf(size, 0) {
				r.scales[i] = max(r.scales[i], size)
			}
		}
	}
}

// norm is the root mean square of e in units of the tolerance at the larger of y and z.
func (r *run) norm(e, y, z []float64) float64 {
	sum := 0.0
	for i, v := range e {
		if v == 0 {
			continue
		}
		q := v / r.tolerance(i, max(math.Abs(y[i]), math.Abs(z[i])))
		sum += q * q
	}
	return math.Sqrt(sum / float64(len(e)))
}

// smallest is the smallest step that changes t.
func (r *run) smallest() float64 {
	return 10 * math.Abs(math.Nextafter(r.t, r.end)-r.t)
}

// stuck is the error for a step that would be smaller than that.
func (r *run) stuck() error {
	if r.bad != nil {
		return r.bad
	}
	return fmt.Errorf("the solution cannot be continued beyond t = %.9g: the step became smaller than rounding; perhaps it grows without bound there (y = %s)", r.t, show(r.y))
}

func (r *run) notFinite(t float64, y []float64) error {
	return fmt.Errorf("f is not finite at t = %.9g, y = %s", t, show(y))
}

func show(y []float64) string {
	const most = 6
	text := "{"
	for i, v := range y[:min(most, len(y))] {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprintf("%.6g", v)
	}
	if len(y) > most {
		text += ", …"
	}
	return text + "}"
}

func finite(v []float64) bool {
	for _, x := range v {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return false
		}
	}
	return true
}
