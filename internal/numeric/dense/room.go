package dense

import (
	"strings"
	"unsafe"
)

// Room is make([]T, n) for elements that are all set before any is read. Clearing
// what is overwritten at once takes longer than most operations: the system hands
// large memory out page by page, one processor after the other.
//
// A strings.Builder is what Go has for memory that is not cleared. It is all here: a build with
// the tag poison fills it, at any size, so that tests see what was not set.
func Room[T float64 | complex128 | bool | uint64 | int](n int) []T {
	size := n * int(unsafe.Sizeof(*new(T)))
	if size < Roomy || size == 0 {
		return make([]T, n)
	}
	heap.before(size)
	var b strings.Builder
	b.Grow(size)
	b.WriteByte(0)
	first := unsafe.StringData(b.String())
	memory := unsafe.Slice(first, size)
	HugePages(memory)
	if Poison {
		for i := range memory {
			memory[i] = 1 // true, 8e-304, and no index
		}
	}
	return unsafe.Slice((*T)(unsafe.Pointer(first)), n)
}

// Address is where memory begins.
func Address(memory []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(memory))) }
