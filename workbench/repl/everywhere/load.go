package everywhere

import (
	"archive/zip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/workbench/chunk"
)

func (d *Desk) loadSession() bind.Func {
	return bind.Fn("load_session", "Bring back the variables that save_session wrote. Variables of the same name are replaced. The file contains code: load only what you trust.",
		func(c *bind.Call, a *struct {
			File string `arg:"file" pos:"1" doc:"written by save_session"`
		},
		) (bind.None, error) {
			if err := d.allowed(); err != nil {
				return bind.None{}, err
			}
			n, err := d.load(c, a.File)
			if err != nil {
				return bind.None{}, fmt.Errorf("%s: %w", a.File, err)
			}
			fmt.Fprintf(c.Out, "%s: %d variables\n", a.File, n)
			return bind.None{}, nil
		},
		bind.Errors("the file is no session, or was written by a newer version"),
		bind.See("save_session"), bind.Example(`path = os.tmpname()
x = {1, 2}
save_session(path)
x = nil
load_session(path)
os.remove(path)

print(#x)  --> 2`))
}

// load runs the script of a session file and returns how many variables it
// makes.
func (d *Desk) load(c *bind.Call, file string) (int, error) {
	archive, err := arrays.OpenRegular(file)
	if err != nil {
		return 0, err
	}
	defer archive.Close()
	info, err := archive.Stat()
	if err != nil {
		return 0, err
	}
	z, err := zip.NewReader(archive, info.Size())
	if err != nil {
		if errors.Is(err, zip.ErrFormat) {
			return 0, errors.New("not a session file")
		}
		return 0, err
	}
	var m manifest
	text, err := entry(z, "manifest.json")
	if err == nil {
		err = json.Unmarshal(text, &m)
	}
	switch {
	case err != nil:
		return 0, fmt.Errorf("not a session file: %w", err)
	case m.Format != sessionFormat:
		return 0, fmt.Errorf("format %d: this version reads format %d", m.Format, sessionFormat)
	case len(m.Objects) != len(m.Loaders):
		return 0, errors.New("damaged: objects and loaders differ in number")
	}
	script, err := entry(z, "session.lua")
	if err != nil {
		return 0, fmt.Errorf("damaged: %w", err)
	}
	dir, err := os.MkdirTemp("", "session")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	made := map[lua.LValue]bool{}
	env := environment(c, func(L *lua.LState) int {
		v, err := readObject(c, z, m, dir, L.CheckInt(1))
		if err != nil {
			L.RaiseError("%v", err)
		}
		L.Push(v)
		return 1
	}, made)
	_, err = d.run(c, file, script, env)
	return len(made), err
}

// environment gives the script the globals and the function object, and notes
// what it assigns.
func environment(c *bind.Call, object lua.LGFunction, made map[lua.LValue]bool) *lua.LTable {
	env, mt := c.L.NewTable(), c.L.NewTable()
	globals, fn := c.L.G.Global, c.L.NewFunction(object)
	mt.RawSetString("__index", c.L.NewFunction(func(L *lua.LState) int {
		if L.Get(2) == lua.LString("object") {
			L.Push(fn)
		} else {
			L.Push(globals.RawGet(L.Get(2)))
		}
		return 1
	}))
	mt.RawSetString("__newindex", c.L.NewFunction(func(L *lua.LState) int {
		v := L.Get(3)
		if f, ok := v.(*lua.LFunction); ok && !f.IsG {
			f.Env = globals
		}
		made[L.Get(2)] = true
		globals.RawSet(L.Get(2), v)
		return 0
	}))
	env.Metatable = mt
	return env
}

func readObject(c *bind.Call, z *zip.Reader, m manifest, dir string, i int) (lua.LValue, error) {
	if i < 1 || i > len(m.Objects) {
		return nil, fmt.Errorf("damaged: object %d of %d", i, len(m.Objects))
	}
	name := filepath.Base(filepath.FromSlash(m.Objects[i-1]))
	data, err := entry(z, "objects/"+name)
	if err != nil {
		return nil, fmt.Errorf("damaged: %w", err)
	}
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		return nil, err
	}
	load, err := bind.Decode[bind.Function](c, LookUp(c.L, m.Loaders[i-1]))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.Loaders[i-1], err)
	}
	values, err := load.Call(c, path)
	if err != nil || len(values) == 0 {
		return lua.LNil, err
	}
	return values[0], nil
}

func entry(z *zip.Reader, name string) ([]byte, error) {
	f, err := z.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// function is the statement that defined a function, cut out of the text it
// was typed in. A function that uses locals around it cannot be cut out.
func (s *saver) function(name string, f *lua.LFunction) (string, error) {
	if f.IsG || f.Proto == nil {
		return "", errors.New("a built-in function")
	}
	file := strings.TrimLeft(f.Proto.SourceName, "@=")
	if f.Proto.NumUpvalues > 0 {
		return "", fmt.Errorf("a function that uses local variables of %s", file)
	}
	src, ok := "", false
	if s.desk.Source != nil {
		src, ok = s.desk.Source(file)
	}
	if !ok {
		if data, err := arrays.ReadRegular(file); err == nil {
			src, ok = string(data), true
		}
	}
	if !ok {
		return "", fmt.Errorf("a function whose text, %s:%d, is not at hand", file, f.Proto.LineDefined)
	}
	tree, err := chunk.Parse(file, []byte(src))
	if err != nil {
		return "", err
	}
	for _, st := range tree.Block {
		body := definition(st, name)
		if body == nil || body.Line() != f.Proto.LineDefined {
			continue
		}
		if span, ok := tree.Span(st); ok {
			text := src[span.Start:span.End]
			return strings.TrimSpace(strings.TrimPrefix(text, "local")), nil
		}
	}
	return "", fmt.Errorf("a function whose definition in %s:%d does not stand alone", file, f.Proto.LineDefined)
}

// definition is the function that a statement, and nothing else, gives a name.
func definition(st ast.Stmt, name string) *ast.FunctionExpr {
	var body ast.Expr
	switch st := st.(type) {
	case *ast.FuncDefStmt:
		if id, ok := st.Name.Func.(*ast.IdentExpr); ok && id.Value == name {
			return st.Func
		}
	case *ast.LocalAssignStmt:
		if len(st.Names) == 1 && st.Names[0] == name && len(st.Exprs) == 1 {
			body = st.Exprs[0]
		}
	case *ast.AssignStmt:
		if len(st.Lhs) == 1 && len(st.Rhs) == 1 {
			if id, ok := st.Lhs[0].(*ast.IdentExpr); ok && id.Value == name {
				body = st.Rhs[0]
			}
		}
	}
	f, _ := body.(*ast.FunctionExpr)
	return f
}
