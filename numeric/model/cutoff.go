package model

import (
	"fmt"
	"maps"
	"slices"

	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
)

// Huber's loss is that of squares of outputs whose residuals are cut off where the loss changes, at its
// minimum. From these, not from the outputs as they are, it is told what else the sizes of terms may be:
// the likelihood of squares lets one value that is far off decide. Files have them as arrays
// cut_off.u.output and, of errors that are not white, cut_off.u.pairs, ….

func cutOffName(output, part string) string { return "cut_off." + output + "." + part }

// saveCutOff puts the outputs into m and returns the names of their parts.
func (o *Output) saveCutOff(m arrays.Members) []string {
	if o.cutOff == nil {
		return nil
	}
	parts := o.cutOff.Errors.Arrays()
	parts["output"] = o.cutOff.Values
	for part, a := range parts {
		m.Arrays[cutOffName(o.Name, part)] = a
	}
	return slices.Sorted(maps.Keys(parts))
}

// readCutOff are the outputs that saveCutOff wrote for one that is known otherwise; nil: there are none.
func readCutOff(f arrays.Parts, out *dataset.Field, parts []string) (*dataset.Field, error) {
	if len(parts) == 0 {
		return nil, nil
	}
	all := map[string]*array.Array{}
	for _, part := range parts {
		a, err := f.Read(cutOffName(out.Name, part))
		if err != nil {
			return nil, err
		}
		all[part] = a
	}
	one := *out
	if one.Values = all["output"]; one.Values == nil || !slices.Equal(one.Values.Shape, out.Values.Shape) {
		return nil, fmt.Errorf("array %q: must have the shape of the output", cutOffName(out.Name, "output"))
	}
	delete(all, "output")
	if one.Errors = nil; len(all) > 0 {
		one.Errors = dataset.ErrorsOf(all)
	}
	return &one, nil
}
