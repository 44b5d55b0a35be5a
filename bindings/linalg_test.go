package bindings_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings"
	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/numeric/array"
)

// Each decomposition is multiplied out and compared with the matrix, which is
// what defines it; shapes tall, wide and square, from a fixed seed.
func TestLinalgByDefinition(t *testing.T) {
	L, _ := newState(t, nil, bindings.Array(), bindings.Linalg())
	c := bind.At(L)
	rng := rand.New(rand.NewPCG(1, 2))
	random := func(rows, cols int) *array.Array {
		a := array.New(rows, cols)
		for i := range a.Data {
			a.Data[i] = rng.NormFloat64()
		}
		return a
	}
	near := func(code string, want float64, a ...any) {
		t.Helper()
		names := []string{"A", "b"}
		for i, v := range a {
			L.SetGlobal(names[i], c.Lua(v))
		}
		fn, err := L.LoadString(code)
		if err != nil {
			t.Fatal(err)
		}
		L.Push(fn)
		if err := L.PCall(0, 1, nil); err != nil {
			t.Fatalf("%s: %v", code, err)
		}
		got := float64(L.Get(-1).(lua.LNumber))
		L.Pop(1)
		if math.IsNaN(got) || math.Abs(got-want) > 1e-12 {
			t.Errorf("%s = %g, want %g", code, got, want)
		}
	}
	for _, s := range [][2]int{{1, 1}, {4, 4}, {7, 3}, {3, 7}, {1, 5}, {5, 1}, {120, 110}} {
		a := random(s[0], s[1])
		near(`local U, s, V = linalg.svd(A) return (U * s):dot(V:transpose()):reshape():dot(A:reshape()) / A:norm()^2`, 1, a)
		near(`local U, s, V = linalg.svd(A) return ((U * s):dot(V:transpose()) - A):norm() / A:norm()`, 0, a)
		near(`local Q, R = linalg.qr(A) return (Q:dot(R) - A):norm() / A:norm()`, 0, a)
		near(`local Q = linalg.qr(A) return (Q:transpose():dot(Q) - array.eye(Q.shape[2])):norm()`, 0, a)
		near(`local Q, R = linalg.qr(A) local below = 0
			for i = 2, #R do for j = 1, math.min(i-1, R.shape[2]) do below = below + math.abs(R:at(i, j)) end end return below`, 0, a)
		// Least squares: the residual is orthogonal to the columns, and x to the null space.
		b := random(s[0], 2)
		near(`local x = linalg.lstsq(A, b) return A:transpose():dot(A:dot(x) - b):norm() / A:norm() / b:norm()`, 0, a, b)
		near(`local x = linalg.lstsq(A, b) local Q = linalg.qr(A:transpose())
			return (Q:dot(Q:transpose():dot(x)) - x):norm() / x:norm()`, 0, a, b)
	}
	for _, n := range []int{1, 2, 5, 110} {
		a := random(n, n)
		for i := range n {
			a.Data[i*n+i] += float64(n) // well conditioned
		}
		near(`return (A:dot(linalg.solve(A, b)) - b):norm() / b:norm()`, 0, a, array.Vector(random(n, 1).Data))
		near(`return (A:dot(linalg.solve(A, b)) - b):norm() / b:norm()`, 0, a, random(n, 3))
		near(`return (A:dot(linalg.inv(A)) - array.eye(#A)):norm()`, 0, a)
		near(`return linalg.det(A) * linalg.det(linalg.inv(A))`, 1, a)
		near(`local S = A:dot(A:transpose()) local L = linalg.cholesky(S) return (L:dot(L:transpose()) - S):norm() / S:norm()`, 0, a)
		near(`local S = A + A:transpose() local w, V = linalg.eigh(S) return (S:dot(V) - V * w):norm() / S:norm()`, 0, a)
		near(`local w = linalg.eigh(A + A:transpose()) for i = 2, #w do if w[i] < w[i-1] then return 1 end end return 0`, 0, a)
	}
	// A rank-deficient system: rank 1, least norm.
	near(`local x, rank = linalg.lstsq({{1, 1}, {2, 2}}, {1, 2}) return rank`, 1)
	near(`local x = linalg.lstsq({{1, 1}, {2, 2}}, {1, 2}) return x[1] - x[2]`, 0)
	near(`local x, rank = linalg.lstsq({{0, 0}}, {1}) return rank + x:norm()`, 0)
	near(`return #linalg.solve({{2}}, {4}).shape`, 1)
	near(`return #linalg.solve({{2}}, {{4}}).shape`, 2)
}

