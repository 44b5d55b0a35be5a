// Package spelling finds which of some names was meant by one that is none of them.
package spelling

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// longest is how much of a name is compared, in bytes: the time grows with the product.
const longest = 100

// Nearest ends a message with the name that was meant, "; did you mean \"u\"?", if a third of
// its letters at most are others; letters may be large or small. Otherwise it is "".
func Nearest(name string, names []string) string {
	best, distance := "", max(len(name)/3, 1)+1
	for _, n := range names {
		if d := Distance(strings.ToLower(name), strings.ToLower(n)); d < distance {
			best, distance = n, d
		}
	}
	if best == "" || distance >= len(name) && !strings.EqualFold(best, name) {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", best)
}

// File is Nearest for a file that is missing, among those of its folder.
func File(path string) string {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return ""
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return Nearest(filepath.Base(path), names)
}

// Distance is the number of bytes to insert, delete or replace (Levenshtein).
func Distance(a, b string) int {
	a, b = a[:min(len(a), longest)], b[:min(len(b), longest)]
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
