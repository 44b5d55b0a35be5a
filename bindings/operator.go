package bindings

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/bindings/trace"
	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/pde"
	"github.com/greenbench/workbench/numeric/mesh"
)

// definePDE declares pde.define.
func definePDE() bind.Func {
	return bind.Fn("define", "A problem given by its operator, a function of the unknown u and of the coordinates: operator = function(u, at) return -u:d(\"x\", 2) + at.x*u end. "+
		"It is discretised by finite differences and factored once.\n\n"+
		"u has u:d(axis, k), u:laplacian(), u:grad() and u:div(flux), and combines with numbers and functions of at.x, at.y, at.t. With a derivative in time it is an evolution equation.\n\n"+
		"The derivatives of highest order must be linear in u. What else there is may be nonlinear, -u:d(\"x\", 2) + u^3, u*u:d(\"x\") or math.sin(u): then outputs are found by Newton's method, to the residual of rounding, and inputs with no solution or several are refused.",
		func(c *bind.Call, p *struct {
			Name     string                   `arg:"name" doc:"name that errors and printing use" default:"pde"`
			Mesh     mesh.Mesh                `arg:"mesh" doc:"space: a uniform or periodic mesh, or the product of two"`
			Time     mesh.Mesh                `arg:"time" doc:"uniform mesh of times, if the operator has a derivative in time" default:"nil"`
			Operator bind.Function            `arg:"operator" doc:"L u, linear in the derivatives of u of highest order; the problem is L u = f"`
			Boundary map[string]sideArguments `arg:"boundary" doc:"conditions by side: [\"x-\"], [\"x+\"], [\"y-\"], [\"y+\"]" default:"{}"`
			Initial  pde.Coefficient          `arg:"initial" doc:"u at the first time" default:"0"`
			Velocity pde.Coefficient          `arg:"velocity" doc:"∂u/∂t at the first time, if the operator is of second order in time" default:"0"`
			Source   pde.Coefficient          `arg:"source" doc:"a known part of the right-hand side, besides the input" default:"0"`
			Input    string                   `arg:"input" doc:"what the input is: f, u at the first time, or the conditions whose value is \"input\"" default:"forcing" allow:"forcing|initial|boundary"`
			Scheme   string                   `arg:"scheme" doc:"time stepping; the forcing of backward_euler is integrated in time by right Riemann sums, see mesh:right" default:"crank_nicolson" allow:"backward_euler|crank_nicolson|exponential"`
			Order    int                      `arg:"order" doc:"order of accuracy of the differences in space, 2 or 4" default:"2" allow:">=2 <=4"`
			Several  bool                     `arg:"several" doc:"of a nonlinear steady problem: an input may have several outputs, and the one that continues the solution of the linear part is taken" default:"false"`
		},
		) (pde.Problem, error) {
			o, err := operatorFrom(c, &p.Operator, pde.Unknown(p.Mesh, p.Time))
			if err != nil {
				return nil, err
			}
			d := pde.Definition{
				Name: p.Name, Mesh: p.Mesh, Time: p.Time, Operator: o, Boundary: map[string]pde.Side{},
				Initial: p.Initial, Velocity: p.Velocity, Source: p.Source, Input: p.Input, Scheme: p.Scheme, Order: p.Order, Several: p.Several,
			}
			for key, s := range p.Boundary {
				d.Boundary[key] = s.side()
			}
			return pde.Define(c, d)
		}, bind.Returns("a problem to solve, sample, or compare with"),
		bind.Errors("the operator is not linear in the derivatives of u of highest order", "the problem has no unique solution: conditions are missing or too many, or 0 is an eigenvalue"),
		bind.Example(`p = pde.define{
  mesh = mesh.uniform(0, 1, 41),
  operator = function(u, at) return -u:d("x", 2) + 100*at.x*u end,
  boundary = {["x-"] = {dirichlet = 1}, ["x+"] = {neumann = 0}},
}
print(#p:solve(array.zeros(41)))  --> 41`),
		bind.Example(`m, ends = mesh.uniform(0, 1, 21), {["x-"] = {dirichlet = 0}, ["x+"] = {dirichlet = 0}}
p = pde.define{mesh = m, operator = function(u) return -u:d("x", 2) + 2*u^3 end, boundary = ends}
x = array.linspace(0, 1, 21)
u = 3 * x * (1 - x)
print((p:solve(6 + 2*u^3) - u):norm() < 1e-12)  --> true`),
		bind.Example(`m, ends = mesh.uniform(0, 1, 11), {["x-"] = {dirichlet = 0}, ["x+"] = {dirichlet = 0}}
pde.define{mesh = m, operator = function(u) return u * u:d("x", 2) end, boundary = ends}  --! has no part that is linear in u`),
		bind.Keywords("own", "custom", "new", "equation"), bind.See("pde.poisson", "operator:d", "problem:solve"))
}

