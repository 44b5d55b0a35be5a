package fit

import (
	"github.com/greenbench/workbench/internal/numeric/outputs"
	"github.com/greenbench/workbench/numeric/dataset"
)

// Errors are those of the data that the estimate was learned from; nil for white noise, or where
// they are not known.
func (e *Estimate) Errors() *dataset.Errors {
	if e.learned == nil {
		return nil
	}
	if e.reduction != nil {
		return e.reduction.Errors
	}
	return e.learned.spec.Data.Errors
}

// noise is that of the estimate. One that was read from a file without its data knows of
// white noise alone.
func (e *Estimate) noise() outputs.Noise {
	o := outputs.Noise{Mesh: e.OutputMesh, Errors: e.Errors(), Sigma: e.Report.Sigma}
	if e.learned != nil {
		if o.Huber = e.learned.spec.reweighted; e.reduction == nil {
			o.Output = e.learned.spec.Data.Output
		}
	}
	return o
}
