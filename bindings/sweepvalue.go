package bindings

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/bindings/sweep"
	"github.com/greenbench/workbench/bindings/trace"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

type sweepSpec struct {
	Grid parameters    `arg:"grid" doc:"lists of values by name, {lambda = {1e-6, 1e-4}, n = {10, 100}}: numbers, strings, booleans, kernels, constraints, or lists of them"`
	Run  bind.Function `arg:"run" doc:"function of the parameters, function(p) return {value = …} end"`
	Seed uint64        `arg:"seed" doc:"where the seeds p.seed begin" default:"1"`
}

// parameters is the grid of a sweep: Lua values by name, and what they are in files.
type parameters struct {
	list   []sweep.Parameter
	values [][]lua.LValue
}

// DecodeLua implements bind.Decoder.
func (g *parameters) DecodeLua(_ *bind.Call, v lua.LValue) error {
	t, ok := v.(*lua.LTable)
	if !ok {
		return bind.ErrKind
	}
	lists := map[string]*lua.LTable{}
	var names []string
	var err error
	t.ForEach(func(k, v lua.LValue) {
		name, named := k.(lua.LString)
		list, listed := v.(*lua.LTable)
		switch {
		case err != nil:
		case !named:
			err = fmt.Errorf("has the key %s: want names of parameters, {lambda = {1e-6, 1e-4}}", bind.Describe(k))
		case !listed:
			err = fmt.Errorf("%s: want a list of values, got %s", name, bind.Describe(v))
		case slices.Contains(reserved(), string(name)):
			err = fmt.Errorf("%s: rows have this field themselves; choose another name", name)
		default:
			names = append(names, string(name))
			lists[string(name)] = list
		}
	})
	slices.Sort(names)
	for _, name := range names {
		p, list := sweep.Parameter{Name: name}, lists[name]
		var values []lua.LValue
		for i := 1; i <= list.Len(); i++ {
			plain, ok := plainValue(list.RawGetInt(i))
			if !ok {
				return fmt.Errorf("%s: value %d: want a number, string, boolean, kernel or constraint, got %s; give its name or number, and choose inside run", name, i, bind.Describe(list.RawGetInt(i)))
			}
			p.Values, values = append(p.Values, plain), append(values, list.RawGetInt(i))
		}
		g.list, g.values = append(g.list, p), append(g.values, values)
	}
	return err
}

// LuaKind implements bind.Decoder.
func (g *parameters) LuaKind() string { return "table" }

// reserved are the fields of rows and of the argument of run.
func reserved() []string { return []string{"error", "index", "seconds"} }

// objects are the Lua values of each task, by name.
func (g *parameters) objects(tasks []sweep.Task) []map[string]lua.LValue {
	all := make([]map[string]lua.LValue, len(tasks))
	for i, t := range tasks {
		all[i] = g.of(g.values, t)
	}
	return all
}

func (g *parameters) of(values [][]lua.LValue, t sweep.Task) map[string]lua.LValue {
	m := map[string]lua.LValue{}
	for k, p := range g.list {
		m[p.Name] = values[k][t.At[k]]
	}
	return m
}

// workers are jobs functions that call run: one in the state of the call, or each on
// copies in a state of its own.
func (s *sweepSpec) workers(c *bind.Call, jobs int) ([]sweep.Worker, error) {
	if jobs == 1 {
		return []sweep.Worker{s.worker(c, &s.Run, s.Grid.values)}, nil
	}
	all := []lua.LValue{s.Run.Value()}
	for _, list := range s.Grid.values {
		all = append(all, list...)
	}
	workers := make([]sweep.Worker, jobs)
	for i := range workers {
		L, copies, err := trace.CopyState(c.L, all...)
		if err != nil {
			return nil, fmt.Errorf("jobs: run cannot be copied: %w; use jobs = 1", err)
		}
		other := bind.At(L)
		run, err := bind.Decode[bind.Function](other, copies[0])
		if err != nil {
			return nil, err
		}
		values, rest := make([][]lua.LValue, len(s.Grid.values)), copies[1:]
		for k, list := range s.Grid.values {
			values[k], rest = rest[:len(list)], rest[len(list):]
		}
		workers[i] = s.worker(other, &run, values)
	}
	return workers, nil
}

// worker calls run in the state of c with the values of that state.
func (s *sweepSpec) worker(c *bind.Call, run *bind.Function, values [][]lua.LValue) sweep.Worker {
	return func(ctx context.Context, t sweep.Task) (map[string]any, error) {
		if c.L.Context() != ctx {
			defer c.L.SetContext(c.L.Context())
			c.L.SetContext(ctx)
		}
		p := c.L.NewTable()
		p.RawSetString("seed", lua.LNumber(t.Seed))
		p.RawSetString("index", lua.LNumber(t.Index+1))
		for name, v := range s.Grid.of(values, t) {
			p.RawSetString(name, v)
		}
		results, err := run.Call(c, p)
		if err != nil {
			return nil, err
		}
		if len(results) == 0 {
			return nil, errors.New("run returned nothing: want a number or a table of named results")
		}
		return namedResults(results[0], t)
	}
}

