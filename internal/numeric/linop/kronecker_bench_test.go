package linop_test

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/randfield"
)

// BenchmarkKroneckerSum is a product with the kernel of a tensor mesh, which the
// time of a fit on such a mesh goes into: seconds and multiplications a second.
func BenchmarkKroneckerSum(b *testing.B) {
	for _, size := range []struct{ n, terms int }{{100, 5}, {100, 15}, {300, 15}} {
		b.Run(fmt.Sprintf("n=%d/terms=%d", size.n, size.terms), func(b *testing.B) {
			values, err := randfield.Normal(1, 2*size.terms+1, size.n*size.n)
			if err != nil {
				b.Fatal(err)
			}
			var left, right []*mat.Dense
			part := func(i int) []float64 { return values.Data[i*size.n*size.n:][:size.n*size.n] }
			for q := range size.terms {
				left, right = append(left, mat.NewDense(size.n, size.n, part(2*q))), append(right, mat.NewDense(size.n, size.n, part(2*q+1)))
			}
			s, err := linop.NewKroneckerSum(left, right)
			if err != nil {
				b.Fatal(err)
			}
			dst := make([]float64, size.n*size.n)
			for b.Loop() {
				s.Apply(b.Context(), dst, part(2*size.terms))
			}
			flops := 4 * float64(size.terms) * float64(size.n*size.n*size.n)
			b.ReportMetric(flops*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "GFLOP/s")
		})
	}
}
