package linop_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/testmain"
)

// near checks |a - b| ≤ tol entry by entry.
func near(t *testing.T, name string, a, b mat.Matrix, tol float64) {
	t.Helper()
	r, c := b.Dims()
	if ar, ac := a.Dims(); ar != r || ac != c {
		t.Fatalf("%s: %d × %d, want %d × %d", name, ar, ac, r, c)
	}
	for i := range r {
		for j := range c {
			if e := math.Abs(a.At(i, j) - b.At(i, j)); !(e <= tol) {
				t.Fatalf("%s: off by %.2g at %d, %d: %g, want %g", name, e, i, j, a.At(i, j), b.At(i, j))
			}
		}
	}
}

func orthonormal(t *testing.T, name string, q *mat.Dense) {
	t.Helper()
	r, c := q.Dims()
	var g mat.Dense
	g.Mul(q.T(), q)
	one := mat.NewDiagDense(c, nil)
	for i := range c {
		one.SetDiag(i, 1)
	}
	near(t, name+": columns", &g, one, 1e-15*float64(r+30)) // rounding of products of columns of r numbers
}

// rectangular are matrices that reductions and deflations treat on their own, with their
// largest entry.
func rectangular(rng *rand.Rand, r, c int) map[string]*mat.Dense {
	of := func(f func(i, j int) float64) *mat.Dense {
		m := mat.NewDense(r, c, nil)
		m.Apply(func(i, j int, _ float64) float64 { return f(i, j) }, m)
		return m
	}
	low := mat.NewDense(r, c, nil)
	low.Mul(random(rng, r, 2), random(rng, 2, c))
	columns := random(rng, r, c)
	for j := range (c + 1) / 2 {
		columns.SetCol(j, make([]float64, r))
	}
	return map[string]*mat.Dense{
		"random":       random(rng, r, c),
		"zero":         of(func(int, int) float64 { return 0 }),
		"ones":         of(func(int, int) float64 { return 1 }),
		"unit":         of(func(i, j int) float64 { return map[bool]float64{true: 1}[i == j] }),
		"low rank":     low,
		"zero columns": columns,
		"smooth": of(func(i, j int) float64 {
			return math.Exp(-math.Pow(float64(i)/float64(r)-float64(j)/float64(c), 2) * 20)
		}),
		"graded":     of(func(i, j int) float64 { return rng.NormFloat64() * math.Pow(10, -15*float64(j)/float64(c)) }),
		"upwards":    of(func(i, j int) float64 { return rng.NormFloat64() * math.Pow(10, -15*float64(c-j)/float64(c)) }),
		"bidiagonal": of(func(i, j int) float64 { return map[int]float64{0: 1, 1: .9}[j-i] }),
		"nilpotent":  of(func(i, j int) float64 { return map[int]float64{1: 1}[j-i] }),
		"large":      of(func(int, int) float64 { return 1e300 * rng.NormFloat64() }),
		"small":      of(func(int, int) float64 { return 1e-300 * rng.NormFloat64() }),
		"largest":    of(func(i, j int) float64 { return map[bool]float64{true: 1.5e308}[i == j] + 1e304*rng.NormFloat64() }),
		"least":      of(func(int, int) float64 { return 1e-307 * rng.NormFloat64() }),
	}
}

func largest(m *mat.Dense) float64 { return max(mat.Max(m), -mat.Min(m), 1e-300) }

var shapes = [][2]int{{1, 1}, {2, 2}, {5, 1}, {1, 5}, {7, 3}, {3, 7}, {31, 31}, {32, 32}, {33, 33}, {70, 64}, {64, 97}, {200, 65}, {130, 130}}

