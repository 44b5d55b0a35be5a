package term

import (
	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Curve is the mean of what the kernels of the terms are on the output, each of unit size there, whatever
// the unit of its inputs; noise has no part in it.
func Curve(terms []*Term, out mesh.Mesh) kernel.Kernel {
	if last := len(terms) - 1; last > 0 && terms[last].Kind == Noise {
		terms = terms[:last]
	}
	factors := make([]float64, len(terms))
	for i := range terms {
		factors[i] = 1
		alone := Sum(terms[i:i+1], factors[i:i+1], out)
		if size, err := alone.Trace(0); err == nil && size > 0 {
			factors[i] = floats.Sum(terms[i].On.Weights()) / size
		}
	}
	largest := floats.Max(factors)
	floats.Scale(1/largest, factors)
	return Sum(terms, factors, out).OnOutput()
}

// Sum is the kernel of the terms with factors.
func Sum(terms []*Term, factors []float64, out mesh.Mesh) kernels.DirectSum {
	k := kernels.DirectSum{Output: out}
	for i, t := range terms {
		k.Parts = append(k.Parts, kernels.Summand{Kernel: Scaled(t.Kernel, factors[i]), On: t.On})
	}
	return k
}

func Scaled(k kernel.Kernel, factor float64) kernel.Kernel {
	if factor == 1 {
		return k
	}
	return kernel.Scaled{Factor: factor, Kernel: k}
}
