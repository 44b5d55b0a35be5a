package bindings

import (
	"fmt"
	"slices"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
)

// mapPairs is d:map of a dataset.
func mapPairs() bind.Func {
	return bind.Fn("map", "Changes pairs by a function of the script, called for each pair with its input and its output as arrays, and with its number; or once with all, n × points each. It returns the new input and the new output; nil for one leaves that as it is.", func(c *bind.Call, p *struct {
		Data       *dataset.Dataset `arg:"self"`
		F          bind.Function    `arg:"f" pos:"1" doc:"function(f, u, i) that returns what is to take their places"`
		All        bool             `arg:"all" doc:"call it once, with all pairs: faster" default:"false"`
		InputMesh  mesh.Mesh        `arg:"input_mesh" doc:"where the new inputs are sampled, if elsewhere" default:"nil"`
		OutputMesh mesh.Mesh        `arg:"output_mesh" doc:"where the new outputs are sampled, if elsewhere" default:"nil"`
		Missing    bool             `arg:"missing" doc:"NaN in the new outputs means not observed; as it was by default" default:"false"`
	},
	) (*dataset.Dataset, error) {
		d := p.Data
		if err := preparedPairs().common(d, "map"); err != nil {
			return nil, err
		}
		s := dataset.Spec{InputMesh: p.InputMesh, OutputMesh: p.OutputMesh, Missing: p.Missing || d.Missing}
		if s.InputMesh.Size() == 0 {
			s.InputMesh = d.InputMesh
		}
		if s.OutputMesh.Size() == 0 {
			s.OutputMesh = d.OutputMesh
		}
		var err error
		if p.All {
			s.Input, s.Output, err = mapped(c, &p.F, d.Input.Copy(), d.Output.Copy())
		} else {
			s.Input, s.Output, err = mapEach(c, &p.F, d)
		}
		if err != nil {
			return nil, err
		}
		out, err := dataset.New(s)
		if err != nil {
			return nil, fmt.Errorf("%s returned this: %w", &p.F, err)
		}
		return out, nil
	}, bind.Example(sampleData+`d2 = d:map(function(f, u) return 1e3 * f, u - u:mean() end)
print(math.abs(d2.input:max() / d.input:max() - 1000) < 1e-9, d2.n)  --> true	20`), bind.ReturnsAs("dataset", "a new one"),
		bind.Errors("what it returns does not fit the meshes, or is not finite"), bind.Keywords("apply", "transform", "scale", "units"), bind.See("dataset:detrend", "dataset:summary"))
}

// mapEach calls a function for each pair.
func mapEach(c *bind.Call, f *bind.Function, d *dataset.Dataset) (input, output *array.Array, err error) {
	var in, out []float64
	n, points := d.N(), [2]int{}
	one := func(a *array.Array, i int) *array.Array {
		m := a.Shape[1]
		return array.Vector(slices.Clone(a.Data[i*m : (i+1)*m]))
	}
	for i := range n {
		a, b, err := mapped(c, f, one(d.Input, i), one(d.Output, i), i+1)
		if err != nil {
			return nil, nil, err
		}
		if i == 0 {
			points = [2]int{a.Size(), b.Size()}
		}
		if got := [2]int{a.Size(), b.Size()}; got != points {
			return nil, nil, fmt.Errorf("%s: returns %d and %d numbers for pair %d, and %d and %d for the first: want as many for all", f, got[0], got[1], i+1, points[0], points[1])
		}
		in, out = append(in, a.Data...), append(out, b.Data...)
	}
	return &array.Array{Shape: []int{n, points[0]}, Data: in}, &array.Array{Shape: []int{n, points[1]}, Data: out}, nil
}

// mapped calls the function with an input and an output, which it may leave as they are.
func mapped(c *bind.Call, fn *bind.Function, f, u *array.Array, more ...any) (input, output *array.Array, err error) {
	results, err := fn.Call(c, append([]any{f, u}, more...)...)
	if err != nil {
		return nil, nil, err
	}
	if len(results) == 0 || len(results) == 1 && results[0] == lua.LNil {
		return nil, nil, fmt.Errorf("%s: returns nothing: want the new input and the new output (is there a return?)", fn)
	}
	both := [2]*array.Array{f, u}
	for k, v := range results[:min(len(results), 2)] {
		if v == lua.LNil {
			continue
		}
		if both[k], err = bind.Decode[*array.Array](c, v); err != nil {
			return nil, nil, fmt.Errorf("%s: result %d is %s: want an array, or a list of numbers", fn, k+1, bind.Describe(v))
		}
	}
	return both[0], both[1], nil
}

// mapFrame is d:map of a frame.
func mapFrame() bind.Func {
	return bind.Fn("map", "Changes functions by a function of the script, called for each input and each output with its values, n × points, and its name. It returns the new values; nil leaves them as they are. Numbers and labels stay.", func(c *bind.Call, p *struct {
		Data frame         `arg:"self"`
		F    bind.Function `arg:"f" pos:"1" doc:"function(values, name) that returns as many values"`
	},
	) (frame, error) {
		out := *p.Data
		for _, fields := range []*[]dataset.Field{&out.Fields, &out.Outputs} {
			*fields = slices.Clone(*fields)
			for k := range *fields {
				if err := mapField(c, &p.F, &(*fields)[k]); err != nil {
					return nil, err
				}
			}
		}
		return out.Checked()
	}, bind.Example(sampleFrame+`d2 = d:map(function(v, name) if name == "f" then return 1e3 * v end end)
print(math.abs(d2.input.f:max() / d.input.f:max() - 1000) < 1e-9, (d2.output.u - d.output.u):norm())  --> true	0`), bind.ReturnsAs("frame", "a new one"),
		bind.Errors("what it returns has another size, or is not finite"), bind.Keywords("apply", "transform", "scale", "units"), bind.See("frame:detrend", "frame:summary"))
}

func mapField(c *bind.Call, fn *bind.Function, f *dataset.Field) error {
	results, err := fn.Call(c, f.Values.Copy(), f.Name)
	if err != nil || len(results) == 0 || results[0] == lua.LNil {
		return err
	}
	a, err := bind.Decode[*array.Array](c, results[0])
	switch {
	case err != nil:
		return fmt.Errorf("%s: its result for %s is %s: want an array", fn, f.Name, bind.Describe(results[0]))
	case a.Size() != f.Values.Size():
		return fmt.Errorf("%s: its result for %s is %s: want %s", fn, f.Name, dense.ShapeString(a.Shape), dense.ShapeString(f.Values.Shape))
	}
	f.Values, err = a.Reshape(f.Values.Shape...)
	return err
}
