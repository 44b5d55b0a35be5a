package families

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/linop"
)

// jump is how a kink is made: the part |x-y|^p |ξ-η|^p J of a kernel, with J the squared
// exponential of one lengthscale along the diagonal.
type jump struct {
	power int // p
	step  int // lengthscale of J, on the grid
}

const (
	mostFactors = 24    // of J on either side
	negligible  = 1e-13 // of its largest eigenvalue
)

// ramps is the factor of a jump in the basis of the sample: its part of the covariance of
// T is Z Zᵀ, with Z of (r q) × rank. It has mean square one over the diagonal.
type ramps struct {
	r, q  int
	parts []*mat.Dense // each r × q
	unit  float64      // of the weight that the kernel has to have for this scale
}

// newRamps finds the factor: J is of low rank, Φ Φᵀ on the input and Ψ Ψᵀ on the output,
// but for a part of it that is lost in rounding.
func newRamps(ctx context.Context, q *search, j jump, rounding float64) (*ramps, error) {
	phi, sx, err := q.x.factor(ctx, j.step)
	if err != nil {
		return nil, err
	}
	psi, sy, err := q.y.factor(ctx, j.step)
	if err != nil {
		return nil, err
	}
	distance := q.distances(j.power)
	out := new(ramps)
	out.r, out.q = q.s.t.Dims()
	weighted := mat.NewDense(out.r, q.x.mesh.Size(), nil)
	total := 0.0
	for a := range sx {
		weighted.Apply(func(i, k int, v float64) float64 { return v * phi.At(k, a) }, q.s.b)
		var m mat.Dense // r × points of y
		if err := linop.MulContext(ctx, &m, weighted, distance); err != nil {
			return nil, err
		}
		for b := range sy {
			if sx[a]*sy[b] <= rounding*sx[0]*sy[0] {
				break
			}
			var scaled mat.Dense
			scaled.Apply(func(_, k int, v float64) float64 { return v * psi.At(k, b) }, &m)
			z := new(mat.Dense)
			if err := linop.MulContext(ctx, z, &scaled, q.s.modes); err != nil {
				return nil, err
			}
			out.parts = append(out.parts, z)
			total += floats.Dot(z.RawMatrix().Data, z.RawMatrix().Data)
		}
	}
	out.unit = float64(out.r*out.q) / total
	return out, nil
}

// distances is |x - y|^p between the points of both sides.
func (q *search) distances(power int) *mat.Dense {
	x, y := q.x.mesh.Columns()[0], q.y.mesh.Columns()[0]
	out := mat.NewDense(len(x), len(y), nil)
	out.Apply(func(i, k int, _ float64) float64 { return math.Pow(math.Abs(x[i]-y[k]), float64(power)) }, out)
	return out
}

// factor is Φ of J ≈ Φ Φᵀ on the points of a side, and the squares of its columns.
func (s *side) factor(ctx context.Context, step int) (phi *mat.Dense, sizes []float64, err error) {
	g, err := s.gram(ctx, kernel.SE{Lengthscale: s.lengthscale([]int{step})})
	if err != nil {
		return nil, nil, err
	}
	values, vectors, err := linop.Eigen(ctx, g)
	if err != nil {
		return nil, nil, err
	}
	n := len(values)
	rank := 1
	for rank < min(n, mostFactors) && values[n-1-rank] > negligible*values[n-1] {
		rank++
	}
	phi = mat.NewDense(n, rank, nil)
	phi.Apply(func(i, a int, _ float64) float64 { return vectors.At(i, n-1-a) * math.Sqrt(values[n-1-a]) }, phi)
	for a := range rank {
		sizes = append(sizes, values[n-1-a])
	}
	return phi, sizes, nil
}

// bent is a product with a kink: H = I + (D + w Z Zᵀ)/λ.
type bent struct {
	*product
	z *mat.Dense // in the bases of the product, transposed: rank × (r q)
}

func newBent(ctx context.Context, p *product, z *ramps) (*bent, error) {
	out := &bent{product: p, z: mat.NewDense(len(z.parts), z.r*z.q, nil)}
	root := math.Sqrt(z.unit)
	for i, part := range z.parts {
		var left mat.Dense
		if err := linop.MulContext(ctx, &left, p.rows.vectors.T(), part); err != nil {
			return nil, err
		}
		row := mat.NewDense(z.r, z.q, out.z.RawRowView(i))
		if err := linop.MulContext(ctx, row, &left, p.cols.vectors); err != nil {
			return nil, err
		}
		row.Scale(root, row)
	}
	return out, nil
}

