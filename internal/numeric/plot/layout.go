package plot

import (
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
)

// The house style, in points. Sizes of text do not depend on the size of the
// figure: a figure is made in the size in which it is to be printed.
const (
	sheetTitleSize vg.Length = 11
	titleSize      vg.Length = 10
	labelSize      vg.Length = 9
	tickSize       vg.Length = 8
	legendSize     vg.Length = 8

	tickLength  vg.Length = 3
	minorLength vg.Length = 1.7
	tickPad     vg.Length = 2.5 // between a tick and its label
	labelPad    vg.Length = 4.5 // between tick labels and the label of the axis
	titlePad    vg.Length = 5
	barGap      vg.Length = 6
	barWidth    vg.Length = 8
	barTip      vg.Length = 6 // height of the triangle for values beyond the scale
	columnGap   vg.Length = 11
	rowGap      vg.Length = 9
	edge        vg.Length = 4 // around the whole figure
	smallestBox vg.Length = 30
)

// layout is a sheet with a place for everything.
type layout struct {
	sheet         *Sheet
	width, height vg.Length
	boxes         []*box
	legend        *legend     // below all panels, or nil
	bar           *barPlace   // right of all panels, or nil
	titleAt       vg.Point    // middle of the baseline
	text          *typesetter // what labels are measured and set with
}

// box is a panel with its place.
type box struct {
	*Panel
	row, column    int
	rect           vg.Rectangle // inside of the axes
	xTicks, yTicks Ticks
	rightTicks     Ticks     // of the second y axis
	showX, showY   bool      // tick labels; not where the neighbour's axis is the same
	nameX, nameY   bool      // label of the axis; not where the neighbour's is the same
	titleUp        vg.Length // from the box to the baseline of the title
	from, to       vg.Length // ends of the column, with its margins
	bar            *barPlace
	legend         *legend
	margins        margins
}

// barPlace is a colour bar with its place.
type barPlace struct {
	*Colorbar
	rect  vg.Rectangle
	ticks Ticks
	away  vg.Length // from the box, for what stands between
}

// margins are what a panel needs around its box.
type margins struct{ left, right, top, bottom vg.Length }

