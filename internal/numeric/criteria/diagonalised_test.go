package criteria

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
)

// diagonalised is the problem of the contrasts in its eigenvectors at one ρ/λ; narrow leaves
// those of eigenvalues that are zero to Rest.
func (b problem) diagonalised(ratio float64, narrow bool) *Diagonalised {
	a, n := b.matrix(1, ratio), len(b.t)
	d := &Diagonalised{RSS0: b.rss0(), Outputs: b.pairs * b.my, Values: b.pairs * b.my, Ratio: ratio}
	project := mat.NewDense(n, n, nil)
	for i := range n {
		project.Set(i, i, 1)
	}
	if c := b.contrast(); c != nil {
		d.Values--
		project.RankOne(project, -1, mat.NewVecDense(n, c), mat.NewVecDense(n, c))
	}
	var pa mat.Dense
	pa.Mul(project, a)
	a.Mul(&pa, project)
	values, v, err := linop.Eigen(context.Background(), a)
	if err != nil {
		panic(err)
	}
	first := 0
	for narrow && values[first] < 1e-13*values[n-1] {
		first++
	}
	along := mat.NewVecDense(n, nil)
	along.MulVec(v.T(), mat.NewVecDense(n, b.t))
	t := along.RawVector().Data
	d.Eigenvalues, d.T, d.Rest, d.Zeros = values[first:], t[first:], floats.Dot(t[:first], t[:first]), first
	if u := b.bias(); u != nil {
		var pu, all mat.Dense
		pu.Mul(project, u)
		all.Mul(v.T(), &pu)
		_, k := all.Dims()
		d.Bias = mat.DenseCopyOf(all.Slice(first, n, 0, k))
	}
	return d
}

// From the eigenvectors at one ρ/λ the criteria at another are those of the eigenvalues there,
// to 1e-8 nats as far as they reach, and so are its largest eigenvalue and the rules from it.
func TestBiasIsAnUpdate(t *testing.T) {
	ctx, worst := context.Background(), 0.0
	for name, b := range catalog() {
		unit := 1 / mat.Max(b.green)
		for _, ratio := range []float64{1e-3 * unit, unit, 1e3 * unit} {
			want := b.rules(ratio)
			for _, from := range []float64{0.1, 1, 30, 1e6} {
				for _, narrow := range []bool{false, true} {
					d := b.diagonalised(ratio*from, narrow)
					if !d.Reaches(ratio) {
						t.Fatalf("%s: ρ/λ %g × %g does not reach", name, ratio, from)
					}
					curve := d.At(ratio)
					if top := want.Top(); !(math.Abs(curve.Top()-top) <= .05*top) {
						t.Errorf("%s, from ρ/λ × %g: largest eigenvalue %g, want %g", name, from, curve.Top(), top)
					}
					rules, err := d.Rules(ctx, ratio)
					if err != nil {
						t.Fatal(err)
					}
					for _, level := range []float64{10, 1e-2, 1e-5, 1e-8} {
						lambda := level * want.Top()
						sheet, err := curve.Sheet(ctx, lambda)
						if err != nil {
							t.Fatal(err)
						}
						v := want.At(lambda)
						size := floats.Norm([]float64{1, v.REML}, 2)
						free := min(1, v.ResidualDF/2) // the relative error of GCV is twice theirs
						for what, pair := range map[string][2]float64{
							"REML": {sheet.REML, v.REML}, "REML of the rules": {rules.At(lambda).REML, v.REML}, "log GCV": {free * math.Log(sheet.GCV), free * math.Log(v.GCV)},
							"degrees of freedom": {sheet.EffectiveDF, v.EffectiveDF}, "residual ones": {sheet.ResidualDF, v.ResidualDF},
							"determinant": {sheet.LogDet, v.LogDet}, "derivative": {sheet.Slope, v.Slope},
						} {
							off := math.Abs(pair[0]-pair[1]) / size
							worst = max(worst, off)
							if !(off <= 1e-8) {
								t.Errorf("%s, from ρ/λ %g × %g, λ = %g of the largest: %s %.12g, want %.12g", name, ratio/unit, from, level, what, pair[0], pair[1])
							}
						}
						for _, by := range []Criterion{REML, GCV} {
							if value, err := curve.Value(ctx, by, lambda); err != nil || !(math.Abs(value-sheet.Of(by)) <= 1e-12*math.Abs(value)) {
								t.Errorf("%s: %s %g (%v), %g on the sheet", name, by, value, err, sheet.Of(by))
							}
						}
					}
				}
			}
		}
	}
	t.Logf("largest deviation %.1e", worst)
}
