package criteria

import (
	"math/rand/v2"
	"slices"
)

// Folds leaves out every fifth of n, or one where there are fewer: which are in and which are
// out, for each time.
func Folds(n int) (in, out [][]int) {
	count := min(5, n)
	in, out = make([][]int, count), make([][]int, count)
	for i := range n {
		for k := range count {
			if i%count == k {
				out[k] = append(out[k], i)
			} else {
				in[k] = append(in[k], i)
			}
		}
	}
	return in, out
}

// FoldsOf are folds of n pairs whose numbers these functions have, drawn at random once these are in order: they are the same pairs in
// whatever order they come, and in all units that are greater than 0. Every fifth in order would be too much alike: bands from
// what folds differ by would be too narrow.
func FoldsOf(n int, numbers ...func(pair int) []float64) (in, out [][]int) {
	sorted := make([]int, n)
	for i := range sorted {
		sorted[i] = i
	}
	slices.SortStableFunc(sorted, func(i, j int) int {
		for _, of := range numbers {
			if c := slices.Compare(of(i), of(j)); c != 0 {
				return c
			}
		}
		return 0
	})
	rand.New(rand.NewPCG(1, 2)).Shuffle(n, func(i, j int) { sorted[i], sorted[j] = sorted[j], sorted[i] })
	in, out = Folds(n)
	for _, list := range slices.Concat(in, out) {
		for i, place := range list {
			list[i] = sorted[place]
		}
		slices.Sort(list)
	}
	return in, out
}
