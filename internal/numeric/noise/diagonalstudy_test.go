package noise_test

import (
	"cmp"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"

	"github.com/greenbench/workbench/internal/numeric/noise"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Bands of 95 % near the diagonal, where G of a differential equation has a kink: how often they
// cover G at its points with |i - j| ≤ 1, and everywhere, where everything is left to be chosen.
//
//	DIAGONAL_STUDY=200 go test ./internal/numeric/noise -run Diagonal -v -timeout 0
//
// NOISE_SEED is how many data sets to leave out before. Means so far are said every 20 sets.
func TestDiagonalStudy(t *testing.T) {
	count, err := strconv.Atoi(os.Getenv("DIAGONAL_STUDY"))
	if err != nil {
		t.Skip("a study by hand: DIAGONAL_STUDY is the number of data sets")
	}
	before, err := strconv.Atoi(cmp.Or(os.Getenv("NOISE_SEED"), "0"))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []struct {
		name string
		g    problem
	}{{"helmholtz", helmholtz}, {"poisson", poisson}} {
		if only := os.Getenv("NOISE_ONLY"); !strings.Contains(p.name, only) {
			continue
		}
		var near, all, errors []float64
		kinked := 0
		for seed := before; seed < before+count; seed++ {
			data := simulate(p.g, shape{}, 30, 20, .2, uint64(seed+1))
			e, err := noise.Fit(t.Context(), fit.Spec{Data: data.d}, noise.Choice{})
			if err != nil {
				t.Fatal(err)
			}
			g, err := e.Green(t.Context(), mesh.Mesh{}, mesh.Mesh{})
			if err != nil {
				t.Fatal(err)
			}
			std, err := e.Std(t.Context(), mesh.Mesh{}, mesh.Mesh{})
			if err != nil {
				t.Fatal(err)
			}
			in, inNear, n := 0.0, 0.0, 0.0
			for i := range 20 {
				for j := range 20 {
					c := 0.0
					if math.Abs(g.At(i, j)-data.g.At(i, j)) <= 1.959964*std.At(i, j) {
						c = 1
					}
					in += c / 400
					if i-j <= 1 && j-i <= 1 {
						inNear, n = inNear+c, n+1
					}
				}
			}
			name := e.Kernel.String()
			if strings.Contains(name, "kink") {
				kinked++
			}
			near, all, errors = append(near, inNear/n), append(all, in), append(errors, off(t, e, data))
			if os.Getenv("DIAGONAL_EACH") != "" {
				t.Logf("%s %d: near %.3f, all %.3f, RE(G) %.4f: %s; %s", p.name, seed+1, near[seed-before], all[seed-before], errors[seed-before], name, e.Report.Reason)
			}
			done := len(near)
			if done%20 != 0 && done != count {
				continue
			}
			m := func(v []float64) float64 { return stat.Mean(v, nil) }
			t.Logf("%-10s n %3d: near the diagonal %.3f ± %.3f, all %.3f, RE(G) %.4f, kinks in %d", p.name, done,
				m(near), stat.StdDev(near, nil)/math.Sqrt(float64(done)), m(all), m(errors), kinked)
		}
	}
}
