package testrun

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
)

// moduleName is the name of the module in Lua.
const moduleName = "test"

// Module returns the module test for scripts that no test runner runs: there a
// case runs where it stands, and a check that fails raises its text.
func Module() bind.Module { return newModule(nil) }

// newModule returns the module of a session, which may be nil.
func newModule(s *session) bind.Module {
	return bind.Module{
		Name: moduleName,
		Doc: "Regression tests. A test file is a Lua file that workbench test runs: cases, functions named test_*," +
			" and lines with what they print (--> text) or how they fail (--! text) beside them." +
			" A check that fails is noted, and the case goes on.",
		Funcs: append(declarations(s), checks(s)...),
		Values: []bind.Value{{
			Name: "seed", Value: 0,
			Doc: "Seed of the running case, made from the names of its file and its own; math.random starts from it.",
		}},
	}
}

// declarations are the functions that declare cases.
func declarations(s *session) []bind.Func {
	type options struct {
		Timeout float64 `arg:"timeout" default:"0" allow:">=0 finite" doc:"seconds after which the case fails; 0 for no limit"`
		Skip    string  `arg:"skip" default:"" doc:"why the case is not to run"`
	}
	return []bind.Func{
		bind.Fn("case", "Declares a test; it runs when the whole file is loaded.", func(c *bind.Call, a *struct {
			Name string        `arg:"name" pos:"1" allow:"nonempty" doc:"unique in the file"`
			Body bind.Function `arg:"body" pos:"2" doc:"what to run"`
			options
		},
		) (bind.None, error) {
			return bind.None{}, s.addCase(c, a.Name, a.Body, nil, a.Timeout, a.Skip)
		}, bind.Example(`test.case("sum", function() print(test.equal(1 + 1, 2)) end)  --> true`), bind.See("test.each", "test.skip")),

		bind.Fn("each", "Declares a test for each entry of a table.", func(c *bind.Call, a *struct {
			Name string        `arg:"name" pos:"1" allow:"nonempty" doc:"written as for string.format with the entry's values, or with {field} for entries with names"`
			Rows []bind.Any    `arg:"rows" pos:"2" allow:"nonempty" doc:"a list of entries: values, lists of values, tables with names"`
			Body bind.Function `arg:"body" pos:"3" doc:"called with the entry; a list is given as several arguments"`
			options
		},
		) (bind.None, error) {
			for i, row := range a.Rows {
				name, args, err := rowCase(c, a.Name, row.LValue, i+1, len(a.Rows))
				if err == nil {
					err = s.addCase(c, name, a.Body, args, a.Timeout, a.Skip)
				}
				if err != nil {
					return bind.None{}, err
				}
			}
			return bind.None{}, nil
		}, bind.Example(`test.each("%d squared is %d", {{3, 9}}, function(n, square) print(n^2 == square) end)  --> true`), bind.See("test.case")),

		bind.Fn("skip", "Ends the running case as skipped; outside a case, the whole file.", func(c *bind.Call, a *struct {
			Reason string `arg:"reason" pos:"1" allow:"nonempty" doc:"what is missing"`
		},
		) (bind.None, error) {
			if s != nil {
				s.skip = &a.Reason
			}
			return bind.None{}, fmt.Errorf("%w: %s", errSkip, a.Reason)
		}, bind.Example("test.case(\"large\", function()\n  print(\"needs 8 GB\")  --> needs 8 GB\n  test.skip(\"needs 8 GB\")\nend)"), bind.Errors("always, which ends the case")),
	}
}

// addCase declares a case, or runs it where there is no test runner.
func (s *session) addCase(c *bind.Call, name string, body bind.Function, args []lua.LValue, timeout float64, skip string) error {
	if s == nil || s.running != nil {
		return s.runNow(c, name, body, args, skip)
	}
	p := &pendingCase{
		Case: Case{Name: oneLine(name), Line: s.lineOf(c.L)}, args: args,
		fn: body.Value().(*lua.LFunction), timeout: time.Duration(timeout * float64(time.Second)),
	}
	if skip != "" {
		p.Status, p.Reason = Skipped, skip
	}
	return s.declare(p)
}

// runNow runs a case in a plain script, or one inside another.
func (s *session) runNow(c *bind.Call, name string, body bind.Function, args []lua.LValue, skip string) error {
	if skip != "" {
		return nil
	}
	list := make([]any, len(args))
	for i, a := range args {
		list[i] = a
	}
	_, err := body.Call(c, list...)
	if errors.Is(err, errSkip) {
		err = nil
	}
	if s != nil {
		s.skip = nil // it was the inner case
	}
	if err == nil {
		return nil
	}
	if c.Err() != nil {
		return err
	}
	return fmt.Errorf("%q: %w", name, err)
}

