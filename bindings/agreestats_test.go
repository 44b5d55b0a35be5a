package bindings_test

import (
	"fmt"
	"math"
	"strings"

	"github.com/greenbench/workbench/numeric/array"
)

func agreeInterp() []agreement {
	// points, values, and where: between the points, and at them.
	through := func(least int) func(g *draws) []*array.Array {
		return func(g *draws) []*array.Array {
			n := g.size(least, 12)
			if n > 0 {
				n = max(n, least)
			}
			x := g.increasing(n)
			at := array.New(6)
			for i := range at.Data {
				if n == 0 {
					break
				}
				k, s := g.IntN(max(1, n-1)), g.Float64()
				at.Data[i] = x.Data[k]
				if i > 0 && k+1 < n {
					at.Data[i] += s * (x.Data[k+1] - x.Data[k])
				}
			}
			return []*array.Array{x, g.array(n), at}
		}
	}
	const scale = "np.abs(b).max()"
	curve := func(kind, theirs string, least int) []agreement {
		of := fmt.Sprintf("interp.interp1d(a, b, {kind = %q})", kind)
		at := theirs + "(c)"
		if kind == "clamped" { // in units of their range; SciPy loses digits at points about 1e15
			at = "(lambda u: " + strings.Replace(theirs, "(a,", "(a / u,", 1) + "(c / u))(np.ptp(a))"
		}
		rows := []agreement{{of: "curve:__call", ours: of + "(c)", theirs: at, draw: through(least), tol: 1e-11, kinds: "plain whole one beyond nan inf empty", scale: "np.abs(v[0]).max() + " + scale}}
		if kind == "nearest" || kind == "linear" {
			return rows
		}
		return append(rows,
			agreement{of: "curve:derivative", ours: of + ":derivative(c)", theirs: theirs + "(c, 1)", draw: through(least), tol: 1e-10, kinds: "plain whole beyond", scale: "np.abs(v[0]).max() + " + scale + " / np.diff(a).min()"},
			agreement{of: "curve:integral", ours: of + ":integral(a[1], c[2])", theirs: theirs + ".integrate(a[0], c[1])", draw: through(least), tol: 1e-11, kinds: "plain whole", scale: scale + " * np.ptp(a) * 20"})
	}
	var rows []agreement
	for _, k := range []struct {
		kind, theirs string
		least        int
	}{
		{"linear", "scipy.interpolate.interp1d(a, b, assume_sorted=True)", 2},
		{"nearest", "scipy.interpolate.interp1d(a, b, kind='nearest', assume_sorted=True)", 2},
		{"cubic", "scipy.interpolate.CubicSpline(a, b)", 2},
		{"natural", "scipy.interpolate.CubicSpline(a, b, bc_type='natural')", 2},
		{"clamped", "scipy.interpolate.CubicSpline(a, b, bc_type='clamped')", 2},
		{"pchip", "scipy.interpolate.PchipInterpolator(a, b)", 2},
		{"akima", "scipy.interpolate.Akima1DInterpolator(a, b)", 3},
	} {
		rows = append(rows, curve(k.kind, k.theirs, k.least)...)
	}
	grid := func(g *draws) []*array.Array {
		n, m := max(4, g.size(4, 8)), max(4, g.size(4, 7))
		return []*array.Array{g.increasing(n), g.increasing(m), g.array(n, m), g.of(g.Float64, 5)}
	}
	at := "(lambda p, q: %s)(a[0] + d * (a[-1] - a[0]), b[0] + d[::-1] * (b[-1] - b[0]))"
	ours := func(kind string) string {
		return fmt.Sprintf("return interp.interp2d(a, b, c, {kind = %q})(a[1] + d * (a[#a] - a[1]), b[1] + d:flip() * (b[#b] - b[1]))", kind)
	}
	return append(rows,
		agreement{of: "interp.interp1d", ours: `interp.interp1d(a, array{b, b * 2}, {outside = "extend"})(c + 0.5)`, theirs: "scipy.interpolate.CubicSpline(a, np.array([b, b * 2]), axis=1)(c + 0.5)", draw: through(4), tol: 1e-10, kinds: "plain whole", scale: "np.abs(v[0]).max() + " + scale},
		agreement{of: "interp.interp1d", ours: `interp.interp1d(a, b, {kind = "linear", outside = "constant"})(c * 2)`, theirs: "np.interp(c * 2, a, b)", draw: through(2), tol: 1e-13, kinds: "plain whole tiny", scale: scale},
		agreement{of: "interp.interp2d", ours: ours("linear"), theirs: fmt.Sprintf(at, "scipy.interpolate.RegularGridInterpolator((a, b), c, bounds_error=False)(np.array([p, q]).T)"), draw: grid, tol: 1e-13, kinds: "plain whole", scale: "np.abs(c).max()"},
		agreement{of: "grid_function:__call", ours: ours("cubic"), theirs: fmt.Sprintf(at, "scipy.interpolate.CubicSpline(b, scipy.interpolate.CubicSpline(a, c)(p), axis=1)(q).diagonal()"), draw: grid, tol: 1e-10, kinds: "plain whole", scale: "np.abs(v[0]).max() + np.abs(c).max()"},
	)
}

