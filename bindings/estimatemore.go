package bindings

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/pde"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// posteriorMethods answer how sure an estimate is.
func posteriorMethods() []bind.Func {
	return []bind.Func{
		bind.Fn("std", `Posterior standard deviation of G: multiply by 1.96 for the half width of a 95 % band.

G and the bias are Gaussian processes with the kernels of the fit, of variances tau²/lambda and tau²/rho, and the noise has the variance tau² n/dy in a value with the quadrature weight dy; tau² is the objective divided by the number of output values, the REML estimate. Exact and fast for a separable kernel. For a smooth one, which is about a sum of squares of at most 500 functions, it is computed from these; for others from what the data say in the directions that matter, at most 6000, whose covariance is factored once; where more matter, and for single points, each point takes some iterations. Either way the band is at most 1 % too wide, never too narrow. Bands of predictions on fine meshes in the plane, of which far points say little of each other, are found for many points at a time, and held to 1 % of four points that are computed by themselves.

The bands are only as good as the model: test it with est:check. They need the data: an estimate read from a file has them if est:save(path, {data = true}) wrote it.`, func(c *bind.Call, p *struct {
			Estimate estimate `arg:"self"`
			twoMeshes
		},
		) (*array.Array, error) {
			s, err := p.Estimate.Std(c, p.X, p.Y)
			if err != nil {
				return nil, err
			}
			return onMeshes(s, p.X, p.Y, p.Estimate.InputMesh, p.Estimate.OutputMesh), nil
		}, bind.Example(sampleNoisy+"band = est:std()\nprint(#band, band:min() > 0)  --> 30\ttrue"), bind.Returns("points of xmesh × points of ymesh"),
			bind.Errors("the estimate was read from a file without its data"), bind.Keywords("uncertainty", "band", "error bar", "variance", "confidence", "posterior"), bind.See("estimate:check", "estimate:predict")),
		bind.Fn("bias_std", "Posterior standard deviation of the bias term.", func(c *bind.Call, p *struct {
			Estimate estimate  `arg:"self"`
			Y        mesh.Mesh `arg:"ymesh" pos:"1" doc:"where; by default the output mesh of the data" default:"nil"`
		},
		) (*array.Array, error) {
			s, err := p.Estimate.BiasStd(c, p.Y)
			if err != nil {
				return nil, err
			}
			return array.Vector(s), nil
		}, bind.Example(sampleNoisy+"print(#est:bias_std())  --> 30"), bind.Returns("one number per point"), bind.See("estimate:std")),
		drawMethod(),
		bind.Fn("calibrate", `How often 95 % bands contain the truth, by simulation: data are made with known truths, the inputs of the data and the estimated noise, and fitted again.

For truths drawn from the prior the coverage is 0.95 if all is computed rightly: that says nothing of the kernel. With kernel = another one, truths are drawn from the prior of that, with the size and the noise of a fit of the data with it; with green = the G of a similar problem, that is the truth. Then the coverage says how the bands do if G is like this: a smooth kernel misses the kink on the diagonal of a Green's function. green = est:green() is refused: bands hold the estimate itself whatever the true G is. Whether the data contradict the kernel is tested by est:check.`, func(c *bind.Call, p *struct {
			Estimate estimate      `arg:"self"`
			N        int           `arg:"n" doc:"simulations" default:"20" allow:">=1"`
			Seed     uint64        `arg:"seed" doc:"of the simulations" default:"1"`
			Green    *truth        `arg:"green" doc:"the truth, values on the meshes of the data or a problem; by default a new one from the prior each time" default:"nil"`
			Kernel   kernel.Kernel `arg:"kernel" doc:"draw the truths from the prior of this kernel instead of that of the estimate" default:"nil"`
		},
		) (calibration, error) {
			g, err := truthOn(c, p.Green, p.Estimate.InputMesh, p.Estimate.OutputMesh)
			if err != nil {
				return calibration{}, err
			}
			r, err := p.Estimate.Calibrate(c, fit.Simulation{N: p.N, Seed: p.Seed, Truth: g, Kernel: p.Kernel})
			if err != nil {
				return calibration{}, err
			}
			return calibration{r.Coverage, r.Bias, r.Nominal, array.FromMatrix(r.Map), r.X, r.Y, r.N}, nil
		}, bind.Example(sampleNoisy+"r = est:calibrate{n = 20}\nprint(math.abs(r.coverage - r.nominal) < 0.05)  --> true"),
			bind.Example(sampleNoisy+"r = est:calibrate{kernel = kernel.matern{nu = 1.5, lengthscale = 0.3}}\nprint(r.coverage < 0.9)  --> true"),
			bind.Errors("green is the estimate itself"),
			bind.ReturnsAs("{coverage=, bias=, nominal=, map=, xmesh=, ymesh=, n=}", "the share covered of G and of the bias, and a map of it over the meshes xmesh and ymesh: those of the data, or of the landmarks that the fit is on, since G elsewhere follows from that there by the kernel"),
			bind.Keywords("coverage", "bands"), bind.See("estimate:check", "estimate:std")),
		bind.Fn("span", "The share of the energy of inputs that lies outside what was trained on, between 0 and 1: there predictions rest on the kernel alone.", func(c *bind.Call, p *struct {
			Estimate  estimate     `arg:"self"`
			F         *array.Array `arg:"f" pos:"1" doc:"one input, or n × points, on the input mesh of the data"`
			Tolerance float64      `arg:"tolerance" doc:"directions whose amplitude is below this fraction of the largest do not count as trained on" default:"0.001" allow:"[0,1)"`
		},
		) (any, error) {
			f, single, err := asRows(p.F, p.Estimate.InputMesh.Size())
			if err != nil {
				return nil, err
			}
			share, err := p.Estimate.Span(c, f, p.Tolerance)
			if err != nil || !single {
				return array.Vector(share), err
			}
			return share[0], nil
		}, bind.Example(sampleFit+"print(est:span(d.input):max() < 1e-3, est:span(random.normal{shape = {30}}) > 0.3)  --> true\ttrue"),
			bind.ReturnsAs("number|array", "one number for each input"), bind.Keywords("extrapolation", "out of distribution")),
	}
}

