package plot

import (
	"strings"
	"unicode"
)

// PlainText returns a label as plain text: superscripts and
// subscripts in Unicode where it has them, else with ^ and _; without unicode
// everything is ASCII, Greek letters by name.
func PlainText(label string, unicode bool) string {
	var b strings.Builder
	spans := parseLabel(label)
	for i := 0; i < len(spans); {
		rise, text := spans[i].rise, ""
		for ; i < len(spans) && spans[i].rise == rise; i++ {
			text += spans[i].text
		}
		switch {
		case rise > 0:
			text = script(text, "^", superscripts, unicode)
		case rise < 0:
			text = script(text, "_", subscripts, unicode)
		}
		b.WriteString(text)
	}
	if unicode {
		return composed(b.String())
	}
	return asciiLabel(b.String())
}

func script(text, sign string, table scripts, unicode bool) string {
	if unicode {
		var b strings.Builder
		for _, r := range text {
			small, ok := table.small(r)
			if !ok {
				b.Reset()
				break
			}
			b.WriteRune(small)
		}
		if b.Len() > 0 {
			return b.String()
		}
	}
	if len([]rune(strings.TrimLeft(text, string(minus)))) > 1 && !digits(text) {
		return sign + "(" + text + ")"
	}
	return sign + text
}

func digits(text string) bool {
	return strings.TrimLeft(text, string(minus)+"0123456789") == ""
}

// composed replaces letter + combining circumflex by one rune where Unicode
// has it, because some fonts misplace combining marks, and odd spaces.
func composed(s string) string {
	const letters, hatted = "ACEGHIJOSUWYaceghijosuwy", "ÂĈÊĜĤÎĴÔŜÛŴŶâĉêĝĥîĵôŝûŵŷ"
	to := []rune(hatted)
	s = strings.ReplaceAll(s, string(thinSpace), " ")
	for i, r := range letters {
		s = strings.ReplaceAll(s, string(r)+string(hat), string(to[i]))
	}
	return s
}

func asciiLabel(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r < unicode.MaxASCII && r >= ' ':
			b.WriteRune(r)
		case r == hat:
			b.WriteString("^")
		default:
			b.WriteString(asciiName(r))
		}
	}
	return b.String()
}

// asciiName is the stand-in for a rune where only ASCII is shown.
func asciiName(r rune) string {
	switch r {
	case minus, '–', '—':
		return "-"
	case '×', '·':
		return "*"
	case '≤':
		return "<="
	case '≥':
		return ">="
	case '…':
		return "..."
	case thinSpace, '\u00a0':
		return " "
	}
	if name := symbolName(r); name != "" {
		return name
	}
	const accented, bare = "àáâãäåçèéêëìíîïñòóôõöøùúûüýÿÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝ", "aaaaaaceeeeiiiinoooooouuuuyyAAAAAACEEEEIIIINOOOOOOUUUUY"
	if base, ok := pick([]rune(accented), []rune(bare), r); ok {
		return string(base)
	}
	if base, ok := superscripts.letter(r); ok {
		return "^" + string(base)
	}
	return "?"
}
