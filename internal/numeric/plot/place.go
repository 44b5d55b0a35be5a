package plot

import (
	"fmt"

	"gonum.org/v1/plot/vg"
)

// frame holds the sums of margins, for one round of placing.
type frame struct {
	left, right []vg.Length // of each column
	top, bottom []vg.Length // of each row
	titleUp     []vg.Length // of each row: all titles stand on one line
	head, foot  vg.Length   // above and below all panels
	side        vg.Length   // right of all panels
}

func (l *layout) frame() frame {
	columns, rows := l.sheet.columns(), len(l.sheet.Rows)
	f := frame{
		left: make([]vg.Length, columns), right: make([]vg.Length, columns),
		top: make([]vg.Length, rows), bottom: make([]vg.Length, rows), titleUp: make([]vg.Length, rows),
	}
	for _, b := range l.boxes {
		m := b.margins
		f.left[b.column] = max(f.left[b.column], m.left)
		f.right[b.column] = max(f.right[b.column], m.right)
		f.bottom[b.row] = max(f.bottom[b.row], m.bottom)
		f.titleUp[b.row] = max(f.titleUp[b.row], b.titleUp)
	}
	for _, b := range l.boxes { // titles are level, so the highest of them counts for all
		f.top[b.row] = max(f.top[b.row], b.margins.top)
		if b.Title != "" {
			f.top[b.row] = max(f.top[b.row], f.titleUp[b.row]+titleSize*0.95)
		}
	}
	if l.sheet.Title != "" {
		f.head = titlePad + sheetTitleSize
	}
	return f
}

func sum(lengths []vg.Length) vg.Length {
	var s vg.Length
	for _, l := range lengths {
		s += l
	}
	return s
}

// place gives every box its rectangle. Where the size is given it also changes
// the cells for the next round.
func (l *layout) place(c *cells, size Size) error {
	f := l.frame()
	columns, rows := len(f.left), len(f.top)
	if l.bar != nil {
		l.bar.ticks = l.bar.Ticks(l.vertical(sum(c.heights)))
		f.side = l.barRoom(l.bar)
	}
	across := 2*edge + sum(f.left) + sum(f.right) + vg.Length(columns-1)*columnGap + f.side
	if size.Width > 0 {
		old := c.width
		c.width = (vg.Length(size.Width)*vg.Inch - across) / vg.Length(columns)
		for i := range c.heights { // keep the proportions unless the height is given too
			c.heights[i] *= c.width / old
		}
		if c.width < smallestBox {
			return fmt.Errorf("width %v: must be at least %.1f inches for this figure", size.Width, float64((across+vg.Length(columns)*smallestBox)/vg.Inch)+0.05)
		}
	}
	l.width = across + vg.Length(columns)*c.width
	if l.sheet.Legend != nil {
		l.legend = l.rowLegend(l.sheet.Legend, l.width-2*edge)
		f.foot = l.legend.height + rowGap/2
	}
	down := 2*edge + sum(f.top) + sum(f.bottom) + vg.Length(rows-1)*rowGap + f.head + f.foot
	if size.Height > 0 {
		room := vg.Length(size.Height)*vg.Inch - down
		if room < vg.Length(rows)*smallestBox {
			return fmt.Errorf("height %v: must be at least %.1f inches for this figure", size.Height, float64((down+vg.Length(rows)*smallestBox)/vg.Inch)+0.05)
		}
		total := sum(c.heights)
		for i := range c.heights {
			c.heights[i] *= room / total
		}
	}
	l.height = down + sum(c.heights)
	l.placeBoxes(c, f)
	return nil
}

func (l *layout) placeBoxes(c *cells, f frame) {
	lefts, bottoms := make([]vg.Length, len(f.left)), make([]vg.Length, len(f.top))
	x := edge
	for i := range lefts {
		lefts[i] = x + f.left[i]
		x = lefts[i] + c.width + f.right[i] + columnGap
	}
	right := x - columnGap
	y := l.height - edge - f.head
	for i := range bottoms {
		bottoms[i] = y - f.top[i] - c.heights[i]
		y = bottoms[i] - f.bottom[i] - rowGap
	}
	for _, b := range l.boxes {
		w, h := b.fit(c)
		b.rect.Min = vg.Point{
			X: lefts[b.column] + (c.width-w)/2,
			Y: bottoms[b.row] + (c.heights[b.row]-h)/2,
		}
		b.rect.Max = b.rect.Min.Add(vg.Point{X: w, Y: h})
		b.titleUp = f.titleUp[b.row]
		b.from, b.to = lefts[b.column]-f.left[b.column], lefts[b.column]+c.width+f.right[b.column]
		if b.bar != nil {
			b.bar.beside(b.rect)
		}
		if b.legend != nil {
			b.legend.moveInto(b)
		}
	}
	inner := vg.Rectangle{
		Min: vg.Point{X: lefts[0], Y: bottoms[len(bottoms)-1]},
		Max: vg.Point{X: right, Y: bottoms[0] + c.heights[0]},
	}
	if l.bar != nil {
		l.bar.beside(inner)
	}
	middle := (inner.Min.X + lefts[len(lefts)-1] + c.width) / 2
	l.titleAt = vg.Point{X: middle, Y: l.height - edge - sheetTitleSize*0.8}
	if l.legend != nil {
		l.legend.at = vg.Point{X: max(edge, middle-l.legend.width/2), Y: edge + l.legend.height}
	}
}

// beside puts a colour bar on the right of a rectangle, with room for the tips.
func (b *barPlace) beside(r vg.Rectangle) {
	b.rect = vg.Rectangle{
		Min: vg.Point{X: r.Max.X + b.away + barGap, Y: r.Min.Y},
		Max: vg.Point{X: r.Max.X + b.away + barGap + barWidth, Y: r.Max.Y},
	}
	if b.under {
		b.rect.Min.Y += barTip
	}
	if b.over {
		b.rect.Max.Y -= barTip
	}
}
