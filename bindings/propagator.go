package bindings

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/network"
	"github.com/greenbench/workbench/internal/numeric/stats"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
)

// propagatorCall is what green.propagator is called with.
type propagatorCall struct {
	Data   *dataset.Dataset         `arg:"data" doc:"pairs: inputs are u at the first time, outputs u in space and at uniform times, the last axis"`
	Terms  map[string]bind.Function `arg:"terms" doc:"what is not linear in u, by name, {square = function(f, u) return u^2 end}; traced, with derivatives u:d(\"x\"). They may not have f in them" default:"{}"`
	Memory bind.Auto[int]           `arg:"memory" doc:"steps that are looked back at; auto: up to 3, as left-out pairs choose" default:"auto" allow:">=1"`
	Lambda bind.Auto[float64]       `arg:"lambda" doc:"ridge penalty: lambda times its diagonal is added to the matrix of the normal equations; auto: as left-out pairs choose" default:"auto" allow:">0"`
}

func (p *propagatorCall) fit(c *bind.Call) (*network.Propagator, error) {
	s := network.PropagatorSpec{Data: p.Data, Memory: p.Memory.Value, Lambda: p.Lambda.Value}
	if len(p.Terms) > 0 {
		d := p.Data
		t, err := dataset.NewTable(dataset.TableSpec{
			Input: map[string]*array.Array{"f": d.Input}, Output: map[string]*array.Array{"u": d.Input},
			InputMesh: dataset.Meshes{All: d.InputMesh}, OutputMesh: dataset.Meshes{All: d.InputMesh},
		})
		if err != nil {
			return nil, err
		}
		if s.Channels, err = (networkCall{Terms: p.Terms}).channels(c, t); err != nil {
			return nil, err
		}
	}
	return network.LearnPropagator(c, s)
}

// propagatorFunc declares green.propagator.
func propagatorFunc() bind.Func {
	return bind.Fn("propagator", "Learns an evolution from pairs (u at the first time, u in space and time): a step by Duhamel's formula, causal and the same at all times, so that it runs on beyond the times of the data.\n\n"+
		"Each step is u_k = β + ∫P u_(k-s) + Σ ∫G_cj φ_c(u_(k-j)), j = 0 … s, with s steps to look back at. P and G are a least-squares problem with a ridge, on a circle the same at all points; what is on both sides is solved for by Newton's method. "+
		"A fifth of the pairs is left out and run from its first time: p.report has the error.",
		func(c *bind.Call, p *propagatorCall) (*network.Propagator, error) { return p.fit(c) },
		bind.Example(samplePropagator+"print(p.report.left_out < 0.02, p.report.invariant)  --> true	true"),
		bind.Returns("a propagator"),
		bind.Errors("the input is not u at the first time", "a term is linear in u, or not finite", "left-out pairs cannot be run"),
		bind.Keywords("time", "march", "Duhamel", "burgers", "nonlinear", "evolution"), bind.See("green.network", "propagator:predict", "pde.burgers"))
}

const samplePropagator = `m = mesh.periodic(0, 1, 16)
equation = pde.burgers{mesh = m, time = mesh.uniform(0, 0.4, 9, "t"), viscosity = 0.05}
d = equation:sample{n = 20, input = {kernel = kernel.periodic{period = 1, lengthscale = 1}, scale = 0.3}}
p = green.propagator{data = d, terms = {square = function(f, u) return u^2 end}}
`

// propagatorReport is p.report.
type propagatorReport struct {
	Terms     []string     `arg:"terms" doc:"their formulas"`
	Memory    int          `arg:"memory" doc:"steps that are looked back at"`
	Lambda    float64      `arg:"lambda"`
	Invariant bool         `arg:"invariant" doc:"P and G are the same at all points of a circle"`
	LeftOut   float64      `arg:"left_out" doc:"error of running pairs that were left out from their first time on: root of the sum of squares over that of the outputs"`
	ByTime    *array.Array `arg:"by_time" doc:"the same for each time after the first"`
	Residual  float64      `arg:"residual" doc:"largest of the normal equations, relative"`
	Unknowns  int          `arg:"unknowns"`
	Seconds   float64      `arg:"seconds" doc:"wall time"`
	Advice    string       `arg:"advice" doc:"what is suspicious, one line each"`
}

// propagatorError is what propagator:error returns.
type propagatorError struct {
	stats.Summary
	ByTime *array.Array `arg:"by_time"`
}

