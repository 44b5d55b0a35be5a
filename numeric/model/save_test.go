package model_test

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/model"
)

// A model read from its file is the one that was saved, to the bit, with its bands: every
// kind of term, kernels chosen and given, a parameter, a constraint, missing outputs. What is written to
// the arrays of the data after the fit is none of its business.
func TestSaveAndLoad(t *testing.T) {
	only := func(names ...string) map[string]kernel.Kernel {
		all := givenKernels()
		maps.DeleteFunc(all, func(name string, _ kernel.Kernel) bool { return !slices.Contains(names, name) })
		return all
	}
	for name, s := range map[string]model.Spec{
		"chosen": {Data: everything(t, 12, false, false)},
		"given": {
			Data: everything(t, 12, false, true), Terms: []string{"f", "age*f", "g", "who"}, Kernels: only("f", "age*f", "g", "who"), Lambda: 1e-2,
			Constraints: map[string]constraint.Constraint{"f": constraint.Symmetric{Names: []string{"x", "y"}}},
		},
		"family":  {Data: everything(t, 12, true, false), Terms: []string{"f", "age"}, Kernels: only("f", "age", "theta"), Bias: kernel.SE{Lengthscale: ell(.5)}},
		"no bias": {Data: everything(t, 12, false, false), Terms: []string{"f", "g"}, Kernels: only("f", "g"), NoBias: true},
	} {
		t.Run(name, func(t *testing.T) {
			e := testmain.Must(model.Fit(t.Context(), s))(t)
			overwrite(s.Data)
			path := filepath.Join(t.TempDir(), "model.npz")
			if err := e.Save(t.Context(), path); err != nil {
				t.Fatal(err)
			}
			back := testmain.Must(model.Load(t.Context(), path))(t)
			sameModel(t, e, back)
			again := filepath.Join(t.TempDir(), "again.npz")
			if err := back.Save(t.Context(), again); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(testmain.Must(os.ReadFile(again))(t), testmain.Must(os.ReadFile(path))(t)) {
				t.Error("what was read is saved as something else")
			}
		})
	}
}

// overwrite writes to all arrays of a table.
func overwrite(d *dataset.Table) {
	for _, f := range append(slices.Clone(d.Fields), d.Outputs...) {
		for i := range f.Values.Data {
			f.Values.Data[i] = float64(i % 7)
		}
	}
	for _, z := range append(slices.Clone(d.Scalars), d.Parameters...) {
		for i := range z.Values {
			z.Values[i] = float64(i)
		}
	}
}

func sameModel(t *testing.T, e, back *model.Estimate) {
	t.Helper()
	sameOutputs(t, e, back, len(e.Outputs))
}

// sameOutputs compares all predictions, and the bands of some outputs, which take longer.
func sameOutputs(t *testing.T, e, back *model.Estimate, banded int) {
	t.Helper()
	ctx, fine := t.Context(), mesh.Must(mesh.Uniform(0, 1, 9, "x"))
	for i, o := range e.Outputs {
		p := back.Outputs[i]
		if p.Name != o.Name || len(p.Terms) != len(o.Terms) || p.Report.Lambda != o.Report.Lambda {
			t.Fatalf("%s: %v", o.Name, p)
		}
		want := testmain.Must(o.Predict(ctx, e.Data, fine))(t)
		got := testmain.Must(p.Predict(ctx, back.Data, fine))(t)
		if !mat.Equal(got, want) {
			t.Errorf("%s: predictions differ", o.Name)
		}
		if i < banded {
			observed := fit.Interval{Level: .95, Observation: true}
			want = testmain.Must(o.Intervals(ctx, e.Data, fine, observed))(t)
			if got := testmain.Must(p.Intervals(ctx, back.Data, fine, observed))(t); !mat.Equal(got, want) {
				t.Errorf("%s: intervals differ", o.Name)
			}
		}
		for k, term := range o.Terms {
			if other := p.Terms[k]; other.Kernel.String() != term.Kernel.String() || other.Kind != term.Kind || other.Deviation != term.Deviation {
				t.Errorf("term %s: %v, was %v", term.Name, other.Kernel, term.Kernel)
			}
			if i >= banded || term.Kind != "covariate" {
				continue
			}
			want := testmain.Must(term.EffectStd(ctx, "", fine))(t)
			got, err := p.Terms[k].EffectStd(ctx, "", fine)
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("bands of %s: %v, were %v (%v)", term.Name, got, want, err)
			}
		}
	}
}