// along is REML at a λ for every w. With Z̃ = (I + D/λ)^-½ Z of left singular vectors u_i
// and singular values √s_i, and T̃ likewise, the quadratic form is
//
//	‖T̃ less its part along the u_i‖² + Σ (u_iᵀ T̃)² / (1 + w s_i/λ)
type along struct {
	lambda, values, left, logDet float64
	s, seen                      []float64 // s_i and u_iᵀ T̃
}

func (b *bent) along(ctx context.Context, lambda float64) (*along, error) {
	out := &along{lambda: lambda, values: b.values}
	rank, n := b.z.Dims()
	scaled := mat.NewDense(rank, n, nil)
	root, t := make([]float64, n), make([]float64, n)
	run := 1.0
	for i, d := range b.d {
		h := 1 + d/lambda
		if run *= h; run > 1e250 {
			out.logDet += math.Log(run)
			run = 1
		}
		root[i] = 1 / math.Sqrt(h)
		t[i] = b.t[i] * root[i]
	}
	out.logDet += math.Log(run)
	for i := range rank {
		floats.MulTo(scaled.RawRowView(i), b.z.RawRowView(i), root)
	}
	var gram mat.Dense
	if err := linop.MulContext(ctx, &gram, scaled, scaled.T()); err != nil {
		return nil, err
	}
	values, vectors, err := linop.Eigen(ctx, &gram)
	if err != nil {
		return nil, err
	}
	v, turned := mat.NewVecDense(rank, nil), mat.NewVecDense(rank, nil)
	v.MulVec(scaled, mat.NewVecDense(n, t))
	turned.MulVec(vectors.T(), v)
	for i, s := range values {
		if s <= negligible*values[rank-1] {
			turned.SetVec(i, 0)
			continue
		}
		out.s = append(out.s, s)
		out.seen = append(out.seen, turned.AtVec(i)/math.Sqrt(s))
		turned.SetVec(i, turned.AtVec(i)/s)
	}
	v.MulVec(vectors, turned)
	for i := range rank {
		floats.AddScaled(t, -v.AtVec(i), scaled.RawRowView(i))
	}
	out.left = floats.Dot(t, t)
	return out, nil
}

// at is REML for a weight. The quadratic form is that of what the kink leaves, for its
// difference from the form without would be lost in rounding where there is little noise.
func (a *along) at(w float64) float64 {
	c := w / a.lambda
	quad, logDet := a.left, a.logDet
	for i, s := range a.s {
		quad += a.seen[i] * a.seen[i] / (1 + c*s)
		logDet += math.Log1p(c * s)
	}
	return likelihood(a.values, quad, logDet)
}

// kinked is a candidate with a kink.
type kinked struct {
	candidate
	jump
	weight float64 // of the kernel |x-y|^p |ξ-η|^p J, over that of the product
}

const (
	leastWeight = -4.0 // decades below a product's mean variance
	mostWeight  = 6.0
	kinkDecades = 4.0 // of λ below that without a kink
)

// tryKink finds the weight of a kink and λ, near that of a candidate or, if far,
// down to some decades less: a smooth part that need not make the kink itself is smoother,
// and then larger.
func (q *search) tryKink(ctx context.Context, c candidate, j jump, z *ramps, far bool) (kinked, error) {
	out := kinked{candidate: c, jump: j}
	out.value = math.Inf(1)
	p, err := q.product(ctx, c)
	if err != nil {
		return out, err
	}
	b, err := newBent(ctx, p, z)
	if err != nil {
		return out, err
	}
	mean := floats.Sum(p.d) / float64(len(p.d))
	byLambda := func(log float64) float64 {
		if err != nil || ctx.Err() != nil || log < math.Log10(10*p.top())-decades {
			return math.Inf(1)
		}
		var a *along
		if a, err = b.along(ctx, math.Pow(10, log)); err != nil {
			return math.Inf(1)
		}
		w, v := least(leastWeight, mostWeight, func(log float64) float64 { return a.at(mean * math.Pow(10, log)) })
		if v < out.value {
			out.lambda, out.weight, out.value = a.lambda, w*mean*z.unit, v
		}
		return v
	}
	at := math.Log10(c.lambda)
	if far {
		at, _ = leastOf(at-kinkDecades, at+1, 1, byLambda)
	}
	descendTo(at, byLambda)
	return out, err
}

// descendTo looks for the minimum of a function from a place, by steps of half a decade
// that are halved to a sixteenth.
func descendTo(at float64, f func(float64) float64) {
	value := f(at)
	for step := 0.5; step > 0.1; step /= 2 {
		for _, by := range []float64{step, -step} {
			moved := false
			for {
				v := f(at + by)
				if !(v < value) {
					break
				}
				at, value, moved = at+by, v, true
			}
			if moved {
				break
			}
		}
	}
}
