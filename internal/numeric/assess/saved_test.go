package assess_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/assess"
	noises "github.com/greenbench/workbench/internal/numeric/noise"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/model"
)

// given is each thing that can be said of a model, and some together; those that come first are tried always.
func given() []struct {
	name   string
	change func(*model.Spec)
} {
	few := func(s *model.Spec, names ...string) { s.Terms = names }
	own := func(s *model.Spec) *dataset.Table {
		d := *s.Data
		d.Outputs = slices.Clone(d.Outputs)
		s.Data = &d
		return &d
	}
	return []struct {
		name   string
		change func(*model.Spec)
	}{
		{"amplitudes", func(s *model.Spec) { s.Amplitudes = map[string]float64{"f": 2, "age": .3, "who": .5} }},
		{"one amplitude", func(s *model.Spec) { s.Amplitudes = map[string]float64{"age": .3} }},
		{"an amplitude and a parameter", func(s *model.Spec) {
			few(s, "f", "age")
			theta := make([]float64, s.Data.N())
			for i := range theta {
				theta[i] = float64(i % 3)
			}
			own(s).Parameters = []dataset.Scalar{{Name: "theta", Values: theta}}
			s.Amplitudes = map[string]float64{"f": 2}
		}},
		{"an amplitude and λ", func(s *model.Spec) { s.Amplitudes, s.Lambda = map[string]float64{"age": .3}, 1 }},
		{"λ", func(s *model.Spec) { s.Lambda = 1 }},
		{"ρ", func(s *model.Spec) { s.Rho = 1 }},
		{"λ, ρ, by the dense method", func(s *model.Spec) { s.Lambda, s.Rho, s.Dense = 1, 2, true }},
		{"no intercept", func(s *model.Spec) { s.Intercept = fit.NoIntercept }},
		{"no bias", func(s *model.Spec) { s.NoBias = true }},
		{"a bias, GCV, a tolerance", func(s *model.Spec) { s.Bias, s.Criterion, s.Tolerance, s.MaxIterations = se(.3), fit.GCV, 1e-8, 400 }},
		{"a constraint", func(s *model.Spec) {
			s.Constraints = map[string]constraint.Constraint{"f": constraint.Symmetric{Names: []string{"x", "y"}}}
		}},
		{"a metric", func(s *model.Spec) {
			few(s, "operator(f)", "age")
			s.Kernels, s.Metrics = map[string]kernel.Kernel{"age": se(.4)}, map[string]float64{"operator(f)": .25}
		}},
		{"kernels that are chosen", func(s *model.Spec) { s.Kernels = nil }},
		{"weights", func(s *model.Spec) {
			w := make([]float64, s.Data.N())
			for i := range w {
				w[i] = float64(1 + i%3)
			}
			own(s).Outputs[0].Errors = &dataset.Errors{Pairs: w}
			s.Amplitudes = map[string]float64{"f": 2}
		}},
		{"noise with standard deviations", func(s *model.Spec) {
			s.Noise, s.Amplitudes = noises.Choice{Kind: noises.Diagonal}, map[string]float64{"f": 2}
		}},
		{"noise with curves", func(s *model.Spec) {
			few(s, "f", "age")
			s.Noise, s.Amplitudes = noises.Choice{Kind: noises.Curves, Kernel: kernel.Exponential{Lengthscale: kernel.Auto}}, map[string]float64{"noise": .5}
		}},
		{"Huber's loss", func(s *model.Spec) {
			s.Noise, s.Amplitudes = noises.Choice{Huber: true}, map[string]float64{"f": 2}
		}},
		{"two outputs", func(s *model.Spec) {
			few(s, "f", "age")
			second(own(s))
			s.Amplitudes = map[string]float64{"f": 2}
		}},
		{"coupled outputs", func(s *model.Spec) {
			few(s, "f", "age")
			second(own(s))
			s.Coregional = true
		}},
	}
}

// second adds another output.
func second(d *dataset.Table) {
	v := d.Outputs[0]
	v.Name, v.Values = "v", v.Values.Copy()
	for i := range v.Values.Data {
		v.Values.Data[i] += float64(i*i%7) / 7
	}
	d.Outputs = append(d.Outputs, v)
}

