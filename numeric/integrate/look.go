package integrate

import "math"

const (
	looks      = 200 // points of a range that are looked at
	mostLooked = 6   // up to what level a panel is
)

// look looks for narrow peaks in the panels of finite ranges when they seem to be exact, and says
// whether there are none.
func (q *quad) look() (none bool, err error) {
	none = true
	for i := range q.panels {
		p := &q.panels[i]
		if p.looked || q.inner || q.parts[p.part].sign != 0 || p.level > mostLooked {
			continue
		}
		if err := q.lookAt(p); err != nil {
			return false, err
		}
		none = none && !p.isOdd
	}
	return none, nil
}

// lookAt looks for a peak at points that are no fractions which peaks like to be at; at more of
// them where f is 0 otherwise. What it finds is kept, until panels foretell it.
func (q *quad) lookAt(p *panel) error {
	p.looked = true
	points := max(3, looks>>p.level)
	if p.peak == 0 {
		points *= 2
	}
	furthest := 0.0
	for i := range points {
		t := p.a + (p.b-p.a)*(float64(i)+1/math.Phi)/float64(points)
		v, err := q.at(q.parts[p.part], t)
		if err != nil {
			return err
		}
		if off := math.Abs(v - p.between(t)); off > furthest && !p.foretells(t, v) {
			furthest, p.place, p.odd, p.isOdd = off, t, v, true
		}
	}
	if p.isOdd {
		p.lose()
	}
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
