package array

import (
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
)

// MATLAB's MAT-file level 5 (versions 5, 6 and 7; "MAT-File Format", The
// MathWorks): a header of 128 bytes, then elements, each a tag (type, bytes)
// and its data. An array is an element made of elements: flags, dimensions,
// name, real part, imaginary part; or all that zlib-compressed.
const (
	miCompressed = 15
	miMatrix     = 14
	matHeader    = 128
	endsEarly    = "the element ends early"
)

// matClasses names what an array can be, by its class number.
var matClasses = [...]string{
	"nothing", "cell array", "struct", "object", "text", "sparse matrix",
	"double", "single", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64",
	"function", "opaque object",
}

// The classes that matter: real numbers, and objects, which have no dimensions.
const (
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
	r     io.ReaderAt
	size  int64
	order binary.ByteOrder
}

// A matArray is one array of the file.
type matArray struct {
	name         string
	class        int
	complex      bool
	shape        []int
	offset, size int64 // of its element's data
	compressed   bool
}

func openMAT(r io.ReaderAt, size int64, _ string) (*contents, error) {
	m := &matFile{r: r, size: size}
	if err := m.begin(); err != nil {
		return nil, err
	}
	arrays, err := m.scan()
	if err != nil {
		return nil, err
	}
	c := &contents{}
	for _, v := range arrays {
		c.names = append(c.names, v.name)
	}
	c.read = func(name string) (*Array, error) {
		i := slices.Index(c.names, name)
		if i < 0 {
			return nil, fs.ErrNotExist
		}
		return m.read(arrays[i])
	}
	return c, nil
}

// begin checks the header and finds the byte order.
func (m *matFile) begin() error {
	var head [matHeader]byte
	n, err := m.r.ReadAt(head[:], 0)
	text := string(head[:n])
	switch {
	case strings.HasPrefix(text, "MATLAB 7.3") || strings.HasPrefix(text, "\x89HDF"):
		return errors.New("a MATLAB v7.3 (HDF5) file, which is not read: in MATLAB use save(file, '-v7', …)")
	case n < matHeader && strings.HasPrefix(text, "MATLAB"):
		return errors.New("truncated: no MAT-file header")
	case n < matHeader:
		return errors.New("not a MATLAB v5 .mat file")
	case err != nil && err != io.EOF:
		return err
	case text[126:] == "IM":
		m.order = binary.LittleEndian
	case text[126:] == "MI":
		m.order = binary.BigEndian
	default:
		return errors.New("not a MATLAB v5 .mat file (v4 and older are not read)")
	}
	if version := m.order.Uint16(head[124:]); version != 0x0100 {
		return fmt.Errorf("unsupported MAT-file version %#04x: want 0x0100 (MATLAB v5 to v7)", version)
	}
	return nil
}

// scan reads what precedes the numbers of every array. Arrays without a name
// are MATLAB's own and left out.
func (m *matFile) scan() ([]matArray, error) {
	var arrays []matArray
	for at := int64(matHeader); at < m.size; {
		tag := make([]byte, 8)
		if _, err := m.r.ReadAt(tag, at); err != nil {
			return nil, readError(err, fmt.Sprintf("the element at byte %d has no tag", at))
		}
		kind, n := m.order.Uint32(tag), int64(m.order.Uint32(tag[4:]))
		v := matArray{offset: at + 8, size: n, compressed: kind == miCompressed}
		if n > m.size-v.offset {
			return nil, fmt.Errorf("truncated: the element at byte %d wants %d bytes, %d are there", at, n, m.size-v.offset)
		}
		at = v.offset + n
		if kind != miMatrix && kind != miCompressed {
			continue
		}
		if _, err := m.open(&v); err != nil {
			return nil, fmt.Errorf("the element at byte %d: %w", v.offset-8, readError(err, endsEarly))
		}
		if v.name != "" {
			arrays = append(arrays, v)
		}
	}
	return arrays, nil
}

