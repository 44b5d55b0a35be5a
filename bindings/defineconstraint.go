package bindings

import (
	"errors"
	"fmt"
	"strings"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/bindings/trace"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/written"
	"github.com/greenbench/workbench/numeric/constraint"
)

// defineConstraints declares constraint.define and constraint.mask.
func defineConstraints() []bind.Func {
	return []bind.Func{
		bind.Fn("mask", "G vanishes where a given function of the coordinates is 0. The function takes a point with input and output coordinates and returns 1 or 0.",
			func(c *bind.Call, p *struct {
				F bind.Function `arg:"f" pos:"1" doc:"1 where G may differ from zero, 0 elsewhere: ge(p.t, p.s)"`
			},
			) (constraint.Constraint, error) {
				fn := p.F
				mask, text, err := maskFrom(c, &fn)
				if err != nil {
					return nil, err
				}
				return written.Defined{Mask: mask, Text: "constraint.mask(" + text + ")"}, nil
			}, bind.Returns("a constraint"), bind.See("constraint.define", "constraint.causal", "where"),
			bind.Example("c = constraint.mask(function(p) return ge(p.y, p.x) end)\nk = c:apply(kernel.se{lengthscale = 1})\nprint(k({0, 1}, {0, 1}), k({1, 0}, {0, 1}))  --> 1\t0")),
		bind.Fn("define", "A constraint given by maps of the coordinates, applied in the order reduce, average, mask.\n\n"+
			"A map takes a point of input and output coordinates and returns its image: a table of the coordinates that change, {x = p.y, y = p.x}, or a list of all. "+
			"G(image) = sign * G(p) for each map in average and for all their compositions. So G is zero wherever the mask or an image of the point under the maps is masked. Only a map that moves all of the mask off itself, such as exchanging two times under t >= s, says nothing about G, of which it would leave nothing: it symmetrises the kernel, before the mask is applied.",
			func(c *bind.Call, p *struct {
				Reduce  bind.Function `arg:"reduce" doc:"replaces two times by their lag: function(p) return {x = p.x, y = p.y, lag = p.t - p.s} end" default:"nil"`
				Average []signedMap   `arg:"average" doc:"maps under which G keeps its value or changes sign, {{sign = -1, map = function(p) return {x = p.y, y = p.x} end}}" default:"nil"`
				Mask    bind.Function `arg:"mask" doc:"1 where G may differ from zero, 0 elsewhere" default:"nil"`
			},
			) (constraint.Constraint, error) {
				return defineConstraint(c, p.Reduce, p.Average, p.Mask)
			}, bind.Returns("a constraint"), bind.Errors("the maps do not generate a finite group of at most 4096 elements", "the mask gives anything but 1 or 0"),
			bind.Example("c = constraint.define{average = {{sign = -1, map = function(p) return {x = p.y, y = p.x} end}}}\nk = c:apply(kernel.se{lengthscale = 1})\nprint(k({0, 0}, {0, 1}))  --> 0"),
			bind.See("constraint.mask", "constraint.symmetric", "constraint.flip")),
	}
}

// signedMap is one entry of average.
type signedMap struct {
	Sign float64       `arg:"sign" doc:"1: G keeps its value, -1: it changes sign" default:"1"`
	Map  bind.Function `arg:"map" doc:"image of a point"`
}

func defineConstraint(c *bind.Call, reduce bind.Function, average []signedMap, mask bind.Function) (constraint.Constraint, error) {
	var out written.Defined
	var parts []string
	if !reduce.IsNil() {
		m, text, err := mapFrom(c, &reduce, true)
		if err != nil {
			return nil, inArgument("reduce", err)
		}
		out.Reduce, parts = m, append(parts, "reduce = "+text)
	}
	var maps []string
	for i, g := range average {
		at := fmt.Sprintf("average[%d]", i+1)
		if g.Sign != 1 && g.Sign != -1 {
			return nil, fmt.Errorf("%s: sign %g: must be 1 or -1", at, g.Sign)
		}
		m, text, err := mapFrom(c, &g.Map, false)
		if err != nil {
			return nil, inArgument(at+": map", err)
		}
		out.Average = append(out.Average, written.Signed{Sign: g.Sign, Map: *m})
		maps = append(maps, fmt.Sprintf("{sign = %v, map = %s}", g.Sign, text))
	}
	if maps != nil {
		parts = append(parts, "average = {"+strings.Join(maps, ", ")+"}")
	}
	if !mask.IsNil() {
		m, text, err := maskFrom(c, &mask)
		if err != nil {
			return nil, inArgument("mask", err)
		}
		out.Mask, parts = m, append(parts, "mask = "+text)
	}
	if parts == nil {
		return nil, errors.New("constrains nothing: give reduce, average or mask")
	}
	out.Text = "constraint.define{" + strings.Join(parts, ", ") + "}"
	return out, out.Check()
}

// inArgument names the argument whose function failed; an error of the script
// itself has its own position.
func inArgument(name string, err error) error {
	var script *bind.ScriptError
	if errors.As(err, &script) {
		return err
	}
	return fmt.Errorf("%s: %w", name, err)
}

func maskFrom(c *bind.Call, f *bind.Function) (*kernels.Formula, string, error) {
	t, err := trace.Points(c, f, trace.Options{Points: 1, Accept: func(v float64) error {
		if v != 0 && v != 1 {
			return errors.New("must be 1 or 0")
		}
		return nil
	}})
	if err != nil {
		return nil, "", err
	}
	return &t.Formula, trace.Write(c, f, t), nil
}

func mapFrom(c *bind.Call, f *bind.Function, reduce bool) (*written.Map, string, error) {
	t, err := trace.Points(c, f, trace.Options{Points: 1, Image: true, Reduce: reduce})
	if err != nil {
		return nil, "", err
	}
	return &written.Map{Formula: t.Formula, Image: t.Image}, trace.Write(c, f, t), nil
}
