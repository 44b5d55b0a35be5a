package pde_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/pde"
	"github.com/greenbench/workbench/internal/numeric/randfield"
	"github.com/greenbench/workbench/numeric/mesh"
)

// contract is what the tests know of one line of the catalog: a family of problems
// of which the answer is known.
type contract struct {
	sizes   []int
	problem func(n int) pde.Problem // n points along each axis
	input   func(x []float64) float64
	output  func(p pde.Problem, y []float64) float64 // the answer to input
	// smooth tells where the Green's function computed column by column is to be
	// compared with the closed form, and tolerance how well it must agree there.
	smooth    func(x, y []float64) bool
	tolerance float64
}

func everywhere(_, _ []float64) bool { return true }

func axis(a, b float64, n int, name string) mesh.Mesh { return mesh.Must(mesh.Uniform(a, b, n, name)) }

func square(n int) mesh.Mesh {
	m, err := mesh.Product(axis(0, 1, n, "x"), axis(0, 1, n, "y"))
	if err != nil {
		panic(err)
	}
	return m
}

var x0 = expr.Var(0, "x")

// byGreen is β(y) + ∫ G(x,y) f(x) dx from the closed form, by Gauss points on both
// sides of the kink.
func byGreen(f func(x []float64) float64) func(pde.Problem, []float64) float64 {
	return func(p pde.Problem, y []float64) float64 {
		k := p.(pde.Known)
		return pde.BiasAt(k, y) + integrate(0, y[0], k, y, f) + integrate(y[0], 1, k, y, f)
	}
}

func integrate(a, b float64, p pde.Known, y []float64, f func(x []float64) float64) float64 {
	if b <= a {
		return 0
	}
	ax, err := mesh.Gauss(a, b, 40, "x")
	if err != nil {
		return 0
	}
	s := 0.0
	for i := range ax.Weights {
		x := ax.Coordinates[i : i+1]
		s += ax.Weights[i] * pde.GreenAt(p, x, y) * f(x)
	}
	return s
}

func wave(x []float64) float64 { return math.Exp(x[0]) * math.Cos(3*x[0]) }

