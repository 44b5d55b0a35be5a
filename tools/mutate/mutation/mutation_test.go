package mutation

import (
	"os"
	"path/filepath"
	"testing"
)

// each calls a function of the package and says what it gives, in which the values of mutants
// differ.
func each() []func(id int) any {
	yes, no := func() bool { return true }, func() bool { return false }
	assigned := func(f func(int, *float64, float64)) func(int) any {
		return func(id int) any { x := 6.0; f(id, &x, 2); return x }
	}
	return []func(int) any{
		func(id int) any { return Pick(id, 1e-3, 2e-3) },
		func(id int) any { return Add(id, 6, 2) },
		func(id int) any { return Sub(id, 6, 2) },
		func(id int) any { return Mul(id, 6, 2) },
		func(id int) any { return Quo(id, 6, 2) },
		func(id int) any { return Neg(id, 6.0) },
		func(id int) any { return Less(id, 2, 2) },
		func(id int) any { return LessEqual(id, 2, 2) },
		func(id int) any { return Greater(id, 2, 2) },
		func(id int) any { return GreaterEqual(id, "a", "a") },
		func(id int) any { return Flip(id, true) },
		func(id int) any { return And(id, false, yes) },
		func(id int) any { return And(id, true, no) },
		func(id int) any { return Or(id, true, no) },
		func(id int) any { return Or(id, false, yes) },
		func(id int) any { return NotLess(id, 1.5, 2.5) },
		func(id int) any { return NotLessEqual(id, 1.5, 2.5) },
		func(id int) any { return NotGreater(id, 1.5, 2.5) },
		func(id int) any { return NotGreaterEqual(id, 1.5, 2.5) },
		assigned(AddTo[float64]), assigned(SubFrom[float64]), assigned(MulBy[float64]), assigned(QuoBy[float64]),
	}
}

// Without a mutant that lives all calls are what they stand for; the one that lives gives its
// other value, and no other does.
func TestOneLives(t *testing.T) {
	defer func(s *state) { it = s }(it)
	old := []any{1e-3, 8, 4, 12, 3, -6.0, false, true, false, true, true, false, false, true, true, true, true, false, false, 8.0, 4.0, 12.0, 3.0}
	other := []any{2e-3, 4, 8, 3, 12, 6.0, true, false, true, false, false, true, true, false, false, false, false, true, true, 4.0, 8.0, 3.0, 12.0}
	for living := -1; living < len(each()); living++ {
		it = &state{living: living}
		for id, f := range each() {
			want := old[id]
			if id == living {
				want = other[id]
			}
			if got := f(id); got != want {
				t.Errorf("mutant %d lives: call %d gives %v, want %v", living, id, got, want)
			}
		}
	}
}

// What is noted is each place that runs, once, and that it matters only where the other value
// is another one: what is not noted may be left untried.
func TestNotedWhereItMatters(t *testing.T) {
	defer func(s *state) { it = s }(it)
	it = &state{living: -1, file: filepath.Join(t.TempDir(), "noted")}
	for range 2 {
		Less(0, 1, 2)                             // as <= is
		Add(1, 1, 0)                              // as - is
		Mul(2, 5, 0)                              // which / cannot be
		And(3, true, func() bool { return true }) // as || is
	}
	And(3, false, func() bool { panic("asked for in vain") })
	Less(0, 2, 2)
	text, err := os.ReadFile(it.file)
	if want := "runs 0\nruns 1\nruns 2\nmatters 2\nruns 3\nmatters 3\nmatters 0\n"; err != nil || string(text) != want {
		t.Errorf("%q, %v: want %q", text, err, want)
	}
}
