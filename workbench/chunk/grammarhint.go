package chunk

import (
	"strings"

	"github.com/greenbench/workbench/syntax"
)

// A wrongWord says what was probably meant where the grammar wanted one thing and found another. Empty fields fit everything.
type wrongWord struct {
	want  string // the beginning of what was wanted
	last  string // the token before
	found string // the token that came, or the name of its kind
	hint  string
}

// The ways in which blocks, loops and functions are written.
const (
	writeLoop     = "a loop is written for i = 1, 10 do … end, one over a list for i, x in ipairs(list) do … end, another one while condition do … end"
	writeFunction = "a function is written function f(x) return x^2 end"
	noBraces      = "; blocks have no braces"
)

// wrongWords are tried one after the other.
var wrongWords = [...]wrongWord{
	{want: "expected 'then'", last: "}", hint: "write if condition then … end" + noBraces},
	{want: "expected 'then'", found: "{", hint: "write if condition then … end" + noBraces},
	{want: "expected 'then'", hint: "write if condition then … end"},
	{want: "expected 'do'", last: "}", hint: writeLoop + noBraces},
	{want: "expected 'do'", hint: writeLoop},
	{want: "expected the name of the loop variable", hint: writeLoop},
	{want: "expected 'until'", hint: "a repeat ends with until and a condition: repeat n = n + 1 until n > 5"},
	{want: "expected a name for the function", hint: "a function without a name is a value: f = function(x) return x^2 end"},
	{want: "expected '('", found: "=", hint: writeFunction},
	{want: "expected a statement", found: "{", hint: "a block begins with then, do or function(…) and ends with end; braces make tables"},
	{want: "expected a statement", found: "#", hint: "comments begin with --"},
	{want: "expected a statement", found: "%", hint: "there are no commands with %: time(function() … end) and bench(function() … end) take times, and ?* lists what else there is"},
	{want: "expected a statement", found: ")", hint: "there is one ) too many"},
	{want: "expected a statement", found: "}", hint: "there is one } too many; blocks end with end"},
	{want: "expected a statement", found: "end", hint: "no block is open that this end could close: there is one end too many"},
	{want: "expected a statement", found: "else", hint: "no if is open to which this could belong: write if condition then … else … end"},
	{want: "expected a statement", found: "elseif", hint: "no if is open to which this could belong: write if condition then … elseif condition then … end"},
	{want: "expected a statement", last: "number", found: "number", hint: "values are separated by commas"},
	{want: "expected a statement", found: "number", hint: "a value alone is no statement: to show it write print(…)"},
	{want: "expected a statement", found: "string", hint: "a value alone is no statement: to show it write print(…)"},
	{want: "expected 'end' after return", found: "number", hint: "values are separated by commas: return a, b"},
	{want: "expected the end of the expression", last: ")", found: "=", hint: writeFunction + "; == compares"},
	{want: "expected the end of the expression", found: "=", hint: "only a variable or a field can be assigned to; its name has letters, digits and _, as in my_name; == compares"},
	{want: "expected the end of the expression", found: ")", hint: "there is one ) too many"},
	{want: "expected the end of the expression", found: "]", hint: "there is one ] too many"},
	{want: "expected the end of the expression", found: "}", hint: "there is one } too many"},
	{want: "expected the end of the expression", found: "in", hint: "whether a list holds a value is found by a loop over it: for i, x in ipairs(list) do … end"},
	{want: "expected the end of the expression", found: "[", hint: "put what stands before it in brackets: ({1, 2, 3})[1]"},
	{want: "expected the end of the expression", found: ".", hint: `put what stands before it in brackets, and call methods with a colon: ("abc"):upper()`},
	{want: "expected the end of the expression", found: ":", hint: `put what stands before it in brackets: ("abc"):upper()`},
	{want: "expected ',' or ')'", found: "=", hint: "named arguments stand in braces: f{name = value}"},
	{want: "expected ',' or '}'", found: ":", hint: `in a table a field is written name = value, or ["two words"] = value`},
	{want: "expected ',' or", found: "number", hint: "a comma is missing before it"},
	{want: "expected ',' or", found: "string", hint: "a comma is missing before it, or .., which joins strings"},
	{want: "expected ',' or", found: "name", hint: "a comma is missing before it, or an operator"},
	{want: "expected an expression", last: ",", found: ",", hint: "nothing stands between two commas: leave one out, or write nil"},
	{want: "expected an expression", last: "=", found: "=", hint: "one = assigns, two without a space between them compare: a == b"},
	{want: "expected an expression", last: "[", found: "]", hint: "an element is written a[1], all of an array a:slice{{}}"},
}

// grammarHint says how what was probably meant is written.
func grammarHint(want string, last, found token) string {
	if found.Kind == syntax.End && last.text != "}" {
		return "" // more may come
	}
	for _, w := range wrongWords {
		if strings.HasPrefix(want, w.want) && (w.last == "" || w.last == kindOrText(last)) && (w.found == "" || w.found == kindOrText(found)) {
			return w.hint
		}
	}
	return ""
}

// kindOrText is the name of the kind of a token that can be any of it, the text of others.
func kindOrText(t token) string {
	switch t.Kind {
	case syntax.Number:
		return "number"
	case syntax.String:
		return "string"
	case syntax.Name:
		return "name"
	}
	return t.text
}

// statementHint says what to write in the place of a statement that begins like an expression and goes on with found.
func statementHint(first string, found token) string {
	switch {
	case found.newline || found.Kind == syntax.End:
	case first == "print" || first == "assert":
		return "a call has brackets: " + first + "(…)"
	case found.text == "in":
		return "whether a list holds a value is found by a loop over it: for i, x in ipairs(list) do … end"
	case found.text == "is":
		return "values are compared by ==, and by ~= for not equal"
	case found.Kind == syntax.Name && first != "":
		return "a call has brackets: " + first + "(" + found.text + "); a name has no spaces: " + first + "_" + found.text
	case found.Kind == syntax.Number && first != "":
		return "a call has brackets: " + first + "(" + found.text + ")"
	}
	return "a statement is an assignment or a call; to show a value write print(…)"
}

// numeralHint says how a number is written that begins like text.
func numeralHint(text string) string {
	digits := syntax.Span(text, syntax.IsDigit)
	switch last := text[len(text)-1]; {
	case strings.Contains(text, ".."):
		return "put a space before .. after a number; the whole numbers from 1 to 5 are array.arange(1, 6)"
	case last == 'i' || last == 'j':
		return "complex numbers are made by array.complex(re, im)"
	case strings.Contains(text, "_"):
		return "digits are not grouped: write 1000 or 1e3"
	case text == "0x" || text == "0X":
		return "a hexadecimal number has digits: 0x1F"
	case text[digits:] == "e" || text[digits:] == "E":
		return "an exponent has digits: 1e3"
	case digits > 0 && syntax.IsName(text[digits:]):
		return "a name does not begin with a digit; a product is written " + text[:digits] + "*" + text[digits:]
	}
	return ""
}
