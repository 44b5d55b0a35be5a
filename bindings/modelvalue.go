package bindings

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/outside"
	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/model"
)

// learned is a model, of a family at some parameters or at none yet.
type learned struct {
	*model.Estimate
	theta []float64 // in the order of Data.Parameters; nil: not chosen
}

// learnedOutput is one output of a model.
type learnedOutput struct {
	*model.Output
	of learned
}

// Terms by what can be asked of them.
type (
	covariate struct{ *model.Term }
	freeform  struct{ *model.Term } // an operator of no given form
	curves    struct {
		*model.Term
		labels []string
	}
	family struct {
		*model.Term
		names []string        // of the parameters
		of    *model.Estimate // that it is a term of
	}
	// part is a term: linear ones are estimates of one operator.
	part = bind.Either[estimate, bind.Either[family, bind.Either[covariate, bind.Either[curves, freeform]]]]
)

func (l learned) outputs() (all []string) {
	for _, o := range l.Outputs {
		all = append(all, o.Name)
	}
	return all
}

// names are those of the outputs, and of the terms of the only one.
func (l learned) names() []string {
	all := l.outputs()
	if len(l.Outputs) == 1 {
		all = append(all, l.output(all[0]).names()...)
	}
	return all
}

// couplings are correlations between the outputs by term; nil where there are none.
func (l learned) couplings() *map[string]*array.Array {
	if l.Coupling(0) == nil {
		return nil
	}
	all := map[string]*array.Array{}
	for i, t := range l.Outputs[0].Terms {
		r := l.Coupling(i)
		n := r.SymmetricDim()
		all[t.Name] = array.New(n, n)
		for k := range n * n {
			all[t.Name].Data[k] = r.At(k/n, k%n)
		}
	}
	return &all
}

func (l learned) output(name string) learnedOutput {
	return learnedOutput{l.Output(name), l}
}

// member is an output, or a term of the only one.
func (l learned) member(name string) bind.Either[learnedOutput, part] {
	if l.Output(name) != nil {
		return bind.First[learnedOutput, part](l.output(name))
	}
	return bind.Second[learnedOutput](l.output(l.Outputs[0].Name).term(name))
}

func (o learnedOutput) names() (all []string) {
	for _, t := range o.Terms {
		all = append(all, t.Name)
	}
	return all
}

// term is a term as what can be asked of it.
func (o learnedOutput) term(name string) part {
	type (
		more   = bind.Either[curves, freeform]
		others = bind.Either[covariate, more]
	)
	t := o.Term(name)
	switch t.Form {
	case model.Function:
	case model.Formless:
		return bind.Second[estimate](bind.Second[family](bind.Second[covariate](bind.Second[curves](freeform{t}))))
	case model.LabelCurves:
		return bind.Second[estimate](bind.Second[family](bind.Second[covariate](bind.First[curves, freeform](curves{t, t.Labels()}))))
	default:
		return bind.Second[estimate](bind.Second[family](bind.First[covariate, more](covariate{t})))
	}
	parameters := parameterNames(o.of.Data)
	if len(parameters) > 0 && o.of.theta == nil {
		return bind.Second[estimate](bind.First[family, others](family{t, parameters, o.of.Estimate}))
	}
	g, err := t.Green(o.of.theta...)
	if err != nil {
		panic(fmt.Sprintf("term %s of a model: %v", name, err)) // its parameters were checked by at
	}
	return bind.First[estimate, bind.Either[family, others]](g)
}

func parameterNames(d *dataset.Table) (all []string) {
	for _, p := range d.Parameters {
		all = append(all, p.Name)
	}
	return all
}

// parametersAt are the numbers of a table by name in their order.
func parametersAt(names []string, at map[string]float64) ([]float64, error) {
	if len(names) == 0 {
		return nil, fmt.Errorf("the data have no parameters; give them to data.new as parameter = {theta = …}")
	}
	for _, name := range slices.Sorted(maps.Keys(at)) { // a name that is misspelt is missing, too
		if err := nameIn("parameter", name, names); err != nil {
			return nil, err
		}
	}
	theta := make([]float64, len(names))
	for i, name := range names {
		v, ok := at[name]
		if !ok {
			return nil, fmt.Errorf("%s: missing; want a number for each of the parameters: %s", name, strings.Join(names, ", "))
		}
		theta[i] = v
	}
	return theta, nil
}

// noteOutside tells whoever runs the script where a function is asked for parameters far outside the data.
func noteOutside(c *bind.Call, function string, m *model.Estimate, parameters []dataset.Scalar) {
	if where := outside.Parameters(parameters, m.Data.Parameters); where != "" {
		progress.Note(c, function+": "+outside.Note(where))
	}
}

func vector(v []float64, err error) (*array.Array, error) {
	if err != nil {
		return nil, err
	}
	return array.Vector(v), nil
}

// shortKernel is a kernel with its factor to three digits; of curves, which are independent
// of one another, the kernel of one.
func shortKernel(k kernel.Kernel) string {
	factor := ""
	if scaled, ok := k.(kernel.Scaled); ok {
		factor, k = fmt.Sprintf("%.3g * ", scaled.Factor), scaled.Kernel
	}
	if t, ok := k.(kernel.Tensor); ok {
		if _, independent := t.Input.(kernel.White); independent {
			k = t.Output
		}
	}
	return factor + luaText(k)
}

func notesOf(advice string) []string {
	if advice == "" {
		return nil
	}
	return []string{"  " + strings.ReplaceAll(advice, "\n", "\n  ")}
}

// sampleModel begins examples that need a model of several terms.
const sampleModel = sampleFrame + "k = kernel.matern{lengthscale = 0.3}\nest = green.fit{data = d, kernel = {f = k, g = k, age = k}}\n"

// sampleFamily begins examples that need a family of operators.
const sampleFamily = `m = mesh.uniform(0, 1, 10)
F = random.normal{shape = {20, 10}}
theta = array.linspace(1, 2, 20)
d = data.new{input = {f = F}, output = {u = theta:reshape(20, 1) * F}, input_mesh = m, parameter = {theta = theta}}
est = green.fit{data = d, kernel = {f = kernel.matern{lengthscale = 0.2}}}
`

// sampleGroups begins examples that need curves of groups.
const sampleGroups = `m = mesh.uniform(0, 1, 10)
U, ids = 0.1 * random.normal{shape = {20, 10}}, {}
for i = 1, 20 do
  ids[i] = i % 2 == 0 and "anna" or "ben"
  if i % 2 == 0 then U[i] = U[i] + 2 end
end
F = random.normal{shape = {20, 10}, seed = 2}
d = data.new{input = {f = F}, output = {u = U}, input_mesh = m, group = {subject = ids}}
k = kernel.matern{lengthscale = 0.3}
est = green.fit{data = d, kernel = {f = k, subject = k}}
`

type ofOutput[T any] struct {
	name string
	of   T
}

func byName[T any](all []ofOutput[T]) map[string]T {
	named := map[string]T{}
	for _, o := range all {
		named[o.name] = o.of
	}
	return named
}

// below writes what was found of outputs one below the other.
func below[T any](all []ofOutput[T], text func(T) string) string {
	var parts []string
	for _, o := range all {
		parts = append(parts, "output "+o.name+"\n"+text(o.of))
	}
	return strings.Join(parts, "\n\n")
}
