package manual

import (
	"html"
	"html/template"
	"strings"
	"unicode/utf8"
)

// A token is a piece of Lua source of one colour; the texts of all tokens are
// the source.
type token struct {
	class string // of the <span>: "k" keyword, "s" string, "n" number, "c" comment, "x" expected output, "e" expected error, "name", or none
	text  string
}

const keywords = " and break do else elseif end false for function goto if in local nil not or repeat return then true until while "

// highlight colours Lua source; names that link knows become links.
func highlight(src string, link func(name string) (url string, ok bool)) template.HTML {
	var b strings.Builder
	for _, t := range tokens(src) {
		text := html.EscapeString(t.text)
		switch url, ok := "", false; {
		case t.class == "name":
			if url, ok = link(t.text); ok {
				b.WriteString(`<a href="` + html.EscapeString(url) + `">` + text + `</a>`)
			} else {
				b.WriteString(text)
			}
		case t.class != "":
			b.WriteString(`<span class="` + t.class + `">` + text + `</span>`)
		default:
			b.WriteString(text)
		}
	}
	return template.HTML(b.String())
}

// tokens splits source; what is no Lua stays as it is.
func tokens(src string) (out []token) {
	for len(src) > 0 {
		class, n := nextToken(src)
		if class == "" && len(out) > 0 && out[len(out)-1].class == "" {
			out[len(out)-1].text += src[:n]
		} else {
			out = append(out, token{class, src[:n]})
		}
		src = src[n:]
	}
	return out
}

// nextToken returns the class and the length of the token that src begins with.
func nextToken(src string) (class string, n int) {
	switch c := src[0]; {
	case strings.HasPrefix(src, "--"):
		return commentToken(src)
	case c == '"' || c == '\'':
		return "s", quotedLength(src)
	case c == '[' && longLength(src) > 0:
		return "s", longLength(src)
	case c >= '0' && c <= '9' || c == '.' && len(src) > 1 && src[1] >= '0' && src[1] <= '9':
		return "n", numberLength(src)
	}
	n = nameLength(src)
	switch {
	case n == 0:
		return "", 1
	case strings.Contains(keywords, " "+src[:n]+" "):
		return "k", n
	}
	return "name", n
}

func commentToken(src string) (class string, n int) {
	if long := longLength(src[2:]); long > 0 {
		return "c", long + 2
	}
	n = strings.IndexByte(src+"\n", '\n')
	switch {
	case strings.HasPrefix(src, "-->"):
		return "x", n
	case strings.HasPrefix(src, "--!"):
		return "e", n
	}
	return "c", n
}

func quotedLength(src string) int {
	for i := 1; i < len(src) && src[i] != '\n'; i++ {
		switch src[i] {
		case '\\':
			i++
		case src[0]:
			return i + 1
		}
	}
	return strings.IndexByte(src+"\n", '\n') // no end: to the end of the line
}

// longLength is the length of [[…]] or [==[…]==], 0 if src begins with none.
func longLength(src string) int {
	level := 0
	for level+1 < len(src) && src[level+1] == '=' {
		level++
	}
	if level+1 >= len(src) || src[0] != '[' || src[level+1] != '[' {
		return 0
	}
	end := "]" + strings.Repeat("=", level) + "]"
	if i := strings.Index(src, end); i >= 0 {
		return i + len(end)
	}
	return len(src)
}

func numberLength(src string) int {
	n := 0
	for n < len(src) {
		c := src[n]
		sign := (c == '-' || c == '+') && n > 0 && (src[n-1] == 'e' || src[n-1] == 'E') && !strings.HasPrefix(src, "0x")
		word := c == '.' || c < utf8.RuneSelf && isWord(rune(c))
		if !sign && !word || strings.HasPrefix(src[n:], "..") {
			break
		}
		n++
	}
	return n
}
