package array

import (
	"context"
	"fmt"
	"io"

	"github.com/greenbench/workbench/numeric/netcdf"
)

// openNetCDF opens a NetCDF classic file.
func openNetCDF(r io.ReaderAt, size int64, _ string) (*contents, error) {
	f, err := netcdf.Open(r, size)
	if err != nil {
		return nil, fmt.Errorf("NetCDF: %w", err)
	}
	n := &netcdfFile{contextOf(r), f}
	return &contents{names: f.Names(), read: n.read, axes: n.axes}, nil
}

type netcdfFile struct {
	ctx context.Context
	f   *netcdf.File
}

func (n *netcdfFile) read(name string) (*Array, error) {
	v, err := n.f.Variable(name)
	if err != nil {
		return nil, err
	}
	if v.Kind() == "text" {
		return nil, &unsupportedError{What: "text: want an array of real numbers"}
	}
	if len(v.Shape) > 0 {
		if _, err := sizeOf(v.Shape); err != nil {
			return nil, err
		}
	}
	data, err := v.Read(n.ctx, 0, v.Rows())
	if err != nil {
		return nil, err
	}
	p := packing{kind: v.Kind(), netcdf: true}
	p.attribute = func(name string) ([]float64, bool) {
		a, ok := v.Attribute(name)
		return a.Numbers, ok && a.Numbers != nil
	}
	p.unsigned = func() bool {
		a, ok := v.Attribute("_Unsigned")
		return ok && a.Text == "true"
	}
	if err := unpack(data, p); err != nil {
		return nil, err
	}
	return Of(data, v.Shape...)
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
