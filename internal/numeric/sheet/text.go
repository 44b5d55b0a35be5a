package sheet

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/greenbench/workbench/internal/numeric/spelling"
)

const (
	shownRows    = 8
	shownColumns = 10
	widest       = 22 // of a field
)

// String is the first rows as a table, with the kinds and units of the columns, what is
// missing and what was left out.
func (s *Sheet) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "sheet: %s, %s", spelling.Count(s.N, "row"), spelling.Count(len(s.Columns), "column"))
	if s.Source != "" {
		b.WriteString(", from " + s.Source)
	}
	shown := s.Columns[:min(len(s.Columns), shownColumns)]
	cells := make([][]string, len(shown))
	rows := min(s.N, shownRows)
	for k, c := range shown {
		cells[k] = c.cells(rows)
	}
	for i := range rows + 2 {
		b.WriteString("\n ")
		for k, c := range shown {
			b.WriteString(" " + padded(cells[k], i, c.Kind == Number || c.Kind == Time))
		}
		if len(s.Columns) > len(shown) && i == 0 {
			fmt.Fprintf(&b, "  and %d more columns", len(s.Columns)-len(shown))
		}
	}
	if s.N > rows {
		b.WriteString("\n  …")
	}
	for _, note := range s.notes() {
		b.WriteString("\n" + note)
	}
	return trimLines(b.String())
}

func trimLines(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

// cells are the name with its unit, the kind, and the first values.
func (c *Column) cells(rows int) []string {
	head := c.Name
	if c.Unit != "" && !strings.HasSuffix(head, "]") && !strings.HasSuffix(head, ")") {
		head += " [" + c.Unit + "]"
	}
	cells := []string{short(head), c.Kind.String()}
	for i := range rows {
		text := c.Word(i)
		switch {
		case text == "":
			text = "–"
		case c.Kind != Text:
			if text = strconv.FormatFloat(c.Numbers[i], 'g', -1, 64); len(text) > 9 {
				text = strconv.FormatFloat(c.Numbers[i], 'g', 6, 64)
			}
		}
		cells = append(cells, short(text))
	}
	return cells
}

func short(text string) string {
	if r := []rune(strings.ReplaceAll(text, "\n", " ")); len(r) > widest {
		return string(r[:widest-1]) + "…"
	}
	return strings.ReplaceAll(text, "\n", " ")
}

// padded is cell i as wide as the widest.
func padded(cells []string, i int, right bool) string {
	width := 0
	for _, c := range cells {
		width = max(width, utf8.RuneCountInString(c))
	}
	fill := strings.Repeat(" ", width-utf8.RuneCountInString(cells[i]))
	if right {
		return " " + fill + cells[i]
	}
	return " " + cells[i] + fill
}

// notes are what the first rows do not show.
func (s *Sheet) notes() (notes []string) {
	var missing []string
	for _, c := range s.Columns {
		if n := c.missing(); n > 0 {
			missing = append(missing, fmt.Sprintf("%d of %s", n, c.Name))
		}
		if c.Kind == Time && c.Len() > 0 {
			notes = append(notes, fmt.Sprintf("%s: seconds since %s", c.Name, (&Column{Kind: Time, Numbers: []float64{0}, Origin: c.Origin, Zoned: c.Zoned}).stamp(0)))
		}
	}
	if len(missing) > 0 {
		notes = append(notes, "missing: "+listed(missing))
	}
	if n := len(s.Skipped); n > 0 {
		lines := make([]string, n)
		for i, l := range s.Skipped {
			lines[i] = strconv.Itoa(l)
		}
		what := "row that could not be read, on line "
		if n > 1 {
			what = "rows that could not be read, on lines "
		}
		notes = append(notes, fmt.Sprintf("left out: %d %s%s", n, what, listed(lines)))
	}
	return notes
}
