package plot

import (
	"math"
	"strconv"
	"strings"
)

// Tick is a mark on an axis. A minor tick has no label.
type Tick struct {
	At    float64
	Label string // see parseLabel
	Minor bool
}

// Ticks is the result of choosing ticks: with a factor, the labels are to be
// multiplied by it ("$×10^{-4}$" at the end of the axis).
type Ticks struct {
	Marks  []Tick
	Factor string
}

// Ruler measures in the unit of the medium: points, or cells of text.
type Ruler struct {
	Length float64                    // of the axis
	Want   float64                    // pleasing distance between labels
	Room   func(label string) float64 // what a label takes up along the axis, with the gap to the next
}

// fits tells whether the labels of the ticks do not touch.
func (r Ruler) fits(a Axis, ticks []Tick) bool {
	last, lastRoom := math.Inf(-1), 0.0
	for _, t := range ticks {
		if t.Label == "" {
			continue
		}
		at, room := a.Norm(t.At)*r.Length, r.Room(t.Label)
		if math.Abs(at-last) < (room+lastRoom)/2 {
			return false
		}
		last, lastRoom = at, room
	}
	return true
}

// Ticks chooses round values inside the axis, about as many as the ruler wants
// and never so many that labels touch.
func (a Axis) Ticks(r Ruler) Ticks {
	want := min(max(2.4, r.Length/r.Want), 9)
	if a.names != nil {
		return Ticks{Marks: a.nameTicks(r)}
	}
	if a.Linear > 0 {
		if t := a.bentTicks(r, int(want)); len(t) > 1 {
			return Ticks{Marks: t}
		}
	}
	if a.Log {
		if t, ok := a.logTicks(r, int(want)); ok {
			return Ticks{Marks: t}
		}
	}
	return a.linearTicks(want, func(t Ticks) bool { return r.fits(a, t.Marks) })
}

// slack is the fraction of an axis by which a tick may lie outside; it is
// drawn at the end then. A scale from 1e-9 to 1 deserves its zero.
const slack = 0.004

// linearTicks puts ticks at multiples of 1, 2, 2.5 or 5 times a power of ten:
// of those that are allowed, the step whose number of ticks is nearest to want.
func (a Axis) linearTicks(want float64, allowed func(Ticks) bool) Ticks {
	lo, hi := min(a.Lo, a.Hi), max(a.Lo, a.Hi)
	room := slack*hi - slack*lo
	from, to := max(lo-room, -math.MaxFloat64), min(hi+room, math.MaxFloat64)
	raw := hi/want - lo/want
	power := int(math.Floor(math.Log10(raw)))
	var best Ticks
	least := math.Inf(1)
	for k := power - 1; k <= power+1; k++ {
		// A step is digit·10^(k−1), with an integer digit.
		for _, digit := range []float64{10, 20, 25, 50} {
			step := digit * math.Pow10(k-1)
			first, last := math.Ceil(from/step), math.Floor(to/step)
			if !finite(step) || step == 0 || !(math.Abs(first) < 1e14 && math.Abs(last) < 1e14) || last < first {
				continue
			}
			n := last - first + 1
			score := math.Log(want / n)
			if score < 0 {
				score *= -1.2 // too few are better than too many
			}
			if digit == 25 {
				score += 0.3 // its labels need one more digit
			}
			if score >= least || n > 4*want+2 {
				continue
			}
			if t := a.labelled(first, last, step, digit, k-1); allowed(t) {
				best, least = t, score
			}
		}
	}
	return best
}

// labelled returns the ticks first·step … last·step, where step is
// digit·10^power, with as many decimals as the step needs.
func (a Axis) labelled(first, last, step, digit float64, power int) Ticks {
	for math.Mod(digit, 10) == 0 {
		digit, power = digit/10, power+1
	}
	size := max(math.Abs(first), math.Abs(last)) * digit
	if size == 0 {
		return Ticks{Marks: []Tick{{Label: "$0$"}}}
	}
	var t Ticks
	shift := 0
	largest := int(math.Floor(math.Log10(size))) + power
	if largest >= 5 || largest <= -4 || largest == -3 && power <= -4 {
		shift = largest
		t.Factor = "$×10^{" + strconv.Itoa(shift) + "}$"
	}
	for k := first; k <= last; k++ {
		// k·digit is an exact integer: print it and place the decimal point.
		label := "$" + decimal(k*digit, power-shift) + "$"
		t.Marks = append(t.Marks, Tick{At: k * step, Label: label})
	}
	return t
}

// decimal writes integer·10^power, with −power decimals.
func decimal(integer float64, power int) string {
	digits := strconv.FormatFloat(math.Abs(integer), 'f', 0, 64)
	if power >= 0 {
		if integer != 0 {
			digits += strings.Repeat("0", power)
		}
	} else {
		if len(digits) <= -power {
			digits = strings.Repeat("0", -power-len(digits)+1) + digits
		}
		digits = digits[:len(digits)+power] + "." + digits[len(digits)+power:]
	}
	if integer < 0 {
		digits = "-" + digits
	}
	return digits
}

