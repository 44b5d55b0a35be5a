package screen

import (
	"math"
	"strings"

	"github.com/greenbench/workbench/internal/numeric/plot"
)

// Options describe a terminal. The zero Options mean 80 columns, ASCII, no
// colour: what can be written to any file.
type Options struct {
	Width   int // columns; 0: 80; at least 20 are used
	Height  int // lines, at most; 0: as the figure likes, about 24 for one panel
	Color   ColorMode
	Unicode bool // half-blocks, braille dots and box drawing
}

// Text draws the figure as lines of text, each ended by a newline. Heat
// maps are half-blocks in colour, or shades of ASCII without; contours are the
// bands between the lines; lines are braille dots, or one letter each in ASCII;
// error bands are dotted lines (in ASCII they are left out).
func Text(fig plot.Figure, o Options) (string, error) {
	s, err := plot.Resolve(fig)
	if err != nil {
		return "", err
	}
	if o.Width == 0 {
		o.Width = 80
	}
	o.Width = min(max(o.Width, 20), 1000)
	o.Height = min(max(o.Height, 0), 1000)
	t := &terminal{Options: o}
	return t.sheet(s).encode(o.Color), nil
}

// terminal renders sheets as text.
type terminal struct{ Options }

func (t *terminal) label(s string) string { return plot.PlainText(s, t.Unicode) }

const (
	narrowest  = 24 // columns of a panel in a grid,
	withBar    = 36 // of one with a colour bar
	panelGap   = 2  // columns between panels
	fewestRows = 4  // inside of a panel
)

// sheet puts the panels beside and under each other, fewer in a row where the
// terminal is narrow.
func (t *terminal) sheet(s *plot.Sheet) *screen {
	least, columns := narrowest, 0
	for _, row := range s.Rows {
		columns = max(columns, len(row))
		for _, p := range row {
			if p != nil && p.Bar != nil {
				least = withBar
			}
		}
	}
	across := min(max(1, (t.Width+panelGap)/(least+panelGap)), columns)
	width := (t.Width+panelGap)/across - panelGap
	var rows [][]*plot.Panel
	for _, row := range s.Rows {
		for len(row) > across {
			rows = append(rows, row[:across])
			row = row[across:]
		}
		rows = append(rows, row)
	}
	var foot []*screen
	if s.Bar != nil {
		foot = append(foot, t.wideBar(s.Bar, t.Width))
	}
	if s.Legend != nil {
		foot = append(foot, t.legend(s.Legend, t.Width))
	}
	height := 0
	if t.Height > 0 {
		height = t.Height
		for _, f := range foot {
			height -= f.h
		}
		if s.Title != "" {
			height--
		}
		height = max(1, height/len(rows))
	}
	var parts []*screen
	if s.Title != "" {
		parts = append(parts, t.centred(s.Title, t.Width))
	}
	for _, row := range rows {
		parts = append(parts, t.row(row, width, height, across > 1))
	}
	return stacked(append(parts, foot...), t.Width)
}

func (t *terminal) centred(label string, width int) *screen {
	text := clipped(t.label(label), width)
	s := newScreen(width, 1)
	s.text((width-textWidth(text))/2, 0, text, plain)
	return s
}

// row draws panels of one height beside each other.
func (t *terminal) row(panels []*plot.Panel, width, height int, small bool) *screen {
	var drawn []*screen
	h := 0
	for _, p := range panels {
		s := newScreen(0, 0)
		if p != nil {
			s = t.panel(p, width, height, small)
		}
		drawn = append(drawn, s)
		h = max(h, s.h)
	}
	out := newScreen(len(panels)*(width+panelGap), h)
	for i, s := range drawn {
		out.blit(s, i*(width+panelGap), 0)
	}
	return out
}

func stacked(parts []*screen, width int) *screen {
	h := 0
	for _, p := range parts {
		h += p.h
		width = max(width, p.w)
	}
	out, y := newScreen(width, h), 0
	for _, p := range parts {
		out.blit(p, 0, y)
		y += p.h
	}
	return out
}

