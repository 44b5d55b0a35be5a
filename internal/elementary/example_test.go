package elementary_test

import (
	"fmt"

	"github.com/greenbench/workbench/internal/elementary"
)

func ExamplePow() {
	fmt.Println(elementary.Pow(2, 0.5))
	// Output: 1.4142135623730951
}
