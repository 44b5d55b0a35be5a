package fit

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Identifiability is how far the data determine G on xs × ys: the part of its prior variance
// that they explain, 1 - posterior/prior, from 0, where G is what the kernel makes of nothing,
// to 1, with the kernel, λ and ρ of the estimate. Cost: that of Std.
func (e *Estimate) Identifiability(ctx context.Context, xs, ys mesh.Mesh) (*mat.Dense, error) {
	xs, ys, err := e.meshes(xs, ys)
	if err != nil {
		return nil, err
	}
	p, err := e.posterior(ctx)
	if err != nil {
		return nil, err
	}
	out, err := p.Std(ctx, xs, ys) // of this kernel and these penalties, as the prior is: not of all that few data allow
	if err != nil {
		return nil, err
	}
	p.EachPriorOf(xs, ys, func(i, k int, prior float64) {
		sd := out.At(i, k)
		if out.Set(i, k, 0); prior > 0 {
			out.Set(i, k, min(1, max(0, 1-sd*sd/prior)))
		}
	})
	return out, linop.Stopped(ctx)
}

// Beside is the estimate that one more pair with the input f would make, if its output were what
// is predicted: as sure as with any output, by the same kernel, noise and size of G.
func (e *Estimate) Beside(ctx context.Context, f []float64) (*Estimate, error) {
	if e.learned == nil {
		return nil, e.noData("another pair needs the data")
	}
	s := e.learned.spec
	if err := s.intact(); err != nil {
		return nil, err
	}
	if s.Prior != nil {
		return nil, fmt.Errorf("another pair: is not known of an estimate with a prior")
	}
	if e.reduction != nil {
		return nil, fmt.Errorf("another pair: is not known of an estimate on landmarks")
	}
	if s.Data.Errors != nil {
		return nil, fmt.Errorf("another pair: the errors of its output are not known, as those of the data have weights or a covariance")
	}
	u, err := e.Predict(ctx, mat.NewDense(1, len(f), append([]float64(nil), f...)), mesh.Mesh{}, mesh.Mesh{})
	if err != nil {
		return nil, err
	}
	d, n := s.Data, s.Data.N()
	input, output := array.New(n+1, d.InputMesh.Size()), array.New(n+1, d.OutputMesh.Size())
	copy(input.Data[copy(input.Data, d.Input.Data):], f)
	copy(output.Data[copy(output.Data, d.Output.Data):], u.RawMatrix().Data)
	if s.Data, err = dataset.New(dataset.Spec{Input: input, Output: output, InputMesh: d.InputMesh, OutputMesh: d.OutputMesh, Missing: d.Missing}); err != nil {
		return nil, err
	}
	share := float64(n) / float64(n+1) // noise is a smaller part of the mean square of more pairs
	s.Lambda, s.Rho = e.Report.Lambda*share, e.Report.Rho*share
	p, err := e.posterior(ctx)
	if err != nil {
		return nil, err
	}
	more, err := Minimise(ctx, s)
	if err == nil {
		more.Report.Amplitude = p.Tau2 * share // of the data: an output without residuals says nothing of the noise
	}
	return more, err
}
