package problem

import (
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/kernel"
)

// Balanced is the question with the inputs of each part of a direct sum in a unit in which
// they are as large as those of the others; λ and ρ stay what they are. A part whose kernel is
// small beside another only because its inputs are large would be lost in the roots of the
// kernel, and the choice would depend on units.
func (q *Question) Balanced() *Question {
	sum, ok := q.Setting.Kernel.(kernels.DirectSum)
	if !ok {
		return q
	}
	f, _ := q.Setting.Data.Matrices()
	sizes := PartSizes(sum, f)
	d, s := *q.Setting.Data, *q.Setting
	var inverse []float64
	for t, p := range sum.Parts {
		inverse = append(inverse, slices.Repeat([]float64{1 / sizes[t]}, p.On.Size())...)
	}
	d.Input = d.Input.Copy()
	linop.TimesRows(d.Input.Data, inverse)
	s.Data, s.Kernel = &d, BalancedSum(sum, sizes)
	return &Question{Setting: &s}
}

// BalancedSum is the kernel for inputs divided by the sizes.
func BalancedSum(sum kernels.DirectSum, sizes []float64) kernels.DirectSum {
	out := kernels.DirectSum{Output: sum.Output}
	for t, p := range sum.Parts {
		out.Parts = append(out.Parts, kernels.Summand{Kernel: kernel.Scaled{Factor: sizes[t] * sizes[t], Kernel: p.Kernel}, On: p.On})
	}
	return out
}

// smallestPart is the size of a part without inputs.
const smallestPart = 1e-100

// PartSizes are the norms of the inputs of each part, those of the largest being one.
func PartSizes(sum kernels.DirectSum, inputs *mat.Dense) []float64 {
	rows, at := inputs.RawMatrix().Rows, 0
	sizes := make([]float64, len(sum.Parts))
	for t, p := range sum.Parts {
		sizes[t] = mat.Norm(inputs.Slice(0, rows, at, at+p.On.Size()), 2)
		at += p.On.Size()
	}
	if most := floats.Max(sizes); most > 0 {
		floats.Scale(1/most, sizes)
	}
	for t := range sizes {
		sizes[t] = max(sizes[t], smallestPart)
	}
	return sizes
}
