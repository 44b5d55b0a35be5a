package hdf5

import (
	"encoding/binary"
	"math"
)

// decode reads len(dst) real numbers of type t, count in each element of src; the first of an element is at its
// beginning, and elements are stride bytes apart.
func (t *datatype) decode(dst []float64, src []byte, stride, count int) error {
	one, err := t.decoder()
	if err != nil {
		return err
	}
	if stride == t.size*count {
		one(dst, src)
		return nil
	}
	for i := 0; i < len(dst); i += count {
		one(dst[i:i+count], src)
		src = src[min(stride, len(src)):]
	}
	return nil
}

// decoder returns what reads numbers that follow one another.
func (t *datatype) decoder() (func(dst []float64, src []byte), error) {
	if t.class == classFloat {
		return t.floatDecoder()
	}
	if t.class == classEnum {
		return t.base.decoder()
	}
	if t.offset == 0 && t.precision == 8*t.size && !t.big {
		if f := wholeDecoder(t.size, t.signed); f != nil {
			return f, nil
		}
	}
	high := 64 - t.precision
	return t.each(func(bits uint64) float64 {
		bits = bits >> t.offset << high
		if t.signed {
			return float64(int64(bits) >> high)
		}
		return float64(bits >> high)
	}), nil
}

// wholeDecoder reads little-endian integers that fill their bytes.
func wholeDecoder(size int, signed bool) func(dst []float64, src []byte) {
	little := binary.LittleEndian
	switch {
	case size == 2 && signed:
		return func(dst []float64, src []byte) {
			for i := range dst {
				dst[i] = float64(int16(little.Uint16(src[2*i:])))
			}
		}
	case size == 4 && signed:
		return func(dst []float64, src []byte) {
			for i := range dst {
				dst[i] = float64(int32(little.Uint32(src[4*i:])))
			}
		}
	case size == 8 && signed:
		return func(dst []float64, src []byte) {
			for i := range dst {
				dst[i] = float64(int64(little.Uint64(src[8*i:])))
			}
		}
	case size == 1 && !signed:
		return func(dst []float64, src []byte) {
			for i, b := range src[:len(dst)] {
				dst[i] = float64(b)
			}
		}
	}
	return nil
}

// The layouts of IEEE 754.
var (
	single = layoutOfFloat{sign: 31, exponent: 23, exponentBits: 8, mantissaBits: 23, bias: 127, implied: true}
	double = layoutOfFloat{sign: 63, exponent: 52, exponentBits: 11, mantissaBits: 52, bias: 1023, implied: true}
)

func (t *datatype) floatDecoder() (func(dst []float64, src []byte), error) {
	little := binary.LittleEndian
	switch {
	case t.size == 8 && t.float == double && !t.big:
		return func(dst []float64, src []byte) {
			for ; len(dst) >= 4 && len(src) >= 32; dst, src = dst[4:], src[32:] {
				dst[0] = math.Float64frombits(little.Uint64(src))
				dst[1] = math.Float64frombits(little.Uint64(src[8:]))
				dst[2] = math.Float64frombits(little.Uint64(src[16:]))
				dst[3] = math.Float64frombits(little.Uint64(src[24:]))
			}
			for i := range dst {
				dst[i] = math.Float64frombits(little.Uint64(src[8*i:]))
			}
		}, nil
	case t.size == 4 && t.float == single && !t.big:
		return func(dst []float64, src []byte) {
			for i := range dst {
				dst[i] = float64(math.Float32frombits(little.Uint32(src[4*i:])))
			}
		}, nil
	case t.size == 8 && t.float == double:
		return t.each(math.Float64frombits), nil
	case t.size == 4 && t.float == single:
		return t.each(func(bits uint64) float64 { return float64(math.Float32frombits(uint32(bits))) }), nil
	}
	if f := t.float; t.size > 8 || !f.implied || f.exponentBits < 2 || f.exponentBits > 11 || f.mantissaBits > 52 || f.mantissaBits < 1 || f.bias > 1<<12 {
		return nil, unsupported("floating-point numbers of %d bytes: want IEEE 754 of 2, 4 or 8; save them as float64", t.size)
	}
	return t.each(t.float.value), nil
}

// value is the number of any layout with at most the exponents and digits of float64.
func (f layoutOfFloat) value(bits uint64) float64 {
	exponent := int(bits >> f.exponent & (1<<f.exponentBits - 1))
	mantissa := bits >> f.mantissa & (1<<f.mantissaBits - 1)
	negative := bits>>f.sign&1 != 0
	var x float64
	switch exponent {
	case 1<<f.exponentBits - 1:
		if x = math.Inf(1); mantissa != 0 {
			return math.NaN()
		}
	case 0:
		x = math.Ldexp(float64(mantissa), 1-int(f.bias)-f.mantissaBits)
	default:
		x = math.Ldexp(float64(mantissa|1<<f.mantissaBits), exponent-int(f.bias)-f.mantissaBits)
	}
	if negative {
		return -x
	}
	return x
}

// each reads numbers of up to 8 bytes in the byte order of the type, from their bits.
func (t *datatype) each(value func(bits uint64) float64) func(dst []float64, src []byte) {
	size := t.size
	if size == 8 && t.big {
		return func(dst []float64, src []byte) {
			for i := range dst {
				dst[i] = value(binary.BigEndian.Uint64(src[8*i:]))
			}
		}
	}
	return func(dst []float64, src []byte) {
		for i := range dst {
			var bits uint64
			for k, b := range src[i*size : (i+1)*size] {
				if t.big {
					bits = bits<<8 | uint64(b)
				} else {
					bits |= uint64(b) << (8 * k)
				}
			}
			dst[i] = value(bits)
		}
	}
}
