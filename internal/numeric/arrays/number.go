package arrays

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"math"

	"github.com/greenbench/workbench/numeric/array"
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
		return t.size == 2 || t.size == 4 || t.size == 8
	case 'i', 'u':
		return t.size == 1 || t.size == 2 || t.size == 4 || t.size == 8
	case 'b':
		return t.size == 1
	}
	return false
}

// decode reads as many numbers as dst has from src.
func (t number) decode(dst []float64, src []byte) {
	src = src[:len(dst)*t.size]
	value, order := t.value(), t.order
	switch t.size {
	case 1:
		for i, b := range src {
			dst[i] = value(uint64(b))
		}
	case 2:
		for i := range dst {
			dst[i] = value(uint64(order.Uint16(src[2*i:])))
		}
	case 4:
		if t.kind == 'f' && order == binary.LittleEndian {
			for i := range dst {
				dst[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(src[4*i:])))
			}
			return
		}
		for i := range dst {
			dst[i] = value(uint64(order.Uint32(src[4*i:])))
		}
	case 8:
		for i := range dst {
			dst[i] = value(order.Uint64(src[8*i:]))
		}
	}
}

// value returns the function from the bits of a number, zero-extended, to it.
func (t number) value() func(bits uint64) float64 {
	switch {
	case t.kind == 'f' && t.size == 8:
		return math.Float64frombits
	case t.kind == 'f' && t.size == 2:
		return half
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

// half is a number of 16 bits: sign, 5 of exponent, 10 of fraction (IEEE 754 binary16).
func half(bits uint64) float64 {
	fraction, exponent := float64(bits&0x3ff), int(bits>>10&31)
	x := math.Ldexp(fraction, -24)
	switch {
	case exponent == 31 && fraction == 0:
		x = math.Inf(1)
	case exponent == 31:
		return math.NaN()
	case exponent > 0:
		x = math.Ldexp(fraction+1024, exponent-25)
	}
	if bits&0x8000 != 0 {
		return -x
	}
	return x
}

// readError explains the end of the file in the middle of something. Other errors pass.
func readError(err error, detail string) error {
	switch {
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("truncated: " + detail)
	}
	return err
}

// fromColumnMajor returns data, stored with the first index fastest (Fortran,
// MATLAB), as an array of the given shape.
func fromColumnMajor(ctx context.Context, data []float64, shape []int) (*array.Array, error) {
	reversed := make([]int, len(shape))
	for k, n := range shape {
		reversed[len(shape)-1-k] = n
	}
	a, err := array.Of(data, reversed...)
	if err != nil {
		return nil, err
	}
	if len(shape) == 1 {
		return a, nil
	}
	return Transpose(ctx, a)
}
