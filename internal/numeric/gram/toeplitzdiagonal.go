package gram

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/fft"
	"github.com/greenbench/workbench/internal/numeric/linop"
)

// Diagonal implements Product: the lag values contracted with the
// autocorrelations of the output vectors, axis by axis. For one axis of n points and as
// many vectors that is n transforms and one product of n × n matrices for the inputs.
func (t *toeplitz) Diagonal(ctx context.Context, v Basis) (Diagonal, error) {
	d := &toeplitzDiagonal{axes: t.xs}
	c, done := t.values, 1
	for k := len(t.ys) - 1; k >= 0; k-- {
		// c is (outer, …, lags of axis k, done); contract the lags into vectors.
		ac, err := autocorrelations(ctx, v[k], t.ys[k:k+1])
		if err != nil {
			return nil, err
		}
		if c, err = contract(ctx, c, ac, done); err != nil {
			return nil, err
		}
		done *= t.ys[k].n
	}
	d.c = mat.NewDense(len(c)/done, done, c)
	return d, nil
}

// contract replaces the lag index of c, shaped (·, lags, done), by the rows of ac
// (n × lags).
func contract(ctx context.Context, c []float64, ac *mat.Dense, done int) ([]float64, error) {
	n, lags := ac.Dims()
	outer := len(c) / (lags * done)
	out := make([]float64, outer*n*done)
	if done == 1 {
		return out, linop.MulContext(ctx, mat.NewDense(outer, n, out), mat.NewDense(outer, lags, c), ac.T())
	}
	for o := range outer {
		src := mat.NewDense(lags, done, c[o*lags*done:(o+1)*lags*done])
		if err := linop.MulContext(ctx, mat.NewDense(n, done, out[o*n*done:(o+1)*n*done]), ac, src); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// autocorrelations returns Σ_j b_j b_{j+l} for every column b (rows) and every lag l of
// the axes, by fast Fourier transforms. Lags of an even axis stand for both signs.
func autocorrelations(ctx context.Context, b *mat.Dense, axes []lagAxisInfo) (*mat.Dense, error) {
	padded := make([]int, len(axes))
	cells, lags := 1, 1
	for i, a := range axes {
		padded[i] = fft.Good(2*a.n - 1)
		cells *= padded[i]
		lags *= a.lags()
	}
	plan, err := fft.NewReal(padded...)
	if err != nil {
		panic(err) // Good returns sizes that a plan takes
	}
	plan = plan.WithContext(ctx)
	_, r := b.Dims()
	ac := mat.NewDense(r, lags, nil)
	col, re, im := make([]float64, cells), make([]float64, plan.SpectrumSize()), make([]float64, plan.SpectrumSize())
	place, at := cellsOf(axes, padded), lagCells(axes, padded)
	for i := range r {
		if err := linop.Stopped(ctx); err != nil {
			return nil, err
		}
		clear(col)
		for j, cell := range place {
			col[cell] = b.At(j, i)
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
	return ac, nil
}

// toeplitzDiagonal is C_k(x, ξ) = c[lag of x-ξ, k].
type toeplitzDiagonal struct {
	axes []lagAxisInfo
	c    *mat.Dense // x lags × my
}

// size is how many points the axes have.
func (d *toeplitzDiagonal) size() int {
	size := 1
	for _, a := range d.axes {
		size *= a.n
	}
	return size
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
	m := d.size()
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

// Forms implements Diagonal.
func (d *toeplitzDiagonal) Forms(ctx context.Context, b *mat.Dense) (*mat.Dense, error) {
	ac, err := autocorrelations(ctx, b, d.axes)
	if err != nil {
		return nil, err
	}
	var forms mat.Dense
	return &forms, linop.MulContext(ctx, &forms, ac, d.c)
}

// lagCells maps every cell of the padded grid to the number of its lag, -1 for cells
// that no lag reaches.
func lagCells(axes []lagAxisInfo, padded []int) []int {
	at := []int{0}
	for k, a := range axes {
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

// cellsOf maps row-major indices of the points to cells of the padded grid.
func cellsOf(axes []lagAxisInfo, padded []int) []int {
	at := []int{0}
	for k, a := range axes {
		next := make([]int, 0, len(at)*a.n)
		for _, base := range at {
			for i := range a.n {
				next = append(next, base*padded[k]+i)
			}
		}
		at = next
	}
	return at
}
