package bindings

import (
	"errors"
	"fmt"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/assess"
	"github.com/greenbench/workbench/internal/numeric/noise"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/fit"
)

// repeatedFit are the arguments of a fit that is made again and again.
type repeatedFit struct {
	Data samples `arg:"data" doc:"pairs to learn from, or a frame"`
	hypothesis
}

// pairs is the fit of pairs, and the noise that is to be found each time.
func (p repeatedFit) pairs(c *bind.Call) (s fit.Spec, of noise.Choice, err error) {
	if p.Method == "adam" {
		return s, of, errors.New("method \"adam\": fits are compared by the exact method")
	}
	if s, err = p.specOfPairs(p.Data.A); err != nil {
		return s, of, err
	}
	s.Data, of, err = p.ofPairs(c, p.Data.A)
	return s, of, err
}

// modelCrossValidation and modelCurves are of each of several outputs, in their order.
type (
	modelCrossValidation []ofOutput[*assess.CrossValidation]
	modelCurves          []ofOutput[assess.Curve]
)

// ofOutputs names what was found of each output of a frame.
func ofOutputs[T any](d frame, all []T) (named []ofOutput[T]) {
	for i, v := range all {
		named = append(named, ofOutput[T]{d.Outputs[i].Name, v})
	}
	return named
}

// groupLabels are a label for each sample, or the name of a grouping of a frame.
type groupLabels = bind.Either[string, []bind.Either[string, float64]]

func (p repeatedFit) labels(g *groupLabels) (all []string, err error) {
	switch {
	case g == nil:
		return nil, nil
	case g.IsB:
		for _, l := range g.B {
			if l.IsB {
				l.A = fmt.Sprint(l.B)
			}
			all = append(all, l.A)
		}
		return all, nil
	case !p.Data.IsB:
		return nil, fmt.Errorf("groups: %q is a name; want a label for each pair, since only frames have groups by name", g.A)
	}
	d := p.Data.B
	if err := nameIn("groups", g.A, groupNames(d.Groups)); err != nil {
		return nil, err
	}
	of := d.Grouping(g.A)
	for _, k := range of.Of {
		all = append(all, of.Labels[k])
	}
	return all, nil
}

func crossValidateFunction() bind.Func {
	return bind.Fn("crossvalidate", "The error of predicting pairs, or whole groups of them, that were left out: k-fold, or one at a time. All that the arguments leave open, kernel, lambda, constraint and noise, is chosen anew without them, so that the error is honest; weights go with their pairs. Of a frame the samples are left out, with all of their outputs; the curve of a group that is left out is zero.", func(c *bind.Call, p *struct {
		repeatedFit
		Folds  bind.Auto[int] `arg:"folds" doc:"parts that are left out one after the other; as many as there are pairs, or groups, leaves out one at a time; auto: 5" default:"auto" allow:">=2"`
		Groups *groupLabels   `arg:"groups" doc:"a label for each pair, such as its subject, or the name of a group of a frame: pairs of one label are left out together" default:"nil"`
		Seed   uint64         `arg:"seed" doc:"of the order in which pairs are dealt out" default:"1"`
	},
	) (bind.Either[*assess.CrossValidation, modelCrossValidation], error) {
		one := bind.First[*assess.CrossValidation, modelCrossValidation]
		labels, err := p.labels(p.Groups)
		if err != nil {
			return one(nil), err
		}
		by := assess.Split{Folds: p.Folds.Value, Seed: p.Seed, Groups: labels}
		if !p.Data.IsB {
			s, of, err := p.pairs(c)
			if err != nil {
				return one(nil), err
			}
			v, err := assess.CrossValidate(c, s, of, by)
			return one(v), err
		}
		s, err := p.specOfModel(c, p.Data.B)
		if err != nil {
			return one(nil), err
		}
		all, err := assess.CrossValidateModel(c, s, by)
		if err != nil || len(all) > 1 {
			return bind.Second[*assess.CrossValidation](modelCrossValidation(ofOutputs(p.Data.B, all))), err
		}
		return one(all[0]), nil
	}, bind.Example(sampleNoisy+"cv = green.crossvalidate{data = d, kernel = kernel.se{lengthscale = 0.3}, folds = 4}\nprint(cv.r2 > 0.9, #cv.errors, cv.se < cv.rmse)  --> true\t20\ttrue"),
		bind.Example(sampleGroups+"cv = green.crossvalidate{data = d, kernel = {f = k, subject = k}, groups = \"subject\"}\nprint(cv.folds, cv.r2 < 0.1)  --> 2\ttrue"),
		bind.Returns("rmse, its standard error se, r2, folds and the errors of all pairs, of a frame with several outputs for each by name; a line when printed"),
		bind.Keywords("k-fold", "leave one out", "holdout", "generalisation"), bind.See("green.learning_curve", "green.compare", "estimate:summary"))
}

