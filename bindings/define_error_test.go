package bindings_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// Scripts of testdata hold chunks of code, separated by empty lines. The line
// that ends in "--! text" must fail with exactly that text after its position, as
// the program shows it; further lines that begin with "--!" are the following
// lines of the text. A line before it may be the position of the error as well.
func TestErrorsOfScripts(t *testing.T) {
	for name, least := range map[string]int{"define.lua": 140, "fields.lua": 75, "networks.lua": 28} {
		t.Run(name, func(t *testing.T) {
			if chunks := runErrors(t, name); chunks < least {
				t.Errorf("only %d chunks were run", chunks)
			}
		})
	}
}

func runErrors(t *testing.T, name string) (chunks int) {
	file := "testdata/" + name
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	h := newHost(t)
	start := 1
	for chunk := range strings.SplitSeq(string(data), "\n\n") {
		at := start
		start += strings.Count(chunk, "\n") + 2
		want := ""
		for i, line := range strings.Split(chunk, "\n") {
			code, text, ok := strings.Cut(line, "--!")
			switch {
			case !ok:
			case strings.TrimSpace(code) == "":
				want += "\n" + strings.TrimRight(strings.TrimPrefix(text, " "), " ")
			default:
				want = fmt.Sprintf("%s:%d: %s", name, at+i, strings.TrimSpace(text))
			}
		}
		if want == "" {
			continue // a comment
		}
		chunks++
		err := h.Run(t.Context(), name, strings.Repeat("\n", at-1)+chunk)
		if err == nil {
			t.Errorf("%s:%d: no error, want\n%s", file, at, want)
		} else if err.Error() != want {
			t.Errorf("%s:%d: got\n%s\nwant\n%s", file, at, err, want)
		}
	}
	return chunks
}
