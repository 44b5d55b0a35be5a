package posterior

import (
	"context"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/outputs"
	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/numeric/mesh"
)

const (
	// leastDrawn is the part of every variance that draws may lack.
	leastDrawn = 1e-4
	// leastPrior is the part of a prior variance below which what is left is rounding.
	leastPrior = 1e-10
	// triedTogether is how many targets are tried as pivots at once.
	triedTogether = 64
	// leastPivot is what the others of these must leave of a variance for it to be a pivot.
	leastPivot = 0.1
)

// root is R with Rᵀ R about the posterior covariance of targets, one column for each.
func (p *Posterior) root(ctx context.Context, t targets) (*mat.Dense, error) {
	if root, err := p.rootByFeatures(ctx, t); root != nil || err != nil {
		return root, err
	}
	return p.jointRoot(ctx, t)
}

// rootByFeatures is root where the kernel has few features; nil where it has not.
func (p *Posterior) rootByFeatures(ctx context.Context, t targets) (*mat.Dense, error) {
	if p.few() {
		return nil, nil
	}
	return p.featureRoot(ctx, t, 0)
}

// jointRoot is the root from the covariance of all targets.
func (p *Posterior) jointRoot(ctx context.Context, t targets) (*mat.Dense, error) {
	j, err := p.joined(ctx, t)
	if err != nil {
		return nil, err
	}
	root, err := j.cholesky(ctx)
	if err != nil {
		return nil, err
	}
	root.Scale(math.Sqrt(p.Tau2), root)
	return root, nil
}

// deviateApart draws each prediction by itself, all of them from the same normal numbers.
func (p *Posterior) deviateApart(ctx context.Context, t targets, n int, draw *rand.Rand) (*mat.Dense, error) {
	my, count := t.ys.Size(), t.count()
	if err := outputs.CheckDraws(count, my, n); err != nil {
		return nil, err
	}
	covariance, err := p.ofEach(ctx, t)
	if err != nil {
		return nil, err
	}
	z, out := mat.NewDense(n, my, linop.Normal(draw, n*my)), mat.NewDense(n, count*my, nil)
	for i := range count {
		c, err := covariance(ctx, i)
		if err != nil {
			return nil, err
		}
		root, err := linop.SquareRoot(ctx, c, p.Tau2)
		if err != nil {
			return nil, err
		}
		if err := linop.MulContext(ctx, out.Slice(0, n, i*my, (i+1)*my).(*mat.Dense), z, root.T()); err != nil {
			return nil, err
		}
		progress.Report(ctx, progress.Step{Task: "draw", Done: float64(i + 1), Total: float64(count)})
	}
	return out, linop.Stopped(ctx)
}

// ofEach is what gives the posterior covariance over τ² of each prediction by itself.
func (p *Posterior) ofEach(ctx context.Context, t targets) (func(ctx context.Context, i int) (*mat.Dense, error), error) {
	my := t.ys.Size()
	part := func(m *mat.Dense, i int) mat.Matrix {
		rows, _ := m.Dims()
		return m.Slice(0, rows, i*my, (i+1)*my)
	}
	root, err := p.rootByFeatures(ctx, t)
	if err != nil {
		return nil, err
	}
	if root != nil {
		root.Scale(1/math.Sqrt(p.Tau2), root)
		return func(ctx context.Context, i int) (*mat.Dense, error) {
			c := linop.Product(ctx, part(root, i).T(), part(root, i))
			return c, linop.Stopped(ctx)
		}, nil
	}
	j, err := p.joined(ctx, t)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, i int) (*mat.Dense, error) {
		c, explained := mat.NewDense(my, my, nil), linop.Product(ctx, part(j.seen, i).T(), part(j.seen, i))
		err := gram.EachProduct(ctx, my, t.xs.Size()*my, func(k int) {
			j.row(ctx, i*my+k, i, i+1, c.RawRowView(k))
		})
		if err != nil {
			return nil, err
		}
		c.Sub(c, explained)
		if j.flat != nil {
			flat := mat.NewVecDense(my, j.flat[i*my:(i+1)*my])
			c.RankOne(c, 1, flat, flat)
		}
		return c, linop.Stopped(ctx)
	}, nil
}

// cholesky is R with Rᵀ R about the covariance, by partial Cholesky factorisation with pivoting: a
// row for each pivot. So many targets at a time are tried as pivots, at random by what is left of
// them over what may be, so that they are far from each other; those of which the
// others leave little are left for later. Cost: their rows of the prior covariance, and k + r
// operations for each entry of r rows, from data in k directions.
func (j *joined) cholesky(ctx context.Context) (*mat.Dense, error) {
	left, least := j.variances()
	n := len(left)
	draw := rand.New(rand.NewPCG(1, 5))
	var blocks []*mat.Dense
	rank := 0
	for {
		at := pivots(draw, left, least)
		if len(at) == 0 {
			break
		}
		if err := dense.CheckMatrix("draws", 2, rank+2*len(at), n); err != nil {
			return nil, err
		}
		progress.Report(ctx, progress.Step{Task: "draw", Done: float64(rank)})
		rows, err := j.remaining(ctx, at, blocks)
		if err != nil {
			return nil, err
		}
		rows = eliminated(rows, at, left, least)
		taken, _ := rows.Dims()
		rank += taken
		blocks = append(blocks, rows)
	}
	progress.Report(ctx, progress.Step{Task: "draw", Done: 1, Total: 1})
	out := mat.NewDense(max(rank, 1), n, nil)
	from := 0
	for _, b := range blocks {
		from += copy(out.RawMatrix().Data[from:], b.RawMatrix().Data)
	}
	return out, linop.Stopped(ctx)
}

