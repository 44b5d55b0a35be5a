package bindings

import (
	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/optimize"
	"github.com/greenbench/workbench/numeric/array"
)

// Optimize is the Lua module optimize: zeros, minima, fits of curves.
func Optimize() bind.Module {
	return bind.Module{
		Name: "optimize",
		Doc:  "Zeros and minima of functions, least squares, linear programs. Derivatives are exact where a function can be traced, and differences otherwise.",
		Funcs: []bind.Func{
			bind.Fn("brentq", "A zero of a function of one number, between two points at which its signs differ.",
				func(c *bind.Call, p *struct {
					F    bind.Function `arg:"f" pos:"1" doc:"function of a number"`
					A    float64       `arg:"a" pos:"2" doc:"one end" allow:"finite"`
					B    float64       `arg:"b" pos:"3" doc:"the other end" allow:"finite"`
					Xtol float64       `arg:"xtol" doc:"error allowed" default:"0" allow:">=0"`
					Rtol float64       `arg:"rtol" doc:"error allowed relative to the zero; 0 for that of rounding" default:"0" allow:">=0"`
				},
				) (float64, error) {
					r, err := optimize.Brentq(c, numberFunction(c, &p.F), p.A, p.B, p.Xtol, p.Rtol)
					return r.X, err
				}, bind.Returns("the zero, to rounding"), bind.Errors("the same sign at both ends", "NaN, with the place"),
				bind.Example("print(math.abs(optimize.brentq(math.cos, 1, 2) - math.pi/2) < 1e-15)  --> true"),
				bind.Keywords("root_scalar", "root", "fzero", "brent", "bisect", "solve"), bind.See("optimize.root")),
			bind.Fn("root", "Solves as many nonlinear equations as there are unknowns, from a starting point: Levenberg–Marquardt.",
				root, bind.ReturnsAs("number|array", "the zero: a number if x0 is one"), bind.Errors("no zero found, with the nearest point"),
				bind.Example("local x = optimize.root(function(x) return {x[1]^2 + x[2]^2 - 4, x[1]*x[2] - 1} end, {2, 0})\nprint(math.abs(x[1]*x[2] - 1) < 1e-12)  --> true"),
				bind.Keywords("fsolve", "system of equations", "nonlinear", "newton", "solve"), bind.See("optimize.brentq", "linalg.solve")),
			bind.Fn("minimize", "A local minimum of a function, searched for from a starting point: by BFGS, by L-BFGS (many variables, or bounds) or by the simplex method of Nelder and Mead (functions that are not smooth).",
				minimize, bind.Errors("NaN at x0", "a function that is -inf somewhere"),
				bind.Example("local res = optimize.minimize(function(x) return (1 - x[1])^2 + 100*(x[2] - x[1]^2)^2 end, {-1.2, 1})\nprint(res.success, math.abs(res.x[1] - 1) < 1e-6)  --> true	true"),
				bind.Example("local res = optimize.minimize(function(x) return (x[1] - 2)^2 end, {0}, {bounds = {{-1, 1}}})\nprint(res.x[1])  --> 1"),
				bind.Keywords("minimize_scalar", "fmin", "fminsearch", "fminunc", "bfgs", "lbfgs", "nelder mead", "gradient descent", "optimise"), bind.See("optimize.least_squares")),
			bind.Fn("least_squares", "A local minimum of a sum of squares, searched for from a starting point: Levenberg–Marquardt, with bounds.",
				leastSquares, bind.Errors("a residual that is NaN at x0"),
				bind.Example("local res = optimize.least_squares(function(x) return {10*(x[2] - x[1]^2), 1 - x[1]} end, {-1.2, 1})\nprint(math.abs(res.x[2] - 1) < 1e-9)  --> true"),
				bind.Keywords("levenberg marquardt", "nonlinear least squares", "lsqnonlin"), bind.See("optimize.curve_fit", "linalg.lstsq")),
			curveFit(),
			linprog(),
		},
	}
}

