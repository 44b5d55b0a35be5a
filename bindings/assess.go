package bindings

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/assess"
	"github.com/greenbench/workbench/internal/numeric/plot"
	"github.com/greenbench/workbench/numeric/mesh"
)

// assessMethods say what an estimate is worth.
func assessMethods() []bind.Func {
	return []bind.Func{checkMethod(), summaryMethod(), plotResidualsMethod(), plotEstimateMethod(), nextMethod(), identifiabilityMethod()}
}

func summaryMethod() bind.Func {
	return bind.Fn("summary", `What an analyst reports, as a table: R² of the pairs and of each pair predicted from the others, effective degrees of freedom, the noise, lambda, and the test of G = 0.

The test is one by permutations: where G is zero, pairing inputs with the outputs of other pairs changes nothing, so p is exact, whatever the noise is along the output. Its statistic, the score, is the largest of nine covariances between inputs and outputs smoothed by three lengthscales each, in their standard deviations over permutations; none is chosen for the data. The least p possible is 0.001. F compares G with the mean curve: what it explains for each of its degrees of freedom over the mean square of the residuals.`,
		func(c *bind.Call, p *struct {
			Estimate estimate `arg:"self"`
			Seed     uint64   `arg:"seed" doc:"of the permutations" default:"1"`
		},
		) (*assess.Summary, error) {
			s, err := assess.Summarise(c, p.Estimate, p.Seed)
			if err != nil {
				return nil, err
			}
			s.Kernel = kernelText(p.Estimate.Kernel)
			return s, nil
		}, bind.Example(sampleNoisy+"s = est:summary()\nprint(s.r2 > 0.9, s.terms[1].name, s.terms[1].p < 0.01)  --> true\tG\ttrue"),
		bind.Returns("the numbers, a table when printed"), bind.Errors("the estimate was read from a file without its data", "there are fewer than 4 pairs"),
		bind.Keywords("R2", "degrees of freedom", "anova", "F test", "p value", "significance", "likelihood ratio"), bind.See("estimate:check", "green.compare", "estimate:error"))
}

// estimateSummaryType is what est:summary returns.
func estimateSummaryType() bind.Type {
	return bind.TypeOf[*assess.Summary]("estimate_summary", "What est:summary found.", bind.Properties(
		bind.Prop("pairs", "that the estimate was learned from", func(s *assess.Summary) int { return s.Pairs }),
		bind.Prop("values", "of the outputs that were observed", func(s *assess.Summary) int { return s.Values }),
		bind.Prop("r2", "share of the variance around the mean curve that predictions of these pairs explain, weighted by the quadrature", func(s *assess.Summary) float64 { return s.R2 }),
		bind.Prop("r2_left_out", "the same for predictions of each pair from the others, with the same kernel, lambda, rho and factor of a prior", func(s *assess.Summary) float64 { return s.R2Left }),
		bind.Prop("df", "effective degrees of freedom: the trace of the matrix that takes outputs to predictions, without those of a prior", func(s *assess.Summary) float64 { return s.DF }),
		bind.Prop("sigma", "standard deviation of the noise in one value", func(s *assess.Summary) float64 { return s.Sigma }),
		bind.Prop("noise", "white, or what was found besides white noise", func(s *assess.Summary) string { return s.Noise }),
		bind.Prop("lambda", "penalty of G", func(s *assess.Summary) float64 { return s.Lambda }),
		bind.Prop("rho", "penalty of the bias", func(s *assess.Summary) float64 { return s.Rho }),
		bind.Prop("criterion", "what chose lambda", func(s *assess.Summary) string { return s.Chosen }),
		bind.Prop("kernel", "of G, as text", func(s *assess.Summary) string { return s.Kernel }),
		bind.Prop("terms", "what adds to the output: name, sd (standard deviation of that), f, score, p and its standard error p_error, nil where a term is not tested", func(s *assess.Summary) []assess.Term { return s.Terms }),
	))
}

func plotResidualsMethod() bind.Func {
	return bind.Fn("plot_residuals", `Four pictures of the residuals, with bands in which 95 % of data lie for which the model is true: their correlation over the distance of points of the output, their spread along it and from pair to pair, and their quantiles over those of the normal distribution. Titles say what is not as it should be, and est:check what to do.

Residuals are over the standard deviations that they have in the model.`,
		func(c *bind.Call, p *struct {
			Estimate estimate `arg:"self"`
			Seed     uint64   `arg:"seed" doc:"of the draws that make the bands" default:"1"`
			destination
		},
		) (plot.Figure, error) {
			r, err := assess.Portray(c, p.Estimate, p.Seed)
			if err != nil {
				return nil, err
			}
			return p.finish(c, residualFigure(r))
		}, bind.Example(sampleNoisy+"fig = est:plot_residuals{show = false}\nprint(fig)  --> grid, 2 rows"), drawn(),
		bind.Keywords("residuals", "autocorrelation", "qq plot", "diagnostics", "heteroscedastic"), bind.See("estimate:check", "figure:save"))
}

