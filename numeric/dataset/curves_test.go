package dataset

import (
	"context"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/numeric/mesh"
)

// randomCurves are curves of least to most values at random points between 0 and size.
func randomCurves(rng *rand.Rand, n, least, most int, size float64) []Curve {
	out := make([]Curve, n)
	for i := range out {
		m := least + rng.IntN(most-least+1)
		for range m {
			out[i].Points = append(out[i].Points, size*rng.Float64())
			out[i].Values = append(out[i].Values, rng.NormFloat64())
		}
	}
	return out
}

// Integrals over the mesh of a dataset are those of trapezoids over each curve, whatever the
// order of its points, their unit and their distance; outputs stand where they were measured.
func TestCurvesKeepTheirIntegrals(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 1))
		size := math.Pow(10, float64(seed)-9)
		in, out := randomCurves(rng, 7, 2, 9, size), randomCurves(rng, 7, 1, 5, size)
		in[1].Points[0] = in[0].Points[1]                      // shared
		in[2].Points[1] = math.Nextafter(in[0].Points[0], 1e9) // nearly so
		d, err := NewCurves(CurvesSpec{Input: in, Output: out})
		if err != nil {
			t.Fatal(err)
		}
		w, x, y := d.InputMesh.Weights(), d.InputMesh.Points(), d.OutputMesh.Points()
		for i, c := range in {
			at, f := sorted2(c)
			want, got, scale := 0.0, 0.0, 0.0
			for k := 1; k < len(at); k++ {
				want += (at[k] - at[k-1]) / 2 * (f[k]*math.Cos(at[k]/size) + f[k-1]*math.Cos(at[k-1]/size))
				scale += (at[k] - at[k-1]) * (math.Abs(f[k]) + math.Abs(f[k-1]))
			}
			for j, v := range d.Input.Data[i*len(x) : (i+1)*len(x)] {
				got += w[j] * v * math.Cos(x[j]/size)
			}
			if math.Abs(got-want) > 1e-14*scale {
				t.Errorf("seed %d: the integral of input %d is %g, want %g", seed, i+1, got, want)
			}
			back := d.InputCurve(i)
			if !slices.Equal(back.Points, at) || !slices.Equal(back.Values, f) {
				t.Errorf("input %d has changed", i+1)
			}
			at, f = sorted2(out[i])
			back = d.OutputCurve(i)
			if !slices.Equal(back.Points, at) || !slices.Equal(back.Values, f) {
				t.Errorf("output %d has changed", i+1)
			}
		}
		if len(y) != len(slices.Compact(slices.Clone(y))) {
			t.Errorf("a point is there twice")
		}
	}
}

func sorted2(c Curve) (x, v []float64) {
	order := make([]int, len(c.Points))
	x = slices.Clone(c.Points)
	v = make([]float64, len(x))
	for i := range order {
		order[i] = i
	}
	floats.Argsort(x, order)
	for i, k := range order {
		v[i] = c.Values[k]
	}
	return x, v
}

// Curves on the same points are a dataset on their mesh; points moved by little weigh as much
// as on the mesh.
func TestCurvesOnOneMesh(t *testing.T) {
	chebyshev := mesh.Must(mesh.Chebyshev(0, 2, 6, "x")).Points()
	for _, points := range [][]float64{{0, 0.5, 1, 1.5, 2}, {0, 0.1, 0.7, 2}, chebyshev} {
		rng := rand.New(rand.NewPCG(3, 4))
		same, moved := make([]Curve, 5), make([]Curve, 5)
		for i := range same {
			for _, x := range points {
				v := rng.NormFloat64()
				same[i].Points, same[i].Values = append(same[i].Points, x), append(same[i].Values, v)
				moved[i].Points, moved[i].Values = append(moved[i].Points, x+1e-9*rng.Float64()), append(moved[i].Values, v)
			}
		}
		d, err := NewCurves(CurvesSpec{Input: same, Output: same, InputName: "x", OutputName: "y"})
		if err != nil {
			t.Fatal(err)
		}
		axis, err := mesh.Trapezoid(points, "x")
		want := mesh.Must(axis, err)
		if !d.InputMesh.Equal(want) || !d.OutputMesh.Equal(want) || d.Missing || d.Curves != nil || d.Output.Data[3] != same[0].Values[3] {
			t.Errorf("%v", d)
		}
		near, err := NewCurves(CurvesSpec{Input: moved, Output: moved})
		if err != nil {
			t.Fatal(err)
		}
		for k, w := range near.OutputMesh.Weights() {
			if mine := want.Weights()[k/5]; math.Abs(w-mine) > 1e-7 {
				t.Errorf("point %d weighs %g, on the mesh %g", k, w, mine)
			}
		}
	}
}

