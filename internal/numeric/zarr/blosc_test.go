package zarr

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// Blocks written by hand after the description of the format: literals, what is copied, copies
// that overlap what they write, lengths that go on in further bytes; and each way to be wrong.
func TestBlocksOfLZ4(t *testing.T) {
	for name, tc := range map[string]struct {
		block string
		size  int
		want  string // empty: refused
	}{
		"literals":                 {"\x40abcd", 4, "abcd"},
		"a copy":                   {"\x40abcd\x04\x00\x10e", 9, "abcdabcde"},
		"a copy of itself":         {"\x1Aa\x01\x00\x10b", 16, strings.Repeat("a", 15) + "b"},
		"a long copy":              {"\x1Fa\x01\x00\x03\x10b", 24, strings.Repeat("a", 23) + "b"},
		"literals of 15 + 2":       {"\xF0\x02" + strings.Repeat("x", 17), 17, strings.Repeat("x", 17)},
		"a copy at the end":        {"\x40abcd\x04\x00", 8, "abcdabcd"},
		"a copy from nowhere":      {"\x40abcd\x00\x00\x10e", 9, ""},
		"a copy from before":       {"\x40abcd\x05\x00\x10e", 9, ""},
		"a copy beyond the end":    {"\x41abcd\x04\x00", 8, ""},
		"half a distance":          {"\x40abcd\x04", 9, ""},
		"fewer literals than said": {"\x50abcd", 9, ""},
		"more literals than asked": {"\x40abcd", 3, ""},
		"literals after the end":   {"\x40abcd\x04\x00\x10e", 8, ""},
		"a length without an end":  {"\xF0\xFF\xFF", 600, ""},
	} {
		got, err := unLZ4([]byte(tc.block), tc.size)
		if tc.want == "" {
			if err == nil {
				t.Errorf("%s: read as %q", name, got)
			}
			continue
		}
		if err != nil || !bytes.Equal(got, []byte(tc.want)) {
			t.Errorf("%s: %q, %v: want %q", name, got, err, tc.want)
		}
	}
}

// A buffer of many blocks of Blosc: whole ones of 128 elements or more, of up to 16 bytes each, are
// cut into a part for each byte of an element, the last, which is short, is not; bytes are shuffled
// within a block; and blocks may lie in any order.
func TestBlocksOfBlosc(t *testing.T) {
	for _, typesize := range []int{1, 2, 4, 16, 17} {
		for _, elements := range []int{127, 128} {
			block := typesize * elements
			want := make([]byte, 2*block+typesize*50)
			for i := range want {
				want[i] = byte(i*i/7 + i)
			}
			for name, order := range map[string][]int{"in order": {0, 1, 2}, "the last first": {2, 0, 1}} {
				for _, flags := range []int{bloscLZ4 << 5, bloscLZ4<<5 | bloscWhole, bloscLZ4<<5 | bloscShuffle} {
					what := fmt.Sprintf("%d elements of %d bytes %s, flags %b", elements, typesize, name, flags)
					buffer := bufferOfBlosc(want, typesize, block, flags, elements >= 128 && typesize <= 16, order)
					if got, err := unblosc(t.Context(), buffer, len(want)); err != nil || !bytes.Equal(got, want) {
						t.Errorf("%s: %v, equal %t", what, err, bytes.Equal(got, want))
					}
					for _, n := range []int{15, 16 + 4*len(order) - 1, len(buffer) - 1} {
						if _, err := unblosc(t.Context(), buffer[:n], len(want)); err == nil {
							t.Errorf("%s: %d of %d bytes are read without an error", what, n, len(buffer))
						}
					}
				}
			}
		}
	}
}

