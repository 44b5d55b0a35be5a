package zarr

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
)

// A kind is a type of elements.
type kind struct {
	name string // as in package hdf5
	size int
	big  bool
}

// kinds are the types that are read.
var kinds = []kind{
	{"bool", 1, false},
	{"int8", 1, false},
	{"int16", 2, false},
	{"int32", 4, false},
	{"int64", 8, false},
	{"uint8", 1, false},
	{"uint16", 2, false},
	{"uint32", 4, false},
	{"uint64", 8, false},
	{"float16", 2, false},
	{"float32", 4, false},
	{"float64", 8, false},
}

// toNPZ is how an array that is not read gets into a file that is.
const toNPZ = `in Python: z = zarr.open("x.zarr"); numpy.savez("x.npz", f=z["f"][...], u=z["u"][...])`

// kindOf2 reads a type of NumPy such as "<f8".
func kindOf2(dtype string) (kind, error) {
	if len(dtype) < 3 {
		return kind{}, corrupt("type %q", dtype)
	}
	bits := map[byte]string{'b': "bool", 'i': "int", 'u': "uint", 'f': "float"}[dtype[1]]
	if bits == "" {
		what := map[byte]string{'c': "complex numbers", 'S': "text", 'U': "text", 'O': "objects of Python", 'M': "dates", 'm': "intervals of time"}[dtype[1]]
		if what == "" {
			what = "elements"
		}
		return kind{}, unsupported("%s of type %s: want real numbers; %s", what, dtype, toNPZ)
	}
	if bits != "bool" {
		var size int
		fmt.Sscan(dtype[2:], &size)
		bits += fmt.Sprint(8 * size)
	}
	k, err := kindOf3(bits, dtype)
	k.big = dtype[0] == '>'
	return k, err
}

// kindOf3 finds a type by its name; said is what the description has.
func kindOf3(name string, said any) (kind, error) {
	i := slices.IndexFunc(kinds, func(k kind) bool { return k.name == name })
	if i < 0 {
		return kind{}, unsupported("elements of type %v: want real numbers; %s", said, toNPZ)
	}
	return kinds[i], nil
}

// value is an element.
func (k kind) value(b []byte) float64 {
	var order binary.ByteOrder = binary.LittleEndian
	if k.big {
		order = binary.BigEndian
	}
	switch k.name {
	case "float64":
		return math.Float64frombits(order.Uint64(b))
	case "float32":
		return float64(math.Float32frombits(order.Uint32(b)))
	case "int64":
		return float64(int64(order.Uint64(b)))
	case "uint64":
		return float64(order.Uint64(b))
	case "int32":
		return float64(int32(order.Uint32(b)))
	case "uint32":
		return float64(order.Uint32(b))
	case "int16":
		return float64(int16(order.Uint16(b)))
	case "uint16":
		return float64(order.Uint16(b))
	case "float16":
		return half(order.Uint16(b))
	case "int8":
		return float64(int8(b[0]))
	}
	return float64(b[0])
}

// half is a number of 16 bits (IEEE 754).
func half(h uint16) float64 {
	sign, exponent, fraction := 1-2*float64(h>>15), int(h>>10&31), float64(h&1023)
	switch exponent {
	case 0:
		return sign * math.Ldexp(fraction, -24)
	case 31:
		if fraction != 0 {
			return math.NaN()
		}
		return sign * math.Inf(1)
	}
	return sign * math.Ldexp(1024+fraction, exponent-25)
}
