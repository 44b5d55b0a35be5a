package decimal

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// What is read is what the standard library reads, bit for bit: random bits with all their
// digits and with fewer, more digits than any number has, halves between two numbers, all
// exponents; and with a comma.
func TestParseLikeTheStandardLibrary(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	check := func(text string) {
		t.Helper()
		want, err := strconv.ParseFloat(text, 64)
		got, ok := Parse([]byte(text), '.')
		if ok != (err == nil) || ok && math.Float64bits(got) != math.Float64bits(want) {
			t.Fatalf("%s: read %v (%v), want %v (%v)", text, got, ok, want, err)
		}
		comma, ok := Parse([]byte(strings.Replace(text, ".", ",", 1)), ',')
		if ok != (err == nil) || ok && math.Float64bits(comma) != math.Float64bits(want) {
			t.Fatalf("%s with a comma: read %v (%v), want %v", text, comma, ok, want)
		}
	}
	digits := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = '0' + byte(r.IntN(10))
		}
		return string(b)
	}
	for range 20_000 {
		x := math.Float64frombits(r.Uint64())
		if x-x != 0 {
			continue
		}
		check(strconv.FormatFloat(x, 'g', -1, 64))
		check(strconv.FormatFloat(x, 'e', r.IntN(25), 64))
		check(strconv.FormatFloat(r.NormFloat64(), 'f', r.IntN(20), 64))
		check(digits(1+r.IntN(25)) + "." + digits(r.IntN(25)))
		check("-" + digits(1+r.IntN(20)) + "E" + strconv.Itoa(r.IntN(60)-30))
		y := 1 + float64(r.IntN(1<<20))*0x1p-52 // halfway to the next number
		check(strconv.FormatFloat(y, 'f', 52, 64) + "5")
	}
	for _, text := range []string{"0", "-0", "+1", "1.", ".5", "1e400", "1e-400", "9007199254740993", "9007199254740992", "00000000000000000000001", "inf", "-Infinity"} {
		check(text)
	}
	for _, text := range []string{"", ".", "-", "e5", "1e", "1e+", "--1", "1 2", "0x10", "1_000", "nan", "1.2.3", "infinit"} {
		if x, ok := Parse([]byte(text), '.'); ok {
			t.Errorf("%q: read %v", text, x)
		}
	}
	if x, ok := Parse([]byte("1.5D-03"), '.'); !ok || x != 1.5e-3 {
		t.Errorf("Fortran's exponent: %v, %v", x, ok)
	}
}
