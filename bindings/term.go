package bindings

import (
	"fmt"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/numeric/kernel"
)

// modelTerm is a term of a model: the name of one, or an operator.
type modelTerm = bind.Either[string, operatorTerm]

// operatorTerm is what term.operator makes.
type operatorTerm struct {
	Of     string             `arg:"of" doc:"name of the input, a function; may be left out where there is one" default:""`
	Kernel kernel.Kernel      `arg:"kernel" doc:"κ, a radial kernel whose lengthscale is chosen, or kernel.tensor(κ, kernel on the output); by default Matérn, its smoothness chosen, too" default:"nil"`
	Metric bind.Auto[float64] `arg:"metric" doc:"power p of the norm ‖f‖² = Σ μ_j^p ⟨f, φ_j⟩², μ_j and φ_j the eigenvalues and eigenfunctions of a Matérn kernel: 0 is L², more smooths more; auto chooses it by restricted likelihood" default:"auto" allow:"[0,4]"`
}

func (t operatorTerm) String() string {
	of := t.Of
	if of == "" {
		of = "f"
	}
	return fmt.Sprintf("κ(‖%s - %s'‖)", of, of)
}

// termsOfModel are terms with what operators say of theirs.
type termsOfModel struct {
	names   []string
	kernels map[string]kernel.Kernel
	metrics map[string]float64
}

const sampleOperator = `m, k = mesh.uniform(0, 1, 7), kernel.matern{lengthscale = 0.4}
p = pde.poisson{mesh = m}
f = 8 * p:sample{n = 16, input = {kernel = kernel.se{lengthscale = 0.4}}}.input
d = data.new{input = {f = f}, output = {u = p:solve(f)^2}, input_mesh = m}
`

// Term declares the module of terms that have no name in the data.
func Term() bind.Module {
	return bind.Module{
		Name: "term", Doc: "Terms of models that are more than a name: see the argument terms of green.fit.",
		Funcs: []bind.Func{
			bind.Fn("operator", "An operator of an input that need not be linear, nor of any given form: a function of f whose covariance is κ(‖f - f'‖) k(y, y').\n\n"+
				"The norm smooths, by how much is chosen by restricted likelihood, as is the lengthscale of κ. The term stands alone or beside others, and has bands, but no Green's function.",
				func(_ *bind.Call, p *operatorTerm) (operatorTerm, error) { return *p, nil },
				bind.Example(sampleOperator+`k = kernel.tensor(kernel.matern{}, kernel.matern{lengthscale = 0.4})
est = green.fit{data = d, terms = {term.operator{kernel = k}}}
print(#est:predict({f = f}).u)  --> 16`),
				bind.Returns("a term"), bind.Keywords("nonparametric", "nonlinear", "operator learning", "Gaussian process"), bind.See("green.fit", "green.network")),
		},
		Types: []bind.Type{bind.TypeOf[operatorTerm]("operator_term", "A term of a model, made by term.operator.", bind.ToString(operatorTerm.String))},
	}
}
