package families

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/kernel"
)

// jump is how a kink is made: the part |x-y|^p |ξ-η|^p J of a kernel, with J the squared
// exponential of one lengthscale along the diagonal; on one side, where y > x, alone, or on both.
type jump struct {
	power    int // p
	step     int // lengthscale of J, on the grid
	oneSided bool
}

const (
	mostFactors = 24    // of J on either side
	negligible  = 1e-13 // of its largest eigenvalue
	unseen      = 1e-12 // of the largest square of what the data see of a jump: less is left out
)

// ramps is the factor of a jump in the basis of the sample: its part of the covariance of
// T is Z Zᵀ, with Z of (r q) × rank. It has mean square one over the diagonal.
type ramps struct {
	r, q  int
	parts []*mat.Dense // each r × q
	unit  float64      // of the weight that the kernel has to have for this scale
	// At the probed points the factor, points × rank, and the variance, whose sum of squares it is but for rounding.
	probes *mat.Dense
	sizes  []float64
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
	distance := q.distances(j)
	out := new(ramps)
	out.r, out.q = q.s.t.Dims()
	weighted := mat.NewDense(out.r, q.x.mesh.Size(), nil)
	total, kept := 0.0, [][2]int{}
	for a := range sx {
		weighted.Apply(func(i, k int, v float64) float64 { return v * phi.At(k, a) }, q.s.b)
		m := linop.Product(ctx, weighted, distance) // r × points of y
		for b := range sy {
			if sx[a]*sy[b] <= rounding*sx[0]*sy[0] {
				break
			}
			var scaled mat.Dense
			scaled.Apply(func(_, k int, v float64) float64 { return v * psi.At(k, b) }, m)
			z := linop.Product(ctx, &scaled, q.s.modes)
			out.parts, kept = append(out.parts, z), append(kept, [2]int{a, b})
			total += floats.Dot(z.RawMatrix().Data, z.RawMatrix().Data)
		}
	}
	out.unit = float64(out.r*out.q) / total
	out.probe(q.x.probes(), q.y.probes(), phi, psi, distance, kept)
	return out, linop.Stopped(ctx)
}

// probe is the factor at points of X × of Y.
func (z *ramps) probe(xs, ys []int, phi, psi, distance *mat.Dense, kept [][2]int) {
	z.probes = mat.NewDense(len(xs)*len(ys), len(kept), nil)
	z.probes.Apply(func(i, k int, _ float64) float64 {
		x, y := xs[i/len(ys)], ys[i%len(ys)]
		return distance.At(x, y) * phi.At(x, kept[k][0]) * psi.At(y, kept[k][1])
	}, z.probes)
	for _, x := range xs {
		for _, y := range ys {
			z.sizes = append(z.sizes, distance.At(x, y)*distance.At(x, y))
		}
	}
}

// distances is |x - y|^p between the points of both sides, or 0 where the kink is not.
func (q *search) distances(j jump) *mat.Dense {
	x, y := q.x.mesh.Columns()[0], q.y.mesh.Columns()[0]
	out := mat.NewDense(len(x), len(y), nil)
	out.Apply(func(i, k int, _ float64) float64 {
		d := y[k] - x[i]
		if j.oneSided && d < 0 {
			return 0
		}
		return math.Pow(math.Abs(d), float64(j.power))
	}, out)
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
	z      *mat.Dense // in the bases of the product, transposed: rank × (r q)
	turned *mat.Dense // what P leaves of the outputs, in the basis of the output; nil: nothing
}

func newBent(ctx context.Context, p *product, z *ramps) (*bent, error) {
	out := &bent{product: p, z: mat.NewDense(len(z.parts), z.r*z.q, nil)}
	root := math.Sqrt(z.unit)
	for i, part := range z.parts {
		row := mat.NewDense(z.r, z.q, out.z.RawRowView(i))
		if err := linop.MulContext(ctx, row, linop.Product(ctx, p.rows.vectors.T(), part), p.cols.vectors); err != nil {
			return nil, err
		}
		row.Scale(root, row)
	}
	if p.sample.rest != nil {
		out.turned = linop.Product(ctx, linop.Product(ctx, p.cols.vectors.T(), p.sample.rest), p.cols.vectors)
	}
	return out, linop.Stopped(ctx)
}