type calibration struct {
	Coverage float64      `arg:"coverage"`
	Bias     float64      `arg:"bias"`
	Nominal  float64      `arg:"nominal"`
	Map      *array.Array `arg:"map"`
	X        mesh.Mesh    `arg:"xmesh"`
	Y        mesh.Mesh    `arg:"ymesh"`
	N        int          `arg:"n"`
}

// truthOn is a truth as a matrix on meshes, nil for none.
func truthOn(c *bind.Call, t *truth, x, y mesh.Mesh) (*mat.Dense, error) {
	switch {
	case t == nil:
		return nil, nil
	case t.IsB:
		return pde.Green(c, t.B, x, y)
	case t.A.Size() != x.Size()*y.Size():
		return nil, fmt.Errorf("green: has the shape %s, must be %d × %d, one number per pair of points", dense.ShapeString(t.A.Shape), x.Size(), y.Size())
	}
	return mat.NewDense(x.Size(), y.Size(), t.A.Data), nil
}

// operatorMethods are those of G as an integral operator.
func operatorMethods() []bind.Func {
	return []bind.Func{
		bind.Fn("apply", "G applied to inputs: the prediction without the bias term.", func(c *bind.Call, p *struct {
			Estimate estimate     `arg:"self"`
			F        *array.Array `arg:"f" pos:"1" doc:"one input, or n × points of xmesh"`
			optionalMeshes
		},
		) (*array.Array, error) {
			f, single, err := asRows(p.F, sizeOr(p.X, p.Estimate.InputMesh))
			if err != nil {
				return nil, err
			}
			u, err := p.Estimate.Apply(c, f, p.X, p.Y)
			if err != nil {
				return nil, err
			}
			return asArray(u, single), nil
		}, bind.Example(sampleFit+"u = est:apply(array.ones(30)) + est:bias()\nprint((u - est:predict(array.ones(30))):norm() < 1e-12)  --> true"),
			bind.Returns("one output, or n × points of ymesh"), bind.Keywords("integral", "operator"), bind.See("estimate:predict", "estimate:adjoint")),
		bind.Fn("adjoint", "The adjoint operator, v to the integral of G(x, y) v(y) over y.", func(_ *bind.Call, p *struct {
			Estimate estimate `arg:"self"`
		},
		) (fit.Adjoint, error) {
			return fit.Adjoint{Estimate: p.Estimate}, nil
		}, bind.Example(sampleFit+"v = est:adjoint():apply(array.ones(30))\nprint(#v)  --> 30"), bind.Returns("an adjoint"), bind.Keywords("transpose")),
		bind.Fn("svd", "Singular values and functions of G: an input left[k] gives the output values[k] right[k]. The functions are orthonormal by the quadrature of their meshes.", func(c *bind.Call, p *struct {
			Estimate estimate `arg:"self"`
			K        int      `arg:"k" pos:"1" doc:"how many; 0 is all" default:"0" allow:">=0"`
			optionalMeshes
		},
		) (singularFunctions, error) {
			s, err := p.Estimate.SVD(c, p.K, p.X, p.Y)
			if err != nil {
				return singularFunctions{}, err
			}
			return singularFunctions{array.Vector(s.Values), array.FromMatrix(s.Left), array.FromMatrix(s.Right)}, nil
		}, bind.Example(sampleFit+"s = est:svd(2)\nprint(math.abs(s.values[1] * math.pi^2 - 1) < 0.02)  --> true\nprint(#s.left, #s.left[1])  --> 2\t30"),
			bind.ReturnsAs("{values=, left=, right=}", "k values, k × points of the input, k × points of the output"), bind.Keywords("singular", "modes", "rank")),
		bind.Fn("slice", "G with some coordinates fixed, on the meshes of the data for the others.", func(c *bind.Call, p *struct {
			Estimate estimate           `arg:"self"`
			At       map[string]float64 `arg:"at" pos:"1" doc:"values of the fixed coordinates, such as {x = 0.3}"`
		},
		) (bind.Results, error) {
			values, rest, err := p.Estimate.Slice(c, p.At)
			if err != nil {
				return nil, err
			}
			return bind.Results{array.Vector(values), rest}, nil
		}, bind.Example(sampleFit+"g, m = est:slice{x = 0.3}\nprint(#g, m.names[1], math.abs(g[10] - est(0.3, m:points():at(10, 1))) < 1e-12)  --> 30\ty\ttrue"),
			bind.ReturnsAs("array", "one number for each point"), bind.ReturnsAs("mesh", "of the other coordinates"), bind.Keywords("section", "cross-section")),
		bind.Fn("diff", "A derivative of G, once with respect to each coordinate named, from the exact derivatives of the kernel.", func(c *bind.Call, p *struct {
			Estimate estimate `arg:"self"`
			Along    []string `arg:"along" pos:"list" doc:"coordinates, such as \"y\"; twice for a second derivative"`
			optionalMeshes
		},
		) (*array.Array, error) {
			if len(p.Along) == 0 {
				return nil, fmt.Errorf("along: name at least one coordinate, as in est:diff{\"y\"}")
			}
			g, err := p.Estimate.Diff(c, p.Along, p.X, p.Y)
			if err != nil {
				return nil, err
			}
			return array.FromMatrix(g), nil
		}, bind.Example(sampleFit+"x, y = mesh.uniform(0.1, 0.2, 5), mesh.uniform(0.6, 0.9, 4)\nslope = est:diff{\"y\", xmesh = x, ymesh = y}\nprint((slope + x:points()):max() < 0.05)  --> true"),
			bind.Returns("points of xmesh × points of ymesh"), bind.Errors("the kernel is not smooth enough"), bind.Keywords("derivative", "gradient", "slope")),
	}
}

