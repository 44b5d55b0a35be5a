package bindings

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/syntax"
)

// Arguments that are one thing, or several by name.
type (
	oneOrMore = bind.Either[*array.Array, bind.Either[map[string]*array.Array, []*array.Array]]
	meshes    = bind.Either[mesh.Mesh, map[string]mesh.Mesh]
	labels    = bind.Either[[]bind.Either[string, float64], []float64]
	// samples are what data.new and data.load make.
	samples = bind.Either[*dataset.Dataset, frame]
)

// newData is what data.new is called with.
type newData struct {
	Input      oneOrMore            `arg:"input" doc:"n × points of the input mesh; or a list of n arrays, curves on points of their own; or several by name, {f = F, g = G, age = z}, where n numbers without a mesh are a covariate" allow:"nan"`
	Output     oneOrMore            `arg:"output" doc:"n × points of the output mesh; or a list of n arrays; or several by name" allow:"nan"`
	InputMesh  sampled              `arg:"input_mesh" doc:"where the inputs are sampled: one mesh or array of positions for all; a list of them, {x1, x2, …}, for the curves one by one; or one for each by name" default:"nil"`
	OutputMesh sampled              `arg:"output_mesh" doc:"where the outputs are sampled, likewise; by default where the inputs are" default:"nil"`
	Group      map[string]labels    `arg:"group" doc:"with named inputs: labels of the samples, {subject = {\"anna\", \"ben\", …}}; samples of one label share a curve" default:"{}"`
	Parameter  map[string][]float64 `arg:"parameter" doc:"with named inputs: a number for each sample that the operator depends on, {theta = t}" default:"{}"`
	Missing    bool                 `arg:"missing" doc:"NaN means not observed, in the outputs and, on one axis, in the inputs" default:"false"`
	Axis       string               `arg:"axis" doc:"which way round arrays are: the pairs are their rows, or their columns" allow:"rows|columns" default:"rows"`
}

// utterable refuses names that cannot follow a dot: est.u.end is no Lua.
func utterable[V any](role string, named map[string]V) error {
	for _, name := range slices.Sorted(maps.Keys(named)) {
		if syntax.IsKeyword(name) {
			return fmt.Errorf("%s: the name %q: is a word of the language; choose another", role, name)
		}
	}
	return nil
}

// texts writes labels that are numbers as Lua does.
func texts(l labels) (out []string) {
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', 14, 64) }
	for _, x := range l.A {
		if x.IsB {
			x.A = number(x.B)
		}
		out = append(out, x.A)
	}
	for _, x := range l.B {
		out = append(out, number(x))
	}
	return out
}

type frame = *dataset.Table

func names(fields []dataset.Field) (all []string) {
	for _, f := range fields {
		all = append(all, f.Name)
	}
	return all
}

func valuesOf(fields []dataset.Field) map[string]*array.Array {
	all := make(map[string]*array.Array)
	for _, f := range fields {
		all[f.Name] = f.Values
	}
	return all
}

func meshesOf(fields []dataset.Field) map[string]mesh.Mesh {
	all := make(map[string]mesh.Mesh)
	for _, f := range fields {
		all[f.Name] = f.Mesh
	}
	return all
}

// selectRows takes the samples from a to b, counted from 1.
func selectRows(d frame, a, b int) (frame, error) {
	if a < 1 || b < a || b > d.N() {
		return nil, fmt.Errorf("samples %d to %d: must be within 1 to %d, at least one", a, b, d.N())
	}
	rows := make([]int, b-a+1)
	for i := range rows {
		rows[i] = a - 1 + i
	}
	return d.Select(rows)
}

// nameIn refuses a name that is not in a list.
func nameIn(what, name string, all []string) error {
	for _, other := range all {
		if name == other {
			return nil
		}
	}
	return fmt.Errorf("%s: there is no %q; there are: %s%s", what, name, list(all), bind.DidYouMean(name, all))
}

func list(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// sampleFrame begins examples that need samples of several fields.
const sampleFrame = `p, k = pde.poisson{mesh = mesh.uniform(0, 1, 12)}, kernel.se{lengthscale = 0.1}
a, b = p:sample{n = 15, input = {kernel = k}}, p:sample{n = 15, input = {kernel = k}, seed = 2}
age = random.normal{shape = {15}, seed = 3}
d = data.new{input = {f = a.input, g = b.input, age = age}, output = {u = a.output - 2 * b.output}, input_mesh = p.input_mesh}
`

// sampleData begins examples that need some pairs.
const sampleData = `p = pde.poisson{mesh = mesh.uniform(0, 1, 30), left = -0.1, right = 0.1}
d = p:sample{n = 20, input = {kernel = kernel.se{lengthscale = 0.1}}}
`

// Where curves are sampled: a mesh, or positions on an axis; one for each, or one for all.
type (
	ownPoints = bind.Either[mesh.Mesh, bind.Either[float64, *array.Array]]
	// places are a list for the curves one by one, or positions: of all, or a row for each.
	places  = bind.Either[[]ownPoints, positions]
	sampled = bind.Either[mesh.Mesh, bind.Either[map[string]mesh.Mesh, places]]
)

// positions are an array of them; a number alone is none, though as an array it would be one of one element.
type positions struct{ *array.Array }

// DecodeLua implements bind.Decoder.
func (p *positions) DecodeLua(c *bind.Call, v lua.LValue) (err error) {
	if _, number := v.(lua.LNumber); number {
		return bind.ErrKind
	}
	p.Array, err = bind.Decode[*array.Array](c, v)
	return err
}

// LuaKind implements bind.Decoder.
func (p *positions) LuaKind() string { return "array" }
