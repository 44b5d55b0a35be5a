package plot

import (
	"fmt"

	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/vg"
)

// typesetter measures labels and turns them into outlines (Liberation Sans).
// Text in pictures is always outlines: it looks the same in every viewer, and
// Greek letters work in PDF, whose simple fonts hold 256 characters. Not safe
// for concurrent use; each picture makes its own.
type typesetter struct {
	face   *sfnt.Font
	glyphs map[glyphKey]*glyph
	buf    sfnt.Buffer
}

type glyphKey struct {
	italic bool
	r      rune
}

// glyph is an outline with y up, in ems.
type glyph struct {
	segments []glyphSegment
	advance  float64
	index    sfnt.GlyphIndex
	top      float64 // highest point
	middle   float64 // halfway between the leftmost and the rightmost point
	italic   bool
}

type glyphSegment struct {
	op   sfnt.SegmentOp
	args [3]vg.Point
}

// newTypesetter reads one of the twelve faces of Liberation; each is 0.4 MB in every program
// that draws.
func newTypesetter() *typesetter {
	f, err := sfnt.Parse(liberationsansregular.TTF)
	if err != nil { // the font is compiled in: only a corrupt build gets here
		panic(fmt.Sprintf("plot: font: %v", err))
	}
	return &typesetter{glyphs: make(map[glyphKey]*glyph), face: f}
}

// Italic letters are the regular ones inclined by 11° about the middle of small letters, as
// those of the italic face are.
const slant, upright = 0.194, 0.266

// capHeight is the height of a capital letter or a digit, in ems.
const capHeight = 0.69

func (t *typesetter) glyph(r rune, italic bool) *glyph {
	key := glyphKey{italic, r}
	if g, ok := t.glyphs[key]; ok {
		return g
	}
	g, err := t.load(r, italic)
	if err != nil { // the fonts are compiled in: only a corrupt build gets here
		panic(fmt.Sprintf("plot: glyph %q: %v", r, err))
	}
	t.glyphs[key] = g
	return g
}

func (t *typesetter) load(r rune, italic bool) (*glyph, error) {
	flip := r == '∇' // not in the font: a Δ on its head
	if flip {
		r = 'Δ'
	}
	if r == thinSpace {
		return &glyph{advance: 1.0 / 6}, nil
	}
	if r == hat {
		r = 'ˆ'
	}
	units := float64(t.face.UnitsPerEm())
	ppem := fixed.Int26_6(t.face.UnitsPerEm()) << 6
	index, err := t.face.GlyphIndex(&t.buf, r)
	if err != nil {
		return nil, err
	}
	segments, err := t.face.LoadGlyph(&t.buf, index, ppem, nil)
	if err != nil {
		return nil, err
	}
	g := &glyph{index: index, italic: italic}
	lo, hi := 1e9, -1e9
	for _, s := range segments {
		seg := glyphSegment{op: s.Op}
		for i, a := range s.Args {
			x, y := float64(a.X)/64/units, -float64(a.Y)/64/units
			if flip {
				y = capHeight - y
			}
			if italic {
				x += slant * (y - upright)
			}
			seg.args[i] = vg.Point{X: vg.Length(x), Y: vg.Length(y)}
			if i < operands(s.Op) {
				lo, hi, g.top = min(lo, x), max(hi, x), max(g.top, y)
			}
		}
		g.segments = append(g.segments, seg)
	}
	if len(segments) > 0 {
		g.middle = (lo + hi) / 2
	}
	advance, err := t.face.GlyphAdvance(&t.buf, index, ppem, font.HintingNone)
	if err != nil {
		return nil, err
	}
	g.advance = float64(advance) / 64 / units
	return g, nil
}

func operands(op sfnt.SegmentOp) int {
	switch op {
	case sfnt.SegmentOpQuadTo:
		return 2
	case sfnt.SegmentOpCubeTo:
		return 3
	}
	return 1
}

// kern returns the correction of the distance between two glyphs, in ems.
func (t *typesetter) kern(a, b *glyph) float64 {
	if a == nil || a.italic != b.italic {
		return 0
	}
	ppem := fixed.Int26_6(t.face.UnitsPerEm()) << 6
	k, err := t.face.Kern(&t.buf, a.index, b.index, ppem, font.HintingNone)
	if err != nil { // the pair is not in the table
		return 0
	}
	return float64(k) / 64 / float64(t.face.UnitsPerEm())
}

// walk calls visit for each glyph of the label with its position and size, and
// returns the width of the whole; everything in points.
func (t *typesetter) walk(label string, size vg.Length, visit func(g *glyph, x, y, size vg.Length)) vg.Length {
	var x vg.Length
	for _, s := range parseLabel(label) {
		var prev *glyph
		em := size * vg.Length(s.scale)
		for _, r := range s.text {
			g := t.glyph(r, s.italic && r != hat)
			if r == hat {
				if prev != nil && visit != nil {
					lift := vg.Length(max(0, prev.top-0.52)) * em // clear tall letters, sit close on small ones
					slant := vg.Length(0)
					if s.italic {
						slant = 0.06 * em
					}
					visit(g, x-vg.Length(prev.advance-prev.middle+g.middle)*em+slant, size*vg.Length(s.rise)+lift, em)
				}
				continue
			}
			x += vg.Length(t.kern(prev, g)) * em
			if visit != nil {
				visit(g, x, size*vg.Length(s.rise), em)
			}
			x += vg.Length(g.advance) * em
			prev = g
		}
	}
	return x
}

func (t *typesetter) width(label string, size vg.Length) vg.Length { return t.walk(label, size, nil) }

// align says which point of a label stands on the given place: 0 left or
// bottom, 0.5 middle, 1 right or top (of the capitals).
type align struct{ x, y float64 }

// outline returns the label as a path to fill. Upright text runs to the right;
// turned text is rotated a quarter turn and runs upwards.
func (t *typesetter) outline(label string, size vg.Length, at vg.Point, a align, turned bool) vg.Path {
	dx := -t.width(label, size) * vg.Length(a.x)
	dy := -size * capHeight * vg.Length(a.y)
	var p vg.Path
	t.walk(label, size, func(g *glyph, x, y, em vg.Length) {
		place := func(q vg.Point) vg.Point {
			px, py := dx+x+q.X*em, dy+y+q.Y*em
			if turned {
				px, py = -py, px
			}
			return vg.Point{X: at.X + px, Y: at.Y + py}
		}
		for i, s := range g.segments {
			switch s.op {
			case sfnt.SegmentOpMoveTo:
				if i > 0 {
					p.Close()
				}
				p.Move(place(s.args[0]))
			case sfnt.SegmentOpLineTo:
				p.Line(place(s.args[0]))
			case sfnt.SegmentOpQuadTo:
				p.QuadTo(place(s.args[0]), place(s.args[1]))
			case sfnt.SegmentOpCubeTo:
				p.CubeTo(place(s.args[0]), place(s.args[1]), place(s.args[2]))
			}
		}
		if len(g.segments) > 0 {
			p.Close()
		}
	})
	return p
}
