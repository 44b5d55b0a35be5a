package fft

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/simd"
)

// tolerance is the error allowed relative to the largest value of the reference; the sums compared have at most some
// thousands of terms, and both an FFT and its definition lose a few ulp (2.2e-16) on them.
const tolerance = 1e-13

func random(seed uint64, n int) []float64 {
	rng := rand.New(rand.NewPCG(seed, 1))
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	return x
}

// difference is the largest deviation of x from want, relative to the largest absolute value of want.
func difference(x, want []float64) float64 {
	scale, worst := 1e-300, 0.0
	for i := range want {
		scale = max(scale, math.Abs(want[i]))
		worst = max(worst, math.Abs(x[i]-want[i]))
	}
	if len(x) != len(want) {
		return math.Inf(1)
	}
	return worst / scale
}

// indices calls fn with the row-major position and index of every element of shape.
func indices(shape []int, fn func(at int, index []int)) {
	index := make([]int, len(shape))
	for at := range product(shape) {
		rest := at
		for a := len(shape) - 1; a >= 0; a-- {
			index[a] = rest % shape[a]
			rest /= shape[a]
		}
		fn(at, index)
	}
}

// definition computes the half spectrum by one sum per coefficient.
func definition(x []float64, shape []int) (re, im []float64) {
	half := append([]int(nil), shape...)
	half[len(half)-1] = shape[len(shape)-1]/2 + 1
	indices(half, func(_ int, k []int) {
		k = append([]int(nil), k...)
		var sr, si float64
		indices(shape, func(at int, j []int) {
			turn := 0.0
			for a, n := range shape {
				turn += float64(k[a]*j[a]%n) / float64(n)
			}
			s, c := math.Sincos(-2 * math.Pi * turn)
			sr += x[at] * c
			si += x[at] * s
		})
		re, im = append(re, sr), append(im, si)
	})
	return re, im
}

// levels are the instruction sets of this machine, plain Go among them.
func levels(t *testing.T) []simd.Kernels {
	t.Helper()
	var all []simd.Kernels
	for _, l := range simd.Levels() {
		k, err := simd.New(l)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, k)
	}
	return all
}

func spectrum(t *testing.T, k simd.Kernels, x []float64, shape ...int) (plan *Real, re, im []float64) {
	t.Helper()
	plan, err := newReal(k, shape)
	if err != nil {
		t.Fatal(err)
	}
	re, im = make([]float64, plan.SpectrumSize()), make([]float64, plan.SpectrumSize())
	plan.Forward(re, im, x)
	return plan, re, im
}

func checkTransform(t *testing.T, shape ...int) {
	t.Helper()
	x := random(uint64(len(shape)), product(shape))
	kept := append([]float64(nil), x...)
	wantRe, wantIm := definition(x, shape)
	want := append(wantRe, wantIm...)
	for _, k := range levels(t) {
		plan, re, im := spectrum(t, k, x, shape...)
		if e := difference(append(append([]float64(nil), re...), im...), want); e > tolerance {
			t.Errorf("%v, shape %v: forward is off by %.2g", k.Level(), shape, e)
		}
		y := make([]float64, len(x))
		savedRe, savedIm := append([]float64(nil), re...), append([]float64(nil), im...)
		plan.Inverse(y, re, im)
		if e := difference(y, x); e > tolerance {
			t.Errorf("%v, shape %v: inverse is off by %.2g", k.Level(), shape, e)
		}
		if difference(re, savedRe) != 0 || difference(im, savedIm) != 0 || difference(x, kept) != 0 {
			t.Errorf("%v, shape %v: an argument was written to", k.Level(), shape)
		}
	}
}

func TestEverySmoothLength(t *testing.T) {
	count := 0
	for n := 1; n <= 200; n++ {
		if smooth(n) {
			count++
			checkTransform(t, n)
		}
	}
	// Counted by hand: 1, 2, 3, 4, 5, 6, 8, … 180, 192, 200.
	if count != 46 {
		t.Errorf("%d smooth sizes up to 200: want 46", count)
	}
}

