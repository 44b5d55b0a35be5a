package fit

import (
	"context"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/lattice"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit/internal/landmarks"
	"github.com/greenbench/workbench/numeric/fit/internal/problem"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// scatteredPairs are pairs of random points of the unit square, with outputs that some
// operator makes of the inputs, and noise.
func scatteredPairs(t *testing.T, n, mx, my int) *dataset.Dataset {
	t.Helper()
	rng := rand.New(rand.NewPCG(7, uint64(mx)))
	points := func(m int) mesh.Mesh {
		var p, w []float64
		for range m {
			p, w = append(p, rng.Float64(), rng.Float64()), append(w, (0.5+rng.Float64())/float64(m))
		}
		return mesh.Must(mesh.Scattered(p, 2, w))
	}
	x, y := points(mx), points(my)
	f, u := array.New(n, mx), array.New(n, my)
	a, b := make([]float64, 2), make([]float64, 2)
	for i := range n {
		c := []float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
		for j := range mx {
			x.Point(a, j)
			f.Data[i*mx+j] = c[0]*math.Cos(3*a[0]) + c[1]*math.Sin(4*a[1]) + c[2]*a[0]*a[1]
		}
		for k := range my {
			y.Point(b, k)
			u.Data[i*my+k] = 1 + c[0]*math.Cos(2*b[0]-b[1]) + c[1]*b[1] + 0.1*rng.NormFloat64()
		}
	}
	return testmain.Must(dataset.New(dataset.Spec{Input: f, Output: u, InputMesh: x, OutputMesh: y}))(t)
}

// cardinals are the functions that interpolate from landmarks, by the definition: the least
// variance of a combination of the values with weights that add up to one (kriging).
func cardinals(t *testing.T, f *kernels.Function, z, m mesh.Mesh) *mat.Dense {
	t.Helper()
	r := z.Size()
	full, right := mat.NewDense(r+1, r+1, nil), mat.NewDense(r+1, m.Size(), nil)
	p, q := make([]float64, z.Dim()), make([]float64, z.Dim())
	for i := range r {
		z.Point(p, i)
		for j := range r {
			z.Point(q, j)
			full.Set(i, j, f.At(p, q))
		}
		full.Set(i, r, 1)
		full.Set(r, i, 1)
		for j := range m.Size() {
			m.Point(q, j)
			right.Set(i, j, f.At(p, q))
		}
	}
	for j := range m.Size() {
		right.Set(r, j, 1)
	}
	var out mat.Dense
	if err := out.Solve(full, right); err != nil {
		t.Fatal(err)
	}
	return mat.DenseCopyOf(out.Slice(0, r, 0, m.Size()))
}

// TestLandmarksByDefinition compares a fit on landmarks with the minimiser for the kernel that
// interpolation from them makes of K, by matrices of all points.
func TestLandmarksByDefinition(t *testing.T) {
	const n, lambda = 6, 1e-3
	d := scatteredPairs(t, n, 30, 34)
	d = testmain.Must(d.WithErrors(&dataset.Errors{Pairs: []float64{1, 2, 1, 0.5, 1, 3}}))(t)
	for _, k := range []kernel.Kernel{kernel.Matern{Nu: 2.5, Lengthscale: kernel.Lengthscale{0.6}}, kernel.Exponential{Lengthscale: kernel.Lengthscale{0.5}}} {
		s := Spec{Data: d, Kernel: k, Lambda: lambda, NoBias: true, Landmarks: 14}
		e := testmain.Must(Fit(context.Background(), s))(t)
		if e.Report.LandmarksX != 14 || e.Report.LandmarksY != 14 || !e.Report.Converged {
			t.Fatalf("%v: %v", k, e.Report)
		}
		in, out := e.reduction.In, e.reduction.Out
		lx, ly := cardinals(t, testmain.Must(landmarks.Marginal(k, d.InputMesh, d.OutputMesh, true))(t), in.Mesh, d.InputMesh), cardinals(t, testmain.Must(landmarks.Marginal(k, d.InputMesh, d.OutputMesh, false))(t), out.Mesh, d.OutputMesh)
		// rows of the design: pair i, output k, over the values of G on the landmarks
		r, my := in.Mesh.Size(), d.OutputMesh.Size()
		design, data := mat.NewDense(n*my, r*r, nil), make([]float64, n*my)
		dx, dy := d.InputMesh.Weights(), d.OutputMesh.Weights()
		for i := range n {
			root := math.Sqrt(d.Errors.Pairs[i] / n)
			for k := range my {
				row := design.RawRowView(i*my + k)
				for j := range r {
					integral := 0.0
					for q, w := range dx {
						integral += lx.At(j, q) * d.Input.Data[i*len(dx)+q] * w
					}
					for l := range r {
						row[j*r+l] = integral * ly.At(l, k) * root * math.Sqrt(dy[k])
					}
				}
				data[i*my+k] = d.Output.Data[i*my+k] * root * math.Sqrt(dy[k])
			}
		}
		f := testmain.Must(kernels.Compile(k, lattice.Space(d.InputMesh, d.OutputMesh)))(t)
		zx, _ := in.Mesh.Nodes()
		zy, _ := out.Mesh.Nodes()
		gram := mat.NewDense(r*r, r*r, nil)
		for a := range r * r {
			for b := range r * r {
				gram.Set(a, b, f.At(problem.Beside(zx[a/r], zy[a%r]), problem.Beside(zx[b/r], zy[b%r])))
			}
		}
		var kd, a, z mat.Dense
		kd.Mul(gram, design.T())
		a.Mul(design, &kd)
		a.Scale(1/lambda, &a)
		for i := range n * my {
			a.Set(i, i, a.At(i, i)+1)
		}
		if err := z.Solve(&a, mat.NewDense(n*my, 1, data)); err != nil {
			t.Fatal(err)
		}
		objective := floats.Dot(data, z.RawMatrix().Data)
		var green mat.Dense
		green.Mul(&kd, &z)
		green.Scale(1/lambda, &green)
		if !(math.Abs(e.Report.Objective/objective-1) <= 1e-8) {
			t.Errorf("%v: objective %.12g, by definition %.12g", k, e.Report.Objective, objective)
		}
		got := testmain.Must(e.Green(context.Background(), in.Mesh, out.Mesh))(t)
		if far := floats.Distance(got.RawMatrix().Data, green.RawMatrix().Data, 2) / floats.Norm(got.RawMatrix().Data, 2); !(far <= 1e-8) {
			t.Errorf("%v: G differs from the definition by %.1e", k, far)
		}
		want := mat.NewDense(n, my, nil) // predictions of all points
		for i := range n {
			for k := range my {
				for c, v := range green.RawMatrix().Data {
					want.Set(i, k, want.At(i, k)+v*design.At(i*my+k, c)/math.Sqrt(d.Errors.Pairs[i]/n*dy[k]))
				}
			}
		}
		inputs, _ := d.Matrices()
		u := testmain.Must(e.Predict(context.Background(), inputs, d.InputMesh, d.OutputMesh))(t)
		if far := floats.Distance(u.RawMatrix().Data, want.RawMatrix().Data, 2) / mat.Norm(want, 2); !(far <= 1e-8) {
			t.Errorf("%v: predictions differ from the definition by %.1e", k, far)
		}
		// inputs on fewer points than landmarks are integrated where they are
		x := mesh.Must(mesh.Scattered([]float64{.2, .3, .5, .9, .8, .1}, 2, []float64{1, 2, .5}))
		few := mat.NewDense(2, 3, []float64{1, -2, .5, 3, 1, -1})
		weighted := mat.DenseCopyOf(few)
		weighted.Apply(func(_, q int, v float64) float64 { return v * x.Weights()[q] }, weighted)
		want.Reset()
		want.Mul(weighted, testmain.Must(e.Green(context.Background(), x, d.OutputMesh))(t))
		if u, err := e.Predict(context.Background(), few, x, d.OutputMesh); err != nil || !mat.EqualApprox(u, want, 1e-10*mat.Norm(want, 2)) {
			t.Errorf("%v: inputs on few points: %v, not the integrals of G", k, err)
		}
	}
}

// TestLandmarksNearAllPoints compares with the fit on all points, with β and all chosen.
func TestLandmarksNearAllPoints(t *testing.T) {
	ctx := context.Background()
	d := scatteredPairs(t, 8, 70, 60)
	s := Spec{Data: d, Kernel: kernel.Matern{Nu: 2.5, Lengthscale: kernel.Lengthscale{0.6}}, Lambda: 1e-4, Rho: 1e-4, Intercept: Flat}
	all := testmain.Must(Fit(ctx, s))(t)
	s.Landmarks = 40
	few := testmain.Must(Fit(ctx, s))(t)
	f, _ := d.Matrices()
	a := testmain.Must(all.Predict(ctx, f, d.InputMesh, d.OutputMesh))(t)
	b := testmain.Must(few.Predict(ctx, f, mesh.Mesh{}, mesh.Mesh{}))(t)
	rms := floats.Distance(a.RawMatrix().Data, b.RawMatrix().Data, 2) / math.Sqrt(float64(8*60))
	if r := few.Report; !(rms <= 2*r.LandmarkChange) || !(r.LandmarkChange < 0.02) {
		t.Errorf("predictions differ by %.2g, and half as many landmarks change them by %.2g", rms, r.LandmarkChange)
	}
	if r := few.Report; !(math.Abs(r.Objective-all.Report.Objective) <= 2*r.Gap) || !(math.Abs(r.Sigma/all.Report.Sigma-1) <= 0.02) {
		t.Errorf("objective %g ± %g, sigma %g: on all points %g, %g", r.Objective, r.Gap, r.Sigma, all.Report.Objective, all.Report.Sigma)
	}
	wide := testmain.Must(all.PredictStd(ctx, f, d.InputMesh, d.OutputMesh))(t)
	same := testmain.Must(few.PredictStd(ctx, f, mesh.Mesh{}, mesh.Mesh{}))(t)
	if far := floats.Distance(wide.RawMatrix().Data, same.RawMatrix().Data, 2) / mat.Norm(wide, 2); !(far <= 0.1) {
		t.Errorf("bands differ by %.2g", far)
	}
	s.Landmarks = 70
	if exact, err := Fit(ctx, s); err != nil || exact.Report.LandmarksX != 0 || !mat.Equal(exact.Weights, all.Weights) {
		t.Errorf("as many landmarks as points are not all points: %v", err)
	}
}

// TestLandmarksInUnits scales and moves inputs, outputs and positions.
func TestLandmarksInUnits(t *testing.T) {
	ctx := context.Background()
	d := scatteredPairs(t, 8, 50, 44)
	fitted := func(d *dataset.Dataset, unit float64) *mat.Dense {
		e := testmain.Must(Fit(ctx, Spec{Data: d, Kernel: kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{0.6 * unit}}, Landmarks: 20}))(t)
		in, _ := d.Matrices()
		return testmain.Must(e.Predict(ctx, in, mesh.Mesh{}, mesh.Mesh{}))(t)
	}
	want := fitted(d, 1)
	for _, c := range []struct{ in, out, shift, unit float64 }{{1e9, 1, 0, 1}, {1, 1e-9, 0, 1}, {1, 1, 1e6, 1}, {1, 1, 0, 1e-3}, {1, 1, 0, 1e3}} {
		other := *d
		other.Input, other.Output = d.Input.Copy(), d.Output.Copy()
		floats.Scale(c.in, other.Input.Data)
		for i, v := range other.Output.Data {
			other.Output.Data[i] = v*c.out + c.shift
		}
		if c.unit != 1 {
			for _, m := range []*mesh.Mesh{&other.InputMesh, &other.OutputMesh} {
				p := slices.Clone(m.Points())
				floats.Scale(c.unit, p)
				*m = testmain.Must(mesh.New(testmain.Must(mesh.Scattered(p, m.Dim(), m.Weights(), m.Names()...))(t)))(t)
			}
		}
		got := fitted(&other, c.unit)
		for i, v := range got.RawMatrix().Data {
			got.RawMatrix().Data[i] = (v - c.shift) / c.out
		}
		if far := floats.Distance(got.RawMatrix().Data, want.RawMatrix().Data, 2) / mat.Norm(want, 2); !(far <= 1e-6) {
			t.Errorf("%+v: predictions differ by %.1e", c, far)
		}
	}
}

