package model

import (
	"context"
	"fmt"
	"slices"

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
	makes(ctx context.Context, s *Spec, name string, out mesh.Mesh) (*term, error)
	// columns of samples, n × points of the mesh that it returns: that of the term, or the
	// one that the functions of new samples are on.
	columns(ctx context.Context, t *term, in *dataset.Table) (*mat.Dense, mesh.Mesh, error)
	// take sets the kernel that was chosen before, as files have it.
	take(t *term, k kernel.Kernel) error
}

// kinds are all of them.
func kinds() []kind {
	return []kind{linear{}, coefficient{}, covariate{}, curves{}, operator{}, ownCurves{}}
}

// term is an addend of the model, as columns of a linear problem: the term of sample i is
// the row i of columns times a function on the points of on, with the weights of on.
type term struct {
	name    string
	kind    Kind
	by      kind
	on      mesh.Mesh            // of the columns
	columns *mat.Dense           // n × points of on
	kernel  kernel.Kernel        // on the coordinates of on, then those of the output; of amplitude one
	open    []*opening           // what is to be chosen of the kernel; none: it is given
	make    func() kernel.Kernel // the kernel of what is chosen
	tried   []kernel.Kernel      // what else it may be, by few data; none: it is given, or data are many

	field  *dataset.Field    // of a linear term or varying coefficient
	scalar *dataset.Scalar   // of a covariate or varying coefficient
	group  *dataset.Grouping // of random curves
	centre float64           // z̄; 0 where the covariate is not centred
	family *family           // of G_θ; nil: there are no parameters
	metric *metric           // of an operator
	of     string            // field of an operator

	deviation *float64 // of its values for the data, where it is known; nil: it is computed
}

// opening is a number of a kernel that is to be chosen: a lengthscale as a fraction of the
// axes, or the smoothness of a kernel that is not given.
type opening struct {
	what  string
	of    string // the parameter; "": the term itself
	at    float64
	tried []float64
}

const mostVariants = 24 // of the kernel of a term

// numbers are all that were tried.
func (o *opening) numbers() []float64 {
	if o.what == "smoothness" {
		return append(slices.Clone(o.tried), smoothness)
	}
	return o.tried
}

// variants are the kernels of a term with all numbers that were tried, of as many of its openings as make not too many; nil
// where there is but one.
func (t *term) variants() (all []kernel.Kernel) {
	count, used := 1, 0
	for used < len(t.open) && count*len(t.open[used].numbers()) <= mostVariants {
		count *= len(t.open[used].numbers())
		used++
	}
	if used == 0 || t.family != nil || t.metric != nil { // whose kernels have more to them
		return nil
	}
	var vary func(open []*opening)
	vary = func(open []*opening) {
		if len(open) == 0 {
			all = append(all, t.make())
			return
		}
		kept := open[0].at
		for _, open[0].at = range open[0].numbers() {
			vary(open[1:])
		}
		open[0].at = kept
	}
	vary(t.open[:used])
	return all
}

// terms makes those of an output.
func (s *Spec) terms(ctx context.Context, out mesh.Mesh) ([]*term, error) {
	var terms []*term
	names := s.termNames()
	if s.noise() != nil {
		names = append(slices.Clone(names), noiseName)
	}
	for _, name := range names {
		if name == s.without {
			continue
		}
		t, err := s.term(ctx, name, out)
		if err != nil {
			return nil, err
		}
		terms = append(terms, t)
	}
	return terms, nil
}

// term makes the term of a name.
func (s *Spec) term(ctx context.Context, name string, out mesh.Mesh) (*term, error) {
	for _, k := range kinds() {
		t, err := k.makes(ctx, s, name, out)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if t == nil {
			continue
		}
		t.name, t.by = name, k
		if t.columns == nil {
			t.columns, t.on, err = k.columns(ctx, t, s.Data)
		}
		return t, err
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
	t.make = func() kernel.Kernel { return wrap(k) }
	if k == nil || kernel.IsAuto(k) {
		l, nu := &opening{what: "lengthscale", at: startLengthscale, tried: lengthscales()}, &opening{what: "smoothness", at: smoothness, tried: []float64{1.5}}
		t.open = append(t.open, l)
		if k == nil && len(on) > 1 {
			t.open = append(t.open, nu)
		}
		t.make = func() kernel.Kernel {
			own := k
			if own == nil {
				own = kernel.Matern{Nu: nu.at, Lengthscale: kernel.Auto}
			}
			return wrap(resolver(own, on...)(l.at))
		}
	}
	t.kernel = t.make()
}

// part is the estimate of the function of a term.
func (t *Term) part() (*fit.Estimate, error) {
	return t.out.fit.Part(t.Kernel, t.term.on, t.out.Mesh, t.weights, t.out.unit, t.place)
}
