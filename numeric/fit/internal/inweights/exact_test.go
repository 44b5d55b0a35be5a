package inweights

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
	"github.com/greenbench/workbench/numeric/kernel"
)

// The criteria are the same from the eigenvectors in the space of the weights as from those in
// that of the data: eigenvectors of BᵀB would be off by 1e-8 nats at the largest eigenvalue
// already, and by hundredths in larger problems.
func TestEigenvectorsOfEitherSide(t *testing.T) {
	ctx, worst := context.Background(), 0.0
	symmetric := constraint.Symmetric{Names: []string{"x", "y"}}
	for _, c := range []struct {
		pairs, points int
		lengthscale   float64
		constraint    constraint.Constraint // with it outputs are missing; nil: time invariance, of fewer weights
	}{{20, 9, .05, symmetric}, {20, 9, .5, symmetric}, {40, 6, 2, symmetric}, {12, 3, 1, symmetric}, {4, 2, .3, symmetric}, {9, 30, .02, nil}, {9, 30, .7, nil}} {
		for _, bias := range []bool{false, true} {
			s := &problem.Setting{
				Data: smooth(t, c.pairs, c.points), Kernel: kernel.Matern{Nu: 2.5, Lengthscale: kernel.Lengthscale{c.lengthscale}},
				Constraint: c.constraint,
			}
			if bias {
				s.Bias = s.Kernel
			}
			rng := rand.New(rand.NewPCG(3, 4))
			for i := range s.Data.Output.Data {
				s.Data.Output.Data[i] += 1e-3 * rng.NormFloat64()
				if c.constraint != nil && i%11 == 3 {
					s.Data.Output.Data[i], s.Data.Missing = math.NaN(), true
				}
			}
			if c.constraint == nil {
				s.Constraint = constraint.TimeInvariant{Input: "x", Output: "y"}
			}
			w, _, err := NewSpace(ctx, s, latticeAt(t, s))
			if err != nil {
				t.Fatal(err)
			}
			if err := w.precondition(ctx, s); err != nil {
				t.Fatal(err)
			}
			if unknowns, _ := w.Dims(); unknowns >= len(w.T) {
				t.Fatalf("%+v: %d weights for %d data", c, unknowns, len(w.T))
			}
			ratio := 1.0
			if bias {
				ratio = w.ratioUnit()
				diagonalOfBias(t, w, s.Data.OutputMesh.Weights())
			}
			var of [2]*criteria.Diagonalised
			at := *w
			at.Lambda, at.Rho = 1, ratio
			for i, diagonalise := range []func(context.Context, *criteria.Diagonalised) error{at.diagonaliseWeights, at.diagonaliseData} {
				of[i] = &criteria.Diagonalised{RSS0: w.RSS0, Outputs: w.Outputs(), Values: w.newSpectrum(ratio).Values, Ratio: ratio}
				if err := diagonalise(ctx, of[i]); err != nil {
					t.Fatal(err)
				}
			}
			for level := 1e2; level > 1e-13; level /= 10 {
				for _, r := range []float64{ratio, 1e-3 * ratio} {
					a, b := of[0].At(r), of[1].At(r)
					va := testmain.Must(a.Sheet(ctx, level*b.Top()))(t)
					vb := testmain.Must(b.Sheet(ctx, level*b.Top()))(t)
					// The data's matrix is off by rounding of its largest eigenvalue in each of its
					// many small ones.
					limit := 1e-10 + 0x1p-52*float64(len(w.T))/level
					off := max(math.Abs(va.REML-vb.REML), math.Abs(va.LogDet-vb.LogDet), math.Abs(math.Log(va.GCV/vb.GCV)))
					worst = max(worst, off/limit)
					if !(off <= limit) {
						t.Errorf("%v, bias %t, λ = %g of the largest, ρ/λ × %g: REML %.12g, want %.12g; log det %.12g, want %.12g; GCV %.12g, want %.12g",
							c, bias, level, r/ratio, va.REML, vb.REML, va.LogDet, vb.LogDet, va.GCV, vb.GCV)
					}
				}
			}
		}
	}
	t.Logf("largest deviation %.2g of what is allowed", worst)
}

// diagonalOfBias compares the sum of the diagonal of the kernel of the bias in a basis with its integral over the mesh.
func diagonalOfBias(t *testing.T, w *Space, weights []float64) {
	t.Helper()
	integral := 0.0
	for i, dy := range weights {
		e, column := make([]float64, len(weights)), make([]float64, len(weights))
		e[i] = 1
		w.Q.Apply(t.Context(), column, e)
		integral += dy * column[i]
	}
	if sum := floats.Sum(w.qd); !(math.Abs(sum-integral) <= 1e-12*integral) {
		t.Errorf("the diagonal of the bias has the sum %.12g, its integral is %.12g", sum, integral)
	}
}

// A space that grows until the choice in it is settled chooses the λ that all eigenvalues choose, as far as eight random probes
// tell the determinant, with ρ/λ given or
// free, and says that it is settled.
func TestGrowingSpacesChooseAsAllEigenvaluesDo(t *testing.T) {
	for _, free := range []bool{false, true} {
		s := &problem.Setting{
			Data: smooth(t, 20, 16), Kernel: kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{.3}},
			Constraint: constraint.Symmetric{Names: []string{"x", "y"}},
		}
		rng := rand.New(rand.NewPCG(3, 4))
		for i := range s.Data.Output.Data {
			s.Data.Output.Data[i] += 3e-3 * rng.NormFloat64()
		}
		q := criteria.Search{By: criteria.REML}
		if q.Penalty.Ratio = 1; free {
			s.Bias = s.Kernel
		}
		w, _, err := NewSpace(t.Context(), s, latticeAt(t, s))
		if err != nil {
			t.Fatal(err)
		}
		if err := w.precondition(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		unit := 0.0
		if free {
			unit = w.ratioUnit()
			q.Penalty.Ratio = unit
		}
		grown := w.newGrowing(q.Penalty.Ratio)
		got, err := grown.grow(t.Context(), s, q, unit)
		if err != nil {
			t.Fatal(err)
		}
		q.Outputs = float64(w.Outputs())
		want, _, err := w.followSpectrum(t.Context(), s, q)
		if err != nil {
			t.Fatal(err)
		}
		if off := math.Abs(math.Log(got.Lambda / want.Lambda)); !(off <= .3) || got.Unsettled {
			t.Errorf("free ratio %t: λ is %g, by all eigenvalues %g (unsettled %t)", free, got.Lambda, want.Lambda, got.Unsettled)
		}
	}
}
