// Package files reads and writes arrays: .npz, .npy, .csv and other tables of text, .mat, .h5,
// .nc, .xlsx and Zarr stores. Pairs for a fit, with their meshes, are read by package dataset.
package files

import (
	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/numeric/array"
)

// Load reads the array of this name from a file; "" is the only one. In a .csv with a header
// line, the name of a column gives that column. The errors of a name that is not there list
// those that are.
func Load(path, name string) (*array.Array, error) { return arrays.Load(path, name) }

// LoadAll reads every array of a file by its name, except those that are not made of real
// numbers. The array of a .npy or .csv file goes by the file's name without the extension.
func LoadAll(path string) (map[string]*array.Array, error) { return arrays.LoadAll(path) }

// Save writes one array to a .npy, .npz, .csv, .mat or .h5 file, which is replaced as a whole
// or not at all. In a .npz it is called arr_0, as NumPy does.
func Save(path string, a *array.Array) error { return arrays.Save(path, a) }

// SaveAll writes several arrays into a .npz, .mat or .h5 file, as [Save] does.
func SaveAll(path string, all map[string]*array.Array) error { return arrays.SaveAll(path, all) }
