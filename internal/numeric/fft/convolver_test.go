package fft

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"
)

// sums computes y[i] = Σ_j c[(i−j) mod N] x[j] term by term.
func sums(c, x []float64, shape, in, out []int) []float64 {
	y := make([]float64, product(out))
	indices(out, func(to int, i []int) {
		i = append([]int(nil), i...)
		indices(in, func(from int, j []int) {
			lag := 0
			for a, n := range shape {
				lag = lag*n + (i[a]-j[a]+n)%n
			}
			y[to] += c[lag] * x[from]
		})
	})
	return y
}

// evenSymbol is a symbol with c[−k] == c[k], componentwise.
func evenSymbol(seed uint64, shape []int) []float64 {
	c := random(seed, product(shape))
	indices(shape, func(at int, k []int) {
		mirror := 0
		for a, n := range shape {
			mirror = mirror*n + (n-k[a])%n
		}
		c[max(at, mirror)] = c[min(at, mirror)]
	})
	return c
}

var convolutions = []struct{ shape, in, out []int }{
	{[]int{1}, []int{1}, []int{1}},
	{[]int{2}, []int{1}, []int{1}},
	{[]int{8}, []int{4}, []int{4}},
	{[]int{8}, []int{8}, []int{8}}, // circulant
	{[]int{9}, []int{5}, []int{4}},
	{[]int{50}, []int{20}, []int{31}},
	{[]int{200}, []int{100}, []int{100}},
	{[]int{1, 8}, []int{1, 4}, []int{1, 4}},
	{[]int{8, 1}, []int{4, 1}, []int{4, 1}},
	{[]int{2, 2}, []int{1, 1}, []int{1, 1}},
	{[]int{12, 10}, []int{6, 5}, []int{6, 5}},
	{[]int{40, 54}, []int{20, 27}, []int{20, 27}},
	{[]int{16, 18}, []int{6, 11}, []int{9, 7}},
	{[]int{10, 16}, []int{10, 8}, []int{10, 8}}, // circulant along the first axis
	{[]int{1, 1, 4}, []int{1, 1, 2}, []int{1, 1, 2}},
	{[]int{4, 1, 6}, []int{2, 1, 3}, []int{2, 1, 3}},
	{[]int{10, 8, 12}, []int{5, 4, 6}, []int{5, 4, 6}},
	{[]int{8, 10, 12}, []int{3, 6, 4}, []int{5, 2, 7}},
	{[]int{4, 6, 5, 8}, []int{2, 3, 3, 4}, []int{2, 3, 3, 4}},
	{[]int{4, 6, 1, 8}, []int{2, 4, 1, 3}, []int{3, 2, 1, 4}},
}

func TestConvolverAgainstSums(t *testing.T) {
	for _, c := range convolutions {
		for name, symbol := range map[string][]float64{
			"general": random(11, product(c.shape)), "even": evenSymbol(12, c.shape),
		} {
			// Two arrays at once, so that batches are exercised.
			x := random(13, 2*product(c.in))
			want := sums(symbol, x[:product(c.in)], c.shape, c.in, c.out)
			want = append(want, sums(symbol, x[product(c.in):], c.shape, c.in, c.out)...)
			for _, k := range levels(t) {
				plan, err := newConvolver(context.Background(), k, c.shape, c.in, c.out, symbol)
				if err != nil {
					t.Fatal(err)
				}
				if name == "even" && !plan.Even() {
					t.Errorf("%+v: the symbol was not seen to be even", c)
				}
				y := make([]float64, len(want))
				plan.Apply(y, x)
				if e := difference(y, want); e > tolerance {
					t.Errorf("%v, %+v, %s: Apply is off by %.2g", k.Level(), c, name, e)
				}
				plan.engine.workers = 2
				parallel := make([]float64, len(want))
				plan.Apply(parallel, x)
				if difference(parallel, y) != 0 {
					t.Errorf("%v, %+v, %s: two workers gave other bits than one", k.Level(), c, name)
				}
			}
		}
	}
}

