package testrun

import (
	"strings"
	"testing"
)

func TestCompareText(t *testing.T) {
	loose := Tolerance{Rel: 1e-3}
	for _, c := range []struct {
		got, want string
		tol       Tolerance
		failure   string // part of it; "" when the texts agree
	}{
		{"", "", Tolerance{}, ""},
		{"abc", "abc", Tolerance{}, ""},
		{"abc", "abd", Tolerance{}, "got       abc\nexpected  abd"},
		{"a\tb  c ", "a b c", Tolerance{}, ""},
		{"ab", "a b", Tolerance{}, "expected"},
		{"x = 1.0001", "x = 1", loose, ""},
		{"x = 1.0001 m", "x = 1 s", loose, "expected"},
		{"1.01", "1.0", loose, "absolute error 0.01, relative error 0.01; tolerance rel 1e-3"},
		{"1.5 2.5 3.6", "1.5 2.6 3.7", loose, "2 of 3 numbers outside, the first:\nabsolute error 0.1"},
		{"1 2", "1 2 3", loose, "expected"},
		// Whole numbers are counts.
		{"1000", "1001", loose, "(rel does not apply to two whole numbers)"},
		{"1000", "1001", Tolerance{Abs: 1}, ""},
		{"1000", "1001.0", loose, ""},
		{"-0", "0", Tolerance{}, ""},
		// Parts of words are words.
		{"x1", "x2", Tolerance{Abs: 9}, "expected"},
		{"2x3", "2x4", Tolerance{Abs: 9}, "expected"},
		{"600×100", "600×101", Tolerance{Abs: 9}, "expected"},
		{"0x10", "0x11", Tolerance{Abs: 99}, "expected"},
		{"info 1", "inf 1", Tolerance{Abs: 9}, "expected"},
		{"v1.2.3", "v1.2.4", Tolerance{Abs: 9}, "expected"},
		{"50%", "51%", Tolerance{Abs: 1}, ""},
		{"(1,2)", "(1,3)", Tolerance{Abs: 1}, ""},
		{"{x=-1}", "{x=-2}", Tolerance{Abs: 1}, ""},
		{"a-1", "a-2", Tolerance{Abs: 1}, ""},
		{"[1]-2", "[1]+2", Tolerance{Abs: 9}, "expected"},
		{"it is 5.", "it is 6.", Tolerance{Abs: 1}, ""},
		{"1e-3", "0.001", Tolerance{}, ""},
		{"1E+5", "100000", Tolerance{}, ""},
		{".5", "0.5", Tolerance{}, ""},
		{"1e999", "inf", Tolerance{}, ""},
		// Words for what is no number.
		{"NaN", "nan", Tolerance{NaN: true}, ""},
		{"NaN", "nan", Tolerance{}, "nan equals nan only with nan = true"},
		{"nan", "nan", Tolerance{}, ""}, // written so, so meant so
		{"+Inf", "inf", Tolerance{}, ""},
		{"-Inf", "inf", Tolerance{Abs: 1}, "absolute error inf"},
		// Digits as far as they go.
		{"3.14159265", "3.1415...", Tolerance{}, ""},
		{"3.1416", "3.1415...", Tolerance{}, ""},
		{"3.1417", "3.1415...", Tolerance{}, "3.1415... asks for the digits written, got 3.1417"},
		{"-0.3333333", "-0.333...", Tolerance{}, ""},
		{"1.2345e-7", "1.23...e-7", Tolerance{}, "expected"},
		{"1.2345e-7", "1.23e-7...", Tolerance{}, ""},
		{"1.25e-7", "1.23e-7...", Tolerance{}, "asks for the digits"},
		{"nan", "1.5...", Tolerance{}, "asks for the digits"},
		{"1 2 ...", "1 2 ...", Tolerance{}, ""},
		{"array 2 ... 3", "array 2 ... 4", Tolerance{Abs: 1}, ""},
	} {
		got := compareText(c.got, c.want, c.tol)
		if c.failure == "" && got != "" || !strings.Contains(got, c.failure) || c.failure != "" && got == "" {
			t.Errorf("%q against %q to %v:\n%s\nwant %q", c.got, c.want, c.tol, got, c.failure)
		}
	}
}

// Whatever the text, a line agrees with itself, and the tokens make up the line.
func FuzzCompareText(f *testing.F) {
	for _, s := range []string{"", "x = 1.5e-3, -inf", "3.14... 2x3 nan.", "a\tb", "1..2...3", "++1 -.5 .e5", "\xff1"} {
		f.Add(s, "1.5")
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		if text := compareText(a, a, Tolerance{}); text != "" {
			t.Errorf("%q differs from itself:\n%s", a, text)
		}
		compareText(a, b, Tolerance{Rel: 1e-3})
		var joined strings.Builder
		for _, k := range tokens(a) {
			joined.WriteString(k.text)
			if k.place > 0 {
				joined.WriteString("...")
			}
			if k.number && len(k.text) == 0 {
				t.Errorf("%q: an empty number", a)
			}
		}
		if joined.String() != a {
			t.Errorf("tokens of %q make %q", a, joined.String())
		}
	})
}
