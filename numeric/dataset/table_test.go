package dataset

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/mesh"
)

// random is normal numbers of a seed in the given shape.
func random(seed uint64, shape ...int) *array.Array {
	rng := rand.New(rand.NewPCG(seed, 0))
	return array.New(shape...).Map(func(float64) float64 { return rng.NormFloat64() })
}

// of is one mesh by name.
func of(name string, m mesh.Mesh, more ...any) Meshes {
	ms := Meshes{Of: map[string]mesh.Mesh{name: m}}
	for i := 0; i < len(more); i += 2 {
		ms.Of[more[i].(string)] = more[i+1].(mesh.Mesh)
	}
	return ms
}

// spec is six samples of two fields, a covariate, groups of two and a parameter, for two
// outputs.
func spec() TableSpec {
	return TableSpec{
		Input:      map[string]*array.Array{"f": random(1, 6, 5), "g": random(2, 6, 3, 2), "age": random(3, 6)},
		Output:     map[string]*array.Array{"u": random(4, 6, 4), "v": random(5, 6, 7)},
		InputMesh:  of("f", uniform(5, "x"), "g", product(uniform(3, "x"), uniform(2, "t"))),
		OutputMesh: of("u", uniform(4, "y"), "v", uniform(7, "y")),
		Group:      map[string][]string{"subject": {"anna", "ben", "anna", "cid", "ben", "cid"}},
		Parameter:  map[string][]float64{"theta": {1, 2, 3, 4, 5, 6}},
	}
}

// change is spec with one thing changed.
func change(how func(s *TableSpec)) TableSpec {
	s := spec()
	how(&s)
	return s
}

