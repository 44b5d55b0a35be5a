// Package fft transforms real float64 arrays of any rank, many lines at a time.
//
// Sizes are products of 2, 3 and 5; Good finds the next one. Three things are exported:
//
//   - Real, a plan for the forward and inverse transform of a real array (half spectrum along the last axis);
//   - Convolver, a product with a multilevel Toeplitz matrix: a zero padded convolution which never touches the
//     rows it knows to be zero, nor computes those it would throw away;
//   - Good, the size to pad to.
//
// Inside, a line is a complex transform of one length (line.go) made of Stockham stages of radix 4, 2, 3 and 5, whose
// inner loops are those of package simd. Real and imaginary parts are separate arrays and the index of the line within
// a batch is the innermost one, so every inner loop runs over contiguous numbers with a constant twiddle factor: it
// vectorises across transforms, and a batch needs no other code than a single line. A new radix is one more butterfly
// in simd and one more number in nextRadix. Passes over an array (pass.go) gather blocks of lines small enough to stay
// in the cache.
//
// The convention is X_k = Σ_j x_j exp(−2πi jk/n) for the forward transform; the inverse divides by the size of the
// array. Plans are immutable and safe for concurrent use. Work split over goroutines gives the same bits as work
// that is not: there are no reductions across lines.
package fft

import "fmt"

// Good returns the least even n' >= n whose only prime factors are 2, 3 and 5 (and 2 for n <= 2): a size for which
// a real transform is fast. To convolve m values with the 2m−1 lags between them, pad to Good(2*m-1).
func Good(n int) int {
	for k := max(2, n+n&1); ; k += 2 {
		if smooth(k) {
			return k
		}
	}
}

// smooth tells whether n >= 1 is a product of 2, 3 and 5.
func smooth(n int) bool {
	if n < 1 {
		return false
	}
	for _, p := range []int{2, 3, 5} {
		for n%p == 0 {
			n /= p
		}
	}
	return n == 1
}

// checkShape reports the first axis a transform cannot have, and a size which an int cannot hold.
func checkShape(shape []int) error {
	if len(shape) == 0 {
		return fmt.Errorf("shape []: needs at least one axis")
	}
	size := 1
	for i, n := range shape {
		if !smooth(n) {
			return fmt.Errorf("shape %v: axis %d has size %d: must be a product of 2, 3 and 5", shape, i, n)
		}
		if n > maxSize/size {
			return fmt.Errorf("shape %v: more than %d elements", shape, maxSize)
		}
		size *= n
	}
	return nil
}

// maxSize bounds the number of elements of an array: beyond it index arithmetic in the stages could overflow.
const maxSize = 1 << 40

func product(shape []int) int {
	p := 1
	for _, n := range shape {
		p *= n
	}
	return p
}
