package kernels

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Verdict is what Verify found on a sample of points.
type Verdict struct {
	Points        int     `arg:"points" doc:"how many points were tried"`
	Asymmetry     float64 `arg:"asymmetry" doc:"largest |k(p, q) - k(q, p)|"`
	SmallestEigen float64 `arg:"smallest_eigen" doc:"smallest eigenvalue of the matrix of values; negative only by rounding"`
	LargestEigen  float64 `arg:"largest_eigen" doc:"largest eigenvalue of the matrix of values"`
}

// verifyPoints bounds the work of Verify: its Gram matrix has so many rows.
const verifyPoints = 48

// Verify evaluates the kernel on a sample of the mesh and fails when it is not
// finite, not symmetric or not positive semi-definite there, beyond rounding. A
// kernel that passes may still fail elsewhere; one that fails is not a kernel.
func (f *Function) Verify(ctx context.Context, m mesh.Mesh) (Verdict, error) {
	points, err := sample(m)
	if err != nil {
		return Verdict{}, err
	}
	g, err := f.Gram(ctx, points, points)
	if err != nil {
		return Verdict{}, err
	}
	n := points.Size()
	v := Verdict{Points: n}
	at := func(i int) []float64 {
		p := make([]float64, points.Dim())
		points.Point(p, i)
		return p
	}
	sym := mat.NewSymDense(n, nil)
	largest := f.size(points)
	for k, a := range g.RawMatrix().Data {
		if math.IsNaN(a) || math.IsInf(a, 0) {
			return v, fmt.Errorf("kernel %s is %g at p = %.4g, q = %.4g: must be finite", f.Kernel, a, at(k/n), at(k%n))
		}
		largest = max(largest, math.Abs(a))
	}
	for i := range n {
		for j := range n {
			a, b := g.At(i, j), g.At(j, i)
			e := math.Abs(a - b)
			v.Asymmetry = max(v.Asymmetry, e)
			if e > 1e-9*(math.Abs(a)+math.Abs(b)) && e > 1e-12*largest {
				return v, fmt.Errorf("kernel %s is not symmetric: k(p,q) = %.6g but k(q,p) = %.6g at p = %.4g, q = %.4g; whatever is done with p must be done with q too, as in (1 + p.x)*(1 + q.x)", f.Kernel, a, b, at(i), at(j))
			}
			sym.SetSym(i, j, (a+b)/2)
		}
	}
	values, err := linop.Eigenvalues(ctx, sym)
	if err != nil {
		return v, fmt.Errorf("kernel %s: Gram matrix: %w", f.Kernel, err)
	}
	v.SmallestEigen, v.LargestEigen = values[0], values[n-1]
	if v.SmallestEigen < -1e-10*float64(n)*max(v.LargestEigen, -v.SmallestEigen) && v.SmallestEigen < -1e-14*float64(n)*largest {
		return v, fmt.Errorf("kernel %s is not positive semi-definite: its Gram matrix on %d points has the eigenvalue %.3g (largest %.3g); products and sums of kernels are safe, differences are not",
			f.Kernel, n, v.SmallestEigen, v.LargestEigen)
	}
	return v, nil
}

// size is the largest |k(p, p)| at some points in the box of a mesh, off its points: at
// those a kernel may vanish, and what its terms leave there is rounding.
func (f *Function) size(m mesh.Mesh) float64 {
	low, high := make([]float64, m.Dim()), make([]float64, m.Dim())
	for i, column := range m.Columns() {
		low[i], high[i] = slices.Min(column), slices.Max(column)
	}
	rng, largest := rand.New(rand.NewPCG(15, 16)), 0.0
	points := make([][]float64, verifyPoints/4)
	for k := range points {
		p := make([]float64, m.Dim())
		for i := range p {
			p[i] = low[i] + rng.Float64()*(high[i]-low[i])
		}
		if v := math.Abs(f.At(p, p)); v > largest && !math.IsInf(v, 1) {
			largest = v
		}
		points[k] = p
	}
	if s, ok := f.Kernel.(Sizer); ok {
		if v := s.Size(f.Space, points); v > largest && !math.IsInf(v, 1) {
			largest = v
		}
	}
	return largest
}

// Sizer is a kernel whose values are sums that may cancel, everywhere even: Size is how
// large their terms are at some points of a space.
type Sizer interface {
	Size(s kernel.Space, points [][]float64) float64
}

// sample takes at most verifyPoints points of a mesh: neighbours, which resolve
// short lengthscales, and points spread over the whole mesh by a fixed stride
// that shares no factor with grid sizes.
func sample(m mesh.Mesh) (mesh.Mesh, error) {
	n, d := m.Size(), m.Dim()
	take := map[int]bool{}
	var coords []float64
	p := make([]float64, d)
	add := func(i int) {
		if !take[i] {
			take[i] = true
			m.Point(p, i)
			coords = append(coords, p...)
		}
	}
	for i := range min(n, verifyPoints/3) {
		add((n/3 + i) % n)
	}
	for i := 0; i < verifyPoints && len(take) < min(n, verifyPoints); i++ {
		add(int(uint64(i) * 2654435761 % uint64(n)))
	}
	a, err := mesh.Scattered(coords, d, nil, m.Names()...)
	if err != nil {
		return mesh.Mesh{}, err
	}
	return mesh.New(a)
}
