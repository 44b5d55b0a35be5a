package simd

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// Levels lists what this machine has, in order of preference.
func Levels() []Level {
	levels := []Level{Plain}
	x := &cpu.X86
	if x.HasAVX2 && x.HasFMA {
		levels = append(levels, AVX2)
		if x.HasAVX512F && x.HasAVX512DQ && x.HasAVX512VL {
			levels = append(levels, AVX512)
		}
	}
	return levels
}

func tableOf(level Level) *table {
	switch level {
	case AVX512:
		return avx512Table()
	case AVX2:
		return avx2Table()
	}
	return plainTable()
}

func avx512Table() *table {
	squares := [fused]squaresFunc{squaresDim1AVX512, squaresDim2AVX512, squaresDim3AVX512, squaresDim4AVX512}
	return &table{
		neg: wrap1(negAVX512), abs: wrap1(absAVX512), sqrt: wrap1(sqrtAVX512), floor: wrap1(floorAVX512),
		ceil: wrap1(ceilAVX512), exp: wrap1(expAVX512), log: wrap1(logAVX512), sin: wrap1(sinAVX512), cos: wrap1(cosAVX512),
		add: wrap2(addAVX512), sub: wrap2(subAVX512), mul: wrap2(mulAVX512), div: wrap2(divAVX512),
		max: wrap2(maxAVX512), min: wrap2(minAVX512), greater: wrap2(greaterAVX512),
		greaterOrEqual: wrap2(greaterOrEqualAVX512),
		fma:            wrap3(fmaAVX512), where: wrap3(whereAVX512),
		number:  numbers(wrap2(addNumberAVX512), wrap2(subNumberAVX512), wrap2(subFromNumberAVX512), wrap2(mulNumberAVX512), wrap2(divNumberAVX512), wrap2(divideNumberAVX512)),
		squared: wrap2(squareOfDifferenceAVX512), fromSquared: wrap2(squareFromNumberAVX512),
		addSquared: wrap3(addSquareOfDifferenceAVX512), fromAddSquared: wrap3(addSquareFromNumberAVX512), decay: wrap3(decayAVX512),
		tan: wrap1(tanAVX512), sinh: wrap1(sinhAVX512), cosh: wrap1(coshAVX512), tanh: wrap1(tanhAVX512), atan: wrap1(atanAVX512),
		log10: wrap1(log10AVX512), pow: wrap2(powAVX512), roundEven: wrap1(roundEvenAVX512),
		truths: [comparisons]truths{
			Greater: wrapTruths(greaterTruthsAVX512, plainTruths[Greater]), GreaterOrEqual: wrapTruths(greaterOrEqualTruthsAVX512, plainTruths[GreaterOrEqual]),
			Equal: wrapTruths(equalTruthsAVX512, plainTruths[Equal]), NotEqual: wrapTruths(notEqualTruthsAVX512, plainTruths[NotEqual]),
		},
		and: wrapBytes(andAVX512, plainAnd), or: wrapBytes(orAVX512, plainOr), xor: wrapBytes(xorAVX512, plainXor),
		sum:      func(a []float64) float64 { return sumAVX512(&a[0], len(a)) },
		extremes: [2]func(dst, a []float64) bool{wrapExtreme(leastAVX512), wrapExtreme(greatestAVX512)},
		beyond:   func(a []float64, bound float64) bool { return beyondAVX512(&a[0], len(a), bound) != 0 },
		dot:      func(a, b []float64) float64 { return dotAVX512(&a[0], &b[0], len(a)) },
		dotRows:  wrapDotRows(4, dotRowsAVX512, dotAVX512), addFour: wrapAddRows(addRowsAVX512),
		rotations: func(rows []float64, turns []Rotation) {
			rotationsAVX512(&rows[0], 8*TurnedColumns, &turns[0].C, len(turns))
		},
		profile: [families]unary{
			SE: wrap1(profileSEAVX512), Exponential: wrap1(profileExponentialAVX512),
			Matern32: wrap1(profileMatern32AVX512), Matern52: wrap1(profileMatern52AVX512),
		},
		squares: wrapSquares(squares, addSquaresAVX512),
		mulVec: wrapMulVec([families][fused]mulVecFunc{
			SE:          {mulVecSEDim1AVX512, mulVecSEDim2AVX512, mulVecSEDim3AVX512, mulVecSEDim4AVX512},
			Exponential: {mulVecExponentialDim1AVX512, mulVecExponentialDim2AVX512, mulVecExponentialDim3AVX512, mulVecExponentialDim4AVX512},
			Matern32:    {mulVecMatern32Dim1AVX512, mulVecMatern32Dim2AVX512, mulVecMatern32Dim3AVX512, mulVecMatern32Dim4AVX512},
			Matern52:    {mulVecMatern52Dim1AVX512, mulVecMatern52Dim2AVX512, mulVecMatern52Dim3AVX512, mulVecMatern52Dim4AVX512},
		}),
		tile: tile{8, 24, 8, true, wrapTiles([3][]tileFunc{
			{tile8x1AVX512, tile4x1AVX512, tile2x1AVX512, tile1x1AVX512},
			{tile8x2AVX512, tile4x2AVX512, tile2x2AVX512, tile1x2AVX512},
			{tile8x3AVX512, tile4x3AVX512, tile2x3AVX512, tile1x3AVX512},
		})}, flops: 50,
		radix: [6]radix{
			2: {wrapFirst(radix2AVX512), wrapTwiddle(radix2TwiddleAVX512)},
			3: {wrapFirst(radix3AVX512), wrapTwiddle(radix3TwiddleAVX512)},
			4: {wrapFirst(radix4AVX512), wrapTwiddle(radix4TwiddleAVX512)},
			5: {wrapFirst(radix5AVX512), wrapTwiddle(radix5TwiddleAVX512)},
		},
		multiplyComplex: wrapMultiplyComplex(multiplyComplexAVX512),
		halves:          wrapHalves(halvesAVX512),
		square:          8, splitBlocks: wrapBlocks(splitColumnsAVX512), joinBlocks: wrapBlocks(joinColumnsAVX512),
	}
}

