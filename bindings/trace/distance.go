package trace

import (
	"fmt"
	"slices"

	"github.com/greenbench/workbench/internal/numeric/expr"
)

// Distance is the root of Σ ((p_i - q_i)/s_i)²; scales are one for all
// coordinates, one for each, or nil.
func Distance(p, q Point, scales *Point) (*expr.Node, error) {
	if len(p.X) != len(q.X) {
		return nil, fmt.Errorf("q: has %d coordinates, p has %d: must be equally many", len(q.X), len(p.X))
	}
	if !slices.Equal(p.Names, q.Names) {
		return nil, fmt.Errorf("q: has the coordinates %v, p has %v: must be the same", q.Names, p.Names)
	}
	if scales != nil && len(scales.X) != 1 && len(scales.X) != len(p.X) {
		return nil, fmt.Errorf("scales: got %d for %d coordinates: must be one, or one for each", len(scales.X), len(p.X))
	}
	sum := expr.Const(0)
	for i := range p.X {
		d := expr.Of(expr.OpSub, p.X[i], q.X[i])
		if scales != nil {
			s := scales.X[min(i, len(scales.X)-1)]
			if s.IsConst() && !(s.Value() > 0) {
				return nil, fmt.Errorf("scales: %g: must be > 0", s.Value())
			}
			d = expr.Of(expr.OpDiv, d, s)
		}
		sum = expr.Of(expr.OpAdd, sum, expr.Of(expr.OpMul, d, d))
	}
	return expr.Of(expr.OpSqrt, sum), nil
}
