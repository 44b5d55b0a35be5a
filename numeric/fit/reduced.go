package fit

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/internal/lattice"
	"github.com/greenbench/workbench/numeric/internal/linop"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// reduction is the data of a fit on landmarks of their meshes (structured kernel
// interpolation; Wilson & Nickisch 2015, arXiv:1503.01057). With ℓ the functions that
// interpolate from the landmarks of the input, and m those of the output,
//
//	∫ G(x,y) f(x) dx ≈ Σ_jk (∫ ℓ_j f dx) m_k(y) G(x_j,y_k)
//
// so that the pairs say what pairs on the landmarks do: of the inputs ∫ ℓ_j f dx, and of the
// outputs, with M = ∫ m mᵀ dy, the coefficients M⁻¹ ∫ m u dy of the nearest combination of
// the m, whose errors have the covariance M⁻¹. What no combination explains of the outputs is
// beyond the fit, of noise alone. The fit of these data is exact, with the kernel itself.
type reduction struct {
	in, out  *landmarks // nil: that side is as it is
	data     *dataset.Dataset
	beyond   beyond
	errors   *dataset.Errors // of the data that were given
	green    *mat.Dense      // G on the landmarks
	residual float64         // largest relative square of what landmarks leave of the kernel
}

// beyond is what data on landmarks leave of the outputs.
type beyond struct {
	Values  int     `json:"values"`  // how many values more there are
	Squares float64 `json:"squares"` // the mean of the pairs' squares of what is left, integrated
}

// marginal is the kernel of one side, the other held in the middle.
func marginal(k kernel.Kernel, x, y mesh.Mesh, input bool) (*kernel.Function, error) {
	full, names := lattice.Space(x, y), y.Names()
	first, end := full.Inputs, full.Dim()
	if input {
		first, end, names = 0, full.Inputs, x.Names()
	}
	return kernel.Compile(kernel.Restrict(k, full, first, end, lattice.Centre(x, y)), kernel.Space{Names: names})
}

// reduceInput gives the landmarks of the input their weights, ∫ ℓ_j² dx.
func (r *reduction) reduceInput(ctx context.Context, d *dataset.Dataset) (*array.Array, error) {
	f, _ := d.Matrices()
	n, count := d.N(), r.in.count()
	dx, own := d.InputMesh.Weights(), make([]float64, count)
	out := mat.NewDense(n, count, nil)
	left, err := r.in.eachCardinal(ctx, d.InputMesh, func(values *mat.Dense, lo, hi int) error {
		for j := range own {
			for i, v := range values.RawRowView(j) {
				own[j] += dx[lo+i] * v * v
			}
		}
		return linop.AddMul(ctx, out, weightedColumns(f, dx, lo, hi), values.T())
	})
	if err != nil {
		return nil, err
	}
	r.residual = max(r.residual, left)
	if r.in.mesh, err = scatteredLike(d.InputMesh, r.in.mesh.Points(), own); err != nil {
		return nil, err
	}
	overColumns(out, own)
	return array.FromMatrix(out), nil
}

