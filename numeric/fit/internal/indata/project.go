package indata

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/internal/numeric/linop"
)

// projection is Π, of arrays in the bases of a system on those that the maps of its orbit
// leave as they are.
type projection struct {
	sys  *System
	rows []*mat.Dense // what each map does to the rows, r × r
}

func newProjection(ctx context.Context, sys *System) *projection {
	o, r := sys.Orbit, sys.Rows()
	p := &projection{sys: sys}
	for g := range o.Sign {
		to := mat.NewDense(len(o.Sign)*o.N, r, nil)
		for a, b := range o.product[g] {
			for i := range o.N {
				copy(to.RawRowView(a*o.N+i), sys.P.RawRowView(b*o.N+i))
			}
		}
		p.rows = append(p.rows, linop.Product(ctx, sys.P.T(), to))
	}
	return p
}

// apply replaces z by Π z.
func (p *projection) apply(ctx context.Context, z []float64) {
	sys, o := p.sys, p.sys.Orbit
	r := sys.Rows()
	values := append([]float64(nil), z...)
	sys.V.Backward(ctx, values)
	clear(z)
	moved, turned := make([]float64, len(z)), mat.NewDense(r, sys.My, nil)
	for g, sign := range o.Sign {
		for at := 0; at < len(z); at += sys.My {
			for k, j := range o.y[g] {
				moved[at+k] = values[at+int(j)]
			}
		}
		_ = linop.MulContext(ctx, turned, p.rows[g], mat.NewDense(r, sys.My, moved))
		floats.AddScaled(z, sign/float64(len(o.Sign)), turned.RawMatrix().Data)
	}
	sys.V.Forward(ctx, z)
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
func (o *Orbit) shares(ctx context.Context, sys *System) *mat.Dense {
	r := sys.Rows()
	total := mat.NewDense(r, sys.My, nil)
	for g, sign := range o.Sign {
		rows, modes := make([]float64, r), []float64{sign / float64(len(o.Sign))}
		for a, b := range o.product[g] {
			for i := range o.N {
				if ctx.Err() != nil {
					return total
				}
				from, to := sys.P.RawRowView(a*o.N+i), sys.P.RawRowView(b*o.N+i)
				for k, v := range from {
					rows[k] += v * to[k]
				}
			}
		}
		for axis, v := range sys.V {
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
		total.RankOne(total, 1, mat.NewVecDense(r, rows), mat.NewVecDense(sys.My, modes))
	}
	return total
}