// spread draws a sample of numbers that are not all the same, as a rule.
func spread(g *draws, low, high int) *array.Array { return g.array(g.size(low, high)) }

func agreeStats() []agreement {
	rows := distributionRows()
	// Sums of squares of SciPy's overflow at 1e154, and are 0 as far down.
	const kinds = "plain whole one nan inf empty"
	one := func(g *draws) []*array.Array { return []*array.Array{spread(g, 2, 15)} }
	two := func(g *draws) []*array.Array { return []*array.Array{spread(g, 2, 15), spread(g, 2, 12)} }
	pairs := func(g *draws) []*array.Array { n := g.size(3, 14); return []*array.Array{g.array(n), g.array(n)} }
	test := func(name, ours, theirs string, draw func(g *draws) []*array.Array) agreement {
		return agreement{
			of: "stats." + name, ours: "local r = stats." + name + "(" + ours + ")\nreturn r.statistic, r.pvalue", draw: draw, tol: 1e-9, each: true, scale: "1e-6", kinds: kinds,
			theirs: "(lambda r: (r[0], r[1]))(scipy.stats." + theirs + ")",
		}
	}
	against := func(r agreement, theirs string) agreement {
		r.theirs = theirs
		return r
	}
	few := "want more|two at least|three|at least|constant|same|all equal|no variance|do not vary"
	cov := func(g *draws) []*array.Array { return []*array.Array{g.array(g.size(1, 5), max(2, g.size(2, 9)))} }
	rows = append(rows,
		test("ttest_1samp", "a, 0.5", "ttest_1samp(a, 0.5)", one),
		test("ttest_ind", "a, b", "ttest_ind(a, b)", two), test("ttest_ind", "a, b, {equal_var = false}", "ttest_ind(a, b, equal_var=False)", two),
		test("ttest_rel", "a, b", "ttest_rel(a, b)", pairs),
		test("kstest", "a, stats.norm()", "kstest(a, 'norm')", one), against(test("kstest", "a, b", "", two), "kolmogorov(a, b)"),
		test("mannwhitneyu", "a, b", "mannwhitneyu(a, b)", two),
		test("pearsonr", "a, b", "pearsonr(a, b)", pairs), test("spearmanr", "a, b", "spearmanr(a, b)", pairs), test("kendalltau", "a, b", "kendalltau(a, b)", pairs),
		agreement{
			of: "stats.chisquare", ours: "local r = stats.chisquare(a, b * (a:sum() / b:sum()))\nreturn r.statistic, r.pvalue", theirs: "tuple(scipy.stats.chisquare(a, b * (a.sum() / b.sum())))", tol: 1e-9, each: true, kinds: "plain one nan",
			draw: func(g *draws) []*array.Array {
				n := g.size(2, 9)
				count := func() float64 { return float64(1 + g.IntN(30)) }
				return []*array.Array{g.odd(g.of(count, n)), g.of(count, n)}
			},
		},
		agreement{of: "stats.cov", ours: "stats.cov(a:transpose())", theirs: "np.atleast_2d(np.cov(a))", tol: 1e-12, draw: cov, kinds: "plain whole tiny nan"},
		agreement{of: "stats.corr", ours: "stats.corr(a:transpose())", theirs: "np.atleast_2d(np.corrcoef(a))", tol: 1e-12, draw: cov, kinds: "plain whole nan"},
		agreement{
			of: "stats.describe", ours: "local d = stats.describe(a)\nreturn d.n, d.mean, d.std, d.stderr, d.min, d.q1, d.median, d.q3, d.max, d.skewness, d.kurtosis",
			theirs: "(len(a), a.mean(), a.std(ddof=1), scipy.stats.sem(a), a.min(), *np.quantile(a, [0.25, 0.5, 0.75]), a.max(), scipy.stats.skew(a), scipy.stats.kurtosis(a))", tol: 1e-10, scale: "1", draw: one, kinds: kinds,
			numbers: "NaN", // quartiles between a number and an infinity
		},
		agreement{
			of: "stats.linregress", ours: "local r = stats.linregress(a, b)\nreturn r.coef, r.stderr, r.pvalue[2], r.r2", tol: 1e-9, kinds: kinds, scale: "max(1, abs(b).max())", condition: "np.linalg.cond(np.vander(a, 2))",
			theirs: "(lambda r: (np.array([r.intercept, r.slope]), np.array([r.intercept_stderr, r.stderr]), r.pvalue, r.rvalue**2 if np.ptp(b) > 0 else np.nan))(scipy.stats.linregress(a, b))", draw: pairs,
		},
		agreement{of: "stats.kde", ours: "stats.kde(a, b)", theirs: "scipy.stats.gaussian_kde(a)(b)", tol: 1e-12, draw: two, kinds: "plain nan empty"},
	)
	for i := range rows {
		if rows[i].refuses == "" {
			rows[i].refuses = few
		}
	}
	return rows
}

