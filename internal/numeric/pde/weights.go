package pde

// stencils computes weights of differences and keeps them. They are quotients of
// whole numbers computed exactly, so that weights which are equal or opposite are so
// to the last bit. Points are one spacing apart, the first one first/2 spacings from
// where the result is wanted.
type stencils map[stencil][]float64

// stencil names the k-th derivative, or for k = -1 the mean between from and to, out
// of count points.
type stencil struct{ k, from, to, first, count int }

// derivative returns w with Σ w_j u(x_j) = u^(k)(0) for polynomials of degree below
// count, at most 12.
func (s stencils) derivative(k, first, count int) []float64 {
	key := stencil{k: k, first: first, count: count}
	if w, ok := s[key]; ok {
		return w
	}
	var w []float64
	for j := range count {
		powers, scale := lagrange(first, count, j)
		for i := 1; i <= k; i++ {
			powers[k] *= int64(2 * i) // the derivative, and from half spacings to spacings
		}
		w = append(w, float64(powers[k])/float64(scale))
	}
	s[key] = w
	return w
}

// mean returns w with Σ w_j u(x_j) = the mean of u between from and to, in half
// spacings, for polynomials of degree below count, at most 10.
func (s stencils) mean(from, to, first, count int) []float64 {
	const common = 2520 // 1 … 10 divide it
	key := stencil{-1, from, to, first, count}
	if w, ok := s[key]; ok {
		return w
	}
	var w []float64
	for j := range count {
		powers, scale := lagrange(first, count, j)
		integral, a, b := int64(0), int64(1), int64(1)
		for m, c := range powers {
			a, b = a*int64(from), b*int64(to)
			integral += c * (b - a) * common / int64(m+1)
		}
		w = append(w, float64(integral)/float64(scale*common*int64(to-from)))
	}
	s[key] = w
	return w
}

// lagrange returns the polynomial that is 1 at point j and 0 at the other points, by
// the coefficients of its powers times scale, in half spacings.
func lagrange(first, count, j int) (powers []int64, scale int64) {
	powers, scale = make([]int64, count), 1
	powers[0] = 1
	own := int64(first + 2*j)
	for i := range count {
		if i == j {
			continue
		}
		x := int64(first + 2*i)
		scale *= own - x
		for m := count - 1; m >= 0; m-- {
			powers[m] *= -x
			if m > 0 {
				powers[m] += powers[m-1]
			}
		}
	}
	return powers, scale
}
