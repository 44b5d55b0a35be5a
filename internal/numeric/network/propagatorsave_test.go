package network

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/internal/testmain"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Propagators are saved and read bit for bit; what a file says of one has to be that.
func TestPropagatorsAreSavedBitForBit(t *testing.T) {
	d := burgers(t, 12, 16, 9, 0.4, 0.05, 3)
	p, err := LearnPropagator(t.Context(), PropagatorSpec{Data: d, Channels: []Channel{power(2), slope()}, Memory: 2})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "p.npz")
	if err := p.Save(path); err != nil {
		t.Fatal(err)
	}
	q, err := LoadPropagator(path)
	if err != nil || q == nil {
		t.Fatal(q, err)
	}
	start := mat.NewDense(1, 16, slices.Clone(d.Input.Data[:16]))
	a, _, err := p.Run(t.Context(), start, 20)
	if err != nil {
		t.Fatal(err)
	}
	b, _, err := q.Run(t.Context(), start, 20)
	if err != nil || !mat.Equal(a, b) || p.String() != q.String() {
		t.Errorf("what was read differs (%v)", err)
	}
	line := mesh.Must(mesh.Uniform(0, 1, 2, "x"))
	plane := testmain.Must(mesh.Product(line, mesh.Must(mesh.Uniform(0, 1, 3, "y"))))(t)
	written := func(m mesh.Mesh) json.RawMessage { return testmain.Must(json.Marshal(m))(t) }
	for want, damage := range map[string]func(h *propagatorFile){
		`format "p"`:      func(h *propagatorFile) { h.Format = "p" },
		"version 0: this": func(h *propagatorFile) { h.Version = 0 },
		"version 2: this": func(h *propagatorFile) { h.Version = 2 },
		"has 0 stages":    func(h *propagatorFile) { h.Stages = 0 },
		"has 1001 stages": func(h *propagatorFile) { h.Stages = 1001 },
		"space: ":         func(h *propagatorFile) { h.Space = []byte("1") },
		"time: ":          func(h *propagatorFile) { h.Time = []byte("1") },
		"has 1 points":    func(h *propagatorFile) { h.Time = written(mesh.Must(mesh.Scattered([]float64{0}, 1, nil, "t"))) },
		"has 6 points":    func(h *propagatorFile) { h.Time = written(plane) },
	} {
		h := propagatorFile{Format: propagatorFormat, Version: propagatorVersion, Stages: 1000, Space: written(line), Time: written(line)}
		if _, err := h.propagator(); err != nil {
			t.Error(err)
		}
		damage(&h)
		if _, err := h.propagator(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	if q, err := Load(t.Context(), savedEstimate(t)); q != nil || err != nil {
		t.Errorf("a file of no network: %v, %v", q, err)
	}
	if q, err := LoadPropagator(savedEstimate(t)); q != nil || err != nil {
		t.Errorf("another file: %v, %v", q, err)
	}
}

func savedEstimate(t *testing.T) string {
	path := filepath.Join(t.TempDir(), "other.npz")
	if err := arrays.SaveMembers(path, arrays.Members{Arrays: map[string]*array.Array{"x": array.New(2)}}); err != nil {
		t.Fatal(err)
	}
	return path
}
