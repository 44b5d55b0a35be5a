package line

import (
	"bytes"
	"io"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Bytes that readline reads as keys.
const (
	keyStart = 0x01 // Ctrl-A
	keyEnd   = 0x05 // Ctrl-E
	keyKill  = 0x0b // Ctrl-K
	keyEnter = '\r'
	keyYank  = 0x19 // Ctrl-Y
	keyEsc   = 0x1b
)

// maxPaste bounds what a paste may hold, should its end mark never come.
const maxPaste = 16 << 20

// keys stands between the terminal and readline. It takes out what readline
// would choke on (control characters it does not know), translates keys it
// does not know into ones it does, and turns a bracketed paste into lines that
// are handed over one by one instead of being typed.
type keys struct {
	src      io.Reader
	unprompt func([]string) []string

	buf []byte // read from src, not understood yet
	out []byte // for readline

	mu      sync.Mutex
	paste   []string // complete pasted lines
	tail    string   // what was pasted after them
	enters  []enter  // what the Enter keys mean that readline has not handled yet
	inserts []string // texts that privateInsert stands for, in order
}

// Read gives readline its bytes. It returns at least one.
func (k *keys) Read(p []byte) (int, error) {
	for len(k.out) == 0 {
		k.translate()
		if len(k.out) > 0 {
			break
		}
		chunk := make([]byte, 4096)
		n, err := k.src.Read(chunk)
		k.buf = append(k.buf, chunk[:n]...)
		if n == 0 && err != nil {
			return 0, err
		}
	}
	n := copy(p, k.out)
	k.out = k.out[n:]
	return n, nil
}

// Close does nothing: closing the terminal under a pending read is what
// readline hangs on.
func (k *keys) Close() error { return nil }

// pasted takes the lines of a paste that wait, and what was pasted after them.
func (k *keys) pasted() (lines []string, tail string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	lines, tail, k.paste, k.tail = k.paste, k.tail, nil, ""
	return lines, tail
}

// translate moves what it understands from buf to out, and stops before a
// sequence whose end has not been read.
func (k *keys) translate() {
	for len(k.buf) > 0 {
		c := k.buf[0]
		var n int
		switch {
		case c == keyEsc:
			n = k.escape()
		case c < ' ':
			n = k.control()
		default:
			n = k.text()
		}
		if n == 0 {
			return
		}
		k.buf = k.buf[n:]
	}
}

// An enter says what an Enter key is for.
type enter uint8

const (
	typedEnter  enter = iota
	fastEnter         // more follows at once: nobody types, and nothing is to be indented
	forceEnter        // runs the text wherever the cursor stands
	pasteEnter        // lines of a paste wait
	editorEnter       // asks for the editor
)

// press gives readline an Enter key.
func (k *keys) press(e enter) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.enters = append(k.enters, e)
	k.out = append(k.out, keyEnter)
}

// pressed is what the Enter key is for that readline handles.
func (k *keys) pressed() enter {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.enters) == 0 {
		return typedEnter
	}
	e := k.enters[0]
	k.enters = k.enters[1:]
	return e
}

// controls are the keys that the editor handles instead of readline.
var controls = map[byte]rune{
	keyStart: privateStart, keyEnd: privateEnd, keyKill: privateKill, 0x15: privateKillFront, 0x17: privateKillWord,
	keyYank: privateYank, 0x1f: privateUndo, 0x0f: privateOpen, 0x10: privateOlder, 0x0e: privateNewer,
}

// control handles a control character and returns its length, with what belongs to it; 0 if that has not been read.
func (k *keys) control() int {
	c := k.buf[0]
	switch r, ours := controls[c]; {
	case ours:
		k.out = utf8.AppendRune(k.out, r)
	case c == '\r' || c == '\n':
		if len(k.buf) > 1 {
			k.press(fastEnter)
		} else {
			k.press(typedEnter)
		}
	case c == 0x18: // Ctrl-X, the first of two keys
		if len(k.buf) < 2 {
			return 0
		}
		switch k.buf[1] {
		case keyEnd:
			k.press(editorEnter)
		case 0x15: // Ctrl-X Ctrl-U undoes, as in readline
			k.out = utf8.AppendRune(k.out, privateUndo)
		}
		return 2
	case known(c):
		k.out = append(k.out, c)
	}
	return 1
}

// known says whether readline gives the control character a meaning; any other
// would end up in the line. Ctrl-Z is the editor's own.
func known(c byte) bool {
	switch c {
	case 0x00, 0x11, 0x16, 0x18, 0x1c, 0x1d, 0x1e, 0x1f:
		return false
	}
	return true
}

// text passes on the characters up to the next control character; 0 when the
// last byte of the first one has not been read.
func (k *keys) text() int {
	n := 0
	for n < len(k.buf) && k.buf[n] >= ' ' && utf8.FullRune(k.buf[n:]) {
		r, size := utf8.DecodeRune(k.buf[n:])
		if r == 0x7f && n > 0 {
			break
		}
		n += size
		if r == 0x7f { // backspace
			k.out = append(k.out, 0x7f)
			return n
		}
	}
	k.insert(clean(strings.ToValidUTF8(string(k.buf[:n]), "")))
	return n
}

