package repl

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/workbench/host"
	"github.com/greenbench/workbench/workbench/repl/input"
	"github.com/greenbench/workbench/workbench/repl/report"
	"github.com/greenbench/workbench/workbench/repl/terminal"
)

var update = flag.Bool("update", false, "rewrite testdata/mistakes.txt with the present messages")

// What the mistakes are made with.
const (
	once = `x = mesh.uniform(0, 1, 20, "x") k = kernel.se{lengthscale = 0.2}
d = pde.poisson{mesh = x}:sample{n = 12, input = {kernel = k}}
est = green.fit{data = d, kernel = k, lambda = 1e-4}`
	each = `a = array{3, 1, 2, 5} M = array{{1, 2}, {3, 4}} s = "text" t = {1, 2, 3} n = 3`
)

// TestMistakes compares what newcomers from NumPy, MATLAB, R, Julia and Python are told with what a person read and
// found right: where it is, which name or argument is meant, what it is and may be, and what to do. Each mistake stands
// after a >, its message below; a line that begins with # says from where the habit comes.
func TestMistakes(t *testing.T) {
	const path, least, marked = "testdata/mistakes.txt", 200, 190
	full, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(full)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("pairs.csv", []byte("1,2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	m := newMistakes(t)
	var now strings.Builder
	n, marks := 0, 0
	for part := range strings.SplitSeq("\n"+string(data), "\n> ") {
		typed, want, _ := strings.Cut(part, "\n")
		if typed == "" {
			now.WriteString(strings.TrimPrefix(part, "\n"))
			continue
		}
		want, heading, ok := strings.Cut(want, "\n# ")
		if ok {
			heading = "\n# " + heading
		}
		n++
		got := m.told(typed)
		if strings.Contains(got, "^") {
			marks++
		}
		if got != strings.TrimRight(want, "\n") && !*update {
			t.Errorf("> %s\n got\n%s\n want\n%s", typed, got, want)
		}
		fmt.Fprintf(&now, "\n> %s\n%s%s", typed, got, strings.TrimRight(heading, "\n"))
	}
	if n < least || marks < marked {
		t.Errorf("%d mistakes, %d with a mark under the place: want %d and %d", n, marks, least, marked)
	}
	if *update {
		if err := os.WriteFile(full, []byte(strings.TrimLeft(now.String(), "\n")+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// mistakes types into one Lua state, whose variables are what they were before each line.
type mistakes struct {
	t    *testing.T
	host *host.Host
	kept map[string]lua.LValue
}

func newMistakes(t *testing.T) *mistakes {
	t.Helper()
	h, err := host.New(host.Options{Out: io.Discard, Modules: host.StandardModules()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	if err := h.Run(context.Background(), "once", once); err != nil {
		t.Fatal(err)
	}
	m := &mistakes{t: t, host: h, kept: map[string]lua.LValue{}}
	h.L.G.Global.ForEach(func(k, v lua.LValue) { m.kept[k.String()] = v })
	return m
}

// told is what the prompt shows for a line.
func (m *mistakes) told(typed string) string {
	m.t.Helper()
	var names []string
	m.host.L.G.Global.ForEach(func(k, _ lua.LValue) { names = append(names, k.String()) })
	for _, name := range names {
		if m.kept[name] == nil {
			m.host.L.G.Global.RawSetString(name, lua.LNil)
		}
	}
	for name, v := range m.kept {
		m.host.L.G.Global.RawSetString(name, v)
	}
	if err := m.host.Run(context.Background(), "each", each); err != nil {
		m.t.Fatal(err)
	}
	r := input.Read("input[1]", typed)
	err := r.Err
	if err == nil {
		_, err = m.host.Eval(context.Background(), "input[1]", r.Code)
	}
	if err == nil {
		m.t.Errorf("> %s\nis no mistake", typed)
		return ""
	}
	p := report.Of(m.host.Describe(err))
	text := p.Text(func(string) (string, bool) { return typed, true }, terminal.Painter{})
	return strings.TrimRight(text, "\n")
}
