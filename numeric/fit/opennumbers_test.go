package fit

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Numbers that kernels leave open are moved one at a time or all lengthscales together, weights by the
// cube of that, within what is tried; what lies at an end of it is said.
func TestOpenNumbersMove(t *testing.T) {
	q := &search{space: kernel.Space{Names: []string{"x", "y"}, Inputs: 1}, opens: []kernels.Open{{Coordinates: []int{0}}, {}, {Coordinates: []int{1}}}, ofGreen: 3}
	values := []float64{.1, 1, .4}
	for _, c := range []struct {
		i    int
		by   float64
		want []float64
	}{
		{0, 2, []float64{.2, 1, .4}},
		{1, 2, []float64{.1, 8, .4}},
		{2, .5, []float64{.1, 1, .2}},
		{3, 2, []float64{.2, 1, .8}},
		{0, 1e-3, []float64{smallestLength, 1, .4}},
		{2, 1e3, []float64{.1, 1, largestLength}},
		{1, 1e3, []float64{.1, mostWeight, .4}},
		{1, 1e-3, []float64{.1, 1 / mostWeight, .4}},
	} {
		if got := q.moved(values, c.i, c.by); !slices.EqualFunc(got, c.want, func(a, b float64) bool { return math.Abs(a-b) < 1e-12*b }) {
			t.Errorf("number %d by %g: %v, want %v", c.i, c.by, got, c.want)
		}
	}
	for _, c := range []struct {
		values []float64
		want   string
	}{
		{values, ""},
		{[]float64{.1, mostWeight, .4}, ""},
		{[]float64{smallestLength, 1, .4}, "the lengthscale of x is the smallest that was tried, 2 % of its axis"},
		{[]float64{.1, 1, largestLength}, "the lengthscale of y is the largest that was tried, 5 times its axis"},
	} {
		if got := q.note(c.values).Text; !strings.HasPrefix(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%v: %q, want %q", c.values, got, c.want)
		}
	}
	if got := q.what(); got != "lengthscales and weights" {
		t.Errorf("%q", got)
	}
	if q.opens = q.opens[2:]; q.what() != "lengthscales" {
		t.Errorf("%q without weights", q.what())
	}
}

// What a fit could do without to take less time is told of what it has: the dense method, an open kernel,
// an open λ, and all points.
func TestCheaperFits(t *testing.T) {
	m := mesh.Must(mesh.Uniform(0, 1, 5, "x"))
	f := array.New(6, 5)
	for i := range f.Data {
		f.Data[i] = math.Sin(float64(i * i))
	}
	d, err := dataset.New(dataset.Spec{Input: f, Output: f, InputMesh: m, OutputMesh: m})
	if err != nil {
		t.Fatal(err)
	}
	se := kernel.SE{Lengthscale: kernel.Lengthscale{.3}}
	for _, c := range []struct {
		s    Spec
		want []string
	}{
		{Spec{Data: d}, []string{"with the kernel given", "with the kernel and λ given", "with the kernel and λ given on 256 landmarks"}},
		{Spec{Data: d, Kernel: kernel.SE{Lengthscale: kernel.Auto}, Lambda: 1}, []string{"with the kernel given", "with the kernel given on 256 landmarks"}},
		{Spec{Data: d, Kernel: se}, []string{"with the kernel and λ given", "with the kernel and λ given on 256 landmarks"}},
		{Spec{Data: d, Kernel: se, Lambda: 1, Dense: true}, []string{"by the structure of the kernel", "by the structure of the kernel on 256 landmarks"}},
		{Spec{Data: d, Kernel: se, Lambda: 1}, []string{"on 256 landmarks"}},
		{Spec{Data: d, Kernel: se, Landmarks: 8}, []string{"with the kernel and λ given"}},
	} {
		var words []string
		for _, o := range c.s.cheaper(t.Context()) {
			words = append(words, o.Words)
		}
		if !slices.Equal(words, c.want) {
			t.Errorf("kernel %v, λ %g, dense %t: %q, want %q", c.s.Kernel, c.s.Lambda, c.s.Dense, words, c.want)
		}
	}
}
