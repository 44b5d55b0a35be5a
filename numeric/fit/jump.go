package fit

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/lattice"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

const (
	jumpProbes = 12 // times at which G is looked at
	// Of its peak: of clean data of a response that begins with a jump G has .16 to .26 there, of one that begins at zero at most
	// .1, with 10 and 40 pairs on 25 and 49 times; of noisy data both have more.
	mayJump = .15
)

// noteJump says where the G of a system in time alone may jump from zero as an output meets the time of its input, by its constraint
// or its kernel. There
// the integral over the inputs ends at the jump, with half a step, and its sum on a mesh that has the very time counts a
// whole one: G is learned too small within a few steps, however many pairs there are. With places besides, G begins as a
// point source, which meshes resolve in other ways. Cost: a product of the kernel with the weights.
func (e *Estimate) noteJump(ctx context.Context, c constraint.Constraint) {
	space := lattice.Space(e.InputMesh, e.OutputMesh)
	if space.Dim() != 2 || space.Inputs != 1 || !ordersTimes(c, space) && !e.kernelJumps(space) {
		return
	}
	inputs, outputs := e.InputMesh.Columns()[0], e.OutputMesh.Columns()[0]
	var times []float64 // that inputs and outputs have
	for _, k := range evenly(len(outputs), jumpProbes) {
		if hasTime(inputs, outputs[k]) {
			times = append(times, outputs[k])
		}
	}
	if len(times) < 2 {
		return
	}
	x, err := mesh.Scattered(times, 1, nil, space.Names[0])
	if err != nil {
		return
	}
	g, err := e.Green(ctx, mesh.Must(x, nil), e.OutputMesh)
	if err != nil {
		return
	}
	jump, peak := 0., 0.
	for i, at := range times {
		here, most := 0., 0.
		for k, v := range g.RawRowView(i) {
			if most = max(most, math.Abs(v)); outputs[k] == at {
				here = v
			}
		}
		jump, peak = jump+here*here, peak+most*most
	}
	if jump > mayJump*mayJump*peak {
		e.Report.note(fmt.Sprintf("G near where %s meets %s", space.Names[1], space.Names[0]), "G is %.2g of its peak where %s meets %s: if it jumps there, as in a first-order system, the sum over the inputs counts the step at the jump whole, of which the integral has half, and G is learned too small within a few steps of it, by more than its bands say, which no check of the residuals sees; give inputs midway between the times of the outputs, or finer meshes",
			math.Sqrt(jump/peak), space.Names[1], space.Names[0])
	}
}

// kernelJumps reports whether functions of the kernel of an input and an output jump where the two meet: their values at the two
// sides are not one, as those on one side are. Around a circle there are no sides.
func (e *Estimate) kernelJumps(space kernel.Space) bool {
	f, err := kernels.Compile(e.Kernel, space)
	if err != nil {
		return false
	}
	x, y := e.InputMesh.Axes()[0], e.OutputMesh.Axes()[0]
	if x.Period > 0 || y.Period > 0 {
		return false
	}
	at := (y.Lower[0] + y.Upper[0]) / 2
	step := 1e-6 * (y.Upper[0] - y.Lower[0])
	correlation := func(a, b float64) float64 {
		p, q := []float64{at, at + a*step}, []float64{at, at + b*step}
		return f.At(p, q) / math.Sqrt(f.At(p, p)*f.At(q, q))
	}
	const one = .99
	return correlation(-1, 1) < one && correlation(1, 3) > one && correlation(-1, -3) > one
}

// ordersTimes reports whether a constraint puts the input before the output, or after it.
func ordersTimes(c constraint.Constraint, space kernel.Space) bool {
	names := func(input, output string) bool { return input == space.Names[0] && output == space.Names[1] }
	switch c := c.(type) {
	case constraint.Causal:
		return names(c.Input, c.Output)
	case constraint.Anticausal:
		return names(c.Input, c.Output)
	case constraint.List:
		return slices.ContainsFunc(c, func(one constraint.Constraint) bool { return ordersTimes(one, space) })
	}
	return false
}

// hasTime reports whether one of the times is another, to a hundredth of the mean step.
func hasTime(times []float64, at float64) bool {
	near := .01 * (slices.Max(times) - slices.Min(times)) / float64(len(times))
	return slices.ContainsFunc(times, func(t float64) bool { return math.Abs(t-at) <= near })
}
