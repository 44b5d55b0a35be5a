package trace

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/expr"
)

// Field is a function that a formula has in it at a point: one of those given, differentiated
// and shifted.
type Field struct {
	Of    int       // which of those given
	Order []int     // of the derivative by each coordinate; nil: none
	Shift []float64 // of each coordinate; nil: none
}

// Functions are what Fields traces a function of.
type Functions struct {
	Inputs []string   // by name; one alone is the first argument itself, several are a table
	Axes   [][]string // names of the coordinates of each input and then of the output
	Most   int        // highest order of a derivative by one coordinate
}

// fields are the functions of a trace that is under way: slot i of formulas is list[i].
type fields struct {
	Functions
	names []string // in messages and formulas
	list  []Field
	used  bool // of derivatives or shifts
}

// fieldsKey is where a Lua state keeps the fields of a trace.
const fieldsKey = "workbench.fields"

// Fields traces function(f, u), a map of functions at a point: f is an input, or a table of
// inputs by name, and u the output. Slot i of the formula is the field i.
func Fields(c *bind.Call, f *bind.Function, of Functions) (*expr.Node, []Field, error) {
	fn, err := written(f)
	if err != nil {
		return nil, nil, err
	}
	if fn.Proto.NumParameters != 2 || fn.Proto.IsVarArg != 0 {
		return nil, nil, fmt.Errorf("%s takes %s: must take the input and the output, function(f, u)", f, argumentCount(int(fn.Proto.NumParameters)))
	}
	t := &tracer{c: c, f: f, scan: scanFunction(c.L, fn), inputs: parameters(fn.Proto)}
	s := &fields{Functions: of, names: append(slices.Clone(of.Inputs), t.inputs[1])}
	for i := range s.names {
		s.list = append(s.list, Field{Of: i})
	}
	if len(of.Inputs) == 1 {
		s.names[0] = t.inputs[0]
	}
	registry := c.L.G.Registry
	before := registry.RawGetString(fieldsKey)
	u := c.L.NewUserData()
	u.Value = s
	registry.RawSetString(fieldsKey, u)
	defer registry.RawSetString(fieldsKey, before)
	n, err := t.scalar(s.arguments(c, func(i int) any { return expr.Var(i, s.names[i]) })...)
	if err != nil {
		return nil, nil, err
	}
	if s.used { // numbers have no derivatives to compare with
		if t.scan.tests {
			return nil, nil, fmt.Errorf("%s tests something, which cannot be followed where there are derivatives or shifts; write it with where, lt and le", f)
		}
		return n, s.list, nil
	}
	return n, s.list, t.verifyScalar(n, len(s.names), func(x []float64) []any {
		return s.arguments(c, func(i int) any { return x[i] })
	})
}

// byName are several inputs, as the table that a function gets.
func (s *fields) byName(c *bind.Call, value func(i int) any) *lua.LTable {
	t := c.L.NewTable()
	for i, name := range s.Inputs {
		t.RawSetString(name, c.Lua(value(i)))
	}
	mt := c.L.NewTable()
	mt.RawSetString("__index", c.L.NewFunction(func(L *lua.LState) int {
		L.RaiseError("no input '%s': the inputs are %s", L.Get(2).String(), strings.Join(s.Inputs, ", "))
		return 0
	}))
	t.Metatable = mt
	return t
}

// arguments are those that the function is called with.
func (s *fields) arguments(c *bind.Call, value func(i int) any) []any {
	last := len(s.names) - 1
	if last == 1 {
		return []any{value(0), value(1)}
	}
	return []any{s.byName(c, value), value(last)}
}

var errNoFields = errors.New("only fields have derivatives and shifts: the f and u of a term of green.network")

// fieldsOf are those of the trace that is under way.
func fieldsOf(c *bind.Call) (*fields, error) {
	u, ok := c.L.G.Registry.RawGetString(fieldsKey).(*lua.LUserData)
	if !ok {
		return nil, errNoFields
	}
	return u.Value.(*fields), nil
}

// axis is the number of a coordinate of a field.
func (s *fields) axis(f Field, name string) (int, error) {
	k := slices.Index(s.Axes[f.Of], name)
	if k < 0 {
		return 0, fmt.Errorf("%s has no coordinate %q: it has %s", s.names[f.Of], name, strings.Join(s.Axes[f.Of], ", "))
	}
	return k, nil
}

