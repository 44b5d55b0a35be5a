package criteria

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/solve"
)

// Over many random vectors the determinant and the trace are off by their standard error
// as a rule, and never by four; with the diagonal known and not, from two vectors and more, and as for large systems.
func TestProbesSayTheirError(t *testing.T) {
	for name, spread := range map[string]float64{"near the diagonal": .05, "rough": .4, "with a kink": 1.5} {
		h, d := spectral(220, spread)
		f, err := factor(context.Background(), mat.DenseCopyOf(h), d)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.invert(context.Background()); err != nil {
			t.Fatal(err)
		}
		exact := make([]float64, len(d))
		for i := range exact {
			exact[i] = h.At(i, i)
		}
		for k, diagonal := range [][]float64{nil, exact, nil, exact, exact} {
			const repeats = 40
			how := []plan{{8, 8, 6, 0.1}, {8, 8, 6, 0.1}, {1, 1, 12, 0.1}, {1, 1, 12, 0.1}, planFor(MostProbed)}[k]
			var det, trace float64
			for seed := range repeats {
				p := newProbing(linop.Dense{M: h}, d, diagonal)
				p.plan, p.seed = how, uint64(1000*seed)
				for range 2 {
					if err := p.more(context.Background(), how.vectors); err != nil {
						t.Fatal(err)
					}
				}
				a, b := p.logDet(), p.trace()
				za, zb := (a.value-f.logs)/a.err, (b.value-f.trace())/b.err
				if !(math.Abs(za) <= 4) || !(math.Abs(zb) <= 4) {
					t.Errorf("%s, diagonal known %t: log det %.6g ± %.2g, exactly %.6g; trace %.6g ± %.2g, exactly %.6g", name, diagonal != nil, a.value, a.err, f.logs, b.value, b.err, f.trace())
				}
				det, trace = det+za*za/repeats, trace+zb*zb/repeats
			}
			t.Logf("%s, %d vectors, diagonal known %t: mean squares of errors in standard errors %.2f, %.2f", name, how.vectors, diagonal != nil, det, trace)
			if !(det <= 2) || !(trace <= 2) {
				t.Errorf("%s: errors are %.2f and %.2f standard errors in the mean square", name, math.Sqrt(det), math.Sqrt(trace))
			}
		}
	}
}

// Where all but a few eigenvalues are one and these many orders of magnitude apart, as without a preconditioner and with hardly any
// noise, the space stays orthonormal: no eigenvalue in it is below the least there is, and the determinant is right, with what products round of it in its error.
func TestSpacesOfEigenvaluesFarApart(t *testing.T) {
	for _, c := range []struct{ decades, by float64 }{{4, 2}, {8, 1.7}, {10, 1.5}, {10, 4}, {12, 2}, {13, 4}, {13, 30}} {
		const n = 400
		turn, _ := definite(n, 6)
		var qr mat.QR
		var q mat.Dense
		qr.Factorize(turn)
		qr.QTo(&q)
		h, want := mat.NewDense(n, n, nil), 0.0
		for i := range n {
			v := 1 + math.Pow(10, c.decades)*math.Pow(c.by, -float64(i))
			h.Set(i, i, v)
			want += math.Log(v)
		}
		h.Mul(h, q.T())
		h.Mul(&q, h)
		for seed := range uint64(5) {
			p := newProbing(linop.Dense{M: h}, linop.Ones(n), nil)
			p.plan, p.seed = planAlone, 1000*seed
			if err := p.more(t.Context(), p.plan.vectors); err != nil {
				t.Errorf("%g decades: %v", c.decades, err)
				continue
			}
			if got := p.logDet(); !(math.Abs(got.value-want) <= 4*got.err) || !(got.err <= .05*want) {
				t.Errorf("%g decades: log det %.4f ± %.2g, want %.4f", c.decades, got.value, got.err, want)
			}
		}
	}
}

// spectral is D^½ M D^½ with rows of sizes over six decades, the logarithms of the
// eigenvalues of M spread like those of a preconditioned kernel: a few stand out.
func spectral(n int, spread float64) (h *mat.Dense, d []float64) {
	turn, _ := definite(n, 5)
	var qr mat.QR
	var q mat.Dense
	qr.Factorize(turn)
	qr.QTo(&q)
	h = mat.NewDense(n, n, nil)
	d = make([]float64, n)
	for i := range n {
		d[i] = math.Pow(10, 6*float64(i)/float64(n))
		h.Set(i, i, math.Exp(spread*math.Sin(float64(i))+3*spread/float64(1+i)))
	}
	var left mat.Dense
	left.Mul(&q, h)
	h.Mul(&left, q.T())
	h.Apply(func(i, j int, v float64) float64 { return v * math.Sqrt(d[i]*d[j]) }, h)
	return h, d
}

