package joint

import (
	"context"
	"encoding/json"
	"fmt"
	"math"

	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Files hold those of the layers, each with a prefix, and joint.json with everything else.
const (
	formatName    = "workbench jointly trained network"
	formatVersion = 1
	headerName    = arrays.JointHeader
)

type header struct {
	Format      string       `json:"format"`
	Version     int          `json:"version"`
	Activations []Activation `json:"activations"`
	Layers      int          `json:"layers"`
	InputMesh   mesh.Mesh    `json:"input_mesh"`
	OutputMesh  mesh.Mesh    `json:"output_mesh"`
	Largest     float64      `json:"largest"`
	Report      Report       `json:"report"`
	LeftOut     *float64     `json:"left_out"` // of the report, which may have none
	Linear      *float64     `json:"linear"`
}

func layerPrefix(k int) string { return fmt.Sprintf("layer%d.", k+1) }

// Save writes the network without its data to a .npz file. Read back it gives the same bits.
func (e *Estimate) Save(ctx context.Context, path string) error { return e.save(ctx, path, false) }

// SaveWithData writes with each layer the pairs that it is fitted to in the network. Read back, the layers have their
// posteriors, too.
func (e *Estimate) SaveWithData(ctx context.Context, path string) error {
	return e.save(ctx, path, true)
}

func (e *Estimate) save(ctx context.Context, path string, withData bool) error {
	if err := arrays.CheckEnding(path, "networks", ".npz"); err != nil {
		return err
	}
	m := arrays.Members{Arrays: map[string]*array.Array{}, Texts: map[string]string{}}
	for k, layer := range e.Layers {
		own, err := layer.Members(ctx, withData)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		m.Nest(layerPrefix(k), own)
	}
	h := header{
		Format: formatName, Version: formatVersion, Activations: e.Activations, Layers: len(e.Layers),
		InputMesh: e.InputMesh, OutputMesh: e.OutputMesh, Largest: e.Largest, Report: e.Report,
	}
	if !math.IsNaN(e.Report.LeftOut) {
		h.LeftOut, h.Linear = &e.Report.LeftOut, &e.Report.Linear
	}
	h.Report.LeftOut, h.Report.Linear = 0, 0
	text, err := json.MarshalIndent(h, "", " ")
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	m.Texts[headerName] = string(text)
	return arrays.SaveMembers(path, m)
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
	e, err := read(ctx, func(prefix string) arrays.Parts { return arrays.Nested{File: f, Prefix: prefix} }, text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return e, nil
}

func read(ctx context.Context, part func(prefix string) arrays.Parts, text string) (*Estimate, error) {
	var h header
	if err := json.Unmarshal([]byte(text), &h); err != nil {
		return nil, fmt.Errorf("%s: %w", headerName, err)
	}
	switch {
	case h.Format != formatName:
		return nil, fmt.Errorf("format %q: must be %q", h.Format, formatName)
	case h.Version < 1 || h.Version > formatVersion:
		return nil, fmt.Errorf("version %d: this workbench reads 1 to %d; a newer one may have written the file", h.Version, formatVersion)
	case h.Layers < 1 || h.Layers > mostLayers || len(h.Activations) > h.Layers || len(h.Activations) < h.Layers-1 || len(h.Report.Layers) != h.Layers:
		return nil, fmt.Errorf("%s: its parts do not go together", headerName)
	}
	e := &Estimate{Activations: h.Activations, InputMesh: h.InputMesh, OutputMesh: h.OutputMesh, Largest: h.Largest, Report: h.Report}
	e.Report.LeftOut, e.Report.Linear = math.NaN(), math.NaN()
	if h.LeftOut != nil && h.Linear != nil {
		e.Report.LeftOut, e.Report.Linear = *h.LeftOut, *h.Linear
	}
	for k, a := range h.Activations {
		if a.Map == nil || len(expr.Slots(a.Map)) > 1 {
			return nil, fmt.Errorf("%s: the activation of layer %d is no formula of one variable", headerName, k+1)
		}
	}
	for k := range h.Layers {
		layer, err := fit.Read(ctx, part(layerPrefix(k)))
		if err != nil {
			return nil, fmt.Errorf("layer %d: %w", k+1, err)
		}
		in := h.OutputMesh
		if k == 0 {
			in = h.InputMesh
		}
		if !layer.InputMesh.Equal(in) || !layer.OutputMesh.Equal(h.OutputMesh) {
			return nil, fmt.Errorf("layer %d: is on other meshes than the network", k+1)
		}
		e.Layers = append(e.Layers, layer)
	}
	return e, nil
}
