package fit

import (
	"context"
	"math"
	"slices"

	"github.com/greenbench/workbench/internal/numeric/lattice"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/kernel"
)

const (
	jumpProbes = 24  // points of the meshes where G is looked at
	largeJump  = 0.5 // of G where both times are one, over G elsewhere: 1.4 for a response that is constant
)

// noteJump says where G jumps from zero as an output meets the time of its input. There the
// integral over the inputs ends at the jump, with half a step, and its sum on a mesh that has
// the very time counts a whole one: G is learned too small within a few steps, however many
// pairs there are.
func (e *Estimate) noteJump(ctx context.Context, c constraint.Constraint) {
	space := lattice.Space(e.InputMesh, e.OutputMesh)
	s, t, ok := causalTimes(c, space)
	if !ok {
		return
	}
	var jump, size float64
	x, y := make([]float64, e.InputMesh.Dim()), make([]float64, e.OutputMesh.Dim())
	for k := range jumpProbes {
		e.InputMesh.Point(x, spread(k, e.InputMesh.Size(), .6180339887))
		e.OutputMesh.Point(y, spread(k, e.OutputMesh.Size(), .7548776662))
		if !e.hasOutputAt(t-space.Inputs, x[s]) {
			continue
		}
		elsewhere, err := e.At(ctx, x, y)
		if err != nil {
			return
		}
		y[t-space.Inputs] = x[s]
		here, err := e.At(ctx, x, y)
		if err != nil {
			return
		}
		jump, size = jump+here*here, size+elsewhere*elsewhere
	}
	if jump > largeJump*largeJump*size {
		e.Report.note("G jumps where %s meets %s, to %.2g times what it is elsewhere: the sum over the inputs counts the step at the jump whole, of which the integral has half, so that G is learned too small within a few steps of it; give inputs midway between the times of the outputs, or finer meshes",
			space.Names[t], space.Names[s], math.Sqrt(jump/size))
	}
}

// spread is the k-th of points that spread evenly over n of them: the multiples of a ratio, without
// what is whole of them.
func spread(k, n int, ratio float64) int {
	_, part := math.Modf((float64(k) + .5) * ratio)
	return min(n-1, int(part*float64(n)))
}

// causalTimes are the coordinates of the input and of the output that a constraint orders in time.
func causalTimes(c constraint.Constraint, space kernel.Space) (s, t int, ok bool) {
	s, t = -1, -1
	switch c := c.(type) {
	case constraint.Causal:
		s, t = slices.Index(space.Names, c.Input), slices.Index(space.Names, c.Output)
	case constraint.Anticausal:
		s, t = slices.Index(space.Names, c.Input), slices.Index(space.Names, c.Output)
	case constraint.List:
		for _, one := range c {
			if s, t, ok = causalTimes(one, space); ok {
				return s, t, ok
			}
		}
	}
	return s, t, s >= 0 && t >= space.Inputs
}

// hasOutputAt reports whether a point of the output mesh has a time, to a hundredth of the mean step.
func (e *Estimate) hasOutputAt(axis int, time float64) bool {
	times := e.OutputMesh.Columns()[axis]
	near := .01 * (slices.Max(times) - slices.Min(times)) / float64(len(times))
	return slices.ContainsFunc(times, func(t float64) bool { return math.Abs(t-time) <= near })
}
