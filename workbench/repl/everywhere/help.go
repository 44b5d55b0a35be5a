package everywhere

import (
	"fmt"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/syntax"
)

func (d *Desk) help() bind.Func {
	return bind.Fn("help", "Show the help page of a function, module, value or name. Without an argument, how to find help.",
		func(c *bind.Call, a *struct {
			What bind.Any `arg:"what" pos:"1" doc:"a name (\"kernel.matern\"), or the thing itself" default:"nil"`
		},
		) (bind.None, error) {
			if a.What.IsNil() {
				return bind.None{}, d.page(c, d.Overview())
			}
			name, text := d.name(c.L, a.What.LValue), ""
			if _, isName := a.What.LValue.(lua.LString); isName {
				text, _ = d.Variable(c.L, name)
			}
			if name != "" && text == "" {
				text, _ = d.Help(name)
			}
			if text == "" {
				text = d.Answer(c.L, a.What.LValue, name)
			}
			return bind.None{}, d.page(c, text)
		},
		bind.Example(`help("seed")`), bind.Example(`help(math)`), bind.See("doc", "search"))
}

func (d *Desk) doc() bind.Func {
	return bind.Fn("doc", "Show a guide, or a module with the pages of all its functions. Without an argument, the table of contents.",
		func(c *bind.Call, a *struct {
			Module string `arg:"module" pos:"1" doc:"name of a guide or a module" default:""`
		},
		) (bind.None, error) {
			text, err := d.Manual(a.Module)
			if err != nil {
				return bind.None{}, err
			}
			return bind.None{}, d.page(c, text)
		},
		bind.Example(`doc()`), bind.See("help", "search"))
}

func (d *Desk) search() bind.Func {
	return bind.Fn("search", "List the functions, types and modules whose name or description holds all the words of a text.",
		func(c *bind.Call, a *struct {
			Text string `arg:"text" pos:"1" doc:"words to look for"`
		},
		) (bind.None, error) {
			return bind.None{}, d.page(c, d.Search(a.Text))
		},
		bind.Keywords("apropos", "lookfor"), bind.Example(`search("random numbers")`), bind.See("help", "doc"))
}

// name is what help knows a value by: a string is a name already.
func (d *Desk) name(L *lua.LState, v lua.LValue) string {
	if s, ok := v.(lua.LString); ok {
		return strings.TrimSpace(string(s))
	}
	name, _ := d.Registry.Name(L, v)
	return name
}

// Help is the page of a name; operators and keywords of Lua have one, too.
func (d *Desk) Help(name string) (string, bool) {
	name = strings.ReplaceAll(strings.TrimSuffix(name, "()"), " ", "")
	if text, ok := d.Registry.Page(name, d.width()); ok && name != "" {
		return text, true
	}
	if text, ok := topic(name); ok {
		return text, true
	}
	return "", false
}

// Variable is the page of what a variable of the user holds, a.b for a field of
// one: help on d is about the dataset in d, not about the method d of something
// else. The names of modules stay those of the modules.
func (d *Desk) Variable(L *lua.LState, name string) (string, bool) {
	first, _, _ := strings.Cut(name, ".")
	if bind.Hidden(L, first) != nil {
		page, _ := d.Help(name)
		return "Note: " + bind.Overwritten(first) + "\n\n" + page, page != ""
	}
	v := LookUp(L, name)
	if v == lua.LNil || !d.Own(first, L.G.Global.RawGetString(first)) && !strings.HasPrefix(first, "_") {
		return "", false
	}
	page := d.Answer(L, v, "")
	if _, isFunction := v.(*lua.LFunction); !isFunction {
		page = fmt.Sprintf("%s = %s\n\n%s", name, d.preview(L, v), page)
	}
	return page, true
}

// Answer is what help says about a value: the page of its type or function, or
// what it is; or what was probably meant by a string.
func (d *Desk) Answer(L *lua.LState, v lua.LValue, name string) string {
	if text, isString := v.(lua.LString); isString && name != "" {
		if g := LookUp(L, name); g != lua.LNil {
			return d.Answer(L, g, "")
		}
		return fmt.Sprintf("No help for '%s'%s.\n%s", clip(string(text), maxQuoted), strings.TrimSuffix(bind.DidYouMean(name, d.names()), "?"), d.Search(name))
	}
	if _, isString := v.(lua.LString); !isString {
		if known := d.name(L, v); known != "" {
			if page, ok := d.Help(known); ok {
				return page
			}
		}
	}
	switch v := v.(type) {
	case *lua.LFunction:
		if text, ok := d.Definition(v); ok {
			return text
		}
		return "A function of Lua's own library: https://www.lua.org/manual/5.1/\n"
	case *lua.LTable:
		return fmt.Sprintf("A table with %d entries.\n", count(v))
	}
	return fmt.Sprintf("A %s.\n", v.Type())
}

// LookUp finds a.b or a:b among the globals, without running metamethods.
func LookUp(L *lua.LState, path string) lua.LValue {
	var v lua.LValue = L.G.Global
	for part := range strings.SplitSeq(strings.ReplaceAll(path, ":", "."), ".") {
		t, ok := v.(*lua.LTable)
		if !ok {
			return lua.LNil
		}
		v = t.RawGetString(part)
	}
	return v
}

func count(t *lua.LTable) (n int) {
	t.ForEach(func(_, _ lua.LValue) { n++ })
	return n
}

func (d *Desk) names() (names []string) {
	for f := range d.Registry.Functions() {
		names = append(names, f.FullName, f.Name)
	}
	for m := range d.Registry.Modules() {
		names = append(names, m.Name)
	}
	return names
}

