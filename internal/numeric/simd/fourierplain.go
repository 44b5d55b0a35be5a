package simd

// The butterflies in plain Go: one call of a kernel per q, which the outer functions step through.

func plainRadices() [6]radix {
	ones := []float64{1, 0, 1, 0, 1, 0, 1, 0}
	first := func(f func(y, x Complex, n, xRow, yRow int, w []float64)) butterflies {
		return func(y, x Complex, n, _, xRow, yRow int, _ []float64) { f(y, x, n, xRow, yRow, ones) }
	}
	others := func(radix int, f func(y, x Complex, n, xRow, yRow int, w []float64)) butterflies {
		return func(y, x Complex, n, count, xRow, yRow int, w []float64) {
			for q := range count {
				f(y.From(q*radix*yRow), x.From(q*n), n, xRow, yRow, w[2*q*(radix-1):])
			}
		}
	}
	return [6]radix{
		2: {first(plainRadix2), others(2, plainRadix2)},
		3: {first(plainRadix3), others(3, plainRadix3)},
		4: {first(plainRadix4First), others(4, plainRadix4)},
		5: {first(plainRadix5), others(5, plainRadix5)},
	}
}

func (z Complex) row(j, stride, n int) (re, im []float64) {
	return z.Re[j*stride:][:n], z.Im[j*stride:][:n]
}

func plainRadix2(y, x Complex, n, xRow, yRow int, w []float64) {
	wr, wi := w[0], w[1]
	ar, ai := x.row(0, xRow, n)
	br, bi := x.row(1, xRow, n)
	ur, ui := y.row(0, yRow, n)
	vr, vi := y.row(1, yRow, n)
	for k := range n {
		a, b, c, d := ar[k], br[k], ai[k], bi[k]
		ur[k], ui[k] = a+b, c+d
		a, c = a-b, c-d
		vr[k], vi[k] = a*wr-c*wi, a*wi+c*wr
	}
}

func plainRadix3(y, x Complex, n, xRow, yRow int, w []float64) {
	const sin = 0.86602540378443864676372317075293618 // sin(2π/3)
	w1r, w1i, w2r, w2i := w[0], w[1], w[2], w[3]
	a0, c0 := x.row(0, xRow, n)
	a1, c1 := x.row(1, xRow, n)
	a2, c2 := x.row(2, xRow, n)
	u0, v0 := y.row(0, yRow, n)
	u1, v1 := y.row(1, yRow, n)
	u2, v2 := y.row(2, yRow, n)
	for k := range n {
		sr, si := a1[k]+a2[k], c1[k]+c2[k]
		dr, di := sin*(a1[k]-a2[k]), sin*(c1[k]-c2[k])
		br, bi := a0[k]-0.5*sr, c0[k]-0.5*si
		u0[k], v0[k] = a0[k]+sr, c0[k]+si
		zr, zi := br+di, bi-dr
		u1[k], v1[k] = zr*w1r-zi*w1i, zr*w1i+zi*w1r
		zr, zi = br-di, bi+dr
		u2[k], v2[k] = zr*w2r-zi*w2i, zr*w2i+zi*w2r
	}
}

// plainRadix4First is a pass of radix 4 without twiddle factors, the first of a transform.
func plainRadix4First(y, x Complex, n, xRow, yRow int, _ []float64) {
	a0, c0 := x.row(0, xRow, n)
	a1, c1 := x.row(1, xRow, n)
	a2, c2 := x.row(2, xRow, n)
	a3, c3 := x.row(3, xRow, n)
	u0, v0 := y.row(0, yRow, n)
	u1, v1 := y.row(1, yRow, n)
	u2, v2 := y.row(2, yRow, n)
	u3, v3 := y.row(3, yRow, n)
	for k := range n {
		t0r, t1r := a0[k]+a2[k], a0[k]-a2[k]
		t0i, t1i := c0[k]+c2[k], c0[k]-c2[k]
		t2r, t3r := a1[k]+a3[k], a1[k]-a3[k]
		t2i, t3i := c1[k]+c3[k], c1[k]-c3[k]
		u0[k], u2[k] = t0r+t2r, t0r-t2r
		v0[k], v2[k] = t0i+t2i, t0i-t2i
		u1[k], u3[k] = t1r+t3i, t1r-t3i
		v1[k], v3[k] = t1i-t3r, t1i+t3r
	}
}

func plainRadix4(y, x Complex, n, xRow, yRow int, w []float64) {
	w1r, w1i, w2r, w2i, w3r, w3i := w[0], w[1], w[2], w[3], w[4], w[5]
	a0, c0 := x.row(0, xRow, n)
	a1, c1 := x.row(1, xRow, n)
	a2, c2 := x.row(2, xRow, n)
	a3, c3 := x.row(3, xRow, n)
	u0, v0 := y.row(0, yRow, n)
	u1, v1 := y.row(1, yRow, n)
	u2, v2 := y.row(2, yRow, n)
	u3, v3 := y.row(3, yRow, n)
	for k := range n {
		t0r, t1r := a0[k]+a2[k], a0[k]-a2[k]
		t0i, t1i := c0[k]+c2[k], c0[k]-c2[k]
		t2r, t3r := a1[k]+a3[k], a1[k]-a3[k]
		t2i, t3i := c1[k]+c3[k], c1[k]-c3[k]
		u0[k], v0[k] = t0r+t2r, t0i+t2i
		zr, zi := t0r-t2r, t0i-t2i
		u2[k], v2[k] = zr*w2r-zi*w2i, zr*w2i+zi*w2r
		zr, zi = t1r+t3i, t1i-t3r
		u1[k], v1[k] = zr*w1r-zi*w1i, zr*w1i+zi*w1r
		zr, zi = t1r-t3i, t1i+t3r
		u3[k], v3[k] = zr*w3r-zi*w3i, zr*w3i+zi*w3r
	}
}

