package arrays

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// An Axis is what a file says about one axis of an array.
type Axis struct {
	Name        string // of the dimension; empty if it has none
	Coordinates string // name of the array with the coordinates along it; empty if there is none
}

// Attribute is what a file says about an array under a name, as text; "" if it says nothing there, or numbers.
func (f *File) Attribute(array, name string) string {
	if f.note == nil {
		return ""
	}
	return f.note(array, name)
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
	attribute func(name string) (note, bool)
	unsigned  func() bool
}

// A note is an attribute: numbers, of a kind such as "float64" where the file says so, or text.
type note struct {
	numbers []float64
	kind    string
	text    string // where there are no numbers
}

// one is an attribute that must be one number; the other number where there is none.
func (p packing) one(name string, other float64) (float64, error) {
	v, ok := p.attribute(name)
	switch {
	case !ok:
		return other, nil
	case v.numbers == nil:
		what := "neither a number nor text"
		if v.text != "" {
			what = fmt.Sprintf("the text %q", v.text)
		}
		return 0, fmt.Errorf("the attribute %s is %s: want one number; write it into the file as a number", name, what)
	case len(v.numbers) != 1:
		return 0, fmt.Errorf("the attribute %s has %d numbers, %v: want one, which is for all of the array; write the right one into the file", name, len(v.numbers), v.numbers)
	}
	return v.numbers[0], nil
}

// missing are the values that stand for missing ones by an attribute; text that is a number counts, and blanks say
// nothing.
func (p packing) missing(name string) (values []float64, there bool, err error) {
	v, ok := p.attribute(name)
	if !ok || v.numbers != nil {
		return slices.Clone(v.numbers), ok, nil
	}
	for _, word := range strings.FieldsFunc(v.text, func(r rune) bool { return r == ',' || r == ' ' || r == '\x00' }) {
		x, err := strconv.ParseFloat(word, 64)
		if err != nil {
			return nil, false, fmt.Errorf("the attribute %s is the text %q: want the number that stands for missing values; write it into the file as a number", name, v.text)
		}
		values = append(values, x)
	}
	return values, values != nil, nil
}

// limits are the least and the greatest stored value that is valid. Where numbers are packed as integers, limits of a
// floating type are those of the unpacked numbers, as netCDF-Java has it; so are fractions where no type is known.
func (p packing) limits(scale, offset float64) (lo, hi float64) {
	lo, hi = math.Inf(-1), math.Inf(1)
	unpacked := false
	take := func(name string, to ...*float64) {
		v, ok := p.attribute(name)
		if !ok || len(v.numbers) != len(to) {
			return
		}
		fraction := func(x float64) bool { return x != math.Trunc(x) }
		if strings.HasPrefix(v.kind, "float") || v.kind == "" && slices.ContainsFunc(v.numbers, fraction) {
			unpacked = true
		}
		for i := range to {
			*to[i] = v.numbers[i]
		}
	}
	take("valid_range", &lo, &hi)
	take("valid_min", &lo)
	take("valid_max", &hi)
	if !unpacked || !strings.Contains(p.kind, "int") || scale == 1 && offset == 0 {
		return lo, hi
	}
	if lo, hi = asStored(lo, scale, offset), asStored(hi, scale, offset); scale < 0 {
		lo, hi = hi, lo
	}
	return lo, hi
}

// asStored is a limit as it would be stored. Limits, scales and offsets were rounded when they were written, often to
// single precision: a limit that is a whole number but for that is this number.
func asStored(limit, scale, offset float64) float64 {
	at := (limit - offset) / scale
	whole := math.Round(at)
	if math.Abs(at-whole)*math.Abs(scale) <= 0x1p-22*(math.Abs(limit)+math.Abs(offset)) && math.Abs(at-whole) < 0.25 {
		return whole
	}
	return at
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
	missing, filled, err := p.missing("_FillValue")
	if err != nil {
		return err
	}
	more, _, err := p.missing("missing_value")
	if err != nil {
		return err
	}
	missing = append(missing, more...)
	if value, ok := neverWritten[kind]; ok && p.netcdf && !filled {
		missing = append(missing, value)
	}
	scale, err := p.one("scale_factor", 1)
	if err != nil {
		return err
	}
	offset, err := p.one("add_offset", 0)
	if err != nil {
		return err
	}
	lo, hi := p.limits(scale, offset)
	if kind == "float32" { // attributes may be float64, and -999.9 is another number in single precision
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
