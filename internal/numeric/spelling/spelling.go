// Package spelling finds which of some names was meant by one that is none of them.
package spelling

import (
	"errors"
	"fmt"
	"io/fs"
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

// File ends the message that a file is missing: a name like it in its folder, or else what
// the folder holds with the same extension; or that there is no such folder.
func File(path string) string {
	folder := filepath.Dir(path)
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Sprintf("; there is no folder %q", folder)
	}
	if err != nil {
		return ""
	}
	var names, alike []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") {
			continue
		}
		names = append(names, e.Name())
		if strings.EqualFold(filepath.Ext(e.Name()), filepath.Ext(path)) {
			alike = append(alike, e.Name())
		}
	}
	if near := Nearest(filepath.Base(path), names); near != "" {
		return near
	}
	where := "this folder"
	if folder != "." {
		where = fmt.Sprintf("the folder %q", folder)
	}
	switch ext := filepath.Ext(path); {
	case ext == "":
		return ""
	case len(alike) > 0:
		return "; " + where + " holds " + several(alike)
	}
	return "; " + where + " holds no " + filepath.Ext(path) + " file"
}

// several lists names, the first of many.
func several(names []string) string {
	const most = 4
	if n := len(names); n > most {
		return strings.Join(names[:most-1], ", ") + fmt.Sprintf(" and %d more", n-most+1)
	}
	return strings.Join(names, ", ")
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
