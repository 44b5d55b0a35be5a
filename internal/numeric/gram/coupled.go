package gram

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Coupled is the structure of kernels of several outputs at once.
const Coupled Structure = "coupled"

func coupledStructure() structure {
	return structure{
		name: Coupled, given: true, apt: always, make: (*chooser).coupledProduct,
		why:   func(*chooser, Product) string { return "the outputs have one kernel, times a covariance between them" },
		lacks: func(g *chooser) string { return fmt.Sprintf("%s couples no outputs on these meshes", g.f.Kernel) },
	}
}

// coupled is the kernel of each of several outputs, K on X × Y, with its own structure, times
// the covariance B between the outputs, which are the first axis of the output.
type coupled struct {
	checked
	g      *chooser
	k      Product
	b      *mat.Dense // outputs × outputs
	nx, no int
	each   int // points of one output
}

// coupled returns nil for other kernels, and where the outputs are no axis of their own.
func (g *chooser) coupled() (*coupled, error) {
	k, ok := g.f.Kernel.(kernels.Coregional)
	if !ok {
		return nil, nil
	}
	axes := g.y.Axes()
	if axes[0].Dim() != 1 || len(axes) < 2 || k.Kernel == nil {
		return nil, nil
	}
	y, err := mesh.New(axes[1:]...)
	if err != nil {
		return nil, err
	}
	space, err := k.Each(g.f.Space)
	if err != nil {
		return nil, err
	}
	f, err := kernels.Compile(k.Kernel, space)
	if err != nil {
		return nil, err
	}
	s := &coupled{g: g, nx: g.x.Size(), no: axes[0].Size(), each: y.Size(), b: k.Between(axes[0].Coordinates)}
	s.k, err = g.ofPart(f, g.x, y)
	return s, err
}

// roughCoupled has outputs whose Diagonal is rough.
type roughCoupled struct{ *coupled }

// Rough implements Rough.
func (roughCoupled) Rough() {}

// factoredCoupled has outputs whose kernel is a Kronecker sum.
type factoredCoupled struct {
	*coupled
	left  Factored
	right []mat.Matrix
}

func (g *chooser) coupledProduct() (Product, error) {
	s, err := g.coupled()
	if s == nil || err != nil {
		return nil, err
	}
	k, factored := s.k.(Factored)
	_, rough := s.k.(Rough)
	switch {
	case rough:
		return roughCoupled{s}, nil
	case !factored || k.Terms()*s.no*s.no*s.each*s.each > maxPairs:
		return s, nil
	}
	f := &factoredCoupled{coupled: s, left: k}
	for q := range k.Terms() {
		var both mat.Dense
		both.Kronecker(s.b, k.Right(q))
		f.right = append(f.right, &both)
	}
	return f, nil
}

// Terms implements Factored.
func (f *factoredCoupled) Terms() int { return len(f.right) }

// Left implements Factored.
func (f *factoredCoupled) Left(q int) mat.Matrix { return f.left.Left(q) }

// Right implements Factored.
func (f *factoredCoupled) Right(q int) mat.Matrix { return f.right[q] }

// Dims implements linop.Operator.
func (s *coupled) Dims() (r, c int) {
	n := s.nx * s.no * s.each
	return n, n
}

// Apply implements linop.Operator: first the kernel of each output, then B.
func (s *coupled) Apply(ctx context.Context, dst, w []float64) {
	one, out := make([]float64, s.nx*s.each), make([]float64, s.nx*s.each)
	all := make([]float64, len(w))
	for o := range s.no {
		for x := range s.nx {
			copy(one[x*s.each:(x+1)*s.each], w[(x*s.no+o)*s.each:])
		}
		s.k.Apply(ctx, out, one)
		for x := range s.nx {
			copy(all[(x*s.no+o)*s.each:(x*s.no+o+1)*s.each], out[x*s.each:])
		}
	}
	for x := range s.nx {
		lo, hi := x*s.no*s.each, (x+1)*s.no*s.each
		if linop.MulContext(ctx, mat.NewDense(s.no, s.each, dst[lo:hi]), s.b, mat.NewDense(s.no, s.each, all[lo:hi])) != nil {
			return
		}
	}
}

// Describe implements linop.Describer.
func (s *coupled) Describe() string {
	return fmt.Sprintf("%s for each of %d outputs", s.k.Describe(), s.no)
}

func (s *coupled) entries(dst []float64, i, j []int) {
	c, ok := s.k.(compressed)
	if !ok {
		s.g.f.Block(dst, columns(s.g.to, i), columns(s.g.from, j))
		return
	}
	split := func(i int) (point, output int) {
		x, y := i/(s.no*s.each), i%(s.no*s.each)
		return x*s.each + y%s.each, y / s.each
	}
	row, column, factor := make([]int, len(i)), make([]int, len(j)), make([]float64, len(dst))
	for k := range dst {
		var a, b int
		row[k], a = split(i[k])
		column[k], b = split(j[k])
		factor[k] = s.b.At(a, b)
	}
	c.entries(dst, row, column)
	for k, v := range factor {
		dst[k] *= v
	}
}

func (s *coupled) certain() bool {
	c, ok := s.k.(compressed)
	return !ok || c.certain()
}

// Diagonal implements Product: the vectors are those of the outputs times those of the points.
func (s *coupled) Diagonal(ctx context.Context, v Basis) (Diagonal, error) {
	d, err := s.k.Diagonal(ctx, v[1:])
	if err != nil {
		return nil, err
	}
	bv := linop.Product(ctx, s.b, v[0])
	return coupledDiagonal{d, columnDots(v[0], bv)}, linop.Stopped(ctx)
}

// coupledDiagonal is C of one output times what B is in each vector of the outputs.
type coupledDiagonal struct {
	d     Diagonal
	times []float64
}

// Sum implements Diagonal.
func (d coupledDiagonal) Sum(ctx context.Context) (*mat.SymDense, error) {
	own, err := d.d.Sum(ctx)
	if err != nil {
		return nil, err
	}
	own.ScaleSym(floats.Sum(d.times), own)
	return own, nil
}

// Within implements Within.
func (d coupledDiagonal) Within(ctx context.Context, b *mat.Dense) (*mat.Dense, error) {
	own, err := SumWithin(ctx, d.d, b)
	if err != nil {
		return nil, err
	}
	own.Scale(floats.Sum(d.times), own)
	return own, nil
}

// Forms implements Diagonal.
func (d coupledDiagonal) Forms(ctx context.Context, b *mat.Dense) (*mat.Dense, error) {
	own, err := d.d.Forms(ctx, b)
	if err != nil {
		return nil, err
	}
	r, each := own.Dims()
	forms := mat.NewDense(r, len(d.times)*each, nil)
	for i := range r {
		for o, t := range d.times {
			floats.AddScaled(forms.RawRowView(i)[o*each:(o+1)*each], t, own.RawRowView(i))
		}
	}
	return forms, nil
}
