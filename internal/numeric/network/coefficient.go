package network

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/model"
)

// Coefficient compares the Green's function of a channel with that of the input: where an
// equation is L u = f + c φ(u), G_c(x,y) = c(x) G(x,y). On the mesh of the channel,
//
//	c(x) = ∫ G_c(x,y) G(x,y) dy / ∫ G(x,y)² dy,  NaN where G(x,·) is next to nothing.
//
// The mean compares what both make of the data, ⟨∫G_c φ, ∫G φ⟩/⟨∫G φ, ∫G φ⟩ over all pairs, with φ less
// its mean, which β may have: pairs may leave a part of G_c open, as u u′ leaves any function of y
// where u is zero at the ends, and say what the coefficient is all the same.
//
// Bands are of 95 %, by the jackknife over the folds: Student's t of four degrees of freedom
// times the deviations between fits that leave out a fifth of the pairs each, under noise with
// channels of their own predictions; NaN of layers of many pairs, which are not fitted again. Of data with
// hardly any noise the bands also have what the coefficient changes by with the next λ, which is
// less than all that the kernel and the integrals leave. Where a constant coefficient agrees better
// with the pairs than c(x) does, the band of c(x) has the mean in it.
type Coefficient struct {
	Mesh           mesh.Mesh
	Value, Band    []float64
	Mean, MeanBand float64
}

const (
	leastGreen = 1e-4 // of ∫ G(x,y)² dy, in its largest
	studentT4  = 2.7764451051977934
)

// comparison is of G_c with G, for what the channel is in the data.
type comparison struct {
	base    string
	c       *channel
	phi     *mat.Dense // less its mean, times the weights of its mesh
	weights []float64  // of the output
}

func (l *learner) comparison(c *channel) *comparison {
	_, in := l.named([]string{c.Name})
	k := &comparison{l.base(c), c, c.values(in[0], l.u), l.data.Outputs[0].Mesh.Weights()}
	n, m := k.phi.Dims()
	wx, means := c.on.Weights(), make([]float64, m)
	for i := range n {
		floats.AddScaled(means, 1/float64(n), k.phi.RawRowView(i))
	}
	for i := range n {
		floats.Sub(k.phi.RawRowView(i), means)
		floats.Mul(k.phi.RawRowView(i), wx)
	}
	return k
}

// greens are G and G_c of an output.
func (k *comparison) greens(ctx context.Context, o *model.Output) (g [2]*mat.Dense, err error) {
	for i, name := range []string{k.base, k.c.Name} {
		e, err := o.Term(name).Green()
		if err != nil {
			return g, err
		}
		if g[i], err = e.Green(ctx, k.c.on, o.Mesh); err != nil {
			return g, err
		}
	}
	return g, nil
}

// of is c(x), and the mean, of an output.
func (k *comparison) of(ctx context.Context, o *model.Output) ([]float64, float64, error) {
	g, err := k.greens(ctx, o)
	if err != nil {
		return nil, 0, err
	}
	value, mean := k.compare(ctx, g)
	return value, mean, linop.Stopped(ctx)
}

// constant tells whether the mean times G is nearer than c(x) G to what the term makes of the
// pairs: then c(x) is of a part of G_c that they do not show.
func (k *comparison) constant(ctx context.Context, g [2]*mat.Dense, value []float64, mean float64) bool {
	off := func(c func(x int) float64) float64 {
		d := mat.DenseCopyOf(g[1])
		for x := range value {
			floats.AddScaled(d.RawRowView(x), -c(x), g[0].RawRowView(x))
		}
		made := linop.Product(ctx, k.phi, d)
		return floats.Sum(rowProducts(made, made, k.weights))
	}
	return off(func(int) float64 { return mean }) <= off(func(x int) float64 {
		if math.IsNaN(value[x]) {
			return mean
		}
		return value[x]
	})
}

