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
func cellsRuler(length float64) Ruler {
	return Ruler{length, 10, func(label string) float64 { return float64(len([]rune(PlainText(label, true))) + 2) }}
}

func labels(t Ticks) []string {
	var all []string
	for _, k := range t.Marks {
		if k.Label != "" {
			all = append(all, PlainText(k.Label, true))
		}
	}
	return all
}

func TestTickLabels(t *testing.T) {
	for _, c := range []struct {
		axis   Axis
		length float64
		want   string
		factor string
	}{
		{Axis{Lo: 0, Hi: 1}, 60, "[0.0 0.2 0.4 0.6 0.8 1.0]", ""},
		{Axis{Lo: 0, Hi: 1}, 30, "[0.0 0.5 1.0]", ""},
		{Axis{Lo: 1e-9, Hi: 1}, 30, "[0.0 0.5 1.0]", ""}, // zero is near enough
		{Axis{Lo: -2, Hi: 2}, 50, "[−2 −1 0 1 2]", ""},
		{Axis{Lo: 0, Hi: 3.7}, 50, "[0 1 2 3]", ""},
		{Axis{Lo: 0, Hi: 0.26}, 60, "[0.00 0.05 0.10 0.15 0.20 0.25]", ""},
		{Axis{Lo: 20, Hi: 80}, 40, "[20 40 60 80]", ""},
		{Axis{Lo: 0, Hi: 1000}, 60, "[0 200 400 600 800 1000]", ""},
		{Axis{Lo: 0, Hi: 5e-7}, 60, "[0 1 2 3 4 5]", "×10⁻⁷"},
		{Axis{Lo: 0, Hi: 250000}, 60, "[0.0 0.5 1.0 1.5 2.0 2.5]", "×10⁵"},
		{Axis{Lo: 0.0008, Hi: 0.0015}, 60, "[0.8 0.9 1.0 1.1 1.2 1.3 1.4 1.5]", "×10⁻³"},
		{Axis{Lo: 1, Hi: 1000, Log: true}, 60, "[10⁰ 10¹ 10² 10³]", ""},
		{Axis{Lo: 1e-12, Hi: 1, Log: true}, 60, "[10⁻¹² 10⁻⁹ 10⁻⁶ 10⁻³ 10⁰]", ""},
		{Axis{Lo: 15, Hi: 230, Log: true}, 60, "[20 30 50 100 200]", ""},
		{Axis{Lo: 0.02, Hi: 0.3, Log: true}, 40, "[0.02 0.05 0.1 0.2]", ""},
	} {
		got := c.axis.Ticks(cellsRuler(c.length))
		if s := fmt.Sprint(labels(got)); s != c.want || PlainText(got.Factor, true) != c.factor {
			t.Errorf("%+v on %v: %s %q, want %s %q", c.axis, c.length, s, PlainText(got.Factor, true), c.want, c.factor)
		}
	}
}

// value reads a label back: its number times the factor of the axis.
func value(t *testing.T, label, factor string) float64 {
	t.Helper()
	ascii := PlainText(label, false)
	if f := PlainText(factor, false); f != "" {
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
		a := Axis{Lo: r.NormFloat64() * math.Pow(10, 8*r.NormFloat64()), Log: n%3 == 0}
		a.Hi = a.Lo + math.Abs(a.Lo)*math.Pow(10, 3*r.NormFloat64())
		if a.Log {
			a.Lo = math.Abs(a.Lo)
			a.Hi = a.Lo * math.Pow(10, 1e-3+3*math.Abs(r.NormFloat64()))
		}
		ruler := cellsRuler(20 + 100*r.Float64())
		ticks := a.Ticks(ruler)
		if !ruler.fits(a, ticks.Marks) {
			t.Errorf("%+v: labels touch: %v", a, labels(ticks))
		}
		if len(labels(ticks)) > 15 {
			t.Errorf("%+v: %d labels", a, len(labels(ticks)))
		}
		last := math.Inf(-1)
		for _, k := range ticks.Marks {
			if at := a.Norm(k.At); at < -0.01 || at > 1.01 {
				t.Errorf("%+v: tick %v lies outside", a, k.At)
			}
			if k.Label == "" {
				continue
			}
			v := value(t, k.Label, ticks.Factor)
			if math.Abs(v-k.At) > 1e-9*math.Abs(k.At) {
				t.Errorf("%+v: label %q %s stands at %v", a, k.Label, ticks.Factor, k.At)
			}
			if v <= last {
				t.Errorf("%+v: labels do not increase: %v", a, labels(ticks))
			}
			last = v
		}
		if narrow := (a.Hi - a.Lo) < 1e-9*math.Abs(a.Lo); len(labels(ticks)) == 0 && !narrow && !a.Log && ruler.Length > 40 {
			t.Errorf("%+v on %.0f: no labels", a, ruler.Length)
		}
	}
}

// norm and value are inverse to each other.
func TestAxisInverse(t *testing.T) {
	for _, a := range []Axis{{Lo: -3, Hi: 5}, {Lo: 1e-8, Hi: 1e3, Log: true}, {Lo: -1e308, Hi: 1e308}} {
		for _, at := range []float64{0, 0.125, 0.5, 0.9, 1} {
			if got := a.Norm(a.value(at)); math.Abs(got-at) > 1e-12 {
				t.Errorf("%+v: norm(value(%v)) = %v", a, at, got)
			}
		}
	}
}
