package criteria

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
)

// thinProblem is 12 pairs of 20 outputs on 12 directions, or 16 pairs on these: C has 30 directions of very different sizes, the
// bias 5.
func thinProblem(pairs int, bias, contrast, root bool, spans [][]Span) *Exact {
	const rows, width, columns = 12, 20, 30
	r := rand.New(rand.NewPCG(uint64(pairs), 8))
	random := func(n, k int) *mat.Dense {
		m := mat.NewDense(n, k, nil)
		m.Apply(func(_, j int, _ float64) float64 { return r.NormFloat64() * math.Pow(10, -float64(j)/5) }, m)
		return m
	}
	n := rows * width
	x := &Exact{Root: random(n, columns), T: random(n, 1).RawMatrix().Data, RSS0: .3, Outputs: float64(pairs * width), Width: width, Pairs: spans}
	if !root {
		x.Green, x.Root = new(mat.Dense), nil
		b := random(n, columns)
		x.Green.Mul(b, b.T())
	}
	if bias {
		x.Bias = random(n, 5)
	}
	if contrast {
		x.Contrast = linop.Ones(n)
	}
	if pairs > rows {
		q, _, _ := linop.QR(context.Background(), random(pairs, rows))
		x.P, x.Unexplained = q, random(pairs, width)
	}
	if spans == nil {
		x.Pairs = Each(pairs, width)
	}
	return x
}

// Where the operator has few directions, the criteria are those of its matrix: with a bias and a free constant, with more pairs
// than directions of the inputs, where outputs are missing, and whether a root of the operator is known or found.
func TestCriteriaOfFewDirectionsAreThoseOfTheMatrix(t *testing.T) {
	missing := [][]Span{{{0, 30}, {200, 210}}, {{30, 130}}, {{130, 200}, {210, 240}}}
	for _, c := range []struct {
		name                 string
		pairs                int
		bias, contrast, root bool
		spans                [][]Span
	}{
		{"alone", 12, false, false, true, nil},
		{"with a bias", 12, true, false, true, nil},
		{"with a free constant", 12, true, true, false, nil},
		{"more pairs", 16, true, true, false, nil},
		{"outputs missing", 12, true, true, true, missing},
		{"two pairs", 12, true, true, true, [][]Span{{{0, 90}, {200, 240}}, {{90, 200}}}},
	} {
		x := thinProblem(c.pairs, c.bias, c.contrast, c.root, c.spans)
		for _, at := range [][2]float64{{1e-6, 1e-5}, {1e-3, 1e-2}, {1e-3, 1e-4}, {30, 5}} {
			got, err := x.At(t.Context(), at[0], at[1])
			if err != nil {
				t.Fatal(err)
			}
			if x.last == nil {
				t.Fatalf("%s: the matrix was taken", c.name)
			}
			want, err := x.byMatrix(t.Context(), at[0], at[1])
			if err != nil {
				t.Fatal(err)
			}
			for name, v := range map[string][2]float64{
				"REML": {got.REML, want.REML}, "GCV": {got.GCV, want.GCV}, "LOO": {got.LOO, want.LOO}, "log det": {got.LogDet, want.LogDet},
				"slope": {got.Slope, want.Slope}, "slope by ρ": {got.RhoSlope, want.RhoSlope},
				"degrees of freedom": {got.EffectiveDF, want.EffectiveDF}, "those left": {got.ResidualDF, want.ResidualDF},
			} {
				if !(math.Abs(v[0]-v[1]) <= 1e-7*math.Abs(v[1])+1e-8) {
					t.Errorf("%s, λ = %g, ρ = %g: %s %.12g, by the matrix %.12g", c.name, at[0], at[1], name, v[0], v[1])
				}
			}
		}
	}
}

// A root of low rank is one of the matrix; of a matrix without one there is none.
func TestLowRank(t *testing.T) {
	x := thinProblem(12, false, false, false, nil)
	b := lowRank(t.Context(), x.Green, 60)
	var off mat.Dense
	off.Mul(b, b.T())
	off.Sub(&off, x.Green)
	if _, k := b.Dims(); k < 25 || k > 30 || !(mat.Max(&off) <= 1e-13*mat.Max(x.Green)) || !(mat.Min(&off) >= -1e-13*mat.Max(x.Green)) {
		t.Errorf("%d columns, off by %g to %g", k, mat.Min(&off), mat.Max(&off))
	}
	for name, a := range map[string]*mat.Dense{
		"too many columns": x.Green,
		"all directions":   linop.Identity(240),
		"zero":             mat.NewDense(240, 240, nil),
		"no number":        mat.NewDense(1, 1, []float64{math.NaN()}),
	} {
		if b := lowRank(t.Context(), a, 20); b != nil {
			t.Errorf("%s: a root was found", name)
		}
	}
	whole := &Exact{Green: linop.Identity(240), T: linop.Ones(240), Outputs: 240, Width: 20}
	if _, err := whole.At(t.Context(), 1, 1); err != nil || !whole.thick {
		t.Errorf("of all directions: %v", err)
	}
}
