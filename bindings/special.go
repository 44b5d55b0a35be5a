package bindings

import (
	"math"

	"gonum.org/v1/gonum/mathext"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/special"
	"github.com/greenbench/workbench/numeric/array"
)

// Special is the Lua module special: functions of mathematical physics and statistics.
func Special() bind.Module {
	return bind.Module{
		Name: "special",
		Doc: "Special functions of numbers and, element by element, of arrays, which broadcast as in arithmetic. Names, arguments and " +
			"conventions are those of scipy.special. Where a function is not defined, it is NaN. Relative errors are below 1e-13 for moderate " +
			"arguments; near a zero of a function that oscillates, relative to its amplitude.",
		Funcs: append(append(gammaFunctions(), besselFunctions()...), otherFunctions()...),
	}
}

// elements is a number or an array, as an argument of a special function.
type elements = bind.Either[float64, *array.Array]

// elementwise applies fn to numbers or arrays; numbers alone give a number.
func elementwise(c *bind.Call, fn func(x []float64) float64, args ...elements) (numberOrArray, error) {
	arrays, single := make([]*array.Array, len(args)), true
	for k, a := range args {
		arrays[k] = operand(a)
		single = single && !a.IsB
	}
	out, err := special.Map(c, fn, arrays...)
	if single {
		return number(out, err)
	}
	return bind.Second[float64](out), err
}

type (
	ofX struct {
		X elements `arg:"x" pos:"1" doc:"argument" allow:"nan"`
	}
	ofAB struct {
		A elements `arg:"a" pos:"1" doc:"first argument, > 0" allow:"nan"`
		B elements `arg:"b" pos:"2" doc:"second argument, > 0" allow:"nan"`
	}
	ofAX struct {
		A elements `arg:"a" pos:"1" doc:"shape, > 0" allow:"nan"`
		X elements `arg:"x" pos:"2" doc:"limit of the integral, >= 0" allow:"nan"`
	}
	ofAP struct {
		A elements `arg:"a" pos:"1" doc:"shape, > 0" allow:"nan"`
		P elements `arg:"p" pos:"2" doc:"value of the function, in [0, 1]" allow:"nan"`
	}
	ofOrder struct {
		Nu elements `arg:"nu" pos:"1" doc:"order, any real number up to 1e6" allow:"nan"`
		X  elements `arg:"x" pos:"2" doc:"argument; below 0, J and I need an integer order, and Y and K are not defined" allow:"nan"`
	}
)

// function1 declares a function of one argument, the others those of two.
func function1(name, doc string, fn func(x float64) float64, opts ...bind.Option) bind.Func {
	return bind.Fn(name, doc, func(c *bind.Call, p *ofX) (numberOrArray, error) {
		return elementwise(c, func(x []float64) float64 { return fn(x[0]) }, p.X)
	}, append(opts, elementResult)...)
}

func functionAB(name, doc string, fn func(a, b float64) float64, opts ...bind.Option) bind.Func {
	return bind.Fn(name, doc, func(c *bind.Call, p *ofAB) (numberOrArray, error) {
		return elementwise(c, func(x []float64) float64 { return fn(x[0], x[1]) }, p.A, p.B)
	}, append(opts, elementResult)...)
}

func functionAX(name, doc string, fn func(a, x float64) float64, opts ...bind.Option) bind.Func {
	return bind.Fn(name, doc, func(c *bind.Call, p *ofAX) (numberOrArray, error) {
		return elementwise(c, func(x []float64) float64 { return fn(x[0], x[1]) }, p.A, p.X)
	}, append(opts, elementResult)...)
}

func functionAP(name, doc string, fn func(a, p float64) float64, opts ...bind.Option) bind.Func {
	return bind.Fn(name, doc, func(c *bind.Call, p *ofAP) (numberOrArray, error) {
		return elementwise(c, func(x []float64) float64 { return fn(x[0], x[1]) }, p.A, p.P)
	}, append(opts, elementResult)...)
}

func functionOfOrder(name, doc string, fn func(nu, x float64) float64, opts ...bind.Option) bind.Func {
	return bind.Fn(name, doc, func(c *bind.Call, p *ofOrder) (numberOrArray, error) {
		return elementwise(c, func(x []float64) float64 { return fn(x[0], x[1]) }, p.Nu, p.X)
	}, append(opts, elementResult)...)
}

var elementResult = bind.Returns("a number for numbers, otherwise an array")

