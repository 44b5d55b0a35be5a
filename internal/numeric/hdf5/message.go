package hdf5

import "math"

// A space is the shape of a dataset or an attribute.
type space struct {
	shape []int
	most  []int // the shape may grow up to these; unlimited where math.MaxInt
	null  bool  // there are no elements
}

// mostRank is the most axes that HDF5 allows.
const mostRank = 32

func (c *cursor) space() (*space, error) {
	version, rank, flags := c.u8(), c.u8(), c.u8()
	s := &space{shape: []int{}}
	switch version {
	case 1:
		c.skip(5)
	case 2:
		s.null = c.u8() == 2
	default:
		return nil, corrupt("a dataspace of version %d", version)
	}
	if rank > mostRank {
		return nil, corrupt("%d dimensions", rank)
	}
	for range rank {
		n := c.size()
		if n > 1<<48 {
			return nil, corrupt("an axis of %d elements", n)
		}
		s.shape = append(s.shape, int(n))
	}
	s.most = s.shape
	if flags&1 != 0 {
		s.most = make([]int, rank)
		for k := range s.most {
			s.most[k] = int(min(c.size(), math.MaxInt))
			if c.m.length < 8 && s.most[k] == 1<<(8*c.m.length)-1 {
				s.most[k] = math.MaxInt
			}
			if s.most[k] < s.shape[k] {
				return nil, corrupt("an axis of %d elements, at most %d", s.shape[k], s.most[k])
			}
		}
	}
	return s, c.failed()
}

// Kinds of layouts.
const (
	layoutCompact = iota
	layoutContiguous
	layoutChunked
	layoutVirtual
)

// Indexes of chunks; 0 is a B-tree of version 1.
const (
	indexTree1 = iota
	indexSingle
	indexImplicit
	indexFixed
	indexExtensible
	indexTree2
)

// A layout says where the elements of a dataset are.
type layout struct {
	kind    int
	data    []byte // compact
	at      uint64 // contiguous: of the elements; chunked: of the index
	size    uint64 // contiguous
	chunk   []int  // shape of a chunk
	element int    // bytes, as the layout has it; 0: it does not say
	index   int

	wholeEdges bool   // chunks that reach beyond the array are not filtered
	stored     uint64 // indexSingle: bytes; 0: not filtered
	mask       uint64
}

func (c *cursor) layout() (*layout, error) {
	version := c.u8()
	l := &layout{at: undefined}
	switch version {
	case 1, 2:
		rank := c.u8()
		l.kind = c.u8()
		c.skip(5)
		return l, c.oldLayout(l, rank)
	case 3, 4:
		l.kind = c.u8()
	default:
		return nil, unsupported("a layout of version %d: h5repack --high=1 writes the older one", version)
	}
	switch l.kind {
	case layoutCompact:
		l.data = c.take(c.u16())
	case layoutContiguous:
		l.at, l.size = c.address(), c.size()
	case layoutChunked:
		if version == 3 {
			rank := c.u8()
			l.at = c.address()
			c.chunkShape(l, rank, 4)
		} else if err := c.newChunks(l); err != nil {
			return nil, err
		}
		return l, l.checkChunk(c)
	case layoutVirtual:
		return nil, unsupported("a virtual dataset, whose numbers are in other files: h5repack --layout=CONTI writes them into one")
	default:
		return nil, corrupt("a layout of class %d", l.kind)
	}
	return l, c.failed()
}

// oldLayout is that of versions 1 and 2.
func (c *cursor) oldLayout(l *layout, rank int) error {
	switch l.kind {
	case layoutCompact:
		c.skip(4 * rank)
		l.data = c.take(int(c.u32()))
	case layoutContiguous:
		l.at, l.size = c.address(), undefined // as large as the array
	case layoutChunked:
		l.at = c.address()
		c.chunkShape(l, rank, 4)
		return l.checkChunk(c)
	default:
		return corrupt("a layout of class %d", l.kind)
	}
	return c.failed()
}

// chunkShape reads the shape of chunks, whose last axis is the bytes of an element.
func (c *cursor) chunkShape(l *layout, rank, width int) {
	for range rank {
		l.chunk = append(l.chunk, int(c.uint(width)&math.MaxInt))
	}
}

// newChunks is the layout of chunks of version 4.
func (c *cursor) newChunks(l *layout) error {
	flags, rank, width := c.u8(), c.u8(), c.u8()
	if rank > mostRank+1 || width > 8 {
		return corrupt("chunks of %d axes", rank)
	}
	c.chunkShape(l, rank, width)
	l.wholeEdges = flags&1 != 0
	l.index = c.u8()
	switch l.index {
	case indexSingle:
		if flags&2 != 0 {
			l.stored, l.mask = c.size(), c.u32()
		}
	case indexImplicit:
	case indexFixed:
		c.skip(1)
	case indexExtensible:
		c.skip(5)
	case indexTree2:
		c.skip(6)
	default:
		return corrupt("an index of chunks of kind %d", l.index)
	}
	l.at = c.address()
	return nil
}

func (l *layout) checkChunk(c *cursor) error {
	if c.failed() != nil {
		return c.failed()
	}
	rank := len(l.chunk) - 1
	if rank < 0 {
		return corrupt("chunks without a shape")
	}
	l.chunk, l.element = l.chunk[:rank], l.chunk[rank]
	n, ok := product(max(l.element, 1), l.chunk)
	if !ok || n == 0 || n > 1<<32-1 {
		return corrupt("chunks of shape %v", l.chunk)
	}
	return nil
}

// fill reads the value of elements that were never written, nil for zero.
func (c *cursor) fill() ([]byte, error) {
	version := c.u8()
	defined := true
	switch version {
	case 1, 2:
		c.skip(2)
		defined = c.u8() != 0 || version == 1
	case 3:
		defined = c.u8()&0x20 != 0
	default:
		return nil, corrupt("a fill value of version %d", version)
	}
	if !defined || c.left() == 0 {
		return nil, c.failed()
	}
	return c.oldFill()
}

func (c *cursor) oldFill() ([]byte, error) {
	n := int(int32(c.u32()))
	if n <= 0 {
		return nil, c.failed()
	}
	return c.take(n), c.failed()
}
