package arrays

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/greenbench/workbench/numeric/array"
)

// mat4Bytes is one array of level 4, as the format's documentation says.
func mat4Bytes(order binary.ByteOrder, kind uint32, rows, columns int, name string, numbers any, complex uint32) []byte {
	if order == binary.BigEndian {
		kind += 1000
	}
	head := pack(order, kind, uint32(rows), uint32(columns), complex, uint32(len(name)+1))
	return slices.Concat(head, []byte(name), []byte{0}, pack(order, numbers))
}

func mat4Fixtures() map[string][]byte {
	f := map[string][]byte{}
	for name, order := range map[string]binary.ByteOrder{"little": binary.LittleEndian, "big": binary.BigEndian} {
		f[name] = slices.Concat(
			mat4Bytes(order, 0, 2, 3, "A", []float64{1, 4, 2, 5, 3, 6}, 0),
			mat4Bytes(order, 10, 1, 2, "single", []float32{.5, -1}, 0),
			mat4Bytes(order, 20, 1, 2, "i32", []int32{1 << 30, -1}, 0),
			mat4Bytes(order, 30, 1, 2, "i16", []int16{300, -1}, 0),
			mat4Bytes(order, 40, 1, 2, "u16", []uint16{65535, 1}, 0),
			mat4Bytes(order, 50, 2, 1, "u8", []uint8{255, 1}, 0),
			mat4Bytes(order, 51, 1, 2, "text", []uint8{'h', 'i'}, 0),
			mat4Bytes(order, 0, 2, 1, "z", []float64{1, 2, 3, 4}, 1),
			mat4Bytes(order, 2, 3, 3, "S", []float64{1, 2, 2, 3, 1, 4, 5, 7, 0}, 0), // S(1,3) = 5, S(2,1) = 7, of 2 × 4
		)
	}
	return f
}

func TestMAT4(t *testing.T) {
	for name, data := range mat4Fixtures() {
		path := put(t, name+".mat", data)
		load := func(name string) *array.Array { return must(Load(path, name)) }
		wantArray(t, load("A"), []int{2, 3}, 1, 2, 3, 4, 5, 6)
		wantArray(t, load("single"), []int{1, 2}, .5, -1)
		wantArray(t, load("i32"), []int{1, 2}, 1<<30, -1)
		wantArray(t, load("i16"), []int{1, 2}, 300, -1)
		wantArray(t, load("u16"), []int{1, 2}, 65535, 1)
		wantArray(t, load("u8"), []int{2, 1}, 255, 1)
		wantArray(t, load("S"), []int{2, 4}, 0, 0, 5, 0, 7, 0, 0, 0)
		_, err := Load(path, "text")
		wantError(t, err, "unsupported: text")
		_, err = Load(path, "z")
		wantError(t, err, "complex")
		_, z, err := LoadNumbers(ctx(), path, "z")
		if err != nil || !slices.Equal(z.Data, []complex128{1 + 3i, 2 + 4i}) {
			t.Errorf("%s: z = %v, %v", name, z, err)
		}
		_, err = Load(put(t, "cut.mat", data[:len(data)-1]), "A")
		wantError(t, err, "truncated", `"S"`)
		_, err = Load(put(t, "more.mat", append(data, 0, 0)), "A")
		wantError(t, err, "truncated", "byte")
	}
}

// nestedMAT has a struct s with a field f and one that is a cell, an array of two structs,
// a sparse matrix, complex numbers.
func nestedMAT(w matWriter) []byte {
	f8 := func(x ...float64) []byte { return pack(w.order, x) }
	head := func(class uint32, dims []int32, name string) []byte {
		return slices.Concat(w.element(6, pack(w.order, class, uint32(0))), w.element(5, pack(w.order, dims)), w.element(1, []byte(name)))
	}
	fields := func(names ...string) []byte {
		var text []byte
		for _, n := range names {
			text = append(text, (n + strings.Repeat("\x00", 8))[:8]...)
		}
		return slices.Concat(w.element(5, pack(w.order, int32(8))), w.element(1, text))
	}
	a := func(x float64) []byte { return w.array("", 6, 0, []int32{1, 1}, 9, f8(x)) }
	cell := w.element(miMatrix, slices.Concat(head(matCell, []int32{1, 2}, ""), a(5), w.array("", 6, 0, []int32{1, 2}, 9, f8(6, 7))))
	s := w.element(miMatrix, slices.Concat(head(matStruct, []int32{1, 1}, "s"), fields("f", "c", "none"),
		w.array("", 6, 0, []int32{2, 2}, 9, f8(1, 3, 2, 4)), cell, w.element(miMatrix, nil)))
	two := w.element(miMatrix, slices.Concat(head(matStruct, []int32{1, 2}, "runs"), fields("x"), a(8), a(9)))
	sparse := w.element(miMatrix, slices.Concat(head(matSparse, []int32{2, 4}, "S"), w.element(5, pack(w.order, []int32{1, 0})),
		w.element(5, pack(w.order, []int32{0, 1, 1, 2, 2})), w.element(9, f8(7, 5))))
	z := w.element(miMatrix, slices.Concat(head(6|0x800, []int32{2, 1}, "z"), w.element(9, f8(1, 2)), w.element(9, f8(3, 4))))
	return w.file(w.compressed(s), two, w.compressed(sparse), z)
}

