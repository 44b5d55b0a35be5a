package main

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// A screen is a terminal as far as the program uses one: it turns what is
// written into the rows that a person sees, those that scrolled away included.
type screen struct {
	columns, rows int
	lines         [][]rune // all rows from the beginning
	top           int      // first row of the window
	row, column   int      // of the cursor; row counts from the first line
	wrap          bool     // the next character begins a new row
	rest          []byte   // an incomplete sequence
}

func newScreen(columns, rows int) *screen {
	return &screen{columns: columns, rows: rows, lines: [][]rune{nil}}
}

func (s *screen) write(p []byte) {
	s.rest = append(s.rest, p...)
	for len(s.rest) > 0 {
		n := s.step(s.rest)
		if n == 0 {
			return
		}
		s.rest = s.rest[n:]
	}
}

// step handles one character or sequence; 0 when it is not complete.
func (s *screen) step(p []byte) int {
	switch c := p[0]; {
	case c == 0x1b:
		return s.escape(p)
	case c == '\n':
		s.down()
	case c == '\r':
		s.column, s.wrap = 0, false
	case c == '\b':
		s.column, s.wrap = max(s.column-1, 0), false
	case c == '\t':
		s.column = min(s.column/8*8+8, s.columns-1)
	case c < ' ':
	default:
		if !utf8.FullRune(p) {
			return 0
		}
		r, n := utf8.DecodeRune(p)
		s.put(r)
		return n
	}
	return 1
}

func (s *screen) escape(p []byte) int {
	if len(p) < 2 {
		return 0
	}
	switch p[1] {
	case '[':
		for i := 2; i < len(p); i++ {
			if p[i] >= 0x40 && p[i] <= 0x7e {
				s.control(string(p[2:i]), p[i])
				return i + 1
			}
		}
		return 0
	case ']', '_', 'P':
		for i := 2; i < len(p); i++ {
			if p[i] == 7 {
				return i + 1
			}
			if p[i] == '\\' && p[i-1] == 0x1b {
				return i + 1
			}
		}
		return 0
	}
	return 2
}

func (s *screen) control(params string, final byte) {
	n, _ := strconv.Atoi(strings.Split(params, ";")[0])
	count := max(n, 1)
	if final != 'm' { // colour is no movement
		s.wrap = false
	}
	switch final {
	case 'A':
		s.row = max(s.row-count, s.top)
	case 'B':
		s.row = min(s.row+count, s.top+s.rows-1)
		s.grow()
	case 'C':
		s.column = min(s.column+count, s.columns-1)
	case 'D':
		s.column = max(s.column-count, 0)
	case 'G':
		s.column = min(count, s.columns) - 1
	case 'H':
		s.row, s.column = s.top, 0
	case 'J':
		s.clip(s.row, s.column)
		s.lines = s.lines[:min(len(s.lines), s.row+1)]
	case 'K':
		switch n {
		case 0:
			s.clip(s.row, s.column)
		case 2:
			s.lines[s.row] = nil
		}
	}
}

func (s *screen) clip(row, column int) {
	if row < len(s.lines) && len(s.lines[row]) > column {
		s.lines[row] = s.lines[row][:column]
	}
}

func (s *screen) grow() {
	for len(s.lines) <= s.row {
		s.lines = append(s.lines, nil)
	}
}

func (s *screen) down() {
	s.row, s.wrap = s.row+1, false
	s.grow()
	s.top = max(s.top, s.row-s.rows+1)
}

func (s *screen) put(r rune) {
	if s.wrap {
		s.down()
		s.column = 0
	}
	line := s.lines[s.row]
	for len(line) <= s.column {
		line = append(line, ' ')
	}
	line[s.column] = r
	s.lines[s.row] = line
	if s.column == s.columns-1 {
		s.wrap = true
	} else {
		s.column++
	}
}

// text are the rows from one on, without trailing blanks.
func (s *screen) text(from int) []string {
	var out []string
	for i := from; i < len(s.lines); i++ {
		out = append(out, strings.TrimRight(string(s.lines[i]), " "))
	}
	for len(out) > 0 && out[len(out)-1] == "" {
		out = out[:len(out)-1]
	}
	return out
}
