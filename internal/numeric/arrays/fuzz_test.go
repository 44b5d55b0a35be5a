package arrays

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/greenbench/workbench/numeric/array"
)

// The readers must neither panic nor hang nor allocate what is not there,
// whatever the bytes; and what they read must survive being written and read.

// deflate cannot do better than about 1030 to 1.
const deflateRatio = 1100

func FuzzNPY(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := loadNPY(data)
		if err != nil {
			return
		}
		wantModest(t, a, len(data))
		var b bytes.Buffer
		if err := writeNPY(&b, a); err != nil {
			t.Fatal(err)
		}
		if back := must(loadNPY(b.Bytes())); !Equal(back, a) {
			t.Errorf("wrote %v, read %v", a, back)
		}
	})
}

func FuzzNPZ(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := openNPZ(bytes.NewReader(data), int64(len(data)), "")
		if err != nil {
			return
		}
		for _, name := range c.names {
			if a, err := c.read(name); err == nil {
				wantModest(t, a, deflateRatio*len(data))
			}
		}
		if text, err := c.text("meta.json"); err == nil && len(text) > deflateRatio*len(data) {
			t.Errorf("%d bytes of text out of %d", len(text), len(data))
		}
	})
}

func FuzzCSV(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := readCSV(bytes.NewReader(data))
		if err != nil {
			return
		}
		wantModest(t, a, len(data))
		for _, separator := range []byte(",;\t ") {
			if separator == ';' {
				continue // a comma, not a point, is what follows a semicolon
			}
			var b bytes.Buffer
			if err := writeCSV(&b, a, separator); err != nil {
				t.Fatal(err)
			}
			if back := must(readCSV(&b)); !Equal(back, a) {
				t.Errorf("wrote %v, read %v", a, back)
			}
		}
	})
}

func FuzzMAT(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := openMAT(bytes.NewReader(data), int64(len(data)), "")
		if err != nil {
			return
		}
		for _, name := range c.names {
			if a, err := c.read(name); err == nil {
				wantModest(t, a, deflateRatio*len(data))
			}
		}
	})
}

// wantModest checks that the numbers can have come out of so many bytes, each
// number taking at least one, and that the array is whole.
func wantModest(t *testing.T, a *array.Array, bytes int) {
	t.Helper()
	if a.Size() > bytes {
		t.Errorf("%d numbers out of %d bytes", a.Size(), bytes)
	}
	if _, err := array.Of(a.Data, a.Shape...); err != nil {
		t.Error(err)
	}
	if s := a.String(); strings.Count(s, "\n") > 60 {
		t.Errorf("%d lines", strings.Count(s, "\n"))
	}
}

var update = flag.Bool("update", false, "rewrite the seed corpora of the fuzz targets")

// The committed seeds (testdata/fuzz) are the fixtures, so that every fuzz run
// starts from all that the formats can do. Their bytes are not compared: what
// deflate makes of them may change with the Go release.
func TestSeedCorpus(t *testing.T) {
	for target, fixtures := range map[string]map[string][]byte{
		"FuzzNPY": npyFixtures(), "FuzzNPZ": npzFixtures(), "FuzzCSV": csvFixtures(), "FuzzMAT": matFixtures(),
	} {
		dir := filepath.Join("testdata", "fuzz", target)
		for name, data := range fixtures {
			path := filepath.Join(dir, name)
			if *update {
				if err := os.MkdirAll(dir, 0o755); err != nil {
					t.Fatal(err)
				}
				seed := fmt.Sprintf("go test fuzz v1\n[]byte(%q)\n", data)
				if err := os.WriteFile(path, []byte(seed), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := os.Stat(path); err != nil {
				t.Errorf("no seed for the fixture %s (%v): run go test -run TestSeedCorpus -update", name, err)
			}
		}
	}
}