// contracts has one line for every line of the catalog.
func contracts() map[string]contract {
	return map[string]contract{
		"poisson": {
			sizes:   []int{41, 81, 161, 321},
			problem: func(n int) pde.Problem { return pde.Poisson{Mesh: interval(n), Left: -0.1, Right: 0.1} },
			input:   wave, output: byGreen(wave),
			smooth: everywhere, tolerance: 1e-12, // three-point differences give G at the nodes exactly
		},
		"helmholtz": {
			sizes:   []int{41, 81, 161, 321},
			problem: func(n int) pde.Problem { return pde.Helmholtz{Mesh: interval(n), Omega: 20, Left: -0.1, Right: 0.1} },
			input:   wave, output: byGreen(wave),
			smooth: everywhere, tolerance: 0.2, // ω h = 0.5: the differences are coarse
		},
		"schrodinger": {
			sizes:   []int{9, 17, 33, 65},
			problem: func(n int) pde.Problem { return pde.Schrodinger{Mesh: square(n), Potential: pde.Constant(4)} },
			input: func(s []float64) float64 { // arc length to the point on the boundary
				at := s[0]
				switch {
				case at <= 1:
					return plane(nil, []float64{0, at})
				case at <= 2:
					return plane(nil, []float64{at - 1, 1})
				case at <= 3:
					return plane(nil, []float64{1, 3 - at})
				}
				return plane(nil, []float64{4 - at, 0})
			},
			output: plane,
		},
		"fokker_planck": {
			sizes: []int{41, 81, 161, 321},
			problem: func(n int) pde.Problem {
				return pde.FokkerPlanck{
					Mesh: axis(-6, 6, n, "x"), Time: axis(0, 1, 5, "t"), Diffusivity: 0.3, Drag: 2,
					Potential: pde.Formula{Node: expr.Div(expr.Mul(x0, x0), expr.Const(2))},
				}
			},
			input:  func(x []float64) float64 { return ornsteinUhlenbeck(nil, []float64{x[0], 0}) },
			output: ornsteinUhlenbeck,
		},
		"heat": {
			sizes: []int{41, 81, 161},
			problem: func(n int) pde.Problem {
				return pde.Heat{Mesh: interval(n), Time: axis(0, 1, n, "t"), Alpha: 0.1}
			},
			input: func(x []float64) float64 {
				return math.Sin(math.Pi*x[0])*math.Cos(3*x[1]) - 0.5*math.Sin(3*math.Pi*x[0])
			},
			output: warmed,
			// Backward Euler does not see the input at the first time.
			smooth: func(x, y []float64) bool { return x[1] > 0 && y[1]-x[1] > 0.3 }, tolerance: 0.05,
		},
		"advection_diffusion": {
			sizes: []int{41, 81, 161},
			problem: func(n int) pde.Problem {
				return pde.AdvectionDiffusion{Mesh: interval(n), Time: axis(0, 1, 6, "t"), Velocity: 1, Diffusivity: 0.1}
			},
			input:  func(x []float64) float64 { return carried(nil, []float64{x[0], 0}) },
			output: carried,
			smooth: func(x, y []float64) bool { return y[1] > 0.2 }, tolerance: 0.02,
		},
		"wave": {
			sizes: []int{41, 81, 161},
			problem: func(n int) pde.Problem {
				return pde.Wave{Mesh: interval(n), Time: axis(0, 1, n, "t"), Speed: 1}
			},
			input: func(x []float64) float64 { return math.Sin(math.Pi*x[0]) * math.Cos(2*x[1]) },
			output: func(_ pde.Problem, y []float64) float64 {
				return math.Sin(math.Pi*y[0]) * (math.Cos(2*y[1]) - math.Cos(math.Pi*y[1])) / (math.Pi*math.Pi - 4)
			},
			// Behind the first front, before the first reflection: a wave of short
			// period follows every front.
			smooth: func(x, y []float64) bool {
				reach := y[1] - x[1]
				return x[1] > 0 && math.Abs(x[0]-y[0]) < reach-0.15 && x[0]+y[0] > reach+0.15 && 2-x[0]-y[0] > reach+0.15
			}, tolerance: 0.25,
		},
		"airy": {
			sizes:   []int{41, 81, 161, 321},
			problem: func(n int) pde.Problem { return pde.Airy{Mesh: interval(n), Kappa: 10, Left: 1, Right: -2} },
			input:   wave, output: byGreen(wave),
			smooth: everywhere, tolerance: 0.02,
		},
		"beam": {
			sizes: []int{21, 41, 81},
			problem: func(n int) pde.Problem {
				return pde.Beam{Mesh: interval(n), Stiffness: pde.Formula{Node: expr.Add(num(1), expr.Mul(ex, ex))}}
			},
			input: wave, output: byGreen(wave),
			smooth: everywhere, tolerance: 0.01,
		},
		"convected_helmholtz": {
			sizes: []int{41, 81, 161, 321},
			problem: func(n int) pde.Problem {
				return pde.ConvectedHelmholtz{Mesh: interval(n), Velocity: linear(1, 3, ex), Wavenumber: linear(5, 4, ex), Left: 0, Right: math.Sin(4)}
			},
			// Made for u = sin 4x.
			input: func(x []float64) float64 {
				k := 5 + 4*x[0]
				return 16*math.Sin(4*x[0]) + (1+3*x[0])*4*math.Cos(4*x[0]) - k*k*math.Sin(4*x[0])
			},
			output: func(_ pde.Problem, y []float64) float64 { return math.Sin(4 * y[0]) },
		},
		"poisson2d": {
			sizes:   []int{9, 17, 33, 65},
			problem: func(n int) pde.Problem { return pde.Poisson2D{Mesh: square(n), Boundary: 3} },
			input: func(x []float64) float64 {
				return 2*math.Pi*math.Pi*math.Sin(math.Pi*x[0])*math.Sin(math.Pi*x[1]) + 13*math.Pi*math.Pi*math.Sin(2*math.Pi*x[0])*math.Sin(3*math.Pi*x[1])
			},
			output: func(_ pde.Problem, y []float64) float64 {
				return 3 + math.Sin(math.Pi*y[0])*math.Sin(math.Pi*y[1]) + math.Sin(2*math.Pi*y[0])*math.Sin(3*math.Pi*y[1])
			},
			smooth: func(x, y []float64) bool { return math.Hypot(x[0]-y[0], x[1]-y[1]) > 0.1 }, tolerance: 0.02,
		},
		"biharmonic": {
			sizes:   []int{9, 17, 33},
			problem: func(n int) pde.Problem { return pde.Biharmonic{Mesh: square(n)} },
			input: func(x []float64) float64 {
				return 25*math.Pow(math.Pi, 4)*math.Sin(math.Pi*x[0])*math.Sin(2*math.Pi*x[1]) + 4*math.Pow(math.Pi, 4)*math.Sin(math.Pi*x[0])*math.Sin(math.Pi*x[1])
			},
			output: func(_ pde.Problem, y []float64) float64 {
				return math.Sin(math.Pi*y[0])*math.Sin(2*math.Pi*y[1]) + math.Sin(math.Pi*y[0])*math.Sin(math.Pi*y[1])
			},
			smooth: everywhere, tolerance: 0.02,
		},
		"oscillator": {
			sizes:   []int{41, 81, 161, 321},
			problem: func(n int) pde.Problem { return pde.Oscillator{Time: axis(0, 1, n, "t"), C: 1, Omega: 10} },
			input:   wave, output: byGreen(wave),
			smooth: everywhere, tolerance: 0.1, // ω h = 0.5
		},
	}
}

