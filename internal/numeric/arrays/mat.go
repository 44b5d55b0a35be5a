package arrays

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/inflate"
	"github.com/greenbench/workbench/numeric/array"
)

// MATLAB's MAT-file level 5 (versions 5, 6 and 7; "MAT-File Format", The
// MathWorks): a header of 128 bytes, then elements, each a tag (type, bytes)
// and its data. An array is an element made of elements: flags, dimensions,
// name, real part, imaginary part; or all that zlib-compressed. Cells and structs
// hold arrays in turn: s.f, s(2).f of an array of structs, c{3}.
const (
	miCompressed = 15
	miMatrix     = 14
	miDouble     = 9
	matHeader    = 128
	endsEarly    = "the element ends early"
)

// matClasses names what an array can be, by its class number.
var matClasses = [...]string{
	"nothing", "cell array", "struct", "object", "text", "sparse matrix",
	"double", "single", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64",
	"function", "opaque object",
}

// The classes that matter: what holds arrays, real numbers, and objects, which have
// no dimensions.
const (
	matCell   = 1
	matStruct = 2
	matObject = 3
	matSparse = 5
	matDouble = 6
	matUint64 = 15
	matOpaque = 17
)

// matNumbers are the types numbers are stored in, by element type. MATLAB
// stores an array of doubles as integers when they are whole.
var matNumbers = [...]number{
	1: {kind: 'i', size: 1}, 2: {kind: 'u', size: 1}, 3: {kind: 'i', size: 2}, 4: {kind: 'u', size: 2},
	5: {kind: 'i', size: 4}, 6: {kind: 'u', size: 4}, 7: {kind: 'f', size: 4}, 9: {kind: 'f', size: 8},
	12: {kind: 'i', size: 8}, 13: {kind: 'u', size: 8},
}

// A matFile is an open file and its byte order.
type matFile struct {
	r      io.ReaderAt
	size   int64
	order  binary.ByteOrder
	arrays []*matArray
}

// A matArray is one array of the file, or one in a cell or struct of it.
type matArray struct {
	name         string
	class        int
	complex      bool
	shape        []int
	within       []string // the paths of what is in a cell or struct
	offset, size int64    // of its element's data; -1: it is in a cell or struct
	compressed   bool
	data         []byte // what follows the name, for what is in a cell or struct
}

func openMAT(r io.ReaderAt, size int64, _ string) (*contents, error) {
	if isMAT4(r, size) {
		return openMAT4(r, size)
	}
	m := &matFile{r: r, size: size}
	if err := m.begin(); err != nil {
		return nil, err
	}
	if err := m.scan(); err != nil {
		return nil, err
	}
	c := &contents{}
	for _, v := range m.arrays {
		if v.class != matCell && v.class != matStruct || len(v.within) == 0 {
			c.names = append(c.names, v.name)
		}
	}
	c.read = func(name string) (*array.Array, error) {
		v, err := m.find(name)
		if err != nil {
			return nil, err
		}
		return m.real(v)
	}
	c.complex = func(name string) (*Complex, error) {
		v, err := m.find(name)
		if err != nil {
			return nil, err
		}
		return m.complexOf(v)
	}
	return c, nil
}

// find is an array by its path; cells and structs are named for what is in them.
func (m *matFile) find(path string) (*matArray, error) {
	i := slices.IndexFunc(m.arrays, func(v *matArray) bool { return v.name == path })
	if i < 0 {
		return nil, fs.ErrNotExist
	}
	v := m.arrays[i]
	if len(v.within) > 0 {
		return nil, &unsupportedError{What: fmt.Sprintf("a %s, which holds %s: give the name of one of these", matClasses[v.class], list(v.within))}
	}
	return v, nil
}

// begin checks the header and finds the byte order.
func (m *matFile) begin() error {
	var head [matHeader]byte
	n, err := m.r.ReadAt(head[:], 0)
	text := string(head[:n])
	switch {
	case strings.HasPrefix(text, "MATLAB 7.3") || strings.HasPrefix(text, "\x89HDF"):
		return errors.New("truncated: a MATLAB v7.3 (HDF5) file whose HDF5 part is missing")
	case n < matHeader && strings.HasPrefix(text, "MATLAB"):
		return errors.New("truncated: no MAT-file header")
	case n < matHeader:
		return errors.New("not a MATLAB .mat file")
	case err != nil && err != io.EOF:
		return err
	case text[126:] == "IM":
		m.order = binary.LittleEndian
	case text[126:] == "MI":
		m.order = binary.BigEndian
	default:
		return errors.New("not a MATLAB .mat file of version 4, 5, 6 or 7")
	}
	if version := m.order.Uint16(head[124:]); version != 0x0100 {
		return fmt.Errorf("unsupported MAT-file version %#04x: want 0x0100 (MATLAB v5 to v7)", version)
	}
	return nil
}

// scan reads what precedes the numbers of every array. Arrays without a name
// are MATLAB's own and left out.
func (m *matFile) scan() error {
	for at := int64(matHeader); at < m.size; {
		tag := make([]byte, 8)
		if _, err := m.r.ReadAt(tag, at); err != nil {
			return readError(err, fmt.Sprintf("the element at byte %d has no tag", at))
		}
		kind, n := m.order.Uint32(tag), int64(m.order.Uint32(tag[4:]))
		v := &matArray{offset: at + 8, size: n, compressed: kind == miCompressed}
		if n > m.size-v.offset {
			return fmt.Errorf("truncated: the element at byte %d wants %d bytes, %d are there", at, n, m.size-v.offset)
		}
		at = v.offset + n
		if kind != miMatrix && kind != miCompressed {
			continue
		}
		if err := m.add(v); err != nil {
			return fmt.Errorf("the element at byte %d: %w", v.offset-8, err)
		}
	}
	return nil
}

