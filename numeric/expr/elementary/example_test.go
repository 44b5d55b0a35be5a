package elementary_test

import (
	"fmt"

	"github.com/greenbench/workbench/numeric/expr/elementary"
)

func ExamplePower() {
	fmt.Println(elementary.Power(2, 0.5))
	// Output: 1.4142135623730951
}