// residualPanels are the four pictures of residuals.
func residualPanels(r *assess.Portrait) []plot.Figure {
	panel := func(p assess.Profile, title, fails, xlabel, style string) plot.Lines {
		if !p.Test.Passed {
			title = fails
		}
		f := plot.Lines{Axes: plot.Axes{Title: title, XLabel: xlabel, Legend: "none"}}
		f.Series = []plot.Series{
			{X: p.At, Y: middle(p), Low: p.Low, High: p.High, Style: "k:"},
			{X: p.At, Y: p.Values, Style: style},
		}
		return f
	}
	correlation := panel(r.Correlation, "correlation: as the model has it", "CORRELATED along the output", "distance in "+r.Axis, "bo-")
	along := panel(r.Along, "spread along the output: even", "UNEVEN along the output", r.Axis, "bo-")
	pairs := panel(r.Pairs, "spread of pairs: even", "UNEVEN from pair to pair", "pair", "bo")
	quantiles := panel(r.Quantiles, "quantiles: normal", "OUTLIERS, or long tails", "normal quantile", "bo")
	return []plot.Figure{correlation, along, pairs, quantiles}
}

const residualTitle = "residuals over their standard deviations, and 95 % of what the model leaves"

// residualFigure puts the pictures of residuals together.
func residualFigure(r *assess.Portrait) plot.Figure {
	panels := residualPanels(r)
	return plot.Grid{Figures: [][]plot.Figure{panels[:2], panels[2:]}, Title: residualTitle}
}

// middle is what the model expects.
func middle(p assess.Profile) []float64 {
	m := make([]float64, len(p.Low))
	for i, v := range p.Low {
		m[i] = (v + p.High[i]) / 2
	}
	return m
}

func plotEstimateMethod() bind.Func {
	return bind.Fn("plot", `G and the standard deviation of its band as heat maps. G is hatched where the band of 95 % holds zero: there the data do not tell its sign.

G of one input and one output coordinate is shown; for others take est:slice or meshes of one point along some axes.`,
		func(c *bind.Call, p *struct {
			Estimate estimate `arg:"self"`
			optionalMeshes
			Band bool `arg:"band" doc:"also show the standard deviation" default:"true"`
			destination
		},
		) (plot.Figure, error) {
			f, err := estimateFigure(c, p.Estimate, p.X, p.Y, p.Band)
			if err != nil {
				return nil, err
			}
			return p.finish(c, f)
		}, bind.Example(sampleNoisy+"fig = est:plot{show = false}\nprint(fig)  --> grid, 1 row"), drawn(),
		bind.Keywords("effect", "significance", "hatching", "uncertainty", "heatmap"), bind.See("estimate:std", "plot.heatmap", "estimate:slice"))
}

func estimateFigure(c *bind.Call, e estimate, xs, ys mesh.Mesh, band bool) (plot.Figure, error) {
	if xs.Size() == 0 {
		xs = e.InputMesh
	}
	if ys.Size() == 0 {
		ys = e.OutputMesh
	}
	x, y := xs.Columns(), ys.Columns()
	if len(x) != 1 || len(y) != 1 {
		return nil, fmt.Errorf("xmesh, ymesh: G has %d coordinates of the input and %d of the output; a picture of it needs one each: plot est:slice{…} with others fixed", len(x), len(y))
	}
	if !increasing(x[0]) || !increasing(y[0]) || len(x[0]) < 2 || len(y[0]) < 2 {
		return nil, errors.New("xmesh, ymesh: want at least two points each, in increasing order, such as mesh.uniform(0, 1, 50)")
	}
	g, err := e.Green(c, xs, ys)
	if err != nil {
		return nil, err
	}
	sd, err := e.Std(c, xs, ys)
	if err != nil {
		return nil, err
	}
	in, out := mesh.JointNames(xs, ys)
	hatch := plot.Hatch(x[0], y[0], func(i, j int) bool { return math.Abs(g.At(i, j)) <= 1.96*sd.At(i, j) })
	values := plot.Heatmap{Values: rows(g), X: x[0], Y: y[0], Title: "G, hatched where its 95 % band holds zero", XLabel: in[0], YLabel: out[0], Lines: []plot.Series{hatch}}
	if !band {
		return values, nil
	}
	widths := plot.Heatmap{Values: rows(sd), X: x[0], Y: y[0], Title: "standard deviation", XLabel: in[0], YLabel: out[0]}
	return plot.Grid{Figures: [][]plot.Figure{{values, widths}}}, nil
}

// rows are those of a matrix, as figures take them.
func rows(m *mat.Dense) [][]float64 {
	n, _ := m.Dims()
	out := make([][]float64, n)
	for i := range out {
		out[i] = m.RawRowView(i)
	}
	return out
}
