package invalues

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/outputs"
	"github.com/greenbench/workbench/internal/numeric/solve"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
)

// Problem is the problem in the space of the values that were observed, where these are few
// of pairs × points, as those of curves on points of their own: one unknown for each, and
// the matrix S K̄ Sᵀ between them, which is formed from Kronecker factors of the kernel.
type Problem struct {
	q *problem.Question
	n int

	pair, point []int     // of each value
	root        []float64 // dy^½ at its point
	b           *mat.Dense
	t           []float64 // the scaled data, without their component along the free constant
	mean        float64   // that component
	flat        outputs.Contrast
	length      float64

	k     gram.Factored
	bias  gram.Product // nil: none
	green *mat.Dense   // S K Sᵀ
	beta  *mat.Dense   // S Q Sᵀ; nil: none
}

const (
	mostValues  = 5000 // of the matrix, 200 MB
	valuesShare = 0.25 // of pairs × points, beyond which the bases of the complete data are less work
)

// Few reports whether few of the outputs were observed.
func Few(d *dataset.Dataset) bool {
	n := outputs.Count(d)
	return outputs.Missing(d) && (d.Errors == nil || d.Errors.Covariance == nil) && n <= mostValues && float64(n) <= valuesShare*float64(len(d.Output.Data))
}

// New returns nil where the kernel has no such factors.
func New(ctx context.Context, q *problem.Question) (*Problem, error) {
	k, ok := q.Held.K.(gram.Factored)
	if !ok {
		return nil, nil
	}
	d := q.Setting.Data
	p := &Problem{q: q, n: d.N(), k: k}
	if err := dense.CheckMatrix("fit to single values", 4, outputs.Count(d), outputs.Count(d)); err != nil {
		return nil, err
	}
	if b := q.Setting.Bias; b != nil {
		var err error
		if p.bias, _, err = gram.Output(ctx, b, d.OutputMesh, gram.Options{Structure: gram.Full}); err != nil {
			return nil, fmt.Errorf("bias: %w", err)
		}
	}
	if err := p.setData(ctx, d); err != nil {
		return nil, err
	}
	if err := p.setMatrices(ctx); err != nil {
		return nil, err
	}
	if q.Setting.Flat && p.bias != nil {
		c := make([]float64, len(p.t))
		floats.AddScaled(c, 1/math.Sqrt(float64(p.n)), p.root)
		p.flat, p.length = outputs.NewContrast(c)
		p.mean = p.flat.Project(p.t)
	}
	return p, linop.Stopped(ctx)
}

// setData takes the observed values and the inputs, both scaled.
func (p *Problem) setData(ctx context.Context, d *dataset.Dataset) error {
	w, err := outputs.NewWhitening(ctx, d)
	if err != nil {
		return err
	}
	input, _ := d.Matrices()
	pairs := outputs.PairRoots(d)
	my, dy, scale := d.OutputMesh.Size(), d.OutputMesh.Weights(), 1/math.Sqrt(float64(p.n))
	p.b = mat.DenseCopyOf(input)
	linop.TimesRows(p.b.RawMatrix().Data, d.InputMesh.Weights())
	p.b.Scale(scale, p.b)
	for i, v := range d.Output.Data {
		if !math.IsNaN(v) {
			root := math.Sqrt(dy[i%my]) * pairs[i/my] * w.Scale[i]
			p.pair, p.point, p.root = append(p.pair, i/my), append(p.point, i%my), append(p.root, root)
			p.t = append(p.t, v*root*scale)
		}
	}
	return nil
}

// setMatrices forms the covariances of the values.
func (p *Problem) setMatrices(ctx context.Context) error {
	n := len(p.t)
	p.green = mat.NewDense(n, n, nil)
	for q := range p.k.Terms() {
		in := linop.Sandwich(ctx, p.b.T(), p.k.Left(q))
		if err := p.addProduct(ctx, p.green, in, mat.DenseCopyOf(p.k.Right(q))); err != nil {
			return err
		}
	}
	symmetrise(p.green)
	if p.bias == nil {
		return nil
	}
	q, err := p.q.Setting.BiasMatrix(ctx)
	if err != nil {
		return err
	}
	p.beta = mat.NewDense(n, n, nil)
	in := mat.NewDense(p.n, p.n, nil)
	in.Apply(func(_, _ int, _ float64) float64 { return 1 / float64(p.n) }, in)
	err = p.addProduct(ctx, p.beta, in, q)
	symmetrise(p.beta)
	return err
}

// addProduct adds the product of what two pairs and what two points have to do with each other.
func (p *Problem) addProduct(ctx context.Context, to, in, out *mat.Dense) error {
	return kernels.Rows(ctx, len(p.t), 5*float64(len(p.t)), func(a int) {
		row, pairs, points := to.RawRowView(a), in.RawRowView(p.pair[a]), out.RawRowView(p.point[a])
		for c := range row {
			row[c] += p.root[a] * p.root[c] * pairs[p.pair[c]] * points[p.point[c]]
		}
	})
}

// symmetrise takes the mean of a matrix and its transpose.
func symmetrise(m *mat.Dense) {
	n, _ := m.Dims()
	for i := range n {
		for j := range i {
			v := (m.At(i, j) + m.At(j, i)) / 2
			m.Set(i, j, v)
			m.Set(j, i, v)
		}
	}
}

