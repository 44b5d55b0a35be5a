package network

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/model"
)

// Coefficient compares the Green's function of a channel with that of the input: where an
// equation is L u = f + c φ(u), G_c(x,y) = c(x) G(x,y). On the mesh of the channel,
//
//	c(x) = ∫ G_c(x,y) G(x,y) dy / ∫ G(x,y)² dy,  NaN where G(x,·) is next to nothing.
//
// Bands are of 95 %, by the jackknife over the folds: Student's t of four degrees of freedom
// times the deviations between fits that leave out a fifth of the pairs each; NaN of layers of many
// pairs, which are not fitted again. Of data with
// hardly any noise the bands also have what the coefficient changes by with the next λ, which is
// less than all that the kernel and the integrals leave.
type Coefficient struct {
	Mesh           mesh.Mesh
	Value, Band    []float64
	Mean, MeanBand float64 // of ⟨G_c, G⟩/⟨G, G⟩ on the whole domain
}

const (
	leastGreen = 1e-4 // of ∫ G(x,y)² dy, in its largest
	studentT4  = 2.7764451051977934
)

// curveOf is c(x), and the mean, of an output.
func curveOf(ctx context.Context, o *model.Output, base string, c *channel) ([]float64, float64, error) {
	var g [2]*mat.Dense // G and G_c
	for k, name := range []string{base, c.Name} {
		e, err := o.Term(name).Green()
		if err != nil {
			return nil, 0, err
		}
		if g[k], err = e.Green(ctx, c.on, o.Mesh); err != nil {
			return nil, 0, err
		}
	}
	value, mean := compared(g, c.on.Weights(), o.Mesh.Weights())
	return value, mean, nil
}

// compared is c(x), and the mean, of G and G_c on a mesh.
func compared(g [2]*mat.Dense, wx, wy []float64) ([]float64, float64) {
	above, below := make([]float64, len(wx)), make([]float64, len(wx))
	total, size, most := 0.0, 0.0, 0.0
	for x := range wx {
		for y, w := range wy {
			above[x] += w * g[0].At(x, y) * g[1].At(x, y)
			below[x] += w * g[0].At(x, y) * g[0].At(x, y)
		}
		total, size, most = total+wx[x]*above[x], size+wx[x]*below[x], max(most, below[x])
	}
	for x := range above {
		if !(below[x] > leastGreen*most) {
			above[x] = math.NaN()
		}
		above[x] /= below[x]
	}
	return above, total / size
}

// coefficient is that of a channel; nil where there is no input to compare it with.
func coefficient(ctx context.Context, base string, c *channel, a *attempt) (*Coefficient, error) {
	if base == "" {
		return nil, nil
	}
	k := &Coefficient{Mesh: c.on}
	if a.folds == nil { // of many pairs; none was left out
		g := [2]*mat.Dense{a.green[base], a.green[c.Name]}
		p, q := g[0].RawMatrix().Rows, g[1].RawMatrix().Rows
		if p != q {
			return nil, nil // on meshes of their own
		}
		k.Value, k.Mean = compared(g, c.on.Weights(), a.e.Outputs[0].Mesh.Weights())
		k.Band, k.MeanBand = make([]float64, len(k.Value)), math.NaN()
		for x := range k.Band {
			k.Band[x] = math.NaN()
		}
		return k, nil
	}
	var err error
	if k.Value, k.Mean, err = curveOf(ctx, a.e.Outputs[0], base, c); err != nil {
		return nil, err
	}
	far, farMean := k.Value, k.Mean
	if a.other != nil {
		if far, farMean, err = curveOf(ctx, a.other, base, c); err != nil {
			return nil, err
		}
	}
	folds := len(a.folds.layers)
	curves, means := make([][]float64, folds), make([]float64, folds)
	for f, own := range a.folds.layers {
		if curves[f], means[f], err = curveOf(ctx, own.output, base, c); err != nil {
			return nil, err
		}
	}
	k.MeanBand = math.Hypot(jackknife(means), k.Mean-farMean)
	at := make([]float64, folds)
	for x := range k.Value {
		for f := range at {
			at[f] = curves[f][x]
		}
		k.Band = append(k.Band, math.Hypot(jackknife(at), k.Value[x]-far[x]))
	}
	return k, nil
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

// Coefficient returns that of a term; nil where there is none: the term was not chosen, or
// there is not one input with its coordinates.
func (e *Estimate) Coefficient(term string) *Coefficient { return e.curves[term] }
