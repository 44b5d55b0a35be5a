package network

import (
	"context"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/mesh"
)

// TestStopsAnywhere: each loop of networks and propagators ends where its context does, and makes
// nothing then.
func TestStopsAnywhere(t *testing.T) {
	d := exact(t, 10, 7, func(u, _ float64) float64 { return 0.8 * u * u * u }, 4)
	own := func(change func(s *Spec), channels ...Channel) Spec {
		s := spec(d, channels...)
		change(&s)
		return s
	}
	for name, s := range map[string]Spec{
		"implicit": own(func(*Spec) {}, power(3)),
		"choose":   own(func(s *Spec) { s.Choose = true }, power(2), power(3)),
		"layers":   own(func(s *Spec) { s.Layers = 2 }, power(3)),
	} {
		testmain.StopsAnywhere(t, name, func(ctx context.Context) (bool, error) {
			e, err := Fit(ctx, s)
			return e != nil, err
		})
		e := testmain.Must(Fit(t.Context(), s))(t)
		testmain.StopsAnywhere(t, name+", predict", func(ctx context.Context) (bool, error) {
			p, err := e.Predict(ctx, d, mesh.Mesh{})
			return p != nil, err
		})
	}
	pairs := burgers(t, 8, 8, 5, 0.2, 0.05, 3)
	s := PropagatorSpec{Data: pairs, Channels: []Channel{power(2)}}
	testmain.StopsAnywhere(t, "propagator", func(ctx context.Context) (bool, error) {
		p, err := LearnPropagator(ctx, s)
		return p != nil, err
	})
	p := testmain.Must(LearnPropagator(t.Context(), s))(t)
	testmain.StopsAnywhere(t, "run", func(ctx context.Context) (bool, error) {
		u, _, err := p.Run(ctx, mat.NewDense(8, 8, pairs.Input.Data), 12)
		return u != nil, err
	})
}
