package inflate

import (
	"context"
	"encoding/binary"
	"errors"
	"hash/adler32"
)

// piece is how much is written between two looks at the context; what was written is in
// the cache still for the one who sums it up.
const piece = 1 << 18

// Most is how many bytes one byte can become at most: a match of 258 takes two bits.
const Most = 1032

// What else can be wrong.
var (
	ErrLonger   = errors.New("corrupt: the compressed data go on after what was promised")
	ErrChecksum = errors.New("corrupt: wrong checksum")
	errNoZlib   = errors.New("corrupt: the compressed data do not begin as zlib's do")
)

// All returns what src was made from, of which size bytes are promised; fewer are there if
// it ends early. seen, unless nil, gets all of it piece by piece. room makes memory, such as
// make does; no more than four times the input is asked for before it is known to be needed,
// then twice what was. read is how much of src is used up.
func (s *Stream) All(ctx context.Context, src []byte, size int, room func(int) []byte, seen func([]byte)) (out []byte, read int, err error) {
	s.Reset(src)
	out = room(min(size, 4*len(src)+piece))
	for at := 0; ; {
		if ctx.Err() != nil {
			return nil, 0, context.Cause(ctx)
		}
		next, err := s.Next(out[:min(len(out), at+piece)], at)
		if err != nil {
			return nil, 0, err
		}
		if seen != nil {
			seen(out[at:next])
		}
		at = next
		switch {
		case s.Done():
			return out[:at], s.Read(), nil
		case at == size:
			return nil, 0, ErrLonger
		case at == len(out):
			larger := room(min(size, 2*len(out)))
			copy(larger, out)
			out = larger
		}
	}
}

// Zlib is [Stream.All] for data in the frame of zlib, whose checksum it verifies.
func (s *Stream) Zlib(ctx context.Context, src []byte, size int, room func(int) []byte) ([]byte, error) {
	if err := zlibHead(src); err != nil {
		return nil, err
	}
	sum := adler32.New()
	out, read, err := s.All(ctx, src[2:], size, room, func(b []byte) { sum.Write(b) })
	if err != nil {
		return nil, err
	}
	if tail := src[2+read:]; len(tail) < 4 {
		return nil, ErrTruncated
	} else if binary.BigEndian.Uint32(tail) != sum.Sum32() {
		return nil, ErrChecksum
	}
	return out, nil
}

// zlibHead checks the two bytes before the data.
func zlibHead(src []byte) error {
	const deflate, dictionary = 8, 0x20
	switch {
	case len(src) < 2:
		return ErrTruncated
	case src[0]&15 != deflate || binary.BigEndian.Uint16(src)%31 != 0 || src[1]&dictionary != 0:
		return errNoZlib
	}
	return nil
}