// slot is that of a field, which is new or was there.
func (s *fields) slot(f Field) *expr.Node {
	at := slices.IndexFunc(s.list, func(g Field) bool {
		return g.Of == f.Of && slices.Equal(g.Order, f.Order) && slices.Equal(g.Shift, f.Shift)
	})
	if at < 0 {
		at, s.list = len(s.list), append(s.list, f)
	}
	name := s.names[f.Of]
	for k, n := range f.Order {
		if n > 0 {
			name += "_" + strings.Repeat(s.Axes[f.Of][k], n)
		}
	}
	for k, v := range f.Shift {
		if v != 0 {
			name += fmt.Sprintf("(%s%+g)", s.Axes[f.Of][k], v)
		}
	}
	return expr.Var(at, name)
}

// differentiate is the derivative of a formula by a coordinate: that by each field, times its.
func (s *fields) differentiate(n *expr.Node, axis string) (*expr.Node, error) {
	s.used = true
	sum := expr.Const(0)
	for _, slot := range expr.Slots(n) {
		f := s.list[slot]
		k, err := s.axis(f, axis)
		if err != nil {
			return nil, err
		}
		order := make([]int, len(s.Axes[f.Of]))
		copy(order, f.Order)
		if order[k]++; order[k] > s.Most {
			return nil, fmt.Errorf("the derivative of order %d by %s: must be at most of order %d", order[k], axis, s.Most)
		}
		own := s.slot(Field{f.Of, order, f.Shift})
		sum = expr.Of(expr.OpAdd, sum, expr.Of(expr.OpMul, expr.Diff(n, slot), own))
	}
	return expr.Simplify(sum), nil
}

// shift is a formula at x + by in place of x.
func (s *fields) shift(n *expr.Node, axis string, by float64) (*expr.Node, error) {
	s.used = true
	shifted := map[int]*expr.Node{}
	for _, slot := range expr.Slots(n) {
		f := s.list[slot]
		k, err := s.axis(f, axis)
		if err != nil {
			return nil, err
		}
		shift := make([]float64, len(s.Axes[f.Of]))
		copy(shift, f.Shift)
		shift[k] += by
		if !slices.ContainsFunc(shift, func(v float64) bool { return v != 0 }) {
			shift = nil
		}
		shifted[slot] = s.slot(Field{f.Of, f.Order, shift})
	}
	return expr.Substitute(n, shifted), nil
}

// fieldMethods are those of formulas that are of functions at a point.
func fieldMethods() bind.TypeOption {
	return bind.Methods(
		bind.Fn("d", "The derivative of a field by a coordinate, in a term of green.network.", func(c *bind.Call, p *struct {
			Formula *expr.Node `arg:"self"`
			Axis    string     `arg:"coordinate" pos:"1" doc:"its name"`
			Order   int        `arg:"order" pos:"2" doc:"how often" default:"1" allow:">=1"`
		},
		) (Operand, error) {
			s, err := fieldsOf(c)
			n := p.Formula
			for k := 0; k < p.Order && err == nil; k++ {
				n, err = s.differentiate(n, p.Axis)
			}
			if err != nil {
				return Operand{}, err
			}
			return Result(n), nil
		}, bind.Returns("a formula"), bind.See("green.network"),
			bind.Example(sampleFields+`net = green.network{data = d, kernel = k, terms = {c = function(f, u) return u * u:d("x") end}}
print(net.report.terms[1].formula)  --> u*u_x`)),
		bind.Fn("shift", "A field at a point beside this one, in a term of green.network: at x + by in place of x. Beyond the ends of an axis that has no period it keeps the value at the end.", func(c *bind.Call, p *struct {
			Formula *expr.Node `arg:"self"`
			Axis    string     `arg:"coordinate" pos:"1" doc:"its name"`
			By      float64    `arg:"by" pos:"2" doc:"how far"`
		},
		) (Operand, error) {
			s, err := fieldsOf(c)
			if err != nil {
				return Operand{}, err
			}
			n, err := s.shift(p.Formula, p.Axis, p.By)
			if err != nil {
				return Operand{}, err
			}
			return Result(n), nil
		}, bind.Returns("a formula"), bind.See("green.network"),
			bind.Example(sampleFields+`net = green.network{data = d, kernel = k, terms = {c = function(f, u) return u * u:shift("x", 0.1) end}}
print(net.report.terms[1].formula)  --> u*u(x+0.1)`)),
	)
}

// sampleFields begins examples that need pairs of functions.
const sampleFields = `m, k = mesh.uniform(0, 1, 8), kernel.se{lengthscale = 0.3}
f = random.normal{shape = {6, 8}}
d = data.new{input = f, output = pde.poisson{mesh = m}:solve(f), input_mesh = m}
`