// logTicks labels powers of ten, all or every second, third, … as they fit;
// over less than two decades also 2 and 5 times them. It reports false where
// an axis is so short that linear ticks serve better.
func (a Axis) logTicks(r Ruler, most int) ([]Tick, bool) {
	lo, hi := math.Log10(a.Lo), math.Log10(a.Hi)
	room := slack * (hi - lo)
	first, last := int(math.Ceil(lo-room)), int(math.Floor(hi+room))
	if last-first >= 1 && hi-lo > 1.5 {
		for stride := 1; ; stride = nextStride(stride) {
			t := a.decades(first, last, stride)
			if stride > last-first || (last-first)/stride < most && r.fits(a, t) {
				return t, true
			}
		}
	}
	for _, mantissas := range []string{"123456789", "1235", "125", "13", "1"} {
		t, labels := a.mantissas(first-1, last, mantissas)
		if labels >= 2 && labels <= most+1 && r.fits(a, t) {
			return t, true
		}
	}
	return nil, false
}

// nextStride follows 1, 2, 3, 4, 5, 10, 20, 30, 40, 50, 100, …: between labels of decades.
func nextStride(stride int) int {
	power := 1
	for ; stride >= 10*power; power *= 10 {
	}
	if stride >= 5*power {
		return 10 * power
	}
	return stride + power
}

func (a Axis) decades(first, last, stride int) []Tick {
	const crowded = 40 // decades
	var t []Tick
	for k := first - 1; k <= last; k++ {
		if k >= first && (mod(k, stride) == 0 || last-first < crowded) {
			p := Tick{At: math.Pow10(k), Minor: true}
			if mod(k, stride) == 0 {
				p.Minor = false
				p.Label = "$10^{" + strconv.Itoa(k) + "}$"
			}
			t = append(t, p)
		}
		for m := 2.0; m < 10 && stride == 1; m++ {
			if at := m * math.Pow10(k); at >= a.Lo && at <= a.Hi {
				t = append(t, Tick{At: at, Minor: true})
			}
		}
	}
	return t
}

func mod(k, n int) int { return ((k % n) + n) % n }

// mantissas returns ticks at 1 … 9 times the powers of ten, those in labelled
// with labels, and the number of labels.
func (a Axis) mantissas(first, last int, labelled string) ([]Tick, int) {
	var t []Tick
	labels := 0
	plain := a.Lo >= 1e-4 && a.Hi < 1e5
	for k := first; k <= last; k++ {
		for m := 1; m < 10; m++ {
			at := float64(m) * math.Pow10(k)
			if at < a.Lo*(1-1e-9) || at > a.Hi*(1+1e-9) {
				continue
			}
			p := Tick{At: at, Minor: true}
			if strings.Contains(labelled, strconv.Itoa(m)) {
				p.Minor = false
				labels++
				switch {
				case plain:
					p.Label = "$" + decimal(float64(m), k) + "$"
				case m == 1:
					p.Label = "$10^{" + strconv.Itoa(k) + "}$"
				default:
					p.Label = "$" + strconv.Itoa(m) + "×10^{" + strconv.Itoa(k) + "}$"
				}
			}
			t = append(t, p)
		}
	}
	return t, labels
}

// shortNumber writes v with three significant digits, as a label.
func shortNumber(v float64) string {
	mantissa, exponent, scientific := strings.Cut(strconv.FormatFloat(v, 'g', 3, 64), "e")
	if !scientific {
		return "$" + mantissa + "$"
	}
	power, err := strconv.Atoi(exponent)
	if err != nil { // not of our making
		return mantissa + "e" + exponent
	}
	return "$" + mantissa + "×10^{" + strconv.Itoa(power) + "}$"
}

// roundValues returns about n round values of the axis: contour levels.
func (a Axis) roundValues(n int) []float64 {
	var values []float64
	if a.Log {
		lo, hi := math.Log10(a.Lo), math.Log10(a.Hi)
		if hi-lo >= 1 {
			for _, m := range [][]float64{{1, 2, 5}, {1, 3}, {1}} {
				values = nil
				for k := int(math.Floor(lo)); k <= int(hi)+1; k++ {
					for _, v := range m {
						values = append(values, v*math.Pow10(k))
					}
				}
				if (hi-lo)*float64(len(m)) <= 1.5*float64(n) {
					return values
				}
			}
			return every(values, int(math.Ceil((hi-lo)/float64(n))))
		}
	}
	for _, t := range a.linearTicks(float64(n), func(Ticks) bool { return true }).Marks {
		values = append(values, t.At)
	}
	return values
}

// every returns every n-th value.
func every(values []float64, n int) []float64 {
	var out []float64
	for i := 0; i < len(values); i += n {
		out = append(out, values[i])
	}
	return out
}