// Meshes given for each curve keep their quadrature; in two dimensions as well.
func TestCurvesOnMeshesOfTheirOwn(t *testing.T) {
	cloud := func(p ...float64) mesh.Mesh {
		a, err := mesh.Scattered(p, 2, nil, "x", "z")
		return mesh.Must(a, err)
	}
	in := []Curve{
		{Mesh: cloud(0, 0, 1, 0, 0, 1, 1, 1), Values: []float64{1, 2, 3, 4}},
		{Mesh: cloud(0, 0, 2, 3), Values: []float64{5, 6}},
	}
	out := []Curve{{Mesh: mesh.Must(mesh.Gauss(0, 1, 3, "y")), Values: []float64{1, 2, 3}}, {Mesh: uniform(2, "y"), Values: []float64{4, 5}}}
	d, err := NewCurves(CurvesSpec{Input: in, Output: out})
	if err != nil {
		t.Fatal(err)
	}
	if d.InputMesh.Size() != 5 || d.OutputMesh.Size() != 5 || d.InputMesh.Dim() != 2 {
		t.Fatal(d)
	}
	for i, want := range []float64{2.5, 33} { // box times mean
		if got := floats.Dot(d.InputMesh.Weights(), d.Input.Data[i*5:(i+1)*5]); math.Abs(got-want) > 1e-12 {
			t.Errorf("integral %g, want %g", got, want)
		}
	}
	same, err := NewCurves(CurvesSpec{Input: []Curve{in[0], in[0]}, Output: []Curve{out[0], out[0]}})
	if err != nil || !same.InputMesh.Equal(in[0].Mesh) || same.OutputMesh.String() != "gauss(0, 1, 3, \"y\")" {
		t.Errorf("%v %v", same, err)
	}
}

func TestCurvesSavedAndLoaded(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	in, out := randomCurves(rng, 6, 2, 5, 1), randomCurves(rng, 6, 1, 4, 1)
	in[2] = Curve{Mesh: mesh.Must(mesh.Gauss(0, 1, 3, "x")), Values: []float64{1, 2, 3}}
	d, err := NewCurves(CurvesSpec{Input: in, Output: out})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "d.npz")
	if err := d.Save(path); err != nil {
		t.Fatal(err)
	}
	for _, rows := range [][2]int{{}, {1, 4}} {
		back, err := Load(context.Background(), path, LoadSpec{Rows: rows})
		if err != nil {
			t.Fatal(err)
		}
		want := d
		if rows[1] > 0 {
			if want, err = d.Rows(rows[0], rows[1]); err != nil {
				t.Fatal(err)
			}
		}
		if back.String() != want.String() || !arrays.Equal(back.Input, want.Input) {
			t.Errorf("%v, want %v", back, want)
		}
		for i := range back.N() {
			if !sameCurve(back.InputCurve(i), want.InputCurve(i)) || !sameCurve(back.OutputCurve(i), want.OutputCurve(i)) {
				t.Errorf("pair %d has changed", i+1)
			}
		}
	}
	train, test, err := d.Split(4, 1)
	if err != nil || len(train.Curves) != 4 || len(test.Curves) != 2 {
		t.Fatal(train, test, err)
	}
}

func sameCurve(a, b Curve) bool {
	return slices.Equal(a.Points, b.Points) && slices.Equal(a.Values, b.Values)
}

// Noise on curves is of the level asked for, of the spread about the mean curve.
func TestNoiseOfCurves(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	in, out := randomCurves(rng, 300, 2, 3, 1), make([]Curve, 300)
	for i := range out {
		amplitude := rng.NormFloat64()
		for k := range 20 {
			y := (float64(k) + rng.Float64()) / 20
			out[i].Points, out[i].Values = append(out[i].Points, y), append(out[i].Values, 100*y+amplitude)
		}
	}
	d, err := NewCurves(CurvesSpec{Input: in, Output: out})
	if err != nil {
		t.Fatal(err)
	}
	if s := d.Spread(); math.Abs(s-1) > 0.15 { // of the amplitudes, a standard deviation of 300 of them is 4 % off
		t.Errorf("spread %g, want 1", s)
	}
	if r, err := d.R2(d.Output.Map(func(v float64) float64 { return v - 0.5 })); err != nil || math.Abs(r-0.75) > 0.1 {
		t.Errorf("R² of predictions that are half a spread off is %g, want 0.75 (%v)", r, err)
	}
	noisy, err := d.Noise(0.5, 1)
	if err != nil {
		t.Fatal(err)
	}
	sum, count := 0.0, 0.0
	for k, v := range noisy.Output.Data {
		if diff := v - d.Output.Data[k]; !math.IsNaN(diff) {
			sum, count = sum+diff*diff, count+1
		}
	}
	if got := math.Sqrt(sum/count) / d.Spread(); math.Abs(got-0.5) > 0.02 { // 6,000 numbers: 0.005
		t.Errorf("level %g, want 0.5", got)
	}
}

