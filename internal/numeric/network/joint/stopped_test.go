package joint

import (
	"context"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// TestStopsAnywhere: each training and prediction ends where its context does, and makes nothing then.
func TestStopsAnywhere(t *testing.T) {
	s := small(t, 3)
	s.Data, s.Starts, s.Steps = semilinear(t, 8, 6, 30, 30, 1), 2, 12
	for name, change := range map[string]func(s *Spec){
		"jointly":    func(*Spec) {},
		"no product": func(s *Spec) { s.Kernel = kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{0.4}} },
		"layerwise":  func(s *Spec) { s.Method = LayerByLayer },
		"adam":       func(s *Spec) { s.Method, s.Steps = Adam, 5 },
		"λ":          func(s *Spec) { s.Lambda = 0 },
	} {
		own := s
		change(&own)
		testmain.StopsAnywhere(t, name, func(ctx context.Context) (bool, error) {
			e, err := Fit(ctx, own)
			return e != nil, err
		})
	}
	e, f := fitted(t, s), mat.NewDense(2, 6, nil)
	testmain.StopsAnywhere(t, "predict", func(ctx context.Context) (bool, error) {
		p, err := e.Predict(ctx, f, s.Data.InputMesh, mesh.Mesh{})
		return p != nil, err
	})
}
