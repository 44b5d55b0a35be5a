package manual

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/greenbench/workbench/syntax"
)

type spanKind int

const (
	plain spanKind = iota
	mono
	emphasis
	strong
	link
	typeset // a formula
)

// A span is a piece of a line of text in one style.
type span struct {
	kind   spanKind
	text   string
	target string // of a link: a name, page#anchor, or an address
}

// spans splits guide text: `code`, $formula$, *emphasis*, **strong**, [text](target).
func spans(text string) (out []span) {
	add := func(s span) {
		if s.text != "" {
			out = append(out, s)
		}
	}
	rest := text
	start := 0
	for i := 0; i < len(rest); {
		s, n := markup(rest[i:], i == 0 || !isWord(lastRune(rest[:i])))
		if n == 0 {
			i++
			continue
		}
		add(span{text: rest[start:i]})
		add(s)
		i += n
		start = i
	}
	add(span{text: rest[start:]})
	return out
}

// markup reads the marked span that s begins with, and its length in bytes; 0 if
// there is none. Emphasis begins only where a word may.
func markup(s string, wordStart bool) (span, int) {
	inside := func(mark string) (string, bool) {
		text, _, ok := strings.Cut(s[len(mark):], mark)
		return text, ok && text != "" && strings.TrimSpace(text) == text
	}
	switch {
	case s[0] == '`':
		if text, _, ok := strings.Cut(s[1:], "`"); ok && text != "" {
			return span{kind: mono, text: text}, len(text) + 2
		}
	case s[0] == '$' && wordStart:
		if text, ok := inside("$"); ok {
			return span{kind: typeset, text: text}, len(text) + 2
		}
	case strings.HasPrefix(s, "**") && wordStart:
		if text, ok := inside("**"); ok {
			return span{kind: strong, text: text}, len(text) + 4
		}
	case s[0] == '*' && wordStart:
		if text, ok := inside("*"); ok {
			return span{kind: emphasis, text: text}, len(text) + 2
		}
	case s[0] == '[':
		text, rest, ok1 := strings.Cut(s[1:], "](")
		target, _, ok2 := strings.Cut(rest, ")")
		if ok1 && ok2 && !strings.Contains(text, "]") {
			return span{kind: link, text: text, target: target}, len(text) + len(target) + 4
		}
	}
	return span{}, 0
}

// plainText is guide text without its markup. Addresses outside the manual
// follow the text that links to them.
func plainText(text string) string {
	var b strings.Builder
	for _, s := range spans(text) {
		b.WriteString(s.text)
		if s.kind == link && strings.Contains(s.target, "://") {
			b.WriteString(" (" + s.target + ")")
		}
	}
	return b.String()
}

// names splits the text of a declaration at the names that known has: prose that
// mentions linalg.solve is a link to it.
func names(text string, known func(name string) bool) (out []span) {
	start := 0
	for i := 0; i < len(text); {
		n := nameLength(text[i:])
		if n == 0 {
			_, size := utf8.DecodeRuneInString(text[i:])
			i += size
			continue
		}
		if name := text[i : i+n]; strings.ContainsAny(name, ".:") && known(name) {
			if i > start {
				out = append(out, span{text: text[start:i]})
			}
			out = append(out, span{kind: link, text: name, target: name})
			start = i + n
		}
		i += n
	}
	if start < len(text) {
		out = append(out, span{text: text[start:]})
	}
	return out
}

// nameLength is the length of the name a.b.c or a:b that s begins with.
func nameLength(s string) int {
	for n := 0; ; n++ {
		if n == len(s) || !syntax.IsNameStart(s[n]) {
			return max(n-1, 0) // the dot that ends a sentence
		}
		n += syntax.Span(s[n:], syntax.IsNameByte)
		if n == len(s) || s[n] != '.' && s[n] != ':' {
			return n
		}
	}
}

func isWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

func lastRune(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}
