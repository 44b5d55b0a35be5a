package arrays

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/hdf5"
	"github.com/greenbench/workbench/numeric/array"
)

// openHDF5 opens an HDF5 file, which is what MATLAB's v7.3 and NetCDF-4 are too.
func openHDF5(r io.ReaderAt, size int64, _ string) (*contents, error) {
	if !hdf5.Is(r, size) {
		return nil, errors.New("not an HDF5 or NetCDF file")
	}
	f, err := hdf5.Open(r, size)
	if err != nil {
		return nil, fmt.Errorf("HDF5: %w", err)
	}
	_, netcdf, err := f.Attribute("_NCProperties")
	if err != nil {
		return nil, plainUnsupported(err)
	}
	h := &hdf5File{contextOf(r), f, netcdf}
	names := h.names()
	return &contents{names: names, read: h.read, rows: h.rows, complex: h.complex, axes: h.axes, note: h.note}, nil
}

// An hdf5File is an open file, what ends reading it, and whether it says that it is NetCDF.
type hdf5File struct {
	ctx    context.Context
	f      *hdf5.File
	netcdf bool
}

// names lists the datasets: MATLAB's as s.f, which are fields of structs there, and records by their members.
func (h *hdf5File) names() (names []string) {
	for _, name := range h.f.Names() {
		d, err := h.f.Dataset(name)
		if err != nil {
			names = append(names, name)
			continue
		}
		if d.Class != "" {
			name = strings.ReplaceAll(name, "/", ".")
		}
		if members := d.Members(); !d.IsComplex() && members != nil {
			for _, m := range members {
				names = append(names, name+"."+m)
			}
			continue
		}
		names = append(names, name)
	}
	return names
}

func (h *hdf5File) read(name string) (*array.Array, error) {
	d, err := h.real(name)
	if err != nil {
		return nil, err
	}
	return h.part(d, 0, d.Rows())
}

// rows is some of them; MATLAB's are the last axis here, and are taken from the whole.
func (h *hdf5File) rows(name string, lo, hi int) (*array.Array, int, error) {
	d, err := h.real(name)
	if err != nil {
		return nil, 0, err
	}
	if !d.ColumnMajor && len(d.Shape) > 0 {
		if hi > d.Rows() {
			return nil, d.Rows(), nil
		}
		a, err := h.part(d, lo, hi)
		return a, d.Rows(), err
	}
	a, err := h.part(d, 0, d.Rows())
	if err != nil {
		return nil, 0, err
	}
	of := a.Shape[0]
	a, err = someRows(a, lo, hi)
	return a, of, err
}

// real is a dataset of real numbers.
func (h *hdf5File) real(name string) (*hdf5.Dataset, error) {
	d, err := h.dataset(name)
	if err != nil {
		return nil, err
	}
	if d.IsComplex() {
		return nil, &unsupportedError{d.Kind() + ": want real numbers", true}
	}
	switch d.Class {
	case "char", "cell", "function_handle", "string":
		return nil, &unsupportedError{What: d.Class + ": want an array of real numbers"}
	}
	return d, nil
}

// part is the rows lo, …, hi-1 of a dataset, as they are in the file.
func (h *hdf5File) part(d *hdf5.Dataset, lo, hi int) (*array.Array, error) {
	data, err := d.Read(h.ctx, lo, hi)
	if err != nil {
		return nil, plainUnsupported(err)
	}
	if err := unpack(data, h.packing(d)); err != nil {
		return nil, err
	}
	shape := slices.Clone(d.Shape)
	if len(shape) > 0 {
		shape[0] = hi - lo
	}
	if !d.ColumnMajor {
		return array.Of(data, shape...)
	}
	slices.Reverse(shape)
	return fromColumnMajor(h.ctx, data, shape)
}

// dataset finds a dataset, and asks whether there is room for it.
func (h *hdf5File) dataset(name string) (*hdf5.Dataset, error) {
	d, err := h.f.Dataset(name)
	if err != nil {
		return nil, plainUnsupported(err)
	}
	if h.netcdf {
		if err := d.Extend(); err != nil {
			return nil, plainUnsupported(err)
		}
	}
	if len(d.Shape) > 0 {
		_, err = dense.SizeOf(d.Shape)
	}
	return d, err
}

func (h *hdf5File) complex(name string) (*Complex, error) {
	d, err := h.dataset(name)
	if err != nil {
		return nil, err
	}
	data, err := d.ReadComplex(h.ctx, 0, d.Rows())
	if err != nil {
		return nil, plainUnsupported(err)
	}
	if len(d.Shape) == 0 {
		return ComplexOf(data, 1)
	}
	if !d.ColumnMajor {
		return ComplexOf(data, d.Shape...)
	}
	z, err := ComplexOf(data, d.Shape...)
	if err != nil {
		return nil, err
	}
	return z.Transpose(h.ctx)
}

// axes says which arrays hold the coordinates along the axes of an array.
func (h *hdf5File) axes(name string) ([]Axis, error) {
	d, err := h.f.Dataset(name)
	if err != nil {
		return nil, plainUnsupported(err)
	}
	dims, err := d.Dimensions()
	axes := make([]Axis, len(dims))
	for k, dim := range dims {
		axes[k] = Axis{dim.Name, dim.Scale}
	}
	return axes, err
}

func (h *hdf5File) note(name, attribute string) string {
	d, err := h.f.Dataset(name)
	if err != nil {
		return ""
	}
	if a, ok, err := d.Attribute(attribute); ok && err == nil && len(a.Strings) == 1 {
		return a.Strings[0]
	}
	return ""
}

// packing finds the attributes by which NetCDF packs numbers and marks missing ones.
func (h *hdf5File) packing(d *hdf5.Dataset) packing {
	p := packing{kind: d.Kind(), netcdf: h.netcdf}
	p.attribute = func(name string) (note, bool) {
		a, ok, err := d.Attribute(name)
		return note{a.Numbers, a.Kind, strings.Join(a.Strings, ", ")}, ok && err == nil
	}
	p.unsigned = func() bool {
		a, ok, err := d.Attribute("_Unsigned")
		return ok && err == nil && len(a.Strings) == 1 && strings.EqualFold(a.Strings[0], "true")
	}
	return p
}

// plainUnsupported is an error of package hdf5 as one of this package.
func plainUnsupported(err error) error {
	var u *hdf5.Unsupported
	if errors.As(err, &u) {
		return &unsupportedError{What: u.What}
	}
	return err
}

// saveHDF5 writes arrays by path, and texts as attributes of the file.
func saveHDF5(w io.Writer, _ string, m Members) error {
	var arrays []hdf5.Array
	for _, name := range slices.Sorted(maps.Keys(m.Arrays)) {
		arrays = append(arrays, hdf5.Array{Path: name, Shape: m.Arrays[name].Shape, Data: m.Arrays[name].Data})
	}
	for _, name := range slices.Sorted(maps.Keys(m.Complex)) {
		arrays = append(arrays, hdf5.Array{Path: name, Shape: m.Complex[name].Shape, Complex: m.Complex[name].Data})
	}
	return hdf5.Write(w, arrays, m.Texts)
}
