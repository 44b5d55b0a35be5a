package hdf5_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"encoding/json"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/hdf5"
	"github.com/greenbench/workbench/internal/testmain"
)

// A wanted is a dataset as h5py reads it: see testdata/make.py.
type wanted struct {
	Path    string
	Shape   []int
	Strings []string
	Complex bool
	Lo, Hi  int // only these rows, unless 0
	Bytes   int
	numbers []float64
}

func readWanted(t *testing.T, path string) (all []wanted) {
	t.Helper()
	data := contentsOf(t, path)
	r := bufio.NewReader(bytes.NewReader(data))
	for {
		line, err := r.ReadBytes('\n')
		if err == io.EOF {
			return all
		}
		var w wanted
		if err := json.Unmarshal(line, &w); err != nil {
			t.Fatal(err)
		}
		w.numbers = make([]float64, w.Bytes/8)
		if err := binary.Read(r, binary.LittleEndian, w.numbers); err != nil {
			t.Fatal(err)
		}
		all = append(all, w)
	}
}

// contentsOf reads a file, or the one that is compressed and called so.
func contentsOf(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err == nil {
		return data
	}
	if data, err = os.ReadFile(path + ".gz"); err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if data, err = io.ReadAll(z); err != nil {
		t.Fatal(err)
	}
	return data
}

func openFile(t *testing.T, path string) *hdf5.File {
	t.Helper()
	data := contentsOf(t, path)
	f, err := hdf5.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return f
}

// numbersOf reads the rows of a dataset as make.py writes them.
func numbersOf(d *hdf5.Dataset, lo, hi int) ([]float64, error) {
	if !d.IsComplex() {
		return d.Read(context.Background(), lo, hi)
	}
	z, err := d.ReadComplex(context.Background(), lo, hi)
	var parts []float64
	for _, v := range z {
		parts = append(parts, real(v), imag(v))
	}
	return parts, err
}

func sameBits(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) })
}

// checkFile compares a file with what h5py reads from it, bit for bit: whole arrays, and their rows.
func checkFile(t *testing.T, path string) {
	f := openFile(t, path)
	names := f.Names()
	all := readWanted(t, path+".want")
	if len(all) == 0 {
		t.Errorf("%s: nothing to compare with", path)
	}
	for _, w := range all {
		if !slices.Contains(names, w.Path) {
			t.Errorf("%s: %s is not listed", path, w.Path)
		}
		d, err := f.Dataset(w.Path)
		if err != nil {
			t.Errorf("%s: %s: %v", path, w.Path, err)
			continue
		}
		if !slices.Equal(d.Shape, w.Shape) {
			t.Errorf("%s: %s: shape %v: want %v", path, w.Path, d.Shape, w.Shape)
		}
		if w.Strings != nil {
			got, err := d.Strings(context.Background())
			if err != nil || !slices.Equal(got, w.Strings) {
				t.Errorf("%s: %s: %q, error %v: want %q", path, w.Path, got, err, w.Strings)
			}
			continue
		}
		checkRows(t, path, d, w)
	}
}

func checkRows(t *testing.T, path string, d *hdf5.Dataset, w wanted) {
	n := d.Rows()
	if w.Hi > 0 {
		got, err := d.Read(context.Background(), w.Lo, w.Hi)
		if err != nil || !sameBits(got, w.numbers) {
			t.Errorf("%s: %s, rows %d to %d: error %v, %v", path, w.Path, w.Lo, w.Hi, err, first(got))
		}
		return
	}
	for _, rows := range [][2]int{{0, n}, {n / 3, n - n/4}, {n - 1, n}, {n / 2, n / 2}} {
		lo, hi := max(0, rows[0]), max(0, rows[1])
		got, err := numbersOf(d, lo, hi)
		row := 0
		if n > 0 {
			row = len(w.numbers) / n
		}
		if want := w.numbers[lo*row : hi*row]; err != nil || !sameBits(got, want) {
			t.Errorf("%s: %s (%s, shape %v) rows %d to %d: error %v, %v: want %v", path, w.Path, d.Kind(), d.Shape, lo, hi, err, first(got), first(want))
		}
	}
}

func first(x []float64) []float64 { return x[:min(len(x), 12)] }

// TestCommittedFiles: files that make.py wrote read as h5py 3.7 reads them.
func TestCommittedFiles(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.h5.gz")
	if len(files) < 6 {
		t.Fatalf("%d files", len(files))
	}
	for _, path := range files {
		checkFile(t, strings.TrimSuffix(path, ".gz"))
	}
}

// python is an interpreter with h5py and netCDF4, "" if there is none.
func python() string {
	for _, p := range []string{"/usr/bin/python3", "python3"} {
		if exec.Command(p, "-c", "import h5py, netCDF4").Run() == nil {
			return p
		}
	}
	return ""
}

// TestFilesMadeNow makes larger files by the same script: indexes of chunks in pages and of many levels, heaps and
// trees of many blocks.
func TestFilesMadeNow(t *testing.T) {
	if !testmain.EveryCase() {
		t.Skip("with WORKBENCH_TESTS=all, as in CI; the committed files are read always")
	}
	p := python()
	if p == "" {
		t.Skip("no Python with h5py and netCDF4: only the files of testdata were compared")
	}
	dir := t.TempDir()
	if out, err := exec.Command(p, "testdata/make.py", dir, "large").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	files, _ := filepath.Glob(dir + "/*.h5")
	if len(files) < 8 {
		t.Fatalf("%d files", len(files))
	}
	for _, path := range files {
		checkFile(t, path)
	}
}
