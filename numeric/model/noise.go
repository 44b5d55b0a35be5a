package model

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Noise is a random curve of each sample that no other sample has: noise that is correlated
// along the output, beside the white noise of every value. Predictions are without it.
const Noise Kind = "noise"

// noiseName is that of the term. No input may have it.
const noiseName = "noise"

type noise struct{}

func (noise) makes(s *Spec, name string, out mesh.Mesh) (*term, error) {
	if name != noiseName || s.noise() == nil {
		return nil, nil
	}
	n := s.Data.N()
	t := &term{kind: Noise, columns: mat.NewDense(n, n, nil), group: &dataset.Grouping{Name: noiseName}}
	numbers := make([]float64, n)
	for i := range n {
		t.columns.Set(i, i, 1)
		numbers[i] = float64(i)
		t.group.Labels, t.group.Of = append(t.group.Labels, strconv.Itoa(i+1)), append(t.group.Of, i)
	}
	var err error
	t.on, err = labelMesh(noiseName, numbers...)
	t.setKernel(s.noise(), func(k kernel.Kernel) kernel.Kernel {
		return kernel.Tensor{Input: kernel.White{}, Output: k}
	}, out)
	return t, err
}

// columns of other samples have none of the curves of the data.
func (noise) columns(*term, *dataset.Table) (*mat.Dense, mesh.Mesh, error) {
	return nil, mesh.Mesh{}, errors.New("noise is not predicted")
}

func (noise) take(t *term, k kernel.Kernel) error { return curves{}.take(t, k) }

// noise is the kernel of the random curves, on the output; nil: noise is white.
func (s *Spec) noise() kernel.Kernel {
	if len(s.Noise) == 1 {
		return s.Noise[0]
	}
	return nil
}

// withNoise is the spec for one of the kernels of the noise.
func (s *Spec) withNoise(k kernel.Kernel) *Spec {
	one := *s
	one.Noise = []kernel.Kernel{k}
	return &one
}

// noiseMargin is by how many nats correlated noise must be likelier than white noise to be
// taken: for its two parameters, as the likelihood-ratio test has it at 1 %.
const noiseMargin = 4.6

// fitNoise fits a block with each of the kernels of the noise, takes the one of the greatest
// restricted likelihood, and reports it.
func (s *Spec) fitNoise(ctx context.Context, outs []*dataset.Field) (b *block, all []*Output, err error) {
	if len(s.Noise) == 0 {
		return s.fitBlock(ctx, outs)
	}
	least, white := math.Inf(1), math.NaN()
	for _, k := range s.Noise {
		own, fitted, err := s.withNoise(k).fitBlock(ctx, outs)
		if err != nil {
			return nil, nil, err
		}
		value := 0.0
		switch reml := fitted[0].Report.REML; {
		case reml != nil:
			value = *reml
		case len(s.Noise) > 1:
			return nil, nil, errors.New("noise: the likelihood was not computed, of too many data or of outputs that are the same everywhere; say which noise they have")
		}
		if k == nil {
			white = value
			value -= noiseMargin
		}
		if b == nil || value < least {
			b, all, least = own, fitted, value
		}
	}
	for _, o := range all {
		o.Report.Reason = o.noiseFound(white-least) + "; " + o.Report.Reason
	}
	return b, all, nil
}

// noiseFound says what the noise is, and how much likelier than white noise.
func (o *Output) noiseFound(better float64) string {
	n := o.Term(noiseName)
	if n == nil {
		return "the noise is white"
	}
	k := n.term.kernel.(kernel.Tensor).Output
	text := fmt.Sprintf("the noise is correlated, a random curve of %s for each pair, of standard deviation %.3g beside the white noise", k, n.Deviation)
	if !math.IsNaN(better) {
		text += fmt.Sprintf(", %.0f nats likelier than white noise alone", better)
	}
	return text
}

// checkNoise refuses kernels of the noise that no data can tell from others.
func (s *Spec) checkNoise() error {
	if s.noise() == nil && len(s.Noise) < 2 {
		return nil
	}
	if s.Criterion == fit.LOO || s.Criterion == fit.CV {
		return fmt.Errorf("criterion %s: says nothing of noise that no other sample has; with correlated noise take reml or gcv", s.Criterion)
	}
	if s.Data.N() < 3 {
		return fmt.Errorf("noise: %d samples: correlated noise cannot be told from the functions themselves; want at least 3", s.Data.N())
	}
	return nil
}

// Alone is the estimate of the only field of a model with one output, with β: that of pairs
// whose noise is correlated.
func (e *Estimate) Alone() (*fit.Estimate, error) {
	if len(e.Outputs) != 1 || len(e.Outputs[0].predicted()) != 1 || e.Outputs[0].Terms[0].term.field == nil {
		return nil, errors.New("the model has several terms or outputs, and is no estimate of one operator")
	}
	g, err := e.Outputs[0].Terms[0].Green()
	if err != nil {
		return nil, err
	}
	return g.WithBias(e.Outputs[0].Report.Report).WithNoise(e.Outputs[0].newCurve), nil
}
