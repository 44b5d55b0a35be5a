package signal

import (
	"context"
	"math"
	"math/bits"
	"math/cmplx"

	"gonum.org/v1/gonum/dsp/fourier"
)

// Plan transforms lines of one length. Not for concurrent use.
type Plan struct {
	n     int
	fft   *fourier.CmplxFFT
	parts *factored // for long lines
	prime *chirp    // for lengths with large prime factors
}

// NewPlan prepares transforms of length n >= 1. Every length costs O(n log n).
func NewPlan(n int) *Plan {
	const most = 64 // a prime factor p costs n·p
	if largestFactor(n) > most {
		return &Plan{n: n, prime: &chirp{n: n, m: 1 << bits.Len(uint(2*n-2))}}
	}
	if n > longest {
		return &Plan{n: n, parts: newFactored(n)}
	}
	return &Plan{n: n, fft: fourier.NewCmplxFFT(n)}
}

// Forward replaces z by Σ_j z_j exp(-2πi jk/n).
func (p *Plan) Forward(ctx context.Context, z []complex128) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	switch {
	case p.prime != nil:
		return p.prime.forward(ctx, z)
	case p.parts != nil:
		return p.parts.forward(ctx, z)
	}
	p.fft.Coefficients(z, z)
	return nil
}

// Inverse replaces z by the line whose transform it is.
func (p *Plan) Inverse(ctx context.Context, z []complex128) error {
	for i, v := range z {
		z[i] = cmplx.Conj(v)
	}
	if err := p.Forward(ctx, z); err != nil {
		return err
	}
	for i, v := range z {
		z[i] = complex(real(v)/float64(p.n), -imag(v)/float64(p.n))
	}
	return nil
}

func largestFactor(n int) int {
	largest := 1
	for p := 2; p*p <= n; p++ {
		for n%p == 0 {
			largest, n = p, n/p
		}
	}
	return max(largest, n)
}

// chirp is Bluestein's algorithm: a transform of any length as a convolution (IEEE Trans.
// Audio Electroacoust. 18, 1970).
type chirp struct {
	n, m   int
	factor []complex128 // exp(-πi j²/n)
	filter []complex128 // transform of the conjugate, padded to m; nil before the first use
	plan   *Plan
}

func (c *chirp) prepare(ctx context.Context) error {
	c.plan, c.factor = NewPlan(c.m), make([]complex128, c.n)
	filter := make([]complex128, c.m)
	for j := range c.n {
		if j%longest == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		square := int(uint64(j) * uint64(j) % uint64(2*c.n)) // j² would lose digits as an angle
		sin, cos := math.Sincos(math.Pi * float64(square) / float64(c.n))
		c.factor[j] = complex(cos, -sin)
		filter[j] = complex(cos, sin)
		if j > 0 {
			filter[c.m-j] = filter[j]
		}
	}
	if err := c.plan.Forward(ctx, filter); err != nil {
		return err
	}
	c.filter = filter
	return nil
}

func (c *chirp) forward(ctx context.Context, z []complex128) error {
	if c.filter == nil {
		if err := c.prepare(ctx); err != nil {
			return err
		}
	}
	a := make([]complex128, c.m)
	for j, v := range z {
		a[j] = v * c.factor[j]
	}
	if err := c.plan.Forward(ctx, a); err != nil {
		return err
	}
	for j, v := range c.filter {
		a[j] *= v
	}
	if err := c.plan.Inverse(ctx, a); err != nil {
		return err
	}
	for j := range z {
		z[j] = a[j] * c.factor[j]
	}
	return nil
}

// Frequencies are those of a transform of length n of samples step apart: 0 and up, then
// the negative ones; half: of the real one, none of which is negative.
func Frequencies(n int, step float64, half bool) []float64 {
	if half {
		f := make([]float64, n/2+1)
		for i := range f {
			f[i] = float64(i) / (float64(n) * step)
		}
		return f
	}
	f := make([]float64, n)
	for i := range f {
		k := i
		if i > (n-1)/2 {
			k = i - n
		}
		f[i] = float64(k) / (float64(n) * step)
	}
	return f
}

// Cosine is the transform X_k = 2 Σ_j x_j cos(πk(2j+1)/2n) (type 2), or its inverse (Makhoul
// 1980). ortho divides by what makes it orthogonal.
func Cosine(ctx context.Context, x []float64, inverse, ortho bool) ([]float64, error) {
	n := len(x)
	z, out := make([]complex128, n), make([]float64, n)
	plan := NewPlan(n)
	scale := func(k int) float64 {
		switch {
		case !ortho:
			return 1
		case k == 0:
			return math.Sqrt(1 / (4 * float64(n)))
		}
		return math.Sqrt(1 / (2 * float64(n)))
	}
	turn := func(k int) complex128 {
		sin, cos := math.Sincos(math.Pi * float64(k) / (2 * float64(n)))
		return complex(cos, -sin)
	}
	at := func(j int) int { // even samples forwards, then odd ones backwards
		if 2*j < n {
			return 2 * j
		}
		return 2*(n-j) - 1
	}
	if inverse {
		for k := range z {
			im := 0.0
			if k > 0 {
				im = x[n-k] / scale(n-k)
			}
			z[k] = complex(x[k]/scale(k), -im) * cmplx.Conj(turn(k)) / 2
		}
		err := plan.Inverse(ctx, z)
		for j := range z {
			out[at(j)] = real(z[j])
		}
		return out, err
	}
	for j := range z {
		z[j] = complex(x[at(j)], 0)
	}
	err := plan.Forward(ctx, z)
	for k := range z {
		out[k] = 2 * real(z[k]*turn(k)) * scale(k)
	}
	return out, err
}
