package chunk_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/workbench/chunk"
)

var updateCorpus = flag.Bool("updatecorpus", false, "generate testdata/corpus.txt anew, with lua5.1 and luajit")

// corpusSize is how many programs the committed corpus has; every fourth uses goto.
const corpusSize = 600

// TestCorpus runs committed programs of the generator, each through the next load path, and compares what they print with
// what lua5.1 printed, or luajit -joff for those that use goto.
func TestCorpus(t *testing.T) {
	if *updateCorpus {
		writeCorpus(t)
	}
	corpus := sections(t, "testdata/corpus.txt")
	if len(corpus) < 500 {
		t.Fatalf("%d programs: want at least 500", len(corpus))
	}
	paths := LoadPaths()
	for i, s := range corpus {
		if got := Run(paths[i%len(paths)], s.text); got != s.want {
			t.Errorf("%s, by %s:\n%s got %s\nwant %s", s.title, paths[i%len(paths)].Name, s.text, got, s.want)
		}
	}
}

// writeCorpus takes the first programs of the generator that are not long.
func writeCorpus(t *testing.T) {
	var out strings.Builder
	for k, command := range []string{"lua5.1", "luajit -joff"} {
		var programs, titles []string
		for n := uint64(1); len(programs) < corpusSize*(3-2*k)/4; n++ {
			p := Program(n, Features{Goto: k == 1})
			if len(p) < 1000 && (k == 0 || strings.Contains(p, "goto")) {
				programs, titles = append(programs, p), append(titles, fmt.Sprintf("program %d, %s", n, command))
			}
		}
		want, err := Reference(context.Background(), command, programs)
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range programs {
			fmt.Fprintf(&out, "--- %s\n%s>>>\n%s\n", titles[i], p, want[i])
		}
	}
	if err := os.WriteFile("testdata/corpus.txt", []byte(out.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestEveryLoadPath runs one program that shows whether it was rewritten through every way of loading code.
func TestEveryLoadPath(t *testing.T) {
	const program = "local a, b = 1, 2\na, b = b, a\nlocal t = {1, 2, k = math.exp(0)}\nP(a, b, #t, 1 / 3 .. '')\n"
	for _, path := range LoadPaths() {
		if got, want := Run(path, program), "2 1 2 '0.33333333333333'|ok"; got != want {
			t.Errorf("%s: got %s, want %s", path.Name, got, want)
		}
	}
}

// TestPrefixes cuts the programs of the corpus after every token: what remains is either complete or incomplete, never
// wrong. A prompt that asks for the next line must not refuse a right beginning.
func TestPrefixes(t *testing.T) {
	for i, s := range sections(t, "testdata/corpus.txt") {
		if i%(20*testmain.Stride(2)) != 0 {
			continue
		}
		for n := range len(s.text) {
			if n > 0 && (isWord(s.text[n-1]) && isWord(s.text[n]) || strings.ContainsRune("=~<>:[", rune(s.text[n-1])) && strings.ContainsRune("=:[", rune(s.text[n]))) {
				continue // inside a token
			}
			_, err := chunk.Parse("case.lua", []byte(s.text[:n]))
			if e, ok := err.(*chunk.SyntaxError); ok && !e.Incomplete && !cutInside(e) {
				t.Fatalf("%s: %v\n%s", s.title, err, s.text[:n])
			}
		}
	}
}

func isWord(b byte) bool {
	return b == '_' || b == '.' || '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
}

// cutInside reports whether the cut went through a string, which no line break may do, or before the label of a goto.
func cutInside(e *chunk.SyntaxError) bool {
	return strings.Contains(e.Message, "no closing") || strings.Contains(e.Message, "unknown escape") || strings.Contains(e.Message, "visible label")
}
