// Package sorting orders short lists of structs by code that the program holds once:
// slices.SortFunc is compiled anew for every type, in about 10 kB.
package sorting

import (
	"cmp"
	"slices"
)

// By sorts x by less-than, equal or greater-than zero of compare, and keeps the order of
// what is equal. It takes a copy of x; where x is long, slices.SortFunc is faster.
func By[E any](x []E, compare func(a, b E) int) {
	place := make([]int, len(x)) // where each comes from
	for i := range place {
		place[i] = i
	}
	slices.SortFunc(place, func(i, j int) int { return cmp.Or(compare(x[i], x[j]), i-j) })
	before := slices.Clone(x)
	for i, from := range place {
		x[i] = before[from]
	}
}
