package stdlib

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/workbench/chunk"
)

// Load compiles a source text into a function, and remembers the text for messages. The name is what messages show: a
// path, "stdin". The error is a *chunk.SyntaxError.
func (lib *Library) Load(L *lua.LState, name string, src []byte) (*lua.LFunction, error) {
	proto, err := chunk.Compile(name, src)
	if err != nil {
		return nil, err
	}
	return lib.install(L, name, src, proto), nil
}

// LoadInput is Load for what was typed at a prompt: expressions, whose values the function returns, or statements.
func (lib *Library) LoadInput(L *lua.LState, name string, src []byte) (*lua.LFunction, error) {
	proto, err := chunk.Expression(name, src)
	if err != nil {
		return nil, err
	}
	return lib.install(L, name, src, proto), nil
}

// LoadTree is Load for a tree that was parsed before; it uses the tree up.
func (lib *Library) LoadTree(L *lua.LState, tree *chunk.Tree) (*lua.LFunction, error) {
	proto, err := tree.Compile()
	if err != nil {
		return nil, err
	}
	return lib.install(L, tree.Name, []byte(tree.Source), proto), nil
}

func (lib *Library) install(L *lua.LState, name string, src []byte, proto *lua.FunctionProto) *lua.LFunction {
	lib.remember(name, src)
	return L.NewFunctionFromProto(proto)
}

// displayName returns how messages show the name a script gives a chunk: "@file" and "=name" stand for themselves, any
// other is source text.
func displayName(name string) string {
	if name != "" && (name[0] == '@' || name[0] == '=') {
		return name[1:]
	}
	line, _, more := strings.Cut(name, "\n")
	if runes := []rune(line); len(runes) > 40 {
		line, more = string(runes[:40]), true
	}
	if more {
		line += "..."
	}
	return `[string "` + line + `"]`
}

// loadText is the common part of load and loadstring: a function, or nil and a message.
func (c call) loadText(src, name, mode string, environment lua.LValue) int {
	if strings.HasPrefix(src, "\x1b") || !strings.Contains(mode, "t") {
		return c.push(lua.LNil, lua.LString("attempt to load a chunk that is not Lua source text"))
	}
	fn, err := c.lib.Load(c.LState, displayName(name), []byte(src))
	if err != nil {
		return c.push(lua.LNil, lua.LString(err.Error()))
	}
	if env, ok := environment.(*lua.LTable); ok {
		fn.Env = env
	}
	return c.push(fn)
}

// load (text or reader [, name [, mode [, environment]]])
func load(c call) int {
	mode := c.textOr(3, "bt")
	if text, ok := c.Get(1).(lua.LString); ok {
		return c.loadText(string(text), c.textOr(2, string(text)), mode, c.Get(4))
	}
	reader, name := c.function(1), c.textOr(2, "=(load)")
	var text strings.Builder
	for {
		piece, fault := c.piece(reader)
		if fault != nil {
			return c.push(lua.LNil, fault.Value)
		}
		if piece == lua.LNil || piece == lua.LString("") {
			return c.loadText(text.String(), name, mode, c.Get(4))
		}
		s, ok := piece.(lua.LString)
		if !ok {
			return c.push(lua.LNil, lua.LString("reader function must return a string"))
		}
		c.checkLength(float64(text.Len() + len(s)))
		text.WriteString(string(s))
	}
}

// piece calls a reader of load once. What it raises ends the loading, not the script.
func (c call) piece(reader lua.LValue) (lua.LValue, *Fault) {
	w := c.lib.worker(c.LState)
	w.outer = c.lib.enter(c.LState)
	w.Push(reader)
	if fault := c.attempt(w, func(f *Fault) { c.lib.improve(w.LState, f) }); fault != nil {
		return nil, fault
	}
	defer w.release()
	return w.Get(1), nil
}

func loadString(c call) int {
	text := c.text(1)
	return c.loadText(text, c.textOr(2, text), "t", lua.LNil)
}

// readSource reads a file of source text; without a name, the standard input.
func (c call) readSource(i int) (name string, src []byte, err error) {
	if !c.has(i) {
		src, err = io.ReadAll(c.lib.options.In)
		return "stdin", src, err
	}
	name = c.text(i)
	if err := c.lib.checkPath(name); err != nil {
		return name, nil, err
	}
	src, err = c.lib.readFile(name)
	if err != nil {
		err = fmt.Errorf("cannot open %s", pathError(err))
	}
	return name, src, err
}

// pathError says what went wrong with a file, without the name of the system call.
func pathError(err error) string {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Path + ": " + p.Err.Error()
	}
	var l *os.LinkError
	if errors.As(err, &l) {
		return l.Old + ": " + l.Err.Error()
	}
	return err.Error()
}

// loadFile ([path [, mode [, environment]]])
func loadFile(c call) int {
	name, src, err := c.readSource(1)
	c.checkRun()
	if err != nil {
		return c.push(lua.LNil, lua.LString(err.Error()))
	}
	fn, err := c.lib.Load(c.LState, name, src)
	if err != nil {
		return c.push(lua.LNil, lua.LString(err.Error()))
	}
	if env, ok := c.Get(3).(*lua.LTable); ok {
		fn.Env = env
	}
	return c.push(fn)
}

func doFile(c call) int {
	name, src, err := c.readSource(1)
	if err != nil {
		c.refuse("%v", err)
	}
	fn, err := c.lib.Load(c.LState, name, src)
	if err != nil {
		raise(c.LState, lua.LString(err.Error()), err)
	}
	c.SetTop(0)
	c.Push(fn)
	c.Call(0, lua.MultRet)
	return c.GetTop()
}

// checkPath refuses, in safe mode, files outside the folder of the script.
func (lib *Library) checkPath(name string) error {
	if !lib.options.Safe {
		return nil
	}
	dir := lib.options.Dir
	if dir == "" {
		dir = "."
	}
	root, err1 := filepath.Abs(dir)
	path, err2 := filepath.Abs(name)
	if err1 == nil && err2 == nil {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			path = real
		}
		if real, err := filepath.EvalSymlinks(root); err == nil {
			root = real
		}
		if relative, err := filepath.Rel(root, path); err == nil && filepath.IsLocal(relative) {
			return nil
		}
	}
	return fmt.Errorf("%s: outside the folder of the script, which safe mode does not allow", name)
}
