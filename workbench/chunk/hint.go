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
		{"`", "strings are quoted by \" or '"},
		{"\u00a0", "this is a no-break space: replace it by a space"},
		{"\u200b", "this is an invisible space: remove it"},
	} {
		if strings.HasPrefix(rest, h.prefix) {
			return h.hint
		}
	}
	if rest[0] >= utf8.RuneSelf {
		return "names are made of ASCII letters, digits and _; anything is allowed inside strings"
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
	case "var", "let", "const", "auto", "double", "float", "int":
		return "variables are declared by local"
	case "def", "func", "fn", "fun":
		return "functions are declared by function"
	case "import", "include", "from", "using":
		return "modules are loaded by require"
	case "switch", "case":
		return "Lua has no switch: use if and elseif, or a table of functions"
	case "try", "catch", "throw", "raise":
		return "errors are raised by error(…) and caught by pcall(…)"
	}
	return ""
}

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
	case first.text == "=" && (second.text == "<" || second.text == ">"):
		return "write " + second.text + "="
	}
	return ""
}
