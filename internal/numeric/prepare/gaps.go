package prepare

import (
	"math"
	"slices"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
)

// filled returns the table with functions on all times of one step where theirs are some of them: what
// lies between was not observed. A record whose instrument failed now and then comes so from a file that
// leaves these times out. gaps says that an input has some.
func filled(t *dataset.Table, axis string) (whole *dataset.Table, gaps bool) {
	step := stepOf(t.Fields[0].Mesh, axis)
	if step == 0 {
		return t, false
	}
	out := *t
	out.Fields, out.Outputs = slices.Clone(t.Fields), slices.Clone(t.Outputs)
	for k, f := range t.Fields {
		if whole, ok := onSteps(f, step); ok {
			out.Fields[k], gaps = whole, true
		}
	}
	for k, u := range t.Outputs {
		if whole, ok := onSteps(u, step); ok {
			out.Outputs[k], out.Missing = whole, true
		}
	}
	return &out, gaps
}

// stepOf is the step of the time of a mesh, the shortest where there are gaps; 0 if there is none.
func stepOf(m mesh.Mesh, axis string) float64 {
	if a, _, err := timeAxis(m, axis); err == nil {
		return a.Step
	}
	axes := m.Axes()
	if len(axes) != 1 || axes[0].Dim() != 1 || axes[0].Period > 0 || axis != "" && !slices.Contains(axes[0].Names, axis) {
		return 0
	}
	step, x := math.Inf(1), axes[0].Coordinates
	for k := 1; k < len(x); k++ {
		step = min(step, x[k]-x[k-1])
	}
	if !(step > 0) || math.IsInf(step, 1) {
		return 0
	}
	return step
}

// onSteps spreads a function of time alone with gaps on equal steps; ok if it has gaps, and
// all its times are whole numbers of steps apart.
func onSteps(u dataset.Field, step float64) (whole dataset.Field, ok bool) {
	axes := u.Mesh.Axes()
	if len(axes) != 1 || axes[0].Dim() != 1 || axes[0].Step != 0 || axes[0].Size() < 2 {
		return u, false
	}
	x := axes[0].Coordinates
	place := make([]int, len(x))
	for k, v := range x {
		at := (v - x[0]) / step
		if !(at >= 0 && at < 1<<31) || math.Abs(at-math.Round(at)) > 1e-6 || k > 0 && int(math.Round(at)) <= place[k-1] {
			return u, false
		}
		place[k] = int(math.Round(at))
	}
	n, m := u.Values.Shape[0], place[len(place)-1]+1
	if dense.CheckSize("output", float64(n)*float64(m)) != nil {
		return u, false
	}
	a, err := mesh.Uniform(x[0], x[0]+float64(m-1)*step, m, axes[0].Names[0])
	if err != nil {
		return u, false
	}
	all, err := mesh.New(a)
	if err != nil {
		return u, false
	}
	values := array.New(n, m)
	for k := range values.Data {
		values.Data[k] = math.NaN()
	}
	for i := range n {
		for k, v := range row(u, i) {
			values.Data[i*m+place[k]] = v
		}
	}
	return dataset.Field{Name: u.Name, Values: values, Mesh: all}, true
}
