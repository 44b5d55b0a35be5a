package dataset

import (
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/greenbench/workbench/internal/numeric/spelling"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Select returns the given samples, counted from 0. Labels of groups keep their
// indices, also those that no sample has any more.
func (t *Table) Select(rows []int) (*Table, error) {
	out := &Table{Missing: t.Missing}
	for i, n := range rows {
		if n < 0 || n >= t.N() {
			return nil, fmt.Errorf("sample %d, the %d. of the list: must be within 1 to %d", n+1, i+1, t.N())
		}
	}
	if len(rows) == 0 {
		return nil, errors.New("no samples: must be at least 1")
	}
	for _, f := range t.Fields {
		out.Fields = append(out.Fields, f.take(rows))
	}
	for _, f := range t.Outputs {
		out.Outputs = append(out.Outputs, f.take(rows))
	}
	for _, s := range t.Scalars {
		out.Scalars = append(out.Scalars, Scalar{s.Name, take(s.Values, rows)})
	}
	for _, s := range t.Parameters {
		out.Parameters = append(out.Parameters, Scalar{s.Name, take(s.Values, rows)})
	}
	for _, g := range t.Groups {
		out.Groups = append(out.Groups, Grouping{g.Name, take(g.Of, rows), g.Labels})
	}
	return out, nil
}

func (f Field) take(rows []int) Field {
	m := f.Mesh.Size()
	values := array.New(len(rows), m)
	for i, n := range rows {
		copy(values.Data[i*m:(i+1)*m], f.Values.Data[n*m:(n+1)*m])
	}
	return Field{f.Name, values, f.Mesh, f.Errors.of(rows, m)}
}

func take[T any](values []T, rows []int) []T {
	out := make([]T, len(rows))
	for i, n := range rows {
		out[i] = values[n]
	}
	return out
}

// Split shuffles the samples as [Dataset.Split] does and returns the first train of
// them and the others.
func (t *Table) Split(train int, seed uint64) (*Table, *Table, error) {
	if train < 1 || train >= t.N() {
		return nil, nil, fmt.Errorf("train %d: must be at least 1 and less than the %d samples", train, t.N())
	}
	order := rand.New(rand.NewPCG(seed, splitStream)).Perm(t.N())
	first, err := t.Select(order[:train])
	if err != nil {
		return nil, nil, err
	}
	rest, err := t.Select(order[train:])
	return first, rest, err
}

// Noise returns the table with noise on every output, level times the spread of that
// output as in [Dataset.Noise]. The noise of an output does not depend on the others.
func (t *Table) Noise(level float64, seed uint64) (*Table, error) {
	out := *t
	out.Outputs = slices.Clone(t.Outputs)
	for i, u := range t.Outputs {
		d := &Dataset{Input: u.Values, Output: u.Values, InputMesh: u.Mesh, OutputMesh: u.Mesh}
		noisy, err := d.Noise(level, seed^streamOf(u.Name))
		if err != nil {
			return nil, fmt.Errorf("output.%s: %w", u.Name, err)
		}
		out.Outputs[i].Values = noisy.Output
	}
	return &out, nil
}

// streamOf tells the noise of one output from that of another.
func streamOf(name string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(name))
	return h.Sum64()
}

// String says in a few lines what the table holds.
func (t *Table) String() string { return t.Describe(mesh.Mesh.String) }

// Describe says in a few lines what the table holds, with meshes written by write.
func (t *Table) Describe(write func(mesh.Mesh) string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "dataset: %s", spelling.Count(t.N(), "sample"))
	line := func(kind, name, what string) { fmt.Fprintf(&b, "\n  %-9s  %s: %s", kind, name, what) }
	for _, f := range t.Fields {
		line("input", f.Name, f.describe(write))
	}
	for _, s := range t.Scalars {
		line("input", s.Name, s.describe())
	}
	for _, g := range t.Groups {
		line("group", g.Name, spelling.Count(len(g.Labels), "label"))
	}
	for _, s := range t.Parameters {
		line("parameter", s.Name, s.describe())
	}
	for _, f := range t.Outputs {
		line("output", f.Name, f.describe(write))
	}
	return b.String()
}

func (f Field) describe(write func(mesh.Mesh) string) string {
	s := fmt.Sprintf("on %s (%s)", spelling.Count(f.Mesh.Size(), "point"), write(f.Mesh))
	missing := 0
	for _, v := range f.Values.Data {
		if math.IsNaN(v) {
			missing++
		}
	}
	if missing > 0 {
		s += fmt.Sprintf(", %s missing", spelling.Count(missing, "value"))
	}
	return s
}

func (s Scalar) describe() string {
	return fmt.Sprintf("numbers from %.6g to %.6g", slices.Min(s.Values), slices.Max(s.Values))
}