// propagatorType is what green.propagator returns.
func propagatorType() bind.Type {
	return bind.TypeOf[*network.Propagator]("propagator", "A learned evolution: see green.propagator.",
		bind.ToString((*network.Propagator).String),
		bind.Properties(
			bind.Prop("report", "what was learned, and how far it can be trusted", func(p *network.Propagator) propagatorReport {
				r := p.Report
				return propagatorReport{slices.Clone(r.Terms), r.Memory, r.Lambda, r.Invariant, r.LeftOut, array.Vector(slices.Clone(r.ByTime)), r.Residual, r.Unknowns, r.Seconds, r.Advice}
			}),
			bind.Prop("mesh", "space", func(p *network.Propagator) mesh.Mesh { return p.Space }),
			bind.Prop("time", "times of the data", func(p *network.Propagator) mesh.Mesh { return p.Time }),
		),
		bind.Methods(
			bind.Fn("predict", "u in space and time, from u at the first time on, at the steps of the data and for as long as is asked for.", func(c *bind.Call, p *struct {
				Propagator *network.Propagator `arg:"self"`
				Start      *array.Array        `arg:"start" pos:"1" doc:"u at the first time: one function or n × points"`
				Last       *float64            `arg:"last" doc:"last time, by default that of the data; it may be later" default:"nil"`
			},
			) (bind.Results, error) {
				return predictStates(c, p.Propagator, p.Start, p.Last)
			}, bind.Example(samplePropagator+"u, info = p:predict(d.input[1], {last = 1.6})\nprint(#u, info.mesh.size, #info.notes)  --> 528	528	0"),
				bind.ReturnsAs("array", "points of info.mesh, or n × points"), bind.ReturnsAs("{mesh=, notes=}", "space times the times run to; which samples are beyond the data"),
				bind.Errors("a step has no solution, or u grows without bound"), bind.See("propagator:error")),
			bind.Fn("error", "Relative errors of running pairs from their first time on, in all and by time. The times may go on beyond those of the data it was learned from, in the same steps.", func(c *bind.Call, p *struct {
				Propagator *network.Propagator `arg:"self"`
				Data       *dataset.Dataset    `arg:"data" doc:"pairs as for green.propagator"`
			},
			) (propagatorError, error) {
				return stateErrors(c, p.Propagator, p.Data)
			}, bind.Example(samplePropagator+"e = p:error{data = d}\nprint(e.mean < 0.02, #e.by_time)  --> true	8"),
				bind.ReturnsAs("{mean=, rms=, max=, r2=, by_time=}", "as of estimate:error: mean, rms and max weigh all points of the output alike, and r2 each by its weight in the quadrature; by_time: for each time after the first, the root of the sum of squares over that of the outputs")),
			saveMethod("Writes the propagator to a .npz file that NumPy opens too.", samplePropagator, `p:save(path)
a, b = p:predict(d.input[1]), green.load(path):predict(d.input[1])
print(a:eq(b):all())  --> true`, "green.load", func(p *network.Propagator, _ context.Context, path string) error { return p.Save(path) }),
		),
	)
}

// statesInfo is what propagator:predict returns beside u.
type statesInfo struct {
	Mesh  mesh.Mesh `arg:"mesh"`
	Notes []string  `arg:"notes"`
}

// mostSteps can be run at once.
const mostSteps = 1e7

func predictStates(c *bind.Call, p *network.Propagator, start *array.Array, latest *float64) (bind.Results, error) {
	rows, single, err := asRows(start, p.Space.Size())
	if err != nil {
		return nil, err
	}
	a := p.Time.Axes()[0]
	first, last := a.Coordinates[0], a.Coordinates[a.Size()-1]
	if latest != nil {
		last = *latest
	}
	step := a.Step
	count := (last - first) / step
	switch {
	case !(count >= 0.5):
		return nil, fmt.Errorf("last %g: must be at least a step, %g, after the first time, %g", last, step, first)
	case count > mostSteps:
		return nil, fmt.Errorf("last %g: is %.2g steps of %g after the first time, %g: at most %.0e can be run at once", last, count, step, first, mostSteps)
	}
	steps := int(math.Round(count))
	if math.Abs(count-float64(steps)) > 1e-6*count {
		return nil, fmt.Errorf("last %g: must be the first time, %g, and a whole number of steps of %g", last, first, step)
	}
	u, notes, err := p.Run(c, rows, steps)
	if err != nil {
		return nil, err
	}
	on, err := p.Mesh(steps)
	if err != nil {
		return nil, err
	}
	return bind.Results{asArray(u, single), statesInfo{on, shown(c, "propagator:predict", notes)}}, nil
}

func stateErrors(c *bind.Call, p *network.Propagator, d *dataset.Dataset) (sum propagatorError, err error) {
	m := p.Space.Size()
	steps := d.OutputMesh.Size()/m - 1
	if steps < 1 {
		return sum, errors.New("data: outputs must be in space and time, as those it was learned from")
	}
	on, err := p.Mesh(steps)
	if err != nil {
		return sum, err
	}
	if !d.InputMesh.Equal(p.Space) || !d.OutputMesh.Equal(on) {
		return sum, fmt.Errorf("data: are on %s: must be on %s for this many times", d.OutputMesh, on)
	}
	n := d.Input.Shape[0]
	u, _, err := p.Run(c, mat.NewDense(n, m, d.Input.Data), steps)
	if err != nil {
		return sum, err
	}
	got := array.FromMatrix(u)
	errs, err := dataset.RelativeErrors(got, d.Output)
	if err != nil {
		return sum, err
	}
	if sum.Summary, err = stats.Summarize(errs); err != nil {
		return sum, err
	}
	if sum.R2, err = stats.R2(got, d.Output, d.OutputMesh.Weights()); err != nil {
		return sum, err
	}
	above, below := make([]float64, steps), make([]float64, steps)
	for i, v := range d.Output.Data {
		if k := i % (steps + 1); k > 0 {
			e := got.Data[i] - v
			above[k-1], below[k-1] = above[k-1]+e*e, below[k-1]+v*v
		}
	}
	for k := range above {
		above[k] = math.Sqrt(above[k] / max(below[k], math.SmallestNonzeroFloat64))
	}
	sum.ByTime = array.Vector(above)
	return sum, nil
}
