package testrun

import (
	"errors"
	"fmt"
	"math"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/workbench/stdlib"
)

// tolerances are the named arguments of the checks that take a tolerance.
type tolerances struct {
	Rel *float64 `arg:"rel" allow:">=0 finite" doc:"relative tolerance; 1e-9 when none of rel, abs and ulp is given"`
	Abs *float64 `arg:"abs" allow:">=0 finite" doc:"absolute tolerance: passes if |got - expected| <= abs + rel |expected|"`
	ULP *int     `arg:"ulp" allow:">=0" doc:"also passes if the two are at most this many floating-point numbers apart"`
	NaN bool     `arg:"nan" default:"false" doc:"whether nan equals nan"`
}

// tolerance returns what was given, and the default when nothing was.
func (t tolerances) tolerance() Tolerance {
	tol := Tolerance{NaN: t.NaN}
	if t.Rel == nil && t.Abs == nil && t.ULP == nil {
		tol.Rel, tol.Default = DefaultRel, true
	}
	if t.Rel != nil {
		tol.Rel = *t.Rel
	}
	if t.Abs != nil {
		tol.Abs = *t.Abs
	}
	if t.ULP != nil {
		tol.ULP = *t.ULP
	}
	return tol
}

// pair is what the comparisons compare.
type pair struct {
	Got      bind.Any `arg:"got" pos:"1" default:"nil" doc:"what was computed"`
	Expected bind.Any `arg:"expected" pos:"2" default:"nil" doc:"what it should be"`
	Label    string   `arg:"label" default:"" doc:"what the failure text begins with"`
}

// labelled puts the label before a failure.
func (p pair) labelled(text string) string {
	if text == "" || p.Label == "" {
		return text
	}
	return p.Label + ":\n" + text
}

// checks are the functions that check.
func checks(s *session) []bind.Func {
	passed := bind.Returns("whether the check passed")
	return append([]bind.Func{
		bind.Fn("equal", "Checks that two values are the same: tables and arrays by what they hold, numbers exactly.", func(c *bind.Call, a *struct {
			pair
		},
		) (bool, error) {
			d := differ{c: c}
			return s.note(c, a.labelled(d.text(a.Got.LValue, a.Expected.LValue)))
		}, passed, bind.Example(`test.equal({1, 2, name = "x"}, {1, 2, name = "x"})  --> true`), bind.See("test.near")),

		bind.Fn("near", "Checks numbers to a tolerance, in arrays and tables too; other values must be equal.", func(c *bind.Call, a *struct {
			pair
			tolerances
		},
		) (bool, error) {
			d := differ{c: c, tol: a.tolerance(), near: true}
			return s.note(c, a.labelled(d.text(a.Got.LValue, a.Expected.LValue)))
		}, passed, bind.Example(`test.near(0.1 + 0.2, 0.3, {ulp = 1})  --> true`), bind.See("test.allclose", "test.equal")),

		bind.Fn("allclose", "Checks arrays to a tolerance, element by element or in norm.", func(c *bind.Call, a *struct {
			pair
			tolerances
			RTol *float64 `arg:"rtol" allow:">=0 finite" doc:"another name of rel"`
			ATol *float64 `arg:"atol" allow:">=0 finite" doc:"another name of abs"`
			Norm string   `arg:"norm" default:"max" allow:"max|fro" doc:"max for each element, fro for the root of the sum of squares"`
		},
		) (bool, error) {
			switch {
			case a.Rel != nil && a.RTol != nil:
				return false, errors.New("rel and rtol: give one of them")
			case a.Abs != nil && a.ATol != nil:
				return false, errors.New("abs and atol: give one of them")
			}
			if a.RTol != nil {
				a.Rel = a.RTol
			}
			if a.ATol != nil {
				a.Abs = a.ATol
			}
			d := differ{c: c, tol: a.tolerance(), near: true, inNorm: a.Norm == "fro"}
			return s.note(c, a.labelled(d.text(a.Got.LValue, a.Expected.LValue)))
		}, passed, bind.Example(`test.allclose({1, 2.0000001}, {1, 2}, {rel = 1e-6})  --> true`), bind.See("test.near")),

		bind.Fn("ok", "Checks that a value is neither nil nor false, and returns it.", func(c *bind.Call, a *struct {
			Value  bind.Any `arg:"value" pos:"1" default:"nil" doc:"what a function that may fail returned"`
			Reason bind.Any `arg:"reason" pos:"2" default:"nil" doc:"what to say otherwise, such as the second value of a function that returns nil and a reason"`
		},
		) (bind.Results, error) {
			if lua.LVAsBool(orNil(a.Value.LValue)) {
				_, err := s.note(c, "")
				return bind.Results{a.Value.LValue}, err
			}
			text := "got " + show(c.L, a.Value.LValue)
			if !a.Reason.IsNil() {
				text += ": " + c.L.ToStringMeta(a.Reason.LValue).String()
			}
			_, err := s.note(c, text)
			return bind.Results{orNil(a.Value.LValue)}, err
		}, bind.ReturnsAs("any", "the value"), bind.Example(`test.ok(2, "no result")  --> 2`)),
	}, moreChecks(s)...)
}

