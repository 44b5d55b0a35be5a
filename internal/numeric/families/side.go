package families

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/mesh"
)

// A smoothness is a family of radial kernels.
type smoothness int

// The smoothnesses, by the kernels' names.
const (
	half smoothness = iota
	threeHalves
	fiveHalves
	infinite
	around // infinite, and periodic where a side is
)

// kernel is the one with a lengthscale.
func (f smoothness) kernel(l kernel.Lengthscale) kernel.Kernel {
	switch f {
	case half:
		return kernel.Matern{Nu: 0.5, Lengthscale: l}
	case threeHalves:
		return kernel.Matern{Nu: 1.5, Lengthscale: l}
	case fiveHalves:
		return kernel.Matern{Nu: 2.5, Lengthscale: l}
	}
	return kernel.SE{Lengthscale: l}
}

// spectrum is the eigenvalues of a kernel on one side of the sample and the eigenvectors
// in columns.
type spectrum struct {
	values  []float64
	vectors *mat.Dense
	loads   *mat.Dense // of the kernel's values at the probed points, in these
}

// Lengthscales are tried on a grid of fractions of the axes' lengths.
const (
	smallest  = 0.01 // of the axis
	stepSize  = 1.189207115002721
	lastStep  = 38 // 7.2 axes
	firstStep = 12 // 8 %, where the coarse search begins
	plain     = 19 // 27 %, where the likelihood says nothing
	coarse    = 8  // steps: a factor of 4
)

func fraction(step int) float64 { return smallest * math.Pow(stepSize, float64(step)) }

// side is the input or the output of a sample: the spectra of the kernels that were tried
// on it.
type side struct {
	mesh    mesh.Mesh
	left    *mat.Dense // what its kernels are multiplied with: rows of B, or modes
	lengths []float64
	first   []int // for each coordinate the step from which lengthscales are no less than the spacing
	known   map[string]*spectrum
}

func newSide(m mesh.Mesh, left *mat.Dense) *side {
	s := &side{mesh: m, left: left, lengths: boxLengths(m), known: map[string]*spectrum{}}
	for _, a := range m.Axes() {
		across := math.Pow(float64(a.Size()), 1/float64(a.Dim()))
		step := int(math.Ceil(math.Log(1/(across*smallest)) / math.Log(stepSize)))
		s.first = append(s.first, slices.Repeat([]int{max(0, min(step, firstStep))}, a.Dim())...)
	}
	return s
}

// spectrum is that of left k leftᵀ for the kernel of a family, with lengthscales given as
// steps of the grid. Cost: that of evaluating k between all points, once.
func (s *side) spectrum(ctx context.Context, f smoothness, steps []int) (*spectrum, error) {
	key := fmt.Sprint(f, steps)
	if known, ok := s.known[key]; ok {
		return known, nil
	}
	g, err := s.gram(ctx, s.kernel(f, steps))
	if err != nil {
		return nil, err
	}
	out := new(spectrum)
	some := s.probes()
	rows := mat.NewDense(len(some), s.mesh.Size(), nil)
	for i, k := range some {
		rows.SetRow(i, g.RawRowView(k))
	}
	form := linop.Product(ctx, linop.Product(ctx, s.left, g), s.left.T())
	if out.values, out.vectors, err = linop.Eigen(ctx, form); err != nil {
		return nil, err
	}
	for i, v := range out.values {
		out.values[i] = max(v, 0)
	}
	out.loads = linop.Product(ctx, linop.Product(ctx, rows, s.left.T()), out.vectors)
	s.known[key] = out
	return out, nil
}

// period is after how much the functions of a side repeat, along each of its coordinates; 0: they do not all.
func (s *side) period() (p float64) {
	for i, a := range s.mesh.Axes() {
		if a.Dim() != 1 || i > 0 && a.Period != p {
			return 0
		}
		p = a.Period
	}
	return p
}

// kernel is that of a family with some steps. Near the diagonal a periodic one is the squared exponential of the same.
func (s *side) kernel(f smoothness, steps []int) kernel.Kernel {
	l, period := s.lengthscale(steps), s.period()
	if f != around || period == 0 {
		return f.kernel(l)
	}
	for i := range l {
		l[i] = rounded(2 * math.Pi / period * l[i])
	}
	return kernel.Periodic{Period: period, Lengthscale: l}
}

// gram is the matrix of a kernel between the points.
func (s *side) gram(ctx context.Context, k kernel.Kernel) (*mat.Dense, error) {
	f, err := kernels.Compile(k, kernel.Space{Names: s.mesh.Names()})
	if err != nil {
		return nil, err
	}
	return f.Gram(ctx, s.mesh, s.mesh)
}

// lengthscale is that of some steps, to three digits: it is printed.
func (s *side) lengthscale(steps []int) kernel.Lengthscale {
	out := make(kernel.Lengthscale, len(steps))
	for i, step := range steps {
		out[i] = rounded(fraction(step) * s.lengths[i])
	}
	return out
}

// rounded is a number to three digits.
func rounded(v float64) float64 {
	r, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 3, 64), 64)
	return r
}

// probed is how many points of a side there are, for the variance of G.
const probed = 6

// probes are points of a side, evenly among those of its mesh.
func (s *side) probes() []int {
	n := s.mesh.Size()
	out := make([]int, min(n, probed))
	for i := range out {
		out[i] = int((float64(i) + 0.5) * float64(n) / float64(len(out)))
	}
	return out
}
