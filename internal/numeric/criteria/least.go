package criteria

import (
	"context"
	"fmt"
	"math"
)

// objective is a function of one number; NaN counts as +Inf. Its errors end a search.
type objective func(x float64) (float64, error)

func (f objective) at(x float64) (float64, error) {
	v, err := f(x)
	if math.IsNaN(v) {
		v = math.Inf(1)
	}
	return v, err
}

// minimum finds a minimum of f between lo and hi, to a distance, by parabolas through three
// points where they help and golden sections where not (Brent, Algorithms for Minimization
// without Derivatives, 1973, section 5.8). The ends themselves are not tried.
func minimum(lo, hi, to float64, f objective) (x, fx float64, err error) {
	const golden, most = 0.3819660112501051, 60
	x = lo + golden*(hi-lo)
	if fx, err = f.at(x); err != nil {
		return x, fx, err
	}
	w, v, fw, fv := x, x, fx, fx // the second and third best
	var step, before float64
	for range most {
		middle, tol := (lo+hi)/2, to/3
		if math.Abs(x-middle) <= 2*tol-(hi-lo)/2 {
			break
		}
		p, q, last := 0.0, 0.0, before
		if math.Abs(before) > tol && !math.IsInf(fv, 1) {
			r, s := (x-w)*(fx-fv), (x-v)*(fx-fw)
			p, q = (x-v)*s-(x-w)*r, 2*(s-r)
			if q > 0 {
				p = -p
			}
			q, before = math.Abs(q), step
		}
		if math.Abs(p) < math.Abs(q*last/2) && p > q*(lo-x) && p < q*(hi-x) {
			step = p / q
			if u := x + step; u-lo < 2*tol || hi-u < 2*tol {
				step = math.Copysign(tol, middle-x)
			}
		} else {
			before = hi - x
			if x >= middle {
				before = lo - x
			}
			step = golden * before
		}
		u := x + step
		if math.Abs(step) < tol {
			u = x + math.Copysign(tol, step)
		}
		fu, err := f.at(u)
		if err != nil {
			return x, fx, err
		}
		switch {
		case fu <= fx:
			if u >= x {
				lo = x
			} else {
				hi = x
			}
			v, fv, w, fw, x, fx = w, fw, x, fx, u, fu
		default:
			if u < x {
				lo = u
			} else {
				hi = u
			}
			if fu <= fw || w == x {
				v, fv, w, fw = w, fw, u, fu
			} else if fu <= fv || v == x || v == w {
				v, fv = u, fu
			}
		}
	}
	return x, fx, nil
}

// least finds the least value of f from hi downwards to lo: on a grid of a step first, then,
// to a distance, between the neighbours of the best point. A distance of 0 takes the point.
func least(lo, hi, step, to float64, f objective) (at, value float64, err error) {
	at, value = hi, math.Inf(1)
	for i := range int(math.Round((hi-lo)/step)) + 1 {
		l := hi - float64(i)*step
		v, err := f.at(l)
		if err != nil {
			return at, value, err
		}
		if v < value {
			at, value = l, v
		}
	}
	if to == 0 {
		return at, value, nil
	}
	x, v, err := minimum(max(at-step, lo), min(at+step, hi), to, f)
	if v < value {
		at, value = x, v
	}
	return at, value, err
}

// downhill walks on the grid from the middle of the range to the nearest local minimum, and refines it.
func downhill(lo, hi, step, _ float64, f objective) (at, value float64, err error) {
	at = (lo + hi) / 2
	if value, err = f.at(at); err != nil {
		return at, value, err
	}
	for _, by := range []float64{-step, step} {
		for moved := true; moved && at+by > lo-step/2 && at+by < hi+step/2; {
			v, err := f.at(at + by)
			if err != nil {
				return at, value, err
			}
			if moved = v < value; moved {
				at, value = at+by, v
			}
		}
	}
	return at, value, nil
}

const (
	firstDecades = 0.5  // step of Descend
	lastDecades  = 0.12 // and its end
	mostDecades  = 10   // from where it begins
	descendGain  = 1e-5 // part of the error, that a step has to gain: rounding would choose among what is flat
)

// Descend follows an error that is dear to compute down to a minimum near a λ: up and down
// in steps that become shorter where neither helps. It returns λ to a tenth of a decade, and
// the error there.
func Descend(ctx context.Context, begin float64, f func(ctx context.Context, lambda float64) (float64, error)) (lambda, value float64, err error) {
	known := map[float64]float64{}
	at := func(log float64) (float64, error) {
		if v, ok := known[log]; ok {
			return v, nil
		}
		if ctx.Err() != nil {
			return 0, fmt.Errorf("lambda stopped: %w", context.Cause(ctx))
		}
		v, err := f(ctx, math.Pow(10, log))
		known[log] = v
		return v, err
	}
	first := math.Log10(begin)
	log := first
	if value, err = at(log); err != nil {
		return 0, 0, err
	}
	for step := firstDecades; step > lastDecades; {
		moved := false
		for _, next := range []float64{log - step, log + step} {
			if math.Abs(next-first) > mostDecades {
				continue
			}
			v, err := at(next)
			if err != nil {
				return 0, 0, err
			}
			if v < value*(1-descendGain) {
				log, value, moved = next, v, true
				break
			}
		}
		if !moved {
			step /= 2
		}
	}
	return math.Pow(10, log), value, nil
}
