package theory_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/pde"
	"github.com/greenbench/workbench/internal/numeric/randfield"
	"github.com/greenbench/workbench/internal/numeric/theory"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

var ctx = context.Background()

func interval(n int) mesh.Mesh { return mesh.Must(mesh.Uniform(0, 1, n, "")) }

// The Brownian bridge has the eigenvalues 1/(kπ)²; on a uniform mesh with step h
// they are exactly (h / (2 sin(kπh/2)))², since sin(kπx) is an eigenvector of its
// matrix, the inverse of second differences.
func TestEigenvaluesOfTheBrownianBridge(t *testing.T) {
	values, err := theory.Eigenvalues(ctx, kernel.BrownianBridge{Upper: 1}, interval(41))
	if err != nil {
		t.Fatal(err)
	}
	for k := 1; k <= 39; k++ {
		if want := bridgeEigenvalue(k, 41); math.Abs(values[k-1]-want) > 1e-12*values[0] {
			t.Errorf("eigenvalue %d is %.15g, want %.15g", k, values[k-1], want)
		}
	}
	if values, err = theory.Eigenvalues(ctx, kernel.BrownianBridge{Upper: 1}, mesh.Must(mesh.Gauss(0, 1, 120, ""))); err != nil {
		t.Fatal(err)
	}
	for k := 1; k <= 5; k++ {
		if want := 1 / math.Pow(math.Pi*float64(k), 2); math.Abs(values[k-1]-want) > 5e-3*want {
			t.Errorf("on Gauss points eigenvalue %d is %.8g, want %.8g", k, values[k-1], want)
		}
	}
	d, err := theory.FitDecay(values, false)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(d.Rate-2) > 0.1 || d.Exponential {
		t.Errorf("decay %+v, want k^-2", d)
	}
}

func bridgeEigenvalue(k, m int) float64 {
	h := 1 / float64(m-1)
	s := h / (2 * math.Sin(float64(k)*math.Pi*h/2))
	return s * s
}

// Laws are recovered exactly, whatever the order of the values.
func TestFitDecay(t *testing.T) {
	power, exponential := make([]float64, 200), make([]float64, 30)
	for i := range power {
		power[len(power)-1-i] = 7 * math.Pow(float64(i+1), -1.5)
	}
	for i := range exponential {
		exponential[i] = 2 * math.Exp(-0.7*float64(i+1))
	}
	for _, all := range []bool{true, false} {
		if d, err := theory.FitDecay(power, all); err != nil || d.Exponential || math.Abs(d.Rate-1.5) > 1e-12 {
			t.Errorf("%+v, %v; want k^-1.5", d, err)
		}
		if d, err := theory.FitDecay(exponential, all); err != nil || !d.Exponential || math.Abs(d.Rate-0.7) > 1e-12 {
			t.Errorf("%+v, %v; want exp(-0.7 k)", d, err)
		}
	}
	// The first value obeys no law yet: what it is makes no difference.
	power[len(power)-1] *= 100
	if d, err := theory.FitDecay(power, true); err != nil || d.From != 2 || math.Abs(d.Rate-1.5) > 1e-12 || d.Fit < 1-1e-12 {
		t.Errorf("%+v, %v; want k^-1.5 from 2 on", d, err)
	}
	if _, err := theory.FitDecay([]float64{1, 0.5, 0, -1}, true); err == nil || !strings.Contains(err.Error(), "2 of 4 are positive") {
		t.Errorf("%v", err)
	}
}

// bridgeData are inputs √(n μ_i) √2 sin(iπx), so that Σ_F is Σ μ_i φ_i φ_i exactly.
func bridgeData(t *testing.T, m, n int) (*dataset.Dataset, []float64) {
	t.Helper()
	x := interval(m)
	in, mu := array.New(n, m), make([]float64, n)
	for i := range n {
		mu[i] = 1 / math.Pow(math.Pi*float64(i+1), 2)
		for j, v := range x.Points() {
			in.Set(math.Sqrt(float64(n)*mu[i])*math.Sqrt2*math.Sin(math.Pi*float64(i+1)*v), i, j)
		}
	}
	d, err := dataset.New(dataset.Spec{Input: in, Output: array.New(n, m), InputMesh: x, OutputMesh: x})
	if err != nil {
		t.Fatal(err)
	}
	return d, mu
}

