package assess

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Portrait are residuals as pictures: curves of numbers beside those of the model.
type Portrait struct {
	Correlation Profile // of residuals, over the distance of their points
	Along       Profile // standard deviation of residuals along the first coordinate of the output
	Pairs       Profile // standard deviation of the residuals of each pair
	Quantiles   Profile // of residuals, over those of the normal distribution
	Axis        string  // name of that coordinate
}

// Profile is a curve, and the range in which it lies at each place in 95 % of all data for which
// the model is true.
type Profile struct {
	At, Values, Low, High []float64
	Test                  Test // of what the curve shows
}

const (
	mostQuantiles = 99
	mostPlaces    = 40
)

// Portray computes the curves for a seed of the draws.
func Portray(ctx context.Context, of Subject, seed uint64) (*Portrait, error) {
	r, err := of.Residuals(ctx)
	if err != nil {
		return nil, err
	}
	y := r.Data.OutputMesh
	d := newDistances(y)
	places, at := placesOf(y)
	quantiles := quantileProbes(r)
	curves := []probe{
		{of: func(r *fit.Residue) []float64 { return d.correlations(r.Values) }},
		{of: func(r *fit.Residue) []float64 {
			return spreads(r, len(at), func(_, k int) int { return places[k] })
		}},
		{of: func(r *fit.Residue) []float64 {
			n, _ := r.Values.Dims()
			return spreads(r, n, func(i, _ int) int { return i })
		}},
		{of: quantiles.of},
	}
	tests := []probe{alongOutput(d), spreadAlong(y), spreadOfPairs(), outliers()}
	m, err := measure(ctx, r, append(curves, tests...), rand.New(rand.NewPCG(seed, 17)))
	if err != nil {
		return nil, err
	}
	pairs := make([]float64, r.Data.N())
	for i := range pairs {
		pairs[i] = float64(i + 1)
	}
	profile := func(i int, at []float64) Profile {
		p := Profile{At: at, Values: m[i].values, Test: tests[i].test(m[len(curves)+i])}
		for j, mean := range m[i].mean {
			p.Low, p.High = append(p.Low, mean-normal95*m[i].sd[j]), append(p.High, mean+normal95*m[i].sd[j])
		}
		return p
	}
	return &Portrait{profile(0, d.at), profile(1, at), profile(2, pairs), profile(3, quantiles.at), y.Names()[0]}, nil
}

// placesOf numbers places along the first coordinate of a mesh: its values, or parts of as many
// points where there are more than 40. It returns the place of each point, and where places are.
func placesOf(y mesh.Mesh) (places []int, at []float64) {
	column := y.Columns()[0]
	values := slices.Clone(column)
	slices.Sort(values)
	values = slices.Compact(values)
	groups := min(len(values), mostPlaces)
	places, at = make([]int, len(column)), make([]float64, groups)
	for k, v := range column {
		i, _ := slices.BinarySearch(values, v)
		places[k] = i * groups / len(values)
	}
	count := make([]float64, groups)
	for i, v := range values {
		g := i * groups / len(values)
		at[g], count[g] = at[g]+v, count[g]+1
	}
	for g := range at {
		at[g] /= count[g]
	}
	return places, at
}

// spreads are root mean squares of groups of values.
func spreads(r *fit.Residue, groups int, of func(i, k int) int) []float64 {
	sum, count := make([]float64, groups), make([]float64, groups)
	each(r.Values, func(i, k int, v float64) { sum[of(i, k)], count[of(i, k)] = sum[of(i, k)]+v*v, count[of(i, k)]+1 })
	for g := range sum {
		if count[g] > 0 {
			sum[g] = math.Sqrt(sum[g] / count[g])
		}
	}
	return sum
}

// quantileProbe are residuals in order, some of them, and where normal ones would be.
type quantileProbe struct {
	at    []float64
	ranks []int
}

func quantileProbes(r *fit.Residuals) quantileProbe {
	count := observed(r.Observed.Values)
	q := quantileProbe{}
	most := min(count, mostQuantiles)
	for j := range most {
		// Closer to the ends than in the middle: these are what is looked at.
		share := (1 - math.Cos(math.Pi*(float64(j)+.5)/float64(most))) / 2
		rank := min(int(share*float64(count)), count-1)
		if len(q.ranks) > 0 && rank == q.ranks[len(q.ranks)-1] {
			continue
		}
		q.ranks = append(q.ranks, rank)
		q.at = append(q.at, distuv.UnitNormal.Quantile((float64(rank)+.5)/float64(count)))
	}
	return q
}

func (q quantileProbe) of(r *fit.Residue) []float64 {
	var all []float64
	each(r.Values, func(_, _ int, v float64) { all = append(all, v) })
	slices.Sort(all)
	out := make([]float64, len(q.ranks))
	for j, rank := range q.ranks {
		out[j] = all[rank]
	}
	return out
}
