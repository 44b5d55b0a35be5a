package trace

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/kernels"
)

const (
	samples   = 32    // points on which a function is compared with its expression
	fewer     = 8     // the same for each further number of coordinates
	tolerance = 1e-9  // relative difference that rounding may make
	floor     = 1e-12 // the same, relative to the largest value seen at points as near to zero
	nearby    = 1e-3  // how far from equal points a kernel is tried whether it is finite
)

// sample is one call: for each point, its coordinates by number and by name.
type sample struct {
	number, name [][]float64
	same         bool // the points are equal
}

// sampler draws points that reach the exceptions of a function: in the unit
// cube, around it, far away, equal to each other, sharing a coordinate, and made
// of the numbers that the function mentions. For a function that tests something
// it goes through all these numbers.
type sampler struct {
	rng     *rand.Rand
	special []float64
	tests   bool
	points  int
	d       int      // coordinates by number
	names   []string // and by name
}

func (t *tracer) sampler(d int, names []string) *sampler {
	return &sampler{
		rng: rand.New(rand.NewPCG(20, 26)), points: max(1, t.Points), d: d, names: names,
		special: append([]float64{0, 1, -1, 0.5, 2}, t.scan.numbers...), tests: t.scan.tests,
	}
}

// count is how many points there are; first says that the function was not tried
// on points of fewer coordinates before.
func (s *sampler) count(first bool) int {
	switch {
	case !first:
		return fewer
	case s.tests:
		return samples + s.points*len(s.special)
	}
	return samples
}

// draw returns sample i.
func (s *sampler) draw(i int) sample {
	var p sample
	for range s.points {
		p.number = append(p.number, s.coordinates(i, s.d))
		p.name = append(p.name, s.coordinates(i, len(s.names)))
	}
	switch {
	case i >= samples:
		j, x := (i-samples)%s.points, s.special[(i-samples)/s.points]
		p.number[j] = slices.Repeat([]float64{x}, s.d)
		p.name[j] = slices.Repeat([]float64{x}, len(s.names))
	case s.points == 2:
		p.relate(i, s.rng)
	}
	for j := range p.number {
		for k, name := range s.names {
			if i := numberOf(name); i < s.d {
				p.name[j][k] = p.number[j][i]
			}
		}
	}
	return p
}

// relate moves the second point: onto the first, next to it, or so that they
// share a coordinate.
func (p *sample) relate(i int, rng *rand.Rand) {
	for _, x := range [][][]float64{p.number, p.name} {
		first, second := x[0], x[1]
		for k := range second {
			switch i % 8 {
			case 3, 6:
				p.same = true
				second[k] = first[k]
			case 4:
				if k == 0 {
					second[k] = first[k]
				}
			case 5:
				second[k] = first[k] + 0.1*rng.NormFloat64()
			}
		}
	}
}

// numberOf is the place of the coordinates called x, y, z in points whose
// coordinates have no other names; beyond all places for other names.
func numberOf(name string) int {
	if i := strings.Index("xyz", name); len(name) == 1 && i >= 0 {
		return i
	}
	return kernels.MaxNumbered
}

func (s *sampler) coordinates(i, n int) []float64 {
	x := make([]float64, n)
	for k := range x {
		switch i % 8 {
		case 1:
			x[k] = s.rng.NormFloat64()
		case 2:
			x[k] = 5 * s.rng.NormFloat64()
		case 6, 7:
			x[k] = s.special[s.rng.IntN(len(s.special))]
		default:
			x[k] = s.rng.Float64()
		}
	}
	return x
}

// size is the largest coordinate, at least 1.
func (p sample) size() float64 {
	size := 1.0
	for _, x := range slices.Concat(p.number, p.name) {
		for _, v := range x {
			size = max(size, math.Abs(v))
		}
	}
	return size
}

// seen are the values at the points so far, from which follows what rounding may do:
// values that cancel leave errors of the size of others. A point far away, where values may
// be of any size, excuses none that is nearer.
type seen []struct{ size, value float64 }

func (s *seen) add(size float64, values []float64) {
	for _, v := range values {
		*s = append(*s, struct{ size, value float64 }{size, math.Abs(v)})
	}
}

// largest is the largest value at points as near to zero.
func (s seen) largest(size float64) float64 {
	largest := 0.0
	for _, v := range s {
		if v.size <= size {
			largest = max(largest, v.value)
		}
	}
	return largest
}

// vars are the values of the variables of a formula.
func (p sample) vars(params []float64) []float64 {
	v := make([]float64, kernels.FormulaSlots)
	for j := range p.number {
		copy(v[kernels.NumberSlot(j, 0):], p.number[j])
		copy(v[kernels.NameSlot(j, 0):], p.name[j])
	}
	copy(v[kernels.ParamSlot(0):], params)
	return v
}

// verify compares the function with each form of its formula.
func (t *tracer) verify(traced *Traced, done []outcome) error {
	for i, form := range traced.Formula.Forms {
		d := form.Dim
		if d == 0 {
			d = done[0].dim
		}
		if err := t.verifyForm(traced, form, d, i == 0); err != nil {
			return err
		}
	}
	return nil
}

