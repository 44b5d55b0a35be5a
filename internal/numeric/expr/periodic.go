package expr

import "math"

// Period returns the smallest period that the form of n shows in the
// difference of the slots a and b, all else fixed; ok is false if n is not
// stationary in the pair or not periodic. A formula in which the difference
// does not occur is not periodic.
//
// The difference must occur inside sin, cos, tan or mod only, with frequencies
// whose ratios are fractions of small whole numbers.
func Period(n *Node, a, b int) (period float64, ok bool) {
	n = Simplify(n)
	if !DifferenceOnly(n, a, b) {
		return 0, false
	}
	w := waves{slot: a, found: map[*Node]float64{}}
	lag := share(Simplify(Substitute(n, map[int]*Node{b: Const(0)})))
	if !w.scan(lag) || len(w.found) == 0 {
		return 0, false
	}
	base, ok := w.commonFrequency()
	if !ok {
		return 0, false
	}
	// Half the period flips the sines and cosines of odd multiples of the base
	// frequency.
	half := parityOf(lag, func(m *Node) bool {
		f, ok := w.found[m]
		return ok && math.Mod(math.Round(f/base), 2) == 1
	})
	if half == evenParity && !w.oddMod(base) {
		return math.Pi / base, true
	}
	return 2 * math.Pi / base, true
}

// waves are the periodic parts of a formula with their frequencies.
type waves struct {
	slot  int
	found map[*Node]float64
}

// scan reports whether every occurrence of the variable is inside a wave.
func (w *waves) scan(n *Node) bool {
	depends := map[*Node]bool{} // outside of waves
	for m := range walk(n) {
		if m.op == OpVar && m.slot == w.slot {
			depends[m] = true
			continue
		}
		if f, ok := w.frequency(m); ok {
			w.found[m] = f
			continue
		}
		for _, a := range m.Args() {
			depends[m] = depends[m] || depends[a]
		}
	}
	return !depends[n]
}

// frequency returns c for sin(c d + rest) and cos, 2c for tan, and 2 pi/p for
// mod(d, p), where the rest does not contain d.
func (w *waves) frequency(m *Node) (float64, bool) {
	switch m.op {
	case OpSin, OpCos, OpTan:
	case OpMod:
		if !m.args[1].IsConst() {
			return 0, false
		}
	default:
		return 0, false
	}
	// The second slot does not occur, so stationary in (slot, -1) is wrong; what
	// counts is the coefficient.
	l := linearizer{a: w.slot, b: -1, known: map[*Node]linear{}}
	f := l.of(m.args[0])
	if f.fixed || f.a == 0 {
		return 0, false
	}
	c := math.Abs(f.a)
	switch m.op {
	case OpTan:
		c *= 2
	case OpMod:
		c *= 2 * math.Pi / math.Abs(m.args[1].value)
	}
	return c, true
}

func (w *waves) oddMod(base float64) bool {
	for m, f := range w.found {
		if m.op != OpSin && m.op != OpCos && math.Mod(math.Round(f/base), 2) == 1 {
			return true
		}
	}
	return false
}

// maxDenominator bounds the fractions that frequency ratios may be.
const maxDenominator = 24

// commonFrequency returns the largest frequency of which all are whole
// multiples.
func (w *waves) commonFrequency() (float64, bool) {
	lowest := math.Inf(1)
	for _, f := range w.found {
		lowest = min(lowest, f)
	}
	for k := 1.0; k <= maxDenominator; k++ {
		base, fits := lowest/k, true
		for _, f := range w.found {
			ratio := f / base
			fits = fits && math.Abs(ratio-math.Round(ratio)) <= 1e-12*ratio
		}
		if fits {
			return base, true
		}
	}
	return 0, false
}