// A = U diag(values) Vᵀ with orthonormal columns, and values that decrease.
func TestSVDByDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, s := range shapes {
		for name, a := range rectangular(rng, s[0], s[1]) {
			name = fmt.Sprintf("%s, %d × %d", name, s[0], s[1])
			u, values, v, err := linop.SVD(t.Context(), a)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			size := largest(a)
			var us, back mat.Dense
			us.Apply(func(_, j int, x float64) float64 { return x * (values[j] / size) }, u)
			back.Mul(&us, v.T())
			var unit mat.Dense
			unit.Apply(func(_, _ int, x float64) float64 { return x / size }, a)
			near(t, name+": U S Vᵀ", &back, &unit, 1e-14*float64(min(s[0], s[1])+5))
			orthonormal(t, name+": U", u)
			orthonormal(t, name+": V", v)
			for i, x := range values {
				if x < 0 || i > 0 && x > values[i-1] {
					t.Fatalf("%s: singular values %v", name, values)
				}
			}
		}
	}
}

// A = Q R with orthonormal columns of Q and R upper triangular.
func TestQRByDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, s := range shapes {
		if s[0] < s[1] {
			continue
		}
		for name, a := range rectangular(rng, s[0], s[1]) {
			name = fmt.Sprintf("%s, %d × %d", name, s[0], s[1])
			size := largest(a)
			q, r, err := linop.QR(t.Context(), mat.DenseCopyOf(a))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			var back mat.Dense
			back.Mul(q, r)
			near(t, name+": Q R", &back, a, 1e-14*float64(s[1]+5)*size)
			orthonormal(t, name+": Q", q)
			alone, err := linop.Triangle(t.Context(), a)
			if err != nil || !mat.Equal(alone, r) {
				t.Errorf("%s: R alone is another one: %v", name, err)
			}
			for i := range s[1] {
				for j := range i {
					if r.At(i, j) != 0 {
						t.Fatalf("%s: R is %g at %d, %d", name, r.At(i, j), i, j)
					}
				}
			}
		}
	}
}

// A = Uᵀ U; a matrix that is not positive definite is refused, wherever it is not.
func TestCholeskyByDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, n := range []int{1, 2, 5, 63, 64, 65, 130, 333} {
		b := random(rng, n, n)
		a := mat.NewSymDense(n, nil)
		a.SymOuterK(1, b)
		for i := range n {
			a.SetSym(i, i, a.At(i, i)+1)
		}
		c, err := linop.Cholesky(t.Context(), a)
		if err != nil {
			t.Fatal(err)
		}
		var back mat.SymDense
		c.ToSym(&back)
		near(t, fmt.Sprintf("%d rows", n), &back, a, 1e-14*float64(n)*mat.Max(a))
		overwritten := mat.NewSymDense(n, nil)
		overwritten.CopySym(a)
		lower, err := linop.LowerFactor(t.Context(), overwritten)
		if err != nil {
			t.Fatal(err)
		}
		var l mat.TriDense
		c.LTo(&l)
		if !mat.Equal(lower, &l) { // zeros above the diagonal included
			t.Errorf("%d rows: L is not the transpose of U", n)
		}
		want := random(rng, n, 7)
		x := mat.NewDense(n, 7, nil)
		x.Mul(c.RawU().T(), want)
		if err := linop.ForwardSolve(t.Context(), c, x); err != nil {
			t.Fatal(err)
		}
		near(t, fmt.Sprintf("%d rows, solved forwards", n), x, want, 1e-14*float64(n)*mat.Max(a))
		whole := random(rng, n, 1)
		one := linop.Product(t.Context(), a, whole)
		linop.SolveOne(c, one.RawMatrix().Data)
		near(t, fmt.Sprintf("%d rows, solved", n), one, whole, 1e-14*float64(n)*mat.Max(a))
		one = linop.Product(t.Context(), a, whole)
		linop.SolveOneLower(&l, one.RawMatrix().Data)
		near(t, fmt.Sprintf("%d rows, solved by L", n), one, whole, 1e-14*float64(n)*mat.Max(a))
		for _, bad := range []float64{-1, 0, math.NaN(), math.Inf(1)} {
			worse := mat.NewSymDense(n, nil)
			worse.CopySym(a)
			worse.SetSym(n-1, n-1, bad)
			if _, err := linop.Cholesky(t.Context(), worse); !errors.Is(err, linop.ErrNotPositive) {
				t.Errorf("%d rows, the last pivot %g: error %v", n, bad, err)
			}
			if _, err := linop.LowerFactor(t.Context(), worse); !errors.Is(err, linop.ErrNotPositive) {
				t.Errorf("%d rows, the last pivot %g: error %v of L", n, bad, err)
			}
		}
	}
}

