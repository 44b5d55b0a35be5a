package fit

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/internal/numeric/known"
	"github.com/greenbench/workbench/internal/numeric/lattice"
	"github.com/greenbench/workbench/internal/numeric/remedy"
	"github.com/greenbench/workbench/internal/numeric/written"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
)

// Load reads an estimate that Save wrote.
func Load(ctx context.Context, path string) (*Estimate, error) {
	f, err := arrays.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if err := otherKind(path, f); err != nil {
		return nil, err
	}
	e, err := Read(ctx, f)
	if err != nil && !strings.HasPrefix(err.Error(), path) {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return e, err
}

// otherKind refuses files of other things that are saved, and says what reads them.
func otherKind(path string, f arrays.Parts) error {
	what, err := arrays.Saved(f)
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", path, err)
	case what == "" || what == arrays.SavedEstimate:
		return nil
	}
	err = fmt.Errorf("%s: %s, not an estimate", path, what)
	if what == arrays.SavedPairs {
		return remedy.LoadPairs.For(err, path)
	}
	return remedy.LoadSaved.For(err, path)
}

// readHeader is the header of a file that this program can read.
func readHeader(f arrays.Parts) (h header, err error) {
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
func Read(ctx context.Context, f arrays.Parts) (*Estimate, error) {
	h, err := readHeader(f)
	if err != nil {
		return nil, err
	}
	e := &Estimate{InputMesh: h.InputMesh, OutputMesh: h.OutputMesh, Report: h.Report, Intercept: h.Intercept}
	if e.Kernel, err = written.UnmarshalKernel(h.Kernel); err != nil {
		return nil, err
	}
	if h.Constraint != nil {
		if e.Constraint, err = written.Unmarshal(h.Constraint); err != nil {
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
	w, err := arrays.Numbers(f, "weights", l.Size())
	if err != nil {
		return nil, err
	}
	e.Weights = mat.NewDense(l.X().Size(), l.Y().Size(), w)
	if e.green, err = l.Expand(e.Kernel, e.Weights); err != nil {
		return nil, err
	}
	if e.reduction != nil {
		g, err := arrays.Numbers(f, greenName, l.Size())
		if err != nil {
			return nil, err
		}
		e.reduction.Green = mat.NewDense(x.Size(), y.Size(), g)
	}
	if h.Bias != nil {
		if e.BiasKernel, err = written.UnmarshalKernel(h.Bias); err != nil {
			return nil, fmt.Errorf("bias: %w", err)
		}
		if e.BiasWeights, err = arrays.Numbers(f, "bias_weights", e.biasMesh().Size()); err != nil {
			return nil, err
		}
	}
	if h.Prior != nil {
		e.prior = &prior{factor: *h.Prior}
		own := arrays.Nested{File: f, Prefix: priorPrefix}
		if e.prior.known, err = known.Read(own, e.InputMesh, e.OutputMesh, func() (known.Operator, error) { return Read(ctx, own) }); err != nil {
			return nil, fmt.Errorf("prior: %w", err)
		}
	}
	if h.Fitted == nil {
		return e, nil
	}
	return e, e.remember(ctx, f, *h.Fitted)
}

// remember gives an estimate the data that it was learned from.
func (e *Estimate) remember(ctx context.Context, f arrays.Parts, h savedFit) error {
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
		Tolerance: h.Tolerance, MaxIterations: h.MaxIterations, Structure: h.Structure, Intercept: h.Intercept, reweighted: h.Huber,
	}, open: h.Open}
	if e.reduction != nil {
		e.reduction.Data, e.learned.spec.onLandmarks, e.learned.spec.beyond = d, true, e.reduction.Beyond
	} else if e.prior != nil {
		e.learned.spec.Prior = e.prior.known
	}
	return e.rememberOthers(ctx, f, h)
}

// rememberOthers lets the bands of an estimate know what else it may be.
func (e *Estimate) rememberOthers(ctx context.Context, f arrays.Parts, h savedFit) (err error) {
	for k, share := range h.Others {
		other, err := Read(ctx, arrays.Nested{File: f, Prefix: otherPrefix(k)})
		if err != nil {
			return fmt.Errorf("another kernel: %w", err)
		}
		e.learned.others.value = append(e.learned.others.value, otherOne{share, other})
	}
	if h.Rivals != nil {
		e.learned.rivals, err = h.Rivals.rivals(e.learned.spec)
	}
	e.uncertain()
	e.leaveFactorOpen()
	e.leaveWeightsOpen()
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
	e.leaveWeightsOpen()
	return e, nil
}
