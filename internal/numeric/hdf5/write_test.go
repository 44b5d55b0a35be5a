package hdf5_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/hdf5"
)

func writtenArrays() []hdf5.Array {
	a := hdf5.Array{Path: "run1/f", Shape: []int{300, 40}, Attributes: map[string]string{"units": "µm/s", "note": ""}}
	for i := range 12000 {
		a.Data = append(a.Data, math.Sin(float64(i)))
	}
	a.Data[5], a.Data[6] = math.Inf(-1), math.NaN()
	return []hdf5.Array{
		a,
		{Path: "run1/deep/z", Shape: []int{2, 1}, Complex: []complex128{1 + 2i, -3}},
		{Path: "scalar", Data: []float64{4}},
		{Path: "größe", Shape: []int{1, 2, 3}, Data: []float64{1, 2, 3, 4, 5, 6}},
		{Path: "none", Shape: []int{0, 3}},
	}
}

func written(t *testing.T, arrays []hdf5.Array) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := hdf5.Write(&b, arrays, map[string]string{"title": "by the test"}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestWriteRead: what is written reads the same to the bit, by this package.
func TestWriteRead(t *testing.T) {
	data := written(t, writtenArrays())
	if !bytes.Equal(data, written(t, writtenArrays())) {
		t.Error("the same arrays gave other bytes")
	}
	f, err := hdf5.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	if title, ok, err := f.Attribute("title"); !ok || err != nil || title.Strings[0] != "by the test" {
		t.Errorf("title %v, %v, %v", title, ok, err)
	}
	for _, a := range writtenArrays() {
		d, err := f.Dataset(a.Path)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(d.Shape, a.Shape) || d.IsComplex() != (a.Complex != nil) {
			t.Errorf("%s: %s of shape %v", a.Path, d.Kind(), d.Shape)
		}
		want := a.Data
		for _, z := range a.Complex {
			want = append(want, real(z), imag(z))
		}
		if got, err := numbersOf(d, 0, d.Rows()); err != nil || !sameBits(got, want) {
			t.Errorf("%s: %v, error %v", a.Path, first(got), err)
		}
		for name, value := range a.Attributes {
			if got, ok, err := d.Attribute(name); !ok || err != nil || got.Strings[0] != value {
				t.Errorf("%s: attribute %s is %v, %v, %v", a.Path, name, got, ok, err)
			}
		}
	}
}

// TestH5pyReadsWhatIsWritten: h5py sees the same numbers, shapes and attributes; h5dump finds nothing to object to.
func TestH5pyReadsWhatIsWritten(t *testing.T) {
	p := python()
	if p == "" {
		t.Skip("no Python with h5py and netCDF4")
	}
	path := filepath.Join(t.TempDir(), "a.h5")
	if err := os.WriteFile(path, written(t, writtenArrays()), 0o666); err != nil {
		t.Fatal(err)
	}
	script := `
import h5py, sys, numpy as np
f = h5py.File(sys.argv[1])
a = f["run1/f"]
i = np.arange(12000.)
print(list(f), a.shape, a.dtype, repr(a.attrs["units"].decode()), repr(a.attrs["note"].decode()), f.attrs["title"].decode())
w = a[()].ravel(); s = np.sin(i); ok = np.isclose(w, s, atol=1e-15, rtol=0); ok[5] = w[5] == -np.inf; ok[6] = np.isnan(w[6])
print(ok.all(), f["run1/deep/z"][()].tolist(), f["scalar"][()], f["größe"].shape, f["größe"][()].sum(), f["none"].shape)
`
	out, err := exec.Command(p, "-c", script, path).CombinedOutput()
	want := "['größe', 'none', 'run1', 'scalar'] (300, 40) float64 'µm/s' '' by the test\nTrue [[(1+2j)], [(-3+0j)]] 4.0 (1, 2, 3) 21.0 (0, 3)\n"
	if err != nil || string(out) != want {
		t.Errorf("%v\n%s\nwant\n%s", err, out, want)
	}
	if tool, err := exec.LookPath("h5dump"); err == nil {
		if out, err := exec.Command(tool, "-H", path).CombinedOutput(); err != nil || !strings.Contains(string(out), "H5T_IEEE_F64LE") {
			t.Errorf("h5dump: %v\n%s", err, out)
		}
	}
}

func TestWriteErrors(t *testing.T) {
	one := []float64{1}
	for _, c := range []struct {
		arrays []hdf5.Array
		say    string
	}{
		{[]hdf5.Array{{Path: "", Data: one}}, "want a path"},
		{[]hdf5.Array{{Path: "a//b", Data: one}}, "want a path"},
		{[]hdf5.Array{{Path: "a", Data: one}, {Path: "a", Data: one}}, "already"},
		{[]hdf5.Array{{Path: "a", Data: one}, {Path: "a/b", Data: one}}, "already"},
		{[]hdf5.Array{{Path: "a/b", Data: one}, {Path: "a", Data: one}}, "already"},
		{[]hdf5.Array{{Path: "a", Shape: []int{2}, Data: one}}, "shape [2] for 1 numbers"},
	} {
		if err := hdf5.Write(&bytes.Buffer{}, c.arrays, nil); err == nil || !strings.Contains(err.Error(), c.say) {
			t.Errorf("%v: %v: want %q", c.arrays, err, c.say)
		}
	}
}

func Example() {
	var file bytes.Buffer
	_ = hdf5.Write(&file, []hdf5.Array{{Path: "run1/f", Shape: []int{2, 3}, Data: []float64{1, 2, 3, 4, 5, 6}}}, nil)
	f, _ := hdf5.Open(bytes.NewReader(file.Bytes()), int64(file.Len()))
	d, _ := f.Dataset("run1/f")
	row, err := d.Read(context.Background(), 1, 2)
	fmt.Println(f.Names(), d.Shape, d.Kind(), row, err)
	// Output: [run1/f] [2 3] float64 [4 5 6] <nil>
}
