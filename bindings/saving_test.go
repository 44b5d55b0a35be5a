package bindings_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// saver is the line of an example that names the file to write, and its extension.
var saver = regexp.MustCompile(`(?:local )?(path|file) = os\.tmpname\(\) \.\. "(\.\w+)"\n`)

// Whatever is saved says of a file that it cannot be written to what is wrong with it, and which files are allowed, in words that
// name no file but that.
func TestSavingSaysWhatIsAllowed(t *testing.T) {
	dir := t.TempDir()
	file := filepath.ToSlash(filepath.Join(dir, "file"))
	if err := os.WriteFile(file, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	savers := 0
	for f := range all().Functions() {
		if f.Name != "save" && f.Name != "save_green" && f.Name != "save_predictions" {
			continue
		}
		savers++
		m := saver.FindStringSubmatch(f.Examples[0])
		if m == nil {
			t.Errorf("%s: its example names no file", f.FullName)
			continue
		}
		extension := m[2]
		before, after, _ := strings.Cut(f.Examples[0], m[0])
		call, _, _ := strings.Cut(after, "\n")
		L := openAll(t, func(int, string) {})
		if err := L.DoString(before); err != nil {
			t.Fatalf("%s: %v", f.FullName, err)
		}
		for path, want := range map[string][]string{
			"":                            {"empty", "saved as", extension},
			dir + "/results":              {"no extension", "saved as", extension},
			dir + "/results.unknown":      {`".unknown"`, "saved as", extension},
			dir + "/":                     {"is a folder", "saved as", extension},
			file + "/results" + extension: {"its folder cannot be made", file + ": not a directory"},
		} {
			err := L.DoString(fmt.Sprintf("%s = %q\n%s", m[1], filepath.ToSlash(path), call))
			for _, w := range want {
				if err == nil || !strings.Contains(err.Error(), w) {
					t.Errorf("%s of %q: %v, want %q", f.FullName, path, err, w)
				}
			}
		}
	}
	if savers < 10 {
		t.Errorf("%d functions save, of more than ten", savers)
	}
}

// Whatever is saved so that it can be read back says, to the function that reads other things, what it is and what reads it.
func TestSavedFilesSayWhatReadsThem(t *testing.T) {
	for f := range all().Functions() {
		reader := ""
		for _, r := range []string{"data.load", "green.load"} {
			if f.Name == "save" && strings.Contains(f.Examples[0], r+"(path)") {
				reader = r
			}
		}
		if reader == "" {
			continue
		}
		L := openAll(t, func(int, string) {})
		example := strings.Replace(f.Examples[0], "os.remove(path)", "", 1)
		if err := L.DoString(strings.Replace(example, "os.tmpname()", fmt.Sprintf("%q", filepath.ToSlash(t.TempDir())+"/saved"), 1)); err != nil {
			t.Fatalf("%s: %v", f.FullName, err)
		}
		for _, other := range []string{"data.load", "green.load"} {
			err := L.DoString(other + "(path)")
			switch {
			case other == reader && err != nil:
				t.Errorf("%s: %s: %v", f.FullName, other, err)
			case f.FullName == "model:save" && err == nil: // the file holds the data, too
			case other != reader && (err == nil || !strings.Contains(err.Error(), "saved") || !strings.Contains(err.Error(), reader+"(")):
				t.Errorf("%s: %s: %v, want that %s reads it", f.FullName, other, err, reader)
			}
		}
	}
}
