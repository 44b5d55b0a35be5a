package plot

import (
	"fmt"
	"image/color"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"
)

// LineStyle is what Series.Style and Series.Color say, resolved.
type LineStyle struct {
	Color  color.NRGBA
	Line   bool // draw the line itself
	Dash   Dash
	Marker rune // 0 for none
}

// Dash names a dash pattern as in Matlab and matplotlib.
type Dash string

// The patterns: a full line, dashes, dots, dashes and dots in turn.
const (
	Solid   Dash = "-"
	Dashed  Dash = "--"
	Dotted  Dash = ":"
	DashDot Dash = "-."
)

// pattern returns the dash lengths in points for a line of this width.
func (d Dash) pattern(width vg.Length) []vg.Length {
	var units []float64
	switch d {
	case Dashed:
		units = []float64{3.7, 1.8}
	case Dotted:
		units = []float64{1.1, 1.7}
	case DashDot:
		units = []float64{5, 1.8, 1.1, 1.8}
	}
	var p []vg.Length
	for _, u := range units {
		p = append(p, vg.Length(u)*width)
	}
	return p
}

// markers lists the markers a style can name.
const markers = "os^vd+x*."

// seriesColors are the colours of M. Okabe and K. Ito (2008), told apart by
// people with any kind of colour vision, without their yellow, which is lost on
// white paper.
func seriesColors() []uint32 {
	return []uint32{0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7, 0xe69f00, 0x56b4e9, 0x000000}
}

// seriesColor is the colour of series i; after the last, they begin again.
func seriesColor(i int) color.NRGBA {
	c := seriesColors()
	return unhex(c[i%len(c)])
}

// seriesStyle is the style of series i, where dashes tell series of the same colour apart.
func seriesStyle(i int) LineStyle {
	order := []Dash{Solid, Dashed, DashDot, Dotted}
	return LineStyle{Color: seriesColor(i), Dash: order[i/len(seriesColors())%len(order)]}
}

// namedColors are the names and the one-letter codes of colours. Blue, red,
// green, … are those of the series.
func namedColors() []struct {
	name, letter string
	rgb          uint32
} {
	return []struct {
		name, letter string
		rgb          uint32
	}{
		{"black", "k", 0x000000},
		{"blue", "b", 0x0072b2},
		{"red", "r", 0xd55e00},
		{"green", "g", 0x009e73},
		{"pink", "m", 0xcc79a7},
		{"orange", "y", 0xe69f00},
		{"cyan", "c", 0x56b4e9},
		{"white", "w", 0xffffff},
		{"grey", "", 0x808080},
	}
}

// parseColor reads a name or #rrggbb.
func parseColor(s string) (color.NRGBA, error) {
	var names []string
	for _, c := range namedColors() {
		if s == c.name || s == c.letter && s != "" {
			return unhex(c.rgb), nil
		}
		names = append(names, c.name)
	}
	if hex, ok := strings.CutPrefix(s, "#"); ok && len(hex) == 6 {
		if v, err := strconv.ParseUint(hex, 16, 32); err == nil {
			return unhex(uint32(v)), nil
		}
	}
	return color.NRGBA{}, fmt.Errorf("color %q: must be #rrggbb or one of %s", s, strings.Join(names, ", "))
}

// parseStyle reads a format as Matlab has it: a line (-, --, :, -.), a marker
// (one of os^vd+x*.) and a colour letter, in any order, each at most once;
// with a marker and no line, only markers are drawn. The empty format is a
// solid line. preset holds what the format leaves open.
func parseStyle(format string, preset LineStyle) (LineStyle, error) {
	style := preset
	style.Line, style.Marker = false, 0
	fail := func() (LineStyle, error) {
		return style, fmt.Errorf("style %q: must be made of a line (- -- : -.), a marker (one of %s) and a colour (one of bgrcmykw)", format, markers)
	}
	colored := false
	for rest := format; rest != ""; {
		if d := leadingDash(rest); d != "" {
			if style.Line {
				return fail()
			}
			style.Line, style.Dash = true, d
			rest = rest[len(d):]
			continue
		}
		c := rest[:1]
		rest = rest[1:]
		switch rgb, err := parseColor(c); {
		case strings.Contains(markers, c) && style.Marker == 0:
			style.Marker = rune(c[0])
		case err == nil && !colored:
			style.Color, colored = rgb, true
		default:
			return fail()
		}
	}
	if !style.Line && style.Marker == 0 {
		style.Line = true
	}
	return style, nil
}

func leadingDash(s string) Dash {
	for _, d := range []Dash{Dashed, DashDot, Solid, Dotted} { // the longer ones first
		if strings.HasPrefix(s, string(d)) {
			return d
		}
	}
	return ""
}
