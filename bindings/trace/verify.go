package trace

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/numeric/expr"
	"github.com/greenbench/workbench/numeric/kernel"
)

const (
	samples   = 32    // points on which a function is compared with its expression
	tolerance = 1e-9  // relative difference that rounding may make
	floor     = 1e-12 // the same, relative to the largest value seen
	nearby    = 1e-3  // how far from equal points a kernel is tried whether it is finite
)

// sample is one call: for each point, its coordinates by number and by name.
type sample struct {
	number, name [][]float64
	same         bool // the points are equal
}

// sampler draws points that reach the exceptions of a function: in the unit
// cube, around it, far away, equal to each other, sharing a coordinate, and made
// of the numbers that the function mentions.
type sampler struct {
	rng     *rand.Rand
	special []float64
	points  int
	d, m    int // coordinates by number and by name
}

func newSampler(points, d, m int, numbers []float64) *sampler {
	return &sampler{
		rng: rand.New(rand.NewPCG(20, 26)), points: points, d: d, m: m,
		special: append([]float64{0, 1, -1, 0.5, 2}, numbers...),
	}
}

// draw returns sample i.
func (s *sampler) draw(i int) sample {
	var p sample
	for range s.points {
		p.number = append(p.number, s.coordinates(i, s.d))
		p.name = append(p.name, s.coordinates(i, s.m))
	}
	if s.points < 2 {
		return p
	}
	switch i % 8 {
	case 3, 6:
		p.same = true
		copy(p.number[1], p.number[0])
		copy(p.name[1], p.name[0])
	case 4: // one coordinate in common
		for k := range min(1, s.d) {
			p.number[1][k] = p.number[0][k]
		}
		for k := range min(1, s.m) {
			p.name[1][k] = p.name[0][k]
		}
	case 5: // neighbours
		for k := range s.d {
			p.number[1][k] = p.number[0][k] + 0.1*s.rng.NormFloat64()
		}
		for k := range s.m {
			p.name[1][k] = p.name[0][k] + 0.1*s.rng.NormFloat64()
		}
	}
	return p
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

// vars are the values of the variables of a formula.
func (p sample) vars(params []float64) []float64 {
	v := make([]float64, kernel.FormulaSlots)
	for j := range p.number {
		copy(v[kernel.NumberSlot(j, 0):], p.number[j])
		copy(v[kernel.NameSlot(j, 0):], p.name[j])
	}
	copy(v[kernel.ParamSlot(0):], params)
	return v
}

// verify compares the function with each form of its formula.
func (t *tracer) verify(traced *Traced, done []outcome) error {
	for _, form := range traced.Formula.Forms {
		d := form.Dim
		if d == 0 {
			d = done[0].dim
		}
		if err := t.verifyForm(traced, form, d); err != nil {
			return err
		}
	}
	return nil
}

func (t *tracer) verifyForm(traced *Traced, form kernel.Form, d int) error {
	programs := make([]*expr.Program, len(form.Nodes))
	for i, n := range form.Nodes {
		var err error
		if programs[i], err = expr.Compile(n, kernel.FormulaSlots); err != nil {
			return err
		}
	}
	numbered := d
	if t.Names != nil {
		numbered = 0
	}
	s := newSampler(t.Points, numbered, len(t.names), t.scan.numbers)
	largest, finite := 0.0, false
	for i := range samples {
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
			finite = true
			for _, v := range values {
				largest = max(largest, math.Abs(v))
			}
		}
		if err := t.compare(p, form, values, traces, largest); err != nil {
			return err
		}
		if err := t.accept(p, form, values); err != nil {
			return err
		}
		if p.same && !isFinite(values) && t.finiteBeside(p, programs[0]) {
			return fmt.Errorf("%s gives %s where the points are equal, at %s: must be finite; %s", t.f, show(values), t.where(p, form),
				"write where(gt(d, 0), …, limit) for what is 0/0 there")
		}
	}
	if !finite {
		return fmt.Errorf("%s gives no finite number at any of %d points tried, such as %s", t.f, samples, t.where(s.draw(0), form))
	}
	return nil
}

// call runs the function on numbers.
func (t *tracer) call(p sample, image []string) ([]float64, error) {
	var args []any
	var first *lua.LTable
	for j := range t.Points {
		g := t.numericPoint(p, j)
		table := g.table(t.c)
		if j == 0 {
			first = table
		}
		args = append(args, table)
	}
	if len(t.Params) > 0 {
		args = append(args, t.params.table(t.c, false, t.last))
	}
	results, err := t.f.Call(t.c, args...)
	if err != nil {
		return nil, err
	}
	return t.numbers(results, first, image)
}

func (t *tracer) numericPoint(p sample, j int) *given {
	g := &given{names: t.Names}
	for _, x := range p.number[j] {
		g.x = append(g.x, expr.Const(x))
	}
	if t.Names != nil {
		for _, x := range p.name[j] {
			g.x = append(g.x, expr.Const(x))
		}
	}
	g.coordinate = func(name string) *expr.Node {
		for k, known := range t.names {
			if known == name {
				return expr.Const(p.name[j][k])
			}
		}
		return nil
	}
	return g
}

// compare fails when the function and its expression differ. Where the function
// is not finite the expression may be: simplifying removes singularities.
func (t *tracer) compare(p sample, form kernel.Form, values, traces []float64, largest float64) error {
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
// the same but for rounding, in a function with values as large as largest.
func agree(v, traced, largest float64) bool {
	return math.IsNaN(v) || v == traced || math.Abs(v-traced) <= tolerance*max(math.Abs(v), math.Abs(traced))+floor*largest
}

func (t *tracer) accept(p sample, form kernel.Form, values []float64) error {
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

// finiteBeside reports whether the expression is finite when one of two equal
// points is moved a little: then it is their equality that matters.
func (t *tracer) finiteBeside(p sample, program *expr.Program) bool {
	vars := p.vars(t.params.values)
	for k := range p.number[1] {
		vars[kernel.NumberSlot(1, k)] += nearby * float64(k+1)
	}
	for k := range p.name[1] {
		vars[kernel.NameSlot(1, k)] += nearby * float64(k+1)
	}
	return isFinite([]float64{program.Eval(vars)})
}

// where writes the points of a sample, with the coordinates that matter.
func (t *tracer) where(p sample, form kernel.Form) string {
	var points []string
	for j, input := range t.inputs {
		var parts []string
		if form.Dim > 0 {
			for _, x := range p.number[j] {
				parts = append(parts, number(x))
			}
		}
		for k, name := range t.names {
			parts = append(parts, name+" = "+number(p.name[j][k]))
		}
		points = append(points, input+" = {"+strings.Join(parts, ", ")+"}")
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
