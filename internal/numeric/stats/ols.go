package stats

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/spelling"
)

// Regression is a linear model fitted by least squares.
type Regression struct {
	Coefficients, Errors, T, P []float64 // standard errors, ratios to them, and their probabilities
	Residuals                  []float64
	R2, Sigma                  float64 // share of the variance explained; standard deviation of the residuals
	DF                         int
}

// LeastSquares fits y by the columns of rows, by singular values of the scaled columns.
func LeastSquares(ctx context.Context, rows [][]float64, y []float64) (*Regression, error) {
	a, scale, err := scaled(rows, y)
	if err != nil {
		return nil, err
	}
	u, s, v, err := linop.SVD(ctx, a)
	if err != nil {
		return nil, err
	}
	m, n := a.Dims()
	if !(s[n-1] > 1e-13*s[0]) {
		return nil, fmt.Errorf("the columns depend on each other: their coefficients are not determined")
	}
	out := &Regression{Coefficients: make([]float64, n), Errors: make([]float64, n), T: make([]float64, n), P: make([]float64, n), Residuals: make([]float64, m), DF: m - n}
	for k := range n {
		dot := 0.0
		for i, t := range y {
			dot += u.At(i, k) * t
		}
		for j := range n {
			out.Coefficients[j] += v.At(j, k) * dot / s[k] / scale[j]
		}
	}
	out.exactly(rows, y)
	out.leaves(rows, y)
	for j := range n {
		sum := 0.0
		for k := range n {
			sum = math.Hypot(sum, v.At(j, k)/s[k])
		}
		out.Errors[j] = out.Sigma * sum / scale[j]
		if out.P[j] = 1; out.Coefficients[j] != 0 || out.Errors[j] != 0 {
			r := twoSided(out.Coefficients[j]/out.Errors[j], float64(m-n))
			out.T[j], out.P[j] = r.Statistic, r.P
		}
	}
	return out, nil
}

// scaled is the matrix of the rows with columns of length 1, and the lengths they had.
func scaled(rows [][]float64, y []float64) (*mat.Dense, []float64, error) {
	m := len(y)
	if len(rows) != m || m == 0 {
		return nil, nil, fmt.Errorf("%s for %s: want as many", spelling.Count(len(rows), "row"), spelling.Count(m, "value"))
	}
	n := len(rows[0])
	if m <= n {
		return nil, nil, fmt.Errorf("%s for %s: want more", spelling.Count(m, "value"), spelling.Count(n, "coefficient"))
	}
	scale := make([]float64, n)
	for i, r := range rows {
		for j, v := range append([]float64{y[i]}, r...) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, nil, fmt.Errorf("row %d has %g: want finite numbers", i+1, v)
			}
			if j > 0 {
				scale[j-1] = math.Hypot(scale[j-1], v)
			}
		}
	}
	a := mat.NewDense(m, n, nil)
	for i, r := range rows {
		for j, v := range r {
			if scale[j] > 0 {
				a.Set(i, j, v/scale[j])
			}
		}
	}
	return a, scale, nil
}

// leaves sets what the coefficients leave of y, its standard deviation, and the share of the
// variance that they explain: NaN where y does not vary.
func (out *Regression) leaves(rows [][]float64, y []float64) {
	rss, tss, mean := 0.0, 0.0, 0.0
	for _, t := range y {
		mean += t / float64(len(y))
	}
	for i, r := range rows {
		e := y[i]
		for j, c := range out.Coefficients {
			e -= c * r[j]
		}
		out.Residuals[i] = e
		rss, tss = rss+e*e, tss+(y[i]-mean)*(y[i]-mean)
	}
	out.Sigma, out.R2 = math.Sqrt(rss/float64(out.DF)), 1-rss/tss
	if tss == 0 || same(y) {
		out.R2 = math.NaN()
	}
}

// exactly sets the coefficients of values that are all the same, where one column is, too: those of
// the others are 0, of which rounding would make numbers with significance.
func (r *Regression) exactly(rows [][]float64, y []float64) {
	for j := range rows[0] {
		column := make([]float64, len(rows))
		for i := range rows {
			column[i] = rows[i][j]
		}
		if same(y) && same(column) {
			clear(r.Coefficients)
			r.Coefficients[j] = y[0] / column[0]
			return
		}
	}
}

func same(v []float64) bool {
	return !slices.ContainsFunc(v, func(x float64) bool { return x != v[0] })
}

// KernelDensity is the density of a sample at a point: a normal distribution around each
// value, of the given standard deviation, or of Scott's if that is 0.
func KernelDensity(ctx context.Context, x, at []float64, bandwidth float64) ([]float64, error) {
	if err := check(x); err != nil {
		return nil, err
	}
	if bandwidth == 0 {
		_, v := moments(x)
		bandwidth = math.Sqrt(v) * math.Pow(float64(len(x)), -0.2)
	}
	if !(bandwidth > 0) {
		return nil, fmt.Errorf("all values are the same: give a bandwidth")
	}
	kernel, out := normal(0, bandwidth), make([]float64, len(at))
	for i, t := range at {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for _, v := range x {
			out[i] += kernel.Density(t-v) / float64(len(x))
		}
	}
	return out, nil
}
