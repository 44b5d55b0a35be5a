package bindings

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// estimateType is what green.fit returns.
func estimateType() bind.Type {
	return bind.TypeOf[estimate]("estimate", "A learned Green's function and bias term, to be evaluated at points and on any mesh.",
		bind.ToStringIn(func(ctx context.Context, e estimate) string {
			r, _ := e.Report.Measured(ctx) // what is not known it says
			return e.Describe(kernelText) + "\n" + r.String()
		}),
		bind.Methods(posteriorMethods()...),
		bind.Methods(assessMethods()...),
		bind.Methods(operatorMethods()...),
		bind.Methods(exportMethods()...),
		bind.CallMeta(bind.Fn("__call", "The value G(x, y).", func(c *bind.Call, p *struct {
			Estimate estimate          `arg:"self"`
			X        kernelCoordinates `arg:"x" pos:"1" doc:"point of the input: a number, or a list of coordinates"`
			Y        kernelCoordinates `arg:"y" pos:"2" doc:"point of the output"`
		},
		) (float64, error) {
			return p.Estimate.At(c, coordinates(p.X), coordinates(p.Y))
		}, bind.Example(sampleFit+"print(math.abs(est(0.3, 0.6) - 0.12) < 0.01)  --> true"), bind.Returns("G(x, y)"))),
		bind.Properties(
			bind.Prop("report", "what the fit found, and its certificate", func(e estimate) fit.Report { return e.Notes() }),
			bind.Prop("kernel", "kernel of G", func(e estimate) kernel.Kernel { return e.Kernel }),
			bind.Prop("constraint", "what G obeys, given or found; nil without one", func(e estimate) constraint.Constraint { return e.Constraint }),
			bind.Prop("weights", "weights of G, points of the input × points of the output", func(e estimate) *array.Array { return array.FromMatrix(e.Weights).Copy() }),
			bind.Prop("bias_weights", "weights of the bias; empty when there is none", func(e estimate) *array.Array { return array.Vector(e.BiasWeights).Copy() }),
			bind.Prop("intercept", "constant part of the bias that is not penalised; 0 without one", func(e estimate) float64 { return e.Intercept }),
			bind.Prop("input_mesh", "where the inputs were sampled", func(e estimate) mesh.Mesh { return e.InputMesh }),
			bind.Prop("output_mesh", "where the outputs were sampled", func(e estimate) mesh.Mesh { return e.OutputMesh }),
		),
		bind.Methods(
			bind.Fn("green", "G on meshes.", func(c *bind.Call, p *struct {
				Estimate estimate `arg:"self"`
				twoMeshes
			},
			) (*array.Array, error) {
				g, err := p.Estimate.Green(c, p.X, p.Y)
				if err != nil {
					return nil, err
				}
				return onMeshes(g, p.X, p.Y, p.Estimate.InputMesh, p.Estimate.OutputMesh), nil
			}, bind.Example(sampleFit+"G = est:green(mesh.uniform(0, 1, 5), mesh.uniform(0, 1, 7))\nprint(#G, #G[1])  --> 5\t7\nprint(math.abs(G[2][4] - est(0.25, 0.5)) < 1e-12)  --> true"), bind.Returns("points of xmesh × points of ymesh")),
			bind.Fn("bias", "The bias term on a mesh.", func(c *bind.Call, p *struct {
				Estimate estimate  `arg:"self"`
				Y        mesh.Mesh `arg:"ymesh" pos:"1" doc:"where; by default the output mesh of the data" default:"nil"`
			},
			) (*array.Array, error) {
				b, err := p.Estimate.Bias(c, p.Y)
				if err != nil {
					return nil, err
				}
				return array.Vector(b), nil
			}, bind.Example(sampleFit+"print(#est:bias())  --> 30"), bind.Returns("one number per point")),
			bind.Fn("predict", "Outputs for new inputs.", func(c *bind.Call, p *struct {
				Estimate estimate     `arg:"self"`
				F        *array.Array `arg:"f" pos:"1" doc:"one input, or n × points of xmesh"`
				X        mesh.Mesh    `arg:"xmesh" doc:"where the inputs are sampled; by default the input mesh of the data" default:"nil"`
				Y        mesh.Mesh    `arg:"ymesh" doc:"where outputs are wanted; by default the output mesh of the data" default:"nil"`
				Std      bool         `arg:"std" doc:"also the posterior standard deviation of the outputs without their noise, as est:std; est.report.sigma is that of the noise" default:"false"`
				intervals
			},
			) (any, error) {
				if err := p.check(p.Std); err != nil {
					return nil, err
				}
				m := p.Estimate.InputMesh.Size()
				if p.X.Size() > 0 {
					m = p.X.Size()
				}
				f, single, err := asRows(p.F, m)
				if err != nil {
					return nil, err
				}
				var half *mat.Dense
				if p.Level != nil { // first, as what does not fit into memory is refused
					if half, err = p.Estimate.Intervals(c, f, p.X, p.Y, p.interval()); err != nil {
						return nil, err
					}
				}
				u, err := p.Estimate.Predict(c, f, p.X, p.Y)
				switch {
				case err != nil:
					return nil, err
				case p.Std:
					return predictWithBand(c, p.Estimate, f, single, p.X, p.Y, u)
				case p.Level != nil:
					return limits(u, half, single), nil
				}
				return asArray(u, single), nil
			}, bind.Example(sampleFit+"u = est:predict(d.input)\nprint(#u, #u[1])  --> 20\t30"),
				bind.Example(sampleNoisy+"u, band = est:predict(d.input[1], {std = true})\nprint(#u, #band)  --> 30\t30"),
				bind.Example(sampleNoisy+"u, lower, upper = est:predict(d.input[1], {interval = 0.95, observation = true})\nprint(#u, (upper - lower):min() > 0)  --> 30\ttrue"),
				bind.ReturnsAs("array", "one output, or n × points of ymesh"), bind.ReturnsAs("array|nil", "with std = true its standard deviation, of the same shape; with interval the lower limit"),
				bind.ReturnsAs("array|nil", "with interval the upper limit"), bind.Errors("the level of an interval is no probability"),
				bind.Keywords("apply", "evaluate", "interval", "band", "confidence", "prediction interval", "simultaneous"), bind.See("estimate:draw", "estimate:std")),
			errorMethod(),
			bind.Fn("save", "Writes the estimate to a .npz file that NumPy opens too.", func(c *bind.Call, p *struct {
				Estimate estimate `arg:"self"`
				Path     string   `arg:"path" pos:"1" doc:"file name ending in .npz"`
				Data     bool     `arg:"data" doc:"with the pairs it was learned from, which standard deviations, est:calibrate and est:span need" default:"false"`
			},
			) (bind.None, error) {
				if err := mayWrite(c, p.Path); err != nil {
					return bind.None{}, err
				}
				if p.Data {
					return bind.None{}, p.Estimate.SaveWithData(c, p.Path)
				}
				return bind.None{}, p.Estimate.Save(c, p.Path)
			}, bind.Example(sampleFit+"path = os.tmpname() .. \".npz\"\nest:save(path)\nprint(green.load(path).report.lambda)  --> 1e-06\nos.remove(path)"),
				bind.Errors("a kernel calls its function, with trace = false: a file holds formulas, such as those of constraint.define and constraint.mask, but no functions"), bind.See("green.load")),
		),
	)
}
