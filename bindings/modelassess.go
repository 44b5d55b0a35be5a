package bindings

import (
	"fmt"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/assess"
	"github.com/greenbench/workbench/internal/numeric/plot"
	"github.com/greenbench/workbench/numeric/mesh"
)

// modelCheck and modelSummary are of each of several outputs, in their order.
type (
	modelCheck   []ofOutput[*assess.Check]
	modelSummary []ofOutput[*assess.Summary]
)

// eachOutput asks something of every output of a model.
func eachOutput[T any](l learned, ask func(o learnedOutput) (T, error)) (all []ofOutput[T], err error) {
	for _, name := range l.outputs() {
		v, err := ask(l.output(name))
		if err != nil {
			return nil, fmt.Errorf("output %s: %w", name, err)
		}
		all = append(all, ofOutput[T]{name, v})
	}
	return all, nil
}

// Arguments of what is asked of models and of their outputs.
type (
	checkArguments struct {
		Seed    uint64 `arg:"seed" doc:"of the draws" default:"1"`
		Kernels bool   `arg:"kernels" doc:"also fit with other kernels, which takes the time of three automatic fits" default:"true"`
	}
	summaryArguments struct {
		Seed uint64 `arg:"seed" doc:"of draws and permutations" default:"1"`
	}
	residualArguments struct {
		Seed uint64 `arg:"seed" doc:"of the draws that make the bands" default:"1"`
		destination
	}
)

func (p checkArguments) of(c *bind.Call, s assess.Subject) (*assess.Check, error) {
	return assess.Run(c, s, assess.Options{Seed: p.Seed, NoKernels: !p.Kernels, Write: kernelText})
}

// modelCheckMethods say what models are worth, as assessMethods of estimates.
func modelAssessMethods() []bind.Func {
	return []bind.Func{
		bind.Fn("check", "Tests whether the data contradict the model: the tests of estimate:check for each output, with samples for pairs; a sample is left out with all of its outputs where these are coupled. The last test is by kernels that are alike for all terms, and tells of the term whose bands hold least.", func(c *bind.Call, p *struct {
			Model learned `arg:"self"`
			checkArguments
		},
		) (bind.Either[*assess.Check, modelCheck], error) {
			all, err := eachOutput(p.Model, func(o learnedOutput) (*assess.Check, error) { return p.of(c, o.Output) })
			if err != nil || len(all) > 1 {
				return bind.Second[*assess.Check](modelCheck(all)), err
			}
			return bind.First[*assess.Check, modelCheck](all[0].of), nil
		}, bind.Example(sampleModelNoisy+"print(est:check{kernels = false}.passed)  --> true"),
			bind.Returns("what was found, of several outputs by name; a table when printed"), checkErrors(), bind.See("estimate:check", "model:summary", "model:plot_residuals")),
		bind.Fn("summary", termTests, func(c *bind.Call, p *struct {
			Model learned `arg:"self"`
			summaryArguments
		},
		) (bind.Either[*assess.Summary, modelSummary], error) {
			all, err := eachOutput(p.Model, func(o learnedOutput) (*assess.Summary, error) { return assess.Summarise(c, o.Output, p.Seed) })
			if err != nil || len(all) > 1 {
				return bind.Second[*assess.Summary](modelSummary(all)), err
			}
			return bind.First[*assess.Summary, modelSummary](all[0].of), nil
		}, bind.Example(sampleModelNoisy+"s = est:summary()\nfor _, t in ipairs(s.terms) do print(t.name, t.p and t.p < 0.01) end\n--> f\ttrue\n--> g\ttrue\n--> age\tfalse\n--> bias\tnil"),
			bind.Returns("the numbers, of several outputs by name; a table when printed"), summaryErrors(),
			bind.Keywords("anova", "F test", "p value", "significance", "likelihood ratio"), bind.See("estimate:summary", "model:check", "green.compare")),
		bind.Fn("plot_residuals", "The pictures of estimate:plot_residuals, of several outputs a row for each.", func(c *bind.Call, p *struct {
			Model learned `arg:"self"`
			residualArguments
		},
		) (plot.Figure, error) {
			all, err := eachOutput(p.Model, func(o learnedOutput) (*assess.Portrait, error) { return assess.Portray(c, o.Output, p.Seed) })
			if err != nil {
				return nil, err
			}
			return p.finish(c, residualRows(all))
		}, bind.Example(sampleModelNoisy+"fig = est:plot_residuals{show = false}\nprint(fig)  --> grid, 2 rows"), drawn(), bind.See("model:check", "estimate:plot_residuals")),
		bind.Fn("plot", "The pictures of output:plot, of every output one after the other.", func(c *bind.Call, p *struct {
			Model learned   `arg:"self"`
			Y     mesh.Mesh `arg:"ymesh" doc:"where curves are drawn; by default the meshes of the outputs" default:"nil"`
			destination
		},
		) (plot.Figure, error) {
			var panels []plot.Figure
			for _, name := range p.Model.outputs() {
				own, err := termPanels(c, p.Model.output(name), p.Y, len(p.Model.Outputs) > 1)
				if err != nil {
					return nil, err
				}
				panels = append(panels, own...)
			}
			return p.finish(c, inRows(panels))
		}, bind.Example(sampleModelNoisy+"fig = est:plot{show = false}\nprint(fig)  --> grid, 2 rows"), drawn(),
			bind.Keywords("effect", "significance", "hatching", "uncertainty"), bind.See("output:plot", "estimate:plot", "covariate:plot", "curves:plot")),
	}
}

