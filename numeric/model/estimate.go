package model

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/model/internal/sizes"
	"github.com/greenbench/workbench/numeric/model/internal/term"
)

// Estimate is a learned model: one Output for each output of the data.
type Estimate struct {
	Data    *dataset.Table
	Outputs []*Output

	spec     Spec
	coupling *sizes.Coupling // nil: the outputs were learned by themselves
}

// Output is what was learned of one output. It is immutable and safe for concurrent use.
type Output struct {
	Name   string
	Mesh   mesh.Mesh // of the output
	Terms  []*Term
	Report Report

	fit   *fit.Estimate // of all terms, on the union of their inputs
	known fit.Known     // beforehand; nil: nothing
	prior float64       // what that is multiplied by

	coupling     *sizes.Coupling // with others, in fit; nil: fit is of this output alone
	number       int             // among them
	unit, centre float64         // the output is unit times that of fit, plus centre

	errors *dataset.Errors // of the data, as given or found; nil: white
	huber  bool            // their weights of single values may be those of Huber's loss
	noise  float64         // sigma over that of fit
	spec   *Spec           // whose noise is decided

	cutOff *dataset.Field   // see saveCutOff; nil: the loss is that of squares
	outs   []*dataset.Field // what fit is of, without what was known beforehand, with their errors
}

// Report is that of the fit, and what the terms contribute.
type Report struct{ fit.Report }

// Term is what was learned of one term.
type Term struct {
	Name      string
	Kind      string // in words
	Form      Form
	Kernel    kernel.Kernel // with its factor
	Factor    float64       // of the kernel
	Deviation float64       // standard deviation of the term over samples and points of the data, in the unit of the output

	term    *term.Term
	number  int        // of the part of the direct sum
	weights *mat.Dense // points of the term × points of the output, in its unit
	out     *Output
}

// Output returns the output of a name; nil where there is none.
func (e *Estimate) Output(name string) *Output {
	for _, o := range e.Outputs {
		if o.Name == name {
			return o
		}
	}
	return nil
}

// Term returns the term of a name; nil where there is none.
func (o *Output) Term(name string) *Term {
	for _, t := range o.Terms {
		if t.Name == name {
			return t
		}
	}
	return nil
}

// Labels are those of the groups of a term with a curve for each, or the numbers of the samples of noise.
func (t *Term) Labels() []string { return t.term.Group.Labels }

// Coupling are the correlations of a term between the outputs, in their order; nil where
// outputs are learned by themselves.
func (e *Estimate) Coupling(term int) *mat.SymDense {
	if e.coupling == nil {
		return nil
	}
	n, b := len(e.Outputs), e.coupling.Terms[term]
	r := mat.NewSymDense(n, nil)
	for i := range n {
		r.SetSym(i, i, 1)
		for j := range i {
			p, q := e.Outputs[i].number, e.Outputs[j].number
			if size := math.Sqrt(b[p*n+p] * b[q*n+q]); size > 0 {
				r.SetSym(i, j, b[p*n+q]/size)
			}
		}
	}
	return r
}

// setSigma takes the deviation of the noise from that of the fit.
func (o *Output) setSigma() { o.Report.Sigma = o.noise * o.fit.Report.Sigma }

// predicted are the terms that outputs are predicted with: all but noise.
func (o *Output) predicted() []*Term {
	if last := len(o.Terms) - 1; o.Terms[last].Kind == Noise {
		return o.Terms[:last]
	}
	return o.Terms
}
