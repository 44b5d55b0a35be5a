package lattice

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/greenbench/workbench/numeric/internal/fft"
	"github.com/greenbench/workbench/numeric/internal/gram"
	"github.com/greenbench/workbench/numeric/internal/linop"
	"github.com/greenbench/workbench/numeric/mesh"
	"github.com/greenbench/workbench/numeric/remedy"
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
func (c *Convolution) Apply(ctx context.Context, dst, g []float64) { c.applyTo(ctx, dst, g, c.ny) }

// applyTo convolves g with the inputs, for ny outputs at each time, into dst.
func (c *Convolution) applyTo(ctx context.Context, dst, g []float64, ny int) {
	rows, nl := c.toLag.Dims()
	hat := linop.Product(ctx, c.toLag, mat.NewDense(c.nx*ny, nl, g).T())
	out := mat.NewDense(rows, c.n*ny, nil)
	for k, m := range c.m {
		if ctx.Err() != nil {
			break
		}
		g := mat.NewDense(2*c.nx, ny, hat.RawMatrix().Data[2*k*c.nx*ny:(2*k+2)*c.nx*ny])
		_ = linop.MulContext(ctx, mat.NewDense(2*c.n, ny, out.RawMatrix().Data[2*k*c.n*ny:(2*k+2)*c.n*ny]), m, g)
	}
	_ = linop.MulContext(ctx, mat.NewDense(c.n*ny, c.nt, dst), out.T(), c.toTime)
}

// Adjoint stores the transpose applied to r in dst.
func (c *Convolution) Adjoint(ctx context.Context, dst, r []float64) {
	rows, nl := c.toLag.Dims()
	hat := linop.Product(ctx, c.toTime, mat.NewDense(c.n*c.ny, c.nt, r).T())
	back := mat.NewDense(rows, c.nx*c.ny, nil)
	for k, m := range c.m {
		if ctx.Err() != nil {
			break
		}
		u := mat.NewDense(2*c.n, c.ny, hat.RawMatrix().Data[2*k*c.n*c.ny:(2*k+2)*c.n*c.ny])
		_ = linop.MulContext(ctx, mat.NewDense(2*c.nx, c.ny, back.RawMatrix().Data[2*k*c.nx*c.ny:(2*k+2)*c.nx*c.ny]), m.T(), u)
	}
	_ = linop.MulContext(ctx, mat.NewDense(c.nx*c.ny, nl, dst), back.T(), c.toLag)
}

// Energies returns the squared norm of the response to u_a ⊗ v_k for the orthonormal columns of
// u and the modes of v, mx × my. mask, by lags, multiplies them first; nil is one. The response to u_a ⊗ v_y ⊗ v_l is that of v_l to the inputs projected
// on u_a, times v_y, which has norm one.
func (c *Convolution) Energies(ctx context.Context, u *mat.Dense, v gram.Basis, mask []float64) (*mat.Dense, error) {
	lag := v[len(v)-1]
	nl, _ := lag.Dims()
	modes := mat.DenseCopyOf(lag.T()) // one lag mode in each row
	if mask != nil {
		for k := range nl {
			row := modes.RawRowView(k)
			for l, w := range mask {
				row[l] *= w
			}
		}
	}
	_, nx := u.Dims()
	nu := mat.NewDense(nx, c.ny*nl, nil)
	out := make([]float64, c.n*nl*c.nt)
	for a := range nx {
		if err := linop.Stopped(ctx); err != nil {
			return nil, err
		}
		one := c.project(ctx, mat.Col(nil, a, u))
		one.applyTo(ctx, out, modes.RawMatrix().Data, nl)
		row := nu.RawRowView(a)
		for k := range nl {
			sum := 0.0
			for i := range c.n {
				for _, w := range out[(i*nl+k)*c.nt : (i*nl+k+1)*c.nt] {
					sum += w * w
				}
			}
			for y := range c.ny {
				row[y*nl+k] = sum
			}
		}
	}
	return nu, nil
}

// project is the convolution for inputs of one function: their components along u.
func (c *Convolution) project(ctx context.Context, u []float64) *Convolution {
	one := *c
	one.nx, one.m = 1, make([]*mat.Dense, len(c.m))
	both := mat.NewDense(2*c.nx, 2, nil)
	for j, v := range u {
		both.Set(j, 0, v)
		both.Set(c.nx+j, 1, v)
	}
	for k, m := range c.m {
		if ctx.Err() != nil {
			break
		}
		one.m[k] = linop.Product(ctx, m, both)
	}
	return &one
}
