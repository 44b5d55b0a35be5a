package model

import (
	"encoding/json"
	"slices"

	"github.com/greenbench/workbench/internal/numeric/written"
	"github.com/greenbench/workbench/numeric/model/internal/term"
)

// saveTried are the kernels that terms may have as well; none where data are many, or all kernels given.
func (o *Output) saveTried() (all [][]json.RawMessage, err error) {
	if !slices.ContainsFunc(o.Terms, func(t *Term) bool { return t.term.Tried != nil }) {
		return nil, nil
	}
	all = make([][]json.RawMessage, len(o.Terms))
	for i, t := range o.Terms {
		for _, k := range t.term.Tried {
			text, err := written.MarshalKernel(term.AsSaved(k))
			if err != nil {
				return nil, err
			}
			all[i] = append(all[i], text)
		}
	}
	return all, nil
}

// takeTried gives a term what saveTried saved of it.
func takeTried(t *term.Term, all []json.RawMessage) error {
	for _, text := range all {
		k, err := written.UnmarshalKernel(text)
		if err == nil {
			err = t.TakeTried(k)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
