package model

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/fit"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Kind is what a term is made of.
type Kind string

// kind makes the terms of a kind, and their columns for samples.
type kind interface {
	// makes returns the term of a name; nil where the name is of no such term.
	makes(s *Spec, name string, out mesh.Mesh) (*term, error)
	// columns of samples, n × points of the mesh that it returns: that of the term, or the
	// one that the functions of new samples are on.
	columns(t *term, in *dataset.Table) (*mat.Dense, mesh.Mesh, error)
	// take sets the kernel that was chosen before, as files have it.
	take(t *term, k kernel.Kernel) error
}

// kinds are all of them.
func kinds() []kind {
	return []kind{linear{}, coefficient{}, covariate{}, curves{}}
}

// term is an addend of the model, as columns of a linear problem: the term of sample i is
// the row i of columns times a function on the points of on, with the weights of on.
type term struct {
	name    string
	kind    Kind
	by      kind
	on      mesh.Mesh                               // of the columns
	columns *mat.Dense                              // n × points of on
	kernel  kernel.Kernel                           // on the coordinates of on, then those of the output; of amplitude one
	auto    func(lengthscale float64) kernel.Kernel // the kernel for a fraction of the axes; nil: it is given

	field  *dataset.Field    // of a linear term or varying coefficient
	scalar *dataset.Scalar   // of a covariate or varying coefficient
	group  *dataset.Grouping // of random curves
	centre float64           // z̄; 0 where the covariate is not centred
	family *family           // of G_θ; nil: there are no parameters
}

// terms makes those of an output.
func (s *Spec) terms(out mesh.Mesh) ([]*term, error) {
	var terms []*term
	for _, name := range s.termNames() {
		t, err := s.term(name, out)
		if err != nil {
			return nil, err
		}
		terms = append(terms, t)
	}
	return terms, nil
}

// term makes the term of a name.
func (s *Spec) term(name string, out mesh.Mesh) (*term, error) {
	for _, k := range kinds() {
		t, err := k.makes(s, name, out)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if t == nil {
			continue
		}
		t.name, t.by = name, k
		if t.columns, t.on, err = k.columns(t, s.Data); err != nil {
			return nil, err
		}
		return t, nil
	}
	return nil, unknown("terms", name, append((&Spec{Data: s.Data}).termNames(), "covariate*field"))
}

func find[T any](list []T, name func(*T) string, want string) *T {
	for i := range list {
		if name(&list[i]) == want {
			return &list[i]
		}
	}
	return nil
}

func fieldOf(d *dataset.Table, name string) *dataset.Field {
	return find(d.Fields, func(f *dataset.Field) string { return f.Name }, name)
}

func scalarOf(d *dataset.Table, name string) *dataset.Scalar {
	return find(d.Scalars, func(z *dataset.Scalar) string { return z.Name }, name)
}

func missingInput(name string) error {
	return fmt.Errorf("%s: missing: the model needs it for every sample", name)
}

// setKernel sets the kernel that is given, or leaves its lengthscale to be chosen; wrap
// makes that of the term of it, and on are the meshes of its coordinates.
func (t *term) setKernel(k kernel.Kernel, wrap func(kernel.Kernel) kernel.Kernel, on ...mesh.Mesh) {
	if k != nil && !kernel.IsAuto(k) {
		t.kernel = wrap(k)
		return
	}
	auto := resolver(orMatern(k), on...)
	t.auto = func(l float64) kernel.Kernel { return wrap(auto(l)) }
	t.kernel = t.auto(startLengthscale)
}

// part is the estimate of the function of a term.
func (t *Term) part() (*fit.Estimate, error) {
	return t.out.fit.Part(t.Kernel, t.term.on, t.out.Mesh, t.weights, t.out.unit, t.place)
}