// A single eigenvalue that is not positive is noticed, in a space that has it; those that are, however
// small, are no reason to refuse.
func TestProbesRefuse(t *testing.T) {
	const n = 20
	for least, ok := range map[float64]bool{1e-3: true, -1e-3: false, -100: false} {
		h, d := mat.NewDense(n, n, nil), make([]float64, n)
		for i := range n {
			d[i] = 1
			h.Set(i, i, .1+.02*float64(i))
		}
		h.Set(7, 7, least)
		err := newProbing(linop.Dense{M: h}, d, nil).more(context.Background(), 8)
		if ok && err != nil || !ok && !errors.Is(err, solve.ErrNotPositive) {
			t.Errorf("least eigenvalue %g: %v", least, err)
		}
	}
}

// On an invariant subspace the determinant and the trace are those of that part.
func TestProbesOfASubspace(t *testing.T) {
	h, d := definite(60, 3)
	used := make([]float64, 60)
	for i := range used {
		for j := range used {
			if i%2 != j%2 {
				h.Set(i, j, 0)
			}
		}
		used[i] = float64(i % 2)
	}
	odd, od := mat.NewDense(30, 30, nil), make([]float64, 30)
	for i := range od {
		od[i] = d[2*i+1]
		for j := range od {
			odd.Set(i, j, h.At(2*i+1, 2*j+1))
		}
	}
	f, err := factor(context.Background(), odd, od)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.invert(context.Background()); err != nil {
		t.Fatal(err)
	}
	p := newProbing(linop.Dense{M: h}, d, nil)
	p.shares, p.project = used, func(_ context.Context, z []float64) { floats.Mul(z, used) }
	if err := p.more(context.Background(), 8); err != nil { // the space is the whole subspace
		t.Fatal(err)
	}
	if a, b := p.logDet(), p.trace(); !(math.Abs(a.value-f.logs) <= 3*a.err+1e-8) || !(math.Abs(b.value-f.trace()) <= 3*b.err+1e-8) {
		t.Errorf("log det %.10g ± %.2g, exactly %.10g; trace %.10g ± %.2g, exactly %.10g", a.value, a.err, f.logs, b.value, b.err, f.trace())
	}
}

// What is taken out of the matrix from the first vectors on are its eigenvectors far from 1 that are
// found: their residuals, by the matrix itself, are small, and those of the others are not.
func TestProbesTakeOutWhatIsFound(t *testing.T) {
	ctx := context.Background()
	h, d := spectral(120, .4)
	p := newProbing(linop.Dense{M: h}, d, nil)
	z := mat.NewDense(4, len(d), nil)
	rng := rand.New(rand.NewPCG(1, 2))
	z.Apply(func(_, _ int, _ float64) float64 { return rng.NormFloat64() }, z)
	k := newKrylov(ctx, p, z)
	kept := map[bool]int{}
	for range 8 {
		if grown, err := k.step(ctx); err != nil || !grown {
			t.Fatalf("the space does not grow: %v", err)
		}
		if err := k.ritz(ctx); err != nil {
			t.Fatal(err)
		}
		for j, keep := range k.outstanding() {
			v, out := make([]float64, len(d)), make([]float64, len(d))
			for i := range k.last {
				floats.AddScaled(v, k.turn.At(i, j), k.q.RawRowView(i))
			}
			scaled := slices.Clone(v)
			floats.Div(scaled, p.root)
			p.h.Apply(ctx, out, scaled)
			floats.Div(out, p.root)
			floats.AddScaled(out, -k.theta[j], v)
			residual, far := floats.Norm(out, 2)/k.theta[j], math.Abs(math.Log(k.theta[j])) > outstanding
			if !(math.Abs(residual-precise) <= 1e-9) && keep != (far && residual < precise) {
				t.Errorf("eigenvalue %.4g with the residual %.3g of it: taken out %t", k.theta[j], residual, keep)
			}
			kept[keep]++
		}
	}
	if kept[true] < 5 || kept[false] < 5 {
		t.Errorf("taken out %d times and not %d times", kept[true], kept[false])
	}
}