func TestManyAxes(t *testing.T) {
	for _, shape := range [][]int{
		{1, 1},
		{1, 8},
		{8, 1},
		{2, 2},
		{5, 9},
		{12, 10},
		{40, 6},
		{3, 150},
		{75, 30},
		{1, 1, 1},
		{4, 1, 6},
		{1, 6, 1},
		{5, 4, 9},
		{6, 10, 8},
		{2, 3, 4, 5},
		{3, 1, 5, 4},
	} {
		checkTransform(t, shape...)
	}
}

// TestLargeBlocks crosses the limits where lines are split into several blocks, against the transform done axis by axis
// with plans of one line.
func TestLargeBlocks(t *testing.T) {
	const rows, cols = 270, 500
	x := random(7, rows*cols)
	_, re, im := spectrum(t, simd.Best(), x, rows, cols)
	const half = cols/2 + 1
	line, _ := NewReal(cols)
	wantRe, wantIm := make([]float64, rows*half), make([]float64, rows*half)
	for i := range rows {
		line.Forward(wantRe[i*half:(i+1)*half], wantIm[i*half:(i+1)*half], x[i*cols:(i+1)*cols])
	}
	l := newLine(simd.Best(), rows)
	for k := range half {
		a := simd.Complex{Re: make([]float64, rows), Im: make([]float64, rows)}
		b := simd.Complex{Re: make([]float64, rows), Im: make([]float64, rows)}
		for i := range rows {
			a.Re[i], a.Im[i] = wantRe[i*half+k], wantIm[i*half+k]
		}
		z, _ := l.forward(1, a, b)
		for i := range rows {
			wantRe[i*half+k], wantIm[i*half+k] = z.Re[i], z.Im[i]
		}
	}
	if difference(re, wantRe) > tolerance || difference(im, wantIm) > tolerance {
		t.Errorf("blocks of lines differ from single lines: %.2g, %.2g", difference(re, wantRe), difference(im, wantIm))
	}
}

// TestLongLine compares one long line with its closed form: the spectrum of a^j is (1−a^n)/(1−a w^k).
func TestLongLine(t *testing.T) {
	const n, a = 1 << 10 * 75, 0.999
	x := make([]float64, n)
	x[0] = 1
	for j := 1; j < n; j++ {
		x[j] = math.Pow(a, float64(j))
	}
	_, re, im := spectrum(t, simd.Best(), x, n)
	for _, k := range []int{0, 1, 2, 1000, n/4 + 1, n / 2} {
		wr, wi := root(k, n)
		want := complex(1-math.Pow(a, n), 0) / (1 - a*complex(wr, wi))
		if math.Abs(re[k]-real(want)) > 1e-12*1000 || math.Abs(im[k]-imag(want)) > 1e-12*1000 {
			t.Errorf("k=%d: %g%+gi, want %g", k, re[k], im[k], want)
		}
	}
}

func TestParseval(t *testing.T) {
	shape := []int{45, 64, 30}
	x := random(3, product(shape))
	plan, re, im := spectrum(t, simd.Best(), x, shape...)
	energy, spectral := 0.0, 0.0
	for _, v := range x {
		energy += v * v
	}
	indices(plan.SpectrumShape(), func(at int, k []int) {
		weight := 2.0 // k and −k
		if last := k[len(k)-1]; last == 0 || 2*last == shape[2] {
			weight = 1
		}
		spectral += weight * (re[at]*re[at] + im[at]*im[at])
	})
	if spectral /= float64(len(x)); math.Abs(spectral-energy) > 1e-13*energy {
		t.Errorf("energy %.17g, of the spectrum %.17g", energy, spectral)
	}
}

