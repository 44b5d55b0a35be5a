package bindings

import (
	"fmt"
	"math"
	"slices"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/ode"
	"github.com/greenbench/workbench/numeric/array"
)

// solution is a solution of an initial value problem, of one number or of several.
type solution struct {
	*ode.Solution
	start point
	call  **bind.Call // in which f is called
}

func (s *solution) String() string {
	return fmt.Sprintf("solution from t = %.6g to %.6g: %d times, %d steps, %d calls of f; %s", s.T[0], s.T[len(s.T)-1], len(s.T), s.Steps, s.Calls, s.Message)
}

// states are the components as rows, one column for each time.
func (s *solution) states(y [][]float64) *array.Array {
	n := len(s.start.x)
	if s.start.number {
		n = 1
	}
	out := array.New(n, len(y))
	for j, state := range y {
		for i, v := range state {
			out.Data[i*len(y)+j] = v
		}
	}
	if s.start.number {
		out.Shape = []int{len(y)}
	}
	return out
}

// estimate is about how large the error at the end is.
func (s *solution) estimate() numberOrArray {
	e := s.Error
	if e == nil {
		e = slices.Repeat([]float64{math.NaN()}, len(s.start.x))
	}
	return s.start.result(e)
}

// hits are the zeros of an event, as a record.
type hits struct {
	T *array.Array `arg:"t" doc:"when"`
	Y *array.Array `arg:"y" doc:"the states there, a column each"`
}

func solutionType() bind.Type {
	return bind.TypeOf[*solution]("solution", "The solution of an initial value problem, by integrate.solve_ivp.",
		bind.Properties(
			bind.Prop("t", "times: of the steps, or those asked for", func(s *solution) *array.Array { return array.Vector(s.T) }),
			bind.Prop("y", "the solution at these times: a row for each component, a vector for an equation of one number", func(s *solution) *array.Array { return s.states(s.Y) }),
			bind.Prop("events", "for each event the times t and states y of its zeros", func(s *solution) []hits {
				out := make([]hits, len(s.Events))
				for i, e := range s.Events {
					out[i] = hits{array.Vector(e.T), s.states(e.Y)}
				}
				return out
			}),
			bind.Prop("message", "how it ended, and by which method", func(s *solution) string { return s.Message }),
			bind.Prop("ended", "whether an event ended it", func(s *solution) bool { return s.Ended }),
			bind.Prop("nfev", "how often f was evaluated", func(s *solution) int { return s.Calls }),
			bind.Prop("njev", "how often the Jacobian was formed", func(s *solution) int { return s.Jacobians }),
			bind.Prop("nlu", "how many matrices were decomposed", func(s *solution) int { return s.Decompositions }),
			bind.Prop("error", "by \"auto\": about how large the error of y is at the end, a number or one for each component; usually right to a factor of ten, NaN where not known", (*solution).estimate),
			bind.Prop("success", "by \"auto\": whether that is within the tolerance", func(s *solution) bool { return s.Error != nil && s.Off <= 1 }),
			bind.Prop("steps", "number of steps", func(s *solution) int { return s.Steps }),
		),
		bind.Methods(bind.Fn("at", "The solution at any time of its range, about as exact as at its steps; calls f three times in each step that is looked at first.", func(c *bind.Call, p *struct {
			Solution *solution `arg:"self"`
			T        point     `arg:"t" pos:"1" doc:"a time, or several"`
		},
		) (numberOrArray, error) {
			*p.Solution.call = c
			y := make([][]float64, len(p.T.x))
			for i, t := range p.T.x {
				var err error
				if y[i], err = p.Solution.At(c, t); err != nil {
					return numberOrArray{}, err
				}
			}
			if p.T.number {
				return p.Solution.start.result(y[0]), nil
			}
			return bind.Second[float64](p.Solution.states(y)), nil
		}, bind.ReturnsAs("number|array", "for one time the state; for several a column for each"), bind.Errors("a time outside the range"),
			bind.Example("local sol = integrate.solve_ivp(function(t, y) return -y end, {0, 1}, 1)\nprint(math.abs(sol:at(0.5) - math.exp(-0.5)) < 1e-5)  --> true"))),
		bind.ToString((*solution).String),
	)
}

