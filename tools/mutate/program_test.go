package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/greenbench/workbench/tools/mutate/mutation"
)

// Each line says one thing, which mutants of that line change.
const manyPlaces = `package main

import "fmt"

const three = 3

type length float64

type list []int

func say(line string, x any) { fmt.Println(line, x) }

func f(n int, x float64, l length, m map[string]int, s list) {
	say("a", n + 2)
	say("b", x *
		2.5)
	say("d", l / 2 - 1)
	say("e", n < 7 && x == 1.5)
	if n > three { say("f", "more") }
	k := n; k++; say("g", k)
	for i := 0; i < 2; i++ { say("h", i); if i < 0 { break } }
	m["a"] += 2; say("i", m["a"])
	y := x; y /= 4; say("j", y)
	say("k", !(-x > 1e3) || len(s) == 2)
	say("l", s[1:2])
	say("m", 1.0/3*2)
	say("n", fmt.Sprint("a" + "b", len(s) - 1))
	say("o", [three]int{1, 2})
}

func main() { f(7, 1.5, 3, map[string]int{"a": 1}, list{4, 5, 6}) }
`

// A program holds as many mutants as it can, gives what the source gives while none lives, and
// with one that does differs in the line of that one only; the others are built alone.
func TestPrograms(t *testing.T) {
	root, work := t.TempDir(), t.TempDir()
	library, err := os.ReadFile("mutation/mutation.go")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"go.mod": "module m\n\ngo 1.26\n", "p/p.go": manyPlaces, "tools/mutate/mutation/mutation.go": string(library)} {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c, err := newChecker(t.Context(), root, "m", []string{"p"})
	if err != nil {
		t.Fatal(err)
	}
	all, err := c.sites("p")
	if err != nil {
		t.Fatal(err)
	}
	p, err := newProgram(c, work, all)
	if err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(work, "p.exe")
	build := exec.Command("go", "build", "-overlay", p.overlay, "-o", binary, "./p")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	// output are the lines that the program writes, by what they say they are of.
	output := func(id int) map[string]string {
		cmd := exec.Command(binary)
		cmd.Env = append(os.Environ(), mutation.Living+"="+strconv.Itoa(id))
		out, err := cmd.Output()
		if err != nil {
			out = append(out, []byte("panic\n")...) // from s[1:2], with other bounds
		}
		said := map[string]string{}
		for line := range strings.Lines(string(out)) {
			label, rest, _ := strings.Cut(line, " ")
			said[label] += rest
		}
		return said
	}
	plain := output(-1)
	if plain["a"] != "9\n" || plain["d"] != "0.5\n" || plain["h"] != "0\n1\n" || len(plain) != 14 {
		t.Fatalf("without a mutant: %q", plain)
	}
	together := 0
	for id, s := range all {
		if p.alone[id] || s.line > 30 {
			continue
		}
		together++
		label := string(rune('a' + s.line - 14))
		if s.line == 16 {
			label = "b"
		}
		got, changed := output(id), 0
		for other, said := range plain {
			switch {
			case got[other] == said || got["panic\n"] != plain["panic\n"]:
			case other == label:
				changed++
			default:
				t.Errorf("%s changes line %s: %q, not %q", s, other, got[other], said)
			}
		}
		if changed == 0 && s.old != "<" && s.old != "len(s)" && s.line < 21 {
			t.Errorf("%s changes nothing in its line: %q", s, got)
		}
	}
	if together < 15 { // others change what these do
		t.Errorf("%d of %d places are in one program", together, len(all))
	}
}