// add reads the head of an array, and all that is in a cell or struct.
func (m *matFile) add(v *matArray) error {
	head, err := m.head(v)
	if err != nil {
		return err
	}
	if _, err := m.describe(v, head); err != nil {
		return err
	}
	if v.name == "" {
		return nil
	}
	m.arrays = append(m.arrays, v)
	if v.class != matCell && v.class != matStruct && v.class != matObject {
		return nil
	}
	data, err := m.rest(v)
	if err != nil {
		return err
	}
	return m.nested(v, v.name, data, 0)
}

// headBytes are more than flags, dimensions and name of an array take.
const headBytes = 1 << 12

// head is the beginning of an element, unpacked.
func (m *matFile) head(v *matArray) ([]byte, error) {
	packed := make([]byte, min(v.size, headBytes))
	if _, err := m.r.ReadAt(packed, v.offset); err != nil && err != io.EOF {
		return nil, err
	}
	if !v.compressed {
		return packed, nil
	}
	if len(packed) < 2 || packed[0]&15 != 8 {
		return nil, inflate.ErrCorrupt
	}
	out := make([]byte, headBytes)
	s := new(inflate.Stream)
	s.Reset(packed[2:])
	n, err := s.Next(out, 0)
	if err != nil && (err != inflate.ErrTruncated || int64(len(packed)) == v.size) {
		return nil, err
	}
	if n < 8 {
		return nil, errors.New("truncated: " + endsEarly)
	}
	if kind := m.order.Uint32(out); kind != miMatrix {
		return nil, fmt.Errorf("corrupt: a compressed element of type %d", kind)
	}
	return out[8:n], nil
}

// rest is what follows the name of an array, unpacked, in memory.
func (m *matFile) rest(v *matArray) ([]byte, error) {
	data := v.data
	if v.offset < 0 {
		return data, nil
	}
	data, err := bytesOf(m.r, v.offset, v.size)
	if err != nil {
		return nil, err
	}
	if v.compressed {
		if data, err = m.unpacked(data); err != nil {
			return nil, err
		}
	}
	return m.describe(&matArray{}, data)
}

// unpacked undoes the compression of an element and takes off its tag.
func (m *matFile) unpacked(packed []byte) ([]byte, error) {
	s := new(inflate.Stream)
	var tag [8]byte
	s.Reset(packed[min(2, len(packed)):])
	if _, err := s.Next(tag[:], 0); err != nil {
		return nil, err
	}
	size := min(uint64(m.order.Uint32(tag[4:])), inflate.Most*uint64(len(packed)))
	if err := dense.CheckSize(fmt.Sprintf("an array of %d bytes", size), float64(size)/8); err != nil {
		return nil, err
	}
	data, err := s.Zlib(contextOf(m.r), packed, int(size)+8, roomForBytes)
	if err != nil {
		return nil, err
	}
	return data[min(8, len(data)):], nil
}

// describe reads flags, dimensions and name and returns what follows.
func (m *matFile) describe(v *matArray, data []byte) ([]byte, error) {
	_, flags, data, err := m.part(data)
	if err != nil {
		return nil, err
	}
	if len(flags) < 4 {
		return nil, errors.New("corrupt: array flags too short")
	}
	word := m.order.Uint32(flags)
	v.class, v.complex = int(word&0xff), word&0x0800 != 0
	v.class = min(v.class, len(matClasses)-1)
	v.shape = nil
	if v.class < matOpaque {
		var dims []byte
		if _, dims, data, err = m.part(data); err != nil {
			return nil, err
		}
		for ; len(dims) >= 4; dims = dims[4:] {
			v.shape = append(v.shape, int(int32(m.order.Uint32(dims))))
		}
	}
	_, name, data, err := m.part(data)
	v.name = string(name)
	return data, err
}

// part is the next element of memory: its type, its data, and what follows it and its
// padding. Up to 4 bytes of data come within the tag.
func (m *matFile) part(b []byte) (kind uint32, data, rest []byte, err error) {
	if len(b) < 8 {
		return 0, nil, nil, errors.New("truncated: " + endsEarly)
	}
	kind = m.order.Uint32(b)
	if n := kind >> 16; n != 0 {
		if n > 4 {
			return 0, nil, nil, fmt.Errorf("corrupt: a small element of %d bytes", n)
		}
		return kind & 0xffff, b[4 : 4+n], b[8:], nil
	}
	n := int64(m.order.Uint32(b[4:]))
	if b = b[8:]; n > int64(len(b)) {
		return 0, nil, nil, fmt.Errorf("truncated: %s: want %d bytes, %d are there", endsEarly, n, len(b))
	}
	return kind, b[:n], b[min(int64(len(b)), (n+7)/8*8):], nil
}

// values reads the next element as numbers, of which there must be n.
func (m *matFile) values(b []byte, n int, what string) (data []float64, rest []byte, err error) {
	kind, stored, rest, err := m.part(b)
	if err != nil {
		return nil, nil, err
	}
	if int(kind) >= len(matNumbers) || matNumbers[kind].size == 0 {
		return nil, nil, fmt.Errorf("corrupt: numbers of element type %d", kind)
	}
	t := matNumbers[kind]
	t.order = m.order
	if len(stored)/t.size != n || len(stored)%t.size != 0 {
		return nil, nil, fmt.Errorf("corrupt: %s wants %d numbers of %d bytes, %d bytes are there", what, n, t.size, len(stored))
	}
	data, err = t.numbers(contextOf(m.r), stored)
	return data, rest, err
}
