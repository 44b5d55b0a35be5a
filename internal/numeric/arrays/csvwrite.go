package arrays

import (
	"fmt"
	"io"
	"strconv"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/numeric/array"
)

// saveCSV writes a vector as one column and a matrix as rows, with as many
// digits as reading them back takes; .tsv separates by tabs, .txt and .dat by
// spaces.
func saveCSV(w io.Writer, extension string, m Members) error {
	a, err := m.only(extension)
	if err != nil {
		return err
	}
	switch extension {
	case ".tsv":
		return writeCSV(w, a, '\t')
	case ".txt", ".dat":
		return writeCSV(w, a, ' ')
	}
	return writeCSV(w, a, ',')
}

func writeCSV(w io.Writer, a *array.Array, separator byte) error {
	if a.Rank() > 2 || a.Size() == 0 {
		return fmt.Errorf("shape %s: text files hold vectors and matrices with at least one element; save .npy or .npz",
			dense.ShapeString(a.Shape))
	}
	columns := a.Size() / a.Shape[0]
	if a.Rank() == 1 {
		columns = 1
	}
	var line []byte
	for i := range a.Shape[0] {
		line = line[:0]
		for _, x := range a.Data[i*columns : (i+1)*columns] {
			if len(line) > 0 {
				line = append(line, separator)
			}
			if x != x {
				line = append(line, "nan"...)
			} else {
				line = strconv.AppendFloat(line, x, 'g', -1, 64)
			}
		}
		if _, err := w.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return nil
}