// event is a function whose zeros are looked for.
type event struct {
	f         bind.Function
	terminal  bool
	direction int
}

type eventArguments struct {
	F         bind.Function `arg:"f" pos:"1" doc:"function of t and y"`
	Terminal  bool          `arg:"terminal" doc:"the first zero ends the solution" default:"false"`
	Direction int           `arg:"direction" doc:"1: only where f increases, -1: only where it decreases" default:"0" allow:"[-1, 1]"`
}

// DecodeLua implements bind.Decoder.
func (e *event) DecodeLua(c *bind.Call, v lua.LValue) error {
	switch v.(type) {
	case *lua.LFunction:
		return e.f.DecodeLua(c, v)
	case *lua.LTable:
		a, err := bind.Decode[eventArguments](c, v)
		*e = event{a.F, a.Terminal, a.Direction}
		return err
	}
	return bind.ErrKind
}

// LuaKind implements bind.Decoder.
func (e *event) LuaKind() string { return "function|table" }

type ivpArguments struct {
	F         bind.Function `arg:"f" pos:"1" doc:"function of t and y that returns dy/dt: a list or an array as long as y, or a number"`
	Span      []float64     `arg:"t_span" pos:"2" doc:"{from, to}; to may be before from"`
	Y0        point         `arg:"y0" pos:"3" doc:"state at the beginning: a list, or a number"`
	Method    string        `arg:"method" doc:"auto: by DOP853, and by Radau from where the problem is stiff, more than once, until the error at the end is known to be within the tolerance; f must then depend on t and y only. The others solve once and bound the error of each step, as SciPy does: Dormand–Prince of order 5 or 8, Radau IIA for stiff problems" default:"auto" allow:"auto|RK45|DOP853|Radau"`
	TEval     []float64     `arg:"t_eval" doc:"times at which y is wanted; by default those of the steps" default:"nil"`
	Rtol      float64       `arg:"rtol" doc:"error allowed at the end, relative to the largest size of each component; by the other methods in each step, relative to its size there: these errors add up, on orbits to a hundred or a thousand times as much" default:"1e-6" allow:"[1e-13, 1)"`
	Atol      []float64     `arg:"atol" doc:"error allowed besides: a number or one for each component; by default rtol/1000 of the largest size of each, rtol/10000 by Radau" default:"nil" allow:">=0"`
	FirstStep float64       `arg:"first_step" doc:"size of the first step; 0 chooses" default:"0" allow:">=0"`
	MaxStep   float64       `arg:"max_step" doc:"largest step" default:"nil" allow:">=0"`
	MaxSteps  int           `arg:"max_steps" doc:"most steps" default:"500000" allow:">=1"`
	Events    []event       `arg:"events" doc:"functions of t and y whose zeros are wanted, each alone or as {f, terminal = true, direction = -1}" default:"{}"`
	Jac       bind.Function `arg:"jac" doc:"function of t and y that returns the matrix ∂f/∂y, for Radau; by default exact where f can be traced, and by differences otherwise" default:"nil"`
}

