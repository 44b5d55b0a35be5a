package fit_test

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/outputs"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Where the data leave open whether G has a kink, the bands of a kernel that was chosen know of
// the other one: they are wider than those of the chosen kernel alone, most where the kink is,
// and draws of G and of predictions have them, to five standard errors of 4000 draws. (How often
// they cover is found by TestDiagonalStudy of package noise.)
func TestBandsKnowOfTheKernelThatMayBeBetter(t *testing.T) {
	const n, m, draws = 20, 14, 4000
	d := pairs(t, mesh.Must(mesh.Uniform(0, 1, m, "x")), n, 0.2, 1)
	e := mustFit(t, fit.Spec{Data: d})
	if !strings.Contains(e.Report.Reason, "bands know that") {
		t.Fatalf("nothing is undecided: %s", e.Report.Reason)
	}
	alone := mustFit(t, fit.Spec{Data: d, Kernel: e.Kernel, Criterion: fit.LOO})
	in, _ := d.Matrices()
	f := mat.DenseCopyOf(in.Slice(0, 2, 0, m))
	for name, inputs := range map[string]*mat.Dense{"G": nil, "predictions": f} {
		band := func(e *fit.Estimate) []float64 {
			std, err := e.Std(ctx, mesh.Mesh{}, mesh.Mesh{})
			if inputs != nil {
				std, err = e.PredictStd(ctx, inputs, mesh.Mesh{}, mesh.Mesh{})
			}
			if err != nil {
				t.Fatal(err)
			}
			return std.RawMatrix().Data
		}
		wide, narrow, most := band(e), band(alone), 0.0
		drawn := testmain.Must(e.Deviate(ctx, fit.Draws{N: draws, Seed: 1, F: inputs}))(t)
		for k, v := range wide {
			most = max(most, v/narrow[k])
			square := 0.0
			for i := range draws {
				square += drawn.At(i, k) * drawn.At(i, k) / draws
			}
			if !(math.Abs(square/(v*v)-1) <= 0.2) { // a mixture has a kurtosis of at most about 10
				t.Errorf("%s: value %d: band %.4g, draws have %.4g", name, k, v, math.Sqrt(square))
			}
		}
		if inputs == nil && !(most >= 1.1) {
			t.Errorf("the widest band is %.3f times that of the chosen kernel alone", most)
		}
	}
}

// Bands of an estimate that was read from a file know of that kernel, too: they are the same to the last bit, whatever else
// the fit was told, on landmarks as well.
func TestBandsOfAFileKnowOfTheKernelThatMayBeBetter(t *testing.T) {
	testmain.Long(t)
	const n, m = 20, 14
	x := mesh.Must(mesh.Uniform(0, 1, m, "x"))
	all := pairs(t, x, n, 0.2, 1)
	few := testmain.Must(all.Select([]int{0, 3, 5, 7, 9, 11, 13}))(t)
	gaps := *all
	gaps.Output, gaps.Missing = all.Output.Copy(), true
	gaps.Output.Data[3*m+2] = math.NaN()
	guess := mustFit(t, fit.Spec{Data: all, Kernel: kernel.SE{Lengthscale: kernel.Lengthscale{.8}}, Lambda: .1})
	for name, s := range map[string]fit.Spec{
		"alone":          {Data: all},
		"few":            {Data: few},
		"own bias and ρ": {Data: all, Bias: kernel.SE{Lengthscale: kernel.Lengthscale{.3}}, Rho: 1e-4},
		"by likelihood":  {Data: all, Criterion: fit.REML},
		"no bias":        {Data: all, NoBias: true},
		"missing":        {Data: &gaps},
		"prior":          {Data: all, Prior: guess},
		"landmarks":      {Data: all, Landmarks: 10},
		"few, open":      {Data: few, Kernel: kernel.Matern{Nu: 1.5, Lengthscale: kernel.Auto}},
		"few, symmetric": {Data: few, Constraint: constraint.Symmetric{Names: []string{"x", "y"}}},
	} {
		if !testmain.EveryCase() && !slices.Contains([]string{"few", "landmarks"}, name) {
			continue
		}
		e := mustFit(t, s)
		if !strings.Contains(e.Report.Reason, "bands know that") && !strings.Contains(e.Report.Reason, "bands are means over") {
			t.Errorf("%s: nothing is undecided: %s", name, e.Report.Reason)
		}
		in, _ := s.Data.Matrices()
		f := mat.DenseCopyOf(in.Slice(0, 2, 0, m))
		bands := func(e *fit.Estimate) []*mat.Dense {
			return []*mat.Dense{
				testmain.Must(e.Std(ctx, mesh.Mesh{}, mesh.Mesh{}))(t),
				testmain.Must(e.Std(ctx, mesh.Mesh{}, mesh.Must(mesh.Uniform(0, 1, 5, "y"))))(t),
				testmain.Must(e.Intervals(ctx, f, mesh.Mesh{}, mesh.Mesh{}, fit.Interval{Level: .95, Observation: true}))(t),
				testmain.Must(e.Deviate(ctx, fit.Draws{N: 10, Seed: 1, F: f}))(t),
			}
		}
		want := bands(e)
		path := filepath.Join(t.TempDir(), "e.npz")
		if err := e.SaveWithData(ctx, path); err != nil {
			t.Fatal(name, err)
		}
		back := testmain.Must(fit.Load(ctx, path))(t)
		for k, got := range bands(back) {
			if !mat.Equal(got, want[k]) {
				got.Sub(got, want[k])
				t.Errorf("%s: band %d differs by %.1e", name, k, mat.Norm(got, 2)/mat.Norm(want[k], 2))
			}
		}
		again := filepath.Join(t.TempDir(), "again.npz") // what was read can be saved again
		if err := back.SaveWithData(ctx, again); err != nil {
			t.Fatal(name, err)
		}
		if !bytes.Equal(testmain.Must(os.ReadFile(again))(t), testmain.Must(os.ReadFile(path))(t)) {
			t.Errorf("%s: what was read is saved as something else", name)
		}
	}
}

