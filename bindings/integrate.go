package bindings

import (
	"errors"
	"fmt"
	"math"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/integrate"
	"github.com/greenbench/workbench/numeric/array"
)

// Integrate is the Lua module integrate: integrals and initial value problems.
func Integrate() bind.Module {
	return bind.Module{
		Name:  "integrate",
		Doc:   "Integrals of functions and of samples, and ordinary differential equations.",
		Types: []bind.Type{solutionType()},
		Funcs: []bind.Func{
			bind.Fn("quad", "The integral of a function of one number, adaptively by Gauss and Kronrod rules, and an estimate of its error. A peak that is much narrower than the range can be missed, and its error with it, except at 0 and at the ends: points says where it is.",
				func(c *bind.Call, p *quadArguments) (bind.Results, error) {
					r, err := integrate.Quad(c, numberFunction(c, &p.F), p.A, p.B, p.options())
					return bind.Results{r.Value, r.Bound}, notReached(err)
				}, bind.ReturnsAs("number", "the integral"), bind.ReturnsAs("number", "an estimate of its error, mostly far too large"),
				bind.Errors("an error larger than rtol and atol allow, as of an integral that does not exist", "NaN, with the place"),
				bind.Example("print(math.abs(integrate.quad(math.sin, 0, math.pi) - 2) < 1e-14)  --> true"),
				bind.Example("local I = integrate.quad(function(x) return math.exp(-x*x) end, -math.huge, math.huge)\nprint(math.abs(I*I - math.pi) < 1e-12)  --> true"),
				bind.Keywords("integral", "quadrature", "gauss", "kronrod"), bind.See("integrate.nquad", "integrate.trapezoid")),
			bind.Fn("nquad", "The integral of a function of several numbers, one integral inside the other. The first range is the innermost; a range may be a function of the variables after its own: it cuts out a region better than a function that is 0 outside.",
				nquad, bind.ReturnsAs("number", "the integral"), bind.ReturnsAs("number", "an estimate of the error of the outermost integral"),
				bind.Example("local disk = integrate.nquad(function(x, y) return 1 end, {function(y) local r = math.sqrt(1 - y^2); return {-r, r} end, {-1, 1}})\nprint(math.abs(disk - math.pi) < 1e-7)  --> true"),
				bind.Keywords("dblquad", "tplquad", "double integral", "multiple integral"), bind.See("integrate.quad")),
			overSamples("trapezoid", "The integral of sampled values by the trapezoidal rule, along the last axis.", integrate.Trapezoid,
				"print(integrate.trapezoid({1, 2, 3}))  --> 4", "trapz"),
			overSamples("simpson", "The integral of sampled values by Simpson's rule, of parabolas through three values each, along the last axis.", integrate.Simpson,
				"local x = array.linspace(0, 2, 5)\nprint(integrate.simpson(x^3, x))  --> 4", "simps"),
			runningSamples("cumulative_trapezoid", "The integral of sampled values up to each of them, 0 at the first, by the trapezoidal rule along the last axis.", integrate.CumulativeTrapezoid,
				"integrate.cumulative_trapezoid({1, 2, 3})[3]  --> 4", "cumtrapz", "cumulative integral"),
			runningSamples("cumulative_simpson", "The integral of sampled values up to each of them, 0 at the first, of parabolas along the last axis.", integrate.CumulativeSimpson,
				"integrate.cumulative_simpson({0, 1, 4, 9}, {0, 1, 2, 3})[4]  --> 9", "cumulative integral"),
			solveIVP(),
		},
	}
}

type quadArguments struct {
	F      bind.Function `arg:"f" pos:"1" doc:"function of a number"`
	A      float64       `arg:"a" pos:"2" doc:"lower end; -math.huge is allowed"`
	B      float64       `arg:"b" pos:"3" doc:"upper end; math.huge is allowed"`
	Rtol   float64       `arg:"rtol" doc:"error allowed relative to the integral" default:"1e-10" allow:"[1e-14, 1)"`
	Atol   float64       `arg:"atol" doc:"error allowed" default:"0" allow:">=0"`
	Limit  int           `arg:"limit" doc:"most intervals" default:"2000" allow:"[1, 1000000]"`
	Points []float64     `arg:"points" doc:"where f is singular, jumps or is steep" default:"{}"`
}

func (p quadArguments) options() integrate.Options {
	return integrate.Options{Rel: p.Rtol, Abs: p.Atol, Limit: p.Limit, Points: p.Points}
}

// notReached says what to try about an integral that is not exact enough.
func notReached(err error) error {
	if not := (*integrate.NotReached)(nil); errors.As(err, &not) {
		return fmt.Errorf("%w\n  give points = {…} where f is singular or jumps, a larger limit, or allow a larger rtol or atol", err)
	}
	return err
}

// ends is the range of a variable: two numbers, or a function that returns them.
type ends struct {
	a, b float64
	f    *bind.Function
}

// DecodeLua implements bind.Decoder.
func (e *ends) DecodeLua(c *bind.Call, v lua.LValue) error {
	if _, ok := v.(*lua.LFunction); ok {
		e.f = &bind.Function{}
		return e.f.DecodeLua(c, v)
	}
	x, err := bind.Decode[[]float64](c, v)
	if err == nil && len(x) != 2 {
		err = fmt.Errorf("want two ends, got %d numbers", len(x))
	}
	if err == nil {
		e.a, e.b = x[0], x[1]
	}
	return err
}

