package network

import (
	"encoding/json"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Files of propagators hold their matrices as arrays, and propagator.json with everything else.
const (
	propagatorFormat  = "workbench propagator"
	propagatorVersion = 1
	propagatorHeader  = arrays.PropagatorHeader
	mostStages        = 1000
)

type propagatorFile struct {
	Format   string           `json:"format"`
	Version  int              `json:"version"`
	Space    json.RawMessage  `json:"space"`
	Time     json.RawMessage  `json:"time"`
	Channels []Channel        `json:"channels"`
	Stages   int              `json:"stages"`
	Report   PropagatorReport `json:"report"`
}

// Save writes the propagator to a .npz file. Read back it gives the same bits.
func (p *Propagator) Save(path string) error {
	if err := arrays.CheckEnding(path, "propagators", ".npz"); err != nil {
		return err
	}
	h := propagatorFile{Format: propagatorFormat, Version: propagatorVersion, Stages: len(p.stages), Report: p.Report}
	var err error
	if h.Space, err = json.Marshal(p.Space); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if h.Time, err = json.Marshal(p.Time); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	for _, c := range p.channels {
		h.Channels = append(h.Channels, c.Channel)
	}
	m := arrays.Members{Arrays: map[string]*array.Array{}, Texts: map[string]string{}}
	for k, s := range p.stages {
		name := fmt.Sprintf("stage%d.", k+1)
		m.Arrays[name+"from"], m.Arrays[name+"bias"] = array.FromMatrix(s.from), array.Vector(s.bias)
		for c, lags := range s.terms {
			for lag, g := range lags {
				m.Arrays[fmt.Sprintf("%sterm%d.lag%d", name, c+1, lag)] = array.FromMatrix(g)
			}
		}
	}
	text, err := json.MarshalIndent(h, "", " ")
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	m.Texts[propagatorHeader] = string(text)
	return arrays.SaveMembers(path, m)
}

// LoadPropagator reads a propagator that Save wrote; nil without an error where the file is
// another one.
func LoadPropagator(path string) (*Propagator, error) {
	f, err := arrays.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, ok, err := f.Text(propagatorHeader)
	if err != nil || !ok {
		return nil, err
	}
	var h propagatorFile
	if err := json.Unmarshal([]byte(text), &h); err != nil {
		return nil, fmt.Errorf("%s: %s: %w", path, propagatorHeader, err)
	}
	p, err := h.propagator()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for k := range h.Stages {
		s, err := readStage(f, fmt.Sprintf("stage%d.", k+1), k+1, len(p.channels), p.Space.Size())
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		p.stages = append(p.stages, s)
	}
	return p, nil
}

// propagator is what the header says, without stages.
func (h *propagatorFile) propagator() (*Propagator, error) {
	switch {
	case h.Format != propagatorFormat:
		return nil, fmt.Errorf("format %q: must be %q", h.Format, propagatorFormat)
	case h.Version < 1 || h.Version > propagatorVersion:
		return nil, fmt.Errorf("version %d: this workbench reads 1 to %d; a newer one may have written the file", h.Version, propagatorVersion)
	case h.Stages < 1 || h.Stages > mostStages:
		return nil, fmt.Errorf("%s: has %d stages", propagatorHeader, h.Stages)
	}
	var space, times mesh.Mesh
	if err := json.Unmarshal(h.Space, &space); err != nil {
		return nil, fmt.Errorf("%s: space: %w", propagatorHeader, err)
	}
	if err := json.Unmarshal(h.Time, &times); err != nil {
		return nil, fmt.Errorf("%s: time: %w", propagatorHeader, err)
	}
	if times.Size() < 2 || times.Dim() != 1 {
		return nil, fmt.Errorf("%s: time: has %d points", propagatorHeader, times.Size())
	}
	p, err := emptyPropagator(space, times, h.Channels...)
	if err != nil {
		return nil, err
	}
	p.Report = h.Report
	return p, nil
}

// emptyPropagator has channels and no stages.
func emptyPropagator(space, times mesh.Mesh, channels ...Channel) (*Propagator, error) {
	p := &Propagator{Space: space, Time: times}
	u := mat.NewDense(2, space.Size(), nil)
	for i := range space.Size() { // any two functions that differ
		u.Set(1, i, float64(i+1))
	}
	table, err := stateTable(space, u)
	if err != nil {
		return nil, err
	}
	return p, p.takeChannels(channels, table)
}

func readStage(f *arrays.File, prefix string, back, channels, m int) (*stage, error) {
	read := func(name string, shape ...int) ([]float64, error) {
		a, err := f.Read(prefix + name)
		if err != nil {
			return nil, err
		}
		if !slices.Equal(a.Shape, shape) {
			return nil, fmt.Errorf("%s%s: has the shape %s, must be %s", prefix, name, dense.ShapeString(a.Shape), dense.ShapeString(shape))
		}
		return a.Data, nil
	}
	s := &stage{}
	from, err := read("from", m, m)
	if err != nil {
		return nil, err
	}
	s.from = mat.NewDense(m, m, from)
	if s.bias, err = read("bias", m); err != nil {
		return nil, err
	}
	for c := range channels {
		var lags []*mat.Dense
		for lag := range back + 1 {
			g, err := read(fmt.Sprintf("term%d.lag%d", c+1, lag), m, m)
			if err != nil {
				return nil, err
			}
			lags = append(lags, mat.NewDense(m, m, g))
		}
		s.terms = append(s.terms, lags)
	}
	return s, nil
}
