package zarr_test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/greenbench/workbench/internal/numeric/zarr"
	"github.com/greenbench/workbench/internal/testmain"
)

// unzipped is an archive as files in memory.
func unzipped(t testing.TB, path string) fstest.MapFS {
	t.Helper()
	z, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	files := fstest.MapFS{}
	for _, m := range z.File {
		r, err := m.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[m.Name] = &fstest.MapFile{Data: data, Mode: 0o644}
	}
	return files
}

func sub(t testing.TB, files fs.FS, folder string) fs.FS {
	t.Helper()
	part, err := fs.Sub(files, folder)
	if err != nil {
		t.Fatal(err)
	}
	return part
}

// checkStore compares every array with what zarr-python read; refused ones have none.
func checkStore(t *testing.T, files fs.FS) {
	t.Helper()
	s, err := zarr.Open(sub(t, files, "x.zarr"))
	if err != nil {
		t.Fatal(err)
	}
	read := 0
	for _, name := range s.Names() {
		a, err := s.Array(name)
		var numbers []float64
		if err == nil {
			numbers, err = a.Read(t.Context(), 0, a.Rows())
		}
		if strings.HasPrefix(name, "refused/") {
			var u *zarr.Unsupported
			if !errors.As(err, &u) || !strings.Contains(err.Error(), "numpy.savez") {
				t.Errorf("%s: error %v, want what it is and how to bring it here", name, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		shape, want := wanted(t, files, name)
		if !slices.Equal(a.Shape, shape) || !same(numbers, want) {
			t.Errorf("%s: shape %v, want %v; numbers %v, want %v", name, a.Shape, shape, first(numbers), first(want))
		}
		checkRows(t, name, a, numbers)
		read++
	}
	if read < 25 {
		t.Errorf("%d arrays were read", read)
	}
}

// checkRows: rows that are read alone are those of the whole.
func checkRows(t *testing.T, name string, a *zarr.Array, whole []float64) {
	t.Helper()
	n := a.Rows()
	row := len(whole) / n
	for _, r := range [][2]int{{0, 1}, {n / 3, n/3 + 1}, {n / 2, n}, {n - 1, n}, {n, n}} {
		got, err := a.Read(t.Context(), r[0], r[1])
		if err != nil || !same(got, whole[r[0]*row:r[1]*row]) {
			t.Errorf("%s, rows %v: %v, %v", name, r, first(got), err)
		}
	}
	if _, err := a.Read(t.Context(), 0, n+1); err == nil {
		t.Errorf("%s: a row beyond the last was read", name)
	}
}

func wanted(t *testing.T, files fs.FS, name string) (shape []int, numbers []float64) {
	t.Helper()
	text, err := fs.ReadFile(files, "want/"+name)
	if err != nil {
		t.Fatal(err)
	}
	head, body, _ := strings.Cut(string(text), "\n")
	for _, w := range strings.Fields(head) {
		n, _ := strconv.Atoi(w)
		shape = append(shape, n)
	}
	for _, w := range strings.Fields(body) {
		x, err := strconv.ParseFloat(w, 64)
		if err != nil {
			t.Fatal(err)
		}
		numbers = append(numbers, x)
	}
	return shape, numbers
}

func same(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return x == y || math.IsNaN(x) && math.IsNaN(y) })
}

func first(x []float64) []float64 { return x[:min(len(x), 8)] }

// What zarr-python wrote: see testdata/make.py.
func TestVersion2(t *testing.T) { checkStore(t, unzipped(t, "testdata/version2.zip")) }

// The same, made now, with vectors that Blosc cuts into blocks.
func TestMadeNow(t *testing.T) {
	const python = "/usr/bin/python3"
	if !testmain.EveryCase() || exec.Command(python, "-c", "import zarr").Run() != nil {
		t.Skip("LEFT OUT: no zarr-python here, or not every case is tried")
	}
	folder := t.TempDir()
	if out, err := exec.Command(python, "testdata/make.py", folder, "50000").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	checkStore(t, os.DirFS(folder))
}

func TestDescription(t *testing.T) {
	s, err := zarr.Open(sub(t, unzipped(t, "testdata/version2.zip"), "x.zarr"))
	if err != nil {
		t.Fatal(err)
	}
	a, err := s.Array("raw")
	if err != nil {
		t.Fatal(err)
	}
	scale, ok := a.Attribute("scale_factor")
	if !slices.Equal(a.Dimensions, []string{"run", "x"}) || !ok || !slices.Equal(scale, []float64{1.5}) || a.Kind() != "float64" {
		t.Errorf("dimensions %v, scale %v, kind %s", a.Dimensions, scale, a.Kind())
	}
	if _, err := s.Array("raw2"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}

// version3 is a store with one array of version 3 of 3 × 2 numbers 1, …, 6, in chunks of 2 × 2.
func version3(codecs, keys string, chunks map[string][]byte) fstest.MapFS {
	files := fstest.MapFS{"zarr.json": {Data: []byte(`{"zarr_format":3,"node_type":"group"}`)}, "f/zarr.json": {Data: fmt.Appendf(nil, `{"zarr_format":3,"node_type":"array",
		"shape":[3,2],"data_type":"float32","chunk_grid":{"name":"regular","configuration":{"chunk_shape":[2,2]}},"chunk_key_encoding":%s,
		"fill_value":"NaN","codecs":[%s],"attributes":{"scale_factor":2},"dimension_names":["run",null]}`, keys, codecs)}}
	for name, data := range chunks {
		files["f/"+name] = &fstest.MapFile{Data: data}
	}
	return files
}

func singles(big bool, x ...float32) (b []byte) {
	for _, v := range x {
		bits := math.Float32bits(v)
		if big {
			b = append(b, byte(bits>>24), byte(bits>>16), byte(bits>>8), byte(bits))
		} else {
			b = append(b, byte(bits), byte(bits>>8), byte(bits>>16), byte(bits>>24))
		}
	}
	return b
}

// Version 3 by its specification: names of chunks, transposition, both orders of bytes, codecs.
func TestVersion3(t *testing.T) {
	little, byDefault := `{"name":"bytes","configuration":{"endian":"little"}}`, `{"name":"default","configuration":{"separator":"/"}}`
	upper, lower := singles(false, 1, 2, 3, 4), singles(false, 5, 6, 0, 0)
	for name, files := range map[string]fstest.MapFS{
		"plain":      version3(little, byDefault, map[string][]byte{"c/0/0": upper, "c/1/0": lower}),
		"separator":  version3(little, `{"name":"default","configuration":{"separator":"."}}`, map[string][]byte{"c.0.0": upper, "c.1.0": lower}),
		"v2 folders": version3(little, `{"name":"v2","configuration":{"separator":"/"}}`, map[string][]byte{"0/0": upper, "1/0": lower}),
		"v2 keys":    version3(little, `{"name":"v2"}`, map[string][]byte{"0.0": upper, "1.0": lower}),
		"big":        version3(`{"name":"bytes","configuration":{"endian":"big"}}`, byDefault, map[string][]byte{"c/0/0": singles(true, 1, 2, 3, 4), "c/1/0": singles(true, 5, 6, 0, 0)}),
		"transposed": version3(`{"name":"transpose","configuration":{"order":[1,0]}},`+little, byDefault, map[string][]byte{"c/0/0": singles(false, 1, 3, 2, 4), "c/1/0": singles(false, 5, 0, 6, 0)}),
		"order F":    version3(`{"name":"transpose","configuration":{"order":"F"}},`+little, byDefault, map[string][]byte{"c/0/0": singles(false, 1, 3, 2, 4), "c/1/0": singles(false, 5, 0, 6, 0)}),
		"order C":    version3(`{"name":"transpose","configuration":{"order":"C"}},`+little, byDefault, map[string][]byte{"c/0/0": upper, "c/1/0": lower}),
		"both":       version3(little+`,{"name":"crc32c"},{"name":"gzip","configuration":{"level":5}}`, byDefault, map[string][]byte{"c/0/0": gzipped(withSum(upper)), "c/1/0": gzipped(withSum(lower))}),
		"gzip":       version3(little+`,{"name":"gzip","configuration":{"level":5}}`, byDefault, map[string][]byte{"c/0/0": gzipped(upper), "c/1/0": gzipped(lower)}),
		"checksum":   version3(little+`,{"name":"crc32c"}`, byDefault, map[string][]byte{"c/0/0": withSum(upper), "c/1/0": withSum(lower)}),
	} {
		s, err := zarr.Open(files)
		if err != nil {
			t.Fatal(err)
		}
		a, err := s.Array("f")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got, err := a.Read(t.Context(), 0, 3)
		if err != nil || !same(got, []float64{1, 2, 3, 4, 5, 6}) || !slices.Equal(a.Dimensions, []string{"run", ""}) {
			t.Errorf("%s: %v, %v, dimensions %q", name, got, err, a.Dimensions)
		}
	}
	for codecs, say := range map[string]string{
		little + `,{"name":"zstd","configuration":{"level":0}}`: "Zstandard",
		`{"name":"sharding_indexed","configuration":{}}`:        "shards",
		`{"name":"transpose","configuration":{"order":[0,0]}}`:  "order [0 0] of 2 axes",
		`{"name":"transpose","configuration":{"order":[0]}}`:    "the order [0] of a transposition",
		`{"name":"transpose","configuration":{"order":[0,2]}}`:  "the order [0,2] of a transposition",
		`{"name":"transpose","configuration":{"order":[-1,0]}}`: "the order [-1,0] of a transposition",
		`{"name":"transpose","configuration":{"order":"A"}}`:    "the order \"A\" of a transposition",
		`{"name":"bytes","configuration":5}`:                    "the codec bytes",
	} {
		s, _ := zarr.Open(version3(codecs, byDefault, nil))
		if _, err := s.Array("f"); err == nil || !strings.Contains(err.Error(), say) {
			t.Errorf("%s: %v", codecs, err)
		}
	}
}

// What is wrong with a store is said; nothing is believed about how much to take.
func TestRefused(t *testing.T) {
	description := func(shape, chunks, more string) []byte {
		return fmt.Appendf(nil, `{"zarr_format":2,"shape":%s,"chunks":%s,"dtype":"<f8","order":"C","fill_value":0%s}`, shape, chunks, more)
	}
	for name, c := range map[string]struct {
		json []byte
		data int // bytes of the first chunk
		say  string
	}{
		"short chunk":       {description("[4]", "[4]", ""), 31, "want 32"},
		"long chunk":        {description("[4]", "[4]", ""), 40, "want 32"},
		"empty of all":      {description("[1000000]", "[10]", ""), 80, "almost nothing is stored"},
		"huge chunk":        {description("[100000000]", "[100000000]", ""), 80, "almost nothing is stored"},
		"too large":         {description("[1000000,1000000,1000000]", "[1,1,1]", ""), 8, "corrupt"},
		"too large chunks":  {description("[4,4,4]", "[1000000,1000000,1000000]", ""), 8, "corrupt"},
		"negative":          {description("[-4]", "[4]", ""), 32, "corrupt"},
		"no chunks":         {description("[4]", "[0]", ""), 32, "corrupt"},
		"other rank":        {description("[4]", "[4,1]", ""), 32, "corrupt"},
		"not JSON":          {[]byte("{"), 32, ".zarray"},
		"dtype":             {[]byte(`{"shape":[4],"chunks":[4],"dtype":"<M8[ns]"}`), 32, "dates"},
		"not compressed":    {description("[4]", "[4]", `,"compressor":{"id":"zlib"}`), 32, "zlib"},
		"not of Blosc":      {description("[4]", "[4]", `,"compressor":{"id":"blosc"}`), 32, "Blosc"},
		"no fill value":     {[]byte(`{"shape":[4],"chunks":[4],"dtype":"<f8","fill_value":"no number"}`), 32, "fill value no number"},
		"lzma":              {description("[4]", "[4]", `,"compressor":{"id":"lzma"}`), 32, "LZMA"},
		"filter":            {description("[4]", "[4]", `,"filters":[{"id":"delta"}]`), 32, "delta"},
		"chunk is a device": {description("[4]", "[4]", ""), -1, "want a chunk"},
	} {
		chunk := &fstest.MapFile{Data: make([]byte, max(0, c.data))}
		if c.data < 0 {
			chunk.Mode = fs.ModeNamedPipe
		}
		s, err := zarr.Open(fstest.MapFS{".zarray": {Data: c.json}, "0": chunk, "0.0.0": chunk})
		if err != nil {
			t.Fatal(err)
		}
		a, err := s.Array("")
		if err == nil {
			_, err = a.Read(t.Context(), 0, a.Rows())
		}
		if err == nil || !strings.Contains(err.Error(), c.say) {
			t.Errorf("%s: error %v, want %q in it", name, err, c.say)
		}
	}
	if _, err := zarr.Open(fstest.MapFS{"x": {}}); err == nil {
		t.Error("a folder without a store was opened")
	}
}

// Numbers of 16 bits (IEEE 754-2008, binary16) of every class, with both signs.
func TestHalves(t *testing.T) {
	bits := []uint16{0x3c00, 0xc000, 0x3555, 0x7bff, 0x0001, 0x83ff, 0x8000, 0x7c00, 0xfc00, 0x7e00}
	want := []float64{1, -2, 1365. / 4096, 65504, 0x1p-24, -1023 * 0x1p-24, 0, math.Inf(1), math.Inf(-1), math.NaN()}
	var data []byte
	for _, b := range bits {
		data = binary.LittleEndian.AppendUint16(data, b)
	}
	s, err := zarr.Open(fstest.MapFS{".zarray": {Data: []byte(`{"zarr_format":2,"shape":[10],"chunks":[10],"dtype":"<f2","order":"C","fill_value":0}`)}, "0": {Data: data}})
	if err != nil {
		t.Fatal(err)
	}
	a, err := s.Array("")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := a.Read(t.Context(), 0, 10); err != nil || !same(got, want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
}

func TestStopped(t *testing.T) {
	s, err := zarr.Open(sub(t, unzipped(t, "testdata/version2.zip"), "x.zarr"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, name := range []string{"raw", "zlib", "blosc/lz4"} {
		a, err := s.Array(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := a.Read(ctx, 0, a.Rows()); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func gzipped(b []byte) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	z.Name = "chunk"
	z.Write(b)
	z.Close()
	return out.Bytes()
}

func withSum(b []byte) []byte {
	return binary.LittleEndian.AppendUint32(slices.Clone(b), crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)))
}
