package network

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/model"
)

// Files of networks hold those of their layers, each with a prefix, the coefficients as arrays,
// and network.json with everything else.
const (
	formatName    = "workbench network"
	formatVersion = 2 // 1: without layers that are steps of Newton's method
	headerName    = arrays.NetworkHeader
)

type header struct {
	Format       string       `json:"format"`
	Version      int          `json:"version"`
	Channels     []Channel    `json:"channels"`
	Layers       [][]string   `json:"layers"` // names of the channels of each
	Coefficients []string     `json:"coefficients"`
	Report       reportOfFile `json:"report"`
}

// reportOfFile is a report with NaN as null.
type reportOfFile struct {
	Report
	Coefficients []*float64 `json:"coefficients"` // and bands, by term
}

func layerPrefix(k int) string { return fmt.Sprintf("layer%d.", k+1) }

// Save writes the network with its data to a .npz file. Read back it gives the same bits.
func (e *Estimate) Save(ctx context.Context, path string) error {
	if err := arrays.CheckEnding(path, "networks", ".npz"); err != nil {
		return err
	}
	m := arrays.Members{Arrays: map[string]*array.Array{}, Texts: map[string]string{}}
	h := header{Format: formatName, Version: 1, Layers: e.names, Report: reportOfFile{Report: e.Report}}
	for k, layer := range e.Layers {
		own, err := layer.Members(ctx)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		m.Nest(layerPrefix(k), own)
	}
	if slices.ContainsFunc(e.Report.Layers, func(l LayerReport) bool { return l.Newton }) {
		h.Version = formatVersion
	}
	for _, c := range e.channels {
		h.Channels = append(h.Channels, c.Channel)
		if k := e.curves[c.Name]; k != nil {
			h.Coefficients = append(h.Coefficients, c.Name)
			m.Arrays["coefficient."+c.Name] = array.Vector(slices.Concat([]float64{k.Mean, k.MeanBand}, k.Value, k.Band))
		}
	}
	h.Report.Terms = slices.Clone(e.Report.Terms)
	for i := range h.Report.Terms {
		t := &h.Report.Terms[i]
		h.Report.Coefficients = append(h.Report.Coefficients, number(t.Coefficient), number(t.Band))
		t.Coefficient, t.Band = 0, 0
	}
	text, err := json.MarshalIndent(h, "", " ")
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	m.Texts[headerName] = string(text)
	return arrays.SaveMembers(path, m)
}

// number is nil for what JSON has no number for.
func number(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

// Load reads a network that Save wrote; nil without an error where the file is another one.
func Load(ctx context.Context, path string) (*Estimate, error) {
	f, err := arrays.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, ok, err := f.Text(headerName)
	if err != nil || !ok {
		return nil, err
	}
	e, err := read(ctx, f, text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return e, nil
}

func read(ctx context.Context, f arrays.Parts, text string) (*Estimate, error) {
	var h header
	if err := json.Unmarshal([]byte(text), &h); err != nil {
		return nil, fmt.Errorf("%s: %w", headerName, err)
	}
	switch {
	case h.Format != formatName:
		return nil, fmt.Errorf("format %q: must be %q", h.Format, formatName)
	case h.Version < 1 || h.Version > formatVersion:
		return nil, fmt.Errorf("version %d: this workbench reads 1 to %d; a newer one may have written the file", h.Version, formatVersion)
	case len(h.Layers) == 0 || len(h.Layers) > mostLayers || len(h.Report.Layers) != len(h.Layers) || len(h.Report.Terms) != len(h.Channels) || len(h.Report.Coefficients) != 2*len(h.Channels):
		return nil, fmt.Errorf("%s: its parts do not go together", headerName)
	}
	e := &Estimate{Report: h.Report.Report, names: h.Layers, curves: map[string]*Coefficient{}}
	for k := range h.Layers {
		layer, err := model.Read(ctx, arrays.Nested{File: f, Prefix: layerPrefix(k)})
		if err != nil {
			return nil, fmt.Errorf("layer %d: %w", k+1, err)
		}
		if layer == nil {
			return nil, fmt.Errorf("layer %d: missing", k+1)
		}
		e.Layers = append(e.Layers, layer)
	}
	for i := range e.Report.Terms {
		t := &e.Report.Terms[i]
		t.Coefficient, t.Band = orNaN(h.Report.Coefficients[2*i]), orNaN(h.Report.Coefficients[2*i+1])
	}
	return e, e.restore(f, &h)
}

func orNaN(v *float64) float64 {
	if v == nil {
		return math.NaN()
	}
	return *v
}

// restore makes the data of those of the first layer, and the channels.
func (e *Estimate) restore(f arrays.Parts, h *header) error {
	d := *e.Layers[0].Data
	d.Fields = slices.DeleteFunc(slices.Clone(d.Fields), func(f dataset.Field) bool {
		return slices.ContainsFunc(h.Channels, func(c Channel) bool { return c.Name == f.Name })
	})
	e.Data = &d
	s := Spec{Model: model.Spec{Data: &d}, Channels: h.Channels}
	if err := s.check(); err != nil {
		return err
	}
	for k, names := range h.Layers {
		for _, name := range names {
			if t := e.Layers[k].Outputs[0].Term(name); t == nil || !slices.ContainsFunc(h.Channels, func(c Channel) bool { return c.Name == name }) {
				return fmt.Errorf("layer %d: has no term %s", k+1, name)
			}
		}
	}
	for _, own := range h.Channels {
		if err := own.check(); err != nil {
			return fmt.Errorf("term %s: %w", own.Name, err)
		}
		c, err := newChannel(own, &d)
		if err != nil {
			return fmt.Errorf("term %s: %w", own.Name, err)
		}
		e.channels = append(e.channels, c)
		if !slices.Contains(h.Coefficients, own.Name) {
			continue
		}
		if e.curves[own.Name], err = readCoefficient(f, c.on, own.Name); err != nil {
			return err
		}
	}
	return nil
}

func readCoefficient(f arrays.Parts, on mesh.Mesh, name string) (*Coefficient, error) {
	a, err := f.Read("coefficient." + name)
	if err != nil {
		return nil, err
	}
	m := on.Size()
	if a.Size() != 2+2*m {
		return nil, fmt.Errorf("the coefficient of %s has %d numbers, must have %d", name, a.Size(), 2+2*m)
	}
	return &Coefficient{Mesh: on, Mean: a.Data[0], MeanBand: a.Data[1], Value: a.Data[2 : 2+m], Band: a.Data[2+m:]}, nil
}