// What was compressed by another of Blosc's compressors is refused by its name, and a buffer
// without elements or blocks, or of another length, for what it is.
func TestOtherBuffersOfBlosc(t *testing.T) {
	for at, says := range map[int]string{3: "a buffer of Blosc with 8 bytes", 4: "a buffer of Blosc with 0 bytes", 8: "a buffer of Blosc with 8 bytes"} {
		buffer := bufferOfBlosc(make([]byte, 8), 4, 8, bloscLZ4<<5, false, []int{0})
		buffer[at] = 0
		if _, err := unblosc(t.Context(), buffer, 8); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("byte %d is zero: %v", at, err)
		}
	}
	for _, from := range []uint32{0, 19, 1 << 20, 1<<32 - 1} { // where its only block is said to be
		buffer := bufferOfBlosc(make([]byte, 8), 4, 8, bloscLZ4<<5, false, []int{0})
		binary.LittleEndian.PutUint32(buffer[16:], from)
		if _, err := unblosc(t.Context(), buffer, 8); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("a block of Blosc at byte %d of", from)) {
			t.Errorf("a block at byte %d: %v", from, err)
		}
	}
	for by, name := range map[int]string{0: "BloscLZ", 2: "Snappy", 4: "Zstandard"} {
		if _, err := unblosc(t.Context(), bufferOfBlosc(make([]byte, 8), 4, 8, by<<5, false, []int{0}), 8); err == nil || !strings.Contains(err.Error(), "by "+name+":") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// bufferOfBlosc writes blocks, which are not compressed, in an order.
func bufferOfBlosc(data []byte, typesize, block, flags int, cut bool, order []int) []byte {
	starts, rest := make([]byte, 4*len(order)), []byte{}
	for _, i := range order {
		binary.LittleEndian.PutUint32(starts[4*i:], uint32(16+len(starts)+len(rest)))
		data := data[i*block : min(len(data), (i+1)*block)]
		if flags&bloscShuffle != 0 {
			shuffled := make([]byte, 0, len(data))
			for j := range typesize {
				for k := j; k < len(data); k += typesize {
					shuffled = append(shuffled, data[k])
				}
			}
			data = shuffled
		}
		parts := 1
		if cut && len(data) == block && flags&bloscWhole == 0 {
			parts = typesize
		}
		for p := range parts {
			part := data[p*len(data)/parts : (p+1)*len(data)/parts]
			rest = append(binary.LittleEndian.AppendUint32(rest, uint32(len(part))), part...) // as they are
		}
	}
	head := []byte{2, 1, byte(flags), byte(typesize)}
	for _, n := range []int{len(data), block, 16 + len(starts) + len(rest)} {
		head = binary.LittleEndian.AppendUint32(head, uint32(n))
	}
	return bytes.Join([][]byte{head, starts, rest}, nil)
}

// A store that notes which files were asked for.
type noting struct {
	fstest.MapFS
	asked *[]string
}

func (n noting) Stat(name string) (fs.FileInfo, error) {
	*n.asked = append(*n.asked, name)
	return n.MapFS.Stat(name)
}

// Of a grid of chunks those with rows asked for are looked for, each once and no other, whether the
// last are whole or reach beyond the array.
func TestChunksThatAreLookedFor(t *testing.T) {
	for _, shape := range [][]int{{1, 1}, {4, 6}, {5, 7}, {7, 9}, {3, 8}} {
		for _, chunk := range [][]int{{1, 1}, {2, 3}, {4, 2}, {9, 9}} {
			for lo := range shape[0] {
				for hi := lo + 1; hi <= shape[0]; hi++ {
					var want, asked []string
					for i := range shape[0] {
						for j := range shape[1] {
							if i%chunk[0] == 0 && j%chunk[1] == 0 && i < hi && i+chunk[0] > lo {
								want = append(want, fmt.Sprintf("%d.%d", i/chunk[0], j/chunk[1]))
							}
						}
					}
					a := &Array{Shape: shape, store: &Store{files: noting{fstest.MapFS{}, &asked}}}
					a.layout = layout{chunk: chunk, separate: ".", of: kind{size: 8}, filled: true}
					if _, err := a.cells(t.Context(), lo, hi, (hi-lo)*shape[1], 8*chunk[0]*chunk[1]); err != nil || !slices.Equal(asked, want) {
						t.Errorf("rows %d to %d of %v in chunks of %v: %v, asked for %v, want %v", lo, hi, shape, chunk, err, asked, want)
					}
				}
			}
		}
	}
}
