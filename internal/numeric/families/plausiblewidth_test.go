package families_test

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/internal/numeric/families"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/kernel"
)

// A dozen kernels stand for the means and the variances of G under all that few data allow, which are computed from the
// covariance of each here: deviations are right to a tenth on average and nowhere off by more than a fifth, means by a fifth of
// a deviation, where kernels that are not likely leave most of G open. A dozen by their shares alone miss those.
func TestAFewKernelsAreAsWideAsAll(t *testing.T) {
	for _, c := range []struct {
		pairs int
		noise float64
	}{{2, 1e-4}, {3, 1e-4}} {
		if c.pairs != 3 && !testmain.EveryCase() {
			continue
		}
		d := pairs(c.pairs, 7, 5, c.noise, poisson)
		every := testmain.Must(families.Plausible(t.Context(), d, families.Choice{}, 1<<20))(t)
		few := testmain.Must(families.Plausible(t.Context(), d, families.Choice{}, 12))(t)
		var likely []families.Choice
		for _, c := range every {
			if c.Share > 3e-4 {
				likely = append(likely, c)
			}
		}
		mean, want := mixtureByCovariance(t, d, likely)
		own, got := mixtureByCovariance(t, d, few)
		slices.SortStableFunc(every, func(a, b families.Choice) int { return cmp.Compare(a.Kernel.String(), b.Kernel.String()) })
		_, plain := mixtureByCovariance(t, d, criteria.Systematic(every, 12, func(c *families.Choice) *float64 { return &c.Share }))
		sum, most, off, missed := 0.0, 0.0, 0.0, 0.0
		for k, v := range want {
			log := math.Log(got[k]/v) / 2
			sum, most = sum+log/float64(len(want)), max(most, math.Abs(log))
			off, missed = max(off, math.Abs(own[k]-mean[k])/math.Sqrt(v)), max(missed, math.Abs(math.Log(plain[k]/v))/2)
		}
		if !(math.Abs(sum) <= .1) || !(most <= .2) || !(off <= .2) || len(few) > 12 {
			t.Errorf("%d pairs, %d kernels for %d: deviations are e^%.3f times as wide, off by at most e^%.3f, means by %.3f of them", c.pairs, len(few), len(likely), sum, most, off)
		}
		if !(missed >= .3) {
			t.Errorf("%d pairs: shares alone are off by no more than e^%.3f: another problem is needed", c.pairs, missed)
		}
	}
}

// mixtureByCovariance is the mean and the variance of G on the meshes, without a bias, over kernels and over λ of each.
func mixtureByCovariance(t *testing.T, d families.Data, kernels []families.Choice) (mean, variance []float64) {
	t.Helper()
	points, whole := d.X.Size()*d.Y.Size(), 0.0
	mean, variance = make([]float64, points), make([]float64, points)
	for _, c := range kernels {
		whole += c.Share
		for _, of := range overLambda(t, d, c) {
			for k, m := range of.mean {
				mean[k] += c.Share * of.share * m
				variance[k] += c.Share * of.share * (of.variance[k] + m*m)
			}
		}
	}
	for k := range mean {
		mean[k] /= whole
		variance[k] = variance[k]/whole - mean[k]*mean[k]
	}
	return mean, variance
}

// atLambda is G on the meshes for a kernel at a λ.
type atLambda struct {
	share          float64
	mean, variance []float64
}

// overLambda is G for a kernel at each λ.
func overLambda(t *testing.T, d families.Data, c families.Choice) (all []atLambda) {
	t.Helper()
	k, a, u := dense(t, d, c)
	var form, half, seen, along mat.Dense
	half.Mul(a, k)
	form.Mul(&half, a.T())
	values, vectors, err := linop.Eigen(t.Context(), &form)
	if err != nil {
		t.Fatal(err)
	}
	seen.Mul(vectors.T(), &half)
	along.Mul(vectors.T(), u)
	size, step := variance(t, d, c), .5
	prior := func(signal float64) float64 { return math.Log(signal)/2 - math.Log1p(signal) }
	if kink, ok := c.Kernel.(kernel.Kink); ok {
		base := variance(t, d, families.Choice{Kernel: kink.Base})
		w := size/base - 1
		size, step = base, 1
		prior = func(signal float64) float64 { return math.Log(signal) - 1.5*math.Log1p(signal*(1+w)) }
	}
	var logs []float64
	n, points := float64(len(values)), len(k.RawRowView(0))
	for log := -10.0; log <= 10; log += step {
		lambda, quad, logDet := size/math.Pow(10, log), 0.0, 0.0
		own := atLambda{mean: make([]float64, points), variance: make([]float64, points)}
		for p := range points {
			own.variance[p] = k.At(p, p)
		}
		for i, v := range values {
			v, t, row := max(v, 0), along.At(i, 0), seen.RawRowView(i)
			quad += t * t / (1 + v/lambda)
			logDet += math.Log1p(v / lambda)
			for p, r := range row {
				own.mean[p] += r * t / (v + lambda)
				own.variance[p] -= r * r / (v + lambda)
			}
		}
		for p, v := range own.variance {
			own.variance[p] = max(v, 0) * quad / n / lambda
		}
		all, logs = append(all, own), append(logs, prior(math.Pow(10, log))-n/2*math.Log(quad)-logDet/2)
	}
	whole := floats.LogSumExp(logs)
	for i, log := range logs {
		all[i].share = math.Exp(log - whole)
	}
	return all
}

// dense is the covariance of G on the meshes, what takes it to the outputs, and these.
func dense(t *testing.T, d families.Data, c families.Choice) (k, a *mat.Dense, u *mat.VecDense) {
	t.Helper()
	n, px := d.Input.Dims()
	py := d.Y.Size()
	f, x, y, dx, dy := compiled(t, c), d.X.Columns()[0], d.Y.Columns()[0], d.X.Weights(), d.Y.Weights()
	k = mat.NewDense(px*py, px*py, nil)
	k.Apply(func(a, b int, _ float64) float64 {
		return f.At([]float64{x[a/py], y[a%py]}, []float64{x[b/py], y[b%py]})
	}, k)
	a, u = mat.NewDense(n*py, px*py, nil), mat.NewVecDense(n*py, nil)
	for i := range n {
		for l := range py {
			root := math.Sqrt(dy[l] / float64(n))
			for j := range px {
				a.Set(i*py+l, j*py+l, d.Input.At(i, j)*dx[j]*root)
			}
			u.SetVec(i*py+l, d.Output.At(i, l)*root)
		}
	}
	return k, a, u
}
