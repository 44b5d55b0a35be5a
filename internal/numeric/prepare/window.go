package prepare

import (
	"fmt"
	"math"
	"slices"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Cut says how [Windows] cuts records. All but Axis are in the units of the record's time.
type Cut struct {
	Length float64 // of the outputs of a window: 24 on an hourly record are 24 values
	Step   float64 // from the start of a window to that of the next; 0 is Length
	Lags   float64 // how far the inputs of a window reach back before its outputs
	Axis   string  // name of time on the meshes; "": the only axis, or the one called t or s
}

// Windows cuts long records into samples, one for each window: its outputs at the times
// 0, h, … of the window, h the step of the record, and the inputs at the same times and for
// Lags before them, at -Lags, …, -h. A causal response that lasts no longer than Lags is
// then wholly in the samples. Times count from the start of the window, so that all windows
// have the same meshes, and h, Length, Step and Lags are whole numbers of steps. The first
// window starts Lags after the first input; what is left at the end is dropped, and so are
// windows none of whose outputs were observed, or some of whose inputs were not. Several records are cut one after the other,
// numbers and labels staying with each. starts are the times of the records at which the
// windows start. Time is called t on all meshes, as constraints on time expect.
//
// Time is an axis of equal steps, the same in all functions; these may lack some of the
// times, where they were not observed then.
func Windows(t *dataset.Table, c Cut) (out *dataset.Table, starts []float64, err error) {
	if len(t.Fields) == 0 {
		return nil, nil, fmt.Errorf("no input is a function of time, so that there is nothing to cut")
	}
	t, gaps := filled(t, c.Axis)
	p, err := newPlan(t, c)
	if err != nil {
		return nil, nil, err
	}
	p.gaps = gaps
	rows, starts := p.observed(t)
	switch {
	case len(rows) == 0 && gaps:
		return nil, nil, fmt.Errorf("no window of length %g with lags of %g before it has an output and lies between the gaps of the input: give shorter ones", c.Length, c.Lags)
	case len(rows) == 0:
		return nil, nil, fmt.Errorf("no output was observed in any of the %d windows", p.count*t.N())
	}
	out = &dataset.Table{Missing: t.Missing}
	size := 0.0
	for k, f := range slices.Concat(t.Fields, t.Outputs) {
		size += float64(len(rows)) * float64(f.Mesh.Size()/p.axes[k].Size()) * float64(p.back+p.length)
	}
	if err := dense.CheckSize(fmt.Sprintf("length %g: %d windows", c.Length, len(rows)), size); err != nil {
		return nil, nil, err
	}
	for k, f := range t.Fields {
		cut, err := p.cut(f, k, rows, p.back)
		if err != nil {
			return nil, nil, err
		}
		out.Fields = append(out.Fields, cut)
	}
	for k, f := range t.Outputs {
		cut, err := p.cut(f, len(t.Fields)+k, rows, 0)
		if err != nil {
			return nil, nil, err
		}
		out.Outputs = append(out.Outputs, cut)
	}
	of := make([]int, len(rows))
	for i, r := range rows {
		of[i] = r.record
	}
	rest, err := (&dataset.Table{Scalars: t.Scalars, Parameters: t.Parameters, Groups: t.Groups, Outputs: t.Outputs}).Select(of)
	if err != nil {
		return nil, nil, err
	}
	out.Scalars, out.Parameters, out.Groups = rest.Scalars, rest.Parameters, rest.Groups
	return out, starts, nil
}

// plan is where windows are, in steps.
type plan struct {
	step               float64 // h
	length, next, back int     // of windows; to the next; before it
	first              float64 // time of the first window
	count              int     // windows of a record
	axes               []mesh.Axis
	place              []int // of the axis of time among those of each mesh
	gaps               bool  // inputs have some
	begin              []int // index on that axis at which the first window starts
}

// window is one of a record.
type window struct{ record, number int }

func newPlan(t *dataset.Table, c Cut) (*plan, error) {
	p := &plan{}
	from, to := math.Inf(-1), math.Inf(1) // when all functions are known; outputs are needed Lags later
	for k, f := range slices.Concat(t.Fields, t.Outputs) {
		side := input
		if k >= len(t.Fields) {
			side = output
		}
		a, place, err := timeAxis(f.Mesh, c.Axis)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", title(side, f.Name), err)
		}
		if p.step == 0 {
			p.step = a.Step
		}
		if math.Abs(a.Step-p.step) > 1e-9*p.step {
			return nil, fmt.Errorf("%s: has a value every %g, and %s one every %g: want one step for all", title(side, f.Name), a.Step, title(input, t.Fields[0].Name), p.step)
		}
		p.axes, p.place = append(p.axes, a), append(p.place, place)
		to = min(to, a.Upper[0])
	}
	var err error
	if p.length, err = p.steps("length", c.Length, 2); err != nil {
		return nil, err
	}
	if p.back, err = p.steps("lags", c.Lags, 0); err != nil {
		return nil, err
	}
	if p.next = p.length; c.Step != 0 {
		if p.next, err = p.steps("step", c.Step, 1); err != nil {
			return nil, err
		}
	}
	for k, a := range p.axes {
		start := a.Coordinates[0]
		if k < len(t.Fields) {
			start += float64(p.back) * p.step
		}
		from = max(from, start)
	}
	return p, p.locate(t, from, to, c)
}

