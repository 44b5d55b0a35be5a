package screen

import (
	"slices"
	"strings"

	"github.com/greenbench/workbench/internal/numeric/plot"
)

// legend names the curves in rows of at most width cells.
func (t *terminal) legend(curves []plot.Curve, width int) *screen {
	type entry struct {
		x, y  int
		curve plot.Curve
		ink   ink
		text  string
	}
	const handle, gap = 4, 3
	var entries []entry
	x, y := 1, 0
	for i, c := range curves {
		text := clipped(t.label(c.Label), width-handle-1)
		w := handle + textWidth(text)
		if x > 1 && x+w > width {
			x, y = 1, y+1
		}
		entries = append(entries, entry{x, y, c, t.ink(c, i), text})
		x += w + gap
	}
	s := newScreen(width, y+1)
	for _, e := range entries {
		s.text(e.x, e.y, t.handle(e.curve, e.ink), e.ink.fg)
		s.text(e.x+handle, e.y, e.text, plain)
	}
	return s
}

// handle is the piece of line before a name in a legend, three cells.
func (t *terminal) handle(c plot.Curve, k ink) string {
	switch {
	case !t.Unicode && len(c.Shapes) > 0 && !c.Style.Line:
		return strings.Repeat(string(tone(c.Shapes[0].Fill)), 3)
	case !t.Unicode:
		return strings.Repeat(string(k.letter), 3)
	case len(c.Shapes) > 0 && t.Color == NoColor:
		return strings.Repeat(string(tone(c.Shapes[0].Fill)), 3)
	case len(c.Shapes) > 0:
		return "███"
	case t.Color == NoColor && !c.Rule:
		return "─" + string(k.letter) + "─"
	case !c.Style.Line:
		return " • "
	case c.Style.Dash == plot.Dashed:
		return "╌╌╌"
	case c.Style.Dash == plot.Dotted:
		return "···"
	case c.Style.Dash == plot.DashDot:
		return "─·─"
	}
	return "───"
}

// labelled returns the curves that a legend names.
func labelled(curves []plot.Curve) []plot.Curve {
	return slices.DeleteFunc(slices.Clone(curves), func(c plot.Curve) bool { return c.Label == "" })
}
