package plot

import "gonum.org/v1/plot/vg"

// sheet is a figure ready to be laid out: panels in rows, nil where a place
// stays empty. Everything about the data is decided here; where things go, and
// what they look like on paper or in a terminal, is decided by the renderers.
type sheet struct {
	title  string
	rows   [][]*panel
	bar    *colorbar // one for all panels; nil: each has its own
	legend []curve   // one for all panels; nil: each has its own
}

// panel is one pair of axes and what is drawn between them, the field first.
type panel struct {
	title  string
	x, y   axis
	field  *field // nil: none
	hidden bool   // the field is there for its bands only: isolines show it
	curves []curve
	bar    *colorbar
	legend string  // where the legend goes: see legendPlaces
	grid   bool    // faint lines at the ticks
	ratio  float64 // of the height of the box to its width, if nothing else decides
	fixed  bool    // the ratio must be kept: units of x and y are equally long
}

// curve is a line, its markers and its band.
type curve struct {
	label     string
	style     lineStyle
	width     vg.Length
	x, y      []float64 // NaN interrupts the line
	low, high []float64 // nil, or the limits of the band
	bars      bool      // draw them as error bars
	rule      bool      // straight, from one side of the box to the other
	isoline   bool      // the border of two bands of the field
}

// colorbar explains the colours of a field.
type colorbar struct {
	colormap
	label       string
	levels      []float64 // of a contour: nil for a heat map
	filled      bool      // the levels are the borders of bands
	under, over bool      // there are values beyond the first, the last colour
}

// labelled returns the curves that a legend has to name.
func labelled(curves []curve) []curve {
	var named []curve
	for _, c := range curves {
		if c.label != "" {
			named = append(named, c)
		}
	}
	return named
}

// columns returns the largest number of panels in a row.
func (s *sheet) columns() int {
	n := 0
	for _, row := range s.rows {
		n = max(n, len(row))
	}
	return n
}

// each calls visit for every panel, row by row.
func (s *sheet) each(visit func(row, column int, p *panel)) {
	for i, row := range s.rows {
		for j, p := range row {
			if p != nil {
				visit(i, j, p)
			}
		}
	}
}