// outputAssessMethods are the same for one output.
func outputAssessMethods() []bind.Func {
	return []bind.Func{
		bind.Fn("check", "Tests whether the data contradict the model of this output, see model:check.", func(c *bind.Call, p *struct {
			Output learnedOutput `arg:"self"`
			checkArguments
		},
		) (*assess.Check, error) {
			return p.of(c, p.Output.Output)
		}, bind.Example(sampleModelNoisy+"print(est.u:check{kernels = false}.passed)  --> true"), bind.Returns("what was found, a table when printed"), checkErrors(), bind.See("model:check")),
		bind.Fn("summary", "What an analyst reports of this output, see model:summary.", func(c *bind.Call, p *struct {
			Output learnedOutput `arg:"self"`
			summaryArguments
		},
		) (*assess.Summary, error) {
			return assess.Summarise(c, p.Output.Output, p.Seed)
		}, bind.Example(sampleModelNoisy+"print(est.u:summary().r2 > 0.9)  --> true"), bind.Returns("the numbers, a table when printed"), summaryErrors(), bind.See("model:summary")),
		bind.Fn("plot_residuals", "The pictures of estimate:plot_residuals for this output.", func(c *bind.Call, p *struct {
			Output learnedOutput `arg:"self"`
			residualArguments
		},
		) (plot.Figure, error) {
			r, err := assess.Portray(c, p.Output.Output, p.Seed)
			if err != nil {
				return nil, err
			}
			return p.finish(c, residualFigure(r))
		}, bind.Example(sampleModelNoisy+"fig = est.u:plot_residuals{show = false}\nprint(fig)  --> grid, 2 rows"), drawn(), bind.See("estimate:plot_residuals")),
		bind.Fn("plot", `Every term of this output: G of a function as a heat map, hatched where its 95 % band holds zero; the curve of a covariate, curves of groups and the bias with their 95 % bands, dotted where these hold zero. Of a family G in the middle of the parameters, of a grouping the six groups that differ most.

A single term is drawn larger by its own plot: est.u.f:plot(), est.u.age:plot(), est.u.subject:plot(). Noise, and an operator of no given form, have no picture.`, func(c *bind.Call, p *struct {
			Output learnedOutput `arg:"self"`
			Y      mesh.Mesh     `arg:"ymesh" doc:"where curves are drawn; by default the mesh of the output" default:"nil"`
			destination
		},
		) (plot.Figure, error) {
			panels, err := termPanels(c, p.Output, p.Y, false)
			if err != nil {
				return nil, err
			}
			return p.finish(c, inRows(panels))
		}, bind.Example(sampleModelNoisy+"fig = est.u:plot{show = false}\nprint(fig)  --> grid, 2 rows"), drawn(), bind.See("model:plot", "estimate:plot")),
	}
}

const termTests = `What an analyst reports of each output, as a table: R² of the samples and of each sample predicted from the others, effective degrees of freedom, the noise, lambda, and a test of each term.

A term is tested by the model without it: the score says how alike the residuals of that are where samples are alike in the term, in standard deviations, the largest of functions and outputs smoothed by three lengthscales each; none is chosen for the data. p is the larger of two: by 999 draws of data for which the model without the term is true, with the kernels of the other terms, and by 999 permutations of the residuals, which do not need the noise to be as the model has it. The least p possible is 0.001. A term that is the same in all samples of each label of a group has no p: the curves of the labels can stand for it, so that residuals tell nothing; green.compare with and without it does. A large p of a term that is correlated with another input says little, as the test has little power there: the band of its effect (covariate:effect, curves:plot) says how large the term may be. F is what the term explains for each degree of freedom it adds, over the mean square of the residuals. The only term of a model is tested as est:summary of an estimate does.

Cost: a fit of sizes for each term, and the inverse of the covariance of at most 3000 values.`

func checkErrors() bind.Option {
	return bind.Errors("the model was read from a file without its data", "there are fewer than 4 samples", "the outputs of all samples are the same")
}

func summaryErrors() bind.Option {
	return bind.Errors("the model was read from a file without its data", "there are fewer than 4 samples")
}

// modelAssessTypes are what these return for several outputs.
func modelAssessTypes() []bind.Type {
	return []bind.Type{
		bind.TypeOf[modelCheck]("model_check", "What model:check found of several outputs.",
			bind.ToString(func(m modelCheck) string {
				return below(m, func(k *assess.Check) string { return k.Describe(checkAdvice) })
			}),
			bind.Properties(
				bind.Prop("passed", "whether tests were made of every output and none of them failed", func(m modelCheck) bool {
					for _, o := range m {
						if !o.of.Passed() {
							return false
						}
					}
					return true
				}),
				bind.Prop("outputs", "the check of each output, by name", func(m modelCheck) map[string]*assess.Check { return byName(m) }),
			)),
		bind.TypeOf[modelSummary]("model_summary", "What model:summary found of several outputs.",
			bind.ToString(func(m modelSummary) string { return below(m, (*assess.Summary).String) }),
			bind.Properties(
				bind.Prop("outputs", "the summary of each output, by name", func(m modelSummary) map[string]*assess.Summary { return byName(m) }),
			)),
	}
}

// residualRows puts the pictures of residuals of outputs below each other.
func residualRows(all []ofOutput[*assess.Portrait]) plot.Figure {
	if len(all) == 1 {
		return residualFigure(all[0].of)
	}
	g := plot.Grid{Title: residualTitle}
	for _, o := range all {
		row := residualPanels(o.of)
		for i := range row {
			f := row[i].(plot.Lines)
			f.Title = o.name + ": " + f.Title
			row[i] = f
		}
		g.Figures = append(g.Figures, row[:2], row[2:])
	}
	return g
}

// sampleModelNoisy begins examples of models whose outputs have noise.
const sampleModelNoisy = sampleFrame + "k = kernel.se{lengthscale = 0.3}\nest = green.fit{data = d:noise{level = 0.1, seed = 3}, kernel = {f = k, g = k, age = k}}\n"
