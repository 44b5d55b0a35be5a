// Package show writes Lua values for a person who looks at a terminal: tables
// with their contents, strings in tables quoted, values of the workbench as
// they describe themselves, and nothing that scrolls off the screen.
package show

import (
	"fmt"
	"strings"
	"unicode/utf8"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/syntax"
	"github.com/greenbench/workbench/workbench/repl/terminal"
)

// A Printer shows values. The functions must be set; the zero limits of a
// literal Printer mean no limit.
type Printer struct {
	Width int  // columns to lay out tables in; 0: one entry per line where nested
	Rows  int  // fold what has more lines; 0: never
	Depth int  // of nested tables shown; 0: all
	Items int  // of one table shown; 0: all
	Long  bool // numbers of arrays have all their digits
	Paint terminal.Painter

	Number   func(float64) string                // as print writes it
	Describe func(lua.LValue) string             // tostring, with metamethods, guarded
	Function func(*lua.LFunction) (string, bool) // the signature of a bound function
}

// Value shows one value; strings are shown as they are.
func (p *Printer) Value(v lua.LValue) string {
	if s, ok := v.(lua.LString); ok {
		return p.Fold(string(s))
	}
	w := writer{Printer: p, seen: map[*lua.LTable]bool{}}
	return p.Fold(w.value(v, 0, 0))
}

// Values shows several results, side by side if all are short, otherwise
// below one another.
func (p *Printer) Values(vs []lua.LValue) string {
	parts := make([]string, len(vs))
	length, lines := 0, false
	for i, v := range vs {
		parts[i] = p.Value(v)
		length += visible(parts[i]) + 4
		lines = lines || strings.Contains(parts[i], "\n")
	}
	if lines || p.Width > 0 && length > p.Width {
		return strings.Join(parts, "\n")
	}
	return strings.Join(parts, "    ")
}

// Fold leaves out the middle of a text that would not fit on the screen.
func (p *Printer) Fold(s string) string {
	if p.Rows <= 0 {
		return s
	}
	s = strings.TrimRight(s, "\n")
	lines := strings.Split(s, "\n")
	limit := max(p.Rows-3, 8) // the input, the prompt and the note stay visible
	if len(lines) <= limit {
		return s
	}
	tail := limit / 4
	head := limit - tail
	note := fmt.Sprintf("⋮ %d more lines: print(_) shows all", len(lines)-limit)
	out := append([]string{}, lines[:head]...)
	out = append(out, p.Paint.Paint(terminal.Dim, note))
	return strings.Join(append(out, lines[len(lines)-tail:]...), "\n")
}

// visible is the number of columns a text takes.
func visible(s string) int { return utf8.RuneCountInString(terminal.Strip(s)) }

type writer struct {
	*Printer
	seen map[*lua.LTable]bool // tables around the one being shown
}

// value shows a value that begins in column at, in a table depth levels deep.
func (w *writer) value(v lua.LValue, depth, at int) string {
	switch v := v.(type) {
	case lua.LNumber:
		return w.Paint.Paint(terminal.Number, w.Number(float64(v)))
	case lua.LString:
		return w.Paint.Paint(terminal.Text, syntax.Quote(string(v)))
	case lua.LBool, *lua.LNilType:
		return w.Paint.Paint(terminal.Keyword, v.String())
	case *lua.LFunction:
		return w.function(v)
	case *lua.LTable:
		if mt, ok := v.Metatable.(*lua.LTable); !ok || mt.RawGetString("__tostring") == lua.LNil {
			return w.table(v, depth, at)
		}
	}
	if u, ok := v.(*lua.LUserData); ok && depth == 0 && w.Width > 0 {
		if f, ok := u.Value.(longFormatter); ok && w.Long {
			return f.FormatLong(w.Width)
		}
		if f, ok := u.Value.(formatter); ok {
			return f.Format(w.Width)
		}
	}
	text := w.Describe(v)
	if depth > 0 && strings.Contains(text, "\n") { // in a table, the first line has to do
		text, _, _ = strings.Cut(text, "\n")
		text += " …"
	}
	return text
}

// A formatter lays itself out in a number of columns, as arrays do.
type formatter interface{ Format(width int) string }

// A longFormatter can show all digits as well.
type longFormatter interface{ FormatLong(width int) string }

