package bindings

import (
	"errors"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/internal/numeric/poly"
	"github.com/greenbench/workbench/numeric/array"
)

// Poly is the Lua module poly: polynomials by their coefficients.
func Poly() bind.Module {
	type coefficients struct {
		C []float64 `arg:"c" pos:"1" doc:"coefficients, lowest power first" allow:"finite nonempty"`
	}
	const lowest = "coefficients, lowest power first"
	return bind.Module{
		Name: "poly",
		Doc: "Polynomials given by their coefficients, lowest power first, as in numpy.polynomial: {1, 0, 3} is 1 + 3x². " +
			"(numpy.polyfit and MATLAB have the highest first.)",
		Funcs: []bind.Func{
			bind.Fn("polyval", "The value of a polynomial at a number, or at each number of an array.", func(c *bind.Call, p *struct {
				coefficients
				X elements `arg:"x" pos:"2" doc:"where to evaluate the polynomial" allow:"nan"`
			},
			) (numberOrArray, error) {
				return elementwise(c, func(x []float64) float64 { return poly.Eval(p.C, x[0]) }, p.X)
			}, elementResult, bind.Keywords("eval", "evaluate"), bind.Example("poly.polyval({1, 0, 3}, 2)  --> 13")),
			bind.Fn("polyfit", "The polynomial of a given degree that fits the values y at x best, by least squares.", func(c *bind.Call, p *struct {
				X      []float64 `arg:"x" pos:"1" doc:"points, as many as y" allow:"finite"`
				Y      []float64 `arg:"y" pos:"2" doc:"values there" allow:"finite"`
				Degree int       `arg:"degree" pos:"3" doc:"highest power" allow:">=0"`
			},
			) (*array.Array, error) {
				out, err := poly.Fit(c, p.X, p.Y, p.Degree)
				if err != nil {
					return nil, err
				}
				return array.Vector(out), nil
			}, bind.Returns(lowest), bind.Errors("fewer different x than coefficients", "x so far from 0 that its powers lose the digits"), bind.Keywords("fit"), bind.Example("poly.polyfit({0, 1, 2}, {1, 3, 5}, 1)[2]  --> 2"), bind.See("linalg.lstsq")),
			bind.Fn("roots", "All complex roots, each as often as its multiplicity; multiple roots have fewer correct digits.", func(c *bind.Call, p *coefficients) (*arrays.Complex, error) {
				roots, err := poly.Roots(c, p.C)
				if err != nil {
					return nil, err
				}
				return arrays.ComplexOf(roots)
			}, bind.Returns("the roots, in the order of their real and then their imaginary parts"), bind.Errors("all coefficients are 0"), bind.Keywords("zeros", "polyroots"), bind.Example("poly.roots{6, -5, 1}.re[2]  --> 3"), bind.See("poly.fromroots")),
			bind.Fn("fromroots", "The polynomial with given roots and leading coefficient 1; complex roots must come with their conjugates.", func(call *bind.Call, p *struct {
				Roots *arrays.Complex `arg:"roots" pos:"1" doc:"its roots"`
			},
			) (*array.Array, error) {
				c, err := poly.FromRoots(call, p.Roots.Data)
				if err != nil {
					return nil, err
				}
				out, largest, rest := make([]float64, len(c)), 0.0, 0.0
				for k, v := range c {
					out[k] = real(v)
					largest, rest = max(largest, real(v), -real(v)), max(rest, imag(v), -imag(v))
				}
				if rest > 1e-10*largest {
					return nil, errors.New("roots: a complex root without its conjugate; the coefficients would be complex")
				}
				return array.Vector(out), nil
			}, bind.Returns(lowest), bind.Errors("a complex root without its conjugate"), bind.Example("poly.fromroots{2, 3}[1]  --> 6"), bind.See("poly.roots")),
			bind.Fn("polyder", "The derivative of a polynomial, or its m-th derivative.", func(_ *bind.Call, p *struct {
				coefficients
				M int `arg:"m" pos:"2" doc:"order of the derivative" default:"1" allow:">=0"`
			},
			) (*array.Array, error) {
				return array.Vector(poly.Derivative(p.C, p.M)), nil
			}, bind.Returns(lowest), bind.Keywords("derivative"), bind.Example("poly.polyder{1, 0, 3}[2]  --> 6"), bind.See("poly.polyint")),
			bind.Fn("polyint", "An integral of a polynomial.", func(_ *bind.Call, p *struct {
				coefficients
				K float64 `arg:"k" pos:"2" doc:"value of the integral at 0" default:"0" allow:"finite"`
			},
			) (*array.Array, error) {
				return array.Vector(poly.Integral(p.C, p.K)), nil
			}, bind.Returns(lowest), bind.Keywords("integral", "antiderivative"), bind.Example("poly.polyint{0, 2}[3]  --> 1"), bind.See("poly.polyder")),
			bind.Fn("polymul", "The product of two polynomials.", func(c *bind.Call, p *struct {
				coefficients
				D []float64 `arg:"d" pos:"2" doc:"coefficients of the other, lowest power first" allow:"finite nonempty"`
			},
			) (*array.Array, error) {
				out, err := poly.Mul(c, p.C, p.D)
				if err != nil {
					return nil, err
				}
				return array.Vector(out), nil
			}, bind.Returns(lowest), bind.Keywords("product"), bind.Example("poly.polymul({1, 1}, {1, -1})[3]  --> -1")),
		},
	}
}
