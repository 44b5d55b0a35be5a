package simd

import "math"

// plainSquares sets dst[j] to the squared distance of point i of p from point j of x.
func plainSquares(dst []float64, p Points, i int, x Points) {
	first := 0
	if x.dim > 1 {
		first = 2
		q0, q1 := p.x[i], p.x[p.stride+i]
		c0, c1 := x.column(0)[:len(dst)], x.column(1)[:len(dst)]
		for j := range dst {
			d, e := q0-c0[j], q1-c1[j]
			dst[j] = d*d + e*e
		}
	} else {
		clear(dst)
	}
	for k := first; k < x.dim; k++ {
		q := p.x[k*p.stride+i]
		c := x.column(k)[:len(dst)]
		for j := range dst {
			d := q - c[j]
			dst[j] += d * d
		}
	}
}

func plainSE(dst, u []float64) {
	u = u[:len(dst)]
	for j := range dst {
		s := u[j]
		if s >= vanishing {
			dst[j] = 0
			continue
		}
		dst[j] = power(s)
	}
}

func plainExponential(dst, u []float64) {
	u = u[:len(dst)]
	for j := range dst {
		s := math.Sqrt(u[j])
		if s >= vanishing {
			dst[j] = 0
			continue
		}
		dst[j] = power(s)
	}
}

func plainMatern32(dst, u []float64) {
	u = u[:len(dst)]
	for j := range dst {
		s := math.Sqrt(u[j])
		if s >= vanishing {
			dst[j] = 0
			continue
		}
		dst[j] = (1 + math.Ln2*s) * power(s)
	}
}

func plainMatern52(dst, u []float64) {
	const third = math.Ln2 * math.Ln2 / 3
	u = u[:len(dst)]
	for j := range dst {
		s := math.Sqrt(u[j])
		if s >= vanishing {
			dst[j] = 0
			continue
		}
		dst[j] = (1 + s*(math.Ln2+s*third)) * power(s)
	}
}
