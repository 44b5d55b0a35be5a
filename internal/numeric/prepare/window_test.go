package prepare_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/prepare"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
)

// The windows of a convolution are those of its definition: each output is that of its
// inputs, in hours, seconds and nanoseconds, from any start, with times of a file.
func TestWindows(t *testing.T) {
	response := []float64{.5, 1, -.3, .1} // at lags 0 … 3
	for _, h := range []float64{1, 3600, 1e-9, 1. / 3} {
		for _, start := range []float64{0, -17 * h, 1e6 * h} {
			rng := rand.New(rand.NewPCG(1, 2))
			const n = 50
			f, u, times := array.New(2, n), array.New(2, n), make([]float64, n)
			for k := range times {
				times[k] = start + float64(k)*h
			}
			for i := range 2 {
				for k := range n {
					f.Data[i*n+k] = rng.NormFloat64()
					for lag, g := range response {
						if k >= lag {
							u.Data[i*n+k] += g * f.Data[i*n+k-lag]
						}
					}
				}
			}
			x := mesh.Must(mesh.Trapezoid(times, "t"))
			out, starts, err := prepare.Windows(made(t, f, u, x, x), prepare.Cut{Length: 6 * h, Lags: 3 * h, Step: 2 * h})
			if err != nil {
				t.Fatalf("step %g, start %g: %v", h, start, err)
			}
			if out.N() != 2*((n-3-6)/2+1) || out.Fields[0].Mesh.Size() != 9 || out.Outputs[0].Mesh.Size() != 6 || math.Abs(starts[1]-(start+5*h)) > 1e-6*h {
				t.Fatalf("%d windows of %d and %d points, the second at %g", out.N(), out.Fields[0].Mesh.Size(), out.Outputs[0].Mesh.Size(), starts[1])
			}
			if a := out.Fields[0].Mesh.Axes()[0]; math.Abs(a.Lower[0]+3*h) > 1e-9*h || a.Step == 0 || math.Abs(a.Upper[0]-5*h) > 1e-9*h {
				t.Errorf("inputs on %s: must begin 3 steps before zero", a)
			}
			for i := range out.N() {
				for k := range 6 {
					want := 0.0
					for lag, g := range response {
						want += g * out.Fields[0].Values.Data[i*9+3+k-lag]
					}
					if got := out.Outputs[0].Values.Data[i*6+k]; math.Abs(got-want) > 1e-14 {
						t.Fatalf("window %d: output %d is %g, must be %g", i, k, got, want)
					}
				}
			}
		}
	}
}

// A field in space and time is cut along time, between its other axes.
func TestWindowsOfFields(t *testing.T) {
	time := mesh.Must(mesh.Uniform(0, 9, 10, "t"))
	space := mesh.Must(mesh.Uniform(0, 1, 2, "x"))
	m, err := mesh.Product(space, time)
	if err != nil {
		t.Fatal(err)
	}
	f := array.New(1, 20)
	for k := range f.Data {
		f.Data[k] = float64(100*(k/10) + k%10)
	}
	u := array.New(1, 10)
	for k := range u.Data {
		u.Data[k] = nan
	}
	u.Data[9] = 1
	out, starts, err := prepare.Windows(made(t, f, u, m, time), prepare.Cut{Length: 3, Lags: 1})
	if err != nil {
		t.Fatal(err)
	}
	if want := []float64{6, 7, 8, 9, 106, 107, 108, 109}; out.N() != 1 || starts[0] != 7 || !slices.Equal(out.Fields[0].Values.Data, want) {
		t.Errorf("%v from %v: must be %v, the only window with an output", out.Fields[0].Values.Data, starts, want)
	}
}

func TestWindowErrors(t *testing.T) {
	at := func(m mesh.Mesh) *dataset.Table { return made(t, array.New(1, m.Size()), array.New(1, m.Size()), m, m) }
	hourly := mesh.Must(mesh.Uniform(0, 49, 50, "t"))
	for _, c := range []struct {
		m   mesh.Mesh
		cut prepare.Cut
		say []string
	}{
		{hourly, prepare.Cut{Length: 2.5}, []string{"length 2.5", "whole number of the record's steps of 1"}},
		{hourly, prepare.Cut{Length: 1}, []string{"length 1", "at least 2 steps"}},
		{hourly, prepare.Cut{Length: nan}, []string{"length NaN"}},
		{hourly, prepare.Cut{Length: math.Inf(1)}, []string{"length +Inf"}},
		{hourly, prepare.Cut{Length: 1e300}, []string{"length 1e+300"}},
		{hourly, prepare.Cut{Length: 10, Lags: -1}, []string{"lags -1"}},
		{hourly, prepare.Cut{Length: 10, Step: .5}, []string{"step 0.5"}},
		{hourly, prepare.Cut{Length: 40, Lags: 20}, []string{"has 30 values", "want 40"}},
		{hourly, prepare.Cut{Length: 10, Axis: "time"}, []string{"which axis"}},
		{mesh.Must(mesh.Gauss(0, 1, 50, "t")), prepare.Cut{Length: .5}, []string{"not equally spaced"}},
		{mesh.Must(mesh.Periodic(0, 1, 50, "t")), prepare.Cut{Length: .5}, []string{"periodic"}},
		{mesh.Must(mesh.Scattered([]float64{1}, 1, []float64{1}, "t")), prepare.Cut{Length: .5}, []string{"not equally spaced"}},
	} {
		_, _, err := prepare.Windows(at(c.m), c.cut)
		wantError(t, err, c.say...)
	}
	other := mesh.Must(mesh.Uniform(0, 98, 50, "t"))
	_, _, err := prepare.Windows(made(t, array.New(1, 50), array.New(1, 50), hourly, other), prepare.Cut{Length: 10})
	wantError(t, err, "one step for all")
	between := mesh.Must(mesh.Uniform(.5, 49.5, 50, "t"))
	_, _, err = prepare.Windows(made(t, array.New(1, 50), array.New(1, 50), hourly, between), prepare.Cut{Length: 10})
	wantError(t, err, "between those of the other functions")
}

