package bindings

import (
	"slices"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/sheet"
)

// Sheet is the Lua module sheet.
func Sheet() bind.Module {
	return bind.Module{
		Name: "sheet",
		Doc:  "Tables of named columns, read from text files and spreadsheets, and written to text files.",
		Funcs: []bind.Func{
			bind.Fn("load", "A table from .csv, .tsv, .txt, .dat or .xlsx: any separator, decimal points or commas, quotes, comments, units in the "+
				"header, times, and words for missing values are recognised. Columns are numbers, times (as seconds since the first) or words; "+
				"durations of a spreadsheet ([h]:mm:ss, mm:ss) are numbers, in seconds.",
				func(c *bind.Call, p *struct {
					Path string `arg:"path" pos:"1" doc:"the file"`
					sheetOptions
				},
				) (*sheet.Sheet, error) {
					return loadSheet(c, p.Path, p.sheetOptions)
				}, bind.Example(sheetFile+`s = sheet.load(path)
print(s.n, s.depth:mean(), s.units.depth)  --> 4	1	m
os.remove(path)`), bind.Returns("a sheet"),
				bind.Errors("the file is missing, or is not text", "fields that are not numbers in a column of numbers, with their lines", "rows with another number of fields", "dates whose order of day and month cannot be told"),
				bind.Keywords("read", "open", "import", "csv", "tsv", "xlsx", "table", "dataframe", "excel", "spreadsheet", "columns"), bind.See("data.load", "array.load")),
			bind.Fn("new", "A table from columns.", func(_ *bind.Call, p *struct {
				Values  map[string]columnValues `arg:"values" pos:"1" doc:"numbers or words by name of the column, all of one length" allow:"nan"`
				Columns []string                `arg:"columns" doc:"order of the columns; alphabetical by default" default:"nil"`
				Units   map[string]string       `arg:"units" doc:"unit of a column, by name" default:"{}"`
			},
			) (*sheet.Sheet, error) {
				return newSheet(p.Values, p.Columns, p.Units)
			}, bind.Example(`s = sheet.new({x = array.linspace(0, 1, 5), u = {1, 4, 9, 16, 25}}, {columns = {"x", "u"}})
print(s.n, s.columns[1])  --> 5	x`), bind.Returns("a sheet that shares the numbers"),
				bind.Errors("columns of different lengths", "a column of several axes"), bind.Keywords("table", "dataframe"), bind.See("sheet:save", "sheet:with")),
		},
		Types: []bind.Type{sheetType()},
	}
}

func sheetType() bind.Type {
	return bind.TypeOf[*sheet.Sheet]("sheet", "Rows of named columns, of numbers, times or words. s.depth is the column depth: an array, NaN where a number is "+
		"missing, or a list of words, \"\" where one is missing. Where a column has the name of a field or a method, write s:column(\"n\").",
		bind.ToString((*sheet.Sheet).String),
		bind.Properties(
			bind.Prop("n", "number of rows", func(s *sheet.Sheet) int { return s.N }),
			bind.Prop("columns", "names of the columns, in their order", (*sheet.Sheet).Names),
			bind.Prop("units", "units of the columns that have one, by name", func(s *sheet.Sheet) map[string]string {
				units := make(map[string]string)
				for _, c := range s.Columns {
					if c.Unit != "" {
						units[c.Name] = c.Unit
					}
				}
				return units
			}),
			bind.Prop("skipped", "lines of the file that could not be read and were left out", func(s *sheet.Sheet) []int { return s.Skipped }),
		),
		bind.Methods(slices.Concat(sheetParts(), sheetOrder(), []bind.Func{
			sheetPairs(),
			bind.Fn("save", "Writes the table with its names and units: .csv with commas, .tsv and .txt with tabs; all digits, so that sheet.load gives it back; "+
				"but for words that look like numbers or times, which come back with text = {…} naming their columns, words for missing values such as NA, which come back missing, and names of columns that are numbers, which want header = true.", func(c *bind.Call, p *struct {
				Sheet *sheet.Sheet `arg:"self"`
				Path  string       `arg:"path" pos:"1" doc:"file name ending in .csv, .tsv, .txt or .dat"`
			},
			) (bind.None, error) {
				if err := mayWrite(c, p.Path); err != nil {
					return bind.None{}, err
				}
				return bind.None{}, p.Sheet.Save(c, p.Path)
			}, bind.Example(sampleSheet+`path = os.tmpname() .. ".csv"
s:save(path)
print(sheet.load(path).f:sum())  --> 10
os.remove(path)`), bind.Errors("another ending", "a folder that cannot be written"), bind.Keywords("write", "export", "csv"), bind.See("sheet.load")),
		})...),
		bind.Members("columns", "Column of that name: an array of numbers, or a list of words.", (*sheet.Sheet).Names, func(s *sheet.Sheet, name string) columnValues {
			c, err := s.Column(name)
			if err != nil {
				panic(err) // it is among the names
			}
			return valuesOfColumn(c)
		}),
		bind.Len("Number of rows.", func(s *sheet.Sheet) int { return s.N }),
	)
}
