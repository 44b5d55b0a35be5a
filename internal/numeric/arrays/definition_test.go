package arrays

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/greenbench/workbench/numeric/array"
)

func ctx() context.Context { return context.Background() }

// lengths reach into every way of sorting and adding up: by comparison, by digits,
// in runs that are merged.
func lengths() []int {
	return []int{0, 1, 2, 3, 129, 257, 258, 513, 515, 516, 517, 1000, 1023, 1024, 1025, 5000, 150_001, 300_000}
}

// TestSort: numbers in order with NaN last, and places that keep equal ones in
// their order, against a stable sort by comparison, on one processor and on four.
func TestSort(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, processors := range []int{1, 4} {
		before := runtime.GOMAXPROCS(processors)
		defer runtime.GOMAXPROCS(before)
		for _, n := range lengths() {
			a := numbers(r, []int{n})
			for _, descending := range []bool{false, true} {
				at := make([]int, n)
				for i := range at {
					at[i] = i
				}
				slices.SortStableFunc(at, func(i, j int) int {
					x, y := a.Data[i], a.Data[j]
					switch {
					case math.IsNaN(x) || math.IsNaN(y):
						return cmp.Compare(b2i(math.IsNaN(x)), b2i(math.IsNaN(y)))
					case descending:
						return cmp.Compare(y, x)
					}
					return cmp.Compare(x, y)
				})
				sorted, err := Sort(ctx(), a, 0, descending)
				if err != nil {
					t.Fatal(err)
				}
				order, err := ArgSort(ctx(), a, 0, 0, descending)
				if err != nil {
					t.Fatal(err)
				}
				for k, i := range at {
					if !same(sorted.Data[k], a.Data[i]) || int(order.Data[k]) != i {
						t.Fatalf("%d numbers, descending %v: place %d has %g from %g, want %g from %d",
							n, descending, k, sorted.Data[k], order.Data[k], a.Data[i], i)
					}
				}
			}
		}
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// pairwiseSum is the definition of the order of a sum: halves, down to 2048 numbers,
// which are 32 running sums, added in halves, and what is left of the numbers.
func pairwiseSum(x []float64) float64 {
	if len(x) > 2048 {
		half := len(x) / 2 / 32 * 32
		return pairwiseSum(x[:half]) + pairwiseSum(x[half:])
	}
	sums := make([]float64, 32)
	for ; len(x) >= 32; x = x[32:] {
		for i, v := range x[:32] {
			sums[i] += v
		}
	}
	for n := 16; n > 0; n /= 2 {
		for i := range n {
			sums[i] += sums[n+i]
		}
	}
	s := sums[0]
	for _, v := range x {
		s += v
	}
	return s
}

// sumOfRows is the definition of the order of a sum along another axis than the last,
// where whole rows are added up.
func sumOfRows(x []float64) float64 {
	if len(x) > 128 {
		return sumOfRows(x[:len(x)/2]) + sumOfRows(x[len(x)/2:])
	}
	s := 0.0
	for _, v := range x {
		s += v
	}
	return s
}

// TestReduceDefinitions: sums have the same bits on any number of processors and with
// any instructions; the others are what the sorted numbers say.
func TestReduceDefinitions(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, n := range lengths()[1:] {
		a := array.New(n)
		for i := range a.Data {
			a.Data[i] = r.NormFloat64()
		}
		sorted := slices.Sorted(slices.Values(a.Data))
		want := map[string]float64{
			"sum": pairwiseSum(a.Data), "min": sorted[0], "max": sorted[n-1],
			"median": (sorted[n/2] + sorted[(n-1)/2]) / 2,
			"argmin": float64(slices.Index(a.Data, sorted[0])), "argmax": float64(slices.Index(a.Data, sorted[n-1])),
		}
		for _, processors := range []int{1, 4} {
			before := runtime.GOMAXPROCS(processors)
			for op, want := range want {
				if got, err := Reduce(ctx(), a, op, 0, All, false); err != nil || got.Data[0] != want {
					t.Errorf("%s of %d: got %v, %v, want %g", op, n, got, err, want)
				}
			}
			runtime.GOMAXPROCS(before)
		}
		columns := array.New(n, 3)
		for i, x := range a.Data {
			columns.Data[3*i], columns.Data[3*i+1], columns.Data[3*i+2] = x, 2*x, -x
		}
		want["sum"] = sumOfRows(a.Data)
		for op, want := range want {
			got, err := Reduce(ctx(), columns, op, 0, 0, false)
			if err != nil || got.Data[0] != want {
				t.Errorf("%s of %d rows: got %v, %v, want %g", op, n, got, err, want)
			}
		}
	}
}

// Numbers that squares of overflow or vanish have norms all the same.
func TestNormScales(t *testing.T) {
	for _, scale := range []float64{1e-300, 1e-160, 1, 1e160, 1e300} {
		a := array.New(100_000)
		for i := range a.Data {
			a.Data[i] = scale
		}
		got, err := Reduce(ctx(), a, "norm", 2, All, false)
		if want := scale * math.Sqrt(1e5); err != nil || math.Abs(got.Data[0]/want-1) > 1e-12 {
			t.Errorf("scale %g: got %v, %v, want %g", scale, got, err, want)
		}
	}
}

// A sort that is stopped says so, and so does whatever goes through many lines.
func TestStopped(t *testing.T) {
	c, cancel := context.WithCancel(ctx())
	cancel()
	a := array.New(1000, 50)
	for name, of := range map[string]func() (*array.Array, error){
		"sort":      func() (*array.Array, error) { return Sort(c, a, 0, false) },
		"argsort":   func() (*array.Array, error) { return ArgSort(c, a, 1, 0, false) },
		"median":    func() (*array.Array, error) { return Reduce(c, a, "median", 0, 1, false) },
		"cumsum":    func() (*array.Array, error) { return Running(c, a, false, 1) },
		"bincount":  func() (*array.Array, error) { return BinCount(c, a, nil, 0) },
		"histogram": func() (*array.Array, error) { return Histogram(c, a, []float64{0, 1}, nil) },
		"unique":    func() (*array.Array, error) { values, _, _, _, err := Unique(c, a, 0); return values, err },
		"diff":      func() (*array.Array, error) { return Diff(c, a, 1, 0) },
	} {
		_, err := of()
		wantError(t, err, "stopped: context canceled")
		_ = name
	}
}

// What is asked for must fit in memory, and is refused before it is made.
func TestTooLarge(t *testing.T) {
	a := array.New(100_000)
	for name, of := range map[string]func() (*array.Array, error){
		"outer": func() (*array.Array, error) { return Outer(ctx(), a, array.New(1_000_000)) },
		"tile":  func() (*array.Array, error) { return Tile(ctx(), a, 1<<40, 1<<40) },
		"kron":  func() (*array.Array, error) { return Kron(ctx(), a, array.New(1_000_000)) },
		"diag":  func() (*array.Array, error) { return Diagonal(ctx(), array.New(10), 1<<30) },
		"count": func() (*array.Array, error) { return BinCount(ctx(), array.Scalar(1<<50), nil, 0) },
		"range": func() (*array.Array, error) { return Arange(ctx(), 0, 1e15, 1) },
		"empty": func() (*array.Array, error) { return Tile(ctx(), array.New(0), 1<<62, 1<<62) },
	} {
		_, err := of()
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		wantError(t, err, "limit")
	}
}

// Changing in place is what the operators give, also where an array is changed by
// a part of itself.
func TestUpdate(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for op, of := range map[byte]func(ctx context.Context, a, b *array.Array) (*array.Array, error){'+': Add, '-': Sub, '*': Mul, '/': Div, '^': Pow} {
		a, b := numbers(r, []int{50, 70}), numbers(r, []int{70})
		for _, b := range []*array.Array{b, a.Index(20), a, array.Scalar(3), array.Vector(a.Data[5:6])} {
			want, err := of(ctx(), a, b)
			if err != nil {
				t.Fatal(err)
			}
			got := a.Copy()
			if sharing(a.Data, b.Data) {
				got = a
			}
			kept := a.Copy()
			if err := Update(ctx(), got, op, b); err != nil || !Equal(got, want) {
				t.Errorf("%c: got %v, %v, want %v", op, got, err, want)
			}
			copy(a.Data, kept.Data)
		}
	}
	wantError(t, Update(ctx(), array.New(3), '+', array.New(2, 3)), "2×3", "does not fit into shape 3")
}
