package bindings

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/pde"
	"github.com/greenbench/workbench/internal/numeric/stats"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
)

func errorMethod() bind.Func {
	return bind.Fn("error", "Relative errors against data, a Green's function, or a bias term.", func(c *bind.Call, p *struct {
		Estimate estimate         `arg:"self"`
		Data     *dataset.Dataset `arg:"data" doc:"pairs that were held out" default:"nil"`
		Green    *truth           `arg:"green" doc:"values of G on xmesh × ymesh, or a problem" default:"nil"`
		Bias     *truth           `arg:"bias" doc:"values of the bias on ymesh, or a problem" default:"nil"`
		X        mesh.Mesh        `arg:"xmesh" doc:"where; by default the input mesh" default:"nil"`
		Y        mesh.Mesh        `arg:"ymesh" doc:"where; by default the output mesh" default:"nil"`
	},
	) (any, error) {
		given := 0
		for _, is := range []bool{p.Data != nil, p.Green != nil, p.Bias != nil} {
			if is {
				given++
			}
		}
		if given != 1 {
			return nil, fmt.Errorf("got %d of data, green and bias: give exactly one", given)
		}
		switch {
		case p.Data != nil:
			return dataError(c, p.Estimate, p.Data)
		case p.Green != nil:
			return greenError(c, p.Estimate, *p.Green, p.X, p.Y)
		}
		return biasError(c, p.Estimate, *p.Bias, p.Y)
	}, bind.Example(sampleFit+"print(est:error{data = d}.mean < 0.01)  --> true\nprint(est:error{green = p} < 0.1)  --> true"),
		bind.ReturnsAs("number|{mean=, rms=, max=, r2=}", "for data the mean, root mean square and largest relative error √(Σ(a - b)²/Σb²) of a sample, b the outputs as they are, with their offset: far from zero the same errors are smaller beside them; and R²: 1 is perfect, 0 as good as the mean curve of these data, below worse; it does not change when a constant is added to the outputs. Mean, rms and max weigh all points of the output alike, and r2 each by its weight in the quadrature, which differs where points are uneven. Otherwise √(Σ(a - b)²/Σb²)"))
}

func dataError(c *bind.Call, e estimate, d *dataset.Dataset) (any, error) {
	f, err := d.Input.Matrix()
	if err != nil {
		return nil, err
	}
	u, err := e.Predict(c, f, d.InputMesh, d.OutputMesh)
	if err != nil {
		return nil, err
	}
	errs, err := dataset.RelativeErrors(array.FromMatrix(u), d.Output)
	if err != nil {
		return nil, err
	}
	sum, err := stats.Summarize(errs)
	if err != nil {
		return nil, err
	}
	sum.R2, err = d.R2(array.FromMatrix(u))
	return sum, err
}

func greenError(c *bind.Call, e estimate, t truth, x, y mesh.Mesh) (any, error) {
	if x.Size() == 0 {
		x = e.InputMesh
	}
	if y.Size() == 0 {
		y = e.OutputMesh
	}
	g, err := e.Green(c, x, y)
	if err != nil {
		return nil, err
	}
	want := t.A
	if t.IsB {
		m, err := pde.Green(c, t.B, x, y)
		if err != nil {
			return nil, err
		}
		want = array.FromMatrix(m)
	}
	return relative("green", g, want)
}

func biasError(c *bind.Call, e estimate, t truth, y mesh.Mesh) (any, error) {
	if y.Size() == 0 {
		y = e.OutputMesh
	}
	b, err := e.Bias(c, y)
	if err != nil {
		return nil, err
	}
	want := t.A
	if t.IsB {
		v, err := pde.Bias(c, t.B, y)
		if err != nil {
			return nil, err
		}
		want = array.Vector(v)
	}
	return relative("bias", mat.NewDense(1, len(b), b), want)
}

// relative compares values with the truth, whose shape is checked by its size.
func relative(name string, got *mat.Dense, want *array.Array) (any, error) {
	r, c := got.Dims()
	if want.Size() != r*c {
		return nil, fmt.Errorf("%s: has the shape %s, must hold %d numbers, one per point of the meshes", name, dense.ShapeString(want.Shape), r*c)
	}
	return stats.RelativeError(got.RawMatrix().Data, want.Data)
}
