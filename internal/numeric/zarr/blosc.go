package zarr

import (
	"context"
	"encoding/binary"

	"github.com/greenbench/workbench/internal/numeric/inflate"
)

// mostBlosc is how many bytes one byte can become: a length of LZ4 grows by 255 with each.
const mostBlosc = inflate.Most

// A bloscHead is how a buffer of Blosc begins ("Blosc Chunk Format").
type bloscHead struct {
	flags, typesize          int
	size, block, storedBytes int
}

// The flags, and the compressors in the three highest bits.
const (
	bloscShuffle    = 1
	bloscCopied     = 2
	bloscBitShuffle = 4
	bloscWhole      = 16 // blocks are not split
	bloscLZ4        = 1
	bloscZlib       = 3
)

// unblosc undoes Blosc of size bytes.
func unblosc(ctx context.Context, src []byte, size int) ([]byte, error) {
	le := binary.LittleEndian
	if len(src) < 16 {
		return nil, inflate.ErrTruncated
	}
	h := bloscHead{int(src[2]), int(src[3]), int(le.Uint32(src[4:])), int(le.Uint32(src[8:])), int(le.Uint32(src[12:]))}
	switch {
	case src[0] != 2:
		return nil, unsupported("Blosc of version %d: want 2; %s", src[0], toNPZ)
	case h.storedBytes > len(src):
		return nil, inflate.ErrTruncated
	case h.size != size || h.typesize == 0 || h.block < 1:
		return nil, corrupt("a buffer of Blosc with %d bytes: want %d", h.size, size)
	case h.flags&bloscCopied != 0 && len(src)-16 < size:
		return nil, inflate.ErrTruncated
	case h.flags&bloscCopied != 0:
		return src[16 : 16+size], nil
	}
	if by := h.flags >> 5; by != bloscLZ4 && by != bloscZlib {
		name := map[int]string{0: "BloscLZ", 2: "Snappy", 4: "Zstandard"}[by]
		return nil, unsupported("compressed with Blosc by %s: want LZ4 or zlib; %s", name, toNPZ)
	}
	if h.flags&bloscBitShuffle != 0 && h.flags&bloscShuffle == 0 {
		return nil, unsupported("compressed with Blosc, bits shuffled: want bytes shuffled, or nothing; %s", toNPZ)
	}
	blocks := (size + h.block - 1) / h.block
	if 16+4*blocks > len(src) {
		return nil, inflate.ErrTruncated
	}
	out := make([]byte, 0, min(size, mostBlosc*len(src)))
	for i := range blocks {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		from, length := int(le.Uint32(src[16+4*i:])), min(h.block, size-i*h.block)
		if from < 16+4*blocks || from > len(src) {
			return nil, corrupt("a block of Blosc at byte %d of %d", from, len(src))
		}
		block, err := h.read(ctx, src[from:], length)
		if err != nil {
			return nil, err
		}
		out = append(out, block...)
	}
	return out, nil
}

// read undoes one block of some bytes.
func (h bloscHead) read(ctx context.Context, src []byte, length int) ([]byte, error) {
	const smallest = 128 // elements of a block that is split
	parts := 1
	if h.flags&bloscWhole == 0 && length == h.block && h.typesize <= 16 && length/h.typesize >= smallest {
		parts = h.typesize
	}
	var out []byte
	for range parts {
		if len(src) < 4 {
			return nil, inflate.ErrTruncated
		}
		n, each := int(int32(binary.LittleEndian.Uint32(src))), length/parts
		if src = src[4:]; n < 0 || n > len(src) {
			return nil, inflate.ErrTruncated
		}
		part, err := src[:n], error(nil)
		switch {
		case n == each:
		case h.flags>>5 == bloscLZ4:
			part, err = unLZ4(part, each)
		default:
			part, err = new(inflate.Stream).Zlib(ctx, part, each, memory)
		}
		if err != nil {
			return nil, err
		}
		if len(part) != each {
			return nil, corrupt("a block of Blosc with %d bytes: want %d", len(part), each)
		}
		out, src = append(out, part...), src[n:]
	}
	if h.flags&bloscShuffle != 0 && h.typesize > 1 {
		out = unshuffle(out, h.typesize)
	}
	return out, nil
}

// unLZ4 undoes a block of LZ4 ("LZ4 Block Format Description") of size bytes at most.
func unLZ4(src []byte, size int) ([]byte, error) {
	bad := corrupt("LZ4 data that make no sense")
	out := make([]byte, 0, min(size, 255*len(src)+64))
	at := 0
	length := func(n int) int { // goes on in bytes of 255
		if n < 15 {
			return n
		}
		for at < len(src) {
			b := int(src[at])
			at++
			if n += b; b < 255 {
				return n
			}
		}
		return size + 1
	}
	for at < len(src) {
		token := int(src[at])
		at++
		n := length(token >> 4)
		if n > len(src)-at || n > size-len(out) {
			return nil, bad
		}
		out = append(out, src[at:at+n]...)
		if at += n; at == len(src) {
			break
		}
		if at+2 > len(src) {
			return nil, bad
		}
		back := int(binary.LittleEndian.Uint16(src[at:]))
		at += 2
		n = 4 + length(token&15)
		if back == 0 || back > len(out) || n > size-len(out) {
			return nil, bad
		}
		for from := len(out) - back; n > 0; n-- { // what is copied may be what was just written
			out = append(out, out[from])
			from++
		}
	}
	return out, nil
}
