package noise_test

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/greenbench/workbench/internal/numeric/noise"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Simulations of every shape of noise: the error of G over that of the fit which knows the
// covariance (with outliers: of the fit without them), coverage of 95 % bands of G, of those of
// the fit that knows, of G near the diagonal, of predictions and new observations, and sigma over
// the true one. Of another kernel than that of the problem bands cover no more than those of the fit that knows.
//
//	NOISE_STUDY=200 go test ./internal/numeric/noise -run Study -v -timeout 0
//
// NOISE_KERNEL=auto leaves the kernel open, too; NOISE_ONLY is part of a problem and a shape;
// NOISE_SEED is how many data sets to leave out before, NOISE_POINTS how many points there are
// on each axis. Means so far, with their standard errors, are said every 20 sets.
func TestStudy(t *testing.T) {
	count, err := strconv.Atoi(os.Getenv("NOISE_STUDY"))
	if err != nil {
		t.Skip("a study by hand: NOISE_STUDY is the number of data sets")
	}
	only := os.Getenv("NOISE_ONLY")
	number := func(name, otherwise string) int {
		v, err := strconv.Atoi(cmp.Or(os.Getenv(name), otherwise))
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	before, points := number("NOISE_SEED", "0"), number("NOISE_POINTS", "20")
	var rows []*row
	for _, p := range []struct {
		name string
		g    problem
	}{{"helmholtz", helmholtz}, {"poisson", poisson}} {
		for _, s := range shapes() {
			if strings.Contains(p.name+" "+s.name, only) {
				rows = append(rows, &row{name: p.name, g: p.g, shape: s, values: make([][]float64, 8)})
			}
		}
	}
	for done := 1; done <= count; done++ {
		for _, r := range rows {
			r.study(t, points, before+done-1)
			if done%20 == 0 || done == count {
				t.Log(r)
			}
		}
	}
}

// row is one problem with one shape of noise, and what its data sets gave: the error of G, that
// of the fit which knows, the shares that bands cover of G, predictions and observations, sigma.
type row struct {
	name string
	g    problem
	shape
	values  [][]float64
	isWhite int
	spent   time.Duration
}

func (r *row) String() string {
	n := len(r.values[0])
	mean := func(i int) float64 { return stat.Mean(r.values[i], nil) }
	cover := func(i int) string {
		return fmt.Sprintf("%.3f ± %.3f", mean(i), stat.StdDev(r.values[i], nil)/math.Sqrt(float64(n)))
	}
	ratio := mean(0) / mean(1)
	miss := make([]float64, n)
	for i := range miss {
		miss[i] = (r.values[0][i] - ratio*r.values[1][i]) / mean(1)
	}
	return fmt.Sprintf("%-10s %-20s n %3d: RE(G) %.4f, known %.4f, ratio %.3f ± %.3f; covers G %s (known %s), near %s, prediction %s, observation %s; sigma %s; white in %d; %.2g s each",
		r.name, r.shape.name, n, mean(0), mean(1), ratio, stat.StdDev(miss, nil)/math.Sqrt(float64(n)),
		cover(2), cover(6), cover(7), cover(3), cover(4), cover(5), r.isWhite, r.spent.Seconds()/float64(n))
}

// study adds what one data set gives.
func (r *row) study(t *testing.T, points, seed int) {
	defer func(start time.Time) { r.spent += time.Since(start) }(time.Now())
	s := r.shape
	data := simulate(r.g, s, 40, points, .3, uint64(seed+1))
	spec := fit.Spec{Data: data.d, Kernel: kernel.Matern{Nu: 2.5, Lengthscale: kernel.Lengthscale{.3}}}
	if os.Getenv("NOISE_KERNEL") == "auto" {
		spec.Kernel = nil
	}
	choice := noise.Choice{Kind: noise.Auto}
	if s.robust() {
		choice = noise.Choice{Huber: true}
	}
	e, err := noise.Fit(t.Context(), spec, choice)
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasPrefix(e.Report.Reason, "the noise is white") {
		r.isWhite++
	} else if s.name == "white" {
		t.Logf("seed %d: %s", seed, e.Report.Reason)
	}
	best := spec
	best.Data = data.clean
	if !s.robust() {
		if best.Data, err = data.clean.WithErrors(data.errors); err != nil {
			t.Fatal(err)
		}
	}
	oracle, err := fit.Fit(t.Context(), best)
	if err != nil {
		t.Fatal(err)
	}
	green, predicted, observed := covered(t, e, data, r.g, s, uint64(seed))
	known, _, _ := covered(t, oracle, data, r.g, s, uint64(seed))
	for i, v := range []float64{off(t, e, data), off(t, oracle, data), green, predicted, observed, e.Report.Sigma / data.rms(), known, nearDiagonal(t, e, data)} {
		r.values[i] = append(r.values[i], v)
	}
}

// nearDiagonal is the share of G that its bands cover on the diagonal and beside it.
func nearDiagonal(t *testing.T, e *fit.Estimate, data *simulated) float64 {
	g, err := e.Green(t.Context(), mesh.Mesh{}, mesh.Mesh{})
	if err != nil {
		t.Fatal(err)
	}
	std, err := e.Std(t.Context(), mesh.Mesh{}, mesh.Mesh{})
	if err != nil {
		t.Fatal(err)
	}
	m, _ := g.Dims()
	in, of := 0, 0
	for i := range m {
		for j := max(0, i-1); j < min(m, i+2); j++ {
			if of++; math.Abs(g.At(i, j)-data.g.At(i, j)) <= 1.959964*std.At(i, j) {
				in++
			}
		}
	}
	return float64(in) / float64(of)
}

// off is the relative error of G.
func off(t *testing.T, e *fit.Estimate, data *simulated) float64 {
	g, err := e.Green(t.Context(), mesh.Mesh{}, mesh.Mesh{})
	if err != nil {
		t.Fatal(err)
	}
	g.Sub(g, data.g)
	return mat.Norm(g, 2) / mat.Norm(data.g, 2)
}

// covered are the shares of G, of predictions and of new observations that bands of 95 % cover.
func covered(t *testing.T, e *fit.Estimate, data *simulated, g problem, s shape, seed uint64) (green, prediction, observation float64) {
	const z = 1.959964
	share := func(value, std, truth []float64) float64 {
		in := 0.0
		for i, v := range truth {
			if math.Abs(value[i]-v) <= z*std[i] {
				in++
			}
		}
		return in / float64(len(truth))
	}
	all := func(m *mat.Dense, err error) []float64 {
		if err != nil {
			t.Fatal(err)
		}
		return m.RawMatrix().Data
	}
	ctx := t.Context()
	green = share(all(e.Green(ctx, mesh.Mesh{}, mesh.Mesh{})), all(e.Std(ctx, mesh.Mesh{}, mesh.Mesh{})), data.g.RawMatrix().Data)
	s.outlier = 0
	fresh := simulate(g, s, 12, len(data.sd), .3, seed+1e6)
	f, _ := fresh.d.Matrices()
	u, std := all(e.Predict(ctx, f, mesh.Mesh{}, mesh.Mesh{})), all(e.PredictStd(ctx, f, mesh.Mesh{}, mesh.Mesh{}))
	prediction = share(u, std, fresh.noiseFree.RawMatrix().Data)
	wide := all(e.Intervals(ctx, f, mesh.Mesh{}, mesh.Mesh{}, fit.Interval{Level: .95, Observation: true}))
	_, v := fresh.d.Matrices()
	for i := range wide { // with noise of the size of that of the data
		wide[i] /= z
		v.RawMatrix().Data[i] = fresh.noiseFree.RawMatrix().Data[i] + (v.RawMatrix().Data[i]-fresh.noiseFree.RawMatrix().Data[i])*data.sigma/fresh.sigma
	}
	return green, prediction, share(u, wide, v.RawMatrix().Data)
}
