package bindings

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/sheet"
	"github.com/greenbench/workbench/numeric/array"
)

// wanted are the values of a column that a filter lets through.
type wanted = bind.Either[string, bind.Either[float64, labels]]

// choice says which rows of a sheet are taken.
type choice = bind.Either[bind.Function, bind.Either[*arrays.Mask, map[string]wanted]]

type sheetSelf struct {
	Sheet *sheet.Sheet `arg:"self"`
}

// sheetParts are the methods that take a table apart by rows and columns.
func sheetParts() []bind.Func {
	return []bind.Func{
		bind.Fn("column", "One column: s.depth, for names of any form.", func(_ *bind.Call, p *struct {
			sheetSelf
			Name string `arg:"name" pos:"1" doc:"name of the column, or its header with the unit"`
		},
		) (columnValues, error) {
			c, err := p.Sheet.Column(p.Name)
			if err != nil {
				return columnValues{}, err
			}
			return valuesOfColumn(c), nil
		}, bind.Returns("an array of the numbers, which it shares, or a list of words"), bind.Errors("no column of that name"),
			bind.Example(sampleSheet+`print(s:column("f"):sum(), s:column("run")[3])  --> 10	b`)),
		bind.Fn("row", "One row as a table: a number or a word by name of the column.", func(c *bind.Call, p *struct {
			sheetSelf
			I int `arg:"i" pos:"1" doc:"which row, from 1; negative numbers count from the end"`
		},
		) (bind.Any, error) {
			i, err := indexOf(p.I, p.Sheet.N)
			if err != nil {
				return bind.Any{}, err
			}
			return bind.Any{LValue: rowTable(c, p.Sheet, i)}, nil
		}, bind.ReturnsAs("table", "the values by name"), bind.Errors("no such row"), bind.Example(sampleSheet+`print(s:row(3).run, s:row(-1).f)  --> b	4`)),
		bind.Fn("head", "The first rows.", func(_ *bind.Call, p *struct {
			sheetSelf
			N int `arg:"n" pos:"1" doc:"how many" default:"5" allow:">=0"`
		},
		) (*sheet.Sheet, error) {
			rows := make([]int, min(p.N, p.Sheet.N))
			for i := range rows {
				rows[i] = i
			}
			return p.Sheet.Take(rows)
		}, bind.Returns("a new sheet"), bind.Example(sampleSheet+`print(s:head(2))
--> sheet: 2 rows, 3 columns
-->    run   depth [m]       f
-->    text     number  number
-->    a           0.5       1
-->    a           1.5       2`)),
		bind.Fn("filter", "The rows for which a function is true, where a mask holds, or with given values in columns.", func(c *bind.Call, p *struct {
			sheetSelf
			By choice `arg:"by" pos:"1" doc:"a function of a row, function(r) return r.depth > 1 end; a mask, s.depth:gt(1); or values, {run = \"a\"} or {run = {\"a\", \"b\"}}" allow:"nan"`
		},
		) (*sheet.Sheet, error) {
			rows, err := chosenRows(c, p.Sheet, &p.By)
			if err != nil {
				return nil, err
			}
			return p.Sheet.Take(rows)
		}, bind.Returns("a new sheet, perhaps of no rows"), bind.Errors("no such column", "a mask of another length"), bind.Keywords("where", "select", "subset", "rows"),
			bind.Example(sampleSheet+`print(s:filter{run = "a"}.n, s:filter(s.f:gt(1)).n)  --> 2	3
print(s:filter(function(r) return r.run == "b" and r.depth > 1 end).f[1])  --> 4`)),
		bind.Fn("with", "The table with more columns, or others in place of those of the same names.", func(_ *bind.Call, p *struct {
			sheetSelf
			Values map[string]columnValues `arg:"values" pos:"1" doc:"numbers or words by name of the column, one for each row" allow:"nan"`
		},
		) (*sheet.Sheet, error) {
			var columns []*sheet.Column
			for _, name := range slices.Sorted(maps.Keys(p.Values)) {
				c, err := newColumn(name, p.Values[name])
				if err != nil {
					return nil, err
				}
				columns = append(columns, c)
			}
			return p.Sheet.With(columns...)
		}, bind.Returns("a new sheet"), bind.Errors("a column of another length"), bind.Keywords("add", "mutate", "assign"),
			bind.Example(sampleSheet+`print(s:with{g = 2 * s.f}.g:sum())  --> 20`)),
	}
}