// arrange lays a sheet out. Margins depend on tick labels, tick labels on the
// lengths of the axes, and these on the margins: three rounds settle it.
func arrange(s *Sheet, t *typesetter, size Size) (*layout, error) {
	l := &layout{sheet: s, text: t}
	s.each(func(row, column int, p *Panel) {
		l.boxes = append(l.boxes, &box{Panel: p, row: row, column: column})
	})
	l.shareLabels()
	if s.Bar != nil {
		l.bar = &barPlace{Colorbar: s.Bar}
	}
	cells := l.naturalCells()
	for range 3 {
		l.measure(cells)
		if err := l.place(cells, size); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// cells are the sizes of the boxes: one width for all, one height for each row.
type cells struct {
	width   vg.Length
	heights []vg.Length
}

// naturalCells returns the box sizes of a figure that may choose its own size:
// half a page for one panel, the width of a page for three in a row.
func (l *layout) naturalCells() *cells {
	c := &cells{width: 252, heights: make([]vg.Length, len(l.sheet.Rows))}
	fixed := false
	for _, b := range l.boxes {
		fixed = fixed || b.Fixed
	}
	switch n := vg.Length(l.sheet.columns()); {
	case n > 1:
		c.width = max(86, 470/n-34)
		c.width = min(c.width, 185)
	case fixed:
		c.width = 205
	}
	for _, b := range l.boxes {
		c.heights[b.row] = max(c.heights[b.row], c.width*vg.Length(min(max(b.Ratio, 0.25), 2.5)))
	}
	return c
}

// shareLabels decides which panels show the tick labels and the names of their
// axes: if all panels of a column agree, the lowest; of a row, the leftmost.
func (l *layout) shareLabels() {
	for _, b := range l.boxes {
		sameX, sameY, sameNameX, sameNameY := true, true, true, true
		lowest, leftmost := true, true
		for _, o := range l.boxes {
			shape := b.Fixed == o.Fixed && (!b.Fixed || b.Ratio == o.Ratio)
			if o.column == b.column {
				sameX = sameX && o.X == b.X && shape
				sameNameX = sameNameX && o.X.Label == b.X.Label
				lowest = lowest && o.row <= b.row
			}
			if o.row == b.row {
				sameY = sameY && o.Y == b.Y && shape
				sameNameY = sameNameY && o.Y.Label == b.Y.Label
				leftmost = leftmost && o.column >= b.column
			}
		}
		b.showX, b.nameX = lowest || !sameX, b.X.Label != "" && (lowest || !sameNameX)
		b.showY, b.nameY = leftmost || !sameY, b.Y.Label != "" && (leftmost || !sameNameY)
	}
}

// fit returns the size of the box inside its cell.
func (b *box) fit(c *cells) (w, h vg.Length) {
	w, h = c.width, c.heights[b.row]
	if b.Fixed {
		w = min(w, h/vg.Length(b.Ratio))
		h = w * vg.Length(b.Ratio)
	}
	return w, h
}

// measure chooses ticks and legends for these box sizes, and from them margins.
func (l *layout) measure(c *cells) {
	for _, b := range l.boxes {
		w, h := b.fit(c)
		b.rect.Max = b.rect.Min.Add(vg.Point{X: w, Y: h})
		b.xTicks = b.X.Ticks(l.horizontal(w))
		b.yTicks = b.Y.Ticks(l.vertical(h))
		if b.Right != nil {
			b.rightTicks = b.Right.Ticks(l.vertical(h))
		}
		if b.Fixed && b.X.Lo == b.Y.Lo && b.X.Hi == b.Y.Hi {
			b.yTicks = b.xTicks
		}
		b.bar = nil
		if b.Panel.Bar != nil {
			b.bar = &barPlace{Colorbar: b.Panel.Bar}
			b.bar.ticks = b.bar.Ticks(l.vertical(h))
		}
		b.legend = l.placeLegend(b)
		b.margins = l.margins(b)
	}
}

func (l *layout) horizontal(length vg.Length) Ruler {
	return Ruler{float64(length), 42, func(label string) float64 { return float64(l.text.width(label, tickSize)) + 7 }}
}

func (l *layout) vertical(length vg.Length) Ruler {
	return Ruler{float64(length), 28, func(string) float64 { return float64(tickSize) + 3 }}
}

// widest returns the width of the widest tick label.
func (l *layout) widest(t Ticks) vg.Length {
	var w vg.Length
	for _, k := range t.Marks {
		w = max(w, l.text.width(k.Label, tickSize))
	}
	return w
}

func (l *layout) margins(b *box) margins {
	if b.Bare {
		return l.bareMargins(b)
	}
	m := margins{left: tickLength, right: 1, top: tickSize * capHeight / 2, bottom: tickLength}
	if b.showY {
		m.left += tickPad + l.widest(b.yTicks)
	}
	if b.nameY {
		m.left += labelPad + labelSize*0.95
	}
	if b.nameX || b.showX && b.xTicks.Factor != "" {
		m.bottom += labelPad + labelSize*0.9
	}
	if b.showX {
		m.bottom += tickPad + tickSize*0.75
		for _, t := range b.xTicks.Marks {
			w, at := b.rect.Max.X-b.rect.Min.X, vg.Length(b.X.Norm(t.At))
			half := l.text.width(t.Label, tickSize) / 2
			m.right = max(m.right, at*w+half-w)
			m.left = max(m.left, half-at*w)
		}
	}
	if b.bar != nil {
		m.right = max(m.right, l.barRoom(b.bar))
	}
	if b.Right != nil {
		m.right = max(m.right, l.rightRoom(b))
	}
	if b.legend != nil && b.legend.beside {
		m.right += columnGap + b.legend.width
	}
	above, inTheWay := l.topFactors(b)
	if above {
		m.top += tickSize
	}
	if b.Title != "" {
		b.titleUp = titlePad
		if inTheWay {
			b.titleUp += tickSize
		}
		m.top = max(m.top, b.titleUp+titleSize*0.95)
	}
	return m
}

// topFactors tells whether a "×10⁻³" stands above the box, and whether it is in
// the way of the title.
func (l *layout) topFactors(b *box) (above, inTheWay bool) {
	title, width := l.text.width(b.Title, titleSize)/2+4, b.rect.Size().X/2
	if b.showY && b.yTicks.Factor != "" {
		above = true
		inTheWay = title > width-l.text.width(b.yTicks.Factor, tickSize)
	}
	if b.Right != nil && b.rightTicks.Factor != "" {
		above = true
		inTheWay = inTheWay || title > width-l.text.width(b.rightTicks.Factor, tickSize)
	}
	if b.bar != nil && b.bar.ticks.Factor != "" {
		above = true
		inTheWay = inTheWay || title > width+barGap
	}
	return above, inTheWay
}

// bareMargins are those of a panel without axes.
func (l *layout) bareMargins(b *box) margins {
	var m margins
	for _, t := range b.sided(l.text) {
		m.left, m.right = max(m.left, b.rect.Min.X-t.rect.Min.X), max(m.right, t.rect.Max.X-b.rect.Max.X)
		m.bottom, m.top = max(m.bottom, b.rect.Min.Y-t.rect.Min.Y), max(m.top, t.rect.Max.Y-b.rect.Max.Y)
	}
	if b.bar != nil {
		b.bar.away = m.right
		m.right += l.barRoom(b.bar)
		if b.bar.ticks.Factor != "" {
			m.top = max(m.top, tickSize)
		}
	}
	if b.Title != "" {
		b.titleUp = titlePad
		m.top = max(m.top, b.titleUp+titleSize*0.95)
	}
	return m
}

// rightRoom is what the second y axis takes on the right of a box.
func (l *layout) rightRoom(b *box) vg.Length {
	room := tickLength + tickPad + l.widest(b.rightTicks)
	if b.Right.Label != "" {
		room += labelPad + labelSize*0.95
	}
	return room
}

// barRoom is the room that a colour bar takes on the right of a box.
func (l *layout) barRoom(b *barPlace) vg.Length {
	room := barGap + barWidth + tickLength + tickPad + l.widest(b.ticks)
	room = max(room, barGap+l.text.width(b.ticks.Factor, tickSize))
	if b.Label != "" {
		room += labelPad + labelSize*0.95
	}
	return room
}

// Ticks puts ticks on a colour bar: at the levels of a contour if there
// is room, else at round values.
func (b *Colorbar) Ticks(r Ruler) Ticks {
	a := b.Scale()
	t := a.Ticks(r)
	if len(b.Levels) == 0 || b.log {
		return t
	}
	atLevels := a.linearTicks(r.Length/r.Want, func(t Ticks) bool {
		return r.fits(a, t.Marks) && subset(t.Marks, slices.Concat(b.Levels, []float64{b.lo, b.hi}), (b.hi/2-b.lo/2)*slack)
	})
	if len(atLevels.Marks) > 0 {
		return atLevels
	}
	return t
}

// subset tells whether there are several ticks, each at one of the values.
func subset(ticks []Tick, values []float64, tolerance float64) bool {
	for _, t := range ticks {
		found := false
		for _, v := range values {
			found = found || math.Abs(v-t.At) <= tolerance
		}
		if !found {
			return false
		}
	}
	return len(ticks) > 1
}
