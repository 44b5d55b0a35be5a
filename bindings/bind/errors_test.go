package bind_test

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
)

// testdata/errors.lua holds chunks of code, separated by empty lines. The line
// that ends in "--! text" must fail with exactly that text after its position;
// further lines that begin with "--!" are the following lines of the text.
func TestErrorTexts(t *testing.T) {
	const file = "testdata/errors.lua"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	L, _ := newState(t, io.Discard)
	start, chunks := 1, 0
	for chunk := range strings.SplitSeq(string(data), "\n\n") {
		at := start
		start += strings.Count(chunk, "\n") + 2
		var want string
		for i, line := range strings.Split(chunk, "\n") {
			code, text, ok := strings.Cut(line, "--!")
			switch {
			case !ok:
			case strings.TrimSpace(code) == "":
				want += "\n" + strings.TrimRight(strings.TrimPrefix(text, " "), " ")
			default:
				want = fmt.Sprintf("errors.lua:%d: %s", at+i, strings.TrimSpace(text))
			}
		}
		if want == "" {
			continue // a comment
		}
		chunks++
		_, err := eval(L, "errors.lua", strings.Repeat("\n", at-1)+chunk)
		if err == nil {
			t.Errorf("%s:%d: no error, want\n%s", file, at, want)
			continue
		}
		got, _, _ := strings.Cut(err.Error(), "\nstack traceback:")
		if got != want {
			t.Errorf("%s:%d: got\n%s\nwant\n%s", file, at, got, want)
		}
	}
	if chunks < 60 {
		t.Errorf("only %d chunks were run", chunks)
	}
}
