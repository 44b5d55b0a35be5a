package array

import (
	"archive/zip"
	"compress/flate"
	"compress/zlib"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
)

// A number is how one real number is stored in a binary file. int64 and uint64
// beyond 2^53 are rounded to the nearest float64.
type number struct {
	kind  byte // 'f' floating point, 'i' signed, 'u' unsigned, 'b' truth value
	size  int  // bytes
	order binary.ByteOrder
}

func (t number) supported() bool {
	switch t.kind {
	case 'f':
		return t.size == 4 || t.size == 8
	case 'i', 'u':
		return t.size == 1 || t.size == 2 || t.size == 4 || t.size == 8
	case 'b':
		return t.size == 1
	}
	return false
}

// decode appends the numbers in src, whose length is a multiple of the size; it
// may reorder the bytes of src.
func (t number) decode(dst []float64, src []byte) []float64 {
	if t.order == binary.BigEndian {
		for i := 0; i < len(src); i += t.size {
			slices.Reverse(src[i : i+t.size])
		}
	}
	value := t.value()
	switch little := binary.LittleEndian; t.size {
	case 1:
		for _, b := range src {
			dst = append(dst, value(uint64(b)))
		}
	case 2:
		for ; len(src) > 0; src = src[2:] {
			dst = append(dst, value(uint64(little.Uint16(src))))
		}
	case 4:
		for ; len(src) > 0; src = src[4:] {
			dst = append(dst, value(uint64(little.Uint32(src))))
		}
	case 8:
		for ; len(src) > 0; src = src[8:] {
			dst = append(dst, value(little.Uint64(src)))
		}
	}
	return dst
}

// value returns the function from the bits of a number, zero-extended, to it.
func (t number) value() func(bits uint64) float64 {
	switch {
	case t.kind == 'f' && t.size == 8:
		return math.Float64frombits
	case t.kind == 'f':
		return func(bits uint64) float64 { return float64(math.Float32frombits(uint32(bits))) }
	case t.kind == 'i':
		unused := 64 - 8*t.size
		return func(bits uint64) float64 { return float64(int64(bits<<unused) >> unused) }
	case t.kind == 'b':
		return func(bits uint64) float64 { return float64(min(bits, 1)) }
	}
	return func(bits uint64) float64 { return float64(bits) }
}

// read decodes n numbers from r. Of the memory they need, only what believable
// bytes of r justify is allocated at once; the rest grows with what is read.
func (t number) read(r io.Reader, n int, believable int64) ([]float64, error) {
	dst := make([]float64, 0, min(int64(n), max(0, believable)/int64(t.size)+1))
	buf := make([]byte, 1<<15)
	for len(dst) < n {
		chunk := buf[:min(len(buf), (n-len(dst))*t.size)]
		got, err := io.ReadFull(r, chunk)
		dst = t.decode(dst, chunk[:got-got%t.size])
		if err != nil {
			return nil, readError(err, fmt.Sprintf("want %d numbers, found %d", n, len(dst)))
		}
	}
	return dst, nil
}

// readError explains a failure in the middle of something: the end of the file,
// or compressed data that make no sense. Other errors pass.
func readError(err error, detail string) error {
	var deflate flate.CorruptInputError
	switch {
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("truncated: " + detail)
	case errors.Is(err, zip.ErrChecksum) || errors.Is(err, zlib.ErrChecksum):
		return errors.New("corrupt: wrong checksum")
	case errors.As(err, &deflate) || errors.Is(err, zlib.ErrHeader) || errors.Is(err, zlib.ErrDictionary):
		return errors.New("corrupt: the compressed data make no sense")
	}
	return err
}

// fromColumnMajor returns data, stored with the first index fastest (Fortran,
// MATLAB), as an array of the given shape.
func fromColumnMajor(data []float64, shape []int) (*Array, error) {
	reversed := make([]int, len(shape))
	for k, n := range shape {
		reversed[len(shape)-1-k] = n
	}
	a, err := Of(data, reversed...)
	if err != nil {
		return nil, err
	}
	if len(shape) == 1 {
		return a, nil
	}
	return a.Transpose(context.Background())
}
