package dataset

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/mesh"
)

// save writes arrays into a new directory and returns the path.
func save(t *testing.T, name string, parts map[string]*array.Array) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := arrays.SaveAll(path, parts); err != nil {
		t.Fatal(err)
	}
	return path
}

// Meshes of every kind and missing outputs come back to the bit.
func TestSaveAndLoad(t *testing.T) {
	gauss := mesh.Must(mesh.Gauss(-1, 2, 3, "x"))
	cloud := mesh.Must(mesh.Scattered([]float64{0.1, 0.2, 1. / 3, 0.4}, 2, []float64{0.7, 0.1}, "a", "b"))
	input, output := product(gauss, uniform(2, "t")), product(cloud, mesh.Must(mesh.Periodic(0, math.Pi, 5, "phi")))
	u := count(4, 10).Map(func(x float64) float64 { return math.Sin(x) })
	d, err := New(Spec{count(4, 3, 2), with(u, math.NaN(), 3, 9), input, output, true})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "d.npz")
	if err := d.Save(path); err != nil {
		t.Fatal(err)
	}
	back, err := Load(context.Background(), path, LoadSpec{})
	if err != nil {
		t.Fatal(err)
	}
	if !arrays.Equal(back.Input, d.Input) || !arrays.Equal(back.Output, d.Output) || !back.Missing {
		t.Errorf("got %v", back)
	}
	if !back.InputMesh.Equal(input) || !back.OutputMesh.Equal(output) {
		t.Errorf("meshes %v and %v", back.InputMesh, back.OutputMesh)
	}
	if got := strings.Join(append(back.InputMesh.Names(), back.OutputMesh.Names()...), " "); got != "x t a b phi" {
		t.Errorf("names %s", got)
	}
	if got := back.OutputMesh.Axes()[1].Period; got != math.Pi {
		t.Errorf("period %g", got)
	}
	// A mesh that is given wins, and must fit.
	if other, err := Load(context.Background(), path, LoadSpec{InputMesh: uniform(6, "z"), Rows: [2]int{1, 3}}); err != nil || other.N() != 2 || other.InputMesh.Names()[0] != "z" {
		t.Errorf("%v, %v", other, err)
	}
	_, err = Load(context.Background(), path, LoadSpec{InputMesh: uniform(7, "z")})
	wantError(t, err, "d.npz", "input 4×6", "want 4×7")
	err = d.Save(filepath.Join(t.TempDir(), "d.csv"))
	wantError(t, err, "d.csv", ".npz")
}

func TestLoadArrays(t *testing.T) {
	path := save(t, "pairs.npz", map[string]*array.Array{
		"f": count(6, 3), "u": count(6, 4), "u_noisy": count(4, 4), "x": count(3),
	})
	m := LoadSpec{InputMesh: uniform(3, "x"), OutputMesh: uniform(4, "x")}
	d, err := Load(context.Background(), path, m)
	if err != nil || d.N() != 6 || d.Output.At(5, 3) != 23 {
		t.Errorf("%v, %v", d, err)
	}
	m.Rows = [2]int{1, 4}
	m.Output = "u_noisy"
	d, err = Load(context.Background(), path, m)
	if err != nil || d.N() != 3 || d.Input.At(0, 0) != 3 || d.Output.At(2, 3) != 15 {
		t.Errorf("%v, %v", d, err)
	}
	m.Rows = [2]int{0, 5}
	_, err = Load(context.Background(), path, m)
	wantError(t, err, path, "rows 1 to 5", "1 to 4", "output")
	m.Rows = [2]int{}
	_, err = Load(context.Background(), path, m)
	wantError(t, err, path, "6 inputs and 4 outputs: there must be one of each for a pair", "rows 1 to 4 are the first of both")
	m.Output = "U"
	_, err = Load(context.Background(), path, m)
	wantError(t, err, path, `no array "U"`, "f, u, u_noisy, x", `did you mean "u"?`)
	_, err = Load(context.Background(), filepath.Join(filepath.Dir(path), "pair.npz"), m)
	wantError(t, err, "pair.npz", "does not exist", `"pairs.npz"`)
}

