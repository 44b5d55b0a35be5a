package show

import (
	"fmt"
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/workbench/repl/terminal"
)

const (
	mostNames = 30 // of records that are shown as a table
	mostCell  = 32 // columns of a cell
)

// Folded is the numbers below n that are shown: all, or the first and the last with -1 between.
func Folded(n, most int) (list []int) {
	for i := range n {
		switch {
		case n <= most || i < most-most/4-1 || i >= n-most/4:
			list = append(list, i)
		case list[len(list)-1] >= 0:
			list = append(list, -1)
		}
	}
	return list
}

// Records reads a list of tables with names as a table: the names of all in the order in which
// they come, and a row of cells for each that is shown, by Folded. Cells of rows left out are
// "…", and empty where a record has no such name. ok is false for any other table.
func (p *Printer) Records(list *lua.LTable, most int) (names []string, rows [][]string, ok bool) {
	n := list.Len()
	for i := 1; i <= n; i++ {
		record, isTable := list.RawGetInt(i).(*lua.LTable)
		if !isTable || record.Metatable != lua.LNil || record.Len() > 0 {
			return nil, nil, false
		}
		for k, _ := record.Next(lua.LNil); k != lua.LNil; k, _ = record.Next(k) {
			name, isName := k.(lua.LString)
			if !isName {
				return nil, nil, false
			}
			if !slices.Contains(names, string(name)) {
				names = append(names, string(name))
			}
		}
		if len(names) > mostNames {
			return nil, nil, false
		}
	}
	if len(names) == 0 {
		return nil, nil, false
	}
	for _, i := range Folded(n, most) {
		cells := make([]string, len(names))
		for j, name := range names {
			if cells[j] = "…"; i >= 0 {
				cells[j] = p.OneLine(list.RawGetInt(i + 1).(*lua.LTable).RawGetString(name))
			}
		}
		rows = append(rows, cells)
	}
	return names, rows, true
}

// OneLine is a value in a cell of a table, empty for nil.
func (p *Printer) OneLine(v lua.LValue) string {
	if v == lua.LNil {
		return ""
	}
	first, _, more := strings.Cut(p.Value(v), "\n")
	if more {
		first += " …"
	}
	return first
}

// records lays a list of records out below their names, with the number of each, if they fit.
func (w *writer) records(t *lua.LTable) (text string, ok bool) {
	n := t.Len()
	if w.Width <= 0 || n < 2 {
		return "", false
	}
	if k, _ := t.Next(lua.LNumber(n)); k != lua.LNil { // it is more than a list
		return "", false
	}
	most := n
	if w.Rows > 0 {
		most = max(w.Rows-5, 8) // the input, the names, the prompt and a note stay visible
	}
	names, rows, ok := w.Records(t, most)
	if !ok {
		return "", false
	}
	table := [][]string{append([]string{""}, names...)}
	for i, at := range Folded(n, most) {
		number := "⋮"
		if at >= 0 {
			number = fmt.Sprint(at + 1)
		}
		table = append(table, append([]string{number}, rows[i]...))
	}
	return w.columns(table)
}

// columns aligns the cells of a table, numbers to the right. The first row and the first column
// are names.
func (w *writer) columns(table [][]string) (text string, ok bool) {
	lines := make([]string, len(table))
	for j := range table[0] {
		width, right := 0, true
		for i, row := range table {
			width = max(width, visible(row[j]))
			right = right && (i == 0 || j == 0 || row[j] == "" || row[j] == "…" || isNumber(row[j]))
		}
		if width > mostCell {
			return "", false
		}
		for i, row := range table {
			pad := strings.Repeat(" ", width-visible(row[j]))
			cell := row[j]
			if i == 0 || j == 0 {
				cell = w.Paint.Paint(terminal.Dim, cell)
			}
			switch {
			case right:
				cell = pad + cell
			case j < len(row)-1:
				cell += pad
			}
			if j > 0 {
				cell = "  " + cell
			}
			lines[i] += cell
		}
	}
	for i, line := range lines {
		if visible(line) > w.Width {
			return "", false
		}
		lines[i] = strings.TrimRight(line, " ")
	}
	return strings.Join(lines, "\n"), true
}

// isNumber says whether a cell begins as numbers do.
func isNumber(cell string) bool {
	digits := strings.TrimLeft(terminal.Strip(cell), "-.")
	return digits != "" && digits[0] >= '0' && digits[0] <= '9' || digits == "inf" || digits == "nan"
}
