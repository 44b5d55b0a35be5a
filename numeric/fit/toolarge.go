package fit

import (
	"math"
	"math/rand/v2"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/lattice"
	"github.com/greenbench/workbench/internal/numeric/outputs"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
	"github.com/greenbench/workbench/numeric/mesh"
)

// notByLandmarks says why a fit cannot be made on landmarks, "" where it can.
func (s *Spec) notByLandmarks() string {
	d := s.Data
	_, union := s.Kernel.(kernels.DirectSum)
	switch e := d.Errors; {
	case s.Kernel == nil:
		return "the kernel is not known yet"
	case s.Dense:
		return "method \"dense\" is the definition"
	case s.Constraint != nil:
		return "a constraint maps landmarks to where there are none"
	case union || d.OfCurves():
		return "a sum over several inputs, or curves on points of their own, have no kernel of one side"
	case outputs.Missing(d):
		return "outputs are missing: what is left of each pair has another projection on the functions of the landmarks"
	case e != nil && (e.Values != nil || e.Covariance != nil):
		return "errors that differ from value to value, or are correlated, have another projection on the functions of the landmarks for each pair, or a covariance between all points"
	case len(d.InputMesh.Axes()) > 1 && len(d.OutputMesh.Axes()) > 1:
		return "products of axes have structures of their own"
	}
	return ""
}

const (
	mostExactPoints = 600  // of a side that has no structure, for a kernel that is no product
	mostSplitPoints = 3000 // for one that is
)

// tooLarge reports whether a side has to be reduced for the fit to be affordable.
func (s *Spec) tooLarge() (bool, error) {
	x, y := s.Data.InputMesh, s.Data.OutputMesh
	most := 0
	for _, m := range []mesh.Mesh{x, y} {
		if a := m.Axes(); len(a) == 1 && a[0].Scattered() {
			most = max(most, m.Size())
		}
	}
	if most <= mostExactPoints || s.Structure != "" {
		return false, nil
	}
	if most > mostSplitPoints {
		return true, nil
	}
	product, err := s.isProduct()
	return !product, err
}

// isProduct looks at random points for whether the kernel is one of input and output.
func (s *Spec) isProduct() (bool, error) {
	x, y := s.Data.InputMesh, s.Data.OutputMesh
	f, err := kernels.Compile(s.Kernel, lattice.Space(x, y))
	if err != nil {
		return false, err
	}
	draw, at := rand.New(rand.NewPCG(1, 3)), lattice.Centre(x, y)
	x0, y0, unit := at[:x.Dim()], at[x.Dim():], f.At(at, at)
	a, b, c, d := problem.PointOf(x), problem.PointOf(y), problem.PointOf(x), problem.PointOf(y)
	for range problem.SplitPairs {
		problem.RandomPair(draw, x, a, c)
		problem.RandomPair(draw, y, b, d)
		kx, ky := f.At(problem.Beside(a, y0), problem.Beside(c, y0)), f.At(problem.Beside(x0, b), problem.Beside(x0, d))
		if math.Abs(f.At(problem.Beside(a, b), problem.Beside(c, d))*unit-kx*ky) > problem.SplitTolerance*unit*unit {
			return false, nil
		}
	}
	return true, nil
}
