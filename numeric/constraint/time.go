package constraint

import (
	"fmt"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/internal/numeric/laws"
	"github.com/greenbench/workbench/internal/numeric/remedy"
	"github.com/greenbench/workbench/numeric/kernel"
)

// TimeInvariant makes functions of the lag t - s instead of the two times
// (paper, appendix E.4). The kernel is then on the other coordinates and the lag,
// in that order.
type TimeInvariant struct {
	Input  string `arg:"input" doc:"time of the input" default:"s"`
	Output string `arg:"output" doc:"time of the output" default:"t"`
}

func (c TimeInvariant) laws(s kernel.Space) (laws.Laws, error) {
	in, out, err := times(s, c.Input, c.Output)
	if err != nil {
		return laws.Laws{}, fmt.Errorf("%s: %w", c, err)
	}
	return laws.Laws{Reduce: &laws.Lag{Input: in, Output: out}}, nil
}

func (c TimeInvariant) String() string {
	return fmt.Sprintf("time_invariant{input=%q, output=%q}", c.Input, c.Output)
}

// Causal makes functions that vanish for t < s: no output before its input. The
// kernel is symmetrised in time first, as appendix E.3 of the paper requires.
type Causal struct {
	Input  string `arg:"input" doc:"time of the input" default:"s"`
	Output string `arg:"output" doc:"time of the output" default:"t"`
}

func (c Causal) laws(s kernel.Space) (laws.Laws, error) {
	in, out, err := times(s, c.Input, c.Output)
	if err != nil {
		return laws.Laws{}, fmt.Errorf("%s: %w", c, err)
	}
	return halfPlane(s, out, in), nil
}

func (c Causal) String() string {
	return fmt.Sprintf("causal{input=%q, output=%q}", c.Input, c.Output)
}

// Anticausal makes functions that vanish for t > s: systems with terminal
// conditions.
type Anticausal struct {
	Input  string `arg:"input" doc:"time of the input" default:"s"`
	Output string `arg:"output" doc:"time of the output" default:"t"`
}

func (c Anticausal) laws(s kernel.Space) (laws.Laws, error) {
	in, out, err := times(s, c.Input, c.Output)
	if err != nil {
		return laws.Laws{}, fmt.Errorf("%s: %w", c, err)
	}
	return halfPlane(s, in, out), nil
}

func (c Anticausal) String() string {
	return fmt.Sprintf("anticausal{input=%q, output=%q}", c.Input, c.Output)
}

// halfPlane masks where the first of two times is less than the second, after the
// kernel was symmetrised by their exchange.
func halfPlane(s kernel.Space, late, early int) laws.Laws {
	x, swapped := laws.Coordinates(s.Dim()), laws.Coordinates(s.Dim())
	swapped[late], swapped[early] = x[early], x[late]
	return laws.Laws{
		Symmetrise: []laws.Image{{Sign: 1, At: swapped}},
		Masks:      []*expr.Node{expr.GE(laws.Rounding(x[late], x[early]), expr.Sub(x[early], x[late]))},
	}
}

// times finds the time of the input and that of the output.
func times(s kernel.Space, input, output string) (in, out int, err error) {
	if in, err = index(s, input); err != nil {
		return 0, 0, remedy.NameTime.For(fmt.Errorf("input: %w", err))
	}
	if out, err = index(s, output); err != nil {
		return 0, 0, remedy.NameTime.For(fmt.Errorf("output: %w", err))
	}
	if in >= s.Inputs {
		return 0, 0, fmt.Errorf("input %q: is a coordinate of the output", input)
	}
	if out < s.Inputs {
		return 0, 0, fmt.Errorf("output %q: is a coordinate of the input", output)
	}
	return in, out, nil
}
