package testrun

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

var (
	nan  = math.NaN()
	inf  = math.Inf(1)
	next = math.Nextafter
)

// The rule is |got - want| <= abs + rel |want|; the table holds its edges and
// what it does not cover.
func TestAccepts(t *testing.T) {
	for _, c := range []struct {
		name      string
		got, want float64
		tol       Tolerance
		ok        bool
	}{
		{"equal", 1, 1, Tolerance{}, true},
		{"one ulp off, exact", next(1, 2), 1, Tolerance{}, false},
		{"zeros", math.Copysign(0, -1), 0, Tolerance{}, true},
		{"on the edge of abs", 1.5, 1, Tolerance{Abs: 0.5}, true},
		{"just beyond abs", next(1.5, 2), 1, Tolerance{Abs: 0.5}, false},
		{"on the edge of rel", 3, 2, Tolerance{Rel: 0.5}, true},
		{"rel is of the expected", 2, 3, Tolerance{Rel: 0.25}, false},
		{"abs and rel add up", 3, 2, Tolerance{Rel: 0.25, Abs: 0.5}, true},
		{"rel of zero is nothing", 1e-300, 0, Tolerance{Rel: 0.5}, false},
		{"denormals", 5e-324, 0, Tolerance{Abs: 5e-324}, true},
		{"overflowing difference", math.MaxFloat64, -math.MaxFloat64, Tolerance{Rel: 1}, false},
		{"four ulp", 1 + 4*0x1p-52, 1, Tolerance{ULP: 4}, true},
		{"five ulp", 1 + 5*0x1p-52, 1, Tolerance{ULP: 4}, false},
		{"ulp across zero", 5e-324, -5e-324, Tolerance{ULP: 2}, true},
		{"ulp or abs", 1.1, 1, Tolerance{ULP: 1, Abs: 0.2}, true},
		{"nan", nan, nan, Tolerance{Abs: 1}, false},
		{"nan wanted", nan, nan, Tolerance{NaN: true}, true},
		{"nan against a number", nan, 1, Tolerance{NaN: true, Abs: 9}, false},
		{"a number against nan", 1, nan, Tolerance{NaN: true, Abs: 9}, false},
		{"infinity", inf, inf, Tolerance{}, true},
		{"opposite infinities", inf, -inf, Tolerance{Abs: 9, Rel: 9}, false},
		{"number against infinity", 1, inf, Tolerance{Rel: 0.5}, false},
		{"infinity against number", inf, 1, Tolerance{Rel: 0.5, ULP: math.MaxInt32}, false},
	} {
		if got := c.tol.Accepts(c.got, c.want); got != c.ok {
			t.Errorf("%s: %g against %g to %v: %t", c.name, c.got, c.want, c.tol, got)
		}
	}
}

// The distance in ulp is compared with counting by math.Nextafter.
func TestUlps(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		x := math.Float64frombits(r.Uint64())
		if math.IsNaN(x) || math.IsInf(x, 0) {
			continue
		}
		if r.IntN(4) == 0 {
			x = 5e-324 * float64(r.IntN(5)-2) // around zero
		}
		y, n := x, r.IntN(20)
		for range n {
			y = next(y, inf)
		}
		if math.IsInf(y, 0) {
			continue
		}
		if got := ulps(x, y); got != uint64(n) || ulps(y, x) != got {
			t.Fatalf("ulps(%g, %g) = %d, counted %d", x, y, got, n)
		}
	}
}

func TestParseTolerance(t *testing.T) {
	for text, want := range map[string]string{
		"1e-9":                   "rel 1e-9",
		" rel=1e-4 abs=1e-8 ":    "rel 1e-4, abs 1e-8",
		"rel=1e-4, abs=1e-8,nan": "rel 1e-4, abs 1e-8, nan = nan",
		"ulp=4":                  "4 ulp",
		"0":                      "exact",
		"exact":                  "exact",
		"default":                "rel 1e-9 (default: none was given)",
		"nan":                    "rel 1e-9, nan = nan (default: none was given)",
		"0.5":                    "rel 0.5",
	} {
		got, err := ParseTolerance(text)
		if err != nil || got.String() != want {
			t.Errorf("%q: %v, %v; want %s", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"":          "want a number",
		"  ":        "want a number",
		"-1":        "rel -1: must be a finite number >= 0",
		"nan=1":     "nan: want rel",
		"abs=inf":   "abs +Inf: must be a finite",
		"1e-9 tiny": "tiny: want a number",
		"ulp=1.5":   "ulp 1.5: must be a whole number",
		"ulp=-1":    "ulp -1: must be >= 0",
		"tol=3":     "tol: want rel, abs, ulp or nan",
		"rel=":      "rel=: want a number",
	} {
		if _, err := ParseTolerance(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}
