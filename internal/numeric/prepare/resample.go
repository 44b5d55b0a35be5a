package prepare

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/interp"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// What a [ResampleSpec] says beside the words of package interp.
const (
	ByKernel       = "kernel"  // smoothed: see [Resample]
	OutsideMissing = "missing" // outputs are left out beyond the points of a curve
)

// ResampleSpec says where functions are wanted.
type ResampleSpec struct {
	Input, Output mesh.Mesh // of one axis; empty: that side stays as it is
	Method        string    // interp.Linear, interp.Cubic or ByKernel
	Outside       string    // beyond the points of a curve: interp.Refuse; interp.Extend; "missing", of outputs
}

// Resample returns the pairs on other meshes. Curves are interpolated between their points,
// or smoothed: by a Matérn kernel (ν = 5/2) about a constant of each curve, whose lengthscale,
// variance and noise are those of greatest restricted likelihood for all curves of a side
// together. Beyond its points a curve is refused unless Outside says otherwise: Extend holds
// the last value, and a kernel goes back to the constant.
//
// The bands are the standard deviations of what was smoothed, without the noise, pairs ×
// points; nil for sides that were not. Cost of smoothing: of the cube of the points of a
// curve, for each.
func Resample(ctx context.Context, d *dataset.Dataset, s ResampleSpec) (out *dataset.Dataset, input, output *array.Array, err error) {
	spec := dataset.Spec{Input: d.Input, Output: d.Output, InputMesh: d.InputMesh, OutputMesh: d.OutputMesh, Missing: d.Missing}
	curves := d.Curves
	if s.Input.Size() > 0 {
		if ownPoints(d.InputMesh) && curves == nil {
			return nil, nil, nil, fmt.Errorf("input: is on the points of many curves, with the weights of their integrals, and not as it was measured: resample the data that were made of the curves")
		}
		r := resampling{ResampleSpec: s, name: "input", to: s.Input, n: d.N(), curve: d.InputCurve}
		if s.Outside == OutsideMissing {
			r.Outside = interp.Refuse
		}
		if spec.Input, input, err = r.run(ctx); err != nil {
			return nil, nil, nil, err
		}
		spec.InputMesh, curves = s.Input, nil
	}
	if s.Output.Size() > 0 {
		r := resampling{ResampleSpec: s, name: "output", to: s.Output, n: d.N(), curve: d.OutputCurve}
		if spec.Output, output, err = r.run(ctx); err != nil {
			return nil, nil, nil, err
		}
		spec.OutputMesh, spec.Missing = s.Output, slices.ContainsFunc(spec.Output.Data, math.IsNaN)
	}
	if out, err = dataset.New(spec); err != nil {
		return nil, nil, nil, err
	}
	out.Curves, out.NoiseLevel = curves, d.NoiseLevel
	return out, input, output, nil
}

// resampling is of one side.
type resampling struct {
	ResampleSpec
	name  string
	to    mesh.Mesh
	n     int
	curve func(pair int) dataset.Curve
}

func (r resampling) run(ctx context.Context) (values, band *array.Array, err error) {
	if r.to.Dim() != 1 {
		return nil, nil, fmt.Errorf("%s_mesh: has %d coordinates: resampling is along one axis", r.name, r.to.Dim())
	}
	if err := dense.CheckMatrix("resample: "+r.name, 1, r.n, r.to.Size()); err != nil {
		return nil, nil, err
	}
	curves := make([]dataset.Curve, r.n)
	for i := range curves {
		c := r.curve(i)
		if len(c.Points) != len(c.Values) {
			return nil, nil, fmt.Errorf("%s: its points have %d coordinates: resampling is along one axis", r.name, len(c.Points)/max(1, len(c.Values)))
		}
		x, v := sorted(c)
		if curves[i] = (dataset.Curve{Points: x, Values: v}); len(x) == 0 {
			return nil, nil, fmt.Errorf("%s %d: every value is missing", r.name, i+1)
		}
		if err := r.reaches(i, curves[i].Points); err != nil {
			return nil, nil, err
		}
	}
	at := r.to.Points()
	values = array.New(r.n, len(at))
	if r.Method == ByKernel {
		band = array.New(r.n, len(at))
		err = smoothCurves(ctx, curves, at, values, band)
	} else {
		err = r.interpolate(ctx, curves, at, values)
	}
	if err == nil && r.Outside == OutsideMissing {
		leaveOut(curves, at, values)
	}
	return values, band, err
}

// sorted is a curve with its points in order.
func sorted(c dataset.Curve) (x, v []float64) {
	order := make([]int, len(c.Points))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(c.Points[a], c.Points[b]) })
	for _, k := range order {
		x, v = append(x, c.Points[k]), append(v, c.Values[k])
	}
	return x, v
}

// reaches refuses points beyond those of a curve.
func (r resampling) reaches(pair int, x []float64) error {
	if r.Outside != interp.Refuse && r.Outside != "" {
		return nil
	}
	for _, y := range r.to.Points() {
		if y < x[0] || y > x[len(x)-1] {
			return fmt.Errorf("%s %d: is known from %.9g to %.9g, and %.9g of the mesh is beyond: take a mesh within, or say what stands there by outside", r.name, pair+1, x[0], x[len(x)-1], y)
		}
	}
	return nil
}

func (r resampling) interpolate(ctx context.Context, curves []dataset.Curve, at []float64, to *array.Array) error {
	for i, c := range curves {
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		row := to.Data[i*len(at) : (i+1)*len(at)]
		if len(c.Points) == 1 && r.Outside != interp.Refuse && r.Outside != "" {
			for k := range row {
				row[k] = c.Values[0]
			}
			continue
		}
		f, err := interp.New(c.Points, c.Values, interp.Options{Kind: r.Method, Outside: interp.Constant})
		if err != nil {
			return fmt.Errorf("%s %d: %w", r.name, i+1, err)
		}
		for k, x := range at {
			if row[k], err = f.At(x, 0); err != nil {
				return fmt.Errorf("%s %d: %w", r.name, i+1, err)
			}
		}
	}
	return nil
}

// leaveOut puts NaN beyond the points of each curve.
func leaveOut(curves []dataset.Curve, at []float64, to *array.Array) {
	for i, c := range curves {
		for k, x := range at {
			if x < c.Points[0] || x > c.Points[len(c.Points)-1] {
				to.Data[i*len(at)+k] = math.NaN()
			}
		}
	}
}

// smoothCurves smooths curves at points, with the standard deviations of what it gives. The
// bands of curves of one value, where no curve has two, are in units of that deviation.
func smoothCurves(ctx context.Context, curves []dataset.Curve, at []float64, to, band *array.Array) error {
	samples := make([]interp.Samples, len(curves))
	for i, c := range curves {
		samples[i] = interp.Samples{X: c.Points, Y: c.Values}
	}
	model, err := interp.ChooseSmoother(ctx, samples, kernel.Matern{Nu: 2.5}, -1)
	if err != nil {
		return err
	}
	squares, values := 0.0, 0.0
	for i, s := range samples {
		f, err := model.Of(ctx, s)
		if err != nil {
			return err
		}
		for k, x := range at {
			to.Data[i*len(at)+k], band.Data[i*len(at)+k] = f.At(x)
		}
		sum, n := f.Evidence()
		squares, values = squares+sum, values+n
	}
	if values > 0 {
		floats.Scale(math.Sqrt(squares/values), band.Data)
	}
	return nil
}
