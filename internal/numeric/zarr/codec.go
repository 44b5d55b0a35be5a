package zarr

import (
	"bytes"
	"context"
	"encoding/binary"
	"hash/crc32"

	"github.com/greenbench/workbench/internal/numeric/inflate"
)

// A step is what chunks went through when they were written.
type step struct {
	name    string
	element int // bytes that shuffle took apart
}

// steps that are not undone, by what they are called here.
var others = map[string]string{
	"zstd": "Zstandard", "lz4": "LZ4", "bz2": "bzip2", "lzma": "LZMA", "zfpy": "ZFP", "delta": "the filter delta",
	"fixedscaleoffset": "the filter fixedscaleoffset", "quantize": "the filter quantize", "packbits": "the filter packbits",
	"vlen-utf8": "text", "json2": "text", "pickle": "objects of Python",
}

// step adds a step to those that are undone.
func (l *layout) step(name string, s settings) error {
	switch name {
	case "zlib", "gzip", "crc32c", "blosc":
		l.steps = append(l.steps, step{name: name})
		return nil
	case "shuffle":
		element := s.ElementSize
		if element == 0 {
			element = 4 // the default of numcodecs
		}
		if element < 1 || element > 1<<16 {
			return corrupt("shuffle of elements of %d bytes", element)
		}
		l.steps = append(l.steps, step{name, element})
		return nil
	}
	what := others[name]
	if what == "" {
		what = "the codec " + name
	}
	return unsupported("compressed with %s: want zlib, gzip, Blosc or none; %s", what, toNPZ)
}

// undo returns the size bytes of which a chunk was made.
func (l layout) undo(ctx context.Context, data []byte, size int) (_ []byte, err error) {
	for i := len(l.steps) - 1; i >= 0; i-- {
		switch s := l.steps[i]; s.name {
		case "zlib":
			data, err = new(inflate.Stream).Zlib(ctx, data, l.before(i, size), memory)
		case "gzip":
			data, err = gunzip(ctx, data, l.before(i, size))
		case "blosc":
			data, err = unblosc(ctx, data, l.before(i, size))
		case "crc32c":
			data, err = checked(data)
		case "shuffle":
			data = unshuffle(data, s.element)
		}
		if err != nil {
			return nil, err
		}
	}
	if len(data) != size {
		return nil, corrupt("a chunk of %d bytes: want %d", len(data), size)
	}
	return data, nil
}

func memory(n int) []byte { return make([]byte, n) }

// before is how many bytes there were before step i at most: checksums add four.
func (l layout) before(i, size int) int {
	for _, s := range l.steps[:i] {
		if s.name == "crc32c" {
			size += 4
		}
	}
	return size
}

// expansion bounds what the steps make of n bytes.
func (l layout) expansion(n int) int {
	for _, s := range l.steps {
		switch s.name {
		case "zlib", "gzip":
			n *= inflate.Most
		case "blosc":
			n *= mostBlosc
		}
		if n > most {
			return most
		}
	}
	return n
}

// gunzip undoes gzip (RFC 1952) of one member.
func gunzip(ctx context.Context, src []byte, size int) ([]byte, error) {
	const crc, extra, name, comment = 2, 4, 8, 16
	if len(src) < 18 || src[0] != 0x1f || src[1] != 0x8b || src[2] != 8 {
		return nil, corrupt("a chunk that does not begin as gzip's do")
	}
	at := 10
	if src[3]&extra != 0 {
		at += 2 + int(binary.LittleEndian.Uint16(src[at:]))
	}
	for _, flag := range []byte{name, comment} {
		if src[3]&flag != 0 {
			end := bytes.IndexByte(src[min(at, len(src)):], 0)
			if end < 0 {
				return nil, inflate.ErrTruncated
			}
			at += end + 1
		}
	}
	if src[3]&crc != 0 {
		at += 2
	}
	if at > len(src)-8 {
		return nil, inflate.ErrTruncated
	}
	var sum uint32
	out, read, err := new(inflate.Stream).All(ctx, src[at:], size, memory, func(b []byte) { sum = crc32.Update(sum, crc32.IEEETable, b) })
	if err != nil {
		return nil, err
	}
	if tail := src[at+read:]; len(tail) < 8 {
		return nil, inflate.ErrTruncated
	} else if binary.LittleEndian.Uint32(tail) != sum {
		return nil, inflate.ErrChecksum
	}
	return out, nil
}

// checked takes the checksum of four bytes off the end.
func checked(b []byte) ([]byte, error) {
	n := len(b) - 4
	if n < 0 {
		return nil, inflate.ErrTruncated
	}
	if crc32.Checksum(b[:n], crc32.MakeTable(crc32.Castagnoli)) != binary.LittleEndian.Uint32(b[n:]) {
		return nil, inflate.ErrChecksum
	}
	return b[:n], nil
}

// unshuffle puts the bytes of elements together again; what is left over at the end was not moved.
func unshuffle(src []byte, element int) []byte {
	n := len(src) / element
	out := make([]byte, len(src))
	for i := range n {
		for k := range element {
			out[i*element+k] = src[k*n+i]
		}
	}
	copy(out[n*element:], src[n*element:])
	return out
}