// rowTable is row i for a script.
func rowTable(c *bind.Call, s *sheet.Sheet, i int) *lua.LTable {
	table := c.L.CreateTable(0, len(s.Columns))
	for _, column := range s.Columns {
		if column.Kind == sheet.Text {
			table.RawSetString(column.Name, lua.LString(column.Word(i)))
		} else {
			table.RawSetString(column.Name, lua.LNumber(column.Numbers[i]))
		}
	}
	return table
}

func chosenRows(c *bind.Call, s *sheet.Sheet, by *choice) (rows []int, err error) {
	var holds func(i int) (bool, error)
	switch {
	case !by.IsB:
		holds = func(i int) (bool, error) {
			results, err := by.A.Call(c, bind.Any{LValue: rowTable(c, s, i)})
			return len(results) > 0 && lua.LVAsBool(results[0]), err
		}
	case !by.B.IsB:
		m := by.B.A
		if m.Rank() != 1 || m.Size() != s.N {
			return nil, fmt.Errorf("by: a mask of shape %s, want one truth for each of the %d rows, as of a column, s.depth:gt(0)", dense.ShapeString(m.Shape), s.N)
		}
		holds = func(i int) (bool, error) { return m.Data[i], nil }
	default:
		if holds, err = valuesFilter(s, by.B.B); err != nil {
			return nil, err
		}
	}
	for i := range s.N {
		if i%4096 == 0 && c.Err() != nil {
			return nil, c.Err()
		}
		ok, err := holds(i)
		if err != nil {
			return nil, err
		}
		if ok {
			rows = append(rows, i)
		}
	}
	return rows, nil
}

// valuesFilter lets rows through that have one of the values in each of the columns.
func valuesFilter(s *sheet.Sheet, by map[string]wanted) (func(i int) (bool, error), error) {
	if len(by) == 0 {
		return nil, errors.New("by: names no column; want such as {run = \"a\"}")
	}
	var tests []func(i int) bool
	for _, name := range slices.Sorted(maps.Keys(by)) {
		column, err := s.Column(name)
		if err != nil {
			return nil, fmt.Errorf("by: %w", err)
		}
		test, err := oneOf(column, by[name])
		if err != nil {
			return nil, fmt.Errorf("by.%s: %w", name, err)
		}
		tests = append(tests, test)
	}
	return func(i int) (bool, error) {
		for _, test := range tests {
			if !test(i) {
				return false, nil
			}
		}
		return true, nil
	}, nil
}

// oneOf tests whether a row of a column has one of the values.
func oneOf(c *sheet.Column, w wanted) (func(i int) bool, error) {
	var words []string
	var numbers []float64
	switch {
	case !w.IsB:
		words = []string{w.A}
	case !w.B.IsB:
		numbers = []float64{w.B.A}
	default:
		numbers = w.B.B.B
		for _, v := range w.B.B.A {
			if v.IsB {
				numbers = append(numbers, v.B)
			} else {
				words = append(words, v.A)
			}
		}
	}
	switch {
	case c.Kind == sheet.Number && len(words) > 0:
		return nil, fmt.Errorf("%q: the column holds numbers", words[0])
	case c.Kind == sheet.Text && len(numbers) > 0:
		return nil, fmt.Errorf("%g: the column holds words; write \"%g\"", numbers[0], numbers[0])
	}
	return func(i int) bool {
		if c.Kind != sheet.Text && slices.ContainsFunc(numbers, func(x float64) bool {
			return x == c.Numbers[i] || math.IsNaN(x) && c.Missing(i)
		}) {
			return true
		}
		return len(words) > 0 && slices.Contains(words, c.Word(i))
	}, nil
}

