package fft

import (
	"fmt"
	"testing"
	"time"

	"gonum.org/v1/gonum/dsp/fourier"

	"github.com/greenbench/workbench/internal/numeric/simd"
)

// BenchmarkRatio runs gonum's transforms and those of each level in turn, there and back, so that whatever else the
// machine does slows both, and reports how many times faster the second are: the quotient of the least times seen.
func BenchmarkRatio(b *testing.B) {
	for _, level := range simd.Levels() {
		k, err := simd.New(level)
		if err != nil {
			b.Fatal(err)
		}
		for _, shape := range [][]int{{100}, {256}, {400}, {4096}, {65536}, {1000, 256}, {200, 200}, {50, 50, 200}} {
			b.Run(fmt.Sprintf("%v/%v", shape, level), func(b *testing.B) {
				plan, err := newReal(k, shape)
				if err != nil {
					b.Fatal(err)
				}
				x := random(1, plan.Size())
				re, im := make([]float64, plan.SpectrumSize()), make([]float64, plan.SpectrumSize())
				obvious := newObvious(shape)
				b.ResetTimer()
				slow, fast := time.Hour, time.Hour
				for range b.N {
					start := time.Now()
					obvious.thereAndBack(x)
					middle := time.Now()
					plan.Forward(re, im, x)
					plan.Inverse(x, re, im)
					slow, fast = min(slow, middle.Sub(start)), min(fast, time.Since(middle))
				}
				b.ReportMetric(slow.Seconds()/fast.Seconds(), "times")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

// obvious is the transform of a real array by gonum's of single lines: rows first, then each other axis, whose lines
// are gathered.
type obvious struct {
	shape    []int
	rows     *fourier.FFT
	axes     []*fourier.CmplxFFT
	spectrum []complex128
	line     []complex128
}

func newObvious(shape []int) *obvious {
	last := len(shape) - 1
	o := &obvious{shape: shape, rows: fourier.NewFFT(shape[last])}
	longest := 0
	for _, n := range shape[:last] {
		o.axes = append(o.axes, fourier.NewCmplxFFT(n))
		longest = max(longest, n)
	}
	o.spectrum = make([]complex128, product(shape[:last])*(shape[last]/2+1))
	o.line = make([]complex128, longest)
	return o
}

func (o *obvious) thereAndBack(x []float64) {
	n := o.shape[len(o.axes)]
	half := n/2 + 1
	for i := range len(x) / n {
		o.rows.Coefficients(o.spectrum[i*half:][:half], x[i*n:][:n])
	}
	for axis, plan := range o.axes {
		o.columns(axis, func(line []complex128) { plan.Coefficients(line, line) })
	}
	for axis, plan := range o.axes {
		o.columns(axis, func(line []complex128) { plan.Sequence(line, line) })
	}
	scale := 1 / float64(len(x))
	for i := range len(x) / n {
		row := o.rows.Sequence(x[i*n:][:n], o.spectrum[i*half:][:half])
		for j := range row {
			row[j] *= scale
		}
	}
}

func (o *obvious) columns(axis int, transform func(line []complex128)) {
	n, inner := o.shape[axis], product(o.shape[axis+1:len(o.axes)])*(o.shape[len(o.axes)]/2+1)
	line := o.line[:n]
	for first := range product(o.shape[:axis]) {
		for i := range inner {
			at := first*n*inner + i
			for j := range line {
				line[j] = o.spectrum[at+j*inner]
			}
			transform(line)
			for j, v := range line {
				o.spectrum[at+j*inner] = v
			}
		}
	}
}

// TestObvious: what BenchmarkRatio compares with is a transform and its inverse.
func TestObvious(t *testing.T) {
	for _, shape := range [][]int{{12}, {6, 10}, {4, 5, 6}} {
		x := random(1, product(shape))
		want := append([]float64(nil), x...)
		newObvious(shape).thereAndBack(x)
		for i := range x {
			if d := x[i] - want[i]; d > 1e-14 || d < -1e-14 {
				t.Fatalf("%v: element %d is off by %.2g", shape, i, d)
			}
		}
	}
}
