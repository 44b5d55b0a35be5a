// Package terminal finds out what the program is connected to: whether people
// read its output, how wide their window is, whether it shows colours, and
// whether it can show pictures among the text (picture.go).
//
// Nothing is written to the terminal to find out, except by Picture when the
// environment does not tell.
package terminal

import (
	"os"
	"strings"

	"github.com/mattn/go-isatty"
	"golang.org/x/term"
)

// Info describes the surroundings of a process.
type Info struct {
	In, Out, Err bool // standard input, output, error are terminals
	Color        bool // results may be coloured
	ErrColor     bool // diagnostics may be coloured
	Dumb         bool // no cursor movement: no line editor, no progress bars
	env          func(string) string
	out          *os.File
}

// Detect looks at standard streams and environment.
func Detect(in, out, errs *os.File, env func(string) string) Info {
	t := Info{In: isTerminal(in), Out: isTerminal(out), Err: isTerminal(errs), env: env, out: out}
	t.Dumb = env("TERM") == "dumb" || !t.Out && !t.Err
	colors := env("NO_COLOR") == "" && env("TERM") != "dumb"
	t.Color = colors && t.Out
	t.ErrColor = colors && t.Err
	return t
}

func isTerminal(f *os.File) bool {
	return isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd())
}

// Interactive says whether a person types and reads.
func (t Info) Interactive() bool { return t.In && t.Out }

// Size is the number of columns and rows of the window, 80 by 24 when unknown.
func (t Info) Size() (columns, rows int) {
	if t.out != nil {
		if w, h, err := term.GetSize(int(t.out.Fd())); err == nil && w > 0 && h > 0 {
			return w, h
		}
	}
	return 80, 24
}

// Width and Height are the parts of Size.
func (t Info) Width() int  { w, _ := t.Size(); return w }
func (t Info) Height() int { _, h := t.Size(); return h }

// A Style is a way to set off text: the parameters of the escape sequence.
type Style string

// The styles in use. There are few, so that each means something.
const (
	Bold    Style = "1"
	Match   Style = "1;7" // brackets that belong together
	Dim     Style = "2"
	Error   Style = "1;31"
	Caret   Style = "31"
	Hint    Style = "33"
	Keyword Style = "34"
	Text    Style = "32" // strings
	Number  Style = "36"
)

// A Painter adds style to text where colours are wanted. The zero value does
// not.
type Painter struct{ On bool }

// Paint returns text in a style, line by line, so that cutting lines apart
// leaves no colour behind.
func (p Painter) Paint(s Style, text string) string {
	if !p.On || text == "" || s == "" {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		if l != "" {
			lines[i] = "\x1b[" + string(s) + "m" + l + "\x1b[0m"
		}
	}
	return strings.Join(lines, "\n")
}

// Strip removes escape sequences and other control characters from text,
// leaving line ends and tabs: what would be visible, were nothing overwritten.
func Strip(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		if s[i] == 0x1b {
			i += escape(s[i:])
			continue
		}
		if s[i] >= ' ' && s[i] != 0x7f || s[i] == '\n' || s[i] == '\t' {
			b.WriteByte(s[i])
		}
		i++
	}
	return b.String()
}

// escape is the length of the sequence at the beginning of s.
func escape(s string) int {
	if len(s) < 2 {
		return 1
	}
	switch s[1] {
	case '[':
		for i := 2; i < len(s); i++ {
			if s[i] >= 0x40 && s[i] <= 0x7e {
				return i + 1
			}
		}
		return len(s)
	case ']', 'P', '_', '^': // strings, up to BEL or ESC \
		for i := 2; i < len(s); i++ {
			if s[i] == 0x07 {
				return i + 1
			}
			if s[i] == 0x1b && i+1 < len(s) && s[i+1] == '\\' {
				return i + 2
			}
		}
		return len(s)
	}
	return 2
}