// compare is c(x), and the mean, of G and G_c on the meshes.
func (k *comparison) compare(ctx context.Context, g [2]*mat.Dense) ([]float64, float64) {
	above, below := rowProducts(g[0], g[1], k.weights), rowProducts(g[0], g[0], k.weights)
	most := largest(below)
	for x := range above {
		if !(below[x] > leastGreen*most) {
			above[x] = math.NaN()
		}
		above[x] /= below[x]
	}
	u, v := linop.Product(ctx, k.phi, g[0]), linop.Product(ctx, k.phi, g[1])
	return above, floats.Sum(rowProducts(u, v, k.weights)) / floats.Sum(rowProducts(u, u, k.weights))
}

// rowProducts are Σ_y w_y a_xy b_xy.
func rowProducts(a, b *mat.Dense, w []float64) []float64 {
	n, _ := a.Dims()
	sums := make([]float64, n)
	for x := range sums {
		other := b.RawRowView(x)
		for y, v := range a.RawRowView(x) {
			sums[x] += w[y] * v * other[y]
		}
	}
	return sums
}

// coefficient is that of a channel; nil where there is no input to compare it with.
func (l *learner) coefficient(ctx context.Context, c *channel, a *attempt) (*Coefficient, error) {
	by := l.comparison(c)
	if by.base == "" {
		return nil, nil
	}
	k := &Coefficient{Mesh: c.on}
	if a.folds == nil { // of many pairs; none was left out
		g := [2]*mat.Dense{a.green[by.base], a.green[c.Name]}
		p, q := g[0].RawMatrix().Rows, g[1].RawMatrix().Rows
		if p != q {
			return nil, nil // on meshes of their own
		}
		k.Value, k.Mean = by.compare(ctx, g)
		k.Band, k.MeanBand = make([]float64, len(k.Value)), math.NaN()
		for x := range k.Band {
			k.Band[x] = math.NaN()
		}
		return k, nil
	}
	g, err := by.greens(ctx, a.e.Outputs[0])
	if err != nil {
		return nil, err
	}
	k.Value, k.Mean = by.compare(ctx, g)
	constant := by.constant(ctx, g, k.Value, k.Mean)
	far, farMean := k.Value, k.Mean
	if a.other != nil {
		if far, farMean, err = by.of(ctx, a.other); err != nil {
			return nil, err
		}
	}
	folds := a.parts()
	curves, means := make([][]float64, len(folds)), make([]float64, len(folds))
	for f, own := range folds {
		if curves[f], means[f], err = by.of(ctx, own); err != nil {
			return nil, err
		}
	}
	k.MeanBand = math.Hypot(jackknife(means), k.Mean-farMean)
	k.setBand(curves, far, constant)
	return k, linop.Stopped(ctx)
}

// setBand is the band of c(x), of its values by fits without a fold each and by another fit: how far each is off adds up in
// squares. Where c is taken for constant, how far it is from its mean, and the band of that, come on top.
func (k *Coefficient) setBand(folds [][]float64, far []float64, constant bool) {
	at := make([]float64, len(folds))
	for x, v := range k.Value {
		for f, curve := range folds {
			at[f] = curve[x]
		}
		band := math.Hypot(jackknife(at), v-far[x])
		if constant {
			band += math.Abs(v-k.Mean) + k.MeanBand
		}
		k.Band = append(k.Band, band)
	}
}

// jackknife is the half width of a 95 % band of a number, of its values with groups left out.
func jackknife(v []float64) float64 {
	mean, sum, n := 0.0, 0.0, float64(len(v))
	for _, x := range v {
		mean += x / n
	}
	for _, x := range v {
		sum += (x - mean) * (x - mean)
	}
	return studentT4 * math.Sqrt(sum*(n-1)/n)
}

// base is the input whose G the coefficient of a channel is of: the only one among the terms,
// with coordinates as the channel has; "" where there is none.
func (l *learner) base(c *channel) (name string) {
	for _, f := range l.data.Fields {
		if !slices.Contains(l.spec.names(), f.Name) || f.Mesh.Dim() != c.on.Dim() {
			continue
		}
		if name != "" {
			return ""
		}
		name = f.Name
	}
	return name
}
