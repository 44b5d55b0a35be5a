package bindings_test

import (
	"fmt"

	"github.com/greenbench/workbench/numeric/array"
)

func agreeFFT() []agreement {
	line := func(g *draws) *array.Array { return g.array(g.size(1, 20)) }
	one := func(g *draws) []*array.Array { return []*array.Array{line(g)} }
	two := func(g *draws) []*array.Array {
		n, m := g.size(1, 9), g.size(1, 7)
		return []*array.Array{g.array(n, m), g.array(n, m)}
	}
	axis := func(g *draws) []*array.Array {
		n, m := g.size(1, 9), g.size(1, 7)
		return []*array.Array{g.array(n, m), g.array(n, m), g.integer(1, 2)}
	}
	transform := func(name, more string, draw func(g *draws) []*array.Array) agreement {
		return agreement{
			of: "fft." + name, ours: "fft." + name + "(array.complex(a, b)" + more + ")", draw: draw, tol: 1e-14, kinds: "plain whole one huge tiny beyond empty",
			theirs: "np.fft." + name + "(Z(a, b)" + map[bool]string{true: ", axis=int(c) - 1"}[more != ""] + ")",
		}
	}
	window := func(name, theirs string) agreement {
		return agreement{
			of: "fft.window", ours: fmt.Sprintf("fft.window(%q, a, {periodic = b > 0})", name), tol: 1e-13, scale: "1",
			theirs: "scipy.signal.get_window(" + theirs + ", int(a), fftbins=b > 0)",
			draw:   func(g *draws) []*array.Array { return []*array.Array{g.integer(1, 20), g.integer(0, 1)} },
		}
	}
	return []agreement{
		transform("fft", ", {axis = c}", axis), transform("ifft", ", {axis = c}", axis),
		transform("fft2", "", two), transform("ifft2", "", two),
		{of: "fft.fft", ours: "fft.fft(a)", theirs: "np.fft.fft(a)", draw: one, tol: 1e-14, kinds: "plain whole one huge tiny beyond"},
		{of: "fft.rfft", ours: "fft.rfft(a)", theirs: "np.fft.rfft(a)", draw: one, tol: 1e-14, kinds: "plain whole one huge tiny beyond empty"},
		{of: "fft.rfft", ours: "fft.rfft(a, {axis = 1})", theirs: "np.fft.rfft(a, axis=0)", draw: two, tol: 1e-14, kinds: "plain whole one huge tiny beyond empty"},
		{
			of: "fft.irfft", ours: "fft.irfft(array.complex(a, b), c)", theirs: "np.fft.irfft(Z(a, b), int(c))", tol: 1e-14, kinds: "plain whole one huge tiny beyond", scale: "np.abs(Z(a, b)).max()",
			draw: func(g *draws) []*array.Array {
				n := max(2, g.size(2, 9))
				return []*array.Array{g.array(n), g.array(n), scalar(float64(2*n - 2 + g.IntN(2)))}
			},
		},
		{of: "fft.dct", ours: "fft.dct(a)", theirs: "scipy.fft.dct(a)", draw: one, tol: 1e-14, kinds: "plain whole one huge tiny beyond empty"},
		{of: "fft.dct", ours: `fft.dct(a, {norm = "ortho"})`, theirs: "scipy.fft.dct(a, norm='ortho')", draw: two, tol: 1e-14, kinds: "plain whole one huge tiny beyond empty"},
		{of: "fft.idct", ours: "fft.idct(a)", theirs: "scipy.fft.idct(a)", draw: two, tol: 1e-14, kinds: "plain whole one huge tiny beyond empty"},
		{of: "fft.idct", ours: `fft.idct(a, {norm = "ortho"})`, theirs: "scipy.fft.idct(a, norm='ortho')", draw: one, tol: 1e-14, kinds: "plain whole one huge tiny beyond"},
		{of: "fft.fftfreq", ours: "fft.fftfreq(a, b)", theirs: "np.fft.fftfreq(int(a), b)", tol: 1e-15, draw: func(g *draws) []*array.Array { return []*array.Array{g.integer(1, 20), scalar(g.NormFloat64())} }},
		{of: "fft.rfftfreq", ours: "fft.rfftfreq(a, b)", theirs: "np.fft.rfftfreq(int(a), b)", tol: 1e-15, draw: func(g *draws) []*array.Array { return []*array.Array{g.integer(1, 20), scalar(g.NormFloat64())} }},
		{of: "fft.fftshift", ours: "fft.fftshift(a), fft.fftshift(a, {axis = c})", theirs: "(np.fft.fftshift(a), np.fft.fftshift(a, int(c) - 1))", draw: axis},
		{of: "fft.ifftshift", ours: "fft.ifftshift(array.complex(a, b))", theirs: "np.fft.ifftshift(Z(a, b))", draw: two},
		window("hann", "'hann'"), window("hamming", "'hamming'"), window("blackman", "'blackman'"), window("bartlett", "'bartlett'"), window("boxcar", "'boxcar'"), window("kaiser", "('kaiser', 8.6)"),
		{
			of: "fft.convolve", ours: `fft.convolve(a, b), fft.convolve(a, b, "same"), fft.convolve(a, b, "valid")`, theirs: "(np.convolve(a, b), np.convolve(a, b, 'same'), np.convolve(a, b, 'valid'))", tol: 1e-14, kinds: "plain whole one tiny beyond empty",
			draw: func(g *draws) []*array.Array { return []*array.Array{line(g), line(g)} }, scale: "np.linalg.norm(a) * np.linalg.norm(b)",
		},
		{
			of: "fft.welch", ours: "fft.welch(a, {fs = 3, nperseg = b})", theirs: "scipy.signal.welch(a, 3, nperseg=min(int(b), len(a)), detrend='constant')", tol: 1e-12, kinds: "plain whole one tiny nan empty",
			draw: func(g *draws) []*array.Array { return []*array.Array{g.array(g.size(1, 60)), g.integer(1, 40)} },
		},
	}
}

