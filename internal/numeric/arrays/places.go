package arrays

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/bits"

	"github.com/greenbench/workbench/internal/numeric/dense"
)

// placesOf is the offsets of the elements where a mask holds, plus first. Pieces of
// the mask are counted, and then each writes its own places, on all processors.
func placesOf[T int | float64](ctx context.Context, m *Mask, first int) ([]T, error) {
	const piece = 1 << 16
	n := len(m.Data)
	from := make([]int, (n+piece-1)/piece+1) // before each piece, and of all
	err := share(ctx, len(from)-1, 0.1*piece, func(lo, hi int) {
		for p := lo; p < hi; p++ {
			from[p+1] = held(m.Data[p*piece : min((p+1)*piece, n)])
		}
	})
	if err != nil {
		return nil, err
	}
	for p := range len(from) - 1 {
		from[p+1] += from[p]
	}
	count := from[len(from)-1]
	if err := dense.CheckSize(fmt.Sprintf("the %d places where the mask holds:", count), float64(count)); err != nil {
		return nil, err
	}
	at := dense.Room[T](count)
	var offsets *[256][8]T
	if count > 1<<12 {
		offsets = offsetsHeld[T]()
	}
	return at, share(ctx, len(from)-1, 0.6*piece, func(lo, hi int) {
		for p := lo; p < hi; p++ {
			appendPlaces(at[from[p]:from[p+1]], m.Data[p*piece:min((p+1)*piece, n)], p*piece+first, offsets)
		}
	})
}

// appendPlaces fills dst, which is as long as there are, with the places where a
// mask holds, counted from first on: eight elements at a time without a branch,
// since nobody can foretell a mask. offsets is offsetsHeld, or nil for a few.
func appendPlaces[T int | float64](dst []T, mask []bool, first int, offsets *[256][8]T) {
	bytes, n, i := zerosAndOnes(mask), 0, 0
	for ; offsets != nil && i+8 <= len(bytes) && n+8 <= len(dst); i += 8 {
		eight := packed(bytes[i : i+8])
		from, to := &offsets[eight], (*[8]T)(dst[n:n+8])
		base := T(first + i)
		to[0], to[1], to[2], to[3] = base+from[0], base+from[1], base+from[2], base+from[3]
		to[4], to[5], to[6], to[7] = base+from[4], base+from[5], base+from[6], base+from[7]
		n += bits.OnesCount8(eight)
	}
	for ; i < len(bytes) && n < len(dst); i++ {
		dst[n] = T(first + i)
		n += int(bytes[i])
	}
}

// packed is the bits of eight bytes that are 0 or 1, the first one lowest.
func packed(bytes []byte) byte {
	return byte(binary.LittleEndian.Uint64(bytes) * 0x0102040810204080 >> 56)
}

// offsetsHeld is of each byte the offsets of its bits that are set, in their order.
func offsetsHeld[T int | float64]() *[256][8]T {
	var of [256][8]T
	for b := range of {
		n := 0
		for k := range 8 {
			if b>>k&1 == 1 {
				of[b][n] = T(k)
				n++
			}
		}
	}
	return &of
}
