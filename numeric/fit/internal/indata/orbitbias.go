package indata

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/linop"
)

// BiasParts is β of pairs that are taken with their images. It need not obey the constraint:
// the outputs of an image have the image of β. Where the maps only change signs of the basis
// of the outputs, β is a sum of parts, one for each way in which they do, such as its even
// and its odd part. A part is for the images what it is for the pairs, but for signs: it has
// a column of its own, and of Q it has what is between functions of its kind.
type BiasParts struct {
	orbit *Orbit
	signs [][]float64 // of each part, by map
	class []int       // the part that each mode of the outputs belongs to
}

// pureMode is how far from ±1 the product of a mode with its image may be.
const pureMode = 1e-8

// Parts finds those of β in the bases of the output axes; nil if there are none, or modes are
// mixed by the maps.
func (o *Orbit) Parts(v linop.AxisBasis) *BiasParts {
	p := &BiasParts{orbit: o}
	modes := [][]float64{make([]float64, len(o.Sign))}
	for g := range modes[0] {
		modes[0][g] = 1
	}
	for axis, m := range v {
		n, _ := m.Dims()
		var next [][]float64
		for _, mode := range modes {
			for k := range n {
				own := slices.Clone(mode)
				for g := range own {
					along := 0.0
					for i, at := range o.axes[g][axis] {
						along += m.At(i, k) * m.At(int(at), k)
					}
					if math.Abs(math.Abs(along)-1) > pureMode {
						return nil
					}
					own[g] *= math.Copysign(1, along)
				}
				next = append(next, own)
			}
		}
		modes = next
	}
	for _, mode := range modes {
		c := slices.IndexFunc(p.signs, func(s []float64) bool { return slices.Equal(s, mode) })
		if c < 0 {
			c, p.signs = len(p.signs), append(p.signs, mode)
		}
		p.class = append(p.class, c)
	}
	return p
}

// count is how many there are.
func (p *BiasParts) count() int {
	if p == nil {
		return 1
	}
	return len(p.signs)
}

// Of is the part that mode k of the outputs belongs to.
func (p *BiasParts) Of(k int) int {
	if p == nil {
		return 0
	}
	return p.class[k]
}

// classes are the parts of all modes; nil: there is one.
func (p *BiasParts) classes() []int {
	if p == nil {
		return nil
	}
	return p.class
}

// factor is what the column of part c has for pair i among the images.
func (p *BiasParts) factor(c, i int) float64 {
	if p == nil {
		return 1
	}
	g := i / p.orbit.N
	return p.orbit.Sign[g] * p.signs[c][g]
}

// project replaces a function on the output mesh by its part c.
func (p *BiasParts) project(c int, values []float64) {
	if p == nil {
		return
	}
	from, maps := slices.Clone(values), float64(len(p.orbit.Sign))
	clear(values)
	for g, y := range p.orbit.y {
		sign := p.signs[c][g] / maps
		for k, at := range y {
			values[at] += sign * from[k]
		}
	}
}

// total is the sum of functions on the output mesh, of each its part.
func (p *BiasParts) total(each []float64) []float64 {
	my := len(each) / p.count()
	sum := make([]float64, my)
	for c := range p.count() {
		part := slices.Clone(each[c*my : (c+1)*my])
		p.project(c, part)
		floats.Add(sum, part)
	}
	return sum
}

// response is Σ_c b_c y_cᵀ, row by row, for the columns b_c and the parts y_c of a function y,
// on the output mesh or by modes.
func (p *BiasParts) response(columns *mat.Dense, y []float64, modes bool) []float64 {
	rows, _ := columns.Dims()
	out := make([]float64, rows*len(y))
	for c := range p.count() {
		part := slices.Clone(y)
		if !modes {
			p.project(c, part)
		}
		for k := range part {
			if modes && p.Of(k) != c {
				part[k] = 0
			}
		}
		floats.Add(out, linop.Outer(mat.Col(nil, c, columns), part))
	}
	return out
}

// CommutesWith reports whether Q is invariant under the maps of the outputs: by its products with
// a random function and with its images.
func (o *Orbit) CommutesWith(ctx context.Context, q gram.Product) bool {
	v := linop.Normal(rand.New(rand.NewPCG(13, 14)), len(o.y[0]))
	qv, image, got := make([]float64, len(v)), make([]float64, len(v)), make([]float64, len(v))
	q.Apply(ctx, qv, v)
	for _, y := range o.y {
		for k, at := range y {
			image[at] = v[k]
		}
		q.Apply(ctx, got, image)
		off, size := 0.0, 0.0
		for k, at := range y {
			off, size = max(off, math.Abs(got[at]-qv[k])), max(size, math.Abs(qv[k]))
		}
		if !(off <= commuting*size) {
			return false
		}
	}
	return true
}
