package bindings_test

import (
	"github.com/greenbench/workbench/numeric/array"
)

func agreeOptimize() []agreement {
	vector := func(n int, lo, hi float64) func(g *draws) *array.Array {
		return func(g *draws) *array.Array { return g.within(lo, hi, n) }
	}
	draw := func(args ...func(g *draws) *array.Array) func(g *draws) []*array.Array {
		return func(g *draws) []*array.Array {
			var out []*array.Array
			for _, a := range args {
				out = append(out, a(g))
			}
			return out
		}
	}
	line := func(g *draws) []*array.Array { // curves with noise
		at := 0.0
		x := g.of(func() float64 { at += 0.2 + 0.1*g.Float64(); return at }, 12)
		return []*array.Array{x, g.of(g.NormFloat64, 12), g.within(0.5, 2, 3)}
	}
	program := func(g *draws) []*array.Array { // bounded and feasible at 0, as a rule
		n, m := 1+g.IntN(5), 1+g.IntN(6)
		return []*array.Array{g.array(n), g.array(m, n), g.odd(g.of(func() float64 { return g.Float64() * 3 }, m)), g.within(1, 4, n)}
	}
	const plain = "plain nan"
	return []agreement{
		{
			of: "optimize.brentq", ours: "optimize.brentq(function(x) return x ^ 3 + b[1] * x + a[1] end, -9, 9)", theirs: "scipy.optimize.brentq(lambda x: x**3 + b[0] * x + a[0], -9, 9, xtol=1e-15)",
			draw: draw(vector(1, -50, 50), vector(1, 0, 5)), tol: 1e-12, scale: "1 + abs(v[0])", kinds: plain,
		},
		{
			of: "optimize.root", ours: "optimize.root(function(x) return {x[1] + a[1] * math.sin(x[2]) - b[1], x[2] + a[2] * math.cos(x[1]) - b[2]} end, {0, 0})",
			theirs: "scipy.optimize.root(lambda x: [x[0] + a[0] * np.sin(x[1]) - b[0], x[1] + a[1] * np.cos(x[0]) - b[1]], [0, 0], tol=1e-13).x", draw: draw(vector(2, -0.8, 0.8), vector(2, -3, 3)), tol: 1e-9, scale: "1", kinds: plain,
		},
		{
			of: "optimize.minimize", ours: "optimize.minimize(function(x) local s = 0; for i = 1, 3 do s = s + math.cosh(a[i] * (x[i] - b[i])) + 0.3 * x[i] * x[i % 3 + 1] + x[i] ^ 2 end return s end, {0, 0, 0}).x",
			theirs: "scipy.optimize.minimize(lambda x: np.sum(np.cosh(a * (x - b)) + 0.3 * x * np.roll(x, -1) + x**2), np.zeros(3), tol=1e-11).x", draw: draw(vector(3, 0.3, 2), vector(3, -1, 1)), tol: 1e-5, scale: "1", kinds: plain, cases: 300,
		},
		{
			of: "optimize.minimize", ours: `optimize.minimize(function(x) return math.cosh(a[1] * (x[1] - b[1])) + (x[2] - b[2]) ^ 2 end, {0, 0}, {bounds = {{-0.2, 0.3}, {-0.5, 0.5}}}).x`,
			theirs: "np.clip(b, [-0.2, -0.5], [0.3, 0.5])", draw: draw(vector(1, 0.3, 2), vector(2, -1, 1)), tol: 1e-5, scale: "1", kinds: "plain",
		},
		{
			of: "optimize.minimize", ours: `optimize.minimize(function(x) return math.abs(x[1] - b[1]) * a[1] + math.abs(x[2] - b[2]) end, {0, 0}, {method = "Nelder-Mead"}).x`,
			theirs: "b", draw: draw(vector(1, 0.3, 2), vector(2, -1, 1)), tol: 1e-5, scale: "1", kinds: "plain",
		},
		{
			of: "optimize.least_squares", ours: "local r = optimize.least_squares(function(p) local r = {}; for i = 1, 12 do r[i] = p[1] * math.exp(-p[2] * i / 12) - c[1] * math.exp(-c[2] * i / 12) - 0.01 * b[i] end return r end, {1, 1})\nreturn r.x, r.fun",
			theirs: "(lambda r: (r.x, r.cost))(scipy.optimize.least_squares(lambda p: (lambda t: p[0] * np.exp(-p[1] * t) - c[0] * np.exp(-c[1] * t) - 0.01 * b)(np.arange(1, 13) / 12), [1, 1], xtol=1e-14, ftol=1e-14, gtol=1e-14))",
			draw:   line, tol: 1e-6, kinds: "plain nan", scale: "1", cases: 300,
		},
		{
			of: "optimize.curve_fit", ours: "local f = optimize.curve_fit(function(x, p, q) return p * (x - q) ^ 2 end, a, c[1] * (a - c[2]) ^ 2 + 0.05 * b, {1, 1})\nreturn f.p, f.cov, f.stderr",
			theirs: "(lambda p, V: (p, V, np.sqrt(np.diag(V))))(*scipy.optimize.curve_fit(lambda x, p, q: p * (x - q)**2, a, c[0] * (a - c[1])**2 + 0.05 * b, [1, 1], xtol=1e-14, ftol=1e-14))", draw: line, tol: 1e-6, kinds: "plain nan", scale: "1",
		},
		{
			of: "optimize.linprog", ours: "local bounds = {}; for i = 1, #d do bounds[i] = {0, d[i]} end\nreturn optimize.linprog(a, {a_ub = b, b_ub = c, bounds = bounds}).fun",
			theirs: "done(scipy.optimize.linprog(a, b, c, bounds=[(0, u) for u in d]))", draw: program, tol: 1e-10, scale: "np.abs(a).max()", kinds: "plain whole nan", refuses: "NaN",
		},
		{of: "optimize.linprog", ours: "return optimize.linprog(a, {a_eq = {d}, b_eq = {1}, a_ub = b, b_ub = c}).fun", theirs: "done(scipy.optimize.linprog(a, b, c, A_eq=[d], b_eq=[1]))", draw: program, tol: 1e-9, scale: "np.abs(a).max() + abs(v[0])", kinds: "plain whole nan", refuses: "NaN"},
	}
}

