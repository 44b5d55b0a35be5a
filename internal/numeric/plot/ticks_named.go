package plot

import (
	"math"
	"strconv"
)

// nameTicks labels 1, 2, 3, … with the names of the axis, every second, third, … where
// they do not fit beside each other.
func (a Axis) nameTicks(r Ruler) []Tick {
	names := *a.names
	for stride := 1; ; stride++ {
		var t []Tick
		for i := 0; i < len(names); i += stride {
			t = append(t, Tick{At: float64(i + 1), Label: names[i]})
		}
		if len(t) <= 1 || r.fits(a, t) {
			return t
		}
	}
}

// bentTicks labels zero and the powers of ten of both signs, all or every second,
// third, … as they fit, on an axis that is linear around zero.
func (a Axis) bentTicks(r Ruler, most int) []Tick {
	first := int(math.Ceil(math.Log10(a.Linear) - 1e-9))
	last := int(math.Floor(math.Log10(max(math.Abs(a.Lo), math.Abs(a.Hi))) + slack))
	for stride := 1; ; stride++ {
		var t []Tick
		add := func(at float64, label string) {
			if where := a.Norm(at); where >= -slack && where <= 1+slack {
				t = append(t, Tick{At: at, Label: label})
			}
		}
		power := func(k int) string { return "10^{" + strconv.Itoa(k) + "}$" }
		for k := last; k >= first; k-- {
			if mod(last-k, stride) == 0 {
				add(-math.Pow10(k), "$-"+power(k))
			}
		}
		add(0, "$0$")
		for k := first; k <= last; k++ {
			if mod(last-k, stride) == 0 {
				add(math.Pow10(k), "$"+power(k))
			}
		}
		if len(t) <= 3 || len(t) <= most+2 && r.fits(a, t) {
			return t
		}
	}
}
