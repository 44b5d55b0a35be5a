package adam

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// normRows is how many rows the norm of a kernel is estimated from.
const normRows = 2000

// norms are √N / ‖K diag(q)‖ for each weight of G, and the same with Q for those of β.
func norms(ctx context.Context, o *fit.Objective) ([]float64, error) {
	green, bias := o.Sizes()
	k, on, x, y := o.GreenKernel()
	joint, err := product(on.Names, x, y)
	if err != nil {
		return nil, err
	}
	size, err := relativeRate(ctx, k, on, joint)
	if err != nil {
		return nil, err
	}
	n := make([]float64, green, green+bias)
	floats.AddConst(size, n)
	if bias == 0 {
		return n, nil
	}
	q, y := o.BiasKernel()
	if size, err = relativeRate(ctx, q, kernel.Space{Names: y.Names()}, y); err != nil {
		return nil, err
	}
	for range bias {
		n = append(n, size)
	}
	return n, nil
}

// product is x × y under the names of its coordinates.
func product(names []string, x, y mesh.Mesh) (mesh.Mesh, error) {
	x, err := x.Rename(names[:x.Dim()]...)
	if err != nil {
		return x, err
	}
	if y, err = y.Rename(names[x.Dim():]...); err != nil {
		return y, err
	}
	return mesh.Product(x, y)
}

// relativeRate is √N / ‖K diag(q)‖, the Frobenius norm, on the N points of a mesh with
// weights q: exact up to normRows points, from as many rows drawn at random beyond.
func relativeRate(ctx context.Context, k kernel.Kernel, on kernel.Space, m mesh.Mesh) (float64, error) {
	f, err := kernels.Compile(k, on)
	if err != nil {
		return 0, err
	}
	n, q, columns := m.Size(), m.Weights(), m.Columns()
	rows := rand.New(rand.NewPCG(1, 1)).Perm(n)
	rows = rows[:min(n, normRows)]
	squares := make([]float64, len(rows))
	err = kernels.Rows(ctx, len(rows), f.Time(n), func(i int) {
		p, row := make([]float64, m.Dim()), make([]float64, n)
		m.Point(p, rows[i])
		f.Row(row, p, columns)
		for j, v := range row {
			squares[i] += v * v * q[j] * q[j]
		}
	})
	if err != nil {
		return 0, fmt.Errorf("adam stopped: %w", err)
	}
	sum := floats.Sum(squares) * float64(n) / float64(len(rows))
	return math.Sqrt(float64(n) / max(sum, math.SmallestNonzeroFloat64)), nil
}
