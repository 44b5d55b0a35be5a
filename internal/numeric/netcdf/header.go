package netcdf

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// Is says whether a file is a NetCDF classic file, from its first bytes.
func Is(r io.ReaderAt) bool {
	var head [4]byte
	n, _ := r.ReadAt(head[:], 0)
	return n == 4 && string(head[:3]) == "CDF" && (head[3] == 1 || head[3] == 2 || head[3] == 5)
}

// A kind is a type of the format.
type kind struct {
	name   string
	size   int
	signed bool
	float  bool
}

// kinds are the types by number.
var kinds = [...]kind{
	1: {"int8", 1, true, false}, 2: {"text", 1, false, false}, 3: {"int16", 2, true, false}, 4: {"int32", 4, true, false},
	5: {"float32", 4, false, true}, 6: {"float64", 8, false, true}, 7: {"uint8", 1, false, false}, 8: {"uint16", 2, false, false},
	9: {"uint32", 4, false, false}, 10: {"int64", 8, true, false}, 11: {"uint64", 8, false, false},
}

// Tags of the lists of the header.
const (
	tagDimensions = 10
	tagVariables  = 11
	tagAttributes = 12
)

// A header reads the header; once something is wrong, all that is read is zero.
type header struct {
	r     *bufio.Reader
	left  int64 // bytes of the file that were not read yet
	wide  bool  // CDF-5: counts have 8 bytes
	begin int   // bytes of an offset
	err   error
}

func (h *header) fail(format string, args ...any) {
	if h.err == nil {
		h.err = fmt.Errorf(format, args...)
	}
}

func (h *header) bytes(n int64) []byte {
	if h.err != nil || n < 0 || n > h.left {
		h.fail("truncated: the header ends early")
		return nil
	}
	b := make([]byte, n)
	if _, err := io.ReadFull(h.r, b); err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			err = errors.New("truncated: the header ends early")
		}
		h.fail("%w", err)
		return nil
	}
	h.left -= n
	return b
}

func (h *header) uint(n int) (x uint64) {
	for _, b := range h.bytes(int64(n)) {
		x = x<<8 | uint64(b)
	}
	return x
}

// count is a number of things of which each takes at least so many bytes of the header.
func (h *header) count(least int64) int64 {
	n := h.number()
	if n > h.left/max(least, 1) {
		h.fail("corrupt: %d parts in a header of which %d bytes are left", n, h.left)
		return 0
	}
	return n
}

// number is one that is not negative.
func (h *header) number() int64 {
	width := 4
	if h.wide {
		width = 8
	}
	n := h.uint(width)
	if n >= 1<<62 {
		h.fail("corrupt: the number %d in the header", n)
		return 0
	}
	return int64(n)
}

// padded are bytes and what fills them up to a multiple of four.
func (h *header) padded(n int64) []byte {
	b := h.bytes(n)
	h.bytes((4 - n%4) % 4)
	return b
}

func (h *header) name() string { return string(h.padded(h.count(1))) }

// list begins a list of a kind, and returns how many parts it has.
func (h *header) list(tag uint64, least int64) int64 {
	got, n := h.uint(4), h.count(least)
	if got != tag && (got != 0 || n != 0) {
		h.fail("corrupt: a list of kind %d instead of %d", got, tag)
		return 0
	}
	return n
}

func (h *header) kind() kind {
	k := h.uint(4)
	if k < 1 || k >= uint64(len(kinds)) {
		h.fail("corrupt: type number %d", k)
		return kinds[1]
	}
	return kinds[k]
}

func (h *header) attributes() []Attribute {
	var all []Attribute
	for range h.list(tagAttributes, 12) {
		a := Attribute{Name: h.name()}
		k, n := h.kind(), h.count(1)
		a.Kind = k.name
		data := h.padded(n * int64(k.size))
		if h.err != nil {
			return nil
		}
		if k.name == "text" {
			a.Text = string(data)
		} else {
			a.Numbers = make([]float64, n)
			k.decode(a.Numbers, data)
		}
		all = append(all, a)
	}
	return all
}

// variables reads the list of variables; dims are the names and lengths of the dimensions.
func (h *header) variables(f *File, dims []dimension) {
	for range h.list(tagVariables, 24) {
		v := &Variable{Name: h.name(), Shape: []int{}, file: f}
		for range h.count(4) {
			i := h.number()
			if i >= int64(len(dims)) {
				h.fail("corrupt: variable %q has dimension number %d of %d", v.Name, i, len(dims))
				return
			}
			d := dims[i]
			if d.record && len(v.Shape) > 0 {
				h.fail("corrupt: the unlimited dimension of %q is not its first", v.Name)
				return
			}
			v.record = v.record || d.record
			v.Shape, v.Dimensions = append(v.Shape, d.length), append(v.Dimensions, d.name)
		}
		v.attributes = h.attributes()
		v.kind = h.kind()
		h.number() // its size, which overflows where it is large
		v.begin = int64(h.uint(h.begin))
		if h.err != nil {
			return
		}
		f.variables = append(f.variables, v)
	}
}

// A dimension is the name and the length of an axis.
type dimension struct {
	name   string
	length int
	record bool
}

func (h *header) dimensions() (dims []dimension) {
	for range h.list(tagDimensions, 8) {
		d := dimension{name: h.name()}
		n := h.number()
		if n > 1<<48 {
			h.fail("corrupt: dimension %q of length %d", d.name, n)
		}
		d.length, d.record = int(n), n == 0
		dims = append(dims, d)
	}
	return dims
}

// decode reads big-endian numbers.
func (k kind) decode(dst []float64, src []byte) {
	for i := range dst {
		dst[i] = k.value(src[i*k.size:])
	}
}

func (k kind) value(b []byte) float64 {
	big := binary.BigEndian
	switch k.size {
	case 1:
		if k.signed {
			return float64(int8(b[0]))
		}
		return float64(b[0])
	case 2:
		if k.signed {
			return float64(int16(big.Uint16(b)))
		}
		return float64(big.Uint16(b))
	case 4:
		return k.value4(big.Uint32(b))
	}
	return k.value8(big.Uint64(b))
}