func plainRadix5(y, x Complex, n, xRow, yRow int, w []float64) {
	const (
		cos1 = 0.30901699437494742410229341718281906  // cos(2π/5)
		cos2 = -0.80901699437494742410229341718281906 // cos(4π/5)
		sin1 = 0.95105651629515357211643933337938214  // sin(2π/5)
		sin2 = 0.58778525229247312916870595463907277  // sin(4π/5)
	)
	w1r, w1i, w2r, w2i, w3r, w3i, w4r, w4i := w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7]
	a0, c0 := x.row(0, xRow, n)
	a1, c1 := x.row(1, xRow, n)
	a2, c2 := x.row(2, xRow, n)
	a3, c3 := x.row(3, xRow, n)
	a4, c4 := x.row(4, xRow, n)
	u0, v0 := y.row(0, yRow, n)
	u1, v1 := y.row(1, yRow, n)
	u2, v2 := y.row(2, yRow, n)
	u3, v3 := y.row(3, yRow, n)
	u4, v4 := y.row(4, yRow, n)
	for k := range n {
		s1r, d1r := a1[k]+a4[k], a1[k]-a4[k]
		s2r, d2r := a2[k]+a3[k], a2[k]-a3[k]
		s1i, d1i := c1[k]+c4[k], c1[k]-c4[k]
		s2i, d2i := c2[k]+c3[k], c2[k]-c3[k]
		br, bi := a0[k], c0[k]
		u0[k], v0[k] = br+s1r+s2r, bi+s1i+s2i
		er, ei := br+cos1*s1r+cos2*s2r, bi+cos1*s1i+cos2*s2i
		fr, fi := sin1*d1r+sin2*d2r, sin1*d1i+sin2*d2i
		zr, zi := er+fi, ei-fr
		u1[k], v1[k] = zr*w1r-zi*w1i, zr*w1i+zi*w1r
		zr, zi = er-fi, ei+fr
		u4[k], v4[k] = zr*w4r-zi*w4i, zr*w4i+zi*w4r
		er, ei = br+cos2*s1r+cos1*s2r, bi+cos2*s1i+cos1*s2i
		fr, fi = sin2*d1r-sin1*d2r, sin2*d1i-sin1*d2i
		zr, zi = er+fi, ei-fr
		u2[k], v2[k] = zr*w2r-zi*w2i, zr*w2i+zi*w2r
		zr, zi = er-fi, ei+fr
		u3[k], v3[k] = zr*w3r-zi*w3i, zr*w3i+zi*w3r
	}
}

func plainMultiplyComplex(z, c Complex) {
	re, im, cr, ci := z.Re, z.Im[:len(z.Re)], c.Re[:len(z.Re)], c.Im[:len(z.Re)]
	for i, a := range re {
		b := im[i]
		re[i], im[i] = a*cr[i]-b*ci[i], a*ci[i]+b*cr[i]
	}
}

func plainHalves(z Complex, h, batch int, w []float64, scale float64) {
	if batch == 1 {
		plainHalvesOne(z.Re[:h], z.Im[:h], w, scale)
		return
	}
	for k := 1; k <= h-k; k++ {
		wr, wi := scale*w[2*k], scale*w[2*k+1]
		a, c := z.row(k, batch, batch)
		b, d := z.row(h-k, batch, batch)
		for i := range batch {
			er, ei := scale*(a[i]+b[i]), scale*(c[i]-d[i])
			pr, pi := a[i]-b[i], c[i]+d[i]
			or, oi := pr*wi+pi*wr, pi*wi-pr*wr
			a[i], c[i] = er+or, ei+oi
			b[i], d[i] = er-or, oi-ei
		}
	}
}

// plainHalvesOne is plainHalves for a batch of one.
func plainHalvesOne(re, im, w []float64, scale float64) {
	for k, l := 1, len(re)-1; k <= l; k, l = k+1, l-1 {
		wr, wi := scale*w[2*k], scale*w[2*k+1]
		a, b, c, d := re[k], re[l], im[k], im[l]
		er, ei := scale*(a+b), scale*(c-d)
		pr, pi := a-b, c+d
		or, oi := pr*wi+pi*wr, pi*wi-pr*wr
		re[k], im[k] = er+or, ei+oi
		re[l], im[l] = er-or, oi-ei
	}
}

// plainSquare is the side of the blocks in which plain Go transposes.
const plainSquare = 4

func plainSplitBlocks(even, odd, x []float64, blocks, stride, xStride int) {
	n := plainSquare * blocks
	a, b, c, d := x[:n], x[xStride:][:n], x[2*xStride:][:n], x[3*xStride:][:n]
	at := 0
	for j := 0; j+1 < n; j += 2 {
		e, o := even[at:][:4], odd[at:][:4]
		e[0], e[1], e[2], e[3] = a[j], b[j], c[j], d[j]
		o[0], o[1], o[2], o[3] = a[j+1], b[j+1], c[j+1], d[j+1]
		at += stride
	}
}

func plainJoinBlocks(x, even, odd []float64, blocks, xStride, stride int) {
	n := plainSquare * blocks
	a, b, c, d := x[:n], x[xStride:][:n], x[2*xStride:][:n], x[3*xStride:][:n]
	at := 0
	for j := 0; j+1 < n; j += 2 {
		e, o := even[at:][:4], odd[at:][:4]
		a[j], b[j], c[j], d[j] = e[0], e[1], e[2], e[3]
		a[j+1], b[j+1], c[j+1], d[j+1] = o[0], o[1], o[2], o[3]
		at += stride
	}
}
