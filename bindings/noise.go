package bindings

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/noise"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
)

// noiseArguments are what is known of the errors of the outputs, or to be found.
type noiseArguments struct {
	Noise   *noiseChoice `arg:"noise" doc:"errors of the outputs. white: independent, of one variance for each length of the output: values count by the quadrature weights of the output mesh, so a value that stands for the interval dy has the variance σ²/dy, up to a common factor; array.ones(m) for the m output points gives every value the same variance instead (on a uniform mesh the two differ at the ends only); diagonal: standard deviations that vary along the output and from pair to pair are found; a kernel on the output: beside white noise each pair has a random curve of it, of a lengthscale (if that is auto) and a size that are found; auto takes one of these, or both, where it is likelier by far, by restricted likelihood, and for white noise that of the two variances which is likelier; an array: standard deviations at the output points, or the covariance matrix between them, up to a common factor. Predictions are without noise. Of a frame each output has noise of its own; arrays for several outputs are a table by name, {u = …}" default:"white"`
	Weights *weights     `arg:"weights" doc:"of the pairs, or of the values, pairs × output points: the squares of the misfit are multiplied by them, so a pair of weight 4 has half the standard deviation of one of weight 1; only the ratios of those of observed values matter (they are divided by their geometric mean, which is what a given lambda refers to), and report.sigma is the root of the mean variance over the output, by the weights of its mesh; of a frame those of samples are for all outputs, and a table {u = …} has them by output" default:"nil"`
	Loss    string       `arg:"loss" doc:"squares, or huber, for data of which some values are wrong: with Huber's loss, where beyond 1.345 standard deviations of the noise the misfit counts by its size and not by its square, it is found how many these are, and then each value has the probability that it is right as its weight. What is far off has none, and where nothing is, the loss is that of squares; the report says how many values have no weight. Values beyond a billion standard deviations are refused" default:"squares" allow:"squares|huber"`
}

// weights are those of one output, or by output.
type weights = bind.Either[*array.Array, map[string]*array.Array]

// noiseChoice is what argument noise may be.
type noiseChoice struct {
	kind   noise.Kind
	kernel kernel.Kernel
	given  *array.Array
	by     map[string]*array.Array // given, by output
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
	if n.given, err = bind.Decode[*array.Array](c, value); err == nil {
		return nil
	}
	if n.by, err = bind.Decode[map[string]*array.Array](c, value); err != nil {
		return bind.ErrKind
	}
	return nil
}

// LuaKind implements bind.Decoder.
func (n *noiseChoice) LuaKind() string {
	return `"white"|"auto"|"diagonal"|kernel|array|table<string, array>`
}

// choice is what is to be found.
func (p noiseArguments) choice() noise.Choice {
	c := noise.Choice{Huber: p.Loss == "huber"}
	if p.Noise != nil {
		c.Kind, c.Kernel = p.Noise.kind, p.Noise.kernel
	}
	return c
}

// ofPairs is the noise that is to be found, and the data with the errors that are given.
func (p noiseArguments) ofPairs(c *bind.Call, d *dataset.Dataset) (*dataset.Dataset, noise.Choice, error) {
	switch {
	case p.Noise != nil && p.Noise.by != nil:
		return nil, noise.Choice{}, errors.New("noise: want one array, since the data have one output; arrays by name go with named outputs")
	case p.Weights != nil && p.Weights.IsB:
		return nil, noise.Choice{}, errors.New("weights: want one array, since the data have one output; weights by name go with named outputs")
	}
	d, err := p.withErrors(c, d, "")
	return d, p.choice(), err
}

// ofFrame are samples whose outputs have the errors that are given.
func (p noiseArguments) ofFrame(c *bind.Call, f frame) (frame, error) {
	outputs := names(f.Outputs)
	if p.Noise != nil && p.Noise.given != nil && len(outputs) > 1 {
		return nil, fmt.Errorf("noise: want a table by output, such as {%s = …}; there are %s", outputs[0], list(outputs))
	}
	for _, by := range []struct {
		argument string
		names    []string
	}{{"noise", p.Noise.names()}, {"weights", p.weightNames()}} {
		for _, name := range by.names {
			if err := nameIn("output", name, outputs); err != nil {
				return nil, fmt.Errorf("%s: %w", by.argument, err)
			}
		}
	}
	out := *f
	out.Outputs = slices.Clone(f.Outputs)
	for k, u := range f.Outputs {
		d := &dataset.Dataset{Input: u.Values, Output: u.Values, InputMesh: u.Mesh, OutputMesh: u.Mesh}
		d, err := p.withErrors(c, d, u.Name)
		if err != nil {
			return nil, err
		}
		out.Outputs[k].Errors = d.Errors
	}
	return &out, nil
}