func TestMATNested(t *testing.T) {
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		path := put(t, "nested.mat", nestedMAT(matWriter{order}))
		f, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if got := f.Names(); !slices.Equal(got, []string{"s.f", "s.c{1}", "s.c{2}", "runs(1).x", "runs(2).x", "S", "z"}) {
			t.Errorf("names %q", got)
		}
		wantArray(t, must(f.Read("s.f")), []int{2, 2}, 1, 2, 3, 4)
		wantArray(t, must(f.Read("s.c{2}")), []int{1, 2}, 6, 7)
		wantArray(t, must(f.Read("runs(2).x")), []int{1, 1}, 9)
		wantArray(t, must(f.Read("S")), []int{2, 4}, 0, 0, 5, 0, 7, 0, 0, 0)
		_, err = f.Read("s")
		wantError(t, err, `"s"`, "a struct, which holds s.f, s.c")
		_, err = f.Read("s.c")
		wantError(t, err, "a cell array, which holds s.c{1}, s.c{2}")
		_, err = f.Read("f")
		wantError(t, err, `no array "f"`, "s.f")
		_, z, err := LoadNumbers(ctx(), path, "z")
		if err != nil || !slices.Equal(z.Data, []complex128{1 + 3i, 2 + 4i}) {
			t.Errorf("z = %v, %v", z, err)
		}
	}
}

// A sparse matrix of which nearly all is zero does not take the memory of all of it.
func TestMATSparseHuge(t *testing.T) {
	path := put(t, "a.mat", mat4Bytes(binary.LittleEndian, 2, 2, 3, "S", []float64{1, 1 << 30, 1, 1 << 30, 2, 0}, 0))
	_, err := Load(path, "")
	wantError(t, err, "1073741824×1073741824 with 1 entries", "save the rows, the columns and the values of its 1 entries")
}

// What is written is read again to the bit, by this package and by others.
func TestMATWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.mat")
	arrays := map[string]*array.Array{"cube": count(2, 3, 4), "v": array.Vector([]float64{math.NaN(), math.Inf(-1), -0.1}), "none": array.New(0, 3)}
	z, err := Cartesian(ctx(), count(2, 2), count(2, 2))
	if err != nil {
		t.Fatal(err)
	}
	if err := SaveMembers(path, Members{Arrays: arrays, Complex: map[string]*Complex{"z": z}}); err != nil {
		t.Fatal(err)
	}
	back, err := LoadAll(path)
	if err != nil {
		t.Fatal(err)
	}
	wantArray(t, back["v"], []int{3, 1}, arrays["v"].Data...)
	if len(back) != 3 || !Equal(back["cube"], arrays["cube"]) || !Equal(back["none"], arrays["none"]) {
		t.Errorf("read %v", back)
	}
	if _, w, err := LoadNumbers(ctx(), path, "z"); err != nil || !slices.Equal(w.Data, z.Data) {
		t.Errorf("z = %v, %v", w, err)
	}
	one := filepath.Join(t.TempDir(), "2nd run.mat")
	if err := Save(one, count(2)); err != nil {
		t.Fatal(err)
	}
	wantArray(t, must(Load(one, "data")), []int{2, 1}, count(2).Data...)
	check := `import scipy.io, numpy, sys
d = scipy.io.loadmat(sys.argv[1])
assert d["cube"].shape == (2, 3, 4) and d["cube"].dtype == float and (d["cube"].ravel() == numpy.arange(24) + d["cube"][0, 0, 0]).all()
assert d["v"].shape == (3, 1) and numpy.isnan(d["v"][0]) and d["v"][2, 0] == -0.1 and d["none"].shape == (0, 3)
assert (d["z"] == d["z"].real * (1 + 1j)).all() and d["z"].shape == (2, 2)`
	t.Run("SciPy", func(t *testing.T) { runPython(t, "scipy.io", check, path) })
	t.Run("Octave", func(t *testing.T) {
		runOctave(t, fmt.Sprintf(`load(%q); assert(size(cube), [2 3 4]); assert(cube(1,2,3), cube(1,1,1)+6); assert(isnan(v(1))); assert(z, real(z)*(1+1i));`, path))
	})
}