// An index in an error counts from the first row that was asked for, and says so.
func TestLoadNamesBadNumbers(t *testing.T) {
	path := save(t, "bad.npz", map[string]*array.Array{"f": count(6, 3), "u": with(count(6, 4), math.NaN(), 4, 1)})
	spec := LoadSpec{InputMesh: uniform(3, "x"), OutputMesh: uniform(4, "x")}
	_, err := Load(context.Background(), path, spec)
	wantError(t, err, path+": output[5][2] is NaN", "Missing allows")
	spec.Rows = [2]int{3, 6}
	_, err = Load(context.Background(), path, spec)
	wantError(t, err, path+", rows 4 to 6: output[2][2] is NaN")
	spec.Missing = true
	if d, err := Load(context.Background(), path, spec); err != nil || !d.Missing {
		t.Errorf("%v, %v", d, err)
	}
}

// Without a mesh, the error says which vectors of the file may be its coordinates.
func TestLoadSuggestsMeshes(t *testing.T) {
	x, err := arrays.LinSpace(t.Context(), -1, 1, 3)
	if err != nil {
		t.Fatal(err)
	}
	arrays := map[string]*array.Array{
		"f": count(6, 3), "u": count(6, 3, 4), "x": x,
		"t": {Shape: []int{1, 4}, Data: []float64{0, 1, 2, 4}}, // a row, as from MATLAB
	}
	path := save(t, "heat.npz", arrays)
	_, err = Load(context.Background(), path, LoadSpec{})
	wantError(t, err, path, "input_mesh: missing; x in "+path+" may be the coordinates of input_mesh")
	_, err = Load(context.Background(), path, LoadSpec{InputMesh: uniform(3, "x")})
	wantError(t, err, "output_mesh: missing; x, t in "+path+" may be the coordinates of output_mesh")
	delete(arrays, "x")
	_, err = Load(context.Background(), save(t, "plain.npz", arrays), LoadSpec{})
	wantError(t, err, "input_mesh: missing; give input_mesh, a mesh of 3 points")
}

// Arrays that nobody has named and that are not there: those that are like them are suggested.
func TestLoadSuggestsNames(t *testing.T) {
	for want, names := range map[string][]string{
		`Input "a.f" and Output "b/u"`: {"g", "a.f", "b/u"},
		`Input "g" and Output "h"`:     {"g", "h"},
		`Input "f" and Output "h"`:     {"f", "h"},
	} {
		arrays := map[string]*array.Array{}
		for _, name := range names {
			arrays[name] = count(6, 3)
		}
		_, err := Load(context.Background(), save(t, "x.npz", arrays), LoadSpec{})
		wantError(t, err, "no arrays f and u; the file holds ", want)
	}
}

// Points × pairs are seen by their shapes, unless they were said to be.
func TestLoadTransposed(t *testing.T) {
	path := save(t, "x.npz", map[string]*array.Array{"f": count(3, 6), "u": count(4, 6)})
	spec := LoadSpec{InputMesh: uniform(3, "x"), OutputMesh: uniform(4, "y")}
	_, err := Load(context.Background(), path, spec)
	wantError(t, err, "input 3×6, output 4×6", "give the transposes of both")
	spec.Columns = true
	if d, err := Load(context.Background(), path, spec); err != nil || d.N() != 6 {
		t.Errorf("%v, %v", d, err)
	}
}

// Of one array alone that is points × pairs it is said which, with meshes and without; of arrays that fit their meshes,
// that there are not as many.
func TestLoadOneTransposed(t *testing.T) {
	for _, c := range []struct {
		f, u *array.Array
		says string
	}{
		{count(6, 3), count(4, 6), "output 4×6: want one row for each pair, and it has as many columns as input has rows, 6; make the pairs of the arrays, with the transpose of output"},
		{count(3, 6), count(6, 4), "input 3×6: want one row for each pair, and it has as many columns as output has rows, 6"},
		{count(4, 3), count(3, 4), "4 inputs and 3 outputs: there must be one of each for a pair; rows 1 to 3 are the first of both"},
	} {
		path := save(t, "x.npz", map[string]*array.Array{"f": c.f, "u": c.u})
		_, err := Load(context.Background(), path, LoadSpec{InputMesh: uniform(3, "x"), OutputMesh: uniform(4, "y")})
		wantError(t, err, path, c.says)
	}
	path := save(t, "x.npz", map[string]*array.Array{"f": count(6, 3), "u": count(4, 6)})
	_, err := Load(context.Background(), path, LoadSpec{})
	wantError(t, err, path, "with the transpose of output")
}

