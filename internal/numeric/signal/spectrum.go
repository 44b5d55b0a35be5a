package signal

import (
	"context"
	"fmt"
	"math"
)

// Window returns a window of n points: "hann", "hamming", "blackman", "bartlett", "boxcar",
// or "kaiser" with the given beta. periodic: that of a line repeated for ever, for spectra;
// otherwise symmetric.
func Window(name string, n int, beta float64, periodic bool) ([]float64, error) {
	w := make([]float64, n)
	m := float64(n - 1)
	if periodic {
		m = float64(n)
	}
	for i := range w {
		if n == 1 {
			w[i] = 1
			continue
		}
		t := float64(i) / m
		switch c := math.Cos(2 * math.Pi * t); name {
		case "boxcar":
			w[i] = 1
		case "hann":
			w[i] = 0.5 - 0.5*c
		case "hamming":
			w[i] = 0.54 - 0.46*c
		case "blackman":
			w[i] = 0.42 - 0.5*c + 0.08*math.Cos(4*math.Pi*t)
		case "bartlett":
			w[i] = 1 - math.Abs(2*t-1)
		case "kaiser":
			w[i] = besselI0(beta*math.Sqrt(max(0, 1-(2*t-1)*(2*t-1)))) / besselI0(beta)
		default:
			return nil, fmt.Errorf("no window %q", name)
		}
	}
	return w, nil
}

// besselI0 is the modified Bessel function of order 0 by its series, all of whose terms are
// positive.
func besselI0(x float64) float64 {
	sum, term := 1.0, 1.0
	for k := 1.0; term > 1e-17*sum && k < 1000; k++ {
		term *= x / (2 * k) * (x / (2 * k))
		sum += term
	}
	return sum
}

// Convolve is Σ_j a_j b_{k-j}, of length n+m-1: directly if one is short, otherwise by
// transforms, whose rounding is relative to the largest values.
func Convolve(ctx context.Context, a, b []float64) ([]float64, error) {
	if len(a) == 0 || len(b) == 0 {
		return nil, fmt.Errorf("nothing to convolve: %d and %d values", len(a), len(b))
	}
	if len(a) < len(b) {
		a, b = b, a
	}
	n := len(a) + len(b) - 1
	const short = 64
	if len(b) <= short {
		out := make([]float64, n)
		for j, v := range b {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			for i, u := range a {
				out[i+j] += u * v
			}
		}
		return out, nil
	}
	m := n
	for largestFactor(m) > 5 {
		m++
	}
	z := make([]complex128, m) // both at once: a + ib
	for i, v := range a {
		z[i] = complex(v, 0)
	}
	scale := largest(a) / largest(b) // so that neither drowns in the rounding of the other
	if math.IsNaN(scale) || math.IsInf(scale, 0) || scale == 0 {
		scale = 1
	}
	for i, v := range b {
		z[i] += complex(0, v*scale)
	}
	plan := NewPlan(m)
	if err := plan.Forward(ctx, z); err != nil {
		return nil, err
	}
	for i := range z { // the transform of (a + ib)², of which 2ab is the imaginary part
		z[i] *= z[i]
	}
	if err := plan.Inverse(ctx, z); err != nil {
		return nil, err
	}
	out := make([]float64, n)
	for i := range out {
		out[i] = imag(z[i]) / (2 * scale)
	}
	return out, nil
}

func largest(x []float64) float64 {
	m := 0.0
	for _, v := range x {
		m = max(m, math.Abs(v))
	}
	return m
}

// Welch estimates the power density of a signal sampled at a rate: the mean over segments,
// overlapping by half, of their squared transforms under a Hann window, without their means
// (IEEE Trans. Audio Electroacoust. 15, 1967). One-sided: its integral is the variance.
func Welch(ctx context.Context, x []float64, rate float64, segment, overlap int) (frequencies, density []float64, err error) {
	segment = min(segment, len(x))
	if segment < 1 || overlap < 0 || overlap >= segment {
		return nil, nil, fmt.Errorf("segments of %d with an overlap of %d: want an overlap below the length", segment, overlap)
	}
	w, err := Window("hann", segment, 0, true)
	if err != nil {
		return nil, nil, err
	}
	if segment == 1 {
		w[0] = 1
	}
	power := 0.0
	for _, v := range w {
		power += v * v
	}
	plan, z := NewPlan(segment), make([]complex128, segment)
	density = make([]float64, segment/2+1)
	count := 0
	for at := 0; at+segment <= len(x); at += segment - overlap {
		mean := 0.0
		for _, v := range x[at : at+segment] {
			mean += v / float64(segment)
		}
		for i, v := range x[at : at+segment] {
			z[i] = complex((v-mean)*w[i], 0)
		}
		if err := plan.Forward(ctx, z); err != nil {
			return nil, nil, err
		}
		for k := range density {
			density[k] += real(z[k])*real(z[k]) + imag(z[k])*imag(z[k])
		}
		count++
	}
	for k := range density {
		density[k] /= power * rate * float64(count)
		if k > 0 && !(segment%2 == 0 && k == segment/2) {
			density[k] *= 2
		}
	}
	return Frequencies(segment, 1/rate, true), density, nil
}
