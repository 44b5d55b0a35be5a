package zarr_test

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"io/fs"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/greenbench/workbench/internal/numeric/zarr"
	"github.com/greenbench/workbench/internal/testmain"
)

// What was never written is the fill value, up to 1024 chunks and four for each that is there,
// and up to a MiB and four times what is there.
func TestUnwritten(t *testing.T) {
	for _, c := range []struct {
		n, chunk, stored int // numbers, in chunks of so many, and chunks that are there
		ok               bool
	}{
		{1024, 1, 0, true},
		{1025, 1, 0, false},
		{1024 + 3 + 12, 1, 3, true},
		{1024 + 3 + 13, 1, 3, false},
		{1 << 17, 1 << 17, 0, true},
		{1<<17 + 1, 1 << 17, 0, false},
		{1<<17 + 4000, 1000, 1, true},
		{1<<17 + 4001, 1000, 1, false},
	} {
		files := fstest.MapFS{".zarray": {Data: fmt.Appendf(nil, `{"zarr_format":2,"shape":[%d],"chunks":[%d],"dtype":"<f8","order":"C","fill_value":7}`, c.n, c.chunk)}}
		for i := range c.stored {
			files[strconv.Itoa(i)] = &fstest.MapFile{Data: make([]byte, 8*c.chunk)}
		}
		s, err := zarr.Open(files)
		if err != nil {
			t.Fatal(err)
		}
		a, err := s.Array("")
		if err != nil {
			t.Fatal(err)
		}
		got, err := a.Read(t.Context(), 0, c.n)
		if (err == nil) != c.ok || !c.ok && !strings.Contains(err.Error(), "almost nothing is stored") {
			t.Errorf("%+v: error %v", c, err)
		}
		for i, v := range got {
			if want := 7.0; (i < c.stored*c.chunk && v != 0) || i >= c.stored*c.chunk && v != want {
				t.Fatalf("%+v: number %d is %g", c, i, v)
			}
		}
	}
}

// What compresses well is believed to be there, whatever compressed it, and what cannot be told
// before a chunk was looked at costs no memory.
func TestCompressedMuch(t *testing.T) {
	const n = 1 << 18 // numbers: more than a MiB may be unwritten, by much
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	z.Write(make([]byte, 8*n))
	z.Close()
	lz4 := append([]byte{0x1f, 0, 1, 0}, bytes.Repeat([]byte{255}, (8*n-24)/255)...) // a zero, copied
	lz4 = append(lz4, byte((8*n-25)%255), 0x50, 0, 0, 0, 0, 0)
	head := []byte{2, 1, 1<<5 | 16, 8}
	for _, k := range []int{8 * n, 8 * n, 24 + len(lz4), 20, len(lz4)} {
		head = binary.LittleEndian.AppendUint32(head, uint32(k))
	}
	for name, chunk := range map[string][]byte{"zlib": packed.Bytes(), "gzip": gzipped(make([]byte, 8*n)), "blosc": append(head, lz4...)} {
		for _, whole := range []bool{true, false} {
			if !whole {
				chunk = bytes.Repeat([]byte{1}, len(chunk))
			}
			s := testmain.Must(zarr.Open(fstest.MapFS{".zarray": {Data: fmt.Appendf(nil, `{"zarr_format":2,"shape":[%d],"chunks":[%d],"dtype":"<f8","order":"C","fill_value":7,"compressor":{"id":%q}}`, n, n, name)}, "0": {Data: chunk}}))(t)
			a := testmain.Must(s.Array(""))(t)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			got, err := a.Read(t.Context(), 0, n)
			runtime.ReadMemStats(&after)
			if whole && (err != nil || !same(got, make([]float64, n))) {
				t.Errorf("%s: %v, %v", name, first(got), err)
			}
			if took := after.TotalAlloc - before.TotalAlloc; !whole && (err == nil || took > 8*n/4) {
				t.Errorf("%s that is none: error %v after %d bytes", name, err, took)
			}
		}
	}
}