// covariance is S K̄ Sᵀ at λ and ρ.
func (p *Problem) covariance(at problem.Penalty) *mat.Dense {
	var a mat.Dense
	a.Scale(1/at.Lambda, p.green)
	if p.beta != nil {
		floats.AddScaled(a.RawMatrix().Data, 1/at.Rho, p.beta.RawMatrix().Data)
	}
	return &a
}

// Matrix is S K̄ Sᵀ + I.
func (p *Problem) Matrix(at problem.Penalty) *mat.Dense {
	a := p.covariance(at)
	for i := range p.t {
		a.Set(i, i, a.At(i, i)+1)
	}
	return a
}

// Solve implements problem.
func (p *Problem) Solve(ctx context.Context, at problem.Penalty, _ []float64) (*problem.Solution, error) {
	h := p.Matrix(at)
	p.flat.Contrasts(h)
	for i, v := range p.flat {
		floats.AddScaled(h.RawRowView(i), v, p.flat)
	}
	z := make([]float64, len(p.t))
	out := &problem.Solution{X: z, Unknowns: len(z)}
	var err error
	out.How, err = solve.Cholesky{Tolerance: p.q.Setting.Tolerance}.Solve(ctx, linop.Dense{M: h}, z, p.t)
	out.How.Method += " of the covariances of the observed values"
	return out.UnlessLost(ctx, err, linop.Dense{M: h}, p.q.Setting.Kernel, at.Lambda)
}

// Weigh implements problem.
func (p *Problem) Weigh(ctx context.Context, at problem.Penalty, z []float64) (*problem.Weighed, error) {
	d := p.q.Setting.Data
	p.flat.Project(z)
	gz, az := make([]float64, len(z)), make([]float64, len(z))
	linop.Dense{M: p.green}.Apply(ctx, gz, z)
	w := &problem.Weighed{K: p.k, Respond: p.Respond, Dual: z, Size: problem.NotNothing(floats.Norm(p.t, 2))}
	w.Green2 = floats.Dot(z, gz) / at.Lambda / at.Lambda
	floats.AddScaled(az, 1/at.Lambda, gz)
	w.Green = mat.NewDense(d.InputMesh.Size(), d.OutputMesh.Size(), nil)
	for a, v := range z {
		for j, f := range p.b.RawRowView(p.pair[a]) {
			if f != 0 {
				w.Green.Set(j, p.point[a], w.Green.At(j, p.point[a])+f*p.root[a]*v/at.Lambda)
			}
		}
	}
	if p.beta != nil {
		w.Q, w.Bias = p.bias, make([]float64, d.OutputMesh.Size())
		linop.Dense{M: p.beta}.Apply(ctx, gz, z)
		w.Bias2 = floats.Dot(z, gz) / at.Rho / at.Rho
		floats.AddScaled(az, 1/at.Rho, gz)
		for a, v := range z {
			w.Bias[p.point[a]] += p.root[a] * v / at.Rho / math.Sqrt(float64(p.n))
		}
	}
	if left := p.mean - p.flat.Project(az); p.flat != nil {
		w.Intercept = left / p.length
	}
	w.Misfit = floats.SubTo(az, p.t, az)
	return w, linop.Stopped(ctx)
}

// Respond implements regression.
func (p *Problem) Respond(_ context.Context, g, b []float64) []float64 {
	h, my := make([]float64, len(p.t)), p.q.Setting.Data.OutputMesh.Size()
	for a, k := range p.point {
		sum := 0.0
		if g != nil {
			for j, f := range p.b.RawRowView(p.pair[a]) {
				if f != 0 {
					sum += f * g[j*my+k]
				}
			}
		}
		if b != nil && p.bias != nil {
			sum += b[k] / math.Sqrt(float64(p.n))
		}
		h[a] = p.root[a] * sum
	}
	return h
}

// Equations implements regression.
func (p *Problem) Equations(ctx context.Context, at problem.Penalty) (a, inverse linop.Operator, err error) {
	h := p.Matrix(at)
	c, err := linop.Cholesky(ctx, mat.NewSymDense(len(p.t), mat.DenseCopyOf(h).RawMatrix().Data))
	if err != nil {
		return nil, nil, fmt.Errorf("the covariances of the observed values: %w", err)
	}
	return linop.Dense{M: h}, factored{c}, nil
}

// factored is the inverse of a matrix by its factors.
type factored struct{ c *mat.Cholesky }

// Dims implements linop.Operator.
func (f factored) Dims() (r, c int) { return f.c.Dims() }

// Apply implements linop.Operator.
func (f factored) Apply(_ context.Context, dst, x []float64) {
	_ = f.c.SolveVecTo(mat.NewVecDense(len(dst), dst), mat.NewVecDense(len(x), append([]float64(nil), x...)))
}

// Constants implements regression.
func (p *Problem) Constants() (outputs.Contrast, float64) { return p.flat, p.length }

// Observed implements regression.
func (p *Problem) Observed() int { return len(p.t) }

// pairs is the values of each pair.
func (p *Problem) pairs() (spans [][]criteria.Span) {
	for a, i := range p.pair {
		if a == 0 || i != p.pair[a-1] {
			spans = append(spans, []criteria.Span{{Lo: a, Hi: a}})
		}
		spans[len(spans)-1][0].Hi++
	}
	return spans
}

// Values implements problem.Regression.
func (p *Problem) Values(_ context.Context, at problem.Penalty) (*problem.Values, error) {
	v := &problem.Values{Pairs: p.n, Pair: p.pair, Point: p.point, T: p.t, Covariance: linop.Symmetric(p.Matrix(at))}
	v.SetConstant(p.flat, p.length)
	return v, nil
}
