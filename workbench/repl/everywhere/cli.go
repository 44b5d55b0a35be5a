package everywhere

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
)

// parameter is one entry of the table that cli takes.
type parameter struct {
	value lua.LValue // a number, string or boolean
	doc   string
}

func (d *Desk) cli() bind.Func {
	return bind.Fn("cli", "Parameters of a script, read from its command line as name=value or --name=value; each has the type of its default.",
		func(c *bind.Call, a *struct {
			Parameters map[string]bind.Any `arg:"parameters" pos:"1" doc:"name = default, or name = {default, \"what it is\"}; defaults are numbers, strings or booleans"`
		},
		) (bind.Results, error) {
			known := map[string]parameter{}
			for name, v := range a.Parameters {
				p, err := newParameter(v.LValue)
				if err != nil {
					return nil, fmt.Errorf("parameters: %s: %w", name, err)
				}
				known[name] = p
			}
			if err := setParameters(known, arguments(c.L)); err != nil {
				return nil, fmt.Errorf("%w\nparameters of this script:\n%s", err, listParameters(known))
			}
			values := c.L.NewTable()
			for name, p := range known {
				values.RawSetString(name, p.value)
			}
			return bind.Results{values}, nil
		},
		bind.ReturnsAs("table", "the value of each parameter"),
		bind.Errors("an argument that is no parameter, or whose text is not of its type"),
		bind.Example(`p = cli{n = {200, "points of the mesh"}, out = "green.png"} print(p.n + 1)  --> 201`))
}

func newParameter(v lua.LValue) (parameter, error) {
	p := parameter{value: v}
	if t, ok := v.(*lua.LTable); ok {
		p.value, p.doc = t.RawGetInt(1), lua.LVAsString(t.RawGetInt(2))
	}
	switch p.value.(type) {
	case lua.LNumber, lua.LString, lua.LBool:
		return p, nil
	}
	return p, fmt.Errorf("want a default that is a number, string or boolean, got %s", bind.Describe(p.value))
}

// arguments are the texts in the global table arg.
func arguments(L *lua.LState) (texts []string) {
	arg, ok := L.G.Global.RawGetString("arg").(*lua.LTable)
	if !ok {
		return nil
	}
	for i := 1; arg.RawGetInt(i) != lua.LNil; i++ {
		texts = append(texts, lua.LVAsString(arg.RawGetInt(i)))
	}
	return texts
}

// setParameters gives the parameters the values in the texts name=value.
func setParameters(known map[string]parameter, texts []string) error {
	for _, text := range texts {
		name, value, given := strings.Cut(strings.TrimLeft(text, "-"), "=")
		p, ok := known[name]
		if !ok {
			return fmt.Errorf("unknown argument '%s'%s", text, bind.DidYouMean(name, slices.Sorted(maps.Keys(known))))
		}
		_, flag := p.value.(lua.LBool)
		switch {
		case !given && flag:
			value = "true"
		case !given:
			return fmt.Errorf("argument '%s': want %s=value", text, text)
		}
		v, err := parseAs(p.value, value)
		if err != nil {
			return fmt.Errorf("argument '%s': %w", text, err)
		}
		p.value = v
		known[name] = p
	}
	return nil
}

// parseAs reads a text as a value of the type of another.
func parseAs(like lua.LValue, text string) (lua.LValue, error) {
	switch like.(type) {
	case lua.LNumber:
		x, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return nil, fmt.Errorf("want a number, got %q", text)
		}
		return lua.LNumber(x), nil
	case lua.LBool:
		switch text {
		case "true":
			return lua.LTrue, nil
		case "false":
			return lua.LFalse, nil
		}
		return nil, fmt.Errorf("want true or false, got %q", text)
	}
	return lua.LString(text), nil
}

// listParameters shows names, values and meanings.
func listParameters(known map[string]parameter) string {
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(known)) {
		p := known[name]
		line := "  " + name + "=" + p.value.String()
		if p.doc != "" {
			line += "  " + p.doc
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}
