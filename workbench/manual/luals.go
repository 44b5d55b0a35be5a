package manual

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/greenbench/workbench/bindings"
	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/arrays"
)

// definitionsDir is the folder of the definition files, below that of the scripts.
const definitionsDir = "workbench-luals"

// WriteLuaLS writes what lua-language-server needs to complete and check the
// scripts in a directory, which is made when it is missing: definition files in
// the notation of LuaCATS, one for each module, in a folder of their own, and
// .luarc.json, which leads there. Settings in a .luarc.json that exists are kept.
func WriteLuaLS(reg *bind.Registry, dir string) error {
	if err := os.MkdirAll(filepath.Join(dir, definitionsDir), 0o777); err != nil {
		return fmt.Errorf("definitions: %w", err)
	}
	for name, text := range definitions(reg.Manual().Modules) {
		if err := writeFile(filepath.Join(dir, definitionsDir, name), []byte(text)); err != nil {
			return fmt.Errorf("definitions: %w", err)
		}
	}
	if err := writeLuarc(filepath.Join(dir, ".luarc.json")); err != nil {
		return fmt.Errorf("definitions: %w", err)
	}
	return nil
}

func writeFile(path string, content []byte) error {
	return arrays.WriteAtomic(path, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
}

// writeLuarc writes the settings, or adds the library to those that are there.
func writeLuarc(path string) error {
	settings := map[string]any{
		"$schema": "https://raw.githubusercontent.com/LuaLS/vscode-lua/master/setting/schema.json",
		// Lua 5.1 with goto and some of Lua 5.2.
		"runtime.version":           "LuaJIT",
		"runtime.builtin":           map[string]string{"bit": "disable", "ffi": "disable", "jit": "disable", "jit.profile": "disable", "jit.util": "disable", "string.buffer": "disable", "table.clear": "disable", "table.new": "disable"},
		"workspace.checkThirdParty": false,
	}
	switch old, err := os.ReadFile(path); {
	case err == nil:
		settings = nil
		if err := json.Unmarshal(old, &settings); err != nil {
			return fmt.Errorf("%s: is not plain JSON (%w): add %q to workspace.library in it", path, err, definitionsDir)
		}
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	library, _ := settings["workspace.library"].([]any)
	if !slices.Contains(library, any(definitionsDir)) {
		library = append(library, definitionsDir)
	}
	settings["workspace.library"] = library
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(settings); err != nil {
		return err
	}
	return writeFile(path, out.Bytes())
}

// definitions are the definition files by name.
func definitions(modules []bind.ModuleDoc) map[string]string {
	like := map[string]bool{}
	for _, m := range modules {
		for _, t := range m.Types {
			like[t.Name] = len(t.Accepts) > 0
		}
	}
	files := map[string]string{}
	for i := range modules {
		d := &definer{types: like}
		d.module(&modules[i])
		files[modules[i].Name+".lua"] = d.String()
	}
	if like["array"] {
		files["math.lua"] = mathDefinitions()
	}
	return files
}

// mathDefinitions lets the functions of Lua's math take arrays.
func mathDefinitions() string {
	var b strings.Builder
	b.WriteString("---@meta _\n")
	for _, name := range slices.Sorted(maps.Keys(bindings.MathOverloads())) {
		param := "x"
		if name == "max" || name == "min" {
			param = "..."
		}
		fmt.Fprintf(&b, "\n---Of an array: element by element.\n---@param %s array.Like\n---@return array\nfunction math.%s(%s) end\n", param, name, param)
	}
	return b.String()
}

// A definer writes the definition file of one module.
type definer struct {
	strings.Builder
	types map[string]bool // names of types; true if other values can stand for one
}

func (d *definer) line(format string, args ...any) {
	d.WriteString(strings.TrimRight(fmt.Sprintf(format, args...), " ") + "\n")
}

func (d *definer) module(m *bind.ModuleDoc) {
	if m.Global {
		d.line("---@meta _")
	} else {
		d.line("---@meta %s", m.Name)
	}
	for _, t := range m.Types {
		d.typ(t)
	}
	if !m.Global {
		d.line("")
		d.comment(m.Doc)
		d.line("---@class %s.module", m.Name)
		if m.Call != nil {
			d.line("---@overload %s", d.funType(*m.Call, ""))
		}
		d.line("%s = {}", m.Name)
	}
	for _, v := range m.Values {
		d.line("")
		d.comment(v.Doc)
		d.line("---@type %s", d.kind(v.Type, "", false))
		d.line("%s = nil", valueName(m, v))
	}
	for _, f := range m.Functions {
		d.function(f, f.FullName)
	}
	if !m.Global {
		d.line("\nreturn %s", m.Name)
	}
}

func (d *definer) typ(t bind.TypeDoc) {
	if d.types[t.Name] {
		d.line("\n---@alias %s.Like %s", t.Name, t.Name+"|"+strings.Join(t.Accepts, "|"))
	}
	d.line("")
	d.comment(t.Doc)
	d.line("---@class %s", t.Name)
	for _, p := range t.Properties {
		d.line("---@field %s %s %s", p.Name, d.kind(p.Type, "", false), oneLine(p.Doc))
	}
	for _, f := range t.Operators {
		d.operator(f)
	}
	methods := "local " + t.Name + "_methods"
	d.line("%s = {}", methods)
	for _, f := range t.Methods {
		d.function(f, t.Name+"_methods:"+f.Name)
	}
}

// operator writes the line of a class for an operator; LuaCATS knows none for
// comparisons.
func (d *definer) operator(f bind.FuncDoc) {
	result := "any"
	if len(f.Returns) > 0 {
		result = d.kind(f.Returns[0].Type, "", false)
	}
	event := strings.TrimPrefix(f.Name, "__")
	switch event {
	case "call":
		d.line("---@overload %s", d.funType(f, ""))
	case "index":
		d.line("---@field [%s] %s %s", d.kind(f.Params[0].Type, "", false), result, oneLine(f.Summary))
	case "unm", "len":
		d.line("---@operator %s: %s", event, result)
	case "add", "sub", "mul", "div", "mod", "pow", "concat":
		d.line("---@operator %s(%s): %s", event, d.kind(f.Params[1].Type, "", true), result)
	}
}

// comment writes documentation, which editors show as Markdown.
func (d *definer) comment(text string) {
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		d.line("---%s", line)
	}
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