// Files by SciPy and Octave, at every level that they write.
func TestMATOfOthers(t *testing.T) {
	dir := t.TempDir()
	check := func(t *testing.T, path string) {
		t.Helper()
		wantArray(t, must(Load(path, "A")), []int{2, 3}, 1, 2.5, 3, 4, 5, 6)
		wantArray(t, must(Load(path, "k")), []int{1, 3}, 1, 2, 300)
		wantArray(t, must(Load(path, "S")), []int{3, 2}, 0, 0, 0, 2, -1, 0)
		_, z, err := LoadNumbers(ctx(), path, "z")
		if err != nil || !slices.Equal(z.Data, []complex128{1 + 2i, 3}) {
			t.Errorf("%s: z = %v, %v", path, z, err)
		}
		if !strings.Contains(path, "4") {
			wantArray(t, must(Load(path, "s.f")), []int{1, 2}, 7, 8)
			wantArray(t, must(Load(path, "s.inner.u")), []int{1, 1}, 9)
			wantArray(t, must(Load(path, "c{2}")), []int{1, 2}, 3, 4)
		}
	}
	t.Run("SciPy", func(t *testing.T) {
		runPython(t, "scipy.io", `
import scipy.io, scipy.sparse, numpy as np, sys
d = dict(A=np.array([[1, 2.5, 3], [4, 5, 6]]), k=np.array([[1, 2, 300]], dtype=np.int16), S=scipy.sparse.csc_matrix([[0, 0], [0, 2.], [-1, 0]]), z=np.array([[1+2j, 3]]))
scipy.io.savemat(sys.argv[1] + "/scipy4.mat", d, format="4")
c = np.empty((1, 2), dtype=object); c[0, 0] = "text"; c[0, 1] = np.array([[3., 4.]])
d.update(s=dict(f=np.array([[7., 8.]]), inner=dict(u=9)), c=c)
scipy.io.savemat(sys.argv[1] + "/scipy-5.mat".replace("5", "v"), d)
scipy.io.savemat(sys.argv[1] + "/scipy-packed.mat", d, do_compression=True)`, dir)
		for _, name := range []string{"scipy4.mat", "scipy-v.mat", "scipy-packed.mat"} {
			check(t, filepath.Join(dir, name))
		}
	})
	t.Run("Octave", func(t *testing.T) {
		runOctave(t, fmt.Sprintf(`cd(%q); A = [1 2.5 3; 4 5 6]; k = [1 2 300]; S = sparse([0 0; 0 2; -1 0]); z = [1+2i 3];
			save('-v4', 'octave4.mat', 'A', 'k', 'S', 'z'); s.f = [7 8]; s.inner.u = 9; c = {'text', [3 4]};
			save('-v6', 'octave-six.mat', 'A', 'k', 'S', 'z', 's', 'c'); save('-v7', 'octave-seven.mat', 'A', 'k', 'S', 'z', 's', 'c');`, dir))
		for _, name := range []string{"octave4.mat", "octave-six.mat", "octave-seven.mat"} {
			check(t, filepath.Join(dir, name))
		}
	})
}

// Matrices that hold each other without end, or more than the file has.
func TestMATNestedDamaged(t *testing.T) {
	data := nestedMAT(matWriter{binary.LittleEndian})
	for i := range data {
		bad := bytes.Clone(data)
		bad[i] ^= 0xff
		if c, err := openMAT(bytes.NewReader(bad), int64(len(bad)), ""); err == nil {
			for _, name := range c.names {
				_, _ = c.read(name) // must return
			}
		}
	}
}
