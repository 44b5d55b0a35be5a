package gram

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Parts is the structure of direct sums.
const Parts Structure = "parts"

func partsStructure() structure {
	return structure{
		name: Parts, given: true, apt: always,
		make: func(g *chooser) (Product, error) {
			s, err := g.directSum()
			if s == nil || err != nil {
				return nil, err
			}
			return s.factored(), nil
		},
		why: func(*chooser, Product) string {
			return "the kernel is a direct sum, each part with a structure of its own"
		},
		lacks: func(g *chooser) string { return fmt.Sprintf("%s is no direct sum on these meshes", g.f.Kernel) },
	}
}

// directSum is a kernel of several functions as the block diagonal matrix of what each
// of them has, with its own structure.
type directSum struct {
	checked
	f     *kernels.Function // of the union
	g     *chooser
	parts []Product
	from  []int // first input point of each part, and their number at the end
	my    int
}

// directSum returns nil for other kernels, and at other points than those of the union. Weights of the
// output are not asked for: with errors of the points they are others, and a sum of parts in very different units that
// is taken for one matrix loses the smaller ones in the rounding of the larger.
func (g *chooser) directSum() (*directSum, error) {
	k, ok := g.f.Kernel.(kernels.DirectSum)
	if !ok {
		return nil, nil
	}
	union, err := k.Mesh()
	if err != nil || !union.Equal(g.x) || !samePoints(k.Output, g.y) {
		return nil, err
	}
	s := &directSum{f: g.f, g: g, my: g.y.Size(), from: []int{0}}
	for t, part := range k.Parts {
		f, err := kernels.Compile(part.Kernel, k.Space(t))
		if err != nil {
			return nil, err
		}
		p, err := g.ofPart(f, part.On, k.Output)
		if err != nil {
			return nil, err
		}
		s.parts, s.from = append(s.parts, p), append(s.from, s.from[t]+part.On.Size())
	}
	return s, nil
}

// samePoints reports whether two meshes have the same axes but for their weights.
func samePoints(a, b mesh.Mesh) bool {
	return slices.EqualFunc(a.Axes(), b.Axes(), func(p, q mesh.Axis) bool {
		return p.Dim() == q.Dim() && slices.Equal(p.Coordinates, q.Coordinates)
	})
}

// Dims implements linop.Operator.
func (s *directSum) Dims() (r, c int) {
	n := s.from[len(s.parts)] * s.my
	return n, n
}

// Apply implements linop.Operator.
func (s *directSum) Apply(ctx context.Context, dst, x []float64) {
	for t, p := range s.parts {
		lo, hi := s.from[t]*s.my, s.from[t+1]*s.my
		p.Apply(ctx, dst[lo:hi], x[lo:hi])
	}
}

// Describe implements linop.Describer.
func (s *directSum) Describe() string {
	var texts []string
	for _, p := range s.parts {
		texts = append(texts, p.Describe())
	}
	return strings.Join(texts, " ⊕ ")
}

// entries implements compressed. Parts that are evaluated from their kernels are so here.
func (s *directSum) entries(dst []float64, i, j []int) {
	s.g.f.Block(dst, columns(s.g.to, i), columns(s.g.from, j))
	for t, p := range s.parts {
		c, ok := p.(compressed)
		if !ok {
			continue
		}
		lo, hi := s.from[t]*s.my, s.from[t+1]*s.my
		var at, row, column []int
		for k := range dst {
			if i[k] >= lo && i[k] < hi && j[k] >= lo && j[k] < hi {
				at, row, column = append(at, k), append(row, i[k]-lo), append(column, j[k]-lo)
			}
		}
		own := make([]float64, len(at))
		c.entries(own, row, column)
		for k, v := range own {
			dst[at[k]] = v
		}
	}
}

func (s *directSum) certain() bool {
	return !slices.ContainsFunc(s.parts, func(p Product) bool {
		c, ok := p.(compressed)
		return ok && !c.certain()
	})
}

// Diagonal implements Product.
func (s *directSum) Diagonal(ctx context.Context, v Basis) (Diagonal, error) {
	d := &directDiagonal{from: s.from}
	for _, p := range s.parts {
		own, err := p.Diagonal(ctx, v)
		if err != nil {
			return nil, err
		}
		d.parts = append(d.parts, own)
	}
	return d, nil
}

// directDiagonal is block diagonal.
type directDiagonal struct {
	parts []Diagonal
	from  []int
}

// Sum implements Diagonal.
func (d *directDiagonal) Sum(ctx context.Context) (*mat.SymDense, error) {
	sum := mat.NewSymDense(d.from[len(d.parts)], nil)
	for t, p := range d.parts {
		own, err := p.Sum(ctx)
		if err != nil {
			return nil, err
		}
		for i := range d.from[t+1] - d.from[t] {
			for j := range i + 1 {
				sum.SetSym(d.from[t]+i, d.from[t]+j, own.At(i, j))
			}
		}
	}
	return sum, nil
}

// Forms implements Diagonal.
func (d *directDiagonal) Forms(ctx context.Context, b *mat.Dense) (*mat.Dense, error) {
	var sum *mat.Dense
	_, r := b.Dims()
	for t, p := range d.parts {
		own, err := p.Forms(ctx, mat.DenseCopyOf(b.Slice(d.from[t], d.from[t+1], 0, r)))
		if err != nil {
			return nil, err
		}
		if sum == nil {
			sum = own
		} else {
			sum.Add(sum, own)
		}
	}
	return sum, nil
}

// roughSum has a part whose Diagonal is rough.
type roughSum struct{ *directSum }

// Rough implements Rough.
func (roughSum) Rough() {}

// factoredSum is a direct sum of Kronecker sums: their terms one after the other, with
// zeros elsewhere.
type factoredSum struct {
	*directSum
	left  []*mat.Dense
	right []mat.Matrix
}

// factored is the direct sum as a sum of Kronecker products where all parts are, and
// there are few; otherwise itself.
func (s *directSum) factored() Product {
	n, terms := s.from[len(s.parts)], 0
	for _, p := range s.parts {
		if _, rough := p.(Rough); rough {
			return roughSum{s}
		}
	}
	for _, p := range s.parts {
		k, ok := p.(Factored)
		if !ok {
			return s
		}
		terms += k.Terms()
	}
	if terms > maxTerms || terms*n*n > maxPairs {
		return s
	}
	f := &factoredSum{directSum: s}
	for t, p := range s.parts {
		k := p.(Factored)
		for q := range k.Terms() {
			left := mat.NewDense(n, n, nil)
			left.Slice(s.from[t], s.from[t+1], s.from[t], s.from[t+1]).(*mat.Dense).Copy(k.Left(q))
			f.left, f.right = append(f.left, left), append(f.right, k.Right(q))
		}
	}
	return f
}

// Terms implements Factored.
func (f *factoredSum) Terms() int { return len(f.left) }

// Left implements Factored.
func (f *factoredSum) Left(q int) mat.Matrix { return f.left[q] }

// Right implements Factored.
func (f *factoredSum) Right(q int) mat.Matrix { return f.right[q] }

// Within implements Within.
func (d *directDiagonal) Within(ctx context.Context, b *mat.Dense) (*mat.Dense, error) {
	_, r := b.Dims()
	sum := mat.NewDense(r, r, nil)
	for t, p := range d.parts {
		own, err := SumWithin(ctx, p, mat.DenseCopyOf(b.Slice(d.from[t], d.from[t+1], 0, r)))
		if err != nil {
			return nil, err
		}
		sum.Add(sum, own)
	}
	return sum, nil
}