// An estimate with a loss knows of them, too: of one beyond all residuals the bands are those of squares, from as many outputs as λ of the
// other kernel is not searched for; a file has them to the last bit, and they are wider than those of the chosen kernel alone.
func TestBandsWithALossKnowOfTheKernelThatMayBeBetter(t *testing.T) {
	for name, d := range map[string]*dataset.Dataset{"one": pairs(t, interval(14), 65, 0.4, 1), "few": pairs(t, interval(6), 8, 0.2, 1)} {
		if name == "one" && !testmain.EveryCase() {
			continue
		}
		e := mustFit(t, fit.Spec{Data: d})
		if name == "one" && !strings.Contains(e.Report.Reason, "bands know that") || name == "few" && !strings.Contains(e.Report.Reason, "bands are means over") {
			t.Fatalf("%s: nothing is undecided: %s", name, e.Report.Reason)
		}
		learned, _ := e.Learned()
		s := fit.Spec{Data: d, Kernel: e.Kernel, Lambda: e.Report.Lambda, Rho: e.Report.Rho, Intercept: learned.Intercept}
		s.Chosen = true
		far := outputs.Huber(1e6)
		with, alone := testmain.Must(fit.WithLoss(ctx, s, far.Unit, far.Of, e))(t), testmain.Must(fit.WithLoss(ctx, s, far.Unit, far.Of, nil))(t)
		std := func(e *fit.Estimate) *mat.Dense { return testmain.Must(e.Std(ctx, mesh.Mesh{}, mesh.Mesh{}))(t) }
		band, want, narrow := std(with), std(e), std(alone)
		if ratio := mat.Norm(band, 2) / mat.Norm(narrow, 2); !(ratio > 1.02) {
			t.Errorf("%s: bands are %.3f times those of the kernel alone", name, ratio)
		}
		apart := mat.DenseCopyOf(band)
		apart.Sub(apart, want)
		if off := mat.Norm(apart, 2) / mat.Norm(want, 2); !(off <= .02) { // a free constant is counted, or not
			t.Errorf("%s: bands are off by %.3f from those of squares", name, off)
		}
		path := filepath.Join(t.TempDir(), "e.npz")
		if err := with.SaveWithData(ctx, path); err != nil {
			t.Fatal(err)
		}
		if back := std(testmain.Must(fit.Load(ctx, path))(t)); !mat.Equal(back, band) {
			back.Sub(back, band)
			t.Errorf("%s: bands of the file are off by %.1e", name, mat.Norm(back, 2)/mat.Norm(band, 2))
		}
	}
}
