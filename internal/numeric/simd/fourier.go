package simd

import "fmt"

// Complex is a complex array in two parts of equal length.
type Complex struct{ Re, Im []float64 }

// Swapped exchanges the parts: a forward transform between two swaps is the inverse one, not divided by n.
func (z Complex) Swapped() Complex { return Complex{z.Im, z.Re} }

// Slice returns elements lo to hi, sharing memory.
func (z Complex) Slice(lo, hi int) Complex { return Complex{z.Re[lo:hi:hi], z.Im[lo:hi:hi]} }

// butterflies combines, for each of count values of q, n numbers of the rows 0, 1, … of x, xRow apart, to those of the
// rows of y, yRow apart. The next q starts n further in x and after all its rows in y. w holds the twiddle factors of
// those q; the form for q = 0 ignores it.
type butterflies func(y, x Complex, n, count, xRow, yRow int, w []float64)

// radix is the butterflies of one radix.
type radix struct{ first, others butterflies }

// Stage computes one Stockham stage of a batch of Fourier transforms, [radix][m][s] -> [m][radix][s] for radix 2, 3, 4
// or 5: for all q < m and r < s
//
//	y[q][j][r] = exp(−2πi q j/(radix·m)) Σ_l exp(−2πi l j/radix) x[l][q][r].
//
// w holds exp(−2πi q j/(radix·m)) for 0 < j < radix at [2(q(radix−1)+j−1)] and the place after it, real and imaginary
// part. x and y do not overlap.
func (k Kernels) Stage(radix int, y, x Complex, m, s int, w []float64) {
	size := radix * m * s
	x, y, w = x.Slice(0, size), y.Slice(0, size), w[:2*m*(radix-1)]
	if size == 0 {
		return
	}
	f := &k.radix[radix]
	columns := func(f butterflies, q int) {
		for lo := 0; lo < s; lo += part {
			f(y.From(q*radix*s+lo), x.From(q*s+lo), min(part, s-lo), 1, m*s, s, w[2*q*(radix-1):])
		}
	}
	columns(f.first, 0)
	if s > part {
		for q := 1; q < m; q++ {
			columns(f.others, q)
		}
		return
	}
	for q := 1; q < m; {
		count := min(m-q, max(1, part/s))
		f.others(y.From(q*radix*s), x.From(q*s), s, count, m*s, s, w[2*q*(radix-1):])
		q += count
	}
}

// From returns the elements from i on, sharing memory.
func (z Complex) From(i int) Complex { return Complex{z.Re[i:], z.Im[i:]} }

// MultiplyComplex sets z = z·c; c is as long as z or longer. Called with z.Swapped() it sets z = z·conj c.
func (k Kernels) MultiplyComplex(z, c Complex) {
	n := len(z.Re)
	z, c = z.Slice(0, n), c.Slice(0, n)
	for lo := 0; lo < n; lo += part {
		hi := min(lo+part, n)
		k.multiplyComplex(z.Slice(lo, hi), c.Slice(lo, hi))
	}
}

// Halves is the step between the transform Z of h complex numbers x[2j] + i x[2j+1] and that of the 2h real ones x, for
// a batch: rows of batch numbers, for 0 < k < h. With a and b rows k and h−k it computes
//
//	e = scale (a + conj b),  o = scale (a − conj b) (w_i − i w_r)  ->  a = e + o,  b = conj(e − o)
//
// where w_r, w_i = w[2k], w[2k+1], k <= h/2.
func (k Kernels) Halves(z Complex, h, batch int, w []float64, scale float64) {
	if h < 2 || batch == 0 {
		return
	}
	z, w = z.Slice(0, h*batch), w[:2*(h/2)+2]
	// Vectors run along the batch; and one call must not last too long.
	if batch < 4 || h*batch > 32*part {
		plainHalves(z, h, batch, w, scale)
		return
	}
	k.halves(z, h, batch, w, scale)
}

// SplitColumns transposes rows x cols numbers, x[i*xStride+j], sending columns to two arrays in turn: column j goes to
// even[(j/2)*stride+i] or, if j is odd, to odd[(j/2)*stride+i].
func (k Kernels) SplitColumns(even, odd []float64, stride int, x []float64, xStride, rows, cols int) {
	checkColumns(even, odd, stride, x, xStride, rows, cols)
	side := k.square
	full := cols / side * side
	i := 0
	for ; i+side <= rows && full > 0; i += side {
		for j := 0; j < full; j += part / side {
			k.splitBlocks(even[j/2*stride+i:], odd[j/2*stride+i:], x[i*xStride+j:], min(full-j, part/side)/side, stride, xStride)
		}
	}
	edge := func(i0, i1, j0 int) {
		for i := i0; i < i1; i++ {
			row := x[i*xStride:][:cols]
			at := j0/2*stride + i
			for j := j0; j+1 < cols; j += 2 {
				even[at], odd[at] = row[j], row[j+1]
				at += stride
			}
			if cols%2 == 1 {
				even[at] = row[cols-1]
			}
		}
	}
	edge(0, i, full)
	edge(i, rows, 0)
}

// JoinColumns undoes SplitColumns.
func (k Kernels) JoinColumns(x []float64, xStride int, even, odd []float64, stride, rows, cols int) {
	checkColumns(even, odd, stride, x, xStride, rows, cols)
	side := k.square
	full := cols / side * side
	i := 0
	for ; i+side <= rows && full > 0; i += side {
		for j := 0; j < full; j += part / side {
			k.joinBlocks(x[i*xStride+j:], even[j/2*stride+i:], odd[j/2*stride+i:], min(full-j, part/side)/side, xStride, stride)
		}
	}
	edge := func(i0, i1, j0 int) {
		for i := i0; i < i1; i++ {
			row := x[i*xStride:][:cols]
			at := j0/2*stride + i
			for j := j0; j+1 < cols; j += 2 {
				row[j], row[j+1] = even[at], odd[at]
				at += stride
			}
			if cols%2 == 1 {
				row[cols-1] = even[at]
			}
		}
	}
	edge(0, i, full)
	edge(i, rows, 0)
}

// Transpose sets dst[j*stride+i] = x[i*xStride+j] for i < rows and j < cols.
func (k Kernels) Transpose(dst []float64, stride int, x []float64, xStride, rows, cols int) {
	if cols < 2 {
		for i := range rows * cols {
			dst[i] = x[i*xStride]
		}
		return
	}
	k.SplitColumns(dst, dst[stride:], 2*stride, x, xStride, rows, cols)
}

func checkColumns(even, odd []float64, stride int, x []float64, xStride, rows, cols int) {
	if rows == 0 || cols == 0 {
		return
	}
	if (rows-1)*xStride+cols > len(x) || (cols-1)/2*stride+rows > len(even) || cols > 1 && (cols-2)/2*stride+rows > len(odd) {
		panic(fmt.Sprintf("simd: %d x %d transposition with strides %d, %d of %d, %d and %d numbers",
			rows, cols, stride, xStride, len(even), len(odd), len(x)))
	}
}
