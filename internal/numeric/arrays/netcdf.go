package arrays

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/netcdf"
	"github.com/greenbench/workbench/numeric/array"
)

// openNetCDF opens a NetCDF classic file.
func openNetCDF(r io.ReaderAt, size int64, _ string) (*contents, error) {
	f, err := netcdf.Open(r, size)
	if err != nil {
		return nil, fmt.Errorf("NetCDF: %w", err)
	}
	n := &netcdfFile{contextOf(r), f}
	return &contents{names: f.Names(), read: n.read, rows: n.rows, axes: n.axes, note: n.note}, nil
}

type netcdfFile struct {
	ctx context.Context
	f   *netcdf.File
}

func (n *netcdfFile) read(name string) (*array.Array, error) {
	v, err := n.real(name)
	if err != nil {
		return nil, err
	}
	return n.part(v, 0, v.Rows())
}

func (n *netcdfFile) rows(name string, lo, hi int) (*array.Array, int, error) {
	v, err := n.real(name)
	if err != nil {
		return nil, 0, err
	}
	if hi > v.Rows() {
		return nil, v.Rows(), nil
	}
	a, err := n.part(v, lo, hi)
	return a, v.Rows(), err
}

// real is a variable of real numbers.
func (n *netcdfFile) real(name string) (*netcdf.Variable, error) {
	v, err := n.f.Variable(name)
	if err != nil {
		return nil, err
	}
	if v.Kind() == "text" {
		return nil, &unsupportedError{What: "text: want an array of real numbers"}
	}
	if len(v.Shape) > 0 {
		if _, err := dense.SizeOf(v.Shape); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// part is the rows lo, …, hi-1 of a variable.
func (n *netcdfFile) part(v *netcdf.Variable, lo, hi int) (*array.Array, error) {
	data, err := v.Read(n.ctx, lo, hi)
	if err != nil {
		return nil, err
	}
	p := packing{kind: v.Kind(), netcdf: true}
	p.attribute = func(name string) (note, bool) {
		a, ok := v.Attribute(name)
		return note{a.Numbers, a.Kind, a.Text}, ok
	}
	p.unsigned = func() bool {
		a, ok := v.Attribute("_Unsigned")
		return ok && a.Text == "true"
	}
	if err := unpack(data, p); err != nil {
		return nil, err
	}
	shape := slices.Clone(v.Shape)
	if len(shape) > 0 {
		shape[0] = hi - lo
	}
	return array.Of(data, shape...)
}

// axes finds coordinates: a variable of one axis that is called like a dimension has those along it.
func (n *netcdfFile) axes(name string) ([]Axis, error) {
	v, err := n.f.Variable(name)
	if err != nil {
		return nil, err
	}
	axes := make([]Axis, len(v.Shape))
	for k, dim := range v.Dimensions {
		axes[k].Name = dim
		if c, err := n.f.Variable(dim); err == nil && len(c.Shape) == 1 && c.Dimensions[0] == dim && c.Kind() != "text" {
			axes[k].Coordinates = dim
		}
	}
	return axes, nil
}

func (n *netcdfFile) note(name, attribute string) string {
	v, err := n.f.Variable(name)
	if err != nil {
		return ""
	}
	a, _ := v.Attribute(attribute)
	return a.Text
}
