package trace

import (
	"fmt"
	"math"
	"slices"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/internal/numeric/kernels"
)

// Of any 32 samples of two points a quarter are of equal points, an eighth share their first
// coordinate alone, an eighth are near one another, an eighth far away, and an eighth made of the
// numbers that the function mentions; names of coordinates that are numbered have the same values.
func TestSamplesReachExceptions(t *testing.T) {
	special := []float64{77, -88, 99}
	for _, d := range []int{2, 3} {
		s := (&tracer{Options: Options{Points: 2}, scan: &scan{numbers: special}}).sampler(d, []string{"x", "s", "t"})
		var equal, shared, near, far, made int
		for i := range samples {
			p := s.draw(i)
			a, b := p.number[0], p.number[1]
			isSpecial := func(v float64) bool { return slices.Contains(s.special, v) }
			switch same := slices.Equal(a, b) && slices.Equal(p.name[0], p.name[1]); {
			case same != p.same:
				t.Errorf("sample %d, %v and %v: same %t", i, a, b, p.same)
			case same:
				equal++
			case a[0] == b[0] && !isSpecial(a[0]) && p.name[0][1] != p.name[1][1]:
				shared++
			case math.Abs(a[0]-b[0]) < .5 && math.Abs(a[1]-b[1]) < .5 && i%8 == 5:
				near++
			}
			if p.size() > 3 && !slices.ContainsFunc(a, isSpecial) {
				far++
			}
			if !slices.ContainsFunc(append(slices.Clone(a), p.name[0][1:]...), func(v float64) bool { return !isSpecial(v) }) {
				made++
			}
			for j := range 2 {
				if p.name[j][0] != p.number[j][0] {
					t.Errorf("sample %d: x is %g, the first coordinate %g", i, p.name[j][0], p.number[j][0])
				}
			}
		}
		if equal != samples/4 || shared != samples/8 || near < samples/16 || far < samples/16 || made != samples/4 {
			t.Errorf("%d coordinates: %d samples equal, %d share the first, %d near, %d far, %d of the numbers", d, equal, shared, near, far, made)
		}
	}
}

// The size of a sample is its largest coordinate of any point, by number or by name, and all of the unit cube have the size 1.
func TestSizeOfASample(t *testing.T) {
	for _, c := range []struct {
		number, name [][]float64
		want         float64
	}{
		{want: 1},
		{[][]float64{{.3, -.9}}, [][]float64{{.5}}, 1},
		{[][]float64{{.3}, {1.25}}, nil, 1.25},
		{[][]float64{{-7, 2}}, [][]float64{{3}}, 7},
		{[][]float64{{.1}}, [][]float64{{.2}, {-1.5}}, 1.5},
	} {
		if got := (sample{number: c.number, name: c.name}).size(); got != c.want {
			t.Errorf("%v and %v: size %g, want %g", c.number, c.name, got, c.want)
		}
	}
}

// How far samples are scattered: by 1 around zero, by 5 far away, by 0.1 near the first point.
func TestHowFarSamplesScatter(t *testing.T) {
	s := (&tracer{Options: Options{Points: 2}, scan: &scan{}}).sampler(2, nil)
	const many = 4000
	for i, want := range map[int]float64{1: 1, 2: 5, 5: 0.1} {
		sum := 0.0
		for range many {
			p := s.draw(i)
			for k, x := range p.number[1] {
				if i == 5 {
					x -= p.number[0][k]
				}
				sum += x * x / (2 * many)
			}
		}
		if math.Abs(math.Sqrt(sum)/want-1) > 0.1 { // nine standard deviations
			t.Errorf("sample %d scatters by %g, want %g", i, math.Sqrt(sum), want)
		}
	}
}

// A function that tests something is tried at all numbers it mentions, in each of its points alone,
// the first time; on more coordinates, and where it tests nothing, at fewer points.
func TestHowManySamples(t *testing.T) {
	numbers := []float64{7, 8, 9}
	for _, tests := range []bool{false, true} {
		for points := 1; points <= 2; points++ {
			s := (&tracer{Options: Options{Points: points}, scan: &scan{numbers: numbers, tests: tests}}).sampler(2, []string{"t"})
			want := samples
			if tests {
				want += points * (5 + len(numbers)) // 0, 1, -1, 0.5 and 2 as well
			}
			if got := s.count(true); got != want || s.count(false) != fewer {
				t.Errorf("%d points, tests %t: %d samples, then %d; want %d and %d", points, tests, got, s.count(false), want, fewer)
			}
			tried := map[string]int{}
			for i := samples; i < s.count(true); i++ {
				for j, x := range s.draw(i).number {
					if x[0] == x[1] {
						tried[fmt.Sprint(j, x[0])]++
					}
				}
			}
			for j := range points {
				for _, v := range s.special {
					if n := tried[fmt.Sprint(j, v)]; tests && n < 1 {
						t.Errorf("%d points: point %d is tried %d times at %g", points, j, n, v)
					}
				}
			}
		}
	}
}

// The numbers that a function mentions are kept up to twelve, each once, and none that is not finite.
func TestNumbersThatAreMentioned(t *testing.T) {
	s := &scan{}
	for i := range 30 {
		for _, v := range []float64{float64(i), float64(i), math.NaN(), math.Inf(1), math.Inf(-1)} {
			s.number(lua.LNumber(v))
		}
		if want := min(i+1, 12); len(s.numbers) != want {
			t.Errorf("of %d numbers %d are kept: %v", i+1, len(s.numbers), s.numbers)
		}
	}
}

// A place is told by the numbers of coordinates, by names that are none of these, or as every point.
func TestPlacesInWords(t *testing.T) {
	tr := &tracer{inputs: []string{"p", "q"}}
	p := sample{number: [][]float64{{1, 2}, {-3, math.Inf(-1)}}, name: [][]float64{{1, 5}, {-3, math.NaN()}}}
	for _, c := range []struct {
		names []string
		dim   int
		want  string
	}{
		{nil, 0, "every point"},
		{nil, 2, "p = {1, 2}, q = {-3, -inf}"},
		{[]string{"x", "t"}, 0, "p = {x = 1, t = 5}, q = {x = -3, t = NaN}"},
		{[]string{"x", "t"}, 1, "p = {1, 2, t = 5}, q = {-3, -inf, t = NaN}"},
		{[]string{"z", "t"}, 2, "p = {1, 2, z = 1, t = 5}, q = {-3, -inf, z = -3, t = NaN}"},
		{[]string{"z", "t"}, 3, "p = {1, 2, t = 5}, q = {-3, -inf, t = NaN}"},
	} {
		tr.names = c.names
		if got := tr.where(p, kernels.Form{Dim: c.dim}); got != c.want {
			t.Errorf("names %v, %d coordinates: %s, want %s", c.names, c.dim, got, c.want)
		}
	}
	for want, v := range map[string][]float64{"NaN": {math.NaN()}, "inf": {math.Inf(1)}, "-inf": {math.Inf(-1)}, "0.333333": {1. / 3}, "{1, inf}": {1, math.Inf(1)}, "{}": {}} {
		if got := show(v); got != want {
			t.Errorf("%v is shown as %s, want %s", v, got, want)
		}
	}
}
