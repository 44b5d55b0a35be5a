package bindings

import (
	"fmt"
	"path/filepath"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/sheet"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/mesh"
)

// band95 is the half width of a 95 % band in standard deviations.
const band95 = 1.96

// exported are values at places: what is written to files of arrays as matrices, and to
// tables with one value a row.
type exported struct {
	rows   coordinatesOf // of the matrices; without points: numbered from 1
	places coordinatesOf // of their columns
	names  []string
	values map[string]*mat.Dense
	more   map[string]*array.Array // beside them in files of arrays
}

// coordinatesOf are points with the name of each coordinate.
type coordinatesOf struct {
	names   []string
	columns [][]float64
}

// save writes to a file of arrays or, by the extension, to a table.
func (x exported) save(c *bind.Call, path string) error {
	if err := mayWrite(c, path); err != nil {
		return err
	}
	switch strings.ToLower(filepath.Ext(path)) {
	case ".csv", ".tsv", ".txt", ".dat":
		s, err := x.table()
		if err != nil {
			return err
		}
		return s.Save(c, path)
	}
	m := arrays.Members{Arrays: x.more}
	for name, v := range x.values {
		m.Arrays[name] = array.FromMatrix(v)
	}
	return arrays.SaveMembers(path, m)
}

// table has a row for each value.
func (x exported) table() (*sheet.Sheet, error) {
	n, k := x.values[x.names[0]].Dims()
	if err := dense.CheckSize("a table with a value a row", float64(n*k*(len(x.names)+len(x.rows.names)+len(x.places.names)))); err != nil {
		return nil, err
	}
	var columns []*sheet.Column
	add := func(name string, at func(i, j int) float64) {
		v := make([]float64, 0, n*k)
		for i := range n {
			for j := range k {
				v = append(v, at(i, j))
			}
		}
		columns = append(columns, sheet.NewColumn(name, v))
	}
	for d, name := range x.rows.names {
		add(name, func(i, _ int) float64 { return x.rows.columns[d][i] })
	}
	for d, name := range x.places.names {
		add(name, func(_, j int) float64 { return x.places.columns[d][j] })
	}
	for _, name := range x.names {
		add(name, x.values[name].At)
	}
	return sheet.New(columns...)
}

// points are those of a mesh as an array: a vector where there is one coordinate.
func points(m mesh.Mesh) *array.Array {
	if m.Dim() == 1 {
		return array.Vector(m.Points())
	}
	return &array.Array{Shape: []int{m.Size(), m.Dim()}, Data: m.Points()}
}

// exportMethods write what an estimate says for other programs.
func exportMethods() []bind.Func {
	return []bind.Func{saveGreen(), savePredictions()}
}

func saveGreen() bind.Func {
	return bind.Fn("save_green", `Writes G on meshes for other programs: to .csv, a row for each pair of points with their coordinates (for R, pandas, Excel); to .npz, .mat or .h5, the arrays green (points of xmesh × points of ymesh), x, y and bias (for NumPy, MATLAB, Octave).

With std = true also its posterior standard deviation: a column or an array std, and bias_std.`, func(c *bind.Call, p *struct {
		Estimate estimate  `arg:"self"`
		Path     string    `arg:"path" pos:"1" doc:"file name; its ending says the format"`
		X        mesh.Mesh `arg:"xmesh" doc:"points of the input; by default those of the input mesh" default:"nil"`
		Y        mesh.Mesh `arg:"ymesh" doc:"points of the output; by default those of the output mesh" default:"nil"`
		Std      bool      `arg:"std" doc:"also the posterior standard deviation, as est:std" default:"false"`
	},
	) (bind.None, error) {
		if err := writable(p.Path); err != nil {
			return bind.None{}, err
		}
		e := p.Estimate
		if p.X.Size() == 0 {
			p.X = e.InputMesh
		}
		if p.Y.Size() == 0 {
			p.Y = e.OutputMesh
		}
		g, err := e.Green(c, p.X, p.Y)
		if err != nil {
			return bind.None{}, err
		}
		bias, err := e.Bias(c, p.Y)
		if err != nil {
			return bind.None{}, err
		}
		in, out := mesh.JointNames(p.X, p.Y)
		x := exported{
			rows: coordinatesOf{in, p.X.Columns()}, places: coordinatesOf{out, p.Y.Columns()}, names: []string{"green"}, values: map[string]*mat.Dense{"green": g},
			more: map[string]*array.Array{"x": points(p.X), "y": points(p.Y), "bias": array.Vector(bias)},
		}
		if p.Std {
			s, err := e.Std(c, p.X, p.Y)
			if err != nil {
				return bind.None{}, err
			}
			b, err := e.BiasStd(c, p.Y)
			if err != nil {
				return bind.None{}, err
			}
			x.names, x.values["std"], x.more["bias_std"] = append(x.names, "std"), s, array.Vector(b)
		}
		return bind.None{}, x.save(c, p.Path)
	}, bind.Example(sampleFit+`path = os.tmpname() .. ".csv"
est:save_green(path, {xmesh = mesh.uniform(0, 1, 3), ymesh = mesh.uniform(0, 1, 5)})
G = sheet.load(path)
print(G.n, table.concat(G.columns, " "))  --> 15	x y green
os.remove(path)`), bind.Errors("an ending of no known format", "the file cannot be written"), bind.Keywords("export", "csv", "excel", "matlab", "write"),
		bind.See("estimate:green", "estimate:save_predictions", "estimate:save"))
}

