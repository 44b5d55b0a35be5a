package arrays

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
)

// A damageable is a file that is damaged: its bytes, or a folder of such, and what the intact one
// holds beyond its own size, as numbers of eight bytes or unpacked.
type damageable struct {
	name   string
	data   []byte
	folder map[string][]byte
	holds  int
	times  int // how much of both may be allocated; 0: four times
}

// damageables are files of every format, of some ten thousand bytes, so that what is taken for
// what they claim is not lost in what any file takes.
func damageables(t *testing.T) []damageable {
	r := rand.New(rand.NewPCG(14, 7))
	const n = 120
	numbers, small := make([]float64, n*n), make([]byte, n*n)
	for i := range numbers {
		numbers[i], small[i] = math.Round(100*r.NormFloat64())/100, byte(r.Uint32())
	}
	le := matWriter{binary.LittleEndian}
	payload := pack(le.order, numbers)
	npy := npyBytes(1, npyDictOf("<f8", false, "(120, 120)"), payload)
	element := le.array("A", 6, 0, []int32{n, n}, 9, payload)
	text := strings.ReplaceAll(strings.Trim(fmt.Sprint(numbers), "[]"), " ", "\n")
	h5 := filepath.Join(t.TempDir(), "a.h5")
	if err := SaveAll(h5, map[string]*array.Array{"run/f": {Shape: []int{n, n}, Data: numbers}}); err != nil {
		t.Fatal(err)
	}
	contiguous, err := os.ReadFile(h5)
	if err != nil {
		t.Fatal(err)
	}
	v73, err := os.ReadFile("testdata/v73.mat")
	if err != nil {
		t.Fatal(err)
	}
	const cells = `<row><c><v>1.5</v></c><c t="str"><v>NA</v></c></row>`
	return []damageable{
		{name: "a.npy", data: npy},
		{name: "bytes.npy", data: npyBytes(1, npyDictOf("|u1", false, "(120, 120)"), small), holds: 8 * len(small)},
		{name: "a.npz", data: zipBytes(member{"f.npy", 0, npy}, member{"u.npy", 8, npy}), holds: len(npy)},
		{name: "four.mat", data: append(pack(le.order, []int32{0, n, n, 0, 2}, []byte("A\x00")), payload...)},
		{name: "five.mat", data: append(nestedMAT(le), element...)},
		{name: "packed.mat", data: le.file(le.compressed(element)), holds: len(element)},
		{name: "v73.mat", data: v73, holds: 8 * 80 * 80},
		{name: "a.h5", data: contiguous},
		{name: "a.nc", data: classicNetCDF(payload, n)},
		{name: "a.csv", data: []byte("x\n" + text + "\n"), holds: 8 * len(numbers)},
		{name: "wide.csv", data: []byte(strings.ReplaceAll(strings.Repeat("1,2,NA,4,5.5\n", 4000), "5.5", "1e5")), holds: 8 * 5 * 4000},
		{name: "a.xlsx", data: excelBytes(strings.Repeat(cells, 2000)), holds: len(cells)*2000 + 8*4000, times: 16}, // nearly all is garbage of encoding/xml
		{name: "a.zarr", holds: len(payload), folder: map[string][]byte{
			".zgroup":   []byte(`{"zarr_format":2}`),
			"f/.zarray": []byte(`{"shape":[120,120],"chunks":[60,120],"dtype":"<f8","order":"C","fill_value":0,"compressor":{"id":"zlib"},"filters":null}`),
			"f/0.0":     zlibBytes(payload[:len(payload)/2]),
			"f/1.0":     zlibBytes(payload[len(payload)/2:]),
			"x/.zarray": []byte(`{"shape":[120],"chunks":[120],"dtype":"<f8","order":"C","fill_value":0,"compressor":null,"filters":null}`),
			"x/0":       payload[:8*n],
		}},
	}
}

// classicNetCDF is a NetCDF-3 file with n × n numbers f, and x along an axis.
func classicNetCDF(payload []byte, n int) []byte {
	be := binary.BigEndian
	word := func(s string) []byte {
		return append(pack(be, uint32(len(s))), append([]byte(s), make([]byte, (4-len(s)%4)%4)...)...)
	}
	head := bytes.Join([][]byte{
		[]byte("CDF\x01"), pack(be, []uint32{0, 10, 2}), word("run"), pack(be, uint32(n)), word("x"), pack(be, []uint32{uint32(n), 0, 0, 11, 1}),
		word("f"), pack(be, []uint32{2, 0, 1, 0, 0, 6, uint32(len(payload))}),
	}, nil)
	return append(append(head, pack(be, uint32(len(head)+4))...), payload...)
}