// A record that lacks some times is the one that has NaN there, in seconds since 1970 too.
func TestWindowsOfRecordsWithGaps(t *testing.T) {
	for _, start := range []float64{0, 1.7e9} {
		x := mesh.Must(mesh.Uniform(start, start+49*3600, 50, "t"))
		f, u := array.New(1, 50), array.New(1, 50)
		var times, seen []float64
		for k := range 50 {
			f.Data[k], u.Data[k] = math.Sin(float64(k*k)), float64(k)
			if k%7 == 3 || k > 12 && k < 20 {
				u.Data[k] = nan
				continue
			}
			times, seen = append(times, start+3600*float64(k)), append(seen, float64(k))
		}
		y := mesh.Must(mesh.Trapezoid(times, "t"))
		cut := prepare.Cut{Length: 4 * 3600, Lags: 3 * 3600}
		want, _, err := prepare.Windows(made(t, f, u, x, x), cut)
		if err != nil {
			t.Fatal(err)
		}
		got, _, err := prepare.Windows(made(t, f, &array.Array{Shape: []int{1, len(seen)}, Data: seen}, x, y), cut)
		if err != nil {
			t.Fatal(err)
		}
		same := func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
		if got.N() != want.N() || !slices.EqualFunc(got.Outputs[0].Values.Data, want.Outputs[0].Values.Data, same) || !slices.Equal(got.Fields[0].Values.Data, want.Fields[0].Values.Data) {
			t.Errorf("windows %v, must be %v", got.Outputs[0].Values.Data, want.Outputs[0].Values.Data)
		}
	}
}

// Where a file leaves out times of inputs and outputs, the windows are those of the whole record that
// the gaps do not touch: inputs with their lags whole, some output there. Gaps of the inputs alone, and
// records without any window left, too.
func TestWindowsOfInputsWithGaps(t *testing.T) {
	const n, h, start = 200, 3600., 1e6
	rng := rand.New(rand.NewPCG(5, 6))
	gone := func(k int) bool { return k >= 50 && k < 57 || k == 120 }
	var times, left, f, u, fLeft, uLeft []float64
	for k := range n {
		times, f, u = append(times, start+h*float64(k)), append(f, rng.NormFloat64()), append(u, rng.NormFloat64())
		if !gone(k) {
			left, fLeft, uLeft = append(left, times[k]), append(fLeft, f[k]), append(uLeft, u[k])
		}
	}
	row := func(x []float64) *array.Array { return &array.Array{Shape: []int{1, len(x)}, Data: x} }
	all, some := mesh.Must(mesh.Trapezoid(times, "t")), mesh.Must(mesh.Trapezoid(left, "t"))
	cut := prepare.Cut{Length: 6 * h, Lags: 10 * h, Step: 2 * h}
	whole, begins, err := prepare.Windows(made(t, row(f), row(u), all, all), cut)
	if err != nil {
		t.Fatal(err)
	}
	for name, table := range map[string]*dataset.Table{
		"both": made(t, row(fLeft), row(uLeft), some, some), "inputs": made(t, row(fLeft), row(u), some, all),
	} {
		got, starts, err := prepare.Windows(table, cut)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		i := 0
		for w, begin := range begins {
			first := int(math.Round((begin-start)/h)) - 10
			touched := false
			for k := first; k < first+16; k++ {
				touched = touched || gone(k)
			}
			if touched {
				continue
			}
			in, out := whole.Fields[0].Values.Data[16*w:16*w+16], whole.Outputs[0].Values.Data[6*w:6*w+6]
			if i >= len(starts) || math.Abs(starts[i]-begin) > 1e-6 || !slices.Equal(got.Fields[0].Values.Data[16*i:16*i+16], in) || !slices.Equal(got.Outputs[0].Values.Data[6*i:6*i+6], out) {
				t.Errorf("%s: window %d from %g is another", name, i, begin)
				break
			}
			i++
		}
		if i != len(starts) || i < 50 {
			t.Errorf("%s: %d windows, want %d", name, len(starts), i)
		}
	}
	_, _, err = prepare.Windows(made(t, row(fLeft), row(uLeft), some, some), prepare.Cut{Length: 60 * h, Lags: 60 * h})
	if err == nil || !strings.Contains(err.Error(), "between the gaps of the input") {
		t.Errorf("error %v", err)
	}
}
