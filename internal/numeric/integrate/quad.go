package integrate

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// Func is a function of one variable. An error ends the integration.
type Func func(x float64) (float64, error)

// Options say how exact an integral must be: its error at most the larger of Abs and Rel
// times its size, or what rounding leaves.
type Options struct {
	Rel, Abs float64   // Rel 0: 1e-10
	Limit    int       // most intervals; 0: 2000
	Points   []float64 // where f is singular or steep, in any order; those outside the range do not count
	inner    bool      // within another integral: where it is 0 it is not looked at twice
}

// Result is an integral.
type Result struct {
	Value float64
	Bound float64 // estimate of the absolute error, mostly far too large
	Calls int     // of the function
	size  float64 // integral of |f|, which says what rounding leaves
}

// NotReached is the error of an integral that is not as exact as asked for.
type NotReached struct {
	Result
	At  float64 // the middle of the interval with the largest error
	Why string
}

func (e *NotReached) Error() string {
	return fmt.Sprintf("%s: %.12g with an error of about %.1e; the hardest place is near x = %.6g", e.Why, e.Value, e.Bound, e.At)
}

// Quad integrates f from a to b, either of which may be infinite, as all from 1e300 on are. It halves the intervals
// with the largest errors, estimated by Gauss and Kronrod rules of 10 and 21 points, and
// extrapolates where halving goes on at a singularity (QUADPACK's QAGS: Piessens et al.,
// 1983; Wynn's epsilon algorithm). An infinite range is taken logarithmically in the
// distance from a finite end, from the outermost point, or from 0, so that the unit of x
// does not matter. Where a finite range seems to be done, 200 more points of it look for a narrow
// peak that the rules have missed, 400 where f is 0: a Gaussian is found whose standard deviation is
// 1e-3 of the range, and of nothing else 3e-4. At the ends of a finite range, at Points and at 0 it looks closer and closer,
// down to 1e-14 of the range. A narrow peak elsewhere, or one in an infinite range, needs Points.
// The error is a *NotReached where the result is not sure to be as exact
// as asked for. Cost: 21 calls for each interval, and those 250 or so.
func Quad(ctx context.Context, f Func, a, b float64, o Options) (Result, error) {
	return integrate(ctx, func(x float64) (float64, float64, error) {
		y, err := f(x)
		return y, math.Abs(y), err
	}, a, b, o)
}

// sized is a function whose values are sums of others: it returns the sum of their sizes too.
type sized func(x float64) (y, size float64, err error)

func integrate(ctx context.Context, f sized, a, b float64, o Options) (Result, error) {
	if math.IsNaN(a) || math.IsNaN(b) {
		return Result{}, fmt.Errorf("from %g to %g: want numbers", a, b)
	}
	a, b = far(a), far(b)
	if a == b {
		return Result{}, nil
	}
	if a > b {
		r, err := integrate(ctx, f, b, a, o)
		r.Value = -r.Value
		if e, ok := err.(*NotReached); ok {
			e.Value = -e.Value
		}
		return r, err
	}
	if o.Rel == 0 {
		o.Rel = 1e-10
	}
	if o.Limit == 0 {
		o.Limit = 2000
	}
	q := &quad{ctx: ctx, f: f, Options: o}
	if err := q.begin(a, b); err != nil {
		return Result{Calls: q.calls}, err
	}
	return q.run()
}

// far makes an end infinite that is as good as that.
func far(x float64) float64 {
	if math.Abs(x) >= 1e300 {
		return math.Inf(int(math.Copysign(1, x)))
	}
	return x
}

// quad is one integration.
type quad struct {
	Options
	ctx    context.Context
	f      sized
	parts  []part
	panels []panel
	calls  int
	near   []float64 // where finite ranges are looked at most closely
}

// part is a substitution: of the whole variable, or of the logarithm of the distance from
// a point.
type part struct {
	from float64
	sign float64 // 0: x is the variable
}

// reach is the largest logarithm of a distance: far from where squares overflow.
const reach = 340

// pieces are where the logarithmic variable is cut on both sides of 0 at the beginning:
// nothing of ordinary width is missed between 1e-22 and 1e22.
func pieces() []float64 { return []float64{0, 2.5, 6, 11, 18, 28, 50} }