// sideArguments are the conditions on one side.
type sideArguments struct {
	Dirichlet  *conditionValue `arg:"dirichlet" doc:"value of u"`
	Neumann    *conditionValue `arg:"neumann" doc:"value of ∂u/∂n, n outwards"`
	Second     *conditionValue `arg:"second" doc:"value of ∂²u/∂n²"`
	Third      *conditionValue `arg:"third" doc:"value of ∂³u/∂n³, n outwards"`
	Robin      *robinArguments `arg:"robin" doc:"a u + b ∂u/∂n = value"`
	Periodic   bool            `arg:"periodic" doc:"the side is joined to the opposite one" default:"false"`
	Reflecting bool            `arg:"reflecting" doc:"the flux of the operator through this side is zero" default:"false"`
}

type robinArguments struct {
	A     pde.Coefficient `arg:"a" doc:"factor of u"`
	B     pde.Coefficient `arg:"b" doc:"factor of ∂u/∂n, not zero"`
	Value *conditionValue `arg:"value" doc:"right-hand side"`
}

func (s sideArguments) side() pde.Side {
	side := pde.Side{
		Dirichlet: s.Dirichlet.coefficient(), Neumann: s.Neumann.coefficient(), Second: s.Second.coefficient(), Third: s.Third.coefficient(),
		Periodic: s.Periodic, Reflecting: s.Reflecting,
	}
	if r := s.Robin; r != nil {
		side.Robin = &pde.Robin{A: r.A, B: r.B, Value: r.Value.coefficient()}
	}
	return side
}

// conditionValue is the value of a condition: given, or the input.
type conditionValue struct{ given pde.Coefficient }

func (v *conditionValue) coefficient() pde.Coefficient {
	if v == nil {
		return nil
	}
	return v.given
}

// DecodeLua implements bind.Decoder.
func (v *conditionValue) DecodeLua(c *bind.Call, value lua.LValue) error {
	if value == lua.LString("input") {
		v.given = pde.InputValue{}
		return nil
	}
	if value.Type() == lua.LTString {
		return bind.ErrKind
	}
	var err error
	v.given, err = bind.Decode[pde.Coefficient](c, value)
	return err
}

// LuaKind implements bind.Decoder.
func (v *conditionValue) LuaKind() string { return `number|function|"input"|coefficient` }

// operatorFrom runs the function once on the unknown.
func operatorFrom(c *bind.Call, f *bind.Function, u *pde.Operator) (*pde.Operator, error) {
	results, err := f.Call(c, u, trace.Handed(c, u.Names(), u.Coordinates()))
	if err != nil {
		return nil, linearly(err)
	}
	if len(results) == 0 {
		return nil, fmt.Errorf("operator: %s returns nothing: must return an expression in its first argument (is there a return?)", f)
	}
	v := results[0]
	if ud, ok := v.(*lua.LUserData); ok {
		if o, ok := ud.Value.(*pde.Operator); ok {
			return o, nil
		}
	}
	return nil, fmt.Errorf("operator: %s returns %s: must return an expression in its first argument, such as -u:d(\"x\", 2)", f, bind.Describe(v))
}

// compared is what the machine says of one that has no meaning.
var compared = regexp.MustCompile(`attempt to compare \w+ with \w+|the comparison has no value.*`)

// linearly adds to an error of the operator's function what u can do.
func linearly(err error) error {
	var script *bind.ScriptError
	if !errors.As(err, &script) {
		return err
	}
	object, ok := script.Object.(lua.LString)
	text, hint := string(object), ""
	switch {
	case !ok || strings.HasSuffix(text, "got nil"):
		return err
	case compared.MatchString(text):
		text = compared.ReplaceAllLiteralString(text, "u and the coordinates have no value yet, so they cannot be compared")
		hint = "a factor that changes from place to place is where(lt(at.x, 0.5), 1, 2)"
	case strings.Contains(text, "userdata"), strings.Contains(text, "got an operator"):
		hint = "u is not known yet: it and its derivatives are added, multiplied, and arguments of functions of math"
	default:
		return err
	}
	return &bind.ScriptError{Object: lua.LString(text + "\n  " + hint), Trace: script.Trace}
}

// factor is what an operator can be multiplied with.
type factor = bind.Either[float64, bind.Either[*expr.Node, pde.Coefficient]]