// variances are those of the targets, and what may be left of them.
func (j *joined) variances() (left, least []float64) {
	left, least = append([]float64(nil), j.prior...), make([]float64, len(j.prior))
	floats.Sub(left, linop.SquaresOfColumns(j.seen))
	for i := range left {
		if j.flat != nil {
			left[i] += j.flat[i] * j.flat[i]
		}
		left[i] = max(left[i], 0)
		least[i] = max(leastDrawn*left[i], leastPrior*j.prior[i])
	}
	return left, least
}

// pivots are some of the targets of which more is left than may be, each with a probability
// that grows with what is (exponential clocks: the first to ring are a sample without replacement).
func pivots(draw *rand.Rand, left, least []float64) []int {
	var at []int
	var rings []float64
	for i, v := range left {
		ring := draw.ExpFloat64() * least[i] / v
		if !(v > least[i]) || len(at) == triedTogether && ring >= rings[len(rings)-1] {
			continue
		}
		if len(at) < triedTogether {
			at, rings = append(at, i), append(rings, ring)
		} else {
			at[len(at)-1], rings[len(rings)-1] = i, ring
		}
		for k := len(at) - 1; k > 0 && rings[k] < rings[k-1]; k-- {
			at[k], at[k-1], rings[k], rings[k-1] = at[k-1], at[k], rings[k-1], rings[k]
		}
	}
	return at
}

// remaining are the covariances of some targets with all, less what the rows so far have of them.
func (j *joined) remaining(ctx context.Context, at []int, blocks []*mat.Dense) (*mat.Dense, error) {
	n := len(j.prior)
	rows := mat.NewDense(len(at), n, nil)
	err := gram.EachProduct(ctx, len(at), n, func(c int) {
		j.row(ctx, at[c], 0, j.count, rows.RawRowView(c))
	})
	if err != nil {
		return nil, err
	}
	for _, b := range append([]*mat.Dense{j.seen}, blocks...) {
		k, _ := b.Dims()
		minus := mat.NewDense(len(at), k, nil)
		for c, i := range at {
			for d := range k {
				minus.Set(c, d, -b.At(d, i))
			}
		}
		if err := linop.AddMul(ctx, rows, minus, b); err != nil {
			return nil, err
		}
	}
	if j.flat != nil {
		for c, i := range at {
			floats.AddScaled(rows.RawRowView(c), j.flat[i], j.flat)
		}
	}
	return rows, linop.Stopped(ctx)
}

// eliminated are the rows of the factor for those targets that are pivots, the one of which most is
// left of what may be first, and takes them from what is left of all.
func eliminated(rows *mat.Dense, at []int, left, least []float64) *mat.Dense {
	_, n := rows.Dims()
	before := make([]float64, len(at))
	for c, i := range at {
		before[c] = left[i]
	}
	taken := make([]bool, len(at))
	var out []float64
	for {
		best, most := -1, 1.
		for c, i := range at {
			if v := rows.At(c, i); !taken[c] && v > leastPivot*before[c] && v > most*least[i] {
				best, most = c, v/least[i]
			}
		}
		if best < 0 {
			break
		}
		taken[best] = true
		row := rows.RawRowView(best)
		floats.Scale(1/math.Sqrt(rows.At(best, at[best])), row)
		for c, i := range at {
			if !taken[c] {
				floats.AddScaled(rows.RawRowView(c), -row[i], row)
			}
		}
		for i, v := range row {
			left[i] = max(left[i]-v*v, 0)
		}
		left[at[best]] = 0
		out = append(out, row...)
	}
	if len(out) == 0 { // rounding hides what is left of them
		for _, i := range at {
			left[i] = 0
		}
		return mat.NewDense(1, n, nil)
	}
	return mat.NewDense(len(out)/n, n, out)
}

// Deviate draws n times what G on xs × ys differs from its mean by or, for inputs on xs in the rows of f, what
// predictions on ys do: a row for each draw. Apart, each prediction has the right draws by itself alone.
func (p *Posterior) Deviate(ctx context.Context, f *mat.Dense, xs, ys mesh.Mesh, n int, apart bool, draw *rand.Rand) (*mat.Dense, error) {
	t := targets{xs: xs, ys: ys}
	if f != nil {
		t.weights = mat.DenseCopyOf(f)
		linop.TimesRows(t.weights.RawMatrix().Data, xs.Weights())
	}
	if err := dense.CheckMatrix("draws", 1, n, t.count()*ys.Size()); err != nil {
		return nil, err
	}
	if apart && f != nil {
		return p.deviateApart(ctx, t, n, draw)
	}
	return p.deviateTogether(ctx, t, n, draw)
}

// deviateTogether draws all targets together.
func (p *Posterior) deviateTogether(ctx context.Context, t targets, n int, draw *rand.Rand) (*mat.Dense, error) {
	root, err := p.root(ctx, t)
	if err != nil {
		return nil, err
	}
	k, _ := root.Dims()
	out := linop.Product(ctx, mat.NewDense(n, k, linop.Normal(draw, n*k)), root)
	return out, linop.Stopped(ctx)
}
