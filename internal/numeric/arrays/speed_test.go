//go:build unix

package arrays

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
)

// speedScript answers every expression that it reads with the seconds it takes.
const speedScript = `
import collections, sys, time
import numpy as np
np.seterr(all="ignore")
n = int(sys.argv[1])
rng = np.random.default_rng(1)
a, b = rng.normal(size=n), rng.normal(size=n)
M = a.reshape(1000, -1)
v, s = b[:M.shape[1]].copy(), np.sort(a)
p = np.abs(a)
m, w = a > 0, b > 0
at = rng.integers(0, n, n)
k = rng.integers(0, 1000, n)
x = k.astype(float)
z = a + 1j * b
kept = collections.deque(maxlen=4)
for e in sys.stdin:
    start, work = time.perf_counter(), time.process_time()
    kept.append(eval(e))
    print(time.perf_counter() - start, time.process_time() - work, flush=True)
`

var timed = flag.String("timed", "", "a regular expression: BenchmarkNumPy times only the operations that it matches")

// BenchmarkNumPy times operations on 10^7 numbers here and in NumPy, by turns, and
// logs a table of the least seconds, and the ratios of these and of the medians. Both keep some
// results for a while, as their memory would else still be in the processor's caches:
//
//	go test ./internal/numeric/arrays -run '^$' -bench NumPy -benchtime 1x -v -timed 'sin|cos'
func BenchmarkNumPy(b *testing.B) {
	testmain.CollectAsUsually(b)
	const n = 10_000_000
	r := rand.New(rand.NewPCG(1, 1))
	normal := func(n int) *array.Array {
		a, err := unset(n)
		if err != nil {
			b.Fatal(err)
		}
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
	tall, err := x.Reshape(-1, 10)
	if err != nil {
		b.Fatal(err)
	}
	row := array.Vector(y.Data[:n/1000])
	sorted, err := Sort(ctx(), x, 0, false)
	if err != nil {
		b.Fatal(err)
	}
	mask, err := Compare(ctx(), "gt", x, array.Scalar(0))
	if err != nil {
		b.Fatal(err)
	}
	other, err := Compare(ctx(), "gt", y, array.Scalar(0))
	if err != nil {
		b.Fatal(err)
	}
	positive, err := MapAll(ctx(), x, math.Abs)
	if err != nil {
		b.Fatal(err)
	}
	at, small := make([]int, n), array.New(n)
	for i := range at {
		at[i], small.Data[i] = r.IntN(n), float64(r.IntN(1000))
	}
	z, err := Cartesian(ctx(), x, y)
	if err != nil {
		b.Fatal(err)
	}
	reduce := func(a *array.Array, op string, p float64, axis int) func() (*array.Array, error) {
		return func() (*array.Array, error) { return Reduce(ctx(), a, op, p, axis, false) }
	}
	discard := func(_ any, err error) (*array.Array, error) { return nil, err }
	rows := []struct {
		numpy string
		of    func() (*array.Array, error)
	}{
		{"a + b", func() (*array.Array, error) { return Add(ctx(), x, y) }},
		{"a * 2", func() (*array.Array, error) { return Mul(ctx(), x, array.Scalar(2)) }},
		{"a / b", func() (*array.Array, error) { return Div(ctx(), x, y) }},
		{"M + v", func() (*array.Array, error) { return Add(ctx(), matrix, row) }},
		{"M * v[:1000, None]", func() (*array.Array, error) {
			column, err := array.Of(y.Data[:1000], 1000, 1)
			if err != nil {
				return nil, err
			}
			return Mul(ctx(), matrix, column)
		}},
		{"a > b", func() (*array.Array, error) { return discard(Compare(ctx(), "gt", x, y)) }},
		{"a[m]", func() (*array.Array, error) { return Masked(ctx(), x, mask) }},
		{"np.where(m, a, b)", func() (*array.Array, error) { return Where(ctx(), mask, x, y) }},
		{"a[at]", func() (*array.Array, error) { return Picked(ctx(), x, Pick{At: at}) }},
		{"a[::-1].copy()", func() (*array.Array, error) { return Picked(ctx(), x, Pick{From: n - 1, Count: n, Step: -1}) }},
		{"np.count_nonzero(m)", func() (*array.Array, error) { _, err := mask.count(ctx()); return nil, err }},
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
		{"np.cumsum(a)", func() (*array.Array, error) { return Running(ctx(), x, false, 0) }},
		{"np.diff(a)", func() (*array.Array, error) { return Diff(ctx(), x, 1, 0) }},
		{"np.clip(a, -1, 1)", func() (*array.Array, error) { return Clip(ctx(), x, array.Scalar(-1), array.Scalar(1)) }},
		{"np.round(a, 2)", func() (*array.Array, error) { return Round(ctx(), x, 2) }},
		{"np.sort(a)", func() (*array.Array, error) { return Sort(ctx(), x, 0, false) }},
		{"np.argsort(a)", func() (*array.Array, error) { return ArgSort(ctx(), x, 0, 0, false) }},
		{"np.sort(M, axis=0)", func() (*array.Array, error) { return Sort(ctx(), matrix, 0, false) }},
		{"np.unique(k)", func() (*array.Array, error) { _, _, _, _, err := Unique(ctx(), small, 0); return nil, err }},
		{"np.searchsorted(s, v)", func() (*array.Array, error) { return SearchSorted(ctx(), sorted, row, false, 0) }},
		{"np.concatenate([a, b])", func() (*array.Array, error) { return Join(ctx(), []*array.Array{x, y}, 0, false) }},
		{"np.stack([a, b], axis=1)", func() (*array.Array, error) { return Join(ctx(), []*array.Array{x, y}, 1, true) }},
		{"M.T.copy()", func() (*array.Array, error) { return Transpose(ctx(), matrix) }},
		{"np.roll(a, 5)", func() (*array.Array, error) { return Roll(ctx(), x, 5, 0) }},
		{"np.tile(v, 1000)", func() (*array.Array, error) { return Tile(ctx(), row, 1000) }},
		{"np.outer(v, v[:1000])", func() (*array.Array, error) { return Outer(ctx(), row, array.Vector(row.Data[:1000])) }},
		{"np.histogram(a, 100)", func() (*array.Array, error) {
			edges, err := Bins(ctx(), x, 100, -6, 6)
			if err != nil {
				return nil, err
			}
			return Histogram(ctx(), x, edges.Data, nil)
		}},
		{"np.bincount(k)", func() (*array.Array, error) { return BinCount(ctx(), small, nil, 0) }},
		{"z * z", func() (*array.Array, error) { return discard(Combine(ctx(), '*', z, z)) }},
		{"np.abs(z)", func() (*array.Array, error) { return z.Abs(ctx()) }},
		{"a - b", func() (*array.Array, error) { return Sub(ctx(), x, y) }},
		{"a ** 2", func() (*array.Array, error) { return Pow(ctx(), x, array.Scalar(2)) }},
		{"p ** 1.5", func() (*array.Array, error) { return Pow(ctx(), positive, array.Scalar(1.5)) }},
		{"p ** 1.7", func() (*array.Array, error) { return Pow(ctx(), positive, array.Scalar(1.7)) }},
		{"np.sin(a)", func() (*array.Array, error) { return Function(ctx(), x, "sin") }},
		{"np.exp(a)", func() (*array.Array, error) { return Function(ctx(), x, "exp") }},
		{"np.log(a)", func() (*array.Array, error) { return Function(ctx(), x, "log") }},
		{"np.sqrt(a)", func() (*array.Array, error) { return Function(ctx(), x, "sqrt") }},
		{"np.cos(a)", func() (*array.Array, error) { return Function(ctx(), x, "cos") }},
		{"np.tan(a)", func() (*array.Array, error) { return Function(ctx(), x, "tan") }},
		{"np.arcsin(a)", func() (*array.Array, error) { return Function(ctx(), x, "asin") }},
		{"np.arccos(a)", func() (*array.Array, error) { return Function(ctx(), x, "acos") }},
		{"np.arctan(a)", func() (*array.Array, error) { return Function(ctx(), x, "atan") }},
		{"np.sinh(a)", func() (*array.Array, error) { return Function(ctx(), x, "sinh") }},
		{"np.cosh(a)", func() (*array.Array, error) { return Function(ctx(), x, "cosh") }},
		{"np.log10(p)", func() (*array.Array, error) { return Function(ctx(), positive, "log10") }},
		{"np.abs(a)", func() (*array.Array, error) { return Function(ctx(), x, "abs") }},
		{"np.floor(a)", func() (*array.Array, error) { return Function(ctx(), x, "floor") }},
		{"a ** 3", func() (*array.Array, error) { return Pow(ctx(), x, array.Scalar(3)) }},
		{"np.tanh(a)", func() (*array.Array, error) { return Function(ctx(), x, "tanh") }},
		{"a > 0", func() (*array.Array, error) { return discard(Compare(ctx(), "gt", x, array.Scalar(0))) }},
		{"a <= b", func() (*array.Array, error) { return discard(Compare(ctx(), "le", x, y)) }},
		{"a == b", func() (*array.Array, error) { return discard(Compare(ctx(), "eq", x, y)) }},
		{"a != 0", func() (*array.Array, error) { return discard(NonZero(ctx(), x)) }},
		{"m & w", func() (*array.Array, error) { return discard(Logic(ctx(), "and", mask, other)) }},
		{"~m", func() (*array.Array, error) { return discard(mask.Not(ctx())) }},
		{"np.nonzero(m)", func() (*array.Array, error) { return discard(mask.Find(ctx(), 0)) }},
		{"m.reshape(1000, -1).sum(axis=0)", func() (*array.Array, error) {
			_, _, err := (&Mask{matrix.Shape, mask.Data}).Counts(ctx(), 0, false)
			return nil, err
		}},
		{"a.copy()", func() (*array.Array, error) { return Picked(ctx(), x) }},
		{"M[:, ::2].copy()", func() (*array.Array, error) {
			return Picked(ctx(), matrix, Pick{Count: 1000, Step: 1}, Pick{Count: n / 2000, Step: 2})
		}},
		{"np.flip(M, 0).copy()", func() (*array.Array, error) { return Picked(ctx(), matrix, Pick{From: 999, Count: 1000, Step: -1}) }},
		{"M.max(axis=0)", reduce(matrix, "max", 0, 0)},
		{"M.max(axis=1)", reduce(matrix, "max", 0, 1)},
		{"M.prod(axis=0)", reduce(matrix, "prod", 0, 0)},
		{"M.prod(axis=1)", reduce(matrix, "prod", 0, 1)},
		{"M.var(axis=1)", reduce(matrix, "var", 0, 1)},
		{"M.argmax(axis=0)", reduce(matrix, "argmax", 0, 0)},
		{"M.argmax(axis=1)", reduce(matrix, "argmax", 0, 1)},
		{"np.median(M, axis=0)", reduce(matrix, "median", 0, 0)},
		{"np.median(M, axis=1)", reduce(matrix, "median", 0, 1)},
		{"np.quantile(a, 0.3)", reduce(x, "quantile", 0.3, All)},
		{"np.cumprod(a)", func() (*array.Array, error) { return Running(ctx(), x, true, 0) }},
		{"np.cumsum(M, axis=0)", func() (*array.Array, error) { return Running(ctx(), matrix, false, 0) }},
		{"np.cumsum(M, axis=1)", func() (*array.Array, error) { return Running(ctx(), matrix, false, 1) }},
		{"np.diff(M, axis=0)", func() (*array.Array, error) { return Diff(ctx(), matrix, 1, 0) }},
		{"np.round(a)", func() (*array.Array, error) { return Round(ctx(), x, 0) }},
		{"np.sort(M, axis=1)", func() (*array.Array, error) { return Sort(ctx(), matrix, 1, false) }},
		{"np.unique(a, return_inverse=True, return_counts=True)", func() (*array.Array, error) { _, _, _, _, err := Unique(ctx(), x, 0); return nil, err }},
		{"np.searchsorted(s, a[:1000000])", func() (*array.Array, error) {
			return SearchSorted(ctx(), sorted, array.Vector(x.Data[:n/10]), false, 0)
		}},
		{"np.linspace(0, 1, n)", func() (*array.Array, error) { return LinSpace(ctx(), 0, 1, n) }},
		{"np.full(n, 2.0)", func() (*array.Array, error) { return Full(ctx(), 2, n) }},
		{"np.bincount(k, weights=a)", func() (*array.Array, error) { return BinCount(ctx(), small, x, 0) }},
		{"np.bincount(x.astype(int))", func() (*array.Array, error) { return BinCount(ctx(), small, nil, 0) }},
		{"np.dot(a, b)", func() (*array.Array, error) { return Dot(ctx(), x, y) }},
		{"M @ v", func() (*array.Array, error) { return Dot(ctx(), matrix, row) }},
		{"v[:1000] @ M", func() (*array.Array, error) { return Dot(ctx(), array.Vector(row.Data[:1000]), matrix) }},
		{"M.reshape(-1, 10) @ v[:10]", func() (*array.Array, error) { return Dot(ctx(), tall, array.Vector(row.Data[:10])) }},
		{"a[:n // 10] @ M.reshape(-1, 10)", func() (*array.Array, error) { return Dot(ctx(), array.Vector(x.Data[:n/10]), tall) }},
		{"a.__iadd__(b)", func() (*array.Array, error) { return x, Update(ctx(), x, '+', y) }},
	}
	python := exec.Command("/usr/bin/python3", "-c", speedScript, strconv.Itoa(n))
	ask, err := python.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	answer, err := python.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := python.Start(); err != nil {
		b.Skip("no NumPy to compare with: ", err)
	}
	defer func() {
		ask.Close()
		_ = python.Wait()
	}()
	for b.Loop() {
		for _, row := range rows {
			if !regexp.MustCompile(*timed).MatchString(row.numpy) {
				continue
			}
			var ours, numpy, work, numpyWork []float64
			for turns := 5; len(ours) < turns; {
				start, before := time.Now(), processorTime()
				if _, err := row.of(); err != nil {
					b.Fatal(err)
				}
				ours, work = append(ours, time.Since(start).Seconds()), append(work, processorTime()-before)
				fmt.Fprintln(ask, row.numpy)
				var took, worked float64
				if _, err := fmt.Fscan(answer, &took, &worked); err != nil {
					b.Fatal(row.numpy, err)
				}
				numpy, numpyWork = append(numpy, took), append(numpyWork, worked)
				if took < 0.02 {
					turns = 31
				}
			}
			for _, times := range [][]float64{ours, numpy, work, numpyWork} {
				slices.Sort(times)
			}
			least := func(a, b []float64) float64 { return a[0] / b[0] }
			middle := func(a, b []float64) float64 { return a[len(a)/2] / b[len(b)/2] }
			b.Logf("%-26s %8.4f s, NumPy %8.4f s, ratio %5.2f, of medians %5.2f; of processor time %5.2f, %5.2f", row.numpy, ours[0], numpy[0],
				least(ours, numpy), middle(ours, numpy), least(work, numpyWork), middle(work, numpyWork))
		}
	}
}

// processorTime is what this process has had of all processors, in seconds.
func processorTime() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
