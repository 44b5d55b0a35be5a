package manual

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/greenbench/workbench/bindings/bind"
)

// maxMatches is how many results of a search are listed.
const maxMatches = 30

// Text is the answer to "workbench doc NAME" at a width in columns: the table of
// contents for no name, a guide, or the help page of a module, function, type,
// method or field. When nothing has that name, found is false and the text lists
// what speaks of the words of name.
func Text(reg *bind.Registry, name string, width int) (text string, found bool) {
	w := &writer{width: max(width, 24)}
	name = strings.TrimSuffix(strings.TrimSpace(name), "()")
	if slices.Contains(guideNames(), name) {
		g, err := readGuide(name)
		if err != nil {
			return damaged(err), false
		}
		w.guide(g)
		return w.String(), true
	}
	if page, ok := reg.Page(name, w.width); ok && name != "" {
		return page, true
	}
	b, err := newBook(reg) // takes as long as a hundred pages
	if err != nil {
		return damaged(err), false
	}
	if name == "" {
		w.contents(b)
		return w.String(), true
	}
	w.matches(b, name)
	return w.String(), false
}

func damaged(err error) string { return fmt.Sprintf("The manual is damaged: %v\n", err) }

// A writer writes text of a width.
type writer struct {
	strings.Builder
	width int
}

func (w *writer) contents(b *book) {
	w.line("Guides")
	var rows [][]string
	for _, g := range b.guides {
		rows = append(rows, []string{g.name, g.summary})
	}
	w.columns(2, rows)
	w.line("")
	w.line("Modules")
	rows = nil
	for _, m := range b.modules {
		rows = append(rows, []string{m.Name, m.Summary})
	}
	w.columns(2, rows)
	w.line("")
	w.columns(0, [][]string{
		{"workbench doc kernel", "a guide or a module"},
		{"workbench doc kernel.matern", "a function"},
		{"workbench doc random field", "what speaks of these words"},
		{"workbench doc --html DIR", "all of it, for a browser"},
		{"workbench doc --luals DIR", "definitions for editors"},
	})
}

// matches lists what speaks of the words of a text: what is declared, then the
// sections of guides.
func (w *writer) matches(b *book, text string) {
	rows := b.speaksOf(text)
	w.wrap("", "", fmt.Sprintf("No page is called %q.", text))
	if len(rows) == 0 {
		w.wrap("", "", "No page mentions it; workbench doc lists all pages.")
		return
	}
	w.line("")
	more := len(rows) - maxMatches
	w.columns(2, rows[:min(len(rows), maxMatches)])
	if more > 0 {
		w.line(fmt.Sprintf("and %d more", more))
	}
}

// speaksOf are names and summaries of what speaks of all words of a text, or answers a question.
func (b *book) speaksOf(text string) (rows [][]string) {
	if isQuestion(text) {
		for _, e := range b.answers(text) {
			rows = append(rows, b.answerRow(e))
		}
		return rows
	}
	for _, m := range b.reg.Search(text) {
		rows = append(rows, []string{m.Name, m.Summary})
	}
	for _, g := range b.guides {
		for _, s := range g.sections() {
			if containsAll(strings.ToLower(s.title+" "+s.text), strings.Fields(strings.ToLower(text))) {
				rows = append(rows, []string{g.name, g.title + ": " + s.title})
			}
		}
	}
	return rows
}

// answerRow names the guide of a section, which "workbench doc" opens.
func (b *book) answerRow(e entry) []string {
	page, _, _ := strings.Cut(e.url, ".html")
	if g := b.guideNamed(page); g != nil && e.name != g.title {
		return []string{g.name, g.title + ": " + e.name}
	} else if g != nil {
		return []string{g.name, g.summary}
	}
	return []string{e.name, e.summary}
}

func containsAll(text string, words []string) bool {
	for _, word := range words {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return len(words) > 0
}

func (w *writer) guide(g *guide) {
	w.line(g.title)
	for _, b := range g.blocks {
		w.line("")
		w.block(b)
	}
}

func (w *writer) block(b block) {
	switch b.kind {
	case heading:
		w.wrap("", "", plainText(b.text))
	case bullets:
		for _, item := range b.items {
			w.wrap("  - ", "    ", plainText(item))
		}
	case numbers:
		for i, item := range b.items {
			w.wrap(fmt.Sprintf("  %d. ", i+1), "     ", plainText(item))
		}
	case table:
		rows := make([][]string, len(b.rows))
		for i, row := range b.rows {
			for _, cell := range row {
				rows[i] = append(rows[i], plainText(cell))
			}
		}
		w.columns(2, rows)
	case code:
		for line := range strings.SplitSeq(b.text, "\n") {
			w.line("    " + strings.ReplaceAll(line, "\t", "    "))
		}
	case figure:
		w.wrap("  [", "   ", plainText(b.text)+"]")
	default:
		w.wrap("  ", "  ", plainText(b.text))
	}
}

// leastColumn is how narrow a column of a table may get.
const leastColumn = 10

// columns writes a table. Where it is too wide, the widest columns are made
// narrower, and their cells take several lines.
func (w *writer) columns(indent int, rows [][]string) {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	room := w.width - indent - 2*(len(widths)-1)
	for sum(widths) > room {
		widest := slices.Index(widths, slices.Max(widths))
		if widths[widest] <= leastColumn {
			break
		}
		widths[widest]--
	}
	for _, row := range rows {
		cells := make([][]string, len(row))
		height := 0
		for i, cell := range row {
			cells[i] = fold(cell, widths[i])
			height = max(height, len(cells[i]))
		}
		for k := range height {
			line := strings.Repeat(" ", indent)
			for i := range cells {
				text := ""
				if k < len(cells[i]) {
					text = cells[i][k]
				}
				line += fmt.Sprintf("%-*s  ", widths[i], text)
			}
			w.line(line)
		}
	}
}

func sum(values []int) (total int) {
	for _, v := range values {
		total += v
	}
	return total
}

// fold splits text into lines of at most width columns, words permitting.
func fold(text string, width int) (lines []string) {
	line, used := "", 0
	for i, word := range strings.Fields(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case i == 0:
			line, used = word, n
		case used+1+n > width:
			lines = append(lines, line)
			line, used = word, n
		default:
			line, used = line+" "+word, used+1+n
		}
	}
	return append(lines, line)
}

func (w *writer) line(s string) { w.WriteString(strings.TrimRight(s, " ") + "\n") }

// wrap writes text in lines; the first begins with head, the others with indent,
// which is as wide.
func (w *writer) wrap(head, indent, text string) {
	for i, line := range fold(text, w.width-utf8.RuneCountInString(head)) {
		if i > 0 {
			head = indent
		}
		w.line(head + line)
	}
}
