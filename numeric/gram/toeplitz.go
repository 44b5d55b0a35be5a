package gram

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/array"
	"github.com/greenbench/workbench/numeric/internal/fft"
	"github.com/greenbench/workbench/numeric/kernel"
	"github.com/greenbench/workbench/numeric/linop"
	"github.com/greenbench/workbench/numeric/mesh"
)

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

func newToeplitz(ctx context.Context, f *kernel.Function, x, y mesh.Mesh) (*toeplitz, error) {
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
func toeplitzSize(f *kernel.Function, x, y mesh.Mesh) (making, held float64, shape []int) {
	lags := 1.0
	for c, a := range slices.Concat(x.Axes(), y.Axes()) {
		lags *= float64(lagAxisInfo{a.Size(), f.Even(c)}.lags())
		shape = append(shape, a.Size())
	}
	making, held = linop.ToeplitzSize(shape)
	return lags + making, lags + held, shape
}

// checkToeplitz refuses lags and transforms that there is no memory for.
func checkToeplitz(f *kernel.Function, x, y mesh.Mesh) error {
	making, _, shape := toeplitzSize(f, x, y)
	return needs("kernel on "+array.ShapeString(shape)+" points, by fast Fourier transforms:", making)
}

// Memory is how many numbers the operator of a kernel holds at a time while Self makes it,
// and afterwards in a product, where the sizes alone say so; 0 where they do not.
func Memory(f *kernel.Function, x, y mesh.Mesh) (making, held float64) {
	g := &chooser{reference: &reference{f: f}, x: x, y: y}
	if len(x.Axes())+len(y.Axes()) == 2 || !g.allLags() {
		return 0, 0
	}
	making, held, _ = toeplitzSize(f, x, y)
	return making, held
}

// needs is array.CheckSize that says what to do.
func needs(what string, numbers float64) error {
	if err := array.CheckSize(what, numbers); err != nil {
		return fmt.Errorf("%w; take meshes of fewer points", err)
	}
	return nil
}

// sideLags lists the lags of one side and describes its axes.
func sideLags(f *kernel.Function, m mesh.Mesh, first int, info *[]lagAxisInfo) *pairSet {
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

// Diagonal implements Product: the lag values contracted with the
// autocorrelations of the output vectors, axis by axis.
func (t *toeplitz) Diagonal(ctx context.Context, v Basis) (Diagonal, error) {
	outer := 1
	for _, a := range t.xs {
		outer *= a.lags()
	}
	c := t.values
	for k := len(t.ys) - 1; k >= 0; k-- {
		// c is (outer, …, lags of axis k, done); contract the lags into vectors.
		done := 1
		for _, a := range t.ys[k+1:] {
			done *= a.n
		}
		ac, err := autocorrelations(ctx, v[k], t.ys[k])
		if err != nil {
			return nil, err
		}
		if c, err = contract(ctx, c, ac, t.ys[k].lags(), done); err != nil {
			return nil, err
		}
	}
	my := 1
	for _, a := range t.ys {
		my *= a.n
	}
	return &toeplitzDiagonal{axes: t.xs, c: mat.NewDense(outer, my, c)}, nil
}

// contract replaces the lag index of c, shaped (·, lags, done), by the columns
// of ac (lags × n).
func contract(ctx context.Context, c []float64, ac *mat.Dense, lags, done int) ([]float64, error) {
	_, n := ac.Dims()
	outer := len(c) / (lags * done)
	out := make([]float64, outer*n*done)
	for o := range outer {
		src := mat.NewDense(lags, done, c[o*lags*done:(o+1)*lags*done])
		if err := linop.MulContext(ctx, mat.NewDense(n, done, out[o*n*done:(o+1)*n*done]), ac.T(), src); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// autocorrelations returns Σ_i v_i v_{i+l} by lag l (rows) for every column of v.
// For an even axis lag l stands for both signs.
func autocorrelations(ctx context.Context, v *mat.Dense, a lagAxisInfo) (*mat.Dense, error) {
	n, cols := v.Dims()
	ac := mat.NewDense(a.lags(), cols, nil)
	for l := range n {
		if err := linop.Stopped(ctx); err != nil {
			return nil, err
		}
		row := make([]float64, cols)
		for i := 0; i+l < n; i++ {
			x, y := v.RawRowView(i), v.RawRowView(i+l)
			for k := range row {
				row[k] += x[k] * y[k]
			}
		}
		if a.even {
			if l > 0 {
				for k := range row {
					row[k] *= 2
				}
			}
			ac.SetRow(l, row)
		} else {
			ac.SetRow(n-1+l, row)
			ac.SetRow(n-1-l, row)
		}
	}
	return ac, nil
}

// toeplitzDiagonal is C_k(x, ξ) = c[lag of x-ξ, k].
type toeplitzDiagonal struct {
	axes []lagAxisInfo
	c    *mat.Dense // x lags × my
}

func (d *toeplitzDiagonal) shape() (shape []int, size int) {
	size = 1
	for _, a := range d.axes {
		shape, size = append(shape, a.n), size*a.n
	}
	return shape, size
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

// Sum implements Diagonal.
func (d *toeplitzDiagonal) Sum(ctx context.Context) (*mat.SymDense, error) {
	lags, _ := d.c.Dims()
	total := make([]float64, lags)
	for l := range total {
		for _, v := range d.c.RawRowView(l) {
			total[l] += v
		}
	}
	_, m := d.shape()
	s := mat.NewSymDense(m, nil)
	for i := range m {
		for j := i; j < m; j++ {
			s.SetSym(i, j, (total[lagBetween(d.axes, i, j)]+total[lagBetween(d.axes, j, i)])/2)
		}
		if err := linop.Stopped(ctx); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Forms implements Diagonal: autocorrelations of the columns of b over the x
// lags, by FFT, times c.
func (d *toeplitzDiagonal) Forms(ctx context.Context, b *mat.Dense) (*mat.Dense, error) {
	shape, m := d.shape()
	padded := make([]int, len(shape))
	cells := 1
	for i, n := range shape {
		padded[i] = fft.Good(2*n - 1)
		cells *= padded[i]
	}
	plan, err := fft.NewReal(padded...)
	if err != nil {
		panic(err) // Good returns sizes that a plan takes
	}
	plan = plan.WithContext(ctx)
	lags, my := d.c.Dims()
	_, r := b.Dims()
	at := d.lagCells(padded)
	ac := mat.NewDense(r, lags, nil)
	col, re, im := make([]float64, cells), make([]float64, plan.SpectrumSize()), make([]float64, plan.SpectrumSize())
	place := cellsOf(shape, padded)
	for i := range r {
		if err := linop.Stopped(ctx); err != nil {
			return nil, err
		}
		clear(col)
		for j := range m {
			col[place[j]] = b.At(j, i)
		}
		plan.Forward(re, im, col)
		for w := range re {
			re[w], im[w] = re[w]*re[w]+im[w]*im[w], 0
		}
		plan.Inverse(col, re, im)
		dst := ac.RawRowView(i)
		for cell, l := range at {
			if l >= 0 {
				dst[l] += col[cell]
			}
		}
	}
	forms := mat.NewDense(r, my, nil)
	return forms, linop.MulContext(ctx, forms, ac, d.c)
}

// lagCells maps every cell of the padded grid to its row of c, -1 for cells that
// no lag reaches.
func (d *toeplitzDiagonal) lagCells(padded []int) []int {
	at := []int{0}
	for k, a := range d.axes {
		next := make([]int, 0, len(at)*padded[k])
		for _, base := range at {
			for cell := range padded[k] {
				l := cell
				if cell > padded[k]/2 {
					l = cell - padded[k]
				}
				switch {
				case base < 0 || l >= a.n || l <= -a.n:
					next = append(next, -1)
				case a.even:
					next = append(next, base*a.lags()+max(l, -l))
				default:
					next = append(next, base*a.lags()+l+a.n-1)
				}
			}
		}
		at = next
	}
	return at
}

// cellsOf maps row-major indices of shape to cells of the padded grid.
func cellsOf(shape, padded []int) []int {
	at := []int{0}
	for k, n := range shape {
		next := make([]int, 0, len(at)*n)
		for _, base := range at {
			for i := range n {
				next = append(next, base*padded[k]+i)
			}
		}
		at = next
	}
	return at
}
