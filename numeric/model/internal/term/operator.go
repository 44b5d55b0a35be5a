package term

import (
	"context"
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/internal/linop"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Operator is an operator of a field that need not be linear: a function of f whose covariance
// is κ(‖f - f'‖) k(y, η). The norm smooths: ‖f‖² = Σ_j μ_j^p ⟨f, φ_j⟩², with φ_j and μ_j the eigenfunctions
// and eigenvalues of a Matérn kernel on the mesh of the field, the largest of them one, so that p = 0 is L² and
// p = s/2 on an interval about the Sobolev space H^(-s). Its name is "operator(f)".
const Operator Kind = "operator"

type operator struct{}

const (
	metricLength  = 0.3 // of the kernel of the norm, as a fraction of each axis
	mostFeatures  = 48  // eigenfunctions
	MostSmoothing = 4   // power
	mostMetric    = 1500

	featureTail = 1e-13 // eigenvalue, in the largest, beyond which eigenfunctions are left out
)

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
	if !kernel.IsAuto(kappa()) {
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
		return kernel.Tensor{Input: kernel.Resolve(kappa(), t.metric.lengths(power.At, length.At), length.At), Output: ofOutput()}
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

// metric is the norm of a term, before its power.
type metric struct {
	on       mesh.Mesh
	kernel   kernel.Kernel
	value    []float64  // μ, the largest one
	modes    *mat.Dense // φ at the points of on, times dx: points × features
	extend   *mat.Dense // φ/μ times dx, for other meshes
	distance []float64  // mean square of the difference of two fields of the data along each φ
}

func newMetric(ctx context.Context, f *dataset.Field) (*metric, error) {
	m := &metric{on: f.Mesh}
	if f.Mesh.Size() > mostMetric {
		return nil, fmt.Errorf("has %d points: the norm of an operator is of at most %d; take fewer points of it", f.Mesh.Size(), mostMetric)
	}
	m.kernel = kernel.Matern{Nu: 1.5, Lengthscale: kernel.Lengths(metricLength, f.Mesh)}
	k, err := m.between(ctx, f.Mesh, f.Mesh)
	if err != nil {
		return nil, err
	}
	dx := f.Mesh.Weights()
	k.Apply(func(i, j int, v float64) float64 { return v * math.Sqrt(dx[i]*dx[j]) }, k)
	values, vectors, err := linop.Eigen(ctx, k)
	if err != nil {
		return nil, err
	}
	n := len(values)
	for j := n - 1; j >= 0 && len(m.value) < mostFeatures && values[j] > featureTail*values[n-1]; j-- {
		m.value = append(m.value, values[j]/values[n-1])
	}
	m.modes, m.extend = mat.NewDense(n, len(m.value), nil), mat.NewDense(n, len(m.value), nil)
	for j := range m.value {
		for i := range n {
			v := math.Sqrt(dx[i]) * vectors.At(i, n-1-j)
			m.modes.Set(i, j, v)
			m.extend.Set(i, j, v/values[n-1-j])
		}
	}
	all, err := m.features(ctx, f)
	if err != nil {
		return nil, err
	}
	return m, m.spread(all)
}

// spread sets the distances of the data.
func (m *metric) spread(all *mat.Dense) error {
	n, d := all.Dims()
	total := 0.0
	for j := range d {
		mean, sum := 0.0, 0.0
		for i := range n {
			mean += all.At(i, j) / float64(n)
		}
		for i := range n {
			sum += (all.At(i, j) - mean) * (all.At(i, j) - mean)
		}
		m.distance = append(m.distance, 2*sum/float64(n))
		total += 2 * sum / float64(n)
	}
	if !(total > 0) || math.IsInf(total, 0) {
		return fmt.Errorf("is the same for every sample: no operator of it can be learned")
	}
	return nil
}

// lengths are those of κ along each φ.
func (m *metric) lengths(power, distance float64) kernel.Lengthscale {
	mean := 0.0
	for j, v := range m.value {
		mean += math.Pow(v, power) * m.distance[j]
	}
	var l kernel.Lengthscale
	for _, v := range m.value {
		l = append(l, distance*math.Sqrt(mean)*math.Pow(v, -power/2))
	}
	return l
}

// features are ⟨f, φ_j⟩ of fields on any mesh, n × features.
func (m *metric) features(ctx context.Context, f *dataset.Field) (*mat.Dense, error) {
	rows := rowsOf(f)
	if f.Mesh.Equal(m.on) {
		return linop.Product(ctx, rows, m.modes), linop.Stopped(ctx)
	}
	k, err := m.between(ctx, f.Mesh, m.on)
	if err != nil {
		return nil, err
	}
	wx := f.Mesh.Weights()
	k.Apply(func(i, _ int, v float64) float64 { return v * wx[i] }, k)
	return linop.Product(ctx, linop.Product(ctx, rows, k), m.extend), linop.Stopped(ctx)
}

func (m *metric) between(ctx context.Context, a, b mesh.Mesh) (*mat.Dense, error) {
	if a.Dim() != m.on.Dim() {
		return nil, fmt.Errorf("has %d coordinates, must have %d", a.Dim(), m.on.Dim())
	}
	if err := array.CheckMatrix("norm", 1, a.Size(), b.Size()); err != nil {
		return nil, err
	}
	k, err := kernel.Compile(m.kernel, kernel.Space{Names: m.on.Names()})
	if err != nil {
		return nil, err
	}
	return k.Gram(ctx, a, b)
}
