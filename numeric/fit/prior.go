package fit

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
)

// prior is what was known of G and β beforehand, times a factor. What is learned is the
// rest: G = c G₀ + δ, β = c β₀ + ε, with δ and ε of least penalty.
type prior struct {
	known  *Estimate
	factor float64
}

// withoutPrior takes c times the predictions of what is known off the outputs, with c by
// least squares around the mean at each point of the output.
func withoutPrior(ctx context.Context, d *dataset.Dataset, known *Estimate) (*dataset.Dataset, *prior, error) {
	rest, c, err := WithoutPrior(ctx, d, d.InputMesh, known)
	return rest, &prior{known, c}, err
}

// WithoutPrior is withoutPrior for inputs whose points are those of x. It returns c.
func WithoutPrior(ctx context.Context, d *dataset.Dataset, x mesh.Mesh, known *Estimate) (*dataset.Dataset, float64, error) {
	if in, y := known.InputMesh, known.OutputMesh; in.Dim() != x.Dim() || y.Dim() != d.OutputMesh.Dim() {
		return nil, 0, fmt.Errorf("prior: is on %d and %d coordinates of input and output, the data on %d and %d", in.Dim(), y.Dim(), x.Dim(), d.OutputMesh.Dim())
	}
	f, err := d.Input.Matrix()
	if err != nil {
		return nil, 0, err
	}
	u, err := known.Predict(ctx, f, x, d.OutputMesh)
	if err != nil {
		return nil, 0, fmt.Errorf("prior: %w", err)
	}
	c := leastFactor(d, u)
	rest := *d
	rest.Output = d.Output.Copy()
	floats.AddScaled(rest.Output.Data, -c, u.RawMatrix().Data)
	return &rest, c, nil
}

// leastFactor is the c for which the outputs less c u vary least from pair to pair,
// weighted by the quadrature; 0 where u does not vary.
func leastFactor(d *dataset.Dataset, u *mat.Dense) float64 {
	n, my := u.Dims()
	var both, own float64
	for k, w := range d.OutputMesh.Weights() {
		var meanOut, meanU, count float64
		for i := range n {
			if v := d.Output.Data[i*my+k]; !math.IsNaN(v) {
				meanOut, meanU, count = meanOut+v, meanU+u.At(i, k), count+1
			}
		}
		if count < 2 {
			continue
		}
		meanOut, meanU = meanOut/count, meanU/count
		for i := range n {
			if v := d.Output.Data[i*my+k]; !math.IsNaN(v) {
				both += w * (v - meanOut) * (u.At(i, k) - meanU)
				own += w * (u.At(i, k) - meanU) * (u.At(i, k) - meanU)
			}
		}
	}
	if !(own > 0) {
		return 0
	}
	return both / own
}

// add adds c times what a function of the known estimate gives.
func (p *prior) add(to *mat.Dense, of func(known *Estimate) (*mat.Dense, error)) (*mat.Dense, error) {
	if p == nil {
		return to, nil
	}
	m, err := of(p.known)
	if err != nil {
		return nil, fmt.Errorf("prior: %w", err)
	}
	m.Scale(p.factor, m)
	to.Add(to, m)
	return to, nil
}

// addBias adds c β₀.
func (p *prior) addBias(ctx context.Context, b []float64, ys mesh.Mesh) error {
	if p == nil {
		return nil
	}
	own, err := p.known.Bias(ctx, ys)
	if err != nil {
		return fmt.Errorf("prior: %w", err)
	}
	floats.AddScaled(b, p.factor, own)
	return nil
}