// A model that was saved and read answers every question as before, to the bit, whatever was said of it.
func TestSavedModelsAnswerAsBefore(t *testing.T) {
	s := severalTerms{sizes: map[string]float64{"f": 1, "who": .5}, n: 12, points: 5, noise: white(.5)}
	for i, c := range given() {
		if i >= 4 && !testmain.EveryCase() {
			break
		}
		t.Run(c.name, func(t *testing.T) {
			e := s.fit(t, 3, func(own *model.Spec) {
				own.Terms = []string{"f", "age", "who"}
				c.change(own)
				maps.DeleteFunc(own.Kernels, func(name string, _ kernel.Kernel) bool { return !slices.Contains(own.Terms, name) })
			})
			path := filepath.Join(t.TempDir(), "m.npz")
			if err := e.Save(ctx, path); err != nil {
				t.Fatal(err)
			}
			back := testmain.Must(model.Load(ctx, path))(t)
			for k, o := range e.Outputs {
				for name, ask := range questions(e.Data, o) {
					want, err := ask(o)
					got, failed := ask(back.Outputs[k])
					if fmt.Sprint(err) != fmt.Sprint(failed) {
						t.Errorf("%s of %s: %v, was %v", name, o.Name, failed, err)
					}
					if !reflect.DeepEqual(got, want) {
						t.Errorf("%s of %s:\n%+v\nwas\n%+v", name, o.Name, got, want)
					}
				}
			}
		})
	}
}

// questions are all that can be asked of an output.
func questions(d *dataset.Table, of *model.Output) map[string]func(o *model.Output) (any, error) {
	fine := mesh.Must(mesh.Uniform(0, 1, 4, "x"))
	all := map[string]func(o *model.Output) (any, error){
		"predictions": func(o *model.Output) (any, error) { return numbers(o.Predict(ctx, d, fine)) },
		"bands":       func(o *model.Output) (any, error) { return numbers(o.PredictStd(ctx, d, fine)) },
		"intervals of observations": func(o *model.Output) (any, error) {
			return numbers(o.Intervals(ctx, d, mesh.Mesh{}, fit.Interval{Level: .9, Observation: true}))
		},
		"draws": func(o *model.Output) (any, error) { return numbers(o.Draw(ctx, d, fine, 3, 7)) },
		"the bias": func(o *model.Output) (any, error) {
			b, err := o.Bias(ctx, fine)
			sd, _ := o.BiasStd(ctx, fine)
			return append(b, sd...), err
		},
		"the summary": func(o *model.Output) (any, error) { return assess.Summarise(ctx, o, 1) },
		"the check": func(o *model.Output) (any, error) {
			return assess.Run(ctx, o, assess.Options{Seed: 1, NoKernels: !testmain.EveryCase()})
		},
		"the picture of the residuals": func(o *model.Output) (any, error) { return assess.Portray(ctx, o, 1) },
	}
	for i, t := range of.Terms {
		all["the term "+t.Name] = func(o *model.Output) (any, error) {
			return ofTerm(o.Terms[i])
		}
	}
	return all
}

// ofTerm is the function or the curve of a term with its band.
func ofTerm(t *model.Term) (any, error) {
	var on mesh.Mesh
	switch t.Form {
	case model.Function:
		g, err := t.Green()
		if err != nil {
			if g, err = t.Green(1.5); err != nil {
				return nil, err
			}
		}
		v, err := numbers(g.Green(ctx, on, on))
		if err != nil {
			return nil, err
		}
		sd, err := numbers(g.Std(ctx, on, on))
		return append(v, sd...), err
	case model.Formless:
		return nil, nil
	}
	label := ""
	if t.Form == model.LabelCurves {
		label = t.Labels()[0]
	}
	v, err := t.Effect(ctx, label, on)
	if err != nil {
		return nil, err
	}
	sd, err := t.EffectStd(ctx, label, on)
	return append(v, sd...), err
}

func numbers(m *mat.Dense, err error) ([]float64, error) {
	if err != nil {
		return nil, err
	}
	return slices.Clone(m.RawMatrix().Data), nil
}