// names are those of outputs that noise is given for.
func (n *noiseChoice) names() []string {
	if n == nil {
		return nil
	}
	return slices.Sorted(maps.Keys(n.by))
}

func (p noiseArguments) weightNames() []string {
	if p.Weights == nil {
		return nil
	}
	return slices.Sorted(maps.Keys(p.Weights.B))
}

// withErrors are the data with the errors that are given, of an output of a frame by its name.
func (p noiseArguments) withErrors(c *bind.Call, d *dataset.Dataset, output string) (*dataset.Dataset, error) {
	e := &dataset.Errors{}
	if p.Noise != nil {
		a, name := p.Noise.given, "noise"
		if own := p.Noise.by[output]; own != nil {
			a, name = own, "noise."+output
		}
		if a != nil {
			var err error
			if e, err = given(c, d, a); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	name := "weights"
	if p.Weights != nil {
		w := p.Weights.A
		if p.Weights.IsB {
			w, name = p.Weights.B[output], "weights."+output
		}
		if err := weigh(e, w, d); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	if e.Pairs == nil && e.Points == nil && e.Values == nil && e.Covariance == nil {
		return d, nil
	}
	d, err := d.WithErrors(e)
	if err != nil {
		return nil, fmt.Errorf("%s: of the %w", name, err)
	}
	return d, nil
}

// ratios are weights over the geometric mean of those of what was observed, so that their unit makes no difference, nor what they
// are where there is nothing to weigh; those that are wrong are left for what says so.
func ratios(w []float64, observed func(i int) bool) []float64 {
	sum, count := 0.0, 0.0
	for i, v := range w {
		if !(v > 0) || math.IsInf(v, 0) {
			return w
		}
		if observed(i) {
			sum, count = sum+math.Log(v), count+1
		}
	}
	out := make([]float64, len(w))
	for i, v := range w {
		if out[i] = 1; observed(i) {
			out[i] = math.Exp(math.Log(v) - sum/count)
		}
	}
	return out
}

// weigh gives errors weights of pairs or of values; none where there are none.
func weigh(e *dataset.Errors, w *array.Array, d *dataset.Dataset) error {
	n, my := d.N(), d.OutputMesh.Size()
	value := func(i int) bool { return !math.IsNaN(d.Output.Data[i]) }
	pair := func(i int) bool {
		return slices.ContainsFunc(d.Output.Data[i*my:(i+1)*my], func(v float64) bool { return !math.IsNaN(v) })
	}
	switch {
	case w == nil:
	case w.Size() == n && w.Shape[0] == n:
		e.Pairs = ratios(w.Data, pair)
	case w.Size() == n*my && w.Shape[0] == n:
		e.Values = &array.Array{Shape: []int{n, my}, Data: ratios(w.Data, value)}
	default:
		return fmt.Errorf("have the shape %s, want one for each of the %d pairs, or %d × %d, one for each value of the output", dense.ShapeString(w.Shape), n, n, my)
	}
	return nil
}

// given are errors of standard deviations at the output points, or of a covariance.
func given(c *bind.Call, d *dataset.Dataset, a *array.Array) (*dataset.Errors, error) {
	my := d.OutputMesh.Size()
	switch {
	case a.Size() == my:
		return d.OfDeviations(a.Data)
	case a.Rank() == 2 && a.Size() == my*my:
		return d.OfCovariance(c, a)
	case a.Size() == 1:
		return nil, fmt.Errorf("one number, want %d standard deviations, one for each point of the output; where all are the same, give array.ones(%d): only their ratios count, and how large they are is found", my, my)
	}
	return nil, fmt.Errorf("an array of shape %s, want %d standard deviations, one for each point of the output, or a covariance matrix of %d × %d", dense.ShapeString(a.Shape), my, my, my)
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
	case e.Errors() == d.Errors:
		e.Report.Call = p.call(e.Report.Call)
	case oneVariance(d, e.Errors()):
		e.Report.Call = fmt.Sprintf("%s, noise = array.ones(%d)}", strings.TrimSuffix(p.call(e.Report.Call), "}"), d.OutputMesh.Size())
	default: // no call writes what was found
		e.Report.Call = ""
	}
	return e, nil
}

// oneVariance reports whether errors that were found are of the same variance for all values, but for the weights that are given.
func oneVariance(d *dataset.Dataset, e *dataset.Errors) bool {
	even, err := d.OfDeviations(slices.Repeat([]float64{1}, d.OutputMesh.Size()))
	if d.Errors != nil && err == nil {
		even.Pairs, even.Values = d.Errors.Pairs, d.Errors.Values
	}
	return err == nil && e.Covariance == nil && slices.Equal(e.Points, even.Points) && slices.Equal(e.Pairs, even.Pairs) && e.Values == even.Values
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
