package notebook

import (
	"fmt"
	"html"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/sheet"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/workbench/repl/show"
)

const (
	mostRows    = 20 // of a table that is shown; of longer ones the beginning and the end
	mostColumns = 12
)

// A table is what a page of HTML shows of a value: cells by row and column, some left out.
type table struct {
	caption string
	head    []string
	rows    [][]string
}

// html writes the table.
func (t table) html() string {
	var b strings.Builder
	b.WriteString("<table>")
	if t.caption != "" {
		fmt.Fprintf(&b, "<caption>%s</caption>", html.EscapeString(t.caption))
	}
	row := func(cells []string, tag string) {
		b.WriteString("<tr>")
		for _, c := range cells {
			fmt.Fprintf(&b, "<%s>%s</%[1]s>", tag, html.EscapeString(c))
		}
		b.WriteString("</tr>")
	}
	if t.head != nil {
		b.WriteString("<thead>")
		row(t.head, "th")
		b.WriteString("</thead>")
	}
	b.WriteString("<tbody>")
	for _, r := range t.rows {
		row(r, "td")
	}
	b.WriteString("</tbody></table>")
	return b.String()
}

// htmlOf is a value as a table: an array of one or two axes, a sheet, a list of records, a report,
// or an object with named values. Any other value is text only.
func (k *Kernel) htmlOf(v lua.LValue) (string, bool) {
	var t table
	ok := false
	switch v := v.(type) {
	case *lua.LTable:
		if t.head, t.rows, ok = k.printer.Records(v, mostRows); !ok {
			t, ok = k.reportTable(v)
		}
	case *lua.LUserData:
		switch of := v.Value.(type) {
		case *array.Array:
			t, ok = arrayTable(of)
		case *sheet.Sheet:
			t, ok = sheetTable(of), true
		default:
			t, ok = k.propertiesOf(v)
		}
	}
	if !ok {
		return "", false
	}
	return t.html(), true
}

// arrayTable shows the numbers of an array.
func arrayTable(a *array.Array) (t table, ok bool) {
	if len(a.Data) == 0 || len(a.Shape) == 0 || len(a.Shape) > 2 {
		return t, false
	}
	rows, columns := 1, a.Shape[len(a.Shape)-1]
	if len(a.Shape) == 2 {
		rows = a.Shape[0]
	}
	t.caption, _, _ = strings.Cut(a.String(), "\n")
	for _, i := range show.Folded(rows, mostRows) {
		var cells []string
		for _, j := range show.Folded(columns, mostColumns) {
			text := "…"
			if i >= 0 && j >= 0 {
				text = fmt.Sprintf("%.6g", a.Data[i*columns+j])
			}
			cells = append(cells, text)
		}
		t.rows = append(t.rows, cells)
	}
	return t, true
}

// sheetTable shows the columns of a sheet.
func sheetTable(s *sheet.Sheet) (t table) {
	t.caption, _, _ = strings.Cut(s.String(), "\n")
	columns := show.Folded(len(s.Columns), mostColumns)
	for _, j := range columns {
		name := "…"
		if j >= 0 {
			name = s.Columns[j].Name
			if unit := s.Columns[j].Unit; unit != "" && !strings.Contains(name, unit) {
				name += " [" + unit + "]"
			}
		}
		t.head = append(t.head, name)
	}
	for _, i := range show.Folded(s.N, mostRows) {
		cells := make([]string, len(columns))
		for at, j := range columns {
			if cells[at] = "…"; i >= 0 && j >= 0 {
				cells[at] = s.Columns[j].Word(i)
			}
		}
		t.rows = append(t.rows, cells)
	}
	return t
}

// reportTable shows what a function returned under names, such as the report of a fit.
func (k *Kernel) reportTable(v *lua.LTable) (t table, ok bool) {
	if mt, is := v.Metatable.(*lua.LTable); !is || mt.RawGetString("__tostring") == lua.LNil {
		return t, false
	}
	if err := bind.Finish(k.Host.L, v); err != nil {
		return t, false
	}
	for key, value := v.Next(lua.LNil); key != lua.LNil; key, value = v.Next(key) {
		name, isName := key.(lua.LString)
		if !isName {
			return t, false
		}
		if text := k.printer.OneLine(value); text != "" {
			t.rows = append(t.rows, []string{string(name), text})
		}
	}
	return t, len(t.rows) >= fewProperties
}

// fewProperties is how many named values an object must have to be shown as their table; what
// has fewer says more in its own words.
const fewProperties = 8

// propertiesOf shows the named values of an object, a report for one.
func (k *Kernel) propertiesOf(v *lua.LUserData) (t table, ok bool) {
	L := k.Host.L
	kind, ok := k.Host.Registry.Name(L, v)
	if !ok {
		return t, false
	}
	names := k.properties()[kind]
	if len(names) < fewProperties {
		return t, false
	}
	thread, release := L.NewThread()
	if release != nil {
		defer release()
	}
	thread.Push(thread.NewFunction(func(L *lua.LState) int {
		for _, name := range names {
			if text := k.printer.OneLine(L.GetField(v, name)); text != "" {
				t.rows = append(t.rows, []string{name, text})
			}
		}
		return 0
	}))
	if err := thread.PCall(0, 0, nil); err != nil {
		return t, false
	}
	return t, true
}

// properties are the names of those of each type.
func (k *Kernel) properties() map[string][]string {
	if k.named == nil {
		k.named = map[string][]string{}
		for _, m := range k.Host.Registry.Manual().Modules {
			for _, t := range m.Types {
				for _, p := range t.Properties {
					k.named[t.Name] = append(k.named[t.Name], p.Name)
				}
			}
		}
	}
	return k.named
}