// pane is a panel with its place on a screen: the box, without its frame, is
// w × h cells at x, y.
type pane struct {
	*plot.Panel
	*screen
	x, y, w, h     int
	xTicks, yTicks plot.Ticks
	rightTicks     plot.Ticks // of the second y axis
	barTicks       plot.Ticks // where there is a colour bar
}

// panel draws one panel, at most width columns wide. With height 0 it takes
// what the shape of the box asks for.
func (t *terminal) panel(p *plot.Panel, width, height int, small bool) *screen {
	head := 0
	if p.Title != "" {
		head++
	}
	named := p.Y.Label != "" || p.Right != nil && p.Right.Label != "" || t.topFactor(p, 8) || p.Bar != nil && p.Bar.Label != ""
	if named {
		head++
	}
	var legend *screen
	if curves := labelled(p.Curves); len(curves) > 0 && p.Legend != "none" {
		legend = t.legend(curves, width)
	}
	below := 2 // the frame, the tick labels
	if p.X.Label != "" {
		below++
	}
	fixed := head + 1 + below
	if legend != nil {
		fixed += legend.h
	}
	rows := t.boxRows(p, width, height-fixed, height == 0, small)
	v := &pane{Panel: p, h: rows, y: head + 1}
	v.yTicks = p.Y.Ticks(t.vertical(rows))
	left := t.widest(v.yTicks)
	right := 0
	if p.Bar != nil {
		v.barTicks = p.Bar.Ticks(t.vertical(rows))
		right = 4 + max(t.widest(v.barTicks), 3)
	}
	if p.Right != nil {
		v.rightTicks = p.Right.Ticks(t.vertical(rows))
		right = 2 + t.widest(v.rightTicks)
	}
	if p.Bare {
		v.xTicks, v.yTicks, left = plot.Ticks{}, plot.Ticks{}, 0
	}
	v.x = left + 1
	v.w = max(2, width-v.x-1-max(right, 1))
	if p.Fixed {
		v.w = max(2, min(v.w, int(math.Round(2*float64(rows)/p.Ratio))))
	}
	if !p.Bare {
		v.xTicks = p.X.Ticks(t.horizontal(v.w))
	}
	v.screen = newScreen(width, fixed+rows)
	t.field(v)
	t.fills(v)
	t.curves(v)
	if !p.Bare {
		t.frame(v)
	}
	t.labels(v, head, named)
	t.texts(v)
	if v.Bar != nil {
		t.tallBar(v)
	}
	if legend != nil {
		v.blit(legend, 0, v.screen.h-legend.h)
	}
	return v.screen
}

// boxRows chooses the height of a box.
func (t *terminal) boxRows(p *plot.Panel, width, room int, free, small bool) int {
	if !free {
		return max(fewestRows, room)
	}
	most := 18
	if small {
		most = 12
	}
	inner := width - 8
	if p.Bar != nil {
		inner -= 8
	}
	// A cell is about twice as high as wide.
	return min(max(fewestRows, int(math.Round(p.Ratio*float64(inner)/2))), most)
}

// topFactor tells whether an axis of this many rows shows a factor.
func (t *terminal) topFactor(p *plot.Panel, rows int) bool {
	return !p.Bare && p.Y.Ticks(t.vertical(rows)).Factor != ""
}

func (t *terminal) vertical(rows int) plot.Ruler {
	return plot.Ruler{Length: float64(rows), Want: 4, Room: func(string) float64 { return 1.7 }}
}

func (t *terminal) horizontal(columns int) plot.Ruler {
	return plot.Ruler{
		Length: float64(columns), Want: 11,
		Room: func(label string) float64 { return float64(textWidth(t.label(label)) + 2) },
	}
}

func (t *terminal) widest(ticks plot.Ticks) int {
	w := 0
	for _, k := range ticks.Marks {
		w = max(w, textWidth(t.label(k.Label)))
	}
	return w
}

