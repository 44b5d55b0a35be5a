package dataset

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/mesh"
)

// TestMeshFromCoordinates: NetCDF files of both formats bring their meshes; the last one has outputs on points of
// their own in two dimensions.
func TestMeshFromCoordinates(t *testing.T) {
	const python = "/usr/bin/python3"
	if exec.Command(python, "-c", "import netCDF4").Run() != nil {
		t.Skip("no Python with netCDF4")
	}
	script := `
import netCDF4, numpy as np, sys
for name, format in {"a4.nc": "NETCDF4", "a3.nc": "NETCDF3_CLASSIC"}.items():
    with netCDF4.Dataset(sys.argv[1] + "/" + name, "w", format=format) as f:
        for d, n in {"run": 6, "x": 4, "y": 3, "z": 2}.items():
            f.createDimension(d, n)
            if d != "run":
                f.createVariable(d, "f8", (d,))[:] = np.arange(n) ** 2.0
        f.createVariable("f", "f4", ("run", "x"))[:] = np.arange(24.0).reshape(6, 4)
        f.createVariable("u", "f8", ("run", "y", "z"))[:] = np.arange(36.0).reshape(6, 3, 2) ** 2
`
	dir := t.TempDir()
	if out, err := exec.Command(python, "-c", script, dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, name := range []string{"a4.nc", "a3.nc"} {
		d, err := Load(context.Background(), filepath.Join(dir, name), LoadSpec{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if m := d.InputMesh; m.Dim() != 1 || d.N() != 6 || m.Names()[0] != "x" || m.Size() != 4 || m.Points()[3] != 9 {
			t.Errorf("%s: %v", name, d.InputMesh)
		}
		if d.OutputMesh.Dim() != 2 || d.OutputMesh.Size() != 6 || d.Output.Data[35] != 35*35 {
			t.Errorf("%s: %v, outputs %v", name, d.OutputMesh, d.Output.Shape)
		}
	}
}

// TestDecreasingCoordinates: where coordinates decrease along some axes, each value stays at its place; where they are
// in no order, the next step is said. The file is made by hand: Zarr has names of axes.
func TestDecreasingCoordinates(t *testing.T) {
	write := func(x, y string) string {
		folder := t.TempDir()
		put := func(name, text string) {
			if err := os.MkdirAll(filepath.Join(folder, filepath.Dir(name)), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		array := func(name, dims, shape, chunk, bytes string) {
			put(name+"/.zarray", `{"zarr_format":2,"shape":`+shape+`,"chunks":`+shape+`,"dtype":"|i1","order":"C","fill_value":null,"compressor":null,"filters":null}`)
			put(name+"/.zattrs", `{"_ARRAY_DIMENSIONS":`+dims+`}`)
			put(name+"/"+chunk, bytes)
		}
		put(".zgroup", "{}")
		array("x", `["x"]`, "[3]", "0", x)
		array("y", `["y"]`, "[2]", "0", y)
		array("f", `["run","x"]`, "[2,3]", "0.0", "\x01\x02\x03\x04\x05\x06")
		array("u", `["run","x","y"]`, "[2,3,2]", "0.0.0", "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c")
		return folder
	}
	for _, c := range []struct {
		x, y string
		f, u []float64
	}{
		{"\x01\x02\x04", "\x01\x02", []float64{1, 2, 3, 4, 5, 6}, []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}},
		{"\x04\x02\x01", "\x01\x02", []float64{3, 2, 1, 6, 5, 4}, []float64{5, 6, 3, 4, 1, 2, 11, 12, 9, 10, 7, 8}},
		{"\x01\x02\x04", "\x02\x01", []float64{1, 2, 3, 4, 5, 6}, []float64{2, 1, 4, 3, 6, 5, 8, 7, 10, 9, 12, 11}},
		{"\x04\x02\x01", "\x02\x01", []float64{3, 2, 1, 6, 5, 4}, []float64{6, 5, 4, 3, 2, 1, 12, 11, 10, 9, 8, 7}},
	} {
		d, err := Load(context.Background(), write(c.x, c.y), LoadSpec{})
		if err != nil || !slices.Equal(d.Input.Data, c.f) || !slices.Equal(d.Output.Data, c.u) || d.InputMesh.Points()[2] != 4 {
			t.Errorf("x %q, y %q: %v, %v", c.x, c.y, d, err)
		}
	}
	_, err := Load(context.Background(), write("\x04\x01\x02", "\x01\x02"), LoadSpec{})
	wantError(t, err, "coordinates x along axis 2 of f", "give the meshes, or order the arrays along x first")
}

// TestPairsOfTheFile: where a file says what its axes are, pairs in another order and arrays the other way round are
// refused, though their shapes fit; with a pair a column the mesh is found too.
func TestPairsOfTheFile(t *testing.T) {
	const python = "/usr/bin/python3"
	if exec.Command(python, "-c", "import netCDF4").Run() != nil {
		t.Skip("no Python with netCDF4")
	}
	script := `
import netCDF4, numpy as np, sys
def write(name, points, f, u, coordinates):
    with netCDF4.Dataset(sys.argv[1] + "/" + name, "w", format="NETCDF3_CLASSIC") as file:
        for d in ("run", "again"):
            file.createDimension(d, 4)
        file.createDimension("x", points)
        file.createVariable("x", "f8", ("x",))[:] = np.arange(points)
        for d, values in coordinates.items():
            file.createVariable(d, "f8", (d,))[:] = values
        for v, dims in {"f": f, "u": u}.items():
            a = file.createVariable(v, "f8", dims)
            a[:] = np.arange(4.0 * points).reshape(a.shape)
runs = {"run": [1, 2, 3, 4]}
write("same", 3, ("run", "x"), ("again", "x"), {**runs, "again": [1, 2, 3, 4]})
write("unnamed", 3, ("run", "x"), ("again", "x"), runs)
write("order", 3, ("run", "x"), ("again", "x"), {**runs, "again": [1, 3, 2, 4]})
write("square", 4, ("run", "x"), ("x", "run"), runs)
write("columns", 3, ("x", "run"), ("x", "run"), {})
`
	dir := t.TempDir()
	if out, err := exec.Command(python, "-c", script, dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for name, want := range map[string]string{
		"same": "", "unnamed": "", "columns": "",
		"order":  "row 2 of f is of run = 2, that of u of again = 3: want the same pairs in the same order",
		"square": "the pairs of f are along its dimension run, those of u along x: one of them is transposed",
	} {
		d, err := Load(context.Background(), filepath.Join(dir, name), LoadSpec{Columns: name == "columns"})
		switch {
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: %v, want %q", name, err, want)
		case want == "" && (err != nil || d.N() != 4 || d.InputMesh.Size() != 3):
			t.Errorf("%s: %v, %v", name, d, err)
		}
	}
}

// TestUnitsOfTheFile: coordinates of input and output that measure the same in two units are refused, but moments, which
// go to the clock of the input and say so. Both formats of NetCDF say their units.
func TestUnitsOfTheFile(t *testing.T) {
	const python = "/usr/bin/python3"
	if exec.Command(python, "-c", "import netCDF4").Run() != nil {
		t.Skip("no Python with netCDF4")
	}
	script := `
import netCDF4, numpy as np, sys
dir, format, cases = sys.argv[1], sys.argv[2], sys.argv[3:]
for k, case in enumerate(cases):
    a, b = case.split("|")
    with netCDF4.Dataset(dir + "/%d.nc" % k, "w", format=format) as f:
        f.createDimension("run", 4)
        for d, values, unit in (("t", [24.0, 26.4, 72.0], a), ("tau", [1.1, 2.0, 3.0], b)):
            f.createDimension(d, 3)
            v = f.createVariable(d, "f8", (d,))
            v[:] = values
            if unit:
                v.units = unit
        f.createVariable("f", "f8", ("run", "t"))[:] = np.arange(12.0).reshape(4, 3)
        f.createVariable("u", "f8", ("run", "tau"))[:] = np.arange(12.0).reshape(4, 3)
`
	cases := []struct{ units, err, note, tau string }{
		{units: "m|km", err: "t of the input is in m and tau of the output in km: want one unit; give InputMesh and OutputMesh in one unit"},
		{units: "hours|days", err: "t of the input is in hours and tau of the output in days"},
		{units: "months since 2000-01-01|days since 2000-01-01", err: "want one unit"},
		{units: "m|s", tau: "1.1 2 3"},
		{units: "m|metres", tau: "1.1 2 3"},
		{units: "m|", tau: "1.1 2 3"},
		{units: "hours since 2000-01-01|days since 2000-01-01", tau: "26.4 48 72", note: "tau: in hours since 2000-01-01, as t; the file has it in days since 2000-01-01"},
		{units: "hours since 2000-01-02|hours since 2000-01-01 12:00", tau: "-10.9 -10 -9", note: "tau: in hours since 2000-01-02"},
	}
	for _, format := range []string{"NETCDF4", "NETCDF3_CLASSIC"} {
		dir := t.TempDir()
		args := []string{"-c", script, dir, format}
		for _, c := range cases {
			args = append(args, c.units)
		}
		if out, err := exec.Command(python, args...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		for k, c := range cases {
			note := ""
			spec := LoadSpec{Note: func(text string) { note += text }}
			d, err := Load(context.Background(), filepath.Join(dir, fmt.Sprintf("%d.nc", k)), spec)
			if c.err != "" {
				wantError(t, err, c.err)
				continue
			}
			if err != nil || strings.Trim(fmt.Sprint(d.OutputMesh.Points()), "[]") != c.tau || !strings.HasPrefix(note, c.note) || (note == "") != (c.note == "") {
				t.Errorf("%s, %s: %v, %v, note %q; want tau at %s, note %q", format, c.units, d, err, note, c.tau, c.note)
			}
		}
	}
}

// TestGivenMeshAgrees: a mesh that the file's coordinates contradict is refused, above all one that would turn the
// functions round; one that has them rounded to float32, in another unit or from another zero is taken.
func TestGivenMeshAgrees(t *testing.T) {
	const python = "/usr/bin/python3"
	if exec.Command(python, "-c", "import netCDF4").Run() != nil {
		t.Skip("no Python with netCDF4")
	}
	script := `
import netCDF4, numpy as np, sys
for name, x, unit in (("up", np.linspace(0, 3, 31).astype("f4"), "km"), ("down", np.linspace(3, 0, 31), "km"), ("bare", np.linspace(0, 3, 31), ""),
                      ("count", np.arange(31.0), ""), ("large", 1e9 + np.arange(31.0)[::-1], "s")):
    with netCDF4.Dataset(sys.argv[1] + "/" + name, "w") as f:
        f.createDimension("run", 4)
        f.createDimension("x", 31)
        v = f.createVariable("x", x.dtype, ("x",))
        v[:] = x
        if unit:
            v.units = unit
        f.createVariable("f", "f8", ("run", "x"))[:] = np.arange(124.0).reshape(4, 31)
        f.createVariable("u", "f8", ("run", "x"))[:] = np.arange(124.0).reshape(4, 31)
`
	dir := t.TempDir()
	if out, err := exec.Command(python, "-c", script, dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, c := range []struct {
		name string
		a, b float64
		want string
	}{
		{"up", 0, 3, ""},
		{"up", 0, 3000, ""},
		{"bare", 0, 3, ""},
		{"count", 0, 3, ""},
		{"count", 5, 7, ""},
		{"up", 1, 7, ""},
		{"bare", 0, 3000, ""},
		{"down", 0, 3, "input_mesh goes from 0 to 3 along axis 2 of f, and the file's coordinates x from 3 to 0; leave the meshes out"},
		{"large", 1e9, 1e9 + 30, "the file's coordinates x from 1.00000003e+09 to 1e+09"},
	} {
		m := mesh.Must(mesh.Uniform(c.a, c.b, 31, "x"))
		d, err := Load(context.Background(), filepath.Join(dir, c.name), LoadSpec{InputMesh: m, OutputMesh: m})
		switch {
		case c.want != "":
			wantError(t, err, c.want)
		case err != nil || d.Input.Data[30] != 30:
			t.Errorf("%s, mesh from %g to %g: %v, %v", c.name, c.a, c.b, d, err)
		}
	}
	if d, err := Load(context.Background(), filepath.Join(dir, "down"), LoadSpec{}); err != nil || d.Input.Data[0] != 30 {
		t.Errorf("down without a mesh: %v, %v", d, err)
	}
	other := mesh.Must(mesh.Chebyshev(0, 3, 31, "x"))
	_, err := Load(context.Background(), filepath.Join(dir, "up"), LoadSpec{InputMesh: mesh.Must(mesh.Uniform(0, 3, 31, "x")), OutputMesh: other})
	wantError(t, err, "output_mesh goes from 0 to 3 along axis 2 of u, and the file's coordinates x from 0 to 3, but point")
}

// TestLoadEnds: no format is read on after the end of its context.
func TestLoadEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, name := range []string{"a.npz", "a.mat", "a.h5"} {
		path := filepath.Join(t.TempDir(), name)
		m := arrays.Members{Arrays: map[string]*array.Array{"f": array.New(3, 2), "u": array.New(3, 2)}}
		if err := arrays.SaveMembers(path, m); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(ctx, path, LoadSpec{}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, want %v", name, err, context.Canceled)
		}
	}
}
