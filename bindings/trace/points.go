package trace

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/kernels"
)

// Options say how a function of points is called and what it must return.
type Options struct {
	Points int      // how many it takes: 1 or 2
	Dim    int      // number of coordinates; 0: found by trying
	Names  []string // names of all coordinates; nil: those that it uses
	Params []Param  // fields of its last argument

	// Image: the function returns a point and not a number; with Reduce, of any
	// number of coordinates.
	Image, Reduce bool
	// Accept refuses values that a number must not have; nil accepts all.
	Accept func(v float64) error
	// Calls says that the caller offers trace = false.
	Calls bool
}

// Param is a parameter of a traced function. Numbers, and lists of numbers, are
// kept as parameters of the expression where the function permits.
type Param struct {
	Name  string
	Value lua.LValue
}

// Traced is what became of a function of points.
type Traced struct {
	Formula kernels.Formula
	// Image are the coordinates of the image, for a function that returns a point:
	// those that change, by name, or nil for all of them in order.
	Image []string
	image bool // it returns a point
}

// tryDims is up to how many coordinates a function is tried that does not say.
const tryDims = 6

// tracer traces one function.
type tracer struct {
	Options
	c      *bind.Call
	f      *bind.Function
	scan   *scan
	params params
	names  []string // coordinates used by name, in the order of use
	inputs []string // names of the points, for messages and formulas: p, q
	last   string   // name of the argument that holds the parameters

	points *numberPoints // for calls with numbers, made when needed
	values *lua.LTable   // parameters for them
}

// outcome is a trace for points of one number of coordinates.
type outcome struct {
	dim   int
	nodes []*expr.Node
	image []string
	err   error
	short bool // err says that there were too few coordinates
}

// Points traces a function of points and compares it with its expression.
func Points(c *bind.Call, f *bind.Function, o Options) (*Traced, error) {
	fn, err := written(f)
	if err != nil {
		return nil, err
	}
	t := &tracer{Options: o, c: c, f: f, scan: scanFunction(c.L, fn), names: slices.Clone(o.Names), inputs: inputNames(fn, o.Points)}
	if err := t.checkArity(fn); err != nil {
		return nil, err
	}
	if names := parameters(fn.Proto); len(names) > o.Points {
		t.last = names[o.Points]
	}
	if t.params, err = newParams(o.Params); err != nil {
		return nil, err
	}
	done, err := t.tryAll()
	if err != nil && t.params.symbolic() { // perhaps it counts with a parameter
		t.params = t.params.fixed()
		done, err = t.tryAll()
	}
	if err != nil {
		return nil, err
	}
	traced := t.assemble(done)
	if err := t.params.unused(traced.Formula); err != nil {
		return nil, err
	}
	if err := t.verify(traced, done); err != nil {
		return nil, err
	}
	t.sortNames(&traced.Formula)
	return traced, nil
}

// written is the function if it is one of Lua: those of the library cannot be run
// on formulas.
func written(f *bind.Function) (*lua.LFunction, error) {
	fn, ok := f.Value().(*lua.LFunction)
	if !ok || fn.IsG {
		return nil, errors.New("want a function written in Lua, got one of the library; write function(…) return … end around it")
	}
	return fn, nil
}

// options are the names in the table after a function that are no parameters.
func options() []string { return []string{"dim", "names", "trace"} }

// inputNames are the names of the first parameters of a function.
func inputNames(fn *lua.LFunction, n int) []string {
	names := []string{"p", "q"}[:n]
	copy(names, parameters(fn.Proto))
	return names
}

// argumentCount is so many arguments, in words.
func argumentCount(n int) string {
	if n == 1 {
		return "1 argument"
	}
	return fmt.Sprintf("%d arguments", n)
}

func (t *tracer) checkArity(fn *lua.LFunction) error {
	wants := int(fn.Proto.NumParameters)
	vararg := fn.Proto.IsVarArg != 0
	gets := t.Points
	if len(t.Params) > 0 {
		gets++
	}
	switch {
	case wants > t.Points+1:
		return fmt.Errorf("%s takes %s: must take %s", t.f, argumentCount(wants), t.takes())
	case wants > gets && t.Points == 1:
		return fmt.Errorf("%s takes %s: must take a point; what else it needs are variables around it", t.f, argumentCount(wants))
	case wants > gets:
		return fmt.Errorf("%s takes %s, but there are no parameters: write them as a table after the function", t.f, argumentCount(wants))
	case wants < gets && len(t.Params) > 0 && !vararg:
		return fmt.Errorf("%s does not take the parameters: write function(%s, v) and use them as v.%s%s", t.f, strings.Join(t.inputs, ", "), t.Params[0].Name,
			bind.DidYouMean(t.Params[0].Name, options()))
	}
	return nil
}

func (t *tracer) takes() string {
	if t.Points == 1 {
		return "a point"
	}
	return "two points, and parameters if there are any"
}

