package network

import (
	"context"
	"fmt"
	"math"
	"time"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/model"
)

// estimate is a layer as a model, with its certificate, and G of its terms on their meshes.
func (s *shared) estimate(ctx context.Context, t *dataset.Table, own *learned) (*model.Estimate, map[string]*mat.Dense, error) {
	spec := s.l.spec.Model
	spec.Data, spec.Intercept, spec.Bias = t, fit.Flat, s.output
	spec.Lambda, spec.Rho = own.d.lambda, own.d.lambda/(own.x.bias*float64(s.n))
	spec.Kernels, spec.Amplitudes, spec.Terms = map[string]kernel.Kernel{}, map[string]float64{}, nil
	for k, a := range own.all {
		spec.Terms = append(spec.Terms, a.name)
		spec.Kernels[a.name] = kernel.Tensor{Input: a.input, Output: s.output}
		spec.Amplitudes[a.name] = own.x.sizes[k] / a.scale
	}
	x, err := s.weights(ctx, own, spec.Rho)
	if err != nil {
		return nil, nil, err
	}
	green, err := s.greens(ctx, own, x.Weights)
	if err != nil {
		return nil, nil, err
	}
	e, err := model.Solved(ctx, spec, x)
	return e, green, err
}

// weights are those of a layer: B_cᵀ Z dy^½ over λ, and the same for β.
func (s *shared) weights(ctx context.Context, own *learned, rho float64) (x model.Solution, err error) {
	start := time.Now()
	d, points := own.d, 0
	z := linop.Product(ctx, d.z, s.v.T()) // on the points of the output
	for i := range s.n {
		floats.Mul(z.RawRowView(i), s.root)
	}
	for _, a := range own.all {
		_, m := a.columns.Dims()
		points += m
	}
	x.Weights = mat.NewDense(points, s.m, nil)
	at := 0
	for k, a := range own.all {
		_, m := a.columns.Dims()
		w := x.Weights.Slice(at, at+m, 0, s.m).(*mat.Dense)
		w.Scale(1/d.lambda, linop.Product(ctx, a.columns.T(), z))
		at += m
		x.Deviations = append(x.Deviations, s.deviation(ctx, own, k))
	}
	x.Bias = make([]float64, s.m)
	for i := range s.n {
		floats.AddScaled(x.Bias, 1/(rho*math.Sqrt(float64(s.n))), z.RawRowView(i))
	}
	x.Intercept = d.intercept
	x.Report = s.certify(ctx, own, rho)
	x.Report.Seconds = time.Since(start).Seconds()
	return x, linop.Stopped(ctx)
}

// adds is what term k of a layer makes of the pairs, in the vectors of Y and as t is scaled.
func (s *shared) adds(ctx context.Context, own *learned, k int) *mat.Dense {
	u := linop.Product(ctx, own.all[k].gram, own.d.z)
	for i := range s.n {
		row := u.RawRowView(i)
		floats.Mul(row, s.y)
		floats.Scale(own.x.sizes[k]/own.d.lambda, row)
	}
	return u
}

// deviation is the standard deviation of what a term adds, over pairs and points.
func (s *shared) deviation(ctx context.Context, own *learned, k int) float64 {
	u := linop.Product(ctx, s.adds(ctx, own, k), s.v.T())
	sum, count := 0.0, 0
	for p, r := range s.root {
		if r == 0 {
			continue
		}
		v := mat.Col(nil, p, u)
		v = centred(v)
		sum, count = sum+floats.Dot(v, v)*float64(s.n)/(r*r), count+s.n
	}
	return math.Sqrt(sum / float64(max(count, 1)))
}

// certify is the report of a layer: by the matrices H and Y themselves, not their vectors. The
// objective is above its minimum by at most the square of the residual.
func (s *shared) certify(ctx context.Context, own *learned, rho float64) fit.Report {
	d := own.d
	r := fit.Report{
		Lambda: d.lambda, Rho: rho, Criterion: string(fit.LOO), Converged: true, Unknowns: s.n * s.m, StructureShare: 1,
		Method: fmt.Sprintf("closed form, %d × %d and %d × %d eigenvectors", s.n, s.n, s.m, s.m),
		Reason: "many pairs, and one kernel on the output for all terms",
	}
	value := d.value / float64(s.n*s.m)
	r.LOO, r.LambdaLOO = &value, &r.Lambda
	rest := mat.DenseCopyOf(s.tv) // T - μ c - (A + 1) z
	size := 0.0
	for i := range s.n {
		row := rest.RawRowView(i)
		floats.AddScaled(row, -d.intercept, s.ones)
		size = math.Hypot(size, norm(row))
		floats.Sub(row, d.z.RawRowView(i))
	}
	z := d.z.RawMatrix().Data
	for k := range own.all {
		u := s.adds(ctx, own, k)
		r.GreenNorm2 += floats.Dot(z, u.RawMatrix().Data) / d.lambda
		rest.Sub(rest, u)
	}
	beta := make([]float64, s.m)
	for i := range s.n {
		floats.Add(beta, d.z.RawRowView(i))
	}
	sum := append([]float64(nil), beta...)
	floats.Mul(beta, s.y)
	floats.Scale(own.x.bias/d.lambda, beta)
	r.BiasNorm2 = floats.Dot(sum, beta) / rho
	for i := range s.n {
		floats.Sub(rest.RawRowView(i), beta)
	}
	off := norm(rest.RawMatrix().Data)
	r.MSE = floats.Dot(z, z)
	r.Objective = r.MSE + d.lambda*r.GreenNorm2 + rho*r.BiasNorm2
	r.Gap = off * off
	if size > 0 {
		r.Residual = off / size
	}
	length := 0.0
	for _, root := range s.root {
		length += root * root
	}
	r.Sigma = math.Sqrt(r.Objective / length / (1 - 1/float64(s.n*s.m))) // a free constant takes one value
	r.Converged = r.Residual <= max(s.l.spec.Model.Tolerance, 1e-8)
	return r
}

// greens are G of the terms on their meshes.
func (s *shared) greens(ctx context.Context, own *learned, weights *mat.Dense) (map[string]*mat.Dense, error) {
	y, err := gramOn(ctx, s.output, s.l.data.Outputs[0].Mesh)
	if err != nil {
		return nil, err
	}
	all, at := map[string]*mat.Dense{}, 0
	for k, a := range own.all {
		_, m := a.columns.Dims()
		g := linop.Product(ctx, linop.Product(ctx, a.kernel, weights.Slice(at, at+m, 0, s.m)), y)
		at += m
		g.Scale(own.x.sizes[k]/a.scale, g)
		all[a.name] = g
	}
	return all, linop.Stopped(ctx)
}