// distributionRows compare every distribution by all its methods, at random parameters.
func distributionRows() []agreement {
	positive := func(g *draws) float64 { return math.Pow(10, 2*g.Float64()-0.7) }
	real := func(g *draws) float64 { return 3 * g.NormFloat64() }
	share := func(g *draws) float64 { return g.Float64() }
	count := func(g *draws) float64 { return float64(g.IntN(40)) }
	var rows []agreement
	for _, d := range []struct {
		name, ours, theirs string
		a, b               func(g *draws) float64
	}{
		{"norm", "a, b", "norm(a, b)", real, positive},
		{"uniform", "a, a + b", "uniform(a, b)", real, positive},
		{"exponential", "b", "expon(scale=b)", real, positive},
		{"gamma", "a, b", "gamma(a, scale=b)", positive, positive},
		{"weibull", "a, b", "weibull_min(a, scale=b)", positive, positive},
		{"beta", "a, b", "beta(a, b)", positive, positive},
		{"t", "b", "t(b)", real, positive},
		{"chi2", "b", "chi2(b)", real, positive},
		{"f", "a, b", "f(a, b)", positive, positive},
		{"lognormal", "a, b", "lognorm(b, scale=np.exp(a))", real, func(g *draws) float64 { return 0.1 + g.Float64() }},
		{"binomial", "a, b", "binom(int(a), b)", count, share},
		{"poisson", "b", "poisson(b)", real, positive},
	} {
		ours, theirs := "stats."+d.name+"("+d.ours+")", "scipy.stats."+d.theirs
		density := "pdf"
		if d.name == "binomial" || d.name == "poisson" {
			density = "pmf"
		}
		draw := func(g *draws) []*array.Array {
			return []*array.Array{scalar(d.a(g)), scalar(d.b(g)), g.within(0.001, 0.999, 4)}
		}
		mean, variance := "D.mean()", "D.var()" // NaN where there is none, as SciPy does not always say
		switch d.name {
		case "t":
			mean = "D.mean() if b > 1 else np.nan"
		case "f":
			variance = "D.var() if b > 2 else np.nan"
		}
		tol := 1e-8
		if d.name == "f" || d.name == "t" {
			tol = 2e-3 // SciPy's own quantiles have these digits; internal/numeric/stats asks for more
		}
		// at quantiles, which are where the mass is; whole numbers for discrete ones
		cdf := "(lambda D: D.cdf(D.ppf(c)))(" + theirs + ")"
		if d.name == "f" { // far out SciPy's is 1
			cdf = "c"
		}
		rows = append(rows,
			agreement{of: "stats." + d.name, ours: "local D = " + ours + "\nreturn D.mean, D.var", theirs: "(lambda D: (" + mean + ", " + variance + "))(" + theirs + ")", draw: draw, tol: 1e-11, each: true, kinds: "plain"},
			agreement{of: "distribution:quantile", ours: ours + ":quantile(c)", theirs: theirs + ".ppf(c)", draw: draw, tol: tol, each: true, kinds: "plain nan"},
			agreement{of: "distribution:cdf", ours: "local D = " + ours + "\nreturn D:cdf(D:quantile(c))", theirs: cdf, draw: draw, tol: tol, each: true, kinds: "plain"},
			agreement{of: "distribution:sf", ours: ours + ":sf(c * 9)", theirs: theirs + ".sf(c * 9)", draw: draw, tol: 1e-9, each: true, kinds: "plain", scale: "1e-298"}, // SciPy has 0 for denormal ones
			agreement{of: "distribution:pdf", ours: ours + ":pdf((c * 9):round())", theirs: theirs + "." + density + "(np.round(c * 9))", draw: draw, tol: 1e-9, each: true, kinds: "plain"},
		)
	}
	return rows
}
