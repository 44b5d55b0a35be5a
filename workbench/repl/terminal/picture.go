package terminal

import (
	"os"
	"strings"
	"time"

	"golang.org/x/term"
)

// A Protocol is a way to show a picture among text.
type Protocol string

// The protocols. Braille characters work everywhere.
const (
	Braille Protocol = "braille"
	Kitty   Protocol = "kitty"
	ITerm   Protocol = "iterm"
	Sixel   Protocol = "sixel"
)

// PictureVariable is the environment variable that overrides the detection
// with the name of a protocol.
const PictureVariable = "WORKBENCH_PICTURES"

// answerTime is how long a terminal has to say what it can do. Local ones
// answer within a millisecond, a distant one may take longer and gets braille.
const answerTime = 150 * time.Millisecond

// Picture returns the protocol to use. It trusts, in this order: the variable
// WORKBENCH_PICTURES; the name of the terminal; the terminal's answer to the
// question for its device attributes. Inside tmux and screen, which pass
// pictures on only when told to, the answer is braille unless the variable says
// otherwise. Ask once and keep the answer: the question takes time, and it
// must not be asked while a line is edited.
func (t Info) Picture() Protocol {
	if p, ok := t.pictureByName(); ok {
		return p
	}
	if t.Interactive() && attributesSaySixel(ask(os.Stdin, t.out)) {
		return Sixel
	}
	return Braille
}

// pictureByName decides from the environment; false if it does not tell.
func (t Info) pictureByName() (Protocol, bool) {
	switch p := Protocol(t.env(PictureVariable)); p {
	case Braille, Kitty, ITerm, Sixel:
		return p, true
	}
	name, program := t.env("TERM"), t.env("TERM_PROGRAM")
	switch {
	case !t.Out || t.Dumb,
		t.env("TMUX") != "", t.env("STY") != "", strings.HasPrefix(name, "screen"), strings.HasPrefix(name, "tmux"):
		return Braille, true
	case t.env("KITTY_WINDOW_ID") != "", name == "xterm-kitty", program == "ghostty", name == "xterm-ghostty":
		return Kitty, true
	case program == "iTerm.app", program == "WezTerm", t.env("LC_TERMINAL") == "iTerm2", program == "mintty":
		return ITerm, true
	case strings.HasPrefix(name, "foot"), strings.HasPrefix(name, "mlterm"), strings.HasPrefix(name, "yaft"):
		return Sixel, true
	case program == "Apple_Terminal", name == "alacritty", name == "linux", program == "vscode":
		return Braille, true
	}
	return "", false
}

// ask sends the question for the primary device attributes and returns what
// comes back before the time is up.
func ask(in, out *os.File) string {
	fd := int(in.Fd())
	old, err := term.MakeRaw(fd)
	if err != nil {
		return ""
	}
	defer term.Restore(fd, old)
	if _, err := out.WriteString("\x1b[c"); err != nil {
		return ""
	}
	return readAnswer(fd, answerTime)
}

// attributesSaySixel reads an answer such as "\x1b[?62;4;22c": attribute 4.
func attributesSaySixel(answer string) bool {
	_, rest, ok := strings.Cut(answer, "\x1b[?")
	if !ok {
		return false
	}
	attributes, _, ok := strings.Cut(rest, "c")
	if !ok {
		return false
	}
	for i, a := range strings.Split(attributes, ";") {
		if i > 0 && a == "4" {
			return true
		}
	}
	return false
}