// namedResults is what run returned, for a record.
func namedResults(v lua.LValue, t sweep.Task) (map[string]any, error) {
	plain, ok := plainValue(v)
	table, named := plain.(map[string]any)
	switch {
	case !ok:
		return nil, fmt.Errorf("run returned %s: want a number, or a table of named numbers, strings, booleans and lists; arrays have :table()", bind.Describe(v))
	case !named:
		if _, listed := plain.([]any); listed {
			return nil, errors.New("run returned a list: want a number or a table of named results")
		}
		return map[string]any{"value": plain}, nil
	}
	for name, v := range table {
		_, taken := t.Values[name]
		if _, number := v.(float64); name == "error" && number { // errors of estimates; that of run is text
			continue
		}
		if taken || slices.Contains(append(reserved(), "seed"), name) {
			return nil, fmt.Errorf("run returned the field %q, which rows have already; choose another name", name)
		}
	}
	return table, nil
}

// plainValue is a Lua value in a form that files keep. Kernels and constraints are
// the text that makes them.
func plainValue(v lua.LValue) (any, bool) {
	switch v := v.(type) {
	case lua.LNumber:
		return float64(v), true
	case lua.LString:
		return string(v), true
	case lua.LBool:
		return bool(v), true
	case *lua.LUserData:
		switch o := v.Value.(type) {
		case kernel.Kernel:
			return luaText(o), true
		case constraint.Constraint:
			return luaText(o), true
		}
	case *lua.LTable:
		return plainTable(v)
	}
	return nil, false
}

func plainTable(t *lua.LTable) (any, bool) {
	list, named, ok := []any{}, map[string]any{}, true
	t.ForEach(func(k, v lua.LValue) {
		plain, fits := plainValue(v)
		name, text := k.(lua.LString)
		n, number := k.(lua.LNumber)
		switch {
		case !fits:
			ok = false
		case text:
			named[string(name)] = plain
		case number && int(n) == len(list)+1:
			list = append(list, plain)
		default:
			ok = false
		}
	})
	switch {
	case !ok || len(list) > 0 && len(named) > 0:
		return nil, false
	case len(list) > 0:
		return list, true
	}
	return named, true
}

// luaValue is the Lua value of what plainValue made.
func luaValue(c *bind.Call, v any) lua.LValue {
	t := c.L.NewTable()
	switch v := v.(type) {
	case []any:
		for i, e := range v {
			t.RawSetInt(i+1, luaValue(c, e))
		}
	case map[string]any:
		for k, e := range v {
			t.RawSetString(k, luaValue(c, e))
		}
	default:
		return c.Lua(v)
	}
	return t
}

// sweepTable is the table of all rows; objects replace the texts of parameters.
func sweepTable(c *bind.Call, records []sweep.Record, objects []map[string]lua.LValue) bind.Any {
	rows := c.L.NewTable()
	for i, r := range records {
		row := c.L.NewTable()
		for _, fields := range []map[string]any{r.Values, r.Result} {
			for name, v := range fields {
				row.RawSetString(name, luaValue(c, v))
			}
		}
		if objects != nil {
			for name, v := range objects[i] {
				row.RawSetString(name, v)
			}
		}
		if row.RawGetString("seed") == lua.LNil {
			row.RawSetString("seed", lua.LNumber(r.Seed))
		}
		row.RawSetString("seconds", lua.LNumber(r.Seconds))
		if r.Err != nil {
			row.RawSetString("error", lua.LString(r.Err.Error()))
		}
		rows.Append(row)
	}
	return bind.Any{LValue: rows}
}

// digest tells a function, with what it uses, from others.
func digest(c *bind.Call, f *bind.Function) string {
	return trace.Digest(c.L, f.Value().(*lua.LFunction), func(w io.Writer, v any) {
		fmt.Fprintf(w, "%T %v", v, v)
		switch v := v.(type) {
		case *array.Array:
			fmt.Fprint(w, v.Shape, v.Data)
		case *dataset.Dataset:
			fmt.Fprint(w, v.Input.Data, v.Output.Data, v.InputMesh.Points(), v.OutputMesh.Points())
		case mesh.Mesh:
			fmt.Fprint(w, v.Points(), v.Weights())
		case *fit.Estimate:
			fmt.Fprint(w, v.Weights, v.BiasWeights)
		}
	})
}
