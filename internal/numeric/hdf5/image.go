package hdf5

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"
)

// undefined is the address of what is not there.
const undefined = math.MaxUint64

// An Unsupported error says that something is there, in order, but of a kind that is not read.
type Unsupported struct{ What string }

// Error says what it is, and what to do about it if there is something.
func (e *Unsupported) Error() string { return "unsupported: " + e.What }

func unsupported(format string, args ...any) error {
	return &Unsupported{fmt.Sprintf(format, args...)}
}

func corrupt(format string, args ...any) error {
	return errors.New("corrupt: " + fmt.Sprintf(format, args...))
}

// An image is the bytes of a file. Addresses count from base, where the superblock is.
type image struct {
	r               io.ReaderAt
	base, size      int64
	offsets, length int                          // bytes of an address and of a length
	budget          int64                        // bytes of metadata that may still be read: see fresh
	lax             bool                         // checksums are not verified
	collections     map[uint64]map[uint64][]byte // of the global heap, as far as read
}

// fresh begins an operation: metadata that refer to one another in a circle, or that are shared so that they are
// met again and again, are read until the budget is spent.
func (m *image) fresh() { m.budget = 4*m.size + 1<<20 }

// raw reads len(dst) bytes of the file.
func (m *image) raw(dst []byte, at uint64) error {
	if err := m.within(at, uint64(len(dst))); err != nil {
		return err
	}
	if n, err := m.r.ReadAt(dst, m.base+int64(at)); n < len(dst) {
		if err == nil || err == io.EOF {
			err = corrupt("the file ends within %d bytes at %d", len(dst), m.base+int64(at))
		}
		return err
	}
	return nil
}

// within says whether n bytes at an address are in the file.
func (m *image) within(at, n uint64) error {
	switch end := uint64(m.size - m.base); {
	case at == undefined:
		return corrupt("an address that is not defined is referred to")
	case at > end || n > end-at:
		return corrupt("%d bytes at %d are beyond the end of the file", n, at)
	}
	return nil
}

// block reads metadata.
func (m *image) block(at, n uint64) (*cursor, error) {
	if err := m.within(at, n); err != nil {
		return nil, err
	}
	if m.budget -= int64(n) + 16; m.budget < 0 {
		return nil, corrupt("the structure refers to itself")
	}
	data := make([]byte, n)
	return m.cursor(data), m.raw(data, at)
}

// signed is block for what begins with a signature and, if summed, ends with a checksum, which is cut off.
func (m *image) signed(at, n uint64, signature string, summed bool) (*cursor, error) {
	c, err := m.block(at, n)
	if err != nil {
		return nil, err
	}
	if got := c.take(4); string(got) != signature {
		return nil, corrupt("%q instead of %s at %d", got, signature, at)
	}
	if summed {
		return c, m.verify(c, at)
	}
	return c, nil
}

// verify checks and cuts off the checksum that ends the data of c.
func (m *image) verify(c *cursor, at uint64) error {
	n := len(c.data) - 4
	if n < 0 {
		return corrupt("a block without its checksum at %d", at)
	}
	sum := binary.LittleEndian.Uint32(c.data[n:])
	c.data = c.data[:n]
	if !m.lax && lookup3(c.data) != sum {
		return corrupt("wrong checksum of the metadata at %d", at)
	}
	return nil
}

// lookup3 is the checksum of metadata: Bob Jenkins' hash of that name.
func lookup3(data []byte) uint32 {
	a := 0xdeadbeef + uint32(len(data))
	b, c := a, a
	word := binary.LittleEndian.Uint32
	for ; len(data) > 12; data = data[12:] {
		a, b, c = a+word(data), b+word(data[4:]), c+word(data[8:])
		a = (a - c) ^ bits.RotateLeft32(c, 4)
		c += b
		b = (b - a) ^ bits.RotateLeft32(a, 6)
		a += c
		c = (c - b) ^ bits.RotateLeft32(b, 8)
		b += a
		a = (a - c) ^ bits.RotateLeft32(c, 16)
		c += b
		b = (b - a) ^ bits.RotateLeft32(a, 19)
		a += c
		c = (c - b) ^ bits.RotateLeft32(b, 4)
		b += a
	}
	if len(data) == 0 {
		return c
	}
	var last [12]byte
	copy(last[:], data)
	a, b, c = a+word(last[:]), b+word(last[4:]), c+word(last[8:])
	c = (c ^ b) - bits.RotateLeft32(b, 14)
	a = (a ^ c) - bits.RotateLeft32(c, 11)
	b = (b ^ a) - bits.RotateLeft32(a, 25)
	c = (c ^ b) - bits.RotateLeft32(b, 16)
	a = (a ^ c) - bits.RotateLeft32(c, 4)
	b = (b ^ a) - bits.RotateLeft32(a, 14)
	return (c ^ b) - bits.RotateLeft32(b, 24)
}

// A cursor goes through the bytes of a block. Once they have run out, everything read is zero and failed says so.
type cursor struct {
	m    *image
	data []byte
	at   int
	err  error
}

func (m *image) cursor(data []byte) *cursor { return &cursor{m: m, data: data} }

// failed is the first error of the cursor.
func (c *cursor) failed() error { return c.err }

func (c *cursor) left() int { return len(c.data) - c.at }

// take returns the next n bytes, or fewer at the end.
func (c *cursor) take(n int) []byte {
	if n < 0 || n > c.left() {
		if c.err == nil {
			c.err = corrupt("a block ends early: %d bytes are wanted, %d left", n, c.left())
		}
		c.at = len(c.data)
		return nil
	}
	c.at += n
	return c.data[c.at-n : c.at : c.at]
}

func (c *cursor) skip(n int) { c.take(n) }

// pad goes on to the next multiple of 8 bytes after begin; at the end of the block it may be missing.
func (c *cursor) pad(begin int) {
	c.skip(min((8-(c.at-begin)%8)%8, c.left()))
}

// uint is a little-endian integer of n bytes. More than 8 bytes are no number that a file needs.
func (c *cursor) uint(n int) (x uint64) {
	for i, b := range c.take(n) {
		if i < 8 {
			x |= uint64(b) << (8 * i)
		} else if b != 0 && c.err == nil {
			c.err = corrupt("an integer of %d bytes", n)
		}
	}
	return x
}

func (c *cursor) u8() int     { return int(c.uint(1)) }
func (c *cursor) u16() int    { return int(c.uint(2)) }
func (c *cursor) u32() uint64 { return c.uint(4) }
func (c *cursor) u64() uint64 { return c.uint(8) }

// address is an address; all ones is undefined whatever the width.
func (c *cursor) address() uint64 {
	x := c.uint(c.m.offsets)
	if n := c.m.offsets; n < 8 && x == 1<<(8*n)-1 {
		return undefined
	}
	return x
}

func (c *cursor) size() uint64 { return c.uint(c.m.length) }

// text is a string up to a zero byte, which is left behind.
func (c *cursor) text() string {
	for i := c.at; i < len(c.data); i++ {
		if c.data[i] == 0 {
			s := string(c.data[c.at:i])
			c.at = i + 1
			return s
		}
	}
	c.take(c.left() + 1)
	return ""
}

// bytesFor is how many bytes the numbers from 0 to most need.
func bytesFor(most uint64) int { return (bits.Len64(max(most, 1))-1)/8 + 1 }