// along is the criteria at a λ for every w. With Z̃ = H^-½ Z of left singular vectors u_i
// and singular values √s_i, for the H of the product, and T̃ likewise, the inverse is
//
//	H^-½ (I - Σ u_i u_iᵀ + Σ u_i u_iᵀ / (1 + w s_i/λ)) H^-½
type along struct {
	*bent
	lambda, left, logDet float64
	s, seen              []float64  // s_i and u_iᵀ T̃
	root                 []float64  // the diagonal of H^-½
	rest                 []float64  // T̃ less its part along the u_i
	u                    *mat.Dense // H^-½ u_i in rows
	keep                 []float64  // of the product: the diagonal of its block of a pair
	blocks               *mat.Dense // of the u_i u_iᵀ, one a row
}

func (b *bent) along(ctx context.Context, lambda float64) (*along, error) {
	rank, n := b.z.Dims()
	q := len(b.product.rest)
	out := &along{bent: b, lambda: lambda, root: make([]float64, n), rest: make([]float64, n), keep: make([]float64, q)}
	run := 1.0
	for i, d := range b.d {
		h := 1 + d/lambda
		if run *= h; run > 1e250 {
			out.logDet += math.Log(run)
			run = 1
		}
		out.keep[i%q] += 1 / h
		out.root[i] = 1 / math.Sqrt(h)
		out.rest[i] = b.t[i] * out.root[i]
	}
	out.logDet += math.Log(run)
	scaled := mat.NewDense(rank, n, nil)
	for i := range rank {
		floats.MulTo(scaled.RawRowView(i), b.z.RawRowView(i), out.root)
	}
	values, vectors, err := linop.Eigen(ctx, linop.Product(ctx, scaled, scaled.T()))
	if err != nil {
		return nil, err
	}
	first := 0
	for first < rank-1 && values[first] <= negligible*values[rank-1] {
		first++
	}
	out.u = linop.Product(ctx, vectors.Slice(0, rank, first, rank).T(), scaled)
	out.s = values[first:]
	for i, s := range out.s {
		u := out.u.RawRowView(i)
		floats.Scale(1/math.Sqrt(s), u)
		out.seen = append(out.seen, floats.Dot(u, out.rest))
	}
	for i, a := range out.seen {
		floats.AddScaled(out.rest, -a, out.u.RawRowView(i))
	}
	out.left = floats.Dot(out.rest, out.rest)
	out.blocks = mat.NewDense(len(out.s), q*q, nil)
	for i := range out.s {
		u := out.u.RawRowView(i)
		floats.Mul(u, out.root)
		m := mat.NewDense(n/q, q, u)
		block := mat.NewDense(q, q, out.blocks.RawRowView(i))
		if err := linop.MulContext(ctx, block, m.T(), m); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// at is the criteria for a weight.
func (a *along) at(ctx context.Context, w float64) score {
	s, _ := a.both(ctx, w)
	return s
}

// both is the criteria for a weight, and the errors of predicting the outputs of pairs from the
// others, in the bases. The quadratic form is that of what the kink leaves, for its difference
// from the form without would be lost in rounding where there is little noise.
func (a *along) both(ctx context.Context, w float64) (score, *mat.Dense) {
	c, q := w/a.lambda, len(a.keep)
	quad, logDet := a.left, a.logDet
	block := make([]float64, q*q)
	z := make([]float64, len(a.rest))
	floats.MulTo(z, a.rest, a.root)
	for k, v := range a.keep {
		block[k*q+k] = v + a.beyond
	}
	for i, s := range a.s {
		less := 1 / (1 + c*s)
		quad += a.seen[i] * a.seen[i] * less
		logDet += math.Log1p(c * s)
		floats.AddScaled(z, a.seen[i]*less, a.u.RawRowView(i))
		floats.AddScaled(block, less-1, a.blocks.RawRowView(i))
	}
	floats.Scale(1/a.pairs, block)
	chol, err := linop.Cholesky(ctx, mat.NewSymDense(q, block))
	if err != nil {
		return score{math.Inf(1), math.Inf(1)}, nil
	}
	var e mat.Dense
	if err := chol.SolveTo(&e, mat.NewDense(len(z)/q, q, z).T()); err != nil {
		return score{math.Inf(1), math.Inf(1)}, nil
	}
	left := floats.Dot(e.RawMatrix().Data, e.RawMatrix().Data)
	if a.turned != nil { // A⁻¹ S A⁻¹
		var half, whole mat.Dense
		if chol.SolveTo(&half, a.turned) != nil || chol.SolveTo(&whole, half.T()) != nil {
			return score{math.Inf(1), math.Inf(1)}, nil
		}
		left += mat.Trace(&whole)
	}
	return newScore(float64(len(z)), quad, logDet, left), transposed(&e)
}

// kinked is a candidate with a kink.
type kinked struct {
	candidate
	jump
	weight float64   // of the kernel |x-y|^p |ξ-η|^p J, over that of the product
	start  bool      // it was not improved
	left   []float64 // squared errors of left-out pairs
}

const (
	leastWeight = -7.0 // decades below a product's mean variance
	mostWeight  = 6.0
)

// tryKink finds the weight of a kink, and λ near the candidate's by steps of its logarithm
// down to the last, unless the kink is above a limit there.
func (q *search) tryKink(ctx context.Context, c candidate, j jump, z *ramps, limit, last float64) (kinked, error) {
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
	total := floats.Sum(p.d)
	mean := total / float64(len(p.d))
	from, to := leastWeight, mostWeight
	byLambda := func(log float64) float64 {
		most := min(to, log+decades-1-math.Log10(total)) // above it λ is lost in rounding beside the kink
		if err != nil || ctx.Err() != nil || log < math.Log10(10*p.top())-decades || most <= from {
			return math.Inf(1)
		}
		var a *along
		if a, err = b.along(ctx, math.Pow(10, log)); err != nil {
			return math.Inf(1)
		}
		w, v := least(from, most, 1, 0.1, func(log float64) float64 { return a.at(ctx, mean*math.Pow(10, log)).sum() })
		from, to = max(leastWeight, math.Log10(w)-1), min(mostWeight, math.Log10(w)+1)
		if v < out.value {
			out.lambda, out.weight, out.value = a.lambda, w*mean*z.unit, v
			s, e := a.both(ctx, mean*w)
			if out.reml, out.left = s.reml, nil; e != nil {
				out.left = b.byPair(ctx, e)
			}
		}
		return v
	}
	if at := math.Log10(c.lambda); byLambda(at) < limit {
		descendTo(at, out.value, last, byLambda)
	}
	return out, err
}

// descendTo looks for the minimum of a function from a place where it has a value: by steps of half a decade to between two
// places where it is greater, then, unless last is as long, at the minimum of the parabola through these.
func descendTo(at, value, last float64, f func(float64) float64) {
	var beside [2]float64
	for side, by := range []float64{halfDecade, -halfDecade} {
		moved := false
		for {
			v := f(at + by)
			if !(v < value) {
				beside[side] = v
				break
			}
			beside[1-side] = value
			at, value, moved = at+by, v, true
		}
		if moved {
			break
		}
	}
	if bend := beside[0] + beside[1] - 2*value; last < halfDecade && bend > 0 && !math.IsInf(bend, 1) {
		if by := halfDecade / 2 * (beside[1] - beside[0]) / bend; math.Abs(by) >= last/2 {
			f(at + by)
		}
	}
}

// compress turns the factor so that its columns are orthogonal in the data, and leaves out what these hardly see.
func (z *ramps) compress(ctx context.Context, least float64) error {
	rank, n := len(z.parts), z.r*z.q
	all := mat.NewDense(rank, n, nil)
	for i, part := range z.parts {
		all.SetRow(i, part.RawMatrix().Data)
	}
	values, vectors, err := linop.Eigen(ctx, linop.Product(ctx, all, all.T()))
	if err != nil {
		return err
	}
	from := max(0, rank-n)
	for from < rank-1 && values[from] <= least*values[rank-1] {
		from++
	}
	kept := mat.DenseCopyOf(vectors.Slice(0, rank, from, rank))
	z.probes, z.parts = linop.Product(ctx, z.probes, kept), nil
	turned := linop.Product(ctx, kept.T(), all)
	for i := range rank - from {
		z.parts = append(z.parts, mat.NewDense(z.r, z.q, turned.RawRowView(i)))
	}
	return linop.Stopped(ctx)
}