func (w *writer) function(f *lua.LFunction) string {
	if sig, ok := w.Function(f); ok {
		return "function " + sig
	}
	if f.IsG || f.Proto == nil {
		return "function (built in)"
	}
	return fmt.Sprintf("function (%s:%d)", strings.TrimLeft(f.Proto.SourceName, "@="), f.Proto.LineDefined)
}

func (w *writer) table(t *lua.LTable, depth, at int) string {
	switch {
	case w.seen[t]:
		return "{…} (the table itself)"
	case w.Depth > 0 && depth >= w.Depth:
		if k, _ := t.Next(lua.LNil); k == lua.LNil {
			return "{}"
		}
		return "{…}"
	}
	w.seen[t] = true
	defer delete(w.seen, t)
	items, more := w.items(t, depth, at+2)
	if len(items) == 0 {
		return "{}"
	}
	if more > 0 {
		items = append(items, w.Paint.Paint(terminal.Dim, fmt.Sprintf("… %d more", more)))
	}
	line := "{" + strings.Join(items, ", ") + "}"
	if w.Width > 0 && at+visible(line) <= w.Width && !strings.Contains(line, "\n") {
		return line
	}
	if depth == 0 {
		if text, ok := w.records(t); ok {
			return text
		}
	}
	return "{\n" + w.layout(items, at+2) + strings.Repeat(" ", at) + "}"
}

// items shows the entries: the array part first, in order, then the others in
// the order they were made. more counts those that are left out.
func (w *writer) items(t *lua.LTable, depth, at int) (items []string, more int) {
	n := t.Len()
	add := func(prefix string, v lua.LValue) {
		if w.Items > 0 && len(items) >= w.Items {
			more++
			return
		}
		items = append(items, prefix+w.value(v, depth+1, at+visible(prefix)))
	}
	for i := 1; i <= n; i++ {
		add("", t.RawGetInt(i))
	}
	for k, v := t.Next(lua.LNil); k != lua.LNil; k, v = t.Next(k) {
		if i, ok := k.(lua.LNumber); ok && i >= 1 && int(i) <= n && i == lua.LNumber(int(i)) {
			continue
		}
		add(w.key(k)+" = ", v)
	}
	return items, more
}

func (w *writer) key(k lua.LValue) string {
	switch k := k.(type) {
	case lua.LString:
		if syntax.IsName(string(k)) {
			return string(k)
		}
		return "[" + syntax.Quote(string(k)) + "]"
	case lua.LNumber:
		return "[" + w.Number(float64(k)) + "]"
	}
	return "[" + w.Describe(k) + "]"
}

// layout fills lines with entries as far as they are short, so that a long
// list of numbers is a block and not a column.
func (w *writer) layout(items []string, indent int) string {
	var b strings.Builder
	margin := strings.Repeat(" ", indent)
	column := 0
	for i, item := range items {
		if i < len(items)-1 {
			item += ","
		}
		length := visible(item)
		tall := strings.Contains(item, "\n")
		switch {
		case column == 0:
		case tall || w.Width <= 0 || column+1+length > w.Width || strings.Contains(item, " = "):
			b.WriteByte('\n')
			column = 0
		default:
			b.WriteByte(' ')
			column++
		}
		if column == 0 {
			b.WriteString(margin)
			column = indent
		}
		b.WriteString(item)
		column += length
		if tall {
			column = max(w.Width, 1) // nothing goes beside it
		}
	}
	b.WriteByte('\n')
	return b.String()
}

// Describe is tostring(v): the metamethod __tostring if there is one, run on a
// thread of its own, so that its failure is no one's but the text's.
func Describe(L *lua.LState, v lua.LValue) string {
	f, ok := L.GetMetaField(v, "__tostring").(*lua.LFunction)
	if !ok {
		return v.String()
	}
	nesting := bind.NestingOf(L)
	outer, err := nesting.Enter(L)
	if err != nil {
		return v.String()
	}
	defer nesting.Restore(outer)
	thread, release := L.NewThread()
	if release != nil {
		defer release()
	}
	thread.Push(f)
	thread.Push(v)
	if err := thread.PCall(1, 1, nil); err != nil {
		text, _, _ := strings.Cut(err.Error(), "\n")
		text = strings.ReplaceAll(text, "lua callstack overflow", "stack overflow")
		return fmt.Sprintf("%s (its __tostring failed: %s)", v.Type(), text)
	}
	return thread.Get(-1).String()
}
