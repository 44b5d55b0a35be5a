package network

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
)

// splitTime is the mesh of outputs as space and uniform times.
func splitTime(d *dataset.Dataset) (space, times mesh.Mesh, err error) {
	axes := d.OutputMesh.Axes()
	if len(axes) < 2 {
		return space, times, fmt.Errorf("data: outputs are on %s: must be on space times time", d.OutputMesh)
	}
	last := axes[len(axes)-1]
	if last.Step == 0 || last.Period > 0 { // of one point and of scattered ones there is no step
		return space, times, fmt.Errorf("data: the last axis of the outputs is %s: must be uniform times", last)
	}
	if times, err = mesh.New(last); err != nil {
		return space, times, err
	}
	space = d.InputMesh
	product, err := mesh.Product(space, times)
	if err != nil || !product.Equal(d.OutputMesh) {
		return space, times, fmt.Errorf("data: outputs are on %s: must be on the mesh of the inputs, %s, times uniform times", d.OutputMesh, d.InputMesh)
	}
	return space, times, nil
}

// sameStart is how far outputs at the first time may be from the inputs, relative to the largest.
const sameStart = 1e-6

// read is u at all times.
func (p *Propagator) read(d *dataset.Dataset) (history, error) {
	n, m, steps := d.Input.Shape[0], p.Space.Size(), p.Time.Size()
	h := make(history, steps)
	for k := range h {
		h[k] = mat.NewDense(n, m, nil)
	}
	for i := range n {
		for x := range m {
			for k := range h {
				h[k].Set(i, x, d.Output.Data[(i*m+x)*steps+k])
			}
		}
	}
	size := largest(d.Input.Data)
	for i, v := range d.Input.Data {
		if math.Abs(v-h[0].RawMatrix().Data[i]) > sameStart*size {
			return nil, fmt.Errorf("data: the input of pair %d is not u at the first time: %g and %g", i/m+1, v, h[0].RawMatrix().Data[i])
		}
	}
	return h, nil
}

// stateTable is a table with u at one time, which channels are put on.
func stateTable(space mesh.Mesh, u *mat.Dense) (*dataset.Table, error) {
	v := array.FromMatrix(u)
	return dataset.NewTable(dataset.TableSpec{
		Input: map[string]*array.Array{"f": v}, Output: map[string]*array.Array{"u": v},
		InputMesh: dataset.Meshes{All: space}, OutputMesh: dataset.Meshes{All: space},
	})
}