// locate finds where the windows begin on each axis, and how many there are.
func (p *plan) locate(t *dataset.Table, from, to float64, c Cut) error {
	p.first = from
	for k, a := range p.axes {
		at := (from - a.Coordinates[0]) / p.step
		if math.Abs(at-math.Round(at)) > 1e-6 {
			return fmt.Errorf("%s: its times lie between those of the other functions: want all at the same times", title(output, slices.Concat(t.Fields, t.Outputs)[k].Name))
		}
		p.begin = append(p.begin, int(math.Round(at)))
	}
	values := int(math.Floor((to-from)/p.step+1e-6)) + 1
	if values < p.length {
		return fmt.Errorf("length %g: the record from %g to %g has %d values after the first lags of %g: want %d for a window; give a shorter length, or fewer lags",
			c.Length, p.axes[0].Coordinates[0], to, max(values, 0), c.Lags, p.length)
	}
	p.count = (values-p.length)/p.next + 1
	return nil
}

// steps is a time as a whole number of steps.
func (p *plan) steps(name string, time float64, least int) (int, error) {
	n := math.Round(time / p.step)
	switch {
	case !(time >= 0) || math.IsInf(time, 0):
		return 0, fmt.Errorf("%s %g: must be a time of at least %d steps, in the units of the record", name, time, least)
	case math.Abs(n*p.step-time) > 1e-6*p.step*max(1, n*1e-6):
		return 0, fmt.Errorf("%s %g: must be a whole number of the record's steps of %g", name, time, p.step)
	case n < float64(least):
		return 0, fmt.Errorf("%s %g: must be at least %d steps of the record, %g", name, time, least, float64(least)*p.step)
	case n > 1<<31:
		return 0, fmt.Errorf("%s %g: is %g steps of the record, more than there can be", name, time, n)
	}
	return int(n), nil
}

// timeAxis is the axis of time of a mesh and its place.
func timeAxis(m mesh.Mesh, name string) (mesh.Axis, int, error) {
	axes := m.Axes()
	place := -1
	switch {
	case name != "":
		place = slices.IndexFunc(axes, func(a mesh.Axis) bool { return slices.Contains(a.Names, name) })
	case len(axes) == 1:
		place = 0
	default:
		place = slices.IndexFunc(axes, func(a mesh.Axis) bool { return a.Dim() == 1 && (a.Names[0] == "t" || a.Names[0] == "s") })
	}
	if place < 0 {
		return mesh.Axis{}, 0, fmt.Errorf("which axis of %s is time? Name it by axis", m)
	}
	a := axes[place]
	switch {
	case a.Period > 0:
		return a, place, fmt.Errorf("its axis %s is periodic: want a record with a beginning and an end", a)
	case a.Scattered() || a.Step == 0:
		return a, place, fmt.Errorf("its times are not equally spaced: want a value every so often, some of which may be left out: resample it first")
	}
	return a, place, nil
}

// observed lists the windows in which some output was, and when they start.
func (p *plan) observed(t *dataset.Table) (rows []window, starts []float64) {
	for i := range t.N() {
		for w := range p.count {
			if p.any(t, i, w) && p.complete(t, i, w) {
				rows = append(rows, window{i, w})
				starts = append(starts, p.first+float64(w*p.next)*p.step)
			}
		}
	}
	return rows, starts
}

// complete says whether all inputs of a window are known.
func (p *plan) complete(t *dataset.Table, record, number int) bool {
	known := true
	for k, f := range t.Fields {
		if !p.gaps {
			break
		}
		p.each(f, k, window{record, number}, p.back, func(_ int, values []float64) {
			known = known && !slices.ContainsFunc(values, math.IsNaN)
		})
	}
	return known
}

func (p *plan) any(t *dataset.Table, record, number int) bool {
	if !t.Missing {
		return true
	}
	for k, f := range t.Outputs {
		seen := false
		p.each(f, len(t.Fields)+k, window{record, number}, 0, func(_ int, values []float64) {
			seen = seen || slices.ContainsFunc(values, func(v float64) bool { return !math.IsNaN(v) })
		})
		if seen {
			return true
		}
	}
	return false
}

// each visits the runs of values of a window: to is where a run belongs.
func (p *plan) each(f dataset.Field, k int, w window, back int, visit func(to int, values []float64)) {
	axes := f.Mesh.Axes()
	inner := 1
	for _, a := range axes[p.place[k]+1:] {
		inner *= a.Size()
	}
	n := p.axes[k].Size() * inner
	all, run := row(f, w.record), (back+p.length)*inner
	for outer := range len(all) / n {
		from := outer*n + (p.begin[k]+w.number*p.next-back)*inner
		visit(outer*run, all[from:from+run])
	}
}

// cut is a field in windows.
func (p *plan) cut(f dataset.Field, k int, rows []window, back int) (dataset.Field, error) {
	axes := f.Mesh.Axes()
	a, err := mesh.Uniform(float64(-back)*p.step, float64(p.length-1)*p.step, back+p.length, "t")
	if err != nil {
		return f, err
	}
	axes[p.place[k]] = a
	m, err := mesh.New(axes...)
	if err != nil {
		return f, err
	}
	values := array.New(len(rows), m.Size())
	for i, w := range rows {
		to := values.Data[i*m.Size() : (i+1)*m.Size()]
		p.each(f, k, w, back, func(at int, run []float64) { copy(to[at:], run) })
	}
	return dataset.Field{Name: f.Name, Values: values, Mesh: m}, nil
}