func TestLandmarksSavedAndLoaded(t *testing.T) {
	ctx := context.Background()
	d := scatteredPairs(t, 8, 50, 44)
	e := testmain.Must(Fit(ctx, Spec{Data: d, Kernel: kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{0.6}}, Landmarks: 20}))(t)
	path := filepath.Join(t.TempDir(), "e.npz")
	if err := e.SaveWithData(ctx, path); err != nil {
		t.Fatal(err)
	}
	back := testmain.Must(Load(ctx, path))(t)
	f, _ := d.Matrices()
	few := scatteredPairs(t, 1, 5, 6)
	for _, ask := range []func(e *Estimate) (*mat.Dense, error){
		func(e *Estimate) (*mat.Dense, error) { return e.Predict(ctx, f, mesh.Mesh{}, mesh.Mesh{}) },
		func(e *Estimate) (*mat.Dense, error) { return e.Predict(ctx, f, mesh.Mesh{}, few.OutputMesh) },
		func(e *Estimate) (*mat.Dense, error) { return e.Green(ctx, few.InputMesh, few.OutputMesh) },
		func(e *Estimate) (*mat.Dense, error) { return e.Green(ctx, few.InputMesh, mesh.Mesh{}) },
		func(e *Estimate) (*mat.Dense, error) { return e.Green(ctx, mesh.Mesh{}, few.OutputMesh) },
		func(e *Estimate) (*mat.Dense, error) { return e.PredictStd(ctx, f, mesh.Mesh{}, few.OutputMesh) },
	} {
		a := testmain.Must(ask(e))(t)
		b := testmain.Must(ask(back))(t)
		if !mat.Equal(a, b) {
			t.Errorf("differs after loading by %.1e", floats.Distance(a.RawMatrix().Data, b.RawMatrix().Data, 2)/mat.Norm(a, 2))
		}
	}
}

func TestLandmarksRefused(t *testing.T) {
	d := scatteredPairs(t, 8, 30, 30)
	gap := *d
	gap.Output, gap.Missing = d.Output.Copy(), true
	gap.Output.Data[3] = math.NaN()
	values := array.New(8, 30)
	for i := range values.Data {
		values.Data[i] = 1
	}
	uneven := testmain.Must(d.WithErrors(&dataset.Errors{Values: values}))(t)
	k := kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengthscale{0.6}}
	for reason, s := range map[string]Spec{
		"outputs are missing":  {Data: &gap},
		"from value to value":  {Data: uneven},
		"is the definition":    {Data: d, Dense: true, Lambda: 1},
		"where there are none": {Data: d, Constraint: constraint.Symmetric{}},
		"must be at least 2":   {Data: d, Landmarks: 1},
	} {
		s.Kernel = k
		if s.Landmarks == 0 {
			s.Landmarks = 10
		}
		if _, err := Fit(context.Background(), s); err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("%s: %v", reason, err)
		}
	}
}
