package special

// Legendre returns Legendre's polynomial P_n(x) for n ≥ 0, by its recurrence (DLMF 18.9.1)
// written for the differences of successive polynomials, which keeps the digits near x = 1.
func Legendre(n int, x float64) float64 {
	sign := 1.0
	if x < 0 {
		if x = -x; n%2 == 1 {
			sign = -1
		}
	}
	p, d := 1.0, x-1 // P_k and P_{k+1} - P_k
	for k := range n {
		p += d
		i := float64(k + 1)
		d = ((2*i+1)*(x-1)*p + i*d) / (i + 1)
	}
	return sign * p
}
