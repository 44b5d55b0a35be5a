package terminal

import (
	"os"
	"testing"
)

func environment(pairs ...string) func(string) string {
	m := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i]] = pairs[i+1]
	}
	return func(k string) string { return m[k] }
}

// The table of terminals and what they can show, from their documentation.
func TestPictureByName(t *testing.T) {
	for _, c := range []struct {
		env  []string
		want Protocol
		ok   bool
	}{
		{[]string{"TERM", "xterm-kitty"}, Kitty, true},
		{[]string{"TERM", "xterm-256color", "TERM_PROGRAM", "ghostty"}, Kitty, true},
		{[]string{"TERM_PROGRAM", "iTerm.app"}, ITerm, true},
		{[]string{"TERM_PROGRAM", "WezTerm"}, ITerm, true},
		{[]string{"TERM", "foot-extra"}, Sixel, true},
		{[]string{"TERM", "alacritty"}, Braille, true},
		{[]string{"TERM_PROGRAM", "Apple_Terminal"}, Braille, true},
		{[]string{"TERM", "screen-256color", "TERM_PROGRAM", "iTerm.app"}, Braille, true},
		{[]string{"TERM", "xterm-kitty", "TMUX", "1"}, Braille, true},
		{[]string{"TMUX", "1", "WORKBENCH_PICTURES", "sixel"}, Sixel, true},
		{[]string{"TERM", "xterm-kitty", "WORKBENCH_PICTURES", "braille"}, Braille, true},
		{[]string{"TERM", "xterm-256color"}, "", false},
		{[]string{"TERM", "dumb"}, Braille, true},
	} {
		info := Info{In: true, Out: true, env: environment(c.env...)}
		info.Dumb = info.env("TERM") == "dumb"
		if p, ok := info.pictureByName(); p != c.want || ok != c.ok {
			t.Errorf("%v: %q %v, want %q %v", c.env, p, ok, c.want, c.ok)
		}
	}
}

func TestAttributes(t *testing.T) {
	for answer, want := range map[string]bool{
		"\x1b[?62;4;22c": true,  // xterm -ti vt340, foot
		"\x1b[?64;1;2;c": false, // no 4
		"\x1b[?4c":       false, // a class, not an attribute
		"\x1b[?62;22":    false, // cut off
		"":               false,
		"x\x1b[?1;2;4c":  true, // something was typed meanwhile
	} {
		if got := attributesSaySixel(answer); got != want {
			t.Errorf("%q: %v, want %v", answer, got, want)
		}
	}
}

// A file is not a terminal: no colour, no editor, the usual size.
func TestDetectFile(t *testing.T) {
	f, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info := Detect(f, f, f, environment("TERM", "xterm"))
	if info.Interactive() || info.Color || info.ErrColor || !info.Dumb {
		t.Errorf("a file was taken for a terminal: %+v", info)
	}
	if info.Picture() != Braille || info.Width() != 80 || info.Height() != 24 {
		t.Errorf("picture %s, size %d×%d", info.Picture(), info.Width(), info.Height())
	}
}

func TestPaintAndStrip(t *testing.T) {
	if got := (Painter{}).Paint(Error, "x"); got != "x" {
		t.Errorf("painted without colour: %q", got)
	}
	p := Painter{On: true}
	if got := p.Paint(Error, "a\n\nb"); got != "\x1b[1;31ma\x1b[0m\n\n\x1b[1;31mb\x1b[0m" {
		t.Errorf("got %q", got)
	}
	for in, want := range map[string]string{
		p.Paint(Hint, "one\ntwo"):                    "one\ntwo",
		"\x1b]0;title\x07a\x1b_Gx=1;AAAA\x1b\\b\r\n": "ab\n",
		"\x1b[?2004ha\x1b":                           "a",
	} {
		if got := Strip(in); got != want {
			t.Errorf("Strip(%q) = %q, want %q", in, got, want)
		}
	}
}
