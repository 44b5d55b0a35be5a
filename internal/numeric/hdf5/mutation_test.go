package hdf5

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/greenbench/workbench/internal/testmain"
)

// readAll reads everything there is to read in a file, and says how many bytes the arrays have that it could read.
// Checksums of metadata are believed if lax, so that damage behind them is met.
func readAll(data []byte, lax bool) (size int64) {
	ctx := context.Background()
	f, err := open(bytes.NewReader(data), int64(len(data)), lax)
	if err != nil {
		return 0
	}
	f.Attribute("title")
	for _, name := range f.Names() {
		d, err := f.Dataset(name)
		if err != nil {
			continue
		}
		d.Dimensions()
		for _, a := range d.attrs {
			d.Attribute(a.name)
		}
		d.Strings(ctx)
		n := d.Rows()
		x, _ := d.Read(ctx, 0, n)
		z, _ := d.ReadComplex(ctx, 0, n)
		y, _ := d.Read(ctx, n/2, max(n/2, n-1))
		size += int64(8*(len(x)+len(y)) + 32*len(z))
	}
	return size
}

// TestMutations damages files of every kind: bytes that become others, stretches that become zeros, ones, copies of
// others, the end cut off. Nothing panics, takes long, or takes memory that the file does not justify.
func TestMutations(t *testing.T) {
	mutations := 300
	if os.Getenv("HDF5_MUTATIONS") != "" {
		mutations = 12000
	}
	files, _ := filepath.Glob("testdata/*.h5.gz")
	if len(files) < 6 {
		t.Fatalf("%d files", len(files))
	}
	for _, path := range files {
		whole := testmain.Unzipped(t, path)
		rng := rand.New(rand.NewPCG(1, uint64(len(whole))))
		for i := range mutations / len(files) {
			checkMemory(t, path, i, mutate(rng, whole))
		}
	}
}

// checkMemory reads a damaged file: what is allocated in all is a small multiple of the file and of what was read.
func checkMemory(t *testing.T, path string, i int, data []byte) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	read := readAll(data, i%2 == 0)
	took := time.Since(start)
	runtime.ReadMemStats(&after)
	const least = 16 << 20
	if got := int64(after.TotalAlloc - before.TotalAlloc); got > 64*int64(len(data))+4*read+least {
		t.Errorf("%s, mutation %d: %d bytes allocated for a file of %d of which %d could be read", path, i, got, len(data), read)
	}
	if took > 20*time.Second {
		t.Errorf("%s, mutation %d: took %v", path, i, took)
	}
}

// mutate returns a damaged copy.
func mutate(rng *rand.Rand, whole []byte) []byte {
	data := bytes.Clone(whole)
	for range 1 + rng.IntN(4) {
		at := rng.IntN(len(data))
		end := min(len(data), at+1+rng.IntN(12))
		switch rng.IntN(8) {
		case 0:
			for k := at; k < end; k++ {
				data[k] = byte(rng.Uint32())
			}
		case 1:
			clear(data[at:end])
		case 2:
			for k := at; k < end; k++ {
				data[k] = 255
			}
		case 3:
			copy(data[at:end], data[rng.IntN(len(data)):])
		case 4:
			if rng.IntN(8) == 0 {
				data = data[:max(at, 100)]
			}
		default:
			data[at] ^= 1 << rng.IntN(8)
		}
	}
	return data
}

// FuzzRead begins with the files of testdata.
func FuzzRead(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.h5.gz")
	for _, path := range files {
		if data := testmain.Unzipped(f, path); len(data) < 40000 { // larger ones take long to make smaller
			f.Add(data)
		}
	}
	f.Fuzz(func(_ *testing.T, data []byte) {
		readAll(data, true)
		readAll(data, false)
	})
}
