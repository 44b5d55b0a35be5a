package noise

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
)

// asked is how many numbers the data were asked for: standard deviations of pairs, and of points of the output.
type asked struct{ pairs, points float64 }

func (a asked) all() float64 { return a.pairs + a.points }

// diagonal finds standard deviations along the output and by pair.
func diagonal(ctx context.Context, f *noisy) (best *noisy, numbers asked, err error) {
	best = f
	given := f.errors
	n, my := f.spec.Data.N(), f.spec.Data.OutputMesh.Size()
	none := newVariances(n, my, max(f.parts, 1))
	variances := none
	for range rounds {
		next, used, err := variances.next(ctx, f)
		if err != nil {
			return nil, numbers, err
		}
		if used.all() < few && variances.change(none) < few {
			return best, numbers, nil
		}
		change := variances.change(next)
		variances = next
		if f, err = f.at(ctx, variances.errors(given)); err != nil {
			return nil, numbers, err
		}
		if best.errors == given || !(f.reml > best.reml) {
			best, numbers = f, used
		}
		if change < settledLog {
			break
		}
	}
	return best, numbers, nil
}

// variances are those of the parts of the output, each of as many points.
type variances []product

// product are the logarithms of variances over those of the errors given, of a pair plus of a
// point.
type product struct{ pairs, points []float64 }

func newVariances(n, my, parts int) variances {
	all := make(variances, parts)
	for p := range all {
		all[p] = product{make([]float64, n), make([]float64, my/parts)}
	}
	return all
}

// at is where a value is, number i of the pairs × points of a part, among all outputs.
func (v variances) at(part, i int) int {
	each := len(v[0].points)
	return (i/each*len(v)+part)*each + i%each
}

// next are the variances by REML's equations: with residuals z in units of the present standard
// deviations, and R of which they are, a sum of z² that belongs to one variance is that of the
// diagonal of R at the right one.
func (v variances) next(ctx context.Context, f *noisy) (out variances, numbers asked, err error) {
	t, err := f.tell(ctx, nil)
	if err != nil {
		return v, numbers, err
	}
	out = slices.Clone(v)
	n, each, all := len(v[0].pairs), len(v[0].points), distances(f.spec.Data.OutputMesh)
	for part, p := range v {
		squares, freedom := make([]float64, n*each), make([]float64, n*each)
		for i := range squares {
			at := v.at(part, i)
			squares[i] = t.squares[at] * math.Exp(p.pairs[i/each]+p.points[i%each])
			freedom[i] = max(t.freedom[at], 0)
		}
		var used asked
		if out[part], used, err = p.fitted(ctx, squares, freedom, func(i, j int) float64 { return all(part*each+i, part*each+j) }); err != nil {
			return v, numbers, err
		}
		numbers.pairs, numbers.points = numbers.pairs+used.pairs, numbers.points+used.points
	}
	return out, numbers, nil
}

// change is the largest of a part.
func (v variances) change(w variances) (most float64) {
	for p := range v {
		most = max(most, v[p].change(w[p]))
	}
	return most
}

// errors are those given, with the variances: of several parts as weights of the values.
func (v variances) errors(given *dataset.Errors) *dataset.Errors {
	e := &dataset.Errors{}
	if given != nil {
		*e = *given
	}
	if len(v) == 1 {
		e.Pairs, e.Points = weighted(e.Pairs, v[0].pairs), weighted(e.Points, v[0].points)
		return e
	}
	n, each := len(v[0].pairs), len(v[0].points)
	logs := make([]float64, n*len(v)*each)
	for part, p := range v {
		for i := range n * each {
			logs[v.at(part, i)] = p.pairs[i/each] + p.points[i%each]
		}
	}
	var own []float64
	if e.Values != nil {
		own = e.Values.Data
	}
	if own = weighted(own, logs); own != nil {
		e.Values = &array.Array{Shape: []int{n, len(v) * each}, Data: own}
	}
	return e
}

// fitted are the variances of squares that have some degrees of freedom each.
func (p product) fitted(ctx context.Context, squares, freedom []float64, distance func(i, j int) float64) (out product, numbers asked, err error) {
	n, my := len(p.pairs), len(p.points)
	out = product{make([]float64, n), append([]float64(nil), p.points...)}
	for range 4 { // one side after the other
		for _, side := range []struct {
			own, other []float64
			ownOf      func(i int) int
			otherOf    func(i int) int
			distance   func(i, j int) float64
			numbers    *float64
		}{
			{out.pairs, out.points, func(i int) int { return i / my }, func(i int) int { return i % my }, nil, &numbers.pairs},
			{out.points, out.pairs, func(i int) int { return i % my }, func(i int) int { return i / my }, distance, &numbers.points},
		} {
			sum, free := make([]float64, len(side.own)), make([]float64, len(side.own))
			for i, q := range squares {
				sum[side.ownOf(i)] += q * math.Exp(-side.other[side.otherOf(i)])
				free[side.ownOf(i)] += freedom[i]
			}
			logs, used, err := drawn(ctx, sum, free, len(squares)/len(sum), side.distance)
			if err != nil || logs == nil { // there is no noise
				return p, asked{}, err
			}
			copy(side.own, logs)
			*side.numbers = used
		}
	}
	out.centre()
	return out, numbers, nil
}

// drawn are the logarithms of variances, of sums of squares of so many values each, with their degrees of freedom, drawn
// towards each other, and how many numbers they take; nil where all squares are zero.
func drawn(ctx context.Context, squares, freedom []float64, each int, distance func(i, j int) float64) (logs []float64, numbers float64, err error) {
	all := floats.Sum(squares)
	if !(all > 0) {
		return nil, 0, nil
	}
	var z, v []float64
	least := leastLeft * math.Sqrt(float64(each))
	for k, s := range squares {
		free := max(freedom[k], least)
		own, of := logVariance(max(s, 1e-12*all/float64(len(squares)))/free, free)
		z, v = append(z, own), append(v, of)
	}
	return shrunk(ctx, z, uncertain{variances: v}, distance)
}

// centre makes the mean of the logarithms zero, and keeps them together.
func (p product) centre() {
	for _, side := range [][]float64{p.pairs, p.points} {
		mean := floats.Sum(side) / float64(len(side))
		for i := range side {
			side[i] = min(max(side[i]-mean, -2*math.Log(mostApart)), 2*math.Log(mostApart))
		}
	}
}

// change is the largest difference of logarithms of standard deviations.
func (p product) change(q product) float64 {
	return max(floats.Distance(p.pairs, q.pairs, math.Inf(1)), floats.Distance(p.points, q.points, math.Inf(1))) / 2
}

// weighted are weights over variances, nil where these are all the same.
func weighted(w, logs []float64) []float64 {
	if floats.Max(logs)-floats.Min(logs) < few {
		return w
	}
	out := make([]float64, len(logs))
	for i, v := range logs {
		if out[i] = math.Exp(-v); w != nil {
			out[i] *= w[i]
		}
	}
	return out
}

// distances are those between points, as fractions of the axes.
func distances(y mesh.Mesh) func(i, j int) float64 {
	columns := y.Columns()
	var lengths []float64
	for _, a := range y.Axes() {
		for k := range a.Lower {
			lengths = append(lengths, max(a.Upper[k]-a.Lower[k], math.SmallestNonzeroFloat64))
		}
	}
	return func(i, j int) float64 {
		sum := 0.0
		for c, x := range columns {
			d := (x[i] - x[j]) / lengths[c]
			sum += d * d
		}
		return math.Sqrt(sum)
	}
}
