package bindings

import (
	"fmt"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/bindings/trace"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/numeric/kernel"
)

// kernelsOfFunctions declares the kernels that are made of functions of one point.
func kernelsOfFunctions() []bind.Func {
	return []bind.Func{
		bind.Fn("scaled", "φ(p) φ(q) k(p, q) with a function φ of one point: its functions are φ g, with g from the space of k. The structure of k is kept.",
			func(c *bind.Call, p *struct {
				Base kernel.Kernel `arg:"base" doc:"the kernel k"`
				By   bind.Function `arg:"by" doc:"φ, a function of the coordinates: function(p) return p.x * (1 - p.x) end"`
			},
			) (kernel.Kernel, error) {
				f, text, err := functionOfPoint(c, p.By)
				if err != nil {
					return nil, inArgument("by", err)
				}
				k := kernels.ScaledBy{Base: p.Base, By: f, Text: text}
				return k, kernel.Check(k)
			}, bind.Returns("a kernel"), bind.Errors("the function branches on a coordinate"), bind.See("kernel.vanishing", "kernel.define"),
			bind.Example("k = kernel.scaled{base = kernel.se{lengthscale = 1}, by = function(p) return p.x end}\nprint(k(2, 2), k(0, 1))  --> 4\t0")),
		bind.Fn("mercer", "Σ μᵢ φᵢ(p) φᵢ(q): combinations of given functions φᵢ of one point, with the norm Σ cᵢ²/μᵢ of their coefficients.",
			func(c *bind.Call, p *struct {
				Functions   []bind.Function `arg:"functions" doc:"the functions φᵢ of the coordinates: function(p) return math.sin(math.pi * p.x) end" allow:"nonempty"`
				Eigenvalues []float64       `arg:"eigenvalues" doc:"the values μᵢ, one for each function" allow:">0"`
			},
			) (kernel.Kernel, error) {
				k := kernels.Mercer{Eigenvalues: p.Eigenvalues}
				for i, fn := range p.Functions {
					f, text, err := functionOfPoint(c, fn)
					if err != nil {
						return nil, inArgument(fmt.Sprintf("functions[%d]", i+1), err)
					}
					k.Functions, k.Text = append(k.Functions, f), append(k.Text, text)
				}
				return k, kernel.Check(k)
			}, bind.Returns("a kernel whose rank is the number of functions"), bind.Errors("there are more functions than eigenvalues, or fewer"),
			bind.Keywords("expansion", "features", "basis", "finite rank"), bind.See("kernel:eigen", "kernel.polynomial", "kernel.sobolev"),
			bind.Example(`power = {}
for n = 1, 3 do power[n] = function(p) return p.x^n end end
k = kernel.mercer{functions = power, eigenvalues = {1, 1/4, 1/9}}
print(k(1, 1), k(1, 2))  --> 1.3611111111111	3.8888888888889`)),
	}
}

// functionOfPoint traces a function of one point.
func functionOfPoint(c *bind.Call, fn bind.Function) (kernels.Formula, string, error) {
	t, err := trace.Points(c, &fn, trace.Options{Points: 1})
	if err != nil {
		return kernels.Formula{}, "", err
	}
	return t.Formula, trace.Write(c, &fn, t), nil
}
