package hdf5

import (
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
)

// An Array is what [Write] writes: real numbers, or complex ones if Complex is not nil, in row-major order.
type Array struct {
	Path       string // such as "f" or "run1/f", of which the groups are made
	Shape      []int  // empty for one number
	Data       []float64
	Complex    []complex128
	Attributes map[string]string // such as units
}

// Write writes arrays, and attributes of the file itself, as h5py, MATLAB, R and every other HDF5 library from version
// 1.8 (2008) on read them: 64-bit floating point, complex numbers as compounds {r, i}, contiguous, uncompressed;
// attributes as strings of fixed length in UTF-8, which h5py gives as bytes. The same arrays give the same bytes. It needs no memory but for the names.
func Write(w io.Writer, arrays []Array, attributes map[string]string) error {
	if err := checkAttributes(attributes); err != nil {
		return err
	}
	root := &node{attributes: attributes}
	for i := range arrays {
		if err := root.insert(&arrays[i]); err != nil {
			return err
		}
	}
	// The sizes of headers do not depend on the addresses in them.
	at := root.place(superblockBytes)
	all := root.arrays(nil)
	for _, n := range all {
		n.data = (at + 7) / 8 * 8
		at = n.data + n.array.bytes()
	}
	head := superblock(root.at, at)
	head = root.appendTo(head)
	if _, err := w.Write(head); err != nil {
		return err
	}
	end := uint64(len(head))
	for _, n := range all {
		if _, err := w.Write(make([]byte, n.data-end)); err != nil {
			return err
		}
		if err := n.array.write(w); err != nil {
			return err
		}
		end = n.data + n.array.bytes()
	}
	return nil
}

const superblockBytes = 48

// superblock is of version 2, which 1.8 introduced.
func superblock(root, end uint64) []byte {
	b := append([]byte(signature), 2, 8, 8, 0)
	for _, address := range []uint64{0, undefined, end, root} {
		b = binary.LittleEndian.AppendUint64(b, address)
	}
	return binary.LittleEndian.AppendUint32(b, lookup3(b))
}

// A node is a group, or an array if it has one.
type node struct {
	array      *Array
	attributes map[string]string
	names      []string
	children   map[string]*node
	at, data   uint64 // of its header, of its numbers
}

// longest is how many bytes a name or a value may have: messages have a length of 16 bits.
const longest = 30000

// insert puts an array into the groups of its path.
func (n *node) insert(a *Array) error {
	size, ok := product(1, a.Shape)
	if !ok || len(a.Shape) > mostRank || a.Complex == nil && size != len(a.Data) || a.Complex != nil && (size != len(a.Complex) || a.Data != nil) {
		return fmt.Errorf("array %q: shape %v for %d numbers", a.Path, a.Shape, len(a.Data)+len(a.Complex))
	}
	names := strings.Split(a.Path, "/")
	for i, name := range names {
		if name == "" || name == "." || name == ".." || len(name) > longest || strings.Contains(name, "\x00") {
			return fmt.Errorf("array %q: want a path such as run1/f", a.Path)
		}
		last := i == len(names)-1
		child := n.children[name]
		if child != nil && (last || child.array != nil) {
			return fmt.Errorf("array %q: there is an array or a group of that name already", a.Path)
		}
		if child == nil {
			child = &node{}
			if n.children == nil {
				n.children = map[string]*node{}
			}
			n.names, n.children[name] = append(n.names, name), child
		}
		n = child
	}
	n.array, n.attributes = a, a.Attributes
	if err := checkAttributes(a.Attributes); err != nil {
		return fmt.Errorf("array %q: %w", a.Path, err)
	}
	return nil
}

func checkAttributes(attributes map[string]string) error {
	for name, value := range attributes {
		if name == "" || len(name) > longest || len(value) > longest || strings.Contains(name+value, "\x00") {
			return fmt.Errorf("attribute %.40q: want a name, and at most %d bytes of text", name, longest)
		}
	}
	return nil
}

// place gives the header of a node and of all below it their addresses, from at on, and returns where they end.
func (n *node) place(at uint64) uint64 {
	n.at = at
	at += uint64(len(n.header()))
	for _, name := range n.names {
		at = n.children[name].place(at)
	}
	return at
}

// appendTo appends the header of a node and of all below it.
func (n *node) appendTo(b []byte) []byte {
	b = append(b, n.header()...)
	for _, name := range n.names {
		b = n.children[name].appendTo(b)
	}
	return b
}

