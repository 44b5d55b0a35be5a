package model

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/internal/gram"
	"github.com/greenbench/workbench/numeric/kernel"
)

// Files of models hold the data as the file of a table does, the arrays weights.u and
// bias_weights.u of each output, and model.json with everything else.
const (
	formatName    = "workbench model"
	formatVersion = 1
	headerName    = "model.json"
)

type header struct {
	Format        string          `json:"format"`
	Version       int             `json:"version"`
	Terms         []string        `json:"terms"`
	Bias          json.RawMessage `json:"bias,omitempty"`
	NoBias        bool            `json:"no_bias"`
	Intercept     fit.Intercept   `json:"intercept"`
	Lambda        float64         `json:"lambda"` // as given; 0: chosen
	Rho           float64         `json:"rho"`
	Criterion     fit.Criterion   `json:"criterion"`
	Tolerance     float64         `json:"tolerance"`
	MaxIterations int             `json:"max_iterations"`
	Outputs       []savedOutput   `json:"outputs"`
}

type savedOutput struct {
	Name      string            `json:"name"`
	Kernels   []json.RawMessage `json:"kernels"` // of the terms, of amplitude one
	Factors   []float64         `json:"factors"`
	Intercept float64           `json:"intercept"`
	Report    fit.Report        `json:"report"`
}

// Save writes the model with its data to a .npz file. Read back it gives the same bits, and
// has its posterior.
func (e *Estimate) Save(path string) error {
	if !strings.EqualFold(filepath.Ext(path), ".npz") {
		return fmt.Errorf("%s: models are saved as .npz", path)
	}
	m, err := e.Data.Members()
	if err != nil {
		return err
	}
	s := e.spec
	h := header{
		Format: formatName, Version: formatVersion, Terms: s.termNames(), NoBias: s.NoBias, Intercept: s.Intercept, Lambda: s.Lambda, Rho: s.Rho,
		Criterion: s.Criterion, Tolerance: s.Tolerance, MaxIterations: s.MaxIterations,
	}
	if s.Bias != nil {
		if h.Bias, err = constraint.MarshalKernel(s.Bias); err != nil {
			return err
		}
	}
	for _, o := range e.Outputs {
		saved, err := o.saved()
		if err != nil {
			return fmt.Errorf("%s: output %s: %w", path, o.Name, err)
		}
		h.Outputs = append(h.Outputs, saved)
		m.Arrays["weights."+o.Name] = array.FromMatrix(o.fit.Weights)
		if o.fit.BiasWeights != nil {
			m.Arrays["bias_weights."+o.Name] = array.Vector(o.fit.BiasWeights)
		}
	}
	text, err := json.MarshalIndent(h, "", " ")
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	m.Texts[headerName] = string(text)
	return array.SaveMembers(path, m)
}

func (o *Output) saved() (savedOutput, error) {
	s := savedOutput{Name: o.Name, Intercept: o.fit.Intercept, Report: o.Report.Report}
	if o.known != nil {
		return s, errors.New("a model with a prior is not saved: save the prior and fit again")
	}
	for _, t := range o.Terms {
		k, err := constraint.MarshalKernel(t.term.own())
		if err != nil {
			return s, err
		}
		s.Kernels, s.Factors = append(s.Kernels, k), append(s.Factors, t.Factor)
	}
	return s, nil
}

// Load reads a model that Save wrote; nil without an error where the file is another one.
func Load(ctx context.Context, path string) (*Estimate, error) {
	f, err := array.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, ok, err := f.Text(headerName)
	if err != nil || !ok {
		return nil, err
	}
	e, err := read(ctx, f, text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return e, nil
}

func read(ctx context.Context, f *array.File, text string) (*Estimate, error) {
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
	s := Spec{
		Data: d, Terms: h.Terms, NoBias: h.NoBias, Intercept: h.Intercept, Lambda: h.Lambda, Rho: h.Rho,
		Criterion: h.Criterion, Tolerance: h.Tolerance, MaxIterations: h.MaxIterations,
	}
	if h.Bias != nil {
		if s.Bias, err = constraint.UnmarshalKernel(h.Bias); err != nil {
			return nil, err
		}
	}
	if err := s.check(); err != nil {
		return nil, err
	}
	e := &Estimate{Data: d, spec: s}
	for _, saved := range h.Outputs {
		o, err := s.restore(ctx, f, saved)
		if err != nil {
			return nil, fmt.Errorf("output %s: %w", saved.Name, err)
		}
		e.Outputs = append(e.Outputs, o)
	}
	if len(e.Outputs) != len(d.Outputs) {
		return nil, fmt.Errorf("%d outputs, the data have %d", len(e.Outputs), len(d.Outputs))
	}
	return e, nil
}

// restore is what was learned of an output.
func (s *Spec) restore(ctx context.Context, f *array.File, saved savedOutput) (*Output, error) {
	out := find(s.Data.Outputs, func(o *dataset.Field) string { return o.Name }, saved.Name)
	if out == nil {
		return nil, errors.New("is not among the data")
	}
	terms, err := s.terms(out.Mesh)
	if err != nil {
		return nil, err
	}
	if len(terms) != len(saved.Kernels) || len(terms) != len(saved.Factors) {
		return nil, fmt.Errorf("%d kernels and %d factors for %d terms", len(saved.Kernels), len(saved.Factors), len(terms))
	}
	for i, t := range terms {
		k, err := constraint.UnmarshalKernel(saved.Kernels[i])
		if err != nil {
			return nil, err
		}
		if err := t.take(k); err != nil {
			return nil, fmt.Errorf("%s: %w", t.name, err)
		}
	}
	o := &Output{Name: out.Name, Mesh: out.Mesh, Report: Report{Report: saved.Report}}
	sum := directSum(terms, saved.Factors, out.Mesh)
	d, err := data(terms, sum, out, s.Data.Missing)
	if err != nil {
		return nil, err
	}
	weights, err := readMatrix(f, "weights."+out.Name, d.InputMesh.Size(), out.Mesh.Size())
	if err != nil {
		return nil, err
	}
	var bias []float64
	if !s.NoBias {
		b, err := readMatrix(f, "bias_weights."+out.Name, 1, out.Mesh.Size())
		if err != nil {
			return nil, err
		}
		bias = b.RawRowView(0)
	}
	if o.fit, err = fit.Restored(ctx, s.specOf(d, sum, terms), weights, bias, saved.Intercept, saved.Report); err != nil {
		return nil, err
	}
	s.widen(o, out, terms, saved.Factors, d, sum)
	return o, o.setTerms(ctx, terms, sum, saved.Factors)
}

var errOtherKernel = errors.New("its kernel is not of the kind of the term")

// own is the kernel as files have it.
func (t *term) own() kernel.Kernel {
	if k, ok := t.kernel.(gram.OnOutput); ok {
		return k.Kernel
	}
	return t.kernel
}

// take sets the kernel of a term that was chosen before.
func (t *term) take(k kernel.Kernel) error {
	t.kernel, t.auto = k, nil
	return t.by.take(t, k)
}

func readMatrix(f *array.File, name string, rows, columns int) (*mat.Dense, error) {
	a, err := f.Read(name)
	if err != nil {
		return nil, err
	}
	if a.Size() != rows*columns {
		return nil, fmt.Errorf("array %q has %d numbers, must have %d", name, a.Size(), rows*columns)
	}
	return mat.NewDense(rows, columns, a.Data), nil
}
