package noise_test

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
)

// A problem has a known G, on the unit interval.
type problem func(x, y float64) float64

func poisson(x, y float64) float64 { return math.Min(x, y) * (1 - math.Max(x, y)) }

// helmholtz is that of -u″ - 144 u with zero boundary values.
func helmholtz(x, y float64) float64 {
	const w = 12
	return math.Sin(w*math.Min(x, y)) * math.Sin(w*(1-math.Max(x, y))) / (w * math.Sin(w))
}

// errors of a value, with their covariance, of standard deviation one in the mean.
type shape struct {
	name    string
	along   func(y float64) float64 // standard deviation; nil: one
	pair    func(i int) float64     // of a pair; nil: one
	ar      float64                 // correlation of values that are 1/19 apart
	outlier float64                 // share of the values that are off by five standard deviations
	oneWay  bool                    // all of these to the same side
	huber   bool                    // fitted with Huber's loss, whether or not anything is off
}

// robust reports whether the noise is fitted with Huber's loss.
func (s shape) robust() bool { return s.huber || s.outlier > 0 }

func shapes() []shape {
	return []shape{
		{name: "white"},
		{name: "AR(1) .9", ar: .9},
		{name: "sd × 30 along y", along: func(y float64) float64 { return math.Pow(30, y) }},
		{name: "sd by curve .3/1.95", pair: someLoud},
		{name: "5 % outliers", outlier: .05},
		{name: "no outliers, huber", huber: true},
		{name: "30 % on one side", outlier: .3, oneWay: true},
		{name: "AR(1) .9, sd by curve", ar: .9, pair: someLoud},
		{name: "AR(1) .9, sd along y", ar: .9, along: func(y float64) float64 { return math.Pow(30, y) }},
	}
}

// someLoud makes every fourth pair 6.5 times as loud as the others.
func someLoud(i int) float64 {
	if i%4 == 3 {
		return 1.95
	}
	return .3
}

// simulated are pairs with noise, and what made them.
type simulated struct {
	d         *dataset.Dataset
	g         *mat.Dense // on the meshes
	sigma     float64    // root of the mean variance of the noise, without outliers
	sd        []float64  // of the noise at each point, of a pair of standard deviation one
	errors    *dataset.Errors
	noiseFree *mat.Dense
	clean     *dataset.Dataset // without outliers
}

// simulate draws n pairs on m uniform points: inputs of lengthscale .1, noise of so much of the
// spread of the outputs.
func simulate(p problem, s shape, n, m int, level float64, seed uint64) *simulated {
	rng := rand.New(rand.NewPCG(seed, 0x5eed))
	ar := math.Pow(s.ar, 19/float64(m-1))
	x, y := mesh.Must(mesh.Uniform(0, 1, m, "x")), mesh.Must(mesh.Uniform(0, 1, m, "y"))
	at, w := x.Points(), x.Weights()
	k := mat.NewSymDense(m, nil)
	for i := range m {
		for j := range i + 1 {
			d := (at[i] - at[j]) / .1
			k.SetSym(i, j, math.Exp(-d*d/2))
		}
		k.SetSym(i, i, 1+1e-9)
	}
	var c mat.Cholesky
	if !c.Factorize(k) {
		panic("inputs")
	}
	var root mat.TriDense
	c.LTo(&root)
	out := &simulated{g: mat.NewDense(m, m, nil)}
	for i := range m {
		for j := range m {
			out.g.Set(i, j, p(at[i], at[j]))
		}
	}
	draws := func(count int) *mat.Dense {
		z := mat.NewDense(count, m, nil)
		z.Apply(func(int, int, float64) float64 { return rng.NormFloat64() }, z)
		var f mat.Dense
		f.Mul(z, root.T())
		return &f
	}
	f := draws(n)
	out.noiseFree = apply(f, out.g, w)
	sigma := level * math.Sqrt(floats.Dot(out.noiseFree.RawMatrix().Data, out.noiseFree.RawMatrix().Data)/float64(n*m))
	mean := 0.0
	pair, along := ones(n), ones(m)
	for i := range n {
		if s.pair != nil {
			pair[i] = s.pair(i)
		}
	}
	for k := range m {
		if s.along != nil {
			along[k] = s.along(at[k])
		}
	}
	for i := range n {
		for k := range m {
			mean += pair[i] * pair[i] * along[k] * along[k] / float64(n*m)
		}
	}
	out.sigma = sigma
	unit := sigma / math.Sqrt(mean)
	u, clean := mat.DenseCopyOf(out.noiseFree), mat.DenseCopyOf(out.noiseFree)
	for i := range n {
		e := rng.NormFloat64()
		for k := range m {
			if k > 0 {
				e = ar*e + math.Sqrt(1-ar*ar)*rng.NormFloat64()
			}
			v := unit * pair[i] * along[k] * e
			clean.Set(i, k, clean.At(i, k)+v)
			if rng.Float64() < s.outlier {
				side := math.Copysign(1, rng.Float64()-.5)
				if s.oneWay {
					side = 1
				}
				v += 5 * sigma * side
			}
			u.Set(i, k, u.At(i, k)+v)
		}
	}
	out.sd = make([]float64, m)
	for k := range out.sd {
		out.sd[k] = unit * along[k]
	}
	out.errors = &dataset.Errors{}
	cov := mat.NewSymDense(m, nil)
	for i := range m {
		for j := range i + 1 {
			cov.SetSym(i, j, along[i]*along[j]*math.Pow(ar, float64(i-j)))
		}
	}
	out.errors.Covariance = cov
	if s.pair != nil {
		for _, v := range pair {
			out.errors.Pairs = append(out.errors.Pairs, 1/v/v)
		}
	}
	pairs := func(u *mat.Dense) *dataset.Dataset {
		d, err := dataset.New(dataset.Spec{Input: array.FromMatrix(f), Output: array.FromMatrix(u), InputMesh: x, OutputMesh: y})
		if err != nil {
			panic(err)
		}
		return d
	}
	out.d, out.clean = pairs(u), pairs(clean)
	return out
}

// rms is the root of the mean variance of the noise by the quadrature, as sigma is.
func (s *simulated) rms() float64 {
	sum, plain, length := 0.0, 0.0, 0.0
	for k, w := range s.d.OutputMesh.Weights() {
		sum, plain, length = sum+w*s.sd[k]*s.sd[k], plain+s.sd[k]*s.sd[k]/float64(len(s.sd)), length+w
	}
	return s.sigma * math.Sqrt(sum/length/plain)
}

func apply(f, g *mat.Dense, w []float64) *mat.Dense {
	weighted := mat.DenseCopyOf(f)
	weighted.Apply(func(_, j int, v float64) float64 { return v * w[j] }, weighted)
	var u mat.Dense
	u.Mul(weighted, g)
	return &u
}

func ones(n int) []float64 {
	v := make([]float64, n)
	floats.AddConst(1, v)
	return v
}