func agreeSpecial() []agreement {
	const n = 6 // numbers at once
	elsewhere := []float64{-1e300, -1e9, -2.5, -2, -1, 0, 1e-300, 0.5, 1, 2, 1e6, 1e300}
	type argument func(g *draws) *array.Array
	between := func(lo, hi float64) argument { return func(g *draws) *array.Array { return g.within(lo, hi, n) } }
	decades := func(lo, hi float64) argument { return func(g *draws) *array.Array { return g.decades(lo, hi, n) } }
	// some are at the ends of the domain and outside of it
	row := func(name string, tol float64, args ...argument) agreement {
		list := []string{"a", "a, b", "a, b, c"}[len(args)-1]
		return agreement{
			of: "special." + name, ours: "special." + name + "(" + list + ")", theirs: "scipy.special." + name + "(" + list + ")", tol: tol, each: true, domain: true, numbers: "NaN", kinds: "plain one nan inf",
			draw: func(g *draws) []*array.Array {
				var out []*array.Array
				for _, a := range args {
					x := a(g)
					if g.kind == "one" {
						x = array.Vector([]float64{elsewhere[g.IntN(len(elsewhere))]})
					}
					out = append(out, x)
				}
				return out
			},
		}
	}
	zeros := func(r agreement, scale string) agreement { // near a zero, relative to the amplitude
		r.scale = scale
		return r
	}
	conditioned := func(r agreement, condition string) agreement {
		r.condition = condition
		return r
	}
	instead := func(r agreement, theirs string) agreement {
		r.theirs = theirs
		return r
	}
	inside := func(r agreement) agreement { // where SciPy comes to an end
		r.kinds = "plain nan"
		return r
	}
	return []agreement{
		row("gamma", 1e-12, between(-150, 170)),
		zeros(row("gammaln", 1e-13, decades(-6, 6)), "0.1"),
		zeros(row("digamma", 1e-12, between(-10, 50)), "1"),
		conditioned(row("beta", 2e-12, decades(-2, 2), decades(-2, 2)), "np.clip(np.abs([a, b]).max(), 1, 1e6)"), // SciPy's has lost so many digits
		zeros(row("betaln", 1e-9, decades(-2, 3), decades(-2, 3)), "1"),
		row("gammainc", 1e-11, between(0.1, 30), between(0.1, 60)),
		row("gammaincc", 1e-11, between(0.1, 30), between(0.1, 60)),
		row("gammaincinv", 1e-10, between(0.3, 300), between(0.01, 0.99)),
		row("gammainccinv", 1e-10, between(0.3, 300), between(0.01, 0.99)),
		row("betainc", 1e-10, between(0.1, 20), between(0.1, 20), between(0, 1)),
		row("betaincinv", 1e-10, between(0.3, 20), between(0.3, 20), between(0.01, 0.99)),
		zeros(row("jv", 1e-11, between(-20, 60), decades(-1, 3)), "0.1"),
		inside(zeros(row("yv", 1e-11, between(0, 60), decades(0, 3)), "0.1")),
		instead(row("iv", 1e-11, between(-20, 60), decades(-1, 2.8)), "bessel(a, b)"),
		row("kv", 1e-12, between(-60, 60), decades(-1, 2.8)),
		conditioned(row("ive", 1e-12, between(0, 60), decades(-1, 6)), "np.where(np.abs(a).max() > 1e5, 1e3, 1)"), // 60 digits of Debye's expansion say so
		row("kve", 1e-12, between(0, 60), decades(-1, 6)),
		row("erf", 1e-15, between(-6, 6)),
		row("erfc", 1e-13, between(-6, 26)),
		row("erfinv", 4e-15, between(-1, 1)),
		row("erfcinv", 4e-15, decades(-300, 0)),
		row("ellipk", 4e-15, between(-5, 1)),
		row("ellipe", 4e-15, between(-5, 1)),
		row("zeta", 1e-13, between(1.01, 40), decades(-1, 2)),
		zeros(row("airy", 1e-12, between(-30, 10)), "0.1"),
		{
			of: "special.eval_legendre", ours: "special.eval_legendre(a, b)", theirs: "scipy.special.eval_legendre(int(a), b)", tol: 1e-12, scale: "1", kinds: "plain nan",
			draw: func(g *draws) []*array.Array { return []*array.Array{g.integer(0, 30), g.within(-1, 1, n)} },
		},
	}
}
