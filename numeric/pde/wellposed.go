package pde

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/linop"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/solve"
)

// directions is how many directions of waves the principal part is looked at in.
const directions = 16

// checkPrincipalPart refuses operators of which no conditions make a well-posed
// problem, by their highest derivatives in space at every point: without time an
// operator of even order must be elliptic, and in time short waves must not grow.
func (p *Defined) checkPrincipalPart() error {
	highest, symbol, err := p.symbol()
	if err != nil {
		return err
	}
	if p.timeOrder > 0 {
		if err := p.divideByInertia(symbol); err != nil {
			return err
		}
	}
	cols := p.grid.columns(-1)
	if highest%2 == 1 {
		return p.checkInflow(highest, symbol[0])
	}
	var above, below, zero int
	seen := [3]int{-1, -1, -1}
	for _, values := range symbol {
		for i, v := range values {
			if p.grid.given[i] {
				continue
			}
			switch {
			case v > 0:
				above++
				seen[0] = i
			case v < 0:
				below++
				seen[1] = i
			default:
				zero++
			}
		}
	}
	if p.timeOrder == 0 {
		if above > 0 && below > 0 {
			return fmt.Errorf("operator: is not elliptic: its part of order %d changes sign, positive in some direction at %s and negative in some at %s, so values on the boundary do not determine u",
				highest, place(p.Mesh.Names(), cols, seen[0]), place(p.Mesh.Names(), cols, seen[1]))
		}
		return nil
	}
	// e^(iξx) grows at the rate -(i|ξ|)^highest times the symbol.
	growing := seen[0]
	if highest%4 == 0 {
		growing = seen[1]
	}
	if growing >= 0 && highest > 0 {
		return fmt.Errorf("operator: short waves grow without bound, because the part of order %d has the wrong sign at %s (as diffusion backwards in time); change its sign", highest, place(p.Mesh.Names(), cols, growing))
	}
	return nil
}

// symbol is the highest order of the operator in space and, for every direction, the
// sum of its coefficients times that direction's powers at every point.
func (p *Defined) symbol() (highest int, symbol [][]float64, err error) {
	dim := p.Mesh.Dim()
	var principal []term
	add := func(t term) {
		if p.Operator.time && t.orders[dim] > 0 {
			return
		}
		k := total(t.orders)
		if k > highest {
			highest, principal = k, nil
		}
		if k == highest {
			principal = append(principal, t)
		}
	}
	for _, t := range p.Operator.terms {
		add(t)
	}
	for _, f := range p.Operator.fluxes {
		for _, t := range f.inner {
			orders := append([]int(nil), t.orders...)
			orders[f.axis]++
			add(term{orders, t.coef})
		}
	}
	count := 1
	if dim == 2 {
		count = directions
	}
	symbol = make([][]float64, count)
	for q := range symbol {
		symbol[q] = make([]float64, p.Mesh.Size())
	}
	cols := p.grid.columns(-1)
	for _, t := range principal {
		c, err := p.grid.evaluate(t.coef, cols, p.firstTime(), func(i int) bool { return !p.grid.given[i] })
		if err != nil {
			return 0, nil, fmt.Errorf("operator: coefficient %w", err)
		}
		for q := range symbol {
			weight := 1.0
			if dim == 2 {
				sin, cos := math.Sincos(math.Pi * (float64(q) + 0.5) / directions)
				weight = math.Pow(cos, float64(t.orders[0])) * math.Pow(sin, float64(t.orders[1]))
			}
			floats.AddScaled(symbol[q], weight, c)
		}
	}
	return highest, symbol, nil
}

func (p *Defined) firstTime() float64 {
	if p.Time.Size() == 0 {
		return 0
	}
	return p.Time.Axes()[0].Coordinates[0]
}

// divideByInertia divides by the coefficient of the highest derivative in time,
// which must not vanish.
func (p *Defined) divideByInertia(symbol [][]float64) error {
	dim := p.Mesh.Dim()
	for _, t := range p.Operator.terms {
		if t.orders[dim] != p.timeOrder {
			continue
		}
		cols := p.grid.columns(-1)
		c, err := p.grid.evaluate(t.coef, cols, p.firstTime(), nil)
		if err != nil {
			return fmt.Errorf("operator: coefficient %w", err)
		}
		for i, v := range c {
			if v == 0 || math.Signbit(v) != math.Signbit(c[0]) {
				return fmt.Errorf("operator: the coefficient of the derivative of order %d in %s is %g at %s, must not be zero or change sign", p.timeOrder, p.Operator.names[dim], v, place(p.Mesh.Names(), cols, i))
			}
			for q := range symbol {
				symbol[q][i] /= v
			}
		}
	}
	return nil
}

