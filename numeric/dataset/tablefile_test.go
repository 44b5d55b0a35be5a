package dataset

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/numeric/array"
)

func TestTableFiles(t *testing.T) {
	d := table(t, change(func(s *TableSpec) {
		s.Missing = true
		s.Output["u"] = with(random(4, 6, 4), math.NaN(), 2, 2)
	}))
	d.Outputs[0].Errors = &Errors{Pairs: []float64{1, 2, 3, 4, 5, 6}[:d.N()], Points: d.Outputs[0].Mesh.Weights()}
	path := filepath.Join(t.TempDir(), "d.npz")
	if err := d.Save(path); err != nil {
		t.Fatal(err)
	}
	back, err := LoadTable(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	if back.String() != d.String() || !back.Missing || !slices.Equal(back.Groups[0].Of, d.Groups[0].Of) || !slices.Equal(back.Groups[0].Labels, d.Groups[0].Labels) {
		t.Errorf("got %v, want %v", back, d)
	}
	for i, u := range d.Outputs {
		if !arrays.Equal(back.Outputs[i].Values, u.Values) || !back.Outputs[i].Mesh.Equal(u.Mesh) {
			t.Errorf("output %s changed", u.Name)
		}
	}
	if e, f := back.Outputs[0].Errors, d.Outputs[0].Errors; back.Outputs[len(back.Outputs)-1].Errors != d.Outputs[len(d.Outputs)-1].Errors && len(d.Outputs) > 1 || !slices.Equal(e.Pairs, f.Pairs) || !slices.Equal(e.Points, f.Points) {
		t.Errorf("errors %v, want %v", e, f)
	}
	if !arrays.Equal(back.Field("g").Values, d.Field("g").Values) || !slices.Equal(back.Scalars[0].Values, d.Scalars[0].Values) || !slices.Equal(back.Parameters[0].Values, d.Parameters[0].Values) {
		t.Error("an input changed")
	}
	_, err = Load(context.Background(), path, LoadSpec{})
	wantError(t, err, path, "several named fields")
	wantError(t, d.Save("d.csv"), "saved as .npz")

	// A part may be saved whose terms could not be told apart by it alone.
	part, _ := d.Select([]int{0})
	if err := part.Save(path); err != nil {
		t.Fatal(err)
	}
	if back, err := LoadTable(context.Background(), path); err != nil || back.N() != 1 {
		t.Errorf("%v, %v", back, err)
	}
	pairs := pairs(3)
	if err := pairs.Save(path); err != nil {
		t.Fatal(err)
	}
	if back, err := LoadTable(context.Background(), path); back != nil || err != nil {
		t.Errorf("pairs are no table: %v, %v", back, err)
	}
	if _, err := LoadTable(context.Background(), filepath.Join(t.TempDir(), "none.npz")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

// Files that were changed by hand are refused, whatever was changed.
func TestTableFilesChanged(t *testing.T) {
	d := table(t, spec())
	path := filepath.Join(t.TempDir(), "d.npz")
	if err := d.Save(path); err != nil {
		t.Fatal(err)
	}
	all, err := arrays.LoadAll(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := arrays.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	header, _, _ := f.Text(headerName)
	f.Close()
	for _, c := range []struct {
		name     string
		old, new string
		array    string
		to       *array.Array
		say      string
	}{
		{name: "array gone", array: "input.f", say: "input.f"},
		{name: "index of no label", array: "group.subject", to: count(6), say: "group.subject[4] is 3: must be the index of one of 3 labels"},
		{name: "fraction", array: "group.subject", to: random(1, 6), say: "must be the index"},
		{name: "rows", array: "parameter.theta", to: count(5), say: "parameter.theta 5"},
		{name: "points", array: "output.u", to: count(6, 5), say: "output.u 6×5"},
		{name: "name", old: `"name": "f"`, new: `"name": "../f"`, say: "the name"},
	} {
		m := arrays.Members{Arrays: map[string]*array.Array{}, Texts: map[string]string{headerName: strings.Replace(header, c.old, c.new, 1)}}
		for name, a := range all {
			m.Arrays[name] = a
		}
		if c.array != "" {
			delete(m.Arrays, c.array)
			if c.to != nil {
				m.Arrays[c.array] = c.to
			}
		}
		if err := arrays.SaveMembers(path, m); err != nil {
			t.Fatal(err)
		}
		_, err := LoadTable(context.Background(), path)
		wantError(t, err, path, c.say)
	}
}
