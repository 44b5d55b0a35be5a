package arrays

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// An Axis is what a file says about one axis of an array.
type Axis struct {
	Name        string // of the dimension; empty if it has none
	Coordinates string // name of the array with the coordinates along it; empty if there is none
}

// Axes describes the axes of an array as its file does (NetCDF and HDF5 with dimension scales); nil if the format
// has no names for axes.
func (f *File) Axes(name string) ([]Axis, error) {
	if f.axes == nil {
		return nil, nil
	}
	axes, err := f.axes(name)
	if err != nil {
		return nil, fmt.Errorf("%s: array %q: %w", f.path, name, err)
	}
	return axes, nil
}

// A packing is how the conventions of NetCDF store numbers ("NetCDF Climate and Forecast Metadata Conventions",
// section 8; NetCDF User's Guide, appendix A): as integers of a scale and an offset, with values that stand for
// missing ones.
type packing struct {
	kind      string // such as "int16"
	netcdf    bool   // NetCDF's own values for what was never written are missing too
	attribute func(name string) ([]float64, bool)
	unsigned  func() bool
}

// neverWritten are what NetCDF fills arrays with, by kind; bytes have none.
var neverWritten = map[string]float64{
	"int16": -32767, "uint16": 65535, "int32": -2147483647, "uint32": 4294967295,
	"int64": -9223372036854775806, "uint64": 18446744073709551614,
	"float32": float64(float32(9.9692099683868690e+36)), "float64": 9.9692099683868690e+36,
}

// unpack turns numbers as they are stored into those that are meant; missing ones become NaN.
func unpack(data []float64, p packing) error {
	kind, _, _ := strings.Cut(p.kind, " ")
	// What is missing is said in the numbers that are stored, and so is a range that is valid.
	missing, filled := p.attribute("_FillValue")
	if more, ok := p.attribute("missing_value"); ok {
		missing = append(slices.Clone(missing), more...)
	}
	if value, ok := neverWritten[kind]; ok && p.netcdf && !filled {
		missing = append(slices.Clone(missing), value)
	}
	lo, hi := math.Inf(-1), math.Inf(1)
	if v, ok := p.attribute("valid_range"); ok && len(v) == 2 {
		lo, hi = v[0], v[1]
	}
	if v, ok := p.attribute("valid_min"); ok && len(v) == 1 {
		lo = v[0]
	}
	if v, ok := p.attribute("valid_max"); ok && len(v) == 1 {
		hi = v[0]
	}
	scale, offset := 1.0, 0.0
	if v, ok := p.attribute("scale_factor"); ok && len(v) == 1 {
		scale = v[0]
	}
	if v, ok := p.attribute("add_offset"); ok && len(v) == 1 {
		offset = v[0]
	}
	if kind == "float32" { // attributes may be float64, and -999.9 is another number in single precision
		missing = slices.Clone(missing)
		for i, v := range missing {
			missing[i] = float64(float32(v))
		}
		lo, hi = float64(float32(lo)), float64(float32(hi))
	}
	wrap := 0.0
	if bits := strings.TrimPrefix(kind, "int"); bits != kind && p.unsigned() {
		var n int
		fmt.Sscan(bits, &n)
		wrap = math.Ldexp(1, n)
		for i := range missing {
			if missing[i] < 0 {
				missing[i] += wrap
			}
		}
	}
	if len(missing) == 0 && math.IsInf(lo, -1) && math.IsInf(hi, 1) && scale == 1 && offset == 0 && wrap == 0 {
		return nil
	}
	for i, x := range data {
		if x < 0 {
			x += wrap
		}
		if x < lo || x > hi || slices.Contains(missing, x) {
			data[i] = math.NaN()
		} else if data[i] = x; scale != 1 || offset != 0 {
			data[i] = x*scale + offset
		}
	}
	return nil
}
