package known

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/dataset"
)

// Without takes c times the predictions of what is known off the outputs, with c by
// least squares around the mean at each point of the output, and returns c too.
func Without(ctx context.Context, d *dataset.Dataset, known Operator) (*dataset.Dataset, float64, error) {
	f, _ := d.Matrices()
	u, err := known.Predict(ctx, f, d.InputMesh, d.OutputMesh)
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