// A x = b, the determinant and the condition number against gonum's, and those of
// matrices of which they are known.
func TestLUByDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for _, n := range []int{1, 2, 5, 63, 64, 65, 130, 201} {
		a, b := random(rng, n, n), random(rng, n, 3)
		f, err := linop.LU(t.Context(), a)
		if err != nil {
			t.Fatal(err)
		}
		x, err := f.Solve(t.Context(), b)
		if err != nil {
			t.Fatal(err)
		}
		var back mat.Dense
		back.Mul(a, x)
		near(t, fmt.Sprintf("%d rows", n), &back, b, 1e-13*float64(n)*largest(x))
		var lu mat.LU
		lu.Factorize(a)
		if det := lu.Det(); math.Abs(f.Det()-det) > 1e-11*math.Abs(det) {
			t.Errorf("%d rows: determinant %g, gonum's %g", n, f.Det(), det)
		}
		if c := lu.Cond(); f.Condition() < c/3 || f.Condition() > 3*c {
			t.Errorf("%d rows: condition %g, gonum's %g", n, f.Condition(), c)
		}
	}
	for _, c := range []struct {
		rows           []float64
		det, condition float64
	}{
		{[]float64{1, 2, 3, 4}, -2, 21},
		{[]float64{0, 1, 1, 0}, -1, 1},
		{[]float64{1, 2, 2, 4}, 0, math.Inf(1)},
		{[]float64{0, 0, 0, 0}, 0, math.Inf(1)},
		{[]float64{1e200, 0, 0, 1e-200}, 1, math.Inf(1)},
		{[]float64{1e-160, 0, 0, 4e-160}, 4e-320, 4},
	} {
		f, err := linop.LU(t.Context(), mat.NewDense(2, 2, c.rows))
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(f.Det()-c.det) > 1e-15*math.Abs(c.det)+1e-323 {
			t.Errorf("determinant of %v: %g, want %g", c.rows, f.Det(), c.det)
		}
		if !math.IsInf(c.condition, 1) && math.Abs(f.Condition()-c.condition) > 1e-12*c.condition || f.Condition() < c.condition/2 && !math.IsInf(c.condition, 1) {
			t.Errorf("condition of %v: %g, want %g", c.rows, f.Condition(), c.condition)
		}
	}
}

// Systems have the same solutions in units of which squares, inverses or the next power of two
// are no numbers, on either side.
func TestSystemsInExtremeUnits(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 13))
	const n = 7
	a, b := random(rng, n, n), random(rng, n, 2)
	for i := range n {
		a.Set(i, i, a.At(i, i)+8)
	}
	a.Set(0, 0, 15) // so that what is next to the largest number is tried
	var want mat.Dense
	if err := want.Solve(a, b); err != nil {
		t.Fatal(err)
	}
	for _, left := range []float64{4e-309, 1e-308, 1e-300, 1, 1e300, 1.1e307} {
		for _, right := range []float64{4e-309, 1e-300, 1, 1e300, 1e307} {
			if q := right / left; !(q > 1e-290 && q < 1e290) {
				continue
			}
			name := fmt.Sprintf("units %g and %g", left, right)
			var in, of mat.Dense
			in.Scale(left, a)
			of.Scale(right, b)
			f := testmain.Must(linop.LU(t.Context(), &in))(t)
			solved := testmain.Must(f.Solve(t.Context(), &of))(t)
			u, values, v, err := linop.SVD(t.Context(), &in)
			if err != nil {
				t.Fatal(err)
			}
			least := testmain.Must(linop.LeastSquares(t.Context(), u, values, v, &of))(t)
			for of, x := range map[string]*mat.Dense{"LU": solved, "least squares": least} {
				x.Scale(left/right, x)
				near(t, name+", "+of, x, &want, 1e-12)
			}
			if c := f.Condition(); !(c >= 1 && c < 100) {
				t.Errorf("%s: condition %g", name, c)
			}
		}
	}
}
