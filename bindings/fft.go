package bindings

import (
	"errors"
	"fmt"
	"math"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/arrays"
	"github.com/greenbench/workbench/internal/numeric/dense"
	"github.com/greenbench/workbench/internal/numeric/signal"
	"github.com/greenbench/workbench/numeric/array"
)

// FFT is the Lua module fft: transforms and spectra.
func FFT() bind.Module {
	return bind.Module{
		Name: "fft",
		Doc:  "Fourier and cosine transforms of any length, windows, convolution, spectra. Signs and factors are those of NumPy: the inverse divides by the length.",
		Funcs: []bind.Func{
			transform("fft", "The discrete Fourier transform along an axis: X[k] = Σ_j x[j] exp(-2πi (j-1)(k-1)/n).", false, 1,
				"print(fft.fft({1, 2, 3, 4}).re[1])  --> 10"),
			transform("ifft", "The inverse of fft.fft.", true, 1, "print(fft.ifft(fft.fft({1, 2, 3, 4})).re[2])  --> 2"),
			transform("fft2", "The Fourier transform along the last two axes.", false, 2, "print(fft.fft2({{1, 2}, {3, 4}}).re:at(1, 1))  --> 10"),
			transform("ifft2", "The inverse of fft.fft2.", true, 2, "print(fft.ifft2(fft.fft2({{1, 2}, {3, 4}})).re:at(2, 1))  --> 3"),
			bind.Fn("rfft", "The Fourier transform of real numbers along an axis: the n/2 + 1 frequencies that are not negative.",
				func(c *bind.Call, p *struct {
					X    *array.Array `arg:"x" pos:"1" doc:"real numbers"`
					Axis *int         `arg:"axis" doc:"which axis; by default the last"`
				},
				) (*arrays.Complex, error) {
					x, err := arrays.ToComplex(c, p.X)
					if err != nil {
						return nil, err
					}
					axis, err := lastAxis(p.Axis, x.Shape)
					if err != nil {
						return nil, err
					}
					n := x.Shape[axis]
					return lines(x, axis, n/2+1, func(z, out []complex128) error {
						err := signal.NewPlan(n).Forward(c, z)
						copy(out, z)
						return err
					})
				}, bind.Returns("complex array"), bind.Example("print(#fft.rfft({1, 2, 3, 4}))  --> 3"), bind.See("fft.irfft", "fft.fft", "fft.rfftfreq")),
			bind.Fn("irfft", "The inverse of fft.rfft.",
				func(c *bind.Call, p *struct {
					Z    *arrays.Complex `arg:"z" pos:"1" doc:"frequencies that are not negative"`
					N    int             `arg:"n" pos:"2" doc:"length of the result, 2m - 2 or 2m - 1 for m frequencies; 0 for the first" default:"0" allow:">=0"`
					Axis *int            `arg:"axis" doc:"which axis; by default the last"`
				},
				) (*array.Array, error) {
					axis, err := lastAxis(p.Axis, p.Z.Shape)
					if err != nil {
						return nil, err
					}
					m, n := p.Z.Shape[axis], p.N
					if n == 0 {
						n = 2*m - 2
					}
					if n < 1 || n/2+1 != m {
						return nil, fmt.Errorf("n %d: want %d or %d for %d frequencies", n, 2*m-2, 2*m-1, m)
					}
					out, err := lines(p.Z, axis, n, func(z, out []complex128) error {
						copy(out, z)
						out[0] = complex(real(z[0]), 0)
						for k := 1; k < m; k++ {
							if 2*k == n {
								out[k] = complex(real(z[k]), 0)
								continue
							}
							out[n-k] = complex(real(z[k]), -imag(z[k]))
						}
						return signal.NewPlan(n).Inverse(c, out)
					})
					if err != nil {
						return nil, err
					}
					return out.Real(c)
				}, bind.Returns("array"), bind.Errors("n that does not fit z"), bind.Example("print(fft.irfft(fft.rfft({1, 2, 3, 5}))[4])  --> 5"),
				bind.Example("print(fft.irfft(fft.rfft({1, 2, 5}), 3)[3])  --> 5"), bind.See("fft.rfft")),
			frequencies("fftfreq", "The frequencies of fft.fft: 0, positive, then negative ones.", false, "print(fft.fftfreq(4, 0.5)[2])  --> 0.5"),
			frequencies("rfftfreq", "The frequencies of fft.rfft.", true, "print(fft.rfftfreq(4, 0.5)[3])  --> 1"),
			cosine("dct", "The discrete cosine transform of type 2 along the last axis: X[k] = 2 Σ_j x[j] cos(π (k-1)(2j-1)/2n).", false, "print(fft.dct({1, 2, 3})[1])  --> 12"),
			cosine("idct", "The inverse of fft.dct.", true, "print(fft.idct(fft.dct({1, 2, 3}))[2])  --> 2"),
			bind.Fn("window", "A window of n points.", func(_ *bind.Call, p *struct {
				Name     string  `arg:"name" pos:"1" doc:"which window" allow:"hann|hamming|blackman|bartlett|kaiser|boxcar"`
				N        int     `arg:"n" pos:"2" doc:"number of points" allow:">=1"`
				Beta     float64 `arg:"beta" doc:"of the Kaiser window: the larger, the narrower" default:"8.6" allow:"[0, 500]"`
				Periodic bool    `arg:"periodic" doc:"the window of n + 1 points without the last, as spectra want it" default:"false"`
			},
			) (*array.Array, error) {
				if err := dense.CheckSize(fmt.Sprintf("window of %d points:", p.N), float64(p.N)); err != nil {
					return nil, err
				}
				w, err := signal.Window(p.Name, p.N, p.Beta, p.Periodic)
				return array.Vector(w), err
			}, bind.Returns("vector"), bind.Example(`print(fft.window("hann", 5)[3])  --> 1`), bind.Keywords("hanning", "hamming", "blackman", "kaiser", "taper"), bind.See("fft.welch")),
			shifted("fftshift", "The transform in the order of increasing frequencies: 0 in the middle, at index math.floor(n/2) + 1.", 0, "print(fft.fftshift(fft.fftfreq(4))[1])  --> -0.5"),
			shifted("ifftshift", "The inverse of fft.fftshift: 0 first, as fft.ifft wants it.", 1, "print(fft.ifftshift(fft.fftshift({1, 2, 3}))[1])  --> 1"),
			bind.Fn("convolve", "The convolution of two vectors: c[k] = Σ_j a[j] b[k - j + 1].", func(c *bind.Call, p *struct {
				A    []float64 `arg:"a" pos:"1" doc:"vector" allow:"nonempty"`
				B    []float64 `arg:"b" pos:"2" doc:"vector" allow:"nonempty"`
				Mode string    `arg:"mode" pos:"3" doc:"full: n + m - 1 values; same: the middle ones, as many as the longer has; valid: those without a part beyond the ends" default:"full" allow:"full|same|valid"`
			},
			) (*array.Array, error) {
				v, err := signal.Convolve(c, p.A, p.B)
				if err != nil {
					return nil, err
				}
				long, short := max(len(p.A), len(p.B)), min(len(p.A), len(p.B))
				switch p.Mode {
				case "same":
					v = v[(short-1)/2 : (short-1)/2+long]
				case "valid":
					v = v[short-1 : long]
				}
				return array.Vector(v), nil
			}, bind.Returns("vector"), bind.Example("print(fft.convolve({1, 2, 3}, {0, 1})[3])  --> 2"), bind.Keywords("filter", "moving average", "fftconvolve")),
			bind.Fn("welch", "The power density of a signal, from overlapping segments under a Hann window. Its integral over the frequencies is the variance.", func(c *bind.Call, p *struct {
				X        []float64 `arg:"x" pos:"1" doc:"samples" allow:"nonempty"`
				Fs       float64   `arg:"fs" doc:"samples per unit of time" default:"1" allow:">0 finite"`
				Nperseg  int       `arg:"nperseg" doc:"samples of a segment" default:"256" allow:">=1"`
				Noverlap int       `arg:"noverlap" doc:"samples that neighbouring segments share; -1 for half a segment" default:"-1" allow:">=-1"`
			},
			) (bind.Results, error) {
				n := min(p.Nperseg, len(p.X))
				if p.Noverlap < 0 {
					p.Noverlap = n / 2
				}
				f, d, err := signal.Welch(c, p.X, p.Fs, n, p.Noverlap)
				return bind.Results{array.Vector(f), array.Vector(d)}, err
			}, bind.ReturnsAs("array", "frequencies"), bind.ReturnsAs("array", "power densities"), bind.Errors("an overlap as long as a segment"),
				bind.Example("local f, p = fft.welch(random.normal{shape = {4096}}, {fs = 100})\nprint(#f, math.abs(integrate.trapezoid(p, f) - 1) < 0.1)  --> 129	true"),
				bind.Keywords("spectrum", "psd", "periodogram", "power spectral density"), bind.See("fft.rfft", "fft.window")),
		},
	}
}

