package testrun

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// filter selects tests by "path: name": a part of it, or a regular expression
// between slashes. The empty filter selects all.
type filter struct {
	part string
	re   *regexp.Regexp
}

func newFilter(text string) (filter, error) {
	if len(text) < 2 || text[0] != '/' || text[len(text)-1] != '/' {
		return filter{part: text}, nil
	}
	re, err := regexp.Compile(text[1 : len(text)-1])
	if err != nil {
		return filter{}, fmt.Errorf("filter %s: %w", text, err)
	}
	return filter{re: re}, nil
}

func (f filter) all() bool { return f.part == "" && f.re == nil }

func (f filter) accepts(path, name string) bool {
	id := testID(path, name)
	if f.re != nil {
		return f.re.MatchString(id)
	}
	return strings.Contains(id, f.part)
}

// testID names a test in lists and for filters.
func testID(path, name string) string { return path + ": " + name }

// target is one line of a report: a test file, or a folder of golden files
// that belong to no test file.
type target struct {
	path   string
	orphan bool
}

// discover returns the test files that paths name: the files themselves and,
// for folders, every .lua file below that does not begin with _ or a dot, in
// order of name. Folders of golden files without a test file follow the files
// they lie beside.
func discover(paths []string) ([]target, error) {
	var list []target
	seen := map[string]bool{}
	add := func(t target) {
		if !seen[t.path] {
			seen[t.path] = true
			list = append(list, t)
		}
	}
	for _, path := range paths {
		path = filepath.Clean(path)
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			add(target{path: filepath.ToSlash(path)})
			continue
		}
		found, err := below(path)
		if err != nil {
			return nil, err
		}
		for _, t := range found {
			add(t)
		}
	}
	return list, nil
}

// below returns the targets in a folder and its folders.
func below(dir string) ([]target, error) {
	var list []target
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		name := e.Name()
		hidden := path != dir && (strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_"))
		switch {
		case err != nil:
			return err
		case e.IsDir() && (hidden || name == "testdata" && path != dir):
			return filepath.SkipDir
		case e.IsDir() && name == goldenFolder && path != dir:
			list = append(list, orphanFolders(path)...)
			return filepath.SkipDir
		case !e.IsDir() && !hidden && strings.HasSuffix(name, ".lua"):
			list = append(list, target{path: filepath.ToSlash(path)})
		}
		return nil
	})
	slices.SortStableFunc(list, func(a, b target) int { return strings.Compare(a.path, b.path) })
	return list, err
}

// orphanFolders returns the golden folders whose test file is gone.
func orphanFolders(golden string) []target {
	entries, err := os.ReadDir(golden)
	if err != nil {
		return nil
	}
	var list []target
	for _, e := range entries {
		file := filepath.Join(filepath.Dir(golden), e.Name()+".lua")
		if _, err := os.Stat(file); err != nil && e.IsDir() {
			list = append(list, target{path: filepath.ToSlash(filepath.Join(golden, e.Name())), orphan: true})
		}
	}
	return list
}
