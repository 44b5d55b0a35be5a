package fft

// The butterflies: for one q they read rows q, q+m, … of x (rows of s numbers) and write the consecutive rows
// radix*q, radix*q+1, … of y, each times its twiddle factor. The forms without twiddles serve q = 0, which is all of
// the last stage.

func row(x []float64, i, s int) []float64 { return x[i*s:][:s] }

func radix2(xr, xi, yr, yi []float64, m, s int) {
	ar, ai, br, bi := row(xr, 0, s), row(xi, 0, s), row(xr, m, s), row(xi, m, s)
	ur, ui, vr, vi := row(yr, 0, s), row(yi, 0, s), row(yr, 1, s), row(yi, 1, s)
	for k := range s {
		a, b := ar[k], br[k]
		ur[k], vr[k] = a+b, a-b
		a, b = ai[k], bi[k]
		ui[k], vi[k] = a+b, a-b
	}
}

func radix2Twiddle(xr, xi, yr, yi []float64, q, m, s int, wr, wi float64) {
	ar, ai, br, bi := row(xr, q, s), row(xi, q, s), row(xr, q+m, s), row(xi, q+m, s)
	ur, ui, vr, vi := row(yr, 2*q, s), row(yi, 2*q, s), row(yr, 2*q+1, s), row(yi, 2*q+1, s)
	for k := range s {
		a, b, c, d := ar[k], br[k], ai[k], bi[k]
		ur[k], ui[k] = a+b, c+d
		a, c = a-b, c-d
		vr[k], vi[k] = a*wr-c*wi, a*wi+c*wr
	}
}

func radix4(xr, xi, yr, yi []float64, m, s int) {
	a0, a1, a2, a3 := row(xr, 0, s), row(xr, m, s), row(xr, 2*m, s), row(xr, 3*m, s)
	c0, c1, c2, c3 := row(xi, 0, s), row(xi, m, s), row(xi, 2*m, s), row(xi, 3*m, s)
	u0, u1, u2, u3 := row(yr, 0, s), row(yr, 1, s), row(yr, 2, s), row(yr, 3, s)
	v0, v1, v2, v3 := row(yi, 0, s), row(yi, 1, s), row(yi, 2, s), row(yi, 3, s)
	for k := range s {
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

func radix4Twiddle(xr, xi, yr, yi []float64, q, m, s int, wr, wi []float64) {
	w1r, w2r, w3r := wr[0], wr[1], wr[2]
	w1i, w2i, w3i := wi[0], wi[1], wi[2]
	a0, a1, a2, a3 := row(xr, q, s), row(xr, q+m, s), row(xr, q+2*m, s), row(xr, q+3*m, s)
	c0, c1, c2, c3 := row(xi, q, s), row(xi, q+m, s), row(xi, q+2*m, s), row(xi, q+3*m, s)
	u0, u1, u2, u3 := row(yr, 4*q, s), row(yr, 4*q+1, s), row(yr, 4*q+2, s), row(yr, 4*q+3, s)
	v0, v1, v2, v3 := row(yi, 4*q, s), row(yi, 4*q+1, s), row(yi, 4*q+2, s), row(yi, 4*q+3, s)
	for k := range s {
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

func radix3(xr, xi, yr, yi []float64, q, m, s int, wr, wi []float64) {
	const sin = 0.86602540378443864676372317075293618 // sin(2π/3)
	w1r, w2r, w1i, w2i := wr[0], wr[1], wi[0], wi[1]
	a0, a1, a2 := row(xr, q, s), row(xr, q+m, s), row(xr, q+2*m, s)
	c0, c1, c2 := row(xi, q, s), row(xi, q+m, s), row(xi, q+2*m, s)
	u0, u1, u2 := row(yr, 3*q, s), row(yr, 3*q+1, s), row(yr, 3*q+2, s)
	v0, v1, v2 := row(yi, 3*q, s), row(yi, 3*q+1, s), row(yi, 3*q+2, s)
	for k := range s {
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

func radix5(xr, xi, yr, yi []float64, q, m, s int, wr, wi []float64) {
	const (
		cos1 = 0.30901699437494742410229341718281906  // cos(2π/5)
		cos2 = -0.80901699437494742410229341718281906 // cos(4π/5)
		sin1 = 0.95105651629515357211643933337938214  // sin(2π/5)
		sin2 = 0.58778525229247312916870595463907277  // sin(4π/5)
	)
	w1r, w2r, w3r, w4r := wr[0], wr[1], wr[2], wr[3]
	w1i, w2i, w3i, w4i := wi[0], wi[1], wi[2], wi[3]
	a0, a1, a2, a3, a4 := row(xr, q, s), row(xr, q+m, s), row(xr, q+2*m, s), row(xr, q+3*m, s), row(xr, q+4*m, s)
	c0, c1, c2, c3, c4 := row(xi, q, s), row(xi, q+m, s), row(xi, q+2*m, s), row(xi, q+3*m, s), row(xi, q+4*m, s)
	q *= 5
	u0, u1, u2, u3, u4 := row(yr, q, s), row(yr, q+1, s), row(yr, q+2, s), row(yr, q+3, s), row(yr, q+4, s)
	v0, v1, v2, v3, v4 := row(yi, q, s), row(yi, q+1, s), row(yi, q+2, s), row(yi, q+3, s), row(yi, q+4, s)
	for k := range s {
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
