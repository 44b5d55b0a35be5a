package arrays

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"github.com/greenbench/workbench/internal/numeric/remedy"
	"github.com/greenbench/workbench/internal/numeric/spelling"
	"github.com/greenbench/workbench/internal/numeric/xlsx"
	"github.com/greenbench/workbench/numeric/array"
)

// openXLSX reads the sheets of an Excel workbook as tables of numbers, with the rules of
// text: an optional row of names, NaN for what is missing, a single column is a vector.
func openXLSX(r io.ReaderAt, size int64, _ string) (*contents, error) {
	sheets, err := xlsx.Sheets(contextOf(r), r, size)
	if err != nil {
		return nil, err
	}
	return &contents{names: sheets, read: func(name string) (*array.Array, error) {
		column := ""
		if !slices.Contains(sheets, name) {
			if len(sheets) > 1 {
				return nil, fs.ErrNotExist
			}
			name, column = sheets[0], name
		}
		rows, err := xlsx.Rows(contextOf(r), r, size, name)
		if err != nil {
			return nil, err
		}
		return cellTable(rows, column)
	}}, nil
}

// cellTable makes numbers of cells: all of them, or one column by its name.
func cellTable(rows [][]xlsx.Cell, column string) (*array.Array, error) {
	top, left, bottom, right := bounds(rows)
	if top == bottom {
		return nil, errors.New("an empty sheet")
	}
	at := func(i, j int) xlsx.Cell {
		if j < len(rows[i]) {
			return rows[i][j]
		}
		return xlsx.Cell{}
	}
	words := csvReader{separator: ',', missing: missingWords()}
	header, err := cellHeader(rows[top], left, right, words)
	if err != nil {
		return nil, err
	}
	if header != nil {
		top++
	}
	if column != "" {
		k := slices.Index(header, column)
		if k < 0 {
			return nil, fmt.Errorf("no such sheet or column; the header has %s%s", list(header), spelling.Nearest(column, header))
		}
		left, right = left+k, left+k+1
	} else if len(header) > 1 && header[0] == "" {
		return nil, remedy.TableOfNames.For(errors.New("the first column has no name: is it the names of the rows?"))
	}
	if top == bottom {
		return nil, errors.New("no numbers, only a row of names")
	}
	a, err := array.Zeros(bottom-top, right-left)
	if err != nil {
		return nil, err
	}
	for i := range bottom - top {
		for j := range right - left {
			x, err := cellNumber(at(top+i, left+j), words)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", xlsx.Name(top+i, left+j), err)
			}
			a.Data[i*(right-left)+j] = x
		}
	}
	if right-left == 1 {
		return array.Vector(a.Data), nil
	}
	return a, nil
}

// bounds are those of the cells that are not empty.
func bounds(rows [][]xlsx.Cell) (top, left, bottom, right int) {
	top, left = len(rows), 1<<30
	for i, row := range rows {
		for j, c := range row {
			if c.Kind != xlsx.Empty {
				top, left, bottom, right = min(top, i), min(left, j), i+1, max(right, j+1)
			}
		}
	}
	return min(top, bottom), left, bottom, right
}

// cellHeader are the names in the first row, nil if it has numbers.
func cellHeader(row []xlsx.Cell, left, right int, words csvReader) ([]string, error) {
	var header []string
	numbers, texts := 0, 0
	for j := left; j < right; j++ {
		c := xlsx.Cell{}
		if j < len(row) {
			c = row[j]
		}
		header = append(header, c.Text)
		x, err := cellNumber(c, words)
		if err != nil {
			texts++
		} else if x == x {
			numbers++
		}
	}
	if numbers > 0 && numbers == len(header)-1 && (len(row) <= left || row[left].Kind == xlsx.Empty) {
		return nil, remedy.TableOfNames.For(errors.New("the first row begins with an empty cell: is it a header of positions above a column of names?"))
	}
	if numbers > 0 || texts == 0 {
		return nil, nil
	}
	return header, nil
}

// cellNumber is a cell as a number; what is empty or an error is missing.
func cellNumber(c xlsx.Cell, words csvReader) (float64, error) {
	switch c.Kind {
	case xlsx.Number:
		return c.Number, nil
	case xlsx.Date:
		return 0, remedy.TableOfNames.For(fmt.Errorf("%s is a time, not a number", c.Text))
	case xlsx.Error:
		return words.number("")
	}
	return words.number(c.Text)
}
