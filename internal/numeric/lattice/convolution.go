package lattice

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/internal/numeric/fft"
	"github.com/greenbench/workbench/internal/numeric/gram"
	"github.com/greenbench/workbench/internal/numeric/linop"
	"github.com/greenbench/workbench/internal/numeric/remedy"
	"github.com/greenbench/workbench/numeric/mesh"
)

// Convolution is the response of time-invariant systems: outputs at (y, t) are
// Σ_x,s F(x,s) dx ds G(x, y, t-s). Transforms in time are products with the
// matrices of the Fourier transform, at the speed of matrix products; for each
// frequency there is one product over the inputs.
type Convolution struct {
	n, nx, ny, nt int
	toLag         *mat.Dense   // 2F × lags: real and imaginary parts of each frequency
	toTime        *mat.Dense   // 2F × nt
	m             []*mat.Dense // for each frequency 2n × 2nx: [Fr -Fi; Fi Fr]
	scratch       linop.Scratch
}

// newConvolution takes inputs n × (nx ns), the time axis last and fastest. lags
// are the points of the lag axis, of which the first that pairs of times have is number
// before; ny counts the outputs at one time. Without scaling, values of G and outputs
// are plain: for predictions.
func newConvolution(ctx context.Context, inputs *mat.Dense, nx int, dx []float64, s, t, lags mesh.Axis, before, ny int, scaled bool) (*Convolution, error) {
	n, total := inputs.Dims()
	ns, nl := s.Size(), lags.Size()
	if total != nx*ns {
		return nil, fmt.Errorf("inputs have %d values, must be %d × %d", total, nx, ns)
	}
	padded := fft.Good(nl)
	f := padded/2 + 1
	c := &Convolution{n: n, nx: nx, ny: ny, nt: t.Size()}
	lagScale, timeScale := ones(nl), ones(c.nt)
	xScale, root := append([]float64(nil), dx...), 1.0
	if scaled {
		root = 1 / math.Sqrt(float64(n))
		for i, w := range lags.Weights {
			lagScale[i] = 1 / math.Sqrt(w)
		}
		for i, w := range t.Weights {
			timeScale[i] = math.Sqrt(w)
		}
		for i, w := range dx {
			xScale[i] = math.Sqrt(w)
		}
	}
	c.toLag = mat.NewDense(2*f, nl, nil)
	c.toTime = mat.NewDense(2*f, c.nt, nil)
	for k := range f {
		for l := range nl {
			sin, cos := sincos(k*l, padded)
			c.toLag.Set(2*k, l, cos*lagScale[l])
			c.toLag.Set(2*k+1, l, -sin*lagScale[l])
		}
		w := 2 / float64(padded)
		if k == 0 || 2*k == padded {
			w /= 2
		}
		for l := range c.nt {
			sin, cos := sincos(k*(l+before+ns-1), padded) // output time l is lag l+before+ns-1 of input time 0
			c.toTime.Set(2*k, l, w*cos*timeScale[l])
			c.toTime.Set(2*k+1, l, -w*sin*timeScale[l])
		}
	}
	return c, c.transformInputs(ctx, inputs, xScale, s.Weights, padded, f, root)
}

// transformInputs fills in the matrix of every frequency.
func (c *Convolution) transformInputs(ctx context.Context, inputs *mat.Dense, xScale, ds []float64, padded, f int, root float64) error {
	ns := len(ds)
	d := mat.NewDense(2*f, ns, nil)
	for k := range f {
		for j, w := range ds {
			sin, cos := sincos(k*j, padded)
			d.Set(2*k, j, cos*w*root)
			d.Set(2*k+1, j, -sin*w*root)
		}
	}
	hat := linop.Product(ctx, d, mat.NewDense(c.n*c.nx, ns, inputs.RawMatrix().Data).T())
	for k := range f {
		if err := linop.Stopped(ctx); err != nil {
			return err
		}
		m := mat.NewDense(2*c.n, 2*c.nx, nil)
		re, im := hat.RawRowView(2*k), hat.RawRowView(2*k+1)
		for i := range c.n {
			for j, w := range xScale {
				a, b := re[i*c.nx+j]*w, im[i*c.nx+j]*w
				m.Set(i, j, a)
				m.Set(i, c.nx+j, -b)
				m.Set(c.n+i, j, b)
				m.Set(c.n+i, c.nx+j, a)
			}
		}
		c.m = append(c.m, m)
	}
	return nil
}