// begin cuts the range at the points.
func (q *quad) begin(a, b float64) error {
	cuts := slices.Clone(q.Points)
	slices.Sort(cuts)
	cuts = slices.Compact(slices.DeleteFunc(cuts, func(x float64) bool { return !(a < x && x < b) }))
	ends := slices.Concat([]float64{a}, cuts, []float64{b})
	q.near = slices.Clone(ends)
	if !slices.Contains(ends, 0) {
		q.near = append(q.near, 0)
	}
	if math.IsInf(a, 0) && math.IsInf(b, 0) && len(cuts) == 0 {
		ends = []float64{a, 0, b}
	}
	for i := range len(ends) - 1 {
		lo, hi := ends[i], ends[i+1]
		switch {
		case math.IsInf(hi, 1):
			if err := q.logarithmic(part{from: lo, sign: 1}); err != nil {
				return err
			}
		case math.IsInf(lo, -1):
			if err := q.logarithmic(part{from: hi, sign: -1}); err != nil {
				return err
			}
		default:
			q.parts = append(q.parts, part{})
			if err := q.add(panel{part: len(q.parts) - 1, a: lo, b: hi}); err != nil {
				return err
			}
		}
	}
	if (math.IsInf(a, 0) || math.IsInf(b, 0)) && !q.inner && !slices.ContainsFunc(q.panels, func(p panel) bool { return p.size > 0 }) {
		return fmt.Errorf("f is 0 at all of %d points tried: an infinite range hides where it is not; give a point there, or finite ends", q.calls)
	}
	return nil
}

// logarithmic adds panels of the logarithmic variable, outwards on both sides as far as
// they matter: beyond, functions may overflow.
func (q *quad) logarithmic(p part) error {
	q.parts = append(q.parts, p)
	for _, side := range []float64{-1, 1} {
		cuts, own := pieces(), 0.0 // own is the size of this side: others may be far larger before it is at its peak
		for i := 0; i+1 < len(cuts); i++ {
			from, to := side*cuts[i], side*cuts[i+1]
			if err := q.add(panel{part: len(q.parts) - 1, a: min(from, to), b: max(from, to)}); err != nil {
				return err
			}
			newest := q.panels[len(q.panels)-1].size
			own += newest
			if i+2 < len(cuts) || newest == 0 || newest <= q.enough(0, own)/100 {
				continue
			}
			if cuts[i+1] >= reach {
				_, err := q.failed("f does not fall off")
				return err
			}
			cuts = append(cuts, min(1.5*cuts[i+1], reach))
		}
	}
	return nil
}

// add integrates over a panel and keeps it. Where the panel it was cut from has seen a value
// in it that its own points do not come near, there is a peak between them: its error
// is what that can amount to.
func (q *quad) add(p panel) error {
	if err := q.ctx.Err(); err != nil {
		return err
	}
	const near = 1e-3
	seen := p
	p, err := rule(func(t float64) (float64, float64, error) { return q.at(q.parts[p.part], t) }, p)
	if err != nil {
		return err
	}
	if p.peak < near*seen.peak {
		p.peak, p.at, p.lost = seen.peak, seen.at, true
		p.err = max(p.err, p.peak*(p.b-p.a))
	}
	if p.isOdd = p.isOdd && !p.foretells(p.place, p.odd); p.isOdd {
		p.lose()
	}
	q.panels = append(q.panels, p)
	return nil
}

// at is the integrand in the variable of a part, and its size.
func (q *quad) at(p part, t float64) (y, size float64, err error) {
	x, jacobian := t, 1.0
	if p.sign != 0 {
		jacobian = math.Exp(t)
		x = p.from + p.sign*jacobian
	}
	q.calls++
	y, size, err = q.f(x)
	switch {
	case err != nil:
		return 0, 0, err
	case math.IsNaN(y):
		return 0, 0, fmt.Errorf("f is NaN at x = %.17g", x)
	case math.IsInf(y, 0) && p.sign != 0 && x == p.from: // rounded to the end of the range
		return 0, 0, nil
	case math.IsInf(y, 0):
		return 0, 0, fmt.Errorf("f is infinite at x = %.17g: end the range there, or cut it by points", x)
	case size == 0: // whatever the Jacobian is
		return 0, 0, nil
	}
	y, size = y*jacobian, size*jacobian
	if math.IsInf(y, 0) || math.IsInf(size, 0) {
		return 0, 0, fmt.Errorf("f does not fall off: x f(x) is infinite at x = %.3g", x)
	}
	return y, size, nil
}

