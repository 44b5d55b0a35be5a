package sizes

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/outputs"
	"github.com/greenbench/workbench/numeric/dataset"
)

// whiten divides the data, and those of constants, by the L of their noise, where outputs have errors.
func (r *reduced) whiten(ctx context.Context, outs []*dataset.Field) error {
	white := true
	for _, o := range outs {
		white = white && o.Errors == nil
	}
	if white {
		return nil
	}
	dy := r.out.Weights()
	v := r.unweighted(dy)
	_, modes := v.Dims()
	for from := 0; from < len(r.t); {
		first := r.kept[r.entry[from]]
		var own correlated
		for range r.t[from:] { // data of one sample, of all outputs
			if to := from + len(own.at); to < len(r.t) && r.kept[r.entry[to]]/modes == first/modes {
				own.at = append(own.at, to)
			}
		}
		from += len(own.at)
		for o, out := range outs {
			part := correlated{}
			for _, i := range own.at {
				if r.output[i] == o {
					part.at = append(part.at, i)
				}
			}
			if len(part.at) == 0 {
				continue
			}
			if err := part.factor(ctx, r, v, out, r.samples[first/modes]); err != nil {
				return err
			}
			r.noise = append(r.noise, part)
		}
	}
	for _, x := range append([][]float64{r.t}, r.flat...) {
		r.divide(x)
	}
	return nil
}

// factor finds L from the covariance of the errors of a sample on the modes.
func (c *correlated) factor(ctx context.Context, r *reduced, v *mat.Dense, out *dataset.Field, sample int) error {
	dy := r.out.Weights()
	my := len(dy)
	modes := mat.NewDense(my, len(c.at), nil) // with the roots of variances
	_, count := v.Dims()
	for a, i := range c.at {
		for k := range my {
			x := v.At(k, r.kept[r.entry[i]]%count)
			if out.Errors != nil {
				x /= math.Sqrt(outputs.WeightOf(out.Errors, sample, k, my))
			}
			modes.Set(k, a, x)
		}
	}
	h := modes
	if out.Errors != nil && out.Errors.Covariance != nil {
		all := mat.NewSymDense(my, nil)
		outputs.AddCovariance(all, 0, out)
		scaled := mat.DenseCopyOf(all)
		scaled.Apply(func(k, l int, x float64) float64 { return x * math.Sqrt(dy[k]) * math.Sqrt(dy[l]) }, scaled)
		h = linop.Product(ctx, scaled, modes)
	}
	f, err := linop.Cholesky(ctx, linop.Symmetric(linop.Product(ctx, modes.T(), h)))
	if err != nil {
		return fmt.Errorf("the covariance of the noise of output %s: %w", out.Name, err)
	}
	c.l = mat.NewTriDense(len(c.at), mat.Lower, nil)
	f.LTo(c.l)
	return nil
}

// divide replaces numbers, one of each of the data, by L⁻¹ times them.
func (r *reduced) divide(x []float64) {
	for _, c := range r.noise {
		own := mat.NewVecDense(len(c.at), nil)
		for a, i := range c.at {
			own.SetVec(a, x[i])
		}
		_ = own.SolveVec(c.l, own)
		for a, i := range c.at {
			x[i] = own.AtVec(a)
		}
	}
}

// whitened is L⁻¹ C L⁻ᵀ by data, of C by entries: C itself where noise is white.
func (r *reduced) whitened(c *mat.Dense) *mat.Dense {
	if r.noise == nil {
		return c
	}
	n := len(r.t)
	all := mat.NewDense(n, n, nil)
	for i := range n {
		for j := range n {
			all.Set(i, j, c.At(r.entry[i], r.entry[j]))
		}
	}
	for range 2 { // columns, then rows
		for j := range n {
			column := mat.Col(nil, j, all)
			r.divide(column)
			all.SetCol(j, column)
		}
		all = mat.DenseCopyOf(all.T())
	}
	return all
}

// entries are those of the covariances of terms, for each of the data.
func (r *reduced) entries() []int {
	if r.noise == nil {
		return r.entry
	}
	out := make([]int, len(r.t))
	for i := range out {
		out[i] = i
	}
	return out
}
