package hdf5

import (
	"math"
	"math/bits"
)

// fromFixed reads a fixed array: entries in one block, or in pages if there are many.
func (d *Dataset) fromFixed(keep func(chunk) error) error {
	m := d.m
	c, err := m.signed(d.layout.at, uint64(4+4+m.length+m.offsets+4), "FAHD", true)
	if err != nil {
		return err
	}
	c.skip(1)
	filtered := c.u8() == 1
	size, pageBits := c.u8(), c.u8()
	count, at := c.size(), c.address()
	if c.failed() != nil || at == undefined {
		return c.failed()
	}
	if size, err = d.entryBytes(filtered, size); err != nil {
		return err
	}
	g, err := d.grid(-1)
	if err != nil {
		return err
	}
	if count != g.count || pageBits > 30 {
		return corrupt("an index of %d chunks instead of %d", count, g.count)
	}
	if err := m.within(at, 1); err != nil {
		return err
	}
	read := func(c *cursor, first, n uint64) error {
		for i := first; i < first+n; i++ {
			k := d.entry(c, filtered)
			if c.failed() != nil {
				return c.failed()
			}
			k.begin = g.begin(i)
			if err := keep(k); err != nil {
				return err
			}
		}
		return nil
	}
	prefix := uint64(6 + m.offsets)
	page := uint64(1) << pageBits
	if count <= page {
		if c, err = m.signed(at, prefix+count*uint64(size)+4, "FADB", true); err != nil {
			return err
		}
		c.skip(2 + m.offsets)
		return read(c, 0, count)
	}
	pages := (count-1)/page + 1
	if c, err = m.signed(at, prefix+(pages+7)/8+4, "FADB", true); err != nil {
		return err
	}
	written := c.data[prefix:]
	return d.pages(at+prefix+(pages+7)/8+4, func(p uint64) bool { return written[p/8]&(0x80>>(p%8)) != 0 }, 0, count, page, size, read)
}

// pages reads those pages of entries, count in all, that were written; first is the number of the first entry.
func (d *Dataset) pages(at uint64, written func(p uint64) bool, first, count, page uint64, size int, read func(c *cursor, first, n uint64) error) error {
	for p := uint64(0); p*page < count; p++ {
		n := min(page, count-p*page)
		if written(p) {
			c, err := d.m.block(at, n*uint64(size)+4)
			if err != nil {
				return err
			}
			if err := d.m.verify(c, at); err != nil {
				return err
			}
			if err := read(c, first+p*page, n); err != nil {
				return err
			}
		}
		at += page*uint64(size) + 4
	}
	return nil
}

// An extensible is an extensible array: some entries in the index block, the others in data blocks that become
// larger, in groups ("super blocks") of more and more; the later groups have an index block of their own.
type extensible struct {
	d                            *Dataset
	grid                         grid
	keep                         func(chunk) error
	filtered                     bool
	size                         int // bytes of an entry
	mostBits, inIndex            int
	dataMin, pointersMin, pageOf uint64
	used                         uint64 // entries
	offsetWidth                  int
}

func (d *Dataset) fromExtensible(keep func(chunk) error) error {
	m := d.m
	c, err := m.signed(d.layout.at, uint64(4+8+6*m.length+m.offsets+4), "EAHD", true)
	if err != nil {
		return err
	}
	x := &extensible{d: d, keep: keep}
	c.skip(1)
	x.filtered = c.u8() == 1
	size := c.u8()
	x.mostBits, x.inIndex = c.u8(), c.u8()
	x.dataMin, x.pointersMin = uint64(c.u8()), uint64(c.u8())
	x.pageOf = 1 << min(c.u8(), 62)
	c.skip(4 * m.length)
	x.used = c.size()
	c.size()
	at := c.address()
	if c.failed() != nil || at == undefined {
		return c.failed()
	}
	if x.size, err = d.entryBytes(x.filtered, size); err != nil {
		return err
	}
	if bits.OnesCount64(x.dataMin) != 1 || bits.OnesCount64(x.pointersMin) != 1 || x.mostBits > 64 || bits.Len64(x.dataMin) > x.mostBits {
		return corrupt("an index of chunks with blocks of %d entries, %d pointers", x.dataMin, x.pointersMin)
	}
	unlimited := -1
	for k, most := range d.most {
		if most == math.MaxInt {
			unlimited = k
		}
	}
	if unlimited < 0 {
		return corrupt("an extensible index of the chunks of an array that cannot grow")
	}
	if x.grid, err = d.grid(unlimited); err != nil {
		return err
	}
	x.offsetWidth = (x.mostBits + 7) / 8
	return x.read(at)
}

