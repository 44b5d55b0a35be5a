package bindings

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/progress"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/model"
)

// Arguments that are one thing for pairs, and by term for a frame.
type (
	kernelsChoice    = bind.Auto[bind.Either[kernel.Kernel, bind.Either[[]kernel.Kernel, map[string]kernel.Kernel]]]
	constraints      = bind.Either[constraint.Constraint, map[string]constraint.Constraint]
	constraintChoice = bind.Auto[constraints]
	fitted           = bind.Either[estimate, learned]
)

// fitCall is what green.fit is called with.
type fitCall struct {
	Data samples `arg:"data" doc:"pairs to learn from, or a frame"`
	hypothesis
	adamArguments
	Profile bool `arg:"profile" doc:"record where the time goes, stage by stage, in est.report.profile, which prints itself as a table: seconds, of the processors too, steps of the solver, products, memory" default:"false"`
}

// hypothesis is what is assumed of the data, and how the fit is made.
type hypothesis struct {
	Kernel     kernelsChoice      `arg:"kernel" doc:"kernel of G, on the coordinates of the input, then those of the output; of a list, the one with the best restricted likelihood is taken; auto chooses family, lengthscales and weights by restricted likelihood and by predicting left-out pairs. For a frame, a table {f = …, age = …} by term: for a function the kernel of its G, for a covariate or group a kernel on the output, for a parameter a kernel on the parameter; terms without one get a Matérn kernel with a lengthscale chosen by restricted likelihood, a function's also with its smoothness, and so does a parameter" default:"auto" allow:"nonempty"`
	Lambda     bind.Auto[float64] `arg:"lambda" doc:"penalty of G; auto lets the criterion choose" default:"auto" allow:">0"`
	Constraint constraintChoice   `arg:"constraint" doc:"what is known of G, one constraint or a list; of a frame {f = …}, by term. auto tries, for data of one input, whether G is symmetric, where input and output have the same space coordinates, and causal, where both have a time t, with the kernel that is given or was chosen. It takes what predicts left-out pairs better, by three standard errors or with 5 nats more of likelihood; est.report.reason says so" default:"nil"`
	fitArguments
	modelArguments
}

// modelArguments are those of a model alone.
type modelArguments struct {
	Terms     []modelTerm        `arg:"terms" doc:"of a frame: names of its inputs and groups, products of a covariate and a function, \"age*f\", whose G varies with the covariate, or of a covariate and a group, \"age*subject\", whose effect differs from label to label, and term.operator{}; in a product the covariate is taken less its mean over the samples where the function or the group is a term, too, which has the rest (its G is then that at the mean), and as it is where not; by default every input and group by itself" default:"nil"`
	Outputs   string             `arg:"outputs" doc:"of a frame: independent, each output is learned by itself; coregional, all at once, each term with one kernel times a covariance between the outputs, which is chosen by restricted likelihood, as is the noise of each, independent of the others. Then an output that was seldom observed is learned from the others, too; all need one mesh. Outputs that do not depend on each other gain about half a nat of reml for each covariance, by chance; green.compare says which model is likelier, and which predicts better" default:"independent" allow:"independent|coregional"`
	Amplitude map[string]float64 `arg:"amplitude" doc:"of a frame: factors of the kernels, by term; those left out are chosen. The default kernel of the bias, which follows factors in the kernels, does not follow these" default:"{}" allow:">0"`
	noiseArguments
	Prior *priors `arg:"prior" doc:"what is known of G beforehand: an estimate, a problem, or values of G on the meshes of the data; of a frame with several outputs one for each by name, {u = …}. G = c prior + rest: c is found by least squares, and the rest is learned. Bands of pairs know how uncertain c is; those of frames, and with landmarks, take it as known" default:"nil"`
}