// gammaFunctions are those of the gamma and beta families.
func gammaFunctions() []bind.Func {
	return []bind.Func{
		function1("gamma", "Gamma function Γ(x); Γ(n+1) = n! for integers.", gamma,
			bind.Example("special.gamma(5)  --> 24"), bind.Keywords("factorial"), bind.See("special.gammaln")),
		function1("gammaln", "Logarithm of |Γ(x)|, finite where Γ itself overflows.", special.LogGamma,
			bind.Example("special.gammaln(1000)  --> 5905.2204232091808"), bind.Keywords("lgamma", "loggamma"), bind.See("special.gamma", "special.betaln")),
		function1("digamma", "Digamma function ψ(x) = Γ'(x)/Γ(x).", special.Digamma,
			bind.Example("special.digamma(1)  --> -0.57721566490153287"), bind.Keywords("psi", "polygamma")),
		functionAB("beta", "Beta function B(a, b) = Γ(a) Γ(b)/Γ(a+b).", special.Beta, bind.Example("special.beta(2, 3)  --> 0.083333333333333333")),
		functionAB("betaln", "Logarithm of B(a, b), with all digits for large arguments.", special.LogBeta,
			bind.Example("special.betaln(1, 1e8)  --> -18.420680743952367"), bind.Keywords("lbeta"), bind.See("special.beta")),
		functionAX("gammainc", "Regularised lower incomplete gamma function P(a, x) = ∫₀ˣ t^(a-1) e^-t dt / Γ(a).", func(a, x float64) float64 {
			p, _ := special.GammaInc(a, x)
			return p
		}, bind.Example("special.gammainc(1, 2)  --> 0.86466471676338731"), bind.See("special.gammaincc", "special.gammaincinv")),
		functionAX("gammaincc", "Regularised upper incomplete gamma function Q(a, x) = 1 - P(a, x), with its own digits in the tail.", func(a, x float64) float64 {
			_, q := special.GammaInc(a, x)
			return q
		}, bind.Example("special.gammaincc(1, 100)  --> 3.7200759760208363e-44"), bind.See("special.gammainc", "special.gammainccinv")),
		functionAP("gammaincinv", "The x at which gammainc(a, x) = p.", func(a, p float64) float64 { return special.GammaIncInv(a, p, false) },
			bind.Example("special.gammaincinv(1, 0.5)  --> 0.69314718055994529"), bind.See("special.gammainc")),
		functionAP("gammainccinv", "The x at which gammaincc(a, x) = p.", func(a, p float64) float64 { return special.GammaIncInv(a, p, true) },
			bind.Example("special.gammainccinv(1, 1e-30)  --> 69.077552789821371"), bind.See("special.gammaincc")),
		bind.Fn("betainc", "Regularised incomplete beta function I_x(a, b) = ∫₀ˣ t^(a-1) (1-t)^(b-1) dt / B(a, b).", func(c *bind.Call, p *struct {
			ofAB
			X elements `arg:"x" pos:"3" doc:"limit of the integral, in [0, 1]" allow:"nan"`
		},
		) (numberOrArray, error) {
			return elementwise(c, func(x []float64) float64 {
				p, _ := special.BetaInc(x[0], x[1], x[2])
				return p
			}, p.A, p.B, p.X)
		}, elementResult, bind.Example("special.betainc(2, 3, 0.5)  --> 0.6875"), bind.See("special.betaincinv", "special.beta")),
		bind.Fn("betaincinv", "The x at which betainc(a, b, x) = p.", func(c *bind.Call, p *struct {
			ofAB
			P elements `arg:"p" pos:"3" doc:"value of the function, in [0, 1]" allow:"nan"`
		},
		) (numberOrArray, error) {
			return elementwise(c, func(x []float64) float64 { return special.BetaIncInv(x[0], x[1], x[2]) }, p.A, p.B, p.P)
		}, elementResult, bind.Example("special.betaincinv(2, 2, 0.5)  --> 0.5"), bind.See("special.betainc")),
	}
}

// gamma is NaN at the poles, whose sign is of no side.
func gamma(x float64) float64 {
	if x <= 0 && x == math.Trunc(x) {
		return math.NaN()
	}
	return math.Gamma(x)
}

// besselFunctions are those of Bessel and Airy.
func besselFunctions() []bind.Func {
	return []bind.Func{
		functionOfOrder("jv", "Bessel function of the first kind, J of real order.", special.BesselJ,
			bind.Example("special.jv(0, 1)  --> 0.76519768655796655"), bind.Keywords("besselj", "jn", "j0", "j1"), bind.See("special.yv", "special.iv")),
		functionOfOrder("yv", "Bessel function of the second kind, Y of real order, for x >= 0.", special.BesselY,
			bind.Example("special.yv(0, 1)  --> 0.088256964215676958"), bind.Keywords("bessely", "yn", "neumann"), bind.See("special.jv")),
		functionOfOrder("iv", "Modified Bessel function of the first kind, I of real order.", func(nu, x float64) float64 { return special.BesselI(nu, x, false) },
			bind.Example("special.iv(0, 1)  --> 1.2660658777520084"), bind.Keywords("besseli", "i0", "i1"), bind.See("special.ive", "special.kv")),
		functionOfOrder("kv", "Modified Bessel function of the second kind, K of real order, for x >= 0.", func(nu, x float64) float64 { return special.BesselK(nu, x, false) },
			bind.Example("special.kv(0.5, 1)  --> 0.46106850444789454"), bind.Keywords("besselk", "kn", "k0", "k1"), bind.See("special.kve", "special.iv")),
		functionOfOrder("ive", "iv times exp(-|x|), which does not overflow.", func(nu, x float64) float64 { return special.BesselI(nu, x, true) },
			bind.Example("special.ive(0, 1e4)  --> 0.0039894726746047314"), bind.See("special.iv")),
		functionOfOrder("kve", "kv times exp(x), which does not underflow.", func(nu, x float64) float64 { return special.BesselK(nu, x, true) },
			bind.Example("special.kve(0, 1e4)  --> 0.012532984717699288"), bind.See("special.kv")),
		bind.Fn("airy", "Airy functions and their derivatives.", func(c *bind.Call, p *ofX) (bind.Results, error) {
			var out bind.Results
			for k := range 4 {
				v, err := elementwise(c, func(x []float64) float64 {
					ai, aip, bi, bip := special.Airy(x[0])
					return [...]float64{ai, aip, bi, bip}[k]
				}, p.X)
				if err != nil {
					return nil, err
				}
				out = append(out, v)
			}
			return out, nil
		}, bind.ReturnsAs("number|array", "Ai(x)"), bind.ReturnsAs("number|array", "Ai'(x)"), bind.ReturnsAs("number|array", "Bi(x)"),
			bind.ReturnsAs("number|array", "Bi'(x)"), bind.Example("local ai, dai, bi, dbi = special.airy(1)\nai * dbi - dai * bi  --> 0.31830988618379067")),
	}
}