func solveIVP() bind.Func {
	return bind.Fn("solve_ivp", "Solves y' = f(t, y) from a state at the beginning, for one number or a system, stiff or not. The error of the solution is estimated and kept within the tolerance; sol.error and sol.message say how large it is, between too.",
		func(c *bind.Call, p *ivpArguments) (*solution, error) {
			if len(p.Span) != 2 {
				return nil, fmt.Errorf("t_span: want {from, to}, got %d numbers", len(p.Span))
			}
			for i, t := range p.TEval {
				if from, to := p.Span[0], p.Span[1]; !(t >= min(from, to) && t <= max(from, to)) {
					return nil, fmt.Errorf("t_eval[%d] %g: must be in the range of t_span, from %g to %g", i+1, t, from, to)
				}
			}
			call := c
			system := p.system(&call)
			o := ode.Options{
				Method: p.Method, Rel: p.Rtol, Abs: p.Atol, FirstStep: p.FirstStep, MaxStep: p.MaxStep, MaxSteps: p.MaxSteps, Times: p.TEval,
			}
			for i := range p.Events {
				e := &p.Events[i]
				o.Events = append(o.Events, ode.Event{Terminal: e.terminal, Direction: e.direction, G: func(t float64, y []float64) (float64, error) {
					return e.f.Number(c, t, p.Y0.give(y))
				}})
			}
			s, err := ode.Solve(c, system, p.Span[0], p.Span[1], p.Y0.x, o)
			if err != nil {
				return nil, err
			}
			return &solution{s, p.Y0, &call}, nil
		},
		bind.Errors("a solution that cannot be continued, with the place", "NaN, with the place"),
		bind.Example("-- a pendulum\nlocal sol = integrate.solve_ivp(function(t, y) return {y[2], -math.sin(y[1])} end, {0, 10}, {1, 0})\nprint(#sol.y, math.abs(sol:at(10)[1] + 0.99895) < 1e-5)  --> 2	true"),
		bind.Example("-- when does a stone hit the ground?\nlocal sol = integrate.solve_ivp(function(t, y) return {y[2], -9.81} end, {0, 10}, {5, 0},\n  {events = {{function(t, y) return y[1] end, terminal = true}}})\nprint(math.abs(sol.events[1].t[1] - math.sqrt(10/9.81)) < 1e-9)  --> true"),
		bind.Keywords("ode", "odeint", "ordinary differential equation", "initial value problem", "stiff", "runge kutta", "dormand prince", "radau", "ode45", "ode15s"))
}

// system is the differential equation: formulas if f can be traced and nothing else that
// the script runs meanwhile could change what f sees. It is called within *call.
func (p *ivpArguments) system(call **bind.Call) ode.System {
	n := len(p.Y0.x)
	if len(p.Events) == 0 && p.Jac.IsNil() {
		if f := traced(*call, &p.F, []int{-1, p.Y0.shape()}, 1, n); f != nil && len(f.values) == n {
			ty := make([]float64, n+1)
			with := func(t float64, y []float64) []float64 {
				ty[0] = t
				copy(ty[1:], y)
				return ty
			}
			return ode.System{
				F: func(t float64, y, d []float64) error {
					f.eval(with(t, y), d)
					return nil
				},
				Jacobian: func(t float64, y, j []float64) error {
					f.jacobian(with(t, y), j)
					return nil
				},
			}
		}
	}
	s := ode.System{F: func(t float64, y, d []float64) error {
		results, err := p.F.Call(*call, t, p.Y0.give(y))
		if err != nil {
			return err
		}
		v, err := numbersOf(*call, &p.F, results, n)
		copy(d, v)
		return err
	}}
	if !p.Jac.IsNil() {
		s.Jacobian = func(t float64, y, j []float64) error {
			results, err := p.Jac.Call(*call, t, p.Y0.give(y))
			if err != nil {
				return err
			}
			m, err := matrixOf(*call, &p.Jac, results, n, n)
			if err == nil {
				copy(j, m)
			}
			return err
		}
	}
	return s
}

// matrixOf reads what a function returned: a matrix of that many rows and columns.
func matrixOf(c *bind.Call, f *bind.Function, results []lua.LValue, rows, columns int) ([]float64, error) {
	if len(results) == 0 {
		return nil, fmt.Errorf("%s: want a matrix, got nothing (is there a return?)", f)
	}
	a, err := bind.Decode[*array.Array](c, results[0])
	if err != nil {
		return nil, fmt.Errorf("%s: want a matrix: %w", f, err)
	}
	if a.Size() != rows*columns || a.Rank() > 2 || a.Rank() == 2 && a.Shape[0] != rows {
		return nil, fmt.Errorf("%s: returns an array of shape %s: want %d×%d", f, dense.ShapeString(a.Shape), rows, columns)
	}
	for _, v := range a.Data {
		if math.IsNaN(v) {
			return nil, fmt.Errorf("%s: returns NaN in its matrix", f)
		}
	}
	return a.Data, nil
}