func (p fitCall) fit(c *bind.Call) (fitted, error) {
	if !p.Profile {
		return p.plain(c)
	}
	recorded := *c
	var done func() *progress.Profile
	recorded.Context, done = progress.Profiled(c.Context)
	defer done()
	f, err := p.plain(&recorded)
	if err != nil {
		return f, err
	}
	profile := done()
	if f.IsB {
		for _, o := range f.B.Outputs {
			o.Report.Profile = profile
		}
	} else {
		f.A.Report.Profile = profile
	}
	return f, nil
}

// plain is the fit without a record of it.
func (p fitCall) plain(c *bind.Call) (fitted, error) {
	if p.Data.IsB {
		e, err := p.model(c)
		return bind.Second[estimate](e), err
	}
	e, err := p.pairs(c)
	return bind.First[estimate, learned](e), err
}

// pairs is the estimate of one operator.
func (p fitCall) pairs(c *bind.Call) (estimate, error) {
	s, err := p.specOfPairs(p.Data.A)
	if err != nil {
		return nil, err
	}
	by := p.fitPairs
	if p.Method == "adam" {
		if !p.white() {
			return nil, errors.New("method \"adam\": takes the mean of squares, for white noise; leave noise, weights and loss out, or the method")
		}
		by = func(c *bind.Call, s fit.Spec) (*fit.Estimate, error) { return p.trainer().Fit(c, s) }
	}
	e, err := by(c, s)
	if err != nil {
		return nil, err
	}
	return e, strictly(p.Strict, e.Report)
}

// specOfPairs refuses what goes with names.
func (p hypothesis) specOfPairs(d *dataset.Dataset) (fit.Spec, error) {
	k, constraints := p.Kernel.Value, p.Constraint.Value
	var err error
	switch {
	case k.IsB && k.B.IsB:
		err = errors.New("kernel: want a kernel, since the data have one input; kernels by name go with named inputs, data.new{input = {f = F}, …}")
	case constraints.IsB && len(constraints.B) == 0:
		err = errors.New("constraint: an empty list: leave the constraint out instead")
	case constraints.IsB:
		err = errors.New("constraint: want a constraint, since the data have one input; constraints by name go with named inputs, data.new{input = {f = F}, …}")
	case p.Outputs != "independent":
		err = errors.New("outputs: goes with named outputs, data.new{input = {f = F}, output = {u = U, v = V}, …}")
	case p.Terms != nil, len(p.Amplitude) > 0:
		err = errors.New("terms, amplitude: go with named inputs; name those of these data: data.new{input = {f = d.input}, output = {u = d.output}, input_mesh = d.input_mesh, output_mesh = d.output_mesh}")
	}
	if err != nil {
		return fit.Spec{}, err
	}
	choice := kernelChoice{Auto: p.Kernel.Auto, Value: bind.Either[kernel.Kernel, []kernel.Kernel]{A: k.A, B: k.B.A, IsB: k.IsB}}
	s := p.spec(problem{Data: d, Kernel: choice}, constraints.A)
	s.Lambda, s.AskConstraint = p.Lambda.Value, p.Constraint.Auto
	s.Prior, err = priorOfPairs(p.Prior, d)
	return s, err
}

// model is the estimate of several terms.
func (p fitCall) model(c *bind.Call) (learned, error) {
	s, err := p.specOfModel(c, p.Data.B)
	if err != nil {
		return learned{}, err
	}
	e, err := model.Fit(c, s)
	if err != nil {
		return learned{}, err
	}
	for _, o := range e.Outputs {
		if err := strictly(p.Strict, o.Report.Report); err != nil {
			return learned{}, fmt.Errorf("output %s: %w", o.Name, err)
		}
	}
	return learned{Estimate: e}, nil
}

