package everywhere

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/sorting"
	"github.com/greenbench/workbench/syntax"
	"github.com/greenbench/workbench/workbench/chunk"
	"github.com/greenbench/workbench/workbench/repl/show"
)

func (d *Desk) who() bind.Func {
	return bind.Fn("who", "List the variables that you made, with their types and sizes.",
		func(c *bind.Call, a *struct {
			Pattern string `arg:"pattern" pos:"1" doc:"only names that contain this" default:""`
		},
		) (bind.None, error) {
			return bind.None{}, d.page(c, d.Who(c.L, a.Pattern))
		},
		bind.Keywords("whos", "vars", "ls"), bind.Example("x = 1\nwho()"))
}

// A variable is a global of the user.
type variable struct {
	name  string
	value lua.LValue
}

func (d *Desk) variables(L *lua.LState) []variable {
	var out []variable
	L.G.Global.ForEach(func(k, v lua.LValue) {
		if name, ok := k.(lua.LString); ok && d.Own(string(name), v) {
			out = append(out, variable{string(name), v})
		}
	})
	sorting.By(out, func(a, b variable) int { return strings.Compare(a.name, b.name) })
	return out
}

// Who is the text of who(): one line for each variable.
func (d *Desk) Who(L *lua.LState, pattern string) string {
	var rows [][3]string
	for _, v := range d.variables(L) {
		if strings.Contains(v.name, pattern) {
			rows = append(rows, [3]string{v.name, d.typeName(L, v.value), d.preview(L, v.value)})
		}
	}
	if len(rows) == 0 {
		return "No variables yet.\n"
	}
	var widths [2]int
	for _, r := range rows {
		for i := range widths {
			widths[i] = max(widths[i], utf8.RuneCountInString(r[i]))
		}
	}
	var b strings.Builder
	for _, r := range rows {
		line := fmt.Sprintf("%-*s  %-*s  %s", widths[0], r[0], widths[1], r[1], r[2])
		b.WriteString(strings.TrimRight(clip(line, d.width()), " ") + "\n")
	}
	return b.String()
}

func (d *Desk) typeName(L *lua.LState, v lua.LValue) string {
	if u, ok := v.(*lua.LUserData); ok {
		if name, ok := d.Registry.Name(L, u); ok {
			return name
		}
	}
	return v.Type().String()
}

// preview is a value on one line: the first line of what print would show.
func (d *Desk) preview(L *lua.LState, v lua.LValue) string {
	switch v := v.(type) {
	case *lua.LFunction:
		if v.IsG || v.Proto == nil {
			return "built in"
		}
		return fmt.Sprintf("%s:%d", strings.TrimLeft(v.Proto.SourceName, "@="), v.Proto.LineDefined)
	case lua.LString:
		return syntax.Quote(string(v))
	case *lua.LTable:
		if mt, ok := v.Metatable.(*lua.LTable); !ok || mt.RawGetString("__tostring") == lua.LNil {
			n := count(v)
			if n == 1 {
				return "1 entry"
			}
			return fmt.Sprintf("%d entries", n)
		}
	}
	first, _, _ := strings.Cut(show.Describe(L, v), "\n")
	return first
}

func (d *Desk) print() bind.Func {
	return bind.Fn("print", "Print values, separated by tabs, and a line end. Tables show what they contain.",
		func(c *bind.Call, a *struct {
			Values []bind.Any `arg:"values" pos:"..." doc:"anything"`
		},
		) (bind.None, error) {
			p := show.Printer{
				Width: 80, Depth: 4, Items: 100, // the same on every screen, in every file
				Number:   chunk.FormatNumber,
				Describe: func(v lua.LValue) string { return show.Describe(c.L, v) },
				Function: func(f *lua.LFunction) (string, bool) { return d.Registry.Name(c.L, f) },
			}
			parts := make([]string, len(a.Values))
			for i, v := range a.Values {
				parts[i] = p.Value(v.LValue)
			}
			_, err := io.WriteString(c.Out, strings.Join(parts, "\t")+"\n")
			return bind.None{}, err
		},
		bind.Example(`print(1/3, "text", {1, 2, name = "x"})  --> 0.33333333333333	text	{1, 2, name = "x"}`))
}
