package simd

import (
	"fmt"
	"math"
	"testing"
)

var allFamilies = []Family{SE, Exponential, Matern32, Matern52}

// ones are scales of 1.
func ones(dim int) []float64 {
	s := make([]float64, dim)
	for k := range s {
		s[k] = 1
	}
	return s
}

func points(t testing.TB, f Family, coordinates []float64, dim int) Points {
	t.Helper()
	p, err := NewPoints(f, coordinates, dim, ones(dim))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// defined is the kernel matrix from Family.Value.
func defined(f Family, p, x []float64, dim int) [][]float64 {
	m := make([][]float64, len(p)/dim)
	for i := range m {
		m[i] = make([]float64, len(x)/dim)
		for j := range m[i] {
			s := 0.0
			for k := range dim {
				d := p[i*dim+k] - x[j*dim+k]
				s += d * d
			}
			m[i][j] = f.Value(math.Sqrt(s))
		}
	}
	return m
}

// eachRadial runs fn for every level, family and number of coordinates, the last beyond the fused loops.
func eachRadial(t *testing.T, fn func(k Kernels, f Family, dim int, label string)) {
	for _, k := range everyLevel(t) {
		for _, f := range allFamilies {
			for dim := 1; dim <= fused+2; dim++ {
				fn(k, f, dim, fmt.Sprintf("%v, %v, %d coordinates", k.Level(), f, dim))
			}
		}
	}
}

// TestMulVec compares with the definition at every length. Values are at most 1, so 1e-14 is relative to Σ|v|.
func TestMulVec(t *testing.T) {
	const longest, rows = 1000, 3
	v := random(9, longest)
	eachRadial(t, func(k Kernels, f Family, dim int, label string) {
		a, b := random(1, rows*dim), random(2, longest*dim)
		m := defined(f, a, b, dim)
		p, x := points(t, f, a, dim), points(t, f, b, dim)
		var want [rows]float64
		size := 0.0
		for n := range longest + 1 {
			m1 := 1 + n%rows // one row, two, three: tails in that direction too
			y := make([]float64, m1, rows+1)
			beyond := y[:rows+1]
			for i := range y {
				y[i] = float64(i)
			}
			k.MulVec(y, p.Slice(0, m1), x.Slice(0, n), v[:n])
			for i := range y {
				if e := math.Abs(y[i] - float64(i) - want[i]); e > 1e-14*(size+3) {
					t.Fatalf("%s, length %d: row %d is off by %.2g", label, n, i, e)
				}
			}
			for _, w := range beyond[m1:] {
				if w != 0 {
					t.Fatalf("%s, %d rows: wrote beyond the end", label, m1)
				}
			}
			if n < longest {
				for i := range want {
					want[i] += m[i][n] * v[n]
				}
				size += math.Abs(v[n])
			}
		}
	})
}

func TestRow(t *testing.T) {
	const longest = 1000
	eachRadial(t, func(k Kernels, f Family, dim int, label string) {
		a, b := random(1, 2*dim), random(2, longest*dim)
		want := defined(f, a, b, dim)[1]
		p, x := points(t, f, a, dim), points(t, f, b, dim)
		buf := make([]float64, longest+9)
		for n := range longest + 1 {
			clear(buf)
			k.Row(buf[:n], p, 1, x.Slice(0, n))
			for j, v := range buf {
				// An exponent e known to e·2⁻⁵³ makes e^−e uncertain by as much, relatively.
				if j < n && math.Abs(v-want[j]) > 2e-15*want[j]*(1-math.Log(want[j])) || j >= n && v != 0 {
					t.Fatalf("%s, length %d: element %d is %g", label, n, j, v)
				}
			}
		}
	})
}

// TestRadialExtremes: coincident points give exactly 1; far ones 0, up to the flushing below 2^−1021; NaN stays.
func TestRadialExtremes(t *testing.T) {
	eachRadial(t, func(k Kernels, f Family, dim int, label string) {
		for value, want := range map[float64]float64{0: 1, 1e-200: 1, 1e-160: 1, 1e5: 0, 1e100: 0, 1e200: 0, math.Inf(1): 0, math.NaN(): math.NaN()} {
			a, b := make([]float64, dim), make([]float64, 11*dim)
			for j := range 11 {
				b[j*dim] = value
			}
			p, x := points(t, f, a, dim), points(t, f, b, dim)
			row, y := make([]float64, 11), make([]float64, 1)
			k.Row(row, p, 0, x)
			k.MulVec(y, p, x, ones(11))
			for _, v := range row {
				if !(math.Abs(v-want) < 1e-300) && !sameBits(v, want) {
					t.Errorf("%s: at distance %g: %g, want %g", label, value, v, want)
				}
			}
			if !(math.Abs(y[0]-11*want) < 1e-300) && !sameBits(y[0], 11*want) {
				t.Errorf("%s: sum at distance %g: %g, want %g", label, value, y[0], 11*want)
			}
		}
	})
}

// TestMulVecLarge crosses the blocks of long products.
func TestMulVecLarge(t *testing.T) {
	const n, rows = 17001, 21
	v := random(5, n)
	for _, k := range everyLevel(t) {
		a, b := random(3, rows*2), random(4, n*2)
		p, x := points(t, Matern52, a, 2), points(t, Matern52, b, 2)
		y, row := make([]float64, rows), make([]float64, n)
		k.MulVec(y, p, x, v)
		for i := range y {
			k.Row(row, p, i, x)
			if want := k.Dot(row, v); math.Abs(y[i]-want) > 1e-14*n {
				t.Errorf("%v: row %d is %g, want %g", k.Level(), i, y[i], want)
			}
		}
	}
}

func TestMulMat(t *testing.T) {
	const rows, n, stride = 200, 530, 9
	for _, k := range everyLevel(t) {
		p, x := points(t, Matern32, random(1, rows*3), 3), points(t, Matern32, random(2, n*3), 3)
		b := random(3, n*stride)
		for _, cols := range []int{0, 1, 2, 7} {
			c := random(4, rows*stride)
			before := append([]float64(nil), c...)
			k.MulMat(c, stride, p, x, b, stride, cols)
			for j := range stride {
				v, y := make([]float64, n), make([]float64, rows)
				for i := range v {
					v[i] = b[i*stride+j]
				}
				if j < cols {
					k.MulVec(y, p, x, v)
				}
				for i := range y {
					if e := c[i*stride+j] - before[i*stride+j] - y[i]; math.Abs(e) > 1e-14*n {
						t.Fatalf("%v, %d columns: element (%d, %d) is off by %.2g", k.Level(), cols, i, j, e)
					}
				}
			}
		}
	}
}

func TestPointsErrors(t *testing.T) {
	for _, c := range []struct {
		f      Family
		n, dim int
		scale  []float64
	}{{SE, 4, 0, nil}, {SE, 4, 2, ones(1)}, {SE, 5, 2, ones(2)}, {Family(9), 4, 2, ones(2)}} {
		if _, err := NewPoints(c.f, make([]float64, c.n), c.dim, c.scale); err == nil {
			t.Errorf("%+v was accepted", c)
		}
	}
}

// TestScale holds NewPoints to its promise with a lengthscale per axis.
func TestScale(t *testing.T) {
	x, _ := NewPoints(Exponential, []float64{0, 0, 3, 8}, 2, []float64{1, 0.5})
	row := make([]float64, 2)
	Best().Row(row, x, 0, x)
	if want := math.Exp(-5); math.Abs(row[1]-want) > 1e-16 { // √(3² + 4²)
		t.Errorf("%g: want %g", row[1], want)
	}
}

func BenchmarkMulVec(b *testing.B) {
	const n = 4096
	v, y := random(1, n), make([]float64, 512)
	for _, f := range allFamilies {
		for dim := 1; dim <= fused+1; dim++ {
			for _, k := range everyLevel(b) {
				x := points(b, f, random(2, n*dim), dim)
				p := x.Slice(0, len(y))
				b.Run(fmt.Sprintf("%v/%d/%v", f, dim, k.Level()), func(b *testing.B) {
					for range b.N {
						k.MulVec(y, p, x, v)
					}
					b.ReportMetric(float64(b.N)*float64(n*len(y))/1e6/b.Elapsed().Seconds(), "Mpairs/s")
				})
			}
		}
	}
}

func BenchmarkMulMat(b *testing.B) {
	const n, rows = 4096, 512
	for _, cols := range []int{1, 4, 24, 96} {
		m, c := random(1, n*cols), make([]float64, rows*cols)
		for _, k := range everyLevel(b) {
			x := points(b, Matern52, random(2, n*2), 2)
			p := x.Slice(0, rows)
			b.Run(fmt.Sprintf("%d/%v", cols, k.Level()), func(b *testing.B) {
				for range b.N {
					k.MulMat(c, cols, p, x, m, cols, cols)
				}
				b.ReportMetric(float64(b.N)*n*rows/1e6/b.Elapsed().Seconds(), "Mpairs/s")
			})
		}
	}
}

func BenchmarkRow(b *testing.B) {
	const n = 4096
	row := make([]float64, n)
	for _, f := range allFamilies {
		for _, k := range everyLevel(b) {
			x := points(b, f, random(2, n*2), 2)
			b.Run(fmt.Sprintf("%v/%v", f, k.Level()), func(b *testing.B) {
				for range b.N {
					k.Row(row, x, 7, x)
				}
				b.ReportMetric(float64(b.N)*n/1e6/b.Elapsed().Seconds(), "Mpairs/s")
			})
		}
	}
}