// dims are the least and the largest number of coordinates in question.
func (t *tracer) dims() (from, to int) {
	switch {
	case t.Names != nil:
		return len(t.Names), len(t.Names)
	case t.Dim > 0:
		return t.Dim, t.Dim
	}
	return 1, tryDims
}

// tryAll traces for points of every number of coordinates in question, and fails
// if none will do.
func (t *tracer) tryAll() (done []outcome, err error) {
	from, to := t.dims()
	var failed []outcome
	for d := from; d <= to; d++ {
		o := t.run(d)
		if o.err != nil {
			failed = append(failed, o)
			continue
		}
		done = append(done, o)
	}
	if len(done) > 0 {
		return done, nil
	}
	// What fails for lack of coordinates is not the mistake, if anything else fails.
	for _, o := range failed {
		if !o.short {
			return nil, o.err
		}
	}
	if from < to {
		return nil, fmt.Errorf("%s takes points of more than %d coordinates: say how many, {dim = …}", t.f, to)
	}
	return nil, failed[0].err
}

// run traces for points of d coordinates.
func (t *tracer) run(d int) outcome {
	o := outcome{dim: d}
	var args []any
	var points []*lua.LTable
	for j := range t.Points {
		p := t.point(j, d)
		points = append(points, p)
		args = append(args, p)
	}
	if len(t.Params) > 0 {
		args = append(args, t.params.table(t.c, true, t.last))
	}
	results, err := t.f.Call(t.c, args...)
	if err != nil {
		o.err, o.short = t.explain(err)
		return o
	}
	values, image, err := t.read(results, points[0])
	if err != nil {
		o.err = err
		return o
	}
	o.image = image
	for _, v := range values {
		n, _ := NodeOf(v)
		o.nodes = append(o.nodes, n)
	}
	return o
}

// point makes symbolic point j of d coordinates.
func (t *tracer) point(j, d int) *lua.LTable {
	x := make([]*expr.Node, d)
	for i := range x {
		if t.Names != nil {
			x[i] = t.named(j, t.Names[i])
		} else {
			x[i] = expr.Var(kernels.NumberSlot(j, i), fmt.Sprintf("%s[%d]", t.inputs[j], i+1))
		}
	}
	g := &given{x: x, names: t.Names, coordinate: func(name string) *expr.Node { return t.named(j, name) }}
	return g.table(t.c)
}

// named is the coordinate of point j with that name, nil if there can be none.
func (t *tracer) named(j int, name string) *expr.Node {
	k := slices.Index(t.names, name)
	if k < 0 {
		if t.Names != nil || len(t.names) == kernels.MaxNamed {
			return nil
		}
		k = len(t.names)
		t.names = append(t.names, name)
	}
	return expr.Var(kernels.NameSlot(j, k), t.inputs[j]+"."+name)
}

// assemble makes one formula of the traces for different numbers of coordinates:
// if they all are the same, the number does not matter, or only bounds it.
func (t *tracer) assemble(done []outcome) *Traced {
	f := kernels.Formula{Points: t.Points, Names: t.names, Params: t.params.names, Values: t.params.values}
	same, numbered := true, false
	for _, o := range done {
		same = same && slices.Equal(o.image, done[0].image) && slices.EqualFunc(o.nodes, done[0].nodes, expr.Equal)
		for _, n := range o.nodes {
			for _, slot := range expr.Slots(n) {
				numbered = numbered || t.isNumbered(slot)
			}
		}
	}
	numbered = numbered || t.Image && done[0].image == nil
	switch {
	case t.Dim > 0:
		f.Forms = []kernels.Form{{Dim: t.Dim, Nodes: done[0].nodes}}
	case !numbered:
		f.Forms = []kernels.Form{{Nodes: done[0].nodes}}
	case same:
		f.Forms = []kernels.Form{{Dim: done[0].dim, Nodes: done[0].nodes}}
	default:
		for _, o := range done {
			f.Forms = append(f.Forms, kernels.Form{Dim: o.dim, Nodes: o.nodes})
		}
	}
	return &Traced{Formula: f, Image: done[0].image, image: t.Image}
}

func (t *tracer) isNumbered(slot int) bool {
	for j := range t.Points {
		if i := slot - kernels.NumberSlot(j, 0); i >= 0 && i < kernels.MaxNumbered {
			return true
		}
	}
	return false
}

// sortNames puts the names found by use in their usual order.
func (t *tracer) sortNames(f *kernels.Formula) {
	if t.Names != nil || slices.IsSortedFunc(f.Names, CompareNames) {
		return
	}
	sorted := slices.SortedFunc(slices.Values(f.Names), CompareNames)
	by := map[int]*expr.Node{}
	for j := range f.Points {
		for k, name := range f.Names {
			by[kernels.NameSlot(j, k)] = expr.Var(kernels.NameSlot(j, slices.Index(sorted, name)), t.inputs[j]+"."+name)
		}
	}
	f.Names = sorted
	for _, form := range f.Forms {
		for i, n := range form.Nodes {
			form.Nodes[i] = expr.Substitute(n, by)
		}
	}
}
