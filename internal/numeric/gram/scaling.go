package gram

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/numeric/mesh"
)

// valuesOn evaluates an expression of one point on the joint mesh.
func valuesOn(n *expr.Node, xy mesh.Mesh, mx, my int) (*mat.Dense, error) {
	columns := xy.Columns()
	p, err := expr.Compile(n, len(columns))
	if err != nil {
		return nil, err
	}
	ops := make([]expr.Operand, len(columns))
	for i, c := range columns {
		ops[i].Vector = c
	}
	d := mat.NewDense(mx, my, nil)
	p.Block(d.RawMatrix().Data, ops)
	return d, nil
}

// describeTerms joins the descriptions of terms, repeated ones with their number.
func describeTerms[T any](terms []T, describe func(T) (text string, scaled bool)) string {
	var parts []string
	var count []int
	for _, t := range terms {
		text, scaled := describe(t)
		if scaled {
			text = "scaled " + text
		}
		if at := slices.Index(parts, text); at >= 0 {
			count[at]++
		} else {
			parts, count = append(parts, text), append(count, 1)
		}
	}
	for i, n := range count {
		if n > 1 {
			parts[i] = fmt.Sprintf("%d times a %s", n, parts[i])
		}
	}
	return strings.Join(parts, " + ")
}

// addScaled adds to · apply(from · x) to dst; a diagonal may be nil for 1.
func addScaled(ctx context.Context, dst []float64, to *mat.Dense, apply func(ctx context.Context, dst, x []float64), from *mat.Dense, x []float64) {
	out := make([]float64, len(dst))
	apply(ctx, out, timesDiagonal(from, x))
	floats.Add(dst, timesDiagonal(to, out))
}

// addScaledEntries adds entries of to · k · from to dst; a diagonal may be nil for 1.
func addScaledEntries(dst, k []float64, to, from *mat.Dense, i, j []int) {
	for p, v := range k {
		if to != nil {
			v *= to.RawMatrix().Data[i[p]]
		}
		if from != nil {
			v *= from.RawMatrix().Data[j[p]]
		}
		dst[p] += v
	}
}

// timesDiagonal returns d · x, or x itself where d is nil.
func timesDiagonal(d *mat.Dense, x []float64) []float64 {
	if d == nil {
		return x
	}
	return floats.MulTo(make([]float64, len(x)), d.RawMatrix().Data, x)
}
