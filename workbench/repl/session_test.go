package repl

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/workbench/host"
	"github.com/greenbench/workbench/workbench/repl/everywhere"
	"github.com/greenbench/workbench/workbench/repl/line"
	"github.com/greenbench/workbench/workbench/repl/transcript"
)

// A scripted session types lines and keeps what comes back. What needs a
// terminal is tested with the program.
type scripted struct {
	*Session
	out, errs bytes.Buffer
}

// reader gives lines, and what was remembered. A line "^C" is that key.
type reader struct {
	lines      []string
	remembered []string
	prompts    []string
	dropped    int
}

func (r *reader) ReadLine(prompt string) (string, error) {
	r.prompts = append(r.prompts, prompt)
	if len(r.lines) == 0 {
		return "", io.EOF
	}
	l := r.lines[0]
	r.lines = r.lines[1:]
	if l == "^C" {
		return "", line.ErrInterrupt
	}
	return l, nil
}

func (r *reader) Remember(entry string) { r.remembered = append(r.remembered, entry) }
func (r *reader) Prefill(string)        {}
func (r *reader) DropPaste() []string   { r.dropped++; return nil }
func (r *reader) Out() io.Writer        { return io.Discard }
func (r *reader) Close() error          { return nil }

type box struct{ n int }

// newSession makes a session with one small module.
func newSession(t *testing.T, lines ...string) (*scripted, *reader) {
	t.Helper()
	desk := &everywhere.Desk{}
	desk.Registry = bind.New(desk.Module(), bind.Module{
		Name: "things", Doc: "Things.",
		Funcs: []bind.Func{
			bind.Fn("box", "Make a box.", func(_ *bind.Call, a *struct {
				N int `arg:"n" default:"1"`
			},
			) (*box, error) {
				return &box{a.N}, nil
			}),
			bind.Fn("wait", "Wait for Ctrl-C.", func(c *bind.Call, _ *struct{}) (bind.None, error) {
				<-c.Done()
				return bind.None{}, c.Err()
			}),
		},
		Types: []bind.Type{bind.TypeOf[*box]("box", "A box.", bind.Methods(
			bind.Fn("open", "Open the box.", func(_ *bind.Call, a *struct {
				Self *box `arg:"self"`
			},
			) (int, error) {
				return a.Self.n, nil
			})))},
	})
	s := &scripted{}
	h, err := host.New(host.Options{Out: &s.out, Err: &s.errs, Modules: desk.Registry})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	desk.Begin(h.L)
	r := &reader{lines: lines}
	s.Session = New(h, Options{Reader: r, Out: &s.out, Err: &s.errs, Desk: desk})
	return s, r
}

func TestSession(t *testing.T) {
	for _, c := range []struct {
		name      string
		lines     string
		out, errs string // texts in what is shown, separated by |
	}{
		{"values", "1+1\nx = 3\nx", "2|3", ""},
		{"several values", "1, 'a', nil", "1    a    nil", ""},
		{"quiet", "'shown'\n'hidden';", "shown", ""},
		{"last results", "x = 1; 10\n20, 30\n_, _1, _2, _3", "20    20    30    10", ""},
		{"a failed input keeps the last result", "5\nerror('x')\n_", "5", "error: x"},
		{"nil is no result to keep", "5\nnil\n_", "5\nnil\n5", ""},
		{"a block", "for i = 1, 2 do\nprint(i)\nend", "1\n2", ""},
		{"locals", "local a = 1\nlocal b = 2\na + b", "3", "note: at the prompt, locals"},
		{"a local that hides a module", "local things = 1", "", `things = require "things" brings the module back`},
		{"an undefined name", "thigns", "nil", "did you mean 'things'?"},
		{"help", "?things.box", "Make a box.", ""},
		{"help after", "things.box?", "Make a box.", ""},
		{"help of a value's method", "b = things.box{}\n?b:open", "Open the box.", ""},
		{"help of nothing", "?nosuch", "No help for 'nosuch'", ""},
		{"search", "?*box*", "things.box", ""},
		{"source", "function f() return 1 end\n??f", "input[1]:1\nfunction f() return 1 end", ""},
		{"source of Go", "??things.box", "Written in Go.", ""},
		{"prompts are removed", "> 1 + 1\n>> 2 + 2", "2\n4", ""},
		{"an interrupt drops a block", "for i = 1, 2 do\n^C\n7", "7", ""},
		{"the end drops a block", "for i = 1, 2 do", "", "expected 'end'"},
		{"exit", "1\nexit\n2", "1", ""},
		{"exit as a variable", "exit = 5\nexit", "5", ""},
		{"an error names its input", "x = 1\nerror('here')", "", "input[2]:1: error('here')"},
		{"the interrupt of Go code", "things.wait()\n'after'", "after", "interrupted in things.wait"},
		{"the interrupt of Lua code", "while true do end\n'after'", "after", "interrupted at input[1]:1"},
		{"functions are shown by their signature", "things.box", "function things.box{n=1}", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, _ := newSession(t, strings.Split(c.lines, "\n")...)
			if strings.Contains(c.name, "interrupt of") {
				go func() { // Ctrl-C, once something runs
					for !s.stops.running() {
						time.Sleep(time.Millisecond)
					}
					time.Sleep(20 * time.Millisecond)
					s.stops.press()
				}()
			}
			if status := s.Run(context.Background()); status != 0 {
				t.Errorf("status %d", status)
			}
			holds(t, "output", s.out.String(), c.out)
			holds(t, "diagnostics", s.errs.String(), c.errs)
		})
	}
}

