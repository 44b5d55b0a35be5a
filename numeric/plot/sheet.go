package plot

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
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
	clip := draw.Canvas{Rectangle: b.rect}
	var pieces [][]vg.Point
	for _, run := range b.runs(Curve{X: x, Y: y}) {
		pieces = append(pieces, clip.ClipLinesXY(run)...)
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

func (p *Panel) boxed(w, h int) *box {
	return &box{Panel: p, rect: vg.Rectangle{Max: vg.Point{X: vg.Length(w), Y: vg.Length(h)}}}
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
