package fit

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/known"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/mesh"
)

// add adds c times what a function of the known estimate gives.
func (p *prior) add(to *mat.Dense, of func(known Known) (*mat.Dense, error)) (*mat.Dense, error) {
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

// respond adds c ∫ G₀ f.
func (p *prior) respond(ctx context.Context, u, f *mat.Dense, xs, ys mesh.Mesh) (*mat.Dense, error) {
	return p.add(u, func(known Known) (*mat.Dense, error) {
		all, err := known.Predict(ctx, f, xs, ys)
		if err != nil {
			return nil, err
		}
		b, err := known.Bias(ctx, ys)
		if err != nil {
			return nil, err
		}
		linop.AddToRows(all, -1, b)
		return all, nil
	})
}

// differentiable is a Known whose derivatives are known, too.
type differentiable interface {
	Diff(ctx context.Context, along []string, xs, ys mesh.Mesh) (*mat.Dense, error)
}

// diff adds c times the derivative of G₀.
func (p *prior) diff(ctx context.Context, d *mat.Dense, along []string, xs, ys mesh.Mesh) (*mat.Dense, error) {
	return p.add(d, func(known Known) (*mat.Dense, error) {
		if k, ok := known.(differentiable); ok {
			return k.Diff(ctx, along, xs, ys)
		}
		return nil, fmt.Errorf("its derivatives are not known; an estimate as the prior has them")
	})
}

// rest is what of G and β on meshes was not known beforehand.
func (p *prior) rest(ctx context.Context, g *mat.Dense, beta []float64, xs, ys mesh.Mesh) (*mat.Dense, []float64, error) {
	if p == nil {
		return g, beta, nil
	}
	known, err := p.known.Green(ctx, xs, ys)
	if err != nil {
		return nil, nil, fmt.Errorf("prior: %w", err)
	}
	known.Scale(-p.factor, known)
	known.Add(known, g)
	own, err := p.known.Bias(ctx, ys)
	if err != nil {
		return nil, nil, fmt.Errorf("prior: %w", err)
	}
	left := append([]float64(nil), beta...)
	floats.AddScaled(left, -p.factor, own)
	return known, left, nil
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

// prior is what was known of G and β beforehand, times a factor. What is learned is the
// rest: G = c G₀ + δ, β = c β₀ + ε, with δ and ε of least penalty.
type prior struct {
	known  Known
	factor float64
}

// Known is a G and β that were known beforehand: an estimate, or values of a model.
type Known interface {
	Green(ctx context.Context, xs, ys mesh.Mesh) (*mat.Dense, error)
	Bias(ctx context.Context, ys mesh.Mesh) ([]float64, error)
	// Predict is β + ∫ G f for inputs on xs, one in each row of f.
	Predict(ctx context.Context, f *mat.Dense, xs, ys mesh.Mesh) (*mat.Dense, error)
}

// KnownValues is what is known where G, points of x × points of y, and β are known at the points
// of two meshes (no β: zero), and at no others.
func KnownValues(x, y mesh.Mesh, g *mat.Dense, bias []float64) Known {
	return known.Values{X: x, Y: y, G: g, Curve: bias}
}