// TestEvenAgainstSums: symbols that are even along every axis, given by their lags, against sums term by term, and with
// their transpose and any number of workers.
func TestEvenAgainstSums(t *testing.T) {
	for _, c := range []struct{ shape, size, reach []int }{
		{[]int{1, 1}, []int{1, 1}, []int{1, 1}},
		{[]int{2, 2}, []int{1, 1}, []int{1, 1}},
		{[]int{8, 1}, []int{4, 1}, []int{4, 1}},
		{[]int{9, 5}, []int{5, 3}, []int{5, 3}},
		{[]int{12, 10}, []int{6, 5}, []int{6, 5}},
		{[]int{40, 54}, []int{20, 27}, []int{20, 27}},
		{[]int{600, 12}, []int{300, 6}, []int{300, 6}},
		{[]int{12, 600}, []int{6, 300}, []int{6, 300}},
		{[]int{4, 1, 6}, []int{2, 1, 3}, []int{2, 1, 3}},
		{[]int{10, 8, 12}, []int{5, 4, 6}, []int{5, 4, 6}},
		{[]int{16, 9, 20}, []int{3, 5, 10}, []int{3, 5, 10}},
		{[]int{4, 6, 5, 8}, []int{2, 3, 3, 4}, []int{2, 3, 3, 4}},
		{[]int{18, 6, 1, 8}, []int{9, 3, 1, 4}, []int{9, 3, 1, 4}},
		{[]int{4, 6, 5, 4, 6}, []int{2, 3, 3, 2, 3}, []int{2, 3, 3, 2, 3}},
		{[]int{2, 4, 1, 6, 3, 4}, []int{1, 2, 1, 3, 2, 2}, []int{1, 2, 1, 3, 2, 2}},
		{[]int{8, 5}, []int{6, 5}, []int{3, 1}},
		{[]int{18, 8, 12}, []int{12, 4, 9}, []int{7, 4, 2}},
		{[]int{5, 6, 4, 9}, []int{3, 5, 2, 6}, []int{3, 2, 2, 4}},
	} {
		lags := random(31, product(c.reach))
		whole := make([]float64, product(c.shape))
		indices(c.shape, func(at int, k []int) {
			from := 0
			for a, n := range c.shape {
				l := min(k[a], n-k[a])
				if l >= c.reach[a] {
					return
				}
				from = from*c.reach[a] + l
			}
			whole[at] = lags[from]
		})
		x := random(32, 2*product(c.size))
		half := len(x) / 2
		want := append(sums(whole, x[:half], c.shape, c.size, c.size), sums(whole, x[half:], c.shape, c.size, c.size)...)
		for _, k := range levels(t) {
			plan, err := newEvenConvolver(context.Background(), k, c.shape, c.size, c.reach, lags)
			if err != nil {
				t.Fatal(err)
			}
			if !plan.Even() || len(plan.folded.values) != EvenSymbolSize(c.shape) {
				t.Errorf("%+v: even %v, a symbol of %d", c, plan.Even(), len(plan.folded.values))
			}
			y, again := make([]float64, len(x)), make([]float64, len(x))
			plan.Apply(y, x)
			if e := difference(y, want); e > tolerance {
				t.Errorf("%v, %+v: Apply is off by %.2g", k.Level(), c, e)
			}
			for _, plan.engine.workers = range []int{2, 7} {
				if plan.Apply(again, x); difference(again, y) != 0 {
					t.Errorf("%v, %+v: %d workers gave other bits than one", k.Level(), c, plan.engine.workers)
				}
			}
			if plan.ApplyTransposed(x, x); difference(x, y) != 0 {
				t.Errorf("%v, %+v: the transpose in place is another product", k.Level(), c)
			}
			x = random(32, len(x))
		}
	}
}

