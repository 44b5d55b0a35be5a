package zarr

import (
	"bytes"
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
