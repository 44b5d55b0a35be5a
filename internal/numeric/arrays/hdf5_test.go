package arrays

import (
	"math"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/greenbench/workbench/numeric/array"
)

// TestHDF5 reads what h5py and netCDF4 write: by path in groups, MATLAB's arrays as MATLAB shows them, members of
// records, NetCDF's packed and missing numbers as meant, its coordinates by axis.
func TestHDF5(t *testing.T) {
	p := pythonWith("h5py, netCDF4")
	if p == "" {
		t.Skip("no Python with h5py and netCDF4")
	}
	dir := t.TempDir()
	script := `
import h5py, netCDF4, numpy as np, sys
d = sys.argv[1]
with h5py.File(d + "/m.mat", "w", userblock_size=512) as f:
    for name, v in {"A": np.arange(6.).reshape(3, 2), "s/f": np.arange(4.).reshape(4, 1)}.items():
        f[name] = v
        f[name].attrs["MATLAB_class"] = np.bytes_("double")
    f["s"].attrs["MATLAB_class"] = np.bytes_("struct")
    f["c"] = np.array([[72], [105]], "u2")
    f["c"].attrs["MATLAB_class"] = np.bytes_("char")
with open(d + "/m.mat", "r+b") as f:
    f.write(b"MATLAB 7.3 MAT-file, Platform: GLNXA64".ljust(124) + b"\x00\x02IM")
with h5py.File(d + "/a.h5", "w") as f:
    f["run1/f"] = np.arange(6).reshape(2, 3)
    f["z"] = np.array([1 + 2j])
    f["r"] = np.array([(1, 2.5), (3, 4.5)], [("id", "i4"), ("x", "f8")])
with netCDF4.Dataset(d + "/n.nc", "w") as f:
    f.createDimension("time", None)
    f.createDimension("x", 3)
    f.createDimension("other", 2)
    f.createVariable("x", "f8", ("x",))[:] = [0.5, 1, 2]
    v = f.createVariable("u", "i2", ("time", "x"), zlib=True, fill_value=-99)
    v.scale_factor = 0.5
    v.add_offset = 10.0
    v.set_auto_maskandscale(False)
    v[:] = [[1, 2, -99], [4, 5, 6]]
    w = f.createVariable("w", "f8", ("other",))
    w[0] = 7
    f.createDimension("row", None)
    f.createDimension("column", None)
    f.createVariable("long", "f8", ("row",))[:] = [1, 2, 3]
    f.createVariable("wide", "f4", ("x", "column"))[:] = np.ones((3, 4))
    f.createVariable("short", "i2", ("row", "column"))[:] = [[1, 2], [3, 4]]
    f.createVariable("cube", "i2", ("x", "row", "column"))[0:2, 0:2, 0:3] = np.arange(12).reshape(2, 2, 3)
    f.createVariable("unwritten", "f8", ("row", "column"))
    for name, notes in {"limited": {"scale_factor": 0.1, "valid_range": np.array([0, 0.1])}, "wrong": {"scale_factor": "0.5"}}.items():
        v = f.createVariable(name, "i2", ("other",))
        v.set_auto_maskandscale(False)
        v.setncatts(notes)
        v[:] = [1, 2]
`
	if out, err := exec.Command(p, "-c", script, dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	nan := math.NaN()
	for _, c := range []struct {
		file, name string
		shape      []int
		want       []float64
	}{
		{"m.mat", "A", []int{2, 3}, []float64{0, 2, 4, 1, 3, 5}},
		{"m.mat", "s.f", []int{1, 4}, []float64{0, 1, 2, 3}},
		{"a.h5", "run1/f", []int{2, 3}, []float64{0, 1, 2, 3, 4, 5}},
		{"a.h5", "r.x", []int{2}, []float64{2.5, 4.5}},
		{"n.nc", "u", []int{2, 3}, []float64{10.5, 11, math.NaN(), 12, 12.5, 13}},
		{"n.nc", "w", []int{2}, []float64{7, math.NaN()}},
		{"n.nc", "long", []int{3}, []float64{1, 2, 3}},
		{"n.nc", "short", []int{3, 4}, []float64{1, 2, nan, nan, 3, 4, nan, nan, nan, nan, nan, nan}},
		{"n.nc", "cube", []int{3, 3, 4}, []float64{
			0, 1, 2, nan, 3, 4, 5, nan, nan, nan, nan, nan,
			6, 7, 8, nan, 9, 10, 11, nan, nan, nan, nan, nan,
			nan, nan, nan, nan, nan, nan, nan, nan, nan, nan, nan, nan,
		}},
		{"n.nc", "unwritten", []int{3, 4}, slices.Repeat([]float64{nan}, 12)},
		{"n.nc", "limited", []int{2}, []float64{0.1, math.NaN()}},
	} {
		a, err := Load(filepath.Join(dir, c.file), c.name)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		wantArray(t, a, c.shape, c.want...)
	}
	g, err := Open(filepath.Join(dir, "n.nc"))
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	for lo := range 3 { // rows that are there and that are not
		for hi := lo + 1; hi <= 3; hi++ {
			want := []float64{1, 2, nan, nan, 3, 4, nan, nan, nan, nan, nan, nan}[4*lo : 4*hi]
			if a, of, err := g.ReadRows("short", lo, hi); err != nil || of != 3 {
				t.Errorf("rows %d to %d of %d: %v", lo, hi, of, err)
			} else {
				wantArray(t, a, []int{hi - lo, 4}, want...)
			}
		}
	}
	_, err = Load(filepath.Join(dir, "m.mat"), "c")
	wantError(t, err, "m.mat", `array "c"`, "char")
	_, err = Load(filepath.Join(dir, "m.mat"), "B")
	wantError(t, err, "m.mat", `no array "B"`, "A, c, s.f")
	_, err = Load(filepath.Join(dir, "n.nc"), "wrong")
	wantError(t, err, "n.nc", `array "wrong"`, `scale_factor is the text "0.5"`)
	_, z, err := LoadNumbers(ctx(), filepath.Join(dir, "a.h5"), "z")
	if err != nil || z.Data[0] != 1+2i {
		t.Errorf("complex: %v, %v", z, err)
	}
	f, err := Open(filepath.Join(dir, "n.nc"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	axes, err := f.Axes("u")
	if err != nil || len(axes) != 2 || axes[0] != (Axis{"time", ""}) || axes[1] != (Axis{"x", "x"}) {
		t.Errorf("axes %v, error %v", axes, err)
	}
}

// TestHDF5IsWritten: arrays saved as .h5 load the same, real and complex, and h5py reads them.
func TestHDF5IsWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.h5")
	z, err := ComplexOf([]complex128{1 + 2i, 3}, 2, 1)
	if err != nil {
		t.Fatal(err)
	}
	err = SaveMembers(path, Members{
		Arrays:  map[string]*array.Array{"run1/f": count(2, 3, 4)},
		Complex: map[string]*Complex{"z": z},
		Texts:   map[string]string{"note": "by the test"},
	})
	if err != nil {
		t.Fatal(err)
	}
	a, err := Load(path, "run1/f")
	if err != nil || !Equal(a, count(2, 3, 4)) {
		t.Errorf("%v, %v", a, err)
	}
	_, got, err := LoadNumbers(ctx(), path, "z")
	if err != nil || got.Shape[0] != 2 || got.Data[0] != 1+2i {
		t.Errorf("%v, %v", got, err)
	}
}