// arrays lists the nodes with arrays in the order of their headers.
func (n *node) arrays(all []*node) []*node {
	if n.array != nil {
		return append(all, n)
	}
	for _, name := range n.names {
		all = n.children[name].arrays(all)
	}
	return all
}

// header is the object header, of version 2.
func (n *node) header() []byte {
	var body []byte
	little := binary.LittleEndian
	add := func(kind byte, data []byte) {
		body = append(body, kind)
		body = little.AppendUint16(body, uint16(len(data)))
		body = append(append(body, 0), data...)
	}
	if a := n.array; a != nil {
		add(msgDataspace, a.space())
		add(msgDatatype, a.datatype())
		add(msgFill, []byte{3, 0x0a}) // zero, for space that is taken when there are numbers
		address := n.data
		if a.bytes() == 0 {
			address = undefined
		}
		layout := little.AppendUint64([]byte{3, layoutContiguous}, address)
		add(msgLayout, little.AppendUint64(layout, a.bytes()))
	} else {
		info := little.AppendUint64([]byte{0, 0}, undefined)
		add(msgLinkInfo, little.AppendUint64(info, undefined))
		add(msgGroupInfo, []byte{0, 0})
		for _, name := range n.names {
			link := little.AppendUint16([]byte{1, 0x11, 1}, uint16(len(name))) // UTF-8, length in two bytes
			add(msgLink, little.AppendUint64(append(link, name...), n.children[name].at))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(n.attributes)) {
		add(msgAttribute, textAttribute(name, n.attributes[name]))
	}
	b := little.AppendUint32(append([]byte("OHDR"), 2, 2), uint32(len(body)))
	b = append(b, body...)
	return little.AppendUint32(b, lookup3(b))
}

const msgGroupInfo = 0x0a

// textAttribute is an attribute that is one string in UTF-8 that a zero byte ends.
func textAttribute(name, value string) []byte {
	little := binary.LittleEndian
	b := []byte{3, 0}
	b = little.AppendUint16(b, uint16(len(name)+1))
	b = little.AppendUint16(b, 8)
	b = little.AppendUint16(b, 4)
	b = append(append(append(b, 1), name...), 0)
	b = little.AppendUint32(append(b, 0x10|byte(classString), 0x10, 0, 0), uint32(len(value)+1))
	b = append(b, 2, 0, 0, 0) // one element
	return append(append(b, value...), 0)
}

func (a *Array) space() []byte {
	if len(a.Shape) == 0 {
		return []byte{2, 0, 0, 0}
	}
	b := []byte{2, byte(len(a.Shape)), 0, 1}
	for _, n := range a.Shape {
		b = binary.LittleEndian.AppendUint64(b, uint64(n))
	}
	return b
}

// float64Type is IEEE 754 with 64 bits, little-endian.
var float64Type = []byte{0x10 | byte(classFloat), 0x20, 63, 0, 8, 0, 0, 0, 0, 0, 64, 0, 52, 11, 0, 52, 0xff, 3, 0, 0}

func (a *Array) datatype() []byte {
	if a.Complex == nil {
		return float64Type
	}
	b := []byte{0x30 | byte(classCompound), 2, 0, 0, 16, 0, 0, 0}
	b = append(append(b, 'r', 0, 0), float64Type...)
	return append(append(b, 'i', 0, 8), float64Type...)
}

func (a *Array) bytes() uint64 { return 8*uint64(len(a.Data)) + 16*uint64(len(a.Complex)) }

// write writes the numbers.
func (a *Array) write(w io.Writer) error {
	const piece = 1 << 13
	buf := make([]byte, 0, 8*piece)
	for data := a.Data; len(data) > 0; {
		n := min(len(data), piece)
		buf = buf[:0]
		for _, x := range data[:n] {
			buf = binary.LittleEndian.AppendUint64(buf, math.Float64bits(x))
		}
		if _, err := w.Write(buf); err != nil {
			return err
		}
		data = data[n:]
	}
	for data := a.Complex; len(data) > 0; {
		n := min(len(data), piece/2)
		buf = buf[:0]
		for _, z := range data[:n] {
			buf = binary.LittleEndian.AppendUint64(buf, math.Float64bits(real(z)))
			buf = binary.LittleEndian.AppendUint64(buf, math.Float64bits(imag(z)))
		}
		if _, err := w.Write(buf); err != nil {
			return err
		}
		data = data[n:]
	}
	return nil
}
