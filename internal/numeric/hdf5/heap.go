package hdf5

import "math/bits"

// A heap is a fractal heap: objects in blocks that double in size from row to row of a table.
type heap struct {
	m            *image
	id           int // bytes of an ID
	filtered     bool
	summed       bool // blocks have checksums
	mostManaged  uint64
	huge         uint64 // where the B-tree of huge objects is
	width        uint64 // blocks in a row
	first, most  uint64 // bytes of the first and of the largest direct block
	offsetWidth  int
	lengthWidth  int
	root         uint64
	rows         uint64 // of the root block; 0: it is a direct block
	blocks       map[uint64][]byte
	hugeObjects  map[uint64]extent
	prefixLength int
}

func (m *image) heap(at uint64) (*heap, error) {
	c, err := m.signed(at, uint64(4+1+2+2+1+4+12*m.length+3*m.offsets+2+2+2+2+4), "FRHP", false)
	if err != nil {
		return nil, err
	}
	h := &heap{m: m, blocks: map[uint64][]byte{}}
	c.skip(1)
	h.id = c.u16()
	h.filtered = c.u16() > 0
	h.summed = c.u8()&2 != 0
	h.mostManaged = c.u32()
	c.size()
	h.huge = c.address()
	c.size()
	c.address()
	c.skip(8 * m.length)
	h.width = uint64(c.u16())
	h.first, h.most = c.size(), c.size()
	mostBits := c.u16()
	c.skip(2)
	h.root = c.address()
	h.rows = uint64(c.u16())
	switch {
	case c.failed() != nil:
		return nil, c.failed()
	case h.filtered:
		return nil, unsupported("links or attributes that are compressed: h5repack --low=0 --high=1 writes them plainly")
	case h.width == 0 || bits.OnesCount64(h.first) != 1 || bits.OnesCount64(h.most) != 1 || h.most < h.first || h.most > 1<<32 || mostBits > 64 || h.id == 0:
		return nil, corrupt("a heap of %d blocks of %d to %d bytes", h.width, h.first, h.most)
	}
	if err := m.verify(c, at); err != nil {
		return nil, err
	}
	h.offsetWidth = (mostBits + 7) / 8
	h.lengthWidth = min(bytesFor(h.most), bytesFor(h.mostManaged))
	h.prefixLength = 5 + m.offsets + h.offsetWidth
	return h, nil
}

// object returns the object of an ID.
func (h *heap) object(id []byte) ([]byte, error) {
	c := h.m.cursor(id)
	head := c.u8()
	switch head >> 4 & 3 {
	case 0:
		offset, length := c.uint(h.offsetWidth), c.uint(h.lengthWidth)
		if c.failed() != nil {
			return nil, c.failed()
		}
		return h.managed(offset, length)
	case 1:
		e, err := h.hugeAt(c)
		if err != nil {
			return nil, err
		}
		block, err := h.m.block(e.at, e.size)
		if err != nil {
			return nil, err
		}
		return block.data, nil
	case 2:
		n := head&15 + 1
		if h.id > 17 {
			n = (head&15)<<8 + c.u8() + 1
		}
		return c.take(n), c.failed()
	}
	return nil, corrupt("an object of a heap of no known kind")
}

// hugeAt is where an object is that has a place of its own: the ID says so, if it is long enough, or a B-tree.
func (h *heap) hugeAt(c *cursor) (extent, error) {
	if h.id >= 1+h.m.offsets+h.m.length {
		e := extent{c.address(), c.size()}
		return e, c.failed()
	}
	if h.hugeObjects == nil {
		h.hugeObjects = map[uint64]extent{}
		err := h.m.tree2(h.huge, func(kind int, r *cursor) error {
			if kind != 1 {
				return corrupt("large objects of a heap in a tree of type %d", kind)
			}
			e := extent{r.address(), r.size()}
			h.hugeObjects[r.size()] = e
			return r.failed()
		})
		if err != nil {
			return extent{}, err
		}
	}
	e, ok := h.hugeObjects[c.uint(min(h.m.length, h.id-1))]
	if !ok {
		return extent{}, corrupt("a large object is not in its heap")
	}
	return e, nil
}

// managed returns an object by its place in the address space of the heap.
func (h *heap) managed(offset, length uint64) ([]byte, error) {
	at, size, begin := h.root, h.first, uint64(0)
	for rows := h.rows; rows > 0; {
		row, column, rowSize, rowBegin := h.place(offset - begin)
		if row >= rows {
			return nil, corrupt("an object at %d is beyond its heap", offset)
		}
		child, err := h.child(at, rows, row*h.width+column)
		if err != nil {
			return nil, err
		}
		at, size = child, rowSize
		begin += rowBegin + column*rowSize
		if rowSize <= h.most {
			break
		}
		rows = uint64(bits.Len64(rowSize)) - uint64(bits.Len64(h.first*h.width)) + 1
		if rows == 0 || rows > 64 {
			return nil, corrupt("a heap whose blocks do not fit one another")
		}
	}
	data, ok := h.blocks[at]
	if !ok {
		c, err := h.m.signed(at, size, "FHDB", false)
		if err != nil {
			return nil, err
		}
		data = c.data
		h.blocks[at] = data
	}
	from := offset - begin
	if from > uint64(len(data)) || length > uint64(len(data))-from {
		return nil, corrupt("an object at %d is beyond its block", offset)
	}
	return data[from : from+length], nil
}

// place is the row and the column of the table that an offset is in, the size of the row's blocks and where it begins.
func (h *heap) place(offset uint64) (row, column, size, begin uint64) {
	size = h.first
	if row = uint64(bits.Len64(offset / (h.first * h.width))); row > 0 {
		size = h.first << (row - 1)
		begin = size * h.width
	}
	return row, (offset - begin) / size, size, begin
}

// child is the address of a block in an indirect block of so many rows.
func (h *heap) child(at, rows, index uint64) (uint64, error) {
	data, ok := h.blocks[at]
	if !ok {
		c, err := h.m.signed(at, uint64(h.prefixLength)+rows*h.width*uint64(h.m.offsets)+4, "FHIB", true)
		if err != nil {
			return 0, err
		}
		data = c.data[h.prefixLength:]
		h.blocks[at] = data
	}
	c := h.m.cursor(data)
	c.skip(int(index) * h.m.offsets)
	return c.address(), c.failed()
}
