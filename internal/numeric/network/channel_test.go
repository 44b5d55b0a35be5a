package network

import (
	"math"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/expr"
)

// A channel is refused for what its formula or one of its functions cannot be, and nothing else.
func TestChannelsThatAreNone(t *testing.T) {
	one := expr.Var(0, "u")
	for _, c := range []struct {
		Channel
		want string
	}{
		{Channel{Map: one, Atoms: []Atom{{}}}, ""},
		{Channel{Map: expr.Const(2)}, ""},
		{Channel{Map: one, Atoms: []Atom{{Order: []int{0}}}}, ""},
		{Channel{Map: one, Atoms: []Atom{{Order: []int{0, MostDerivatives}, Shift: []float64{0, -3}}}}, ""},
		{Channel{Atoms: []Atom{{}}}, "no formula"},
		{Channel{Map: one}, "uses 1 functions, and 0 are given"},
		{Channel{Map: expr.Add(one, expr.Var(2, "v")), Atoms: []Atom{{}, {}}}, "uses 3 functions, and 2 are given"},
		{Channel{Map: one, Atoms: []Atom{{Order: []int{-1}}}}, "order -1"},
		{Channel{Map: one, Atoms: []Atom{{}, {Order: []int{0, MostDerivatives + 1}}}}, "must be from 0"},
		{Channel{Map: one, Atoms: []Atom{{Shift: []float64{0, math.NaN()}}}}, "shift of NaN"},
		{Channel{Map: one, Atoms: []Atom{{Shift: []float64{math.Inf(-1)}}}}, "shift of -Inf"},
	} {
		own := channel{Channel: c.Channel}
		if err := own.check(); c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%+v: %v, want %q", c.Atoms, err, c.want)
		}
	}
}
