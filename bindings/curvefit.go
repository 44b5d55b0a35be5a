package bindings

import (
	"errors"
	"fmt"
	"math"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/optimize"
	"github.com/greenbench/workbench/internal/numeric/spelling"
	"github.com/greenbench/workbench/numeric/array"
)

// box reads bounds: a pair for each variable, or one for all.
func box(bounds [][]float64, n int) (lower, upper []float64, err error) {
	if len(bounds) == 0 {
		return nil, nil, nil
	}
	if len(bounds) != n && len(bounds) != 1 {
		return nil, nil, fmt.Errorf("bounds: %d pairs for %d variables: want one for each, or one for all", len(bounds), n)
	}
	for i := range n {
		b := bounds[min(i, len(bounds)-1)]
		if len(b) != 2 {
			return nil, nil, fmt.Errorf("bounds[%d]: want {lower, upper}, got %d numbers", i+1, len(b))
		}
		lower, upper = append(lower, b[0]), append(upper, b[1])
	}
	return lower, upper, nil
}

// curve is a fit of a curve.
type curve struct {
	P         *array.Array `arg:"p" doc:"the parameters"`
	Stderr    *array.Array `arg:"stderr" doc:"their standard errors; infinite where the data do not determine them"`
	Cov       *array.Array `arg:"cov" doc:"their covariance"`
	Residuals *array.Array `arg:"residuals" doc:"y minus the curve"`
	Rss       float64      `arg:"rss" doc:"sum of the squares of the residuals, divided by sigma²"`
	Dof       int          `arg:"dof" doc:"number of values minus number of parameters that are not fixed by equal bounds"`
	Success   bool         `arg:"success" doc:"it is a minimum as far as rounding lets one see, and the data determine all parameters"`
	Message   string       `arg:"message" doc:"why the search ended"`
	Nfev      int          `arg:"nfev" doc:"evaluations of the whole curve"`
}

type curveArguments struct {
	F        bind.Function `arg:"f" pos:"1" doc:"function of x and the parameters, one after the other: function(x, a, b)"`
	X        *array.Array  `arg:"x" pos:"2" doc:"where y was measured: a vector, or a matrix whose rows f gets as lists"`
	Y        []float64     `arg:"y" pos:"3" doc:"the values" allow:"nonempty"`
	P0       []float64     `arg:"p0" pos:"4" doc:"where to start; by default all 1" default:"nil"`
	Sigma    []float64     `arg:"sigma" doc:"standard deviations of y: one for all or one for each" default:"nil" allow:">0"`
	Absolute bool          `arg:"absolute_sigma" doc:"sigma is known, not only up to a factor that the residuals tell" default:"false"`
	Bounds   [][]float64   `arg:"bounds" doc:"{lower, upper} for each parameter, or one for all" default:"{}"`
}

func curveFit() bind.Func {
	return bind.Fn("curve_fit", "Fits the parameters of a curve to data by least squares, with their standard errors.", func(c *bind.Call, p *curveArguments) (curve, error) {
		f, err := p.residuals(c)
		if err != nil {
			return curve{}, err
		}
		lower, upper, err := box(p.Bounds, len(p.P0))
		if err != nil {
			return curve{}, err
		}
		fit, err := optimize.LeastSquares(c, f, p.P0, optimize.Options{Lower: lower, Upper: upper})
		if err != nil {
			return curve{}, err
		}
		return p.report(c, fit)
	}, bind.Errors("a curve that is NaN at p0, with the place", "fewer values than parameters"),
		bind.Example("local x = array.linspace(0, 4, 9)\nlocal fit = optimize.curve_fit(function(x, a, b) return a * x + b end, x, 2 * x + 1)\nprint(math.abs(fit.p[1] - 2) < 1e-9, fit.dof)  --> true	7"),
		bind.Keywords("fit", "regression", "nonlinear", "nls", "lsqcurvefit", "standard error"), bind.See("optimize.least_squares"))
}

