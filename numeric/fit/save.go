package fit

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/known"
	"github.com/greenbench/workbench/internal/numeric/written"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/fit/internal/landmarks"
	"github.com/greenbench/workbench/numeric/mesh"
)

// formatName and formatVersion mark the files of estimates.
const (
	formatName    = "workbench estimate"
	priorVersion  = 2 // has a prior; 1: it has none
	formatVersion = 3 // is on landmarks, and may have a prior
	priorPrefix   = "prior."
	errorsPrefix  = "errors."
	headerName    = arrays.EstimateHeader
	greenName     = "landmark_green" // values of G there
)

// header is the part of a saved estimate that is not arrays.
type header struct {
	Format     string           `json:"format"`
	Version    int              `json:"version"`
	Expression string           `json:"expression"` // the kernel, to be read by people
	Kernel     json.RawMessage  `json:"kernel"`
	Bias       json.RawMessage  `json:"bias,omitempty"`
	Intercept  float64          `json:"intercept,omitempty"`
	Constraint json.RawMessage  `json:"constraint,omitempty"`
	InputMesh  mesh.Mesh        `json:"input_mesh"`
	OutputMesh mesh.Mesh        `json:"output_mesh"`
	Report     Report           `json:"report"`
	Prior      *float64         `json:"prior,omitempty"`     // factor of what was known beforehand; nil: nothing
	Landmarks  *landmarks.Saved `json:"landmarks,omitempty"` // of the weights; nil: they belong to the meshes
	Fitted     *savedFit        `json:"fitted,omitempty"`    // nil: the file does not hold the data
	Evaluation *evaluation      `json:"evaluation,omitempty"`
}

// savedFit is what the posterior needs of a fit beside its data, which are the
// arrays input and output.
type savedFit struct {
	Missing       bool           `json:"missing"` // outputs are allowed to be
	Tolerance     float64        `json:"tolerance"`
	MaxIterations int            `json:"max_iterations"`
	Structure     gram.Structure `json:"structure"`
	Intercept     Intercept      `json:"intercept"`
	Open          openness       `json:"open,omitzero"`    // what was chosen
	Rivals        *savedRivals   `json:"rivals,omitempty"` // nil: the kernel has none
	Others        []float64      `json:"others,omitempty"` // the probabilities of estimates on landmarks, which are parts of the file
	Errors        []string       `json:"errors,omitempty"` // parts of the errors of the outputs that are not white
	Huber         bool           `json:"huber,omitempty"`  // the values of these are weights of Huber's loss
}

// Save writes the estimate to a .npz file: the arrays weights and bias_weights,
// which NumPy reads, and estimate.json with everything else, formulas among it by which
// programs that know no kernels evaluate it. An estimate read
// back gives the same bits.
func (e *Estimate) Save(ctx context.Context, path string) error { return e.save(ctx, path, false) }

// SaveWithData writes the estimate and its data, as the arrays input and output. Read back,
// the estimate has its posterior, too: standard deviations, calibration, span.
func (e *Estimate) SaveWithData(ctx context.Context, path string) error {
	return e.save(ctx, path, true)
}

func (e *Estimate) save(ctx context.Context, path string, withData bool) error {
	if err := arrays.CheckEnding(path, "estimates", ".npz"); err != nil {
		return err
	}
	switch {
	case e.within == nil, e.within.bias && !withData:
	case e.within.bias:
		return fmt.Errorf("%s: an estimate beside correlated noise is saved without its data", path)
	default:
		return fmt.Errorf("%s: a part of a model is not saved by itself: save the model", path)
	}
	m, err := e.Members(ctx, withData)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return arrays.SaveMembers(path, m)
}

// Members are what a file of the estimate holds, with its data or without. What it is a part
// of is not among them.
func (e *Estimate) Members(ctx context.Context, withData bool) (m arrays.Members, err error) {
	report, err := e.Report.Measured(ctx)
	if err != nil {
		return m, err
	}
	h := header{
		Format: formatName, Version: 1, Expression: e.Kernel.String(),
		InputMesh: e.InputMesh, OutputMesh: e.OutputMesh, Report: report, Intercept: e.Intercept,
	}
	if h.Kernel, err = written.MarshalKernel(e.Kernel); err != nil {
		return m, err
	}
	m.Arrays = map[string]*array.Array{"weights": array.FromMatrix(e.Weights)}
	if e.BiasWeights != nil {
		if h.Bias, err = written.MarshalKernel(e.BiasKernel); err != nil {
			return m, err
		}
		m.Arrays["bias_weights"] = array.Vector(e.BiasWeights)
	}
	if e.Constraint != nil {
		if h.Constraint, err = written.Marshal(e.Constraint); err != nil {
			return m, err
		}
	}
	if withData {
		if e.learned == nil {
			return m, fmt.Errorf("data: this estimate was read from a file that does not hold them")
		}
		s := &e.learned.spec
		if err := s.intact(); err != nil {
			return m, err
		}
		h.Fitted = &savedFit{Missing: s.Data.Missing, Tolerance: s.Tolerance, MaxIterations: s.MaxIterations, Structure: s.Structure, Intercept: s.Intercept, Open: e.learned.open, Huber: s.reweighted}
		m.Arrays["input"], m.Arrays["output"] = s.Data.Input, s.Data.Output
		for name, a := range s.Data.Errors.Arrays() {
			m.Arrays[errorsPrefix+name] = a
			h.Fitted.Errors = append(h.Fitted.Errors, name)
		}
		slices.Sort(h.Fitted.Errors)
	}
	m.Texts = map[string]string{}
	if withData {
		if err = e.saveOthers(ctx, h.Fitted, m); err != nil {
			return m, err
		}
	}
	if e.prior == nil {
		h.Evaluation, err = e.evaluation(m.Arrays)
	} else { // which the formulas would be without
		h.Prior, h.Version = &e.prior.factor, priorVersion
		var own arrays.Members
		own, err = known.Members(ctx, e.prior.known, e.InputMesh, e.OutputMesh)
		m.Nest(priorPrefix, own)
	}
	if err != nil {
		return m, err
	}
	if e.reduction != nil {
		h.Landmarks, h.Version = e.reduction.Saved(e.green.Lattice().X(), e.green.Lattice().Y()), formatVersion
		m.Arrays[greenName] = array.FromMatrix(e.reduction.Green)
	}
	text, err := json.MarshalIndent(h, "", " ")
	m.Texts[headerName] = string(text)
	return m, err
}

func otherPrefix(k int) string { return fmt.Sprintf("other.%d.", k) }

// saveOthers puts into a file what is needed to know the other kernels that an estimate may have: their fits are made anew, from the
// data in the file. Of an estimate on landmarks they are of data that the file does not have, so they are in it themselves.
func (e *Estimate) saveOthers(ctx context.Context, h *savedFit, m arrays.Members) (err error) {
	if e.reduction == nil {
		if r := e.learned.rivals; r != nil {
			h.Rivals, err = r.saved()
		}
		return err
	}
	others, err := e.learned.others.get(ctx)
	for k, o := range others {
		own, err := o.estimate.Members(ctx, true)
		if err != nil {
			return err
		}
		m.Nest(otherPrefix(k), own)
		h.Others = append(h.Others, o.share)
	}
	return err
}
