package bindings_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/linalg"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// oracle knows the errors, and finds the kernel and λ of the least: products of a kernel on
// the input and one on the output of the same family, and kinks over squared exponentials,
// with a bias of its own weight. It shares no code with the choice that it judges.
type oracle struct {
	s          studied
	t          testing.TB
	x, y       mesh.Mesh
	b, u, test *mat.Dense // F dx/√n and U dy^½/√n without means; new inputs times dx less the mean
	rootY      []float64
	sides      map[string]*spectral
}

type spectral struct {
	k       *mat.Dense
	values  []float64
	vectors *mat.Dense
	bias    float64
}

func newOracle(t testing.TB, s studied) *oracle {
	o := &oracle{s: s, t: t, x: s.train.InputMesh, y: s.train.OutputMesh, sides: map[string]*spectral{}}
	f, _ := s.train.Input.Matrix()
	u, _ := s.train.Output.Matrix()
	test, _ := s.test.Input.Matrix()
	n, mx := f.Dims()
	_, my := u.Dims()
	o.rootY = o.y.Weights()
	for k, w := range o.rootY {
		o.rootY[k] = math.Sqrt(w)
	}
	dx, root := o.x.Weights(), math.Sqrt(float64(n))
	o.b, o.u, o.test = mat.NewDense(n, mx, nil), mat.NewDense(n, my, nil), new(mat.Dense)
	o.b.Apply(func(i, j int, v float64) float64 { return v * dx[j] / root }, f)
	o.u.Apply(func(i, k int, v float64) float64 { return v * o.rootY[k] / root }, u)
	o.test.Apply(func(i, j int, v float64) float64 { return v * dx[j] }, test)
	return o
}

// point is a place of the oracle's search.
type oraclePoint struct {
	nu     float64   // 0: squared exponential
	logs   []float64 // log2 of the lengthscales, of the input's coordinates and the output's, over the axes
	bias   float64   // log10 of the variance of the bias over that of G's part
	lambda float64   // log10, over the largest eigenvalue
	power  int       // of a kink; 0: none
	weight float64   // log10 of the kink's over the smooth part's
	jump   float64   // log2 of its lengthscale
}

func (p oraclePoint) clone() oraclePoint { p.logs = slices.Clone(p.logs); return p }

