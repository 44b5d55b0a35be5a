package bindings

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/records"
	"github.com/greenbench/workbench/internal/numeric/sheet"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
)

// loadData is what data.load is called with.
type loadData struct {
	Path       string    `arg:"path" pos:"1" doc:"the file, or a directory of .npy and .csv files; of tables also a pattern, runs/*.csv, one file a pair" default:""`
	Input      roleNames `arg:"input" doc:"name of the array, or of the column, with the inputs; f by default; columns by name make a frame: {f = \"force\", age = \"age\"}" default:"nil"`
	Output     roleNames `arg:"output" doc:"name of the array, or of the column, with the outputs, u by default; or a file beside the first" default:"nil"`
	InputMesh  mesh.Mesh `arg:"input_mesh" doc:"where the inputs are sampled; files written by d:save contain it, tables the positions, NetCDF, HDF5 and Zarr the coordinates of their dimensions" default:"nil"`
	OutputMesh mesh.Mesh `arg:"output_mesh" doc:"where the outputs are sampled; by default the input mesh" default:"nil"`
	Axis       string    `arg:"axis" doc:"which way round arrays of a file are: the pairs are their rows, or their columns" allow:"rows|columns" default:"rows"`
	Rows       []int     `arg:"rows" doc:"first and last pair, {1, 500}; all by default" default:"nil"`
	Missing    bool      `arg:"missing" doc:"NaN in the outputs, and in inputs on one axis, means not observed; in tables it does" default:"false"`
	roles
	OutputFile string `arg:"output_file" doc:"table with the outputs, if they are in another file, beside the first" default:""`
	sheetOptions
}

// roleNames are a column, or several by the name they get.
type roleNames = bind.Either[string, map[string]string]

// roles say what the columns of a table of measurements are.
type roles struct {
	Pair      string            `arg:"pair" doc:"of a table: column that says which pair a row belongs to" default:""`
	X         []string          `arg:"x" doc:"of a table: column of the positions, {\"lon\", \"lat\"} for two coordinates" default:"{}"`
	InputX    []string          `arg:"input_x" doc:"positions of the inputs, where those of the outputs are in another column" default:"{}"`
	OutputX   []string          `arg:"output_x" doc:"positions of the outputs, likewise" default:"{}"`
	Kind      string            `arg:"kind" doc:"column of words that say what a row measures; input and output are two of the words" default:""`
	Value     string            `arg:"value" doc:"with kind: the column of the numbers, if more than one is left" default:""`
	Group     map[string]string `arg:"group" doc:"with named inputs: columns with a label for each pair, {subject = \"name\"}" default:"{}"`
	Parameter map[string]string `arg:"parameter" doc:"with named inputs: columns with a number for each pair that the operator depends on" default:"{}"`
	Average   bool              `arg:"average" doc:"take the mean of values of one pair in one place" default:"false"`
	Wide      bool              `arg:"wide" doc:"one function a row, with the positions in the header: give pair, not x; or one function a column, with the pairs in the header: give x" default:"false"`
}

// given reports whether any of them is.
func (r roles) given() bool {
	return r.Pair != "" || len(r.X)+len(r.InputX)+len(r.OutputX) > 0 || r.Kind != "" || len(r.Group)+len(r.Parameter) > 0 || r.Wide || r.Average
}

// wide reports whether the table has a function in each row.
func (r roles) wide() bool {
	return r.Wide || r.Pair != "" && len(r.X)+len(r.InputX)+len(r.OutputX) == 0 && r.Kind == ""
}

// spec is what the roles are for numeric.
func (r roles) spec(input, output roleNames) (records.Spec, error) {
	s := records.Spec{
		Pair: r.Pair, X: r.X, InputX: r.InputX, OutputX: r.OutputX, Kind: r.Kind, Value: r.Value,
		Group: r.Group, Parameter: r.Parameter, Average: r.Average, Wide: r.wide(),
	}
	named := func(n roleNames, otherwise string) map[string]string {
		if n.IsB {
			return n.B
		}
		if n.A == "" {
			n.A = otherwise
		}
		return map[string]string{"": n.A}
	}
	if input.IsB && !output.IsB && output.A != "" {
		output = bind.Second[string](map[string]string{output.A: output.A})
	}
	s.Input, s.Output = named(input, "f"), named(output, "u")
	switch {
	case len(s.Input) == 0:
		return s, errors.New("input: names no column")
	case len(s.Output) == 0:
		return s, errors.New("output: names no column")
	case input.IsB && !output.IsB:
		return s, errors.New("output: want a name, since the inputs have them, such as output = {u = \"u\"}")
	case output.IsB && !input.IsB:
		return s, errors.New("input: want names, since the outputs have them, such as input = {f = \"f\"}")
	case s.Wide && input.IsB:
		return s, errors.New("wide: a file has one input or one output; for several give one measurement a row, with x")
	case r.Value != "" && r.Kind == "":
		return s, errors.New("value: goes with kind, the column that says what a row measures")
	}
	for role, list := range map[string]map[string]string{"input": s.Input, "output": s.Output, "group": s.Group, "parameter": s.Parameter} {
		if err := utterable(role, list); err != nil {
			return s, err
		}
	}
	return s, nil
}

