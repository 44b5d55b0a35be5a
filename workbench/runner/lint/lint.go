// Package lint finds, before a script runs, what would stop it later: names
// that exist nowhere, functions a module does not have, misspelt and missing
// arguments of bound functions. What it knows of the workbench comes from the
// declarations, so it needs no care when functions are added.
//
// A Finding is Definite when the line, if it is reached, raises an error. The
// others are suspicions: a script that makes globals in ways that cannot be
// seen (load, setfenv, a metatable for _G) has only suspicions. A suspicion is
// Telling when it is worth a note before the script runs.
package lint

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/sorting"
	"github.com/greenbench/workbench/workbench/chunk"
)

// A Finding is one thing that is wrong in a script.
type Finding struct {
	File         string
	Line, Column int // from 1, columns in characters; column 0 when it is not known
	Message      string
	Definite     bool
	Telling      bool   // not Definite, but probably a slip
	Silent       bool   // Telling, and nothing will ever fail: a condition that is always true, or always false
	Undefined    string // the global that nothing sets, if that is what is wrong
}

// String is "file:line:column: message".
func (f Finding) String() string {
	if f.Column == 0 {
		return fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Message)
	}
	return fmt.Sprintf("%s:%d:%d: %s", f.File, f.Line, f.Column, f.Message)
}

// World is what a script finds when it starts.
type World struct {
	state   *lua.LState
	globals map[string]lua.LValue
	modules map[string]bind.ModuleDoc
	pages   map[string]bind.FuncDoc
	methods map[string][]bind.FuncDoc // of all types, by name
	// properties are the kinds of those of all types, as of "array.shape".
	properties map[string]string
	live       func(global string) string // the kind of a variable that is there; nil where none is
	read       func(path string) ([]byte, error)
}

// NewWorld describes a Lua state in which the registry is open. read gives the
// text of files that the script loads, os.ReadFile mostly.
func NewWorld(L *lua.LState, reg *bind.Registry, read func(string) ([]byte, error)) *World {
	w := &World{
		state: L, globals: map[string]lua.LValue{}, modules: map[string]bind.ModuleDoc{},
		pages: map[string]bind.FuncDoc{}, methods: map[string][]bind.FuncDoc{}, properties: map[string]string{}, read: read,
	}
	L.G.Global.ForEach(func(k, v lua.LValue) {
		if name, ok := k.(lua.LString); ok {
			w.globals[string(name)] = v
		}
	})
	for _, m := range reg.Manual().Modules {
		if !m.Global {
			w.modules[m.Name] = m
		}
		if m.Call != nil {
			w.pages[m.Name] = *m.Call
		}
		for _, f := range m.Functions {
			w.pages[f.FullName] = f
		}
		for _, t := range m.Types {
			for _, v := range t.Properties {
				w.properties[t.Name+"."+v.Name] = v.Type
			}
			for _, f := range t.Methods {
				w.methods[f.Name] = append(w.methods[f.Name], f)
			}
		}
	}
	return w
}

// isModule says whether a global of that name is a module, of the workbench or
// of Lua.
func (w *World) isModule(name string) bool {
	_, known := w.modules[name]
	_, table := w.globals[name].(*lua.LTable)
	return known || table && name != "_G" && name != "arg"
}

// Check examines one script. A source that does not parse has no findings:
// loading it tells more.
func (w *World) Check(file, src string) []Finding {
	tree, err := chunk.Parse(file, []byte(src))
	if err != nil {
		return nil
	}
	return w.examine(file, tree)
}

func (w *World) examine(file string, tree *chunk.Tree) []Finding {
	s := newSurvey(w, filepath.Dir(file))
	s.file(tree.Block)
	c := &checker{world: w, survey: s, file: file, tree: tree, reported: map[string]bool{}, called: map[*ast.IdentExpr]bool{}, used: map[*ast.IdentExpr]bool{}, kinds: map[ast.Expr]string{}, globals: map[string]string{}}
	walk(tree.Block, nil, visitor{stmt: c.stmt, expr: c.expr})
	failing := map[string]bool{}
	for _, f := range c.findings {
		failing[f.Message] = failing[f.Message] || f.Definite
	}
	c.findings = slices.DeleteFunc(c.findings, func(f Finding) bool { return !f.Definite && failing[f.Message] })
	sorting.By(c.findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return c.findings
}

// Silent lists what never fails in an input of the prompt, statements or an expression, but is not what was meant.
// live is the type of a global variable that the session has, in the words of errors.
func (w *World) Silent(input string, live func(global string) string) (notes []string) {
	tree, err := chunk.ParseInput("input", []byte(input))
	if err != nil {
		return nil
	}
	session := *w
	session.live = live
	for _, f := range session.examine("input", tree) {
		if f.Silent {
			notes = append(notes, f.Message)
		}
	}
	return notes
}

// A survey is what the script as a whole, and the files it loads, do with
// globals.
type survey struct {
	world      *World
	dir        string
	assigned   map[string]bool // globals that get a value somewhere
	again      map[string]bool // of these, those that get one at several places
	reassigned map[string]bool // locals that get another value than their first
	tested     map[string]bool // globals that are asked whether they exist
	fields     map[string]bool // names of fields and methods that are made
	dynamic    bool            // globals may appear in ways that cannot be seen
	seen       map[string]bool // files
}

func newSurvey(w *World, dir string) *survey {
	return &survey{
		world: w, dir: dir, assigned: map[string]bool{}, again: map[string]bool{}, reassigned: map[string]bool{},
		tested: map[string]bool{}, fields: map[string]bool{}, seen: map[string]bool{},
	}
}

// load surveys a file that the script loads; false if it cannot be read.
func (s *survey) load(paths ...string) bool {
	for _, p := range paths {
		if s.seen[p] {
			return true
		}
		src, err := s.world.read(p)
		if err != nil {
			continue
		}
		s.seen[p] = true
		tree, err := chunk.Parse(p, src)
		if err != nil {
			return false
		}
		s.file(tree.Block)
		return true
	}
	return false
}

// required are the files that a module name may stand for.
func (s *survey) required(name string) []string {
	path := filepath.FromSlash(strings.ReplaceAll(name, ".", "/"))
	var out []string
	for _, dir := range []string{".", s.dir, filepath.Join(s.dir, "lua"), "lua"} {
		out = append(out, filepath.Join(dir, path+".lua"), filepath.Join(dir, path, "init.lua"))
	}
	return out
}

// ReadFile is os.ReadFile, refusing what is no script by its size.
func ReadFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: not a regular file", path) // whoever runs it reads it, which may be possible only once
	}
	if info.Size() > 16<<20 {
		return nil, fmt.Errorf("%s: too large for a script", path)
	}
	return os.ReadFile(path)
}
