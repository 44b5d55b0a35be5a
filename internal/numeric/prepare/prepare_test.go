package prepare_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/plot"
	"github.com/greenbench/workbench/internal/numeric/prepare"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
)

var nan = math.NaN()

// pairs are n smooth curves on 40 points, input and output, in some unit.
func pairs(t *testing.T, n int, unit float64) *dataset.Table {
	t.Helper()
	rng := rand.New(rand.NewPCG(7, 9))
	x := mesh.Must(mesh.Uniform(0, 1, 40, "x"))
	f, u := array.New(n, 40), array.New(n, 40)
	for i := range n {
		a, b, c := rng.NormFloat64(), rng.NormFloat64(), rng.Float64()
		for k := range 40 {
			s := float64(k) / 39
			f.Data[i*40+k] = unit * (a*math.Sin(6*s+c) + b*math.Cos(9*s))
			u.Data[i*40+k] = unit * (b*math.Sin(3*s) + a*s)
		}
	}
	return made(t, f, u, x, x)
}

func made(t *testing.T, f, u *array.Array, x, y mesh.Mesh) *dataset.Table {
	t.Helper()
	d, err := dataset.New(dataset.Spec{Input: f, Output: u, InputMesh: x, OutputMesh: y, Missing: true})
	if err != nil {
		t.Fatal(err)
	}
	return d.Table()
}

func summary(t *testing.T, d *dataset.Table) *prepare.Summary {
	t.Helper()
	s, err := prepare.Summarize(context.Background(), d)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func wantError(t *testing.T, err error, say ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("no error, want one that says %q", say)
		return
	}
	for _, s := range say {
		if !strings.Contains(err.Error(), s) {
			t.Errorf("error %q does not say %q", err, s)
		}
	}
}

// Clean data of every unit have no notes, and each flaw that is put in is found where it is
// and alone.
func TestSummaryFindsWhatIsWrong(t *testing.T) {
	for _, unit := range []float64{1, 1e9, 1e-9} {
		set := func(a *array.Array, i, k int, v float64) { a.Data[i*40+k] = v }
		for _, c := range []struct {
			name string
			make func(d *dataset.Table)
			note string // "": none
		}{
			{"clean", func(*dataset.Table) {}, ""},
			{"missing values", func(d *dataset.Table) { set(d.Outputs[0].Values, 3, 7, nan) }, ""},
			{"a spike", func(d *dataset.Table) { set(d.Outputs[0].Values, 3, 7, 80*unit) }, "output: 1 value is far from the neighbours and from the other pairs, the first in 4 at point 8"},
			{"a spike at the end", func(d *dataset.Table) { set(d.Fields[0].Values, 3, 39, -80*unit) }, "input: 1 value is far from the neighbours and from the other pairs, the first in 4 at point 40"},
			{"a constant curve", func(d *dataset.Table) {
				for k := range 40 {
					set(d.Outputs[0].Values, 5, k, 0)
				}
			}, "output: pair 6 has the same value at all points"},
			{"no outputs", func(d *dataset.Table) {
				for k := range 40 {
					set(d.Outputs[0].Values, 5, k, nan)
				}
			}, "output: pair 6 has no value"},
			{"another unit", func(d *dataset.Table) {
				for k := range 40 {
					d.Fields[0].Values.Data[4*40+k] *= 1000
				}
			}, "input: pair 5 is about 1000 times as large as the others: in another unit?"},
			{"copied rows", func(d *dataset.Table) {
				copy(d.Fields[0].Values.Data[40:80], d.Fields[0].Values.Data[:40])
				copy(d.Outputs[0].Values.Data[40:80], d.Outputs[0].Values.Data[:40])
			}, "pairs 1 and 2 are the same, inputs and outputs"},
			{"repeats", func(d *dataset.Table) { copy(d.Fields[0].Values.Data[40:80], d.Fields[0].Values.Data[:40]) }, "pairs 1 and 2 have the same inputs"},
		} {
			d := pairs(t, 30, unit)
			c.make(d)
			s := summary(t, d)
			switch {
			case c.note == "" && len(s.Notes) > 0:
				t.Errorf("%s, unit %g: notes %q, must be none", c.name, unit, s.Notes)
			case c.note != "" && (len(s.Notes) != 1 || !strings.Contains(s.Notes[0], c.note)):
				t.Errorf("%s, unit %g: notes %q, must be %q", c.name, unit, s.Notes, c.note)
			}
		}
	}
	d := pairs(t, 30, 1)
	for k := range 3 {
		d.Outputs[0].Values.Data[17*k] = -9999
	}
	if s := summary(t, d); !strings.Contains(strings.Join(s.Notes, "\n"), "output: 3 values are exactly -9999") {
		t.Errorf("notes %q: -9999 must be taken for missing values", s.Notes)
	}
}

