package laws

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/numeric/kernel"
)

// Lag is the reduction of two times to their difference: coordinates Input (s)
// and Output (t) are replaced by a last coordinate t - s.
type Lag struct{ Input, Output int }

// LagName is the name of the coordinate t - s.
const LagName = "lag"

// Space returns the reduced space.
func (l *Lag) Space(s kernel.Space) kernel.Space {
	r := kernel.Space{Inputs: s.Inputs}
	for i, n := range s.Names {
		switch {
		case i == l.Input || i == l.Output:
			if i < s.Inputs {
				r.Inputs--
			}
		default:
			r.Names = append(r.Names, n)
		}
	}
	r.Names = append(r.Names, LagName)
	return r
}

// Point reduces the coordinates of a point.
func (l *Lag) Point(x []*expr.Node) []*expr.Node {
	var r []*expr.Node
	for i, v := range x {
		if i != l.Input && i != l.Output {
			r = append(r, v)
		}
	}
	return append(r, expr.Sub(x[l.Output], x[l.Input]))
}

// sameTime is how far apart, relative to their sizes, times are one: those of two
// windows that were computed in different ways, such as 0.3 and 3 × 0.1.
const sameTime = 1e-12

// Rounding is by how much two times may differ and be one.
func Rounding(a, b *expr.Node) *expr.Node {
	return expr.Mul(expr.Const(sameTime), expr.Add(expr.Abs(a), expr.Abs(b)))
}

// Seen returns the reduced coordinates of a point x for masks: a lag that differs from zero
// only by rounding is zero.
func (l *Lag) Seen(x []*expr.Node) []*expr.Node {
	r := l.Point(x)
	lag := r[len(r)-1]
	r[len(r)-1] = expr.Mul(lag, expr.GE(expr.Abs(lag), Rounding(x[l.Input], x[l.Output])))
	return r
}

// section is the point with input time zero that reduces to the coordinates r.
func (l *Lag) section(r []*expr.Node) []*expr.Node {
	x, next := make([]*expr.Node, len(r)+1), 0
	for i := range x {
		switch i {
		case l.Input:
			x[i] = expr.Const(0)
		case l.Output:
			x[i] = r[len(r)-1]
		default:
			x[i] = r[next]
			next++
		}
	}
	return x
}

// Reduced returns the laws on the reduced space of those on a space of dim
// coordinates.
func (l Laws) Reduced(dim int) (Laws, error) {
	lag := l.Reduce
	var out Laws
	section := lag.section(Coordinates(dim - 1))
	for _, m := range l.Masks {
		if !stationary(m, lag, dim) {
			return out, fmt.Errorf("with time invariance a mask may depend on the times only by their difference, and this one does not: cut by t - s, or leave one of the two out")
		}
		out.Masks = append(out.Masks, substitute([]*expr.Node{m}, section)[0])
	}
	var err error
	if out.Obey, err = lag.images(l.Obey, section); err != nil {
		return out, err
	}
	out.Symmetrise, err = lag.images(l.Symmetrise, section)
	return out, err
}

// stationary reports whether a mask keeps its value when both times move: it does at
// random points of all scales.
func stationary(mask *expr.Node, l *Lag, dim int) bool {
	if expr.DifferenceOnly(mask, l.Input, l.Output) {
		return true
	}
	moved, rng := make([]float64, dim), rand.New(rand.NewPCG(11, 12))
	for x := range scattered(make([]float64, dim), manyPoints) {
		copy(moved, x)
		by := rng.NormFloat64() * (math.Abs(x[l.Input]) + math.Abs(x[l.Output]))
		moved[l.Input] += by
		moved[l.Output] += by
		if expr.Eval(mask, x) != expr.Eval(mask, moved) {
			return false
		}
	}
	return true
}

// images returns maps of the reduced points.
func (l *Lag) images(images []Image, section []*expr.Node) ([]Image, error) {
	var out []Image
	for _, im := range images {
		at := l.Point(im.At)
		for _, n := range at {
			if expr.Stationary(n, l.Input, l.Output) == expr.Refuted {
				return nil, fmt.Errorf("a map moves the two times differently, so that with time invariance G would not depend on time at all: map both times together, or leave one of the two out")
			}
		}
		out = append(out, Image{Sign: im.Sign, At: substitute(at, section)})
	}
	return out, nil
}
