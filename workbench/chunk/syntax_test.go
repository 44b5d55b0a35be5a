package chunk_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/greenbench/workbench/workbench/chunk"
)

var update = flag.Bool("update", false, "rewrite testdata/syntax.txt with the present messages")

// describe is an error in one line: where, what, the hint, and whether more input would help.
func describe(err error) string {
	var e *chunk.SyntaxError
	if !errors.As(err, &e) {
		return fmt.Sprint(err)
	}
	text := fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Message)
	if e.Hint != "" {
		text += "; " + e.Hint
	}
	if e.Incomplete {
		text += " (incomplete)"
	}
	return text
}

// TestSyntaxErrors compares position, message, hint and completeness with what a person wrote down as right.
func TestSyntaxErrors(t *testing.T) {
	const path = "testdata/syntax.txt"
	var updated strings.Builder
	for _, s := range sections(t, path) {
		_, err := chunk.Compile("case.lua", []byte(strings.TrimSuffix(s.text, "\n")))
		got := describe(err)
		fmt.Fprintf(&updated, "--- %s\n%s>>>\n%s\n", s.title, s.text, got)
		if got != s.want && !*update {
			t.Errorf("%s:\n%s got %s\nwant %s", s.title, s.text, got, s.want)
		}
	}
	if *update {
		if err := os.WriteFile(path, []byte(updated.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
