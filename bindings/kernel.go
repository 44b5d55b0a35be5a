package bindings

import (
	"errors"
	"fmt"
	"math"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/bindings/trace"
	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/linalg"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Kernel is the Lua module kernel.
func Kernel() bind.Module {
	recent := &kernels.Recent{}
	m := bind.Module{
		Name:  "kernel",
		Doc:   "Positive semi-definite kernels: they say what kind of function the estimator looks for.\n\nKernels add and multiply: 0.5 * kernel.se{lengthscale = 0.1} + kernel.matern{nu = 1.5, lengthscale = 1}. In the formulas d is the Euclidean distance of two points, after each coordinate has been divided by its lengthscale.",
		Types: []bind.Type{kernelType(recent)},
		Adapters: []bind.Adapter{
			bind.Adapt(`number|number[]|"auto"`, lengthscaleFrom, func(l kernel.Lengthscale) any { return []float64(l) }),
		},
	}
	for _, e := range kernels.Catalog() {
		m.Funcs = append(m.Funcs, bind.Make(e.Name, e.Doc, e.Example, kernel.Check, bind.Example(kernelExample(e)), bind.Returns("a kernel to call, add, multiply, or fit with"), bind.Keywords(kernelWords[e.Name]...), bind.See(kernelSee[e.Name]...)))
	}
	m.Funcs = append(m.Funcs, bind.Fn("tensor", "Product of a kernel on the input coordinates and one on the output coordinates.", func(_ *bind.Call, p *struct {
		Input  kernel.Kernel `arg:"input" pos:"1" doc:"kernel of the input coordinates"`
		Output kernel.Kernel `arg:"output" pos:"2" doc:"kernel of the output coordinates"`
	},
	) (kernel.Kernel, error) {
		return kernel.Tensor{Input: p.Input, Output: p.Output}, nil
	}, bind.Example(`a, b = kernel.se{lengthscale = 1}, kernel.exponential{lengthscale = 2}
k = kernel.tensor(a, b)
print(k({0, 0}, {1, 1}) == a(0, 1) * b(0, 1))  --> true`),
		bind.Returns("the product, on the coordinates of both"), bind.See("kernel.se", "green.fit")), defineKernel())
	m.Funcs = append(m.Funcs, kernelsOfFunctions()...)
	return m
}

// kernelWords are other names that people know kernels by.
var kernelWords = map[string][]string{
	"se": {"rbf", "gaussian", "squared exponential"}, "exponential": {"ornstein uhlenbeck", "laplace"},
	"hat": {"linear interpolation", "triangle", "piecewise linear"}, "linear": {"dot product", "dotproduct"}, "white": {"noise", "nugget"}, "kink": {"green", "diagonal"},
	"sobolev": {"w12", "sine series", "dirichlet"}, "vanishing": {"dirichlet", "boundary", "zero"},
}

// kernelSee are the kernels to compare one with.
var kernelSee = map[string][]string{
	"se": {"kernel.matern", "kernel.rational_quadratic"}, "exponential": {"kernel.matern", "kernel.hat"},
	"matern": {"kernel.se", "kernel.exponential"}, "hat": {"kernel.exponential", "kernel.linear"}, "linear": {"kernel.polynomial", "kernel.hat"}, "rational_quadratic": {"kernel.se"},
	"periodic": {"mesh.periodic", "kernel.se"}, "brownian_bridge": {"random.brownian_bridge", "kernel.kink"},
	"kink": {"green.fit", "kernel.brownian_bridge"}, "polynomial": {"kernel.tensor"}, "white": {"dataset:noise"},
	"sobolev": {"kernel.brownian_bridge", "theory.eigenvalues"}, "vanishing": {"kernel.scaled", "kernel.kink"},
}

// lengthscaleFrom reads a number, a list, or "auto".
func lengthscaleFrom(c *bind.Call, v lua.LValue) (kernel.Lengthscale, error) {
	switch v := v.(type) {
	case lua.LNumber:
		return kernel.Lengthscale{float64(v)}, nil
	case lua.LString:
		if v == "auto" {
			return kernel.Auto, nil
		}
	case *lua.LTable:
		l, err := bind.Decode[[]float64](c, v)
		if err == nil && len(l) == 0 {
			err = fmt.Errorf("an empty list: give a number, or one per coordinate")
		}
		return l, err
	}
	return nil, bind.ErrKind
}

// kernelCoordinates are the coordinates of a point given as a number or a list.
type kernelCoordinates = bind.Either[float64, []float64]

func coordinates(p kernelCoordinates) []float64 {
	if p.IsB {
		return p.B
	}
	return []float64{p.A}
}

func kernelType(recent *kernels.Recent) bind.Type {
	type numberOrKernel = bind.Either[float64, kernel.Kernel]
	return bind.TypeOf[kernel.Kernel]("kernel", "A positive semi-definite function of two points.",
		bind.ToString(func(k kernel.Kernel) string { return luaText(k) }),
		bind.CallMeta(bind.Fn("__call", "The value k(p, q).", func(_ *bind.Call, p *struct {
			Kernel kernel.Kernel `arg:"self"`
			P      trace.Point   `arg:"p" pos:"1" doc:"a point: a number, a list of coordinates, or a table of them by name"`
			Q      trace.Point   `arg:"q" pos:"2" doc:"the other point"`
		},
		) (trace.Operand, error) {
			return callKernel(recent, p.Kernel, p.P, p.Q)
		}, bind.Example("k = kernel.matern{nu = 1.5, lengthscale = 0.1}\nprint(k(0, 0.1))  --> 0.48335772459651"), bind.Returns("k(p, q)"))),
		bind.Methods(
			bind.Fn("gram", "Matrix of values between the points of two meshes.", func(c *bind.Call, p *struct {
				Kernel kernel.Kernel `arg:"self"`
				P      mesh.Mesh     `arg:"p" pos:"1" doc:"points of the rows"`
				Q      mesh.Mesh     `arg:"q" pos:"2" doc:"points of the columns; by default those of the rows" default:"nil"`
			},
			) (*array.Array, error) {
				if p.Q.Size() == 0 {
					p.Q = p.P
				}
				f, err := recent.Compile(p.Kernel, kernel.Space{Names: p.P.Names()})
				if err != nil {
					return nil, err
				}
				g, err := f.Gram(c, p.P, p.Q)
				if called, ok := p.Kernel.(calledKernel); ok && err == nil {
					err = called.calls.Err()
				}
				if err != nil {
					return nil, err
				}
				return array.FromMatrix(g), nil
			}, bind.Example("print(kernel.se{lengthscale = 1}:gram(mesh.uniform(0, 1, 4)):at(2, 2))  --> 1"), bind.Returns("points of p × points of q"), bind.See("kernel:eigen", "kernel:check")),
			bind.Fn("check", "Tests symmetry and positive semi-definiteness on a sample of points.", func(c *bind.Call, p *struct {
				Kernel kernel.Kernel `arg:"self"`
				Mesh   mesh.Mesh     `arg:"mesh" doc:"where to try"`
			},
			) (kernels.Verdict, error) {
				f, err := recent.Compile(p.Kernel, kernel.Space{Names: p.Mesh.Names()})
				if err != nil {
					return kernels.Verdict{}, err
				}
				return f.Verify(c, p.Mesh)
			}, bind.Example("verdict = kernel.se{lengthscale = 0.2}:check{mesh = mesh.uniform(0, 1, 20)}\nprint(verdict.points, verdict.asymmetry)  --> 20\t0"),
				bind.Returns("what was found"), bind.Errors("the kernel is not symmetric, not positive semi-definite or not finite there")),
			bind.Fn("eigen", "Mercer eigenvalues and eigenfunctions on a mesh, largest first.", func(c *bind.Call, p *struct {
				Kernel kernel.Kernel `arg:"self"`
				Mesh   mesh.Mesh     `arg:"mesh" doc:"with its quadrature"`
				N      int           `arg:"n" doc:"how many; 0 for all" default:"0" allow:">=0"`
			},
			) (bind.Results, error) {
				values, functions, err := mercer(c, p.Kernel, p.Mesh, p.N)
				return bind.Results{values, functions}, err
			}, bind.Example("k = kernel.brownian_bridge{}\nvalues = k:eigen{mesh = mesh.gauss(0, 1, 40), n = 1}\nprint(math.abs(values[1] * math.pi^2 - 1) < 2e-3)  --> true"),
				bind.ReturnsAs("array", "n eigenvalues"), bind.ReturnsAs("array", "n × size, each with mean square 1")),
			bind.Fn("describe", "Which structure is found in the kernel, and what follows for its speed.", func(c *bind.Call, p *struct {
				Kernel kernel.Kernel `arg:"self"`
				Input  mesh.Mesh     `arg:"input_mesh" doc:"of the input; by default 50 uniform points" default:"nil"`
				Output mesh.Mesh     `arg:"output_mesh" doc:"of the output; by default 50 uniform points" default:"nil"`
			},
			) (string, error) {
				return describeKernel(c, p.Kernel, p.Input, p.Output)
			}, bind.Example("text = kernel.se{lengthscale = 0.1}:describe()\nprint(text:find(\"separable\") ~= nil)  --> true"), bind.Returns("text")),
			bind.Fn("latex", "The formula k(x, x') = … for a paper, to stand between $ and $: of points with one coordinate if the kernel takes such, else of an input x and an output y.", func(_ *bind.Call, p *struct {
				Kernel kernel.Kernel `arg:"self"`
			},
			) (string, error) {
				return kernels.Latex(p.Kernel)
			}, bind.Example("print(kernel.exponential{lengthscale = 2}:latex())  --> k(x, x') = \\exp\\left(-\\frac{\\left|x - x'\\right|}{2}\\right)"),
				bind.Returns("LaTeX; where Matérn functions are long, their argument is a letter s, explained behind the formula"),
				bind.Errors("a lengthscale is \"auto\", the kernel calls Lua for its values, or its formula is too long to be read")),
		),
		bind.Methods(withParameters()),
		bind.Operators(
			bind.Binary("__add", "Sum of kernels.", func(_ *bind.Call, a, b kernel.Kernel) (kernel.Kernel, error) {
				return kernel.Sum{Terms: append(terms(a), terms(b)...)}, nil
			}, bind.Example("k = kernel.se{lengthscale = 1} + kernel.white{}\nprint(k)  --> kernel.se{lengthscale=1} + kernel.white{}")),
			bind.Binary("__mul", "Product of kernels, or a positive multiple of one.", func(_ *bind.Call, a, b numberOrKernel) (kernel.Kernel, error) {
				var k kernel.Kernel
				switch {
				case a.IsB && b.IsB:
					return kernel.Product{Factors: append(factors(a.B), factors(b.B)...)}, nil
				case a.IsB:
					k = kernel.Scaled{Factor: b.A, Kernel: a.B}
				default:
					k = kernel.Scaled{Factor: a.A, Kernel: b.B}
				}
				return k, kernel.Check(k)
			}, bind.Example("print(3 * kernel.se{lengthscale = 1})  --> 3 * kernel.se{lengthscale=1}")),
			bind.Binary("__div", "A kernel divided by a positive number.", func(_ *bind.Call, a kernel.Kernel, b float64) (kernel.Kernel, error) {
				k := kernel.Scaled{Factor: 1 / b, Kernel: a}
				return k, kernel.Check(k)
			}, bind.Example("print((kernel.se{lengthscale = 1} / 2)(0, 0))  --> 0.5")),
			bind.Binary("__pow", "Product of n copies of a kernel, k^n with a whole number n >= 1.", func(_ *bind.Call, a kernel.Kernel, b int) (kernel.Kernel, error) {
				if b < 1 || b > mostFactors {
					return nil, fmt.Errorf("power %d: must be a whole number from 1 to %d, for other powers of a kernel are not positive semi-definite in general", b, mostFactors)
				}
				power := kernel.Product{}
				for range b {
					power.Factors = append(power.Factors, factors(a)...)
				}
				return power, nil
			}, bind.Example("print((kernel.se{lengthscale = 1}^2)(0, 1) == math.exp(-1))  --> true")),
			bind.Binary("__sub", "Refused: the difference of two kernels is not positive semi-definite in general.", func(_ *bind.Call, _, _ kernel.Kernel) (kernel.Kernel, error) {
				return nil, errors.New("a difference of kernels is not positive semi-definite in general, so it is no kernel; sums, products and positive multiples are")
			}),
		),
	)
}

// mostFactors bounds the powers of a kernel.
const mostFactors = 64

func terms(k kernel.Kernel) []kernel.Kernel {
	if s, ok := k.(kernel.Sum); ok {
		return append([]kernel.Kernel(nil), s.Terms...)
	}
	return []kernel.Kernel{k}
}

func factors(k kernel.Kernel) []kernel.Kernel {
	if s, ok := k.(kernel.Product); ok {
		return append([]kernel.Kernel(nil), s.Factors...)
	}
	return []kernel.Kernel{k}
}

// mercer returns the n largest eigenvalues of the integral operator of k and its
// eigenfunctions, from the weighted matrix w^½ k w^½.
func mercer(c *bind.Call, k kernel.Kernel, m mesh.Mesh, n int) (values, functions *array.Array, err error) {
	f, err := kernels.Compile(k, kernel.Space{Names: m.Names()})
	if err != nil {
		return nil, nil, err
	}
	size := m.Size()
	if err := dense.CheckMatrix(fmt.Sprintf("mesh of %d points", size), 4, size, size); err != nil {
		return nil, nil, err
	}
	g, err := f.Gram(c, m, m)
	if err != nil {
		return nil, nil, err
	}
	if n == 0 || n > size {
		n = size
	}
	w := array.Vector(m.Weights())
	root := func(i int) float64 { return math.Sqrt(w.Data[i]) }
	g.Apply(func(i, j int, v float64) float64 { return root(i) * v * root(j) }, g)
	all, v, err := linalg.Eigen(c, g)
	if err != nil {
		return nil, nil, err
	}
	values, functions = array.New(n), array.New(n, size)
	for i := range n {
		values.Data[i] = all[size-1-i]
		for j := range size {
			functions.Data[i*size+j] = v.At(j, size-1-i) / root(j)
		}
	}
	return values, functions, nil
}

// describeKernel says what a fit finds on two meshes.
func describeKernel(c *bind.Call, k kernel.Kernel, in, out mesh.Mesh) (string, error) {
	line, err := mesh.Uniform(0, 1, 50, "")
	if err != nil {
		return "", err
	}
	if in.Size() == 0 {
		in = mesh.Must(line, nil)
	}
	if out.Size() == 0 {
		out = mesh.Must(line, nil)
	}
	xn, yn := mesh.JointNames(in, out)
	f, err := kernels.Compile(k, kernel.Space{Names: append(xn, yn...), Inputs: in.Dim()})
	if err != nil {
		return "", err
	}
	structure, err := fit.DescribeStructure(c, f, in, out)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s", luaText(k), describeScript(k))
	if f.Node != nil {
		fmt.Fprintf(&b, "  symmetric  %s\n", f.Symmetric())
	}
	for i, name := range f.Space.Names {
		fmt.Fprintf(&b, "  %-10s %s\n", name, describeCoordinate(f, i))
	}
	fmt.Fprintf(&b, "  on %d × %d points: %s\n", in.Size(), out.Size(), structure)
	fmt.Fprintf(&b, "  at scattered points: %s", f.Loop())
	return b.String(), nil
}

// describeCoordinate says how a kernel depends on coordinate i.
func describeCoordinate(f *kernels.Function, i int) string {
	name, text := f.Space.Names[i], "not stationary"
	switch {
	case f.Even(i):
		text = fmt.Sprintf("stationary and even: only |p.%s - q.%[1]s| matters", name)
	case f.Stationary(i):
		text = fmt.Sprintf("stationary: only p.%s - q.%[1]s matters", name)
	}
	if period, ok := f.Period(i); ok {
		text += fmt.Sprintf(", with period %.6g", period)
	}
	return text
}
