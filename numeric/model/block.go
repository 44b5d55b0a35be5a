package model

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/internal/linop"
	"github.com/greenbench/workbench/numeric/internal/outputs"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/model/internal/term"
)

// block is what is fitted at once: one output, or all of them where they are coupled.
type block struct {
	outs     []*dataset.Field // without what was known of them beforehand
	cutOff   *dataset.Field   // the one output with residuals as large as Huber's loss counts them; nil: as it is
	prior    []float64        // what that is multiplied by
	terms    []*term.Term
	factors  []float64 // of the kernels of one output
	coupling *coupling // of several; nil: there is one

	deviations []float64 // of the terms, where they are known; nil: they are computed
}

// blocks are the outputs that are fitted together.
func (s *Spec) blocks() [][]*dataset.Field {
	all := make([][]*dataset.Field, 0, len(s.Data.Outputs))
	for i := range s.Data.Outputs {
		o := &s.Data.Outputs[i]
		if s.Coregional && i > 0 {
			all[0] = append(all[0], o)
			continue
		}
		all = append(all, []*dataset.Field{o})
	}
	return all
}

// newBlock has terms whose kernels and sizes are open.
func (s *Spec) newBlock(ctx context.Context, outs []*dataset.Field) (*block, error) {
	b := &block{}
	for _, out := range outs {
		rest, factor, err := s.withoutPrior(ctx, out)
		if err != nil {
			return nil, err
		}
		b.outs, b.prior = append(b.outs, rest), append(b.prior, factor)
	}
	var err error
	b.terms, err = s.given().Terms(ctx, b.mesh())
	for _, t := range b.terms {
		t.AsLoud(b.outs)
	}
	return b, err
}

// withoutPrior takes off an output what was known of it, times a factor.
func (s *Spec) withoutPrior(ctx context.Context, out *dataset.Field) (*dataset.Field, float64, error) {
	known := s.Prior[out.Name]
	if known == nil {
		return out, 0, nil
	}
	f := s.Data.Fields[0]
	d, err := dataset.New(dataset.Spec{Input: f.Values, Output: out.Values, InputMesh: f.Mesh, OutputMesh: out.Mesh, Missing: s.Data.Missing})
	if err != nil {
		return nil, 0, err
	}
	d, factor, err := fit.WithoutPrior(ctx, d, known)
	if err != nil {
		return nil, 0, err
	}
	return &dataset.Field{Name: out.Name, Values: d.Output, Mesh: out.Mesh, Errors: out.Errors}, factor, nil
}

// mesh is that of each output.
func (b *block) mesh() mesh.Mesh { return b.outs[0].Mesh }

// sum is the kernel of all terms.
func (b *block) sum() (kernel.DirectSum, error) {
	if b.coupling == nil {
		return term.Sum(b.terms, b.factors, b.mesh()), nil
	}
	return b.coupling.sum(b.terms, b.mesh())
}

// data are the columns of all terms as one input, and all outputs as one.
func (b *block) data(sum kernel.DirectSum, missing bool) (*dataset.Dataset, error) {
	union, err := sum.Mesh()
	if err != nil {
		return nil, err
	}
	n, _ := b.terms[0].Columns.Dims()
	all := mat.NewDense(n, union.Size(), nil)
	at := 0
	for _, t := range b.terms {
		_, m := t.Columns.Dims()
		all.Slice(0, n, at, at+m).(*mat.Dense).Copy(t.Columns)
		at += m
	}
	values := b.outs[0].Values
	if b.coupling != nil {
		values = b.coupling.values(b.outs, n)
	}
	d, err := dataset.New(dataset.Spec{Input: array.FromMatrix(all), Output: values, InputMesh: union, OutputMesh: sum.Output, Missing: missing})
	if err != nil {
		return nil, err
	}
	d.Errors, err = outputs.Stacked(b.outs)
	return d, err
}

// coupling is how outputs depend on each other. They are taken in units of their noise.
type coupling struct {
	Terms   [][]float64 `json:"terms"`          // covariance between the outputs for each term, row-major
	Bias    []float64   `json:"bias,omitempty"` // the same for β
	Units   []float64   `json:"units"`          // of the outputs
	Centres []float64   `json:"centres"`        // what is taken off them first
	Spreads []float64   `json:"spreads"`        // of them then, in their units; 0 where β has no constant
}

// axis tells the given outputs apart.
func outputAxis(numbers ...float64) (mesh.Axis, error) {
	return mesh.Scattered(numbers, 1, linop.Ones(len(numbers)), kernel.OutputName)
}

// sum is the kernel of terms on outputs of the same mesh.
func (c *coupling) sum(terms []*term.Term, each mesh.Mesh) (kernel.DirectSum, error) {
	numbers := make([]float64, len(c.Units))
	for o := range numbers {
		numbers[o] = float64(o)
	}
	axis, err := outputAxis(numbers...)
	if err != nil {
		return kernel.DirectSum{}, err
	}
	all, err := mesh.New(append([]mesh.Axis{axis}, each.Axes()...)...)
	if err != nil {
		return kernel.DirectSum{}, err
	}
	k := kernel.DirectSum{Output: all}
	for i, t := range terms {
		k.Parts = append(k.Parts, kernel.Summand{Kernel: kernel.Coregional{Kernel: t.Kernel, Covariance: c.Terms[i]}, On: t.On})
	}
	return k, nil
}

// values are all outputs in their units, n × (outputs × points).
func (c *coupling) values(outs []*dataset.Field, n int) *array.Array {
	each := outs[0].Mesh.Size()
	all := array.New(n, len(outs)*each)
	for o, out := range outs {
		for i := range n {
			for k := range each {
				all.Data[(i*len(outs)+o)*each+k] = (out.Values.Data[i*each+k] - c.Centres[o]) / c.Units[o]
			}
		}
	}
	return all
}

// ofOutput are the weights of output o, in its unit, of those of all outputs.
func (c *coupling) ofOutput(t, o int, w *mat.Dense) *mat.Dense {
	count := len(c.Units)
	rows, columns := w.Dims()
	each := columns / count
	own := mat.NewDense(rows, each, nil)
	for x := range rows {
		for other := range count {
			floats.AddScaled(own.RawRowView(x), c.Units[o]*c.Terms[t][o*count+other], w.RawRowView(x)[other*each:(other+1)*each])
		}
	}
	return own
}

// logUnits is what the units add to minus the logarithm of the likelihood of the outputs.
func (c *coupling) logUnits(outs []*dataset.Field) float64 {
	sum := 0.0
	for o, out := range outs {
		for _, v := range out.Values.Data {
			if !math.IsNaN(v) {
				sum += math.Log(c.Units[o])
			}
		}
	}
	return sum
}

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
			if size := math.Sqrt(b[i*n+i] * b[j*n+j]); size > 0 {
				r.SetSym(i, j, b[i*n+j]/size)
			}
		}
	}
	return r
}

// checkCoregional refuses outputs that cannot be coupled.
func (s *Spec) checkCoregional() error {
	if !s.Coregional {
		return nil
	}
	outs := s.Data.Outputs
	if len(outs) < 2 {
		return fmt.Errorf("outputs: coupling needs at least two outputs; there is %s", outs[0].Name)
	}
	for _, o := range outs[1:] {
		if !o.Mesh.Equal(outs[0].Mesh) {
			return fmt.Errorf("outputs: those that are coupled must have one mesh; %s and %s have different ones", outs[0].Name, o.Name)
		}
	}
	if len(s.Amplitudes) > 0 {
		return fmt.Errorf("amplitude: the covariances of coupled outputs are chosen; leave it out")
	}
	return nil
}
