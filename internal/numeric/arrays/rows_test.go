package arrays

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
)

// Rows of an array are those of the whole, in files that are read by rows and in others; and
// rows that are not there are told from those that are.
func TestRowsAreThoseOfTheWhole(t *testing.T) {
	dir := t.TempDir()
	packed, err := filepath.Glob("../*/testdata/*.gz")
	if err != nil {
		t.Fatal(err)
	}
	tried := map[string]int{}
	for _, path := range packed {
		if !strings.HasSuffix(path, ".want.gz") {
			checkRows(t, unpacked(t, path, dir), tried)
		}
	}
	a := array.New(5, 2, 3)
	for i := range a.Data {
		a.Data[i] = float64(i)
	}
	for _, extension := range []string{".npy", ".npz", ".h5", ".csv", ".mat"} {
		whole := a
		if extension == ".csv" || extension == ".mat" {
			whole = &array.Array{Shape: []int{5, 6}, Data: a.Data}
		}
		path := filepath.Join(dir, "a"+extension)
		if err := SaveMembers(path, Members{Arrays: map[string]*array.Array{"a": whole}}); err != nil {
			t.Fatal(err)
		}
		checkRows(t, path, tried)
	}
	for _, extension := range []string{".h5", ".nc", ".npy", ".csv"} {
		if tried[extension] == 0 {
			t.Errorf("no array of a file %s was tried", extension)
		}
	}
}

func unpacked(t *testing.T, path, dir string) string {
	t.Helper()
	out := filepath.Join(dir, strings.TrimSuffix(filepath.Base(path), ".gz"))
	if err := os.WriteFile(out, testmain.Unzipped(t, path), 0o600); err != nil {
		t.Fatal(err)
	}
	return out
}

func checkRows(t *testing.T, path string, tried map[string]int) {
	t.Helper()
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, name := range f.Names() {
		whole, err := f.Read(name)
		if err != nil {
			continue // words, complex numbers, what is refused
		}
		n := whole.Shape[0]
		for _, r := range [][2]int{{0, n}, {0, 1}, {n / 3, n/3 + (n+1)/2}, {n - 1, n}, {0, n + 1}, {n, n + 1}} {
			a, of, err := f.ReadRows(name, r[0], r[1])
			if err != nil || of != n {
				t.Errorf("%s, %s: rows %v of %d: %d (%v)", path, name, r, n, of, err)
				continue
			}
			want, err := someRows(whole, r[0], r[1])
			if err != nil {
				t.Fatal(err)
			}
			if (a == nil) != (want == nil) {
				t.Errorf("%s, %s: rows %v of %d: %v", path, name, r, n, a)
				continue
			}
			if a != nil && (!slices.Equal(a.Shape, want.Shape) || !slices.EqualFunc(a.Data, want.Data, sameBits)) {
				t.Errorf("%s, %s: rows %v are %v, of the whole %v", path, name, r, a, want)
			}
		}
		tried[filepath.Ext(path)]++
	}
}

func sameBits(a, b float64) bool { return a == b || a != a && b != b }
