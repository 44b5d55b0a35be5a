package arrays

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"

	"github.com/greenbench/workbench/numeric/array"
)

func TestMAT(t *testing.T) {
	f := matFixtures()
	file, err := Open(put(t, "little.mat", f["little"]))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if got := file.Names(); !slices.Equal(got, []string{"A", "W", "name", "z"}) {
		t.Errorf("Names() = %v", got)
	}
	wantArray(t, must(file.Read("A")), []int{2, 3}, 1, 2, 3, 4, 5, 6)
	wantArray(t, must(file.Read("W")), []int{1, 3}, 7, 8, 255)
	_, err = file.Read("name")
	wantError(t, err, `array "name"`, "unsupported: text", "real numbers")
	_, err = file.Read("z")
	wantError(t, err, `array "z"`, "unsupported: complex double")
	_, err = file.Read("B")
	wantError(t, err, `no array "B"`, "A, W, name, z")

	load := func(name string) *array.Array { return must(Load(put(t, name+".mat", f[name]), "")) }
	wantArray(t, load("big"), []int{2, 3}, 1, 2, 3, 4, 5, 6)
	wantArray(t, load("compressed"), []int{3, 1}, .5, -1, 2)
	// Element (i, j, k) of a 2×2×2 array is stored at i + 2j + 4k.
	wantArray(t, load("integers"), []int{2, 2, 2}, 0, 4, 2, 6, 1, 5, 3, -7)

	all, err := LoadAll(put(t, "little.mat", f["little"]))
	if err != nil || len(all) != 2 {
		t.Errorf("LoadAll = %v, %v", all, err)
	}
}

// Every kind of storage under the class double, in both byte orders.
func TestMATNumbers(t *testing.T) {
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		w := matWriter{order}
		for kind, data := range map[uint32]any{
			1: []int8{-1, 2, 100}, 2: []uint8{255, 2, 100}, 3: []int16{-1, 2, 100}, 4: []uint16{65535, 2, 100},
			5: []int32{-1, 2, 100}, 6: []uint32{1 << 31, 2, 100}, 7: []float32{-1.5, 2, 100}, 9: []float64{-1.5, 2, 100},
			12: []int64{-1, 2, 100}, 13: []uint64{1 << 40, 2, 100},
		} {
			first := map[uint32]float64{1: -1, 2: 255, 3: -1, 4: 65535, 5: -1, 6: 1 << 31, 7: -1.5, 9: -1.5, 12: -1, 13: 1 << 40}[kind]
			element := w.array("v", matDouble, 0, []int32{1, 3}, kind, pack(order, data))
			for _, file := range [][]byte{w.file(element), w.file(w.compressed(element))} {
				c, err := openMAT(bytes.NewReader(file), int64(len(file)), "")
				if err != nil {
					t.Fatalf("type %d: %v", kind, err)
				}
				wantArray(t, must(c.read("v")), []int{1, 3}, first, 2, 100)
			}
		}
	}
}

func TestMATErrors(t *testing.T) {
	f := matFixtures()
	w := matWriter{binary.LittleEndian}
	version4 := make([]byte, 200)
	future := w.file()
	future[125] = 3
	load := func(data []byte) error {
		_, err := LoadAll(put(t, "a.mat", data))
		return err
	}
	for _, c := range []struct {
		name string
		data []byte
		say  []string
	}{
		{"v7.3", f["v73"], []string{"a.mat: ", "v7.3", "HDF5", "truncated"}},
		{"hdf5", []byte("\x89HDF\r\n\x1a\n"), []string{"HDF5"}},
		{"v4", version4, []string{"not a MATLAB .mat file of version 4, 5, 6 or 7"}},
		{"version", future, []string{"unsupported MAT-file version 0x0300"}},
		{"short", []byte("MATLAB 5.0"), []string{"truncated"}},
		{"other", []byte("x"), []string{"not a MATLAB .mat file"}},
		{"tag", append(w.file(), 1, 2, 3), []string{"truncated", "byte 128", "no tag"}},
		{"truncated", f["truncated"], []string{"truncated", "the element at byte"}},
		{"damaged", f["damaged"], []string{`array "longer_name"`, "corrupt", "checksum"}},
		{"lying", f["lying"], []string{`array "L"`, "corrupt", "4096×2048"}},
		{"not zlib", w.file(w.element(miCompressed, []byte("no compressed data"))), []string{"byte 128", "corrupt"}},
		{"inner", w.file(w.compressed(w.element(9, make([]byte, 8)))), []string{"corrupt", "compressed element of type 9"}},
		{"negative", w.file(w.array("n", 6, 0, []int32{-1, 1}, 9, nil)), []string{"-1×1"}},
		{"type", w.file(w.array("n", 6, 0, []int32{1, 1}, 8, make([]byte, 8))), []string{"corrupt", "element type 8"}},
		{"few", w.file(w.array("n", 6, 0, []int32{2, 1}, 9, make([]byte, 8))), []string{"corrupt", "2×1 wants 2 numbers of 8 bytes, 8 bytes"}},
		{"empty element", w.file(w.element(miMatrix, nil)), []string{"truncated"}},
	} {
		err := load(c.data)
		if err == nil {
			t.Errorf("%s: no error", c.name)
			continue
		}
		wantError(t, err, c.say...)
	}
}
