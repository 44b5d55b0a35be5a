package repl

import (
	"testing"

	"github.com/greenbench/workbench/workbench/repl/terminal"
)

func TestHighlight(t *testing.T) {
	on := terminal.Painter{On: true}
	if got, want := highlight("local x = 'a' -- c", -1, on), "\x1b[34mlocal\x1b[0m x = \x1b[32m'a'\x1b[0m \x1b[2m-- c\x1b[0m"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, s := range []string{"", "  x\n", "s = [[", "'open", "λ = 3 \U0010F700", "for i=1,2 do print(i) end"} {
		if got := terminal.Strip(highlight(s, 0, on)); got != s {
			t.Errorf("%q became %q", s, got)
		}
		if got := highlight(s, 0, terminal.Painter{}); got != s {
			t.Errorf("%q without colour became %q", s, got)
		}
	}
}
