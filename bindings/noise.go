package bindings

import (
	"errors"
	"fmt"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/noise"
)

// noiseArguments are what is known of the errors of the outputs, or to be found.
type noiseArguments struct {
	Noise   *noiseChoice `arg:"noise" doc:"errors of the outputs. white: independent, of one standard deviation; diagonal: standard deviations that vary along the output and from pair to pair are found; a kernel on the output: beside white noise each pair has a random curve of it, of a lengthscale (if that is auto) and a size that are found; auto takes one of these, or both, where it is likelier by far, by restricted likelihood; an array: standard deviations at the output points, or the covariance matrix between them, up to a common factor. Predictions are without noise; for a frame white, auto or a kernel" default:"white"`
	Weights *array.Array `arg:"weights" doc:"of the pairs, or of the values, pairs × output points: the squares of the misfit are multiplied by them, so a pair of weight 4 has half the standard deviation of one of weight 1; for a frame leave them out" default:"nil"`
	Loss    string       `arg:"loss" doc:"squares, or huber: beyond 1.345 standard deviations of the noise the misfit counts by its size, not by its square, so that values that are far off do little harm; for pairs" default:"squares" allow:"squares|huber"`
}

// noiseChoice is what argument noise may be.
type noiseChoice struct {
	kind   noise.Kind
	kernel kernel.Kernel
	given  *array.Array
}

// DecodeLua implements bind.Decoder.
func (n *noiseChoice) DecodeLua(c *bind.Call, value lua.LValue) (err error) {
	if word, ok := value.(lua.LString); ok {
		switch n.kind = noise.Kind(word); n.kind {
		case noise.White, noise.Diagonal, noise.Auto:
			return nil
		}
		return bind.ErrKind
	}
	if n.kernel, err = bind.Decode[kernel.Kernel](c, value); err == nil {
		n.kind = noise.Curves
		return nil
	}
	if n.given, err = bind.Decode[*array.Array](c, value); err != nil {
		return bind.ErrKind
	}
	return nil
}

// LuaKind implements bind.Decoder.
func (n *noiseChoice) LuaKind() string { return `"white"|"auto"|"diagonal"|kernel|array` }

// candidates are the kernels that the terms of a frame are tried with; none stands for white
// noise.
func (n *noiseChoice) candidates() []kernel.Kernel {
	switch {
	case n == nil:
		return nil
	case n.kind == noise.Auto:
		return []kernel.Kernel{nil, kernel.Exponential{Lengthscale: kernel.Auto}, kernel.Matern{Nu: 1.5, Lengthscale: kernel.Auto}}
	case n.kernel != nil:
		return []kernel.Kernel{n.kernel}
	}
	return nil
}

// ofTerms refuses what models of several terms have not.
func (p noiseArguments) ofTerms() error {
	switch {
	case p.Weights != nil:
		return errors.New("weights: go with pairs, data.new{input = F, output = U, …}")
	case p.Loss == "huber":
		return errors.New("loss \"huber\": goes with pairs, data.new{input = F, output = U, …}")
	case p.Noise != nil && (p.Noise.kind == noise.Diagonal || p.Noise.given != nil):
		return errors.New("noise: for named inputs want \"white\", \"auto\" or a kernel; standard deviations go with pairs, data.new{input = F, output = U, …}")
	}
	return nil
}

// ofPairs is the noise that is to be found, and the data with the errors that are given.
func (p noiseArguments) ofPairs(c *bind.Call, d *dataset.Dataset) (*dataset.Dataset, noise.Choice, error) {
	choice := noise.Choice{Huber: p.Loss == "huber"}
	e := &dataset.Errors{}
	if p.Noise != nil {
		choice.Kind, choice.Kernel = p.Noise.kind, p.Noise.kernel
		if p.Noise.given != nil {
			var err error
			if e, err = given(c, d, p.Noise.given); err != nil {
				return nil, choice, fmt.Errorf("noise: %w", err)
			}
		}
	}
	if w := p.Weights; w != nil {
		n, my := d.N(), d.OutputMesh.Size()
		switch {
		case w.Size() == n && w.Shape[0] == n:
			e.Pairs = w.Data
		case w.Size() == n*my && w.Shape[0] == n:
			e.Values = &array.Array{Shape: []int{n, my}, Data: w.Data}
		default:
			return nil, choice, fmt.Errorf("weights: have the shape %s, want one for each of the %d pairs, or %d × %d, one for each value of the output", array.ShapeString(w.Shape), n, n, my)
		}
	}
	if e.Pairs == nil && e.Points == nil && e.Values == nil && e.Covariance == nil {
		return d, choice, nil
	}
	d, err := d.WithErrors(e)
	if err != nil {
		return nil, choice, fmt.Errorf("weights: of the %w", err)
	}
	return d, choice, nil
}

// given are errors of standard deviations at the output points, or of a covariance.
func given(c *bind.Call, d *dataset.Dataset, a *array.Array) (*dataset.Errors, error) {
	my := d.OutputMesh.Size()
	switch {
	case a.Size() == my:
		return d.OfDeviations(a.Data)
	case a.Rank() == 2 && a.Size() == my*my:
		return d.OfCovariance(c, a)
	}
	return nil, fmt.Errorf("an array of shape %s, want %d standard deviations, one for each point of the output, or a covariance matrix of %d × %d", array.ShapeString(a.Shape), my, my, my)
}

// fitPairs is the estimate of one operator with its noise.
func (p noiseArguments) fitPairs(c *bind.Call, s fit.Spec) (*fit.Estimate, error) {
	d, choice, err := p.ofPairs(c, s.Data)
	if err != nil {
		return nil, err
	}
	s.Data = d
	e, err := noise.Fit(c, s, choice)
	if err != nil {
		return nil, err
	}
	switch {
	case e.Report.Call == "":
	case e.Errors() != d.Errors: // no call writes what was found
		e.Report.Call = ""
	default:
		e.Report.Call = p.call(e.Report.Call)
	}
	return e, nil
}

// call is a call of green.fit with what is given of these arguments.
func (p noiseArguments) call(text string) string {
	text = strings.TrimSuffix(text, "}")
	if p.Noise != nil && p.Noise.given != nil {
		text += ", noise = noise"
	}
	if p.Weights != nil {
		text += ", weights = weights"
	}
	return text + "}"
}

// white reports whether there is nothing but squares of errors that are alike.
func (p noiseArguments) white() bool {
	return (p.Noise == nil || p.Noise.kind == noise.White) && p.Weights == nil && p.Loss != "huber"
}

// found are the errors that a fit of all pairs finds, for fits of some of them.
func (p noiseArguments) found(c *bind.Call, s fit.Spec) (*dataset.Errors, error) {
	e, err := p.fitPairs(c, s)
	if err != nil {
		return nil, err
	}
	return e.Errors(), nil
}
