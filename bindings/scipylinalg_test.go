package bindings_test

import (
	"math"
	"math/rand/v2"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/numeric/array"
)

// Functions of matrices agree with those of NumPy and SciPy on random matrices, all of them in
// one run of Python.
func TestLinalgAgainstSciPy(t *testing.T) {
	if testing.Short() {
		t.Skip("starts Python")
	}
	rng := rand.New(rand.NewPCG(5, 6))
	random := func(shape ...int) *array.Array {
		a := array.New(shape...)
		for i := range a.Data {
			a.Data[i] = rng.NormFloat64()
		}
		return a
	}
	square, wide, tall, b := random(12, 12), random(5, 9), random(9, 5), random(12)
	few := random(30, 30)
	for i := range few.Data {
		if rng.Float64() > 0.1 {
			few.Data[i] = 0
		}
		if i%31 == 0 {
			few.Data[i] = 4
		}
	}
	right := random(30)
	args := []*array.Array{square, wide, tall, b, few, right}
	cases := []struct{ ours, python string }{
		{`linalg.eig(A0).re`, `np.sort_complex(np.linalg.eigvals(A0)).real`},
		{`linalg.eig(A0).im`, `np.sort_complex(np.linalg.eigvals(A0)).imag`},
		{`linalg.expm(A0)`, `scipy.linalg.expm(A0)`},
		{`linalg.expm(A0 * 20)`, `scipy.linalg.expm(A0 * 20)`},
		{`linalg.pinv(A1)`, `np.linalg.pinv(A1)`},
		{`linalg.pinv(A2)`, `np.linalg.pinv(A2)`},
		{`linalg.cond(A2)`, `np.linalg.cond(A2)`},
		{`linalg.matrix_rank(A1:dot(A2))`, `np.linalg.matrix_rank(A1 @ A2)`},
		{`linalg.norm(A1, 1)`, `np.linalg.norm(A1, 1)`},
		{`linalg.norm(A1, 2)`, `np.linalg.norm(A1, 2)`},
		{`linalg.norm(A1, "inf")`, `np.linalg.norm(A1, np.inf)`},
		{`linalg.norm(A1, math.huge)`, `np.linalg.norm(A1, np.inf)`},
		{`linalg.norm(A1)`, `np.linalg.norm(A1)`},
		{`linalg.norm(A3, 1)`, `np.linalg.norm(A3, 1)`},
		{`linalg.norm(A3, "inf")`, `np.linalg.norm(A3, np.inf)`},
		{`linalg.null_space(A1):dot(linalg.null_space(A1):transpose())`, `scipy.linalg.null_space(A1) @ scipy.linalg.null_space(A1).T`},
		{`(select(1, linalg.lu(A0)))`, `scipy.linalg.lu(A0)[0]`},
		{`(select(2, linalg.lu(A0)))`, `scipy.linalg.lu(A0)[1]`},
		{`(select(3, linalg.lu(A0)))`, `scipy.linalg.lu(A0)[2]`},
		{`linalg.matrix_power(A0, 5)`, `np.linalg.matrix_power(A0, 5)`},
		{`linalg.matrix_power(A0, -3)`, `np.linalg.matrix_power(A0, -3)`},
		{`linalg.solve_toeplitz(A0[1], A3, {row = A0[2]})`, `scipy.linalg.solve_toeplitz((A0[0], A0[1]), A3)`},
		{`linalg.solve_banded(2, 1, A0:slice{{1, 4}}, A3)`, `scipy.linalg.solve_banded((2, 1), A0[:4], A3)`},
		{`sparse.solve(sparse.csr(A4), A5)`, `scipy.sparse.linalg.spsolve(scipy.sparse.csc_matrix(A4), A5)`},
		{`sparse.csr(A4):dot(sparse.csr(A4)):dense()`, `(scipy.sparse.csr_matrix(A4) @ scipy.sparse.csr_matrix(A4)).toarray()`},
		{`poly.roots(A3).re`, `np.sort_complex(np.polynomial.polynomial.polyroots(A3)).real`},
		{`poly.polyfit(A0[1], A3, 4)`, `np.polynomial.polynomial.polyfit(A0[0], A3, 4)`},
		{`poly.polymul(A3, A5)`, `np.polynomial.polynomial.polymul(A3, A5)`},
		{`poly.polyder(A3, 2)`, `np.polynomial.polynomial.polyder(A3, 2)`},
		{`poly.polyint(A3, {k = 2})`, `np.polynomial.polynomial.polyint(A3, k=2)`},
		{`poly.fromroots(A3)`, `np.polynomial.polynomial.polyfromroots(A3)`},
	}
	code := ""
	for _, c := range cases {
		code += "v = " + c.python + "\nshow(np.size(v), v)\n"
	}
	wants := scipy(t, code, args...)
	L := openAll(t, nil)
	call := bind.At(L)
	for k, a := range args {
		L.SetGlobal("A"+string(rune('0'+k)), call.Lua(a))
	}
	for _, c := range cases {
		n := int(wants[0])
		want := wants[1 : n+1]
		wants = wants[n+1:]
		if err := L.DoString("return " + c.ours); err != nil {
			t.Errorf("%s: %v", c.ours, err)
			continue
		}
		var got []float64
		if v := L.Get(-1); v.Type() == lua.LTNumber {
			got = []float64{float64(v.(lua.LNumber))}
		} else if a, err := bind.Decode[*array.Array](call, v); err == nil {
			got = a.Data
		}
		L.SetTop(0)
		largest, worst := 0.0, 0.0
		for i := range min(len(got), n) {
			largest = max(largest, math.Abs(want[i]))
			worst = max(worst, math.Abs(got[i]-want[i]))
		}
		if len(got) != n || !(worst <= 1e-10*largest) {
			t.Errorf("%s has %d numbers, SciPy's %d; they differ by %.1e of %.1e", c.ours, len(got), n, worst, largest)
		}
		t.Logf("%-60s %.1e", c.ours, worst/largest)
	}
}