// NewConvolution is the convolution of a time-invariant lattice with inputs on x, n × x.Size,
// and outputs on y, whose last axes are the times. Scaled, values of G and outputs are
// multiplied by the square roots of their quadrature weights, and outputs by 1/√n. Cost of a
// product: that of transforms in time, and one product over the inputs for each frequency.
func NewConvolution(ctx context.Context, l *Lattice, inputs *mat.Dense, x, y mesh.Mesh, scaled bool) (*Convolution, error) {
	if l.lag.Input != x.Dim()-1 || l.lag.Output != x.Dim()+y.Dim()-1 {
		return nil, remedy.TimeLast.For(errors.New("time must be the last axis of the input mesh and of the output mesh"))
	}
	xa, ya, la := x.Axes(), y.Axes(), l.y.Axes()
	lags := la[len(la)-1]
	return newConvolution(ctx, inputs, l.x.Size(), l.x.Weights(), xa[len(xa)-1], ya[len(ya)-1], lags, l.before, l.y.Size()/lags.Size(), scaled)
}

func sincos(k, n int) (sin, cos float64) {
	return math.Sincos(2 * math.Pi * float64(k%n) / float64(n))
}

// Outputs is the length of a response.
func (c *Convolution) Outputs() int { return c.n * c.ny * c.nt }

// Apply stores the outputs of g, the values on the meshes of the lattice, in dst.
func (c *Convolution) Apply(ctx context.Context, dst, g []float64) {
	c.convolve(ctx, dst, g, c.toLag, c.toTime, c.nx, c.n, func(m *mat.Dense) mat.Matrix { return m })
}

// Adjoint stores the transpose applied to r in dst.
func (c *Convolution) Adjoint(ctx context.Context, dst, r []float64) {
	c.convolve(ctx, dst, r, c.toTime, c.toLag, c.n, c.nx, (*mat.Dense).T)
}

// convolve takes values in time, of so many functions for each output, to frequencies and, times the
// matrix of each, back to times.
func (c *Convolution) convolve(ctx context.Context, dst, v []float64, there, back *mat.Dense, from, to int, by func(*mat.Dense) mat.Matrix) {
	rows, times := there.Dims()
	_, end := back.Dims()
	in, out := c.scratch.Take(rows*from*c.ny), c.scratch.Take(rows*to*c.ny)
	defer c.scratch.Give(in, out)
	hat, turned := mat.NewDense(rows, from*c.ny, in), mat.NewDense(rows, to*c.ny, out)
	if linop.MulContext(ctx, hat, there, mat.NewDense(from*c.ny, times, v).T()) != nil {
		return
	}
	at := func(all []float64, k, size int) *mat.Dense {
		return mat.NewDense(2*size, c.ny, all[2*k*size*c.ny:(2*k+2)*size*c.ny])
	}
	if linop.MulEach(ctx, len(c.m), func(k int) (*mat.Dense, mat.Matrix, mat.Matrix) {
		return at(out, k, to), by(c.m[k]), at(in, k, from)
	}) != nil {
		return
	}
	_ = linop.MulContext(ctx, mat.NewDense(to*c.ny, end, dst), turned.T(), back)
}