// place is a panel's middle in x.
func (q *quad) place(p panel) float64 {
	t := p.a/2 + p.b/2
	if s := q.parts[p.part]; s.sign != 0 {
		return s.from + s.sign*math.Exp(t)
	}
	return t
}

// total sums value, error and size over the panels.
func (q *quad) total() (value, bound, size float64) {
	for _, p := range q.panels {
		value, bound, size = value+p.value, bound+p.err, size+p.size
	}
	return value, bound, size
}

func (q *quad) enough(value, size float64) float64 {
	return max(q.Abs, q.Rel*math.Abs(value), 2*rounding*size)
}

// run halves panels until the error is small enough. What is left of it is driven to ever
// smaller panels, level by level; the sums at the levels are a sequence to extrapolate.
func (q *quad) run() (Result, error) {
	var table epsilon
	for level := 1; ; level++ {
		for {
			value, bound, size := q.total()
			tolerance := q.enough(value, size)
			if bound <= tolerance {
				none, err := q.look()
				if err != nil {
					return Result{Calls: q.calls}, err
				}
				if none {
					return Result{value, bound, q.calls, size}, nil
				}
				continue
			}
			if len(q.panels) >= q.Limit {
				return q.failed(fmt.Sprintf("not exact enough after %d intervals", len(q.panels)))
			}
			worst, left := -1, 0.0
			for i, p := range q.panels {
				if p.level < level {
					left += p.err
					if worst < 0 || p.err > q.panels[worst].err {
						worst = i
					}
				}
			}
			if worst < 0 || left <= tolerance/4 && level > 1 {
				break
			}
			split, err := q.halve(worst)
			if err != nil {
				return Result{Calls: q.calls}, err
			}
			if !split {
				return q.failed("f is too singular")
			}
		}
		value, bound, size := q.total()
		if slices.ContainsFunc(q.panels, func(p panel) bool { return p.lost }) {
			continue // sums that are all without a peak say nothing of it
		}
		if table.diverges() {
			return q.failed("f has no integral: what is left does not become smaller")
		}
		if better, err := table.add(value); table.shrinks(6) && err <= q.enough(better, size)/2 && err < bound {
			none, failed := q.look()
			if failed != nil {
				return Result{Calls: q.calls}, failed
			}
			if !none {
				continue
			}
			return Result{better, max(err, rounding*size), q.calls, size}, nil
		}
	}
}

// halve replaces a panel by its halves; not if it has no middle.
func (q *quad) halve(i int) (ok bool, err error) {
	p := q.panels[i]
	middle := p.a/2 + p.b/2
	if q.parts[p.part].sign == 0 && p.b-p.a <= 64*0x1p-52*max(math.Abs(p.a), math.Abs(p.b)) || !(p.a < middle && middle < p.b) {
		return false, nil
	}
	last := len(q.panels) - 1
	q.panels[i] = q.panels[last]
	q.panels = q.panels[:last]
	for _, half := range []panel{{part: p.part, a: p.a, b: middle, level: p.level + 1}, {part: p.part, a: middle, b: p.b, level: p.level + 1}} {
		if half.a <= p.at && p.at <= half.b {
			half.peak, half.at = p.peak, p.at
		}
		if p.isOdd && half.a <= p.place && p.place <= half.b {
			half.odd, half.place, half.isOdd = p.odd, p.place, true
		}
		if err := q.add(half); err != nil {
			return false, err
		}
	}
	return true, nil
}

func (q *quad) failed(why string) (Result, error) {
	value, bound, size := q.total()
	r := Result{value, bound, q.calls, size}
	worst := slices.MaxFunc(q.panels, func(a, b panel) int {
		if a.err < b.err {
			return -1
		}
		return 1
	})
	return r, &NotReached{Result: r, At: q.place(worst), Why: why}
}
