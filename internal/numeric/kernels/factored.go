package kernels

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/numeric/kernel"
)

// ScaledBy is φ(p) φ(q) base(p, q) with a function φ of one point: the functions
// φ g with g in the space of base. It keeps the structure of base.
type ScaledBy struct {
	own
	Base kernel.Kernel
	By   Formula // φ
	Text string  // the function as it was written
}

// Check refuses a factor that is not a formula of one point.
func (k ScaledBy) Check() error {
	if err := k.By.Check(1, 1); err != nil {
		return fmt.Errorf("by: %w", err)
	}
	return checkAll([]kernel.Kernel{k.Base})
}

func (k ScaledBy) factor(p Point) (*expr.Node, error) {
	n, err := k.By.At(p)
	if err != nil {
		return nil, fmt.Errorf("by: %w", err)
	}
	return n[0], nil
}

// Expr implements Custom.
func (k ScaledBy) Expr(p, q Point) (*expr.Node, error) { return scaledExpr(k.Base, k.factor, p, q) }

func (k ScaledBy) decompose(p Point) ([]Part, error) { return scaledParts(k.Base, k.factor, p) }

func (k ScaledBy) String() string {
	return fmt.Sprintf("scaled{base=%s, by=%s}", k.Base, k.Text)
}

// Mercer is Σ_k μ_k φ_k(p) φ_k(q): the combinations of given functions, with the norm
// Σ c_k²/μ_k of their coefficients (paper, section 2.3). Its rank is the number of
// functions.
type Mercer struct {
	own
	Functions   []Formula // φ_k, of one point
	Eigenvalues []float64 // μ_k
	Text        []string  // the functions as they were written
}

// Check refuses eigenvalues that are not positive, and others than one for each function.
func (k Mercer) Check() error {
	switch {
	case len(k.Functions) == 0:
		return fmt.Errorf("functions: must hold at least one function")
	case len(k.Functions) != len(k.Eigenvalues):
		return fmt.Errorf("eigenvalues: %d values for %d functions: must be one for each", len(k.Eigenvalues), len(k.Functions))
	}
	for i := range k.Functions {
		if err := k.Functions[i].Check(1, 1); err != nil {
			return fmt.Errorf("functions[%d]: %w", i+1, err)
		}
		if v := k.Eigenvalues[i]; !(v > 0) || math.IsInf(v, 0) {
			return fmt.Errorf("eigenvalues[%d] %g: must be > 0 and finite", i+1, v)
		}
	}
	return nil
}

// Expr implements Custom: one term for each function.
func (k Mercer) Expr(p, q Point) (*expr.Node, error) {
	sum := expr.Const(0)
	for i, f := range k.Functions {
		product := expr.Const(1)
		for _, at := range []Point{p, q} {
			v, err := f.At(at)
			if err != nil {
				return nil, fmt.Errorf("functions[%d]: %w", i+1, err)
			}
			product = expr.Mul(product, v[0])
		}
		sum = expr.Add(sum, expr.Mul(expr.Const(k.Eigenvalues[i]), product))
	}
	return sum, nil
}

func (k Mercer) String() string {
	values := make([]string, len(k.Eigenvalues))
	for i, v := range k.Eigenvalues {
		values[i] = strconv.FormatFloat(v, 'g', -1, 64)
	}
	return fmt.Sprintf("mercer{functions={%s}, eigenvalues={%s}}", strings.Join(k.Text, ", "), strings.Join(values, ", "))
}
