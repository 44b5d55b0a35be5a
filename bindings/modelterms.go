package bindings

import (
	"context"
	"fmt"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/outside"
	"github.com/greenbench/workbench/internal/numeric/plot"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/model"
)

// onOutput are the arguments of curves on the output.
type onOutput struct {
	Y mesh.Mesh `arg:"ymesh" doc:"where; by default the mesh of the output" default:"nil"`
}

func termProperties[T any](of func(T) *model.Term) bind.TypeOption {
	return bind.Properties(
		bind.Prop("name", "its name", func(t T) string { return of(t).Name }),
		bind.Prop("kernel", "with its factor", func(t T) kernel.Kernel { return of(t).Kernel }),
		bind.Prop("deviation", "standard deviation of what the term adds to the output, over samples and points of the data", func(t T) float64 { return of(t).Deviation }),
	)
}

func describeTerm(t *model.Term) string {
	return fmt.Sprintf("%s %s: %s, deviation %.3g", t.Kind, t.Name, shortKernel(t.Kernel), t.Deviation)
}

// covariateType is the term of a number of each sample.
func covariateType() bind.Type {
	return bind.TypeOf[covariate]("covariate", "The term of a covariate z: (z - its mean) γ(y), with a learned curve γ. The mean is that of the samples; what it takes off, a curve that is the same for all of them, is in the bias. With bias = false nothing else has that curve, and the term is z γ(y).",
		bind.ToString(func(t covariate) string { return describeTerm(t.Term) }),
		termProperties(func(t covariate) *model.Term { return t.Term }),
		bind.Methods(
			bind.Fn("effect", "The curve γ: what one unit of the covariate adds to the output.", func(c *bind.Call, p *struct {
				Term covariate `arg:"self"`
				Y    mesh.Mesh `arg:"ymesh" pos:"1" doc:"where; by default the mesh of the output" default:"nil"`
			},
			) (*array.Array, error) {
				return vector(p.Term.Effect(c, "", p.Y))
			}, bind.Example(sampleModel+"print(#est.u.age:effect())  --> 12"), bind.Returns("one number per point"), bind.See("covariate:std")),
			bind.Fn("std", "Posterior standard deviation of the effect.", func(c *bind.Call, p *struct {
				Term covariate `arg:"self"`
				Y    mesh.Mesh `arg:"ymesh" pos:"1" doc:"where; by default the mesh of the output" default:"nil"`
			},
			) (*array.Array, error) {
				return vector(p.Term.EffectStd(c, "", p.Y))
			}, bind.Example(sampleModel+"print(est.u.age:std():min() > 0)  --> true"), bind.Returns("one number per point"), bind.See("estimate:std")),
			bind.Fn("plot", "The effect with its 95 % band, dotted where that holds zero.", func(c *bind.Call, p *struct {
				Term covariate `arg:"self"`
				onOutput
				destination
			},
			) (plot.Figure, error) {
				f, err := covariateFigure(c, p.Term.Term, p.Y, "effect of "+p.Term.Name)
				if err != nil {
					return nil, err
				}
				return p.finish(c, f)
			}, bind.Example(sampleModel+"fig = est.u.age:plot{show = false}\nprint(fig)  --> lines, 2 series"), drawn(), bind.See("output:plot")),
		),
	)
}