func zlibBytes(b []byte) []byte {
	var out bytes.Buffer
	z := zlib.NewWriter(&out)
	z.Write(b)
	z.Close()
	return out.Bytes()
}

// size is how many bytes the file has.
func (f damageable) size() int {
	size := len(f.data)
	for _, data := range f.folder {
		size += len(data)
	}
	return size
}

// damage writes a damaged copy, and returns what it has become.
func (f damageable) damage(t *testing.T, r *rand.Rand, path string) damageable {
	t.Helper()
	if f.folder == nil {
		f.data = damaged(r, f.data)
		f.write(t, path)
		return f
	}
	names := slices.Sorted(maps.Keys(f.folder))
	f.folder = maps.Clone(f.folder)
	for range 1 + r.IntN(2) {
		name := names[r.IntN(len(names))]
		f.folder[name] = damaged(r, f.folder[name])
	}
	f.write(t, path)
	return f
}

func (f damageable) write(t *testing.T, path string) {
	t.Helper()
	if f.folder == nil {
		writeFile(t, path, f.data)
	}
	for name, data := range f.folder {
		writeFile(t, filepath.Join(path, name), data)
	}
}

func writeFile(t *testing.T, path string, data []byte) {
	t.Helper()
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	if err == nil {
		err = os.WriteFile(path, data, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Damaged files of every format are read or refused: no panic, no hang, and all that is allocated
// while they are, garbage too, is at most four times the file and what the intact one holds (of
// workbooks sixteen), and what any file takes. 2,000 of each where every case is tried.
func TestDamagedFiles(t *testing.T) {
	const least = 96 << 10
	mutations := 2000 / testmain.Stride(50)
	for _, f := range damageables(t) {
		r := rand.New(rand.NewPCG(14, 6))
		read, longest, most := 0, time.Duration(0), 0.0
		path := filepath.Join(t.TempDir(), f.name)
		for k := range mutations + 1 {
			bad := f
			if k > 0 {
				bad = f.damage(t, r, path)
			} else {
				bad.write(t, path)
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := time.Now()
			all, err := LoadAll(path)
			took := time.Since(start)
			runtime.ReadMemStats(&after)
			if k == 0 && (err != nil || len(all) == 0) {
				t.Fatalf("%s, not damaged: %v, %v", f.name, all, err)
			}
			if err == nil && len(all) > 0 {
				read++
			}
			longest = max(longest, took)
			used := after.TotalAlloc - before.TotalAlloc
			most = max(most, (float64(used)-least)/float64(bad.size()+f.holds))
			if limit := uint64(max(4, f.times)*(bad.size()+f.holds)) + least; used > limit {
				t.Errorf("%s, damaged %d times: %d bytes of memory for a file of %d that holds %d more", f.name, k, used, bad.size(), f.holds)
			}
		}
		t.Logf("%s, %d bytes, holds %d more: %d of %d were read still, the longest took %v, the most memory was %d bytes and %.2f of both", f.name, f.size(), f.holds, read, mutations, longest, least, most)
	}
}

// damaged is a copy with some bytes changed, cut out, doubled or cut off.
func damaged(r *rand.Rand, data []byte) []byte {
	bad := bytes.Clone(data)
	for range 1 + r.IntN(4) {
		if len(bad) < 4 {
			break
		}
		i := r.IntN(len(bad))
		switch r.IntN(6) {
		case 0:
			bad = bad[:i]
		case 1:
			bad = append(bad[:i], bad[min(len(bad), i+1+r.IntN(16)):]...)
		case 2:
			bad = bytes.Join([][]byte{bad[:i], bad[max(0, i-r.IntN(16)):]}, nil)
		case 3:
			bad[i] ^= 1 << r.IntN(8)
		case 4:
			bad[i] = []byte{0, 0xff, 0x7f, 0x80, ',', '\n', '9'}[r.IntN(7)]
		case 5:
			for k := i; k < min(len(bad), i+4); k++ {
				bad[k] = byte(r.Uint32())
			}
		}
	}
	return bad
}
