package dataset

import (
	"fmt"
	"math"
	"slices"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/remedy"
	"github.com/greenbench/workbench/internal/numeric/spelling"
	"github.com/greenbench/workbench/numeric/mesh"
)

// A Curve is a function measured at points of its own.
type Curve struct {
	Points []float64 // positions on an axis, in any order, each once
	Mesh   mesh.Mesh // in place of Points: points with a quadrature of their own
	Values []float64 // one for each point
}

// CurvesSpec is what [NewCurves] makes a dataset from: a curve for each pair.
type CurvesSpec struct {
	Input, Output         []Curve
	InputName, OutputName string // of the coordinates of Points; "": x
	Missing               bool   // allow NaN: a value that was not measured, of outputs and of inputs
}

// NewCurves makes pairs of curves that each have points of their own. The meshes of the dataset
// are all the points that any curve has, each once; points that only nearly agree stay two.
//
// Inputs are integrated by the quadrature of each curve: trapezoids between its first and its
// last point, or the weights of its mesh. Row i of Input is, at the points of curve i, its
// values times their own weights over those of InputMesh, and zero elsewhere, so that
// integrals over InputMesh are those over the curve. A value that was not measured is left
// out of its curve.
//
// Outputs count where they were measured: Output is NaN at points of other curves. In the
// objective the value at y weighs 1/ρ(y), ρ being how many values a curve has a unit length at
// y, in the mean of the curves: that of one curve is one over the length of axis that is
// nearer to this point than to its others, or over the weight of the nearest point of its
// mesh. Values near each other weigh the same, whichever curve they are of. Curves that all
// have the same points are a dataset on their mesh, with its weights.
//
// Errors count pairs from 1. Cost: pairs × all points, in time and numbers.
func NewCurves(s CurvesSpec) (*Dataset, error) {
	if n, k := len(s.Input), len(s.Output); n == 0 || n != k {
		return nil, fmt.Errorf("input has %d curves and output %d: want one of each for every pair, and at least one", n, k)
	}
	in, err := placeAll(side{name: "input", missing: s.Missing, coordinate: s.InputName, integrated: true}, s.Input)
	if err != nil {
		return nil, err
	}
	out, err := placeAll(side{name: "output", missing: s.Missing, coordinate: s.OutputName}, s.Output)
	if err != nil {
		return nil, err
	}
	spec := Spec{Missing: s.Missing}
	var curves []Curve
	if spec.InputMesh, err = in.mesh(); err != nil {
		return nil, err
	}
	if spec.Input = in.together(); spec.Input == nil {
		spec.Input, curves = in.folded(spec.InputMesh), in.measured()
	}
	if spec.OutputMesh, err = out.mesh(); err != nil {
		return nil, err
	}
	if spec.Output = out.together(); spec.Output == nil {
		spec.Output, spec.Missing = out.spread(), true
	}
	d, err := New(spec)
	if err == nil {
		d.Curves = curves
	}
	return d, err
}

// side is the inputs or the outputs of pairs.
type side struct {
	name, coordinate string
	missing          bool
	integrated       bool // inputs: what matters are integrals

	curves []placed
	same   bool      // all have the points of the first
	dim    int       // of a point
	points []float64 // of the union
}

// placed is a curve with its points in order and its quadrature.
type placed struct {
	at      []float64 // points × dim
	values  []float64
	weights []float64
	given   mesh.Mesh
	raw     []float64 // the values in the order of the mesh that was given
	index   []int     // of the points in the union
}

// placeAll checks curves and finds their points in the union.
func placeAll(s side, curves []Curve) (*side, error) {
	for i, c := range curves {
		p, dim, err := s.place(c)
		if err != nil {
			return nil, fmt.Errorf("%s %d: %w", s.name, i+1, err)
		}
		if s.dim == 0 {
			s.dim = dim
		}
		if dim != s.dim {
			return nil, fmt.Errorf("%s %d: its points have %d coordinates, those of the first %d: want as many", s.name, i+1, dim, s.dim)
		}
		s.curves = append(s.curves, p)
	}
	first := s.curves[0]
	s.same = !slices.ContainsFunc(s.curves, func(p placed) bool {
		return !slices.Equal(p.at, first.at) || !p.given.Equal(first.given)
	})
	if err := s.unite(); err != nil {
		return nil, err
	}
	return &s, dense.CheckMatrix(fmt.Sprintf("%s: %d curves on the %d points of all of them", s.name, len(curves), s.size()), 1, len(curves), s.size())
}

