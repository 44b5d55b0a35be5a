package fit

import (
	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/lattice"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/kernel"
)

// evaluation is the part of a saved estimate by which other programs evaluate it: formulas
// as lists of elementary operations, see [lattice.Formulas]. The points of the weights are
// in the arrays weight_x and weight_y, one in each row; a point of the lattice is one of the
// first, then one of the second. This program does not read it.
type evaluation struct {
	Coordinates []string          `json:"coordinates"` // of a point (x, y), the input's first
	Inputs      int               `json:"inputs"`      // how many of them are the input's
	Green       *lattice.Formulas `json:"green"`
	Bias        *expr.Node        `json:"bias,omitempty"` // Q(y, y_k), the coordinates of y_k following those of y
}

// evaluation returns the formulas and adds the arrays they need; nil where a formula is too
// large to be written.
func (e *Estimate) evaluation(arrays map[string]*array.Array) (*evaluation, error) {
	green, ok := e.green.Formulas()
	if !ok {
		return nil, nil
	}
	l := e.green.Lattice()
	v := &evaluation{Coordinates: l.Full().Names, Inputs: l.Full().Inputs, Green: green}
	if e.BiasWeights != nil {
		p, q := kernels.Points(kernel.Space{Names: e.OutputMesh.Names()})
		var err error
		if v.Bias, err = kernels.Symbolic(e.BiasKernel, p, q); err != nil {
			return nil, err
		}
	}
	arrays["weight_x"] = &array.Array{Shape: []int{l.X().Size(), l.X().Dim()}, Data: l.X().Points()}
	arrays["weight_y"] = &array.Array{Shape: []int{l.Y().Size(), l.Y().Dim()}, Data: l.Y().Points()}
	return v, nil
}
