package arrays_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/numeric/array"
)

// An array of samples of sin on a uniform mesh, combined with another by
// broadcasting, reduced along an axis, saved and read back by name.
func Example() {
	ctx := context.Background()
	x, err := arrays.LinSpace(ctx, 0, math.Pi/2, 3)
	if err != nil {
		panic(err)
	}
	scale, err := array.Of([]float64{1, 10}, 2, 1)
	if err != nil {
		panic(err)
	}
	u, err := arrays.Mul(ctx, scale, x.Map(math.Sin)) // 2×1 times 3 is 2×3
	if err != nil {
		panic(err)
	}
	fmt.Println(u)
	peaks, err := arrays.Reduce(ctx, u, "max", 0, 1, false)
	if err != nil {
		panic(err)
	}
	fmt.Println(peaks)

	dir, err := os.MkdirTemp("", "array")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "waves.npz")
	if err := arrays.SaveAll(path, map[string]*array.Array{"x": x, "u": u}); err != nil {
		panic(err)
	}
	back, err := arrays.Load(path, "u")
	fmt.Println(arrays.Equal(back, u), err)
	// Output:
	// array 2×3, min 0, max 10, norm 12.31
	//        0   0.707   1.000
	//        0   7.071  10.000
	// array 2, min 1, max 10, norm 10.05
	//    1  10
	// true <nil>
}