// otherFunctions are the error functions, elliptic integrals, zeta and Legendre.
func otherFunctions() []bind.Func {
	return []bind.Func{
		function1("erf", "Error function 2/√π ∫₀ˣ exp(-t²) dt.", math.Erf, bind.Example("special.erf(1)  --> 0.84270079294971489"), bind.See("special.erfc", "special.erfinv")),
		function1("erfc", "Complement 1 - erf(x), with its own digits in the tail.", math.Erfc,
			bind.Example("special.erfc(10)  --> 2.0884875837625449e-45"), bind.See("special.erf", "special.erfcinv")),
		function1("erfinv", "The inverse of erf: the y at which erf(y) = x, for x between -1 and 1.", math.Erfinv, bind.Example("special.erfinv(0.5)  --> 0.47693627620446988"), bind.See("special.erf")),
		function1("erfcinv", "The inverse of erfc: the y at which erfc(y) = x, for x between 0 and 2, as small as there are.", erfcInv,
			bind.Example("special.erfcinv(1e-20)  --> 6.6015806223551426"), bind.See("special.erfc")),
		function1("ellipk", "Complete elliptic integral of the first kind K(m) at the parameter m = x <= 1, which is the square of the modulus k.", special.EllipticK,
			bind.Example("special.ellipk(0.5)  --> 1.8540746773013719"), bind.See("special.ellipe")),
		function1("ellipe", "Complete elliptic integral of the second kind E(m) at the parameter m = x <= 1, which is the square of the modulus k.", special.EllipticE,
			bind.Example("special.ellipe(0.5)  --> 1.3506438810476755"), bind.See("special.ellipk")),
		bind.Fn("zeta", "Zeta function Σ 1/(n + q)^x over n >= 0, of Riemann for q = 1 and of Hurwitz otherwise.", func(c *bind.Call, p *struct {
			X elements  `arg:"x" pos:"1" doc:"exponent, > 1" allow:"nan"`
			Q *elements `arg:"q" pos:"2" doc:"shift; 1 if it is not given"`
		},
		) (numberOrArray, error) {
			q := bind.First[float64, *array.Array](1)
			if p.Q != nil {
				q = *p.Q
			}
			return elementwise(c, func(x []float64) float64 { return zeta(x[0], x[1]) }, p.X, q)
		}, elementResult, bind.Example("special.zeta(2)  --> 1.6449340668482264")),
		bind.Fn("eval_legendre", "Legendre polynomial P_n(x).", func(c *bind.Call, p *struct {
			N int      `arg:"n" pos:"1" doc:"degree" allow:"[0,1e5]"`
			X elements `arg:"x" pos:"2" doc:"argument; the polynomials are orthogonal on [-1, 1]" allow:"nan"`
		},
		) (numberOrArray, error) {
			return elementwise(c, func(x []float64) float64 { return special.Legendre(p.N, x[0]) }, p.X)
		}, elementResult, bind.Example("special.eval_legendre(2, 0.5)  --> -0.125"), bind.Keywords("legendre")),
	}
}

// zeta is NaN outside the domain, where mathext.Zeta panics.
func zeta(x, q float64) float64 {
	const deepest = -1e6 // as many terms come before the first positive one
	switch {
	case !(x >= 1), math.IsNaN(q), !(q > 0) && q != math.Floor(q) && (x != math.Floor(x) || q < deepest):
		return math.NaN()
	case x == 1, q <= 0 && q == math.Floor(q):
		return math.Inf(1)
	}
	return mathext.Zeta(x, q)
}

func erfcInv(y float64) float64 {
	if !(y >= 0 && y <= 2) {
		return math.NaN()
	}
	return -mathext.NormalQuantile(y/2) / math.Sqrt2
}
