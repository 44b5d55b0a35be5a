package bindings

import (
	"errors"
	"fmt"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/randfield"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Random is the Lua module random.
func Random() bind.Module {
	return bind.Module{
		Name: "random",
		Doc:  "Random functions and numbers.\n\nEvery draw has a seed; the same seed gives the same numbers.",
		Funcs: []bind.Func{
			bind.Fn("field", "Gaussian random functions with a kernel as covariance (Karhunen-Loève expansion).", func(c *bind.Call, p *struct {
				Kernel kernel.Kernel `arg:"kernel" doc:"covariance"`
				Mesh   mesh.Mesh     `arg:"mesh" doc:"where the functions are sampled"`
				N      int           `arg:"n" doc:"how many functions" default:"1" allow:">=1"`
				Seed   uint64        `arg:"seed" doc:"of the generator" default:"1"`
				Scale  float64       `arg:"scale" doc:"multiplies the functions" default:"1" allow:">0"`
				Modes  int           `arg:"modes" doc:"keep this many of the largest terms; 0 keeps all" default:"0" allow:">=0"`
			},
			) (*array.Array, error) {
				return randfield.Field{Kernel: p.Kernel, Mesh: p.Mesh, N: p.N, Seed: p.Seed, Scale: p.Scale, Modes: p.Modes}.Draw(c)
			}, bind.Example(`k = kernel.se{lengthscale = 0.1}
f = random.field{kernel = k, mesh = mesh.uniform(0, 1, 50), n = 3, seed = 7}
print(#f, #f[1])  --> 3	50`),
				bind.Returns("n × mesh.size"), bind.Keywords("gaussian process", "karhunen loeve", "sample", "forcing"), bind.See("random.brownian_bridge")),
			bind.Fn("brownian_bridge", "Brownian bridges, zero at both ends of an interval; in the middle of one of length T their variance is T/4.", func(_ *bind.Call, p *struct {
				Mesh mesh.Mesh `arg:"mesh" doc:"one axis"`
				N    int       `arg:"n" doc:"how many" default:"1" allow:">=1"`
				Seed uint64    `arg:"seed" doc:"of the generator" default:"1"`
			},
			) (*array.Array, error) {
				return randfield.BrownianBridge(p.Mesh, p.N, p.Seed)
			}, bind.Example("b = random.brownian_bridge{mesh = mesh.uniform(0, 1, 11), n = 2}\nprint(b:at(1, 1) == 0)  --> true"), bind.Returns("n × mesh.size"), bind.See("random.field", "kernel.brownian_bridge")),
			bind.Fn("normal", "Independent standard normal numbers.", func(c *bind.Call, p *shaped) (*array.Array, error) {
				return randfield.NormalContext(c, p.Seed, p.Shape...)
			}, bind.Example("z = random.normal{shape = {100, 100}, seed = 1}\nprint(math.abs(z:mean()) < 0.05, math.abs(z:std() - 1) < 0.05)  --> true\ttrue"), bind.Returns("an array of that shape")),
			bind.Fn("uniform", "Independent numbers, uniform between 0 and 1.", func(c *bind.Call, p *shaped) (*array.Array, error) {
				return randfield.UniformContext(c, p.Seed, p.Shape...)
			}, bind.Example("z = random.uniform{shape = {100}, seed = 1}\nprint(z:min() >= 0, z:max() < 1)  --> true\ttrue"), bind.Returns("an array of that shape")),
			bind.Fn("integers", "Independent whole numbers, each of a range equally often.", func(c *bind.Call, p *struct {
				Low  int64 `arg:"low" doc:"smallest number"`
				High int64 `arg:"high" doc:"largest number"`
				shaped
			},
			) (*array.Array, error) {
				return randfield.Integers(c, p.Low, p.High, p.Seed, p.Shape...)
			}, bind.Example("die = random.integers{low = 1, high = 6, shape = {1000}, seed = 1}\nprint(die:min(), die:max())  --> 1\t6"), bind.Returns("an array of that shape"), bind.Keywords("randint", "randi", "dice")),
			bind.Fn("permutation", "The numbers from 1 to n in random order: to shuffle, or to draw without putting back.", func(c *bind.Call, p *struct {
				N    int    `arg:"n" pos:"1" doc:"how many" allow:">=1"`
				Seed uint64 `arg:"seed" doc:"of the generator" default:"1"`
			},
			) (*array.Array, error) {
				return randfield.Permutation(c, p.N, p.Seed)
			}, bind.Example("order = random.permutation(4, {seed = 1})\nprint(order:sum())  --> 10"), bind.Returns("an array of length n"), bind.Keywords("shuffle", "randperm")),
			bind.Fn("choice", "Elements of an array drawn at random, rows of a matrix, each equally often: with putting back, or without.", func(c *bind.Call, p *struct {
				A       *array.Array `arg:"a" pos:"1" doc:"what to draw from, along its first axis"`
				N       int          `arg:"n" pos:"2" doc:"how many" allow:">=1"`
				Replace bool         `arg:"replace" doc:"put back, so that an element can come again" default:"true"`
				Seed    uint64       `arg:"seed" doc:"of the generator" default:"1"`
			},
			) (*array.Array, error) {
				return drawRows(c, p.A, p.N, p.Replace, p.Seed)
			}, bind.Example("rows = random.choice({{1, 2}, {3, 4}}, 5, {seed = 2})\nprint(#rows, rows:at(1, 2) - rows:at(1, 1))  --> 5\t1"),
				bind.Returns("n elements, or rows"), bind.Errors("more than there are, without putting back"), bind.Keywords("sample", "draw", "randsample", "resample"), bind.See("random.permutation", "stats.bootstrap")),
		},
	}
}

type shaped struct {
	Shape []int  `arg:"shape" doc:"length of each axis" allow:">=1 nonempty"`
	Seed  uint64 `arg:"seed" doc:"of the generator" default:"1"`
}

func drawRows(c *bind.Call, a *array.Array, n int, replace bool, seed uint64) (*array.Array, error) {
	rows := a.Shape[0]
	switch {
	case a.Size() == 0:
		return nil, errors.New("a is empty")
	case !replace && n > rows:
		return nil, fmt.Errorf("n %d: must be at most %d, all there are, or replace = true", n, rows)
	}
	draw := func() (*array.Array, error) { return randfield.Integers(c, 1, int64(rows), seed, n) }
	if !replace {
		draw = func() (*array.Array, error) { return randfield.Permutation(c, rows, seed) }
	}
	order, err := draw()
	if err != nil {
		return nil, err
	}
	width := a.Size() / rows
	if err := dense.CheckSize("the elements drawn:", float64(n)*float64(width)); err != nil {
		return nil, err
	}
	out := array.New(append([]int{n}, a.Shape[1:]...)...)
	for k := range n {
		from := (int(order.Data[k]) - 1) * width
		copy(out.Data[k*width:(k+1)*width], a.Data[from:from+width])
	}
	return out, nil
}