// minimumFound is what a search for a minimum ends with.
type minimumFound struct {
	X       numberOrArray `arg:"x" doc:"the minimum"`
	Fun     float64       `arg:"fun" doc:"the value there; of least_squares half the sum of squares"`
	Jac     *array.Array  `arg:"jac" doc:"the gradient there; of least_squares the matrix of derivatives"`
	Success bool          `arg:"success" doc:"whether x is a minimum, as far as rounding lets one tell"`
	Message string        `arg:"message" doc:"why the search ended"`
	Nit     int           `arg:"nit" doc:"number of iterations"`
	Nfev    int           `arg:"nfev" doc:"evaluations of f"`
	Njev    int           `arg:"njev" doc:"evaluations of derivatives"`
}

// objective is a function of the script of a point, with its gradient if it can be traced
// or was given.
func objective(c *bind.Call, f, jac *bind.Function, start point) optimize.Objective {
	n := len(start.x)
	if jac.IsNil() {
		if t := traced(c, f, []int{start.shape()}, 0, n); t != nil && len(t.values) == 1 {
			return optimize.Objective{
				F:        func(x []float64) (float64, error) { return t.values[0].Eval(x), nil },
				Gradient: func(x, g []float64) error { t.jacobian(x, g); return nil },
			}
		}
	}
	o := optimize.Objective{F: func(x []float64) (float64, error) { return f.Number(c, start.give(x)) }}
	if !jac.IsNil() {
		o.Gradient = func(x, g []float64) error { return vectorInto(c, jac, start.give(x), g) }
	}
	return o
}

// vectorInto calls a function of the script that returns as many numbers as there is room for.
func vectorInto(c *bind.Call, f *bind.Function, x any, out []float64) error {
	results, err := f.Call(c, x)
	if err != nil {
		return err
	}
	v, err := numbersOf(c, f, results, len(out))
	copy(out, v)
	return err
}

func minimize(c *bind.Call, p *struct {
	F       bind.Function `arg:"f" pos:"1" doc:"function of x, a list or a number as x0 is"`
	X0      point         `arg:"x0" pos:"2" doc:"where to start"`
	Method  string        `arg:"method" doc:"by default BFGS, and L-BFGS with bounds" default:"auto" allow:"auto|BFGS|L-BFGS|Nelder-Mead"`
	Bounds  [][]float64   `arg:"bounds" doc:"{lower, upper} for each variable, or one for all" default:"{}"`
	Jac     bind.Function `arg:"jac" doc:"function of x that returns the gradient" default:"nil"`
	Gtol    float64       `arg:"gtol" doc:"end where no component of the gradient is larger" default:"0" allow:">=0"`
	Maxiter int           `arg:"maxiter" doc:"most iterations; 0 for 1000 a variable" default:"0" allow:">=0"`
},
) (minimumFound, error) {
	lower, upper, err := box(p.Bounds, len(p.X0.x))
	if err != nil {
		return minimumFound{}, err
	}
	if p.Method == "auto" {
		p.Method = ""
	}
	m, err := optimize.Minimize(c, objective(c, &p.F, &p.Jac, p.X0), p.X0.x,
		optimize.Options{Method: p.Method, Lower: lower, Upper: upper, Gradient: p.Gtol, MaxIterations: p.Maxiter})
	if err != nil {
		return minimumFound{}, err
	}
	out := minimumFound{X: p.X0.result(m.X), Fun: m.F, Success: m.Converged, Message: m.Message, Nit: m.Iterations, Nfev: m.Calls, Njev: m.Gradients}
	if m.Gradient != nil {
		out.Jac = array.Vector(m.Gradient)
	}
	return out, nil
}

// residuals is a function of the script of a point that returns several numbers.
func residuals(c *bind.Call, f, jac *bind.Function, start point) (optimize.Residuals, error) {
	n := len(start.x)
	if jac == nil || jac.IsNil() {
		if t := traced(c, f, []int{start.shape()}, 0, n); t != nil {
			return optimize.Residuals{
				N:        len(t.values),
				F:        func(x, r []float64) error { t.eval(x, r); return nil },
				Jacobian: func(x, j []float64) error { t.jacobian(x, j); return nil },
			}, nil
		}
	}
	results, err := f.Call(c, start.give(start.x))
	if err != nil {
		return optimize.Residuals{}, err
	}
	first, err := numbersOf(c, f, results, -1)
	if err != nil {
		return optimize.Residuals{}, err
	}
	r := optimize.Residuals{N: len(first), F: func(x, r []float64) error { return vectorInto(c, f, start.give(x), r) }}
	if jac != nil && !jac.IsNil() {
		r.Jacobian = func(x, j []float64) error {
			results, err := jac.Call(c, start.give(x))
			if err != nil {
				return err
			}
			m, err := matrixOf(c, jac, results, len(first), n)
			copy(j, m)
			return err
		}
	}
	return r, nil
}

