package criteria

import (
	"context"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// held are the parameters that were taken out of a likelihood whose information was one everywhere.
func (p *sized) held(t *testing.T) (out []int) {
	t.Helper()
	for k := range p.at {
		none := p.gradient[k] == 0
		for j := range p.at {
			if zero := p.information.At(j, k) == 0; zero != (none || p.gradient[j] == 0) {
				t.Errorf("information of %d and %d is %g, the gradients %g and %g", j, k, p.information.At(j, k), p.gradient[j], p.gradient[k])
			}
		}
		if none {
			out = append(out, k)
		}
	}
	return out
}

// steady is a likelihood of a gradient that is the same everywhere, and of the value of one parameter.
func steady(gradient ...float64) likelihood {
	return func(_ context.Context, s Sizes) (*sized, error) {
		p := &sized{at: slices.Clone(s), value: s[0], gradient: slices.Clone(gradient), information: mat.NewSymDense(len(s), nil)}
		for i := range s {
			for j := range i + 1 {
				p.information.SetSym(i, j, 1)
			}
		}
		return p, nil
	}
}

// Parameters at a bound that the way down leads beyond do not move, and those that it leads away from do, at either end.
func TestParametersAreHeldAtTheirBounds(t *testing.T) {
	for _, c := range []struct {
		at       Sizes
		gradient []float64
		want     []int
	}{
		{Sizes{0, 1, 2}, []float64{1, -1, 1}, nil},
		{Sizes{mostSize, 1, mostSize}, []float64{-1, -1, 1}, []int{0}},
		{Sizes{leastSize, leastSize, 0}, []float64{-1, 1, 1}, []int{1}},
	} {
		p, _ := steady(c.gradient...)(t.Context(), c.at)
		p.holdOutward(Sizes.clamped)
		if got := p.held(t); !slices.Equal(got, c.want) {
			t.Errorf("%v, gradient %v: %v are held, want %v", c.at, c.gradient, got, c.want)
		}
	}
}

// Sizes that are at most so large are evaluated there, and their derivatives do not point beyond.
func TestCappedSizes(t *testing.T) {
	for _, c := range []struct {
		at, seen Sizes
		gradient []float64
		want     []int
	}{
		{Sizes{5, 5, 5}, Sizes{5, 2, 3}, []float64{-1, -1, -1}, []int{1, 2}},
		{Sizes{5, 5, 3}, Sizes{5, 2, 3}, []float64{-1, 1, -1}, []int{2}},
		{Sizes{5, 1, 2.9}, Sizes{5, 1, 2.9}, []float64{-1, -1, -1}, nil},
	} {
		given := slices.Clone(c.at)
		p, err := capped(steady(c.gradient...), map[int]float64{1: 2, 2: 3})(t.Context(), c.at)
		if err != nil || !slices.Equal(p.at, c.seen) || !slices.Equal(c.at, given) {
			t.Errorf("%v: evaluated at %v, %v, want %v", given, p.at, err, c.seen)
		}
		if got := p.held(t); !slices.Equal(got, c.want) {
			t.Errorf("%v, gradient %v: %v are held, want %v", given, c.gradient, got, c.want)
		}
	}
}

// One of a list is at its own bound, the one of the least value: where none is by itself, each is held there in turn.
func TestOneOfAListIsAtItsBound(t *testing.T) {
	bowl := func(_ context.Context, s Sizes) (*sized, error) { // least at (0, 1)
		p := &sized{at: slices.Clone(s), gradient: []float64{2 * s[0], 2 * (s[1] - 1)}, information: mat.NewSymDense(2, []float64{2, 0, 0, 2})}
		p.value = s[0]*s[0] + (s[1]-1)*(s[1]-1)
		return p, nil
	}
	for _, c := range []struct {
		most map[int]float64
		want Sizes
		held int
	}{
		{map[int]float64{0: 3, 1: 2}, Sizes{0, 2}, 1},
		{map[int]float64{0: 1, 1: 4}, Sizes{1, 1}, 0},
		{map[int]float64{0: -1, 1: 4}, Sizes{-1, 1}, 0},
	} {
		from, _ := bowl(t.Context(), Sizes{min(0, c.most[0]), 1})
		p, own, err := reach(t.Context(), capped(bowl, c.most), parameters{count: 2}, c.most, from, 50)
		if err != nil {
			t.Fatal(err)
		}
		for k, v := range p.at {
			if !(math.Abs(v-c.want[k]) <= .05) {
				t.Errorf("below %v: %v, want %v", c.most, p.at, c.want)
			}
		}
		if v, ok := own.held[c.held]; !ok || v != c.most[c.held] || len(own.held) != 1 {
			t.Errorf("below %v: held are %v, want number %d", c.most, own.held, c.held)
		}
	}
}
