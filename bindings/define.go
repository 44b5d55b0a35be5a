package bindings

import (
	"fmt"
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/bindings/trace"
	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/numeric/kernel"
)

// defineKernel declares kernel.define.
func defineKernel() bind.Func {
	return bind.Fn("define", "A kernel written in Lua. The function is run once, with symbolic coordinates; from then on the kernel is evaluated like one of the library, with its structure and speed.\n\n"+
		"Coordinates are taken by name (p.x) or by number (p[1]); dist(p, q) and #p take all coordinates. The function must not branch on a coordinate: "+
		"write where(lt(a, b), x, y) instead of if a < b. The result is compared with the function on random points.",
		func(c *bind.Call, p *struct {
			F       bind.Function `arg:"f" pos:"1" doc:"k(p, q) of two points, and of the parameters if there are any"`
			Options defineOptions `arg:"parameters" pos:"2" doc:"numbers, or lists of numbers, that the function gets as a third argument, {lengthscale = 0.1}; and dim = number of coordinates, names = their names, trace = false to have the function called for every pair of points" default:"nil"`
		},
		) (kernel.Kernel, error) {
			if p.Options.called {
				return newCalled(c, p.F, p.Options)
			}
			fn := p.F
			o := p.Options.trace(2)
			o.Calls = true
			t, err := trace.Points(c, &fn, o)
			if err != nil {
				return nil, err
			}
			k, err := kernels.NewDefined(t.Formula, trace.Write(c, &fn, t))
			if err != nil {
				return nil, err
			}
			k.Given = p.Options.given()
			if p.Options.auto {
				k.Lengthscale = kernel.Auto
			}
			return k, nil
		},
		bind.Returns("a kernel"),
		bind.Errors("the function branches on a coordinate", "the function and the expression made from it differ at a point", "it returns no number, or NaN where p = q"),
		bind.Example("k = kernel.define(function(p, q) return 1 / (1 + dist(p, q)^2) end)\nprint(k(0, 2), k({0, 0}, {0, 2}))  --> 0.2\t0.2"),
		bind.Example("k = kernel.define(function(p, q, v) return where(lt(dist(p, q), v.width), 1 - dist(p, q)/v.width, 0) end, {width = 0.5})\nprint(k(0, 0.1), k(0, 3))  --> 0.8\t0"),
		bind.Keywords("custom", "own", "script", "new"), bind.See("where", "dist", "kernel:with", "kernel:describe"))
}

// describeScript says how a kernel was scripted; "" for the kernels of the library.
func describeScript(k kernel.Kernel) string {
	switch k := k.(type) {
	case kernels.Defined:
		text := "  scripted: its Lua function was traced and is compiled like the kernels of the library"
		if f := k.Formula; len(f.Forms) == 1 {
			text += fmt.Sprintf(", k(p, q) = %s", f.Forms[0].Nodes[0])
		}
		return text + "\n"
	case calledKernel:
		return "  scripted: " + k.Describe() + "\n"
	}
	return ""
}

// withParameters declares k:with.
func withParameters() bind.Func {
	return bind.Fn("with", "The same kernel with other values of its parameters, if kernel.define made it with parameters.", func(c *bind.Call, p *struct {
		Kernel kernel.Kernel `arg:"self"`
		Values changes       `arg:"parameters" pos:"1" doc:"{lengthscale = 0.2}"`
	},
	) (kernel.Kernel, error) {
		k, ok := p.Kernel.(kernels.Defined)
		if !ok {
			return nil, fmt.Errorf("only a kernel of kernel.define has parameters that can be changed, this is %s", luaText(p.Kernel))
		}
		for _, g := range p.Values {
			values, err := bind.Decode[[]float64](c, g.Value)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", g.Name, err)
			}
			for i, v := range values {
				name := g.Name
				if g.Value.Type() != lua.LTNumber {
					name = fmt.Sprintf("%s[%d]", name, i+1)
				}
				if k, err = k.With(name, v); err != nil {
					return nil, err
				}
			}
		}
		return k, nil
	}, bind.Returns("a kernel"), bind.See("kernel.define"),
		bind.Example("k = kernel.define(function(p, q, v) return 1 / (1 + v.rate*dist(p, q)^2) end, {rate = 1})\nprint(k(0, 1), k:with{rate = 3}(0, 1))  --> 0.5\t0.25"))
}