// Numbers that JSON has not are read where they are values, and left alone within text.
func TestNumbersThatAreNone(t *testing.T) {
	for fill, want := range map[string]float64{"NaN": math.NaN(), "-Infinity": math.Inf(-1), "Infinity": math.Inf(1), "2.5": 2.5} {
		for _, attributes := range []string{`{"x":[1, 2]}`, `{"note":"either: NaN, Infinity","x":[1, 2]}`, `{"note": NaN,"x":[1, 2]}`} {
			s := testmain.Must(zarr.Open(fstest.MapFS{
				".zarray": {Data: fmt.Appendf(nil, `{"zarr_format":2,"shape":[2],"chunks":[2],"dtype":"<f8","order":"C","fill_value": %s}`, fill)}, ".zattrs": {Data: []byte(attributes)},
			}))(t)
			a, err := s.Array("")
			if err != nil {
				t.Errorf("%s, with the attributes %s: %v", fill, attributes, err)
				continue
			}
			x, _ := a.Attribute("x")
			if got, err := a.Read(t.Context(), 0, 2); err != nil || !same(got, []float64{want, want}) || !slices.Equal(x, []float64{1, 2}) {
				t.Errorf("%s: %v, %v, attribute %v", fill, got, err, x)
			}
		}
	}
}

// Elements that were taken apart have a byte at least and 64 KiB at most.
func TestElementsThatAreShuffled(t *testing.T) {
	for size, ok := range map[int]bool{-1: false, 0: true, 1: true, 1 << 16: true, 1<<16 + 1: false} { // 0 is the default
		s := testmain.Must(zarr.Open(fstest.MapFS{".zarray": {Data: fmt.Appendf(nil, `{"zarr_format":2,"shape":[4],"chunks":[4],"dtype":"<f4","order":"C","fill_value":0,"filters":[{"id":"shuffle","elementsize":%d}]}`, size)}}))(t)
		if _, err := s.Array(""); (err == nil) != ok {
			t.Errorf("elements of %d bytes: error %v", size, err)
		}
	}
	for _, size := range []string{"", `,"elementsize":0`, `,"elementsize":4`} {
		plain := singles(false, 1, 2, 3)
		shuffled := make([]byte, 12)
		for i := range plain {
			shuffled[i%4*3+i/4] = plain[i]
		}
		s := testmain.Must(zarr.Open(fstest.MapFS{
			".zarray": {Data: []byte(`{"zarr_format":2,"shape":[3],"chunks":[3],"dtype":"<f4","order":"C","fill_value":0,"filters":[{"id":"shuffle"` + size + `}]}`)}, "0": {Data: shuffled},
		}))(t)
		if got, err := testmain.Must(s.Array(""))(t).Read(t.Context(), 0, 3); err != nil || !same(got, []float64{1, 2, 3}) {
			t.Errorf("elements %q: %v, %v", size, got, err)
		}
	}
}

// What is left over of whole elements at the end was not taken apart.
func TestBytesBesideElements(t *testing.T) {
	s := testmain.Must(zarr.Open(fstest.MapFS{
		".zarray": {Data: []byte(`{"zarr_format":2,"shape":[8],"chunks":[8],"dtype":"|u1","order":"C","fill_value":0,"filters":[{"id":"shuffle","elementsize":3}]}`)},
		"0":       {Data: []byte{1, 4, 2, 5, 3, 6, 7, 8}},
	}))(t)
	if got, err := testmain.Must(s.Array(""))(t).Read(t.Context(), 0, 8); err != nil || !same(got, []float64{1, 2, 3, 4, 5, 6, 7, 8}) {
		t.Errorf("%v, %v", got, err)
	}
}

// A fill value of null is none: what was written is read, and there is nothing to mark what was not.
func TestWithoutFillValue(t *testing.T) {
	s := testmain.Must(zarr.Open(fstest.MapFS{".zarray": {Data: []byte(`{"zarr_format":2,"shape":[3],"chunks":[3],"dtype":"<f4","order":"C","fill_value":null}`)}, "0": {Data: singles(false, 5, 6, 7)}}))(t)
	a := testmain.Must(s.Array(""))(t)
	if _, filled := a.Fill(); filled {
		t.Error("there is a fill value")
	}
	if got, err := a.Read(t.Context(), 0, 3); err != nil || !same(got, []float64{5, 6, 7}) {
		t.Errorf("%v, %v, want 5, 6 and 7", got, err)
	}
}

