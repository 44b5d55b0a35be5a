package arrays

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"io"
	"math"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/greenbench/workbench/numeric/array"
)

func TestNPZRoundTrip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.npz")
	arrays := map[string]*array.Array{"u": count(3, 4, 5), "x": array.Vector([]float64{math.NaN(), math.Inf(1), -0.5}), "none": array.New(0, 7)}
	m := Members{Arrays: arrays, Texts: map[string]string{"meta.json": `{"version": 1}`}}
	if err := SaveMembers(path, m); err != nil {
		t.Fatal(err)
	}
	back, err := LoadAll(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(back) != 3 {
		t.Errorf("%d arrays came back", len(back))
	}
	for name, a := range arrays {
		if !Equal(back[name], a) {
			t.Errorf("%s: got %v, want %v", name, back[name], a)
		}
	}
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if got := f.Names(); !slices.Equal(got, []string{"none", "u", "x"}) {
		t.Errorf("Names() = %v", got)
	}
	text, ok, err := f.Text("meta.json")
	if text != `{"version": 1}` || !ok || err != nil {
		t.Errorf("Text = %q, %v, %v", text, ok, err)
	}
	if _, ok, err := f.Text("other.json"); ok || err != nil {
		t.Errorf("a text that is not there: %v, %v", ok, err)
	}
}

// A file must not depend on when or in which order it was written.
func TestNPZIsReproducible(t *testing.T) {
	write := func() []byte {
		var b bytes.Buffer
		m := Members{Arrays: map[string]*array.Array{"a": count(2), "b": count(3), "c": count(4)}, Texts: map[string]string{"d": "e"}}
		if err := saveNPZ(&b, ".npz", m); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	first := write()
	for range 5 {
		if !bytes.Equal(write(), first) {
			t.Fatal("the same members gave other bytes")
		}
	}
}

func TestNPZStoredAndDeflated(t *testing.T) {
	f := npzFixtures()
	stored, err := LoadAll(put(t, "stored.npz", f["stored"]))
	if err != nil {
		t.Fatal(err)
	}
	wantArray(t, stored["f"], []int{2, 3}, 1, 2, 3, 4, 5, math.NaN())
	wantArray(t, stored["u"], []int{2, 3}, 0, 1, 2, 3, 4, 5)
	deflated, err := Load(put(t, "deflated.npz", f["deflated"]), "")
	if err != nil {
		t.Fatal(err)
	}
	if !Equal(deflated, array.New(500, 20)) {
		t.Errorf("got %v", deflated)
	}
}

func TestNPZErrors(t *testing.T) {
	f := npzFixtures()
	path := put(t, "helmholtz.npz", f["stored"])
	_, err := Load(path, "F")
	wantError(t, err, path, `no array "F"`, "the file holds f, u", `did you mean "f"?`)
	_, err = Load(path, "")
	wantError(t, err, path, "which array?", "f, u")
	_, err = LoadAll(put(t, "cut.npz", f["truncated"]))
	wantError(t, err, "cut.npz: truncated", "directory")
	_, err = LoadAll(put(t, "other.npz", []byte("\x01PNG and so on")))
	wantError(t, err, "other.npz: not a .npz file")
	_, err = LoadAll(put(t, "damaged.npz", f["damaged"]))
	wantError(t, err, "damaged.npz", `array "f"`, "corrupt", "checksum")
	_, err = LoadAll(put(t, "lying.npz", f["lying"]))
	wantError(t, err, "lying.npz", `array "f"`, "truncated", "10000×1000")
	method := zipBytes(member{"f.npy", zip.Store, npyFixtures()["matrix"]})
	for i := range method {
		// In the local header and in the directory, the method stands 8 and 10
		// bytes after the signature.
		if bytes.HasPrefix(method[i:], []byte("PK\x03\x04")) {
			method[i+8] = 12
		}
		if bytes.HasPrefix(method[i:], []byte("PK\x01\x02")) {
			method[i+10] = 12
		}
	}
	_, err = Load(put(t, "bzip2.npz", method), "f")
	wantError(t, err, "unsupported", "zip compression method 12")
}

// Arrays of text are left out by LoadAll and refused by name.
func TestNPZUnsupportedArrays(t *testing.T) {
	path := put(t, "text.npz", npzFixtures()["text"])
	all, err := LoadAll(path)
	if err != nil || len(all) != 1 || all["f"] == nil {
		t.Errorf("LoadAll = %v, %v", all, err)
	}
	_, err = Load(path, "names")
	wantError(t, err, path, `array "names"`, "unsupported", "<U3")
}

// Of members with one name the last counts, as in NumPy, and it is listed once.
func TestNPZSeveralOfOneName(t *testing.T) {
	npy := func(x float64) []byte {
		return npyBytes(1, npyDictOf("<f8", false, "(1,)"), binary.LittleEndian.AppendUint64(nil, math.Float64bits(x)))
	}
	path := put(t, "twice.npz", zipBytes(member{"a.npy", zip.Store, npy(1)}, member{"b.npy", zip.Store, npy(2)}, member{"a.npy", zip.Deflate, npy(3)}))
	all, err := LoadAll(path)
	if err != nil || len(all) != 2 {
		t.Fatalf("%v, %v", all, err)
	}
	wantArray(t, all["a"], []int{1}, 3)
	wantArray(t, all["b"], []int{1}, 2)
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if got := f.Names(); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("Names() = %v", got)
	}
}

// What a directory promises is not believed before the bytes are there: 4 GB here.
func TestLyingDirectoryAllocatesLittle(t *testing.T) {
	npy := npyBytes(1, npyDictOf("<f8", false, "(500000000,)"), make([]byte, 1<<16))
	lying := zipBytes(member{"f.npy", zip.Deflate, npy})
	directory := bytes.LastIndex(lying, []byte("PK\x01\x02"))
	binary.LittleEndian.PutUint32(lying[directory+24:], 4_000_000_128)
	path := put(t, "lying.npz", lying)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := Load(path, "f")
	runtime.ReadMemStats(&after)
	wantError(t, err, "truncated", "the zip member ends early")
	if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20 {
		t.Errorf("%d bytes allocated for 64 KiB of numbers", n)
	}
}

func TestNPZRefusesToSave(t *testing.T) {
	for _, m := range []Members{
		{Arrays: map[string]*array.Array{"": count(2)}},
		{Texts: map[string]string{"a.npy": "no"}},
		{Texts: map[string]string{"": "no"}},
	} {
		if err := saveNPZ(io.Discard, ".npz", m); err == nil {
			t.Errorf("%v was saved", m)
		}
	}
}