func coefficientOf(f factor) pde.Coefficient {
	switch {
	case !f.IsB:
		return pde.Constant(f.A)
	case !f.B.IsB:
		return pde.Formula{Node: f.B.A}
	}
	return f.B.B
}

// term is an operand of an operation with operators.
type term = bind.Either[*pde.Operator, factor]

// right makes an error of a mistake where it is made.
func right(o *pde.Operator) (*pde.Operator, error) { return o, o.Err() }

// operatorType is what u is, and what is made of it.
func operatorType() bind.Type {
	type self = struct {
		Operator *pde.Operator `arg:"self"`
	}
	return bind.TypeOf[*pde.Operator]("operator", "An expression in an unknown function u and its derivatives, inside the function given to pde.define.",
		bind.ToString(operatorText),
		bind.Methods(
			bind.Fn("d", "Derivative along a coordinate.", func(_ *bind.Call, p *struct {
				Operator *pde.Operator `arg:"self"`
				Axis     string        `arg:"axis" pos:"1" doc:"name of the coordinate"`
				Order    int           `arg:"order" pos:"2" doc:"of the derivative" default:"1" allow:">=1 <=4"`
			},
			) (*pde.Operator, error) {
				return right(p.Operator.D(p.Axis, p.Order))
			}, bind.Returns("an operator"), bind.Example(inOperator(`-u:d("x", 2) + u`, `-u:d("x", 2) + u`))),
			bind.Fn("laplacian", "Sum of the second derivatives along the coordinates of space.", func(_ *bind.Call, p *self) (*pde.Operator, error) {
				return right(p.Operator.Laplacian())
			}, bind.Returns("an operator"), bind.Example(inOperator("-u:laplacian()", `-u:d("x", 2)`))),
			bind.Fn("grad", "The derivatives along the coordinates of space.", func(_ *bind.Call, p *self) (flux, error) {
				for _, o := range p.Operator.Grad() {
					if o.Err() != nil {
						return nil, o.Err()
					}
				}
				return p.Operator.Grad(), nil
			}, bind.Returns("a flux: one component for each coordinate"), bind.See("operator:div"),
				bind.Example(inOperator("u:div(-(1 + at.x)*u:grad())", `((-1 - at.x)*u:d("x", 1)):d("x", 1)`))),
			bind.Fn("div", "Divergence of a flux, in conservative form: what flows out of one cell flows into the next. Coefficients inside may jump.", func(_ *bind.Call, p *struct {
				Operator *pde.Operator `arg:"self"`
				Flux     flux          `arg:"flux" pos:"1" doc:"one component for each coordinate of space, or the only one"`
			},
			) (*pde.Operator, error) {
				return right(pde.Div(p.Flux...))
			}, bind.Returns("an operator"), bind.See("operator:grad"),
				bind.Example(inOperator(`u:div{-u:d("x")}`, `(-u:d("x", 1)):d("x", 1)`))),
		),
		bind.Operators(
			bind.Binary("__add", "Sum.", func(_ *bind.Call, a, b term) (*pde.Operator, error) {
				switch {
				case a.IsB:
					return right(b.A.PlusGiven(coefficientOf(a.B)))
				case b.IsB:
					return right(a.A.PlusGiven(coefficientOf(b.B)))
				}
				return right(a.A.Plus(b.A))
			}),
			bind.Binary("__sub", "Difference.", func(_ *bind.Call, a, b term) (*pde.Operator, error) {
				switch {
				case a.IsB:
					return right(b.A.Neg().PlusGiven(coefficientOf(a.B)))
				case b.IsB:
					return right(a.A.PlusGiven(coefficientOf(b.B)))
				}
				return right(a.A.Minus(b.A))
			}),
			bind.Binary("__mul", "Product with a number, a function of the coordinates, or u and its derivatives.", func(_ *bind.Call, a, b term) (*pde.Operator, error) {
				switch {
				case a.IsB:
					return right(b.A.Times(coefficientOf(a.B)))
				case b.IsB:
					return right(a.A.Times(coefficientOf(b.B)))
				}
				return right(a.A.TimesOperator(b.A))
			}),
			bind.Binary("__div", "Quotient.", func(_ *bind.Call, a, b term) (*pde.Operator, error) {
				if !b.IsB {
					return applied(expr.OpDiv, a, b)
				}
				return right(a.A.Times(inverse(b.B)))
			}),
			bind.Binary("__pow", "Power at every point.", func(_ *bind.Call, a, b term) (*pde.Operator, error) {
				return applied(expr.OpPow, a, b)
			}),
			bind.Unary("__unm", "Negative.", func(_ *bind.Call, o *pde.Operator) (*pde.Operator, error) { return right(o.Neg()) }),
		),
	)
}

