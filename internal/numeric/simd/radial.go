package simd

import (
	"fmt"
	"math"
)

// Family is a radial kernel, a function of the distance s of two points.
type Family int

// The families.
const (
	SE          Family = iota // exp(−s²)
	Exponential               // exp(−s)
	Matern32                  // (1 + s) exp(−s)
	Matern52                  // (1 + s + s²/3) exp(−s)

	families = 4
)

func (f Family) String() string {
	switch f {
	case SE:
		return "se"
	case Exponential:
		return "exponential"
	case Matern32:
		return "matern32"
	case Matern52:
		return "matern52"
	}
	return fmt.Sprintf("Family(%d)", int(f))
}

// Value is the kernel at distance s, by its definition.
func (f Family) Value(s float64) float64 {
	switch f {
	case SE:
		return math.Exp(-s * s)
	case Exponential:
		return math.Exp(-s)
	case Matern32:
		return (1 + s) * math.Exp(-s)
	}
	return (1 + s + s*s/3) * math.Exp(-s)
}

// scale turns distances into those whose exponent is in base 2: exp(−s²) = 2^−(scale·s)², exp(−s) = 2^−(scale·s).
func (f Family) scale() float64 {
	if f == SE {
		return math.Sqrt(math.Log2E)
	}
	return math.Log2E
}

// Points is a set of points prepared for one family: coordinates multiplied by the scale the loops want, one array per
// coordinate. It is immutable.
type Points struct {
	family Family
	dim, n int
	stride int
	x      []float64 // coordinate k of point j at [k*stride+j]
}

// NewPoints prepares points given by their coordinates, row-major n x dim, each multiplied by the scale of its axis:
// len(scale) == dim. For a lengthscale ℓ the scale is 1/ℓ for Exponential, √3/ℓ and √5/ℓ for the Matérn kernels and
// 1/(√2 ℓ) for SE in the usual notation.
func NewPoints(f Family, coordinates []float64, dim int, scale []float64) (Points, error) {
	if f < 0 || f >= families {
		return Points{}, fmt.Errorf("family %d: must be one of 0 to %d", f, families-1)
	}
	if dim < 1 || len(scale) != dim {
		return Points{}, fmt.Errorf("dim %d with %d scales: must be equal and at least 1", dim, len(scale))
	}
	if len(coordinates)%dim != 0 {
		return Points{}, fmt.Errorf("%d coordinates: must be a multiple of dim %d", len(coordinates), dim)
	}
	n := len(coordinates) / dim
	p := Points{family: f, dim: dim, n: n, stride: n, x: make([]float64, n*dim)}
	for k := range dim {
		s := scale[k] * f.scale()
		for j := range n {
			p.x[k*n+j] = s * coordinates[j*dim+k]
		}
	}
	return p, nil
}

// Len is the number of points.
func (p Points) Len() int { return p.n }

// Dim is the number of coordinates.
func (p Points) Dim() int { return p.dim }

// Family is the kernel the points are prepared for.
func (p Points) Family() Family { return p.family }

// Slice returns the points lo <= j < hi, sharing memory.
func (p Points) Slice(lo, hi int) Points {
	if lo < 0 || lo > hi || hi > p.n {
		panic(fmt.Sprintf("simd: points [%d:%d] of %d", lo, hi, p.n))
	}
	q := p
	q.n = hi - lo
	q.x = p.x[lo:]
	return q
}

// column returns coordinate k.
func (p Points) column(k int) []float64 { return p.x[k*p.stride:][:p.n] }

// check panics unless p and x can be combined.
func check(p, x Points) {
	if p.family != x.family || p.dim != x.dim {
		panic(fmt.Sprintf("simd: points for %v in %d dimensions with points for %v in %d", p.family, p.dim, x.family, x.dim))
	}
}

// Row sets dst[j] = k(p_i, x_j); len(dst) == x.Len().
func (k Kernels) Row(dst []float64, p Points, i int, x Points) {
	check(p, x)
	if len(dst) != x.n || i < 0 || i >= p.n {
		panic(fmt.Sprintf("simd: row %d of %d with %d places for %d points", i, p.n, len(dst), x.n))
	}
	// In parts which stay in the first-level cache between the two loops.
	const block = 1024
	for lo := 0; lo < x.n; lo += block {
		hi := min(lo+block, x.n)
		d := dst[lo:hi]
		k.squares(d, p, i, x.Slice(lo, hi))
		k.profile[p.family](d, d)
	}
}

// PairTime is about what a value of a kernel of points with so many coordinates takes, in nanoseconds.
func (k Kernels) PairTime(dim int) float64 {
	profile := [...]float64{Plain: 3.4, AVX2: 0.9, AVX512: 0.4}
	coordinate := [...]float64{Plain: 0.7, AVX2: 0.15, AVX512: 0.05}
	return profile[k.level] + coordinate[k.level]*float64(dim)
}

