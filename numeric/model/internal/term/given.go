package term

import (
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/constraint"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/kernel"
)

// Given is what a model says of its terms.
type Given struct {
	Data        *dataset.Table
	Names       []string // of all terms
	Without     string   // one of them that is left out, while the others stay as they are beside it; "": none
	Kernels     map[string]kernel.Kernel
	Constraints map[string]constraint.Constraint
	Metrics     map[string]float64
	NoBias      bool
	Noise       kernel.Kernel // of random curves of the samples, on the output; nil: there are none
}

func find[T any](list []T, name func(*T) string, want string) *T {
	for i := range list {
		if name(&list[i]) == want {
			return &list[i]
		}
	}
	return nil
}

// FieldOf is the field of a name; nil where there is none.
func FieldOf(d *dataset.Table, name string) *dataset.Field {
	return find(d.Fields, func(f *dataset.Field) string { return f.Name }, name)
}

func scalarOf(d *dataset.Table, name string) *dataset.Scalar {
	return find(d.Scalars, func(z *dataset.Scalar) string { return z.Name }, name)
}

func missingInput(name string) error {
	return fmt.Errorf("%s: missing: the model needs it for every sample", name)
}

// AllNames are those of every input and group by itself.
func AllNames(d *dataset.Table) []string {
	var names []string
	for _, f := range d.Fields {
		names = append(names, f.Name)
	}
	for _, z := range d.Scalars {
		names = append(names, z.Name)
	}
	for _, g := range d.Groups {
		names = append(names, g.Name)
	}
	return names
}

// Product splits the name of a varying coefficient.
func Product(name string) (scalar, field string, ok bool) {
	a, b, ok := strings.Cut(name, "*")
	return strings.TrimSpace(a), strings.TrimSpace(b), ok
}

// Unknown says that an argument names something that is not there.
func Unknown(argument, name string, known []string) error {
	return fmt.Errorf("%s.%s: there is no %s in the model; there are %s", argument, name, name, strings.Join(known, ", "))
}

// rowsOf is a copy of the values of a field, n × points.
func rowsOf(f *dataset.Field) *mat.Dense {
	m := f.Mesh.Size()
	return mat.NewDense(len(f.Values.Data)/m, m, slices.Clone(f.Values.Data))
}