func agreeIntegrate() []agreement {
	samples := func(g *draws) []*array.Array {
		n := g.size(1, 12)
		return []*array.Array{g.array(n), g.increasing(n)}
	}
	odd := func(g *draws) []*array.Array {
		n := max(3, g.size(1, 6)*2+1)
		return []*array.Array{g.array(2, n), g.increasing(n)}
	}
	coefficients := func(n int) func(g *draws) []*array.Array {
		return func(g *draws) []*array.Array { return []*array.Array{g.within(-2, 2, n), g.within(0.1, 3, 2)} }
	}
	const kinds = "plain whole one tiny nan"
	const scale = "np.sum(np.abs(a)) * np.ptp(b)"
	ivp := func(of, more, theirs string, tol float64) agreement {
		return agreement{
			of: of, ours: "local s = integrate.solve_ivp(function(t, y) return {y[2] + a[1] * math.sin(t), -b[1] * y[1] - 0.3 * y[2] + a[2] * y[1] * y[2]} end, {0, b[2]}, {0.5, 0}" + more,
			theirs: "scipy.integrate.solve_ivp(lambda t, y: [y[1] + a[0] * np.sin(t), -b[0] * y[0] - 0.3 * y[1] + a[1] * y[0] * y[1]], [0, b[1]], [0.5, 0], rtol=1e-10, atol=1e-12, method='DOP853', dense_output=True)" + theirs,
			draw:   func(g *draws) []*array.Array { return []*array.Array{g.within(-0.3, 0.3, 2), g.within(0.5, 2, 2)} }, tol: tol, scale: "1", kinds: "plain", cases: 300,
		} // with NaN SciPy does not end
	}
	return []agreement{
		{of: "integrate.trapezoid", ours: "integrate.trapezoid(a, b)", theirs: "np.trapz(a, b)", draw: samples, tol: 1e-13, kinds: kinds, scale: scale},
		{of: "integrate.trapezoid", ours: "integrate.trapezoid(a, {dx = 0.5})", theirs: "np.trapz(a, dx=0.5)", draw: odd, tol: 1e-13, kinds: kinds + " huge beyond inf", scale: "np.nansum(np.abs(a))"},
		{of: "integrate.cumulative_trapezoid", ours: "integrate.cumulative_trapezoid(a, b)", theirs: "scipy.integrate.cumulative_trapezoid(a, b, initial=0)", draw: samples, tol: 1e-13, kinds: kinds, scale: scale},
		{of: "integrate.simpson", ours: "integrate.simpson(a, b)", theirs: "scipy.integrate.simpson(a, b)", draw: odd, tol: 1e-10, kinds: "plain whole nan", scale: "np.sum(np.abs(a)) * np.ptp(b) * (np.ptp(b) / np.diff(b).min())"},
		{of: "integrate.cumulative_simpson", ours: "integrate.cumulative_simpson(a, b)", theirs: "parabolas(a, b)", draw: samples, tol: 1e-10, kinds: "plain whole", scale: "np.sum(np.abs(a)) * np.ptp(b) * (np.ptp(b) / np.append(np.diff(b), 1).min())**2"},
		{
			of: "integrate.quad", ours: "return (integrate.quad(function(x) return math.exp(a[1] * x) * math.cos(a[2] * x) + a[3] / (1 + x ^ 2) end, -b[1], b[2]))",
			theirs: "scipy.integrate.quad(lambda x: np.exp(a[0] * x) * np.cos(a[1] * x) + a[2] / (1 + x**2), -b[0], b[1], epsabs=0, epsrel=1e-12, limit=200)[0]", draw: coefficients(3), tol: 1e-10, kinds: "plain nan", scale: "1",
		},
		{
			of: "integrate.quad", ours: "return (integrate.quad(function(x) return math.exp(-b[1] * (x - a[1]) ^ 2) * (1 + a[2] * x) end, -math.huge, math.huge))",
			theirs: "np.sqrt(np.pi / b[0]) * (1 + a[0] * a[1])", draw: coefficients(2), tol: 1e-9, kinds: "plain", scale: "1",
		},
		{
			of: "integrate.nquad", ours: "return (integrate.nquad(function(x, y) return math.cos(a[1] * x + a[2] * y) end, {function(y) return {0, 1 + y} end, {0, b[1]}}))",
			theirs: "scipy.integrate.nquad(lambda x, y: np.cos(a[0] * x + a[1] * y), [lambda y: [0, 1 + y], [0, b[0]]])[0]", draw: coefficients(2), tol: 1e-7, kinds: "plain", scale: "1", cases: 100,
		},
		ivp("integrate.solve_ivp", ", {rtol = 1e-9})\nreturn s.y:slice{{}, {#s.t, #s.t}}:reshape(2)", ".y[:, -1]", 1e-6),
		ivp("solution:at", ", {rtol = 1e-9})\nreturn s:at(b[2] / 3)", ".sol(b[1] / 3)", 1e-6),
		ivp("integrate.solve_ivp", ", {rtol = 1e-8, method = \"Radau\"})\nreturn s:at(b[2])", ".y[:, -1]", 1e-5),
	}
}