// reduceOutput returns the outputs at the landmarks and the covariance of their errors. Their
// weights make the errors of white noise there ones of variance one.
func (r *reduction) reduceOutput(ctx context.Context, d *dataset.Dataset) (*array.Array, *dataset.Errors, error) {
	my, count, n := d.OutputMesh.Size(), r.out.count(), d.N()
	dy := d.OutputMesh.Weights()
	pairs := []float64(nil)
	if d.Errors != nil {
		if pairs = d.Errors.Pairs; d.Errors.Points != nil {
			floats.Mul(dy, d.Errors.Points)
		}
	}
	_, u := d.Matrices()
	b, m := mat.NewDense(n, count, nil), mat.NewDense(count, count, nil)
	left, err := r.out.eachCardinal(ctx, d.OutputMesh, func(values *mat.Dense, lo, hi int) error {
		if err := linop.AddMul(ctx, b, weightedColumns(u, dy, lo, hi), values.T()); err != nil {
			return err
		}
		return linop.AddMul(ctx, m, weightedColumns(values, dy[lo:hi], 0, hi-lo), values.T())
	})
	if err != nil {
		return nil, nil, err
	}
	r.residual = max(r.residual, left)
	root, err := linop.Cholesky(ctx, linop.Symmetric(m))
	if err != nil {
		return nil, nil, fmt.Errorf("landmarks: %w", err)
	}
	inverse, err := upperInverse(ctx, root)
	if err != nil {
		return nil, nil, err
	}
	covariance := linop.Symmetric(linop.Product(ctx, inverse, inverse.T()))
	out := linop.Product(ctx, b, covariance)
	r.beyond.Values = n * (my - count)
	for i, p := range pairWeights(pairs, n) {
		all := 0.0
		for k, v := range u.RawRowView(i) {
			all += dy[k] * v * v
		}
		r.beyond.Squares += p / float64(n) * max(0, all-floats.Dot(out.RawRowView(i), b.RawRowView(i)))
	}
	weights := make([]float64, count)
	for k := range weights {
		weights[k] = 1 / covariance.At(k, k)
	}
	if r.out.mesh, err = scatteredLike(d.OutputMesh, r.out.mesh.Points(), weights); err != nil {
		return nil, nil, err
	}
	return array.FromMatrix(out), &dataset.Errors{Pairs: pairs, Covariance: covariance}, linop.Stopped(ctx)
}

func pairWeights(w []float64, n int) []float64 {
	if w == nil {
		return linop.Ones(n)
	}
	return w
}

// sizes are the numbers of points of the two sides.
func (r *reduction) sizes() (x, y int) { return r.data.InputMesh.Size(), r.data.OutputMesh.Size() }

// input returns functions on a mesh on the landmarks, where these are fewer.
func (r *reduction) input(ctx context.Context, f *mat.Dense, xs mesh.Mesh) (*mat.Dense, mesh.Mesh, error) {
	if r == nil || r.in == nil || xs.Size() <= r.in.count() {
		return f, xs, nil
	}
	on, err := r.in.gather(ctx, f, xs)
	return on, r.in.mesh, err
}

// respond returns ∫ G f: on the landmarks, where a mesh has more points, elsewhere by G itself.
func (r *reduction) respond(ctx context.Context, g *lattice.Expansion, f *mat.Dense, xs, ys mesh.Mesh) (*mat.Dense, error) {
	on, x, err := r.input(ctx, f, xs)
	if err != nil {
		return nil, err
	}
	if r == nil || r.out == nil || ys.Size() <= r.out.count() {
		return g.Respond(ctx, on, x, ys)
	}
	var u *mat.Dense
	if r.in != nil && x.Equal(r.in.mesh) {
		u = linop.Product(ctx, weightedColumns(on, x.Weights(), 0, x.Size()), r.green)
	} else if u, err = g.Respond(ctx, on, x, r.out.mesh); err != nil {
		return nil, err
	}
	return r.out.extend(ctx, u, ys)
}

// values returns G: where a mesh has more points than there are landmarks, interpolated.
func (r *reduction) values(ctx context.Context, g *lattice.Expansion, xs, ys mesh.Mesh) (*mat.Dense, error) {
	if r == nil {
		return g.On(ctx, xs, ys)
	}
	x, y := xs, ys
	manyX, manyY := r.in != nil && xs.Size() > r.in.count(), r.out != nil && ys.Size() > r.out.count()
	if manyX {
		x = r.in.mesh
	}
	if manyY {
		y = r.out.mesh
	}
	v, err := g.On(ctx, x, y)
	if err == nil && manyY {
		v, err = r.out.extend(ctx, v, ys)
	}
	if err == nil && manyX {
		v, err = r.in.extend(ctx, mat.DenseCopyOf(v.T()), xs)
		if err == nil {
			v = mat.DenseCopyOf(v.T())
		}
	}
	return v, err
}