// curvesType is the term of a grouping.
func curvesType() bind.Type {
	return bind.TypeOf[curves]("curves", "The term of a grouping: a random curve for each label, shared by its samples; times a covariate, what one unit of that adds for each label. Of \"age*subject\" the covariate is taken less its mean where subject is a term, too, whose curves have the rest; where it is none, as it is.",
		bind.ToString(func(t curves) string { return describeTerm(t.Term) }),
		termProperties(func(t curves) *model.Term { return t.Term }),
		bind.Properties(bind.Prop("labels", "the labels of the data", func(t curves) []string { return t.labels })),
		bind.Methods(
			ofLabel("effect", "The curve of a label: by how much its samples differ from the others.", (*model.Term).Effect,
				"print((est.u.subject:effect(\"anna\") - est.u.subject:effect(\"ben\")):min() > 1)  --> true", "curves:std"),
			ofLabel("std", "Posterior standard deviation of the curve of a label.", (*model.Term).EffectStd,
				"print(est.u.subject:std(\"anna\"):min() > 0)  --> true", "estimate:std"),
			bind.Fn("plot", "Curves of groups with their 95 % bands, dotted where these hold zero.", func(c *bind.Call, p *struct {
				Term   curves                         `arg:"self"`
				Labels []bind.Either[string, float64] `arg:"labels" doc:"whose curves are shown; by default the six that differ most" default:"nil"`
				onOutput
				destination
			},
			) (plot.Figure, error) {
				var labels []string
				for _, l := range p.Labels {
					label, err := labelOf(p.Term, l)
					if err != nil {
						return nil, err
					}
					labels = append(labels, label)
				}
				f, err := curvesFigure(c, p.Term.Term, labels, p.Y, "curves of "+p.Term.Name)
				if err != nil {
					return nil, err
				}
				return p.finish(c, f)
			}, bind.Example(sampleGroups+"fig = est.u.subject:plot{show = false}\nprint(fig)  --> lines, 4 series"), drawn(), bind.See("output:plot")),
		),
	)
}

// labelOf is a label of the data, written as the data have it.
func labelOf(t curves, l bind.Either[string, float64]) (string, error) {
	label := l.A
	if l.IsB {
		label = texts(labels{B: []float64{l.B}, IsB: true})[0]
	}
	return label, nameIn("label", label, t.labels)
}

// freeformType is the term of an operator of no given form, which can only predict.
func freeformType() bind.Type {
	return bind.TypeOf[freeform]("learned_operator", "The term of an operator of no given form, see term.operator: it has neither a Green's function nor a curve; its model predicts with it.",
		bind.ToString(func(t freeform) string { return describeTerm(t.Term) }),
		termProperties(func(t freeform) *model.Term { return t.Term }),
	)
}

// onlyPredicts say what to do instead of asking an operator of no given form for what it has not.
func onlyPredicts() bind.Foreign {
	methods := map[string]string{}
	for _, name := range []string{"effect", "std", "green", "bias", "at", "labels", "predict"} {
		methods[name] = "it has neither a Green's function nor a curve: predict with the model, as in est:predict({f = f}).u"
	}
	return bind.Foreign{Methods: map[string]map[string]string{"learned_operator": methods}}
}

// familyType is a linear term whose operator depends on parameters.
func familyType() bind.Type {
	return bind.TypeOf[family]("family", "A family of Green's functions G_θ, similar for similar parameters θ.",
		bind.ToString(func(t family) string { return describeTerm(t.Term) }),
		termProperties(func(t family) *model.Term { return t.Term }),
		bind.Properties(bind.Prop("parameters", "names of the parameters", func(t family) []string { return t.names })),
		bind.Methods(bind.Fn("at", "The member of the family at given parameters, also at values that are not in the data.", func(c *bind.Call, p *struct {
			Family family             `arg:"self"`
			At     map[string]float64 `arg:"at" pos:"1" doc:"a number for each parameter, such as {theta = 7}"`
		},
		) (estimate, error) {
			theta, err := parametersAt(p.Family.names, p.At)
			if err != nil {
				return nil, err
			}
			noteOutside(c, "family:at", p.Family.of, outside.Sample(p.Family.names, theta))
			return p.Family.Green(theta...)
		}, bind.Example(sampleFamily+"g = est.u.f:at{theta = 1.25}\nprint(#g:green())  --> 10"), bind.Returns("an estimate of G_θ"), bind.See("model:at"))),
	)
}

// ofLabel is a method of curves that gives one number a point for a label.
func ofLabel(name, doc string, of func(t *model.Term, ctx context.Context, label string, y mesh.Mesh) ([]float64, error), example, see string) bind.Func {
	return bind.Fn(name, doc, func(c *bind.Call, p *struct {
		Term  curves                       `arg:"self"`
		Label bind.Either[string, float64] `arg:"label" pos:"1" doc:"one of those of the data"`
		onOutput
	},
	) (*array.Array, error) {
		label, err := labelOf(p.Term, p.Label)
		if err != nil {
			return nil, err
		}
		return vector(of(p.Term.Term, c, label, p.Y))
	}, bind.Example(sampleGroups+example), bind.Returns("one number per point"), bind.See(see))
}