// Energies returns the squared norm of the response to u_a ⊗ v_k for the orthonormal columns of
// u and the modes of v, mx × my. mask, by lags, multiplies them first; nil is one. The response
// to u_a ⊗ v_y ⊗ v_l is that of v_l to the inputs projected on u_a, times v_y, which has norm one.
// With ẑ_i the spectrum of sample i so projected and v̂ that of v_l, its squared norm is that of
// Tᵀ(ẑ_i v̂) over all samples i, T the way back to time: a quadratic form in v̂, for all l at once.
func (c *Convolution) Energies(ctx context.Context, u *mat.Dense, v gram.Basis, mask []float64) (*mat.Dense, error) {
	lag := mat.DenseCopyOf(v[len(v)-1])
	nl, _ := lag.Dims()
	for l, w := range mask {
		floats.Scale(w, lag.RawRowView(l))
	}
	hat, times := linop.Product(ctx, c.toLag, lag), linop.Product(ctx, c.toTime, c.toTime.T())
	projected := c.project(ctx, u)
	_, nx := u.Dims()
	nu := mat.NewDense(nx, c.ny*nl, nil)
	z := mat.NewDense(2*len(c.m), c.n, nil)
	for a := range nx {
		for k, p := range projected {
			for i := range c.n {
				z.Set(2*k, i, p.At(i, a))
				z.Set(2*k+1, i, p.At(c.n+i, a))
			}
		}
		form := spectral(times, linop.Product(ctx, z, z.T()))
		image := linop.Product(ctx, form, hat)
		if err := linop.Stopped(ctx); err != nil {
			return nil, err
		}
		row := nu.RawRowView(a)
		for l := range nl {
			sum := 0.0
			for k := range 2 * len(c.m) {
				sum += hat.At(k, l) * image.At(k, l)
			}
			for y := range c.ny {
				row[y*nl+l] = max(sum, 0) // what is below is rounding
			}
		}
	}
	return nu, nil
}

// Overlaps returns the inner products of the responses to functions u_a ⊗ v_l of the inputs and the
// lags, given by their numbers a and l, times any one function of the outputs of norm one.
func (c *Convolution) Overlaps(ctx context.Context, u, v *mat.Dense, modes [][2]int) (*mat.Dense, error) {
	hat, projected := linop.Product(ctx, c.toLag, v), c.project(ctx, u)
	sum, some := mat.NewDense(len(modes), len(modes), nil), max(1, overlapSize/(2*len(c.m)*len(modes)))
	for first := 0; first < c.n; first += some { // samples at a time
		n := min(some, c.n-first)
		z := mat.NewDense(len(modes)*n, 2*len(c.m), nil)
		for s, at := range modes {
			for k, p := range projected {
				vr, vi := hat.At(2*k, at[1]), hat.At(2*k+1, at[1])
				for i := range n {
					re, im := p.At(first+i, at[0]), p.At(c.n+first+i, at[0])
					row := z.RawRowView(s*n + i)
					row[2*k], row[2*k+1] = re*vr-im*vi, re*vi+im*vr
				}
			}
		}
		r := mat.NewDense(len(modes), n*c.nt, linop.Product(ctx, z, c.toTime).RawMatrix().Data)
		sum.Add(sum, linop.Product(ctx, r, r.T()))
	}
	return sum, linop.Stopped(ctx)
}

// overlapSize is how many numbers of spectra Overlaps holds at a time.
const overlapSize = 1 << 22

// project returns for each frequency the inputs in the columns of u, real parts above imaginary ones.
func (c *Convolution) project(ctx context.Context, u *mat.Dense) []*mat.Dense {
	out := make([]*mat.Dense, len(c.m))
	for k, m := range c.m {
		out[k] = linop.Product(ctx, m.Slice(0, 2*c.n, 0, c.nx), u)
	}
	return out
}

// spectral is Σ_i Z_iᵀ W Z_i, where Z_i multiplies spectra, real and imaginary parts in turn, by
// that of z_i, and h is Σ_i z_i z_iᵀ.
func spectral(w, h *mat.Dense) *mat.Dense {
	n, _ := w.Dims()
	out := mat.NewDense(n, n, nil)
	for j := 0; j < n; j += 2 {
		for k := 0; k < n; k += 2 {
			rr, ri, ir, ii := h.At(j, k), h.At(j, k+1), h.At(j+1, k), h.At(j+1, k+1)
			w11, w12, w21, w22 := w.At(j, k), w.At(j, k+1), w.At(j+1, k), w.At(j+1, k+1)
			out.Set(j, k, rr*w11+ri*w12+ir*w21+ii*w22)
			out.Set(j, k+1, -ri*w11+rr*w12-ii*w21+ir*w22)
			out.Set(j+1, k, -ir*w11-ii*w12+rr*w21+ri*w22)
			out.Set(j+1, k+1, ii*w11-ir*w12-ri*w21+rr*w22)
		}
	}
	return out
}
