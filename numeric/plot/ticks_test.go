package plot

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// cellsRuler measures labels in characters.
func cellsRuler(length float64) ruler {
	return ruler{length, 10, func(label string) float64 { return float64(len([]rune(plainLabel(label, true))) + 2) }}
}

func labels(t ticking) []string {
	var all []string
	for _, k := range t.ticks {
		if k.label != "" {
			all = append(all, plainLabel(k.label, true))
		}
	}
	return all
}

func TestTickLabels(t *testing.T) {
	for _, c := range []struct {
		axis   axis
		length float64
		want   string
		factor string
	}{
		{axis{lo: 0, hi: 1}, 60, "[0.0 0.2 0.4 0.6 0.8 1.0]", ""},
		{axis{lo: 0, hi: 1}, 30, "[0.0 0.5 1.0]", ""},
		{axis{lo: 1e-9, hi: 1}, 30, "[0.0 0.5 1.0]", ""}, // zero is near enough
		{axis{lo: -2, hi: 2}, 50, "[−2 −1 0 1 2]", ""},
		{axis{lo: 0, hi: 3.7}, 50, "[0 1 2 3]", ""},
		{axis{lo: 0, hi: 0.26}, 60, "[0.00 0.05 0.10 0.15 0.20 0.25]", ""},
		{axis{lo: 20, hi: 80}, 40, "[20 40 60 80]", ""},
		{axis{lo: 0, hi: 1000}, 60, "[0 200 400 600 800 1000]", ""},
		{axis{lo: 0, hi: 5e-7}, 60, "[0 1 2 3 4 5]", "×10⁻⁷"},
		{axis{lo: 0, hi: 250000}, 60, "[0.0 0.5 1.0 1.5 2.0 2.5]", "×10⁵"},
		{axis{lo: 0.0008, hi: 0.0015}, 60, "[0.8 0.9 1.0 1.1 1.2 1.3 1.4 1.5]", "×10⁻³"},
		{axis{lo: 1, hi: 1000, log: true}, 60, "[10⁰ 10¹ 10² 10³]", ""},
		{axis{lo: 1e-12, hi: 1, log: true}, 60, "[10⁻¹² 10⁻⁹ 10⁻⁶ 10⁻³ 10⁰]", ""},
		{axis{lo: 15, hi: 230, log: true}, 60, "[20 30 50 100 200]", ""},
		{axis{lo: 0.02, hi: 0.3, log: true}, 40, "[0.02 0.05 0.1 0.2]", ""},
	} {
		got := c.axis.ticks(cellsRuler(c.length))
		if s := fmt.Sprint(labels(got)); s != c.want || plainLabel(got.factor, true) != c.factor {
			t.Errorf("%+v on %v: %s %q, want %s %q", c.axis, c.length, s, plainLabel(got.factor, true), c.want, c.factor)
		}
	}
}

// value reads a label back: its number times the factor of the axis.
func value(t *testing.T, label, factor string) float64 {
	t.Helper()
	ascii := plainLabel(label, false)
	if f := plainLabel(factor, false); f != "" {
		ascii += f
	}
	mantissa, power, scaled := strings.Cut(ascii, "*10^")
	if !scaled {
		if rest, ok := strings.CutPrefix(ascii, "10^"); ok {
			mantissa, power, scaled = "1", rest, true
		}
	}
	v, err := strconv.ParseFloat(mantissa, 64)
	if err != nil {
		t.Fatalf("label %q: %v", ascii, err)
	}
	if scaled {
		p, err := strconv.Atoi(power)
		if err != nil {
			t.Fatalf("label %q: %v", ascii, err)
		}
		v *= math.Pow10(p)
	}
	return v
}

// On any axis, labels say where their ticks are, increase, do not touch, and
// are on the axis; there are never many, and on a linear axis at least one.
func TestTicksOfRandomAxes(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for n := range 3000 {
		a := axis{lo: r.NormFloat64() * math.Pow(10, 8*r.NormFloat64()), log: n%3 == 0}
		a.hi = a.lo + math.Abs(a.lo)*math.Pow(10, 3*r.NormFloat64())
		if a.log {
			a.lo = math.Abs(a.lo)
			a.hi = a.lo * math.Pow(10, 1e-3+3*math.Abs(r.NormFloat64()))
		}
		ruler := cellsRuler(20 + 100*r.Float64())
		ticks := a.ticks(ruler)
		if !ruler.fits(a, ticks.ticks) {
			t.Errorf("%+v: labels touch: %v", a, labels(ticks))
		}
		if len(labels(ticks)) > 15 {
			t.Errorf("%+v: %d labels", a, len(labels(ticks)))
		}
		last := math.Inf(-1)
		for _, k := range ticks.ticks {
			if at := a.norm(k.at); at < -0.01 || at > 1.01 {
				t.Errorf("%+v: tick %v lies outside", a, k.at)
			}
			if k.label == "" {
				continue
			}
			v := value(t, k.label, ticks.factor)
			if math.Abs(v-k.at) > 1e-9*math.Abs(k.at) {
				t.Errorf("%+v: label %q %s stands at %v", a, k.label, ticks.factor, k.at)
			}
			if v <= last {
				t.Errorf("%+v: labels do not increase: %v", a, labels(ticks))
			}
			last = v
		}
		if narrow := (a.hi - a.lo) < 1e-9*math.Abs(a.lo); len(labels(ticks)) == 0 && !narrow && !a.log && ruler.length > 40 {
			t.Errorf("%+v on %.0f: no labels", a, ruler.length)
		}
	}
}

// norm and value are inverse to each other.
func TestAxisInverse(t *testing.T) {
	for _, a := range []axis{{lo: -3, hi: 5}, {lo: 1e-8, hi: 1e3, log: true}, {lo: -1e308, hi: 1e308}} {
		for _, at := range []float64{0, 0.125, 0.5, 0.9, 1} {
			if got := a.norm(a.value(at)); math.Abs(got-at) > 1e-12 {
				t.Errorf("%+v: norm(value(%v)) = %v", a, at, got)
			}
		}
	}
}