func TestCurvesRefused(t *testing.T) {
	nan := math.NaN()
	good := Curve{Points: []float64{0, 1}, Values: []float64{1, 2}}
	for _, c := range []struct {
		name    string
		in, out Curve
		missing bool
		say     []string
	}{
		{"a point twice", Curve{Points: []float64{0.5, 0, 0.5}, Values: []float64{1, 2, 3}}, good, false, []string{"input 2", "points 1 and 3", "0.5"}},
		{"an output twice", good, Curve{Points: []float64{3, 3}, Values: []float64{1, 2}}, false, []string{"output 2", "points 1 and 2", "3"}},
		{"an input of one point", Curve{Points: []float64{0.5}, Values: []float64{1}}, good, false, []string{"input 2", "one point"}},
		{"too few values", Curve{Points: []float64{0.5, 1}, Values: []float64{1}}, good, false, []string{"input 2", "1 value at 2 points"}},
		{"nothing", good, Curve{}, false, []string{"output 2", "0 values at 0 points"}},
		{"NaN", good, Curve{Points: []float64{0, 1, 2}, Values: []float64{1, nan, 2}}, false, []string{"output 2", "value 2, at 1,", "Missing"}},
		{"an infinite point", Curve{Points: []float64{0, math.Inf(1)}, Values: []float64{1, 2}}, good, false, []string{"input 2", "point 2"}},
		{"nothing measured", Curve{Points: []float64{0, 1}, Values: []float64{nan, nan}}, good, true, []string{"input 2", "every value"}},
		{"a mesh with a gap", Curve{Mesh: mesh.Must(mesh.Gauss(0, 1, 2, "x")), Values: []float64{nan, 1}}, good, true, []string{"input 2", "quadrature"}},
		{"two dimensions", Curve{Mesh: product(uniform(2, "x"), uniform(2, "z")), Values: []float64{1, 2, 3, 4}}, good, false, []string{"input 2", "2 coordinates"}},
	} {
		_, err := NewCurves(CurvesSpec{Input: []Curve{good, c.in}, Output: []Curve{good, c.out}, Missing: c.missing})
		t.Run(c.name, func(t *testing.T) { wantError(t, err, c.say...) })
	}
	// What was not measured is left out of its curve.
	d, err := NewCurves(CurvesSpec{Input: []Curve{{Points: []float64{0, 1, 3}, Values: []float64{1, nan, 2}}, {Points: []float64{0, 1, 3}, Values: []float64{1, 1, 1}}}, Output: []Curve{good, good}, Missing: true})
	if err != nil {
		t.Fatal(err)
	}
	if got := floats.Dot(d.InputMesh.Weights(), d.Input.Data[:3]); math.Abs(got-4.5) > 1e-15 {
		t.Errorf("integral %g, want 4.5", got)
	}
}

// Curves of one coordinate are drawn between their points, whichever order these had; of several, a point has
// the value of the nearest, in whatever unit a coordinate is. Fields on shared points are left as they are.
func TestFilledCurves(t *testing.T) {
	d, err := NewCurves(CurvesSpec{Input: randomCurves(rand.New(rand.NewPCG(1, 2)), 3, 2, 3, 1), Output: []Curve{{Points: []float64{2, 0}, Values: []float64{5, 1}}, {Points: []float64{1}, Values: []float64{7}}, {Points: []float64{3, 1.5}, Values: []float64{0, 3}}}})
	if err != nil {
		t.Fatal(err)
	}
	want := []float64{1, 3, 4, 5, 5, 7, 7, 7, 7, 7, 3, 3, 3, 2, 0} // at 0, 1, 1.5, 2, 3
	if got := d.Filled().RawMatrix().Data; !floats.EqualApprox(got, want, 1e-14) {
		t.Errorf("filled %v, want %v", got, want)
	}
	shared := pairs(3)
	if u := shared.Filled(); &u.RawMatrix().Data[0] != &shared.Output.Data[0] {
		t.Error("outputs on shared points were copied")
	}
	rng := rand.New(rand.NewPCG(5, 6))
	for _, unit := range []float64{1, 1e9} {
		at, c := make([]float64, 2*40), Curve{Points: make([]float64, 2*5), Values: make([]float64, 5)}
		for k := range at {
			at[k] = rng.Float64()
		}
		copy(c.Points, at[:10])
		for k := range c.Values {
			c.Values[k] = float64(k)
		}
		to, scaled := make([]float64, 40), make([]float64, 40)
		takeNearest(to, at, 2, c)
		for k := 1; k < len(at); k += 2 {
			at[k] *= unit
		}
		for k := 1; k < len(c.Points); k += 2 {
			c.Points[k] *= unit
		}
		takeNearest(scaled, at, 2, c)
		if !slices.Equal(to, scaled) || !slices.Equal(to[:5], c.Values) {
			t.Errorf("nearest %v, in other units %v", to, scaled)
		}
	}
}