// open reads an array up to its numbers, which the returned reader has next.
func (m *matFile) open(v *matArray) (io.Reader, error) {
	var r io.Reader = io.NewSectionReader(m.r, v.offset, v.size)
	if v.compressed {
		z, err := zlib.NewReader(r)
		if err != nil {
			return nil, err
		}
		var tag [8]byte
		if _, err := io.ReadFull(z, tag[:]); err != nil {
			return nil, err
		}
		if kind := m.order.Uint32(tag[:]); kind != miMatrix {
			return nil, fmt.Errorf("corrupt: a compressed element of type %d", kind)
		}
		r = z
	}
	const longest = 1 << 16
	flags, err := m.part(r, longest)
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
		dims, err := m.part(r, longest)
		if err != nil {
			return nil, err
		}
		for ; len(dims) >= 4; dims = dims[4:] {
			v.shape = append(v.shape, int(int32(m.order.Uint32(dims))))
		}
	}
	name, err := m.part(r, longest)
	v.name = string(name)
	return r, err
}

// read reads the numbers of an array.
func (m *matFile) read(v matArray) (*Array, error) {
	if v.class < matDouble || v.class > matUint64 || v.complex {
		what := matClasses[v.class]
		if v.complex {
			what = "complex " + what
		}
		return nil, &unsupportedError{What: what + ": want an array of real numbers"}
	}
	n, err := sizeOf(v.shape)
	if err != nil {
		return nil, err
	}
	r, err := m.open(&v)
	if err != nil {
		return nil, readError(err, endsEarly)
	}
	kind, bytes, small, err := m.tag(r)
	if err != nil {
		return nil, readError(err, endsEarly)
	}
	if int(kind) >= len(matNumbers) || matNumbers[kind].size == 0 {
		return nil, fmt.Errorf("corrupt: numbers of element type %d", kind)
	}
	t := matNumbers[kind]
	t.order = m.order
	if bytes/int64(t.size) != int64(n) || bytes%int64(t.size) != 0 {
		return nil, fmt.Errorf("corrupt: shape %s wants %d numbers of %d bytes, %d bytes are there", ShapeString(v.shape), n, t.size, bytes)
	}
	believable := v.size
	if v.compressed {
		believable = 0
	} else if bytes > v.size {
		return nil, fmt.Errorf("truncated: want %d bytes, %d are there", bytes, v.size)
	}
	if small != nil {
		r = strings.NewReader(string(small))
	}
	data, err := t.read(r, n, believable)
	if err != nil {
		return nil, readError(err, endsEarly)
	}
	if v.compressed {
		// The checksum is verified at the end, after at most some padding.
		if _, err := io.CopyN(io.Discard, r, 64); err != nil && err != io.EOF {
			return nil, readError(err, endsEarly)
		}
	}
	return fromColumnMajor(data, v.shape)
}

// tag reads the tag of an element. Up to 4 bytes of data come within the tag:
// then small is not nil and is the data.
func (m *matFile) tag(r io.Reader) (kind uint32, bytes int64, small []byte, err error) {
	var tag [8]byte
	if _, err := io.ReadFull(r, tag[:]); err != nil {
		return 0, 0, nil, err
	}
	kind = m.order.Uint32(tag[:])
	if n := kind >> 16; n != 0 {
		if n > 4 {
			return 0, 0, nil, fmt.Errorf("corrupt: a small element of %d bytes", n)
		}
		return kind & 0xffff, int64(n), tag[4 : 4+n], nil
	}
	return kind, int64(m.order.Uint32(tag[4:])), nil, nil
}

// part reads an element of at most longest bytes and the padding after it.
func (m *matFile) part(r io.Reader, longest int64) ([]byte, error) {
	_, n, small, err := m.tag(r)
	if err != nil || small != nil {
		return small, err
	}
	if n > longest {
		return nil, fmt.Errorf("corrupt: %d bytes of flags, dimensions or name", n)
	}
	data := make([]byte, (n+7)/8*8)
	_, err = io.ReadFull(r, data)
	return data[:n], err
}