// Where the inputs and the kernel have the same eigenfunctions γ_ij = μ_i ρ_ij
// (paper, proposition 4.3): inputs like Brownian bridges, and the kernel of
// functions that vanish on the boundary of the square.
func TestSimultaneousOfCommutingOperators(t *testing.T) {
	const m, n = 21, 8
	d, mu := bridgeData(t, m, n)
	var want []float64
	for i, v := range mu {
		for j := 1; j <= m-2; j++ {
			want = append(want, v*bridgeEigenvalue(i+1, m)*bridgeEigenvalue(j, m))
		}
	}
	slices.Sort(want)
	slices.Reverse(want)
	got, err := theory.Simultaneous(ctx, d, kernel.BrownianBridge{Upper: 1}, 3)
	if err != nil {
		t.Fatal(err)
	}
	for k, v := range want {
		if math.Abs(got.Gamma[k]-v) > 1e-12*want[0] {
			t.Fatalf("γ_%d = %.15g, want %.15g", k+1, got.Gamma[k], v)
		}
	}
	// Ω_11 = φ_1 ⊗ φ_1 / √μ_1.
	x := d.InputMesh.Points()
	for i, a := range x {
		for j, b := range x {
			v := 2 * math.Sin(math.Pi*a) * math.Sin(math.Pi*b) / math.Sqrt(mu[0])
			if math.Abs(math.Abs(got.Omega[0].At(i, j))-math.Abs(v)) > 1e-9*math.Pi {
				t.Fatalf("|Ω_1(%g, %g)| = %g, want %g", a, b, got.Omega[0].At(i, j), v)
			}
		}
	}
}

// For any kernel ⟨Ω_i, Ω_j⟩ in Σ_F is δ_ij, the closed form of separable kernels is
// what dense eigenvectors give, and Σ γ is the trace of Σ_F ⊗ I and K.
func TestSimultaneousOfAnyKernel(t *testing.T) {
	d := smooth(t, 9, 6)
	in, err := d.Input.Matrix()
	if err != nil {
		t.Fatal(err)
	}
	w := d.InputMesh.Weights()
	weighted := mat.DenseCopyOf(in)
	weighted.Apply(func(_, j int, v float64) float64 { return v * w[j] / math.Sqrt(6) }, weighted)
	for _, k := range []kernel.Kernel{
		kernel.SE{Lengthscale: kernel.Lengthscale{0.5}}, // a product
		kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{0.5}},
	} {
		got, err := theory.Simultaneous(ctx, d, k, 4)
		if err != nil {
			t.Fatal(err)
		}
		f, err := kernels.Compile(k, kernel.Space{Names: []string{"x", "y"}, Inputs: 1})
		if err != nil {
			t.Fatal(err)
		}
		trace, x := 0.0, d.InputMesh.Points()
		for i := range 6 {
			row := weighted.RawRowView(i)
			for b, y := range x {
				for j, v := range row {
					for l, u := range row {
						trace += w[b] * v * u * f.At([]float64{x[j], y}, []float64{x[l], y})
					}
				}
			}
		}
		sum := 0.0
		for _, g := range got.Gamma {
			sum += g
		}
		if math.Abs(sum-trace) > 1e-10*trace {
			t.Errorf("%s: Σ γ = %.15g, trace %.15g", k, sum, trace)
		}
		for i, a := range got.Omega {
			var fa mat.Dense
			fa.Mul(weighted, a)
			for j, b := range got.Omega {
				var fb mat.Dense
				fb.Mul(weighted, b)
				dot := 0.0
				for r := range 6 {
					dot += inner(fa.RawRowView(r), fb.RawRowView(r), w)
				}
				if math.Abs(dot-map[bool]float64{true: 1}[i == j]) > 1e-7 {
					t.Errorf("%s: ⟨Ω_%d, Ω_%d⟩ = %g", k, i+1, j+1, dot)
				}
			}
		}
	}
}

// Prediction errors fall about as fast as the theory promises: Poisson's G at the edge of
// the space of the kernel of functions that vanish on the boundary, inputs like
// Brownian bridges.
func TestRate(t *testing.T) {
	m := interval(25)
	g, err := pde.Green(ctx, pde.Poisson{Mesh: m}, m, m)
	if err != nil {
		t.Fatal(err)
	}
	bridge := kernel.BrownianBridge{Upper: 1}
	s := theory.RateStudy{
		Kernel: bridge, Input: bridge, InputMesh: m, OutputMesh: m, Green: g,
		Noise: 0.01, N: []int{20, 40, 80, 160, 320}, Repeat: 6, Seed: 1,
	}
	r, err := s.Run(ctx)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v", r)
	if !(r.Slope < 0.85*r.Predicted) {
		t.Errorf("slope %.3f, the theory promises %.3f", r.Slope, r.Predicted)
	}
	if math.Abs(r.Predicted+r.Decay/(r.Decay+1)) > 1e-12 || len(r.Error) != 5 {
		t.Errorf("%+v", r)
	}
	s.N = []int{20, 20}
	if _, err := s.Run(ctx); err == nil || !strings.Contains(err.Error(), "two different") {
		t.Errorf("%v", err)
	}
}

// smooth are n random inputs on m points; the outputs do not matter.
func smooth(t *testing.T, m, n int) *dataset.Dataset {
	t.Helper()
	x := interval(m)
	f, err := randfield.Field{Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{0.2}}, Mesh: x, N: n, Seed: 3}.Draw(ctx)
	if err != nil {
		t.Fatal(err)
	}
	d, err := dataset.New(dataset.Spec{Input: f, Output: array.New(n, m), InputMesh: x, OutputMesh: x})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func inner(a, b, w []float64) float64 {
	sum := 0.0
	for i, v := range w {
		sum += a[i] * v * b[i]
	}
	return sum
}
