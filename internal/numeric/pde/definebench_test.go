package pde_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/pde"
	"github.com/greenbench/workbench/numeric/mesh"
)

// BenchmarkDefine is what a problem on 40,000 points costs before its first solution, and each
// solution by itself and among others.
func BenchmarkDefine(b *testing.B) {
	m := square(200)
	u := pde.Unknown(m, mesh.Mesh{})
	laplace := u.D("x", 2).Neg().Minus(u.D("y", 2))
	sides := map[string]pde.Side{"x-": fixed(0), "x+": fixed(0), "y-": fixed(0), "y+": fixed(0)}
	for _, c := range []struct {
		name     string
		operator *pde.Operator
		order    int
	}{
		{"laplace", laplace, 2},
		{"advection", laplace.Plus(u.D("x", 1).Scale(5), u.D("y", 1).Scale(3)), 2},
		{"helmholtz", laplace.Minus(u.Scale(900)), 2},
		{"laplace of order 4", laplace, 4},
	} {
		d := pde.Definition{Mesh: m, Operator: c.operator, Boundary: sides, Order: c.order}
		var p *pde.Defined
		b.Run(c.name+"/define", func(b *testing.B) {
			for b.Loop() {
				var err error
				if p, err = pde.Define(ctx, d); err != nil {
					b.Fatal(err)
				}
			}
		})
		for name, count := range map[string]int{"solve 1": 1, "solve 96": 96} {
			f := mat.NewDense(count, m.Size(), nil)
			f.Apply(func(i, j int, _ float64) float64 { return math.Sin(float64(i*j + 1)) }, f)
			b.Run(c.name+"/"+name, func(b *testing.B) {
				for b.Loop() {
					if _, err := pde.Solve(ctx, p, f); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
