package bindings

import (
	"fmt"
	"slices"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
)

// hypothesis is the named arguments of green.fit but for the data and a trainer.
type hypothesis struct {
	Kernel     kernelChoice          `lua:"kernel" doc:"as of green.fit" default:"auto" allow:"nonempty"`
	Lambda     bind.Auto[float64]    `lua:"lambda" doc:"as of green.fit" default:"auto" allow:">0"`
	Constraint constraint.Constraint `lua:"constraint" doc:"as of green.fit" default:"nil"`
	fitArguments
}

func compareFunction() bind.Func {
	return bind.Fn("compare", "Ranks models of the same data: kernels and constraints as hypotheses.\n\n"+
		"Each model is a table of named arguments of green.fit. They are ordered by restricted likelihood, and predict pairs "+
		"that are left out, a fifth at a time; the difference of two models' errors has a standard error, from its spread "+
		"over the pairs. A kernel that is left open is chosen from all pairs, lambda each time.", func(c *bind.Call, p struct {
		Data   *dataset.Dataset      `lua:"data" doc:"pairs to learn from"`
		Models map[string]hypothesis `lua:"models" doc:"the arguments of each fit, by a name of the model" allow:"nonempty"`
	},
	) (*fit.Comparison, error) {
		var models []fit.Model
		for name, m := range p.Models {
			if m.Method == "adam" {
				return nil, fmt.Errorf("models.%s: method \"adam\" has no likelihood; models are compared by the exact method", name)
			}
			s := m.spec(problem{Data: p.Data, Kernel: m.Kernel}, m.Constraint)
			s.Lambda = m.Lambda.Value
			models = append(models, fit.Model{Name: name, Spec: s})
		}
		slices.SortFunc(models, func(a, b fit.Model) int {
			if a.Name < b.Name {
				return -1
			}
			return 1
		})
		return fit.Compare(c, p.Data, models)
	}, bind.Example(sampleNoisy+`k = kernel.se{lengthscale = 0.3}
result = green.compare{data = d, models = {
  any = {kernel = k},
  symmetric = {kernel = k, constraint = constraint.symmetric{"x", "y"}, intercept = "flat"},
  rough = {kernel = kernel.exponential{lengthscale = 0.05}},
}}
print(result.best, #result.models, result.models[3].name)  --> symmetric	3	rough`), bind.Returns("the models, the best first, and a table when printed"),
		bind.Keywords("hypothesis", "test", "select"), bind.See("green.fit", "constraint.symmetric"))
}

func comparisonType() bind.Type {
	return bind.TypeOf[*fit.Comparison]("comparison", "Models of the same data, ranked by green.compare.", bind.Properties(
		bind.Prop("best", "name of the first", func(c *fit.Comparison) string { return c.Models[0].Name }),
		bind.Prop("models", "what is known of each, the best first", func(c *fit.Comparison) []fit.Compared { return c.Models }),
	))
}
