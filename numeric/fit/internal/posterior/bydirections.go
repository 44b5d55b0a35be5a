package posterior

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/progress"
)

// mostCovariances is how many covariances of functionals with directions are held: 400 MB, or a part of the memory limit.
func mostCovariances() int { return gram.MemoryShare(.1, 5e7) }

// byDirections is the standard deviations of targets from what the data say in their leading
// directions: a product with the kernel for each direction has its covariances with all
// values. nil where that does not pay, or rounding hides too many of them.
func (p *Posterior) byDirections(ctx context.Context, t targets) (*mat.Dense, error) {
	count := t.count() * t.ys.Size()
	progress.Report(ctx, progress.Step{Task: "std", Total: float64(count)})
	l, err := p.leads(ctx, count)
	if l == nil || err != nil {
		return nil, err
	}
	to, err := p.cross(ctx, t.xs, t.ys)
	if err != nil {
		return nil, err
	}
	if gram.Evaluates(to) {
		return nil, linop.Stopped(ctx)
	}
	prior, err := p.priors(ctx, t)
	if err != nil {
		return nil, err
	}
	together := max(1, mostCovariances()/l.count())
	std := make([]float64, count)
	for from := 0; from < count; from += together {
		until := min(from+together, count)
		h := mat.NewDense(l.count(), until-from, nil)
		if err := p.covariances(ctx, h, l, to, t, from); err != nil {
			return nil, err
		}
		if err := l.variances(ctx, std[from:until], prior[from:until], h, t.times(p)); err != nil {
			return nil, err
		}
		progress.Report(ctx, progress.Step{Task: "std", Done: float64(until), Total: float64(count)})
	}
	return p.deviationsFrom(ctx, t, std, prior)
}

// covariances stores those of targets from … with each direction in the rows of h; to is the
// kernel from the meshes of the data to those of the targets.
func (p *Posterior) covariances(ctx context.Context, h *mat.Dense, l *leading, to linop.Operator, t targets, from int) error {
	c, err := p.newCovariances(ctx, to, t)
	if err != nil {
		return err
	}
	_, many := h.Dims()
	n, _ := p.a.Dims()
	return gram.EachProduct(ctx, l.count(), p.x.Size()*p.y.Size()+t.xs.Size()*t.ys.Size(), func(j int) {
		values := make([]float64, t.count()*t.ys.Size())
		if c.quick != nil && j < len(l.at) {
			c.direction(ctx, values, l.at[j])
		} else {
			c.ofWeights(ctx, values, l.Spread(ctx, l.direction(ctx, j, n)))
		}
		copy(h.RawRowView(j), values[from:from+many])
	})
}
