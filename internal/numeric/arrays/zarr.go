package arrays

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/zarr"
	"github.com/greenbench/workbench/numeric/array"
)

// IsFolder says whether a folder is itself a file of arrays: a Zarr store.
func IsFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir() && zarr.Is(os.DirFS(path))
}

// openZarr opens a store, of which nothing outside of its folder is read.
func openZarr(ctx context.Context, folder string) (*File, error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	s, err := zarr.Open(root.FS())
	if err == nil && len(s.Names()) == 0 {
		err = errors.New("a Zarr store without arrays")
	}
	if err != nil {
		root.Close()
		return nil, fmt.Errorf("%s: %w", folder, err)
	}
	base := filepath.Base(folder)
	z := &zarrStore{ctx, s, strings.TrimSuffix(base, filepath.Ext(base))}
	names := s.Names()
	for i, name := range names {
		if name == "" {
			names[i] = z.base
		}
	}
	return &File{path: folder, close: root.Close, contents: contents{names: names, read: z.read, rows: z.rows, axes: z.axes, note: z.note}}, nil
}

// A zarrStore is an open store; base is what an array is called that is all of it.
type zarrStore struct {
	ctx  context.Context
	s    *zarr.Store
	base string
}

func (z *zarrStore) array(name string) (*zarr.Array, error) {
	if name == z.base && slices.Equal(z.s.Names(), []string{""}) {
		name = ""
	}
	a, err := z.s.Array(name)
	if err == nil && len(a.Shape) > 0 {
		_, err = dense.SizeOf(a.Shape)
	}
	return a, zarrError(err)
}

// zarrError is an error of package zarr as one of this package.
func zarrError(err error) error {
	var u *zarr.Unsupported
	if errors.As(err, &u) {
		return &unsupportedError{What: u.What}
	}
	return err
}

func (z *zarrStore) read(name string) (*array.Array, error) {
	a, err := z.array(name)
	if err != nil {
		return nil, err
	}
	return z.part(a, 0, a.Rows())
}

func (z *zarrStore) rows(name string, lo, hi int) (*array.Array, int, error) {
	a, err := z.array(name)
	if err != nil {
		return nil, 0, err
	}
	if hi > a.Rows() {
		return nil, a.Rows(), nil
	}
	part, err := z.part(a, lo, hi)
	return part, a.Rows(), err
}

// part is the rows lo, …, hi-1 of an array.
func (z *zarrStore) part(a *zarr.Array, lo, hi int) (*array.Array, error) {
	data, err := a.Read(z.ctx, lo, hi)
	if err != nil {
		return nil, zarrError(err)
	}
	if err := unpack(data, zarrPacking(a)); err != nil {
		return nil, err
	}
	shape := slices.Clone(a.Shape)
	if len(shape) > 0 {
		shape[0] = hi - lo
	}
	return array.Of(data, shape...)
}

// zarrPacking finds the conventions of NetCDF, as xarray writes them: where axes have names, what
// stands for chunks that were not written stands for missing values too, unless it is zarr-python's
// default, 0.
func zarrPacking(a *zarr.Array) packing {
	return packing{
		kind: a.Kind(),
		attribute: func(name string) (note, bool) {
			if fill, ok := a.Fill(); name == "_FillValue" && ok && fill != 0 && a.Dimensions != nil && a.Version == 2 {
				return note{numbers: []float64{fill}}, true
			}
			if numbers, ok := a.Attribute(name); ok {
				return note{numbers: numbers}, true
			}
			text := a.Text(name)
			return note{text: text}, text != ""
		},
		unsigned: func() bool { return a.Text("_Unsigned") == "true" },
	}
}

// axes finds coordinates: an array of one axis beside it that is called like a dimension.
func (z *zarrStore) axes(name string) ([]Axis, error) {
	a, err := z.array(name)
	if err != nil {
		return nil, err
	}
	axes := make([]Axis, len(a.Shape))
	for k, dim := range a.Dimensions {
		axes[k].Name = dim
		beside := path.Join(path.Dir(name), dim)
		if dim == "" || !slices.Contains(z.s.Names(), beside) {
			continue
		}
		if c, err := z.s.Array(beside); err == nil && len(c.Shape) == 1 && c.Shape[0] == a.Shape[k] {
			axes[k].Coordinates = beside
		}
	}
	return axes, nil
}

func (z *zarrStore) note(name, attribute string) string {
	a, err := z.array(name)
	if err != nil {
		return ""
	}
	return a.Text(attribute)
}
