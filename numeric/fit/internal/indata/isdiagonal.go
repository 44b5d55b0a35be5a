package indata

import (
	"context"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/numeric/internal/linop"
)

const systemTolerance = 1e-9 // of what the system makes of a random vector

// IsDiagonal reports whether the preconditioner is the system, on a random vector.
func IsDiagonal(ctx context.Context, sys *System, pre *Preconditioner) bool {
	n, _ := sys.Dims()
	z, az := linop.Normal(rand.New(rand.NewPCG(1, 2)), n), make([]float64, n)
	sys.Apply(ctx, az, z)
	size := floats.Norm(az, 2)
	for i, d := range pre.D {
		az[i] -= d * z[i]
	}
	return floats.Norm(az, 2) <= systemTolerance*size
}
