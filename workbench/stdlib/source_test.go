package stdlib

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// A chunk without a name of its own is called by the first forty letters of its first line.
func TestNamesOfTexts(t *testing.T) {
	long := strings.Repeat("ü", 40)
	for name, want := range map[string]string{
		"@file": "file", "=name": "name", "": `[string ""]`, "x": `[string "x"]`, "x\ny": `[string "x..."]`,
		long: `[string "` + long + `"]`, long + "x": `[string "` + long + `..."]`, long + "\n": `[string "` + long + `..."]`,
	} {
		if got := displayName(name); got != want {
			t.Errorf("%q is called %s, want %s", name, got, want)
		}
	}
}

// A thousand texts are remembered, then those without a file are forgotten; of two thousand files one makes room for the next.
func TestTextsAreForgotten(t *testing.T) {
	for _, c := range []struct {
		name       string
		there, all int // before one more, and with it
	}{{`[string "%d"]`, 999, 1000}, {`[string "%d"]`, 1000, 1}, {"%d.lua", 1000, 1001}, {"%d.lua", 1999, 2000}, {"%d.lua", 2000, 2000}} {
		lib := &Library{sources: map[string]*source{}}
		for i := range c.there {
			lib.sources[fmt.Sprintf(c.name, i)] = &source{}
		}
		if lib.remember("one.lua", []byte("more")); len(lib.sources) != c.all || lib.sources["one.lua"] == nil || lib.sources["one.lua"].text != "more" {
			t.Errorf("%d texts named %s: %d with one more, want %d", c.there, c.name, len(lib.sources), c.all)
		}
	}
}

// Of a file that is there the text is read, if it is one of Lua; a folder of such a name is none.
func TestMessagesAboutFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"script.lua", "script.txt"} {
		if err := os.WriteFile(name, []byte("local a\nlocal b = -a"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir("folder.lua", 0o700); err != nil {
		t.Fatal(err)
	}
	for name, known := range map[string]bool{"script.lua": true, "script.txt": false, "folder.lua": false, "missing.lua": false} {
		text := name + ":2: __unm undefined"
		want := text
		if known {
			want = name + ":2: attempt to do arithmetic (-) on this value: 'a'"
		}
		if got := newState(t, Options{}).lib.Explain(nil, text); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// A message is of the line of a chunk that is known, whatever colons and digits are in its name and before it.
func TestMessagesAreOfKnownChunks(t *testing.T) {
	lib := &Library{sources: map[string]*source{"case.lua": {}, "a:12: b": {}, "7": {}, "": {}}}
	for _, c := range []struct {
		text, name, message string
		line                int
	}{
		{"case.lua:3: no", "case.lua", "no", 3},
		{"case.lua:120: no: case.lua:4: yes", "case.lua", "no: case.lua:4: yes", 120},
		{"a:12: b:34: no", "a:12: b", "no", 34},
		{"7:8: no", "7", "no", 8},
		{":5: no", "", "no", 5},
		{"case.lua:123456789: no", "case.lua", "no", 123456789},
		{"case.lua:3:no", "", "case.lua:3:no", 0},
		{"case.lua:: no", "", "case.lua:: no", 0},
		{"case.lua:1234567890: no", "", "case.lua:1234567890: no", 0}, // no file has so many lines
		{"other.lua.that.is.nowhere:3: no", "", "other.lua.that.is.nowhere:3: no", 0},
		{"nothing", "", "nothing", 0},
	} {
		s, name, line, message := lib.sourceAt(c.text)
		if (s != nil) != (c.line != 0) || name != c.name && s != nil || line != c.line || message != c.message {
			t.Errorf("%q: chunk %q, line %d, %q; want %q, %d, %q", c.text, name, line, message, c.name, c.line, c.message)
		}
	}
}
