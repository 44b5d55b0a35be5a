package posterior

import (
	"context"

	"gonum.org/v1/gonum/floats"
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
	bias, err := p.biasBetween(ctx, t)
	if err != nil {
		return err
	}
	_, many := h.Dims()
	mx, my := t.xs.Size(), t.ys.Size()
	quick, err := p.newFromFactors(ctx, to, t, bias)
	if err != nil {
		return err
	}
	n, _ := p.a.Dims()
	return gram.EachProduct(ctx, l.count(), p.x.Size()*p.y.Size()+mx*my, func(j int) {
		if quick != nil && j < len(l.at) {
			copy(h.RawRowView(j), quick.covariances(ctx, l.at[j]).RawMatrix().Data[from:from+many])
			return
		}
		w := l.Spread(ctx, l.direction(ctx, j, n))
		values := make([]float64, mx*my)
		to.Apply(ctx, values, w.RawMatrix().Data[:p.x.Size()*p.y.Size()])
		floats.Scale(1/p.at.Lambda, values)
		if t.weights != nil {
			sums := linop.Product(ctx, t.weights, mat.NewDense(mx, my, values))
			if bias != nil {
				var b mat.VecDense
				b.MulVec(bias, w.RowView(p.x.Size()))
				linop.AddToRows(sums, 1, b.RawVector().Data)
			}
			values = sums.RawMatrix().Data
		}
		copy(h.RawRowView(j), values[from:from+many])
	})
}
