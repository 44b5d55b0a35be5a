package dataset_test

import (
	"fmt"
	"math"

	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Pairs f = sin(kπx), u = f/(kπ)², the solutions of -u″ = f that vanish at both
// ends; with 20 % noise; split into pairs to learn from and pairs to test with.
func Example() {
	const n, m = 8, 21
	points := mesh.Must(mesh.Uniform(0, 1, m, "x"))
	x := points.Points()
	f, u := array.New(n, m), array.New(n, m)
	for i := range n {
		k := float64(i+1) * math.Pi
		for j := range m {
			f.Set(math.Sin(k*x[j]), i, j)
			u.Set(math.Sin(k*x[j])/(k*k), i, j)
		}
	}
	data, err := dataset.New(dataset.Spec{Input: f, Output: u, InputMesh: points, OutputMesh: points})
	if err != nil {
		panic(err)
	}
	fmt.Println(data)
	noisy, err := data.Noise(0.2, 1)
	if err != nil {
		panic(err)
	}
	train, test, err := noisy.Split(6, 1)
	if err != nil {
		panic(err)
	}
	fmt.Println(train.N(), "to learn from,", test.N(), "to test with")

	u.Set(math.NaN(), 2, 16)
	_, err = dataset.New(dataset.Spec{Input: f, Output: u, InputMesh: points, OutputMesh: points})
	fmt.Println(err)
	// Output:
	// dataset: 8 pairs, input on 21 points (uniform(0, 1, 21, "x")), output on 21 points (uniform(0, 1, 21, "x"))
	// 6 to learn from, 2 to test with
	// output[3][17] is NaN: must be finite; Missing allows outputs that were not observed
}