// plane solves Δu = 4u on the square.
func plane(_ pde.Problem, y []float64) float64 {
	return math.Exp(2*(0.6*y[0]+0.8*y[1])) + math.Exp(2*(y[0]-1))
}

// ornsteinUhlenbeck is the density of particles in the potential x²/2 with drag 2
// and diffusivity 0.3 that start as a Gaussian of mean 1 and variance 0.25: it stays
// a Gaussian (Gardiner, Handbook of Stochastic Methods, section 3.8.4).
func ornsteinUhlenbeck(_ pde.Problem, y []float64) float64 {
	decay := math.Exp(-y[1] / 2)
	mean, variance := decay, 0.25*decay*decay+0.3*2*(1-decay*decay)
	d := y[0] - mean
	return math.Exp(-d*d/(2*variance)) / math.Sqrt(2*math.Pi*variance)
}

// warmed is the heat equation's answer to sin πx cos 3t - ½ sin 3πx, mode by mode.
func warmed(_ pde.Problem, y []float64) float64 {
	x, t := y[0], y[1]
	a, b := 0.1*math.Pi*math.Pi, 0.9*math.Pi*math.Pi
	first := (a*math.Cos(3*t) + 3*math.Sin(3*t) - a*math.Exp(-a*t)) / (a*a + 9)
	return math.Sin(math.Pi*x)*first - 0.5*math.Sin(3*math.Pi*x)*(1-math.Exp(-b*t))/b
}

// carried solves the advection–diffusion equation with velocity 1 and diffusivity 0.1:
// the first two modes times e^(5x).
func carried(_ pde.Problem, y []float64) float64 {
	mode := func(k float64) float64 {
		return math.Sin(k*math.Pi*y[0]) * math.Exp(-0.1*k*k*math.Pi*math.Pi*y[1])
	}
	return math.Exp(5*(y[0]-1)-2.5*y[1]) * (mode(1) + mode(2))
}

// sample is a function at the points of a mesh, as one row.
func sample(m mesh.Mesh, f func(x []float64) float64) *mat.Dense {
	row, x := mat.NewDense(1, m.Size(), nil), make([]float64, m.Dim())
	for j := range m.Size() {
		m.Point(x, j)
		row.Set(0, j, f(x))
	}
	return row
}

