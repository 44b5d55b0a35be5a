package prepare

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/internal/numeric/spelling"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
)

// MostOrder is the highest order of a trend.
const MostOrder = 10

// Trend is what [Detrend] takes out.
type Trend struct {
	Order  int  // of the polynomial: 0 the mean, 1 a straight line; in several coordinates the total degree
	Inputs bool // from the inputs
	Output bool // from the outputs
}

// Detrend returns the samples without trends: from each function its own polynomial of least
// squares over the values that were observed, each counting the same, is taken away. Outputs
// that are missing stay so. A function with no more values than the polynomial has
// coefficients is refused, for nothing would be left of it.
func Detrend(ctx context.Context, t *dataset.Table, trend Trend) (*dataset.Table, error) {
	if trend.Order < 0 || trend.Order > MostOrder {
		return nil, fmt.Errorf("order %d: must be 0 to %d", trend.Order, MostOrder)
	}
	out := *t
	if trend.Inputs {
		out.Fields = slices.Clone(t.Fields)
		for k := range out.Fields {
			if err := detrend(ctx, input, &out.Fields[k], trend.Order); err != nil {
				return nil, err
			}
		}
	}
	if trend.Output {
		out.Outputs = slices.Clone(t.Outputs)
		for k := range out.Outputs {
			if err := detrend(ctx, output, &out.Outputs[k], trend.Order); err != nil {
				return nil, err
			}
		}
	}
	return &out, nil
}

func detrend(ctx context.Context, side string, f *dataset.Field, order int) error {
	columns := polynomials(f.Mesh, order)
	m := f.Mesh.Size()
	values := array.New(f.Values.Shape...)
	copy(values.Data, f.Values.Data)
	var whole [][]float64 // the basis where nothing is missing
	for i := range values.Shape[0] {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		v := values.Data[i*m : (i+1)*m]
		var seen []int
		for k, x := range v {
			if !math.IsNaN(x) {
				seen = append(seen, k)
			}
		}
		if len(seen) == 0 {
			continue
		}
		basis := whole
		if len(seen) < m || basis == nil {
			basis = orthonormal(columns, seen)
		}
		if len(seen) == m {
			whole = basis
		}
		if len(basis) >= len(seen) {
			return fmt.Errorf("%s %d has %s, and a trend of order %d has %s: nothing would be left; take a lower order, or leave it out",
				title(side, f.Name), i+1, spelling.Count(len(seen), "value"), order, spelling.Count(len(basis), "coefficient"))
		}
		takeAway(v, basis, seen)
	}
	f.Values = values
	return nil
}

// takeAway takes the part along the basis from the values that were seen.
func takeAway(v []float64, basis [][]float64, seen []int) {
	part := make([]float64, len(seen))
	for j, k := range seen {
		part[j] = v[k]
	}
	for range 2 { // the second time what rounding has left of a large offset
		for _, q := range basis {
			floats.AddScaled(part, -floats.Dot(q, part), q)
		}
	}
	for j, k := range seen {
		v[k] = part[j]
	}
}

// polynomials are products of Legendre polynomials in the coordinates, which the box of the
// mesh takes to [-1, 1], up to a total degree: each as its values at the points.
func polynomials(m mesh.Mesh, order int) (columns [][]float64) {
	coordinates := m.Columns()
	ones := make([]float64, m.Size())
	for i := range ones {
		ones[i] = 1
	}
	columns, degrees := [][]float64{ones}, []int{0}
	for _, x := range coordinates {
		powers := legendre(x, order)
		for k, n := range slices.Clone(degrees) {
			for d := 1; n+d <= order && d < len(powers); d++ {
				product := slices.Clone(columns[k])
				floats.Mul(product, powers[d])
				columns, degrees = append(columns, product), append(degrees, n+d)
			}
		}
	}
	return columns
}

// legendre are the polynomials of degrees 0 to order at points x, whose interval is [-1, 1];
// of one point, only that of degree 0.
func legendre(x []float64, order int) [][]float64 {
	low, high := slices.Min(x), slices.Max(x)
	p := [][]float64{make([]float64, len(x)), make([]float64, len(x))}
	for i, v := range x {
		p[0][i] = 1
		p[1][i] = ((v - low) - (high - v)) / (high - low)
	}
	if !(low < high) {
		return p[:1]
	}
	for n := 1; n < order; n++ {
		next := make([]float64, len(x))
		for i := range next {
			next[i] = (float64(2*n+1)*p[1][i]*p[n][i] - float64(n)*p[n-1][i]) / float64(n+1)
		}
		p = append(p, next)
	}
	return p[:order+1]
}

// orthonormal is a basis of the columns on some of the points, without those columns that
// the others make up there.
func orthonormal(columns [][]float64, at []int) (basis [][]float64) {
	for _, c := range columns {
		q := make([]float64, len(at))
		for j, k := range at {
			q[j] = c[k]
		}
		size := floats.Norm(q, 2)
		for range 2 {
			for _, b := range basis {
				floats.AddScaled(q, -floats.Dot(b, q), b)
			}
		}
		left := floats.Norm(q, 2)
		if left <= 1e-10*size {
			continue
		}
		floats.Scale(1/left, q)
		basis = append(basis, q)
	}
	return basis
}
