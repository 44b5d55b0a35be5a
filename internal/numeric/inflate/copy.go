package inflate

import "encoding/binary"

// margins of the fast loop: what one turn may read and write at most.
const (
	inMargin  = 24
	outMargin = 5 + 258 + 8
)

// fast decodes while neither end is near; slow does the rest, and is what fast is compared with.
func (s *Stream) fast(dst []byte, at int) (int, error) {
	src, pos, bits, n := s.src, s.pos, s.bits, s.n
	lit, dist := &s.lit, &s.dist
	for pos <= len(src)-inMargin && at <= len(dst)-outMargin {
		bits |= binary.LittleEndian.Uint64(src[pos:]) << (n & 63)
		pos += int((63 - n) >> 3)
		n |= 56
		// Up to five literals take 55 bits at most: the first table has codes of 11.
		out := dst[at : at+8]
		e := lit[bits&(1<<litBits-1)]
		k := 0
		for ; e&isLiteral != 0 && k < 5; k++ {
			out[k] = byte(e >> 16)
			bits >>= e & 63
			n -= uint(e & 63)
			e = lit[bits&(1<<litBits-1)]
		}
		at += k
		if k == 5 {
			continue
		}
		bits |= binary.LittleEndian.Uint64(src[pos:]) << (n & 63)
		pos += int((63 - n) >> 3)
		n |= 56
		e = lit[bits&(1<<litBits-1)]
		if e&isLonger != 0 && e&(isOther|isLiteral) == isOther {
			bits >>= litBits
			n -= litBits
			e = lit[(e>>16+uint32(bits)&(1<<(e>>8&15)-1))&(litSize-1)]
		}
		if e&isLiteral != 0 {
			dst[at] = byte(e >> 16)
			at++
			bits >>= e & 63
			n -= uint(e & 63)
			continue
		}
		if e&isOther != 0 {
			s.pos, s.bits, s.n = pos, bits, n
			s.settle()
			if e&^0xff != endOfBlock {
				return at, ErrCorrupt
			}
			_, err := s.take(uint(e & 63))
			s.endBlock()
			return at, err
		}
		length := int(e>>16 + uint32(bits&(1<<(e&63)-1))>>(e>>8&15))
		bits >>= e & 63
		n -= uint(e & 63)
		e = dist[bits&(1<<distBits-1)]
		if e&isLonger != 0 && e&isOther != 0 {
			bits >>= distBits
			n -= distBits
			e = dist[(e>>16+uint32(bits)&(1<<(e>>8&15)-1))&(distSize-1)]
		}
		behind := int(e>>16 + uint32(bits&(1<<(e&63)-1))>>(e>>8&15))
		if e&isOther != 0 || behind > at {
			return at, ErrCorrupt
		}
		bits >>= e & 63
		n -= uint(e & 63)
		copyBack(dst, at, behind, length)
		at += length
	}
	s.pos, s.bits, s.n = pos, bits, n
	s.settle()
	return at, nil
}

// settle gives back the bytes of which only a part was taken as sure.
func (s *Stream) settle() {
	s.bits &= 1<<(s.n&63) - 1
}

// copyBack repeats what is behind; eight bytes at a time where these are known already.
func copyBack(dst []byte, at, behind, length int) {
	to := dst[at : at+length+8]
	from := dst[at-behind:]
	if behind >= 8 {
		for i := 0; i < length; i += 8 {
			binary.LittleEndian.PutUint64(to[i:], binary.LittleEndian.Uint64(from[i:]))
		}
		return
	}
	if behind == 1 {
		word := 0x0101010101010101 * uint64(from[0])
		for i := 0; i < length; i += 8 {
			binary.LittleEndian.PutUint64(to[i:], word)
		}
		return
	}
	for i := range length {
		to[i] = from[i]
	}
}

// slow decodes symbol by symbol until dst is full or the block ends.
func (s *Stream) slow(dst []byte, at int) (int, error) {
	for {
		s.refill()
		e := s.lit[s.bits&(1<<litBits-1)]
		before := uint(0)
		if e&isLiteral == 0 && e&(isOther|isLonger) == isOther|isLonger {
			before = litBits
			e = s.lit[e>>16+uint32(s.bits>>litBits)&(1<<(e>>8&15)-1)]
		}
		switch {
		case before+uint(e&63) > s.n:
			return at, ErrTruncated
		case e&isLiteral != 0:
			if at == len(dst) {
				return at, nil
			}
			s.drop(before + uint(e&63))
			dst[at] = byte(e >> 16)
			at++
			continue
		case e&isOther != 0 && e&^0xff == endOfBlock:
			s.drop(before + uint(e&63))
			s.endBlock()
			return at, nil
		case e&isOther != 0:
			return at, s.wrong()
		}
		if at == len(dst) {
			return at, nil
		}
		s.drop(before)
		s.length = s.value(e)
		if err := s.distance(at); err != nil {
			return at, err
		}
		var err error
		if at, err = s.match(dst, at); err != nil || s.length > 0 {
			return at, err
		}
	}
}

func (s *Stream) drop(k uint) {
	s.bits >>= k
	s.n -= k
}

// value is what an entry stands for, with its extra bits.
func (s *Stream) value(e uint32) int {
	x := e>>16 + uint32(s.bits&(1<<(e&63)-1))>>(e>>8&15)
	s.drop(uint(e & 63))
	return int(x)
}

// distance reads how far back a match is.
func (s *Stream) distance(at int) error {
	s.refill()
	e := s.dist[s.bits&(1<<distBits-1)]
	if e&(isOther|isLonger) == isOther|isLonger {
		if s.n < distBits {
			return ErrTruncated
		}
		s.drop(distBits)
		e = s.dist[e>>16+uint32(s.bits)&(1<<(e>>8&15)-1)]
	}
	if e&isOther != 0 {
		return s.wrong()
	}
	if uint(e&63) > s.n {
		return ErrTruncated
	}
	if s.behind = s.value(e); s.behind > at {
		return ErrCorrupt
	}
	return nil
}

// match copies what is left of a match, as far as dst goes.
func (s *Stream) match(dst []byte, at int) (int, error) {
	for ; s.length > 0 && at < len(dst); s.length-- {
		dst[at] = dst[at-s.behind]
		at++
	}
	return at, nil
}