// Scattered points that are there twice are said, and no others.
func TestPointsGivenTwice(t *testing.T) {
	grid := mesh.Must(mesh.Uniform(0, 1, 5, "x"))
	for _, c := range []struct {
		points []float64
		dim    int
		says   []string
	}{
		{[]float64{3, 1, 2, 0, 4}, 1, nil},
		{[]float64{3, 1, 2, 1, 4}, 1, []string{"output: points 2 and 4 of its mesh are the same: given twice?"}},
		{[]float64{3, 1, 3, 1, 3}, 1, []string{"output: points 2 and 4 of its mesh are the same, and 2 more: given twice?"}},
		{[]float64{0, 1, 1, 0, 1, 1, 0, 0, 0, 2}, 2, nil},
		{[]float64{0, 1, 1, 0, 1, 1, 0, 0, 1, 0}, 2, []string{"output: points 2 and 5 of its mesh are the same: given twice?"}},
	} {
		y := mesh.Must(mesh.Scattered(c.points, c.dim, nil))
		draw := rand.New(rand.NewPCG(3, 1))
		values := array.New(8, 5).Map(func(float64) float64 { return draw.NormFloat64() })
		if s := summary(t, made(t, values, values, grid, y)); !slices.Equal(s.Notes, c.says) {
			t.Errorf("%v: %q, want %q", c.points, s.Notes, c.says)
		}
	}
}

// Normal numbers of many seeds, with an offset of a million spreads too, have no outliers.
func TestNoiseHasNoOutliers(t *testing.T) {
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 1))
		x := mesh.Must(mesh.Uniform(0, 1, 25, "x"))
		draw := func() *array.Array {
			return array.New(20, 25).Map(func(float64) float64 { return 1e6 + rng.NormFloat64() })
		}
		if s := summary(t, made(t, draw(), draw(), x, x)); len(s.Notes) > 0 {
			t.Errorf("seed %d: %q", seed, s.Notes)
		}
	}
}

// By hand: two pairs, 1 2 3 and 3 4 NaN. Mean of all five 2.6; each of the first two points
// is 1 off its mean, the third has one value: spread √(4/5).
func TestSummaryNumbers(t *testing.T) {
	x := mesh.Must(mesh.Uniform(0, 2000, 3, "x"))
	y := mesh.Must(mesh.Uniform(0, 2, 3, "y"))
	d := made(t, &array.Array{Shape: []int{2, 3}, Data: []float64{1, 1, 2, 5, 6, 7}}, &array.Array{Shape: []int{2, 3}, Data: []float64{1, 2, 3, 3, 4, nan}}, x, y)
	s := summary(t, d)
	u := s.Outputs[0]
	if u.Low != 1 || u.High != 4 || math.Abs(u.Mean-2.6) > 1e-15 || math.Abs(u.Spread-math.Sqrt(.8)) > 1e-15 || u.Missing != 1 {
		t.Errorf("%+v", u)
	}
	if len(s.Notes) != 1 || !strings.Contains(s.Notes[0], "1000 times as far") {
		t.Errorf("notes %q: the meshes are in other units", s.Notes)
	}
	if text := s.String(); !strings.Contains(text, "2 pairs") || !strings.Contains(text, "1 of 6") {
		t.Errorf("prints as\n%s", text)
	}
	one, err := d.Select([]int{0})
	if err != nil {
		t.Fatal(err)
	}
	if s := summary(t, one); s.Outputs[0].Spread != 0 {
		t.Errorf("one pair: spread %g", s.Outputs[0].Spread)
	}
}

