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

func (f filter) accepts(path, name string) bool {
	id := testID(path, name)
	if f.re != nil {
		return f.re.MatchString(id)
	}
	return strings.Contains(id, f.part)
}

// testID names a test in lists and for filters.
func testID(path, name string) string { return path + ": " + name }

// discover returns the test files that paths name: the files themselves and,
// for folders, every .lua file below that does not begin with _ or a dot, in
// order of name.
func discover(paths []string) ([]string, error) {
	var list []string
	seen := map[string]bool{}
	add := func(path string) {
		if !seen[path] {
			seen[path] = true
			list = append(list, path)
		}
	}
	for _, path := range paths {
		path = filepath.Clean(path)
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			add(filepath.ToSlash(path))
			continue
		}
		found, err := below(path)
		if err != nil {
			return nil, err
		}
		for _, path := range found {
			add(path)
		}
	}
	return list, nil
}

// below returns the test files in a folder and its folders.
func below(dir string) ([]string, error) {
	var list []string
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		name := e.Name()
		hidden := path != dir && (strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_"))
		switch {
		case err != nil:
			return err
		case e.IsDir() && path != dir && (hidden || name == "testdata" || name == goldenFolder):
			return filepath.SkipDir
		case !e.IsDir() && !hidden && strings.HasSuffix(name, ".lua"):
			list = append(list, filepath.ToSlash(path))
		}
		return nil
	})
	slices.Sort(list)
	return list, err
}
