package dataset

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/numeric/array"
)

// By hand: outputs of 2 pairs on 4 points, 0 1 2 3 and 4 5 6 7: every point is
// off its mean by 2, so σ_u = 2.
func TestSpread(t *testing.T) {
	if got := pairs(2).Spread(); got != 2 {
		t.Errorf("spread = %g, want 2", got)
	}
}

// Large outputs with 20 % noise: mean 0, standard deviation 0.2 σ_u and
// fourth moment 3 within 5 standard errors of N = 200,000 draws (standard errors
// of a normal sample: σ/√N, σ/√(2N), √(96/N) σ⁴), independent of the output.
func TestNoiseIsThePapers(t *testing.T) {
	const n, m, level = 2000, 100, 0.2
	u := array.New(n, m)
	for i := range u.Data {
		u.Data[i] = 10 + math.Sin(float64(i))
	}
	clean, err := New(Spec{Input: array.New(n, 3), Output: u, InputMesh: uniform(3, "x"), OutputMesh: uniform(m, "x")})
	if err != nil {
		t.Fatal(err)
	}
	noisy, err := clean.Noise(level, 42)
	if err != nil {
		t.Fatal(err)
	}
	sigma := level * clean.Spread()
	var mean, square, fourth, with float64
	for i, v := range noisy.Output.Data {
		e := (v - u.Data[i]) / sigma
		mean += e
		square += e * e
		fourth += e * e * e * e
		with += e * (u.Data[i] - 10) * math.Sqrt2 // sin² averages 1/2
	}
	const N = n * m
	for _, c := range []struct {
		what             string
		got, want, error float64
	}{
		{"mean", mean / N, 0, 1 / math.Sqrt(N)},
		{"standard deviation", math.Sqrt(square / N), 1, 1 / math.Sqrt(2*N)},
		{"fourth moment", fourth / N, 3, math.Sqrt(96. / N)},
		{"correlation with the output", with / N, 0, 1 / math.Sqrt(N)},
	} {
		if math.Abs(c.got-c.want) > 5*c.error {
			t.Errorf("%s %g, want %g ± %g", c.what, c.got, c.want, c.error)
		}
	}
	if u.Data[0] != 10 || !arrays.Equal(clean.Input, noisy.Input) {
		t.Error("the clean dataset changed")
	}
}

// The noise of a seed is fixed: these are the first draws of rand/v2's PCG with
// seed 1 and the stream of the noise, by the ziggurat of NormFloat64, as this
// package first gave them; they must never change, or results could not be
// reproduced. level·σ_u = 1, and the clean outputs are 0, 1, 2.
func TestNoiseIsReproducible(t *testing.T) {
	d := pairs(2) // σ_u = 2
	a, err := d.Noise(0.5, 1)
	if err != nil {
		t.Fatal(err)
	}
	b, _ := d.Noise(0.5, 1)
	c, _ := d.Noise(0.5, 2)
	if !arrays.Equal(a.Output, b.Output) || arrays.Equal(a.Output, c.Output) {
		t.Error("the noise is not a function of the seed")
	}
	want := []float64{-1.8693977989567874, 1.5366965151384666, 1.2726165603395485}
	for k, w := range want {
		if got := a.Output.Data[k]; got != w {
			t.Errorf("output %d = %.17g, want %.17g", k, got, w)
		}
	}
	zero, err := d.Noise(0, 1)
	if err != nil || !arrays.Equal(zero.Output, d.Output) {
		t.Errorf("level 0: %v, %v", zero, err)
	}
}

// An output that is missing must not shift the noise of the others.
func TestNoiseSkipsMissing(t *testing.T) {
	whole := pairs(3)
	u := whole.Output.Copy()
	u.Set(math.NaN(), 0, 1)
	part, err := New(Spec{whole.Input, u, whole.InputMesh, whole.OutputMesh, true})
	if err != nil {
		t.Fatal(err)
	}
	a, _ := whole.Noise(0.5/whole.Spread(), 3)
	b, _ := part.Noise(0.5/part.Spread(), 3)
	for k, v := range b.Output.Data {
		if k != 1 && math.Abs(v-a.Output.Data[k]) > 1e-14 {
			t.Errorf("output %d: %g without the missing one, %g with it", k, a.Output.Data[k], v)
		}
	}
}

func TestNoiseErrors(t *testing.T) {
	for _, level := range []float64{-0.1, math.NaN(), math.Inf(1)} {
		_, err := pairs(2).Noise(level, 1)
		wantError(t, err, "level", "must be >= 0")
	}
	_, err := pairs(1).Noise(0.2, 1)
	wantError(t, err, "level 0.2", "1 pairs do not")
}

// A level that may have been meant as a percentage is said, and no other.
func TestLoudNoiseIsSaid(t *testing.T) {
	for level, says := range map[float64]bool{0.2: false, 1: false, 2: true, 20: true} {
		d, err := pairs(9).Noise(level, 1)
		if err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprintf("noise of level %g is %[1]g times the spread of the outputs: a level is a fraction, 0.2 stands for 20 %%", level)
		if got := strings.Contains(d.String(), text); got != says {
			t.Errorf("level %g: %s", level, d)
		}
		if got := slices.Contains(d.Suspicious(), text); got != says {
			t.Errorf("level %g: %q", level, d.Suspicious())
		}
	}
}

func TestRelativeErrors(t *testing.T) {
	// (3, 4) off by (0.3, 0.4): 0.5/5. (0, 2) off by (2, 0): 1. The third row's
	// missing point does not count: |5-4|/4.
	truth := &array.Array{Shape: []int{3, 2}, Data: []float64{3, 4, 0, 2, 4, math.NaN()}}
	pred := &array.Array{Shape: []int{3, 2}, Data: []float64{3.3, 4.4, 2, 2, 5, 100}}
	got, err := RelativeErrors(pred, truth)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{0.1, 1, 0.25} {
		if math.Abs(got[i]-want) > 1e-15 {
			t.Errorf("error %d = %g, want %g", i, got[i], want)
		}
	}
	_, err = RelativeErrors(pred, count(2, 3))
	wantError(t, err, "3×2", "2×3")
	_, err = RelativeErrors(count(6), count(6))
	wantError(t, err, "pairs × points")
	_, err = RelativeErrors(count(2, 2), array.New(2, 2))
	wantError(t, err, "truth[1]", "0 or missing")
}
