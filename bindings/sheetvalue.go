package bindings

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/sheet"
	"github.com/greenbench/workbench/numeric/array"
)

// columnValues are the numbers or the words of a column.
type columnValues = bind.Either[*array.Array, []string]

// sheetOptions say what a file of text or a workbook does not.
type sheetOptions struct {
	Separator string   `arg:"separator" doc:"between fields, \" \" for any white space; recognised by default" default:""`
	Decimal   *string  `arg:"decimal" doc:"decimal sign; recognised by default" allow:".|,"`
	Header    *bool    `arg:"header" doc:"whether the first row names the columns; recognised by default"`
	Skip      int      `arg:"skip" doc:"lines at the beginning to leave out" default:"0" allow:">=0"`
	Comment   string   `arg:"comment" doc:"text from which on the rest of a line is left out; by default lines that begin with # or % are" default:""`
	NA        labels   `arg:"na" doc:"words and numbers for a missing value, such as {-999}, besides the usual ones: empty, NA, NaN, null, -, ." default:"{}"`
	Text      []string `arg:"text" doc:"columns that are words, though they look like numbers" default:"{}"`
	DayFirst  *bool    `arg:"day_first" doc:"whether 3/4/2024 is in April; recognised by default where the dates tell"`
	SkipBad   bool     `arg:"skip_bad" doc:"leave out rows that cannot be read; the result lists their lines" default:"false"`
	Sheet     string   `arg:"sheet" doc:"of a workbook (.xlsx): which sheet, if it has several; of data.load \"*\": all of them, each a pair" default:""`
}

func (p sheetOptions) options() (sheet.Options, error) {
	o := sheet.Options{
		Header: p.Header, Skip: p.Skip, Comment: p.Comment, Missing: texts(p.NA), Text: p.Text, DayFirst: p.DayFirst, SkipBad: p.SkipBad, Part: p.Sheet,
	}
	if p.Decimal != nil {
		o.Decimal = (*p.Decimal)[0]
	}
	switch separator := map[string]string{`\t`: "\t", "tab": "\t"}[p.Separator]; {
	case separator != "":
		o.Separator = separator[0]
	case len(p.Separator) > 1 || strings.ContainsAny(p.Separator, "\"\n\r.0123456789"):
		return o, fmt.Errorf("separator %q: want one sign, such as \";\", \"\\t\" or \" \" for any white space", p.Separator)
	case p.Separator != "":
		o.Separator = p.Separator[0]
	}
	if o.Decimal == ',' && o.Separator == ',' {
		return o, fmt.Errorf("decimal %q: is the separator too", ",")
	}
	return o, nil
}

// loadSheet reads one file.
func loadSheet(c *bind.Call, path string, p sheetOptions) (*sheet.Sheet, error) {
	if err := mayRead(c, path); err != nil {
		return nil, err
	}
	o, err := p.options()
	if err != nil {
		return nil, err
	}
	return sheet.Load(c, path, o)
}

// sheetFile begins examples that need a file.
const sheetFile = `path = os.tmpname() .. ".csv"
file = io.open(path, "w")
file:write("run;depth [m];f\na;0,5;1\na;1,5;NA\nb;0,5;3\nb;1,5;4\n")
file:close()
`

// sampleSheet begins examples that need a sheet.
const sampleSheet = `s = sheet.new({run = {"a", "a", "b", "b"}, depth = {0.5, 1.5, 0.5, 1.5}, f = {1, 2, 3, 4}},
  {columns = {"run", "depth", "f"}, units = {depth = "m"}})
`

func newSheet(values map[string]columnValues, order []string, units map[string]string) (*sheet.Sheet, error) {
	names := slices.Sorted(maps.Keys(values))
	if order != nil {
		for _, name := range order {
			if err := nameIn("columns", name, names); err != nil {
				return nil, err
			}
		}
		if len(order) != len(names) {
			return nil, fmt.Errorf("columns: %d names, want each of the %d columns once", len(order), len(names))
		}
		names = order
	}
	for _, name := range slices.Sorted(maps.Keys(units)) {
		if err := nameIn("units", name, names); err != nil {
			return nil, err
		}
	}
	var columns []*sheet.Column
	for _, name := range names {
		c, err := newColumn(name, values[name])
		if err != nil {
			return nil, err
		}
		c.Unit = units[name]
		columns = append(columns, c)
	}
	return sheet.New(columns...)
}

func newColumn(name string, v columnValues) (*sheet.Column, error) {
	if v.IsB {
		return sheet.NewText(name, v.B), nil
	}
	if v.A.Rank() != 1 && v.A.Size() != v.A.Shape[0] {
		return nil, fmt.Errorf("values.%s: an array of shape %s, want one number for each row", name, dense.ShapeString(v.A.Shape))
	}
	return sheet.NewColumn(name, v.A.Data), nil
}

// valuesOfColumn are the numbers of a column, shared, or its words.
func valuesOfColumn(c *sheet.Column) columnValues {
	if c.Kind == sheet.Text {
		return bind.Second[*array.Array](c.Words())
	}
	return bind.First[*array.Array, []string](array.Vector(c.Numbers))
}
