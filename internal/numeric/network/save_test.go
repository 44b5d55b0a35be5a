package network

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
)

// savedAlike: read back, a network predicts the same bits and has the same report. Older programs read it but for steps of
// Newton's method.
func savedAlike(t *testing.T, e *Estimate, test *dataset.Table) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "net.npz")
	if err := e.Save(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	f, err := arrays.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	version := 1
	if slices.ContainsFunc(e.Report.Layers, func(l LayerReport) bool { return l.Newton }) {
		version = 2
	}
	text, ok, err := f.Text(headerName)
	if err != nil || !ok || !strings.Contains(text, fmt.Sprintf(`"version": %d,`, version)) {
		t.Errorf("%v: %.80s, want version %d", err, text, version)
	}
	refusesDamaged(t, f, text)
	b, err := Load(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	p, err := e.Predict(t.Context(), test, mesh.Mesh{})
	if err != nil {
		t.Fatal(err)
	}
	q, err := b.Predict(t.Context(), test, mesh.Mesh{})
	if err != nil {
		t.Fatal(err)
	}
	if !mat.Equal(p.U, q.U) {
		t.Errorf("predictions of the saved network differ by %.2g", distance(p.U, q.U))
	}
	if fmt.Sprint(e.Report.Terms[0]) != fmt.Sprint(b.Report.Terms[0]) || e.Report.LeftOut != b.Report.LeftOut || e.Report.Layers[0].Gap != b.Report.Layers[0].Gap || e.Report.Layers[0].LeftOut != b.Report.Layers[0].LeftOut {
		t.Errorf("report %+v, saved %+v", e.Report, b.Report)
	}
	if p, q := e.Coefficient("u3"), b.Coefficient("u3"); p.Mean != q.Mean || fmt.Sprint(p.Band[3]) != fmt.Sprint(q.Band[3]) { // NaN of many pairs
		t.Error("the coefficient differs")
	}
}

// refusesDamaged: what a file says of a network has to be of this kind, and its parts as many as one another.
func refusesDamaged(t *testing.T, f arrays.Parts, text string) {
	t.Helper()
	for want, damage := range map[string]func(h *header){
		`format "net"`:          func(h *header) { h.Format = "net" },
		"version 0: this":       func(h *header) { h.Version = 0 },
		"version 3: this":       func(h *header) { h.Version = 3 },
		"do not go together":    func(h *header) { h.Report.Layers = append(h.Report.Layers, LayerReport{}) },
		"network.json: its":     func(h *header) { h.Report.Terms = h.Report.Terms[1:] },
		"network.json: its par": func(h *header) { h.Report.Coefficients = h.Report.Coefficients[1:] },
		"its parts do not":      func(h *header) { h.Layers, h.Report.Layers = nil, nil },
		"has no term v":         func(h *header) { h.Layers[len(h.Layers)-1] = []string{"v"} },
	} {
		var h header
		if err := json.Unmarshal([]byte(text), &h); err != nil {
			t.Fatal(err)
		}
		damage(&h)
		damaged, err := json.Marshal(h)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := read(t.Context(), f, string(damaged)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}
