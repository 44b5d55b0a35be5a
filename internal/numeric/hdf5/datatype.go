package hdf5

import (
	"fmt"
	"strings"
)

// A class is a kind of datatype.
type class int

const (
	classInteger class = iota
	classFloat
	classTime
	classString
	classBits
	classOpaque
	classCompound
	classReference
	classEnum
	classVariable
	classArray
	classComplex
)

// A datatype says what the bytes of an element mean.
type datatype struct {
	class  class
	size   int  // bytes of an element
	big    bool // byte order
	signed bool
	// Of the bits of an integer or a floating-point number, those from offset on, in the number precision.
	offset, precision int
	float             layoutOfFloat
	text              bool // variable length: of characters
	padding           int  // strings: 0 ends at a zero byte, 1 zero bytes, 2 spaces
	dims              []int
	base              *datatype // of variable length, array, enumeration
	members           []member
}

// layoutOfFloat says which bits are what, counted from the lowest.
type layoutOfFloat struct {
	sign, exponent, exponentBits, mantissa, mantissaBits int
	bias                                                 uint64
	implied                                              bool // the leading one is not stored
}

// A member is a part of a compound.
type member struct {
	name   string
	offset int
	of     *datatype
}

// deepest is how many types may be within one another.
const deepest = 32

// datatype reads a type, leaving the cursor behind it.
func (c *cursor) datatype(depth int) (*datatype, error) {
	if depth > deepest {
		return nil, corrupt("types nested more than %d deep", deepest)
	}
	word := c.u8()
	version := word >> 4
	flags := c.uint(3)
	size := c.u32()
	t := &datatype{class: class(word & 15), size: int(size), big: flags&1 != 0}
	if c.failed() != nil {
		return nil, c.failed()
	}
	if size == 0 || size > 1<<31-1 {
		return nil, corrupt("a type of %d bytes", size)
	}
	err := c.properties(t, version, flags, depth)
	if err == nil {
		err = c.failed()
	}
	return t, err
}

// properties reads what follows the size of a type.
func (c *cursor) properties(t *datatype, version int, flags uint64, depth int) (err error) {
	switch t.class {
	case classInteger, classBits:
		t.signed = t.class == classInteger && flags&8 != 0
		t.offset, t.precision = c.u16(), c.u16()
		if t.precision == 0 || t.offset+t.precision > 8*t.size {
			return corrupt("an integer of %d bits from bit %d on in %d bytes", t.precision, t.offset, t.size)
		}
	case classFloat:
		return c.floatLayout(t, flags)
	case classTime:
		c.skip(2)
	case classString:
		t.padding = int(flags & 15)
	case classOpaque:
		c.skip((int(flags&255) + 7) / 8 * 8)
	case classCompound:
		return c.compound(t, version, int(flags&0xffff), depth)
	case classReference:
	case classEnum:
		return c.enumeration(t, version, int(flags&0xffff), depth)
	case classVariable:
		t.text = flags&15 == 1
		t.base, err = c.datatype(depth + 1)
	case classArray:
		return c.arrayOf(t, version, depth)
	case classComplex:
		t.base, err = c.datatype(depth + 1)
		if err == nil && t.size != 2*t.base.size {
			err = corrupt("complex numbers of %d bytes", t.size)
		}
	default:
		return unsupported("a type of class %d", t.class)
	}
	return err
}

func (c *cursor) floatLayout(t *datatype, flags uint64) error {
	t.offset, t.precision = c.u16(), c.u16()
	t.float = layoutOfFloat{sign: int(flags >> 8 & 255), implied: flags>>4&3 == 2}
	f := &t.float
	f.exponent, f.exponentBits, f.mantissa, f.mantissaBits = c.u8(), c.u8(), c.u8(), c.u8()
	f.bias = c.u32()
	most := 8 * t.size
	if f.sign >= most || f.exponent+f.exponentBits > most || f.mantissa+f.mantissaBits > most {
		return corrupt("a floating-point type with bits beyond its %d bytes", t.size)
	}
	if flags&0x40 != 0 {
		return unsupported("floating-point numbers of a VAX")
	}
	return nil
}

func (c *cursor) compound(t *datatype, version, count, depth int) (err error) {
	for range count {
		begin := c.at
		m := member{name: c.text()}
		if version < 3 {
			c.pad(begin)
			m.offset = int(c.u32())
		} else {
			m.offset = int(c.uint(bytesFor(uint64(t.size))))
		}
		var dims []int
		if version == 1 {
			rank := c.u8()
			c.skip(3 + 4 + 4)
			for k := range 4 {
				if n := int(c.u32()); k < rank {
					dims = append(dims, n)
				}
			}
		}
		if m.of, err = c.datatype(depth + 1); err != nil {
			return err
		}
		if dims != nil {
			array := &datatype{class: classArray, dims: dims, base: m.of}
			if err := array.measure(); err != nil {
				return err
			}
			m.of = array
		}
		if m.offset < 0 || m.of.size > t.size || m.offset > t.size-m.of.size {
			return corrupt("member %q is beyond the %d bytes of its compound", m.name, t.size)
		}
		t.members = append(t.members, m)
	}
	return nil
}

