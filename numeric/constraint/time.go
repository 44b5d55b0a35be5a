package constraint

import (
	"fmt"

	"github.com/greenbench/workbench/numeric/expr"
	"github.com/greenbench/workbench/numeric/kernel"
)

// TimeInvariant makes functions of the lag t - s instead of the two times
// (paper, appendix E.4). The kernel is then on the other coordinates and the lag,
// in that order.
type TimeInvariant struct {
	Input  string `lua:"input" doc:"time of the input" default:"s"`
	Output string `lua:"output" doc:"time of the output" default:"t"`
}

// Transform implements Constraint.
func (c TimeInvariant) Transform(s kernel.Space) (Transform, error) {
	in, out, err := times(s, c.Input, c.Output)
	if err != nil {
		return Transform{}, fmt.Errorf("%s: %w", c, err)
	}
	return Transform{Reduce: &Lag{Input: in, Output: out}}, nil
}

func (c TimeInvariant) String() string {
	return fmt.Sprintf("constraint.time_invariant{input=%q, output=%q}", c.Input, c.Output)
}

// Causal makes functions that vanish for t < s: no output before its input. The
// kernel is symmetrised in time first, as appendix E.3 of the paper requires.
type Causal struct {
	Input  string `lua:"input" doc:"time of the input" default:"s"`
	Output string `lua:"output" doc:"time of the output" default:"t"`
}

// Transform implements Constraint.
func (c Causal) Transform(s kernel.Space) (Transform, error) {
	in, out, err := times(s, c.Input, c.Output)
	if err != nil {
		return Transform{}, fmt.Errorf("%s: %w", c, err)
	}
	return halfPlane(s, out, in), nil
}

func (c Causal) String() string {
	return fmt.Sprintf("constraint.causal{input=%q, output=%q}", c.Input, c.Output)
}

// Anticausal makes functions that vanish for t > s: systems with terminal
// conditions.
type Anticausal struct {
	Input  string `lua:"input" doc:"time of the input" default:"s"`
	Output string `lua:"output" doc:"time of the output" default:"t"`
}

// Transform implements Constraint.
func (c Anticausal) Transform(s kernel.Space) (Transform, error) {
	in, out, err := times(s, c.Input, c.Output)
	if err != nil {
		return Transform{}, fmt.Errorf("%s: %w", c, err)
	}
	return halfPlane(s, in, out), nil
}

func (c Anticausal) String() string {
	return fmt.Sprintf("constraint.anticausal{input=%q, output=%q}", c.Input, c.Output)
}

// halfPlane averages over the exchange of two times and masks where the first is
// less than the second.
func halfPlane(s kernel.Space, late, early int) Transform {
	swap := make([]int, s.Dim())
	same := make([]int, s.Dim())
	for i := range swap {
		swap[i], same[i] = i, i
	}
	swap[late], swap[early] = early, late
	return Transform{
		Groups: [][]Image{{
			{Sign: 1, Permutation: same, Map: func(x []*expr.Node) []*expr.Node { return x }},
			{Sign: 1, Permutation: swap, Map: func(x []*expr.Node) []*expr.Node {
				out := append([]*expr.Node(nil), x...)
				out[late], out[early] = x[early], x[late]
				return out
			}},
		}},
		Masks: []Mask{func(x []*expr.Node) *expr.Node { return expr.GE(x[late], x[early]) }},
	}
}

const timeRemedy = `a constraint on time needs a time axis on both sides, called s and t by default: name the axis, as in mesh.uniform(0, 1, 50, "t"), or give its name as input = and output =`

// times finds the time of the input and that of the output.
func times(s kernel.Space, input, output string) (in, out int, err error) {
	if in, err = index(s, input); err != nil {
		return 0, 0, fmt.Errorf("input: %w; %s", err, timeRemedy)
	}
	if out, err = index(s, output); err != nil {
		return 0, 0, fmt.Errorf("output: %w; %s", err, timeRemedy)
	}
	if in >= s.Inputs {
		return 0, 0, fmt.Errorf("input %q: is a coordinate of the output", input)
	}
	if out < s.Inputs {
		return 0, 0, fmt.Errorf("output %q: is a coordinate of the input", output)
	}
	return in, out, nil
}