// sheetOrder are the methods that put rows together by what they hold.
func sheetOrder() []bind.Func {
	return []bind.Func{
		bind.Fn("sort", "The rows sorted by one column, or by several, the first of which counts most; missing values come last, and run2 before run10.", func(c *bind.Call, p *struct {
			sheetSelf
			By         []string `arg:"by" pos:"1" doc:"name of the column, or a list of them" allow:"nonempty"`
			Descending bool     `arg:"descending" doc:"the largest first" default:"false"`
		},
		) (*sheet.Sheet, error) {
			return p.Sheet.Sort(c, p.Descending, p.By...)
		}, bind.Returns("a new sheet; rows that are equal stay in their order"), bind.Errors("no such column"), bind.Keywords("order", "arrange"),
			bind.Example(sampleSheet+`print(s:sort{"depth", "run"}.f[2], s:sort("f", {descending = true}).f[1])  --> 3	4`)),
		bind.Fn("group", "A table for each value of a column, in the order in which the values come.", func(c *bind.Call, p *struct {
			sheetSelf
			By string `arg:"by" pos:"1" doc:"name of the column"`
		},
		) (bind.Results, error) {
			groups, err := p.Sheet.Groups(c, p.By)
			if err != nil {
				return nil, err
			}
			parts, names := make([]*sheet.Sheet, len(groups)), make([]string, len(groups))
			for k, g := range groups {
				if names[k] = g.Label; c.Err() != nil {
					return nil, c.Err()
				}
				if parts[k], err = p.Sheet.Take(g.Rows); err != nil {
					return nil, err
				}
			}
			return bind.Results{parts, names}, nil
		}, bind.ReturnsAs("sheet[]", "the tables"), bind.ReturnsAs("string[]", "the values"), bind.Errors("no such column", "a value that is missing"), bind.Keywords("split", "groupby", "partition"), bind.See("sheet:means", "sheet:pivot"),
			bind.Example(sampleSheet+`runs, names = s:group("run")
for i, run in ipairs(runs) do print(names[i], run.f:mean()) end
--> a	1.5
--> b	3.5`)),
		bind.Fn("means", "A row for each value of a column: the means of the other columns of numbers, without what is missing, and the number of rows.", func(c *bind.Call, p *struct {
			sheetSelf
			By string `arg:"by" pos:"1" doc:"name of the column"`
		},
		) (*sheet.Sheet, error) {
			return p.Sheet.Means(c, p.By)
		}, bind.Returns("a new sheet, with a column count"), bind.Errors("no such column", "a value that is missing"), bind.Keywords("average", "aggregate", "groupby"), bind.See("sheet:group"),
			bind.Example(sampleSheet+`print(s:means("run").f[2], s:means("run").count[2])  --> 3.5	2`)),
		bind.Fn("pivot", "A column of values as a matrix: a row for each pair, a column for each position.", func(c *bind.Call, p *struct {
			sheetSelf
			Pair  string `arg:"pair" doc:"column that names the pair, which is a row of the matrix"`
			X     string `arg:"x" doc:"column of numbers with the positions"`
			Value string `arg:"value" doc:"column of numbers with the values"`
		},
		) (bind.Results, error) {
			values, at, labels, err := p.Sheet.Pivot(c, p.Pair, p.X, p.Value)
			return bind.Results{values, array.Vector(at), labels}, err
		}, bind.ReturnsAs("array", "pairs × positions, NaN where there is no value"), bind.ReturnsAs("array", "the positions, increasing"), bind.ReturnsAs("string[]", "the pairs"),
			bind.Errors("two values in one place, with their lines", "a position that is missing"), bind.Keywords("wide", "reshape", "matrix", "unstack"), bind.See("data.load"),
			bind.Example(sampleSheet+`F, x, names = s:pivot{pair = "run", x = "depth", value = "f"}
print(F:at(2, 1), x[1], names[2])  --> 3	0.5	b`)),
	}
}
