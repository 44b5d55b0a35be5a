package array

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"strconv"
	"strings"
)

// The .npy format: NumPy Enhancement Proposal 1 and numpy.lib.format. A magic
// string, a version, the length of a header, the header (a Python dictionary
// with the type, the order and the shape), then the numbers.
const npyMagic = "\x93NUMPY"

func openNPY(r io.ReaderAt, size int64, base string) (*contents, error) {
	return &contents{
		names: []string{base},
		read: func(name string) (*Array, error) {
			if name != base {
				return nil, fs.ErrNotExist
			}
			return readNPY(io.NewSectionReader(r, 0, size), size, size)
		},
	}, nil
}

// readNPY reads an array from a stream said to be size bytes long, of which
// believable are sure to be there (see number.read). Scalars get shape {1}.
func readNPY(r io.Reader, size, believable int64) (*Array, error) {
	header, length, err := npyHeader(r, size)
	if err != nil {
		return nil, err
	}
	h, err := parseNPYHeader(header)
	if err != nil {
		return nil, err
	}
	if len(h.shape) == 0 {
		h.shape = []int{1}
	}
	t, err := numberOf(h.descr)
	if err != nil {
		return nil, err
	}
	n, err := sizeOf(h.shape)
	if err != nil {
		return nil, err
	}
	if payload := size - int64(length); int64(n) > payload/int64(t.size) {
		return nil, fmt.Errorf("truncated: shape %s wants %d numbers of %d bytes, %d bytes are there",
			ShapeString(h.shape), n, t.size, payload)
	}
	data, err := t.read(r, n, believable)
	if err != nil {
		return nil, err
	}
	if h.fortran {
		return fromColumnMajor(data, h.shape)
	}
	return Of(data, h.shape...)
}

// npyHeader returns the dictionary and the number of bytes up to its end.
func npyHeader(r io.Reader, size int64) (header string, length int, err error) {
	var fixed [8]byte
	if _, err := io.ReadFull(r, fixed[:]); err != nil {
		return "", 0, readError(err, "no .npy header")
	}
	if string(fixed[:6]) != npyMagic {
		return "", 0, errors.New("not a .npy file (it does not begin with \\x93NUMPY)")
	}
	wide := 4
	switch fixed[6] {
	case 1:
		wide = 2
	case 2, 3:
	default:
		return "", 0, fmt.Errorf("unsupported .npy version %d.%d: want 1, 2 or 3", fixed[6], fixed[7])
	}
	var field [4]byte
	if _, err := io.ReadFull(r, field[:wide]); err != nil {
		return "", 0, readError(err, "no .npy header")
	}
	n := binary.LittleEndian.Uint32(field[:])
	length = len(fixed) + wide
	if int64(n) > size-int64(length) || n > 1<<20 {
		return "", 0, fmt.Errorf("truncated: the header is said to be %d bytes long", n)
	}
	text := make([]byte, n)
	if _, err := io.ReadFull(r, text); err != nil {
		return "", 0, readError(err, "the header ends early")
	}
	return string(text), length + len(text), nil
}

// numberOf understands NumPy's type strings: order (< > | =), kind, bytes.
func numberOf(descr string) (number, error) {
	unsupported := &unsupportedError{fmt.Sprintf("dtype %s: want float32, float64, an integer type or bool", descr)}
	if len(descr) < 3 {
		return number{}, unsupported
	}
	t := number{kind: descr[1], order: binary.LittleEndian}
	if descr[0] == '>' {
		t.order = binary.BigEndian
	}
	size, err := strconv.Atoi(descr[2:])
	if t.size = size; err != nil || !strings.Contains("<>|=", descr[:1]) || !t.supported() {
		return number{}, unsupported
	}
	return t, nil
}

func saveNPY(w io.Writer, extension string, m Members) error {
	a, err := m.only(extension)
	if err != nil {
		return err
	}
	return writeNPY(w, a)
}

// writeNPY writes what numpy.save does: version 1.0, little-endian float64 in C
// order, the data aligned to 64 bytes.
func writeNPY(w io.Writer, a *Array) error {
	var shape strings.Builder
	for k, n := range a.Shape {
		if k > 0 {
			shape.WriteByte(' ')
		}
		fmt.Fprintf(&shape, "%d,", n)
	}
	tuple := shape.String()
	if len(a.Shape) > 1 {
		tuple = strings.TrimSuffix(tuple, ",")
	}
	header := "{'descr': '<f8', 'fortran_order': False, 'shape': (" + tuple + "), }"
	const before = len(npyMagic) + 4
	header += strings.Repeat(" ", 63-(before+len(header))%64) + "\n"
	if len(header) > math.MaxUint16 {
		return fmt.Errorf("rank %d: too many axes for a .npy header", a.Rank())
	}
	head := binary.LittleEndian.AppendUint16([]byte(npyMagic+"\x01\x00"), uint16(len(header)))
	if _, err := w.Write(append(head, header...)); err != nil {
		return err
	}
	buf := make([]byte, 0, 1<<15)
	for i, x := range a.Data {
		buf = binary.LittleEndian.AppendUint64(buf, math.Float64bits(x))
		if len(buf) == cap(buf) || i == len(a.Data)-1 {
			if _, err := w.Write(buf); err != nil {
				return err
			}
			buf = buf[:0]
		}
	}
	return nil
}
