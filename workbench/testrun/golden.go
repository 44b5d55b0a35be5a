package testrun

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/greenbench/workbench/numeric/array"
)

// goldens are the golden files of one test file: for tests/poisson.lua the
// files below tests/golden/poisson/. A golden value is one text file of its
// numbers, texts and truth values, and one .csv for each of its arrays.
type goldens struct {
	dir    string
	update bool
	used   map[string]bool // paths read or written in this run
	names  map[string]bool
	// changes says what an update wrote, one line per file.
	changes   []string
	unchanged int
}

// goldenFolder is the folder, beside the test files, of their golden files.
const goldenFolder = "golden"

func newGoldens(testFile string, update bool) *goldens {
	stem := strings.TrimSuffix(filepath.Base(testFile), filepath.Ext(testFile))
	return &goldens{
		dir: filepath.Join(filepath.Dir(testFile), goldenFolder, stem), update: update,
		used: map[string]bool{}, names: map[string]bool{},
	}
}

// goldenValue is a value flattened to keys: "err", "report.lambda", "sigma[2]".
type goldenValue struct {
	scalars map[string]any // float64, string or bool
	arrays  map[string]*array.Array
}

// goldenName is a relative path of plain words.
var goldenName = regexp.MustCompile(`^[\pL\pN][\pL\pN _.,=+-]*(/[\pL\pN][\pL\pN _.,=+-]*)*$`)

// check compares a value with the golden files of that name, or writes them;
// header is the comment they begin with. It returns the failure, or "".
func (g *goldens) check(name, header string, v goldenValue, tol Tolerance) string {
	if !goldenName.MatchString(name) {
		return fmt.Sprintf("golden name %q: want letters, digits, blanks and any of _ . , = + - with / between folders", name)
	}
	if g.names[name] {
		return fmt.Sprintf("golden name %q: is used twice in this file", name)
	}
	g.names[name] = true
	var failures []string
	if len(v.scalars) > 0 {
		failures = append(failures, g.text(name, header, v.scalars, tol))
	}
	for _, key := range slices.Sorted(maps.Keys(v.arrays)) {
		failures = append(failures, g.table(arrayFile(name, key), header, v.arrays[key], tol))
	}
	// What the value no longer has must not pass unseen.
	for _, path := range g.leftover(name) {
		failures = append(failures, g.drop(path))
	}
	failures = slices.DeleteFunc(failures, func(s string) bool { return s == "" })
	return strings.Join(failures, "\n")
}

// arrayFile returns the name of the table of one array of a golden value.
func arrayFile(name, key string) string {
	if key == "" {
		return name + ".csv"
	}
	safe := func(r rune) rune {
		if strings.ContainsRune(`/\:*?"<>|`, r) || r < ' ' {
			return '_'
		}
		return r
	}
	return name + "#" + strings.Map(safe, key) + ".csv"
}

// text compares or writes the scalars of a golden value.
func (g *goldens) text(name, header string, got map[string]any, tol Tolerance) string {
	path := g.path(name + ".txt")
	want, err := readScalars(path)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		if !g.update {
			return err.Error()
		}
		want = nil
	case err != nil && !g.update:
		return g.missing(path)
	}
	if !g.update {
		return diffScalars(path, got, want, tol)
	}
	changes := changedScalars(got, want)
	if want != nil && changes == nil {
		g.unchanged++
		return ""
	}
	return g.write(path, want == nil, changes, func(w io.Writer) error { return writeScalars(w, header, got) })
}

// table compares or writes one array of a golden value.
func (g *goldens) table(file, header string, got *array.Array, tol Tolerance) string {
	path := g.path(file)
	want, err := readTable(path)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		if !g.update {
			return err.Error()
		}
		want = nil
	case err != nil && !g.update:
		return g.missing(path)
	}
	if !g.update {
		if text := diffArrays(got, want, tol); text != "" {
			return path + ":\n" + text
		}
		return ""
	}
	if want != nil && array.Equal(got, want) {
		g.unchanged++
		return ""
	}
	return g.write(path, want == nil, changedArray(got, want), func(w io.Writer) error { return writeTable(w, header, got) })
}

func (g *goldens) path(file string) string {
	path := filepath.Join(g.dir, filepath.FromSlash(file))
	g.used[path] = true
	return path
}

func (g *goldens) missing(path string) string {
	return fmt.Sprintf("no golden file %s; write it with --update-golden", path)
}

// write replaces a golden file and notes what changed.
func (g *goldens) write(path string, isNew bool, changes []string, to func(io.Writer) error) string {
	err := os.MkdirAll(filepath.Dir(path), 0o777)
	if err == nil {
		err = array.WriteAtomic(path, to)
	}
	if err != nil {
		return err.Error()
	}
	what := strings.Join(changes, "; ")
	if isNew {
		what = "new"
	}
	g.changes = append(g.changes, path+": "+what)
	return ""
}

// leftover returns the files of a golden value that this run did not touch.
func (g *goldens) leftover(name string) []string {
	base := filepath.Join(g.dir, filepath.FromSlash(name))
	var list []string
	for _, path := range filesBelow(filepath.Dir(base)) {
		rest, ok := strings.CutPrefix(path, base)
		if ok && !g.used[path] && (rest == ".txt" || rest == ".csv" || strings.HasPrefix(rest, "#") && strings.HasSuffix(rest, ".csv")) {
			list = append(list, path)
		}
	}
	return list
}

// drop removes a file nobody reads in an update, and complains otherwise.
func (g *goldens) drop(path string) string {
	g.used[path] = true
	if !g.update {
		return fmt.Sprintf("%s: the value no longer has this part; remove it with --update-golden", path)
	}
	if err := os.Remove(path); err != nil {
		return err.Error()
	}
	g.changes = append(g.changes, path+": removed")
	return ""
}

// orphans returns the failures of golden files that no test of a complete run
// read; an update removes them.
func (g *goldens) orphans() []string {
	var failures []string
	for _, path := range filesBelow(g.dir) {
		if g.used[path] {
			continue
		}
		if !g.update {
			failures = append(failures, fmt.Sprintf("%s: no test reads it; remove it with --update-golden", path))
		} else if text := g.drop(path); text != "" {
			failures = append(failures, text)
		}
	}
	return failures
}

// filesBelow returns the files in a folder and its folders, in order of name.
func filesBelow(dir string) []string {
	var list []string
	// A folder that cannot be read has no golden files to speak of.
	_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() && !strings.HasPrefix(e.Name(), ".") {
			list = append(list, path)
		}
		return nil
	})
	return list
}
