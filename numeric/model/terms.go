package model

import (
	"fmt"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Kind is what a term is made of.
type Kind string

// The kinds of terms.
const (
	Linear      Kind = "field"               // ∫ G(x,y) f(x) dx
	Covariate   Kind = "covariate"           // (z - z̄) γ(y)
	Coefficient Kind = "varying coefficient" // (z - z̄) ∫ G(x,y) f(x) dx
	Curves      Kind = "group"               // γ_g(y)
)

// term is an addend of the model, as columns of a linear problem: the term of sample i is
// the row i of columns times a function on the points of on, with the weights of on.
type term struct {
	name    string
	kind    Kind
	on      mesh.Mesh                               // of the columns; without points for one column
	columns *mat.Dense                              // n × points of on
	kernel  kernel.Kernel                           // on the coordinates of on, then those of the output; of amplitude one
	auto    func(lengthscale float64) kernel.Kernel // the kernel for a fraction of the axes; nil: it is given

	field  *dataset.Field    // of a linear term or varying coefficient
	scalar *dataset.Scalar   // of a covariate or varying coefficient
	group  *dataset.Grouping // of random curves
	centre float64           // z̄; 0 where the covariate is not centred
	family *family           // of G_θ; nil: there are no parameters
}

// family are the parameters of the samples as points of a mesh.
type family struct {
	names  []string
	points mesh.Axis // distinct parameters
	of     []int     // point of each sample
	kernel kernel.Kernel
}

// terms makes those of an output.
func (s *Spec) terms(out *dataset.Field) ([]*term, error) {
	fam, err := s.family()
	if err != nil {
		return nil, err
	}
	var terms []*term
	for _, name := range s.termNames() {
		t, err := s.term(name, out.Mesh, fam)
		if err != nil {
			return nil, err
		}
		terms = append(terms, t)
	}
	return terms, nil
}

func find[T any](list []T, name func(*T) string, want string) *T {
	for i := range list {
		if name(&list[i]) == want {
			return &list[i]
		}
	}
	return nil
}

func (s *Spec) field(name string) *dataset.Field {
	return find(s.Data.Fields, func(f *dataset.Field) string { return f.Name }, name)
}

func (s *Spec) scalar(name string) *dataset.Scalar {
	return find(s.Data.Scalars, func(z *dataset.Scalar) string { return z.Name }, name)
}

// term makes the term of a name.
func (s *Spec) term(name string, out mesh.Mesh, fam *family) (*term, error) {
	if scalar, field, ok := product(name); ok {
		z, f := s.scalar(scalar), s.field(field)
		if z == nil || f == nil {
			return nil, fmt.Errorf("terms: %s: must be the name of a covariate times that of a field", name)
		}
		centre := 0.0
		if slices.Contains(s.termNames(), field) { // the rest is in the term of the field
			centre = stat.Mean(z.Values, nil)
		}
		return s.linear(&term{name: name, kind: Coefficient, field: f, scalar: z, centre: centre}, out, fam)
	}
	if f := s.field(name); f != nil {
		return s.linear(&term{name: name, kind: Linear, field: f}, out, fam)
	}
	if z := s.scalar(name); z != nil {
		return s.covariate(z, out)
	}
	if g := find(s.Data.Groups, func(g *dataset.Grouping) string { return g.Name }, name); g != nil {
		return s.curves(g, out)
	}
	return nil, unknown("terms", name, append(slices.Clone((&Spec{Data: s.Data}).termNames()), "covariate*field"))
}

// linear fills a term in that is linear in a field.
func (s *Spec) linear(t *term, out mesh.Mesh, fam *family) (*term, error) {
	t.on, t.columns = t.field.Mesh, rowsOf(t.field)
	if t.scalar != nil {
		for i, z := range t.scalar.Values {
			floats.Scale(z-t.centre, t.columns.RawRowView(i))
		}
	}
	k := s.Kernels[t.name]
	if k == nil || kernel.IsAuto(k) {
		t.auto = resolver(orMatern(k), t.on, out)
		k = t.auto(startLengthscale)
	}
	c := s.Constraints[t.name]
	in, names := mesh.JointNames(t.on, out)
	names = append(in, names...)
	constrain := func(k kernel.Kernel) kernel.Kernel {
		if c != nil {
			k = constraint.Apply(c, k)
		}
		if fam != nil {
			k = kernel.OfParameter{Kernel: k, Parameter: fam.kernel, Parameters: len(fam.names), Names: names}
		}
		return k
	}
	if auto := t.auto; auto != nil {
		t.auto = func(l float64) kernel.Kernel { return constrain(auto(l)) }
	}
	t.kernel = constrain(k)
	if fam == nil {
		return t, nil
	}
	t.family = fam
	return t, t.spread()
}

// spread puts each sample at its parameter: columns of other parameters are zero.
func (t *term) spread() error {
	var err error
	if t.on, err = mesh.New(append(t.on.Axes(), t.family.points)...); err != nil {
		return fmt.Errorf("%s: %w", t.name, err)
	}
	n, m := t.columns.Dims()
	count := t.family.points.Size()
	all := mat.NewDense(n, m*count, nil)
	for i := range n {
		row := all.RawRowView(i)
		for j, v := range t.columns.RawRowView(i) {
			row[j*count+t.family.of[i]] = v
		}
	}
	t.columns = all
	return nil
}

// rowsOf is a copy of the values of a field, n × points.
func rowsOf(f *dataset.Field) *mat.Dense {
	m := f.Mesh.Size()
	return mat.NewDense(len(f.Values.Data)/m, m, slices.Clone(f.Values.Data))
}

func (s *Spec) covariate(z *dataset.Scalar, out mesh.Mesh) (*term, error) {
	t := &term{name: z.Name, kind: Covariate, scalar: z, columns: mat.NewDense(len(z.Values), 1, nil)}
	if !s.NoBias { // the rest is in β
		t.centre = stat.Mean(z.Values, nil)
	}
	for i, v := range z.Values {
		t.columns.Set(i, 0, v-t.centre)
	}
	t.setCurve(s.Kernels[z.Name], out, func(k kernel.Kernel) kernel.Kernel { return k })
	return t, nil
}

// setCurve sets the kernel of a term whose functions are of the output alone.
func (t *term) setCurve(k kernel.Kernel, out mesh.Mesh, wrap func(kernel.Kernel) kernel.Kernel) {
	if k == nil || kernel.IsAuto(k) {
		auto := resolver(orMatern(k), out)
		t.auto = func(l float64) kernel.Kernel { return wrap(auto(l)) }
		t.kernel = t.auto(startLengthscale)
		return
	}
	t.kernel = wrap(k)
}

func (s *Spec) curves(g *dataset.Grouping, out mesh.Mesh) (*term, error) {
	t := &term{name: g.Name, kind: Curves, group: g, columns: mat.NewDense(len(g.Of), len(g.Labels), nil)}
	labels, weights := make([]float64, len(g.Labels)), make([]float64, len(g.Labels))
	for j := range labels {
		labels[j], weights[j] = float64(j), 1
	}
	axis, err := mesh.Scattered(labels, 1, weights, g.Name)
	if err != nil {
		return nil, err
	}
	if t.on, err = mesh.New(axis); err != nil {
		return nil, err
	}
	for i, j := range g.Of {
		t.columns.Set(i, j, 1)
	}
	t.setCurve(s.Kernels[g.Name], out, func(k kernel.Kernel) kernel.Kernel { return kernel.Tensor{Input: kernel.White{}, Output: k} })
	return t, nil
}

// family is that of the parameters; nil where there are none.
func (s *Spec) family() (*family, error) {
	if len(s.Data.Parameters) == 0 {
		return nil, nil
	}
	f := &family{}
	var points []float64
	known := map[string]int{}
	n, d := s.Data.N(), len(s.Data.Parameters)
	for i := range n {
		at, key := make([]float64, d), ""
		for c, p := range s.Data.Parameters {
			at[c] = p.Values[i]
			key += strconv.FormatFloat(at[c], 'g', -1, 64) + " "
		}
		j, ok := known[key]
		if !ok {
			j = len(known)
			known[key], points = j, append(points, at...)
		}
		f.of = append(f.of, j)
	}
	var product kernel.Product
	var names []string
	for c, p := range s.Data.Parameters {
		f.names = append(f.names, p.Name)
		names = append(names, p.Name)
		k := s.Kernels[p.Name]
		if k == nil || kernel.IsAuto(k) {
			k = kernel.Resolve(orMatern(k), kernel.Lengthscale{parameterLength * spreadOf(p.Values)}, parameterLength)
		}
		product.Factors = append(product.Factors, kernel.OnCoordinate{Kernel: k, At: c})
	}
	weights := make([]float64, len(known))
	for i := range weights {
		weights[i] = 1
	}
	var err error
	f.points, err = mesh.Scattered(points, d, weights, names...)
	f.kernel = product
	if d == 1 {
		f.kernel = product.Factors[0]
	}
	return f, err
}

// parameterLength is the lengthscale of parameters, as a fraction of their range.
const parameterLength = 0.5

func spreadOf(v []float64) float64 { return slices.Max(v) - slices.Min(v) }

// valuesOf returns the rows of an array as a matrix of points columns.
func valuesOf(a *array.Array, points int) *mat.Dense {
	return mat.NewDense(len(a.Data)/points, points, a.Data)
}