// TestEvenRefusals names what does not fit.
func TestEvenRefusals(t *testing.T) {
	for _, c := range []struct {
		shape, size, reach []int
		lags               int
	}{
		{[]int{8}, []int{4}, []int{4}, 4},
		{[]int{8, 6}, []int{4, 4}, []int{4, 4}, 16},
		{[]int{8, 6}, []int{4, 4}, []int{4, 3}, 16},
		{[]int{8, 8}, []int{4, 4}, []int{4, 4}, 15},
		{[]int{8, 8}, []int{4}, []int{4}, 4},
		{[]int{8, 8}, []int{4, 4}, []int{4}, 4},
		{[]int{8, 8}, []int{4, 4}, []int{4, 5}, 20},
		{[]int{8, 8}, []int{4, 4}, []int{4, 0}, 0},
	} {
		if _, err := NewEvenConvolver(context.Background(), c.shape, c.size, c.reach, make([]float64, c.lags)); err == nil {
			t.Errorf("%+v was taken", c)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := NewEvenConvolver(ctx, []int{8, 8}, []int{4, 4}, []int{4, 4}, make([]float64, 16)); !errors.Is(err, context.Canceled) {
		t.Errorf("ended: %v", err)
	}
}

// TestTransposed uses <C x, y> = <x, Cᵀ y>.
func TestTransposed(t *testing.T) {
	for _, c := range convolutions {
		plan, _ := NewConvolver(context.Background(), c.shape, c.in, c.out, random(17, product(c.shape)))
		x, y := random(18, plan.In()), random(19, plan.Out())
		cx, cty := make([]float64, len(y)), make([]float64, len(x))
		plan.Apply(cx, x)
		plan.ApplyTransposed(cty, y)
		a, b, scale := 0.0, 0.0, 0.0
		for i := range y {
			a += cx[i] * y[i]
			scale += math.Abs(cx[i] * y[i])
		}
		for i := range x {
			b += x[i] * cty[i]
		}
		if math.Abs(a-b) > tolerance*scale {
			t.Errorf("%+v: <Cx,y> = %g, <x,Cᵀy> = %g", c, a, b)
		}
	}
}

func TestApplyInPlace(t *testing.T) {
	for _, c := range convolutions {
		plan, _ := NewConvolver(context.Background(), c.shape, c.in, c.in, random(21, product(c.shape)))
		x := random(22, 3*plan.In())
		y := make([]float64, len(x))
		plan.Apply(y, x)
		plan.Apply(x, x)
		if difference(x, y) != 0 {
			t.Errorf("%+v: in place gives another result", c)
		}
	}
}

// TestManyRightHandSides crosses the block size of one-axis products.
func TestManyRightHandSides(t *testing.T) {
	const m, count = 30, 203
	symbol := random(1, 60)
	plan, _ := NewConvolver(context.Background(), []int{60}, []int{m}, []int{m}, symbol)
	x, y, one := random(2, m*count), make([]float64, m*count), make([]float64, m)
	plan.engine.workers = 2
	plan.Apply(y, x)
	for i := range count {
		plan.Apply(one, x[i*m:(i+1)*m])
		if e := difference(y[i*m:(i+1)*m], one); e > tolerance {
			t.Fatalf("array %d of a batch is off by %.2g", i, e)
		}
	}
}

func BenchmarkConvolver(b *testing.B) {
	for _, in := range [][]int{{100}, {1000}, {100, 100}, {50, 50, 197}, {197, 50, 50}} {
		b.Run(fmt.Sprint(in), func(b *testing.B) {
			shape := make([]int, len(in))
			for i, m := range in {
				shape[i] = Good(2*m - 1)
			}
			plan, _ := NewConvolver(context.Background(), shape, in, in, evenSymbol(1, shape))
			x := random(2, plan.In())
			y := make([]float64, len(x))
			b.ResetTimer()
			for range b.N {
				plan.Apply(y, x)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(product(shape)), "ns/padded-point")
		})
	}
}
