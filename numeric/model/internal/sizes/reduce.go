package sizes

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/kernel"
)

// newReduced takes at most mostReduced numbers of one output, and of several as many as there
// are entries of one. curve is a kernel on the output whose leading eigenvectors are the modes.
func newReduced(ctx context.Context, outs []*dataset.Field, curve kernel.Kernel, flat bool) (*reduced, error) {
	my := outs[0].Mesh.Size()
	n := len(outs[0].Values.Data) / my
	r := &reduced{n: n, out: outs[0].Mesh, units: linop.Ones(len(outs))}
	u, incomplete := make([]*mat.Dense, len(outs)), false
	for o, out := range outs {
		u[o] = mat.NewDense(n, my, out.Values.Data)
		if flat {
			u[o] = withoutConstant(u[o])
		}
		incomplete = incomplete || partly(u[o], len(outs) > 1)
	}
	most := min(mostReduced, mostCoupled/len(outs))
	perSample := min(my, max(fewestModes, most/n))
	r.samples = sampled(u, min(n, max(most/perSample, 1)))
	if err := r.setModes(ctx, curve, perSample, incomplete); err != nil {
		return nil, err
	}
	r.setData(u, perSample, incomplete, flat)
	all := 0
	for o := range u {
		for i := range n {
			all += observed(u[o].RawRowView(i))
		}
	}
	r.whole = len(r.t) >= all
	if err := r.whiten(ctx, outs); err != nil {
		return nil, err
	}
	if len(r.t) < 2 {
		return nil, fmt.Errorf("output %s: has too few values to choose the sizes of the terms from; give amplitude", outs[0].Name)
	}
	return r, nil
}

// partly tells whether values are missing, of rows that are not all missing where whole rows
// may be.
func partly(u *mat.Dense, rows bool) bool {
	n, my := u.Dims()
	for i := range n {
		if left := observed(u.RawRowView(i)); left < my && !(rows && left == 0) {
			return true
		}
	}
	return false
}

func observed(row []float64) (count int) {
	for _, v := range row {
		if !math.IsNaN(v) {
			count++
		}
	}
	return count
}

// sampled takes samples evenly: half of them, or as many as there are, of those that all
// outputs were observed of, for these say how the outputs depend on each other.
func sampled(u []*mat.Dense, count int) (samples []int) {
	n, _ := u[0].Dims()
	var all, some []int
	for i := range n {
		seen := 0
		for _, o := range u {
			seen += min(observed(o.RawRowView(i)), 1)
		}
		switch seen {
		case len(u):
			all = append(all, i)
		default:
			some = append(some, i)
		}
	}
	ofSome := min(len(some), max(count-len(all), count/2))
	for _, from := range []struct {
		list  []int
		count int
	}{{all, min(len(all), count-ofSome)}, {some, ofSome}} {
		for i := range from.count {
			samples = append(samples, from.list[i*len(from.list)/from.count])
		}
	}
	slices.Sort(samples)
	return samples
}

// setData takes the data of the samples, and those of constants.
func (r *reduced) setData(u []*mat.Dense, perSample int, incomplete, flat bool) {
	dy := r.out.Weights()
	root := 1 / math.Sqrt(float64(r.n))
	unweighted := r.unweighted(dy)
	weigh := func(row []float64) *mat.VecDense { // dy^½ is in the modes
		v := mat.NewVecDense(len(dy), nil)
		for k, w := range dy {
			x := row[k] * math.Sqrt(w) * root
			if math.IsNaN(x) {
				x = 0 // of points that are left out
			}
			v.SetVec(k, x)
		}
		return v
	}
	var c mat.VecDense
	c.MulVec(unweighted.T(), weigh(linop.Ones(len(dy))))
	var constant []float64
	for i, s := range r.samples {
		t := make([]mat.VecDense, len(u))
		for o := range u {
			t[o].MulVec(unweighted.T(), weigh(u[o].RawRowView(s)))
		}
		for a := range perSample {
			there := false
			for o := range u {
				if observed(u[o].RawRowView(s)) == 0 || incomplete && math.IsNaN(u[o].At(s, r.pointOf(a))) {
					continue
				}
				there = true
				r.entry, r.output = append(r.entry, len(r.kept)), append(r.output, o)
				r.t, constant = append(r.t, t[o].AtVec(a)), append(constant, c.AtVec(a))
			}
			if there {
				r.kept = append(r.kept, i*perSample+a)
			}
		}
	}
	for o := range u {
		own := make([]float64, len(constant))
		for i, v := range constant {
			if r.output[i] == o {
				own[i] = v
			}
		}
		r.constant = append(r.constant, -1)
		if flat && floats.Norm(own, 2) > 0 {
			r.constant[o] = len(r.flat)
			r.flat = append(r.flat, own)
		}
	}
}

// withoutConstant takes the mean of all values off, which rounds less than to take a
// constant off the covariance: the data may be small beside their mean.
func withoutConstant(u *mat.Dense) *mat.Dense {
	first, sum, count := math.NaN(), 0.0, 0.0
	for _, v := range u.RawMatrix().Data {
		switch {
		case math.IsNaN(v):
			continue
		case math.IsNaN(first):
			first = v
		}
		sum, count = sum+(v-first), count+1
	}
	out := mat.DenseCopyOf(u)
	out.Apply(func(_, _ int, v float64) float64 { return (v - first) - sum/count }, out)
	return out
}

// setModes finds the leading eigenvectors of dy^½ curve dy^½, or takes single points,
// evenly through the mesh.
func (r *reduced) setModes(ctx context.Context, curve kernel.Kernel, count int, points bool) error {
	my, dy := r.out.Size(), r.out.Weights()
	r.modes = mat.NewDense(my, count, nil)
	if points || my > mostModes {
		for a := range count {
			k := (2*a + 1) * my / (2 * count)
			r.modes.Set(k, a, math.Sqrt(dy[k]))
		}
		return nil
	}
	f, err := kernels.Compile(curve, kernel.Space{Names: r.out.Names()})
	if err != nil {
		return err
	}
	g, err := f.Gram(ctx, r.out, r.out)
	if err != nil {
		return err
	}
	g.Apply(func(i, j int, v float64) float64 { return v * math.Sqrt(dy[i]*dy[j]) }, g)
	_, v, err := linop.Eigen(ctx, g)
	if err != nil {
		return err
	}
	for a := range count {
		for k := range my {
			r.modes.Set(k, a, math.Sqrt(dy[k])*v.At(k, my-1-a))
		}
	}
	return nil
}
