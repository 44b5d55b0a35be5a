package landmarks

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/lattice"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Reduction is the data of a fit on landmarks of their meshes (structured kernel
// interpolation; Wilson & Nickisch 2015, arXiv:1503.01057). With ℓ the functions that
// interpolate from the landmarks of the input, and m those of the output,
//
//	∫ G(x,y) f(x) dx ≈ Σ_jk (∫ ℓ_j f dx) m_k(y) G(x_j,y_k)
//
// so that the pairs say what pairs on the landmarks do: of the inputs ∫ ℓ_j f dx, and of the
// outputs, with M = ∫ m mᵀ dy, the coefficients M⁻¹ ∫ m u dy of the nearest combination of
// the m, whose errors have the covariance M⁻¹. What no combination explains of the outputs is
// beyond the fit, of noise alone. The fit of these data is exact, with the kernel itself.
type Reduction struct {
	In, Out  *Set // nil: that side is as it is
	Data     *dataset.Dataset
	Beyond   Beyond
	Errors   *dataset.Errors // of the data that were given
	Green    *mat.Dense      // G on the landmarks; nil until it is known
	Residual float64         // largest relative square of what landmarks leave of the kernel
}

// Beyond is what data on landmarks leave of the outputs.
type Beyond struct {
	Values  int     `json:"values"`  // how many values more there are
	Squares float64 `json:"squares"` // the mean of the pairs' squares of what is left, integrated, each times its weight
	Left    float64 `json:"left"`    // the same without weights
	Around  float64 `json:"around"`  // the same of what is left of outputs less their mean
}

// Marginal is the kernel of one side, the input or the output, the other held in the middle.
func Marginal(k kernel.Kernel, x, y mesh.Mesh, input bool) (*kernels.Function, error) {
	full, names := lattice.Space(x, y), y.Names()
	first, end := full.Inputs, full.Dim()
	if input {
		first, end, names = 0, full.Inputs, x.Names()
	}
	return kernels.Compile(kernels.Restrict(k, full, first, end, lattice.Centre(x, y)), kernel.Space{Names: names})
}

// Reduce takes data with a kernel to landmarks at points of their meshes, by their numbers; nil: that side stays as it is.
func Reduce(ctx context.Context, d *dataset.Dataset, k kernel.Kernel, in, out []int) (r *Reduction, err error) {
	r = &Reduction{Errors: d.Errors}
	spec := dataset.Spec{Input: d.Input, Output: d.Output, InputMesh: d.InputMesh, OutputMesh: d.OutputMesh}
	set := func(on mesh.Mesh, input bool, at []int) (*Set, error) {
		f, err := Marginal(k, d.InputMesh, d.OutputMesh, input)
		if err != nil {
			return nil, err
		}
		return newSet(ctx, f, on, at)
	}
	if in != nil {
		if r.In, err = set(d.InputMesh, true, in); err != nil {
			return nil, err
		}
		if spec.Input, err = r.reduceInput(ctx, d); err != nil {
			return nil, err
		}
		spec.InputMesh = r.In.Mesh
	}
	errors := &dataset.Errors{}
	if d.Errors != nil {
		*errors = *d.Errors
	}
	if out != nil {
		if r.Out, err = set(d.OutputMesh, false, out); err != nil {
			return nil, err
		}
		if spec.Output, errors, err = r.reduceOutput(ctx, d); err != nil {
			return nil, err
		}
		spec.OutputMesh = r.Out.Mesh
	}
	if r.Data, err = dataset.New(spec); err != nil {
		return nil, err
	}
	r.Data, err = r.Data.WithErrors(errors)
	return r, err
}

