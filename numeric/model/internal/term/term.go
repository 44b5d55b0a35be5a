package term

import (
	"context"
	"errors"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Kind is what a term is made of.
type Kind string

// Form is what can be asked of a term, whatever its kind.
type Form int

const (
	Function    Form = iota // G, or of a family a G for each θ
	OneCurve                // one curve
	LabelCurves             // a curve for each label
	Formless                // predictions alone
)

// kind makes the terms of a kind, and their columns for samples.
type kind interface {
	form() Form
	// makes returns the term of a name; nil where the name is of no such term.
	makes(ctx context.Context, g *Given, name string, out mesh.Mesh) (*Term, error)
	// columns of samples, n × points of the mesh that it returns: that of the term, or the
	// one that the functions of new samples are on.
	columns(ctx context.Context, t *Term, in *dataset.Table) (*mat.Dense, mesh.Mesh, error)
	// take sets the kernel that was chosen before, as files have it.
	take(t *Term, k kernel.Kernel) error
}

// Term is an addend of the model, as columns of a linear problem: the term of sample i is
// the row i of columns times a function on the points of on, with the weights of on.
type Term struct {
	Name    string
	Kind    Kind
	Form    Form
	by      kind
	On      mesh.Mesh            // of the columns
	Columns *mat.Dense           // n × points of on
	Kernel  kernel.Kernel        // on the coordinates of on, then those of the output; of amplitude one
	Open    []*Opening           // what is to be chosen of the kernel; none: it is given
	make    func() kernel.Kernel // the kernel of what is chosen
	Tried   []kernel.Kernel      // what else it may be, by few data; none: it is given, or data are many

	Field  *dataset.Field    // of a linear term or varying coefficient
	scalar *dataset.Scalar   // that the term is multiplied by; nil: by nothing
	Group  *dataset.Grouping // of curves by label
	centre float64           // z̄; 0 where the covariate is not centred
	Family *family           // of G_θ; nil: there are no parameters
	metric *metric           // of an operator
	input  string            // field of an operator
}

const mostVariants = 24 // of the kernel of a term

// Variants are the kernels of a term with all numbers that were tried, of as many of its openings as make not too many; nil
// where there is but one.
func (t *Term) Variants() (all []kernel.Kernel) {
	count, used := 1, 0
	for used < len(t.Open) && count*len(t.Open[used].numbers()) <= mostVariants {
		count *= len(t.Open[used].numbers())
		used++
	}
	if used == 0 || t.Family != nil || t.metric != nil { // whose kernels have more to them
		return nil
	}
	var vary func(open []*Opening)
	vary = func(open []*Opening) {
		if len(open) == 0 {
			all = append(all, t.make())
			return
		}
		kept := open[0].At
		for _, open[0].At = range open[0].numbers() {
			vary(open[1:])
		}
		open[0].At = kept
	}
	vary(t.Open[:used])
	return all
}

// setKernel sets the kernel that is given, or leaves its lengthscale to be chosen; wrap
// makes that of the term of it, and on are the meshes of its coordinates.
func (t *Term) setKernel(k kernel.Kernel, wrap func(kernel.Kernel) kernel.Kernel, on ...mesh.Mesh) {
	t.make = func() kernel.Kernel { return wrap(k) }
	if k == nil || kernels.IsAuto(k) {
		l, nu := &Opening{What: "lengthscale", At: startLengthscale, Tried: lengthscales()}, &Opening{What: "smoothness", At: smoothness, Tried: []float64{1.5}}
		t.Open = append(t.Open, l)
		if k == nil && len(on) > 1 {
			t.Open = append(t.Open, nu)
		}
		t.make = func() kernel.Kernel {
			own := k
			if own == nil {
				own = kernel.Matern{Nu: nu.At, Lengthscale: kernel.Auto}
			}
			return wrap(resolver(own, on...)(l.At))
		}
	}
	t.Kernel = t.make()
}

var errOtherKernel = errors.New("its kernel is not of the kind of the term")

// Take sets the kernel of a term that was chosen before.
func (t *Term) Take(k kernel.Kernel) error {
	t.Kernel, t.Open = k, nil
	return t.by.take(t, k)
}

// Set takes a number for what is open.
func (t *Term) Set(o *Opening, number float64) {
	o.At = number
	t.Kernel = t.make()
}

// Of are the columns of samples, and the mesh that they are on.
func (t *Term) Of(ctx context.Context, in *dataset.Table) (*mat.Dense, mesh.Mesh, error) {
	return t.by.columns(ctx, t, in)
}

// TakeTried adds a kernel that the term may have as well, as files have it.
func (t *Term) TakeTried(k kernel.Kernel) error {
	other := *t
	if err := other.Take(k); err != nil {
		return err
	}
	t.Tried = append(t.Tried, other.Kernel)
	return nil
}

// AsSaved is the kernel of a term as files have it.
func AsSaved(k kernel.Kernel) kernel.Kernel {
	if k, ok := k.(gram.OnOutput); ok {
		return k.Kernel
	}
	return k
}
