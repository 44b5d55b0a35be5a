package host

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite testdata/messages.txt with the present messages")

// describe is a failure as text: the message, the hint, the traceback, and the status if it is not 1.
func describe(err error) string {
	e, ok := err.(*Error)
	if !ok {
		return fmt.Sprint(err)
	}
	lines := []string{e.Error()}
	if e.Hint != "" {
		lines = append(lines, "hint: "+e.Hint)
	}
	for i, call := range e.Traceback {
		if len(e.Traceback) > 6 && i > 1 && i < len(e.Traceback)-1 {
			continue
		}
		lines = append(lines, "in: "+call)
	}
	if e.Exit != ExitFailure {
		lines = append(lines, fmt.Sprintf("exit: %d", e.Exit))
	}
	return strings.Join(lines, "\n")
}

// TestMessages compares what scripts that fail say with what a person wrote down as right: mistakes in programs, and what
// someone new to the modules types.
func TestMessages(t *testing.T) {
	for path, least := range map[string]int{"testdata/messages.txt": 60, "testdata/wrong.txt": 120, "testdata/newcomers.txt": 60} {
		t.Run(path, func(t *testing.T) { testMessages(t, path, least) })
	}
}

func testMessages(t *testing.T, path string, least int) {
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var updated strings.Builder
	n, modules := 0, StandardModules()
	for part := range strings.SplitSeq("\n"+string(data), "\n--- ") {
		title, body, _ := strings.Cut(part, "\n")
		text, want, ok := strings.Cut(body+"\n", ">>>\n")
		if !ok {
			continue
		}
		n++
		h, err := New(Options{Out: io.Discard, Modules: modules})
		if err != nil {
			t.Fatal(err)
		}
		err = h.Run(context.Background(), "fit.lua", strings.TrimSuffix(text, "\n"))
		got := describe(err)
		h.Close()
		if err == nil {
			t.Errorf("%s: no error", title)
		}
		fmt.Fprintf(&updated, "--- %s\n%s>>>\n%s\n", title, text, got)
		if want = strings.TrimRight(want, "\n"); got != want && !*update {
			t.Errorf("%s:\n%s got %s\nwant %s", title, text, got, want)
		}
	}
	if *update {
		if err := os.WriteFile(path, []byte(updated.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if n < least {
		t.Errorf("%d messages: want at least %d", n, least)
	}
}