func TestEveryProblemHasAContract(t *testing.T) {
	known := contracts()
	for _, e := range pde.Catalog() {
		if _, ok := known[e.Name]; !ok {
			t.Errorf("%s: write its line in contracts", e.Name)
		}
		delete(known, e.Name)
	}
	for name := range known {
		t.Errorf("%s: is not in the catalog", name)
	}
}

// Outputs converge to the known answer, at the order that the catalog states.
func TestCatalogConvergesToTheKnownAnswer(t *testing.T) {
	for _, e := range pde.Catalog() {
		c := contracts()[e.Name]
		var errs []float64
		for _, n := range c.sizes {
			p := c.problem(n)
			u, err := pde.Solve(ctx, p, sample(pde.InputMesh(p), c.input))
			if err != nil {
				t.Fatalf("%s: %v", e.Name, err)
			}
			worst, y := 0.0, make([]float64, pde.OutputMesh(p).Dim())
			for j := range pde.OutputMesh(p).Size() {
				pde.OutputMesh(p).Point(y, j)
				worst = max(worst, math.Abs(u.At(0, j)-c.output(p, y)))
			}
			errs = append(errs, worst)
		}
		for i := 1; i < len(errs); i++ {
			h0, h1 := 1/float64(c.sizes[i-1]-1), 1/float64(c.sizes[i]-1)
			if order := math.Log(errs[i-1]/errs[i]) / math.Log(h0/h1); !(math.Abs(order-e.Order) <= 0.15) {
				t.Errorf("%s: errors %.2g fall at order %.2f between spacings %.3g and %.3g, stated %g", e.Name, errs, order, h0, h1, e.Order)
			}
		}
	}
}

func TestOutputsAreAffineInInputs(t *testing.T) {
	for _, e := range pde.Catalog() {
		m := pde.InputMesh(e.Example).Size()
		f := mat.NewDense(4, m, nil)
		r, err := randfield.Normal(1, 2, m)
		if err != nil {
			t.Fatal(err)
		}
		copy(f.RawMatrix().Data, r.Data)
		for j := range m {
			f.Set(2, j, 2*f.At(0, j)-3*f.At(1, j))
		}
		u, err := pde.Solve(ctx, e.Example, f)
		if err != nil {
			t.Fatalf("%s: %v", e.Name, err)
		}
		for k := range pde.OutputMesh(e.Example).Size() {
			b := u.At(3, k)
			if d := (u.At(2, k) - b) - 2*(u.At(0, k)-b) + 3*(u.At(1, k)-b); !(math.Abs(d) <= 1e-9) {
				t.Errorf("%s: superposition fails by %.2g", e.Name, d)
			}
		}
	}
}

func compareWithClosedForm(t *testing.T, e pde.Entry, g *mat.Dense) {
	t.Helper()
	c, p := contracts()[e.Name], e.Example
	want, err := pde.Green(ctx, p, mesh.Mesh{}, mesh.Mesh{})
	if err != nil {
		t.Fatal(err)
	}
	xs, ys := pde.InputMesh(p), pde.OutputMesh(p)
	x, y := make([]float64, xs.Dim()), make([]float64, ys.Dim())
	var off, size float64
	for i := range xs.Size() {
		xs.Point(x, i)
		for j := range ys.Size() {
			ys.Point(y, j)
			if c.smooth(x, y) {
				off += math.Pow(g.At(i, j)-want.At(i, j), 2)
				size += math.Pow(want.At(i, j), 2)
			}
		}
	}
	if r := math.Sqrt(off / size); !(r <= c.tolerance) {
		t.Errorf("%s: columns differ from the closed form by %.2g, allowed %g", e.Name, r, c.tolerance)
	}
}

// Every problem prints as its name with its parameters.
func TestProblemsPrint(t *testing.T) {
	for _, e := range pde.Catalog() {
		want := e.Name + "{"
		if s := pde.Describe(e.Example); len(s) < len(want) || s[:len(want)] != want || s[len(s)-1] != '}' {
			t.Errorf("%s prints as %s", e.Name, s)
		}
	}
}
