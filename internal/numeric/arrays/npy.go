package arrays

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/numeric/array"
)

// The .npy format: NumPy Enhancement Proposal 1 and numpy.lib.format. A magic
// string, a version, the length of a header, the header (a Python dictionary
// with the type, the order and the shape), then the numbers.
const npyMagic = "\x93NUMPY"

func openNPY(r io.ReaderAt, size int64, base string) (*contents, error) {
	return &contents{
		names: []string{base},
		read: func(name string) (*array.Array, error) {
			if name != base {
				return nil, fs.ErrNotExist
			}
			b, err := bytesOf(r, 0, size)
			if err != nil {
				return nil, err
			}
			return readNPY(contextOf(r), b)
		},
		complex: func(name string) (*Complex, error) {
			if name != base {
				return nil, fs.ErrNotExist
			}
			b, err := bytesOf(r, 0, size)
			if err != nil {
				return nil, err
			}
			return readComplexNPY(contextOf(r), b)
		},
	}, nil
}

// readNPY reads an array from the bytes of a file, whose memory it may be in afterwards.
// Scalars get shape {1}.
func readNPY(ctx context.Context, b []byte) (*array.Array, error) {
	data, h, err := readNumbers(ctx, b, 1)
	if err != nil {
		return nil, err
	}
	if h.fortran {
		return fromColumnMajor(ctx, data, h.shape)
	}
	return array.Of(data, h.shape...)
}

// readComplexNPY is readNPY for complex numbers, each stored as two real ones.
func readComplexNPY(ctx context.Context, b []byte) (*Complex, error) {
	data, h, err := readNumbers(ctx, b, 2)
	if err != nil {
		return nil, err
	}
	z := make([]complex128, len(data)/2)
	for i := range z {
		z[i] = complex(data[2*i], data[2*i+1])
	}
	if !h.fortran {
		return ComplexOf(z, h.shape...)
	}
	return complexFromColumnMajor(ctx, z, h.shape)
}

// complexFromColumnMajor is [fromColumnMajor] for complex numbers.
func complexFromColumnMajor(ctx context.Context, z []complex128, shape []int) (*Complex, error) {
	reversed := slices.Clone(shape)
	slices.Reverse(reversed)
	out, err := ComplexOf(z, reversed...)
	if err != nil {
		return nil, err
	}
	return out.Transpose(ctx)
}

// readNumbers reads the header and the numbers, of which each element has 1, or 2
// if it is complex.
func readNumbers(ctx context.Context, b []byte, each int) ([]float64, npyDict, error) {
	header, length, err := npyHeader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return nil, npyDict{}, err
	}
	h, err := parseNPYHeader(header)
	if err != nil {
		return nil, h, err
	}
	if len(h.shape) == 0 {
		h.shape = []int{1}
	}
	descr := h.descr
	if each == 2 {
		descr = halfOf(descr)
	}
	t, err := numberOf(descr)
	if err != nil {
		if halfOf(h.descr) != h.descr {
			err = complexNumbers(fmt.Sprintf("dtype %s: complex numbers; want real ones", h.descr))
		}
		return nil, h, err
	}
	n, err := dense.SizeIn(h.shape, float64(each)*float64(t.size)/8)
	if err != nil {
		return nil, h, err
	}
	payload := b[length:]
	if n > len(payload)/(t.size*each) {
		return nil, h, fmt.Errorf("truncated: shape %s wants %d numbers of %d bytes, %d bytes are there",
			dense.ShapeString(h.shape), n, t.size*each, len(payload))
	}
	data, err := t.numbers(ctx, payload[:n*each*t.size])
	return data, h, err
}

