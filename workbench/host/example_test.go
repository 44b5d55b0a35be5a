package host_test

import (
	"context"
	"fmt"

	"github.com/greenbench/workbench/workbench/host"
)

func Example() {
	h, err := host.New(host.Options{})
	err = h.Run(context.Background(), "hello.lua", `print("1 + 1 =", 1 + 1)`)
	h.Close()
	fmt.Println(err)
	// Output:
	// 1 + 1 =	2
	// <nil>
}

// The whole workbench in three lines.
func ExampleNew() {
	h, err := host.New(host.Options{})
	err = h.Run(context.Background(), "integral.lua", `print(mesh.gauss(0, 1, 5):weights():sum())`)
	h.Close()
	fmt.Println(err)
	// Output:
	// 1
	// <nil>
}

func ExampleHost_Run_error() {
	h, _ := host.New(host.Options{})
	defer h.Close()
	fmt.Println(h.Run(context.Background(), "fit.lua", "solve = print\nsolev(3)"))
	// Output: fit.lua:2: attempt to call nil: 'solev' (did you mean 'solve'?)
}

func ExampleHost_Eval() {
	h, _ := host.New(host.Options{})
	defer h.Close()
	values, _ := h.Eval(context.Background(), "stdin", "6 * 7, 'x' .. 1 / 3")
	fmt.Println(values[0], values[1])
	// Output: 42 x0.33333333333333
}
