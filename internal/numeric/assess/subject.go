package assess

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/model"
)

// Subject is what is assessed: an estimate of one operator (*fit.Estimate), or an output of a model
// of several terms (*model.Output).
type Subject interface {
	Residuals(ctx context.Context) (*fit.Residuals, error)
}

// parts are what of a subject is looked at beside its residuals.
type parts interface {
	// inputs are what residuals may depend on, of the pairs of these.
	inputs(r *fit.Residuals) []input
	// report is what the fit says, with all its notes.
	report() fit.Report
	// rivals are said with their kernels written by write.
	rivals(write func(kernel.Kernel) string) rivals
	// summary has what the report says, and terms what is known of each.
	summary(ctx context.Context) (*Summary, fitted, error)
	terms(ctx context.Context, s *Summary, f fitted, seed uint64) ([]Term, error)
}

// input is a function of each pair, or a number.
type input struct {
	name    string
	rows    *mat.Dense // pairs × points
	weights []float64  // of the points
}

type (
	pairs  struct{ *fit.Estimate }
	output struct{ *model.Output }
)

func partsFor(of Subject) parts {
	if o, ok := of.(*model.Output); ok {
		return output{o}
	}
	return pairs{of.(*fit.Estimate)}
}

func (p pairs) report() fit.Report { return p.Notes() }

func (o output) report() fit.Report { return o.Report.Report }

// inputs of an estimate are the first columns of its data, beside those of noise.
func (p pairs) inputs(r *fit.Residuals) []input {
	f, _ := r.Data.Matrices()
	x := p.InputMesh
	if on := r.Data.InputMesh; on.Size() < x.Size() { // landmarks
		x = on
	}
	return []input{{"the input", mat.DenseCopyOf(f.Slice(0, r.Data.N(), 0, x.Size())), x.Weights()}}
}

// inputs of an output are functions and covariates that are terms by themselves.
func (o output) inputs(r *fit.Residuals) (all []input) {
	d := o.Samples()
	for _, t := range o.Terms {
		if f := d.Field(t.Name); f != nil {
			m := f.Mesh.Size()
			all = append(all, input{t.Name, pick(mat.NewDense(d.N(), m, f.Values.Data), r.Pairs), f.Mesh.Weights()})
		}
		if d.Scalar(t.Name) != nil {
			z, _ := t.Columns() // less its mean
			all = append(all, input{t.Name, pick(z, r.Pairs), []float64{1}})
		}
	}
	return all
}

// pick are some of the rows; nil: all.
func pick(m *mat.Dense, rows []int) *mat.Dense {
	if rows == nil {
		return m
	}
	_, columns := m.Dims()
	some := mat.NewDense(len(rows), columns, nil)
	for i, from := range rows {
		some.SetRow(i, m.RawRowView(from))
	}
	return some
}
