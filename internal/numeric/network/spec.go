package network

import (
	"fmt"
	"slices"
	"strings"

	"github.com/greenbench/workbench/internal/numeric/outputs"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/model"
)

// Spec is everything a network depends on.
type Spec struct {
	// Model has the data, with one output, and what every layer is learned with: kernels and
	// constraints by the names of inputs and channels, λ, ρ, and so on. Terms are those beside
	// the channels; nil: every input.
	Model    model.Spec
	Channels []Channel
	// Layers is the most layers there may be; left-out pairs say how many there are. 0: the
	// network is implicit.
	Layers int
	// Choose has the channels chosen by restricted likelihood, of an implicit network with those
	// of the data, of layers by the same.
	Choose bool
}

const (
	// fewestPairs are what folds are left out of.
	fewestPairs = 6
	mostLayers  = 64
)

// check refuses what cannot be learned from, by the names of fields.
func (s *Spec) check() error {
	d := s.Model.Data
	switch {
	case d == nil:
		return fmt.Errorf("data: missing")
	case len(d.Outputs) != 1:
		return fmt.Errorf("data: has the outputs %s: a network has one", strings.Join(outputNames(d), ", "))
	case len(d.Fields) == 0:
		return fmt.Errorf("data: has no input that is a function")
	case len(d.Parameters) > 0:
		return fmt.Errorf("data: has the parameter %s: networks have no families of operators", d.Parameters[0].Name)
	case d.N() < fewestPairs:
		return fmt.Errorf("data: %d pairs: a network leaves some of them out, and needs at least %d", d.N(), fewestPairs)
	case len(s.Channels) == 0:
		return fmt.Errorf("terms: must have at least one")
	case s.Layers < 0 || s.Layers > mostLayers:
		return fmt.Errorf("layers %d: must be from 1 to %d", s.Layers, mostLayers)
	}
	if err := outputs.NeedAll(d.Outputs[0].Values, d.Outputs[0].Mesh, "what terms make of an output"); err != nil {
		return err
	}
	for i, c := range s.Channels {
		switch {
		case c.Name == "" || slices.Contains(dataset.Reserved(), c.Name):
			return fmt.Errorf("terms: %q is no name for a term: it is that of something else", c.Name)
		case slices.Contains(s.names(), c.Name) || d.Outputs[0].Name == c.Name:
			return fmt.Errorf("terms.%s: is the name of an input or of the output; want another", c.Name)
		case slices.ContainsFunc(s.Channels[:i], func(b Channel) bool { return b.Name == c.Name }):
			return fmt.Errorf("terms.%s: is there twice", c.Name)
		}
		if err := c.check(); err != nil {
			return fmt.Errorf("terms.%s: %w", c.Name, err)
		}
	}
	return nil
}

// names are those of the terms beside the channels.
func (s *Spec) names() []string {
	if s.Model.Terms != nil {
		return s.Model.Terms
	}
	d := s.Model.Data
	var all []string
	for _, f := range d.Fields {
		all = append(all, f.Name)
	}
	for _, z := range d.Scalars {
		all = append(all, z.Name)
	}
	for _, g := range d.Groups {
		all = append(all, g.Name)
	}
	return all
}

func outputNames(d *dataset.Table) (all []string) {
	for _, o := range d.Outputs {
		all = append(all, o.Name)
	}
	return all
}