// residuals are the differences of the curve and the values, divided by sigma.
func (p *curveArguments) residuals(c *bind.Call) (optimize.Residuals, error) {
	var none optimize.Residuals
	if p.P0 == nil {
		fn, ok := p.F.Value().(*lua.LFunction)
		if !ok || fn.IsG || fn.Proto.NumParameters < 2 {
			return none, errors.New("p0: missing: how many parameters f has cannot be seen from it")
		}
		p.P0 = make([]float64, fn.Proto.NumParameters-1)
		for i := range p.P0 {
			p.P0[i] = 1
		}
	}
	m, n := len(p.Y), len(p.P0)
	if p.X.Rank() > 2 || p.X.Shape[0] != m {
		return none, fmt.Errorf("x of shape %s: want as many as y has values, %d", dense.ShapeString(p.X.Shape), m)
	}
	if m < n {
		return none, fmt.Errorf("%s for %s: want at least as many", spelling.Count(m, "value"), spelling.Count(n, "parameter"))
	}
	if len(p.Sigma) > 1 && len(p.Sigma) != m {
		return none, fmt.Errorf("sigma has %d numbers for %d values: want one, or as many", len(p.Sigma), m)
	}
	width, shape := 1, point{number: true}
	if p.X.Rank() == 2 {
		width = p.X.Shape[1]
		shape = point{x: make([]float64, width)}
	}
	args := []int{shape.shape()}
	for range n {
		args = append(args, -1)
	}
	row := func(i int) []float64 { return p.X.Data[i*width : (i+1)*width] }
	if t := traced(c, &p.F, args, width, n); t != nil && len(t.values) == 1 {
		vars := make([]float64, width+n)
		return optimize.Residuals{N: m, F: func(x, r []float64) error {
			copy(vars[width:], x)
			for i := range r {
				copy(vars, row(i))
				r[i] = (t.values[0].Eval(vars) - p.Y[i]) / p.sigma(i)
			}
			return nil
		}, Jacobian: func(x, j []float64) error {
			copy(vars[width:], x)
			for i := range m {
				copy(vars, row(i))
				t.jacobian(vars, j[i*n:(i+1)*n])
				for k := range n {
					j[i*n+k] /= p.sigma(i)
				}
			}
			return nil
		}}, nil
	}
	return optimize.Residuals{N: m, F: func(x, r []float64) error {
		rest := numbers(x)
		for i := range r {
			v, err := p.F.Number(c, append([]any{shape.give(row(i))}, rest...)...)
			if err != nil {
				return err
			}
			r[i] = (v - p.Y[i]) / p.sigma(i)
		}
		return nil
	}}, nil
}

func (p *curveArguments) sigma(i int) float64 {
	switch len(p.Sigma) {
	case 0:
		return 1
	case 1:
		return p.Sigma[0]
	}
	return p.Sigma[i]
}

// unknown says which parameters the data do not determine.
func (p *curveArguments) unknown(at []int, fit *optimize.Fit) string {
	names := make([]string, len(at))
	for i, k := range at {
		names[i] = fmt.Sprintf("p[%d] = %.4g", k+1, fit.X[k])
	}
	if len(at) == 1 {
		return "the curve does not change with " + names[0] + ": start elsewhere, or leave the parameter out"
	}
	return "the data do not determine " + strings.Join(names, ", ") + " each: changes of them cancel; start elsewhere, or keep one of them fixed"
}

func (p *curveArguments) report(c *bind.Call, fit *optimize.Fit) (curve, error) {
	m, n := len(p.Y), len(p.P0)
	lower, upper, err := box(p.Bounds, n)
	if err != nil {
		return curve{}, err
	}
	fixed, free := make([]bool, n), n
	for i := range lower {
		if fixed[i] = lower[i] == upper[i]; fixed[i] {
			free--
		}
	}
	out := curve{P: array.Vector(fit.X), Rss: 2 * fit.Cost, Dof: m - free, Success: fit.Converged, Message: fit.Message, Nfev: fit.Calls}
	cov, undetermined, err := fit.Covariance(c, fixed)
	if err != nil {
		return curve{}, err
	}
	if m == free && !p.Absolute {
		out.Message += "; as many values as parameters leave nothing to tell standard errors from"
	}
	if undetermined != nil {
		out.Success, out.Message = false, p.unknown(undetermined, fit)
	}
	factor := 1.0
	if !p.Absolute {
		factor = math.Inf(1)
		if m > free {
			factor = out.Rss / float64(m-free)
		}
	}
	stderr := make([]float64, n)
	for i := range cov {
		if cov[i] *= factor; math.IsNaN(cov[i]) && !fixed[i/n] && !fixed[i%n] { // 0·Inf
			cov[i] = math.Inf(1)
		} else if math.IsNaN(cov[i]) {
			cov[i] = 0
		}
	}
	for i := range stderr {
		stderr[i] = math.Sqrt(cov[i*n+i])
	}
	off := make([]float64, m)
	for i, r := range fit.Residuals {
		off[i] = -r * p.sigma(i)
	}
	out.Stderr, out.Residuals = array.Vector(stderr), array.Vector(off)
	out.Cov, err = array.Of(cov, n, n)
	return out, err
}