// checkInflow refuses more conditions where waves leave than where they come in: of
// an odd order k, (k+1)/2 belong where they come in. Without time either end of an
// interval may have them.
func (p *Defined) checkInflow(highest int, symbol []float64) error {
	if p.timeOrder == 0 {
		return nil
	}
	if p.timeOrder == 2 {
		return fmt.Errorf("operator: short waves grow without bound, because it is of second order in time and its part of highest order in space is of order %d; that must be even", highest)
	}
	// With u′ + c ∂u/∂x = 0 waves run towards + for c > 0, with u′ + c ∂³u/∂x³ = 0
	// towards -.
	towards := 1.0
	if highest == 3 {
		towards = -1
	}
	for axis := range p.Mesh.Names() {
		a, b := len(p.grid.sides[axis][0].all()), len(p.grid.sides[axis][1].all())
		if p.Mesh.Dim() > 1 || p.Operator.orderIn(axis) != highest || a == b {
			continue
		}
		n := p.grid.axes[axis].Size()
		for s, inner := range [2]int{1, n - 2} {
			incoming := towards*symbol[inner]*float64(1-2*s) > 0
			if more := (b > a) == (s == 1); more && !incoming {
				return fmt.Errorf("boundary: waves leave at %q, where most conditions are; move them to the other side of %s", p.sideName(axis, s), p.Mesh.Names()[axis])
			} else if !more && incoming {
				return fmt.Errorf("boundary: waves come in at %q, and too few conditions say what", p.sideName(axis, s))
			}
		}
	}
	return nil
}

// checkGrowth refuses an evolution in one space dimension whose modes grow ever
// faster on finer meshes, which conditions that do not fit the operator cause: it
// compares the growth of the fastest mode on two coarse meshes.
func (p *Defined) checkGrowth(ctx context.Context) error {
	const points = 33
	a := p.Mesh.Axes()[0]
	fine := min(points, a.Size())
	coarse := (fine + 1) / 2
	if p.Mesh.Dim() > 1 || p.timeVaries || coarse < p.Operator.orderIn(0)+p.Order+1 {
		return nil
	}
	var rates [2]float64
	for k, n := range [2]int{coarse, fine} {
		var err error
		if rates[k], err = p.growth(ctx, n); err != nil {
			return err
		}
	}
	duration := p.Time.Axes()[0].Length()
	if rates[1]*duration > 3 && rates[1] > 1.5*max(rates[0], 1/duration) {
		remedy := ""
		if p.Order > 2 {
			remedy = ", or use differences of order 2"
		}
		return fmt.Errorf("the operator with these conditions lets short waves grow without bound: at the rate %.3g on %d points and %.3g on %d; change the conditions%s", rates[0], coarse, rates[1], fine, remedy)
	}
	return nil
}

// growth is the rate at which the fastest mode grows on n points.
func (p *Defined) growth(ctx context.Context, n int) (float64, error) {
	q := &Defined{Definition: p.Definition, timeOrder: p.timeOrder}
	a := p.Mesh.Axes()[0]
	var err error
	if a.Period > 0 {
		a, err = mesh.Periodic(a.Lower[0], a.Upper[0], n, p.Mesh.Names()[0])
	} else {
		a, err = mesh.Uniform(a.Lower[0], a.Upper[0], n, p.Mesh.Names()[0])
	}
	if err != nil {
		return 0, err
	}
	if q.Mesh, err = mesh.New(a); err != nil {
		return 0, err
	}
	q.grid = newGrid(q.Mesh, p.Boundary, p.Operator, p.Order)
	e := &evolution{Defined: q, dt: 1}
	if e.at, err = q.grid.discretise(p.Operator, p.firstTime()); err != nil {
		return 0, err
	}
	m, err := e.modes(ctx)
	if err != nil {
		return 0, err
	}
	var eigen mat.Eigen
	if !eigen.Factorize(m.generator, mat.EigenNone) {
		return 0, nil
	}
	rate := math.Inf(-1)
	for _, v := range eigen.Values(nil) {
		rate = max(rate, real(v))
	}
	return rate, nil
}

// explain says why a steady problem is singular.
func (p *Defined) explain(d *discrete, err error) error {
	if !errors.Is(err, solve.ErrSingular) {
		return err
	}
	n := p.Mesh.Size()
	ones, image, size := make([]float64, n), make([]float64, n), 0.0
	for i := range ones {
		ones[i] = 1
		_, vals := d.orders[0].Row(i)
		size = max(size, floats.Norm(vals, 1))
	}
	d.orders[0].Apply(image, ones)
	fixed := false
	for _, is := range p.grid.given {
		fixed = fixed || is
	}
	if !fixed && floats.Norm(image, math.Inf(1)) <= 1e-10*size {
		return fmt.Errorf("u is determined up to a constant only: neither the operator nor a condition changes when a constant is added to u; give u on a side (dirichlet), a robin condition, or add a multiple of u to the operator (%w)", solve.ErrSingular)
	}
	return fmt.Errorf("the operator with these conditions has a solution other than zero for f = 0, so u is not unique (%w); change a condition or a coefficient", err)
}

