package bessel_test

import (
	"fmt"

	"github.com/greenbench/workbench/internal/numeric/bessel"
)

// The Matérn correlation of order ½ is e^-d; other orders take a Bessel function.
func ExampleMatern() {
	fmt.Printf("%.6f %.6f\n", bessel.Matern(0.5, 1), bessel.Matern(1.3, 1))
	// Output: 0.367879 0.470202
}