// changes are named values.
type changes []trace.Param

// DecodeLua implements bind.Decoder.
func (p *changes) DecodeLua(_ *bind.Call, v lua.LValue) error {
	t, ok := v.(*lua.LTable)
	if !ok {
		return bind.ErrKind
	}
	for k, v := t.Next(lua.LNil); k != lua.LNil; k, v = t.Next(k) {
		if name, ok := k.(lua.LString); ok {
			*p = append(*p, trace.Param{Name: string(name), Value: v})
			continue
		}
		return bind.ErrKind
	}
	return nil
}

// LuaKind implements bind.Decoder.
func (p *changes) LuaKind() string { return "{name=, …}" }

// callKernel is k(p, q): a number, or a formula if a coordinate is one.
func callKernel(recent *kernels.Recent, k kernel.Kernel, p, q trace.Point) (trace.Operand, error) {
	if len(p.X) != len(q.X) || !slices.Equal(p.Names, q.Names) {
		return trace.Operand{}, fmt.Errorf("q: has the coordinates %s, p has %s: must be the same", coordinateText(q), coordinateText(p))
	}
	if d, ok := k.(kernels.Defined); ok {
		return callDefined(recent, d, p, q)
	}
	if err := kernel.Check(k); err != nil {
		return trace.Operand{}, err
	}
	if called, ok := k.(calledKernel); ok {
		v, err := called.value(p, q)
		return bind.First[float64, *expr.Node](v), err
	}
	return formulaAt(k, p.Of(), q.Of())
}

func formulaAt(k kernel.Kernel, p, q kernels.Point) (trace.Operand, error) {
	n, err := kernels.Symbolic(k, p, q)
	if err != nil {
		return trace.Operand{}, err
	}
	return trace.Result(n), nil
}

// callDefined is callKernel for a kernel that may take coordinates by name.
func callDefined(recent *kernels.Recent, k kernels.Defined, p, q trace.Point) (trace.Operand, error) {
	names, inside := k.Formula.Names, p.Named != nil && q.Named != nil // another function that is traced
	a, b := p.Of(), q.Of()
	if !inside && p.Names == nil && len(names) == len(p.X) { // a list, in the order of the names
		a.Space.Names, b.Space.Names = names, names
	}
	if x, y, ok := constants(p, q); ok {
		if f, err := recent.Compile(k, a.Space); err == nil {
			return bind.First[float64, *expr.Node](f.At(x, y)), nil
		}
	}
	if err := kernel.Check(k); err != nil {
		return trace.Operand{}, err
	}
	if !inside {
		return formulaAt(k, a, b)
	}
	f, err := k.At()
	if err != nil {
		return trace.Operand{}, err
	}
	form, err := f.Form(a.Space)
	if err != nil {
		return trace.Operand{}, err
	}
	for _, name := range names {
		if p.Named(name) == nil {
			return trace.Operand{}, fmt.Errorf("no coordinate %q: the coordinates here are %s", name, strings.Join(p.Names, ", "))
		}
	}
	points, named := []kernels.Point{a, b}, []func(string) *expr.Node{p.Named, q.Named}
	n := f.Apply(form,
		func(j, i int) *expr.Node { return points[j].X[i] },
		func(j, i int) *expr.Node { return named[j](names[i]) })
	return trace.Result(n[0]), nil
}

// constants are the coordinates of two points, if all are numbers.
func constants(p, q trace.Point) (x, y []float64, ok bool) {
	for i := range p.X {
		if !p.X[i].IsConst() || !q.X[i].IsConst() {
			return nil, nil, false
		}
		x, y = append(x, p.X[i].Value()), append(y, q.X[i].Value())
	}
	return x, y, true
}

func coordinateText(p trace.Point) string {
	if p.Names != nil {
		return strings.Join(p.Names, ", ")
	}
	return fmt.Sprint(len(p.X))
}
