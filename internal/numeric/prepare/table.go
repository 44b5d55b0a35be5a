package prepare

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
)

// shuffleStream is the second word of the seeds of Shuffle.
const shuffleStream uint64 = 0x73687566666c65 // "shuffle"

// The two sides of a table, as errors name them.
const (
	input  = "input"
	output = "output"
)

// title is how errors name a function: "output" of pairs, "output.u" of a table.
func title(side, name string) string {
	if side == name {
		return side
	}
	return side + "." + name
}

// Shuffled are the numbers of n samples, from 0, in an order that the seed gives.
func Shuffled(n int, seed uint64) []int { return rand.New(rand.NewPCG(seed, shuffleStream)).Perm(n) }

// Without are the numbers of n samples, from 0, but for those listed.
func Without(n int, samples []int) ([]int, error) {
	drop := make(map[int]bool)
	for _, i := range samples {
		if i < 0 || i >= n {
			return nil, fmt.Errorf("%d: must be within 1 to %d", i+1, n)
		}
		drop[i] = true
	}
	var keep []int
	for i := range n {
		if !drop[i] {
			keep = append(keep, i)
		}
	}
	if len(keep) == 0 {
		return nil, fmt.Errorf("all %d are left out: must leave at least 1", n)
	}
	return keep, nil
}

// Concat returns the samples of all tables, one after the other. They have the same
// functions on the same meshes (to 1e-9 of their extent, so that rounding in files does not
// matter), and the same numbers and groups by name. Labels are those of all.
func Concat(tables ...*dataset.Table) (*dataset.Table, error) {
	if len(tables) == 0 {
		return nil, errors.New("no samples: must be at least one dataset")
	}
	first := tables[0]
	out := &dataset.Table{}
	size := 0.0
	for i, t := range tables {
		if err := alike(first, t); err != nil {
			return nil, fmt.Errorf("dataset %d of %d: %w", i+1, len(tables), err)
		}
		out.Missing = out.Missing || t.Missing
		for _, f := range slices.Concat(t.Fields, t.Outputs) {
			size += float64(f.Values.Size())
		}
	}
	if err := dense.CheckSize("all samples in one", size); err != nil {
		return nil, err
	}
	for k := range first.Fields {
		out.Fields = append(out.Fields, stacked(tables, func(t *dataset.Table) dataset.Field { return t.Fields[k] }))
	}
	for k := range first.Outputs {
		out.Outputs = append(out.Outputs, stacked(tables, func(t *dataset.Table) dataset.Field { return t.Outputs[k] }))
	}
	for k := range first.Scalars {
		out.Scalars = append(out.Scalars, joined(tables, func(t *dataset.Table) dataset.Scalar { return t.Scalars[k] }))
	}
	for k := range first.Parameters {
		out.Parameters = append(out.Parameters, joined(tables, func(t *dataset.Table) dataset.Scalar { return t.Parameters[k] }))
	}
	for k := range first.Groups {
		out.Groups = append(out.Groups, regrouped(tables, k))
	}
	return out, nil
}

func stacked(tables []*dataset.Table, of func(*dataset.Table) dataset.Field) dataset.Field {
	f := of(tables[0])
	var values []float64
	for _, t := range tables {
		values = append(values, of(t).Values.Data...)
	}
	return dataset.Field{Name: f.Name, Mesh: f.Mesh, Values: matrix(values, f.Mesh.Size())}
}

func joined(tables []*dataset.Table, of func(*dataset.Table) dataset.Scalar) dataset.Scalar {
	s := dataset.Scalar{Name: of(tables[0]).Name}
	for _, t := range tables {
		s.Values = append(s.Values, of(t).Values...)
	}
	return s
}

func regrouped(tables []*dataset.Table, k int) dataset.Grouping {
	g := dataset.Grouping{Name: tables[0].Groups[k].Name}
	for _, t := range tables {
		own := t.Groups[k]
		place := make([]int, len(own.Labels))
		for i, label := range own.Labels {
			place[i] = slices.Index(g.Labels, label)
			if place[i] < 0 {
				place[i], g.Labels = len(g.Labels), append(g.Labels, label)
			}
		}
		for _, i := range own.Of {
			g.Of = append(g.Of, place[i])
		}
	}
	return g
}

// alike refuses tables that hold other things than the first.
func alike(first, t *dataset.Table) error {
	for _, side := range []struct {
		name string
		a, b []dataset.Field
	}{{input, first.Fields, t.Fields}, {output, first.Outputs, t.Outputs}} {
		if err := sameNames(side.name, fieldNames(side.a), fieldNames(side.b)); err != nil {
			return err
		}
		for k, f := range side.a {
			if other := side.b[k].Mesh; !sameMesh(f.Mesh, other) {
				return fmt.Errorf("%s is on %s, that of the first on %s: want the same mesh", title(side.name, f.Name), other, f.Mesh)
			}
		}
	}
	groups := func(t *dataset.Table) (names []string) {
		for _, g := range t.Groups {
			names = append(names, g.Name)
		}
		return names
	}
	if err := sameNames("group", groups(first), groups(t)); err != nil {
		return err
	}
	if err := sameNames("parameter", scalarNames(first.Parameters), scalarNames(t.Parameters)); err != nil {
		return err
	}
	return sameNames(input, scalarNames(first.Scalars), scalarNames(t.Scalars))
}

func fieldNames(fields []dataset.Field) (names []string) {
	for _, f := range fields {
		names = append(names, f.Name)
	}
	return names
}

func scalarNames(scalars []dataset.Scalar) (names []string) {
	for _, s := range scalars {
		names = append(names, s.Name)
	}
	return names
}

func sameNames(what string, want, got []string) error {
	if slices.Equal(want, got) {
		return nil
	}
	return fmt.Errorf("%s: holds %s, the first %s: want the same names", what, list(got), list(want))
}

func list(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// sameMesh reports whether two meshes have the same points and weights but for rounding.
func sameMesh(a, b mesh.Mesh) bool {
	return slices.EqualFunc(a.Axes(), b.Axes(), func(p, q mesh.Axis) bool {
		return p.Dim() == q.Dim() && near(p.Coordinates, q.Coordinates) && near(p.Weights, q.Weights)
	})
}

// near reports whether numbers are the same to 1e-9 of the interval that they cover, or of
// the largest where they cover none.
func near(a, b []float64) bool {
	if len(a) != len(b) || len(a) == 0 {
		return len(a) == len(b)
	}
	low, high := slices.Min(a), slices.Max(a)
	size := high - low
	if size == 0 {
		size = max(high, -low)
	}
	return slices.EqualFunc(a, b, func(v, w float64) bool { return v == w || max(v-w, w-v) <= 1e-9*size })
}

func matrix(values []float64, columns int) *array.Array {
	return &array.Array{Shape: []int{len(values) / columns, columns}, Data: values}
}
