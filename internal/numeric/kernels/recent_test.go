package kernels_test

import (
	"math"
	"sync"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/numeric/kernel"
)

// A kernel is compiled once while it is among the recent ones, and never mistaken for another.
func TestRecent(t *testing.T) {
	var r kernels.Recent
	get := func(k kernel.Kernel, s kernel.Space) *kernels.Function {
		t.Helper()
		f, err := r.Compile(k, s)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	line, plane := kernels.Line(), dims(2)
	split := plane
	split.Inputs = 1
	renamed := kernel.Space{Names: []string{"x", "t"}}
	defined := scriptedSE(t)
	wider, err := defined.With("lengthscale", 3)
	if err != nil {
		t.Fatal(err)
	}
	negative := math.Copysign(0, -1)
	list := []struct {
		k kernel.Kernel
		s kernel.Space
	}{
		{defined, plane},
		{defined, split},
		{defined, renamed},
		{wider, plane},
		{kernel.Scaled{Factor: 2, Kernel: defined}, plane},
		{kernel.Polynomial{Degree: 1, Offset: 0}, line},
		{kernel.Polynomial{Degree: 1, Offset: negative}, line},
	}
	for _, c := range list {
		made := get(c.k, c.s)
		want, err := kernels.Compile(c.k, c.s)
		if err != nil {
			t.Fatal(err)
		}
		p, q := []float64{.2, .7}[:c.s.Dim()], []float64{.5, .1}[:c.s.Dim()]
		if got := made.At(p, q); got != want.At(p, q) || made.Space.Inputs != c.s.Inputs || made.Space.Names[c.s.Dim()-1] != c.s.Names[c.s.Dim()-1] {
			t.Errorf("%s: %g at points of %v, want %g", c.k, got, made.Space, want.At(p, q))
		}
	}
	kept := map[*kernels.Function]bool{}
	for _, c := range list {
		f := get(c.k, c.s)
		if kept[f] || get(c.k, c.s) != f {
			t.Errorf("%s on %v: not one function of its own", c.k, c.s)
		}
		kept[f] = true
	}
	for _, others := range []int{7, 8, 20} { // of eight the one asked for longest ago is the first to go
		first := get(defined, plane)
		for i := range others {
			get(kernel.SE{Lengthscale: kernel.Lengthscale{float64(i + 1)}}, line)
		}
		if kept := get(defined, plane) == first; kept != (others < 8) {
			t.Errorf("a kernel is kept: %t, though %d others were asked for since", kept, others)
		}
	}
	if _, err := r.Compile(nil, line); err == nil {
		t.Error("no error without a kernel")
	}
	if _, err := r.Compile(kernel.SE{Lengthscale: kernel.Auto}, line); err == nil {
		t.Error("no error of a kernel that cannot be compiled")
	}
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for range 50 {
				if _, err := r.Compile(list[i%len(list)].k, list[i%len(list)].s); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
}
