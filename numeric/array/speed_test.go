package array

import (
	"encoding/json"
	"math/rand/v2"
	"os/exec"
	"testing"
	"time"
)

// speedScript prints the least of three times for each expression, in seconds.
const speedScript = `
import json, sys, time
import numpy as np
np.seterr(all="ignore")
n = int(sys.argv[1])
rng = np.random.default_rng(1)
a, b = rng.normal(size=n), rng.normal(size=n)
M = a.reshape(1000, -1)
v, s = b[:M.shape[1]].copy(), np.sort(a)
m = a > 0
at = rng.integers(0, n, n)
k = rng.integers(0, 1000, n)
z = a + 1j * b
times = {}
for e in json.loads(sys.argv[2]):
    best = 1e9
    for _ in range(3):
        start = time.perf_counter()
        eval(e)
        best = min(best, time.perf_counter() - start)
    times[e] = best
print(json.dumps(times))
`

// BenchmarkNumPy times operations on 10^7 numbers here and in NumPy, one after the
// other, and logs a table of seconds and ratios:
//
//	go test ./numeric/array -run '^$' -bench NumPy -benchtime 1x -v
func BenchmarkNumPy(b *testing.B) {
	const n = 10_000_000
	r := rand.New(rand.NewPCG(1, 1))
	normal := func(n int) *Array {
		a := New(n)
		for i := range a.Data {
			a.Data[i] = r.NormFloat64()
		}
		return a
	}
	x, y := normal(n), normal(n)
	matrix, err := x.Reshape(1000, -1)
	if err != nil {
		b.Fatal(err)
	}
	row := Vector(y.Data[:n/1000])
	sorted, err := x.Sort(ctx(), 0, false)
	if err != nil {
		b.Fatal(err)
	}
	mask, err := Compare(ctx(), "gt", x, Scalar(0))
	if err != nil {
		b.Fatal(err)
	}
	at, small := make([]int, n), New(n)
	for i := range at {
		at[i], small.Data[i] = r.IntN(n), float64(r.IntN(1000))
	}
	z, err := Cartesian(ctx(), x, y)
	if err != nil {
		b.Fatal(err)
	}
	reduce := func(a *Array, op string, p float64, axis int) func() (*Array, error) {
		return func() (*Array, error) { return a.Reduce(ctx(), op, p, axis, false) }
	}
	discard := func(_ any, err error) (*Array, error) { return nil, err }
	rows := []struct {
		numpy string
		of    func() (*Array, error)
	}{
		{"a + b", func() (*Array, error) { return Add(ctx(), x, y) }},
		{"a * 2", func() (*Array, error) { return Mul(ctx(), x, Scalar(2)) }},
		{"a / b", func() (*Array, error) { return Div(ctx(), x, y) }},
		{"M + v", func() (*Array, error) { return Add(ctx(), matrix, row) }},
		{"M * v[:1000, None]", func() (*Array, error) {
			column, err := Of(y.Data[:1000], 1000, 1)
			if err != nil {
				return nil, err
			}
			return Mul(ctx(), matrix, column)
		}},
		{"a > b", func() (*Array, error) { return discard(Compare(ctx(), "gt", x, y)) }},
		{"a[m]", func() (*Array, error) { return x.Masked(ctx(), mask) }},
		{"np.where(m, a, b)", func() (*Array, error) { return Where(ctx(), mask, x, y) }},
		{"a[at]", func() (*Array, error) { return x.Pick(ctx(), Pick{At: at}) }},
		{"a[::-1].copy()", func() (*Array, error) { return x.Pick(ctx(), Pick{From: n - 1, Count: n, Step: -1}) }},
		{"np.count_nonzero(m)", func() (*Array, error) { _, err := mask.Count(ctx()); return nil, err }},
		{"a.sum()", reduce(x, "sum", 0, All)},
		{"M.sum(axis=0)", reduce(matrix, "sum", 0, 0)},
		{"M.sum(axis=1)", reduce(matrix, "sum", 0, 1)},
		{"a.prod()", reduce(x, "prod", 0, All)},
		{"a.max()", reduce(x, "max", 0, All)},
		{"a.argmax()", reduce(x, "argmax", 0, All)},
		{"a.var()", reduce(x, "var", 0, All)},
		{"M.std(axis=0)", reduce(matrix, "std", 0, 0)},
		{"np.linalg.norm(a)", reduce(x, "norm", 2, All)},
		{"np.linalg.norm(a, 1)", reduce(x, "norm", 1, All)},
		{"np.median(a)", reduce(x, "median", 0, All)},
		{"np.cumsum(a)", func() (*Array, error) { return x.Running(ctx(), false, 0) }},
		{"np.diff(a)", func() (*Array, error) { return x.Diff(ctx(), 1, 0) }},
		{"np.clip(a, -1, 1)", func() (*Array, error) { return x.Clip(ctx(), Scalar(-1), Scalar(1)) }},
		{"np.round(a, 2)", func() (*Array, error) { return x.Round(ctx(), 2) }},
		{"np.sort(a)", func() (*Array, error) { return x.Sort(ctx(), 0, false) }},
		{"np.argsort(a)", func() (*Array, error) { return x.ArgSort(ctx(), 0, 0, false) }},
		{"np.sort(M, axis=0)", func() (*Array, error) { return matrix.Sort(ctx(), 0, false) }},
		{"np.unique(k)", func() (*Array, error) { _, _, _, _, err := small.Unique(ctx(), 0); return nil, err }},
		{"np.searchsorted(s, v)", func() (*Array, error) { return sorted.SearchSorted(ctx(), row, false, 0) }},
		{"np.concatenate([a, b])", func() (*Array, error) { return Join(ctx(), []*Array{x, y}, 0, false) }},
		{"np.stack([a, b], axis=1)", func() (*Array, error) { return Join(ctx(), []*Array{x, y}, 1, true) }},
		{"M.T.copy()", func() (*Array, error) { return matrix.Transpose(ctx()) }},
		{"np.roll(a, 5)", func() (*Array, error) { return x.Roll(ctx(), 5, 0) }},
		{"np.tile(v, 1000)", func() (*Array, error) { return row.Tile(ctx(), 1000) }},
		{"np.outer(v, v[:1000])", func() (*Array, error) { return Outer(ctx(), row, Vector(row.Data[:1000])) }},
		{"np.histogram(a, 100)", func() (*Array, error) {
			edges, err := x.Bins(ctx(), 100, -6, 6)
			if err != nil {
				return nil, err
			}
			return x.Histogram(ctx(), edges.Data, nil)
		}},
		{"np.bincount(k)", func() (*Array, error) { return small.BinCount(ctx(), nil, 0) }},
		{"z * z", func() (*Array, error) { return discard(Combine(ctx(), '*', z, z)) }},
		{"np.abs(z)", func() (*Array, error) { return z.Abs(ctx()) }},
		{"a.__iadd__(b)", func() (*Array, error) { return x, x.Update(ctx(), '+', y) }},
	}
	expressions := make([]string, len(rows))
	for i, row := range rows {
		expressions[i] = row.numpy
	}
	list, err := json.Marshal(expressions)
	if err != nil {
		b.Fatal(err)
	}
	out, err := exec.Command("/usr/bin/python3", "-c", speedScript, "10000000", string(list)).Output()
	if err != nil {
		b.Skip("no NumPy to compare with: ", err)
	}
	numpy := map[string]float64{}
	if err := json.Unmarshal(out, &numpy); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		for _, row := range rows {
			best := time.Hour
			for range 3 {
				start := time.Now()
				if _, err := row.of(); err != nil {
					b.Fatal(err)
				}
				best = min(best, time.Since(start))
			}
			b.Logf("%-26s %8.4f s, NumPy %8.4f s, ratio %5.2f", row.numpy, best.Seconds(), numpy[row.numpy], best.Seconds()/numpy[row.numpy])
		}
	}
}