// read reads the index block and all that it points to.
func (x *extensible) read(at uint64) error {
	m := x.d.m
	groups := 1 + x.mostBits - (bits.Len64(x.dataMin) - 1)
	direct := 2 * (bits.Len64(x.pointersMin) - 1) // groups whose blocks the index block points to
	pointers := 2 * int(x.pointersMin-1)
	own := max(0, groups-direct)
	n := 6 + m.offsets + x.inIndex*x.size + (pointers+own)*m.offsets + 4
	c, err := m.signed(at, uint64(n), "EAIB", true)
	if err != nil {
		return err
	}
	c.skip(2 + m.offsets)
	if err := x.entries(c, 0, uint64(x.inIndex)); err != nil {
		return err
	}
	first := uint64(x.inIndex)
	for group := range min(groups, 60) {
		count, each := uint64(1)<<(group/2), x.dataMin<<((group+1)/2)
		if first >= x.used || c.failed() != nil {
			break
		}
		if group >= direct {
			err = x.group(c.address(), first, count, each)
		} else {
			for b := range count {
				if err = x.block(c.address(), first+b*each, each, nil, 0); err != nil {
					break
				}
			}
		}
		if err != nil {
			return err
		}
		first += count * each
	}
	return c.failed()
}

// group reads a group of data blocks that has an index block of its own.
func (x *extensible) group(at, first, count, each uint64) error {
	if at == undefined {
		return nil
	}
	m := x.d.m
	bitmap := uint64(0) // bytes for each block
	if each > x.pageOf {
		bitmap = (each/x.pageOf + 7) / 8
	}
	prefix := 6 + m.offsets + x.offsetWidth
	c, err := m.signed(at, uint64(prefix)+count*(bitmap+uint64(m.offsets))+4, "EASB", true)
	if err != nil {
		return err
	}
	c.skip(prefix - 4)
	written := c.take(int(count * bitmap))
	for b := range count {
		if err := x.block(c.address(), first+b*each, each, written, b*(each/x.pageOf)); err != nil {
			return err
		}
	}
	return c.failed()
}

// block reads a data block. Of one in pages, the bits of written from bit on say which pages were.
func (x *extensible) block(at, first, count uint64, written []byte, bit uint64) error {
	if at == undefined || first >= x.used {
		return nil
	}
	m := x.d.m
	prefix := uint64(6 + m.offsets + x.offsetWidth)
	if count > x.pageOf {
		there := func(p uint64) bool {
			i := bit + p
			return i/8 < uint64(len(written)) && written[i/8]&(0x80>>(i%8)) != 0
		}
		return x.d.pages(at+prefix+4, there, first, count, x.pageOf, x.size, x.entries)
	}
	c, err := m.signed(at, prefix+count*uint64(x.size)+4, "EADB", true)
	if err != nil {
		return err
	}
	c.skip(int(prefix) - 4)
	return x.entries(c, first, count)
}

func (x *extensible) entries(c *cursor, first, n uint64) error {
	for i := first; i < min(first+n, x.used); i++ {
		k := x.d.entry(c, x.filtered)
		if c.failed() != nil {
			return c.failed()
		}
		k.begin = x.grid.begin(i)
		if err := x.keep(k); err != nil {
			return err
		}
	}
	if rest := first + n - max(first, min(first+n, x.used)); rest > 0 && c.left() > 0 {
		c.skip(min(int(rest)*x.size, c.left()))
	}
	return nil
}
