package randfield_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/randfield"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// What does not fit in memory is an error before anything is allocated.
func TestTooLargeIsRefused(t *testing.T) {
	graded := make([]float64, 1_000_000)
	for i := range graded {
		graded[i] = float64(i) * float64(i)
	}
	m := mesh.Must(mesh.Trapezoid(graded, "x"))
	k := kernel.SE{Lengthscale: kernel.Lengthscale{.1}}
	_, field := randfield.Field{Kernel: k, Mesh: m, N: 1}.Draw(t.Context())
	small := mesh.Must(mesh.Uniform(0, 1, 10, "x"))
	_, many := randfield.Field{Kernel: k, Mesh: small, N: 1 << 50}.Draw(t.Context())
	_, bridge := randfield.BrownianBridge(m, 1<<30, 1)
	_, normal := randfield.Normal(1, 1<<40, 1<<20)
	for _, c := range []struct {
		err  error
		want string
	}{
		{field, "mesh of 1000000 points: work on matrices of 1000000 × 1000000 needs"},
		{many, "n 1125899906842624: work on matrices of 1125899906842624 × 10 needs"},
		{bridge, "shape 1073741824×1000000: needs"},
		{normal, "needs 8 EiB"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("got %v, want … %s …", c.err, c.want)
		}
	}
}

// Draws and random numbers end with their context.
func TestStops(t *testing.T) {
	cause := errors.New("interrupted")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	m := mesh.Must(mesh.Uniform(0, 1, 50, "x"))
	_, field := randfield.Field{Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{.1}}, Mesh: m, N: 1}.Draw(ctx)
	_, normal := randfield.NormalContext(ctx, 1, 10)
	_, uniform := randfield.UniformContext(ctx, 1, 10)
	for name, err := range map[string]error{"field": field, "normal": normal, "uniform": uniform} {
		if !errors.Is(err, cause) {
			t.Errorf("%s: %v, want %v", name, err, cause)
		}
	}
}