// What is left of cubic drifts on cubics is nothing, of something else what it was without
// the drift, also on uneven points, far from zero, with missing values and in a plane.
func TestDetrend(t *testing.T) {
	plane, err := mesh.Product(mesh.Must(mesh.Uniform(1e6, 1e6+3, 7, "x")), mesh.Must(mesh.Gauss(-1, 2, 6, "z")))
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []mesh.Mesh{mesh.Must(mesh.Uniform(0, 1e-9, 30, "x")), mesh.Must(mesh.Trapezoid([]float64{0, 1, 1.1, 1.2, 7, 8, 9, 12}, "x")), plane} {
		m := x.Size()
		drift, signal := array.New(3, m), array.New(3, m)
		columns := x.Columns()
		for i := range 3 {
			for k := range m {
				signal.Data[i*m+k] = math.Sin(float64(k*k + i)) // of no unit
				s := 1.0
				for _, c := range columns {
					s *= (c[k] - c[0]) / (c[m-1] - c[0])
				}
				drift.Data[i*m+k] = 1e4 * (2 + s - 3*s*s*float64(i))
			}
		}
		signal.Data[1] = nan
		order := 2 * x.Dim()
		detrended := func(v *array.Array) []float64 {
			out, err := prepare.Detrend(context.Background(), made(t, drift, v, x, x), prepare.Trend{Order: order, Output: true})
			if err != nil {
				t.Fatal(err)
			}
			return out.Outputs[0].Values.Data
		}
		both := signal.Copy()
		for k, v := range drift.Data {
			both.Data[k] += v
		}
		for k, v := range detrended(drift) {
			if math.Abs(v) > 1e-10*1e4 {
				t.Errorf("%s: %g is left of a drift", x, v)
			}
			_ = k
		}
		with, without := detrended(both), detrended(signal)
		for k := range with {
			if !(math.Abs(with[k]-without[k]) < 1e-9) && !(math.IsNaN(with[k]) && k == 1) {
				t.Errorf("%s: value %d is %g with the drift, %g without", x, k, with[k], without[k])
			}
		}
		if d := made(t, drift, signal, x, x); !slices.Equal(d.Fields[0].Values.Data, drift.Data) {
			t.Error("the inputs changed")
		}
	}
	point := mesh.Must(mesh.Scattered([]float64{1}, 1, []float64{1}, "x"))
	_, err = prepare.Detrend(context.Background(), made(t, array.New(2, 1), array.New(2, 1), point, point), prepare.Trend{Output: true})
	wantError(t, err, "output 1 has 1 value", "nothing would be left")
	_, err = prepare.Detrend(context.Background(), pairs(t, 2, 1), prepare.Trend{Order: 11, Output: true})
	wantError(t, err, "order 11", "0 to 10")
}