// Files that are not models are told apart, and those that were changed are refused.
func TestLoadRefuses(t *testing.T) {
	d := everything(t, 12, true, false)
	s := model.Spec{Data: d, Terms: []string{"f", "who"}, Kernels: map[string]kernel.Kernel{"f": givenKernels()["f"], "who": givenKernels()["who"]}, Amplitudes: map[string]float64{"f": 1, "who": 1}, Lambda: 1e-2}
	e := testmain.Must(model.Fit(t.Context(), s))(t)
	path := filepath.Join(t.TempDir(), "m.npz")
	if err := d.Save(path); err != nil {
		t.Fatal(err)
	}
	if back, err := model.Load(t.Context(), path); back != nil || err != nil {
		t.Errorf("data are no model: %v, %v", back, err)
	}
	if err := e.Save(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	parts := testmain.Must(arrays.LoadAll(path))(t)
	f := testmain.Must(arrays.Open(path))(t)
	texts := map[string]string{}
	for _, name := range []string{"model.json", "dataset.json"} {
		texts[name], _, _ = f.Text(name)
	}
	f.Close()
	for _, c := range []struct{ name, old, new, drop, say string }{
		{"newer", `"version": 5`, `"version": 9`, "", "version 9"},
		{"format", `"workbench model"`, `"cookbook"`, "", "cookbook"},
		{"term", `"f",`, `"h",`, "", "h"},
		{"kernel of another kind", `"of_parameter"`, `"se"`, "", "kernel"},
		{"a kernel less", `"factors": [`, `"factors": [3,`, "", "3 factors for 2 terms"},
		{"output", `"name": "u"`, `"name": "w"`, "", "output w: is not among the data"},
		{"weights gone", "", "", "weights.u", "weights.u"},
		{"no JSON", `{`, `[`, "", "model.json"},
	} {
		m := arrays.Members{Arrays: maps.Clone(parts), Texts: maps.Clone(texts)}
		m.Texts["model.json"] = strings.Replace(texts["model.json"], c.old, c.new, 1)
		delete(m.Arrays, c.drop)
		if err := arrays.SaveMembers(path, m); err != nil {
			t.Fatal(err)
		}
		if _, err := model.Load(t.Context(), path); err == nil || !strings.Contains(err.Error(), c.say) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v, want an error that says %q", c.name, err, c.say)
		}
	}
}

// A model with what was known beforehand is read as it was saved: an estimate on any mesh, other
// knowledge on the meshes of the data.
func TestSavePrior(t *testing.T) {
	d := everything(t, 12, false, false)
	f := d.Fields[0]
	pairs := testmain.Must(dataset.New(dataset.Spec{Input: f.Values, Output: d.Outputs[0].Values, InputMesh: f.Mesh, OutputMesh: d.Outputs[0].Mesh}))(t)
	known := testmain.Must(fit.Fit(t.Context(), fit.Spec{Data: pairs, Kernel: givenKernels()["f"], Lambda: 1}))(t)
	one := *d
	one.Fields = d.Fields[:1]
	one.Scalars, one.Groups = nil, nil
	values := testmain.Must(known.Green(t.Context(), mesh.Mesh{}, mesh.Mesh{}))(t)
	beta := testmain.Must(known.Bias(t.Context(), mesh.Mesh{}))(t)
	x, y := pairs.InputMesh, pairs.OutputMesh
	for name, prior := range map[string]fit.Known{"estimate": known, "values": fit.KnownValues(x, y, values, beta)} {
		e := testmain.Must(model.Fit(t.Context(), model.Spec{Data: &one, Kernels: map[string]kernel.Kernel{"f": givenKernels()["f"]}, Prior: map[string]fit.Known{"u": prior}}))(t)
		path := filepath.Join(t.TempDir(), "model.npz")
		if err := e.Save(t.Context(), path); err != nil {
			t.Fatal(err)
		}
		back := testmain.Must(model.Load(t.Context(), path))(t)
		for _, on := range []mesh.Mesh{{}, mesh.Must(mesh.Uniform(0, 1, 9, "x"))} {
			want, err := e.Outputs[0].Predict(t.Context(), e.Data, on)
			if name == "values" && on.Size() > 0 {
				if err == nil {
					t.Error("values know nothing elsewhere")
				}
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			got, err := back.Outputs[0].Predict(t.Context(), back.Data, on)
			if err != nil || !mat.Equal(got, want) {
				t.Errorf("%s: predictions differ (%v)", name, err)
			}
		}
		if p := back.Outputs[0].Report.Prior; p == nil || *p != *e.Outputs[0].Report.Prior {
			t.Errorf("%s: factor %v, was %v", name, p, e.Outputs[0].Report.Prior)
		}
	}
}
