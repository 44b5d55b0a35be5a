package fit_test

import (
	"context"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// disc is m points of the unit disc, turned by an angle.
func disc(t testing.TB, m int, turn float64) mesh.Mesh {
	t.Helper()
	var p, w []float64
	for i := range m {
		r, a := math.Sqrt((float64(i)+0.5)/float64(m)), float64(i+1)*math.Pi*(3-math.Sqrt(5))+turn
		p, w = append(p, r*math.Cos(a), r*math.Sin(a)), append(w, math.Pi/float64(m))
	}
	a := testmain.Must(mesh.Scattered(p, 2, w))(t)
	return testmain.Must(mesh.New(a))(t)
}

// poissonOnDisc are pairs of -Δu = f with u zero at the edge of the disc, u = (1 - |y|²) times
// waves, with noise of 5 %; the seed is that of the noise.
func poissonOnDisc(t testing.TB, x, y mesh.Mesh, n int, noise float64, seed uint64) *dataset.Dataset {
	t.Helper()
	const waves = 120
	rng := rand.New(rand.NewPCG(1, 1))
	var k [2][waves]float64
	var phase [waves]float64
	for j := range waves {
		k[0][j], k[1][j], phase[j] = rng.NormFloat64()/0.3, rng.NormFloat64()/0.3, 2*math.Pi*rng.Float64()
	}
	own, at := mat.NewDense(waves, x.Size(), nil), mat.NewDense(waves, y.Size(), nil)
	p := make([]float64, 2)
	for j := range waves {
		w2 := k[0][j]*k[0][j] + k[1][j]*k[1][j]
		for i := range x.Size() {
			x.Point(p, i)
			q := p[0]*k[0][j] + p[1]*k[1][j]
			own.Set(j, i, 4*math.Cos(q+phase[j])-4*q*math.Sin(q+phase[j])+w2*(1-p[0]*p[0]-p[1]*p[1])*math.Cos(q+phase[j]))
		}
		for i := range y.Size() {
			y.Point(p, i)
			at.Set(j, i, (1-p[0]*p[0]-p[1]*p[1])*math.Cos(p[0]*k[0][j]+p[1]*k[1][j]+phase[j]))
		}
	}
	rng = rand.New(rand.NewPCG(seed, 2))
	amplitude := mat.NewDense(n, waves, nil)
	for i := range n {
		for j := range waves {
			amplitude.Set(i, j, rng.NormFloat64()*math.Sqrt(2.0/waves))
		}
	}
	var f, u mat.Dense
	f.Mul(amplitude, own)
	u.Mul(amplitude, at)
	for i := range u.RawMatrix().Data {
		u.RawMatrix().Data[i] += noise * 0.55 * rng.NormFloat64()
	}
	return testmain.Must(dataset.New(dataset.Spec{Input: array.FromMatrix(&f), Output: array.FromMatrix(&u), InputMesh: x, OutputMesh: y}))(t)
}

// TestLandmarkStudy is a study by hand: LANDMARKS points, of MESH on each side.
func TestLandmarkStudy(t *testing.T) {
	m, _ := strconv.Atoi(os.Getenv("MESH"))
	l, _ := strconv.Atoi(os.Getenv("LANDMARKS"))
	if m == 0 {
		t.Skip("MESH is not set: a study by hand")
	}
	x, y := disc(t, m, 0), disc(t, m, 0.3)
	d := poissonOnDisc(t, x, y, 100, 0.05, 3)
	fresh := poissonOnDisc(t, x, y, 20, 0, 4)
	start := time.Now()
	e := testmain.Must(fit.Fit(context.Background(), fit.Spec{Data: d, Kernel: kernel.Matern{Nu: 2.5, Lengthscale: kernel.Lengthscale{0.5}}, Landmarks: l}))(t)
	took := time.Since(start)
	f, u := fresh.Matrices()
	got := testmain.Must(e.Predict(context.Background(), f, x, y))(t)
	got.Sub(got, u)
	t.Logf("%v\nfit %v, all %v, error %.4f", e.Report, took, time.Since(start), mat.Norm(got, 2)/mat.Norm(u, 2))
}
