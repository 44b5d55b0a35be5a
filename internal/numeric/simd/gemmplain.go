package simd

// The micro-kernels of the matrix product in plain Go. Their sums stay in registers as long as the processor has one
// for each of them, the numbers they are made of and what a multiplication needs; four steps are written out so that
// the loop around them costs little. At every step each sum grows by one product, whichever tile it is in.

// wholeTile is a tile for whole tiles of packed factors by f, which adds to c.
func wholeTile(rows, cols int, f func(k int, a, b, c []float64, stride int)) tile {
	return tile{rows, cols, cols, false, func(_, _, k int, a []float64, _, _ int, b []float64, _ int, c []float64, ldc int, add bool) {
		for i := 0; i < rows && !add; i++ {
			clear(c[i*ldc:][:cols])
		}
		f(k, a, b, c, ldc)
	}}
}

// plainTile2x4 has as many sums as 16 registers hold, those of amd64.
func plainTile2x4(k int, a, b, c []float64, stride int) {
	var s00, s01, s02, s03, s10, s11, s12, s13 float64
	a, b = a[:2*k], b[:4*k]
	for len(a) >= 8 && len(b) >= 16 {
		x, y := (*[8]float64)(a), (*[16]float64)(b)
		b0, b1, b2, b3 := y[0], y[1], y[2], y[3]
		v := x[0]
		s00, s01, s02, s03 = s00+v*b0, s01+v*b1, s02+v*b2, s03+v*b3
		v = x[1]
		s10, s11, s12, s13 = s10+v*b0, s11+v*b1, s12+v*b2, s13+v*b3
		b0, b1, b2, b3 = y[4], y[5], y[6], y[7]
		v = x[2]
		s00, s01, s02, s03 = s00+v*b0, s01+v*b1, s02+v*b2, s03+v*b3
		v = x[3]
		s10, s11, s12, s13 = s10+v*b0, s11+v*b1, s12+v*b2, s13+v*b3
		b0, b1, b2, b3 = y[8], y[9], y[10], y[11]
		v = x[4]
		s00, s01, s02, s03 = s00+v*b0, s01+v*b1, s02+v*b2, s03+v*b3
		v = x[5]
		s10, s11, s12, s13 = s10+v*b0, s11+v*b1, s12+v*b2, s13+v*b3
		b0, b1, b2, b3 = y[12], y[13], y[14], y[15]
		v = x[6]
		s00, s01, s02, s03 = s00+v*b0, s01+v*b1, s02+v*b2, s03+v*b3
		v = x[7]
		s10, s11, s12, s13 = s10+v*b0, s11+v*b1, s12+v*b2, s13+v*b3
		a, b = a[8:], b[16:]
	}
	for len(a) >= 2 && len(b) >= 4 {
		x, y := (*[2]float64)(a), (*[4]float64)(b)
		b0, b1, b2, b3 := y[0], y[1], y[2], y[3]
		v := x[0]
		s00, s01, s02, s03 = s00+v*b0, s01+v*b1, s02+v*b2, s03+v*b3
		v = x[1]
		s10, s11, s12, s13 = s10+v*b0, s11+v*b1, s12+v*b2, s13+v*b3
		a, b = a[2:], b[4:]
	}
	addFour(c, s00, s01, s02, s03)
	addFour(c[stride:], s10, s11, s12, s13)
}

