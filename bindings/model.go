package bindings

import (
	"fmt"
	"slices"
	"strings"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/outside"
	"github.com/greenbench/workbench/internal/numeric/stats"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/mesh"
)

// modelType is what green.fit makes of named inputs and outputs.
func modelType() bind.Type {
	return bind.TypeOf[learned]("model", "A learned model of several terms: est.u is what was learned of the output u, est.u.f its term of the input f. Of a model with one output the output may be left out: est.f.",
		bind.ToString(learned.String),
		bind.Members("outputs and terms", "An output by its name; of a model with one output also a term.", learned.names, learned.member,
			bind.Example(sampleModel+"print(est.u.f(0.2, 0.5) == est.f(0.2, 0.5))  --> true")),
		bind.Properties(
			bind.Prop("data", "the samples it was learned from", func(l learned) frame { return l.Data }),
			bind.Prop("outputs", "names of the outputs", learned.outputs),
			bind.Prop("coupling", "with outputs = \"coregional\", the correlations between the outputs, in the order of est.outputs, by term; otherwise nil", learned.couplings),
		),
		bind.Methods(
			bind.Fn("predict", "Outputs for new samples.", func(c *bind.Call, p *struct {
				Model learned `arg:"self"`
				newSamples
			},
			) (bind.Results, error) {
				all := make(bind.Results, 0, 3)
				for _, name := range p.Model.outputs() {
					own, err := p.of(c, p.Model.output(name))
					if err != nil {
						return nil, err
					}
					for i, a := range own {
						if i == len(all) {
							all = append(all, map[string]*array.Array{})
						}
						all[i].(map[string]*array.Array)[name] = a.(*array.Array)
					}
				}
				return all, nil
			}, bind.Example(sampleModel+"new = est:predict{f = a.input[1], g = b.input[1], age = 0}\nprint(#new.u)  --> 12"),
				bind.ReturnsAs("table<string, array>", "outputs by name: one function, or n × points of ymesh"), bind.ReturnsAs("table<string, array>|nil", "with std = true their standard deviations; with interval the lower limits"),
				bind.ReturnsAs("table<string, array>|nil", "with interval the upper limits"), bind.See("output:predict")),
			bind.Fn("error", "Relative errors of the outputs of samples that were held out.", func(c *bind.Call, p *struct {
				Model learned `arg:"self"`
				Data  frame   `arg:"data" doc:"samples with the inputs and outputs of the model"`
			},
			) (map[string]stats.Summary, error) {
				all := make(map[string]stats.Summary)
				for _, name := range p.Model.outputs() {
					s, err := p.Model.output(name).error(c, p.Data)
					if err != nil {
						return nil, err
					}
					all[name] = s
				}
				return all, nil
			}, bind.Example(sampleModel+"print(est:error{data = d}.u.mean < 0.01)  --> true"), bind.Returns("{mean=, rms=, max=, r2=} by output, as of estimate:error: mean, rms and max weigh all points of the output alike, and r2 each by its weight in the quadrature"), bind.See("estimate:error")),
			saveMethod("Writes the model and its data to a .npz file that NumPy opens too.", sampleModel, `est:save(path)
print(green.load(path).u.f(0.2, 0.5) == est.u.f(0.2, 0.5))  --> true`, "green.load", learned.Save),
			bind.Fn("at", "The model at parameters θ of a family: its terms are estimates of G_θ.", func(c *bind.Call, p *struct {
				Model learned            `arg:"self"`
				At    map[string]float64 `arg:"at" pos:"1" doc:"a number for each parameter, such as {theta = 7}"`
			},
			) (learned, error) {
				names := parameterNames(p.Model.Data)
				theta, err := parametersAt(names, p.At)
				if err == nil {
					noteOutside(c, "model:at", p.Model.Estimate, outside.Sample(names, theta))
				}
				return learned{p.Model.Estimate, theta}, err
			}, bind.Example(sampleFamily+"print(est:at{theta = 1.5}.u.f(0.2, 0.5) == est.u.f:at{theta = 1.5}(0.2, 0.5))  --> true"),
				bind.Returns("a model without parameters"), bind.See("family:at")),
		),
		bind.Methods(modelAssessMethods()...),
	)
}