// rowCase returns name and arguments of one entry of test.each.
func rowCase(c *bind.Call, format string, row lua.LValue, i, n int) (name string, args []lua.LValue, err error) {
	args = []lua.LValue{row}
	table, ok := row.(*lua.LTable)
	if ok && isList(table) {
		args = nil
		for k := 1; k <= table.Len(); k++ {
			args = append(args, table.RawGetInt(k))
		}
	}
	switch {
	case ok && !isList(table) && strings.Contains(format, "{"):
		name = format
		table.ForEach(func(k, v lua.LValue) {
			name = strings.ReplaceAll(name, "{"+k.String()+"}", c.L.ToStringMeta(v).String())
		})
	case strings.Contains(format, "%") && (!ok || isList(table)):
		if name, err = formatName(c, format, args); err != nil {
			return "", nil, err
		}
	default:
		name = fmt.Sprintf("%s [%0*d]", format, len(fmt.Sprint(n)), i)
	}
	return name, args, nil
}

// formatName calls string.format.
func formatName(c *bind.Call, format string, args []lua.LValue) (string, error) {
	library, ok := c.L.GetGlobal("string").(*lua.LTable)
	if !ok {
		return format, nil
	}
	f, err := bind.Decode[bind.Function](c, library.RawGetString("format"))
	if err != nil {
		return format, nil
	}
	list := []any{format}
	for _, a := range args {
		list = append(list, a)
	}
	results, err := f.Call(c, list...)
	if err != nil || len(results) == 0 {
		return "", fmt.Errorf("name %q: %w", format, err)
	}
	return results[0].String(), nil
}

// note records a failed check of the running case or chunk; where there is no
// test runner it is the error. It returns what the check returns.
func (s *session) note(c *bind.Call, message string) (bool, error) {
	switch {
	case message == "":
		if s != nil {
			s.target(c.L)
		}
		return true, nil
	case s == nil:
		return false, errors.New(message)
	}
	s.target(c.L).add(Failure{Line: s.lineOf(c.L), Message: message})
	return false, nil
}

// target returns the case that a check at this place belongs to.
func (s *session) target(L *lua.LState) *Case {
	if s.running != nil {
		return &s.running.Case
	}
	run := s.chunkAt(L)
	run.checked = true
	return &run.Case
}

// chunkAt returns the chunk that runs.
func (s *session) chunkAt(L *lua.LState) *chunkRun {
	if s.step >= 0 {
		return s.chunk(s.script.Steps[s.step].Chunk)
	}
	_, outer := s.lines(L)
	for i := range s.script.Chunks {
		if c := &s.script.Chunks[i]; c.Line <= outer && outer <= c.End {
			return s.chunk(i)
		}
	}
	// Code that the file loaded from elsewhere, after its own frames ended.
	return s.chunk(max(0, len(s.chunks)-1))
}

// lineOf returns the line of the test file that called into Go, or 0.
func (s *session) lineOf(L *lua.LState) int {
	inner, _ := s.lines(L)
	return inner
}

// lines returns the lines of the innermost and the outermost frame of the test file.
func (s *session) lines(L *lua.LState) (inner, outer int) {
	for level := 0; ; level++ {
		d, ok := L.GetStack(level)
		if !ok {
			return inner, outer
		}
		if _, err := L.GetInfo("Sl", d, lua.LNil); err != nil || d.CurrentLine <= 0 || !s.isFile(d.Source) {
			continue
		}
		if outer = d.CurrentLine; inner == 0 {
			inner = outer
		}
	}
}

// order fits the exponent p of errors = C h^p by least squares on logarithms
// and returns it with the exponents between neighbours.
func order(errors, steps []float64) (fitted float64, between []float64) {
	n := float64(len(errors))
	var x, y, xx, xy float64
	for i := range errors {
		lh, le := math.Log(steps[i]), math.Log(errors[i])
		x, y, xx, xy = x+lh, y+le, xx+lh*lh, xy+lh*le
		if i > 0 {
			between = append(between, math.Log(errors[i]/errors[i-1])/math.Log(steps[i]/steps[i-1]))
		}
	}
	return (n*xy - x*y) / (n*xx - x*x), between
}