// halfOf is the type of the parts of a complex number: <f8 for <c16.
func halfOf(descr string) string {
	for whole, half := range map[string]string{"c16": "f8", "c8": "f4"} {
		if len(descr) > 1 && descr[1:] == whole {
			return descr[:1] + half
		}
	}
	return descr
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
	if len(descr) < 3 || !strings.Contains("<>|=", descr[:1]) {
		return number{}, notNumbers(descr)
	}
	t := number{kind: descr[1], order: binary.LittleEndian}
	if descr[0] == '>' {
		t.order = binary.BigEndian
	}
	size, err := strconv.Atoi(descr[2:])
	if t.size = size; err != nil || !t.supported() {
		return number{}, notNumbers(descr)
	}
	return t, nil
}

// notNumbers says what a type of NumPy is that is not read, and how to save it otherwise.
func notNumbers(descr string) error {
	kind := strings.TrimLeft(descr, "<>|=")
	remedy := ": want float16 to float64, an integer type or bool"
	for _, other := range []struct{ begins, what string }{
		{"[", ", records: save each field by itself, numpy.savez(\"x.npz\", a=r[\"a\"], b=r[\"b\"])"},
		{"O", ", objects of Python, which are not read, as they can run programs: save numbers, numpy.save(\"x.npy\", a.astype(float))"},
		{"U", ", text: save numbers, numpy.save(\"x.npy\", a.astype(float))"},
		{"S", ", text: save numbers, numpy.save(\"x.npy\", a.astype(float))"},
		{"M", ", dates: save seconds since the first, (t - t[0]) / numpy.timedelta64(1, \"s\")"},
		{"m", ", times: save seconds, t / numpy.timedelta64(1, \"s\")"},
		{"f", ", more than 64 bits: save numpy.save(\"x.npy\", a.astype(float))"},
	} {
		if strings.HasPrefix(kind, other.begins) {
			remedy = other.what
			break
		}
	}
	return &unsupportedError{fmt.Sprintf("dtype %s%s", descr, remedy), false}
}

func saveNPY(w io.Writer, extension string, m Members) error {
	for _, z := range m.Complex {
		if len(m.Complex) == 1 && len(m.Arrays)+len(m.Texts) == 0 {
			return writeComplexNPY(w, z)
		}
	}
	a, err := m.only(extension)
	if err != nil {
		return err
	}
	return writeNPY(w, a)
}

// writeNPY writes what numpy.save does: version 1.0, little-endian float64 in C
// order, the data aligned to 64 bytes.
func writeNPY(w io.Writer, a *array.Array) error {
	return writeNumbers(w, "<f8", a.Shape, len(a.Data), func(i int) float64 { return a.Data[i] })
}

// writeComplexNPY is writeNPY for complex128.
func writeComplexNPY(w io.Writer, z *Complex) error {
	return writeNumbers(w, "<c16", z.Shape, 2*len(z.Data), func(i int) float64 {
		if i%2 == 0 {
			return real(z.Data[i/2])
		}
		return imag(z.Data[i/2])
	})
}

func writeNumbers(w io.Writer, descr string, lengths []int, n int, number func(i int) float64) error {
	var shape strings.Builder
	for k, n := range lengths {
		if k > 0 {
			shape.WriteByte(' ')
		}
		fmt.Fprintf(&shape, "%d,", n)
	}
	tuple := shape.String()
	if len(lengths) > 1 {
		tuple = strings.TrimSuffix(tuple, ",")
	}
	header := "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (" + tuple + "), }"
	const before = len(npyMagic) + 4
	header += strings.Repeat(" ", 63-(before+len(header))%64) + "\n"
	if len(header) > math.MaxUint16 {
		return fmt.Errorf("rank %d: too many axes for a .npy header", len(lengths))
	}
	head := binary.LittleEndian.AppendUint16([]byte(npyMagic+"\x01\x00"), uint16(len(header)))
	if _, err := w.Write(append(head, header...)); err != nil {
		return err
	}
	buf := make([]byte, 0, 1<<15)
	for i := range n {
		buf = binary.LittleEndian.AppendUint64(buf, math.Float64bits(number(i)))
		if len(buf) == cap(buf) || i == n-1 {
			if _, err := w.Write(buf); err != nil {
				return err
			}
			buf = buf[:0]
		}
	}
	return nil
}
