package fit

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/fit/criteria"
	"github.com/greenbench/workbench/numeric/linop"
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
		var m mat.Dense
		_ = linop.MulContext(ctx, &m, sys.p.T(), to)
		p.rows = append(p.rows, &m)
	}
	return p
}

// apply replaces z by Π z.
func (p *projection) apply(ctx context.Context, z []float64) {
	sys, o := p.sys, p.sys.orbit
	r := sys.rows()
	values := append([]float64(nil), z...)
	sys.v.backward(ctx, values)
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
	sys.v.forward(ctx, z)
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
