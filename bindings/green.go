package bindings

import (
	"fmt"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
)

// sampleOutputs begins examples that need two outputs, of which one was seldom observed.
const sampleOutputs = `p = pde.poisson{mesh = mesh.uniform(0, 1, 8)}
pairs = p:sample{n = 15, input = {kernel = kernel.se{lengthscale = 0.1}}}:noise{level = 0.05}
U, V = pairs.output, 1 * pairs.output
for i = 5, 15 do V[i] = 0/0 end
d = data.new{input = {f = pairs.input}, output = {u = U, v = V}, input_mesh = p.input_mesh, missing = true}
`

// Green is the Lua module green.
func Green() bind.Module {
	return bind.Module{
		Name:     "green",
		Remedies: remedies(),
		Doc:      "The estimator: learns the Green's function G and the bias term of a linear problem from pairs of functions.\n\nIt returns the exact minimiser of the regularised least squares problem, with a certificate in est.report.",
		Funcs: []bind.Func{
			bind.Fn("fit", "Learns G and the bias term from pairs: the minimiser of Σᵢ ‖uᵢ - ∫G(x, ·) fᵢ(x) dx - β‖²/n + λ‖G‖² + ρ‖β‖².\n\n"+
				"The first term is the mean over the n pairs, integrated by the quadrature of the meshes. ‖G‖ is the norm "+
				"of the space of the kernel, ‖β‖ that of the kernel of the bias. The minimiser is unique and is found "+
				"exactly: est.report says how far from it the result can be.\n\n"+
				"From a frame (samples of several functions, numbers and labels by name) a model of several terms is learned: each function has a G of its own, "+
				"each covariate and each group a curve. Then kernel and constraint are tables by term, the sizes of the terms are chosen "+
				"by restricted maximum likelihood, and est.u.f is the term of the input f in the output u.", func(c *bind.Call, p *fitCall) (fitted, error) {
				return p.fit(c)
			}, bind.Example(sampleFit+"print(est.report.converged)  --> true"), bind.Example(sampleData+`few, k = d:take(1, 10), kernel.se{lengthscale = 0.2}
est = green.fit{data = few, kernel = k, noise = kernel.exponential{lengthscale = 0.3}}
print(est.report.reason:match("the noise is %a+"))  --> the noise is correlated`), bind.Example(sampleData+`k = kernel.se{lengthscale = 0.2}
est = green.fit{data = d, kernel = k, lambda = 1e-4, method = "adam", epochs = 50}
print(#est.report.history, est.report.objective > est.report.minimum)  --> 50	true`), bind.Example(sampleFrame+`est = green.fit{data = d, kernel = {f = kernel.matern{lengthscale = 0.3}, g = kernel.matern{lengthscale = 0.2}}}
print(est.u.f(0.2, 0.5) > 0, est.u.g(0.2, 0.5) < 0, #est.u.age:effect())  --> true	true	12`), bind.Example(sampleOutputs+`k = {f = kernel.matern{lengthscale = 0.3}}
alone = green.fit{data = d, kernel = k}
est = green.fit{data = d, kernel = k, outputs = "coregional"}
print(est.coupling.f[1][2] > 0.9, est.v.f:error{green = p} < alone.v.f:error{green = p})  --> true	true`), bind.Example(sampleData+`few = d:take(1, 3)
est = green.fit{data = few, kernel = kernel.matern{lengthscale = 0.2}}
better = green.fit{data = few, kernel = kernel.matern{lengthscale = 0.2}, prior = pde.poisson{mesh = mesh.uniform(0, 1, 30)}}
print(better:error{green = p} < est:error{green = p} / 100)  --> true`), bind.Example(sampleData+`est = green.fit{data = d, kernel = kernel.se{lengthscale = 0.2}, profile = true}
longest = est.report.profile.stages[1]
for _, s in ipairs(est.report.profile.stages) do
  if s.level == 1 and s.seconds > longest.seconds then longest = s end
end
print(longest.share > 0.2, longest.times)  --> true	1`), bind.ReturnsAs("estimate|model", "G, the bias and the report; of a frame a model of several terms"),
				bind.Errors("the kernel is not positive semi-definite on the meshes", "with strict = true: the tolerance was not reached"),
				bind.Keywords("learn", "train", "regress", "estimate"), bind.See("green.path", "green.load", "kernel.matern", "kernel.se", "constraint.symmetric")),
			bind.Fn("path", "Exact minimisers along a path of lambdas, each from the one before.", func(c *bind.Call, p *struct {
				problem
				Lambdas []float64 `arg:"lambdas" doc:"penalties of G" allow:">0 nonempty"`
				knowledge
				fitArguments
			},
			) ([]fit.Report, error) {
				if p.Method == "adam" {
					return nil, fmt.Errorf("method \"adam\": a path is computed by the exact method; train with green.fit at one lambda")
				}
				reports, err := fit.Path(c, p.spec(p.problem, p.Constraint), p.Lambdas)
				if err != nil {
					return nil, err
				}
				for _, r := range reports {
					if err := strictly(p.Strict, r); err != nil {
						return nil, err
					}
				}
				return reports, nil
			}, bind.Example(sampleData+`k = kernel.se{lengthscale = 0.2}
reports = green.path{data = d, kernel = k, lambdas = {1e-2, 1e-4, 1e-6}}
print(#reports, reports[1].lambda)  --> 3	0.01
print(reports[1].mse > reports[3].mse)  --> true`),
				bind.Returns("a list of reports, largest lambda first"), bind.See("green.fit")),
			compareFunction(),
			crossValidateFunction(),
			learningCurveFunction(),
			bind.Fn("naive", "Unregularised least squares, to compare with: a matrix on the meshes of the data.\n\n"+
				"G is (F W)⁺ U, the pseudo-inverse of the inputs F times their quadrature weights W, times the outputs U.", func(c *bind.Call, p *struct {
				Data *dataset.Dataset `arg:"data" doc:"pairs to learn from"`
			},
			) (*array.Array, error) {
				g, err := fit.Naive(c, p.Data)
				if err != nil {
					return nil, err
				}
				return array.FromMatrix(g), nil
			}, bind.Example(sampleData+"print(#green.naive{data = d})  --> 30"), bind.Returns("points of the input × points of the output"), bind.See("green.fit")),
			networkFunc(),
			propagatorFunc(),
			bind.Fn("load", "Reads an estimate, a model or a network that est:save wrote.", func(c *bind.Call, p *struct {
				Path string `arg:"path" pos:"1" doc:"file name"`
			},
			) (saved, error) {
				if err := mayRead(c, p.Path); err != nil {
					return saved{}, err
				}
				return load(c, p.Path)
			}, bind.Example(sampleFit+`path = os.tmpname() .. ".npz"
est:save(path)
print(green.load(path)(0.3, 0.6) == est(0.3, 0.6))  --> true
os.remove(path)`), bind.ReturnsAs("estimate|model|network|joint_network|propagator", "the same, which gives the same values to the last bit"), bind.See("estimate:save", "model:save", "network:save")),
		},
		Foreign: onlyPredicts(),
		Types:   append([]bind.Type{estimateType(), profileType(), adjointType(), modelType(), outputType(), covariateType(), curvesType(), freeformType(), familyType(), comparisonType(), checkType(), estimateSummaryType(), crossValidationType(), learningCurveType(), networkType(), networkTermType(), jointType(), propagatorType()}, append(modelAssessTypes(), heldOutTypes()...)...),
	}
}
