package fit

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/internal/criteria"
	"github.com/greenbench/workbench/numeric/internal/linop"
)

// projection is Π, of arrays in the bases of a system on those that the maps of its orbit
// leave as they are.
type projection struct {
	sys  *system
	rows []*mat.Dense // what each map does to the rows, r × r
}

func newProjection(ctx context.Context, sys *system) *projection {
	o, r := sys.orbit, sys.rows()
	p := &projection{sys: sys}
	for g := range o.sign {
		to := mat.NewDense(len(o.sign)*o.n, r, nil)
		for a, b := range o.product[g] {
			for i := range o.n {
				copy(to.RawRowView(a*o.n+i), sys.p.RawRowView(b*o.n+i))
			}
		}
		p.rows = append(p.rows, linop.Product(ctx, sys.p.T(), to))
	}
	return p
}

// apply replaces z by Π z.
func (p *projection) apply(ctx context.Context, z []float64) {
	sys, o := p.sys, p.sys.orbit
	r := sys.rows()
	values := append([]float64(nil), z...)
	sys.v.Backward(ctx, values)
	clear(z)
	moved, turned := make([]float64, len(z)), mat.NewDense(r, sys.my, nil)
	for g, sign := range o.sign {
		for at := 0; at < len(z); at += sys.my {
			for k, j := range o.y[g] {
				moved[at+k] = values[at+int(j)]
			}
		}
		_ = linop.MulContext(ctx, turned, p.rows[g], mat.NewDense(r, sys.my, moved))
		floats.AddScaled(z, sign/float64(len(o.sign)), turned.RawMatrix().Data)
	}
	sys.v.Forward(ctx, z)
}

// commutes reports whether D does with Π: then the determinant of the constrained problem
// is that of D on its modes, times that of D^-½ H D^-½. Eigenvectors that share an
// eigenvalue may be mixed.
func (p *projection) commutes(ctx context.Context, d []float64) bool {
	a, b := criteria.Signs(len(d), 0xc0), criteria.Signs(len(d), 0xc0)
	for i, v := range d {
		a[i] *= math.Log(v)
	}
	p.apply(ctx, a)
	p.apply(ctx, b)
	size := 0.0
	for i, v := range d {
		b[i] *= math.Log(v)
		size = max(size, math.Abs(math.Log(v)))
	}
	return floats.Distance(a, b, 2) <= commutesTo*size*math.Sqrt(float64(len(d)))
}

const commutesTo = 1e-7

// shares returns, for the modes of a system in its bases, r × my, how much of each
// obeys the constraint: the diagonal of the projection on arrays of outputs that the
// maps leave as they are. Modes that do not are no part of the constrained problem, nor
// of its determinant.
func (o *orbit) shares(ctx context.Context, sys *system) *mat.Dense {
	r := sys.rows()
	total := mat.NewDense(r, sys.my, nil)
	for g, sign := range o.sign {
		rows, modes := make([]float64, r), []float64{sign / float64(len(o.sign))}
		for a, b := range o.product[g] {
			for i := range o.n {
				if ctx.Err() != nil {
					return total
				}
				from, to := sys.p.RawRowView(a*o.n+i), sys.p.RawRowView(b*o.n+i)
				for k, v := range from {
					rows[k] += v * to[k]
				}
			}
		}
		for axis, v := range sys.v {
			n, _ := v.Dims()
			next := make([]float64, 0, len(modes)*n)
			own := make([]float64, n)
			for i, at := range o.axes[g][axis] {
				for k, c := range v.RawRowView(i) {
					own[k] += c * v.At(int(at), k)
				}
			}
			for _, p := range modes {
				for _, q := range own {
					next = append(next, p*q)
				}
			}
			modes = next
		}
		total.RankOne(total, 1, mat.NewVecDense(r, rows), mat.NewVecDense(sys.my, modes))
	}
	return total
}
