package plot

import (
	"image"
	"image/color"

	"gonum.org/v1/plot/vg"
)

// Sheet is a figure ready to be laid out: panels in rows, nil where a place
// stays empty. Everything about the data is decided here; where things go, and
// what they look like on paper or on a screen, is decided by the renderers.
type Sheet struct {
	Title  string
	Rows   [][]*Panel
	Bar    *Colorbar // one for all panels; nil: each has its own
	Legend []Curve   // one for all panels; nil: each has its own
}

// Panel is one pair of axes and what is drawn between them, the field first.
type Panel struct {
	Title   string
	X, Y    Axis
	Field   *Field       // nil: none
	picture *image.NRGBA // nil: none
	hidden  bool         // the field is there for its bands only: isolines show it
	Curves  []Curve
	Bar     *Colorbar
	Right   *Axis   // nil, or the y axis of the curves that are on the right
	Bare    bool    // without axes and frame
	Texts   []Text  // words between the axes
	Legend  string  // where the legend goes: see legendPlaces
	grid    bool    // faint lines at the ticks
	Ratio   float64 // of the height of the box to its width, if nothing else decides
	Fixed   bool    // the ratio must be kept: units of x and y are equally long
}

// Curve is a line, its markers and its band.
type Curve struct {
	Label     string
	Style     LineStyle
	width     vg.Length
	X, Y      []float64 // NaN interrupts the line
	Low, High []float64 // nil, or the limits of the band
	Bars      bool      // draw them as error bars
	Rule      bool      // straight, from one side of the box to the other
	Isoline   bool      // the border of two bands of the field
	Right     bool      // on the panel's right axis
	Shapes    []Shape   // drawn below the line
	Arrows    []Arrow
	Sizes     []float64     // nil, or how many times the usual size each marker has
	Colors    []color.NRGBA // nil, or the colour of each marker
	grounded  bool          // stands on zero
	Behind    bool          // its arrows are below all shapes
}

// Shape is a filled polygon, its corners in the units of the axes.
type Shape struct {
	X, Y    []float64
	Fill    color.NRGBA
	Outline color.NRGBA // transparent: none
}

// Arrow leads from one point to another, in the units of the axes.
type Arrow struct {
	X, Y, ToX, ToY float64
	Head           bool // otherwise a plain line
	Pointed        bool // only the head is drawn, of full length: the line is drawn by others
}

// For returns the panel as a curve sees it: with the y axis that the curve is drawn on.
func (p *Panel) For(c Curve) *Panel {
	if !c.Right || p.Right == nil {
		return p
	}
	q := *p
	q.Y = *p.Right
	return &q
}

// Colorbar explains the colours of a field.
type Colorbar struct {
	colormap
	Label       string
	Levels      []float64 // of a contour: nil for a heat map
	Filled      bool      // the levels are the borders of bands
	under, over bool      // there are values beyond the first, the last colour
}

// labelled returns the curves that a legend has to name.
func labelled(curves []Curve) []Curve {
	var named []Curve
	for _, c := range curves {
		if c.Label != "" {
			named = append(named, c)
		}
	}
	return named
}

// columns returns the largest number of panels in a row.
func (s *Sheet) columns() int {
	n := 0
	for _, row := range s.Rows {
		n = max(n, len(row))
	}
	return n
}

// each calls visit for every panel, row by row.
func (s *Sheet) each(visit func(row, column int, p *Panel)) {
	for i, row := range s.Rows {
		for j, p := range row {
			if p != nil {
				visit(i, j, p)
			}
		}
	}
}