// By hand: pairs a b a with outputs 1, 5, 3 and one missing.
func TestAverage(t *testing.T) {
	x := mesh.Must(mesh.Uniform(0, 1, 2, "x"))
	d := made(t, &array.Array{Shape: []int{3, 2}, Data: []float64{1, 2, 8, 9, 1, 2 + 1e-12}}, &array.Array{Shape: []int{3, 2}, Data: []float64{1, 10, 5, nan, 3, nan}}, x, x)
	for _, c := range []struct {
		how    prepare.Averaging
		counts []int
		want   []float64 // outputs, -1 for missing
	}{
		{prepare.Averaging{}, []int{1, 1, 1}, []float64{1, 10, 5, -1, 3, -1}},
		{prepare.Averaging{Tolerance: 1e-9}, []int{2, 1}, []float64{2, 10, 5, -1}},
		{prepare.Averaging{Block: 2}, []int{2, 1}, []float64{3, 10, 3, -1}},
		{prepare.Averaging{Block: 100}, []int{3}, []float64{3, 10}},
	} {
		out, counts, err := prepare.Average(d, c.how)
		if err != nil {
			t.Fatal(err)
		}
		got := out.Outputs[0].Values.Data
		same := slices.EqualFunc(got, c.want, func(a, b float64) bool { return math.Abs(a-b) < 1e-15*10 || b == -1 && math.IsNaN(a) })
		if !slices.Equal(counts, c.counts) || !same {
			t.Errorf("%+v: %v of %v, must be %v of %v", c.how, got, counts, c.want, c.counts)
		}
	}
	_, _, err := prepare.Average(d, prepare.Averaging{Block: -1})
	wantError(t, err, "block -1")
	_, _, err = prepare.Average(d, prepare.Averaging{Tolerance: nan})
	wantError(t, err, "tolerance NaN")
	named, err := dataset.NewTable(dataset.TableSpec{
		Input: map[string]*array.Array{"f": {Shape: []int{4, 2}, Data: []float64{1, 1, 1, 1, 1, 1, 2, 2}}}, Output: map[string]*array.Array{"u": array.New(4, 2)},
		InputMesh: dataset.Meshes{All: x}, OutputMesh: dataset.Meshes{All: x}, Group: map[string][]string{"who": {"a", "b", "a", "b"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, counts, err := prepare.Average(named, prepare.Averaging{}); err != nil || !slices.Equal(counts, []int{2, 1, 1}) {
		t.Errorf("%v, %v: those of one label are repeats", counts, err)
	}
	_, _, err = prepare.Average(named, prepare.Averaging{Block: 2})
	wantError(t, err, `"a"`, `"b"`, "group who")
}

func TestArrange(t *testing.T) {
	d := pairs(t, 6, 1)
	rest, err := prepare.Without(6, []int{2, 3, 4, 5})
	if err != nil || !slices.Equal(rest, []int{0, 1}) {
		t.Errorf("%v, %v: must be the first two", rest, err)
	}
	a, _ := d.Select(rest)
	b, _ := d.Select([]int{2, 3, 4, 5})
	again, err := prepare.Concat(a, b)
	if err != nil || !slices.Equal(again.Outputs[0].Values.Data, d.Outputs[0].Values.Data) {
		t.Errorf("parts put together are not the whole: %v", err)
	}
	order := prepare.Shuffled(6, 3)
	if slices.IsSorted(order) || !slices.Equal(slices.Sorted(slices.Values(order)), []int{0, 1, 2, 3, 4, 5}) {
		t.Errorf("order %v: must be another one of all", order)
	}
	x := mesh.Must(mesh.Uniform(0, 2, 40, "x"))
	_, err = prepare.Concat(d, made(t, d.Fields[0].Values, d.Outputs[0].Values, x, x))
	wantError(t, err, "dataset 2 of 2", "want the same mesh")
	rounded := mesh.Must(mesh.Uniform(0, 1+1e-13, 40, "x"))
	if _, err = prepare.Concat(d, made(t, d.Fields[0].Values, d.Outputs[0].Values, rounded, rounded)); err != nil {
		t.Errorf("a mesh that differs by rounding: %v", err)
	}
	_, err = prepare.Concat()
	wantError(t, err, "at least one")
	_, err = prepare.Without(6, []int{6})
	wantError(t, err, "7", "within 1 to 6")
	_, err = prepare.Without(6, []int{0, 1, 2, 3, 4, 5})
	wantError(t, err, "all 6")
}

// Every kind of data has a picture that can be drawn, or an error.
func TestFigure(t *testing.T) {
	plane, err := mesh.Product(mesh.Must(mesh.Uniform(0, 1, 5, "x")), mesh.Must(mesh.Uniform(0, 1, 4, "t")))
	if err != nil {
		t.Fatal(err)
	}
	line, point := mesh.Must(mesh.Uniform(0, 1, 5, "x")), mesh.Must(mesh.Scattered([]float64{1}, 1, []float64{1}, "x"))
	cloud := mesh.Must(mesh.Scattered([]float64{1, 2, 3, 4}, 2, []float64{1, 1}, "x", "y"))
	for _, c := range []struct {
		x, y  mesh.Mesh
		draws bool
	}{{line, line, true}, {point, point, true}, {plane, plane, true}, {plane, line, true}, {cloud, line, true}, {cloud, cloud, false}} {
		f := array.New(2, c.x.Size())
		u := array.New(2, c.y.Size())
		u.Data[0] = nan
		fig, err := prepare.Figure(made(t, f, u.Map(func(v float64) float64 { return v }), c.x, c.y), nil)
		switch {
		case !c.draws:
			wantError(t, err, "input is on", "only curves")
		case err != nil:
			t.Errorf("%s to %s: %v", c.x, c.y, err)
		default:
			if err := plot.Check(fig); err != nil {
				t.Errorf("%s to %s: %v", c.x, c.y, err)
			}
		}
	}
	_, err = prepare.Figure(pairs(t, 3, 1), []int{3})
	wantError(t, err, "4", "within 1 to 3")
}

// What a summary says of curves on points of their own is their spread about the mean of all, as noise is.
func TestSummaryOfCurves(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	out := make([]dataset.Curve, 9)
	for i := range out {
		for range 5 {
			out[i].Points, out[i].Values = append(out[i].Points, rng.Float64()), append(out[i].Values, float64(i))
		}
	}
	d, err := dataset.NewCurves(dataset.CurvesSpec{Input: out, Output: out})
	if err != nil {
		t.Fatal(err)
	}
	s, err := prepare.Summarize(context.Background(), d.Table())
	if want := math.Sqrt(60. / 9); err != nil || math.Abs(s.Outputs[0].Spread-want) > 1e-12 || math.Abs(d.Spread()-want) > 1e-12 {
		t.Errorf("spread %g and %g, want %g (%v)", s.Outputs[0].Spread, d.Spread(), want, err)
	}
}