func TestLinearity(t *testing.T) {
	shape := []int{18, 50}
	x, y := random(1, 900), random(2, 900)
	z := make([]float64, 900)
	for i := range z {
		z[i] = 3*x[i] - 0.25*y[i]
	}
	_, xr, xi := spectrum(t, simd.Best(), x, shape...)
	_, yr, yi := spectrum(t, simd.Best(), y, shape...)
	_, zr, zi := spectrum(t, simd.Best(), z, shape...)
	for i := range xr {
		xr[i], xi[i] = 3*xr[i]-0.25*yr[i], 3*xi[i]-0.25*yi[i]
	}
	if difference(zr, xr) > tolerance || difference(zi, xi) > tolerance {
		t.Error("the transform is not linear")
	}
}

func TestGood(t *testing.T) {
	for _, c := range [][2]int{{0, 2}, {1, 2}, {2, 2}, {3, 4}, {7, 8}, {11, 12}, {13, 16}, {199, 200}, {201, 216}, {257, 270}, {799, 800}} {
		if got := Good(c[0]); got != c[1] {
			t.Errorf("Good(%d) = %d: want %d", c[0], got, c[1])
		}
	}
}

func TestErrors(t *testing.T) {
	for _, shape := range [][]int{{}, {0}, {-4}, {14}, {4, 22}, {1 << 30, 1 << 30}} {
		if _, err := NewReal(shape...); err == nil {
			t.Errorf("shape %v was accepted", shape)
		}
	}
	for _, c := range []struct{ shape, in, out []int }{
		{[]int{8}, []int{9}, []int{4}},
		{[]int{8}, []int{4}, []int{0}},
		{[]int{8}, []int{4, 1}, []int{4}},
		{[]int{7}, []int{4}, []int{4}},
		{[]int{4}, []int{2}, []int{2}},
	} {
		if _, err := NewConvolver(context.Background(), c.shape, c.in, c.out, make([]float64, 8)); err == nil {
			t.Errorf("%+v was accepted", c)
		}
	}
}

func TestWrongLengthsPanic(t *testing.T) {
	plan, _ := NewReal(4)
	c, _ := NewConvolver(context.Background(), []int{4}, []int{2}, []int{2}, make([]float64, 4))
	for name, call := range map[string]func(){
		"Forward": func() { plan.Forward(make([]float64, 3), make([]float64, 2), make([]float64, 4)) },
		"Inverse": func() { plan.Inverse(make([]float64, 5), make([]float64, 3), make([]float64, 3)) },
		"Apply":   func() { c.Apply(make([]float64, 4), make([]float64, 2)) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s accepted a wrong length", name)
				}
			}()
			call()
		}()
	}
}

// TestConcurrentUse shares one plan among goroutines which must all get the bits of a single call.
func TestConcurrentUse(t *testing.T) {
	shape := []int{60, 40, 60}
	x := random(5, product(shape))
	plan, re, im := spectrum(t, simd.Best(), x, shape...)
	plan.engine.workers = 1
	plan.Forward(re, im, x)
	shared := *plan
	shared.engine.workers = 3
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			r, i := make([]float64, len(re)), make([]float64, len(im))
			shared.Forward(r, i, x)
			if difference(r, re) != 0 || difference(i, im) != 0 {
				t.Error("a concurrent transform gave other bits")
			}
		})
	}
	wait.Wait()
}

func BenchmarkReal(b *testing.B) {
	for _, shape := range [][]int{{256}, {400}, {4096}, {65536}, {1000, 256}, {200, 200}, {100, 100, 400}, {400, 100, 100}} {
		b.Run(fmt.Sprint(shape), func(b *testing.B) {
			plan, _ := NewReal(shape...)
			x := random(1, plan.Size())
			re, im := make([]float64, plan.SpectrumSize()), make([]float64, plan.SpectrumSize())
			b.ResetTimer()
			for range b.N {
				plan.Forward(re, im, x)
				plan.Inverse(x, re, im)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(plan.Size()), "ns/point")
		})
	}
}