func root(c *bind.Call, p *struct {
	F   bind.Function `arg:"f" pos:"1" doc:"function of x that returns as many numbers as x has"`
	X0  point         `arg:"x0" pos:"2" doc:"where to start: a list, or a number"`
	Jac bind.Function `arg:"jac" doc:"function of x that returns the matrix of derivatives" default:"nil"`
},
) (numberOrArray, error) {
	f, err := residuals(c, &p.F, &p.Jac, p.X0)
	if err != nil {
		return numberOrArray{}, err
	}
	fit, err := optimize.Solve(c, f, p.X0.x)
	if err != nil {
		return numberOrArray{}, err
	}
	return p.X0.result(fit.X), nil
}

func leastSquares(c *bind.Call, p *struct {
	F       bind.Function `arg:"f" pos:"1" doc:"function of x that returns the list of residuals"`
	X0      point         `arg:"x0" pos:"2" doc:"where to start"`
	Bounds  [][]float64   `arg:"bounds" doc:"{lower, upper} for each variable, or one for all" default:"{}"`
	Jac     bind.Function `arg:"jac" doc:"function of x that returns the matrix of derivatives, a row for each residual" default:"nil"`
	Maxiter int           `arg:"maxiter" doc:"most iterations; 0 for 100 a variable, 1000 at least" default:"0" allow:">=0"`
},
) (minimumFound, error) {
	lower, upper, err := box(p.Bounds, len(p.X0.x))
	if err != nil {
		return minimumFound{}, err
	}
	f, err := residuals(c, &p.F, &p.Jac, p.X0)
	if err != nil {
		return minimumFound{}, err
	}
	fit, err := optimize.LeastSquares(c, f, p.X0.x, optimize.Options{Lower: lower, Upper: upper, MaxIterations: p.Maxiter})
	if err != nil {
		return minimumFound{}, err
	}
	jac, err := array.Of(fit.Jacobian, f.N, len(p.X0.x))
	return minimumFound{X: p.X0.result(fit.X), Fun: fit.Cost, Jac: jac, Success: fit.Converged, Message: fit.Message, Nit: fit.Iterations, Nfev: fit.Calls, Njev: fit.Jacobians}, err
}

// program is the result of a linear program.
type program struct {
	X   *array.Array `arg:"x" doc:"the solution"`
	Fun float64      `arg:"fun" doc:"c·x"`
}

func linprog() bind.Func {
	return bind.Fn("linprog", "Solves a linear program: minimise c·x with A_ub x <= b_ub, A_eq x = b_eq and bounds, by the simplex method.", func(c *bind.Call, p *struct {
		C      []float64   `arg:"c" pos:"1" doc:"coefficients of what is minimised" allow:"nonempty"`
		Aub    [][]float64 `arg:"a_ub" doc:"matrix of the inequalities" default:"{}"`
		Bub    []float64   `arg:"b_ub" doc:"their right sides" default:"{}"`
		Aeq    [][]float64 `arg:"a_eq" doc:"matrix of the equations" default:"{}"`
		Beq    []float64   `arg:"b_eq" doc:"their right sides" default:"{}"`
		Bounds [][]float64 `arg:"bounds" doc:"{lower, upper} for each variable, or one for all; by default x >= 0" default:"{}"`
	},
	) (program, error) {
		lower, upper, err := box(p.Bounds, len(p.C))
		if err != nil {
			return program{}, err
		}
		x, v, err := optimize.Linear(c, optimize.Program{C: p.C, Upper: p.Aub, UpperBound: p.Bub, Equal: p.Aeq, EqualBound: p.Beq, Low: lower, High: upper})
		return program{array.Vector(x), v}, err
	}, bind.Errors("no x fulfils all conditions", "the objective falls without bound"),
		bind.Example("print(optimize.linprog({-3, -5}, {a_ub = {{1, 0}, {0, 2}, {3, 2}}, b_ub = {4, 12, 18}}).fun)  --> -36"),
		bind.Keywords("linear programming", "simplex"), bind.See("optimize.minimize"))
}
