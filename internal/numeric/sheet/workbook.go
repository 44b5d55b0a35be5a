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
	elapsed := durations(rows)
	text, err := cellText(ctx, path, rows)
	if err != nil {
		return nil, err
	}
	o.Separator, o.Comment = '\t', ""
	name := path + ", sheet " + o.Part
	s, err := read(ctx, name, "row", text, o)
	for _, d := range elapsed {
		if err == nil {
			err = within(name, s.inSeconds(d))
		}
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// A duration is a column of a sheet that has some, and the words above the first of them.
type duration struct {
	column int
	above  []string
}

// durations finds them. Times of day in a column of durations become durations, too: for 12:30 and 26:30 the programs
// choose the formats h:mm and [h]:mm.
func durations(rows [][]xlsx.Cell) (all []duration) {
	done := map[int]bool{}
	for i, row := range rows {
		for k, c := range row {
			if !c.Duration || done[k] {
				continue
			}
			done[k] = true
			d := duration{column: k}
			for j, other := range rows {
				if k >= len(other) {
					continue
				}
				if other[k], _ = other[k].Clock(); j < i && other[k].Kind == xlsx.Text {
					d.above = append(d.above, strings.Join(strings.Fields(other[k].Text), " "))
				}
			}
			all = append(all, d)
		}
	}
	return all
}

// inSeconds says that a column is in seconds. A header that says another unit is refused; one such as [h:mm] tells
// how the cells look.
func (s *Sheet) inSeconds(d duration) error {
	is := func(c *Column) bool { return slices.Contains(d.above, c.Header) }
	i := d.column
	if i >= len(s.Columns) || !is(s.Columns[i]) {
		i = slices.IndexFunc(s.Columns, is)
	}
	if i < 0 {
		return nil
	}
	c := s.Columns[i]
	if c.Unit == "" || strings.Contains(c.Unit, ":") {
		c.Unit = "s"
	}
	if isUnit(c.Unit) && !slices.Contains([]string{"s", "sec", "secs"}, c.Unit) {
		return fmt.Errorf("column %s has durations, such as 1:30:00, which are read in seconds, but its header says %s: take the unit out of the header, or give the cells a format of numbers", c.Name, c.Unit)
	}
	return nil
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
