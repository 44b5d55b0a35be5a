package arrays

import (
	"encoding/binary"
	"unsafe"
)

// zerosAndOnes is the same memory: a bool is a byte which is 0 or 1.
func zerosAndOnes(m []bool) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(m))), len(m))
}

// addBytes adds b to dst, in which sums stay below 256, eight bytes at a time.
func addBytes(dst, b []byte) {
	i := 0
	for ; i+8 <= len(dst); i += 8 {
		binary.LittleEndian.PutUint64(dst[i:], binary.LittleEndian.Uint64(dst[i:])+binary.LittleEndian.Uint64(b[i:]))
	}
	for ; i < len(dst); i++ {
		dst[i] += b[i]
	}
}

// held counts the true ones, many at a time: 252 of them add up in a byte.
func held(m []bool) int {
	n := 0
	for rest := zerosAndOnes(m); len(rest) > 0; {
		part := rest[:min(len(rest), 8*252)]
		rest = rest[len(part):]
		var sums uint64
		for ; len(part) >= 32; part = part[32:] {
			four := part[:32]
			sums += binary.LittleEndian.Uint64(four) + binary.LittleEndian.Uint64(four[8:]) +
				(binary.LittleEndian.Uint64(four[16:]) + binary.LittleEndian.Uint64(four[24:]))
		}
		const even = 0x00ff00ff00ff00ff
		sums = sums&even + sums>>8&even // four sums of 16 bits
		n += int(sums * 0x0001000100010001 >> 48)
		for _, one := range part {
			n += int(one)
		}
	}
	return n
}
