package model

import (
	"encoding/json"
	"slices"

	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/internal/gram"
	"github.com/greenbench/workbench/numeric/kernel"
)

// own is the kernel as files have it.
func (t *term) own() kernel.Kernel { return ownKernel(t.kernel) }

func ownKernel(k kernel.Kernel) kernel.Kernel {
	if k, ok := k.(gram.OnOutput); ok {
		return k.Kernel
	}
	return k
}

// saveTried are the kernels that terms may have as well; none where data are many, or all kernels given.
func (o *Output) saveTried() (all [][]json.RawMessage, err error) {
	if !slices.ContainsFunc(o.Terms, func(t *Term) bool { return t.term.tried != nil }) {
		return nil, nil
	}
	all = make([][]json.RawMessage, len(o.Terms))
	for i, t := range o.Terms {
		for _, k := range t.term.tried {
			text, err := constraint.MarshalKernel(ownKernel(k))
			if err != nil {
				return nil, err
			}
			all[i] = append(all[i], text)
		}
	}
	return all, nil
}

// takeTried is what saveTried saved of a term.
func (t *term) takeTried(all []json.RawMessage) error {
	for _, text := range all {
		other := *t
		k, err := constraint.UnmarshalKernel(text)
		if err == nil {
			err = other.take(k)
		}
		if err != nil {
			return err
		}
		t.tried = append(t.tried, other.kernel)
	}
	return nil
}
