package fit

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/numeric/solve"
)

// probedCriteria evaluates the criteria of a system whose matrix is too large: the
// quadratic form by conjugate gradients, determinant and trace by random vectors, the
// same for every λ. LOO is not known.
type probedCriteria struct {
	sys  system
	spec *Spec
	m    *simultaneous

	shares  []float64 // of the modes, how much obeys the constraint; nil: all
	project *projection

	blocks int // of random vectors at most, until the error is small enough; at least one

	z      []float64 // solution at the last λ; nil: none yet
	hc     []float64 // H⁻¹ ĉ at the last λ; nil without a free constant
	probes *probing  // at the last λ
}

const (
	chosenBlocks = 3
	enoughError  = 0.2 // nats
)

// quadTolerance is a relative residual; the error of the quadratic form is its square.
const quadTolerance = 1e-5

// probedCriteria is nil for too many unknowns, and where a constraint has no modes of its
// own.
func (sys *system) probedCriteria(ctx context.Context, s *Spec, m *simultaneous, c *criteria) *probedCriteria {
	if len(m.green.RawMatrix().Data) > mostProbed {
		return nil
	}
	spec := *s
	spec.Tolerance = quadTolerance
	p := &probedCriteria{sys: *sys, spec: &spec, m: m}
	if c.shares == nil {
		return p
	}
	if !c.separates(ctx) {
		return nil
	}
	p.shares, p.project = c.shares.RawMatrix().Data, newProjection(ctx, sys)
	return p
}

// separates reports whether the closed form knows which modes obey the constraint.
func (c *criteria) separates(ctx context.Context) bool {
	return c.shares == nil || newProjection(ctx, c.sys).commutes(ctx, c.m.at(1, 1).d)
}

// at is evaluator's.
func (p *probedCriteria) at(ctx context.Context, lambda, rho float64) (sheet, error) {
	p.sys.lambda, p.sys.rho = lambda, rho
	z, _, _, err := p.sys.iterate(ctx, p.spec, p.m, p.z)
	if err != nil {
		return sheet{}, err
	}
	p.z = z
	if err := p.solveContrast(ctx); err != nil {
		return sheet{}, err
	}
	p.probes = newProbing(&p.sys, p.m.at(lambda, rho).d, p.sys.diagonal(ctx, p.m, lambda, rho))
	p.probes.weights = p.sys.mx * p.sys.my
	if p.project != nil {
		p.probes.restrict(p.shares, p.project.apply)
	}
	v, err := p.more(ctx)
	for block := 1; err == nil && block < p.blocks && v.remlErr > enoughError; block++ {
		v, err = p.more(ctx)
	}
	return v, err
}

// solveContrast solves for the direction of a free constant.
func (p *probedCriteria) solveContrast(ctx context.Context) error {
	c := p.sys.flat
	if c == nil {
		return nil
	}
	pre := p.m.at(p.sys.lambda, p.sys.rho)
	p.hc = make([]float64, len(c))
	pre.Apply(ctx, p.hc, c)
	_, err := solve.CG{Tolerance: quadTolerance, Preconditioner: pre}.Solve(ctx, &p.sys, p.hc, c)
	return err
}

// more is at of the last λ, from another block besides.
func (p *probedCriteria) more(ctx context.Context) (sheet, error) {
	out := sheet{lambda: p.sys.lambda, rho: p.sys.rho, loo: math.NaN()}
	if err := p.probes.more(ctx); err != nil {
		return out, err
	}
	p.set(&out, p.z, p.probes)
	return out, nil
}

// set fills a sheet in from a solution and from the probes.
func (p *probedCriteria) set(out *sheet, z []float64, probes *probing) {
	n, t := float64(p.sys.outputs()), p.sys.t.RawMatrix().Data
	quad, zz := p.sys.rss0+floats.Dot(t, z), floats.Dot(z, z)
	det, left := probes.logDet(), probes.trace()
	rank, values := float64(len(t)), n
	if p.shares != nil {
		rank = math.Round(floats.Sum(p.shares)) // the trace of a projection
	}
	if c := p.sys.flat; c != nil {
		size := floats.Dot(c, p.hc)
		det.value += math.Log(size)
		left.value -= floats.Dot(p.hc, p.hc) / size
		values--
		out.freedom--
	}
	out.free = n - rank + left.value
	out.logDet, out.freeErr = det.value, left.err
	out.freedom += rank - left.value
	out.reml, out.remlErr = 0.5*(values*math.Log(quad/values)+det.value), 0.5*det.err
	out.gcv = n * (p.sys.rss0 + zz) / (out.free * out.free)
	out.slope = 0.5 * (values*(quad-p.sys.rss0-zz)/quad - out.freedom)
	if p.sys.q != nil {
		out.rhoSlope = math.NaN()
	}
}

// isDiagonal reports whether the preconditioner is the operator, so that the closed form
// of the criteria is exact: on a random vector of signs, for which half the sum of the
// squares of (M - I) z is what the determinant is off by.
func (sys *system) isDiagonal(ctx context.Context, m *simultaneous, lambda, rho float64) bool {
	at := *sys
	at.lambda, at.rho = lambda, rho
	d := m.at(lambda, rho).d
	z, hz := signs(len(d), 0xd1a6), make([]float64, len(d))
	for i, v := range d {
		z[i] /= math.Sqrt(v)
	}
	at.Apply(ctx, hz, z)
	off := 0.0
	for i, v := range d {
		e := hz[i]/math.Sqrt(v) - z[i]*math.Sqrt(v)
		off += e * e
	}
	return off <= diagonalTolerance*float64(len(d))
}

// diagonalTolerance is for the mean square of the entries of M - I in a row.
const diagonalTolerance = 1e-12
