package line

import (
	"fmt"
	"io"
	"strings"

	"github.com/chzyer/readline"
)

// A view draws the text that is edited, which may have several lines, below what was written before, and draws it again
// when it changes. readline's own drawing knows one line only and goes nowhere.
type view struct {
	out           io.Writer
	width, height func() int
	row           int // of the cursor, from the first row that is drawn
}

// A picture is what a view shows.
type picture struct {
	first, next string // the prompt of the first line and of those after it
	styled      string // the text, with colours
	plain       []rune // the same without
	pos         int    // of the cursor, in characters of plain
	after       string // shown after the text, and no part of it: a suggestion
}

var widths readline.Runes

// layout breaks the text into rows of the screen.
func (p picture) layout(width int) (rows []string, row, column int) {
	var b strings.Builder
	col, style := 0, ""
	begin := func(prompt string) {
		b.WriteString(prompt)
		col = widths.WidthAll(widths.ColorFilter([]rune(prompt)))
		b.WriteString(style)
	}
	end := func() {
		if style != "" {
			b.WriteString("\x1b[0m")
		}
		rows = append(rows, b.String())
		b.Reset()
	}
	begin(p.first)
	at := 0 // of plain
	place := func() {
		if at == p.pos {
			row, column = len(rows), col
		}
	}
	put := func(r rune) {
		w := max(widths.Width(r), 1)
		if col+w > width {
			end()
			begin("")
			col = 0
			place()
		}
		b.WriteRune(r)
		col += w
	}
	text := []rune(p.styled + p.after)
	for i := 0; i < len(text); i++ {
		if text[i] == 0x1b {
			n := i
			for n < len(text) && text[n] != 'm' {
				n++
			}
			code := string(text[i:min(n+1, len(text))])
			if style += code; code == "\x1b[0m" {
				style = ""
			}
			b.WriteString(code)
			i = n
			continue
		}
		place()
		at++
		switch r := text[i]; r {
		case '\n':
			end()
			begin(p.next)
		case '\t':
			for range 4 {
				put(' ')
			}
		default:
			put(r)
		}
	}
	if place(); col >= width { // the cursor stands in a row of its own
		end()
		begin("")
		col = 0
		place()
	}
	end()
	return rows, row, column
}

// draw shows a picture in the place of the one before. What is higher than the window is shown around the cursor.
func (v *view) draw(p picture) {
	rows, row, column := p.layout(v.width())
	top := 0
	if most := max(v.height()-1, 1); len(rows) > most {
		top = min(max(row-most/2, 0), len(rows)-most)
		rows = rows[top : top+most]
	}
	var b strings.Builder
	b.WriteString(v.erase())
	b.WriteString(strings.Join(rows, "\r\n"))
	if up := len(rows) - 1 - (row - top); up > 0 {
		fmt.Fprintf(&b, "\x1b[%dA", up)
	}
	b.WriteByte('\r')
	if column > 0 {
		fmt.Fprintf(&b, "\x1b[%dC", column)
	}
	v.row = row - top
	_, _ = io.WriteString(v.out, b.String())
}

// finish shows all of a picture and goes to the row below.
func (v *view) finish(p picture) {
	rows, _, _ := p.layout(v.width())
	_, _ = io.WriteString(v.out, v.erase()+strings.Join(rows, "\r\n")+"\r\n")
	v.row = 0
}

// clear takes the picture away.
func (v *view) clear() {
	_, _ = io.WriteString(v.out, v.erase())
	v.row = 0
}

// erase is what takes away the picture that is there.
func (v *view) erase() string {
	up := ""
	if v.row > 0 {
		up = fmt.Sprintf("\x1b[%dA", v.row)
	}
	return up + "\r\x1b[J"
}
