package term

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/dataset"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

const (
	metricLength  = 0.3 // of the kernel of the norm, as a fraction of each axis
	mostFeatures  = 48  // eigenfunctions
	MostSmoothing = 4   // power
	mostMetric    = 1500

	featureTail = 1e-13 // eigenvalue, in the largest, beyond which eigenfunctions are left out
)

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
	if err := dense.CheckMatrix("norm", 1, a.Size(), b.Size()); err != nil {
		return nil, err
	}
	k, err := kernels.Compile(m.kernel, kernel.Space{Names: m.on.Names()})
	if err != nil {
		return nil, err
	}
	return k.Gram(ctx, a, b)
}
