package expr

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// separated evaluates a program of two points in its parts and the rest.
func separated(p *Program, vars []Operand, length int) []float64 {
	rest, parts := p.Separate(len(vars) / 2)
	all := slices.Clone(vars)
	for _, part := range parts {
		values := make([]float64, length)
		part.Block(values, vars)
		all = append(all, Operand{Vector: values})
	}
	dst := make([]float64, length)
	rest.Block(dst, all)
	return dst
}

// Random formulas give in parts what they give in one, to the bit, wherever the slots
// of the second point begin: each slot varies, so that both have the same loops.
func TestSeparateAgrees(t *testing.T) {
	const slots, length = 4, 7
	rng := rand.New(rand.NewPCG(3, 1))
	apart := 0
	for seed := range uint64(300) {
		g := newGenerator(seed, slots)
		p, err := Compile(g.node(1+g.IntN(25)), slots)
		if err != nil {
			t.Fatal(err)
		}
		vars := make([]Operand, slots)
		for s := range vars {
			vars[s].Vector = make([]float64, length)
			for i := range length {
				vars[s].Vector[i] = g.point()[s]
			}
		}
		want := make([]float64, length)
		p.Block(want, vars)
		for i, got := range separated(p, vars, length) {
			if !sameNumber(got, want[i]) {
				t.Fatalf("seed %d, point %d: %v in parts, %v in one", seed, i, got, want[i])
			}
		}
		second := rng.IntN(slots + 1)
		rest, parts := p.Separate(second)
		if len(parts) > 0 {
			apart++
		}
		for _, part := range parts {
			for _, v := range part.values {
				if v.op == OpVar && (v.slot >= second) != part.Second {
					t.Fatalf("seed %d: a part of one point takes slot %d of the other", seed, v.slot)
				}
			}
		}
		if rest.Len() > p.Len() {
			t.Errorf("seed %d: the rest has %d steps, all had %d", seed, rest.Len(), p.Len())
		}
	}
	if apart < 50 {
		t.Errorf("only %d of the formulas have parts", apart)
	}
}

// Lengthscales that differ from point to point are parts, a kernel of one point is one part,
// and what depends on the difference alone has none.
func TestSeparateFindsParts(t *testing.T) {
	x, y := Var(0, "x"), Var(1, "y")
	l := func(x *Node) *Node { return Exp(sq(x)) }
	for _, c := range []struct {
		n           *Node
		parts, rest int // rest: steps, with variables and numbers
	}{
		{Exp(Neg(sq(Sub(x, y)))), 0, 6},
		{l(y), 0, 3},
		{Div(sq(Sub(x, y)), Add(sq(l(x)), sq(l(y)))), 2, 8},
		{Mul(l(x), l(y)), 2, 3},
		{Mul(Const(2), Mul(l(x), l(y))), 2, 5},
		{Add(Mul(l(x), l(y)), Mul(sq(l(x)), y)), 3, 7},
	} {
		p, err := Compile(c.n, 2)
		if err != nil {
			t.Fatal(err)
		}
		if rest, parts := p.Separate(1); len(parts) != c.parts || rest.Len() != c.rest {
			t.Errorf("%v: %d parts and %d steps, want %d and %d", c.n, len(parts), rest.Len(), c.parts, c.rest)
		}
	}
}

// More parts than are held are computed for every pair.
func TestSeparateHoldsSoManyParts(t *testing.T) {
	x, y := Var(0, "x"), Var(1, "y")
	n := Const(0)
	for i := range 2 * maxParts {
		n = Add(n, Sin(Mul(y, Add(Const(float64(i)), sq(x)))))
	}
	p, err := Compile(n, 2)
	if err != nil {
		t.Fatal(err)
	}
	if _, parts := p.Separate(1); len(parts) != maxParts {
		t.Errorf("%d parts, want %d", len(parts), maxParts)
	}
	vars := []Operand{{Vector: []float64{.1, .2, math.Inf(1)}}, {Vector: []float64{.3, 7, 1}}}
	want := make([]float64, 3)
	p.Block(want, vars)
	if got := separated(p, vars, 3); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v in parts, %v in one", got, want)
	}
}
