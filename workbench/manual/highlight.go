package manual

import (
	"html"
	"strings"

	"github.com/greenbench/workbench/syntax"
	"github.com/greenbench/workbench/workbench/hypertext"
)

// A token is a piece of Lua source of one colour; the texts of all tokens are
// the source.
type token struct {
	class string // of the <span>: "k" keyword, "s" string, "n" number, "c" comment, "x" expected output, "e" expected error, "name", or none
	text  string
}

// highlight colours Lua source; names that link knows become links.
func highlight(src string, link func(name string) (url string, ok bool)) hypertext.HTML {
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
	return hypertext.HTML(b.String())
}

// tokens splits source; names joined by dots and a colon are one token, and so is what has
// no colour. What is no Lua stays as it is.
func tokens(src string) (out []token) {
	for _, t := range syntax.Tokens(src) {
		class, text, n := class(t, src), t.Text(src), len(out)
		switch {
		case n > 0 && class == "" && out[n-1].class == "":
			out[n-1].text += text
		case n > 1 && class == "name" && out[n-2].class == "name" && (out[n-1].text == "." || out[n-1].text == ":"):
			out[n-2].text += out[n-1].text + text
			out = out[:n-1]
		default:
			out = append(out, token{class, text})
		}
	}
	return out
}

func class(t syntax.Token, src string) string {
	switch text := t.Text(src); {
	case t.Kind == syntax.Comment && strings.HasPrefix(text, "-->"):
		return "x"
	case t.Kind == syntax.Comment && strings.HasPrefix(text, "--!"):
		return "e"
	case t.Kind == syntax.Comment, t.Kind == syntax.LongComment:
		return "c"
	case t.Kind == syntax.String, t.Kind == syntax.Long:
		return "s"
	case t.Kind == syntax.Number:
		return "n"
	case t.Kind == syntax.Keyword:
		return "k"
	case t.Kind == syntax.Name:
		return "name"
	}
	return ""
}
