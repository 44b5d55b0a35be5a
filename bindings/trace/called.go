package trace

import (
	"errors"
	"fmt"
	"sync"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
)

// Called is a function of two points that is not traced but called, one pair of
// points at a time: a Lua state runs one function at a time.
type Called struct {
	Cost time.Duration // of one call, as measured when it was made

	mu     sync.Mutex
	t      *tracer
	points *numberPoints
	values *lua.LTable // parameters
	failed error       // the first failure; after it nothing is called any more
}

// Call prepares a function of two points to be called. It is tried on random
// points, so that mistakes show at once.
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
	k := &Called{t: t, points: newNumberPoints(c, o.Names, o.Names == nil), values: t.params.table(c, false, "")}
	if err := k.try(); err != nil {
		return nil, err
	}
	k.points = newNumberPoints(c, o.Names, false) // from now on names are known
	return k, nil
}

// try calls the function on points of as many coordinates as it accepts.
func (k *Called) try() (err error) {
	dims := []int{1, 2, 3, 4, 5, 6}
	switch {
	case k.t.Names != nil:
		dims = []int{len(k.t.Names)}
	case k.t.Dim > 0:
		dims = []int{k.t.Dim}
	}
	for _, d := range dims {
		if err = k.tryDim(d); err == nil {
			return nil
		}
		if _, short := k.t.explain(err); !short {
			return err
		}
	}
	return err
}

// tryDim fails if the function does on all points of d coordinates; on some it may
// have its reasons.
func (k *Called) tryDim(d int) (failed error) {
	s := k.t.sampler(d, nil)
	works := false
	start := time.Now()
	for i := range samples {
		p := s.draw(i)
		_, err := k.call(k.t.Names, p.number[0], p.number[1])
		var script *bind.ScriptError
		switch {
		case err == nil:
			works = true
		case !errors.As(err, &script):
			return err // no number
		case failed == nil:
			failed = err
		}
	}
	k.Cost = time.Since(start) / samples
	if works {
		return nil
	}
	return failed
}

// At is the value for points with the given names of coordinates, NaN after a
// failure. It may be called by several goroutines.
func (k *Called) At(names []string, p, q []float64) (float64, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.failed != nil {
		return 0, k.failed
	}
	v, err := k.call(names, p, q)
	if ctx := k.t.c.L.Context(); ctx == nil || ctx.Err() == nil { // an interrupt is no failure
		k.failed = err
	}
	return v, err
}

// Err is the first failure, if there was one.
func (k *Called) Err() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.failed
}

// call calls the function.
func (k *Called) call(names []string, points ...[]float64) (float64, error) {
	var args []any
	for _, x := range points {
		args = append(args, k.points.table(x, names, x))
	}
	if len(k.t.Params) > 0 {
		args = append(args, k.values)
	}
	results, err := k.t.f.Call(k.t.c, args...)
	if err != nil {
		return 0, err
	}
	x, ok := first(results).(lua.LNumber)
	if !ok {
		return 0, k.t.noNumber(first(results))
	}
	return float64(x), nil
}

// String says what the calls cost.
func (k *Called) String() string {
	pairs := 1e6 * k.Cost.Seconds()
	return fmt.Sprintf("calls its Lua function for every pair of points, one after the other: %.2g µs each, %.2g s for a matrix of 1000 × 1000",
		k.Cost.Seconds()*1e6, pairs)
}
