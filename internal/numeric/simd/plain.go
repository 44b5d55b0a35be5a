package simd

import (
	"math"

	"github.com/greenbench/workbench/internal/elementary"
)

// plainTable is the level every machine has, and what the others are tested against.
func plainTable() *table {
	return &table{
		neg: each(func(a float64) float64 { return -a }),
		abs: each(math.Abs), sqrt: each(math.Sqrt), floor: each(math.Floor), ceil: each(math.Ceil),
		exp: plainExp, log: each(plainLog), sin: each(math.Sin), cos: each(math.Cos),
		beyond: func([]float64, float64) bool { return false },
		add:    plainAdd, sub: plainSub, mul: plainMul, div: plainDiv, max: plainMax, min: plainMin,
		greater: plainGreater, greaterOrEqual: plainGreaterOrEqual,
		fma: plainFMA, where: plainWhere, number: plainNumbers(),
		squared: plainSquared, fromSquared: plainFromSquared, addSquared: plainAddSquared, fromAddSquared: plainFromAddSquared, decay: plainDecay,
		dot: plainDot, dotRows: plainDotRows, addFour: plainAddRows, rotations: plainRotations,
		tan: each(math.Tan), sinh: each(elementary.Sinh), cosh: each(elementary.Cosh), tanh: each(math.Tanh), atan: each(math.Atan),
		roundEven: each(math.RoundToEven), log10: each(elementary.Log10), pow: plainPow,
		truths: plainTruths, and: plainAnd, or: plainOr, xor: plainXor,
		sum: plainSum, extremes: [2]func(dst, a []float64) bool{plainLeast, plainGreatest},
		profile: [families]unary{SE: plainSE, Exponential: plainExponential, Matern32: plainMatern32, Matern52: plainMatern52},
		squares: plainSquares,
		tile:    plainTile(), flops: 8, mulVector: plainMulVector,
		radix: plainRadices(), multiplyComplex: plainMultiplyComplex, halves: plainHalves,
		square: plainSquare, splitBlocks: plainSplitBlocks, joinBlocks: plainJoinBlocks,
	}
}

func each(f func(float64) float64) unary {
	return func(dst, a []float64) {
		for i, v := range a {
			dst[i] = f(v)
		}
	}
}

func plainAdd(dst, a, b []float64) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] + b[i]
	}
}

func plainSub(dst, a, b []float64) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] - b[i]
	}
}

func plainMul(dst, a, b []float64) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] * b[i]
	}
}

func plainDiv(dst, a, b []float64) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] / b[i]
	}
}

func plainMax(dst, a, b []float64) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = max(a[i], b[i])
	}
}

func plainMin(dst, a, b []float64) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = min(a[i], b[i])
	}
}

func plainGreater(dst, a, b []float64) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		v := 0.0
		if a[i] > b[i] {
			v = 1
		}
		dst[i] = v
	}
}

func plainGreaterOrEqual(dst, a, b []float64) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		v := 0.0
		if a[i] >= b[i] {
			v = 1
		}
		dst[i] = v
	}
}

func plainFMA(dst, a, b, c []float64) {
	a, b, c = a[:len(dst)], b[:len(dst)], c[:len(dst)]
	for i := range dst {
		dst[i] = math.FMA(a[i], b[i], c[i])
	}
}

func plainWhere(dst, c, a, b []float64) {
	c, a, b = c[:len(dst)], a[:len(dst)], b[:len(dst)]
	for i := range dst {
		v := b[i]
		if c[i] != 0 {
			v = a[i]
		}
		dst[i] = v
	}
}

func plainDot(a, b []float64) float64 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float64
	i := 0
	for ; i+4 <= len(a); i += 4 {
		s0 += a[i] * b[i]
		s1 += a[i+1] * b[i+1]
		s2 += a[i+2] * b[i+2]
		s3 += a[i+3] * b[i+3]
	}
	for ; i < len(a); i++ {
		s0 += a[i] * b[i]
	}
	return (s0 + s1) + (s2 + s3)
}

func plainDotRows(dst, a, b []float64) {
	for i := range dst {
		dst[i] = plainDot(a[i*len(b):(i+1)*len(b)], b)
	}
}

func plainAddRows(dst, a, x []float64, stride int) {
	m := len(dst)
	x0, x1, x2, x3 := x[:m], x[stride:stride+m], x[2*stride:2*stride+m], x[3*stride:3*stride+m]
	a0, a1, a2, a3 := a[0], a[1], a[2], a[3]
	for j := range dst {
		dst[j] += (a0*x0[j] + a1*x1[j]) + (a2*x2[j] + a3*x3[j])
	}
}

func plainRotations(rows []float64, turns []Rotation) {
	for i, q := range turns {
		x, y := (*[TurnedColumns]float64)(rows[i*TurnedColumns:]), (*[TurnedColumns]float64)(rows[(i+1)*TurnedColumns:])
		for j, v := range x {
			w := y[j]
			x[j], y[j] = q.C*v+q.S*w, q.C*w-q.S*v
		}
	}
}
