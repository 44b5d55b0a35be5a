package bindings_test

// pythonHelpers are functions that expressions in Python use.
const pythonHelpers = `
def unit(a):
    u = np.abs(a[np.isfinite(a)]) if np.size(a) else np.ones(1)
    return u.max() if u.size and u.max() > 0 else 1.0
def effective(a, rtol=1e-13): # condition without the singular values that are 0
    if not np.size(a) or not np.isfinite(a).all(): # LAPACK need not come back
        return 1.0
    s = np.linalg.svd(a, compute_uv=False)
    return s[0] / s[s > rtol * s[0]].min() if s[0] > 0 else 1.0
def band(a):
    n = a.shape[1]
    return sum(np.diag(a[2 - k][max(k, 0):n + min(k, 0)], k) for k in range(-1, 3))
def done(r): # a linear program that has a solution
    if r.status != 0:
        raise ValueError(r.message)
    return r.fun
def parabolas(y, x): # integrals up to each point, as SciPy 1.12 has them
    n = len(y)
    if n < 3:
        return scipy.integrate.cumulative_trapezoid(y, x, initial=0)
    fit = lambda i: np.polynomial.Polynomial.fit(x[i:i + 3], y[i:i + 3], 2).integ()
    return np.cumsum([0] + [(lambda p: p(x[i + 1]) - p(x[i]))(fit(i if i % 2 == 0 and i < n - 2 else i - 1)) for i in range(n - 1)])
def bessel(v, x): # I by the first term of its series where SciPy's is 0
    v = np.where(v == np.floor(v), np.abs(v), v)
    first = np.exp(v * np.log(np.abs(x) / 2) - scipy.special.gammaln(v + 1)) * scipy.special.gammasgn(v + 1)
    return np.where((x > 0) & (x < 1e-100), first, scipy.special.iv(v, x))
def kolmogorov(a, b): # of samples as long as each other every order has 1/n at least; SciPy's sum fails there
    r = scipy.stats.ks_2samp(a, b, method='exact')
    return r[0], 1.0 if len(a) == len(b) and r[0] < 1.5 / len(a) else r[1]
def rootcondition(a):
    p = np.polynomial.polynomial
    r = p.polyroots(a)
    slope = np.abs(p.polyval(r, p.polyder(a)))
    top = p.polyval(np.abs(r), np.abs(a))
    return min(1e300, np.max(top / np.maximum(slope, 1e-300) / np.abs(r).max())) if r.size and np.abs(r).max() > 0 else 1
`

// notCompared are functions without an agreement, and why.
var notCompared = map[string]string{
	"interp.kernel":       "SciPy has no such curve; internal/numeric/interp compares it with its definition, dense matrices",
	"smooth_curve:__call": "of interp.kernel",
	"smooth_curve:std":    "of interp.kernel",
	"stats.bootstrap":     "draws at random: internal/numeric/stats and the examples hold it to closed forms",
	"distribution:draw":   "draws at random: internal/numeric/stats compares the draws with the distribution",
}