// result is what data.load and s:pairs give.
func measuredResult(r *records.Result, err error) (bind.Results, error) {
	if err != nil {
		return nil, err
	}
	d := bind.First[*dataset.Dataset, frame](r.Pairs)
	if r.Table != nil {
		d = bind.Second[*dataset.Dataset](r.Table)
	}
	return bind.Results{d, r.Labels, r.Notes}, nil
}

// ofTable reports whether data.load reads a table of named columns.
func (p loadData) ofTable() bool {
	return p.given() || p.OutputFile != "" || strings.ContainsAny(p.Path, "*?[") || p.Input.IsB || p.Output.IsB ||
		isWorkbook(p.Path) && p.InputMesh.Size() == 0
}

// measured makes pairs of a table, or of several.
func (p loadData) measured(c *bind.Call) (bind.Results, error) {
	if p.InputMesh.Size() > 0 || p.OutputMesh.Size() > 0 {
		return nil, errors.New("input_mesh, output_mesh: a table has the positions itself; leave them out")
	}
	if p.Path == "" && !p.Input.IsB && isTableFile(p.Input.A) { // data.load{input = "f.csv", output = "u.csv"}
		p.Path, p.Input.A = p.Input.A, ""
		if !p.Output.IsB && isTableFile(p.Output.A) {
			p.OutputFile, p.Output.A = p.Output.A, ""
		}
	} else if !p.Output.IsB && isTableFile(p.Output.A) {
		p.OutputFile, p.Output.A = beside(p.Path, p.Output.A), ""
	} else if p.OutputFile != "" {
		p.OutputFile = beside(p.Path, p.OutputFile)
	}
	if p.Path == "" {
		return nil, errors.New("path: missing; want a table, or a pattern such as \"runs/*.csv\"")
	}
	s, err := p.spec(p.Input, p.Output)
	if err != nil {
		return nil, err
	}
	if p.OutputFile != "" && s.Input[""] == "f" && s.Output[""] == "u" && s.Kind == "" {
		s.OnlyColumn = p.Input.A == "" && p.Output.A == ""
	}
	if s.Inputs, err = p.parts(c, p.Path, s.Wide); err != nil {
		return nil, err
	}
	if p.OutputFile != "" {
		if s.Outputs, err = p.parts(c, p.OutputFile, s.Wide); err != nil {
			return nil, err
		}
	} else if s.Wide {
		return nil, errors.New("output: missing; a function a row: name the file with the outputs, such as output = \"u.csv\"; or x, the column with the positions")
	}
	r, err := records.New(c, s)
	if err == nil && p.Rows != nil {
		err = selectPairs(r, p.Rows)
	}
	return measuredResult(r, err)
}

func isTableFile(name string) bool {
	return slices.Contains(sheet.Extensions(), strings.ToLower(filepath.Ext(name)))
}

// beside is a file in the folder of another.
func beside(path, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(filepath.Dir(path), name)
}

// parts reads the files of a path, or of a pattern.
func (p loadData) parts(c *bind.Call, pattern string, wide bool) ([]records.Part, error) {
	paths, err := matching(c, pattern)
	if err != nil {
		return nil, err
	}
	o := p.sheetOptions
	if wide && o.Header == nil {
		yes := true
		o.Header = &yes
	}
	if wide && p.Pair != "" && !slices.Contains(o.Text, p.Pair) {
		o.Text = append(slices.Clone(o.Text), p.Pair)
	}
	var parts []records.Part
	if isWorkbook(pattern) && p.Sheet == "*" {
		return workbookParts(c, pattern, o)
	}
	for _, path := range paths {
		s, err := loadSheet(c, path, o)
		if err != nil {
			return nil, err
		}
		name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
		parts = append(parts, records.Part{Name: name, Sheet: s})
	}
	return parts, nil
}

