package netcdf_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"encoding/json"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/netcdf"
)

func contents(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err == nil && strings.HasSuffix(path, ".gz") {
		var z *gzip.Reader
		if z, err = gzip.NewReader(bytes.NewReader(data)); err == nil {
			data, err = io.ReadAll(z)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func sameBits(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) })
}

// check compares a file with what netCDF4 reads from it, bit for bit: whole variables, and some rows.
func check(t *testing.T, path string, data, want []byte) {
	t.Helper()
	f, err := netcdf.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	if title, ok := f.Attribute("title"); !ok || title.Text != "classic" {
		t.Errorf("%s: title %v", path, title)
	}
	r, compared := bufio.NewReader(bytes.NewReader(want)), 0
	for ; ; compared++ {
		line, err := r.ReadBytes('\n')
		if err != nil {
			break
		}
		var w struct {
			Name  string
			Shape []int
			N     int
		}
		if err := json.Unmarshal(line, &w); err != nil {
			t.Fatal(err)
		}
		numbers := make([]float64, w.N)
		if err := binary.Read(r, binary.LittleEndian, numbers); err != nil {
			t.Fatal(err)
		}
		v, err := f.Variable(w.Name)
		if err != nil || !slices.Equal(v.Shape, w.Shape) {
			t.Fatalf("%s: %s: %v, want shape %v", path, w.Name, err, w.Shape)
		}
		n := v.Rows()
		for _, rows := range [][2]int{{0, n}, {n / 2, n}, {n - 1, n}} {
			got, err := v.Read(context.Background(), rows[0], rows[1])
			if row := w.N / n; err != nil || !sameBits(got, numbers[rows[0]*row:rows[1]*row]) {
				t.Errorf("%s: %s, rows %v: %v, error %v, want %v", path, w.Name, rows, got, err, numbers)
			}
		}
	}
	if compared < 9 {
		t.Errorf("%s: %d variables were compared", path, compared)
	}
}

// TestCommittedFiles: files that testdata/make.py wrote with netCDF4 1.6, one and several variables with records.
func TestCommittedFiles(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.nc.gz")
	if len(files) != 6 {
		t.Fatalf("%d files", len(files))
	}
	for _, path := range files {
		check(t, path, contents(t, path), contents(t, strings.TrimSuffix(path, ".gz")+".want.gz"))
	}
}

// TestFilesMadeNow makes them anew.
func TestFilesMadeNow(t *testing.T) {
	const python = "/usr/bin/python3"
	if exec.Command(python, "-c", "import netCDF4").Run() != nil {
		t.Skip("no Python with netCDF4: only the files of testdata were compared")
	}
	dir := t.TempDir()
	if out, err := exec.Command(python, "testdata/make.py", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	files, _ := filepath.Glob(dir + "/*.nc")
	for _, path := range files {
		check(t, path, contents(t, path), contents(t, path+".want"))
	}
}

// readAll reads all variables, and returns how many bytes of numbers they have.
func readAll(data []byte) (size int) {
	f, err := netcdf.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return 0
	}
	for _, name := range f.Names() {
		v, _ := f.Variable(name)
		x, _ := v.Read(context.Background(), 0, v.Rows())
		size += 8 * len(x)
	}
	return size
}

// TestMutations: damaged files give errors or numbers, in memory that the file justifies.
func TestMutations(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.nc.gz")
	for _, path := range files {
		whole := contents(t, path)
		rng := rand.New(rand.NewPCG(3, uint64(len(whole))))
		for i := range 2000 {
			data := bytes.Clone(whole)
			for range 1 + rng.IntN(3) {
				at := rng.IntN(len(data))
				switch rng.IntN(4) {
				case 0:
					data[at] = byte(rng.Uint32())
				case 1:
					data[at] ^= 1 << rng.IntN(8)
				case 2:
					for k := at; k < min(at+4, len(data)); k++ {
						data[k] = 255
					}
				default:
					if rng.IntN(9) == 0 {
						data = data[:max(at, 8)]
					}
				}
			}
			var before, after runtime.MemStats
			if i%20 == 0 {
				runtime.ReadMemStats(&before)
			}
			size := readAll(data)
			if i%20 == 0 {
				runtime.ReadMemStats(&after)
				if got := int(after.TotalAlloc - before.TotalAlloc); got > 64*len(data)+4*size+1<<20 {
					t.Errorf("%s, mutation %d: %d bytes allocated for a file of %d", path, i, got, len(data))
				}
			}
		}
	}
}

// FuzzRead begins with the files of testdata.
func FuzzRead(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.nc.gz")
	for _, path := range files {
		f.Add(contents(f, path))
	}
	f.Fuzz(func(_ *testing.T, data []byte) { readAll(data) })
}