// A chunk is at most twice what it holds and 64 KiB; an array has at most 2⁴⁸ elements, and a chunk
// as many.
func TestLargest(t *testing.T) {
	array := func(shape, chunk string) (*zarr.Array, error) {
		files := fstest.MapFS{".zarray": {Data: fmt.Appendf(nil, `{"zarr_format":2,"shape":[%s],"chunks":[%s],"dtype":"<f8","order":"C","fill_value":0}`, shape, chunk)}}
		return testmain.Must(zarr.Open(files))(t).Array("")
	}
	for _, c := range []struct {
		shape, chunk string
		ok           bool
	}{
		{"281474976710656", "1", true},
		{"281474976710657", "1", false},
		{"1", "281474976710656", true},
		{"1", "281474976710657", false},
		{"0", "281474976710656", true},
		{"1,281474976710656", "1,1", true},
		{"281474976710656,1", "1,1", true},
		{"2,281474976710656", "1,1", false},
		{"1,1", "281474976710656,2", false},
		{"281474976710656,0", "1,1", true},
	} {
		if _, err := array(c.shape, c.chunk); (err == nil) != c.ok {
			t.Errorf("%s elements in chunks of %s: error %v", c.shape, c.chunk, err)
		}
	}
	for more, says := range map[int]string{0: "want 32", 1: "want a chunk of the shape [4]"} {
		s := testmain.Must(zarr.Open(fstest.MapFS{
			".zarray": {Data: []byte(`{"zarr_format":2,"shape":[4],"chunks":[4],"dtype":"<f8","order":"C","fill_value":0}`)}, "0": {Data: make([]byte, 2*32+1<<16+more)},
		}))(t)
		a := testmain.Must(s.Array(""))(t)
		if _, err := a.Read(t.Context(), 0, 4); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%d bytes too many: %v, want %q", more, err, says)
		}
	}
}

// A stream of gzip may have a name, a comment, further fields and a checksum of these, in any combination.
func TestHeadsOfGzip(t *testing.T) {
	data := singles(false, 1, 2, 3, 4)
	for extra := range 2 {
		for name := range 2 {
			for comment := range 2 {
				for sum := range 2 {
					var out bytes.Buffer
					z := gzip.NewWriter(&out)
					z.Name, z.Comment = strings.Repeat("n", 5*name), strings.Repeat("c", 4*comment)
					if extra == 1 {
						z.Extra = []byte{7, 7, 7}
					}
					z.Write(data)
					z.Close()
					chunk := out.Bytes()
					if name == 0 && comment == 1 { // a name without letters is one, too
						chunk[3] |= 8
						chunk = slices.Insert(chunk, 10+5*extra, 0)
					}
					if sum == 1 {
						chunk[3] |= 2
						head := 10 + 5*extra + 6*name + 5*comment + (1-name)*comment
						chunk = slices.Insert(chunk, head, 0, 0)
					}
					if comment == 0 { // that it is text changes nothing
						chunk[3] |= 1
					}
					s := testmain.Must(zarr.Open(fstest.MapFS{
						".zarray": {Data: []byte(`{"zarr_format":2,"shape":[4],"chunks":[4],"dtype":"<f4","order":"C","fill_value":0,"compressor":{"id":"gzip"}}`)}, "0": {Data: chunk},
					}))(t)
					if got, err := testmain.Must(s.Array(""))(t).Read(t.Context(), 0, 4); err != nil || !same(got, []float64{1, 2, 3, 4}) {
						t.Errorf("fields %d, name %d, comment %d, checksum %d: %v, %v", extra, name, comment, sum, got, err)
					}
				}
			}
		}
	}
}

// Truth values fill as numbers do, and rows that are not there are refused.
func TestTruthValues(t *testing.T) {
	for fill, want := range map[string]float64{"true": 1, "false": 0} {
		s := testmain.Must(zarr.Open(fstest.MapFS{".zarray": {Data: []byte(`{"zarr_format":2,"shape":[4],"chunks":[2],"dtype":"|b1","order":"C","fill_value":` + fill + `}`)}, "0": {Data: []byte{1, 0}}}))(t)
		a := testmain.Must(s.Array(""))(t)
		if got, err := a.Read(t.Context(), 0, 4); err != nil || !same(got, []float64{1, 0, want, want}) {
			t.Errorf("filled with %s: %v, %v", fill, got, err)
		}
		for _, rows := range [][2]int{{-1, 2}, {3, 2}, {0, 5}, {-2, -1}, {5, 5}} {
			if got, err := a.Read(t.Context(), rows[0], rows[1]); err == nil {
				t.Errorf("rows %v are %v", rows, got)
			}
		}
	}
}

