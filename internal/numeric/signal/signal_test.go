package signal_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/signal"
)

// definition is the transform as it is defined.
func definition(z []complex128) []complex128 {
	n := len(z)
	out := make([]complex128, n)
	for k := range out {
		for j, v := range z {
			out[k] += v * cmplx.Rect(1, -2*math.Pi*float64(j*k%n)/float64(n))
		}
	}
	return out
}

// TestTransforms: every length up to 70 and some long ones, with large prime factors, as
// defined; and back.
func TestTransforms(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	lengths := []int{97, 128, 211, 360, 509, 1009, 1024, 67 * 4}
	for n := 1; n <= 70; n++ {
		lengths = append(lengths, n)
	}
	for _, n := range lengths {
		z := make([]complex128, n)
		for i := range z {
			z[i] = complex(rng.NormFloat64(), rng.NormFloat64())
		}
		want, plan, got := definition(z), signal.NewPlan(n), append([]complex128(nil), z...)
		if err := plan.Forward(t.Context(), got); err != nil {
			t.Fatal(err)
		}
		for k, v := range got {
			if cmplx.Abs(v-want[k]) > 1e-13*float64(n) {
				t.Errorf("length %d: %v at %d, want %v", n, v, k, want[k])
			}
		}
		if err := plan.Inverse(t.Context(), got); err != nil {
			t.Fatal(err)
		}
		for k, v := range got {
			if cmplx.Abs(v-z[k]) > 1e-14*float64(n) {
				t.Errorf("length %d: back %v at %d, want %v", n, v, k, z[k])
			}
		}
	}
}

// TestCosine: as defined, and back; the orthogonal one keeps lengths.
func TestCosine(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	for _, n := range []int{1, 2, 3, 4, 7, 16, 67, 101} {
		x := make([]float64, n)
		norm := 0.0
		for i := range x {
			x[i] = rng.NormFloat64()
			norm += x[i] * x[i]
		}
		for _, ortho := range []bool{false, true} {
			got, err := signal.Cosine(t.Context(), x, false, ortho)
			if err != nil {
				t.Fatal(err)
			}
			sum := 0.0
			for k, v := range got {
				want := 0.0
				for j, u := range x {
					want += 2 * u * math.Cos(math.Pi*float64(k)*float64(2*j+1)/float64(2*n))
				}
				if sum += v * v; !ortho && math.Abs(v-want) > 1e-12 {
					t.Errorf("length %d: %g at %d, want %g", n, v, k, want)
				}
			}
			if ortho && math.Abs(sum-norm) > 1e-12*norm {
				t.Errorf("length %d: norm %g, want %g", n, sum, norm)
			}
			back, err := signal.Cosine(t.Context(), got, true, ortho)
			for i, v := range back {
				if err != nil || math.Abs(v-x[i]) > 1e-13 {
					t.Errorf("length %d, ortho %v: back %g, want %g", n, ortho, v, x[i])
				}
			}
		}
	}
}

// TestConvolve: by transforms as directly, whatever the units of the two.
func TestConvolve(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	for _, unit := range []float64{1e-9, 1, 1e9} {
		for _, n := range [][2]int{{1, 1}, {5, 3}, {64, 500}, {65, 65}, {100, 301}} {
			a, b := make([]float64, n[0]), make([]float64, n[1])
			for i := range a {
				a[i] = rng.NormFloat64() * unit
			}
			for i := range b {
				b[i] = rng.NormFloat64()
			}
			got, err := signal.Convolve(t.Context(), a, b)
			if err != nil || len(got) != n[0]+n[1]-1 {
				t.Fatalf("%d values, %v", len(got), err)
			}
			for k, v := range got {
				want := 0.0
				for i := range a {
					if j := k - i; j >= 0 && j < len(b) {
						want += a[i] * b[j]
					}
				}
				if math.Abs(v-want) > 1e-12*unit {
					t.Errorf("%v at %d: %g, want %g", n, k, v, want)
				}
			}
		}
	}
}

// TestLikeSciPy: windows, Welch's estimate, frequencies, where SciPy is installed.
func TestLikeSciPy(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 18))
	x := make([]float64, 1000)
	for i := range x {
		x[i] = rng.NormFloat64() + math.Sin(float64(i)) + 5
	}
	text, _ := json.Marshal(x)
	script := fmt.Sprintf(`
import json, numpy as np
from scipy import signal
x = np.array(%s)
out = []
for n in [1, 2, 7, 16]:
    for w in ['boxcar', 'hann', 'hamming', 'blackman', 'bartlett', ('kaiser', 8.5)]:
        for fftbins in [True, False]:
            out.append(list(signal.get_window(w, n, fftbins)))
for n, o in [(256, 128), (100, 30), (99, 0), (2000, 0)]:
    f, p = signal.welch(x, 50.0, nperseg=min(n, 1000), noverlap=o)
    out += [list(f), list(p)]
for n in [1, 2, 7, 8]:
    out += [list(np.fft.fftfreq(n, 0.1)), list(np.fft.rfftfreq(n, 0.1))]
print(json.dumps(out))
`, text)
	cmd := exec.CommandContext(t.Context(), "/usr/bin/python3", "-W", "ignore", "-")
	cmd.Stdin = strings.NewReader(script)
	out, err := cmd.Output()
	if err != nil {
		t.Skipf("SciPy does not run: %v", err)
	}
	var want [][]float64
	if err := json.Unmarshal(out, &want); err != nil {
		t.Fatal(err)
	}
	check := func(what string, got []float64) {
		t.Helper()
		if len(got) != len(want[0]) {
			t.Errorf("%s: %d numbers, SciPy %d", what, len(got), len(want[0]))
		} else {
			for i, v := range got {
				if math.Abs(v-want[0][i]) > 1e-12*max(1, math.Abs(want[0][i])) {
					t.Errorf("%s: %.17g at %d, SciPy %.17g", what, v, i, want[0][i])
				}
			}
		}
		want = want[1:]
	}
	for _, n := range []int{1, 2, 7, 16} {
		for _, w := range []string{"boxcar", "hann", "hamming", "blackman", "bartlett", "kaiser"} {
			for _, periodic := range []bool{true, false} {
				got, err := signal.Window(w, n, 8.5, periodic)
				if err != nil {
					t.Fatal(err)
				}
				check(fmt.Sprintf("%s of %d, periodic %v", w, n, periodic), got)
			}
		}
	}
	for _, c := range [][2]int{{256, 128}, {100, 30}, {99, 0}, {2000, 0}} {
		f, p, err := signal.Welch(t.Context(), x, 50, c[0], c[1])
		if err != nil {
			t.Fatal(err)
		}
		check("frequencies", f)
		check(fmt.Sprintf("Welch %v", c), p)
	}
	for _, n := range []int{1, 2, 7, 8} {
		check("fftfreq", signal.Frequencies(n, 0.1, false))
		check("rfftfreq", signal.Frequencies(n, 0.1, true))
	}
}
