package solve

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/parallel"
)

// basis is a growing list of orthonormal vectors of one length, held as the rows of
// matrices so that products with all of them read the memory once.
//
// New vectors are orthogonalised as by modified Gram–Schmidt, which GMRES is backward
// stable with (Paige, Rozložník and Strakoš 2006), but all at once: with C = Qᵀ w and L
// the part below the diagonal of QᵀQ, which is rounding, its coefficients are those of
// (I + L) h = C (Świrydowicz et al. 2021). Without L the vectors lose their
// orthogonality, the more the longer the list, and GMRES takes more iterations.
type basis struct {
	n     int
	parts []*mat.Dense // basisRows rows each
	size  int
	lower [][]float64 // L, by rows
}

const (
	basisRows  = 32
	basisBlock = 2048 // entries of a vector that are worked on at a time: those of a part stay in the cache
)

// add appends v/norm.
func (b *basis) add(v []float64, norm float64) {
	if b.size%basisRows == 0 {
		b.parts = append(b.parts, mat.NewDense(basisRows, len(v), nil))
	}
	b.n = len(v)
	b.size++
	floats.ScaleTo(b.last(), 1/norm, v)
}

// last is the vector that was added last.
func (b *basis) last() []float64 {
	i := b.size - 1
	return b.parts[i/basisRows].RawRowView(i % basisRows)
}

// orthogonalise removes from w its components along the vectors and returns them.
func (b *basis) orthogonalise(w []float64) []float64 {
	d := b.dots(w, b.last())
	h, k := d[0], b.size-1
	b.lower = append(b.lower, d[1][:k])
	for i, row := range b.lower {
		h[i] -= floats.Dot(row, h[:i])
	}
	b.addTo(w, -1, h)
	return h
}

// dots returns the inner products of each w with the vectors. Sums are taken block by
// block and then over blocks in order, so that they do not depend on the number of
// processors.
func (b *basis) dots(ws ...[]float64) [][]float64 {
	c := make([][]float64, len(ws))
	for q := range c {
		c[q] = make([]float64, b.size)
	}
	per := b.size * len(ws)
	partial := make([]float64, per*b.blocks())
	b.inBlocks(func(block, lo, hi int) {
		out := partial[block*per:][:per]
		b.each(lo, hi, func(first, count int, q *mat.Dense) {
			for j, w := range ws {
				mat.NewVecDense(count, out[j*b.size+first:][:count]).MulVec(q, mat.NewVecDense(hi-lo, w[lo:hi]))
			}
		})
	})
	for k := range b.blocks() {
		for q, row := range c {
			floats.Add(row, partial[k*per+q*b.size:][:b.size])
		}
	}
	return c
}

// addTo adds alpha Σ c[i] v[i] to w.
func (b *basis) addTo(w []float64, alpha float64, c []float64) {
	b.inBlocks(func(_, lo, hi int) {
		var sum mat.VecDense
		b.each(lo, hi, func(first, count int, q *mat.Dense) {
			sum.Reset()
			sum.MulVec(q.T(), mat.NewVecDense(count, c[first:first+count]))
			floats.AddScaled(w[lo:hi], alpha, sum.RawVector().Data)
		})
	})
}

// each calls do with the entries lo … hi-1 of the vectors, in rows, part by part.
func (b *basis) each(lo, hi int, do func(first, count int, q *mat.Dense)) {
	for i, part := range b.parts {
		count := min(b.size-i*basisRows, basisRows)
		do(i*basisRows, count, part.Slice(0, count, lo, hi).(*mat.Dense))
	}
}

func (b *basis) blocks() int { return (b.n + basisBlock - 1) / basisBlock }

// inBlocks calls do for every block of entries.
func (b *basis) inBlocks(do func(block, lo, hi int)) {
	const entry = 0.3 // nanoseconds for an entry of two vectors, one of which is in the cache
	parallel.Range(b.blocks(), entry*float64(basisBlock*b.size), func(from, to int) {
		for k := from; k < to; k++ {
			do(k, k*basisBlock, min((k+1)*basisBlock, b.n))
		}
	})
}
