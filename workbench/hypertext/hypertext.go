// Package hypertext writes HTML in which text cannot become markup: what is of type HTML is
// written as it stands, and everything else is text, whose characters < > & " ' are escaped.
// Text is safe between tags and in quoted attributes; an address is for the writer to trust.
//
// The templates of the standard library do more, and find methods by name, which makes the
// linker keep every exported method of every type: a tenth of the program.
package hypertext

import (
	"fmt"
	"html"
	"strings"
)

// HTML is text with its tags.
type HTML string

// Text is text without tags.
func Text(s string) HTML { return HTML(html.EscapeString(s)) }

// Format is fmt.Sprintf whose arguments are text, but for those that are HTML or whole numbers.
func Format(format string, args ...any) HTML {
	safe := make([]any, len(args))
	for i, a := range args {
		switch a := a.(type) {
		case HTML, int:
			safe[i] = a
		default:
			safe[i] = Text(fmt.Sprint(a))
		}
	}
	return HTML(fmt.Sprintf(format, safe...))
}

// Each writes every item of a list, one after another.
func Each[T any](items []T, write func(T) HTML) HTML {
	var out strings.Builder
	for _, x := range items {
		out.WriteString(string(write(x)))
	}
	return HTML(out.String())
}

// If is the markup where the condition holds, and nothing otherwise.
func If(holds bool, h HTML) HTML {
	if holds {
		return h
	}
	return ""
}
