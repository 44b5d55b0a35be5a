package pde

import (
	"fmt"
	"math"

	"github.com/greenbench/workbench/internal/numeric/expr"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Coefficient is a given function of the coordinates: a potential, a coefficient
// of an operator, a boundary value. [Constant], [Formula] and [Func] are the ways
// to write one.
type Coefficient interface {
	at(x []float64) float64
	// String is the coefficient as a formula, or a description.
	String() string
}

// At is the value of a coefficient at a point, len(x) coordinates in the order of the mesh.
func At(c Coefficient, x []float64) float64 { return c.at(x) }

// Constant is a coefficient that is the same everywhere.
type Constant float64

func (c Constant) at([]float64) float64 { return float64(c) }

func (c Constant) String() string { return fmt.Sprint(float64(c)) }

// Formula is a coefficient given by an expression. Slot i of its variables is
// coordinate i of the mesh.
type Formula struct{ Node *expr.Node }

func (f Formula) at(x []float64) float64 { return expr.Eval(f.Node, x) }

func (f Formula) String() string {
	if f.Node == nil {
		return "missing"
	}
	return f.Node.String()
}

// Func is a coefficient computed by a Go function, which must always return the
// same value for the same point.
type Func func(x []float64) float64

func (f Func) at(x []float64) float64 { return f(x) }

func (Func) String() string { return "function" }

// values returns c at every point of m. Values must be finite; what names c in
// errors.
func values(what string, c Coefficient, m mesh.Mesh) ([]float64, error) {
	if c == nil {
		return nil, fmt.Errorf("%s: missing", what)
	}
	v := make([]float64, m.Size())
	if err := fill(v, what, c, m); err != nil {
		return nil, err
	}
	for i, y := range v {
		if math.IsNaN(y) || math.IsInf(y, 0) {
			return nil, fmt.Errorf("%s: is %g at %s: must be finite", what, y, place(m.Names(), m.Columns(), i))
		}
	}
	return v, nil
}

func fill(v []float64, what string, c Coefficient, m mesh.Mesh) error {
	f, ok := c.(Formula)
	if !ok {
		x := make([]float64, m.Dim())
		for i := range v {
			m.Point(x, i)
			v[i] = c.at(x)
		}
		return nil
	}
	if f.Node == nil {
		return fmt.Errorf("%s: missing", what)
	}
	prog, err := expr.Compile(f.Node, m.Dim())
	if err != nil {
		return fmt.Errorf("%s: %s uses more than the %d coordinates of the mesh", what, f, m.Dim())
	}
	vars := make([]expr.Operand, m.Dim())
	for i, col := range m.Columns() {
		vars[i] = expr.Operand{Vector: col}
	}
	prog.Block(v, vars)
	return nil
}

// Hexagon is the potential of the paper's section 5.3: Height inside a regular
// hexagon, zero outside. Its corners lie Radius from the centre, two of them in
// the direction of the first coordinate.
type Hexagon struct {
	Height float64 `arg:"height" doc:"value inside" default:"1000" allow:"finite"`
	Radius float64 `arg:"radius" doc:"distance of the corners from the centre" default:"0.25" allow:">0"`
	X      float64 `arg:"x" doc:"first coordinate of the centre" default:"0.5"`
	Y      float64 `arg:"y" doc:"second coordinate of the centre" default:"0.5"`
}

// Check refuses a hexagon without an inside.
func (h Hexagon) Check() error {
	if !(h.Radius > 0) || math.IsInf(h.Radius, 0) {
		return fmt.Errorf("radius %g: must be > 0 and finite", h.Radius)
	}
	return nil
}

func (h Hexagon) at(x []float64) float64 {
	along, across := math.Abs(x[0]-h.X), math.Abs(x[1]-h.Y)
	if across < h.Radius*math.Sqrt(3)/2 && along < h.Radius-across*math.Tan(math.Pi/6) {
		return h.Height
	}
	return 0
}

func (h Hexagon) String() string {
	return fmt.Sprintf("hexagon{height=%v, radius=%v, x=%v, y=%v}", h.Height, h.Radius, h.X, h.Y)
}
