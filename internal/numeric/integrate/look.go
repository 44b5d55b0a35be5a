package integrate

import "math"

const (
	looks      = 200 // points of a range that are looked at
	mostLooked = 6   // up to what level a panel is
	mostInside = 16  // and one of an integral inside another, between its ends and its points
	closer     = 8   // by what factor each look is nearer
	closest    = 1e-14
)

// look looks for narrow peaks in the panels of finite ranges when they seem to be exact, and says
// whether there are none.
func (q *quad) look() (none bool, err error) {
	none = true
	for i := range q.panels {
		p := &q.panels[i]
		look, most := q.lookAt, mostLooked
		if q.inner {
			look, most = q.lookAtEnds, mostInside
		}
		if p.looked || q.parts[p.part].sign != 0 || p.level > most {
			continue
		}
		if err := look(p); err != nil {
			return false, err
		}
		none = none && !p.isOdd
	}
	return none, nil
}

// lookAt looks for a peak at points that are no fractions which peaks like to be at; at more of
// them where f is 0 otherwise; and closer and closer to ends, to 0 and to the points given, where
// layers are. What it finds is kept, until panels foretell it.
func (q *quad) lookAt(p *panel) error {
	p.looked = true
	points := max(3, looks>>p.level)
	if p.peak == 0 {
		points *= 2
	}
	for i := range points {
		t := p.a + (p.b-p.a)*(float64(i)+1/math.Phi)/float64(points)
		if err := q.probe(p, t, p.b-p.a); err != nil {
			return err
		}
	}
	if err := q.lookClosely(p); err != nil {
		return err
	}
	if p.isOdd {
		p.lose()
	}
	return nil
}

// lookAtEnds looks between the ends and the points nearest to them: of a region cut out by a function that
// is 0 outside of it, the integral around would miss the slices that are as narrow as that.
func (q *quad) lookAtEnds(p *panel) error {
	p.looked = true
	for _, share := range []float64{1. / 512, 1. / 4096, 1. / 32768} {
		d := (p.b - p.a) * share
		for _, t := range []float64{p.a + d, p.b - d} {
			if err := q.probe(p, t, closer*d); err != nil {
				return err
			}
		}
	}
	if p.isOdd {
		p.lose()
	}
	return nil
}

// lookClosely looks at ends, at 0 and at the points given from ever smaller distances; not where
// a panel is known to be inexact, as one that is extrapolated to a singularity.
func (q *quad) lookClosely(p *panel) error {
	value, _, size := q.total()
	if p.err*float64(len(q.panels)) > q.enough(value, size) {
		return nil
	}
	width := p.b - p.a
	least := max(closest*width, 64*0x1p-52*max(math.Abs(p.a), math.Abs(p.b)))
	for _, from := range q.near {
		for d := width / closer; d > least; d /= closer {
			for _, t := range []float64{from - d, from + d} {
				if t <= p.a || p.b <= t {
					continue
				}
				if err := q.probe(p, t, closer*d); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// probe keeps what f is at t if the panel does not foretell it, more than what was found before, and
// a peak of a width could matter.
func (q *quad) probe(p *panel, t, width float64) error {
	v, _, err := q.at(q.parts[p.part], t)
	if err != nil {
		return err
	}
	off, old := math.Abs(v-p.between(t)), 0.0
	if p.isOdd {
		old = math.Abs(p.odd - p.between(p.place))
	}
	if off <= old || p.foretells(t, v) {
		return nil
	}
	if width < p.b-p.a {
		value, _, size := q.total()
		if off*width <= q.enough(value, size) {
			return nil
		}
	}
	p.place, p.odd, p.isOdd = t, v, true
	return nil
}

// foretells says whether f(t) is what the values at the points of the panel let one expect.
func (p *panel) foretells(t, f float64) bool {
	const near = 1e-5
	scale := math.Abs(f)
	for _, v := range p.values {
		scale = max(scale, math.Abs(v))
	}
	return math.Abs(f-p.between(t)) <= near*scale
}

// lose makes the error what a peak at the odd value may amount to.
func (p *panel) lose() {
	p.lost = true
	p.err = max(p.err, math.Abs(p.odd-p.between(p.place))*(p.b-p.a))
}
