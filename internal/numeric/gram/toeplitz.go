package gram

import (
	"context"
	"slices"

	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/kernels"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/numeric/mesh"
)

// FFT is the structure of kernels of differences on uniform axes.
const FFT Structure = "toeplitz"

func fftStructure() structure {
	return structure{
		name: FFT, term: true, apt: (*chooser).allLags,
		make: func(g *chooser) (Product, error) {
			if !g.allLags() {
				return nil, nil
			}
			return newToeplitz(g.ctx, g.f, g.x, g.y)
		},
		why: func(*chooser, Product) string {
			return "the kernel depends on differences only and every axis is uniform"
		},
		lacks: (*chooser).whyNotLags,
	}
}

// toeplitz is K on uniform axes for a kernel of differences.
type toeplitz struct {
	checked
	*linop.Toeplitz
	xs, ys []lagAxisInfo
	values []float64 // k at every lag, the axes of x then those of y, row-major
}

// lagAxisInfo is one axis and its lags: 0 … n-1 when even, 1-n … n-1 otherwise.
type lagAxisInfo struct {
	n    int
	even bool
}

func (a lagAxisInfo) lags() int {
	if a.even {
		return a.n
	}
	return 2*a.n - 1
}

func newToeplitz(ctx context.Context, f *kernels.Function, x, y mesh.Mesh) (*toeplitz, error) {
	if err := checkToeplitz(f, x, y); err != nil {
		return nil, err
	}
	t := &toeplitz{}
	px := sideLags(f, x, 0, &t.xs)
	py := sideLags(f, y, x.Dim(), &t.ys)
	t.values = make([]float64, px.count()*py.count())
	for i := range px.count() {
		if err := linop.Stopped(ctx); err != nil {
			return nil, err
		}
		row(f, t.values[i*py.count():(i+1)*py.count()], px, i, py, true)
	}
	var shape []int
	var even []bool
	for _, a := range append(append([]lagAxisInfo(nil), t.xs...), t.ys...) {
		shape, even = append(shape, a.n), append(even, a.even)
	}
	op, err := linop.NewToeplitz(ctx, shape, even, t.values)
	t.Toeplitz = op
	return t, err
}

func (t *toeplitz) entries(dst []float64, i, j []int) {
	axes := slices.Concat(t.xs, t.ys)
	for p := range dst {
		dst[p] = t.values[lagBetween(axes, i[p], j[p])]
	}
}

// certain: the expression of the kernel has nothing but differences.
func (t *toeplitz) certain() bool { return true }

// toeplitzSize is how many numbers are held at a time while the structure is made, and
// afterwards in a product.
func toeplitzSize(f *kernels.Function, x, y mesh.Mesh) (making, held float64, shape []int) {
	lags, all := 1.0, true
	for c, a := range slices.Concat(x.Axes(), y.Axes()) {
		even := f.Even(c)
		lags *= float64(lagAxisInfo{a.Size(), even}.lags())
		shape, all = append(shape, a.Size()), all && even
	}
	making, held = linop.ToeplitzSize(shape, all)
	return lags + making, lags + held, shape
}

// checkToeplitz refuses lags and transforms that there is no memory for.
func checkToeplitz(f *kernels.Function, x, y mesh.Mesh) error {
	making, _, shape := toeplitzSize(f, x, y)
	return needs("kernel on "+dense.ShapeString(shape)+" points, by fast Fourier transforms:", making)
}

// Memory is how many numbers the operator of a kernel holds at a time while Self makes it,
// and afterwards in a product, where the sizes alone say so; 0 where they do not.
func Memory(f *kernels.Function, x, y mesh.Mesh) (making, held float64) {
	g := &chooser{reference: &reference{f: f}, x: x, y: y}
	if len(x.Axes())+len(y.Axes()) == 2 || !g.allLags() {
		return 0, 0
	}
	making, held, _ = toeplitzSize(f, x, y)
	return making, held
}

// sideLags lists the lags of one side and describes its axes.
func sideLags(f *kernels.Function, m mesh.Mesh, first int, info *[]lagAxisInfo) *pairSet {
	var s *pairSet
	for i, a := range m.Axes() {
		even := f.Even(first + i)
		*info = append(*info, lagAxisInfo{a.Size(), even})
		next := lagsOf(a, even)
		if s == nil {
			s = next
		} else {
			s = productPairs(s, next)
		}
	}
	return s
}

// lagBetween returns the number of the lag between the row-major indices i and j.
func lagBetween(axes []lagAxisInfo, i, j int) int {
	at, stride := 0, 1
	for k := len(axes) - 1; k >= 0; k-- {
		a := axes[k]
		l := i%a.n - j%a.n
		if a.even {
			l = max(l, -l)
		} else {
			l += a.n - 1
		}
		at += l * stride
		stride *= a.lags()
		i, j = i/a.n, j/a.n
	}
	return at
}