func gramOf(t testing.TB, m mesh.Mesh, nu float64, logs []float64) *mat.Dense {
	var l kernel.Lengthscale
	at := 0
	for _, a := range m.Axes() {
		l = append(l, math.Exp2(logs[at])*(a.Upper[0]-a.Lower[0]))
		at++
	}
	var k kernel.Kernel = kernel.SE{Lengthscale: l}
	if nu > 0 {
		k = kernel.Matern{Nu: nu, Lengthscale: l}
	}
	f, err := kernels.Compile(k, kernel.Space{Names: m.Names()})
	if err != nil {
		t.Fatal(err)
	}
	g, err := f.Gram(context.Background(), m, m)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func mul(a, b mat.Matrix) *mat.Dense {
	out := new(mat.Dense)
	_ = linalg.Mul(context.Background(), out, a, b)
	return out
}

// side is the spectrum of a kernel in the data of a side.
func (o *oracle) side(input bool, nu, bias float64, logs []float64) *spectral {
	key := fmt.Sprintf("%v %v %v %.4f", input, nu, bias, logs)
	if s, ok := o.sides[key]; ok {
		return s
	}
	s := new(spectral)
	var form *mat.Dense
	if input {
		s.k = gramOf(o.t, o.x, nu, logs)
		form = mul(mul(o.b, s.k), o.b.T())
		s.bias = mat.Trace(form) * math.Pow(10, bias)
		n, _ := form.Dims()
		form.Apply(func(_, _ int, v float64) float64 { return v + s.bias/float64(n) }, form)
	} else {
		s.k = gramOf(o.t, o.y, nu, logs)
		form = mat.DenseCopyOf(s.k)
		form.Apply(func(i, k int, v float64) float64 { return v * o.rootY[i] * o.rootY[k] }, form)
	}
	var err error
	if s.values, s.vectors, err = linalg.Eigen(context.Background(), form); err != nil {
		o.t.Fatal(err)
	}
	for i := range s.values {
		s.values[i] = max(s.values[i], 0)
	}
	o.sides[key] = s
	return s
}

// ramps are what a kink adds: |x-y|^p times products of functions of x and of y.
func (o *oracle) ramps(p oraclePoint) (phi, psi *mat.Dense, distance *mat.Dense) {
	half := func(m mesh.Mesh) *mat.Dense {
		g := gramOf(o.t, m, 0, []float64{p.jump})
		values, vectors, err := linalg.Eigen(context.Background(), g)
		if err != nil {
			o.t.Fatal(err)
		}
		n, rank := len(values), 0
		for rank < n && values[n-1-rank] > 1e-9*values[n-1] {
			rank++
		}
		out := mat.NewDense(n, rank, nil)
		out.Apply(func(i, a int, _ float64) float64 { return vectors.At(i, n-1-a) * math.Sqrt(values[n-1-a]) }, out)
		return out
	}
	xs, ys := o.x.Columns()[0], o.y.Columns()[0]
	distance = mat.NewDense(len(xs), len(ys), nil)
	distance.Apply(func(i, k int, _ float64) float64 { return math.Pow(math.Abs(xs[i]-ys[k]), float64(p.power)) }, distance)
	return half(o.x), half(o.y), distance
}

// errors are those at a place.
func (o *oracle) errors(p oraclePoint) (prediction, green float64) {
	dx := o.x.Dim()
	a, b := o.side(true, p.nu, p.bias, p.logs[:dx]), o.side(false, p.nu, 0, p.logs[dx:])
	n, my := o.u.Dims()
	lambda := a.values[len(a.values)-1] * b.values[len(b.values)-1] * math.Pow(10, p.lambda)
	h := func(i, k int) float64 { return a.values[i]*b.values[k] + lambda }
	turn := func(m *mat.Dense) *mat.Dense { return mul(mul(a.vectors.T(), m), b.vectors) }
	z := turn(o.u)
	z.Apply(func(i, k int, v float64) float64 { return v / h(i, k) }, z)
	_, mx := o.b.Dims()
	g := mat.NewDense(mx, my, nil)
	if p.power > 0 {
		phi, psi, distance := o.ramps(p)
		_, rx := phi.Dims()
		_, ry := psi.Dims()
		rank := rx * ry
		zs, zh := mat.NewDense(rank, n*my, nil), mat.NewDense(rank, n*my, nil)
		total := 0.0
		for r := range rank {
			i, j := r/ry, r%ry
			var w, s mat.Dense
			w.Apply(func(_, x int, v float64) float64 { return v * phi.At(x, i) }, o.b)
			s.Mul(&w, distance)
			s.Apply(func(_, y int, v float64) float64 { return v * psi.At(y, j) * o.rootY[y] }, &s)
			turned := turn(&s)
			copy(zs.RawRowView(r), turned.RawMatrix().Data)
			turned.Apply(func(i, k int, v float64) float64 { return v / h(i, k) }, turned)
			copy(zh.RawRowView(r), turned.RawMatrix().Data)
			total += floats.Dot(zs.RawRowView(r), zs.RawRowView(r))
		}
		weight := math.Pow(10, p.weight) * floats.Sum(a.values) * floats.Sum(b.values) / total
		inner := mul(zs, zh.T())
		for r := range rank {
			inner.Set(r, r, inner.At(r, r)+1/weight)
		}
		sym := mat.NewSymDense(rank, nil)
		for r := range rank {
			for c := r; c < rank; c++ {
				sym.SetSym(r, c, inner.At(r, c))
			}
		}
		var chol mat.Cholesky
		if !chol.Factorize(sym) {
			return math.Inf(1), math.Inf(1)
		}
		v := mat.NewVecDense(rank, nil)
		v.MulVec(zs, mat.NewVecDense(n*my, z.RawMatrix().Data))
		if chol.SolveVecTo(v, v) != nil {
			return math.Inf(1), math.Inf(1)
		}
		zv := mat.NewVecDense(n*my, nil)
		zv.MulVec(zh.T(), v)
		floats.Sub(z.RawMatrix().Data, zv.RawVector().Data)
		v.MulVec(zs, mat.NewVecDense(n*my, z.RawMatrix().Data))
		c := mat.NewDense(rx, ry, nil)
		for r := range rank {
			c.Set(r/ry, r%ry, weight*v.AtVec(r))
		}
		g = mul(mul(phi, c), psi.T())
		g.MulElem(g, distance)
	}
	z = mul(mul(a.vectors, z), b.vectors.T())
	z.Apply(func(_, k int, v float64) float64 { return v * o.rootY[k] }, z)
	g.Add(g, mul(mul(a.k, mul(o.b.T(), z)), b.k))
	means := mat.NewDense(1, my, nil)
	for i := range n {
		floats.AddScaled(means.RawRowView(0), a.bias/math.Sqrt(float64(n)), z.RawRowView(i))
	}
	beta := mul(means, b.k)
	u := mul(o.test, g)
	u.Apply(func(_, k int, v float64) float64 { return v + beta.At(0, k) }, u)
	return o.s.errorsOf(o.t, u, g)
}

// descend improves one of the errors from a place, one coordinate at a time.
func (o *oracle) descend(p oraclePoint, which func(a, b float64) float64) oraclePoint {
	at := func(p oraclePoint) float64 { return which(o.errors(p)) }
	value := at(p)
	for step := 1.0; step >= 0.25; step /= 2 {
		for moved := true; moved; {
			moved = false
			coordinates := len(p.logs) + 3
			if p.power > 0 {
				coordinates += 2
			}
			for i := range coordinates {
				for _, by := range []float64{step, -step} {
					q := p.clone()
					switch i - len(p.logs) {
					case 0:
						q.lambda += by
					case 1:
						for j := range q.logs {
							q.logs[j] += by
						}
					case 2:
						q.bias += 2 * by
					case 3:
						q.weight += by
					case 4:
						q.jump += by
					default:
						q.logs[i] += by
					}
					if q.lambda < leastLambda || q.jump < -3.5 || q.jump > 3 || slices.Min(q.logs) < -6 || slices.Max(q.logs) > longestLog {
						continue
					}
					if v := at(q); v < 0.9995*value {
						p, value, moved = q, v, true
						break
					}
				}
			}
		}
	}
	return p
}

// found is the least errors that any place has, of prediction and of G, and G's error at the
// first of these places.
type found struct {
	prediction, green, greenThere float64
	by                            string // the place of the least error of prediction
}

// best looks for both errors by themselves, from places all over the grid.
func (o *oracle) best(kinks bool) found {
	d := o.x.Dim() + o.y.Dim()
	out := found{prediction: math.Inf(1), green: math.Inf(1)}
	take := func(p oraclePoint) {
		prediction, green := o.errors(p)
		if prediction < out.prediction {
			out.prediction, out.greenThere, out.by = prediction, green, fmt.Sprintf("%+v", p)
		}
		out.green = min(out.green, green)
	}
	ways := []func(a, b float64) float64{func(a, _ float64) float64 { return a }, func(_, b float64) float64 { return b }}
	for _, which := range ways {
		var se oraclePoint
		for _, nu := range []float64{.5, 1.5, 2.5, 0} {
			var starts []oraclePoint
			for l := -4.0; l <= 2; l += 1.5 {
				for lambda := -11.0; lambda <= -0.5; lambda += 1.5 {
					starts = append(starts, oraclePoint{nu: nu, logs: slices.Repeat([]float64{l}, d), lambda: lambda})
				}
			}
			se = o.descend(o.bestOf(starts, which), which)
			take(se)
		}
		if !kinks || o.x.Dim() != 1 || o.y.Dim() != 1 {
			continue
		}
		for _, power := range []int{1, 3} {
			take(o.descend(o.bestOf(kinksAround(se, power), which), which))
		}
	}
	return out
}

// kinksAround are starts with a kink: the smooth part that does not have to make the kink
// may be smoother, and the noise less.
func kinksAround(se oraclePoint, power int) []oraclePoint {
	var out []oraclePoint
	for longer := 0.0; longer <= 4; longer += 2 {
		for _, jump := range []float64{2.5, 1, -1.5} {
			for weight := -6.0; weight <= 2; weight += 2 {
				for less := 0.0; less <= 4; less += 2 {
					p := se.clone()
					for i := range p.logs {
						p.logs[i] = min(p.logs[i]+longer, longestLog)
					}
					p.power, p.weight, p.jump, p.lambda = power, weight, jump, max(p.lambda-less, leastLambda)
					out = append(out, p)
				}
			}
		}
	}
	return out
}

func (o *oracle) bestOf(starts []oraclePoint, which func(a, b float64) float64) (best oraclePoint) {
	value := math.Inf(1)
	for _, p := range starts {
		if v := which(o.errors(p)); v < value {
			best, value = p, v
		}
	}
	return best
}

const (
	leastLambda = -13.0
	longestLog  = 3.5
)
