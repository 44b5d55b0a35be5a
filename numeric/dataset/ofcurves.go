package dataset

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/stats"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/mesh"
)

// ofCurves reports whether a mesh is of all the points that curves have, each its own.
func ofCurves(m mesh.Mesh) bool { return len(m.Axes()) == 1 && m.Axes()[0].OfCurves() }

// OfCurves reports whether inputs or outputs each have points of their own.
func (d *Dataset) OfCurves() bool { return ofCurves(d.InputMesh) || ofCurves(d.OutputMesh) }

// InputCurve is the input of a pair, counted from 0, as it was measured.
func (d *Dataset) InputCurve(pair int) Curve {
	if d.Curves != nil {
		return d.Curves[pair].ordered()
	}
	return curveOn(d.InputMesh, d.Input.Data[pair*d.InputMesh.Size():][:d.InputMesh.Size()])
}

// OutputCurve is the output of a pair, counted from 0, without what is missing.
func (d *Dataset) OutputCurve(pair int) Curve {
	return curveOn(d.OutputMesh, d.Output.Data[pair*d.OutputMesh.Size():][:d.OutputMesh.Size()])
}

// curveOn are the points of a mesh and their values, without those that are NaN.
func curveOn(m mesh.Mesh, values []float64) (c Curve) {
	at := make([]float64, m.Dim())
	for k, v := range values {
		if !math.IsNaN(v) {
			m.Point(at, k)
			c.Points, c.Values = append(c.Points, at...), append(c.Values, v)
		}
	}
	return c
}

// ordered is the curve with its positions for its mesh.
func (c Curve) ordered() Curve {
	if c.Mesh.Size() > 0 {
		return Curve{Points: c.Mesh.Points(), Values: c.Values}
	}
	return c
}

// observed is how many outputs a pair has.
func (d *Dataset) observed(pair int) int {
	count, m := 0, d.OutputMesh.Size()
	for _, v := range d.Output.Data[pair*m : (pair+1)*m] {
		if !math.IsNaN(v) {
			count++
		}
	}
	return count
}

// between says from what to what a number of each pair goes.
func (d *Dataset) between(of func(pair int) int) string {
	least, most := of(0), of(0)
	for i := range d.N() {
		least, most = min(least, of(i)), max(most, of(i))
	}
	if least == most {
		return fmt.Sprint(least)
	}
	return fmt.Sprintf("%d to %d", least, most)
}

// spreadOfCurves is Spread of outputs on points of their own.
func (d *Dataset) spreadOfCurves() float64 {
	total, values, mean := 0.0, 0.0, d.meanOfCurves()
	for k, v := range d.Output.Data {
		if diff := v - mean[k%len(mean)]; !math.IsNaN(v) {
			total += diff * diff
			values++
		}
	}
	return math.Sqrt(total / values)
}

// meanOfCurves is the mean of outputs on points of their own, at all points.
func (d *Dataset) meanOfCurves() []float64 {
	filled, count := d.Filled(), 0.0
	mean := make([]float64, d.OutputMesh.Size())
	for i := range d.N() {
		if row := filled.RawRowView(i); !math.IsNaN(row[0]) {
			floats.Add(mean, row)
			count++
		}
	}
	floats.Scale(1/count, mean)
	return mean
}

// Filled are the outputs at all points of their mesh, as [Field.Filled].
func (d *Dataset) Filled() *mat.Dense { return Field{Values: d.Output, Mesh: d.OutputMesh}.Filled() }

// Filled are the values at all points of the mesh, samples × points, in memory of their own only where they differ
// from Values. Those of curves on points of their own are linear between these, and beyond them as at the
// nearest; of several coordinates, in units of what each goes over, as at the nearest. What is not of such curves
// is as it was observed. NaN where nothing is known. Cost: the square of the points for several coordinates.
func (f Field) Filled() *mat.Dense {
	n, m, dim := f.Values.Shape[0], f.Mesh.Size(), f.Mesh.Dim()
	u := mat.NewDense(n, m, f.Values.Data)
	if !ofCurves(f.Mesh) {
		return u
	}
	points, filled := f.Mesh.Points(), mat.NewDense(n, m, nil)
	for i := range n {
		switch c, row := curveOn(f.Mesh, u.RawRowView(i)), filled.RawRowView(i); {
		case len(c.Values) == 0:
			copy(row, u.RawRowView(i))
		case dim == 1:
			addLinear(row, points, c)
		default:
			takeNearest(row, points, dim, c)
		}
	}
	return filled
}

// takeNearest takes at each point the value of a curve's nearest.
func takeNearest(to, at []float64, dim int, c Curve) {
	scale := make([]float64, dim)
	for a := range dim {
		least, most := math.Inf(1), math.Inf(-1)
		for j := a; j < len(at); j += dim {
			least, most = min(least, at[j]), max(most, at[j])
		}
		if most > least {
			scale[a] = 1 / (most - least)
		}
	}
	for j := range to {
		nearest := math.Inf(1)
		for k, v := range c.Values {
			distance := 0.0
			for a := range dim {
				distance = math.Hypot(distance, scale[a]*(at[j*dim+a]-c.Points[k*dim+a]))
			}
			if distance < nearest {
				nearest, to[j] = distance, v
			}
		}
	}
}

// R2 is [stats.R2] of predictions of the outputs, with the weights of their mesh; outputs on points of
// their own are compared with the mean of all pairs there, as [Dataset.Spread] is.
func (d *Dataset) R2(pred *array.Array) (float64, error) {
	w := d.OutputMesh.Weights()
	r2, err := stats.R2(pred, d.Output, w)
	if err != nil || !ofCurves(d.OutputMesh) || d.N() == 1 {
		return r2, err
	}
	var misfit, spread float64
	mean := d.meanOfCurves()
	for i, v := range d.Output.Data {
		if k := i % len(w); !math.IsNaN(v) {
			misfit += w[k] * (v - pred.Data[i]) * (v - pred.Data[i])
			spread += w[k] * (v - mean[k]) * (v - mean[k])
		}
	}
	return 1 - misfit/spread, nil
}

// addLinear adds a curve at increasing points, linear between its own.
func addLinear(to, at []float64, c Curve) {
	k, last := 0, len(c.Points)-1
	for j, y := range at {
		for k < last && c.Points[k+1] < y {
			k++
		}
		switch {
		case y <= c.Points[0]:
			to[j] += c.Values[0]
		case y >= c.Points[last]:
			to[j] += c.Values[last]
		default:
			part := (y - c.Points[k]) / (c.Points[k+1] - c.Points[k])
			to[j] += (1-part)*c.Values[k] + part*c.Values[k+1]
		}
	}
}
