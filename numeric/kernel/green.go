package kernel

import (
	"fmt"
	"strings"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/params"
)

// Kink is base + |x - y|^p |ξ - η|^p jump on points (x, y) and (ξ, η) of input and output,
// with Euclidean distances: functions with a kink (p = 1, second-order operators) or a jump
// in a higher derivative (p = 3, fourth order) across the diagonal, as Green's functions
// have. Input and output must have equally many coordinates. With OneSided, which takes one
// coordinate each, (y - x)₊^p takes the place of |x - y|^p: 0 before the diagonal, as of
// responses in time to what was before; p = 0 is a jump from the diagonal on, as responses of
// first-order systems have.
type Kink struct {
	Base     Kernel  `arg:"base" doc:"kernel of the smooth part"`
	Jump     Kernel  `arg:"jump" doc:"kernel of the factor of |x - y|^power: how large the kink is along the diagonal"`
	Power    float64 `arg:"power" doc:"order of the kink: 1 for second-order operators, 3 for fourth; 0, with one_sided, for a jump" default:"1" allow:">=0"`
	OneSided bool    `arg:"one_sided" doc:"max(y - x, 0)^power in place of |x - y|^power, and 1 from x = y on for power 0: responses in time, which begin at the input's instant" default:"false"`
}

func (k Kink) check() error {
	switch {
	case !(k.Power >= 0):
		return fmt.Errorf("power %g: must be > 0, or 0 with one_sided", k.Power)
	case k.Power == 0 && !k.OneSided:
		return fmt.Errorf("power 0: |x - y|^0 is 1, and no kink; a jump across the diagonal is a kink with one_sided")
	}
	return checkAll([]Kernel{k.Base, k.Jump})
}

func (k Kink) expr(p, q Point) (*expr.Node, error) {
	base, err := Expr(k.Base, p, q)
	if err != nil {
		return nil, fmt.Errorf("base: %w", err)
	}
	jump, err := Expr(k.Jump, p, q)
	if err != nil {
		return nil, fmt.Errorf("jump: %w", err)
	}
	dp, err := k.factor(p)
	if err != nil {
		return nil, err
	}
	dq, err := k.factor(q)
	if err != nil {
		return nil, err
	}
	factor := expr.Mul(dp, dq)
	return expr.Add(base, expr.Mul(factor, jump)), nil
}

// factor is |x - y|^p at a point, or (y - x)₊^p.
func (k Kink) factor(p Point) (*expr.Node, error) {
	d, err := diagonal(p)
	switch {
	case err != nil:
		return nil, err
	case !k.OneSided:
		return expr.Pow(d, expr.Const(k.Power)), nil
	case len(p.X) > 2:
		return nil, fmt.Errorf("kink: one_sided needs one coordinate of the input and one of the output, the points here have %s", strings.Join(p.Space.Names, ", "))
	case k.Power == 0:
		return expr.LE(p.X[0], p.X[1]), nil
	}
	return expr.Pow(expr.Max(expr.Sub(p.X[1], p.X[0]), expr.Const(0)), expr.Const(k.Power)), nil
}

// diagonal is the distance of the input of p from its output.
func diagonal(p Point) (*expr.Node, error) {
	m, d := p.Space.Inputs, len(p.X)
	if m == 0 && d == 2 {
		m = 1
	}
	if 2*m != d {
		return nil, fmt.Errorf("kink: needs equally many input and output coordinates, the points here have %s (%d of input)",
			strings.Join(p.Space.Names, ", "), m)
	}
	if m == 1 {
		return expr.Abs(expr.Sub(p.X[0], p.X[1])), nil
	}
	sum := expr.Const(0)
	for i := range m {
		t := expr.Sub(p.X[i], p.X[m+i])
		sum = expr.Add(sum, expr.Mul(t, t))
	}
	return expr.Sqrt(sum), nil
}

func (k Kink) String() string { return params.Text("kink", k) }

// Polynomial is (offset + Σ p_i q_i)^degree: polynomials of that degree.
type Polynomial struct {
	Degree int     `arg:"degree" doc:"highest degree" default:"1" allow:">=0"`
	Offset float64 `arg:"offset" doc:"weight of the lower degrees" default:"1" allow:">=0"`
}

func (k Polynomial) check() error {
	if k.Degree < 0 {
		return fmt.Errorf("degree %d: must be >= 0", k.Degree)
	}
	if !(k.Offset >= 0) {
		return fmt.Errorf("offset %g: must be >= 0", k.Offset)
	}
	return nil
}

func (k Polynomial) expr(p, q Point) (*expr.Node, error) {
	sum := expr.Const(k.Offset)
	for i := range p.X {
		sum = expr.Add(sum, expr.Mul(p.X[i], q.X[i]))
	}
	return expr.Pow(sum, expr.Const(float64(k.Degree))), nil
}

func (k Polynomial) String() string { return params.Text("polynomial", k) }

// White is 1 where p = q and 0 elsewhere: independent noise at every point.
type White struct{}

func (White) expr(p, q Point) (*expr.Node, error) {
	sum := expr.Const(0) // of absolute values: squares of small differences are 0
	for i := range p.X {
		sum = expr.Add(sum, expr.Abs(expr.Sub(p.X[i], q.X[i])))
	}
	return expr.LE(sum, expr.Const(0)), nil
}

func (White) String() string { return "white{}" }