// Search lists what holds all the words of a text; a * in it stands for
// anything.
func (d *Desk) Search(text string) string {
	words := strings.Fields(strings.ReplaceAll(text, "*", " "))
	matches := d.Registry.Search(strings.Join(words, " "))
	if len(matches) == 0 {
		return fmt.Sprintf("Nothing about '%s'; help() lists the modules.\n", clip(strings.Join(words, " "), maxQuoted))
	}
	if len(matches) > 40 {
		matches = matches[:40]
	}
	width := 0
	for _, m := range matches {
		width = max(width, len(m.Name))
	}
	var b strings.Builder
	for _, m := range matches {
		b.WriteString(clip(fmt.Sprintf("%-*s  %s", min(width, 28), m.Name, m.Summary), d.width()) + "\n")
	}
	return b.String()
}

// maxQuoted is how much of a text that was asked for is repeated.
const maxQuoted = 60

// clip cuts a line to a width in characters.
func clip(s string, width int) string {
	r := []rune(s)
	if len(r) <= width {
		return s
	}
	return string(r[:width-1]) + "…"
}

// Overview is help().
func (d *Desk) Overview() string {
	modules, _ := d.Registry.Page("", d.width())
	return "Modules\n" + modules + `
Help
  ?kernel.matern   the page of a function; kernel.matern? and help(kernel.matern) do the same
  ??name           where it is defined, with its source if it is Lua
  ?*pattern*       search; also search("words")
  doc("kernel")    a whole module
At the prompt
  Tab completes names, arguments and files; the arrow keys recall, Ctrl-R searches
  _ is the last result, _2 the one before; a ; at the end keeps it off the screen
  Ctrl-C interrupts, Ctrl-D leaves
  who()  time(f)  bench(f)  save_session("file")  demo()
`
}

// Manual is the text of doc.
func (d *Desk) Manual(module string) (string, error) {
	if d.Book != nil && !d.isModule(module) {
		if text, ok := d.Book(module, d.width()); ok {
			return text, nil
		}
	}
	var names []string
	for _, m := range d.Registry.Manual().Modules {
		names = append(names, m.Name)
		if m.Name != module {
			continue
		}
		var b strings.Builder
		page, _ := d.Registry.Page(module, d.width())
		b.WriteString(page)
		pages := m.Functions
		if m.Call != nil {
			pages = append([]bind.FuncDoc{*m.Call}, pages...)
		}
		for _, t := range m.Types {
			pages = append(pages, t.Methods...)
		}
		for _, f := range pages {
			if page, ok := d.Registry.Page(f.FullName, d.width()); ok && f.FullName != module {
				b.WriteString("\n" + strings.Repeat("─", min(d.width(), 72)) + "\n" + page)
			}
		}
		return b.String(), nil
	}
	if module != "" {
		if text, ok := d.Help(module); ok {
			return text, nil
		}
		return "", fmt.Errorf("no module '%s'%s", clip(module, maxQuoted), bind.DidYouMean(module, names))
	}
	var b strings.Builder
	for _, m := range d.Registry.Manual().Modules {
		fmt.Fprintf(&b, "%s: %s\n", m.Name, m.Summary)
		for _, f := range m.Functions {
			b.WriteString(clip("  "+f.Signature, d.width()) + "\n")
		}
		for _, t := range m.Types {
			for _, f := range t.Methods {
				b.WriteString(clip("  "+f.Signature, d.width()) + "\n")
			}
		}
	}
	b.WriteString("\ndoc(\"kernel\") shows all pages of a module.\n")
	return b.String(), nil
}

func (d *Desk) isModule(name string) bool {
	for m := range d.Registry.Modules() {
		if m.Name == name {
			return true
		}
	}
	return false
}

// Definition is where a Lua function was written, with its text.
func (d *Desk) Definition(f *lua.LFunction) (string, bool) {
	if f.IsG || f.Proto == nil {
		return "", false
	}
	file := strings.TrimLeft(f.Proto.SourceName, "@=")
	head := fmt.Sprintf("%s:%d\n", file, f.Proto.LineDefined)
	if d.Source == nil {
		return head, true
	}
	src, ok := d.Source(file)
	lines := strings.Split(src, "\n")
	first, last := f.Proto.LineDefined, f.Proto.LastLineDefined
	if !ok || first < 1 || last > len(lines) || first > last {
		return head, true
	}
	return head + strings.Join(lines[first-1:last], "\n") + "\n", true
}

// topic explains words of Lua itself.
func topic(word string) (string, bool) {
	if text, ok := topics()[word]; ok {
		return text + "\n", true
	}
	if syntax.IsKeyword(word) {
		return fmt.Sprintf("%s is a word of Lua: https://www.lua.org/manual/5.1/manual.html#2.4\n", word), true
	}
	return "", false
}

func topics() map[string]string {
	return map[string]string{
		"for":      "for i = 1, n do … end\nfor i = n, 1, -1 do … end\nfor k, v in pairs(t) do … end",
		"while":    "while condition do … end",
		"repeat":   "repeat … until condition",
		"if":       "if a then … elseif b then … else … end",
		"function": "function name(a, b, ...) … return x, y end\nlocal function name() … end\nfunction(a) return a end",
		"local":    "local a, b = 1, 2\nAt the prompt, locals of the outermost level stay for the next lines.",
		"goto":     "goto name … ::name::",
		"..":       "a .. b joins strings and numbers.",
		"#":        "#t is the length of a list or a string, the first axis of an array.",
		"~=":       "a ~= b: not equal.",
	}
}