func learningCurveFunction() bind.Func {
	return bind.Fn("learning_curve", "How the error of predicting a fifth of the pairs, or of the samples of a frame, falls with the number of others that are learned from: whether more data would help. "+
		"R² compares with the mean of the pairs that were learned from, which is itself wrong by chance, so that on pure noise it is above 0 for few pairs, about 1/(n + 1).", func(c *bind.Call, p *struct {
		repeatedFit
		N    []int  `arg:"n" doc:"numbers of pairs to learn from; by default 1/8, 1/4, 1/2 and all of the four fifths that are not predicted" default:"nil"`
		Seed uint64 `arg:"seed" doc:"of the order of the pairs" default:"1"`
	},
	) (bind.Either[assess.Curve, modelCurves], error) {
		one := bind.First[assess.Curve, modelCurves]
		if !p.Data.IsB {
			s, of, err := p.pairs(c)
			if err != nil {
				return one(nil), err
			}
			v, err := assess.Learn(c, s, of, p.N, p.Seed)
			return one(v), err
		}
		s, err := p.specOfModel(c, p.Data.B)
		if err != nil {
			return one(nil), err
		}
		all, err := assess.LearnModel(c, s, p.N, p.Seed)
		if err != nil || len(all) > 1 {
			return bind.Second[assess.Curve](modelCurves(ofOutputs(p.Data.B, all))), err
		}
		return one(all[0]), nil
	}, bind.Example(sampleNoisy+"curve = green.learning_curve{data = d, kernel = kernel.se{lengthscale = 0.3}, n = {4, 16}}\nprint(#curve.points, curve.points[2].rmse < curve.points[1].rmse)  --> 2\ttrue"),
		bind.Returns("the errors, of a frame with several outputs for each by name; a table when printed"), bind.Keywords("more data", "sample size"), bind.See("green.crossvalidate", "estimate:next"))
}

// heldOutTypes are what these return for several outputs.
func heldOutTypes() []bind.Type {
	return []bind.Type{
		bind.TypeOf[modelCrossValidation]("model_crossvalidation", "What green.crossvalidate found of several outputs.",
			bind.ToString(func(m modelCrossValidation) string { return below(m, (*assess.CrossValidation).String) }),
			bind.Properties(bind.Prop("outputs", "that of each output, by name", func(m modelCrossValidation) map[string]*assess.CrossValidation { return byName(m) }))),
		bind.TypeOf[modelCurves]("model_learningcurve", "What green.learning_curve found of several outputs.",
			bind.ToString(func(m modelCurves) string { return below(m, assess.Curve.String) }),
			bind.Properties(bind.Prop("outputs", "that of each output, by name", func(m modelCurves) map[string]assess.Curve { return byName(m) }))),
	}
}

func crossValidationType() bind.Type {
	return bind.TypeOf[*assess.CrossValidation]("crossvalidation", "What green.crossvalidate found.", bind.Properties(
		bind.Prop("rmse", "root mean square error of pairs that were left out, over output points by their quadrature", func(v *assess.CrossValidation) float64 { return v.RMSE }),
		bind.Prop("se", "standard error of rmse, from its spread over what was left out together", func(v *assess.CrossValidation) float64 { return v.SE }),
		bind.Prop("r2", "1 less the mean square error over that of the mean curve of the pairs learned from", func(v *assess.CrossValidation) float64 { return v.R2 }),
		bind.Prop("folds", "how often something was left out", func(v *assess.CrossValidation) int { return v.Folds }),
		bind.Prop("errors", "the root mean square error of each pair", func(v *assess.CrossValidation) *array.Array { return array.Vector(v.Errors) }),
	))
}

func learningCurveType() bind.Type {
	return bind.TypeOf[assess.Curve]("learningcurve", "What green.learning_curve found.", bind.Properties(
		bind.Prop("points", "a table for each number of pairs: n, rmse and r2 of the pairs that were left out", func(v assess.Curve) []assess.Learned { return v }),
	))
}

// nextInput is a choice, counted from one.
type nextInput struct {
	Candidate int     `arg:"candidate"`
	SD        float64 `arg:"sd"`
}

func nextMethod() bind.Func {
	return bind.Fn("next", "Which inputs to measure next: of candidates those whose predictions are least sure, one after the other, each given those before. Their outputs need not be known.", func(c *bind.Call, p *struct {
		Estimate   estimate     `arg:"self"`
		Candidates *array.Array `arg:"candidates" doc:"inputs to choose from, number × points of the input mesh"`
		N          int          `arg:"n" doc:"how many to choose" default:"5" allow:">=1"`
	},
	) ([]nextInput, error) {
		f, _, err := asRows(p.Candidates, p.Estimate.InputMesh.Size())
		if err != nil {
			return nil, fmt.Errorf("candidates: %w", err)
		}
		all, err := assess.Next(c, p.Estimate, f, p.N)
		var out []nextInput
		for _, v := range all {
			out = append(out, nextInput{v.Candidate + 1, v.SD})
		}
		return out, err
	}, bind.Example(sampleNoisy+"more = random.normal{shape = {10, 30}}\nchosen = est:next{candidates = more, n = 2}\nprint(#chosen, chosen[1].sd >= chosen[2].sd)  --> 2\ttrue"),
		bind.ReturnsAs("{candidate=, sd=}[]", "the number of each chosen candidate, and the standard deviation of its prediction before it is measured, root mean square over the output"),
		bind.Keywords("active learning", "experimental design", "acquisition"), bind.See("estimate:identifiability", "estimate:predict"))
}

func identifiabilityMethod() bind.Func {
	return bind.Fn("identifiability", "Where the data determine G: the part of its prior variance that they explain, 1 - posterior/prior, with the kernel, lambda and rho of the estimate. Near 1 the data speak; near 0 G is what the kernel makes of nothing.", func(c *bind.Call, p *struct {
		Estimate estimate `arg:"self"`
		twoMeshes
	},
	) (*array.Array, error) {
		g, err := p.Estimate.Identifiability(c, p.X, p.Y)
		if err != nil {
			return nil, err
		}
		return onMeshes(g, p.X, p.Y, p.Estimate.InputMesh, p.Estimate.OutputMesh), nil
	}, bind.Example(sampleNoisy+"share = est:identifiability()\nprint(share:min() >= 0, share:max() > 0.9)  --> true\ttrue"),
		bind.Returns("points of xmesh × points of ymesh, from 0 to 1"), bind.Keywords("resolution", "information", "determined"), bind.See("estimate:std", "estimate:next"))
}
