package arrays

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/greenbench/workbench/numeric/array"
)

func TestReshape(t *testing.T) {
	a := count(2, 6)
	b := must(a.Reshape(3, -1))
	wantArray(t, b, []int{3, 4}, a.Data...)
	b.Set(-1, 0, 0)
	if a.At(0, 0) != -1 {
		t.Error("Reshape does not share")
	}
	wantArray(t, must(a.Reshape()), []int{12}, a.Data...)
	wantArray(t, must(array.New(0, 3).Reshape(-1, 5)), []int{0, 5})
	for _, c := range []struct {
		shape []int
		say   string
	}{
		{[]int{5, -1}, "12 numbers do not divide"},
		{[]int{-1, -1}, "at most one"},
		{[]int{0, -1}, "do not divide"},
		{[]int{3, -4}, ">= 0"},
		{[]int{5, 2}, "wants 10 numbers, got 12"},
		{[]int{math.MaxInt, math.MaxInt, -1}, "do not divide"},
	} {
		_, err := a.Reshape(c.shape...)
		wantError(t, err, c.say)
	}
}

// Every permutation of a rank-4 array against the definition:
// result[i_perm] = a[i].
func TestTransposeByDefinition(t *testing.T) {
	a := count(2, 3, 1, 4)
	var perms [][]int
	for n := range 4 * 4 * 4 * 4 {
		p := []int{n % 4, n / 4 % 4, n / 16 % 4, n / 64}
		if p[0] != p[1] && p[0] != p[2] && p[0] != p[3] && p[1] != p[2] && p[1] != p[3] && p[2] != p[3] {
			perms = append(perms, p)
		}
	}
	if len(perms) != 24 {
		t.Fatalf("%d permutations", len(perms))
	}
	for _, p := range perms {
		b := must(Transpose(ctx(), a, p...))
		for k := range a.Data {
			from := a.Position(k)
			to := []int{from[p[0]], from[p[1]], from[p[2]], from[p[3]]}
			if b.At(to...) != a.Data[k] {
				t.Fatalf("axes %v: element %v is not at %v", p, from, to)
			}
		}
	}
	wantArray(t, must(Transpose(ctx(), count(2, 3))), []int{3, 2}, 0, 3, 1, 4, 2, 5)
	wantArray(t, must(Transpose(ctx(), array.New(0, 3))), []int{3, 0})
	for _, p := range [][]int{{0}, {0, 0}, {0, 2}, {-1, 0}} {
		_, err := Transpose(ctx(), count(2, 3), p...)
		wantError(t, err, "permutation of all 2 axes")
	}
}

func TestTake(t *testing.T) {
	a := count(3, 2)
	wantArray(t, must(Take(a, 0, []int{2, 0, 2})), []int{3, 2}, 4, 5, 0, 1, 4, 5)
	wantArray(t, must(Take(a, 1, []int{1})), []int{3, 1}, 1, 3, 5)
	wantArray(t, must(Take(a, 1, nil)), []int{3, 0})
	wantArray(t, must(Take(count(2, 2, 2), 1, []int{1, 0})), []int{2, 2, 2}, 2, 3, 0, 1, 6, 7, 4, 5)
	_, err := Take(a, 1, []int{2})
	wantError(t, err, "index 2", "axis 1", "3×2")
	_, err = Take(a, 2, nil)
	wantError(t, err, "axis 2", "0 to 1")
}

// Broadcasting against the definition, element by element, over shapes that
// repeat at the front, in the middle and at the end, and empty ones.
func TestBroadcastByDefinition(t *testing.T) {
	minus := func(x, y float64) float64 { return x - y }
	for _, c := range []struct{ a, b, want []int }{
		{[]int{3}, []int{3}, []int{3}},
		{[]int{1}, []int{2, 3}, []int{2, 3}},
		{[]int{2, 3}, []int{3}, []int{2, 3}},
		{[]int{2, 1}, []int{3}, []int{2, 3}},
		{[]int{2, 1, 4}, []int{3, 1}, []int{2, 3, 4}},
		{[]int{4, 1, 2, 1}, []int{3, 1, 5}, []int{4, 3, 2, 5}},
		{[]int{1, 1}, []int{1}, []int{1, 1}},
		{[]int{0, 3}, []int{1, 3}, []int{0, 3}},
		{[]int{2, 0}, []int{1}, []int{2, 0}},
	} {
		a, b := count(c.a...), count(c.b...)
		got := must(Zip(ctx(), a, b, minus))
		want := array.New(c.want...)
		for k := range want.Data {
			index := want.Position(k)
			want.Data[k] = minus(pick(a, index), pick(b, index))
		}
		if !Equal(got, want) {
			t.Errorf("%v - %v: got %v, want %v", c.a, c.b, got, want)
		}
		if full := must(Broadcast(ctx(), a, c.want...)); !Equal(must(Zip(ctx(), full, b, minus)), want) {
			t.Errorf("Broadcast(%v) of %v is wrong", c.want, c.a)
		}
	}
	_, err := Add(ctx(), count(3, 4), count(2))
	wantError(t, err, "3×4 and 2", "4 against 2")
	_, err = Broadcast(ctx(), count(2, 3), 3)
	wantError(t, err, "2×3", "to 3")
}

