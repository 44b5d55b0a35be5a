package testrun

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/arrays"
)

// goldens are the golden files of one test file: for tests/poisson.lua the
// files below tests/golden/poisson/, each of which returns one value.
type goldens struct {
	dir    string
	update bool
	used   map[string]bool // paths read or written in this run
	// changes says what an update wrote, one line per file.
	changes   []string
	unchanged int
}

// goldenFolder is the folder, beside the test files, of their golden files.
const goldenFolder = "golden"

func newGoldens(testFile string, update bool) *goldens {
	stem := strings.TrimSuffix(filepath.Base(testFile), filepath.Ext(testFile))
	return &goldens{dir: filepath.Join(filepath.Dir(testFile), goldenFolder, stem), update: update, used: map[string]bool{}}
}

// goldenName is a relative path of plain words.
var goldenName = regexp.MustCompile(`^[\pL\pN][\pL\pN _.,=+-]*(/[\pL\pN][\pL\pN _.,=+-]*)*$`)

// check compares a value with the golden file of that name, or writes it;
// header is the comment it begins with. It returns the failure, or "". The
// error is that of the value.
func (g *goldens) check(c *bind.Call, name, header string, value lua.LValue, tol Tolerance) (string, error) {
	path := filepath.Join(g.dir, filepath.FromSlash(name)+".lua")
	switch {
	case !goldenName.MatchString(name):
		return fmt.Sprintf("golden name %q: want letters, digits, blanks and any of _ . , = + - with / between folders", name), nil
	case g.used[path]:
		return fmt.Sprintf("golden name %q: is used twice in this file", name), nil
	}
	g.used[path] = true
	text, err := source(c.L, value)
	if err != nil {
		return "", err
	}
	text = header + "return " + text + "\n"
	got, err := readSource(c.L, path, text) // an array is then a table, as in the file
	if err != nil {
		return "", err
	}
	want, err := readGolden(c.L, path)
	missing := errors.Is(err, fs.ErrNotExist)
	switch {
	case missing && !g.update:
		return fmt.Sprintf("no golden file %s; write it with --update-golden", path), nil
	case err != nil && !g.update:
		return err.Error(), nil
	case !g.update:
		if d := (&differ{c: c, tol: tol}).text(got, want); d != "" {
			return path + ":\n" + d, nil
		}
		return "", nil
	}
	change := "new"
	if err == nil {
		if change = (&differ{c: c, tol: Tolerance{NaN: true}}).summary(got, want); change == "" {
			g.unchanged++
			return "", nil
		}
	} else if !missing {
		change = "it could not be read"
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err.Error(), nil
	}
	if err := arrays.WriteAtomic(path, func(w io.Writer) error { _, err := io.WriteString(w, text); return err }); err != nil {
		return err.Error(), nil
	}
	g.changes = append(g.changes, path+": "+change)
	return "", nil
}

// orphans returns the failures of golden files that no test of a complete run
// read; an update removes them.
func (g *goldens) orphans() (failures []Failure) {
	for _, path := range filesBelow(g.dir) {
		switch {
		case g.used[path]:
		case !g.update:
			failures = append(failures, Failure{Message: path + ": no test reads it; remove it with --update-golden"})
		default:
			if err := os.Remove(path); err != nil {
				failures = append(failures, Failure{Message: err.Error()})
				continue
			}
			g.changes = append(g.changes, path+": removed")
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
