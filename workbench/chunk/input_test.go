package chunk

import (
	"strings"
	"testing"
)

// What follows the last return is the expression whose value is shown; "" where nothing is.
func TestReturnLast(t *testing.T) {
	for src, shown := range map[string]string{
		"x":                            "",
		"x = 3; x":                     "x",
		"x = 3; x;":                    "x;",
		"x = 3":                        "",
		"local e = f{\n  a = 1,\n}\ne": "e",
		"e = f()\ne:g()":               "e:g()",
		"e = f()\ne:g{\n  a = 1,\n}":   "e:g{\n  a = 1,\n}",
		"f()":                          "",
		"x = 1 f(x)":                   "",
		"x = 1; f(x)":                  "f(x)",
		"x = f\n(y)":                   "", // perhaps a call over two lines
		"x = 1\n(y)":                   "",
		"x = f\n{1}":                   "", // likewise
		"x = 1\ny + 2":                 "y + 2",
		"x = 1\na, b":                  "a, b",
		"if x then\n  f()\nend":        "",
		"for i = 1, 2 do f(i) end\nx":  "x",
		"x = 1\nreturn x":              "",
		"x = 1\nx = ":                  "",
		"x = [[\na\nb]]\n#x":           "#x",
		"x = 1 -- a\n-- b\nx -- c":     "x -- c",
		"x = 1\ny = 2":                 "",
		"local function f() end\nf":    "f",
	} {
		got := ReturnLast(src)
		want := src
		if shown != "" {
			want = strings.TrimSuffix(src, shown) + "return " + shown
		}
		if got != want {
			t.Errorf("%q: %q, want %q", src, got, want)
		}
	}
}
