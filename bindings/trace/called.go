package trace

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
)

// Called is a function of two points that is not traced but called, one pair of
// points at a time, by as many goroutines as there are Lua states with a copy of it.
// The copies hold the variables around the function as they were when it was given.
type Called struct {
	Cost time.Duration // of one call, as measured when it was made

	t     *tracer
	idle  chan *calls
	count int
	alone string // why there is one state only

	mu     sync.Mutex
	failed error // the first failure; after it nothing is called any more
}

// calls is one Lua state that calls the function.
type calls struct {
	c      *bind.Call
	f      *bind.Function
	points *numberPoints
	values *lua.LTable // parameters
}

// mostStates bounds how many copies of a function there are.
const mostStates = 16

// Call prepares a function of two points to be called. It is tried on random
// points, so that mistakes show at once. Cost: about 5 ms for each processor, for a
// Lua state.
func Call(c *bind.Call, f *bind.Function, o Options) (*Called, error) {
	fn, err := written(f)
	if err != nil {
		return nil, err
	}
	t := &tracer{Options: o, c: c, f: f, scan: scanFunction(c.L, fn), inputs: inputNames(fn, o.Points)}
	if err := t.checkArity(fn); err != nil {
		return nil, err
	}
	if t.params, err = newParams(o.Params); err != nil {
		return nil, err
	}
	first := t.calls(c, f)
	k := &Called{t: t}
	probe, err := k.try(first)
	if err != nil {
		return nil, err
	}
	states := []*calls{}
	for range min(runtime.GOMAXPROCS(0), mostStates) {
		another, err := t.copied(fn)
		if err == nil {
			err = probe.compare(another)
		}
		if err != nil {
			k.alone, states = err.Error(), []*calls{first}
			break
		}
		states = append(states, another)
	}
	for _, s := range states { // from now on names are known
		s.points = newNumberPoints(s.c, o.Names, false)
	}
	k.idle, k.count = make(chan *calls, len(states)), len(states)
	for _, s := range states {
		k.idle <- s
	}
	return k, nil
}

// calls prepares calls in the state of c, on points whose coordinates have every name
// unless names were given.
func (t *tracer) calls(c *bind.Call, f *bind.Function) *calls {
	return &calls{c, f, newNumberPoints(c, t.Names, t.Names == nil), t.params.table(c, false, "")}
}

// copied prepares calls of a copy of the function in a state of its own.
func (t *tracer) copied(fn *lua.LFunction) (*calls, error) {
	L, err := anotherState(t.c.L)
	if err != nil {
		return nil, err
	}
	f, err := copyFunction(t.c.L, L, fn)
	if err != nil {
		return nil, err
	}
	c := bind.At(L)
	function, err := bind.Decode[bind.Function](c, f)
	if err != nil {
		return nil, err
	}
	return t.calls(c, &function), nil
}

// probe is a call whose result is known.
type probe struct {
	names []string
	p, q  []float64
	value float64
	t     *tracer
}

// compare fails if a copy gives something else.
func (p probe) compare(s *calls) error {
	v, err := p.t.valueIn(s, p.names, p.p, p.q)
	switch {
	case err != nil:
		return fmt.Errorf("a copy of it fails: %w", err)
	case !near([]float64{v}, []float64{p.value}, 0):
		return fmt.Errorf("a copy of it gives %s instead of %s", number(v), number(p.value))
	}
	return nil
}

// try calls the function on points of as many coordinates as it accepts.
// It returns a call that works.
func (k *Called) try(first *calls) (works probe, err error) {
	from, to := k.t.dims()
	for d := from; d <= to; d++ {
		if works, err = k.tryDim(first, d); err == nil {
			return works, nil
		}
		if _, short := k.t.explain(err); !short {
			return works, err
		}
	}
	return works, err
}

// tryDim fails if the function does on all points of d coordinates; on some it may
// have its reasons.
func (k *Called) tryDim(first *calls, d int) (works probe, failed error) {
	s, found := k.t.sampler(d, nil), false
	start := time.Now()
	for i := range samples {
		p := s.draw(i)
		v, err := k.t.valueIn(first, k.t.Names, p.number[0], p.number[1])
		var script *bind.ScriptError
		switch {
		case err == nil && !found:
			works, found = probe{k.t.Names, p.number[0], p.number[1], v, k.t}, true
		case err == nil:
		case !errors.As(err, &script):
			return works, err // no number
		case failed == nil:
			failed = err
		}
	}
	k.Cost = time.Since(start) / samples
	if found {
		return works, nil
	}
	return works, failed
}

// At is the value for points with the given names of coordinates, NaN after a
// failure and after an interrupt. It may be called by several goroutines.
func (k *Called) At(names []string, p, q []float64) (float64, error) {
	if err := k.Err(); err != nil {
		return 0, err
	}
	ctx := k.t.c.L.Context()
	if ctx != nil && ctx.Err() != nil { // what is left of a block of pairs is over at once
		return 0, ctx.Err()
	}
	s := <-k.idle
	defer func() { k.idle <- s }()
	if ctx != nil && s.c.L.Context() != ctx {
		s.c.L.SetContext(ctx)
	}
	v, err := k.t.valueIn(s, names, p, q)
	if err != nil && (ctx == nil || ctx.Err() == nil) { // an interrupt is no failure
		k.mu.Lock()
		defer k.mu.Unlock()
		if k.failed == nil {
			k.failed = err
		}
	}
	return v, err
}

// Over reports whether nothing is called any more, after a failure or an interrupt.
func (k *Called) Over() bool {
	ctx := k.t.c.L.Context()
	return ctx != nil && ctx.Err() != nil || k.Err() != nil
}

// Err is the first failure, if there was one.
func (k *Called) Err() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.failed
}

// valueIn calls the function in one state.
func (t *tracer) valueIn(s *calls, names []string, points ...[]float64) (float64, error) {
	var args []any
	for _, x := range points {
		args = append(args, s.points.table(x, names, x))
	}
	if len(t.Params) > 0 {
		args = append(args, s.values)
	}
	results, err := s.f.Call(s.c, args...)
	if err != nil {
		return 0, err
	}
	x, ok := first(results).(lua.LNumber)
	if !ok {
		return 0, t.noNumber(first(results))
	}
	return float64(x), nil
}

// String says what the calls cost.
func (k *Called) String() string {
	seconds := 1e6 * k.Cost.Seconds() / float64(k.count)
	how := fmt.Sprintf("on %d Lua states at once", k.count)
	switch {
	case k.alone != "":
		how = "one after the other, for " + k.alone
	case k.count == 1:
		how = "one after the other"
	}
	return fmt.Sprintf("calls its Lua function for every pair of points, %s: %.2g µs each, %.2g s for a matrix of 1000 × 1000", how, k.Cost.Seconds()*1e6, seconds)
}
