package screen

import (
	"image/color"
	"strconv"
	"strings"

	"github.com/greenbench/workbench/internal/numeric/plot"
)

// ColorMode says which colours a terminal can show.
type ColorMode int

// The zero mode is the one that every terminal and every file understands.
const (
	NoColor   ColorMode = iota
	Color256            // the palette of xterm
	TrueColor           // 24 bits
)

// hat is the circumflex that stands over the rune before it.
const hat = '\u0302'

// plain is the absence of a colour: whatever the terminal uses for text.
const plain = -1

// cell is one character on the screen. Colours are 0xrrggbb or plain.
type cell struct {
	r, mark rune // mark: 0 or a combining mark on r
	fg, bg  int32
}

// screen is a rectangle of cells; row 0 is on top.
type screen struct {
	w, h  int
	cells []cell
}

func newScreen(w, h int) *screen {
	s := &screen{w: w, h: h, cells: make([]cell, w*h)}
	for i := range s.cells {
		s.cells[i] = cell{r: ' ', fg: plain, bg: plain}
	}
	return s
}

// at returns a cell to change; outside of the screen, one that nobody sees.
func (s *screen) at(x, y int) *cell {
	if x < 0 || x >= s.w || y < 0 || y >= s.h {
		return &cell{}
	}
	return &s.cells[y*s.w+x]
}

func (s *screen) put(x, y int, r rune) { s.at(x, y).r = r }

// text writes a line of text, every rune one cell wide.
func (s *screen) text(x, y int, text string, fg int32) {
	for _, r := range text {
		if r == hat {
			s.at(x-1, y).mark = r
			continue
		}
		c := s.at(x, y)
		c.r, c.mark, c.fg = r, 0, fg
		x++
	}
}

// textWidth is the number of cells that text takes.
func textWidth(text string) int {
	n := 0
	for _, r := range text {
		if r != hat {
			n++
		}
	}
	return n
}

// clipped shortens text to w cells.
func clipped(text string, w int) string {
	if textWidth(text) <= w {
		return text
	}
	var b strings.Builder
	n := 0
	for _, r := range text {
		if r != hat {
			n++
		}
		if n > w {
			break
		}
		b.WriteRune(r)
	}
	return b.String()
}

// blit copies another screen to a place on this one.
func (s *screen) blit(o *screen, x, y int) {
	for r := range o.h {
		for c := range o.w {
			*s.at(x+c, y+r) = o.cells[r*o.w+c]
		}
	}
}

// encode writes the screen as lines, each ended by a newline and without
// trailing blanks. Every line begins and ends in the terminal's own colours.
func (s *screen) encode(mode ColorMode) string {
	var b strings.Builder
	for y := range s.h {
		row := s.cells[y*s.w : (y+1)*s.w]
		for len(row) > 0 && row[len(row)-1].r == ' ' && row[len(row)-1].bg == plain {
			row = row[:len(row)-1]
		}
		fg, bg := int32(plain), int32(plain)
		for _, c := range row {
			if mode != NoColor && (c.bg != bg || c.fg != fg && c.r != ' ') {
				b.WriteString(transition(mode, fg, bg, c))
				fg, bg = c.fg, c.bg
			}
			b.WriteRune(c.r)
			if c.mark != 0 {
				b.WriteRune(c.mark)
			}
		}
		if fg != plain || bg != plain {
			b.WriteString("\x1b[0m")
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// transition returns the control sequence that changes to the colours of c.
func transition(mode ColorMode, fg, bg int32, c cell) string {
	var codes []string
	if c.fg == plain && fg != plain || c.bg == plain && bg != plain {
		codes = append(codes, "0")
		fg, bg = plain, plain
	}
	if c.fg != fg {
		codes = append(codes, "38;"+colorCode(mode, c.fg))
	}
	if c.bg != bg {
		codes = append(codes, "48;"+colorCode(mode, c.bg))
	}
	return "\x1b[" + strings.Join(codes, ";") + "m"
}

func colorCode(mode ColorMode, c int32) string {
	r, g, b := int(c>>16), int(c>>8&255), int(c&255)
	if mode == TrueColor {
		return "2;" + strconv.Itoa(r) + ";" + strconv.Itoa(g) + ";" + strconv.Itoa(b)
	}
	return "5;" + strconv.Itoa(xterm(r, g, b))
}

// xterm returns the nearest of xterm's fixed colours: 16 … 231 are a cube with
// six levels a side, 232 … 255 greys.
func xterm(r, g, b int) int {
	level := func(i int) int {
		if i == 0 {
			return 0
		}
		return 55 + 40*i
	}
	nearest := func(v int) int {
		best := 0
		for i := range 6 {
			if abs(level(i)-v) < abs(level(best)-v) {
				best = i
			}
		}
		return best
	}
	distance := func(x, y, z int) int { return (x-r)*(x-r) + (y-g)*(y-g) + (z-b)*(z-b) }
	i, j, k := nearest(r), nearest(g), nearest(b)
	grey := min(max(((r+g+b)/3-3)/10, 0), 23)
	if v := 8 + 10*grey; distance(v, v, v) < distance(level(i), level(j), level(k)) {
		return 232 + grey
	}
	return 16 + 36*i + 6*j + k
}

func abs(v int) int { return max(v, -v) }

func packed(c color.NRGBA) int32 { return int32(c.R)<<16 | int32(c.G)<<8 | int32(c.B) }

// readable returns the colour of a line on a terminal, whose background may be
// dark or light: neither very dark nor very light. Black is the colour of text.
func readable(c color.NRGBA) int32 {
	if packed(c) == 0 {
		return plain
	}
	return packed(plot.Toned(c, 0.55, 0.75))
}
