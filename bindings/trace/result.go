package trace

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/expr"
)

// read returns the values that the function returned, numbers or formulas: one,
// or the coordinates of a point. p is its argument.
func (t *tracer) read(results []lua.LValue, p *lua.LTable) (values []lua.LValue, image []string, err error) {
	v := first(results)
	if t.Image {
		return t.readImage(v, p)
	}
	if n, ok := NodeOf(v); ok && !(n.IsConst() && math.IsNaN(n.Value())) {
		return []lua.LValue{v}, nil, nil
	}
	return nil, nil, t.noNumber(v)
}

// first is the first result of a function; the nil of Go if there is none.
func first(results []lua.LValue) lua.LValue {
	if len(results) == 0 {
		return nil
	}
	return results[0]
}

// describe is what a function returned, in an error.
func describe(v lua.LValue) string {
	if v == nil {
		return "nothing"
	}
	return bind.Describe(v)
}

// noNumber is the error for a result that is no number.
func (t *tracer) noNumber(v lua.LValue) error {
	switch v := v.(type) {
	case nil:
		return fmt.Errorf("%s returns nothing: must return a number (is there a return?)", t.f)
	case *lua.LNilType:
		return fmt.Errorf("%s returns nil: must return a number; what it returns has no value", t.f)
	case lua.LBool:
		return fmt.Errorf("%s returns %s: must return a number; lt, le, gt and ge give 1 and 0", t.f, v)
	case lua.LNumber:
		return fmt.Errorf("%s returns NaN: must return a number", t.f)
	}
	if _, ok := NodeOf(v); ok {
		return fmt.Errorf("%s returns a formula when it is called with numbers: a variable around it keeps one from the trace; make it local to the function", t.f)
	}
	return fmt.Errorf("%s returns %s: must return a number", t.f, bind.Describe(v))
}

// readImage reads the image of a point: a list of all coordinates, or a table of
// those that change, by name. The point itself may have been changed and returned.
func (t *tracer) readImage(v lua.LValue, p *lua.LTable) (values []lua.LValue, image []string, err error) {
	table, ok := v.(*lua.LTable)
	if !ok {
		example := "{x = %[3]s.y, y = %[3]s.x}"
		if t.Reduce {
			example = "{x = %[3]s.x, y = %[3]s.y, lag = %[3]s.t - %[3]s.s}"
		}
		return nil, nil, fmt.Errorf("%s returns %s: must return a point, such as "+example, t.f, describe(v), t.inputs[0])
	}
	origin := givenPoint(p)
	d, listed := len(origin.x), false
	for k, v := table.Next(lua.LNil); k != lua.LNil; k, v = table.Next(k) {
		n, ok := NodeOf(v)
		if !ok {
			return nil, nil, fmt.Errorf("%s returns a point whose coordinate %s is %s: must be a number", t.f, k, bind.Describe(v))
		}
		switch k := k.(type) {
		case lua.LString:
			if table == p { // only then are these names of the point
				if own := origin.coordinate(string(k)); own != nil && expr.Equal(n, own) {
					continue
				}
			}
			image = append(image, string(k))
		case lua.LNumber:
			i := int(k) - 1
			listed = listed || table != p || i < 0 || i >= d || !expr.Equal(n, origin.x[i])
		}
	}
	switch {
	case listed && len(image) > 0:
		return nil, nil, fmt.Errorf("%s returns a point with coordinates by name and by number: give them in one way", t.f)
	case listed && table.Len() != d && !t.Reduce:
		return nil, nil, fmt.Errorf("%s returns a point of %d coordinates: must be %d, as it was given", t.f, table.Len(), d)
	}
	if len(image) == 0 {
		for i := range table.Len() {
			values = append(values, table.RawGetInt(i+1))
		}
		return values, nil, nil
	}
	slices.SortFunc(image, CompareNames)
	for _, name := range image {
		values = append(values, table.RawGetString(name))
	}
	return values, image, nil
}

// numbers is read for a call with numbers, whose result must be the same kind of
// thing as in the trace. origin is the point that it was called with.
func (t *tracer) numbers(results []lua.LValue, origin *lua.LTable, image []string) ([]float64, error) {
	v := first(results)
	if !t.Image {
		x, ok := v.(lua.LNumber)
		if !ok {
			return nil, t.noNumber(v)
		}
		return []float64{float64(x)}, nil
	}
	table, ok := v.(*lua.LTable)
	if !ok {
		return nil, fmt.Errorf("%s returns %s for some points: must return a point", t.f, describe(v))
	}
	var all []lua.LValue
	if image == nil {
		for i := range table.Len() {
			all = append(all, table.RawGetInt(i+1))
		}
	}
	for _, name := range image {
		v := table.RawGetString(name)
		if v == lua.LNil {
			v = origin.RawGetString(name) // unchanged
		}
		all = append(all, v)
	}
	var out []float64
	for _, v := range all {
		x, ok := v.(lua.LNumber)
		if !ok {
			return nil, fmt.Errorf("%s returns a point with %s for some points: must be a number", t.f, describe(v))
		}
		out = append(out, float64(x))
	}
	return out, nil
}

// aboutFormula matches messages that a number would not have caused.
var aboutFormula = regexp.MustCompile(`userdata|got a formula|formula [-+*/%^.#]|[-+*/%^.#] ?formula`)

// position is what stands before the message of an error.
var position = regexp.MustCompile(`^[^\n]*?:\d+: `)

// explain says an error of the traced function in its terms. short reports that
// the points had too few coordinates.
func (t *tracer) explain(err error) (explained error, short bool) {
	script, ok := err.(*bind.ScriptError)
	if !ok {
		return err, false
	}
	text, ok := script.Object.(lua.LString)
	if !ok {
		return err, false
	}
	at := position.FindString(string(text))
	message := string(text)[len(at):]
	switch {
	case strings.HasPrefix(message, noCoordinate):
		return err, true
	case strings.Contains(message, noValue): // two formulas were compared
	case strings.HasPrefix(message, "attempt to compare") && strings.Contains(message, "userdata"):
		message = "comparison with a formula: it " + noValue + remedy("__lt")
	case strings.HasSuffix(message, "got nil"): // a variable without a value, which a number would not help
		return err, false
	case strings.HasPrefix(message, "for statement") || strings.Contains(message, "of a for loop must be a number"):
		message = "the limits of a loop must be known: the function runs once, with formulas for coordinates"
	case aboutFormula.MatchString(message):
		message = strings.ReplaceAll(message, "got userdata", "got a formula")
		message += "\n  coordinates are formulas here: the function runs once, to be turned into an expression"
	default:
		return err, false
	}
	if t.Calls {
		message += "\n  or give {trace = false} to have the function called for every pair of points, which is slow"
	}
	return &bind.ScriptError{Object: lua.LString(at + message), Cause: nil, Trace: script.Trace}, false
}
