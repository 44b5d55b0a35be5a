package hdf5

import (
	"errors"
	"fmt"
	"io"
)

// signature begins the superblock, which begins at byte 0, 512, 1024, 2048 and so on.
const signature = "\x89HDF\r\n\x1a\n"

// Is says whether a file of the given size is an HDF5 file, from its bytes: at most one read for each power of two.
func Is(r io.ReaderAt, size int64) bool { return begin(r, size) >= 0 }

// begin is where the superblock is, -1 for nowhere.
func begin(r io.ReaderAt, size int64) int64 {
	var head [len(signature)]byte
	for at := int64(0); at+int64(len(head)) <= size; at = max(512, 2*at) {
		if n, _ := r.ReadAt(head[:], at); n == len(head) && string(head[:]) == signature {
			return at
		}
	}
	return -1
}

// newImage reads the superblock, and returns the address of the root group.
func newImage(r io.ReaderAt, size int64, lax bool) (m *image, root uint64, err error) {
	m = &image{r: r, base: begin(r, size), size: size, offsets: 8, length: 8, lax: lax}
	if m.base < 0 {
		return nil, 0, errors.New("not an HDF5 file")
	}
	m.fresh()
	short := errors.New("truncated: the superblock ends early")
	head := make([]byte, min(size-m.base, 256))
	if err := m.raw(head, 0); err != nil {
		return nil, 0, err
	}
	c := m.cursor(head)
	c.skip(len(signature))
	version := c.u8()
	if version < 2 {
		c.skip(4)
	}
	m.offsets, m.length = c.u8(), c.u8()
	switch {
	case c.failed() != nil:
		return nil, 0, short
	case version > 3:
		return nil, 0, unsupported("superblock version %d: want 0 to 3; h5repack --high=2 writes it", version)
	case !width(m.offsets) || !width(m.length):
		return nil, 0, corrupt("addresses of %d bytes, lengths of %d", m.offsets, m.length)
	}
	var end, base uint64
	if version < 2 {
		c.skip(1 + 2 + 2 + 4)
		if version == 1 {
			c.skip(4)
		}
		base = c.address()
		c.address()
		end = c.address()
		c.address()
		c.address()
		root = c.address()
	} else {
		c.skip(1)
		base = c.address()
		c.address()
		end, root = c.address(), c.address()
		c.data = c.data[:min(c.at+4, len(c.data))]
		if err := m.verify(c, 0); err != nil {
			return nil, 0, err
		}
	}
	if c.failed() != nil {
		return nil, 0, short
	}
	// The end counts from the beginning of the file that the superblock was written into.
	if end -= base; end != undefined && end > uint64(size-m.base) {
		return nil, 0, fmt.Errorf("truncated: the file should have %d bytes, %d are there", end+uint64(m.base), size)
	}
	return m, root, nil
}

func width(n int) bool { return n == 2 || n == 4 || n == 8 }
