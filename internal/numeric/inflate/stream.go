package inflate

import (
	"encoding/binary"
	"errors"
)

// What can be wrong with compressed data.
var (
	ErrCorrupt   = errors.New("corrupt: the compressed data make no sense")
	ErrTruncated = errors.New("truncated: the compressed data end early")
)

// A Stream is deflated data on the way to what they were made from. Its tables are used
// again after [Stream.Reset].
type Stream struct {
	src  []byte
	pos  int    // of the next byte that is not among the bits yet
	bits uint64 // the next bits of the input, the first one lowest
	n    uint   // how many of them are sure

	mode           mode
	last           bool // this block is the last
	stored         int  // bytes left of a stored block
	length, behind int  // what is left of a match, and how far back it is

	lit  [litSize]uint32
	dist [distSize]uint32
}

type mode int

const (
	atBlock mode = iota
	inStored
	inCoded
	atEnd
)

// Reset begins with other data.
func (s *Stream) Reset(src []byte) {
	s.src, s.pos, s.bits, s.n = src, 0, 0, 0
	s.mode, s.last, s.stored, s.length = atBlock, false, 0, 0
}

// Done says whether the last block has come to its end.
func (s *Stream) Done() bool { return s.mode == atEnd }

// Read is how many bytes of the input are used up, a byte of which some bits are included.
func (s *Stream) Read() int { return s.pos - int(s.n/8) }

// Next writes what follows dst[:at], where everything so far is, until dst is full or the
// data end: see [Stream.Done]. It returns how far dst is filled.
func (s *Stream) Next(dst []byte, at int) (int, error) {
	for {
		var err error
		switch s.mode {
		case atBlock:
			err = s.begin()
		case inStored:
			k := min(s.stored, len(dst)-at)
			if k > len(s.src)-s.pos {
				err = ErrTruncated
				break
			}
			copy(dst[at:], s.src[s.pos:s.pos+k])
			at, s.pos, s.stored = at+k, s.pos+k, s.stored-k
			if s.stored > 0 {
				return at, nil
			}
			s.endBlock()
		case inCoded:
			if at, err = s.match(dst, at); err == nil && s.length == 0 {
				if at, err = s.fast(dst, at); err == nil && s.mode == inCoded {
					at, err = s.slow(dst, at)
				}
			}
			if err == nil && s.mode == inCoded {
				return at, nil
			}
		case atEnd:
			return at, nil
		}
		if err != nil {
			return at, err
		}
	}
}

func (s *Stream) endBlock() {
	s.mode = atBlock
	if s.last {
		s.mode = atEnd
	}
}

// refill has at least 56 bits ready, or all that there are.
func (s *Stream) refill() {
	for s.n < 56 && s.pos < len(s.src) {
		s.bits |= uint64(s.src[s.pos]) << s.n
		s.pos++
		s.n += 8
	}
}

// take returns the next k bits, at most 16.
func (s *Stream) take(k uint) (uint32, error) {
	if s.n < k {
		if s.refill(); s.n < k {
			return 0, ErrTruncated
		}
	}
	x := uint32(s.bits & (1<<k - 1))
	s.bits >>= k
	s.n -= k
	return x, nil
}

// begin reads the head of a block.
func (s *Stream) begin() error {
	head, err := s.take(3)
	if err != nil {
		return err
	}
	s.last = head&1 != 0
	switch head >> 1 {
	case 0:
		return s.beginStored()
	case 1:
		s.mode = inCoded
		return s.fixed()
	case 2:
		s.mode = inCoded
		return s.dynamic()
	}
	return ErrCorrupt
}

// beginStored goes on at the next whole byte, of which some may be among the bits.
func (s *Stream) beginStored() error {
	s.pos -= int(s.n / 8)
	s.bits, s.n = 0, 0
	if len(s.src)-s.pos < 4 {
		return ErrTruncated
	}
	size, inverse := binary.LittleEndian.Uint16(s.src[s.pos:]), binary.LittleEndian.Uint16(s.src[s.pos+2:])
	if size != ^inverse {
		return ErrCorrupt
	}
	s.pos += 4
	s.stored, s.mode = int(size), inStored
	return nil
}

// fixed is the code that the format gives.
func (s *Stream) fixed() error {
	var lengths [320]uint8
	for i := range 288 {
		switch {
		case i < 144:
			lengths[i] = 8
		case i < 256:
			lengths[i] = 9
		case i < 280:
			lengths[i] = 7
		default:
			lengths[i] = 8
		}
	}
	for i := range 32 {
		lengths[288+i] = 5
	}
	return s.tables(lengths[:288], lengths[288:])
}

func (s *Stream) tables(lit, dist []uint8) error {
	if !build(s.lit[:], litBits, lit, litEntry) || !build(s.dist[:], distBits, dist, distEntry) {
		return ErrCorrupt
	}
	return nil
}

// order is that of the lengths of the code in which lengths are written.
var order = [...]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// dynamic reads a code: the lengths of its symbols, themselves in a code.
func (s *Stream) dynamic() error {
	head, err := s.take(14)
	if err != nil {
		return err
	}
	literals, distances, numbers := int(head&31)+257, int(head>>5&31)+1, int(head>>10)+4
	if literals > 286 || distances > 30 {
		return ErrCorrupt
	}
	var lengths [320]uint8
	for _, i := range order[:numbers] {
		n, err := s.take(3)
		if err != nil {
			return err
		}
		lengths[i] = uint8(n)
	}
	const first = 7
	var table [1 << first]uint32
	if !build(table[:], first, lengths[:19], numberEntry) {
		return ErrCorrupt
	}
	clear(lengths[:])
	for i, all := 0, literals+distances; i < all; {
		s.refill()
		e := table[s.bits&(1<<first-1)]
		if e&isOther != 0 {
			return s.wrong()
		}
		if _, err := s.take(uint(e & 0xff)); err != nil {
			return err
		}
		symbol := e >> 16
		if symbol < 16 {
			lengths[i] = uint8(symbol)
			i++
			continue
		}
		again := [...]struct {
			bits  uint
			least int
		}{{2, 3}, {3, 3}, {7, 11}}[symbol-16]
		more, err := s.take(again.bits)
		if err != nil {
			return err
		}
		value, k := uint8(0), again.least+int(more)
		if i+k > all || symbol == 16 && i == 0 {
			return ErrCorrupt
		}
		if symbol == 16 {
			value = lengths[i-1]
		}
		for range k {
			lengths[i] = value
			i++
		}
	}
	return s.tables(lengths[:literals], lengths[literals:literals+distances])
}

// wrong is the error of bits that are no code: they are not, or are not all there.
func (s *Stream) wrong() error {
	if s.n < longest && s.pos >= len(s.src) {
		return ErrTruncated
	}
	return ErrCorrupt
}