func isWorkbook(path string) bool {
	return slices.Contains([]string{".xlsx", ".xlsm"}, strings.ToLower(filepath.Ext(path)))
}

// workbookParts reads all sheets of a workbook.
func workbookParts(c *bind.Call, path string, o sheetOptions) (parts []records.Part, err error) {
	if err := mayRead(c, path); err != nil {
		return nil, err
	}
	names, err := sheet.Parts(c, path)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		o.Sheet = name
		s, err := loadSheet(c, path, o)
		if err != nil {
			return nil, err
		}
		parts = append(parts, records.Part{Name: name, Sheet: s})
	}
	return parts, nil
}

// matching lists the files of a pattern, run2 before run10.
func matching(c *bind.Call, pattern string) ([]string, error) {
	if !strings.ContainsAny(pattern, "*?[") {
		if info, err := os.Stat(pattern); err == nil && info.IsDir() {
			return nil, fmt.Errorf("%s: is a folder; write %q for the .csv files in it, each of them a pair", pattern, filepath.ToSlash(filepath.Join(pattern, "*.csv")))
		}
		return []string{pattern}, nil
	}
	if err := mayRead(c, filepath.Dir(pattern)); err != nil {
		return nil, err
	}
	paths, err := filepath.Glob(pattern)
	if err != nil {
		return nil, fmt.Errorf("%s: no pattern: a [ has no ]", pattern)
	}
	paths = slices.DeleteFunc(paths, func(path string) bool { return !isTableFile(path) })
	if len(paths) == 0 {
		return nil, fmt.Errorf("%s: no such file of %s", pattern, list(sheet.Extensions()))
	}
	slices.SortFunc(paths, sheet.Natural)
	return paths, nil
}

// selectPairs takes the pairs from the first to the last.
func selectPairs(r *records.Result, rows []int) (err error) {
	if len(rows) != 2 || rows[0] < 1 || rows[1] < rows[0] || rows[1] > len(r.Labels) {
		return fmt.Errorf("rows: must be {first, last} with 1 <= first <= last <= %d, the number of pairs", len(r.Labels))
	}
	r.Labels = r.Labels[rows[0]-1 : rows[1]]
	if r.Table != nil {
		r.Table, err = selectRows(r.Table, rows[0], rows[1])
		return err
	}
	r.Pairs, err = r.Pairs.Rows(rows[0]-1, rows[1])
	return err
}

// sheetText begins examples that load pairs from a table.
const sheetText = `path = os.tmpname() .. ".csv"
file = io.open(path, "w")
file:write("run,depth [m],f,u\na,0.5,1,2\na,1.5,3,1\na,2.5,0,1\nb,0.5,1,3\nb,1.5,2,2\nb,2.5,4,\n")
file:close()
`

// sheetPairs is the method that makes pairs of a table.
func sheetPairs() bind.Func {
	return bind.Fn("pairs", "Pairs from a table with one measurement a row, as data.load makes them from a file.", func(c *bind.Call, p *struct {
		sheetSelf
		Input  roleNames `arg:"input" doc:"column with the inputs, f by default; or columns by name, which make a frame" default:"nil"`
		Output roleNames `arg:"output" doc:"column with the outputs, u by default; or columns by name" default:"nil"`
		roles
	},
	) (bind.Results, error) {
		s, err := p.spec(p.Input, p.Output)
		if err != nil {
			return nil, err
		}
		if s.Wide {
			return nil, errors.New("x: missing; want the column with the positions; a function a row is read by data.load")
		}
		s.Inputs = []records.Part{{Name: "1", Sheet: p.Sheet}}
		return measuredResult(records.New(c, s))
	}, bind.ReturnsAs("dataset|frame", "the pairs, checked; a frame when inputs have names"), bind.ReturnsAs("string[]", "what the pairs are called"),
		bind.ReturnsAs("string[]", "notes on what was decided"),
		bind.Errors("two values in one place, with their lines", "a pair without inputs or outputs", "pairs that have no positions in common"), bind.Keywords("dataset", "long", "tidy"), bind.See("data.load", "data.new"),
		bind.Example(sheetText+`d = sheet.load(path):filter(function(r) return r.depth < 2 end):pairs{pair = "run", x = "depth"}
print(d.n, d.output:at(2, 1))  --> 2	3
os.remove(path)`))
}