// plainTile4x4 has as many sums as 32 registers hold, those of arm64 and most others.
func plainTile4x4(k int, a, b, c []float64, stride int) {
	var s00, s01, s02, s03, s10, s11, s12, s13, s20, s21, s22, s23, s30, s31, s32, s33 float64
	a, b = a[:4*k], b[:4*k]
	for len(a) >= 16 && len(b) >= 16 {
		x, y := (*[16]float64)(a), (*[16]float64)(b)
		b0, b1, b2, b3 := y[0], y[1], y[2], y[3]
		v := x[0]
		s00, s01, s02, s03 = s00+v*b0, s01+v*b1, s02+v*b2, s03+v*b3
		v = x[1]
		s10, s11, s12, s13 = s10+v*b0, s11+v*b1, s12+v*b2, s13+v*b3
		v = x[2]
		s20, s21, s22, s23 = s20+v*b0, s21+v*b1, s22+v*b2, s23+v*b3
		v = x[3]
		s30, s31, s32, s33 = s30+v*b0, s31+v*b1, s32+v*b2, s33+v*b3
		b0, b1, b2, b3 = y[4], y[5], y[6], y[7]
		v = x[4]
		s00, s01, s02, s03 = s00+v*b0, s01+v*b1, s02+v*b2, s03+v*b3
		v = x[5]
		s10, s11, s12, s13 = s10+v*b0, s11+v*b1, s12+v*b2, s13+v*b3
		v = x[6]
		s20, s21, s22, s23 = s20+v*b0, s21+v*b1, s22+v*b2, s23+v*b3
		v = x[7]
		s30, s31, s32, s33 = s30+v*b0, s31+v*b1, s32+v*b2, s33+v*b3
		b0, b1, b2, b3 = y[8], y[9], y[10], y[11]
		v = x[8]
		s00, s01, s02, s03 = s00+v*b0, s01+v*b1, s02+v*b2, s03+v*b3
		v = x[9]
		s10, s11, s12, s13 = s10+v*b0, s11+v*b1, s12+v*b2, s13+v*b3
		v = x[10]
		s20, s21, s22, s23 = s20+v*b0, s21+v*b1, s22+v*b2, s23+v*b3
		v = x[11]
		s30, s31, s32, s33 = s30+v*b0, s31+v*b1, s32+v*b2, s33+v*b3
		b0, b1, b2, b3 = y[12], y[13], y[14], y[15]
		v = x[12]
		s00, s01, s02, s03 = s00+v*b0, s01+v*b1, s02+v*b2, s03+v*b3
		v = x[13]
		s10, s11, s12, s13 = s10+v*b0, s11+v*b1, s12+v*b2, s13+v*b3
		v = x[14]
		s20, s21, s22, s23 = s20+v*b0, s21+v*b1, s22+v*b2, s23+v*b3
		v = x[15]
		s30, s31, s32, s33 = s30+v*b0, s31+v*b1, s32+v*b2, s33+v*b3
		a, b = a[16:], b[16:]
	}
	for len(a) >= 4 && len(b) >= 4 {
		x, y := (*[4]float64)(a), (*[4]float64)(b)
		b0, b1, b2, b3 := y[0], y[1], y[2], y[3]
		v := x[0]
		s00, s01, s02, s03 = s00+v*b0, s01+v*b1, s02+v*b2, s03+v*b3
		v = x[1]
		s10, s11, s12, s13 = s10+v*b0, s11+v*b1, s12+v*b2, s13+v*b3
		v = x[2]
		s20, s21, s22, s23 = s20+v*b0, s21+v*b1, s22+v*b2, s23+v*b3
		v = x[3]
		s30, s31, s32, s33 = s30+v*b0, s31+v*b1, s32+v*b2, s33+v*b3
		a, b = a[4:], b[4:]
	}
	addFour(c, s00, s01, s02, s03)
	addFour(c[stride:], s10, s11, s12, s13)
	addFour(c[2*stride:], s20, s21, s22, s23)
	addFour(c[3*stride:], s30, s31, s32, s33)
}

func addFour(row []float64, s0, s1, s2, s3 float64) {
	row = row[:4]
	row[0], row[1], row[2], row[3] = row[0]+s0, row[1]+s1, row[2]+s2, row[3]+s3
}