// pick is the element that a has at an index of the broadcast array.
func pick(a *array.Array, index []int) float64 {
	own := make([]int, a.Rank())
	for k := range own {
		if own[k] = index[len(index)-a.Rank()+k]; a.Shape[k] == 1 {
			own[k] = 0
		}
	}
	return a.At(own...)
}

func TestArithmetic(t *testing.T) {
	a, b := array.Vector([]float64{6, 8}), array.Vector([]float64{2, 4})
	wantArray(t, must(Add(ctx(), a, b)), []int{2}, 8, 12)
	wantArray(t, must(Sub(ctx(), a, b)), []int{2}, 4, 4)
	wantArray(t, must(Mul(ctx(), a, b)), []int{2}, 12, 32)
	wantArray(t, must(Div(ctx(), a, b)), []int{2}, 3, 2)
	wantArray(t, must(Pow(ctx(), a, array.Scalar(2))), []int{2}, 36, 64)
	wantArray(t, must(Pow(ctx(), array.Vector([]float64{-3, 2, 9}), array.Vector([]float64{2, 3, 0.5}))), []int{3}, 9, 8, 3)
	wantArray(t, a.Map(func(x float64) float64 { return -x }), []int{2}, -6, -8)
	cond := must(array.Of([]float64{1, 0, 0, math.NaN()}, 2, 2))
	mask, err := NonZero(ctx(), cond)
	if err != nil {
		t.Fatal(err)
	}
	wantArray(t, must(Where(ctx(), mask, a, array.Scalar(-1))), []int{2, 2}, 6, -1, -1, 8)
	_, err = Where(ctx(), mask, a, count(3))
	wantError(t, err, "2×2 and 3")
}

// Known answers on [[1 2 3] [4 5 9]], each by hand.
func TestReductions(t *testing.T) {
	a := must(array.Of([]float64{1, 2, 3, 4, 5, 9}, 2, 3))
	for _, c := range []struct {
		name               string
		p                  float64
		all, rows, columns []float64 // over everything, axis 1, axis 0
	}{
		{"sum", 0, []float64{24}, []float64{6, 18}, []float64{5, 7, 12}},
		{"mean", 0, []float64{4}, []float64{2, 6}, []float64{2.5, 3.5, 6}},
		{"min", 0, []float64{1}, []float64{1, 4}, []float64{1, 2, 3}},
		{"max", 0, []float64{9}, []float64{3, 9}, []float64{4, 5, 9}},
		{"norm", 2, []float64{math.Sqrt(136)}, []float64{math.Sqrt(14), math.Sqrt(122)}, []float64{math.Sqrt(17), math.Sqrt(29), math.Sqrt(90)}},
		{"std", 0, []float64{math.Sqrt(40. / 6)}, []float64{math.Sqrt(2. / 3), math.Sqrt(14. / 3)}, []float64{1.5, 1.5, 3}},
	} {
		for _, part := range []struct {
			axis  int
			shape []int
			want  []float64
		}{{All, []int{1}, c.all}, {1, []int{2}, c.rows}, {0, []int{3}, c.columns}} {
			got := must(Reduce(ctx(), a, c.name, c.p, part.axis, false))
			cmp, err := allClose(got, &array.Array{Shape: part.shape, Data: part.want}, 1e-15, 0)
			if err != nil || !cmp.Close() {
				t.Errorf("%s(%d): %v %v", c.name, part.axis, cmp, err)
			}
		}
		_, err := Reduce(ctx(), a, c.name, c.p, 2, false)
		wantError(t, err, "axis 2", "0 to 1")
		_, err = Reduce(ctx(), a, c.name, c.p, -2, false)
		wantError(t, err, "axis -2")
	}
	wantArray(t, must(Reduce(ctx(), count(2, 3, 2), "sum", 0, 1, false)), []int{2, 2}, 6, 9, 24, 27)
	wantArray(t, must(Reduce(ctx(), count(4), "max", 0, 0, false)), []int{1}, 3)
}