// manyKeys is how many characters at once are a paste and not a person.
const manyKeys = 64

// insert types a text. readline shows the whole line again after each
// character, which for a long text takes minutes, so that such a one is handed
// to the editor in one piece.
func (k *keys) insert(s string) {
	if utf8.RuneCountInString(s) < manyKeys {
		k.out = append(k.out, s...)
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.inserts = append(k.inserts, s)
	k.out = utf8.AppendRune(k.out, privateInsert)
}

// inserted is the text that the next privateInsert stands for.
func (k *keys) inserted() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.inserts) == 0 {
		return ""
	}
	s := k.inserts[0]
	k.inserts = k.inserts[1:]
	return s
}

// visible says whether a character may stand in a line. The editor keeps
// some private ones for itself.
func visible(r rune) bool {
	return !unicode.IsControl(r) && (r < firstPrivate || r > lastPrivate)
}

// escape handles what begins with ESC and returns its length, 0 if incomplete.
func (k *keys) escape() int {
	if len(k.buf) < 2 {
		return 0
	}
	switch k.buf[1] {
	case '[':
		return k.csi()
	case 'O':
		if len(k.buf) < 3 {
			return 0
		}
		k.out = append(k.out, csiKey("", k.buf[2])...)
		return 3
	case 'b':
		k.out = utf8.AppendRune(k.out, privateWordLeft)
		return 2
	case 'f':
		k.out = utf8.AppendRune(k.out, privateWordRight)
		return 2
	case 'd':
		k.out = utf8.AppendRune(k.out, privateDeleteWord)
		return 2
	case 0x7f:
		k.out = utf8.AppendRune(k.out, privateKillWord)
		return 2
	case '\r', '\n':
		k.press(forceEnter)
		return 2
	case keyEsc:
		return 1
	}
	return 2 // a meta key without a meaning
}

const (
	pasteBegin = "\x1b[200~"
	pasteEnd   = "\x1b[201~"
)

func (k *keys) csi() int {
	end := 2
	for end < len(k.buf) && (k.buf[end] < 0x40 || k.buf[end] > 0x7e) {
		end++
	}
	if end == len(k.buf) {
		if end > 64 { // no key is that long: noise
			return 2
		}
		return 0
	}
	seq := string(k.buf[:end+1])
	if seq == pasteBegin {
		return k.bracketed(len(seq))
	}
	k.out = append(k.out, csiKey(seq[2:end], seq[end])...)
	return end + 1
}

// csiKey is what readline understands for a key with the given parameters.
func csiKey(params string, final byte) string {
	_, modifier, _ := strings.Cut(params, ";")
	word := modifier == "5" || modifier == "3" || params == "5" // Ctrl or Alt held
	switch final {
	case 'C':
		if word {
			return string(privateWordRight)
		}
		return "\x06"
	case 'D':
		if word {
			return string(privateWordLeft)
		}
		return "\x02"
	case 'A':
		return string(privateUp)
	case 'B':
		return string(privateDown)
	case 'H':
		return string(privateStart)
	case 'F':
		return string(privateEnd)
	case '~':
		switch params {
		case "1", "7":
			return string(privateStart)
		case "4", "8":
			return string(privateEnd)
		case "3":
			return string(privateDelete)
		case "3;5", "3;3":
			return string(privateDeleteWord)
		case "5":
			return string(privateOlder)
		case "6":
			return string(privateNewer)
		}
	}
	return ""
}

// bracketed handles a paste that begins at buf[skip]. Text on one line is typed for the user. Of several lines the
// complete ones wait in k.paste, what follows the last line end in k.tail, and an Enter tells the editor of them.
func (k *keys) bracketed(skip int) int {
	end := bytes.Index(k.buf[skip:], []byte(pasteEnd))
	if end < 0 {
		if len(k.buf) > maxPaste {
			return len(k.buf)
		}
		return 0
	}
	text := string(k.buf[skip : skip+end])
	text = strings.ReplaceAll(text, "\r\n", "\n")
	text = strings.ReplaceAll(text, "\r", "\n")
	lines := strings.Split(text, "\n")
	last := lines[len(lines)-1]
	if several := len(lines) > 1; !several || last == "" {
		lines = lines[:len(lines)-1]
		if !several {
			lines = []string{last}
		}
		if lines = k.unprompt(lines); !several {
			k.insert(printable(strings.Join(lines, " ")))
			return skip + end + len(pasteEnd)
		}
		last = ""
	} else if lines = k.unprompt(lines); len(lines) > 0 {
		last = lines[len(lines)-1]
		lines = lines[:len(lines)-1]
	}
	k.mu.Lock()
	for _, l := range lines {
		k.paste = append(k.paste, clean(l))
	}
	k.tail = clean(last)
	k.mu.Unlock()
	k.press(pasteEnter)
	return skip + end + len(pasteEnd)
}

// printable is text that can be typed: a tab would complete.
func printable(s string) string {
	return clean(strings.ReplaceAll(s, "\t", "    "))
}

func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\t' && !visible(r) {
			return -1
		}
		return r
	}, s)
}