// either is an array of real or of complex numbers.
type either = bind.Either[*arrays.Complex, *array.Array]

func complexOf(c *bind.Call, v either) (*arrays.Complex, error) {
	if !v.IsB {
		return v.A, nil
	}
	return arrays.ToComplex(c, v.B)
}

// transform declares a Fourier transform along an axis, or along the last two.
func transform(name, doc string, inverse bool, axes int, example string) bind.Func {
	along := func(c *bind.Call, x *arrays.Complex, axis int) (*arrays.Complex, error) {
		n := x.Shape[axis]
		plan := signal.NewPlan(max(n, 1))
		return lines(x, axis, n, func(z, out []complex128) error {
			copy(out, z)
			if inverse {
				return plan.Inverse(c, out)
			}
			return plan.Forward(c, out)
		})
	}
	if axes == 2 {
		return bind.Fn(name, doc, func(c *bind.Call, p *struct {
			X either `arg:"x" pos:"1" doc:"numbers, real or complex, with at least two axes"`
		},
		) (*arrays.Complex, error) {
			x, err := complexOf(c, p.X)
			if err == nil && x.Rank() < 2 {
				err = fmt.Errorf("x of shape %s: want two axes at least", dense.ShapeString(x.Shape))
			}
			for k := 1; err == nil && k <= 2; k++ {
				x, err = along(c, x, x.Rank()-k)
			}
			return x, err
		}, bind.Returns("complex array of the same shape"), bind.Example(example), bind.See("fft.fft"))
	}
	return bind.Fn(name, doc, func(c *bind.Call, p *struct {
		X    either `arg:"x" pos:"1" doc:"numbers, real or complex"`
		Axis *int   `arg:"axis" doc:"which axis; by default the last"`
	},
	) (*arrays.Complex, error) {
		x, err := complexOf(c, p.X)
		if err != nil {
			return nil, err
		}
		axis, err := lastAxis(p.Axis, x.Shape)
		if err != nil {
			return nil, err
		}
		return along(c, x, axis)
	}, bind.Returns("complex array of the same shape"), bind.Example(example), bind.Keywords("fourier", "spectrum", "frequency"), bind.See("fft.rfft", "fft.fftfreq"))
}

