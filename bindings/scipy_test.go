package bindings_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/greenbench/workbench/bindings"
	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/numeric/array"
)

// withSciPy is the path of a Python that has SciPy, looked for once.
var withSciPy = sync.OnceValue(func() string {
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(name, "-c", "import scipy").Run() == nil {
			return name
		}
	}
	return ""
})

// scipy runs Python code in which A0, A1, … are the given arrays, and returns the numbers that
// it prints. Tests that call it are skipped where SciPy is not installed.
func scipy(t *testing.T, code string, args ...*array.Array) []float64 {
	t.Helper()
	python := withSciPy()
	if python == "" {
		t.Skip("no python3 with SciPy here: nothing to compare with")
	}
	var script bytes.Buffer
	script.WriteString("import numpy as np, scipy, scipy.linalg, scipy.sparse, scipy.sparse.linalg, scipy.special\nnp.seterr(all='ignore')\n")
	script.WriteString("def show(*v):\n  for x in v: print(*('%.17g' % y for y in np.ravel(x)))\n")
	for k, a := range args {
		fmt.Fprintf(&script, "A%d = np.array([", k)
		for _, x := range a.Data {
			fmt.Fprintf(&script, "float('%v'),", x)
		}
		fmt.Fprintf(&script, "]).reshape(%s)\n", strings.ReplaceAll(strings.Trim(fmt.Sprint(a.Shape), "[]"), " ", ","))
	}
	script.WriteString(code)
	cmd := exec.Command(python, "-")
	cmd.Stdin = &script
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out[max(0, len(out)-500):])
	}
	var numbers []float64
	for _, word := range strings.Fields(string(out)) {
		x, err := strconv.ParseFloat(word, 64)
		if err != nil {
			t.Fatalf("%s: %s", code, out)
		}
		numbers = append(numbers, x)
	}
	return numbers
}

// Every function of module special agrees with the one of that name in scipy.special, on
// arrays of random arguments. Tolerances are SciPy's errors, where they are larger than ours:
// these are measured against 90 digits in numeric/special.
func TestSpecialAgainstSciPy(t *testing.T) {
	if testing.Short() {
		t.Skip("starts Python")
	}
	const n = 300
	rng := rand.New(rand.NewPCG(3, 4))
	random := func(draw func() float64) *array.Array {
		a := array.New(n)
		for i := range a.Data {
			a.Data[i] = draw()
		}
		return a
	}
	between := func(lo, hi float64) *array.Array {
		return random(func() float64 { return lo + (hi-lo)*rng.Float64() })
	}
	decades := func(lo, hi float64) *array.Array {
		return random(func() float64 { return math.Pow(10, lo+(hi-lo)*rng.Float64()) })
	}
	cases := []struct {
		name string
		tol  float64
		args []*array.Array
	}{
		{"gamma", 1e-13, []*array.Array{between(-150, 170)}},
		{"gammaln", 1e-14, []*array.Array{decades(-6, 6)}},
		{"digamma", 1e-13, []*array.Array{between(-10, 50)}},
		{"beta", 2e-12, []*array.Array{decades(-2, 2), decades(-2, 2)}},
		{"betaln", 1e-10, []*array.Array{decades(-2, 3), decades(-2, 3)}},
		{"gammainc", 1e-11, []*array.Array{between(0.1, 30), between(0.1, 60)}},
		{"gammaincc", 1e-11, []*array.Array{between(0.1, 30), between(0.1, 60)}},
		{"gammaincinv", 1e-11, []*array.Array{between(0.3, 300), between(0, 1)}},
		{"gammainccinv", 1e-11, []*array.Array{between(0.3, 300), between(0, 1)}},
		{"betainc", 1e-11, []*array.Array{between(0.1, 20), between(0.1, 20), between(0, 1)}},
		{"betaincinv", 1e-11, []*array.Array{between(0.3, 20), between(0.3, 20), between(0, 1)}},
		{"jv", 1e-11, []*array.Array{between(-20, 60), decades(-1, 3)}},
		{"yv", 1e-11, []*array.Array{between(0, 60), decades(-1, 3)}},
		{"iv", 1e-12, []*array.Array{between(-20, 60), decades(-1, 2.8)}},
		{"kv", 1e-12, []*array.Array{between(-60, 60), decades(-1, 2.8)}},
		{"ive", 1e-12, []*array.Array{between(0, 60), decades(-1, 6)}},
		{"kve", 1e-12, []*array.Array{between(0, 60), decades(-1, 6)}},
		{"erf", 1e-15, []*array.Array{between(-6, 6)}},
		{"erfc", 1e-13, []*array.Array{between(-6, 26)}},
		{"erfinv", 2e-15, []*array.Array{between(-1, 1)}},
		{"erfcinv", 2e-15, []*array.Array{decades(-300, 0)}},
		{"ellipk", 2e-15, []*array.Array{between(-5, 1)}},
		{"ellipe", 2e-15, []*array.Array{between(-5, 1)}},
		{"zeta", 1e-14, []*array.Array{between(1.01, 40), decades(-1, 2)}},
		{"airy", 1e-12, []*array.Array{between(-30, 10)}},
		{"eval_legendre", 1e-12, []*array.Array{array.Scalar(7), between(-1, 1)}},
	}
	var code strings.Builder
	var all []*array.Array
	for _, c := range cases {
		fmt.Fprintf(&code, "show(scipy.special.%s(", c.name)
		for _, a := range c.args {
			fmt.Fprintf(&code, "A%d,", len(all))
			all = append(all, a)
		}
		code.WriteString("))\n")
	}
	wants := scipy(t, code.String(), all...)
	L, _ := newState(t, nil, bindings.Array(), bindings.Special())
	call := bind.At(L)
	for _, c := range cases {
		for k, a := range c.args {
			L.SetGlobal(string(rune('x'+k)), call.Lua(a))
		}
		source := fmt.Sprintf("return special.%s(%s)", c.name, []string{"", "x", "x, y", "x, y, z"}[len(c.args)])
		if c.name == "eval_legendre" {
			source = "return special.eval_legendre(7, y)"
		}
		if err := L.DoString(source); err != nil {
			t.Fatal(err)
		}
		for top := L.GetTop(); top > 0; top-- {
			got, err := bind.Decode[*array.Array](call, L.Get(-top))
			if err != nil {
				t.Fatal(err)
			}
			worst, where, scale := 0.0, 0, 0.0
			if c.name == "jv" || c.name == "yv" || c.name == "airy" || c.name == "eval_legendre" || c.name == "gammaln" {
				scale = 0.1 // not the distance to a zero
			}
			for i, x := range got.Data {
				if w := wants[i]; x != w && math.Abs(w) > 1e-290 {
					if e := math.Abs(x-w) / max(scale, math.Abs(w)); !(e <= worst) {
						worst, where = e, i
					}
				}
			}
			if !(worst <= c.tol) {
				t.Errorf("%s at %d: %.17g, SciPy has %.17g: %.1e", c.name, where, got.Data[where], wants[where], worst)
			}
			t.Logf("%-13s differs from SciPy by at most %.1e", c.name, worst)
			wants = wants[len(got.Data):]
		}
		L.SetTop(0)
	}
}
