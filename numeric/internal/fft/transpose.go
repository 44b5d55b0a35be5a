package fft

// transpose writes dst[j*dstStride+i] = src[i*srcStride+j] for i < rows and j < cols.
func transpose(dst []float64, dstStride int, src []float64, srcStride, rows, cols int) {
	i := 0
	for ; i+4 <= rows; i += 4 {
		a, b := src[i*srcStride:][:cols], src[(i+1)*srcStride:][:cols]
		c, d := src[(i+2)*srcStride:][:cols], src[(i+3)*srcStride:][:cols]
		o := i
		for j := range cols {
			t := dst[o : o+4 : o+4]
			t[0], t[1], t[2], t[3] = a[j], b[j], c[j], d[j]
			o += dstStride
		}
	}
	for ; i < rows; i++ {
		for j, v := range src[i*srcStride:][:cols] {
			dst[j*dstStride+i] = v
		}
	}
}

// transposeScaled is transpose times scale.
func transposeScaled(dst []float64, dstStride int, src []float64, srcStride, rows, cols int, scale float64) {
	for i := range rows {
		for j, v := range src[i*srcStride:][:cols] {
			dst[j*dstStride+i] = scale * v
		}
	}
}

// split writes element 2j of row b of src to z.re[j*batch+b] and element 2j+1 to z.im[j*batch+b]; rows have have
// elements, and an odd last one is followed by zero.
func split(z pair, src []float64, stride, batch, have int) {
	h := have / 2
	b := 0
	for ; b+4 <= batch; b += 4 {
		r0, r1 := src[b*stride:][:have], src[(b+1)*stride:][:have]
		r2, r3 := src[(b+2)*stride:][:have], src[(b+3)*stride:][:have]
		o := b
		for j := 0; j+1 < have; j += 2 {
			re, im := z.re[o:o+4:o+4], z.im[o:o+4:o+4]
			re[0], re[1], re[2], re[3] = r0[j], r1[j], r2[j], r3[j]
			im[0], im[1], im[2], im[3] = r0[j+1], r1[j+1], r2[j+1], r3[j+1]
			o += batch
		}
	}
	for ; b < batch; b++ {
		r := src[b*stride:][:have]
		for j := range h {
			z.re[j*batch+b], z.im[j*batch+b] = r[2*j], r[2*j+1]
		}
	}
	if have%2 == 1 {
		for b := range batch {
			z.re[h*batch+b], z.im[h*batch+b] = src[b*stride+have-1], 0
		}
	}
}

// join undoes split, times scale, for the first keep elements of every row.
func join(dst []float64, stride int, z pair, batch, keep int, scale float64) {
	h := keep / 2
	b := 0
	for ; b+4 <= batch; b += 4 {
		r0, r1 := dst[b*stride:][:keep], dst[(b+1)*stride:][:keep]
		r2, r3 := dst[(b+2)*stride:][:keep], dst[(b+3)*stride:][:keep]
		o := b
		for j := 0; j+1 < keep; j += 2 {
			re, im := z.re[o:o+4:o+4], z.im[o:o+4:o+4]
			r0[j], r1[j], r2[j], r3[j] = scale*re[0], scale*re[1], scale*re[2], scale*re[3]
			r0[j+1], r1[j+1], r2[j+1], r3[j+1] = scale*im[0], scale*im[1], scale*im[2], scale*im[3]
			o += batch
		}
	}
	for ; b < batch; b++ {
		r := dst[b*stride:][:keep]
		for j := range h {
			r[2*j], r[2*j+1] = scale*z.re[j*batch+b], scale*z.im[j*batch+b]
		}
	}
	if keep%2 == 1 {
		for b := range batch {
			dst[b*stride+keep-1] = scale * z.re[h*batch+b]
		}
	}
}