// inverse is one over a factor.
func inverse(f factor) pde.Coefficient {
	one := expr.Const(1)
	switch {
	case !f.IsB:
		return pde.Formula{Node: expr.Of(expr.OpDiv, one, expr.Const(f.A))}
	case !f.B.IsB:
		return pde.Formula{Node: expr.Of(expr.OpDiv, one, f.B.A)}
	}
	return pde.Func(func(x []float64) float64 { return 1 / pde.At(f.B.B, x) })
}

// inOperator is an example of an expression in the function given to pde.define
// that shows the operator.
func inOperator(expression, shows string) string {
	return `ends = {["x-"] = {dirichlet = 0}, ["x+"] = {dirichlet = 0}}
function operator(u, at) return ` + expression + ` end
p = pde.define{mesh = mesh.uniform(0, 1, 11), operator = operator, boundary = ends}
print(tostring(p):match("return (.*) end,"))  --> ` + shows
}

// flux is a vector of operators, one for each coordinate of space.
type flux []*pde.Operator

// each applies an operation to all components.
func (f flux) each(op func(*pde.Operator) *pde.Operator) (flux, error) {
	out := make(flux, len(f))
	for i, o := range f {
		if out[i] = op(o); out[i].Err() != nil {
			return nil, out[i].Err()
		}
	}
	return out, nil
}

// fluxType is what u:grad() is.
func fluxType() bind.Type {
	type scalar = bind.Either[flux, factor]
	return bind.TypeOf[flux]("flux", "A vector of linear expressions in u, one component for each coordinate of space.",
		bind.From("operator|operator[]", func(c *bind.Call, v lua.LValue) (flux, error) {
			if t, ok := v.(*lua.LTable); ok {
				var f flux
				for i := 1; i <= t.Len(); i++ {
					o, err := bind.Decode[*pde.Operator](c, t.RawGetInt(i))
					if err != nil {
						return nil, fmt.Errorf("component %d: %w", i, err)
					}
					f = append(f, o)
				}
				return f, nil
			}
			o, err := bind.Decode[*pde.Operator](c, v)
			return flux{o}, err
		}),
		bind.Index("Component i.", func(_ *bind.Call, f flux, i int) (*pde.Operator, error) {
			if i < 1 || i > len(f) {
				return nil, fmt.Errorf("component %d: must be in 1 … %d", i, len(f))
			}
			return f[i-1], nil
		}),
		bind.Len("Number of components.", func(f flux) int { return len(f) }),
		bind.ToString(func(f flux) string {
			var parts []string
			for _, o := range f {
				parts = append(parts, operatorText(o))
			}
			return "{" + strings.Join(parts, ", ") + "}"
		}),
		bind.Operators(
			bind.Binary("__mul", "Product with a number or a function of the coordinates.", func(_ *bind.Call, a, b scalar) (flux, error) {
				if !a.IsB && !b.IsB {
					return nil, errors.New("the product of two fluxes is neither a flux nor a number: multiply components, as in g[1]*g[1]")
				}
				if a.IsB {
					a, b = b, a
				}
				return a.A.each(func(o *pde.Operator) *pde.Operator { return o.Times(coefficientOf(b.B)) })
			}),
			bind.Binary("__add", "Sum.", func(_ *bind.Call, a, b flux) (flux, error) { return combineFluxes(a, b, 1) }),
			bind.Binary("__sub", "Difference.", func(_ *bind.Call, a, b flux) (flux, error) { return combineFluxes(a, b, -1) }),
			bind.Unary("__unm", "Negative.", func(_ *bind.Call, f flux) (flux, error) { return f.each((*pde.Operator).Neg) }),
		),
	)
}

// combineFluxes is a + sign b.
func combineFluxes(a, b flux, sign float64) (flux, error) {
	if len(a) != len(b) {
		return nil, fmt.Errorf("fluxes of %d and %d components: must have equally many", len(a), len(b))
	}
	out := make(flux, len(a))
	for i := range a {
		if out[i] = a[i].Plus(b[i].Scale(sign)); out[i].Err() != nil {
			return nil, out[i].Err()
		}
	}
	return out, nil
}

// applied is an operation on two operands, of which one is an operator.
func applied(op expr.Op, a, b term) (*pde.Operator, error) {
	u := a.A
	if a.IsB {
		u = b.A
	}
	of := func(t term) *pde.Operator {
		if t.IsB {
			return withoutU(u, coefficientOf(t.B))
		}
		return t.A
	}
	return right(pde.Combine(func(v []*expr.Node) *expr.Node { return expr.Of(op, v[0], v[1]) }, of(a), of(b)))
}
