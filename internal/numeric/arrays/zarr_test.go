package arrays

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/greenbench/workbench/numeric/array"
)

// zarrFolder writes a store with f (3 × 2, of runs along x), x and a group with an array of text.
func zarrFolder(t *testing.T) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "x.zarr")
	array := func(shape, dtype, fill string) []byte {
		return fmt.Appendf(nil, `{"zarr_format":2,"shape":%s,"chunks":%[1]s,"dtype":%q,"order":"C","fill_value":%s,"compressor":null,"filters":null}`, shape, dtype, fill)
	}
	for name, data := range map[string][]byte{
		".zgroup":         []byte(`{"zarr_format":2}`),
		"f/.zarray":       array("[3,2]", "<i2", "-1"),
		"f/.zattrs":       []byte(`{"_ARRAY_DIMENSIONS":["run","x"],"scale_factor":0.5,"add_offset":1.0}`),
		"f/0.0":           pack(binary.LittleEndian, []int16{1, 2, 3, -1, 5, 6}),
		"x/.zarray":       array("[2]", "<f8", `"NaN"`),
		"x/.zattrs":       []byte(`{"_ARRAY_DIMENSIONS":["x"],"valid_max":NaN}`),
		"x/0":             pack(binary.LittleEndian, []float64{0.25, 0.75}),
		"notes/.zgroup":   []byte(`{"zarr_format":2}`),
		"notes/t/.zarray": array("[2]", "|S4", `""`),
	} {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// A Zarr store is a file of arrays: names, numbers as xarray packs them, rows, coordinates, refusals.
func TestZarr(t *testing.T) {
	f, err := Open(zarrFolder(t))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if names := f.Names(); !slices.Equal(names, []string{"f", "notes/t", "x"}) {
		t.Errorf("names %v", names)
	}
	a, err := f.Read("f")
	if want := []float64{1.5, 2, 2.5, math.NaN(), 3.5, 4}; err != nil || !Equal(array.Vector(a.Data), array.Vector(want)) || !slices.Equal(a.Shape, []int{3, 2}) {
		t.Errorf("read %v, %v; want %v", a, err, want)
	}
	row, of, err := f.ReadRows("f", 2, 3)
	if err != nil || of != 3 || !slices.Equal(row.Data, []float64{3.5, 4}) || !slices.Equal(row.Shape, []int{1, 2}) {
		t.Errorf("row %v of %d, %v", row, of, err)
	}
	axes, err := f.Axes("f")
	if err != nil || !slices.Equal(axes, []Axis{{Name: "run"}, {Name: "x", Coordinates: "x"}}) {
		t.Errorf("axes %v, %v", axes, err)
	}
	_, err = f.Read("notes/t")
	wantError(t, err, "text", "numpy.savez")
	_, err = f.Read("u")
	wantError(t, err, `no array "u"`, "f, notes/t, x")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	g, err := OpenContext(ctx, zarrFolder(t))
	if err == nil {
		defer g.Close()
		_, err = g.Read("f")
	}
	wantError(t, err, "canceled")
	for _, name := range []string{"nothing.zarr", "nothing"} {
		_, err = Open(filepath.Join(t.TempDir(), name))
		wantError(t, err, name+": file does not exist")
	}
	_, err = Open(t.TempDir())
	wantError(t, err, "directory")
}