func avx2Table() *table {
	squares := [fused]squaresFunc{squaresDim1AVX2, squaresDim2AVX2, squaresDim3AVX2, squaresDim4AVX2}
	return &table{
		neg: wrap1(negAVX2), abs: wrap1(absAVX2), sqrt: wrap1(sqrtAVX2), floor: wrap1(floorAVX2),
		ceil: wrap1(ceilAVX2), exp: wrap1(expAVX2), log: wrap1(logAVX2), sin: wrap1(sinAVX2), cos: wrap1(cosAVX2),
		add: wrap2(addAVX2), sub: wrap2(subAVX2), mul: wrap2(mulAVX2), div: wrap2(divAVX2),
		max: wrap2(maxAVX2), min: wrap2(minAVX2), greater: wrap2(greaterAVX2),
		greaterOrEqual: wrap2(greaterOrEqualAVX2),
		fma:            wrap3(fmaAVX2), where: wrap3(whereAVX2),
		number:  numbers(wrap2(addNumberAVX2), wrap2(subNumberAVX2), wrap2(subFromNumberAVX2), wrap2(mulNumberAVX2), wrap2(divNumberAVX2), wrap2(divideNumberAVX2)),
		squared: wrap2(squareOfDifferenceAVX2), fromSquared: wrap2(squareFromNumberAVX2),
		addSquared: wrap3(addSquareOfDifferenceAVX2), fromAddSquared: wrap3(addSquareFromNumberAVX2), decay: wrap3(decayAVX2),
		tan: wrap1(tanAVX2), sinh: wrap1(sinhAVX2), cosh: wrap1(coshAVX2), tanh: wrap1(tanhAVX2), atan: wrap1(atanAVX2),
		log10: wrap1(log10AVX2), pow: wrap2(powAVX2), roundEven: wrap1(roundEvenAVX2),
		truths: [comparisons]truths{
			Greater: wrapTruths(greaterTruthsAVX2, plainTruths[Greater]), GreaterOrEqual: wrapTruths(greaterOrEqualTruthsAVX2, plainTruths[GreaterOrEqual]),
			Equal: wrapTruths(equalTruthsAVX2, plainTruths[Equal]), NotEqual: wrapTruths(notEqualTruthsAVX2, plainTruths[NotEqual]),
		},
		and: wrapBytes(andAVX2, plainAnd), or: wrapBytes(orAVX2, plainOr), xor: wrapBytes(xorAVX2, plainXor),
		sum:      func(a []float64) float64 { return sumAVX2(&a[0], len(a)) },
		extremes: [2]func(dst, a []float64) bool{wrapExtreme(leastAVX2), wrapExtreme(greatestAVX2)},
		beyond:   func(a []float64, bound float64) bool { return beyondAVX2(&a[0], len(a), bound) != 0 },
		dot:      func(a, b []float64) float64 { return dotAVX2(&a[0], &b[0], len(a)) },
		dotRows:  wrapDotRows(2, dotRowsAVX2, dotAVX2), addFour: wrapAddRows(addRowsAVX2),
		rotations: func(rows []float64, turns []Rotation) {
			rotationsAVX2(&rows[0], 8*TurnedColumns, &turns[0].C, len(turns))
		},
		profile: [families]unary{
			SE: wrap1(profileSEAVX2), Exponential: wrap1(profileExponentialAVX2),
			Matern32: wrap1(profileMatern32AVX2), Matern52: wrap1(profileMatern52AVX2),
		},
		squares: wrapSquares(squares, addSquaresAVX2),
		mulVec: wrapMulVec([families][fused]mulVecFunc{
			SE:          {mulVecSEDim1AVX2, mulVecSEDim2AVX2, mulVecSEDim3AVX2, mulVecSEDim4AVX2},
			Exponential: {mulVecExponentialDim1AVX2, mulVecExponentialDim2AVX2, mulVecExponentialDim3AVX2, mulVecExponentialDim4AVX2},
			Matern32:    {mulVecMatern32Dim1AVX2, mulVecMatern32Dim2AVX2, mulVecMatern32Dim3AVX2, mulVecMatern32Dim4AVX2},
			Matern52:    {mulVecMatern52Dim1AVX2, mulVecMatern52Dim2AVX2, mulVecMatern52Dim3AVX2, mulVecMatern52Dim4AVX2},
		}),
		tile: tile{4, 12, 4, true, wrapTiles([3][]tileFunc{
			{tile4x1AVX2, tile2x1AVX2, tile1x1AVX2},
			{tile4x2AVX2, tile2x2AVX2, tile1x2AVX2},
			{tile4x3AVX2, tile2x3AVX2, tile1x3AVX2},
		})}, flops: 40,
		radix: [6]radix{
			2: {wrapFirst(radix2AVX2), wrapTwiddle(radix2TwiddleAVX2)},
			3: {wrapFirst(radix3AVX2), wrapTwiddle(radix3TwiddleAVX2)},
			4: {wrapFirst(radix4AVX2), wrapTwiddle(radix4TwiddleAVX2)},
			5: {wrapFirst(radix5AVX2), wrapTwiddle(radix5TwiddleAVX2)},
		},
		multiplyComplex: wrapMultiplyComplex(multiplyComplexAVX2),
		halves:          wrapHalves(halvesAVX2),
		square:          4, splitBlocks: wrapBlocks(splitColumnsAVX2), joinBlocks: wrapBlocks(joinColumnsAVX2),
	}
}

