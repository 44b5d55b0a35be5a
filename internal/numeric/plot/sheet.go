package plot

import (
	"image"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
)

// Resolve returns the figure as a Sheet: with its ranges, colours and styles decided,
// ready to be drawn on any medium. It is for renderers of other media than the files
// that Save writes. The error names the first argument that cannot be drawn.
func Resolve(fig Figure) (*Sheet, error) {
	if fig == nil {
		return nil, errNoFigure()
	}
	return fig.sheet()
}

// Place returns where the point (x, y) of the data stands in a box of w × h units,
// counted from its lower left corner; false if that is outside, or nowhere.
func (p *Panel) Place(x, y float64, w, h int) (vg.Point, bool) {
	b := p.boxed(w, h)
	q, ok := b.at(x, y)
	return q, ok && b.contains(q)
}

// Trace returns the line through the points (x[i], y[i]) in a box of w × h units: pieces
// that lie in the box, and between which it leaves the box or misses a number.
func (p *Panel) Trace(x, y []float64, w, h int) [][]vg.Point {
	b := p.boxed(w, h)
	var pieces [][]vg.Point
	for _, run := range b.runs(Curve{X: x, Y: y}) {
		if len(run) == 1 && b.contains(run[0]) {
			pieces = append(pieces, run)
		}
		pieces = append(pieces, clippedLine(b.rect, run)...)
	}
	return pieces
}

// ErrorBar returns the ends of the error bar of a curve at its point i, cut to a box of
// w × h units; false if nothing of it is inside.
func (p *Panel) ErrorBar(c Curve, i, w, h int) (low, high vg.Point, ok bool) {
	b := p.boxed(w, h)
	low, high, ok = b.limits(c, i)
	low.Y, high.Y = max(low.Y, b.rect.Min.Y), min(high.Y, b.rect.Max.Y)
	return low, high, ok && low.Y <= high.Y && b.contains(vg.Point{X: low.X, Y: b.rect.Min.Y})
}

// Fills paints what is filled on w × h pixels, row 0 on top: the shapes of the curves, or the
// picture. Where nothing is filled it is transparent; it returns nil where nothing is filled at all.
func (p *Panel) Fills(w, h int) *image.NRGBA {
	if p.picture != nil {
		return scaled(p.picture, w, h)
	}
	var img *image.NRGBA
	b := p.boxed(w, h)
	for _, c := range p.Curves {
		for _, s := range c.Shapes {
			if img == nil {
				img = image.NewNRGBA(image.Rect(0, 0, w, h))
			}
			fillPolygon(img, b.of(c).corners(s), s.Fill)
		}
	}
	return img
}

// fillPolygon paints the pixels whose middle is inside, by crossings along each row; the
// corners count from the lower left. What is thinner than a pixel still shows in one.
func fillPolygon(img *image.NRGBA, corners []vg.Point, c color.NRGBA) {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	c.A = 255
	for row := range h {
		y := float64(h-1-row) + 0.5
		var crossings []float64
		for i, p := range corners {
			q := corners[(i+1)%len(corners)]
			if (float64(p.Y) <= y) != (float64(q.Y) <= y) {
				crossings = append(crossings, float64(p.X)+(y-float64(p.Y))/float64(q.Y-p.Y)*float64(q.X-p.X))
			}
		}
		slices.Sort(crossings)
		for i := 1; i < len(crossings); i += 2 {
			from, to := int(math.Ceil(max(crossings[i-1]-0.5, 0))), int(math.Floor(min(crossings[i]-0.5, float64(w-1))))
			if from > to && crossings[i] > 0 && crossings[i-1] < float64(w) {
				from = min(max(int((crossings[i-1]+crossings[i])/2), 0), w-1)
				to = from
			}
			for x := from; x <= to; x++ {
				img.SetNRGBA(x, row, c)
			}
		}
	}
}

func (p *Panel) boxed(w, h int) *box {
	return &box{Panel: p, rect: vg.Rectangle{Max: vg.Point{X: vg.Length(w), Y: vg.Length(h)}}}
}

// Segment returns the ends of an arrow in a box of w × h units; false if it leaves the box
// or has no place.
func (p *Panel) Segment(a Arrow, w, h int) (from, to vg.Point, ok bool) {
	b := p.boxed(w, h)
	from, okFrom := b.limit(a.X, a.Y)
	to, okTo := b.limit(a.ToX, a.ToY)
	if !okFrom || !okTo {
		return from, to, false
	}
	for _, piece := range clippedLine(b.rect, []vg.Point{from, to}) {
		return piece[0], piece[len(piece)-1], true
	}
	return from, to, false
}

// Scale is the axis along the bar, from the value of its first colour to that of its last.
func (b *Colorbar) Scale() Axis { return Axis{Lo: b.lo, Hi: b.hi, Log: b.log} }

// Ends returns the values at the ends of the bar as labels of three digits; an end that is
// nearly zero on a linear scale is zero.
func (b *Colorbar) Ends() (low, high string) {
	short := func(v float64) string {
		if !b.log && math.Abs(v) < 1e-6*max(math.Abs(b.lo), math.Abs(b.hi)) {
			v = 0
		}
		return shortNumber(v)
	}
	return short(b.lo), short(b.hi)
}

// Toned returns the colour with its lightness, in Oklab from 0 (black) to 1 (white), moved
// into [lo, hi] and its hue kept: legible on a background that is not known.
func Toned(c color.NRGBA, lo, hi float64) color.NRGBA {
	lab := oklabOf(packed(c))
	lab.l = min(max(lab.l, lo), hi)
	return unhex(lab.hex())
}

func packed(c color.NRGBA) uint32 { return uint32(c.R)<<16 | uint32(c.G)<<8 | uint32(c.B) }