// checkEigenvalue refuses a steady problem with an eigenvalue that the mesh cannot
// tell from zero: the one nearest to zero by inverse iteration, then corrected to
// first order by differences of a higher order of accuracy. If the correction
// brings it to zero, within 5 % of itself, what would be solved is the error of the
// differences.
func (p *Defined) checkEigenvalue(ctx context.Context, d *discrete) error {
	e := p.solver
	n := len(e.free)
	if n < 2 || dominant(e.inside) {
		return nil
	}
	finer, room := *p.grid, math.MaxInt // how far the order can be raised on this mesh
	for axis, a := range p.grid.axes {
		room = min(room, a.Size()-1-p.Operator.orderIn(axis)-p.Order)
	}
	if room < 2 {
		return nil
	}
	finer.strict = true
	finer.order += min(4, room/2*2)
	better, err := finer.discretise(p.Operator, 0)
	if err != nil {
		return nil // a coefficient that is not finite at the boundary: nothing to compare with
	}
	right, left, ok, err := nearest(ctx, e.factors, restrict(d.forcing, e), n)
	if err != nil || !ok {
		return err
	}
	mass := bilinear(left, restrict(d.forcing, e), right)
	value := bilinear(left, e.inside, right) / mass
	correction := (bilinear(left, restrict(better.orders[0], e), right) - value*bilinear(left, restrict(better.forcing, e), right)) / mass
	if better := value + correction; math.Abs(better) < 0.05*math.Abs(correction) {
		return fmt.Errorf("the operator has an eigenvalue that is zero, or too near for this mesh to tell (%.3g with these differences, %.1g with better ones), so u is not unique; change a coefficient a little, or refine the mesh", value, better)
	}
	return nil
}

// dominant reports whether every row has a positive diagonal, no other positive
// entry and a sum that is not negative: then the smallest eigenvalue has been found
// not to be zero, and no wave is resonant.
func dominant(m *linop.Sparse) bool {
	n, _ := m.Dims()
	for i := range n {
		cols, vals := m.Row(i)
		sum, size := 0.0, 0.0
		for k, j := range cols {
			if (j == i) != (vals[k] > 0) {
				return false
			}
			sum += vals[k]
			size = max(size, vals[k])
		}
		if sum < -1e-12*size {
			return false
		}
	}
	return true
}

// nearest returns the right and left eigenvectors of (K, S) for the eigenvalue
// nearest to zero. ok is false when iterating does not settle on one, which then is
// not much nearer to zero than others.
func nearest(ctx context.Context, k *solve.Factorisation, s *linop.Sparse, n int) (right, left []float64, ok bool, err error) {
	right, left = make([]float64, n), make([]float64, n)
	for i := range right {
		right[i] = 1 + math.Sin(float64(i+1))/2 // no symmetry that an eigenvector might lack
		left[i] = right[i]
	}
	next, size := make([]float64, n), 0.0
	for range 30 {
		s.Apply(next, right)
		if err := k.SolveVector(ctx, next); err != nil {
			return nil, nil, false, err
		}
		right, next = next, right
		grown := floats.Norm(right, 2)
		s.ApplyTranspose(next, left)
		if err := k.SolveVectorTransposed(ctx, next); err != nil {
			return nil, nil, false, err
		}
		left, next = next, left
		floats.Scale(1/grown, right)
		floats.Scale(1/floats.Norm(left, 2), left)
		if math.Abs(grown-size) < 1e-4*grown {
			return right, left, true, nil
		}
		size = grown
	}
	return nil, nil, false, nil
}

// restrict is the part of a matrix in the free rows and columns.
func restrict(m *linop.Sparse, e *elimination) *linop.Sparse {
	r, _ := m.Dims()
	place := make([]int, r)
	for _, j := range e.fixed {
		place[j] = -1
	}
	for k, j := range e.free {
		place[j] = k
	}
	var entries []linop.Entry
	for r, i := range e.freeRow {
		cols, vals := m.Row(i)
		for k, j := range cols {
			if place[j] >= 0 {
				entries = append(entries, linop.Entry{Row: r, Col: place[j], Value: vals[k]})
			}
		}
	}
	return linop.NewSparse(len(e.free), len(e.free), entries)
}

// bilinear is xᵀ M y.
func bilinear(x []float64, m *linop.Sparse, y []float64) float64 {
	image := make([]float64, len(x))
	m.Apply(image, y)
	return floats.Dot(x, image)
}