// The assembly takes pointers; the wrappers take what the methods have checked to be of equal length and not empty.

func wrap1(f func(dst, a *float64, n int)) unary {
	return func(dst, a []float64) { f(&dst[0], &a[0], len(dst)) }
}

func wrap2(f func(dst, a, b *float64, n int)) binary {
	return func(dst, a, b []float64) { f(&dst[0], &a[0], &b[0], len(dst)) }
}

func wrap3(f func(dst, a, b, c *float64, n int)) ternary {
	return func(dst, a, b, c []float64) { f(&dst[0], &a[0], &b[0], &c[0], len(dst)) }
}

// wrapTruths leaves the elements that fill no vector to plain.
func wrapTruths(f func(dst *byte, a, b *float64, n int), plain truths) truths {
	return func(dst []bool, a, b []float64) {
		n := len(dst) &^ 7
		if n > 0 {
			f((*byte)(unsafe.Pointer(&dst[0])), &a[0], &b[0], n)
		}
		plain(dst[n:], a[n:], b[n:])
	}
}

// wrapBytes takes eight of them for a number, whose bits the operation does not look at, and leaves the rest to plain.
func wrapBytes(f func(dst, a, b *float64, n int), plain bitwise) bitwise {
	return func(dst, a, b []bool) {
		n := len(dst) &^ 7
		if n > 0 {
			f((*float64)(unsafe.Pointer(&dst[0])), (*float64)(unsafe.Pointer(&a[0])), (*float64)(unsafe.Pointer(&b[0])), n/8)
		}
		plain(dst[n:], a[n:], b[n:])
	}
}

// wrapDotRows takes so many rows at once, and the rest one by one.
func wrapDotRows(rows int, some func(dst, a, b *float64, n, stride int), one func(a, b *float64, n int) float64) func(dst, a, b []float64) {
	return func(dst, a, b []float64) {
		n := len(b)
		for ; len(dst) >= rows; dst, a = dst[rows:], a[rows*n:] {
			some(&dst[0], &a[0], &b[0], n, 8*n)
		}
		for i := range dst {
			dst[i] = one(&a[i*n], &b[0], n)
		}
	}
}

