package bindings

import (
	"fmt"
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/bindings/trace"
	"github.com/greenbench/workbench/internal/numeric/kernels"
)

// defineOptions is the table after a function: parameters, and options with the
// names that they reserve.
type defineOptions struct {
	dim    int
	names  []string
	called bool // trace = false
	auto   bool // lengthscale = "auto": the fit chooses
	params []trace.Param
}

// DecodeLua implements bind.Decoder.
func (o *defineOptions) DecodeLua(c *bind.Call, v lua.LValue) error {
	if v == lua.LNil {
		return nil
	}
	t, ok := v.(*lua.LTable)
	if !ok {
		return bind.ErrKind
	}
	for k, v := t.Next(lua.LNil); k != lua.LNil; k, v = t.Next(k) {
		name, ok := k.(lua.LString)
		if !ok {
			return fmt.Errorf("%s needs a name; write {lengthscale = %[1]s}", v)
		}
		var err error
		switch name {
		case "dim":
			if o.dim, err = bind.Decode[int](c, v); err == nil && (o.dim < 1 || o.dim > kernels.MaxNumbered) {
				err = fmt.Errorf("%d: must be from 1 to %d", o.dim, kernels.MaxNumbered)
			}
		case "names":
			o.names, err = bind.Decode[[]string](c, v)
		case "trace":
			var traced bool
			traced, err = bind.Decode[bool](c, v)
			o.called = !traced
		default:
			if name == "lengthscale" && v == lua.LString("auto") {
				o.auto, v = true, lua.LNumber(1) // any number while it is traced
			}
			o.params = append(o.params, trace.Param{Name: string(name), Value: v})
		}
		if err != nil {
			return fmt.Errorf("%s: %v", name, err) // not %w: it is no error of the whole table
		}
	}
	return o.check()
}

func (o *defineOptions) check() error {
	for i, name := range o.names {
		if name == "" || slices.Contains(o.names[:i], name) {
			return fmt.Errorf("names: %q: must be given, and once", name)
		}
	}
	switch {
	case o.names != nil && (len(o.names) == 0 || len(o.names) > kernels.MaxNamed):
		return fmt.Errorf("names: got %d, must be from 1 to %d", len(o.names), kernels.MaxNamed)
	case o.names != nil && o.dim != 0 && o.dim != len(o.names):
		return fmt.Errorf("dim %d: there are %d names", o.dim, len(o.names))
	}
	return nil
}

// LuaKind implements bind.Decoder.
func (o *defineOptions) LuaKind() string { return "{name=, …}" }

func (o *defineOptions) trace(points int) trace.Options {
	return trace.Options{Points: points, Dim: o.dim, Names: o.names, Params: o.params}
}

// given is the options that are no parameters, as Lua.
func (o *defineOptions) given() string {
	switch {
	case o.names != nil:
		return "names = {" + quoted(o.names) + "}"
	case o.dim > 0:
		return fmt.Sprintf("dim = %d", o.dim)
	}
	return ""
}

// text is the whole table of a function that is called.
func (o *defineOptions) text() string {
	var parts []string
	for _, p := range o.params {
		text := p.Value.String()
		if list, ok := p.Value.(*lua.LTable); ok {
			var entries []string
			for i := 1; i <= list.Len(); i++ {
				entries = append(entries, list.RawGetInt(i).String())
			}
			text = "{" + strings.Join(entries, ", ") + "}"
		}
		parts = append(parts, p.Name+" = "+text)
	}
	if given := o.given(); given != "" {
		parts = append(parts, given)
	}
	return "{" + strings.Join(append(parts, "trace = false"), ", ") + "}"
}

func quoted(names []string) string {
	q := make([]string, len(names))
	for i, name := range names {
		q[i] = fmt.Sprintf("%q", name)
	}
	return strings.Join(q, ", ")
}
