package arrays

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"unsafe"

	"github.com/greenbench/workbench/internal/numeric/dense"
)

// stoppableFile is a file that is not read any further after the end of a context.
type stoppableFile struct {
	io.ReaderAt
	ctx context.Context
}

func (s stoppableFile) ReadAt(p []byte, at int64) (int, error) {
	if err := ended(s.ctx); err != nil {
		return 0, err
	}
	return s.ReaderAt.ReadAt(p, at)
}

// contextOf is the context that ends the work on a file, if it was opened with one.
func contextOf(r io.ReaderAt) context.Context {
	if s, ok := r.(stoppableFile); ok {
		return s.ctx
	}
	return context.Background()
}

// roomForBytes is [room] for bytes, which begin where a float64 may begin.
func roomForBytes(n int) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(dense.Room[float64](n/8+1)))), n)
}

// bytesOf reads n bytes at a place of a file that are there, on all processors: to copy
// from the system's memory takes as long as to clear and fill one's own.
func bytesOf(r io.ReaderAt, at, n int64) ([]byte, error) {
	if err := dense.CheckSize(fmt.Sprintf("a file of %d bytes", n), float64(n)/8); err != nil {
		return nil, err
	}
	b := roomForBytes(int(n))
	const piece = 1 << 20
	failed := make([]error, (n+piece-1)/piece)
	err := share(contextOf(r), len(failed), piece/4, func(lo, hi int) {
		for k := lo; k < hi; k++ {
			from := int64(k) * piece
			if got, err := r.ReadAt(b[from:min(n, from+piece)], at+from); int64(got) < min(n-from, piece) {
				failed[k] = err
			}
		}
	})
	if err != nil {
		return nil, err
	}
	for _, err := range failed {
		if err != nil {
			return nil, readError(err, "the file became shorter")
		}
	}
	return b, nil
}

// littleEndian says whether this machine has numbers in memory as most files have them.
func littleEndian() bool { return binary.NativeEndian.Uint16([]byte{1, 0}) == 1 }

// floats are bytes as the float64s that they are, without a copy; nil where they do not
// begin at such a place or have the other order.
func (t number) floats(b []byte) []float64 {
	if t.kind != 'f' || t.size != 8 || t.order != binary.LittleEndian || !littleEndian() || len(b) == 0 || dense.Address(b)%8 != 0 {
		return nil
	}
	return unsafe.Slice((*float64)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/8)
}

// numbers are those stored in bytes, a whole number of them. They share the memory where
// that is possible.
func (t number) numbers(ctx context.Context, b []byte) ([]float64, error) {
	if x := t.floats(b); x != nil {
		return x, nil
	}
	n := len(b) / t.size
	if err := dense.CheckSize(fmt.Sprintf("%d numbers", n), float64(n)); err != nil {
		return nil, err
	}
	x := dense.Room[float64](n)
	return x, share(ctx, n, 1, func(lo, hi int) { t.decode(x[lo:hi], b[lo*t.size:]) })
}