func wrapAddRows(f func(dst, a, x *float64, n, stride int)) func(dst, a, x []float64, stride int) {
	return func(dst, a, x []float64, stride int) { f(&dst[0], &a[0], &x[0], len(dst), 8*stride) }
}

func wrapExtreme(f func(dst, a *float64, n int) int) func(dst, a []float64) bool {
	return func(dst, a []float64) bool { return f(&dst[0], &a[0], len(a)) != 0 }
}

// squaresFunc takes strides in bytes: of the coordinates in x, and of those of the point at q.
type squaresFunc func(dst, x, q *float64, n, stride, step int)

func wrapSquares(f [fused]squaresFunc, add func(dst, x *float64, n int, q float64)) func(dst []float64, p Points, i int, x Points) {
	return func(dst []float64, p Points, i int, x Points) {
		f[min(x.dim, fused)-1](&dst[0], &x.x[0], &p.x[i], len(dst), 8*x.stride, 8*p.stride)
		for k := fused; k < x.dim; k++ {
			add(&dst[0], &x.x[k*x.stride], len(dst), p.x[k*p.stride+i])
		}
	}
}

type mulVecFunc func(y, p, x, v *float64, m, n, ps, xs int)

func wrapMulVec(f [families][fused]mulVecFunc) func(y []float64, p, x Points, v []float64) {
	return func(y []float64, p, x Points, v []float64) {
		f[p.family][p.dim-1](&y[0], &p.x[0], &x.x[0], &v[0], len(y), len(v), p.stride, x.stride)
	}
}

// tileFunc takes strides in bytes, and adds to c unless add is 0.
type tileFunc func(k int, a *float64, rs, cs int, b *float64, ldb int, c *float64, ldc, add int)

// wrapTiles takes the kernels by vectors of columns, and by rows: the most, half as many, …, one.
func wrapTiles(f [3][]tileFunc) func(rows, vectors, k int, a []float64, rs, cs int, b []float64, ldb int, c []float64, ldc int, add bool) {
	return func(rows, vectors, k int, a []float64, rs, cs int, b []float64, ldb int, c []float64, ldc int, add bool) {
		adds := 0
		if add {
			adds = 1
		}
		kernels := f[vectors-1]
		for i, size := 0, 1<<(len(kernels)-1); i < rows; kernels, size = kernels[1:], size/2 {
			for ; i+size <= rows; i += size {
				kernels[0](k, &a[i*rs], 8*rs, 8*cs, &b[0], 8*ldb, &c[i*ldc], 8*ldc, adds)
			}
		}
	}
}

type firstFunc func(yr, yi, xr, xi *float64, n, count, xRow, yRow int)

func wrapFirst(f firstFunc) butterflies {
	return func(y, x Complex, n, count, xRow, yRow int, _ []float64) {
		f(&y.Re[0], &y.Im[0], &x.Re[0], &x.Im[0], n, count, xRow, yRow)
	}
}

type twiddleFunc func(yr, yi, xr, xi *float64, n, count, xRow, yRow int, w *float64)

func wrapTwiddle(f twiddleFunc) butterflies {
	return func(y, x Complex, n, count, xRow, yRow int, w []float64) {
		f(&y.Re[0], &y.Im[0], &x.Re[0], &x.Im[0], n, count, xRow, yRow, &w[0])
	}
}

func wrapMultiplyComplex(f func(zr, zi, cr, ci *float64, n int)) func(z, c Complex) {
	return func(z, c Complex) { f(&z.Re[0], &z.Im[0], &c.Re[0], &c.Im[0], len(z.Re)) }
}

func wrapHalves(f func(re, im *float64, h, batch int, w *float64, scale float64)) func(z Complex, h, batch int, w []float64, scale float64) {
	return func(z Complex, h, batch int, w []float64, scale float64) {
		f(&z.Re[0], &z.Im[0], h, batch, &w[0], scale)
	}
}

func wrapBlocks(f func(a, b, c *float64, blocks, s, t int)) func(a, b, c []float64, blocks, s, t int) {
	return func(a, b, c []float64, blocks, s, t int) { f(&a[0], &b[0], &c[0], blocks, s, t) }
}

// plainTile is the micro-kernel of plain Go for the registers of this machine.
func plainTile() tile { return wholeTile(2, 4, plainTile2x4) }
