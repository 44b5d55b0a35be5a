// Package simd holds the inner loops worth writing for the vector units: elementwise operations on blocks, the
// exponential, radial kernels between point sets, the matrix product, and the loops of Fourier transforms.
//
// Kernels is a small value with one method per loop, made by Best for the machine it runs on, or by New for a stated
// Level, which is how tests reach every path. There are three levels: AVX-512, AVX2 with FMA, and plain Go, the last
// on every other machine. Elementwise operations give the same bits at every level; Exp agrees to its last digits, and
// sums differ by their order, which at one level is always the same.
//
// The assembly is written by the program in gen (a module of its own) with avo. To add an elementwise operation, add
// a line to gen/elementwise.go, its plain-Go loop to plain.go, a field to table and a method to Kernels; the tests in
// elementwise_test.go run over a list which takes one more line.
//
// Vector code cannot be preempted, so long arrays are passed to it in parts of well under a millisecond. None of the
// functions polls a context: callers who need more than 10^8 operations split their work.
package simd

import (
	"fmt"
	"sync"
)

//go:generate go run -C gen . -part elementwise -pkg simd -out ../elementwise_amd64.s -stubs ../elementwise_stub_amd64.go
//go:generate go run -C gen . -part radial -pkg simd -out ../radial_amd64.s -stubs ../radial_stub_amd64.go
//go:generate go run -C gen . -part product -pkg simd -out ../product_amd64.s -stubs ../product_stub_amd64.go
//go:generate go run -C gen . -part fourier -pkg simd -out ../fourier_amd64.s -stubs ../fourier_stub_amd64.go

// Level is an instruction set, in order of preference.
type Level int

// The levels. AVX2 includes FMA; AVX512 stands for its subsets F, DQ and VL.
const (
	Plain Level = iota
	AVX2
	AVX512
)

func (l Level) String() string {
	switch l {
	case Plain:
		return "plain"
	case AVX2:
		return "avx2"
	case AVX512:
		return "avx512"
	}
	return fmt.Sprintf("Level(%d)", int(l))
}

// Kernels gives access to the loops at one level. It is safe for concurrent use and cheap to copy; its copies share
// their scratch memory, so keep one rather than calling Best again and again. The zero value is not usable.
type Kernels struct {
	level Level
	*table
	scratch *sync.Pool // of *buffers
}

// Best returns the kernels for the highest level this machine has.
func Best() Kernels {
	levels := Levels()
	k, err := New(levels[len(levels)-1])
	if err != nil {
		panic(err) // Levels lists only what New accepts
	}
	return k
}

// New returns the kernels of one level, which must be one of Levels.
func New(level Level) (Kernels, error) {
	for _, l := range Levels() {
		if l == level {
			return Kernels{level, tableOf(level), &sync.Pool{New: func() any { return new(buffers) }}}, nil
		}
	}
	return Kernels{}, fmt.Errorf("level %v: this machine has %v", level, Levels())
}

// Level tells which instruction set k uses.
func (k Kernels) Level() Level { return k.level }

// buffers is scratch memory of one call.
type buffers struct {
	a, b, tile, edge []float64
	room             *room
}

// grow returns *buf with length n, contents arbitrary.
func grow(buf *[]float64, n int) []float64 {
	if cap(*buf) < n {
		*buf = make([]float64, n)
	}
	return (*buf)[:n]
}

type (
	unary   func(dst, a []float64)
	binary  func(dst, a, b []float64)
	ternary func(dst, a, b, c []float64)
)

// table is the functions of one level. Lengths are equal and not zero, the methods see to that.
type table struct {
	neg, abs, sqrt, floor, ceil, exp, log                 unary
	sin, cos, tan                                         unary // for |a| <= circularBound
	sinh, cosh                                            unary // for |a| <= hyperbolicBound
	tanh, atan, roundEven                                 unary
	log10                                                 unary  // NaN where it may be so, and where a is no normal positive number
	pow                                                   binary // the same
	add, sub, mul, div, max, min, greater, greaterOrEqual binary
	fma, where                                            ternary
	// number holds the arithmetic with one number, the first operand or the second.
	number [operators][2]binary
	// squared is (a−b)², addSquared (a−b)² + c; in those that begin with from, a is one number. decay is c e^(−a b).
	squared, fromSquared              binary
	addSquared, fromAddSquared, decay ternary

	// beyond tells whether any |a[i]| is not <= bound, NaN included.
	beyond func(a []float64, bound float64) bool

	dot func(a, b []float64) float64
	// dotRows sets dst to the products of the rows of a and b, each added up as dot does; addFour adds a times four rows.
	dotRows func(dst, a, b []float64)
	addFour func(dst, a, x []float64, stride int)
	// rotations turns rows of TurnedColumns, one more than there are turns.
	rotations func(rows []float64, turns []Rotation)
	// sum adds up a multiple of 32 numbers.
	sum func(a []float64) float64
	// extremes set dst, eight numbers, to some of a, the least and the greatest among them; a is a multiple of 32
	// numbers. They tell whether a NaN is one, which dst is without.
	extremes     [2]func(dst, a []float64) bool
	truths       [comparisons]truths
	and, or, xor bitwise
	// profile holds k(squared distance) of every family.
	profile [families]unary
	// squares sets dst to the squared distances of point i of p from the points of x.
	squares func(dst []float64, p Points, i int, x Points)
	// mulVec adds to y the kernel matrix of p and x times v. It is nil where there is no fused loop; others have one for
	// up to fused coordinates.
	mulVec func(y []float64, p, x Points, v []float64)

	tile  tile
	flops float64 // of products of matrices in cache, about so many a nanosecond
	// mulVector sets y to a times v, each sum from its first product to its last. It is nil where tiles do this.
	mulVector func(y []float64, a Matrix, v []float64)

	radix           [6]radix // by radix
	multiplyComplex func(z, c Complex)
	halves          func(z Complex, h, batch int, w []float64, scale float64)
	// splitBlocks and joinBlocks transpose a row of square blocks of this side.
	square      int
	splitBlocks func(even, odd, x []float64, blocks, stride, xStride int)
	joinBlocks  func(x, even, odd []float64, blocks, xStride, stride int)
}
