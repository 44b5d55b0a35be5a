package bindings

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/interp"
	"github.com/greenbench/workbench/internal/numeric/spelling"
	"github.com/greenbench/workbench/numeric/kernel"
)

// smoothCurve is a curve by interp.kernel.
type smoothCurve struct {
	*interp.Smoothed
	kernel   kernel.Kernel
	points   int
	from, to float64
}

// interpKernel is interp.kernel.
func interpKernel() bind.Func {
	return bind.Fn("kernel", "A smooth function near values at points of a line, and how well it is known: Gaussian process regression (kriging) about a constant.\n\n"+
		"The scale of the kernel, its lengthscales that are \"auto\" and the noise are chosen by REML. Points may be in any order, and repeated. "+
		"Away from the points the curve returns to the constant, and its standard deviation grows.",
		func(c *bind.Call, p *struct {
			X      []float64          `arg:"x" pos:"1" doc:"points" allow:"finite"`
			Y      []float64          `arg:"y" pos:"2" doc:"values, as many" allow:"finite"`
			Kernel kernel.Kernel      `arg:"kernel" doc:"covariance up to its scale; by default kernel.matern{nu = 2.5}" default:"nil"`
			Noise  bind.Auto[float64] `arg:"noise" doc:"standard deviation of the noise of y; 0: through the values; auto: chosen" default:"auto" allow:">=0"`
		},
		) (*smoothCurve, error) {
			if p.Kernel == nil {
				p.Kernel = kernel.Matern{Nu: 2.5}
			}
			noise := -1.0
			if !p.Noise.Auto {
				noise = p.Noise.Value
			}
			if err := checkSamples(p.X, p.Y, noise == 0); err != nil {
				return nil, err
			}
			s := interp.Samples{X: p.X, Y: p.Y}
			model, err := interp.ChooseSmoother(c, []interp.Samples{s}, p.Kernel, noise)
			if err != nil {
				return nil, err
			}
			f, err := model.Of(c, s)
			if err != nil {
				return nil, err
			}
			return &smoothCurve{f, model.Kernel, len(p.X), slices.Min(p.X), slices.Max(p.X)}, nil
		}, bind.Returns("a curve with its standard deviation"), bind.Errors("fewer than two points, or more than 5000", "repeated points, with noise = 0"),
		bind.Example(`x, y = array.linspace(0, 1, 40), {}
for i = 1, 40 do y[i] = x[i]^2 + 0.1 * math.sin(1e4 * i^2) end  -- as good as noise
f = interp.kernel{x = x, y = y}
print(math.abs(f(0.5) - 0.25) < 3 * f:std(0.5), f.noise > 0.05 and f.noise < 0.1)  --> true	true`),
		bind.Example(`f = interp.kernel{x = {0, 1, 2}, y = {1, 3, 2}, kernel = kernel.se{lengthscale = 1}, noise = 0}
print(math.abs(f(1) - 3) < 1e-9, f:std(1) < 1e-5, f:std(1.5) > 0.1)  --> true	true	true`),
		bind.Keywords("gaussian process", "kriging", "smoothing", "smooth", "GaussianProcessRegressor", "UnivariateSpline", "denoise", "regression", "band"), bind.See("interp.interp1d", "dataset:resample", "kernel.matern"))
}

// checkSamples refuses what no kernel smooths.
func checkSamples(x, y []float64, exact bool) error {
	if len(x) != len(y) {
		return fmt.Errorf("x has %s and y %s: want as many", spelling.Count(len(x), "point"), spelling.Count(len(y), "value"))
	}
	if len(x) < 2 {
		return errors.New("x: want two points at least, for one does not tell how far the curve goes from it")
	}
	at := make(map[float64]int, len(x))
	for i, v := range x {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("x[%d] is %g: want finite numbers", i+1, v)
		}
		if math.IsNaN(y[i]) || math.IsInf(y[i], 0) {
			return fmt.Errorf("y[%d] is %g: want finite numbers; leave out what is missing", i+1, y[i])
		}
		if first, ok := at[v]; ok && exact {
			return fmt.Errorf("x[%d] and x[%d] are both %g: a curve without noise takes one value there; leave noise to be chosen, or give the mean", first+1, i+1, v)
		}
		at[v] = i
	}
	return nil
}

func smoothType() bind.Type {
	at := func(of func(v, std float64) float64) func(c *bind.Call, p *smoothPoint) (numberOrArray, error) {
		return func(c *bind.Call, p *smoothPoint) (numberOrArray, error) {
			out := make([]float64, len(p.X.x))
			for i, x := range p.X.x {
				if c.Err() != nil {
					return numberOrArray{}, c.Err()
				}
				if math.IsNaN(x) || math.IsInf(x, 0) {
					return numberOrArray{}, fmt.Errorf("x is %g: want finite numbers", x)
				}
				v, std := p.Curve.At(x)
				out[i] = of(v, std*math.Sqrt(p.Curve.Variance()))
			}
			return p.X.result(out), nil
		}
	}
	return bind.TypeOf[*smoothCurve]("smooth_curve", "A function near given values, by interp.kernel; call it with a number or an array.",
		bind.CallMeta(bind.Fn("__call", "The values at x.", at(func(v, _ float64) float64 { return v }), bind.ReturnsAs("number|array", "as x is"),
			bind.Example("print(interp.kernel({0, 1, 2}, {5, 5, 5})(0.3))  --> 5"))),
		bind.Methods(
			bind.Fn("std", "The standard deviation of the function at x, without the noise of values.", at(func(_, std float64) float64 { return std }), bind.ReturnsAs("number|array", "as x is"),
				bind.Example("f = interp.kernel{x = {0, 1, 2}, y = {1, 3, 2}, noise = 0.1}\nprint(f:std(1) < 0.1, f:std(9) > 0.5)  --> true	true"))),
		bind.Properties(
			bind.Prop("noise", "standard deviation of the noise, as given or chosen", func(f *smoothCurve) float64 { return f.Noise() }),
			bind.Prop("kernel", "with the lengthscales that were chosen", func(f *smoothCurve) kernel.Kernel { return f.kernel }),
		),
		bind.ToString(func(f *smoothCurve) string {
			return fmt.Sprintf("smooth curve near %d points from %g to %g: %s, noise %.4g", f.points, f.from, f.to, luaText(f.kernel), f.Noise())
		}))
}

type smoothPoint struct {
	Curve *smoothCurve `arg:"self"`
	X     point        `arg:"x" pos:"1" doc:"a number, or several"`
}