func (t *tracer) verifyForm(traced *Traced, form kernels.Form, d int, first bool) error {
	programs := make([]*expr.Program, len(form.Nodes))
	for i, n := range form.Nodes {
		var err error
		if programs[i], err = expr.Compile(n, kernels.FormulaSlots); err != nil {
			return err
		}
	}
	numbered := d
	if t.Names != nil {
		numbered = 0
	}
	s := t.sampler(numbered, t.names)
	n := s.count(first)
	var before seen
	for i := range n {
		p := s.draw(i)
		values, err := t.call(p, traced.Image)
		if err != nil {
			return err
		}
		if i == 0 {
			again, err := t.call(p, traced.Image)
			if err != nil {
				return err
			}
			if !near(values, again, 0) {
				return fmt.Errorf("%s gives %s and then %s for the same points: must depend on its arguments only", t.f, show(values), show(again))
			}
		}
		vars := p.vars(t.params.values)
		traces := make([]float64, len(programs))
		for k, program := range programs {
			traces[k] = program.Eval(vars)
		}
		if isFinite(values) {
			before.add(p.size(), values)
		}
		if err := t.compare(p, form, values, traces, before.largest(p.size())); err != nil {
			return err
		}
		if err := t.accept(p, form, values); err != nil {
			return err
		}
		if p.same && !isFinite(values) && t.equalityMatters(p, programs[0]) {
			return fmt.Errorf("%s gives %s where the points are equal, at %s: must be finite; %s", t.f, show(values), t.where(p, form),
				"write where(gt(d, 0), …, limit) for what is 0/0 there")
		}
	}
	if len(before) == 0 {
		return fmt.Errorf("%s gives no finite number at any of %d points tried, such as %s", t.f, n, t.where(s.draw(0), form))
	}
	return nil
}

// call runs the function on numbers.
func (t *tracer) call(p sample, image []string) ([]float64, error) {
	if t.points == nil {
		t.points, t.values = newNumberPoints(t.c, t.Names, false), t.params.table(t.c, false, t.last)
	}
	var args []any
	var origin *lua.LTable
	for j := range t.Points {
		number := p.number[j]
		if t.Names != nil {
			number = p.name[j]
		}
		args = append(args, t.points.table(number, t.names, p.name[j]))
		if t.Image { // the function may change its argument
			origin = t.points.table(number, t.names, p.name[j])
		}
	}
	if len(t.Params) > 0 {
		args = append(args, t.values)
	}
	results, err := t.f.Call(t.c, args...)
	if err != nil {
		return nil, err
	}
	return t.numbers(results, origin, image)
}

// compare fails when the function and its expression differ. Where the function
// is not finite the expression may be: simplifying removes singularities.
func (t *tracer) compare(p sample, form kernels.Form, values, traces []float64, largest float64) error {
	if len(values) != len(traces) {
		return fmt.Errorf("%s returns a point of %d coordinates at %s, and of %d elsewhere: must return as many for all points", t.f, len(values), t.where(p, form), len(traces))
	}
	for k, v := range values {
		if agree(v, traces[k], largest) {
			continue
		}
		text := fmt.Sprintf("%s and the expression traced from it differ at %s: %s and %s; %s", t.f, t.where(p, form), number(v), number(traces[k]), unseen)
		if t.Calls {
			text += ", or give {trace = false}"
		}
		return errors.New(text)
	}
	return nil
}

// unseen is what a trace misses.
const unseen = "a trace does not see a branch on ==, and, or: write where(cond, a, b)"

// agree reports whether the value of a function and that of its expression are
// the same but for rounding, in a function with values as large as largest nearby.
func agree(v, traced, largest float64) bool {
	return math.IsNaN(v) || v == traced || math.Abs(v-traced) <= tolerance*max(math.Abs(v), math.Abs(traced))+floor*largest
}

func (t *tracer) accept(p sample, form kernels.Form, values []float64) error {
	if t.Accept == nil {
		return nil
	}
	for _, v := range values {
		if err := t.Accept(v); err != nil {
			return fmt.Errorf("%s gives %s at %s: %w", t.f, number(v), t.where(p, form), err)
		}
	}
	return nil
}

// equalityMatters reports whether it is because two points are equal that the
// expression is not finite: it is when one of them is moved a little, and is not when
// both are. Otherwise it is the place, which may be far from where the kernel is
// used.
func (t *tracer) equalityMatters(p sample, program *expr.Program) bool {
	vars := p.vars(t.params.values)
	move := func(j int) float64 {
		for k := range p.number[j] {
			vars[kernels.NumberSlot(j, k)] += nearby * float64(k+1)
		}
		for k := range p.name[j] {
			vars[kernels.NameSlot(j, k)] += nearby * float64(k+1)
		}
		return program.Eval(vars)
	}
	return isFinite([]float64{move(1)}) && !isFinite([]float64{move(0)})
}

// where writes the points of a sample, with the coordinates that matter.
func (t *tracer) where(p sample, form kernels.Form) string {
	var points []string
	for j, input := range t.inputs {
		var parts []string
		if form.Dim > 0 {
			for _, x := range p.number[j] {
				parts = append(parts, number(x))
			}
		}
		for k, name := range t.names {
			if form.Dim <= numberOf(name) { // it is not among the numbers
				parts = append(parts, name+" = "+number(p.name[j][k]))
			}
		}
		points = append(points, input+" = {"+strings.Join(parts, ", ")+"}")
	}
	if form.Dim == 0 && len(t.names) == 0 {
		return "every point"
	}
	return strings.Join(points, ", ")
}

func number(x float64) string {
	switch {
	case math.IsNaN(x):
		return "NaN"
	case math.IsInf(x, 1):
		return "inf"
	case math.IsInf(x, -1):
		return "-inf"
	}
	return fmt.Sprintf("%.6g", x)
}

func show(values []float64) string {
	var parts []string
	for _, v := range values {
		parts = append(parts, number(v))
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func near(a, b []float64, tol float64) bool {
	for k := range a {
		if a[k] != b[k] && !(math.Abs(a[k]-b[k]) <= tol) && !(math.IsNaN(a[k]) && math.IsNaN(b[k])) {
			return false
		}
	}
	return len(a) == len(b)
}

func isFinite(values []float64) bool {
	for _, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return true
}
