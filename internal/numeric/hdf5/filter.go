package hdf5

import (
	"context"
	"encoding/binary"
	"fmt"
	"strings"
)

// Filters by number.
const (
	filterDeflate  = 1
	filterShuffle  = 2
	filterFletcher = 3
	filterLZF      = 32000
)

// filterNames are those that an error names, and that h5repack can take away or that only their makers can.
var filterNames = map[int]string{
	4: "szip", 5: "nbit", 6: "scaleoffset", 305: "lzo", 307: "bzip2", 32001: "blosc", 32004: "lz4", 32008: "bitshuffle",
	32013: "zfp", 32015: "zstd", 32017: "sz", 32026: "blosc2",
}

// A filter is a step that chunks went through when they were written.
type filter struct {
	id   int
	name string
	data []uint32
}

func (c *cursor) filters() ([]filter, error) {
	version, count := c.u8(), c.u8()
	if version == 1 {
		c.skip(6)
	}
	if version < 1 || version > 2 || count > mostFilters {
		return nil, corrupt("%d filters, version %d", count, version)
	}
	var fs []filter
	for range count {
		f := filter{id: c.u16()}
		named := 0
		if version == 1 || f.id >= 256 {
			named = c.u16()
		}
		c.skip(2)
		values := c.u16()
		name := c.take(named)
		if version == 1 {
			c.skip((8 - named%8) % 8)
		}
		f.name, _, _ = strings.Cut(string(name), "\x00")
		if 4*values > c.left() {
			return nil, corrupt("a filter with %d values", values)
		}
		for range values {
			f.data = append(f.data, uint32(c.u32()))
		}
		if version == 1 && values%2 == 1 {
			c.skip(min(4, c.left()))
		}
		fs = append(fs, f)
	}
	return fs, c.failed()
}

const mostFilters = 32

// readable refuses filters that are not undone here.
func readable(fs []filter) error {
	for _, f := range fs {
		switch f.id {
		case filterDeflate, filterShuffle, filterFletcher, filterLZF:
			continue
		}
		name := filterNames[f.id]
		if name == "" {
			name = strings.TrimSpace(fmt.Sprintf("number %d %s", f.id, f.name))
		}
		return unsupported("compressed with the filter %s: want deflate (gzip), shuffle, fletcher32, lzf; h5repack --filter=NONE in.h5 out.h5 removes it", name)
	}
	return nil
}

// expansion bounds what a filter makes of a byte.
func (f filter) expansion() uint64 {
	switch f.id {
	case filterDeflate:
		return 1032 // a match of 258 bytes takes two bits at least
	case filterLZF:
		return 88 // 264 bytes from three
	}
	return 1
}

// believable says whether stored bytes can become size bytes. A filter whose bit is set in mask was left out.
func believable(fs []filter, mask, stored, size uint64) bool {
	most := stored
	for i, f := range fs {
		if mask>>i&1 == 0 {
			if most > size {
				break
			}
			most *= f.expansion()
		}
	}
	return size <= most
}

// An undoer undoes filters, in memory that it keeps for the next chunk.
type undoer struct {
	filters []filter
	element int // bytes that shuffle took apart
	spare   [2][]byte
	inflate inflater
}

// undo returns the size bytes that stored ones were made of; either is in memory that undo may use again.
func (u *undoer) undo(ctx context.Context, stored []byte, mask uint64, size int) ([]byte, error) {
	data := stored
	for i := len(u.filters) - 1; i >= 0; i-- {
		if mask>>i&1 != 0 {
			continue
		}
		var err error
		switch u.filters[i].id {
		case filterFletcher:
			data, err = fletcher32(data)
		case filterShuffle:
			element := u.element
			if values := u.filters[i].data; len(values) > 0 {
				element = int(values[0])
			}
			data = unshuffle(u.room(data, len(data)), data, element)
		case filterDeflate:
			data, err = u.inflate.all(ctx, u.room(data, u.before(i, size)), data)
		case filterLZF:
			data, err = lzf(u.room(data, u.before(i, size)), data)
		}
		if err != nil {
			return nil, err
		}
	}
	if len(data) != size {
		return nil, corrupt("a chunk has %d bytes instead of %d", len(data), size)
	}
	return data, nil
}

// before is how many bytes the filter i was given, at most: a checksum came behind them if one was taken first.
func (u *undoer) before(i, size int) int {
	for _, f := range u.filters[:i] {
		if f.id == filterFletcher {
			size += 4
		}
	}
	return size
}

// room is memory for n bytes that is not that of data.
func (u *undoer) room(data []byte, n int) []byte {
	k := 0
	if len(data) > 0 && cap(u.spare[0]) > 0 && &u.spare[0][:1][0] == &data[0] {
		k = 1
	}
	if cap(u.spare[k]) < n {
		u.spare[k] = make([]byte, n)
	}
	return u.spare[k][:n]
}