type singularFunctions struct {
	Values *array.Array `arg:"values"`
	Left   *array.Array `arg:"left"`
	Right  *array.Array `arg:"right"`
}

// adjointType is what est:adjoint returns.
func adjointType() bind.Type {
	return bind.TypeOf[fit.Adjoint]("adjoint", "The adjoint of a learned G: it maps functions of the output to functions of the input.",
		bind.ToString(func(a fit.Adjoint) string { return "adjoint of " + a.Estimate.Describe(kernelText) }),
		bind.Methods(
			bind.Fn("apply", "The integral of G(x, y) v(y) over y.", func(c *bind.Call, p *struct {
				Adjoint fit.Adjoint  `arg:"self"`
				V       *array.Array `arg:"v" pos:"1" doc:"one function of the output, or n × points of ymesh"`
				optionalMeshes
			},
			) (*array.Array, error) {
				v, single, err := asRows(p.V, sizeOr(p.Y, p.Adjoint.Estimate.OutputMesh))
				if err != nil {
					return nil, err
				}
				f, err := p.Adjoint.Apply(c, v, p.Y, p.X)
				if err != nil {
					return nil, err
				}
				return asArray(f, single), nil
			}, bind.Example(sampleFit+"v, w = est:adjoint():apply(array.ones(30)), d.output_mesh:weights()\nprint(math.abs((v * w):sum() - (est:apply(array.ones(30)) * w):sum()) < 1e-12)  --> true"),
				bind.Returns("one function of the input, or n × points of xmesh")),
			bind.Fn("adjoint", "The estimate again.", func(_ *bind.Call, p *struct {
				Adjoint fit.Adjoint `arg:"self"`
			},
			) (estimate, error) {
				return p.Adjoint.Estimate, nil
			}, bind.Example(sampleFit+"print(est:adjoint():adjoint()(0.3, 0.6) == est(0.3, 0.6))  --> true"), bind.Returns("an estimate")),
		),
	)
}

// predictWithBand is est:predict with std = true.
func predictWithBand(c *bind.Call, e estimate, f *mat.Dense, single bool, x, y mesh.Mesh, u *mat.Dense) (bind.Results, error) {
	s, err := e.PredictStd(c, f, x, y)
	if err != nil {
		return nil, err
	}
	return bind.Results{asArray(u, single), asArray(s, single)}, nil
}
