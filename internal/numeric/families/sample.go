package families

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Data are pairs of functions on meshes.
type Data struct {
	Input, Output *mat.Dense // n × points of X, n × points of Y; nothing missing
	X, Y          mesh.Mesh
	Centred       bool // there is a bias: means over the pairs say nothing of G

	Pairs []float64  // square roots of their weights; nil: ones
	R     *mat.Dense // takes dy^½ times the errors of a pair to white noise; nil: they are white
}

const (
	mostRows  = 80  // directions of the inputs that candidates are compared in
	mostModes = 80  // modes of the outputs
	mostJoint = 256 // modes of outputs of several coordinates
)

// sample is what candidates are compared on. With dx, dy the weights of the meshes and P
// and V orthonormal,
//
//	B = Pᵀ F dx / √n ,   T = Pᵀ U dy^½ Rᵀ V / √n
//
// where P spans the largest directions of the inputs, and V smooth functions of the
// output, or everything where that is little. Both are chosen without a look at the
// outputs' values, so white noise stays white.
type sample struct {
	x, y   mesh.Mesh
	b      *mat.Dense // r × points of X
	t      *mat.Dense // r × modes
	modes  *mat.Dense // dy^½ Rᵀ V, points of Y × modes
	pairs  float64
	beyond float64    // directions of the pairs that P leaves out
	rest   *mat.Dense // the outputs' products in these, modes × modes; nil: none
}

func newSample(ctx context.Context, d Data) (*sample, error) {
	n, _ := d.Input.Dims()
	s := &sample{x: d.X, y: d.Y, pairs: float64(n)}
	b, u := d.scaled(d.Input, d.X.Weights()), d.scaled(d.Output, roots(d.Y.Weights()))
	if d.R != nil {
		u = linop.Product(ctx, u, d.R.T())
	}
	if err := s.makeModes(ctx, d); err != nil {
		return nil, err
	}
	t := linop.Product(ctx, u, s.modes)
	if d.R != nil {
		s.modes = linop.Product(ctx, d.R.T(), s.modes)
	}
	for k, w := range roots(d.Y.Weights()) {
		floats.Scale(w, s.modes.RawRowView(k))
	}
	s.b, s.t = b, t
	if rows, _ := b.Dims(); rows > mostRows {
		return s, s.project(ctx)
	}
	return s, linop.Stopped(ctx)
}

// project takes the largest directions of the inputs in place of the pairs.
func (s *sample) project(ctx context.Context) error {
	p, err := directions(ctx, s.b)
	if err != nil {
		return err
	}
	all, r := p.Dims()
	s.beyond = float64(all - r)
	t := linop.Product(ctx, p.T(), s.t)
	s.rest = linop.Product(ctx, s.t.T(), s.t)
	s.rest.Sub(s.rest, linop.Product(ctx, t.T(), t))
	s.b, s.t = linop.Product(ctx, p.T(), s.b), t
	return linop.Stopped(ctx)
}

// scaled is a matrix with its columns times w and its rows times the roots of their weights,
// over √rows. If centred, of its rows only orthonormal combinations to which a constant adds
// nothing, one fewer.
func (d Data) scaled(m *mat.Dense, w []float64) *mat.Dense {
	n, c := m.Dims()
	pairs := d.Pairs
	if pairs == nil {
		pairs = slices.Repeat([]float64{1}, n)
	}
	out := mat.NewDense(n, c, nil)
	mean, length := make([]float64, c), floats.Norm(pairs, 2)
	if d.Centred {
		for i := range n {
			floats.AddScaled(mean, pairs[i]/length*(pairs[i]/length), m.RawRowView(i))
		}
	}
	root := math.Sqrt(float64(n))
	for i := range n {
		row := out.RawRowView(i)
		for j, v := range m.RawRowView(i) {
			row[j] = (v - mean[j]) * w[j] * (pairs[i] / root)
		}
	}
	if !d.Centred || n == 1 {
		return out
	}
	for i := 1; i < n; i++ { // the reflection that takes the roots of the weights to the first row
		floats.AddScaled(out.RawRowView(i), pairs[i]/(length-pairs[0]), out.RawRowView(0))
	}
	return mat.DenseCopyOf(out.Slice(1, n, 0, c))
}

// directions returns orthonormal combinations of the pairs, those of the largest inputs.
func directions(ctx context.Context, b *mat.Dense) (*mat.Dense, error) {
	n, _ := b.Dims()
	values, vectors, err := linop.Eigen(ctx, linop.Product(ctx, b, b.T()))
	if err != nil {
		return nil, err
	}
	const rounding = 1e-13
	from := n - mostRows
	for from < n-1 && values[from] <= rounding*values[n-1] {
		from++
	}
	return mat.DenseCopyOf(vectors.Slice(0, n, from, n)), nil
}

// makeModes finds V: the identity, or, on fine meshes, the span of a rough kernel around
// some of the points.
func (s *sample) makeModes(ctx context.Context, d Data) error {
	y := d.Y
	m, most := y.Size(), mostModes
	if y.Dim() > 1 {
		most = mostJoint
	}
	if m <= most {
		s.modes = linop.Identity(m)
		return nil
	}
	coordinates := mat.NewDense(most, y.Dim(), nil)
	for i := range most { // a low-discrepancy choice among the points of any mesh
		y.Point(coordinates.RawRowView(i), int(math.Mod(0.5+float64(i)*0.6180339887498949, 1)*float64(m)))
	}
	landmarks, err := mesh.Scattered(coordinates.RawMatrix().Data, y.Dim(), nil, y.Names()...)
	if err != nil {
		return err
	}
	f, err := kernels.Compile(kernel.Matern{Nu: 1.5, Lengthscale: fractions(boxLengths(y), 0.5)}, kernel.Space{Names: y.Names()})
	if err != nil {
		return err
	}
	g, err := f.Gram(ctx, y, mesh.Must(landmarks, nil))
	if err != nil {
		return err
	}
	for k, w := range roots(y.Weights()) {
		floats.Scale(w, g.RawRowView(k))
	}
	if d.R != nil {
		g = linop.Product(ctx, d.R, g)
	}
	s.modes, _, err = linop.QR(ctx, g)
	return err
}

func roots(w []float64) []float64 {
	out := make([]float64, len(w))
	for i, v := range w {
		out[i] = math.Sqrt(v)
	}
	return out
}

// boxLengths are the lengths of the box of a mesh, one for each coordinate.
func boxLengths(m mesh.Mesh) []float64 {
	var l []float64
	for _, a := range m.Axes() {
		for i := range a.Lower {
			length := a.Upper[i] - a.Lower[i]
			if length == 0 {
				length = 1 // one point: nothing depends on it
			}
			l = append(l, length)
		}
	}
	return l
}

func fractions(lengths []float64, f float64) kernel.Lengthscale {
	out := make(kernel.Lengthscale, len(lengths))
	for i, l := range lengths {
		out[i] = f * l
	}
	return out
}

func transposed(m *mat.Dense) *mat.Dense { return mat.DenseCopyOf(m.T()) }
