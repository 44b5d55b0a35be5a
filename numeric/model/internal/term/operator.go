package term

import (
	"context"
	"fmt"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Operator is an operator of a field that need not be linear: a function of f whose covariance
// is κ(‖f - f'‖) k(y, η). The norm smooths: ‖f‖² = Σ_j μ_j^p ⟨f, φ_j⟩², with φ_j and μ_j the eigenfunctions
// and eigenvalues of a Matérn kernel on the mesh of the field, the largest of them one, so that p = 0 is L² and
// p = s/2 on an interval about the Sobolev space H^(-s). Its name is "operator(f)".
const Operator Kind = "operator"

type operator struct{}

func (operator) form() Form { return Formless }

// distances are the lengthscales of κ that are tried, in the root mean square distance of the data.
func distances() []float64 { return []float64{0.25, 0.5, 1, 2, 4, 8, 16, 32, 64} }

// smoothings are the powers p that are tried.
func smoothings() []float64 { return []float64{0, 0.25, 0.5, 0.75, 1, 1.5} }

// smootherProfiles are smoothnesses of κ that are tried beside the usual one, where it is not given.
func smootherProfiles() []float64 { return []float64{4.5} }

// operatorOf is the field of the name of an operator.
func operatorOf(name string) (field string, ok bool) {
	inner, ok := strings.CutPrefix(name, "operator(")
	if !ok {
		return "", false
	}
	return strings.CutSuffix(inner, ")")
}

func (operator) makes(ctx context.Context, g *Given, name string, out mesh.Mesh) (*Term, error) {
	of, ok := operatorOf(name)
	if !ok {
		return nil, nil
	}
	f := FieldOf(g.Data, strings.TrimSpace(of))
	if f == nil {
		return nil, fmt.Errorf("there is no input %s that is a function", of)
	}
	m, err := newMetric(ctx, f)
	if err != nil {
		return nil, err
	}
	t := &Term{Kind: Operator, metric: m, input: f.Name}
	return t, t.setOperator(g, name, out)
}

// setOperator sets κ, which is given but for its lengthscale, and the kernel on the output.
func (t *Term) setOperator(g *Given, name string, out mesh.Mesh) error {
	var profile, curve kernel.Kernel
	switch k := g.Kernels[name].(type) {
	case nil:
	case kernel.Tensor:
		profile, curve = k.Input, k.Output
	default:
		profile = k
	}
	nu := &Opening{What: "smoothness", At: smoothness, Tried: smootherProfiles()}
	kappa := func() kernel.Kernel { return kernel.Matern{Nu: nu.At, Lengthscale: kernel.Auto} }
	if profile != nil {
		kappa, nu = func() kernel.Kernel { return profile }, nil
	}
	if !kernels.IsAuto(kappa()) {
		return fmt.Errorf("kernel: κ is %s: its lengthscale is chosen with the norm; leave it out", profile)
	}
	length := &Opening{What: "distance", At: 4, Tried: distances()}
	power := &Opening{What: "smoothing", At: 0.5, Tried: smoothings()}
	if p, ok := g.Metrics[name]; ok {
		power.At, power.Tried = p, []float64{p}
	}
	t.setKernel(curve, func(k kernel.Kernel) kernel.Kernel { return k }, out)
	ofOutput := t.make
	t.make = func() kernel.Kernel {
		return kernel.Tensor{Input: kernels.Resolve(kappa(), t.metric.lengths(power.At, length.At), length.At), Output: ofOutput()}
	}
	t.Open = append(t.Open, length, power)
	if nu != nil {
		t.Open = append(t.Open, nu)
	}
	t.Kernel = t.make()
	return nil
}

func (operator) columns(ctx context.Context, t *Term, in *dataset.Table) (*mat.Dense, mesh.Mesh, error) {
	f := FieldOf(in, t.input)
	if f == nil {
		return nil, mesh.Mesh{}, missingInput(t.input)
	}
	points, err := t.metric.features(ctx, f)
	if err != nil {
		return nil, mesh.Mesh{}, err
	}
	n, d := points.Dims()
	columns := linop.Identity(n)
	var names []string
	for j := range d {
		names = append(names, fmt.Sprintf("%s_%d", t.Name, j+1))
	}
	axis, err := mesh.Scattered(points.RawMatrix().Data, d, linop.Ones(n), names...)
	if err != nil {
		return nil, mesh.Mesh{}, err
	}
	on, err := mesh.New(axis)
	return columns, on, err
}

// OfSamples is the term at the inputs of some samples alone, where that makes it smaller: the mesh of an operator
// has a point for each sample.
func (t *Term) OfSamples(samples []int) (*Term, error) {
	if t.metric == nil {
		return t, nil
	}
	all := t.On.Axes()[0]
	d := all.Dim()
	var points []float64
	n, _ := t.Columns.Dims()
	columns := mat.NewDense(n, len(samples), nil)
	for i, s := range samples {
		columns.Set(s, i, 1)
		points = append(points, all.Coordinates[s*d:(s+1)*d]...)
	}
	axis, err := mesh.Scattered(points, d, linop.Ones(len(samples)), all.Names...)
	if err != nil {
		return nil, err
	}
	on, err := mesh.New(axis)
	return &Term{Name: t.Name, On: on, Columns: columns}, err
}

func (operator) take(_ *Term, k kernel.Kernel) error {
	if _, ok := k.(kernel.Tensor); !ok {
		return errOtherKernel
	}
	return nil
}