func TestReductionsOfNothingAndNaN(t *testing.T) {
	empty := array.New(0, 3)
	wantArray(t, must(Reduce(ctx(), empty, "sum", 0, 0, false)), []int{3}, 0, 0, 0)
	wantArray(t, must(Reduce(ctx(), empty, "mean", 0, 1, false)), []int{0})
	_, err := Reduce(ctx(), empty, "mean", 0, 0, false)
	wantError(t, err, "no mean of none", "0×3")
	_, err = Reduce(ctx(), empty, "max", 0, All, false)
	wantError(t, err, "no max of none")
	a := array.Vector([]float64{1, math.NaN(), 3})
	for op := range reductions(0.5) {
		if got := must(Reduce(ctx(), a, op, 0.5, All, false)).Data[0]; !math.IsNaN(got) && got != 1 { // the place of NaN
			t.Errorf("%s: got %g, want NaN to win", op, got)
		}
	}
}

// Naive summation of a million times 0.1 is off by 1e-6; pairwise by at most
// about log2(1e6/128)+128 roundings of relative size 2^-53 (Higham, Accuracy and
// Stability of Numerical Algorithms, section 4.2).
func TestSumIsAccurate(t *testing.T) {
	const n = 1_000_000
	got := must(Reduce(ctx(), must(Full(ctx(), 0.1, n)), "sum", 0, All, false)).Data[0]
	if math.Abs(got-n*0.1) > 1e-9 {
		t.Errorf("sum = %.17g", got)
	}
	big := must(Full(ctx(), 1e200, 4))
	if got := must(Reduce(ctx(), big, "norm", 2, All, false)).Data[0]; got != 2e200 {
		t.Errorf("norm = %g: overflow on the way", got)
	}
}

// The BLAS route against the definition on every combination of ranks.
func TestDotByDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	random := func(shape ...int) *array.Array {
		return array.New(shape...).Map(func(float64) float64 { return rng.NormFloat64() })
	}
	for _, c := range []struct {
		a, b    *array.Array
		shape   []int
		m, k, n int
	}{
		{random(5), random(5), []int{1}, 1, 5, 1},
		{random(3, 5), random(5), []int{3}, 3, 5, 1},
		{random(5), random(5, 4), []int{4}, 1, 5, 4},
		{random(3, 5), random(5, 4), []int{3, 4}, 3, 5, 4},
		{random(70, 130), random(130, 90), []int{70, 90}, 70, 130, 90},
		{random(200_001), random(200_001), []int{1}, 1, 200_001, 1},
		{random(3, 70_001), random(70_001), []int{3}, 3, 70_001, 1},
		{random(75), random(75, 5003), []int{5003}, 1, 75, 5003},
		{random(3, 0), random(0, 2), []int{3, 2}, 3, 0, 2},
		{random(0, 3), random(3, 2), []int{0, 2}, 0, 3, 2},
	} {
		got := must(Dot(ctx(), c.a, c.b))
		want := array.New(c.shape...)
		if err := dotPlain(t.Context(), want.Data, c.a.Data, c.b.Data, c.m, c.k, c.n); err != nil {
			t.Fatal(err)
		}
		if cmp, err := allClose(got, want, 1e-12, 1e-15*float64(1000+c.k)); err != nil || !cmp.Close() {
			t.Errorf("%v · %v: %v %v", c.a.Shape, c.b.Shape, cmp, err)
		}
	}
	wantArray(t, must(Dot(ctx(), count(2, 3), count(3, 2))), []int{2, 2}, 10, 13, 28, 40)
	// 0·NaN and 0·Inf are NaN, which the BLAS alone would lose.
	got := must(Dot(ctx(), array.Vector([]float64{0, 1}), array.Vector([]float64{math.NaN(), 1})))
	wantArray(t, got, []int{1}, math.NaN())
	got = must(Dot(ctx(), array.Vector([]float64{math.Inf(1), 1}), array.Vector([]float64{0, 1})))
	wantArray(t, got, []int{1}, math.NaN())

	_, err := Dot(ctx(), count(2, 3), count(2, 3))
	wantError(t, err, "2×3 and 2×3", "(3)", "(2)")
	_, err = Dot(ctx(), count(2, 3, 4), count(4))
	wantError(t, err, "2×3×4", "vectors and matrices")
}