func (p hypothesis) specOfModel(c *bind.Call, d frame) (model.Spec, error) {
	if err := p.checkModel(d); err != nil {
		return model.Spec{}, err
	}
	d, err := p.ofFrame(c, d)
	if err != nil {
		return model.Spec{}, err
	}
	s := p.spec(problem{}, nil)
	terms, err := p.terms(d)
	if err != nil {
		return model.Spec{}, err
	}
	m := model.Spec{
		Data: d, Noise: p.choice(), Terms: terms.names, Kernels: terms.kernels, Metrics: terms.metrics, Constraints: p.Constraint.Value.B, Amplitudes: p.Amplitude, Coregional: p.Outputs == "coregional",
		Bias: s.Bias, NoBias: s.NoBias, Intercept: s.Intercept, Lambda: p.Lambda.Value, Rho: s.Rho, Criterion: s.Criterion,
		Tolerance: s.Tolerance, MaxIterations: s.MaxIterations,
	}
	m.Prior, err = priorsOf(p.Prior, d)
	return m, err
}

// checkModel refuses what models have no use for, and names that they do not have.
func (p hypothesis) checkModel(d frame) error {
	of, err := p.terms(d)
	if err != nil {
		return err
	}
	terms, every := of.names, slices.Concat(names(d.Fields), scalarNames(d.Scalars), groupNames(d.Groups))
	if terms == nil {
		terms = every
	}
	switch {
	case p.Terms != nil && len(p.Terms) == 0:
		return fmt.Errorf("terms: an empty list leaves nothing to learn; name some of %s, or leave terms out, for all of them", list(every))
	case !p.Kernel.Auto && !(p.Kernel.Value.IsB && p.Kernel.Value.B.IsB):
		return fmt.Errorf("kernel: want a table by term, such as {%s = kernel.matern{}}", terms[0])
	case p.Constraint.Auto:
		return errors.New("constraint: auto is for data of one input; compare models with and without one by green.compare")
	case p.Constraint.Value.A != nil:
		return fmt.Errorf("constraint: want a table by term, such as {%s = %s}", terms[0], luaText(p.Constraint.Value.A))
	case p.Method != "exact":
		return fmt.Errorf("method %q: a model of several terms is solved exactly", p.Method)
	case !p.Landmarks.Auto:
		return fmt.Errorf("landmarks %d: a sum over several inputs has no kernel of one side; leave it out", p.Landmarks.Value)
	case p.Structure != "auto":
		return fmt.Errorf("structure %q: the terms of a model have structures of their own; leave it out", p.Structure)
	}
	for _, by := range []struct {
		argument string
		names    []string
		known    []string
	}{
		{"kernel", slices.Sorted(maps.Keys(p.Kernel.Value.B.B)), slices.Concat(terms, parameterNames(d))},
		{"constraint", slices.Sorted(maps.Keys(p.Constraint.Value.B)), terms},
		{"amplitude", slices.Sorted(maps.Keys(p.Amplitude)), terms},
	} {
		for _, name := range by.names {
			if !slices.Contains(by.known, name) {
				return fmt.Errorf("%s.%s: there is no term %q%s; terms: %s", by.argument, name, name, bind.DidYouMean(name, by.known), list(by.known))
			}
		}
	}
	return nil
}

func (p hypothesis) terms(d frame) (t termsOfModel, err error) {
	t.kernels = p.Kernel.Value.B.B
	for _, own := range p.Terms {
		if !own.IsB {
			t.names = append(t.names, own.A)
			continue
		}
		o := own.B
		if o.Of == "" {
			if len(d.Fields) != 1 {
				return t, fmt.Errorf("terms: term.operator does not say of which input: give of, one of %s", list(names(d.Fields)))
			}
			o.Of = d.Fields[0].Name
		}
		name := "operator(" + o.Of + ")"
		t.names = append(t.names, name)
		if o.Kernel != nil {
			t.kernels = maps.Clone(t.kernels)
			if t.kernels == nil {
				t.kernels = map[string]kernel.Kernel{}
			}
			t.kernels[name] = o.Kernel
		}
		if !o.Metric.Auto {
			if t.metrics == nil {
				t.metrics = map[string]float64{}
			}
			t.metrics[name] = o.Metric.Value
		}
	}
	return t, nil
}
