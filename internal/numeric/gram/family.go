package gram

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Family is the structure of kernels of functions times those of parameters.
const Family Structure = "family"

func familyStructure() structure {
	return structure{
		name: Family, given: true, apt: always, make: (*chooser).familyProduct,
		why:   func(*chooser, Product) string { return "the kernel is one of functions times one of parameters" },
		lacks: func(g *chooser) string { return fmt.Sprintf("%s is no family on these meshes", g.f.Kernel) },
	}
}

// family is the kernel of functions G_θ: that of the functions, K on X × Y, with its own
// structure, between all pairs of parameters, times that of the parameters.
type family struct {
	checked
	g        *chooser
	k        Product
	p        *mat.Dense // between the parameters, nθ × nθ
	nx, np   int
	my       int
	describe string
}

// familyParts are the kernel of functions and that of parameters, each on its mesh.
type familyParts struct {
	field, parameter *kernels.Function
	x, params        mesh.Mesh
}

// partsOfFamily returns nil for other kernels, and where the parameters are no axis of their own.
func partsOfFamily(f *kernels.Function, x mesh.Mesh) (parts *familyParts, err error) {
	k, ok := f.Kernel.(kernels.OfParameter)
	if !ok {
		return nil, nil
	}
	axes := x.Axes()
	last := axes[len(axes)-1]
	if last.Dim() != k.Parameters || len(axes) < 2 {
		return nil, nil
	}
	parts = &familyParts{}
	if parts.x, err = mesh.New(axes[:len(axes)-1]...); err != nil {
		return nil, err
	}
	if parts.params, err = mesh.New(last); err != nil {
		return nil, err
	}
	field, parameter, err := k.Split(f.Space)
	if err != nil {
		return nil, err
	}
	if parts.field, err = kernels.Compile(k.Kernel, field); err != nil {
		return nil, err
	}
	parts.parameter, err = kernels.Compile(k.Parameter, parameter)
	return parts, err
}

// family returns nil for other kernels, and where the parameters are no axis of their own.
func (g *chooser) family() (*family, error) {
	of, err := partsOfFamily(g.f, g.x)
	if of == nil || err != nil {
		return nil, err
	}
	s := &family{g: g, nx: of.x.Size(), np: of.params.Size(), my: g.y.Size()}
	if s.k, err = g.ofPart(of.field, of.x, g.y); err != nil {
		return nil, err
	}
	if s.p, err = of.parameter.Gram(g.ctx, of.params, of.params); err != nil {
		return nil, err
	}
	s.describe = fmt.Sprintf("%s for each of %d parameters", s.k.Describe(), s.np)
	return s, nil
}

// roughFamily has functions whose Diagonal is rough.
type roughFamily struct{ *family }

// Rough implements Rough.
func (roughFamily) Rough() {}

func (g *chooser) familyProduct() (Product, error) {
	s, err := g.family()
	if s == nil || err != nil {
		return nil, err
	}
	if _, rough := s.k.(Rough); rough {
		return roughFamily{s}, nil
	}
	return s, nil
}

// Dims implements linop.Operator.
func (s *family) Dims() (r, c int) {
	n := s.nx * s.np * s.my
	return n, n
}

// Apply implements linop.Operator. The parameter is the last axis of the input.
func (s *family) Apply(ctx context.Context, dst, w []float64) {
	one := make([]float64, s.nx*s.my)
	out := make([]float64, len(one))
	mixed := mat.NewDense(s.np, s.my, nil)
	for x := range s.nx { // first the parameters, then the functions
		at := mat.NewDense(s.np, s.my, w[x*s.np*s.my:(x+1)*s.np*s.my])
		if linop.MulContext(ctx, mixed, s.p, at) != nil {
			return
		}
		mat.NewDense(s.np, s.my, dst[x*s.np*s.my:(x+1)*s.np*s.my]).Copy(mixed)
	}
	for p := range s.np {
		for x := range s.nx {
			copy(one[x*s.my:(x+1)*s.my], dst[(x*s.np+p)*s.my:])
		}
		s.k.Apply(ctx, out, one)
		for x := range s.nx {
			copy(dst[(x*s.np+p)*s.my:(x*s.np+p+1)*s.my], out[x*s.my:])
		}
	}
}

// Describe implements linop.Describer.
func (s *family) Describe() string { return s.describe }

