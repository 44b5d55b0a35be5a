package ode

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// run is the state of a solution on its way.
type run struct {
	ctx    context.Context
	system System
	Options
	t, end float64
	h      float64 // size of the next step
	y, f   []float64
	first  []float64 // F at the beginning
	sizes  []float64 // largest so far
	scales []float64 // the same, or what stands for it where a component has none yet
	seen   int       // steps of an earlier pass whose sizes are known
	small  float64   // their part that is allowed as an error, in units of Rel, where nothing is said
	events []float64 // values at t
	sol    *Solution
	bad    error // where F was last not finite

	part float64 // share or stiffShare

	isStiff   bool // solved by Radau from stiffFrom on
	stiffFrom float64
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
	s := r.stepper()
	r.sol.Events = make([]Hits, len(r.Options.Events))
	if err := r.startEvents(); err != nil {
		return err
	}
	r.record(r.t, r.y)
	for next := 0; r.t != r.end && !r.sol.Ended; {
		if r.sol.Steps >= r.MaxSteps {
			return &tooManySteps{fmt.Sprintf("%d steps reached only t = %.9g of %g: allow more, or larger errors%s", r.sol.Steps, r.t, r.end, r.stiffHint(s))}
		}
		p, err := s.step()
		if err != nil {
			return err
		}
		r.sol.Steps++
		r.grow()
		if err := r.lookAhead(); err != nil {
			return err
		}
		r.sol.pieces = append(r.sol.pieces, p)
		if err := r.locate(p); err != nil {
			return err
		}
		if next, err = r.output(p, next); err != nil {
			return err
		}
		if r.switches && !r.isStiff && (s.stiff() || r.beyondStiff()) && r.t != r.end {
			r.sol.Message += fmt.Sprintf("; stiff from t = %.4g on, solved by Radau there", r.t)
			r.isStiff, r.stiffFrom, r.part = true, r.t, r.stiffShare
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

// beyondStiff reports whether an earlier pass found the problem stiff here. With smaller errors
// that would show later, after many steps.
func (r *run) beyondStiff() bool {
	return r.start != nil && r.start.isStiff && (r.t-r.start.stiffFrom)*r.direction() >= 0
}

func (r *run) stepper() stepper {
	switch r.Method {
	case Radau:
		return newRadau(r)
	case DOP853:
		return newExplicit(r, order8())
	}
	return newExplicit(r, order5())
}

func (r *run) stiffHint(s stepper) string {
	if r.Method != Radau && s.stiff() && !r.isStiff {
		return "; the problem is stiff: method Radau is made for that"
	}
	return ""
}

// output stores the solution where it is wanted.
func (r *run) output(p piece, next int) (int, error) {
	if r.Times == nil {
		r.record(r.t, r.y)
		return 0, nil
	}
	for ; next < len(r.Times) && (r.Times[next]-r.t)*math.Copysign(1, p.h) <= 0; next++ {
		y := make([]float64, len(r.y))
		if err := p.eval(r.Times[next], y); err != nil {
			return next, err
		}
		r.record(r.Times[next], y)
	}
	return next, nil
}

// record stores a state; that at the beginning only where it is wanted.
func (r *run) record(t float64, y []float64) {
	if r.sol.Steps == 0 && len(r.Times) > 0 && len(r.sol.pieces) == 0 {
		return
	}
	r.sol.T = append(r.sol.T, t)
	r.sol.Y = append(r.sol.Y, slices.Clone(y))
}

// tolerance is what the error of a component in one step may be at y.
func (r *run) tolerance(i int, y float64) float64 {
	switch len(r.Abs) {
	case 0:
		const tiny = 1e-12
		return r.part * r.Rel * (math.Abs(y) + r.small*max(r.scales[i], tiny*slices.Max(r.scales)) + math.SmallestNonzeroFloat64)
	case 1:
		return r.part * (r.Rel*math.Abs(y) + r.Abs[0])
	}
	return r.part * (r.Rel*math.Abs(y) + r.Abs[i])
}

// allowed is what the errors of the components of the solution may be.
func (r *run) allowed() []float64 {
	most, scales := make([]float64, len(r.y)), r.scales
	r.scales = r.sizes
	for i := range most {
		most[i] = r.tolerance(i, r.sizes[i]) / r.part
	}
	r.scales = scales
	return most
}

// grow keeps the largest sizes of the components.
func (r *run) grow() {
	for i, v := range r.y {
		r.sizes[i] = max(r.sizes[i], math.Abs(v))
		r.scales[i] = max(r.scales[i], math.Abs(v))
	}
}

// lift gives a solution that was 0 until now a size, from its slopes: without one no error
// would be small enough where something begins to move it.
func (r *run) lift(slopes ...[]float64) {
	if slices.Max(r.scales) > 0 {
		return
	}
	small := min(1e-3, 1e-6/r.part)
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

type tooManySteps struct{ text string }

func (e *tooManySteps) Error() string { return e.text }

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
