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

// TestMessages compares what scripts that fail say with what a person wrote down as right.
func TestMessages(t *testing.T) {
	const path = "testdata/messages.txt"
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var updated strings.Builder
	n := 0
	for part := range strings.SplitSeq("\n"+string(data), "\n--- ") {
		title, body, _ := strings.Cut(part, "\n")
		text, want, ok := strings.Cut(body+"\n", ">>>\n")
		if !ok {
			continue
		}
		n++
		h, err := New(Options{Out: io.Discard})
		if err != nil {
			t.Fatal(err)
		}
		got := describe(h.Run(context.Background(), "fit.lua", strings.TrimSuffix(text, "\n")))
		h.Close()
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
	if n < 60 {
		t.Errorf("%d messages: want at least 60", n)
	}
}
