package fit_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// With many outputs and few inputs, products are made between the inputs alone. The estimate is that of the kernel's matrix,
// with a bias, with a free constant in it, and with correlated errors.
func TestProductsBetweenInputs(t *testing.T) {
	x, y := mesh.Must(mesh.Chebyshev(0, 1, 2, "x")), mesh.Must(mesh.Gauss(0, 1, 601, "y"))
	d := noise(t, 1, x, y)
	covariance := mat.NewSymDense(601, nil)
	for i := range 601 {
		for j := i; j < 601; j++ {
			covariance.SetSym(i, j, math.Exp(-math.Abs(float64(i-j))/3))
		}
	}
	for name, change := range map[string]func(s *fit.Spec){
		"flat": func(s *fit.Spec) { s.Intercept = fit.Flat },
		"correlated": func(s *fit.Spec) {
			s.Data = testmain.Must(d.WithErrors(&dataset.Errors{Covariance: covariance}))(t)
		},
	} {
		s := fit.Spec{Data: d, Kernel: kernel.Matern{Nu: 2.5, Lengthscale: kernel.Lengthscale{.3}}, Lambda: 1e-2, Rho: 2e-2}
		change(&s)
		var weights [2]*mat.Dense
		for i, structure := range []gram.Structure{gram.Kronecker, gram.Full} {
			s.Structure = structure
			e := testmain.Must(fit.Minimise(ctx, s))(t) // without the criteria, which take longer
			if weights[i] = e.Weights; !e.Report.Converged {
				t.Errorf("%s, %s: %v", name, structure, e.Report)
			}
		}
		var off mat.Dense
		if off.Sub(weights[0], weights[1]); !(mat.Norm(&off, 2) < 1e-7*mat.Norm(weights[1], 2)) {
			t.Errorf("%s: weights are off by %g of %g", name, mat.Norm(&off, 2), mat.Norm(weights[1], 2))
		}
	}
}
