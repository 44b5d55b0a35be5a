package model

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/internal/numeric/known"
	"github.com/greenbench/workbench/internal/numeric/written"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/model/internal/sizes"
	"github.com/greenbench/workbench/numeric/model/internal/term"
)

// Files of models hold the data as the file of a table does, the arrays weights.u and
// bias_weights.u of each output, and model.json with everything else.
const (
	formatName    = "workbench model"
	formatVersion = 5 // 1: outputs by themselves, without a prior; 2: with white noise; 3: coupled outputs in the order of the data; 4: without what was given by term
	headerName    = arrays.ModelHeader
)

type header struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
	savedSpec
	Outputs  []savedOutput   `json:"outputs"`
	Coupling *sizes.Coupling `json:"coupling,omitempty"` // nil: the outputs were learned by themselves
	Order    []int           `json:"order,omitempty"`    // of the outputs there; nil: as they are
}

type savedOutput struct {
	Name      string              `json:"name"`
	Kernels   []json.RawMessage   `json:"kernels"` // of the terms, of amplitude one
	Factors   []float64           `json:"factors"`
	Tried     [][]json.RawMessage `json:"tried,omitempty"` // kernels that the terms may have as well, by few data
	Intercept float64             `json:"intercept"`
	Noise     bool                `json:"noise,omitempty"`   // the last term is noise
	Sigma     float64             `json:"sigma"`             // of the output over that of the report; 0: by the errors
	Prior     *float64            `json:"prior,omitempty"`   // factor of what was known beforehand; nil: nothing
	Huber     bool                `json:"huber,omitempty"`   // the weights of single values are those of Huber's loss
	CutOff    []string            `json:"cut_off,omitempty"` // parts of the outputs of a fit with Huber's loss, see saveCutOff
	Report    fit.Report          `json:"report"`            // of the fit that the output is a part of
}

// Save writes the model with its data to a .npz file. Read back it gives the same bits, and
// has its posterior.
func (e *Estimate) Save(ctx context.Context, path string) error {
	if err := arrays.CheckEnding(path, "models", ".npz"); err != nil {
		return err
	}
	m, err := e.Members(ctx)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return arrays.SaveMembers(path, m)
}

// Members are what the file of a model holds, for files that hold more.
func (e *Estimate) Members(ctx context.Context) (arrays.Members, error) {
	s := e.spec
	m, err := s.Data.Members()
	if err != nil {
		return m, err
	}
	h := header{Format: formatName, Version: 1, Coupling: e.coupling, Order: s.order}
	if h.savedSpec, err = s.saved(); err != nil {
		return m, err
	}
	if e.coupling != nil || len(s.Prior) > 0 {
		h.Version = 2
	}
	for _, o := range s.Data.Outputs {
		if o.Errors != nil {
			h.Version = 3
		}
	}
	if !slices.IsSorted(s.order) {
		h.Version = 4
	}
	if h.asksMore() {
		h.Version = formatVersion
	}
	for _, o := range e.Outputs {
		saved, err := o.saved(ctx, e.Data, m)
		if err != nil {
			return m, fmt.Errorf("output %s: %w", o.Name, err)
		}
		h.Outputs = append(h.Outputs, saved)
	}
	at := 0
	for _, outs := range s.blocks() {
		own, name := e.Outputs[at].fit, weightsName(outs)
		m.Arrays[name] = array.FromMatrix(own.Weights)
		if own.BiasWeights != nil {
			m.Arrays["bias_"+name] = array.Vector(own.BiasWeights)
		}
		at += len(outs)
	}
	text, err := json.MarshalIndent(h, "", " ")
	if err != nil {
		return m, err
	}
	m.Texts[headerName] = string(text)
	return m, nil
}