// unshuffle puts the bytes of elements together that shuffle took apart: all first ones, all second ones and so on.
// Bytes at the end that make no whole element are as they were.
func unshuffle(dst, src []byte, element int) []byte {
	if element <= 1 || len(src) < element {
		copy(dst, src)
		return dst
	}
	n := len(src) / element
	copy(dst[n*element:], src[n*element:])
	switch element {
	case 8:
		unshuffle8(dst, src, n)
	case 4:
		unshuffle4(dst, src, n)
	default:
		for j := range element {
			for i, b := range src[j*n : (j+1)*n] {
				dst[i*element+j] = b
			}
		}
	}
	return dst
}

// unshuffle8 takes eight elements at a time: a transposition of 8 × 8 bytes in registers.
func unshuffle8(dst, src []byte, n int) {
	var row [8][]byte
	for j := range row {
		row[j] = src[j*n : (j+1)*n]
	}
	little := binary.LittleEndian
	i := 0
	for ; i+8 <= n; i += 8 {
		a0, a1, a2, a3 := little.Uint64(row[0][i:]), little.Uint64(row[1][i:]), little.Uint64(row[2][i:]), little.Uint64(row[3][i:])
		a4, a5, a6, a7 := little.Uint64(row[4][i:]), little.Uint64(row[5][i:]), little.Uint64(row[6][i:]), little.Uint64(row[7][i:])
		a0, a1 = swap(a0, a1, 8, 0x00ff00ff00ff00ff)
		a2, a3 = swap(a2, a3, 8, 0x00ff00ff00ff00ff)
		a4, a5 = swap(a4, a5, 8, 0x00ff00ff00ff00ff)
		a6, a7 = swap(a6, a7, 8, 0x00ff00ff00ff00ff)
		a0, a2 = swap(a0, a2, 16, 0x0000ffff0000ffff)
		a1, a3 = swap(a1, a3, 16, 0x0000ffff0000ffff)
		a4, a6 = swap(a4, a6, 16, 0x0000ffff0000ffff)
		a5, a7 = swap(a5, a7, 16, 0x0000ffff0000ffff)
		a0, a4 = swap(a0, a4, 32, 0x00000000ffffffff)
		a1, a5 = swap(a1, a5, 32, 0x00000000ffffffff)
		a2, a6 = swap(a2, a6, 32, 0x00000000ffffffff)
		a3, a7 = swap(a3, a7, 32, 0x00000000ffffffff)
		out := dst[8*i : 8*i+64]
		for k, a := range [8]uint64{a0, a1, a2, a3, a4, a5, a6, a7} {
			little.PutUint64(out[8*k:], a)
		}
	}
	for ; i < n; i++ {
		for j := range row {
			dst[8*i+j] = row[j][i]
		}
	}
}

// swap exchanges the bits of a beyond those of mask with those of b within it, shift bits further down.
func swap(a, b uint64, shift int, mask uint64) (uint64, uint64) {
	t := (a>>shift ^ b) & mask
	return a ^ t<<shift, b ^ t
}

func unshuffle4(dst, src []byte, n int) {
	r0, r1, r2, r3 := src[:n], src[n:2*n], src[2*n:3*n], src[3*n:4*n]
	for i := range n {
		binary.LittleEndian.PutUint32(dst[4*i:], uint32(r0[i])|uint32(r1[i])<<8|uint32(r2[i])<<16|uint32(r3[i])<<24)
	}
}

// fletcher32 checks and takes away the checksum behind data.
func fletcher32(data []byte) ([]byte, error) {
	n := len(data) - 4
	if n < 0 {
		return nil, corrupt("a chunk without its checksum")
	}
	want := binary.LittleEndian.Uint32(data[n:])
	data = data[:n]
	var a, b uint32
	rest := data
	for len(rest) > 1 {
		part := rest[:min(len(rest), 720)&^1] // as many as cannot overflow
		rest = rest[len(part):]
		for ; len(part) > 1; part = part[2:] {
			a += uint32(part[0])<<8 | uint32(part[1])
			b += a
		}
		a, b = a&0xffff+a>>16, b&0xffff+b>>16
	}
	if len(rest) == 1 {
		a += uint32(rest[0]) << 8
		b += a
	}
	for range 2 {
		a, b = a&0xffff+a>>16, b&0xffff+b>>16
	}
	if sum := b<<16 | a; sum != want {
		return nil, corrupt("wrong checksum of a chunk")
	}
	return data, nil
}

// lzf decompresses what h5py's filter of that name wrote (liblzf by Marc Lehmann), at most len(dst) bytes.
func lzf(dst, src []byte) ([]byte, error) {
	bad := corrupt("a chunk whose lzf data make no sense")
	n := 0
	for i := 0; i < len(src); {
		control := int(src[i])
		i++
		if control < 32 {
			count := control + 1
			if i+count > len(src) || n+count > len(dst) {
				return nil, bad
			}
			n += copy(dst[n:n+count], src[i:])
			i += count
			continue
		}
		count := control >> 5
		if count == 7 {
			if i >= len(src) {
				return nil, bad
			}
			count += int(src[i])
			i++
		}
		count += 2
		if i >= len(src) {
			return nil, bad
		}
		from := n - (control&31)<<8 - int(src[i]) - 1
		i++
		if from < 0 || n+count > len(dst) {
			return nil, bad
		}
		for k := range count { // what is copied may be what was just written
			dst[n+k] = dst[from+k]
		}
		n += count
	}
	return dst[:n], nil
}
