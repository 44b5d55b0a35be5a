package inweights

import (
	"context"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/criteria"
	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/linop"
)

// atPoint is what was observed at one point of the output. G and β answer there in the span of the inputs and the constant,
// so that of more values than these only as many combinations see them; the others are noise.
type atPoint struct {
	places []int      // of the values among the outputs
	q      *mat.Dense // combinations × values, with orthonormal rows; nil: each value is one of these
}

// rows is how many combinations there are.
func (p atPoint) rows() int {
	if p.q == nil {
		return len(p.places)
	}
	r, _ := p.q.Dims()
	return r
}

// pointwise is the response where each value is one of G and β at its own point alone, with an error of its own, and not all
// values were observed; otherwise ok is false.
func (w *Space) pointwise() (p pointwise, ok bool) {
	if p, ok = w.resp.(pointwise); !ok || w.d == nil || w.d.Correlated() {
		return p, false
	}
	return p, true
}

// seen is how many numbers tell all that the data do of G and β: combinations of what was observed where each value is one of
// its own point alone, otherwise the data or the weights, whichever are fewer.
func (w *Space) seen() int {
	p, ok := w.pointwise()
	if !ok {
		unknowns, _ := w.Dims()
		return min(unknowns, len(w.T))
	}
	rows, inputs := 0, w.inputs(p)
	for k := range p.my {
		rows += min(len(w.placesAt(k, p.my)), inputs)
	}
	return rows
}

// inputs is how many there are with the constant.
func (w *Space) inputs(p pointwise) int {
	_, inputs := p.c.Dims()
	if w.Q != nil {
		inputs++
	}
	return inputs
}

// placesAt are those of what was observed at a point.
func (w *Space) placesAt(k, my int) (places []int) {
	for i := k; i < len(w.T); i += my {
		if w.d.Seen(i) {
			places = append(places, i)
		}
	}
	return places
}

// atPoints takes the outputs apart. Cost: with n values at each of m points and k inputs 4 m n k² operations.
func (w *Space) atPoints(ctx context.Context, p pointwise) ([]atPoint, error) {
	inputs, out := w.inputs(p), make([]atPoint, p.my)
	for k := range out {
		out[k].places = w.placesAt(k, p.my)
		if len(out[k].places) <= inputs {
			continue
		}
		x := mat.NewDense(len(out[k].places), inputs, nil)
		for a, i := range out[k].places {
			row := x.RawRowView(a)
			if copy(row, p.c.RawRowView(i/p.my)); w.Q != nil {
				row[inputs-1] = w.c[i/p.my]
			}
			floats.Scale(w.d.Scale[i], row)
		}
		q, _, err := linop.QR(ctx, x)
		if err != nil {
			return nil, err
		}
		out[k].q = mat.DenseCopyOf(q.T())
	}
	return out, nil
}

// combined stores in dst the combinations of data.
func combined(points []atPoint, dst, data []float64) {
	for _, p := range points {
		own := make([]float64, len(p.places))
		for a, i := range p.places {
			own[a] = data[i]
		}
		if p.q == nil {
			copy(dst, own)
		}
		for r := 0; p.q != nil && r < p.rows(); r++ {
			dst[r] = floats.Dot(p.q.RawRowView(r), own)
		}
		dst = dst[p.rows():]
	}
}

// expanded stores in data those of the combinations z, the transpose of combined.
func expanded(points []atPoint, data, z []float64) {
	for _, p := range points {
		for r, v := range z[:p.rows()] {
			switch {
			case v == 0:
			case p.q == nil:
				data[p.places[r]] = v
			default:
				for a, q := range p.q.RawRowView(r) {
					data[p.places[a]] += v * q
				}
			}
		}
		z = z[p.rows():]
	}
}

// diagonalisePoints takes the eigenvectors of A among the combinations of what was observed, outside of which it is zero.
// Cost: a product with the kernel for each, and the eigenvectors of their matrix.
func (w *Space) diagonalisePoints(ctx context.Context, d *criteria.Diagonalised) error {
	p, _ := w.pointwise()
	points, err := w.atPoints(ctx, p)
	if err != nil {
		return err
	}
	rows := w.seen()
	a, err := gram.MatrixOf(ctx, rows, w.G.Size(), func(ctx context.Context, dst, z []float64) {
		all, out := make([]float64, len(w.T)), make([]float64, len(w.T))
		expanded(points, all, z)
		dataKernel{w}.Apply(ctx, out, all)
		combined(points, dst, out)
	})
	if err != nil {
		return err
	}
	values, v, err := linop.Eigen(ctx, a)
	if err != nil {
		return err
	}
	d.Eigenvalues, d.Zeros = values, d.Outputs-rows
	few := criteria.Diagonalised{Eigenvalues: values, Values: d.Values - d.Zeros}
	few.KnowZeros() // that of a free constant, which is among the combinations
	t, inside := make([]float64, rows), make([]float64, len(w.T))
	combined(points, t, w.T)
	expanded(points, inside, t)
	rest := floats.Distance(w.T, inside, 2)
	d.Rest, d.T = rest*rest, make([]float64, rows)
	mat.NewVecDense(rows, d.T).MulVec(v.T(), mat.NewVecDense(rows, t))
	if w.Q == nil {
		return nil
	}
	u, err := w.biasResponses(ctx, 1)
	if err != nil {
		return err
	}
	_, k := u.Dims()
	bias := mat.NewDense(rows, k, nil)
	for j := range k {
		combined(points, t, mat.Col(nil, j, u))
		bias.SetCol(j, t)
	}
	bias = withoutRounding(bias)
	_, k = bias.Dims()
	d.Bias = mat.NewDense(rows, k, nil)
	return linop.MulContext(ctx, d.Bias, v.T(), bias)
}
