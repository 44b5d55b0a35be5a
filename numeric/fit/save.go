package fit

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit/internal/landmarks"
	"github.com/greenbench/workbench/numeric/internal/gram"
	"github.com/greenbench/workbench/numeric/internal/lattice"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/remedy"
)

// formatName and formatVersion mark the files of estimates.
const (
	formatName    = "workbench estimate"
	priorVersion  = 2 // has a prior; 1: it has none
	formatVersion = 3 // is on landmarks, and may have a prior
	priorPrefix   = "prior."
	errorsPrefix  = "errors."
	headerName    = "estimate.json"
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
	Fitted     *fitted          `json:"fitted,omitempty"`    // nil: the file does not hold the data
	Evaluation *evaluation      `json:"evaluation,omitempty"`
}

// fitted is what the posterior needs of a fit beside its data, which are the
// arrays input and output.
type fitted struct {
	Missing       bool           `json:"missing"` // outputs are allowed to be
	Tolerance     float64        `json:"tolerance"`
	MaxIterations int            `json:"max_iterations"`
	Structure     gram.Structure `json:"structure"`
	Intercept     Intercept      `json:"intercept"`
	Open          openness       `json:"open,omitzero"`    // what was chosen
	Rivals        *savedRivals   `json:"rivals,omitempty"` // nil: the kernel has none
	Others        []float64      `json:"others,omitempty"` // the probabilities of estimates on landmarks, which are parts of the file
	Errors        []string       `json:"errors,omitempty"` // parts of the errors of the outputs that are not white
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
	return array.SaveMembers(path, m)
}

