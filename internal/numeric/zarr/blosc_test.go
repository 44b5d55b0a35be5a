package zarr

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"
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
		"a copy from nowhere":      {"\x40abcd\x00\x00\x10e", 9, ""},
		"a copy from before":       {"\x40abcd\x05\x00\x10e", 9, ""},
		"a copy beyond the end":    {"\x41abcd\x04\x00", 8, ""},
		"half a distance":          {"\x40abcd\x04", 9, ""},
		"fewer literals than said": {"\x50abcd", 9, ""},
		"more literals than asked": {"\x40abcd", 3, ""},
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

// A buffer of many blocks of Blosc: whole ones are cut into a part for each byte of an element,
// the last, which is short, is not; bytes are shuffled within a block; and blocks may lie in
// any order.
func TestBlocksOfBlosc(t *testing.T) {
	const typesize, block, size = 4, 4 * 128, 2*4*128 + 4*50
	want := make([]byte, size)
	for i := range want {
		want[i] = byte(i*i/7 + i)
	}
	for name, order := range map[string][]int{"in order": {0, 1, 2}, "the last first": {2, 0, 1}} {
		for _, flags := range []int{bloscLZ4 << 5, bloscLZ4<<5 | bloscWhole, bloscLZ4<<5 | bloscShuffle} {
			starts, rest := make([]byte, 4*len(order)), []byte{}
			for _, i := range order {
				binary.LittleEndian.PutUint32(starts[4*i:], uint32(16+len(starts)+len(rest)))
				data := want[i*block : min(size, (i+1)*block)]
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
				if len(data) == block && flags&bloscWhole == 0 {
					parts = typesize
				}
				for p := range parts {
					part := data[p*len(data)/parts : (p+1)*len(data)/parts]
					rest = append(binary.LittleEndian.AppendUint32(rest, uint32(len(part))), part...) // as they are
				}
			}
			head := []byte{2, 1, byte(flags), typesize}
			for _, n := range []int{size, block, 16 + len(starts) + len(rest)} {
				head = binary.LittleEndian.AppendUint32(head, uint32(n))
			}
			buffer := bytes.Join([][]byte{head, starts, rest}, nil)
			if got, err := unblosc(t.Context(), buffer, size); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s, flags %b: %v, equal %t", name, flags, err, bytes.Equal(got, want))
			}
			for _, n := range []int{15, 16 + 4*len(order) - 1, len(buffer) - 1} {
				if _, err := unblosc(t.Context(), buffer[:n], size); err == nil {
					t.Errorf("%s, flags %b: %d of %d bytes are read without an error", name, flags, n, len(buffer))
				}
			}
		}
	}
}
