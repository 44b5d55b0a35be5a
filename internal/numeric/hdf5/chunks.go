package hdf5

import (
	"math"
	"slices"

	"github.com/greenbench/workbench/internal/sorting"
)

// A chunk is where a part of an array is stored.
type chunk struct {
	at, size uint64
	mask     uint64 // filters that were left out
	begin    []int  // its first element
}

// chunks lists the chunks of a dataset that are stored and that have rows from lo to hi−1.
func (d *Dataset) chunks(lo, hi int) ([]chunk, error) {
	l := d.layout
	if l.at == undefined {
		return nil, nil
	}
	var found []chunk
	keep := func(k chunk) error {
		if k.at == undefined {
			return nil
		}
		for axis, b := range k.begin {
			if b >= d.space[axis] { // beyond an array that has shrunk
				return nil
			}
		}
		if len(k.begin) > 0 && (k.begin[0] >= hi || k.begin[0]+l.chunk[0] <= lo) {
			return nil
		}
		found = append(found, k)
		return nil
	}
	var err error
	switch l.index {
	case indexTree1:
		err = d.fromTree1(keep)
	case indexSingle:
		err = d.fromSingle(keep)
	case indexImplicit:
		err = d.fromImplicit(keep)
	case indexFixed:
		err = d.fromFixed(keep)
	case indexExtensible:
		err = d.fromExtensible(keep)
	case indexTree2:
		err = d.fromTree2(keep)
	}
	if err != nil {
		return nil, err
	}
	return found, distinct(found)
}

// distinct refuses two chunks for the same place.
func distinct(found []chunk) error {
	order := func(a, b chunk) int { return slices.Compare(a.begin, b.begin) }
	if !slices.IsSortedFunc(found, order) {
		sorting.By(found, order)
	}
	for i := 1; i < len(found); i++ {
		if order(found[i-1], found[i]) == 0 {
			return corrupt("two chunks for the elements from %v on", found[i].begin)
		}
	}
	return nil
}

// chunkBytes is the size of a chunk that has no filter.
func (d *Dataset) chunkBytes() uint64 {
	n, _ := product(d.stored.size, d.layout.chunk)
	return uint64(n)
}

// sizeWidth is how many bytes the indexes of version 4 take for the size of a chunk.
func (d *Dataset) sizeWidth() int {
	log := 0
	for n := d.chunkBytes(); n > 1; n >>= 1 {
		log++
	}
	return min(8, 1+(log+8)/8)
}

func (d *Dataset) fromTree1(keep func(chunk) error) error {
	rank := len(d.space)
	return d.m.tree1(d.layout.at, 1, 8+8*(rank+1), func(key *cursor, child uint64) error {
		k := chunk{at: child, size: key.u32(), mask: key.u32(), begin: make([]int, rank)}
		for axis := range k.begin {
			b := key.u64()
			if b > math.MaxInt || b%uint64(d.layout.chunk[axis]) != 0 {
				return corrupt("a chunk that begins at %d of chunks of %d", b, d.layout.chunk[axis])
			}
			k.begin[axis] = int(b)
		}
		return keep(k)
	})
}

func (d *Dataset) fromTree2(keep func(chunk) error) error {
	width := d.sizeWidth()
	return d.m.tree2(d.layout.at, func(kind int, record *cursor) error {
		k := chunk{at: record.address(), size: d.chunkBytes(), begin: make([]int, len(d.space))}
		switch kind {
		case 10:
		case 11:
			k.size, k.mask = record.uint(width), record.u32()
		default:
			return corrupt("chunks are listed in a tree of type %d", kind)
		}
		for axis := range k.begin {
			b := record.u64()
			if b > uint64(math.MaxInt/d.layout.chunk[axis]) {
				return corrupt("chunk number %d", b)
			}
			k.begin[axis] = int(b) * d.layout.chunk[axis]
		}
		if record.failed() != nil {
			return record.failed()
		}
		return keep(k)
	})
}

func (d *Dataset) fromSingle(keep func(chunk) error) error {
	k := chunk{at: d.layout.at, size: d.layout.stored, mask: d.layout.mask, begin: make([]int, len(d.space))}
	if k.size == 0 {
		k.size = d.chunkBytes()
		k.mask = math.MaxUint64
	}
	return keep(k)
}

// fromImplicit: all chunks are there, one behind the other.
func (d *Dataset) fromImplicit(keep func(chunk) error) error {
	g, err := d.grid(-1)
	if err != nil {
		return err
	}
	if err := d.m.within(d.layout.at, g.count*d.chunkBytes()); err != nil {
		return err
	}
	for i := range g.count {
		if err := keep(chunk{at: d.layout.at + i*d.chunkBytes(), size: d.chunkBytes(), begin: g.begin(i)}); err != nil {
			return err
		}
	}
	return nil
}

// entry reads an entry of a fixed or extensible array.
func (d *Dataset) entry(c *cursor, filtered bool) chunk {
	k := chunk{at: c.address(), size: d.chunkBytes()}
	if filtered {
		k.size, k.mask = c.uint(d.sizeWidth()), c.u32()
	}
	return k
}

// entryBytes is the size of such an entry; the header of the index must have the same.
func (d *Dataset) entryBytes(filtered bool, got int) (int, error) {
	n := d.m.offsets
	if filtered {
		n += d.sizeWidth() + 4
	}
	if n != got {
		return 0, corrupt("an index of chunks with entries of %d bytes instead of %d", got, n)
	}
	return n, nil
}

// A grid numbers the chunks of an array as large as it may grow.
type grid struct {
	chunk, across []int // shape of a chunk, chunks along each axis
	unlimited     int   // the axis that is counted first, -1: the axes are counted in their order
	count         uint64
}

func (d *Dataset) grid(unlimited int) (grid, error) {
	g := grid{chunk: d.layout.chunk, across: make([]int, len(d.space)), unlimited: unlimited, count: 1}
	for k, most := range d.most {
		if k == unlimited || most == math.MaxInt {
			g.across[k] = 1 << 40
			continue
		}
		g.across[k] = (most-1)/g.chunk[k] + 1
		if most == 0 {
			g.across[k] = 0
		}
	}
	if unlimited >= 0 {
		g.count = math.MaxUint64
		return g, nil
	}
	n, ok := product(1, g.across)
	if !ok || n > 1<<48 {
		return g, corrupt("%v chunks", g.across)
	}
	g.count = uint64(n)
	return g, nil
}

// begin is the first element of chunk number i.
func (g grid) begin(i uint64) []int {
	b := make([]int, len(g.across))
	for k := len(b) - 1; k >= 0; k-- {
		if n := uint64(max(g.across[k], 1)); k != g.unlimited {
			b[k] = int(i%n) * g.chunk[k]
			i /= n
		}
	}
	if g.unlimited >= 0 {
		i = min(i, 1<<62/uint64(g.chunk[g.unlimited]))
		b[g.unlimited] = int(i) * g.chunk[g.unlimited]
	}
	return b
}
