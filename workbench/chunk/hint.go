package chunk

import (
	"strings"
	"unicode/utf8"

	"github.com/greenbench/workbench/syntax"
)

// characterHint says what was probably meant by a character that Lua does not know, at the start of rest.
func characterHint(rest string) string {
	for _, h := range []struct{ prefix, hint string }{
		{"!=", "not equal is written ~="},
		{"!", "negation is written not"},
		{"&&", "write and"},
		{"||", "write or"},
		{"~", "not equal is written ~="},
		{"“", "use straight quotes: \""},
		{"”", "use straight quotes: \""},
		{"‘", "use straight quotes: '"},
		{"’", "use straight quotes: '"},
		{"–", "use the minus sign of the keyboard: -"},
		{"−", "use the minus sign of the keyboard: -"},
		{"×", "use *"},
		{"·", "use *"},
		{"≤", "use <="},
		{"≥", "use >="},
		{"≠", "use ~="},
		{"@", "the matrix product is written a:dot(b), a function function(x) return x^2 end, and time(function() … end) takes the time"},
		{"\\", "a system of equations is solved by linalg.solve(A, b)"},
		{"`", "strings are quoted by \" or '; at the prompt a command of the system follows a ;, as in ;ls"},
		{"?", "a choice is written condition and a or b; at the prompt ?name asks for help"},
		{"$", "a variable of the system is read by os.getenv(\"HOME\")"},
		{"\u00a0", "this is a no-break space: replace it by a space"},
		{"\u200b", "this is an invisible space: remove it"},
	} {
		if strings.HasPrefix(rest, h.prefix) {
			return h.hint
		}
	}
	if rest[0] >= utf8.RuneSelf {
		return "names are made of letters, digits and _; anything is allowed inside strings"
	}
	return ""
}

// foreign are words of other languages that people write at the beginning of a statement.
func foreign(word string) string {
	switch word {
	case "continue":
		return "Lua has no continue: write goto continue, and ::continue:: before the end of the loop"
	case "elif", "elsif", "elseIf":
		return "write elseif"
	case "class", "struct", "type":
		return "an object is a table: obj = {x = 1}; its methods are written function obj:name() … end"
	case "pass", "begin":
		return "an empty block has nothing in it: do end"
	case "yield":
		return "a coroutine yields by coroutine.yield(…)"
	case "del", "delete", "clear", "unset":
		return "a variable is removed by name = nil"
	case "with":
		return "a file is opened by f = assert(io.open(name)) and closed by f:close()"
	case "close", "hold", "format", "clc", "more":
		return "there are no commands of words: calls have brackets, and ?* lists what there is"
	case "var", "let", "const", "auto", "double", "float", "int":
		return "variables are declared by local"
	case "def", "func", "fn", "fun":
		return "functions are declared by function"
	case "import", "include", "from", "using":
		return "the modules are there already: array, linalg, fft and more; a script of your own is loaded by require"
	case "switch", "case", "match":
		return "Lua has no switch: use if and elseif, or a table of functions"
	case "lambda":
		return "a function is written function(x) return x^2 end"
	case "try", "catch", "throw", "raise", "except", "finally", "stop", "warning":
		return "errors are raised by error(…) and caught by pcall(…)"
	}
	return ""
}

const assignHint = "assignment is written =; to compare with a negative number write n < -3"

// operatorHint explains an operator that Lua does not have: x += 1, x++, a // b, a != b.
func operatorHint(first, second token) string {
	if first.Kind != syntax.Op || second.Kind != syntax.Op || second.Start != first.End {
		return ""
	}
	switch {
	case second.text == "=" && strings.Contains("+ - * / % ^ ..", first.text):
		return "Lua has no " + first.text + "=: write x = x " + first.text + " …"
	case first.text == "+" && second.text == "+":
		return "Lua has no ++: write x = x + 1"
	case first.text == "/" && second.text == "/":
		return "comments begin with --; for the integer quotient write math.floor(a / b)"
	case first.text == "/" && second.text == "*":
		return "comments are written -- … or --[[ … ]]"
	case first.text == "*" && second.text == "*":
		return "powers are written ^"
	case first.text == "." && strings.Contains("* / ^ + -", second.text):
		return "write " + second.text + ": arithmetic of arrays works element by element; the matrix product is a:dot(b)"
	case first.text == "-" && second.text == ">" || first.text == "=" && second.text == ">":
		return "a function is written function(x) return x^2 end"
	case first.text == "<" && second.text == ">":
		return "not equal is written ~="
	case first.text == "<" && second.text == "-":
		return assignHint
	case first.text == "=" && (second.text == "<" || second.text == ">"):
		return "write " + second.text + "="
	}
	return ""
}

// indexHint explains how arrays and lists are written where other languages have brackets, colons and words that Lua has not.
func indexHint(want string, last, found token) string {
	opened := last.Kind == syntax.Op && last.text == "["
	switch {
	case want == "expected ']'" && found.text == ",":
		return "an element is written a[1][2] or a:at(1, 2), a column a:slice{{}, {2, 2}}"
	case found.text == ":" && (opened || want == "expected ']'"):
		return "a part is written a:slice{{1, 2}}, with one range for each axis, both ends included; {} takes all"
	case found.text == "end" && (opened || last.text == "("):
		return "the last element is a[-1]"
	case found.text == "[" && (want == "expected an expression" || want == "expected a statement"):
		return "a list is written {1, 2, 3}, an array array{1, 2, 3}"
	case want == "expected ','" && found.text == ":":
		return "a loop is written for i = 1, 10 do … end"
	case want == "expected 'do'" && found.text == ":":
		return "a loop is written for i = 1, 10 do … end, one over a list for i, x in ipairs(list) do … end"
	case want == "expected ')'" && found.text == "," && last.text != "...":
		return "lists are written in braces: {3, 3}"
	}
	return ""
}