func (s *family) entries(dst []float64, i, j []int) {
	c, ok := s.k.(compressed)
	if !ok {
		s.g.f.Block(dst, columns(s.g.to, i), columns(s.g.from, j))
		return
	}
	split := func(i int) (field, parameter int) {
		x, y := i/s.my, i%s.my
		return x/s.np*s.my + y, x % s.np
	}
	row, column, factor := make([]int, len(i)), make([]int, len(j)), make([]float64, len(dst))
	for k := range dst {
		var a, b int
		row[k], a = split(i[k])
		column[k], b = split(j[k])
		factor[k] = s.p.At(a, b)
	}
	c.entries(dst, row, column)
	for k, v := range factor {
		dst[k] *= v
	}
}

func (s *family) certain() bool {
	c, ok := s.k.(compressed)
	return !ok || c.certain()
}

// Diagonal implements Product.
func (s *family) Diagonal(ctx context.Context, v Basis) (Diagonal, error) {
	d, err := s.k.Diagonal(ctx, v)
	if err != nil {
		return nil, err
	}
	root, err := symmetricRoot(ctx, s.p)
	return &familyDiagonal{s: s, d: d, root: root}, err
}

// symmetricRoot is L with L Lᵀ = p, for a positive semi-definite p.
func symmetricRoot(ctx context.Context, p *mat.Dense) (*mat.Dense, error) {
	values, v, err := linop.Eigen(ctx, p)
	if err != nil {
		return nil, err
	}
	v.Apply(func(_, j int, x float64) float64 { return x * math.Sqrt(max(values[j], 0)) }, v)
	return v, nil
}

// familyDiagonal is C_k ⊗ P.
type familyDiagonal struct {
	s    *family
	d    Diagonal
	root *mat.Dense
}

// Sum implements Diagonal.
func (d *familyDiagonal) Sum(ctx context.Context) (*mat.SymDense, error) {
	own, err := d.d.Sum(ctx)
	if err != nil {
		return nil, err
	}
	var all mat.Dense
	all.Kronecker(own, d.s.p)
	return linop.Symmetric(&all), nil
}

// Within implements Within: with P = L Lᵀ it is a sum over the columns of L.
func (d *familyDiagonal) Within(ctx context.Context, b *mat.Dense) (*mat.Dense, error) {
	own, err := d.d.Sum(ctx)
	if err != nil {
		return nil, err
	}
	turned, err := d.turned(ctx, b)
	if err != nil {
		return nil, err
	}
	_, r := b.Dims()
	sum := mat.NewDense(r, r, nil)
	var t mat.Dense
	for l := range d.s.np { // columns of turned are (i, l)
		part := mat.NewDense(d.s.nx, r, nil)
		for x := range d.s.nx {
			for i := range r {
				part.Set(x, i, turned.At(x, i*d.s.np+l))
			}
		}
		if err := linop.MulContext(ctx, &t, own, part); err != nil {
			return nil, err
		}
		if err := linop.AddMul(ctx, sum, part.T(), &t); err != nil {
			return nil, err
		}
	}
	return sum, nil
}

// turned is nx × (r nθ): the columns of b as functions of x and θ, times L.
func (d *familyDiagonal) turned(ctx context.Context, b *mat.Dense) (*mat.Dense, error) {
	_, r := b.Dims()
	out := mat.NewDense(d.s.nx, r*d.s.np, nil)
	for x := range d.s.nx {
		at := b.Slice(x*d.s.np, (x+1)*d.s.np, 0, r)
		if err := linop.MulContext(ctx, mat.NewDense(r, d.s.np, out.RawRowView(x)), at.T(), d.root); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Forms implements Diagonal.
func (d *familyDiagonal) Forms(ctx context.Context, b *mat.Dense) (*mat.Dense, error) {
	turned, err := d.turned(ctx, b)
	if err != nil {
		return nil, err
	}
	each, err := d.d.Forms(ctx, turned)
	if err != nil {
		return nil, err
	}
	_, r := b.Dims()
	forms := mat.NewDense(r, d.s.my, nil)
	for i := range r {
		row := forms.RawRowView(i)
		for l := range d.s.np {
			for k, v := range each.RawRowView(i*d.s.np + l) {
				row[k] += v
			}
		}
	}
	return forms, nil
}
