package lattice

import "math"

// Folding is an orthonormal basis of the arrays of weights that obey a constraint:
// a vector for each orbit that does not vanish and has a point that the mask keeps.
type Folding struct {
	at   []int32   // the vector of each weight, -1 for none
	by   []float64 // its entry there
	size int
}

// Folding is nil where all arrays obey.
func (l *Lattice) Folding() *Folding {
	if l.orbits == nil && l.mask == nil {
		return nil
	}
	n := l.Size()
	of, sign, size := func(i int) int { return i }, func(int) float64 { return 1 }, func(int) float64 { return 1 }
	if o := l.orbits; o != nil {
		of, sign = func(i int) int { return int(o.of[i]) }, func(i int) float64 { return float64(o.sign[i]) }
		size = func(k int) float64 { return float64(o.size[k]) }
	}
	f := &Folding{at: make([]int32, n), by: make([]float64, n)}
	number := make([]int32, n) // of each orbit, from 1; 0 for none
	for i := range n {
		if k := of(i); number[k] == 0 && sign(i) != 0 && (l.mask == nil || l.mask[i] == 1) {
			f.size++
			number[k] = int32(f.size)
		}
	}
	for i := range n {
		k := of(i)
		f.at[i], f.by[i] = number[k]-1, sign(i)/math.Sqrt(size(k))
	}
	return f
}

// Size is how many vectors there are.
func (f *Folding) Size() int { return f.size }

// Fold stores the coefficients of v, or of what of it obeys, in dst.
func (f *Folding) Fold(dst, v []float64) {
	clear(dst)
	for i, k := range f.at {
		if k >= 0 {
			dst[k] += f.by[i] * v[i]
		}
	}
}

// Unfold stores the array of coefficients c in dst.
func (f *Folding) Unfold(dst, c []float64) {
	for i, k := range f.at {
		dst[i] = 0
		if k >= 0 {
			dst[i] = f.by[i] * c[k]
		}
	}
}

// Fraction is the part of all arrays of weights that the constraint leaves: orbits
// that do not vanish, with a point that the mask keeps.
func (l *Lattice) Fraction() float64 {
	f := l.Folding()
	if f == nil {
		return 1
	}
	return float64(max(f.Size(), 1)) / float64(l.Size())
}
