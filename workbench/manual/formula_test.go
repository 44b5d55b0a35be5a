package manual_test

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/greenbench/workbench/workbench/manual"
)

// The MathML of small formulas, written by hand after the specification of MathML Core.
func TestFormula(t *testing.T) {
	for _, test := range []struct{ source, want string }{
		{"x", "<mi>x</mi>"},
		{"x²", "<msup><mi>x</mi><mrow><mn>2</mn></mrow></msup>"},
		{"u_{ij}", "<msub><mi>u</mi><mrow><mi>ij</mi><mspace width=\"0.17em\"/></mrow></msub>"},
		{"a/b", "<mfrac><mi>a</mi><mi>b</mi></mfrac>"},
		{"(a + b)/2", "<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>2</mn></mfrac>"},
		{"√(x)", "<msqrt><mrow><mi>x</mi></mrow></msqrt>"},
		{"Σᵢ₌₁ⁿ", "<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mrow><mi>n</mi></mrow></munderover>"},
		{"û", `<mover accent="true"><mi>u</mi><mo>^</mo></mover>`},
		{"β̂", `<mover accent="true"><mi>β</mi><mo>^</mo></mover>`},
		{"a < b", "<mi>a</mi><mo>&lt;</mo><mi>b</mi>"},
		{"1.5 x", "<mn>1.5</mn><mi>x</mi>"},
	} {
		got, err := manual.Formula(test.source, false)
		if want := "<math><mrow>" + test.want + "</mrow></math>"; err != nil || got != want {
			t.Errorf("%s: %v\ngot  %s\nwant %s", test.source, err, got, want)
		}
	}
}

// A formula that is not closed, or in which something is missing, is an error that shows it.
func TestFormulaErrors(t *testing.T) {
	for _, source := range []string{"(a", "a)", "a/", "x_", "{a", "√(", "a]"} {
		if got, err := manual.Formula(source, true); err == nil || !strings.Contains(err.Error(), source) {
			t.Errorf("%s: error %v, markup %s", source, err, got)
		}
	}
}

// Whatever is typed, formulas are closed markup or an error, never a crash.
func FuzzFormula(f *testing.F) {
	for _, s := range []string{"u(y) = β(y) + ∫ G(x, y) f(x) dx", "{‖R‖²}/{4 μ}", "x_y^z", "√√√", "Σ_{i}^{n}/2", "((", "û̂"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		markup, err := manual.Formula(source, true)
		if err != nil {
			return
		}
		d := xml.NewDecoder(strings.NewReader(markup))
		for {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				return
			} else if err != nil {
				t.Fatalf("%q: %v in %s", source, err, markup)
			}
		}
	})
}
