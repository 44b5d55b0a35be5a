package plot

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestPlainLabel(t *testing.T) {
	for _, c := range []struct{ label, unicode, ascii string }{
		{"relative error", "relative error", "relative error"},
		{"green_norm2 ^ 2", "green_norm2 ^ 2", "green_norm2 ^ 2"}, // no mathematics outside dollar signs
		{"costs 5$", "costs 5$", "costs 5$"},
		{"$5 and $x^2$", "5 and x^2$", "5 and x^2$"}, // the first pair counts
		{"$10^{-4}$", "10⁻⁴", "10^-4"},
		{"$x_1^2$", "x₁²", "x_1^2"},
		{"$e^{x+y}$", "e^(x+y)", "e^(x+y)"},
		{`$\lambda = 10^{-5}$`, "λ = 10⁻⁵", "lambda = 10^-5"},
		{`$\hat{G}(x,y)$`, "Ĝ(x, y)", "G^(x, y)"},
		{`$\hat\beta$`, "β\u0302", "beta^"},
		{`$\log x \times 2$`, "log x × 2", "log x * 2"},
		{`$\unheard{x}$`, "unheardx", "unheardx"},
		{`$\{a\}$`, "{a}", "{a}"},
		{"Matérn 10⁻⁴", "Matérn 10⁻⁴", "Matern 10^-4"},
		{"日", "日", "?"},
		{"$x^$", "x^", "x^"},
		{"$}{$", "}", "}"},
	} {
		if got := PlainText(c.label, true); got != c.unicode {
			t.Errorf("%q: %q, want %q", c.label, got, c.unicode)
		}
		if got := PlainText(c.label, false); got != c.ascii {
			t.Errorf("%q in ASCII: %q, want %q", c.label, got, c.ascii)
		}
	}
}

// Letters slant in mathematics; scripts are smaller and shifted.
func TestLabelStyle(t *testing.T) {
	got := fmt.Sprint(parseLabel("a $b_2^{-1}$"))
	want := fmt.Sprint([]span{
		{"a ", false, 1, 0}, {"b", true, 1, 0}, {"2", false, scriptScale, subRise}, {"−1", false, scriptScale, superRise},
	})
	if got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Widths add up, scripts are narrower, and a hat takes no room.
func TestTypesetterWidth(t *testing.T) {
	text := newTypesetter()
	em := text.width("m", 10)
	for _, c := range []struct {
		label string
		want  float64
	}{{"mm", 2}, {"", 0}, {"$^{\\log}$", 0.7 * float64(text.width("log", 10)) / float64(em)}} {
		if got := float64(text.width(c.label, 10) / em); math.Abs(got-c.want) > 1e-6 {
			t.Errorf("%q is %.4f m wide, want %.4f", c.label, got, c.want)
		}
	}
	if a, b := text.width("$G$", 10), text.width(`$\hat{G}$`, 10); a != b {
		t.Errorf("G is %v wide, with a hat %v", a, b)
	}
	// Liberation Sans has the widths of Arial: a digit is 1139 of 2048 units.
	if got := float64(text.width("0", 2048)); got != 1139 {
		t.Errorf("a digit is %v units wide, want 1139", got)
	}
}

// No label makes the parser fail, lose valid text, or draw nonsense.
func FuzzLabel(f *testing.F) {
	for _, seed := range []string{"", "$", "$$", "$^", "$_{", `$\`, `$\hat`, `$\hat^$`, "$}{}{", "a$b^{c_{d}}$e", "\u0302", "$\\,\\;$"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, label string) {
		if len(label) > 1000 {
			return
		}
		for _, r := range PlainText(label, false) {
			if r < ' ' || r > '~' {
				t.Errorf("%q: %q is not printable ASCII", label, r)
			}
		}
		if utf8.ValidString(label) && !strings.ContainsAny(label, "$⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺ⁿ\u2009\u0302") {
			if got := PlainText(label, true); got != label {
				t.Errorf("%q becomes %q", label, got)
			}
		}
		if w := float64(newTypesetter().width(label, 10)); !finite(w) {
			t.Errorf("%q is %v wide", label, w)
		}
	})
}