// enumeration reads the type of the values; their names are left behind.
func (c *cursor) enumeration(t *datatype, version, count, depth int) (err error) {
	if t.base, err = c.datatype(depth + 1); err != nil {
		return err
	}
	for range count {
		begin := c.at
		name := c.text()
		t.members = append(t.members, member{name: name})
		if version < 3 {
			c.pad(begin)
		}
		if c.failed() != nil {
			return c.failed()
		}
	}
	c.skip(count * min(t.base.size, 8))
	if t.base.class != classInteger || t.base.size != t.size {
		return corrupt("an enumeration of %d bytes by values of %d", t.size, t.base.size)
	}
	return nil
}

func (c *cursor) arrayOf(t *datatype, version, depth int) (err error) {
	rank := c.u8()
	if version < 3 {
		c.skip(3)
	}
	for range rank {
		t.dims = append(t.dims, int(c.u32()))
	}
	if version < 3 {
		c.skip(4 * rank)
	}
	if t.base, err = c.datatype(depth + 1); err != nil {
		return err
	}
	size := t.size
	if err := t.measure(); err != nil || t.size != size {
		return corrupt("an array of %v elements of %d bytes in %d", t.dims, t.base.size, size)
	}
	return nil
}

// measure gives an array type its size.
func (t *datatype) measure() error {
	n, ok := product(t.base.size, t.dims)
	if !ok || n == 0 || n > 1<<31-1 {
		return corrupt("a type of %v elements", t.dims)
	}
	t.size = n
	return nil
}

// isBool reports that the type is the enumeration FALSE, TRUE that truth values are stored as.
func (t *datatype) isBool() bool {
	return t.class == classEnum && len(t.members) == 2 && strings.EqualFold(t.members[0].name, "FALSE") &&
		strings.EqualFold(t.members[1].name, "TRUE")
}

// real returns the type of the real numbers that elements are made of, and how many there are in each: 1, 2 for a
// complex number, 0 if elements are not numbers.
func (t *datatype) real() (of *datatype, count int) {
	switch {
	case t.class == classEnum:
		return t.base, 1
	case t.class == classInteger, t.class == classFloat, t.class == classBits:
		if t.size > 8 {
			return nil, 0
		}
		return t, 1
	case t.class == classComplex:
		if of, n := t.base.real(); n == 1 {
			return of, 2
		}
	case t.class == classCompound && len(t.members) == 2 && t.isComplex():
		return t.members[0].of, 2
	}
	return nil, 0
}

// isComplex reports that the compound is a real and an imaginary part of the same type, one behind the other.
func (t *datatype) isComplex() bool {
	re, im := t.members[0], t.members[1]
	_, n := re.of.real()
	first, second := strings.ToLower(re.name), strings.ToLower(im.name)
	return n == 1 && (first == "r" && second == "i" || first == "re" && second == "im" || first == "real" && second == "imag") &&
		re.of.class == im.of.class && re.of.size == im.of.size && re.of.big == im.of.big && re.of.float == im.of.float &&
		re.of.signed == im.of.signed && re.of.offset == im.of.offset && re.of.precision == im.of.precision &&
		re.offset == 0 && im.offset == re.of.size && t.size == 2*re.of.size
}

// String says what elements are, as an error or a list names it.
func (t *datatype) String() string {
	order := ""
	if t.big && t.size > 1 {
		order = " (big-endian)"
	}
	switch t.class {
	case classInteger, classBits:
		if t.signed {
			return fmt.Sprintf("int%d%s", 8*t.size, order)
		}
		return fmt.Sprintf("uint%d%s", 8*t.size, order)
	case classFloat:
		return fmt.Sprintf("float%d%s", 8*t.size, order)
	case classTime:
		return "times"
	case classString:
		return "text"
	case classOpaque:
		return "opaque bytes"
	case classReference:
		return "references to other objects"
	case classEnum:
		if t.isBool() {
			return "bool"
		}
		return "enumeration of " + t.base.String()
	case classVariable:
		if t.text {
			return "text"
		}
		return "lists of different lengths of " + t.base.String()
	case classArray:
		return fmt.Sprintf("arrays of %d %s", t.size/t.base.size, t.base)
	case classComplex:
		return "complex " + t.base.String()
	}
	if of, n := t.real(); n == 2 {
		return "complex " + of.String()
	}
	var names []string
	for _, m := range t.members {
		names = append(names, m.name)
	}
	return "records with the members " + strings.Join(names, ", ")
}

// product multiplies sizes; ok is false where that is more than an int holds.
func product(n int, dims []int) (int, bool) {
	for _, d := range dims {
		if d < 0 || d != 0 && n > (1<<62)/d {
			return 0, false
		}
		n *= d
	}
	return n, true
}