func lastAxis(axis *int, shape []int) (int, error) {
	if axis == nil {
		return len(shape) - 1, nil
	}
	return axisOf(axis, len(shape))
}

// lines applies f to every line along an axis, which has m numbers afterwards. f may change
// the copy of the line that it gets.
func lines(x *arrays.Complex, axis, m int, f func(z, out []complex128) error) (*arrays.Complex, error) {
	n, inner := x.Shape[axis], 1
	if n == 0 {
		return nil, errors.New("x has no numbers along the axis: want one at least")
	}
	for _, s := range x.Shape[axis+1:] {
		inner *= s
	}
	outer := len(x.Data) / n / max(inner, 1)
	if err := dense.CheckSize("the transform:", 2*float64(outer*m*inner+3*max(n, m))); err != nil {
		return nil, err
	}
	data := make([]complex128, outer*m*inner)
	z, out := make([]complex128, n), make([]complex128, m)
	for i := range outer {
		for j := range inner {
			for k := range z {
				z[k] = x.Data[(i*n+k)*inner+j]
			}
			clear(out)
			if err := f(z, out); err != nil {
				return nil, err
			}
			for k, v := range out {
				data[(i*m+k)*inner+j] = v
			}
		}
	}
	shape := append([]int(nil), x.Shape...)
	shape[axis] = m
	return arrays.ComplexOf(data, shape...)
}