// What two vectors of signs tell of the variance of ⟨s, B s⟩ is, in the mean, that by definition, 2 Σ_{i≠j} B_ij²; for a B
// that is not symmetric it is no less. The degrees of freedom are those that its spread has.
func TestSignsTellTheirVariance(t *testing.T) {
	const n, repeats = 60, 4000
	rng := rand.New(rand.NewPCG(3, 4))
	for _, c := range []struct {
		name      string
		symmetric bool
		decay     float64
	}{{"hardly falling", true, .02}, {"of few directions", true, .5}, {"not symmetric", false, .1}} {
		b, eigen := mat.NewDense(n, n, nil), make([]float64, n)
		turn, _ := definite(n, 5)
		var qr mat.QR
		var q mat.Dense
		qr.Factorize(turn)
		qr.QTo(&q)
		second, fourth := 0.0, 0.0
		for i := range eigen {
			eigen[i] = math.Exp(-c.decay * float64(i))
			second, fourth = second+eigen[i]*eigen[i], fourth+math.Pow(eigen[i], 4)
		}
		b.Mul(&q, mat.NewDiagDense(n, eigen))
		if c.symmetric {
			b.Mul(mat.DenseCopyOf(b), q.T())
		}
		want := 0.0 // of the symmetric part, which ⟨s, B s⟩ is that of
		for i := range n {
			for j := range n {
				if i != j {
					want += math.Pow(b.At(i, j)+b.At(j, i), 2) / 2
				}
			}
		}
		var sum, square, values, valuesSquare float64
		for range repeats {
			var e signed
			for range 2 {
				s := Signs(n, rng.Uint64())
				each := make([]float64, n)
				mat.NewVecDense(n, each).MulVec(b, mat.NewVecDense(n, s))
				floats.Mul(each, s)
				value := floats.Sum(each)
				values, valuesSquare = values+value/(2*repeats), valuesSquare+value*value/(2*repeats)
				e.add(value, each, second, fourth)
			}
			err := e.mean().err / widened(second*second/fourth) * math.Sqrt2
			sum, square = sum+err*err/repeats, square+math.Pow(err, 4)/repeats
		}
		freedom := 2 * sum * sum / (square - sum*sum)
		t.Logf("%s: variance %.4g by pairs, %.4g by definition, %.4g of the estimates; %.3g degrees of freedom, taken for %.3g", c.name, sum, want, valuesSquare-values*values, freedom, second*second/fourth)
		if off := sum / want; !(off >= .95) || c.symmetric && !(off <= 1.05) {
			t.Errorf("%s: variance %.4g, by definition %.4g", c.name, sum, want)
		}
		if !(second*second/fourth <= 1.5*freedom) {
			t.Errorf("%s: taken for %.3g degrees of freedom, of %.3g", c.name, second*second/fourth, freedom)
		}
	}
	var one, none signed
	one.add(3, []float64{1, 2}, 1, 1)
	none.add(0, []float64{0, 0}, 0, 0)
	if a, b := one.mean(), none.mean(); a.value != 3 || !math.IsInf(a.err, 1) || b.value != 0 || b.err != 0 {
		t.Errorf("of one vector %g ± %g, of nothing %g ± %g", a.value, a.err, b.value, b.err)
	}
}

// The error of a mean is √(variance/n), of more than three values wider by √((n+3)/(n-3)); its value is theirs.
func TestErrorOfAMean(t *testing.T) {
	for _, c := range []struct {
		v           []float64
		mean, error float64
	}{
		{[]float64{1, 4}, 2.5, math.Sqrt(4.5 / 2)},
		{[]float64{1, 2, 6}, 3, math.Sqrt(7. / 3)},
		{[]float64{-1, 2, 3, 4}, 2, math.Sqrt(14. / 3 / 4 * 7)},
		{[]float64{1, 2, 3, 4, 5}, 3, math.Sqrt(2.5 / 5 * 4)},
	} {
		if e := mean(c.v); !(math.Abs(e.value-c.mean) <= 1e-15) || !(math.Abs(e.err-c.error) <= 1e-14) {
			t.Errorf("%v: %g ± %g, want %g ± %g", c.v, e.value, e.err, c.mean, c.error)
		}
	}
}