// outputType is one output of a model.
func outputType() bind.Type {
	return bind.TypeOf[learnedOutput]("output", "The part of a model for one output: terms by name, and the bias.",
		bind.ToString(learnedOutput.String),
		bind.Members("terms", "A term by its name: an estimate of G for an input that is a function, else a covariate, curves of groups, a family, or an operator of no given form.",
			learnedOutput.names, learnedOutput.term, bind.Example(sampleModel+"print(#est.u.g:green(), #est.u.age:effect())  --> 12	12")),
		bind.Properties(
			bind.Prop("name", "its name", func(o learnedOutput) string { return o.Output.Name }),
			bind.Prop("mesh", "where the output was sampled", func(o learnedOutput) mesh.Mesh { return o.Mesh }),
			bind.Prop("report", "what the fit found, and its certificate", func(o learnedOutput) fit.Report { return o.Report.Report }),
			bind.Prop("terms", "the terms and how much each contributes", learnedOutput.table),
		),
		bind.Methods(
			bind.Fn("bias", "The bias term on a mesh.", func(c *bind.Call, p *struct {
				Output learnedOutput `arg:"self"`
				Y      mesh.Mesh     `arg:"ymesh" pos:"1" doc:"where; by default the mesh of the output" default:"nil"`
			},
			) (*array.Array, error) {
				return vector(p.Output.Bias(c, p.Y))
			}, bind.Example(sampleModel+"print(#est.u:bias())  --> 12"), bind.Returns("one number per point")),
			bind.Fn("bias_std", "Posterior standard deviation of the bias term.", func(c *bind.Call, p *struct {
				Output learnedOutput `arg:"self"`
				Y      mesh.Mesh     `arg:"ymesh" pos:"1" doc:"where; by default the mesh of the output" default:"nil"`
			},
			) (*array.Array, error) {
				return vector(p.Output.BiasStd(c, p.Y))
			}, bind.Example(sampleModel+"print(#est.u:bias_std())  --> 12"), bind.Returns("one number per point"), bind.See("estimate:std")),
			bind.Fn("predict", "This output for new samples.", func(c *bind.Call, p *struct {
				Output learnedOutput `arg:"self"`
				newSamples
			},
			) (bind.Results, error) {
				return p.of(c, p.Output)
			}, bind.Example(sampleModel+"u = est.u:predict({f = a.input, g = b.input, age = 0}, {ymesh = mesh.uniform(0, 1, 7)})\nprint(#u, #u[1])  --> 15	7"),
				bind.Example(sampleModel+"u, band = est.u:predict({f = a.input[1], g = b.input[1], age = 0}, {std = true})\nprint(#u, band:min() > 0)  --> 12	true"),
				bind.ReturnsAs("array", "one function, or n × points of ymesh"), bind.ReturnsAs("array|nil", "with std = true its standard deviation, of the same shape; with interval the lower limit"),
				bind.ReturnsAs("array|nil", "with interval the upper limit"), bind.See("estimate:predict")),
			drawOutput(),
			bind.Fn("error", "Relative errors of this output for samples that were held out.", func(c *bind.Call, p *struct {
				Output learnedOutput `arg:"self"`
				Data   frame         `arg:"data" doc:"samples with the inputs of the model and this output"`
			},
			) (stats.Summary, error) {
				return p.Output.error(c, p.Data)
			}, bind.Example(sampleModel+"print(est.u:error{data = d}.r2 > 0.99)  --> true"), bind.ReturnsAs("{mean=, rms=, max=, r2=}", "as of estimate:error: mean, rms and max weigh all points of the output alike, and r2 each by its weight in the quadrature")),
		),
		bind.Methods(outputAssessMethods()...),
	)
}

// error compares predictions with the outputs of samples.
func (o learnedOutput) error(c *bind.Call, d frame) (stats.Summary, error) {
	truth := d.Output(o.Output.Name)
	if truth == nil {
		return stats.Summary{}, nameIn("output", o.Output.Name, names(d.Outputs))
	}
	u, err := o.Predict(c, d, truth.Mesh)
	if err != nil {
		return stats.Summary{}, err
	}
	errs, err := dataset.RelativeErrors(array.FromMatrix(u), truth.Values)
	if err != nil {
		return stats.Summary{}, err
	}
	sum, err := stats.Summarize(errs)
	if err != nil {
		return stats.Summary{}, err
	}
	sum.R2, err = stats.R2(array.FromMatrix(u), truth.Values, truth.Mesh.Weights())
	return sum, err
}

// termRow is a term in the table of an output.
type termRow struct {
	Name      string  `arg:"name" doc:"of the input, the group, covariate*field, or covariate*group"`
	Kind      string  `arg:"kind" doc:"field, covariate, varying coefficient, group, slopes of groups or operator"`
	Deviation float64 `arg:"deviation" doc:"standard deviation of what the term adds to the output, over samples and points of the data"`
}

func (o learnedOutput) table() (rows []termRow) {
	for _, t := range o.Terms {
		rows = append(rows, termRow{t.Name, t.Kind, t.Deviation})
	}
	return rows
}

// String shows the outputs one below the other.
func (l learned) String() string {
	head := fmt.Sprintf("model of %s from %d samples", strings.Join(l.outputs(), ", "), l.Data.N())
	for i, name := range parameterNames(l.Data) {
		if l.theta != nil {
			head += fmt.Sprintf(", %s = %g", name, l.theta[i])
		}
	}
	for _, name := range l.outputs() {
		head += "\n" + l.output(name).String()
	}
	return head
}

// String shows the terms as a table.
func (o learnedOutput) String() string {
	rows := [][]string{{o.Output.Name, "kind", "deviation", "kernel"}}
	for _, t := range o.Terms {
		rows = append(rows, []string{t.Name, t.Kind, fmt.Sprintf("%.3g", t.Deviation), shortKernel(t.Kernel)})
	}
	rows = append(rows, []string{"noise", "", fmt.Sprintf("%.3g", o.Report.Sigma), ""})
	widths := make([]int, 4)
	for _, r := range rows {
		for k, cell := range r {
			widths[k] = max(widths[k], len([]rune(cell)))
		}
	}
	lines := make([]string, len(rows))
	for i, r := range rows {
		for k, cell := range r {
			lines[i] += "  " + cell + strings.Repeat(" ", widths[k]-len([]rune(cell)))
		}
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(slices.Concat(lines, notesOf(o.Report.Advice)), "\n")
}
