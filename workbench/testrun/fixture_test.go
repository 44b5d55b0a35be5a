package testrun

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the expected results in testdata")

// expect compares a text with a file of testdata.
func expect(t *testing.T, file, got string) {
	t.Helper()
	path := filepath.Join("testdata", file)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (go test -update rewrites it; look with git diff). Got:\n%s", path, got)
	}
}

// Each fixture is a test file; the .want file beside it holds the result of
// every test in it with the whole text of every failure.
func TestFixtures(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.lua")
	if err != nil || len(paths) == 0 {
		t.Fatal("no fixtures", err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			source, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			f := runSource(t, string(source))
			text := strings.ReplaceAll(outline(f), filepath.Dir(f.Path)+"/", "")
			expect(t, strings.TrimSuffix(filepath.Base(path), ".lua")+".want", text)
		})
	}
}
