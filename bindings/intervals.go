package bindings

import (
	"errors"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/fit"
)

// intervals are what predictions may be asked for besides.
type intervals struct {
	Level        *float64 `arg:"interval" doc:"a probability, such as 0.95: also the lower and upper limits that hold each value with it"`
	Observation  bool     `arg:"observation" doc:"limits for a new observed value, with its noise; otherwise for the output without it. The noise is that of the fit: the variance of white noise at a point is inversely proportional to the part of the output that it stands for, so larger where points are dense; where all values are measured equally well, fit with noise = array.ones(m), for m points. A point off the mesh of the data has the noise of the nearest one there" default:"false"`
	Simultaneous bool     `arg:"simultaneous" doc:"limits that hold all of an output at once, and are at least as wide; by 4000 draws from the posterior, above 0.995 also by the union bound, pointwise limits at 1 - (1 - interval)/points" default:"false"`
}

// check refuses what has no meaning together.
func (p intervals) check(std bool) error {
	switch {
	case p.Level == nil && p.Observation:
		return errors.New("observation: is about an interval; give interval = 0.95 too")
	case p.Level == nil && p.Simultaneous:
		return errors.New("simultaneous: is about an interval; give interval = 0.95 too")
	case p.Level != nil && std:
		return errors.New("std and interval: both were given; give one")
	}
	return nil
}

func (p intervals) interval() fit.Interval {
	return fit.Interval{Level: *p.Level, Observation: p.Observation, Simultaneous: p.Simultaneous}
}

// limits are predictions and the limits of intervals of half widths about them.
func limits(u, half *mat.Dense, single bool) bind.Results {
	return bind.Results{asArray(u, single), asArray(around(u, half, -1), single), asArray(around(u, half, 1), single)}
}

// drawMethod draws functions from the posterior.
func drawMethod() bind.Func {
	return bind.Fn("draw", `Draws G from its posterior or, with f, predictions: functions that are as likely as the estimate is uncertain, all points together. What is computed from each of them, such as a maximum, a zero or an integral, has the distribution that the data leave it.

Their mean is est:green or est:predict, without the noise of outputs, and their standard deviation est:std or that of est:predict. Where few data leave lambda or the kernel open, they are of all that these may be: the mean of these is another one, and est:std is the root mean square of what draws differ from est:green by.`, func(c *bind.Call, p *struct {
		Estimate estimate     `arg:"self"`
		N        int          `arg:"n" pos:"1" doc:"how many" allow:">=1"`
		F        *array.Array `arg:"f" doc:"inputs to predict for, one or several × points of xmesh; G itself is drawn without" default:"nil"`
		optionalMeshes
		Seed uint64 `arg:"seed" doc:"of the generator" default:"1"`
	},
	) (*array.Array, error) {
		d := fit.Draws{N: p.N, Seed: p.Seed, X: p.X, Y: p.Y}
		shape := []int{p.N}
		my := sizeOr(p.Y, p.Estimate.OutputMesh)
		if p.F == nil {
			shape = append(shape, sizeOr(p.X, p.Estimate.InputMesh), my)
		} else {
			f, single, err := asRows(p.F, sizeOr(p.X, p.Estimate.InputMesh))
			if err != nil {
				return nil, err
			}
			if d.F = f; !single {
				shape = append(shape, f.RawMatrix().Rows)
			}
			shape = append(shape, my)
		}
		drawn, err := p.Estimate.Draw(c, d)
		if err != nil {
			return nil, err
		}
		return &array.Array{Shape: shape, Data: drawn.RawMatrix().Data}, nil
	}, bind.Example(sampleNoisy+"G = est:draw(5)\nu = est:draw(200, {f = d.input[1]})\nprint(#G.shape, #u.shape)  --> 3\t2\nprint((u:mean(1) - est:predict(d.input[1])):max() < 0.01)  --> true"),
		bind.Returns("n × points of xmesh × points of ymesh; with f n × points of ymesh for one input, n × inputs × points of ymesh for several"),
		bind.Errors("the estimate was read from a file without its data", "more than 6000 directions of the data matter"),
		bind.Keywords("sample", "posterior", "simulate", "uncertainty", "ensemble"), bind.See("estimate:std", "estimate:predict", "random.field"))
}

// around is u + by·s.
func around(u, s *mat.Dense, by float64) *mat.Dense {
	var out mat.Dense
	out.Scale(by, s)
	out.Add(u, &out)
	return &out
}
