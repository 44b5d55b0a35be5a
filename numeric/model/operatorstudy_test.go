package model_test

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/model"
)

// burgers are n pairs of u_t + u u_x = ν u_xx on the circle, from u at time 0 on 16 points to u on
// these and 17 times up to 1, by the transform of Cole and Hopf on 256 points.
func burgers(t testing.TB, n int, nu, size float64, seed uint64) *dataset.Table {
	t.Helper()
	const m, times, fine = 16, 17, 256
	x, tm := mesh.Must(mesh.Periodic(0, 1, m, "x")), mesh.Must(mesh.Uniform(0, 1, times, "t"))
	both := testmain.Must(mesh.Product(x, tm))(t)
	rng := rand.New(rand.NewPCG(seed, 9))
	f, u := array.New(n, m), array.New(n, m*times)
	for i := range n {
		phi := make([]complex128, fine)
		var a, b [5]float64
		for k := 1; k < len(a); k++ {
			a[k], b[k] = size*rng.NormFloat64()/math.Pow(float64(k), 1.5), size*rng.NormFloat64()/math.Pow(float64(k), 1.5)
		}
		for j := range fine {
			z, integral := float64(j)/fine, 0.0
			for k := 1; k < len(a); k++ {
				w := 2 * math.Pi * float64(k)
				integral += (a[k]*math.Sin(w*z) - b[k]*math.Cos(w*z)) / w
			}
			phi[j] = complex(math.Exp(-integral/(2*nu)), 0)
		}
		hat := make([]complex128, 97) // of k = 0 … 96: the function is real
		for k := range hat {
			for j, v := range phi {
				hat[k] += v * cmplx.Rect(1.0/fine, -2*math.Pi*float64(k*j)/fine)
			}
		}
		for j := range m {
			z := float64(j) / m
			for s := range times {
				at := float64(s) / (times - 1)
				value, slope := real(hat[0]), 0.0
				for k := 1; k < len(hat); k++ {
					w := 2 * math.Pi * float64(k)
					c := hat[k] * cmplx.Rect(2*math.Exp(-nu*w*w*at), w*z)
					value, slope = value+real(c), slope-w*imag(c)
				}
				u.Data[(i*m+j)*times+s] = -2 * nu * slope / value
			}
			f.Data[i*m+j] = u.Data[(i*m+j)*times]
		}
	}
	d := testmain.Must(dataset.NewTable(dataset.TableSpec{
		Input: map[string]*array.Array{"f": f}, Output: map[string]*array.Array{"u": u},
		InputMesh: dataset.Meshes{All: x}, OutputMesh: dataset.Meshes{All: both},
	}))(t)
	return d
}

// TestOperatorOnBurgers is a study: WORKBENCH_STUDY=operator go test -run OnBurgers -v.
func TestOperatorOnBurgers(t *testing.T) {
	if os.Getenv("WORKBENCH_STUDY") != "operator" {
		t.Skip("a study of minutes: WORKBENCH_STUDY=operator")
	}
	count := 800
	if os.Getenv("WORKBENCH_FEW") != "" {
		count = 300
	}
	for _, size := range []float64{0.1, 0.3} {
		d, test := burgers(t, count, 0.01, size, 1), burgers(t, 100, 0.01, size, 2)
		for _, terms := range [][]string{{"f"}, {"operator(f)"}, {"f", "operator(f)"}}[len(os.Getenv("WORKBENCH_FIRST")):] {
			begin := time.Now()
			e := testmain.Must(model.Fit(t.Context(), model.Spec{Data: d, Terms: terms}))(t)
			p := testmain.Must(e.Outputs[0].Predict(t.Context(), test, mesh.Mesh{}))(t)
			errs := testmain.Must(dataset.RelativeErrors(array.FromMatrix(p), test.Outputs[0].Values))(t)
			t.Logf("size %g, %v: %.3g in %v; λ %.2g", size, terms, floats.Sum(errs)/float64(len(errs)), time.Since(begin), e.Outputs[0].Report.Lambda)
			for _, own := range e.Outputs[0].Terms {
				t.Logf("   %.200s", own.Kernel.String())
			}
		}
	}
}