func holds(t *testing.T, what, got, want string) {
	t.Helper()
	if want == "" && got != "" {
		t.Errorf("%s: %q", what, got)
	}
	for w := range strings.SplitSeq(want, "|") {
		if !strings.Contains(got, w) {
			t.Errorf("%s %q lacks %q", what, got, w)
		}
	}
}

// In a pipe the first error ends the session, with the status of its kind, and
// only results and errors are written.
func TestPipe(t *testing.T) {
	for lines, status := range map[string]int{
		"1": 0, "error('x')\n2": 1, "x = = 1\n2": 2, "local a = 1\na": 0, "os.exit(5)\n2": 5, "for": 2,
	} {
		s, _ := newSession(t, strings.Split(lines, "\n")...)
		s.Pipe = true
		if got := s.Run(context.Background()); got != status || strings.Contains(s.out.String(), "2") || strings.Contains(s.errs.String(), "note:") {
			t.Errorf("%q: status %d, want %d\n%s%s", lines, got, status, s.out.String(), s.errs.String())
		}
	}
}

// What was typed is remembered as it was typed, before it runs.
func TestRemembers(t *testing.T) {
	s, r := newSession(t, "x = 1", "", "  ", "for i = 1, 2 do", "end", "x = = 1", "?x", "f(", "^C", "local y = 2")
	s.Run(context.Background())
	want := []string{"x = 1", "for i = 1, 2 do\nend", "x = = 1", "?x", "f(", "local y = 2"}
	if strings.Join(r.remembered, "|") != strings.Join(want, "|") {
		t.Errorf("remembered %q", r.remembered)
	}
	var texts []string
	for _, input := range s.done {
		texts = append(texts, input.Text)
	}
	if got := strings.Join(texts, "|"); got != "x = 1|for i = 1, 2 do\nend|local y = 2" {
		t.Errorf("succeeded: %q", got)
	}
	for i, p := range r.prompts {
		if want := map[bool]string{true: ">> ", false: "> "}[i == 4 || i == 8]; p != want {
			t.Errorf("prompt %d is %q, want %q", i, p, want)
		}
	}
}

// The second Ctrl-C says where the program is, the third leaves.
func TestGradedInterrupt(t *testing.T) {
	s, _ := newSession(t)
	left := -1
	s.stops.leave = func(status int) { left = status }
	s.stops.press() // nothing runs: nothing happens
	ctx, end := s.stops.begin(context.Background())
	s.stops.press()
	if ctx.Err() == nil || s.errs.Len() > 0 {
		t.Errorf("the first: %v %q", ctx.Err(), s.errs.String())
	}
	s.stops.press()
	if !strings.Contains(s.errs.String(), "Ctrl-C once more leaves") || left >= 0 {
		t.Errorf("the second: %q, status %d", s.errs.String(), left)
	}
	s.stops.press()
	if left != host.ExitInterrupted {
		t.Errorf("the third: status %d", left)
	}
	end()
}

func TestCompleteAtThePrompt(t *testing.T) {
	s, _ := newSession(t)
	for text, want := range map[string]string{"thin": "things.", "?thin": "things.", "things.box{": "n="} {
		c := s.Complete(text, len(text))
		if len(c.Candidates) != 1 || c.Candidates[0].Text != want {
			t.Errorf("%q: %+v", text, c)
		}
	}
	s.pending.Add("x = things.box{")
	if c := s.Complete("  ", 2); len(c.Candidates) != 1 || c.Candidates[0].Text != "n=" || c.From != 2 {
		t.Errorf("in a block: %+v", c)
	}
}

func TestEditWhatIsNot(t *testing.T) {
	s, _ := newSession(t)
	if err := s.Edit("nosuch"); err == nil {
		t.Error("a name without a function was edited")
	}
	t.Setenv("VISUAL", "")
	t.Setenv("EDITOR", "")
	if _, err := edit("x"); err == nil || !strings.Contains(err.Error(), "EDITOR") {
		t.Errorf("without an editor: %v", err)
	}
}

// TestReportKeepsQuestions: the answer to a question stands below it, not below the input before.
func TestReportKeepsQuestions(t *testing.T) {
	s, _ := newSession(t, "x = 1", "?things", "nothing?", ";echo from the shell", "x")
	s.Transcript = &transcript.Log{}
	s.Out = s.Transcript.Tee(s.Out)
	s.Run(context.Background())
	s.Transcript.Begin("report()")
	var page bytes.Buffer
	if err := s.Transcript.Write(&page, "", nil); err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(page.String(), `<pre class="input">`)[1:]
	for i, want := range []string{"x = 1</pre>", "?things</pre>", "nothing?</pre>", ";echo from the shell</pre>", "x</pre>"} {
		if i >= len(parts) || !strings.HasPrefix(parts[i], want) {
			t.Fatalf("part %d of %q does not begin with %s", i, parts, want)
		}
	}
	if strings.Contains(parts[0], "Things") || !strings.Contains(parts[1], "Things.") {
		t.Errorf("the answer stands in another place:\n%s", page.String())
	}
}
