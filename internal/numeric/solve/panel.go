package solve

import (
	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/internal/numeric/parallel"
)

// block is the number of entries of a vector that are worked on at a time: a few of
// them stay in the cache.
const block = 4096

// Dots returns the inner products of each w with vectors of its length, reading these
// once. Sums are taken block by block and then over blocks in order, so that they do
// not depend on the number of processors.
func Dots(vectors [][]float64, ws ...[]float64) [][]float64 {
	c := make([][]float64, len(ws))
	for q := range c {
		c[q] = make([]float64, len(vectors))
	}
	if len(ws) == 0 {
		return c
	}
	n, per := len(ws[0]), len(vectors)*len(ws)
	blocks := (n + block - 1) / block
	partial := make([]float64, blocks*per)
	inBlocks(blocks, per, func(k int) {
		lo, hi := k*block, min((k+1)*block, n)
		for i, v := range vectors {
			for q, w := range ws {
				partial[k*per+q*len(vectors)+i] = floats.Dot(v[lo:hi], w[lo:hi])
			}
		}
	})
	for k := range blocks {
		for q, row := range c {
			floats.Add(row, partial[k*per+q*len(vectors):][:len(vectors)])
		}
	}
	return c
}

// AddCombinations adds alpha Σ c[q][i] v[i] to each w[q], for vectors v of its length,
// reading these once.
func AddCombinations(ws [][]float64, alpha float64, c, vectors [][]float64) {
	if len(ws) == 0 {
		return
	}
	n := len(ws[0])
	inBlocks((n+block-1)/block, len(vectors)*len(ws), func(k int) {
		lo, hi := k*block, min((k+1)*block, n)
		for i, v := range vectors {
			for q, w := range ws {
				floats.AddScaled(w[lo:hi], alpha*c[q][i], v[lo:hi])
			}
		}
	})
}

// inBlocks calls do for every block, which works on so many pairs of vectors.
func inBlocks(blocks, pairs int, do func(k int)) {
	const entry = 0.3 // nanoseconds for an entry of two vectors, one of which is in the cache
	parallel.Range(blocks, entry*float64(block*pairs), func(lo, hi int) {
		for k := lo; k < hi; k++ {
			do(k)
		}
	})
}
