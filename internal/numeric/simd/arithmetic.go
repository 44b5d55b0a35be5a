package simd

// Operator is a binary operation of arithmetic.
type Operator int

// The operators.
const (
	Plus Operator = iota
	Minus
	Times
	Over
	operators
)

// Shape tells which operand is one number.
type Shape int

// The shapes: the first operand is one number, the second is, or neither.
const (
	NumberFirst Shape = iota
	NumberSecond
	Vectors
	shapes
)

// Arithmetic returns the loop that sets dst[i] = a[i] ∘ b[i], or takes the first element of an operand that is one
// number for every i. Operands that are not must be as long as dst or longer; dst must not be empty, nor longer than
// 2^15.
func (k Kernels) Arithmetic(o Operator, s Shape) func(dst, a, b []float64) {
	if s != Vectors {
		return k.number[o][s]
	}
	return [operators]binary{k.add, k.sub, k.mul, k.div}[o]
}

// swapped exchanges the operands of an operation that does not mind.
func swapped(f binary) binary {
	return func(dst, a, b []float64) { f(dst, b, a) }
}

// numbers arranges the loops of operations with one number.
func numbers(add, sub, from, mul, div, divide binary) [operators][2]binary {
	return [operators][2]binary{
		Plus: {swapped(add), add}, Minus: {from, sub}, Times: {swapped(mul), mul}, Over: {divide, div},
	}
}

func plainNumbers() [operators][2]binary {
	return numbers(plainAddNumber, plainSubNumber, plainSubFromNumber, plainMulNumber, plainDivNumber, plainDivideNumber)
}

func plainAddNumber(dst, a, b []float64) {
	number, a := b[0], a[:len(dst)]
	for i, v := range a {
		dst[i] = v + number
	}
}

func plainSubNumber(dst, a, b []float64) {
	number, a := b[0], a[:len(dst)]
	for i, v := range a {
		dst[i] = v - number
	}
}

func plainSubFromNumber(dst, a, b []float64) {
	number, b := a[0], b[:len(dst)]
	for i, v := range b {
		dst[i] = number - v
	}
}

func plainMulNumber(dst, a, b []float64) {
	number, a := b[0], a[:len(dst)]
	for i, v := range a {
		dst[i] = v * number
	}
}

func plainDivNumber(dst, a, b []float64) {
	number, a := b[0], a[:len(dst)]
	for i, v := range a {
		dst[i] = v / number
	}
}

func plainDivideNumber(dst, a, b []float64) {
	number, b := a[0], b[:len(dst)]
	for i, v := range b {
		dst[i] = number / v
	}
}