func TestLinalgErrors(t *testing.T) {
	eval := evaluator(t)
	for _, tt := range []struct{ code, want string }{
		{`linalg.solve({{1, 2}, {2, 4}}, {1, 1})`, "linalg.solve: the matrix is singular"},
		{`linalg.inv{{0}}`, "linalg.inv: the matrix is singular"},
		{`linalg.inv{{1, 1}, {1, 1 + 2e-16}}`, "linalg.inv: the matrix is singular to working precision (condition 2e+16)"},
		{`linalg.solve({{1, 2}}, {1})`, "linalg.solve: A of shape 1×2: want a square matrix"},
		{`linalg.solve({{1}}, {1, 2})`, "linalg.solve: b of shape 2: want 1 rows, as A of shape 1×1 has"},
		{`linalg.solve({{0/0}}, {1})`, "linalg.solve: A: element [1 1] is NaN; want finite numbers"},
		{`linalg.solve({{1, 0}, {0, 1}}, {1, 1/0})`, "linalg.solve: b: element [2 1] is +Inf; want finite numbers"},
		{`linalg.solve({{1}}, {{{1}}})`, "linalg.solve: b of shape 1×1×1: want 1 rows"},
		{`linalg.cholesky{{1, 2}, {2, 1}}`, "linalg.cholesky: the matrix is not positive definite"},
		{`linalg.cholesky{{1, 2}, {3, 1}}`, "linalg.cholesky: the matrix is not symmetric: elements [1 2] and [2 1] are 2 and 3"},
		{`linalg.eigh{{1, 2}, {3, 1}}`, "linalg.eigh: the matrix is not symmetric"},
		{`linalg.eigh{1, 2}`, "linalg.eigh: A of shape 2: want a square matrix"},
		{`linalg.svd{1, 2}`, "linalg.svd: A of shape 2: want a matrix"},
		{`linalg.svd{{}}`, "linalg.svd: A: shape 1×0: want a matrix with at least one row and column"},
		{`linalg.qr(array.zeros(2, 2, 2))`, "linalg.qr: A of shape 2×2×2: want a matrix"},
		{`linalg.det{{1, 2}}`, "linalg.det: A of shape 1×2: want a square matrix"},
		{`linalg.det(array.zeros(0, 0))`, "linalg.det: A of shape 0×0: want a square matrix"},
		{`linalg.lstsq({{1}}, {1}, {rtol = 1})`, "linalg.lstsq: rtol 1: must be in [0, 1)"},
		{`linalg.eigs{{1}}`, "module 'linalg' has no 'eigs'"},
		{`linalg.solve({{1}})`, "linalg.solve: b: missing; want an array"},
	} {
		if got := eval("return " + tt.code); !strings.Contains(got, tt.want) {
			t.Errorf("%s: %s, want %s", tt.code, got, tt.want)
		}
	}
}

// Ctrl-C comes back from a decomposition that gonum cannot interrupt.
func TestLinalgIsInterrupted(t *testing.T) {
	L, _ := newState(t, nil, bindings.Array(), bindings.Linalg())
	ctx, cancel := context.WithCancel(context.Background())
	L.SetContext(ctx)
	if err := L.DoString(`A = array.from(150, 150, function(i, j) return 1/(i + j) end)`); err != nil {
		t.Fatal(err)
	}
	fn, err := L.LoadString(`for i = 1, 1000 do linalg.svd(A) end`)
	if err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(20*time.Millisecond, cancel)
	L.Push(fn)
	err = L.PCall(0, 0, nil)
	var api *lua.ApiError
	if !errors.As(err, &api) || !strings.Contains(err.Error(), "context canceled") {
		t.Fatalf("%v", err)
	}
}