// column and row are where a value of the axes stands.
func (v *pane) column(value float64) int { return v.x + cellAt(v.Panel.X.Norm(value), v.w) }

func (v *pane) row(value float64) int { return v.y + v.h - 1 - cellAt(v.Panel.Y.Norm(value), v.h) }

// cellAt returns the cell, of n, at fraction t of an axis.
func cellAt(t float64, n int) int { return min(max(int(math.Floor(t*float64(n))), 0), n-1) }

func (t *terminal) frame(v *pane) {
	sign := func(unicode, ascii rune) rune {
		if t.Unicode {
			return unicode
		}
		return ascii
	}
	for c := v.x; c < v.x+v.w; c++ {
		v.put(c, v.y-1, sign('─', '-'))
		v.put(c, v.y+v.h, sign('─', '-'))
	}
	for r := v.y; r < v.y+v.h; r++ {
		v.put(v.x-1, r, sign('│', '|'))
		v.put(v.x+v.w, r, sign('│', '|'))
	}
	v.put(v.x-1, v.y-1, sign('┌', '+'))
	v.put(v.x+v.w, v.y-1, sign('┐', '+'))
	v.put(v.x-1, v.y+v.h, sign('└', '+'))
	v.put(v.x+v.w, v.y+v.h, sign('┘', '+'))
	for _, k := range v.xTicks.Marks {
		if k.Label != "" {
			v.put(v.column(k.At), v.y+v.h, sign('┬', '+'))
		}
	}
	for _, k := range v.yTicks.Marks {
		if k.Label != "" {
			v.put(v.x-1, v.row(k.At), sign('┤', '+'))
		}
	}
}

func (t *terminal) labels(v *pane, head int, named bool) {
	middle := func(text string, row int) {
		w := textWidth(text)
		v.text(min(max(v.x+(v.w-w)/2, 0), max(v.screen.w-w, 0)), row, text, plain)
	}
	if v.Title != "" {
		middle(clipped(t.label(v.Title), v.screen.w), 0)
	}
	if named {
		text := clipped(strings.TrimSpace(t.label(v.Panel.Y.Label)+" "+t.label(v.yTicks.Factor)), v.screen.w)
		if v.Right != nil { // its name ends the line
			name := strings.TrimSpace(t.label(v.Right.Label) + " " + t.label(v.rightTicks.Factor))
			name = clipped(name, max(0, v.screen.w-v.x-textWidth(text)-2))
			v.text(v.screen.w-textWidth(name), head-1, name, plain)
		}
		x := max(0, min(v.x-1-textWidth(text)/2, v.screen.w-textWidth(text)))
		v.text(x, head-1, text, plain)
		if v.Bar != nil { // its label ends the line
			name := clipped(t.label(v.Bar.Label), max(0, v.screen.w-x-textWidth(text)-2))
			from := v.x + v.w + 2
			v.text(min(from, v.screen.w-textWidth(name)), head-1, name, plain)
		}
	}
	for _, k := range v.yTicks.Marks {
		text := t.label(k.Label)
		v.text(v.x-1-textWidth(text), v.row(k.At), text, plain)
	}
	for _, k := range v.rightTicks.Marks {
		r := *v
		r.Panel = v.Panel.For(plot.Curve{Right: true})
		v.text(v.x+v.w+1, r.row(k.At), t.label(k.Label), plain)
	}
	for _, k := range v.xTicks.Marks {
		text := t.label(k.Label)
		w := textWidth(text)
		v.text(min(max(v.column(k.At)-w/2, 0), v.screen.w-w), v.y+v.h+1, text, plain)
	}
	name := strings.TrimSpace(t.label(v.Panel.X.Label) + " " + t.label(v.xTicks.Factor))
	if v.Panel.X.Label != "" {
		middle(name, v.y+v.h+2)
	} else if v.xTicks.Factor != "" {
		v.text(v.x+v.w+2, v.y+v.h, name, plain)
	}
}
