package fit

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/lattice"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/mesh"
)

// G as an integral operator: its action and that of its adjoint, its singular
// functions, its slices, its derivatives.

// Apply returns ∫ G(x,y) f(x) dx: Predict without the bias, n × ys.Size for n
// inputs on xs.
func (e *Estimate) Apply(ctx context.Context, f *mat.Dense, xs, ys mesh.Mesh) (*mat.Dense, error) {
	xs, ys, err := e.meshesFor(f, xs, ys)
	if err != nil {
		return nil, err
	}
	return e.respond(ctx, f, xs, ys)
}

// Adjoint is the adjoint of the operator of an estimate.
type Adjoint struct{ Estimate *Estimate }

// Apply returns ∫ G(x,y) v(y) dy for functions v on ys, one in each row, with the
// quadrature of ys: n × xs.Size. Meshes without points stand for those trained on.
func (a Adjoint) Apply(ctx context.Context, v *mat.Dense, ys, xs mesh.Mesh) (*mat.Dense, error) {
	xs, ys, err := a.Estimate.meshes(xs, ys)
	if err != nil {
		return nil, err
	}
	if _, m := v.Dims(); m != ys.Size() {
		return nil, fmt.Errorf("v: has %d values per function, must be %d, one per point of the output mesh; give ymesh for functions on another mesh", m, ys.Size())
	}
	g, err := a.Estimate.Green(ctx, xs, ys)
	if err != nil {
		return nil, err
	}
	weighted := mat.DenseCopyOf(v)
	linop.TimesRows(weighted.RawMatrix().Data, ys.Weights())
	return linop.Product(ctx, weighted, g.T()), linop.Stopped(ctx)
}

// SVD is G(x,y) = Σ_k Values[k] Left_k(x) Right_k(y), functions orthonormal in L²
// by the quadrature of their meshes: an input Left_k gives the output
// Values[k] Right_k.
type SVD struct {
	Values []float64  // largest first
	Left   *mat.Dense // k × points of the input mesh
	Right  *mat.Dense // k × points of the output mesh
}

// SVD returns the k largest singular values of G on xs × ys and their functions,
// all for k = 0. The sign is such that each Left has a positive integral, or a
// positive first value other than zero where that integral is zero.
// O(min(m)² max(m)).
func (e *Estimate) SVD(ctx context.Context, k int, xs, ys mesh.Mesh) (*SVD, error) {
	xs, ys, err := e.meshes(xs, ys)
	if err != nil {
		return nil, err
	}
	g, err := e.Green(ctx, xs, ys)
	if err != nil {
		return nil, err
	}
	most := min(xs.Size(), ys.Size())
	if k < 0 || k > most {
		return nil, fmt.Errorf("k %d: must be at least 1 and at most %d, the points of the smaller mesh", k, most)
	}
	if k == 0 {
		k = most
	}
	dx, dy := linop.Roots(xs.Weights()), linop.Roots(ys.Weights())
	g.Apply(func(i, j int, v float64) float64 { return v * dx[i] * dy[j] }, g)
	u, values, v, err := linop.SVD(ctx, g)
	if err != nil {
		return nil, fmt.Errorf("svd: %w", err)
	}
	out := &SVD{Values: values[:k], Left: singular(u, k, dx), Right: singular(v, k, dy)}
	for i := range k {
		if left := out.Left.RawRowView(i); negative(left, xs.Weights()) {
			floats.Scale(-1, left)
			floats.Scale(-1, out.Right.RawRowView(i))
		}
	}
	return out, nil
}

// singular divides the first k columns by the square roots of the weights; a
// point without weight gets zero.
func singular(u *mat.Dense, k int, root []float64) *mat.Dense {
	out := mat.NewDense(k, len(root), nil)
	out.Apply(func(i, j int, _ float64) float64 {
		if root[j] == 0 {
			return 0
		}
		return u.At(j, i) / root[j]
	}, out)
	return out
}

func negative(f, w []float64) bool {
	const rounding = 1e-9
	integral, size := floats.Dot(f, w), 0.0
	for i, v := range f {
		size += math.Abs(v) * w[i]
	}
	if math.Abs(integral) > rounding*size {
		return integral < 0
	}
	first := slices.IndexFunc(f, func(v float64) bool { return math.Abs(v) > rounding*size })
	return first >= 0 && f[first] < 0
}

