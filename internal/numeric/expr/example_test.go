package expr_test

import (
	"fmt"

	"github.com/greenbench/workbench/internal/numeric/expr"
)

// A kernel on one coordinate: what it is, what is known about it, and a row of
// its matrix.
func Example() {
	x, y := expr.Var(0, "x"), expr.Var(1, "y")
	k := expr.Exp(expr.Neg(expr.Div(expr.Abs(expr.Sub(x, y)), expr.Const(0.2))))

	fmt.Println(k)
	fmt.Println("stationary:", expr.Stationary(k, 0, 1), " symmetric:", expr.Symmetric(k, []int{0}, []int{1}))
	fmt.Println("derivative:", expr.Diff(k, 0))

	program, err := expr.Compile(k, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	row := make([]float64, 3)
	program.Block(row, []expr.Operand{{Scalar: 0}, {Vector: []float64{0, 0.5, 1}}})
	fmt.Printf("%.4f\n", row)
	// Output:
	// exp(-abs(x - y)/0.2)
	// stationary: proven  symmetric: proven
	// derivative: -5*sign(x - y)*exp(-abs(x - y)/0.2)
	// [1.0000 0.0821 0.0067]
}