func table(t *testing.T, s TableSpec) *Table {
	t.Helper()
	out, err := NewTable(s)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestNewTable(t *testing.T) {
	d := table(t, spec())
	if d.N() != 6 || len(d.Fields) != 2 || len(d.Scalars) != 1 || len(d.Outputs) != 2 {
		t.Fatalf("got %v", d)
	}
	if g := d.Field("g"); !slices.Equal(g.Values.Shape, []int{6, 6}) {
		t.Errorf("g is %v, want one row of 3·2 points for each sample", g.Values.Shape)
	}
	if g := d.Grouping("subject"); !slices.Equal(g.Labels, []string{"anna", "ben", "cid"}) || !slices.Equal(g.Of, []int{0, 1, 0, 2, 1, 2}) {
		t.Errorf("groups %+v", g)
	}
	if d.Scalar("age").Values[2] != random(3, 6).Data[2] || d.Parameters[0].Values[5] != 6 || d.Field("h") != nil || d.Output("f") != nil {
		t.Error("a thing has the values of another")
	}
	for _, say := range []string{"6 samples", "input      f: on 5 points", "age: numbers from", "subject: 3 labels", "theta: numbers from 1 to 6", "output     v: on 7 points"} {
		if !strings.Contains(d.String(), say) {
			t.Errorf("%q does not say %q", d, say)
		}
	}
	one, err := d.Pair("f", "v")
	if err != nil || one.Input != d.Field("f").Values || one.OutputMesh.Size() != 7 {
		t.Errorf("pair: %v, %v", one, err)
	}
	if _, err := d.Pair("f", "age"); err == nil {
		t.Error("age is no output")
	}
}

// One mesh is that of all functions; a column of numbers is a covariate all the same.
func TestTableWithOneMesh(t *testing.T) {
	m := uniform(5, "x")
	d := table(t, TableSpec{
		Input:     map[string]*array.Array{"f": random(1, 6, 5), "g": random(2, 6, 5), "age": random(3, 6), "sex": random(4, 6, 1)},
		Output:    map[string]*array.Array{"u": random(5, 6, 5)},
		InputMesh: Meshes{All: m}, OutputMesh: Meshes{All: m},
	})
	if len(d.Fields) != 2 || len(d.Scalars) != 2 || !d.Field("g").Mesh.Equal(m) {
		t.Errorf("got %v", d)
	}
}

// What is predicted for needs no outputs, and one sample will do.
func TestNewInputs(t *testing.T) {
	s := TableSpec{
		Input:     map[string]*array.Array{"f": random(1, 1, 5), "age": random(3, 1)},
		InputMesh: of("f", uniform(5, "x")), Group: map[string][]string{"subject": {"anna"}},
	}
	d, err := NewInputs(s)
	if err != nil || d.N() != 1 || len(d.Outputs) != 0 {
		t.Errorf("%v, %v", d, err)
	}
	if _, err := NewTable(s); err == nil {
		t.Error("a table to learn from has outputs")
	}
	s.Input["age"] = random(3, 2)
	_, err = NewInputs(s)
	wantError(t, err, "input.f has 1 samples and input.age 2")
	_, err = NewInputs(TableSpec{})
	wantError(t, err, "input: missing")
	s.Input["f"] = with(random(1, 2, 5), math.NaN(), 0, 0)
	_, err = NewInputs(s)
	wantError(t, err, "input.f[1][1] is NaN")
}

func TestNewTableErrors(t *testing.T) {
	same := func(v float64) *array.Array { return array.New(6).Map(func(float64) float64 { return v }) }
	f := random(1, 6, 5)
	for _, c := range []struct {
		name string
		how  func(s *TableSpec)
		say  []string
	}{
		{"no output", func(s *TableSpec) { s.Output, s.OutputMesh = nil, Meshes{} }, []string{"output: missing", "name at least one"}},
		{"nothing to learn from", func(s *TableSpec) { s.Input, s.Group, s.InputMesh = nil, nil, Meshes{} }, []string{"input: missing"}},
		{"mesh of nothing", func(s *TableSpec) { s.InputMesh.Of["h"] = uniform(3, "x") }, []string{"input_mesh.h: there is no input.h", "inputs: age, f, g"}},
		{"mesh of no output", func(s *TableSpec) { s.OutputMesh.Of["f"] = uniform(3, "x") }, []string{"output_mesh.f: there is no output.f", "outputs: u, v"}},
		{"no mesh", func(s *TableSpec) { delete(s.InputMesh.Of, "f") }, []string{"input_mesh.f: missing", "6×5", "mesh of 5 points", "covariate"}},
		{"no mesh of an output", func(s *TableSpec) { delete(s.OutputMesh.Of, "v") }, []string{"output_mesh.v: missing", "mesh of 7 points"}},
		{"numbers for an output", func(s *TableSpec) { s.Output["u"] = random(1, 6); delete(s.OutputMesh.Of, "u") }, []string{"output_mesh.u: missing", "samples × points"}},
		{"lengths", func(s *TableSpec) { s.Input["f"] = random(1, 9, 5) }, []string{"output.u has 6 samples and input.f 9"}},
		{"length of a covariate", func(s *TableSpec) { s.Input["age"] = random(1, 5) }, []string{"input.age 5"}},
		{"length of a group", func(s *TableSpec) { s.Group["subject"] = []string{"a", "a"} }, []string{"output.u has 6 samples and group.subject 2"}},
		{"length of a parameter", func(s *TableSpec) { s.Parameter["theta"] = []float64{1, 2} }, []string{"parameter.theta 2"}},
		{"transposed", func(s *TableSpec) { s.Input["f"] = random(1, 5, 6) }, []string{"input.f 5×6", "as many rows as input_mesh.f has points", "transpose of"}},
		{"points", func(s *TableSpec) { s.Output["v"] = random(1, 6, 8) }, []string{"output.v 6×8", "want 6×7", "output_mesh.v"}},
		{"NaN input", func(s *TableSpec) { s.Missing = true; s.Input["f"] = with(random(1, 6, 5), math.NaN(), 2, 1) }, []string{"input.f[3][2] is NaN: must be finite"}},
		{"NaN covariate", func(s *TableSpec) { s.Input["age"] = with(random(1, 6), math.NaN(), 3) }, []string{"input.age[4] is NaN"}},
		{"NaN parameter", func(s *TableSpec) { s.Parameter["theta"][0] = math.Inf(1) }, []string{"parameter.theta[1] is +Inf"}},
		{"NaN output", func(s *TableSpec) { s.Output["v"] = with(random(1, 6, 7), math.NaN(), 0, 6) }, []string{"output.v[1][7] is NaN", "Missing allows"}},
		{"single members", func(s *TableSpec) { s.Group["subject"] = []string{"a", "b", "c", "d", "e", "f"} }, []string{"group.subject", "each of the 6 labels has one sample only", "noise"}},
		{"one group", func(s *TableSpec) { s.Group["subject"] = slices.Repeat([]string{"a"}, 6) }, []string{"group.subject", `label "a"`, "bias"}},
		{"one parameter", func(s *TableSpec) { s.Parameter["theta"] = same(2).Data }, []string{"parameter.theta: is 2 for every sample"}},
		{"covariate of one value", func(s *TableSpec) { s.Input["age"] = same(0.3) }, []string{"input.age: is 0.3 for every sample", "bias"}},
		{"one parameter but for rounding", func(s *TableSpec) { s.Parameter["theta"] = with(same(0.3), 0.30000000000000004, 3).Data }, []string{"parameter.theta: is 0.3 for every sample but for rounding"}},
		{"covariate of one value but for rounding", func(s *TableSpec) { s.Input["age"] = with(same(0.3), 0.30000000000000004, 3) }, []string{"input.age: is 0.3 for every sample but for rounding", "bias"}},
		{"field of one function", func(s *TableSpec) {
			for i := range 6 {
				copy(f.Data[i*5:], []float64{.1, .2, .3, .7, 1e5})
			}
			s.Input["f"] = f
		}, []string{"input.f: is the same in every sample"}},
		{"proportional", func(s *TableSpec) {
			s.Input["h"], s.InputMesh.Of["h"] = s.Input["f"].Map(func(x float64) float64 { return -1e-9*x + 3 }), uniform(5, "x")
		}, []string{"input.f and input.h: cannot be told apart", "correlation 1"}},
		{"mirrored", func(s *TableSpec) {
			h := array.New(6, 5)
			for i := range 6 {
				for k := range 5 {
					h.Set(s.Input["f"].At(i, 4-k), i, k)
				}
			}
			s.Input["h"], s.InputMesh.Of["h"] = h, uniform(5, "x")
		}, []string{"input.f and input.h: cannot be told apart"}},
		{"groups that a covariate knows", func(s *TableSpec) {
			s.Group["sex"], s.Input["age"] = []string{"f", "m", "m", "f", "m", "f"}, array.Vector([]float64{1, 7, 7, 1, 7, 1})
		}, []string{"input.age and group.sex: cannot be told apart"}},
		{"no name", func(s *TableSpec) { s.Input[""] = random(9, 6) }, []string{`input: the name "": must be a letter`}},
		{"no identifier", func(s *TableSpec) { s.Input["2f"] = random(9, 6) }, []string{`input: the name "2f"`}},
		{"reserved", func(s *TableSpec) { s.Group["bias"] = s.Group["subject"] }, []string{`group: the name "bias"`, "choose another"}},
		{"the same name", func(s *TableSpec) { s.Group["f"] = s.Group["subject"] }, []string{"group.f: the name is that of input.f too"}},
		{"an output of the same name", func(s *TableSpec) { s.Output["f"], s.OutputMesh.Of["f"] = s.Output["u"], s.OutputMesh.Of["u"] }, []string{"output.f: the name is that of input.f too", "choose another"}},
		{"an output of the name of a group", func(s *TableSpec) { s.Group["u"] = s.Group["subject"] }, []string{"output.u: the name is that of group.u too"}},
		{"a coordinate", func(s *TableSpec) { s.Parameter["t"] = s.Parameter["theta"] }, []string{"parameter.t: a coordinate of input_mesh.g"}},
		{"no weights", func(s *TableSpec) {
			s.InputMesh.Of["h"], s.Input["h"] = mesh.Must(mesh.Scattered([]float64{0.5}, 1, nil, "x")), random(8, 6, 1)
		}, []string{"input_mesh.h: all weights are zero"}},
		{"no samples", func(s *TableSpec) { s.Output["u"] = array.New(0, 4) }, []string{"output.u: must be at least 1 sample"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := NewTable(change(c.how))
			wantError(t, err, c.say...)
		})
	}
	one := change(func(s *TableSpec) {
		*s = TableSpec{
			Input: map[string]*array.Array{"f": random(1, 1, 5)}, Output: map[string]*array.Array{"u": random(1, 1, 5)},
			InputMesh: Meshes{All: uniform(5, "x")}, OutputMesh: Meshes{All: uniform(5, "x")},
		}
	})
	if _, err := NewTable(one); err != nil {
		t.Errorf("one long record: %v", err)
	}
}

// Terms are told apart by any difference that is more than rounding; they are noted where
// it is small. Units do not matter.
func TestNearlyTheSame(t *testing.T) {
	for _, scale := range []float64{1e-9, 1, 1e9} {
		for _, c := range []struct {
			off          float64
			refuse, note bool
		}{{0, true, true}, {1e-3, false, true}, {3, false, false}} {
			s := change(func(s *TableSpec) {
				noise := random(77, 6, 5)
				h := s.Input["f"].Copy()
				for i := range h.Data {
					h.Data[i] = scale * (h.Data[i] + c.off*noise.Data[i])
				}
				s.Input["h"], s.InputMesh.Of["h"] = h, uniform(5, "x")
			})
			d, err := NewTable(s)
			if (err != nil) != c.refuse {
				t.Errorf("scale %g, difference %g: %v", scale, c.off, err)
			}
			if err != nil {
				continue
			}
			if notes := strings.Join(d.suspicious(), "\n"); strings.Contains(notes, "input.f and input.h change") != c.note {
				t.Errorf("scale %g, difference %g: notes %q", scale, c.off, notes)
			}
		}
	}
}

func TestSuspiciousTable(t *testing.T) {
	d := table(t, change(func(s *TableSpec) { s.Group["subject"] = []string{"a", "b", "a", "c", "a", "b"} }))
	if notes := d.suspicious(); len(notes) != 1 || !strings.Contains(notes[0], `group.subject: one sample only in 1 of the 3 labels, such as "c"`) {
		t.Errorf("notes %q", notes)
	}
}

// Things of one sample stay together.
func TestTableSelectAndSplit(t *testing.T) {
	d := table(t, spec())
	a, b, err := d.Split(4, 3)
	if err != nil {
		t.Fatal(err)
	}
	var seen []float64
	for _, part := range []*Table{a, b} {
		for i := range part.N() {
			theta := part.Parameters[0].Values[i]
			k := int(theta) - 1
			seen = append(seen, theta)
			if part.Field("g").Values.At(i, 4) != d.Field("g").Values.At(k, 4) || part.Output("v").Values.At(i, 6) != d.Output("v").Values.At(k, 6) ||
				part.Scalars[0].Values[i] != d.Scalars[0].Values[k] || part.Groups[0].Of[i] != d.Groups[0].Of[k] {
				t.Errorf("sample %d has things of another", k)
			}
		}
	}
	if slices.IsSorted(seen) {
		t.Error("nothing was shuffled")
	}
	if slices.Sort(seen); !slices.Equal(seen, []float64{1, 2, 3, 4, 5, 6}) || a.N() != 4 {
		t.Errorf("samples %v", seen)
	}
	for _, rows := range [][]int{{}, {6}, {-1}} {
		if _, err := d.Select(rows); err == nil {
			t.Errorf("samples %v: no error", rows)
		}
	}
	_, _, err = d.Split(6, 1)
	wantError(t, err, "train 6", "6 samples")
}

// Noise is relative to each output and knows nothing of the others.
func TestTableNoise(t *testing.T) {
	d := table(t, change(func(s *TableSpec) {
		s.Output["u"] = random(4, 6, 4).Map(func(x float64) float64 { return 1e6 * x })
	}))
	noisy, err := d.Noise(0.1, 1)
	if err != nil {
		t.Fatal(err)
	}
	alone := *d
	alone.Outputs = d.Outputs[1:]
	other, _ := alone.Noise(0.1, 1)
	if !arrays.Equal(noisy.Output("v").Values, other.Output("v").Values) {
		t.Error("the noise of v depends on u")
	}
	for _, u := range d.Outputs {
		difference, _ := arrays.Sub(t.Context(), noisy.Output(u.Name).Values, u.Values)
		one, _ := d.Pair("f", u.Name)
		got := math.Sqrt(square(difference) / float64(len(difference.Data)))
		if want := 0.1 * one.Spread(); got < want/2 || got > 2*want {
			t.Errorf("%s: noise %g, want about %g", u.Name, got, want)
		}
	}
	if d.Output("u").Values.At(0, 0) != 1e6*random(4, 6, 4).Data[0] {
		t.Error("the clean table changed")
	}
	_, err = d.Noise(-1, 1)
	wantError(t, err, "output.u", "level -1")
}

func square(a *array.Array) (sum float64) {
	for _, x := range a.Data {
		sum += x * x
	}
	return sum
}

// A number that differs from sample to sample by rounding alone is refused at any size and sign, and one that differs
// by more is taken.
func TestNumbersThatAreRounding(t *testing.T) {
	for _, size := range []float64{0.3, -0.3, 1e6, -1e6, 1e-200, 1e300} {
		for _, c := range []struct {
			spread  float64 // of the size
			refused bool
		}{{0, true}, {3e-16, true}, {1e-15, true}, {9e-13, true}, {1e-11, false}, {1e-6, false}, {2, false}} {
			values := make([]float64, 6)
			for i := range values {
				values[i] = size
				if i%2 == 1 {
					values[i] -= c.spread * size
				}
			}
			same := Scalar{Name: "t", Values: values}.same()
			if (same != "") != c.refused {
				t.Errorf("%g with a spread of %g of it: %q, want refused %v", size, c.spread, same, c.refused)
			}
			if said := strings.HasSuffix(same, "but for rounding"); same != "" && said == (c.spread == 0) {
				t.Errorf("%g with a spread of %g of it: %q", size, c.spread, same)
			}
		}
	}
}
