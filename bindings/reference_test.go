package bindings_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/laws"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/workbench/host"
)

// referenceCase is a line of testdata/reference/cases.jsonl; see the README there.
type referenceCase struct {
	Case       int      `json:"case"`
	Input      string   `json:"input_mesh"`
	Output     string   `json:"output_mesh"`
	Kernel     string   `json:"kernel"`
	Bias       string   `json:"bias"`
	Constraint []string `json:"constraint"`
	Lambda     float64  `json:"lambda"`
	Rho        float64  `json:"rho"`
	Objective  float64  `json:"objective"`
	MSE        float64  `json:"mse"`
	GreenNorm2 float64  `json:"green_norm2"`
	BiasNorm2  float64  `json:"bias_norm2"`
	REML       float64  `json:"reml"`
	GCV        float64  `json:"gcv"`
	LOO        float64  `json:"loo"`
	Pairs      int      `json:"pairs"`

	x, y   mesh.Mesh
	arrays map[string]*array.Array
}

// Points off the meshes.
const offInputs, offOutputs = 5, 4

// referenceCases reads the problems.
func referenceCases(t *testing.T, h *host.Host) []*referenceCase {
	t.Helper()
	path := filepath.Join("testdata", "reference", "cases")
	numbers, err := arrays.LoadAll(path + ".npz")
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(path + ".jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var all []*referenceCase
	for line := range bytes.Lines(file) {
		c := &referenceCase{arrays: map[string]*array.Array{}}
		if err := json.Unmarshal(line, c); err != nil {
			t.Fatal(err)
		}
		c.x, c.y = value[mesh.Mesh](t, h, c.Input), value[mesh.Mesh](t, h, c.Output)
		for name, shape := range map[string][]int{
			"F": {c.Pairs, c.x.Size()}, "U": {c.Pairs, c.y.Size()}, "G": {c.x.Size(), c.y.Size()}, "b": {c.y.Size()},
			"xo": {offInputs, c.x.Dim()}, "yo": {offOutputs, c.y.Dim()}, "Go": {offInputs, offOutputs}, "bo": {offOutputs},
		} {
			if c.Bias == "false" && name[0] == 'b' {
				continue
			}
			c.arrays[name], numbers[name] = split(t, numbers[name].Data, shape)
		}
		all = append(all, c)
	}
	for name, rest := range numbers {
		if len(rest.Data) > 0 {
			t.Fatalf("%d numbers of %s are left over", len(rest.Data), name)
		}
	}
	return all
}

// split takes the first numbers as an array.
func split(t *testing.T, all []float64, shape []int) (first, rest *array.Array) {
	t.Helper()
	size := 1
	for _, n := range shape {
		size *= n
	}
	first, err := array.Of(all[:size:size], shape...)
	if err != nil {
		t.Fatal(err)
	}
	return first, array.Vector(all[size:])
}

// 300 random problems against the answers of another program, which has nothing in
// common with this one but the definitions: objective to 1e-8; G and the bias, on the
// meshes of the data and off them, to 1e-6 of their largest value.
func TestReferenceProblems(t *testing.T) {
	h := newHost(t)
	for i, c := range referenceCases(t, h) {
		if i%testmain.Stride(2) != 0 {
			continue
		}
		t.Run(fmt.Sprint(c.Case), func(t *testing.T) {
			defer func() {
				if crash := recover(); crash != nil {
					t.Errorf("%v\n%s", crash, c.text())
				}
			}()
			s := fit.Spec{Kernel: value[kernel.Kernel](t, h, c.Kernel), Lambda: c.Lambda, Rho: c.Rho, NoBias: c.Bias == "false"}
			if !s.NoBias {
				s.Bias = value[kernel.Kernel](t, h, c.Bias)
			}
			if len(c.Constraint) > 0 {
				var list constraint.List
				for _, text := range c.Constraint {
					list = append(list, value[constraint.Constraint](t, h, text))
				}
				s.Constraint = list
			}
			d, err := dataset.New(dataset.Spec{Input: c.arrays["F"], Output: c.arrays["U"], InputMesh: c.x, OutputMesh: c.y, Missing: true})
			if err != nil {
				t.Fatal(err)
			}
			s.Data = d
			e, err := fit.Fit(t.Context(), s)
			if laws := c.disobeyed(t, s.Constraint); laws != nil {
				c.obeys(t, laws, e, err)
				return
			}
			if err != nil {
				t.Fatalf("%v\n%+v", err, c.text())
			}
			c.compare(t, e)
			if t.Failed() {
				t.Logf("%s\n%s", c.text(), e.Report)
			}
		})
	}
}

// disobeyed returns the laws of a list that the other program's answer does not obey:
// it averages first and cuts then, so that G differs from zero at points whose images
// are cut, and from their values there. It is nil for lists whose masks the maps leave
// as they are.
func (c *referenceCase) disobeyed(t *testing.T, list constraint.Constraint) *laws.Transform {
	t.Helper()
	if list == nil {
		return nil
	}
	in, out := mesh.JointNames(c.x, c.y)
	s := kernel.Space{Names: append(in, out...), Inputs: len(in)}
	own, err := constraint.LawsOf(list, s)
	if err != nil {
		t.Fatal(err)
	}
	laws, err := own.On(s)
	if err != nil {
		t.Fatal(err)
	}
	if laws.Reduce != nil {
		return nil
	}
	for i, v := range c.arrays["G"].Data {
		if p := c.point(i); v != 0 && !cut(laws, p) && cutSomewhere(laws, p) {
			return laws
		}
	}
	return nil
}

// point is the i-th pair of points of the meshes.
func (c *referenceCase) point(i int) []float64 {
	p := make([]float64, c.x.Dim()+c.y.Dim())
	c.x.Point(p[:c.x.Dim()], i/c.y.Size())
	c.y.Point(p[c.x.Dim():], i%c.y.Size())
	return p
}

// cut reports whether a mask is 0 at a point.
func cut(laws *laws.Transform, p []float64) bool {
	return slices.ContainsFunc(laws.Masks, func(m *expr.Node) bool { return expr.Eval(m, p) == 0 })
}

// cutSomewhere reports whether a mask is 0 at an image of a point, by up to four maps
// one after another.
func cutSomewhere(laws *laws.Transform, p []float64) bool {
	orbit := [][]float64{p}
	for range 4 {
		for _, q := range orbit {
			for _, g := range laws.Obeyed {
				orbit = append(orbit, imageOf(g, q))
			}
		}
	}
	return slices.ContainsFunc(orbit, func(q []float64) bool { return cut(laws, q) })
}

func imageOf(g laws.Image, p []float64) []float64 {
	q := make([]float64, len(p))
	for i, n := range g.At {
		q[i] = expr.Eval(n, p)
	}
	return q
}

// obeys checks that an estimate obeys, or that a list which leaves nothing is refused.
func (c *referenceCase) obeys(t *testing.T, laws *laws.Transform, e *fit.Estimate, err error) {
	t.Helper()
	if err != nil {
		if !strings.Contains(err.Error(), "leaves nothing of G") {
			t.Errorf("%v\n%s", err, c.text())
		}
		return
	}
	at := func(p []float64) float64 {
		v, err := e.At(t.Context(), p[:c.x.Dim()], p[c.x.Dim():])
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	size := 0.0
	for i := range c.arrays["G"].Data {
		p := c.point(i)
		v := at(p)
		size = max(size, math.Abs(v))
		if cutSomewhere(laws, p) && v != 0 {
			t.Errorf("G(%v) = %g where an image is cut\n%s", p, v, c.text())
		}
		for _, g := range laws.Obeyed {
			if w := g.Sign * at(imageOf(g, p)); math.Abs(v-w) > 1e-10*size {
				t.Errorf("G(%v) = %g, must be %g as at its image\n%s", p, v, w, c.text())
			}
		}
	}
	if size == 0 {
		t.Errorf("G is zero\n%s", c.text())
	}
}

func (c *referenceCase) compare(t *testing.T, e *fit.Estimate) {
	t.Helper()
	number := func(what string, got, want, tol float64) {
		t.Helper()
		if !(math.Abs(got-want) <= tol) {
			t.Errorf("%s: %.10g, want %.10g", what, got, want)
		}
	}
	rep := e.Report
	number("objective", rep.Objective, c.Objective, 1e-8*c.Objective)
	number("misfit", rep.MSE, c.MSE, 1e-7*c.Objective)
	number("λ‖G‖²", c.Lambda*rep.GreenNorm2, c.Lambda*c.GreenNorm2, 1e-7*c.Objective)
	number("ρ‖β‖²", c.Rho*rep.BiasNorm2, c.Rho*c.BiasNorm2, 1e-7*c.Objective)
	criterion := func(what string, got, deviation *float64, want, tol float64) {
		t.Helper()
		if got == nil {
			t.Errorf("%s was not computed, want %.10g", what, want)
			return
		}
		if deviation != nil {
			tol += 3 * *deviation
		}
		number(what, *got, want, tol)
	}
	criterion("reml", rep.REML, rep.REMLError, c.REML, 1e-6*math.Abs(c.REML))
	criterion("gcv", rep.GCV, rep.GCVError, c.GCV, 1e-5*c.GCV)
	observed := 0.0
	for _, v := range c.arrays["U"].Data {
		if !math.IsNaN(v) {
			observed++
		}
	}
	criterion("loo", rep.LOO, nil, c.LOO/observed, 1e-5*c.LOO/observed) // theirs is the sum
	values := func(what string, got []float64, name string) {
		t.Helper()
		want := c.arrays[name]
		size := floats.Norm(want.Data, math.Inf(1))
		if d := floats.Distance(got, want.Data, math.Inf(1)); !(d <= 1e-6*size) {
			t.Errorf("%s: off by %.2g of %.3g", what, d, size)
		}
	}
	xo := mesh.Must(mesh.Scattered(c.arrays["xo"].Data, c.x.Dim(), nil, c.x.Names()...))
	yo := mesh.Must(mesh.Scattered(c.arrays["yo"].Data, c.y.Dim(), nil, c.y.Names()...))
	g, err := e.Green(t.Context(), mesh.Mesh{}, mesh.Mesh{})
	if err != nil {
		t.Fatal(err)
	}
	values("G on the meshes", g.RawMatrix().Data, "G")
	if g, err = e.Green(t.Context(), xo, yo); err != nil {
		t.Errorf("G off the meshes: %v", err)
	} else {
		values("G off the meshes", g.RawMatrix().Data, "Go")
	}
	for i := range offInputs - 1 { // some of them, one by one
		x, y := make([]float64, xo.Dim()), make([]float64, yo.Dim())
		xo.Point(x, i)
		yo.Point(y, i)
		v, err := e.At(t.Context(), x, y)
		if want := c.arrays["Go"]; err != nil {
			t.Errorf("G at a point: %v", err)
		} else {
			number("G at a point", v, want.At(i, i), 1e-6*floats.Norm(want.Data, math.Inf(1)))
		}
	}
	if c.Bias == "false" {
		return
	}
	for _, on := range []struct {
		what, name string
		mesh       mesh.Mesh
	}{{"bias on the mesh", "b", c.y}, {"bias off the mesh", "bo", yo}} {
		b, err := e.Bias(t.Context(), on.mesh)
		if err != nil {
			t.Fatal(err)
		}
		values(on.what, b, on.name)
	}
}

func (c *referenceCase) text() string {
	return strings.Join([]string{c.Input, c.Output, c.Kernel, c.Bias, strings.Join(c.Constraint, ", "), fmt.Sprintf("λ = %g, ρ = %g", c.Lambda, c.Rho)}, "\n")
}