// interleave sets dst to a[0], b[0], a[1], b[1], ….
func interleave(dst, a, b []float64) {
	b = b[:len(a)]
	for len(a) >= 4 && len(b) >= 4 && len(dst) >= 8 {
		x, y, z := (*[4]float64)(a), (*[4]float64)(b), (*[8]float64)(dst)
		z[0], z[1], z[2], z[3], z[4], z[5], z[6], z[7] = x[0], y[0], x[1], y[1], x[2], y[2], x[3], y[3]
		a, b, dst = a[4:], b[4:], dst[8:]
	}
	for i, v := range a {
		dst[2*i], dst[2*i+1] = v, b[i]
	}
}

// plainMulVector sets y = a·v along rows or columns, whichever are contiguous.
func plainMulVector(y []float64, a Matrix, v []float64) {
	if a.ColStride != 1 {
		clear(y)
		plainAddColumns(y, a, v)
		return
	}
	i := 0
	for ; i+4 <= a.Rows; i += 4 {
		x := a.Data[i*a.RowStride:]
		y[i], y[i+1], y[i+2], y[i+3] = fourDots(v, x, x[a.RowStride:], x[2*a.RowStride:], x[3*a.RowStride:])
	}
	for ; i < a.Rows; i++ {
		s := 0.0
		for p, w := range a.Data[i*a.RowStride:][:len(v)] {
			s += w * v[p]
		}
		y[i] = s
	}
}

// fourDots returns the inner products of v with four vectors at once: additions of one sum wait for each other.
func fourDots(v, a, b, c, d []float64) (s0, s1, s2, s3 float64) {
	n := len(v)
	a, b, c, d = a[:n], b[:n], c[:n], d[:n]
	for len(v) >= 4 && len(a) >= 4 && len(b) >= 4 && len(c) >= 4 && len(d) >= 4 {
		z, x0, x1, x2, x3 := (*[4]float64)(v), (*[4]float64)(a), (*[4]float64)(b), (*[4]float64)(c), (*[4]float64)(d)
		w := z[0]
		s0, s1, s2, s3 = s0+x0[0]*w, s1+x1[0]*w, s2+x2[0]*w, s3+x3[0]*w
		w = z[1]
		s0, s1, s2, s3 = s0+x0[1]*w, s1+x1[1]*w, s2+x2[1]*w, s3+x3[1]*w
		w = z[2]
		s0, s1, s2, s3 = s0+x0[2]*w, s1+x1[2]*w, s2+x2[2]*w, s3+x3[2]*w
		w = z[3]
		s0, s1, s2, s3 = s0+x0[3]*w, s1+x1[3]*w, s2+x2[3]*w, s3+x3[3]*w
		v, a, b, c, d = v[4:], a[4:], b[4:], c[4:], d[4:]
	}
	for p, w := range v {
		s0, s1, s2, s3 = s0+a[p]*w, s1+b[p]*w, s2+c[p]*w, s3+d[p]*w
	}
	return s0, s1, s2, s3
}

// plainAddColumns adds a·v to y, four columns at a time; rows of a need not be contiguous.
func plainAddColumns(y []float64, a Matrix, v []float64) {
	p := 0
	if a.RowStride == 1 {
		for ; p+4 <= len(v); p += 4 {
			x := a.Data[p*a.ColStride:]
			addFourColumns(y, x, x[a.ColStride:], x[2*a.ColStride:], x[3*a.ColStride:], v[p], v[p+1], v[p+2], v[p+3])
		}
	}
	for ; p < len(v); p++ {
		w := v[p]
		for i := range y {
			y[i] += a.Data[i*a.RowStride+p*a.ColStride] * w
		}
	}
}

func addFourColumns(y, a, b, c, d []float64, v0, v1, v2, v3 float64) {
	n := len(y)
	a, b, c, d = a[:n], b[:n], c[:n], d[:n]
	for i, s := range y {
		s += a[i] * v0
		s += b[i] * v1
		s += c[i] * v2
		s += d[i] * v3
		y[i] = s
	}
}
