package hdf5

import (
	"bytes"
	"slices"
	"strings"
)

// An Attribute is a small array that belongs to a dataset or a group: of numbers or of strings.
type Attribute struct {
	Name    string
	Shape   []int  // empty for one value
	Kind    string // as [Dataset.Kind]
	Numbers []float64
	Strings []string
}

// An attribute is one as it is stored.
type attribute struct {
	name  string
	of    *datatype
	space *space
	data  []byte
}

// attributes reads those of an object.
func (h *header) attributes() ([]attribute, error) {
	var all []attribute
	for _, g := range h.messages {
		if g.kind != msgAttribute {
			continue
		}
		c, err := h.m.open(g)
		if err != nil {
			return nil, err
		}
		a, err := c.attribute()
		if err != nil {
			return nil, err
		}
		all = append(all, a)
	}
	dense, err := h.denseAttributes()
	return append(all, dense...), err
}

// denseAttributes are those in a fractal heap.
func (h *header) denseAttributes() (all []attribute, err error) {
	err = h.dense(msgAttributes, 2, func(heap *heap, kind int, record *cursor) error {
		if kind != 8 {
			return corrupt("attributes are listed in a tree of type %d", kind)
		}
		data, err := heap.object(record.take(heap.id))
		if err != nil {
			return err
		}
		if record.u8()&2 != 0 {
			return unsupported("attributes in a shared heap: h5repack without --ssize writes a copy without it")
		}
		a, err := h.m.cursor(data).attribute()
		all = append(all, a)
		return err
	})
	return all, err
}

// dense visits what a message says is in a fractal heap, by the records of its tree. The greatest
// index of those that are in the order of their making has so many bytes.
func (h *header) dense(message, index int, visit func(heap *heap, kind int, record *cursor) error) error {
	c, err := h.find(message)
	if c == nil || err != nil {
		return err
	}
	c.skip(1)
	if c.u8()&1 != 0 {
		c.skip(index)
	}
	heapAt, treeAt := c.address(), c.address()
	if c.failed() != nil || heapAt == undefined || treeAt == undefined {
		return c.failed()
	}
	heap, err := h.m.heap(heapAt)
	if err != nil {
		return err
	}
	return h.m.tree2(treeAt, func(kind int, record *cursor) error { return visit(heap, kind, record) })
}

func (c *cursor) attribute() (a attribute, err error) {
	version, flags := c.u8(), c.u8()
	nameSize, typeSize, spaceSize := c.u16(), c.u16(), c.u16()
	if version < 1 || version > 3 {
		return a, corrupt("an attribute of version %d", version)
	}
	if version == 3 {
		c.skip(1)
	}
	part := func(n int) []byte {
		if version == 1 {
			return c.take((n + 7) / 8 * 8)
		}
		return c.take(n)
	}
	name, of, space := part(nameSize), part(typeSize), part(spaceSize)
	if c.failed() != nil {
		return a, c.failed()
	}
	name, _, _ = bytes.Cut(name, []byte{0})
	a.name = string(name)
	shared := 0
	if version > 1 {
		shared = flags
	}
	t, err := c.m.open(message{msgDatatype, shared & 1 << 1, of})
	if err != nil {
		return a, err
	}
	if a.of, err = t.datatype(0); err != nil {
		return a, err
	}
	s, err := c.m.open(message{msgDataspace, shared & 2, space})
	if err != nil {
		return a, err
	}
	if a.space, err = s.space(); err != nil {
		return a, err
	}
	if a.space.null {
		return a, nil
	}
	size, ok := product(a.of.size, a.space.shape)
	if !ok {
		return a, corrupt("an attribute of shape %v", a.space.shape)
	}
	a.data = c.take(size)
	return a, c.failed()
}

func find(all []attribute, name string) *attribute {
	if i := slices.IndexFunc(all, func(a attribute) bool { return a.name == name }); i >= 0 {
		return &all[i]
	}
	return nil
}

// text is the value if it is one string of fixed length.
func (a *attribute) text() string {
	if a == nil || a.of.class != classString {
		return ""
	}
	return a.of.fixedText(a.data)
}

// public reads what users see; what is neither numbers nor strings has neither.
func (a *attribute) public(m *image) (Attribute, error) {
	out := Attribute{Name: a.name, Shape: a.space.shape, Kind: a.of.String()}
	if a.space.null {
		out.Shape = []int{0}
		return out, nil
	}
	n, _ := product(1, a.space.shape)
	switch of, count := a.of.real(); {
	case count == 1:
		out.Numbers = make([]float64, n)
		return out, of.decode(out.Numbers, a.data, a.of.size, 1)
	case a.of.class == classString || a.of.class == classVariable && a.of.text:
		for i := range n {
			s, err := a.of.oneText(m, a.data[i*a.of.size:(i+1)*a.of.size])
			if err != nil {
				return out, err
			}
			out.Strings = append(out.Strings, s)
		}
	}
	return out, nil
}

// fixedText is a string of fixed length: up to a zero byte, or without the spaces or zero bytes that fill it up.
func (t *datatype) fixedText(data []byte) string {
	if t.padding == 2 {
		return strings.TrimRight(string(data), " ")
	}
	if t.padding == 0 {
		data, _, _ = bytes.Cut(data, []byte{0})
	}
	return string(bytes.TrimRight(data, "\x00"))
}

// oneText is the string of an element.
func (t *datatype) oneText(m *image, data []byte) (string, error) {
	if t.class == classString {
		return t.fixedText(data), nil
	}
	data, err := m.variable(data, 1)
	if m.budget -= int64(len(data)); err == nil && m.budget < 0 {
		err = corrupt("strings that share their bytes")
	}
	if err != nil {
		return "", err
	}
	data, _, _ = bytes.Cut(data, []byte{0})
	return string(data), nil
}

// variable returns the bytes of an element of variable length, of parts of the given size.
func (m *image) variable(element []byte, size int) ([]byte, error) {
	c := m.cursor(element)
	count, at, index := c.u32(), c.address(), c.u32()
	if c.failed() != nil || count == 0 {
		return nil, c.failed()
	}
	collection, err := m.collection(at)
	if err != nil {
		return nil, err
	}
	data, ok := collection[index]
	if n := count * uint64(size); !ok || n > uint64(len(data)) {
		return nil, corrupt("object %d of a global heap is missing or short", index)
	}
	return data[:count*uint64(size)], nil
}

// collection reads a collection of the global heap: objects by number.
func (m *image) collection(at uint64) (map[uint64][]byte, error) {
	if known, ok := m.collections[at]; ok {
		return known, nil
	}
	c, err := m.signed(at, uint64(8+m.length), "GCOL", false)
	if err != nil {
		return nil, err
	}
	c.skip(4)
	size := c.size()
	if c, err = m.signed(at, size, "GCOL", false); err != nil {
		return nil, err
	}
	c.skip(4 + m.length)
	objects := map[uint64][]byte{}
	for c.left() >= 8+m.length {
		begin := c.at
		index := c.uint(2)
		c.skip(6)
		n := c.size()
		if index == 0 { // what is left is free
			break
		}
		if n > uint64(c.left()) {
			return nil, corrupt("an object of %d bytes in a global heap", n)
		}
		objects[index] = c.take(int(n))
		c.pad(begin)
	}
	if m.collections == nil {
		m.collections = map[uint64]map[uint64][]byte{}
	}
	m.collections[at] = objects
	return objects, c.failed()
}