// Fill sets dst[i*stride+j] = k(p_i, x_j).
func (k Kernels) Fill(dst []float64, stride int, p, x Points) {
	for i := range p.n {
		k.Row(dst[i*stride:][:x.n], p, i, x)
	}
}

// Profile sets dst[j] to the kernel at distance √u[j] in the scale of Points, that is to 2^−u for SE, and so on: the
// second half of Row.
func (k Kernels) Profile(dst []float64, f Family, u []float64) { apply1(k.profile[f], dst, u) }

// MulVec adds the kernel matrix times v: y[i] += Σ_j k(p_i, x_j) v[j]; len(y) == p.Len(), len(v) == x.Len(). Up to
// four coordinates are fused into one loop: 2 (Matérn 5/2) to 4 (SE) thousand million pairs a second with AVX-512, 0.9
// with AVX2, 0.2 in plain Go, for two coordinates. For more of them a row is computed first.
func (k Kernels) MulVec(y []float64, p, x Points, v []float64) {
	check(p, x)
	if len(y) != p.n || len(v) != x.n {
		panic(fmt.Sprintf("simd: %d x %d kernel matrix with vectors of %d and %d", p.n, x.n, len(y), len(v)))
	}
	if p.n == 0 || x.n == 0 {
		return
	}
	if k.mulVec == nil || p.dim > fused {
		k.mulVecByRows(y, p, x, v)
		return
	}
	// Blocks of x that stay in the second-level cache, and of p so that one call does at most 2^17 pairs.
	const columns, pairs = 1 << 13, 1 << 17
	for lo := 0; lo < x.n; lo += columns {
		hi := min(lo+columns, x.n)
		rows := max(2, pairs/(hi-lo)&^1)
		for i := 0; i < p.n; i += rows {
			end := min(i+rows, p.n)
			k.mulVec(y[i:end], p.Slice(i, end), x.Slice(lo, hi), v[lo:hi])
		}
	}
}

// fused is up to how many coordinates there are loops which do everything at once.
const fused = 4

// mulVecByRows multiplies the kernel matrix by a vector, for any number of coordinates, in pieces of rows which stay in the first-level cache.
func (k Kernels) mulVecByRows(y []float64, p, x Points, v []float64) {
	const block = 512
	buf := k.scratch.Get().(*buffers)
	defer k.scratch.Put(buf)
	row := grow(&buf.tile, block)
	for lo := 0; lo < x.n; lo += block {
		hi := min(lo+block, x.n)
		piece, d := x.Slice(lo, hi), row[:hi-lo]
		for i := range y {
			k.squares(d, p, i, piece)
			k.profile[p.family](d, d)
			y[i] += k.dot(d, v[lo:hi])
		}
	}
}

// MulMat adds the kernel matrix times b: c += K b, where row-major b has x.Len() rows and c p.Len(), both of cols
// columns, their rows bStride and cStride apart. K is computed block by block and never stored.
func (k Kernels) MulMat(c []float64, cStride int, p, x Points, b []float64, bStride, cols int) {
	check(p, x)
	if cols <= 2 { // tiles of the product would be nearly empty
		for j := range cols {
			k.mulColumn(c[j:], cStride, p, x, b[j:], bStride)
		}
		return
	}
	const rows, depth = 192, 256
	buf := k.scratch.Get().(*buffers)
	defer k.scratch.Put(buf)
	block := grow(&buf.tile, rows*depth)
	for lo := 0; lo < x.n; lo += depth {
		hi := min(lo+depth, x.n)
		piece := x.Slice(lo, hi)
		for i := 0; i < p.n; i += rows {
			end := min(i+rows, p.n)
			k.Fill(block, depth, p.Slice(i, end), piece)
			k.Gemm(1, Matrix{end - i, hi - lo, depth, 1, block}, Matrix{hi - lo, cols, bStride, 1, b[lo*bStride:]},
				1, Matrix{end - i, cols, cStride, 1, c[i*cStride:]})
		}
	}
}

// mulColumn multiplies the kernel matrix by one column.
func (k Kernels) mulColumn(c []float64, cStride int, p, x Points, b []float64, bStride int) {
	buf := k.scratch.Get().(*buffers)
	defer k.scratch.Put(buf)
	v, y := grow(&buf.a, x.n), grow(&buf.b, p.n)
	for j := range v {
		v[j] = b[j*bStride]
	}
	clear(y)
	k.MulVec(y, p, x, v)
	for i, s := range y {
		c[i*cStride] += s
	}
}