// Inputs and outputs in two files: by the first of them, or by their directory.
func TestLoadPairsOfFiles(t *testing.T) {
	dir := t.TempDir()
	for name, a := range map[string]*array.Array{"f.csv": count(6, 3), "u.npy": count(6, 4)} {
		if err := arrays.Save(filepath.Join(dir, name), a); err != nil {
			t.Fatal(err)
		}
	}
	spec := LoadSpec{Output: "u.npy", InputMesh: uniform(3, "x"), OutputMesh: uniform(4, "x")}
	check := func(d *Dataset, err error) {
		t.Helper()
		if err != nil || !arrays.Equal(d.Input, count(6, 3)) || !arrays.Equal(d.Output, count(6, 4)) {
			t.Errorf("%v, %v", d, err)
		}
	}
	check(Load(context.Background(), filepath.Join(dir, "f.csv"), spec))
	_, err := Load(context.Background(), filepath.Join(dir, "f.csv"), LoadSpec{InputMesh: spec.InputMesh, OutputMesh: spec.OutputMesh})
	wantError(t, err, "f.csv: output: missing", "file")
	_, err = Load(context.Background(), dir, spec)
	wantError(t, err, "a folder", "input", "name of a file")
	spec.Input = "f.csv"
	check(Load(context.Background(), dir, spec))
	spec.Output = filepath.Join(dir, "u.npy")
	check(Load(context.Background(), dir, spec))
	spec.Output = "v.npy"
	_, err = Load(context.Background(), dir, spec)
	wantError(t, err, "v.npy: file does not exist", `"u.npy"`)
}

func TestLoadRefusesOtherFiles(t *testing.T) {
	write := func(text string) string {
		path := filepath.Join(t.TempDir(), "d.npz")
		m := arrays.Members{Arrays: map[string]*array.Array{"input": count(2, 3)}, Texts: map[string]string{headerName: text}}
		if err := arrays.SaveMembers(path, m); err != nil {
			t.Fatal(err)
		}
		return path
	}
	axis, err := json.Marshal(uniform(3, "x"))
	if err != nil {
		t.Fatal(err)
	}
	for text, say := range map[string]string{
		`{"format": "workbench dataset", "version": 3}`: "version 3: this workbench reads 1 to 2",
		`{"format": "workbench dataset", "version": 2}`: "several named fields",
		`{"format": "workbench dataset"}`:               "version 0",
		`{"format": "cookbook"}`:                        `format "cookbook": must be "workbench dataset"`,
		`{"format": `:                                   "unexpected end",
		`{"input_mesh": [{}]}`:                          "mesh: axis 1",
		`{"format": "workbench dataset", "version": 1}`: "a mesh is missing",
		fmt.Sprintf(`{"format": "workbench dataset", "version": 1, "input_mesh": %s, "output_mesh": %s}`, axis, axis): `no array "output"`,
	} {
		_, err := Load(context.Background(), write(text), LoadSpec{})
		wantError(t, err, "d.npz: ", say)
	}
}

// No header may do more harm than an error: what is accepted can be shown and
// is read back the same.
func FuzzHeader(f *testing.F) {
	f.Fuzz(func(t *testing.T, text string) {
		h, err := parseHeader(text)
		if err != nil {
			return
		}
		again, err := json.Marshal(h)
		if err != nil {
			t.Fatal(err)
		}
		back, err := parseHeader(string(again))
		if err != nil || !back.InputMesh.Equal(h.InputMesh) || back.OutputMesh.String() != h.OutputMesh.String() {
			t.Errorf("%v became %v, %v", h, back, err)
		}
	})
}