// Slice evaluates G where some coordinates, named as those of the kernel, are
// held at given values and the others run over the meshes trained on. The values
// are in the order of the points of the returned mesh.
func (e *Estimate) Slice(ctx context.Context, at map[string]float64) (values []float64, rest mesh.Mesh, err error) {
	names := lattice.Space(e.InputMesh, e.OutputMesh).Names
	for name := range at {
		if !slices.Contains(names, name) {
			return nil, rest, fmt.Errorf("no coordinate %q: the coordinates of G are %s", name, strings.Join(names, ", "))
		}
	}
	nx := e.InputMesh.Dim()
	xs, freeX, err := heldAt(e.InputMesh, names[:nx], at)
	if err != nil {
		return nil, rest, err
	}
	ys, freeY, err := heldAt(e.OutputMesh, names[nx:], at)
	if err != nil {
		return nil, rest, err
	}
	free := append(freeX, freeY...)
	if len(free) == 0 {
		return nil, rest, fmt.Errorf("all coordinates are held, so nothing is left to run over; est(x, y) is the value at a point")
	}
	if rest, err = mesh.New(free...); err != nil {
		return nil, rest, err
	}
	g, err := e.Green(ctx, xs, ys)
	if err != nil {
		return nil, rest, err
	}
	return g.RawMatrix().Data, rest, nil
}

// heldAt replaces the axes whose coordinates are held by single points; free are the
// others, named as in the kernel.
func heldAt(m mesh.Mesh, names []string, at map[string]float64) (held mesh.Mesh, free []mesh.Axis, err error) {
	var axes []mesh.Axis
	for _, a := range m.Axes() {
		d := a.Dim()
		var p []float64
		for _, n := range names[:d] {
			if v, ok := at[n]; ok {
				p = append(p, v)
			}
		}
		own := a.Names
		a.Names = names[:d]
		switch len(p) {
		case 0:
			free = append(free, a)
		case d:
			if a, err = mesh.Scattered(p, d, []float64{1}, own...); err != nil {
				return held, nil, err
			}
		default:
			return held, nil, fmt.Errorf("the coordinates %s are scattered points: hold all of them or none", strings.Join(names[:d], ", "))
		}
		a.Names = own
		axes = append(axes, a)
		names = names[d:]
	}
	held, err = mesh.New(axes...)
	return held, free, err
}

// Span returns, for each input in a row of f on the mesh trained on, the share of
// its energy ∫ f² dx outside the span of the training inputs. Directions in which
// they have less than tolerance times the amplitude of their strongest direction do
// not count as trained on: what is learned there drowns in any noise.
func (e *Estimate) Span(ctx context.Context, f *mat.Dense, tolerance float64) ([]float64, error) {
	if e.learned == nil {
		return nil, e.noData("the span needs the training inputs")
	}
	if err := e.learned.spec.intact(); err != nil {
		return nil, err
	}
	d := e.learned.spec.Data
	n, m := f.Dims()
	if m != e.InputMesh.Size() {
		return nil, fmt.Errorf("f: has %d values per input, must be %d, one per point of the input mesh", m, e.InputMesh.Size())
	}
	if tolerance < 0 || tolerance >= 1 {
		return nil, fmt.Errorf("tolerance %g: must be at least 0 and less than 1", tolerance)
	}
	f, _, err := e.reduction.Input(ctx, f, e.InputMesh)
	if err != nil {
		return nil, err
	}
	in, _ := d.Matrices()
	root := linop.Roots(d.InputMesh.Weights())
	trained, asked := mat.DenseCopyOf(in), mat.DenseCopyOf(f)
	linop.TimesRows(trained.RawMatrix().Data, root)
	linop.TimesRows(asked.RawMatrix().Data, root)
	_, values, v, err := linop.SVD(ctx, trained)
	if err != nil {
		return nil, fmt.Errorf("the inputs: %w", err)
	}
	out := make([]float64, n)
	rank := linop.Rank(values, max(tolerance, 1e-14))
	for i := range out {
		row := asked.RawRowView(i)
		all := floats.Norm(row, 2)
		if err := linop.Stopped(ctx); err != nil {
			return nil, err
		}
		if all == 0 {
			continue
		}
		for k := range rank {
			direction := mat.Col(nil, k, v)
			floats.AddScaled(row, -floats.Dot(row, direction), direction)
		}
		left := floats.Norm(row, 2) / all
		out[i] = left * left
	}
	return out, nil
}

// Diff evaluates a derivative of G on xs × ys, once with respect to each of the
// named coordinates: {"y", "y"} is ∂²G/∂y². The derivative is that of the kernel,
// exact. A kernel that is not that smooth is refused.
func (e *Estimate) Diff(ctx context.Context, along []string, xs, ys mesh.Mesh) (*mat.Dense, error) {
	xs, ys, err := e.meshes(xs, ys)
	if err != nil {
		return nil, err
	}
	full := lattice.Space(e.InputMesh, e.OutputMesh)
	var slots []int
	for _, name := range along {
		i := slices.Index(full.Names, name)
		if i < 0 {
			return nil, fmt.Errorf("no coordinate %q: the coordinates of G are %s", name, strings.Join(full.Names, ", "))
		}
		slots = append(slots, i)
	}
	if err := e.green.CheckSmooth(slots); err != nil {
		return nil, err
	}
	d, err := e.green.Diff(ctx, slots, xs, ys)
	if err != nil {
		return nil, err
	}
	return e.prior.diff(ctx, d, along, xs, ys)
}