// moreChecks are the checks of more than a value.
func moreChecks(s *session) []bind.Func {
	return []bind.Func{
		bind.Fn("error", "Checks that a function fails with an error that contains the text.", func(c *bind.Call, a *struct {
			Body bind.Function `arg:"body" pos:"1" doc:"called without arguments"`
			Text string        `arg:"text" pos:"2" default:"" doc:"part of the error text; runs of blanks count as one"`
		},
		) (bind.Results, error) {
			_, err := a.Body.Call(c)
			var exit *stdlib.ExitError
			if errors.Is(err, errSkip) || errors.As(err, &exit) || c.Err() != nil {
				return nil, err
			}
			text, failure := raised(c, err, a.Text)
			_, err = s.note(c, failure)
			return bind.Results{text}, err
		}, bind.ReturnsAs("string", "the error text"), bind.Example(`test.error(function() error("n must be > 0", 0) end, "must be > 0")  --> n must be > 0`)),

		bind.Fn("golden", "Checks a value against the golden file of that name, kept beside the test file; workbench test --update-golden writes it.", func(c *bind.Call, a *struct {
			Name  string   `arg:"name" pos:"1" allow:"nonempty" doc:"of the golden file, with / between folders; each name once in a test file"`
			Value bind.Any `arg:"value" pos:"2" doc:"a number, text or array, or a table of them"`
			tolerances
		},
		) (bool, error) {
			if s == nil || s.golden == nil {
				return false, errors.New("golden files are compared by workbench test only")
			}
			failure, err := s.golden.check(c, a.Name, s.header(), a.Value.LValue, a.tolerance())
			if err != nil {
				return false, err
			}
			return s.note(c, failure)
		}, bind.Returns("whether the check passed"),
			bind.Example(`test.golden("energy", {e = 0.5, n = 10}, {rel = 1e-6})  --! workbench test`), bind.Errors("outside workbench test")),

		bind.Fn("order", "Checks that errors fall like a power of the step size.", func(c *bind.Call, a *struct {
			Errors []float64 `arg:"errors" pos:"1" allow:">0 finite" doc:"one for each step size"`
			Steps  []float64 `arg:"steps" pos:"2" allow:">0 finite" doc:"step sizes h"`
			Order  float64   `arg:"order" pos:"3" allow:"finite" doc:"smallest p that is accepted in errors = C h^p"`
			Tol    *float64  `arg:"tol" allow:">=0 finite" doc:"how far below p the fitted order may lie; 0.2 when it is not given"`
		},
		) (float64, error) {
			if len(a.Errors) != len(a.Steps) || len(a.Errors) < 2 {
				return 0, fmt.Errorf("%d errors, %d steps: want two or more, and as many errors as steps", len(a.Errors), len(a.Steps))
			}
			fitted, between := order(a.Errors, a.Steps)
			if math.IsNaN(fitted) || math.IsInf(fitted, 0) {
				return 0, errors.New("steps: want at least two different step sizes")
			}
			_, err := s.note(c, explainOrder(a.Errors, a.Steps, fitted, between, a.Order, a.Tol))
			return fitted, err
		}, bind.Returns("the order fitted by least squares on logarithms"),
			bind.Example(`test.order({1e-2, 2.5e-3, 6.25e-4}, {0.1, 0.05, 0.025}, 2)  --> 2`)),
	}
}

// raised returns the text of an error, and the failure when it is not the one wanted.
func raised(c *bind.Call, err error, want string) (text, failure string) {
	if err == nil {
		return "", "no error\nexpected  " + expectedError([]Expectation{{Text: want}})
	}
	text = err.Error()
	var script *bind.ScriptError
	if errors.As(err, &script) {
		text = c.L.ToStringMeta(script.Object).String()
	}
	if !strings.Contains(normalize(text), normalize(want)) {
		failure = fmt.Sprintf("error     %s\nexpected  %s", indentRest(text), expectedError([]Expectation{{Text: want}}))
	}
	return text, failure
}

// explainOrder returns the failure text of test.order, or "".
func explainOrder(errors, steps []float64, fitted float64, between []float64, want float64, given *float64) string {
	tol, note := 0.2, " (default: none was given)"
	if given != nil {
		tol, note = *given, ""
	}
	if fitted >= want-tol {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "order %.3g, expected at least %g; tolerance %s%s\n%12s %12s %8s", fitted, want, short(tol), note, "h", "error", "order")
	for i := range errors {
		fmt.Fprintf(&b, "\n%12.5g %12.5g", steps[i], errors[i])
		if i > 0 {
			fmt.Fprintf(&b, " %8.3f", between[i-1])
		}
	}
	if fitted < 0 && want > 0 {
		b.WriteString("\nthe errors grow with smaller steps: are these numbers of points? then give 1/n")
	}
	return b.String()
}