// saved is what a file has of an output beside its weights; what was known of it beforehand
// goes into m.
func (o *Output) saved(ctx context.Context, d *dataset.Table, m arrays.Members) (savedOutput, error) {
	s := savedOutput{Name: o.Name, Sigma: o.noise, Huber: o.huber, Intercept: o.fit.Intercept, Report: o.fit.Report}
	s.Report.Seconds, s.Report.Reason = o.Report.Seconds, o.Report.Reason
	if o.known != nil {
		own, err := known.Members(ctx, o.known, d.Fields[0].Mesh, o.Mesh)
		if err != nil {
			return s, err
		}
		s.Prior = &o.prior
		m.Nest(priorPrefix(o.Name), own)
	}
	s.Noise, s.CutOff = len(o.predicted()) < len(o.Terms), o.saveCutOff(m)
	for _, t := range o.Terms {
		k, err := written.MarshalKernel(term.AsSaved(t.term.Kernel))
		if err != nil {
			return s, err
		}
		s.Kernels, s.Factors = append(s.Kernels, k), append(s.Factors, t.Factor)
	}
	var err error
	s.Tried, err = o.saveTried()
	return s, err
}

func priorPrefix(output string) string { return "prior." + output + "." }

// Load reads a model that Save wrote; nil without an error where the file is another one.
func Load(ctx context.Context, path string) (*Estimate, error) {
	f, err := arrays.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	e, err := Read(ctx, f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return e, nil
}

// Read reads a model from a file that has its members; nil without an error where it has none.
func Read(ctx context.Context, f arrays.Parts) (*Estimate, error) {
	text, ok, err := f.Text(headerName)
	if err != nil || !ok {
		return nil, err
	}
	return read(ctx, f, text)
}

func read(ctx context.Context, f arrays.Parts, text string) (*Estimate, error) {
	var h header
	if err := json.Unmarshal([]byte(text), &h); err != nil {
		return nil, fmt.Errorf("%s: %w", headerName, err)
	}
	switch {
	case h.Format != formatName:
		return nil, fmt.Errorf("format %q: must be %q", h.Format, formatName)
	case h.Version < 1 || h.Version > formatVersion:
		return nil, fmt.Errorf("version %d: this workbench reads 1 to %d; a newer one may have written the file", h.Version, formatVersion)
	}
	d, err := dataset.ReadTable(f)
	switch {
	case err != nil:
		return nil, err
	case d == nil:
		return nil, errors.New("its data are missing")
	}
	s, err := h.spec()
	if err != nil {
		return nil, err
	}
	s.Data, s.Coregional, s.order = d, h.Coupling != nil, h.Order
	if err := h.readPriors(ctx, f, &s); err != nil {
		return nil, err
	}
	if err := s.checkRead(); err != nil {
		return nil, err
	}
	if len(h.Outputs) != len(d.Outputs) {
		return nil, fmt.Errorf("%d outputs, the data have %d", len(h.Outputs), len(d.Outputs))
	}
	given := *d
	given.Outputs = slices.Clone(d.Outputs)
	for o := range given.Outputs {
		given.Outputs[o].Errors = nil
	}
	e := &Estimate{Data: &given, spec: s, coupling: h.Coupling}
	saved := h.Outputs
	if s.order != nil {
		saved = nil
		for _, at := range s.order {
			saved = append(saved, h.Outputs[at])
		}
	}
	for _, outs := range s.blocks() {
		at := len(e.Outputs)
		all, err := s.restore(ctx, f, &h, outs, saved[at:at+len(outs)])
		if err != nil {
			return nil, fmt.Errorf("output %s: %w", saved[at].Name, err)
		}
		e.Outputs = append(e.Outputs, all...)
	}
	e.Outputs = asNamed(s.order, e.Outputs)
	return e, nil
}

// readPriors reads what was known beforehand.
func (h *header) readPriors(ctx context.Context, f arrays.Parts, s *Spec) error {
	for _, o := range h.Outputs {
		out := s.Data.Output(o.Name)
		switch {
		case o.Prior == nil:
			continue
		case out == nil || len(s.Data.Fields) != 1:
			return fmt.Errorf("prior of %s: is not of these data", o.Name)
		case s.Prior == nil:
			s.Prior = map[string]fit.Known{}
		}
		own := arrays.Nested{File: f, Prefix: priorPrefix(o.Name)}
		var err error
		if s.Prior[o.Name], err = known.Read(own, s.Data.Fields[0].Mesh, out.Mesh, func() (known.Operator, error) { return fit.Read(ctx, own) }); err != nil {
			return err
		}
	}
	return nil
}

// restoreBlock is a block of outputs with the kernels that it was learned with.
func (s *Spec) restoreBlock(ctx context.Context, h *header, outs []*dataset.Field, saved []savedOutput) (*block, error) {
	first := saved[0]
	b, err := s.newBlock(ctx, outs)
	if err != nil {
		return nil, err
	}
	if b.coupling, b.factors = h.Coupling, first.Factors; !b.fits() || len(b.terms) != len(first.Kernels) {
		return nil, fmt.Errorf("%d kernels and %d factors for %d terms", len(first.Kernels), len(first.Factors), len(b.terms))
	}
	for o, own := range saved {
		if own.Prior != nil {
			b.prior[o] = *own.Prior
		}
	}
	for i, t := range b.terms {
		k, err := written.UnmarshalKernel(first.Kernels[i])
		if err != nil {
			return nil, err
		}
		if err := t.Take(k); err != nil {
			return nil, fmt.Errorf("%s: %w", t.Name, err)
		}
		if i < len(first.Tried) {
			if err := takeTried(t, first.Tried[i]); err != nil {
				return nil, fmt.Errorf("%s: %w", t.Name, err)
			}
		}
	}
	return b, nil
}

// restore is what was learned of a block of outputs.
func (s *Spec) restore(ctx context.Context, f arrays.Parts, h *header, outs []*dataset.Field, saved []savedOutput) ([]*Output, error) {
	for o, out := range outs {
		if saved[o].Name != out.Name {
			return nil, errors.New("is not among the data")
		}
	}
	first := saved[0]
	s = s.withNoise(nil)
	if first.Noise {
		s = s.withNoise(term.OrMatern(nil))
	}
	b, err := s.restoreBlock(ctx, h, outs, saved)
	if err != nil {
		return nil, err
	}
	if b.cutOff, err = readCutOff(f, outs[0], first.CutOff); err != nil {
		return nil, err
	}
	sum, err := b.sum()
	if err != nil {
		return nil, err
	}
	d, err := b.data(sum, s.Data.Missing)
	if err != nil {
		return nil, err
	}
	weights, err := readMatrix(f, weightsName(outs), d.InputMesh.Size(), sum.Output.Size())
	if err != nil {
		return nil, err
	}
	var bias []float64
	if !s.NoBias {
		b, err := readMatrix(f, "bias_"+weightsName(outs), 1, sum.Output.Size())
		if err != nil {
			return nil, err
		}
		bias = b.RawRowView(0)
	}
	e, err := fit.Restored(ctx, s.specOf(b, d, sum), weights, bias, first.Intercept, first.Report)
	if err != nil {
		return nil, err
	}
	all, err := s.outputs(ctx, b, e, d, sum)
	for i, o := range all {
		o.Report.Reason, o.Report.Seconds = saved[i].Report.Reason, saved[i].Report.Seconds
		o.huber = saved[i].Huber
		if saved[i].Sigma > 0 {
			o.noise = saved[i].Sigma
			o.setSigma()
		}
	}
	return all, err
}

// fits tells whether the sizes are those of so many terms and outputs.
func (b *block) fits() bool {
	c := b.coupling
	if c == nil {
		return len(b.factors) == len(b.terms)
	}
	n := len(b.outs)
	for _, own := range append(c.Terms, c.Bias) {
		if len(own) != n*n && own != nil {
			return false
		}
	}
	return len(c.Terms) == len(b.terms) && len(c.Units) == n && len(c.Centres) == n && len(c.Spreads) == n
}

// weightsName is the array of the weights of outputs.
func weightsName(outs []*dataset.Field) string {
	if len(outs) > 1 {
		return "weights"
	}
	return "weights." + outs[0].Name
}

func readMatrix(f arrays.Parts, name string, rows, columns int) (*mat.Dense, error) {
	a, err := f.Read(name)
	if err != nil {
		return nil, err
	}
	if a.Size() != rows*columns {
		return nil, fmt.Errorf("array %q has %d numbers, must have %d", name, a.Size(), rows*columns)
	}
	return mat.NewDense(rows, columns, a.Data), nil
}