func savePredictions() bind.Func {
	return bind.Fn("save_predictions", `Writes outputs for new inputs for other programs: to .csv, a row for each value with its pair and its coordinates (for R, pandas, Excel); to .npz, .mat or .h5, the arrays mean (n × points of ymesh) and y (for NumPy, MATLAB, Octave).

With std = true also std, the posterior standard deviation, and lower and upper, the limits of the 95 % band, mean ∓ 1.96 std, as columns or arrays.`, func(c *bind.Call, p *struct {
		Estimate estimate     `arg:"self"`
		Path     string       `arg:"path" pos:"1" doc:"file name; its ending says the format"`
		F        *array.Array `arg:"f" pos:"2" doc:"one input, or n × points of xmesh"`
		optionalMeshes
		Std bool `arg:"std" doc:"also the band, without the noise of outputs, as est:predict" default:"false"`
	},
	) (bind.None, error) {
		if err := writable(p.Path); err != nil {
			return bind.None{}, err
		}
		e := p.Estimate
		f, _, err := asRows(p.F, sizeOr(p.X, e.InputMesh))
		if err != nil {
			return bind.None{}, err
		}
		if p.Y.Size() == 0 {
			p.Y = e.OutputMesh
		}
		u, err := e.Predict(c, f, p.X, p.Y)
		if err != nil {
			return bind.None{}, err
		}
		n, _ := u.Dims()
		number := make([]float64, n)
		for i := range number {
			number[i] = float64(i + 1)
		}
		x := exported{
			rows: coordinatesOf{[]string{"pair"}, [][]float64{number}}, places: coordinatesOf{p.Y.Names(), p.Y.Columns()}, names: []string{"mean"},
			values: map[string]*mat.Dense{"mean": u}, more: map[string]*array.Array{"y": points(p.Y)},
		}
		if p.Std {
			s, err := e.PredictStd(c, f, p.X, p.Y)
			if err != nil {
				return bind.None{}, err
			}
			x.names = append(x.names, "std", "lower", "upper")
			x.values["std"], x.values["lower"], x.values["upper"] = s, around(u, s, -band95), around(u, s, band95)
		}
		return bind.None{}, x.save(c, p.Path)
	}, bind.Example(sampleNoisy+`path = os.tmpname() .. ".csv"
est:save_predictions(path, d:take(1, 2).input, {std = true})
u = sheet.load(path)
print(u.n, table.concat(u.columns, " "))  --> 60	pair x mean std lower upper
os.remove(path)`), bind.Errors("an ending of no known format", "the file cannot be written"), bind.Keywords("export", "csv", "excel", "matlab", "write", "band"),
		bind.See("estimate:predict", "estimate:save_green", "sheet.new"))
}

// writable refuses an ending before anything is computed for it.
func writable(path string) error {
	return arrays.CheckEnding(path, "values on meshes", ".csv", ".tsv", ".txt", ".dat", ".npz", ".mat", ".h5", ".hdf5")
}

// saveArrays is array.save.
func saveArrays() bind.Func {
	return bind.Fn("save", "Writes several arrays by name into one file: .npz for NumPy, .mat for MATLAB and Octave, .h5 for all that read HDF5. The file is written completely or not at all. Columns of a table go to .csv by sheet.new.", func(c *bind.Call, p *struct {
		Path   string                  `arg:"path" pos:"1" doc:"file name; its ending says the format"`
		Arrays map[string]*array.Array `arg:"arrays" pos:"2" doc:"arrays by name" allow:"nan nonempty"`
	},
	) (bind.None, error) {
		switch extension := strings.ToLower(filepath.Ext(p.Path)); extension {
		case ".csv", ".tsv", ".txt", ".dat":
			return bind.None{}, fmt.Errorf("path %q: a table has columns of one length: write sheet.new{x = x, u = u}:save(%q), or a:save(%q) for one array", p.Path, p.Path, p.Path)
		}
		if err := mayWrite(c, p.Path); err != nil {
			return bind.None{}, err
		}
		return bind.None{}, arrays.SaveAll(p.Path, p.Arrays)
	}, bind.Example(`path = os.tmpname() .. ".mat"
array.save(path, {x = array.linspace(0, 1, 5), A = array.ones(2, 3)})
print(array.load(path, "A").shape[2])  --> 3
os.remove(path)`), bind.Errors("an ending of no known format", "the file cannot be written"), bind.Keywords("savez", "savemat", "export", "write"), bind.See("array.load", "sheet.new"))
}