// Members are what a file of the estimate holds, with its data or without. What it is a part
// of is not among them.
func (e *Estimate) Members(ctx context.Context, withData bool) (m array.Members, err error) {
	report, err := e.Report.Measured(ctx)
	if err != nil {
		return m, err
	}
	h := header{
		Format: formatName, Version: 1, Expression: e.Kernel.String(),
		InputMesh: e.InputMesh, OutputMesh: e.OutputMesh, Report: report, Intercept: e.Intercept,
	}
	if h.Kernel, err = constraint.MarshalKernel(e.Kernel); err != nil {
		return m, err
	}
	m.Arrays = map[string]*array.Array{"weights": array.FromMatrix(e.Weights)}
	if e.BiasWeights != nil {
		if h.Bias, err = constraint.MarshalKernel(e.BiasKernel); err != nil {
			return m, err
		}
		m.Arrays["bias_weights"] = array.Vector(e.BiasWeights)
	}
	if e.Constraint != nil {
		if h.Constraint, err = constraint.Marshal(e.Constraint); err != nil {
			return m, err
		}
	}
	if withData {
		if e.learned == nil {
			return m, fmt.Errorf("data: this estimate was read from a file that does not hold them")
		}
		s := &e.learned.spec
		h.Fitted = &fitted{Missing: s.Data.Missing, Tolerance: s.Tolerance, MaxIterations: s.MaxIterations, Structure: s.Structure, Intercept: s.Intercept, Open: e.learned.open}
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
		var known array.Members
		known, err = KnownMembers(ctx, e.prior.known, e.InputMesh, e.OutputMesh)
		m.Nest(priorPrefix, known)
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

// File is an open file of arrays and texts.
type File interface {
	Read(name string) (*array.Array, error)
	Text(name string) (text string, ok bool, err error)
}

// Load reads an estimate that Save wrote.
func Load(ctx context.Context, path string) (*Estimate, error) {
	f, err := array.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	e, err := Read(ctx, f)
	if err != nil && !strings.HasPrefix(err.Error(), path) {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return e, err
}

// readHeader is the header of a file that this program can read.
func readHeader(f File) (h header, err error) {
	text, ok, err := f.Text(headerName)
	if err != nil {
		return h, err
	}
	if ok {
		err = json.Unmarshal([]byte(text), &h)
	}
	switch {
	case !ok || err == nil && h.Format != formatName:
		return h, remedy.SaveEstimate.For(fmt.Errorf("not a saved estimate"))
	case err != nil:
		return h, fmt.Errorf("%s: %w", headerName, err)
	case h.Version > formatVersion:
		return h, fmt.Errorf("written by a newer version of the workbench (format %d, this one reads %d)", h.Version, formatVersion)
	}
	return h, nil
}

// Read makes an estimate of its Members.
func Read(ctx context.Context, f File) (*Estimate, error) {
	h, err := readHeader(f)
	if err != nil {
		return nil, err
	}
	e := &Estimate{InputMesh: h.InputMesh, OutputMesh: h.OutputMesh, Report: h.Report, Intercept: h.Intercept}
	if e.Kernel, err = constraint.UnmarshalKernel(h.Kernel); err != nil {
		return nil, err
	}
	if h.Constraint != nil {
		if e.Constraint, err = constraint.Unmarshal(h.Constraint); err != nil {
			return nil, err
		}
	}
	x, y := e.InputMesh, e.OutputMesh
	if h.Landmarks != nil {
		if e.reduction, err = h.Landmarks.Reduction(ctx, e.Kernel, e.InputMesh, e.OutputMesh); err != nil {
			return nil, err
		}
		x, y = h.Landmarks.X, h.Landmarks.Y
	}
	l, err := lattice.New(ctx, e.Constraint, x, y)
	if err != nil {
		return nil, err
	}
	w, err := readWeights(f, "weights", l.Size())
	if err != nil {
		return nil, err
	}
	e.Weights = mat.NewDense(l.X().Size(), l.Y().Size(), w)
	if e.green, err = l.Expand(e.Kernel, e.Weights); err != nil {
		return nil, err
	}
	if e.reduction != nil {
		g, err := readWeights(f, greenName, l.Size())
		if err != nil {
			return nil, err
		}
		e.reduction.Green = mat.NewDense(x.Size(), y.Size(), g)
	}
	if h.Bias != nil {
		if e.BiasKernel, err = constraint.UnmarshalKernel(h.Bias); err != nil {
			return nil, fmt.Errorf("bias: %w", err)
		}
		if e.BiasWeights, err = readWeights(f, "bias_weights", e.biasMesh().Size()); err != nil {
			return nil, err
		}
	}
	if h.Prior != nil {
		e.prior = &prior{factor: *h.Prior}
		if e.prior.known, err = ReadKnown(ctx, array.Nested{File: f, Prefix: priorPrefix}, e.InputMesh, e.OutputMesh); err != nil {
			return nil, fmt.Errorf("prior: %w", err)
		}
	}
	if h.Fitted == nil {
		return e, nil
	}
	return e, e.remember(ctx, f, *h.Fitted)
}

// remember gives an estimate the data that it was learned from.
func (e *Estimate) remember(ctx context.Context, f File, h fitted) error {
	input, err := f.Read("input")
	if err != nil {
		return err
	}
	output, err := f.Read("output")
	if err != nil {
		return err
	}
	x, y := e.InputMesh, e.OutputMesh
	if e.reduction != nil {
		x, y = e.green.Lattice().X(), e.green.Lattice().Y()
	}
	d, err := dataset.New(dataset.Spec{Input: input, Output: output, InputMesh: x, OutputMesh: y, Missing: h.Missing})
	if err != nil {
		return err
	}
	if len(h.Errors) > 0 {
		parts := map[string]*array.Array{}
		for _, name := range h.Errors {
			if parts[name], err = f.Read(errorsPrefix + name); err != nil {
				return err
			}
		}
		if d, err = d.WithErrors(dataset.ErrorsOf(parts)); err != nil {
			return err
		}
	}
	e.learned = &learned{spec: Spec{
		Data: d, Kernel: e.Kernel, Bias: e.BiasKernel, NoBias: e.BiasWeights == nil, Constraint: e.Constraint,
		Lambda: e.Report.Lambda, Rho: e.Report.Rho,
		Tolerance: h.Tolerance, MaxIterations: h.MaxIterations, Structure: h.Structure, Intercept: h.Intercept,
	}, open: h.Open}
	if e.reduction != nil {
		e.reduction.Data, e.learned.spec.onLandmarks, e.learned.spec.beyond = d, true, e.reduction.Beyond
	} else if e.prior != nil {
		e.learned.spec.Prior = e.prior.known
	}
	return e.rememberOthers(ctx, f, h)
}

func otherPrefix(k int) string { return fmt.Sprintf("other.%d.", k) }

// saveOthers puts into a file what is needed to know the other kernels that an estimate may have: their fits are made anew, from the
// data in the file. Of an estimate on landmarks they are of data that the file does not have, so they are in it themselves.
func (e *Estimate) saveOthers(ctx context.Context, h *fitted, m array.Members) (err error) {
	if e.reduction == nil {
		if r := e.learned.rivals; r != nil {
			h.Rivals, err = r.saved()
		}
		return err
	}
	others, err := e.learned.otherOnes(ctx)
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

// rememberOthers lets the bands of an estimate know what else it may be.
func (e *Estimate) rememberOthers(ctx context.Context, f File, h fitted) (err error) {
	for k, share := range h.Others {
		other, err := Read(ctx, array.Nested{File: f, Prefix: otherPrefix(k)})
		if err != nil {
			return fmt.Errorf("another kernel: %w", err)
		}
		e.learned.known = append(e.learned.known, another{share, other})
	}
	if h.Rivals != nil {
		e.learned.rivals, err = h.Rivals.rivals(e.learned.spec)
	}
	e.uncertain()
	return err
}

// Restored is the estimate of a fit that was made before: Fit(s) gave these weights, with
// the bias nil where there is none, the intercept and the report. Data, Kernel and Bias of
// s are required; the estimate has its posterior.
func Restored(ctx context.Context, s Spec, weights *mat.Dense, bias []float64, intercept float64, r Report) (*Estimate, error) {
	x, y := s.Data.InputMesh, s.Data.OutputMesh
	if m, k := weights.Dims(); m != x.Size() || k != y.Size() || bias != nil && len(bias) != k {
		return nil, fmt.Errorf("%d × %d weights and %d of the bias: the data need %d × %d", m, k, len(bias), x.Size(), y.Size())
	}
	e := &Estimate{Kernel: s.Kernel, Constraint: s.Constraint, InputMesh: x, OutputMesh: y, Weights: weights, Intercept: intercept, Report: r}
	l, err := lattice.New(ctx, e.Constraint, x, y)
	if err != nil {
		return nil, err
	}
	if e.green, err = l.Expand(e.Kernel, e.Weights); err != nil {
		return nil, err
	}
	if bias != nil {
		e.BiasKernel, e.BiasWeights = s.Bias, bias
	}
	s.Intercept = s.decidedIntercept()
	s.NoBias, s.Lambda, s.Rho = bias == nil, r.Lambda, r.Rho
	e.learned = &learned{spec: s}
	return e, nil
}

func readWeights(f File, name string, size int) ([]float64, error) {
	a, err := f.Read(name)
	if err != nil {
		return nil, err
	}
	if a.Size() != size {
		return nil, fmt.Errorf("array %q has %d numbers, the meshes in the file need %d", name, a.Size(), size)
	}
	return a.Data, nil
}

// KnownMembers are what a file holds of something known: an estimate, or of anything else its
// values on the meshes of the data.
func KnownMembers(ctx context.Context, k Known, x, y mesh.Mesh) (array.Members, error) {
	if e, ok := k.(*Estimate); ok {
		return e.Members(ctx, false)
	}
	g, err := k.Green(ctx, x, y)
	if err != nil {
		return array.Members{}, fmt.Errorf("prior: %w", err)
	}
	b, err := k.Bias(ctx, y)
	return array.Members{Arrays: map[string]*array.Array{"green": array.FromMatrix(g), "bias": array.Vector(b)}}, err
}

// ReadKnown reads what KnownMembers gave, for data on these meshes.
func ReadKnown(ctx context.Context, f File, x, y mesh.Mesh) (Known, error) {
	if _, ok, err := f.Text(headerName); ok || err != nil {
		return Read(ctx, f)
	}
	g, err := readWeights(f, "green", x.Size()*y.Size())
	if err != nil {
		return nil, err
	}
	b, err := readWeights(f, "bias", y.Size())
	return Values{X: x, Y: y, G: mat.NewDense(x.Size(), y.Size(), g), Curve: b}, err
}