// leaving is a store whose chunk is gone when it is asked for a second time.
type leaving struct {
	fstest.MapFS
	asked map[string]int
}

func (l leaving) Stat(name string) (fs.FileInfo, error) {
	if l.asked[name]++; name == "0" && l.asked[name] > 2 {
		return nil, fs.ErrNotExist
	}
	return l.MapFS.Stat(name)
}

// A chunk that goes while it is read is as one that was never written.
func TestChunkThatGoes(t *testing.T) {
	s := testmain.Must(zarr.Open(leaving{fstest.MapFS{
		".zarray": {Data: []byte(`{"zarr_format":2,"shape":[2],"chunks":[2],"dtype":"<f4","order":"C","fill_value":7}`)}, "0": {Data: singles(false, 1, 2)},
	}, map[string]int{}}))(t)
	if got, err := testmain.Must(s.Array(""))(t).Read(t.Context(), 0, 2); err != nil || !same(got, []float64{7, 7}) {
		t.Errorf("%v, %v, want the fill value", got, err)
	}
}

// What does not begin as gzip's chunks do, in any of the first three bytes, is refused, and what is
// cut off anywhere.
func TestDamagedGzip(t *testing.T) {
	whole := gzipped(singles(false, 1, 2, 3, 4))
	read := func(chunk []byte) error {
		s := testmain.Must(zarr.Open(fstest.MapFS{
			".zarray": {Data: []byte(`{"zarr_format":2,"shape":[4],"chunks":[4],"dtype":"<f4","order":"C","fill_value":0,"compressor":{"id":"gzip"}}`)}, "0": {Data: chunk},
		}))(t)
		_, err := testmain.Must(s.Array(""))(t).Read(t.Context(), 0, 4)
		return err
	}
	if err := read(whole); err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		damaged := slices.Clone(whole)
		damaged[i] ^= 1
		if read(damaged) == nil {
			t.Errorf("byte %d is another, and nobody says so", i)
		}
	}
	for n := range len(whole) {
		if read(whole[:n]) == nil {
			t.Errorf("%d of %d bytes are read without an error", n, len(whole))
		}
	}
}

// A chunk that is not there is the fill value of the array; without one it was lost, which is said of
// the rows that need it and of no others.
func TestMissingChunks(t *testing.T) {
	for _, c := range []struct {
		fill string
		want float64
		lost bool
	}{{"null", 0, true}, {"0", 0, false}, {"7", 7, false}, {`"NaN"`, math.NaN(), false}} {
		s := testmain.Must(zarr.Open(fstest.MapFS{
			".zgroup": {Data: []byte(`{"zarr_format":2}`)}, "i/.zarray": {Data: fmt.Appendf(nil, `{"zarr_format":2,"shape":[6,1],"chunks":[2,1],"dtype":"<f4","order":"C","fill_value":%s}`, c.fill)},
			"i/0.0": {Data: singles(false, 1, 2)}, "i/2.0": {Data: singles(false, 5, 6)},
		}))(t)
		a := testmain.Must(s.Array("i"))(t)
		for _, rows := range [][2]int{{0, 6}, {1, 3}, {2, 4}, {3, 4}, {0, 2}, {4, 6}} {
			got, err := a.Read(t.Context(), rows[0], rows[1])
			if c.lost && rows[0] < 4 && rows[1] > 2 {
				if err == nil || !strings.Contains(err.Error(), "the chunk i/1.0 is missing") || !strings.Contains(err.Error(), "i/.zarray") {
					t.Errorf("fill value %s, rows %v: %v, %v, want that a chunk was lost", c.fill, rows, got, err)
				}
				continue
			}
			want := []float64{1, 2, c.want, c.want, 5, 6}[rows[0]:rows[1]]
			if err != nil || !same(got, want) {
				t.Errorf("fill value %s, rows %v: %v, %v, want %v", c.fill, rows, got, err, want)
			}
		}
	}
}
