package posterior

import (
	"cmp"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/lattice"
	"github.com/greenbench/workbench/internal/numeric/solve"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
	"github.com/greenbench/workbench/numeric/kernel"
)

func TestMain(m *testing.M) { testmain.Run(m) }

// spec is what a posterior is asked of.
type spec struct {
	Data         *dataset.Dataset
	Kernel, Bias kernel.Kernel // Bias nil: the mean of Kernel over the input
	NoBias, Flat bool
	Constraint   constraint.Constraint
	Lambda, Rho  float64 // Rho 0: Lambda
	amplitude    float64 // τ²; 0: one
}

func (s spec) setting() *problem.Setting {
	in := &problem.Setting{
		Data: s.Data, Kernel: s.Kernel, Bias: s.Bias, Flat: s.Flat, Constraint: s.Constraint, Lambda: s.Lambda, Rho: s.Rho,
		Tolerance: solve.DefaultTolerance, MaxIterations: 1000,
	}
	if !s.NoBias && s.Bias == nil {
		full := lattice.Space(s.Data.InputMesh, s.Data.OutputMesh)
		points, weights := s.Data.InputMesh.Nodes()
		in.Bias = kernels.Average(s.Kernel, full, full.Inputs, full.Dim(), points, weights)
	}
	return in
}

func (s spec) posterior(t *testing.T) *Posterior {
	t.Helper()
	at := problem.At(s.Lambda, cmp.Or(s.Rho, s.Lambda))
	return testmain.Must(New(t.Context(), s.setting(), at, Amplitude{Known: cmp.Or(s.amplitude, 1)}))(t)
}
