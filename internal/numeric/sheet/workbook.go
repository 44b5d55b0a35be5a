package sheet

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/remedy"
	"github.com/greenbench/workbench/internal/numeric/spelling"
	"github.com/greenbench/workbench/internal/numeric/xlsx"
)

// open opens a file that is there, with its size.
func open(path string) (*os.File, int64, error) {
	f, err := arrays.OpenRegular(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, fmt.Errorf("%s: %w%s", path, fs.ErrNotExist, spelling.File(path))
	}
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	return f, info.Size(), nil
}

// Parts lists the sheets of a workbook that hold cells.
func Parts(ctx context.Context, path string) ([]string, error) {
	f, size, err := open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	names, err := xlsx.Sheets(ctx, f, size)
	return names, within(path, err)
}

func within(path string, err error) error {
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// loadWorkbook reads one sheet of a workbook, as if it were text with tabs: names, units,
// times and missing values are recognised alike.
func loadWorkbook(ctx context.Context, path string, o Options) (*Sheet, error) {
	names, err := Parts(ctx, path)
	if err != nil {
		return nil, err
	}
	switch {
	case o.Part == "" && len(names) > 1:
		return nil, remedy.NamePart.For(fmt.Errorf("%s: which sheet? the workbook has %s", path, listed(names)), names[0])
	case o.Part == "" && len(names) == 1:
		o.Part = names[0]
	case !slices.Contains(names, o.Part):
		return nil, fmt.Errorf("%s: no sheet %q%s; there are %s", path, o.Part, spelling.Nearest(o.Part, names), listed(names))
	}
	f, size, err := open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows, err := xlsx.Rows(ctx, f, size, o.Part)
	if err != nil {
		return nil, within(path, err)
	}
	text, err := cellText(ctx, path, rows)
	if err != nil {
		return nil, err
	}
	o.Separator, o.Comment = '\t', ""
	return read(ctx, path+", sheet "+o.Part, "row", text, o)
}

// cellText writes cells as text with tabs, a line for each row. Titles above the table are lines of
// one field, so that they are told from it.
func cellText(ctx context.Context, path string, rows [][]xlsx.Cell) ([]byte, error) {
	width := 0
	for _, row := range rows {
		width = max(width, len(row))
	}
	if err := dense.CheckSize(path, float64(len(rows))*float64(width)/8); err != nil {
		return nil, err
	}
	var text bytes.Buffer
	titles := true
	for i, row := range rows {
		if i%4096 == 0 && ctx.Err() != nil {
			return nil, stopped(ctx)
		}
		filled := 0
		for _, c := range row {
			if c.Kind != xlsx.Empty {
				filled++
			}
		}
		if titles = titles && filled < min(2, width); titles || filled == 0 {
			row = slices.DeleteFunc(slices.Clone(row), func(c xlsx.Cell) bool { return c.Kind == xlsx.Empty })
		}
		for k := range row {
			if k > 0 {
				text.WriteByte('\t')
			}
			text.WriteString(cellWord(row[k]))
		}
		if !titles && filled > 0 {
			text.WriteString(strings.Repeat("\t", width-max(1, len(row))))
		}
		text.WriteByte('\n')
	}
	return text.Bytes(), nil
}

// cellWord is a cell as a field.
func cellWord(c xlsx.Cell) string {
	switch c.Kind {
	case xlsx.Empty:
		return ""
	case xlsx.Error:
		return "NA"
	case xlsx.Text:
		word := strings.Join(strings.Fields(c.Text), " ")
		return `"` + strings.ReplaceAll(word, `"`, `""`) + `"`
	}
	return c.String()
}