// reduceInput gives the landmarks of the input their weights, ∫ ℓ_j² dx.
func (r *Reduction) reduceInput(ctx context.Context, d *dataset.Dataset) (*array.Array, error) {
	f, _ := d.Matrices()
	n, count := d.N(), r.In.count()
	dx, own := d.InputMesh.Weights(), make([]float64, count)
	out := mat.NewDense(n, count, nil)
	left, err := r.In.eachCardinal(ctx, d.InputMesh, func(values *mat.Dense, lo, hi int) error {
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
	r.Residual = max(r.Residual, left)
	if r.In.Mesh, err = scatteredLike(d.InputMesh, r.In.Mesh.Points(), own); err != nil {
		return nil, err
	}
	overColumns(out, own)
	return array.FromMatrix(out), nil
}

// reduceOutput returns the outputs at the landmarks and the covariance of their errors. Their
// weights make the errors of white noise there ones of variance one.
func (r *Reduction) reduceOutput(ctx context.Context, d *dataset.Dataset) (*array.Array, *dataset.Errors, error) {
	count, n := r.Out.count(), d.N()
	dy := d.OutputMesh.Weights()
	pairs := []float64(nil)
	if d.Errors != nil {
		if pairs = d.Errors.Pairs; d.Errors.Points != nil {
			floats.Mul(dy, d.Errors.Points)
		}
	}
	_, u := d.Matrices()
	b, m := mat.NewDense(n, count, nil), mat.NewDense(count, count, nil)
	left, err := r.Out.eachCardinal(ctx, d.OutputMesh, func(values *mat.Dense, lo, hi int) error {
		if err := linop.AddMul(ctx, b, weightedColumns(u, dy, lo, hi), values.T()); err != nil {
			return err
		}
		return linop.AddMul(ctx, m, weightedColumns(values, dy[lo:hi], 0, hi-lo), values.T())
	})
	if err != nil {
		return nil, nil, err
	}
	r.Residual = max(r.Residual, left)
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
	r.Beyond = beyond(u, out, b, dy, pairWeights(pairs, n))
	weights := make([]float64, count)
	for k := range weights {
		weights[k] = 1 / covariance.At(k, k)
	}
	if r.Out.Mesh, err = scatteredLike(d.OutputMesh, r.Out.Mesh.Points(), weights); err != nil {
		return nil, nil, err
	}
	return array.FromMatrix(out), &dataset.Errors{Pairs: pairs, Covariance: covariance}, linop.Stopped(ctx)
}

// beyond are the squares of outputs u that their combinations leave, of coefficients out and products b with the functions of
// the landmarks.
func beyond(u, out, b *mat.Dense, dy, pairs []float64) Beyond {
	n, my := u.Dims()
	_, count := out.Dims()
	mean := make([][]float64, 3)
	for a, m := range []*mat.Dense{u, out, b} {
		_, columns := m.Dims()
		mean[a] = make([]float64, columns)
		for i := range n {
			floats.AddScaled(mean[a], 1/float64(n), m.RawRowView(i))
		}
	}
	left := func(rows ...[]float64) float64 {
		all := 0.0
		for k, v := range rows[0] {
			all += dy[k] * v * v
		}
		return max(0, all-floats.Dot(rows[1], rows[2]))
	}
	r := Beyond{Values: n * (my - count)}
	for i, p := range pairs {
		own := left(u.RawRowView(i), out.RawRowView(i), b.RawRowView(i)) / float64(n)
		r.Squares, r.Left = r.Squares+p*own, r.Left+own
	}
	r.Around = max(0, r.Left-left(mean...))
	return r
}

func pairWeights(w []float64, n int) []float64 {
	if w == nil {
		return linop.Ones(n)
	}
	return w
}

// Input returns functions on a mesh on the landmarks, where these are fewer.
func (r *Reduction) Input(ctx context.Context, f *mat.Dense, xs mesh.Mesh) (*mat.Dense, mesh.Mesh, error) {
	if r == nil || r.In == nil || xs.Size() <= r.In.count() {
		return f, xs, nil
	}
	on, err := r.In.gather(ctx, f, xs)
	return on, r.In.Mesh, err
}

// Respond returns ∫ G f: on the landmarks, where a mesh has more points, elsewhere by G itself.
func (r *Reduction) Respond(ctx context.Context, g *lattice.Expansion, f *mat.Dense, xs, ys mesh.Mesh) (*mat.Dense, error) {
	on, x, err := r.Input(ctx, f, xs)
	if err != nil {
		return nil, err
	}
	if r == nil || r.Out == nil || ys.Size() <= r.Out.count() {
		return g.Respond(ctx, on, x, ys)
	}
	var u *mat.Dense
	if r.In != nil && x.Equal(r.In.Mesh) {
		u = linop.Product(ctx, weightedColumns(on, x.Weights(), 0, x.Size()), r.Green)
	} else if u, err = g.Respond(ctx, on, x, r.Out.Mesh); err != nil {
		return nil, err
	}
	return r.Out.extend(ctx, u, ys)
}

// Values returns G: where a mesh has more points than there are landmarks, interpolated.
func (r *Reduction) Values(ctx context.Context, g *lattice.Expansion, xs, ys mesh.Mesh) (*mat.Dense, error) {
	if r == nil {
		return g.On(ctx, xs, ys)
	}
	x, y := xs, ys
	manyX, manyY := r.In != nil && xs.Size() > r.In.count(), r.Out != nil && ys.Size() > r.Out.count()
	if manyX {
		x = r.In.Mesh
	}
	if manyY {
		y = r.Out.Mesh
	}
	v, err := g.On(ctx, x, y)
	if err == nil && manyY {
		v, err = r.Out.extend(ctx, v, ys)
	}
	if err == nil && manyX {
		v, err = r.In.extend(ctx, mat.DenseCopyOf(v.T()), xs)
		if err == nil {
			v = mat.DenseCopyOf(v.T())
		}
	}
	return v, err
}
