package bindings

import (
	"fmt"
	"maps"
	"slices"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/model"
)

func compareFunction() bind.Func {
	return bind.Fn("compare", "Ranks models of the same data: kernels, constraints and terms as hypotheses.\n\n"+
		"Each model is a table of named arguments of green.fit. They are ordered by restricted likelihood, or by error of prediction where likelihoods do not compare them all, as with and without a free intercept. Five-fold "+
		"cross-validation gives each an error of prediction, and the difference of two models' errors a standard error, from "+
		"its spread over the pairs. A kernel that is left to the fit is chosen once, from all pairs; lambda is chosen again for "+
		"each fold. Noise that is not white is found once, too. With several outputs the likelihoods are added, and errors are relative to the spread of each output.", func(c *bind.Call, p *struct {
		Data   samples               `arg:"data" doc:"pairs to learn from, or a frame"`
		Models map[string]hypothesis `arg:"models" doc:"the arguments of each fit, by a name of the model" allow:"nonempty"`
	},
	) (*fit.Comparison, error) {
		var pairs []fit.Model
		var terms []model.Hypothesis
		for _, name := range slices.Sorted(maps.Keys(p.Models)) {
			m := p.Models[name]
			if m.Method == "adam" {
				return nil, fmt.Errorf("models.%s: method \"adam\" has no likelihood; models are compared by the exact method", name)
			}
			var err error
			if p.Data.IsB {
				h := model.Hypothesis{Name: name}
				h.Spec, err = m.specOfModel(c, p.Data.B)
				terms = append(terms, h)
			} else {
				h := fit.Model{Name: name}
				if h.Spec, err = m.specOfPairs(p.Data.A); err == nil && !m.white() {
					h.Errors, err = m.found(c, h.Spec)
				}
				pairs = append(pairs, h)
			}
			if err != nil {
				return nil, fmt.Errorf("models.%s: %w", name, err)
			}
		}
		if p.Data.IsB {
			return model.Compare(c, p.Data.B, terms)
		}
		return fit.Compare(c, p.Data.A, pairs)
	}, bind.Example(`p = pde.poisson{mesh = mesh.uniform(0, 1, 16)}
d = p:sample{n = 20, input = {kernel = kernel.se{lengthscale = 0.1}}}:noise{level = 0.05}
k = kernel.se{lengthscale = 0.3}
result = green.compare{data = d, models = {
  any = {kernel = k},
  symmetric = {kernel = k, constraint = constraint.symmetric{"x", "y"}, intercept = "flat"},
  rough = {kernel = kernel.exponential{lengthscale = 0.05}},
}}
print(result.best, #result.models, result.models[3].name)  --> symmetric	3	rough`), bind.Example(sampleFrame+`k = {f = kernel.matern{lengthscale = 0.3}, g = kernel.matern{lengthscale = 0.3}}
result = green.compare{data = d:noise{level = 0.1}, models = {both = {terms = {"f", "g"}, kernel = k}, one = {terms = {"g"}, kernel = {g = k.g}}}}
print(result.best, result.models[2].reml_difference > 10)  --> both	true`), bind.Returns("the models, the best first, and a table when printed"),
		bind.Keywords("hypothesis", "test", "select"), bind.See("green.fit", "constraint.symmetric"))
}

func comparisonType() bind.Type {
	return bind.TypeOf[*fit.Comparison]("comparison", "Models of the same data, ranked by green.compare.", bind.Properties(
		bind.Prop("best", "name of the first", func(c *fit.Comparison) string { return c.Models[0].Name }),
		bind.Prop("models", "what is known of each, the best first", func(c *fit.Comparison) []fit.Compared { return c.Models }),
	))
}