// place puts the points of a curve in order and gives them weights.
func (s *side) place(c Curve) (p placed, dim int, err error) {
	if c.Mesh.Size() > 0 {
		if len(c.Points) > 0 {
			return p, 0, fmt.Errorf("has points and a mesh: give one of them")
		}
		p = placed{at: c.Mesh.Points(), weights: c.Mesh.Weights(), given: c.Mesh}
		dim = c.Mesh.Dim()
	} else {
		p, dim = placed{at: slices.Clone(c.Points)}, 1
	}
	if n := len(p.at) / dim; n == 0 || n != len(c.Values) {
		return p, dim, fmt.Errorf("%s at %s: want one value for each point, and at least one", spelling.Count(len(c.Values), "value"), spelling.Count(n, "point"))
	}
	p.values, p.raw = slices.Clone(c.Values), c.Values
	if err := s.checkValues(p, dim); err != nil {
		return p, dim, err
	}
	if dim == 1 {
		if err := p.sort(); err != nil {
			return p, dim, err
		}
	}
	if s.integrated {
		err = p.withoutGaps(dim)
	}
	if err == nil && p.weights == nil {
		err = p.trapezoids(s.integrated)
	}
	return p, dim, err
}

// checkValues refuses positions and values that are no numbers.
func (s *side) checkValues(p placed, dim int) error {
	for k, x := range p.at {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("point %d is %g: must be finite", k/dim+1, x)
		}
	}
	for k, v := range p.values {
		switch {
		case math.IsInf(v, 0):
			return fmt.Errorf("value %d, at %s, is %g: must be finite", k+1, dense.PointString(p.at[k*dim:(k+1)*dim]), v)
		case math.IsNaN(v) && !s.missing:
			return remedy.AllowMissing.For(fmt.Errorf("value %d, at %s, is NaN: must be finite", k+1, dense.PointString(p.at[k*dim:(k+1)*dim])))
		}
	}
	return nil
}

// sort puts points of one coordinate in order, and refuses one that is there twice.
func (p *placed) sort() error {
	order := make([]int, len(p.at))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case p.at[a] < p.at[b]:
			return -1
		case p.at[a] > p.at[b]:
			return 1
		}
		return 0
	})
	p.at, p.values = take(p.at, order), take(p.values, order)
	if p.weights != nil {
		p.weights = take(p.weights, order)
	}
	for k := 1; k < len(p.at); k++ {
		if p.at[k] == p.at[k-1] {
			a, b := min(order[k-1], order[k]), max(order[k-1], order[k])
			return fmt.Errorf("points %d and %d are both at %.9g: want one value at each point; take the mean of the two, or leave one out", a+1, b+1, p.at[k])
		}
	}
	return nil
}

// withoutGaps leaves out what was not measured. Weights that were given are of all points.
func (p *placed) withoutGaps(dim int) error {
	var left []int
	for k, v := range p.values {
		if !math.IsNaN(v) {
			left = append(left, k)
		}
	}
	switch {
	case len(left) == len(p.values):
		return nil
	case len(left) == 0:
		return fmt.Errorf("every value is missing")
	case p.given.Size() > 0 && (dim > 1 || p.given.Axes()[0].Rule != mesh.TrapezoidRule):
		return fmt.Errorf("%d values are missing, and the quadrature of its mesh is of all points: give the positions of those that were measured", len(p.values)-len(left))
	}
	p.at, p.values, p.weights, p.given = take(p.at, left), take(p.values, left), nil, mesh.Mesh{}
	return nil
}

// trapezoids are the weights of trapezoids between the points. integrated says that they are
// needed: an output of one point has none, and counts all the same.
func (p *placed) trapezoids(integrated bool) error {
	n := len(p.at)
	if n == 1 && integrated {
		return fmt.Errorf("has one point, at %.9g, between which and no other there is an integral: give two points at least, or a mesh of the point with its weight", p.at[0])
	}
	p.weights = make([]float64, n)
	for k := 1; k < n; k++ {
		h := (p.at[k] - p.at[k-1]) / 2
		p.weights[k-1] += h
		p.weights[k] += h
	}
	return nil
}