// LuaKind implements bind.Decoder.
func (e *ends) LuaKind() string { return "number[]|function" }

func (e *ends) over(c *bind.Call) integrate.Range {
	if e.f == nil {
		return integrate.Between(e.a, e.b)
	}
	return func(outer []float64) (a, b float64, err error) {
		results, err := e.f.Call(c, numbers(outer)...)
		if err != nil {
			return 0, 0, err
		}
		if len(results) == 2 {
			results = []lua.LValue{pair(c, results)}
		}
		x, err := numbersOf(c, e.f, results, 2)
		if err != nil {
			return 0, 0, err
		}
		if math.IsNaN(x[0]) || math.IsNaN(x[1]) {
			return 0, 0, fmt.Errorf("%s: an end of a range is NaN", e.f)
		}
		return x[0], x[1], nil
	}
}

// pair is a list of two values.
func pair(c *bind.Call, v []lua.LValue) lua.LValue {
	t := c.L.CreateTable(2, 0)
	t.RawSetInt(1, v[0])
	t.RawSetInt(2, v[1])
	return t
}

func numbers(x []float64) []any {
	out := make([]any, len(x))
	for i, v := range x {
		out[i] = v
	}
	return out
}

func nquad(c *bind.Call, p *struct {
	F      bind.Function `arg:"f" pos:"1" doc:"function of as many numbers as there are ranges"`
	Ranges []ends        `arg:"ranges" pos:"2" doc:"{a, b} for each variable, the innermost first, or a function of the variables after it" allow:"nonempty"`
	Rtol   float64       `arg:"rtol" doc:"error allowed relative to the integral" default:"1e-8" allow:"[1e-13, 1)"`
	Atol   float64       `arg:"atol" doc:"error allowed" default:"0" allow:">=0"`
	Limit  int           `arg:"limit" doc:"most intervals of each integral" default:"2000" allow:"[1, 1000000]"`
},
) (bind.Results, error) {
	if n := p.F.Parameters(); n > len(p.Ranges) {
		return nil, fmt.Errorf("f has %d arguments and ranges %d: want a range for each", n, len(p.Ranges))
	}
	var ranges []integrate.Range
	for i := range p.Ranges {
		ranges = append(ranges, p.Ranges[i].over(c))
	}
	r, err := integrate.NQuad(c, func(x []float64) (float64, error) { return p.F.Number(c, numbers(x)...) }, ranges,
		integrate.Options{Rel: p.Rtol, Abs: p.Atol, Limit: p.Limit})
	return bind.Results{r.Value, r.Bound}, notReached(err)
}

type samplesArguments struct {
	Y  *array.Array `arg:"y" pos:"1" doc:"values; of a matrix each row"`
	X  []float64    `arg:"x" pos:"2" doc:"where they are, increasing or decreasing" default:"nil"`
	Dx float64      `arg:"dx" doc:"distance between them, without x" default:"1" allow:"finite"`
}

// overSamples declares an integral of samples, runningSamples one up to each.
func overSamples(name, doc string, f func(integrate.Samples) (float64, error), example string, keywords ...string) bind.Func {
	return bind.Fn(name, doc, func(_ *bind.Call, p *samplesArguments) (numberOrArray, error) {
		if p.Y.Size() == 0 {
			return numberOrArray{}, fmt.Errorf("y of shape %s has no values: want one at least", dense.ShapeString(p.Y.Shape))
		}
		out, err := p.rows(func(s integrate.Samples) ([]float64, error) {
			v, err := f(s)
			return []float64{v}, err
		})
		if err != nil {
			return numberOrArray{}, err
		}
		if p.Y.Rank() == 1 {
			return bind.First[float64, *array.Array](out[0]), nil
		}
		a, err := array.Of(out, p.Y.Shape[:p.Y.Rank()-1]...)
		return bind.Second[float64](a), err
	}, bind.ReturnsAs("number|array", "a number of a vector; otherwise an array without the last axis"), bind.Errors("x that does not fit y, or does not go one way"),
		bind.Example(example), bind.Keywords(keywords...), bind.See("integrate.quad"))
}

func runningSamples(name, doc string, f func(integrate.Samples) ([]float64, error), example string, keywords ...string) bind.Func {
	return bind.Fn(name, doc, func(_ *bind.Call, p *samplesArguments) (*array.Array, error) {
		out, err := p.rows(f)
		if err != nil {
			return nil, err
		}
		return array.Of(out, p.Y.Shape...)
	}, bind.Returns("an array of the shape of y"), bind.Errors("x that does not fit y, or does not go one way"),
		bind.Example(example), bind.Keywords(keywords...), bind.See("integrate.trapezoid"))
}

// rows applies a rule along the last axis.
func (p samplesArguments) rows(f func(integrate.Samples) ([]float64, error)) (out []float64, err error) {
	n := p.Y.Shape[p.Y.Rank()-1]
	for at := 0; at < len(p.Y.Data); at += n {
		v, err := f(integrate.Samples{Y: p.Y.Data[at : at+n], X: p.X, Step: p.Dx})
		if err != nil {
			return nil, err
		}
		out = append(out, v...)
	}
	return out, nil
}