func frequencies(name, doc string, half bool, example string) bind.Func {
	return bind.Fn(name, doc, func(_ *bind.Call, p *struct {
		N int     `arg:"n" pos:"1" doc:"number of samples" allow:">=1"`
		D float64 `arg:"d" pos:"2" doc:"distance between samples" default:"1" allow:"finite"`
	},
	) (*array.Array, error) {
		if p.D == 0 || math.IsNaN(p.D) {
			return nil, errors.New("d 0: want a distance")
		}
		if err := dense.CheckSize(fmt.Sprintf("%d frequencies:", p.N), float64(p.N)); err != nil {
			return nil, err
		}
		return array.Vector(signal.Frequencies(p.N, p.D, half)), nil
	}, bind.Returns("vector, in periods per unit of d"), bind.Example(example), bind.See("fft.fft", "fft.rfft"))
}

func cosine(name, doc string, inverse bool, example string) bind.Func {
	return bind.Fn(name, doc, func(c *bind.Call, p *struct {
		X    *array.Array `arg:"x" pos:"1" doc:"real numbers"`
		Norm string       `arg:"norm" doc:"ortho: scaled so that the transform is an orthogonal matrix" default:"none" allow:"none|ortho"`
	},
	) (*array.Array, error) {
		n := p.X.Shape[p.X.Rank()-1]
		if n == 0 {
			return nil, errors.New("x has no numbers along the axis: want one at least")
		}
		out := p.X.Copy()
		for at := 0; at < len(out.Data); at += n {
			v, err := signal.Cosine(c, p.X.Data[at:at+n], inverse, p.Norm == "ortho")
			if err != nil {
				return nil, err
			}
			copy(out.Data[at:], v)
		}
		return out, nil
	}, bind.Returns("array of the same shape"), bind.Example(example), bind.Keywords("cosine transform"), bind.See("fft.fft"))
}

// shifted declares the rolls that put the frequency 0 in the middle, rounded down, and back.
func shifted(name, doc string, up int, example string) bind.Func {
	return bind.Fn(name, doc+" Along one axis, or all of them.", func(c *bind.Call, p *struct {
		X    bind.Either[*array.Array, *arrays.Complex] `arg:"x" pos:"1" doc:"numbers, real or complex"`
		Axis *int                                       `arg:"axis" doc:"which axis; by default all"`
	},
	) (bind.Either[*array.Array, *arrays.Complex], error) {
		var shape []int
		if p.X.IsB {
			shape = p.X.B.Shape
		} else {
			shape = p.X.A.Shape
		}
		only, err := axisOf(p.Axis, len(shape))
		if err != nil {
			return bind.Either[*array.Array, *arrays.Complex]{}, err
		}
		roll := func(a *array.Array) (*array.Array, error) {
			for k, n := range shape {
				if only == arrays.All || only == k {
					shift := n / 2
					if up == 1 {
						shift = -shift
					}
					if a, err = arrays.Roll(c, a, shift, k); err != nil {
						return nil, err
					}
				}
			}
			return a, nil
		}
		if !p.X.IsB {
			a, err := roll(p.X.A)
			return bind.First[*array.Array, *arrays.Complex](a), err
		}
		parts := [2]*array.Array{}
		for k := range parts {
			part := array.New(shape...)
			for i, z := range p.X.B.Data {
				part.Data[i] = [2]float64{real(z), imag(z)}[k]
			}
			if parts[k], err = roll(part); err != nil {
				return bind.Either[*array.Array, *arrays.Complex]{}, err
			}
		}
		data := make([]complex128, len(p.X.B.Data))
		for i := range data {
			data[i] = complex(parts[0].Data[i], parts[1].Data[i])
		}
		z, err := arrays.ComplexOf(data, shape...)
		return bind.Second[*array.Array](z), err
	}, bind.ReturnsAs("complex|array", "as x is, of the same shape"), bind.Errors("no such axis"), bind.Example(example), bind.See("fft.fft", "fft.fftfreq"))
}
