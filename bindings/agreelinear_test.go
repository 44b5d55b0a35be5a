package bindings_test

import (
	"math"

	"github.com/greenbench/workbench/numeric/array"
)

// square draws a matrix and what else is asked for with as many rows.
func square(g *draws, low, high int, more ...int) []*array.Array {
	n := g.size(low, high)
	out := []*array.Array{g.array(n, n)}
	for _, k := range more {
		if k == 0 {
			out = append(out, g.array(n))
		} else {
			out = append(out, g.array(n, k))
		}
	}
	return out
}

// rectangle draws a matrix of any shape, of any rank.
func rectangle(g *draws) []*array.Array {
	a := g.array(g.size(1, 7), g.size(1, 7))
	if n, m := a.Shape[0], a.Shape[1]; n > 1 && m > 1 && g.IntN(4) == 0 { // one row is another's double
		for j := range m {
			a.Set(a.At(0, j)*0.5, n-1, j)
		}
	}
	return []*array.Array{a}
}

func agreeLinalg() []agreement {
	const condition = "np.linalg.cond(a) if np.size(a) else 1"
	solve := func(g *draws) []*array.Array { return square(g, 1, 8, []int{0, 3}[g.IntN(2)]) }
	one := func(g *draws) []*array.Array { return square(g, 1, 7) }
	definite := func(g *draws) []*array.Array { return []*array.Array{g.definite(g.size(1, 7))} }
	normed := func(g *draws) []*array.Array {
		if g.IntN(2) == 0 {
			return []*array.Array{g.array(g.size(1, 9))}
		}
		return rectangle(g)
	}
	// NumPy's own norms overflow at 1e154, and round to 0 as far down.
	norm := func(lua, python string) agreement {
		return agreement{
			of: "linalg.norm", ours: "linalg.norm(a" + lua + ")", draw: normed, tol: 1e-13,
			theirs: "(lambda u: np.linalg.norm(a / u" + python + ") * u)(unit(a)) if np.size(a) else 0.0",
		}
	}
	return []agreement{
		{of: "linalg.solve", ours: "linalg.solve(a, b)", theirs: "np.linalg.solve(a, b)", draw: solve, tol: 4e-15, condition: condition},
		{of: "linalg.inv", ours: "linalg.inv(a)", theirs: "np.linalg.inv(a)", draw: one, tol: 4e-15, condition: condition},
		{of: "linalg.cholesky", ours: "linalg.cholesky(a)", theirs: "np.linalg.cholesky(a)", draw: definite, tol: 1e-13},
		{
			of: "linalg.eigh", ours: "local s = a / 2 + a:transpose() / 2\nlocal w, V = linalg.eigh(s)\nreturn w, (V * w):dot(V:transpose())",
			theirs: "(lambda s: (np.linalg.eigvalsh(s), s))(a / 2 + a.T / 2)", draw: one, tol: 1e-13,
		},
		{
			of: "linalg.eig", ours: "local w = linalg.eig(a)\nreturn abs(w):sort(), w.re:sort()", theirs: "(lambda w: (np.sort(abs(w)), np.sort(w.real)))(np.linalg.eigvals(a))",
			draw: one, tol: 1e-14, condition: "min(1e300, np.linalg.cond(np.linalg.eig(a)[1])) if np.size(a) else 1", scale: "np.abs(v[0]).max() if np.size(v[0]) else 0",
		},
		{of: "linalg.svd", ours: "local U, s, V = linalg.svd(a)\nreturn s, (U * s):dot(V:transpose())", theirs: "(np.linalg.svd(a, compute_uv=False), a)", draw: rectangle, tol: 1e-13},
		{of: "linalg.qr", ours: "local Q, R = linalg.qr(a)\nreturn Q:dot(R), Q:transpose():dot(Q)", theirs: "(a, np.eye(min(a.shape)))", draw: rectangle, tol: 1e-13},
		{
			of: "linalg.qr", ours: "local Q, R = linalg.qr(a)\nreturn abs(R)", theirs: "abs(np.linalg.qr(a)[1])", draw: rectangle, tol: 1e-13,
			condition: "min(1e300, np.linalg.cond(a[:, :len(a)])) if np.size(a) else 1",
		},
		{
			of: "linalg.lstsq", ours: "linalg.lstsq(a, b)", theirs: "(lambda x, r, k, s: (x, k))(*scipy.linalg.lstsq(a, b, cond=1e-13))", tol: 1e-14,
			draw: func(g *draws) []*array.Array {
				a := rectangle(g)
				return append(a, g.array(a[0].Shape[0]))
			}, condition: "effective(a)**2", scale: "np.abs(v[0]).max() + np.linalg.norm(b / unit(b)) * unit(b) / np.linalg.svd(a, compute_uv=False)[0] if np.size(v[0]) else 0",
		},
		{of: "linalg.det", ours: "linalg.det(a)", theirs: "scipy.linalg.det(a)", draw: one, tol: 1e-14, scale: "np.prod(np.linalg.norm(a, axis=1)) if np.size(a) else 0"},
		{of: "linalg.lu", ours: "local P, L, U = linalg.lu(a)\nreturn P:dot(L):dot(U)", theirs: "a", draw: one, tol: 1e-14},
		{of: "linalg.lu", ours: "linalg.lu(a)", theirs: "scipy.linalg.lu(a)", draw: one, kinds: "plain one huge tiny", tol: 1e-13, condition: condition},
		{of: "linalg.pinv", ours: "linalg.pinv(a)", theirs: "scipy.linalg.pinv(a)", draw: rectangle, tol: 1e-14, condition: "effective(a, 1e-15)"},
		{of: "linalg.matrix_rank", ours: "linalg.matrix_rank(a)", theirs: "np.linalg.matrix_rank(a)", draw: rectangle},
		{of: "linalg.null_space", ours: "local N = linalg.null_space(a)\nreturn N.shape[2], N:dot(N:transpose())", theirs: "(lambda N: (N.shape[1], N @ N.T))(scipy.linalg.null_space(a))", draw: rectangle, tol: 1e-14, condition: "effective(a, 1e-15)"},
		{of: "linalg.cond", ours: "1 / linalg.cond(a)", theirs: "1 / np.linalg.cond(a)", draw: rectangle, tol: 1e-14, scale: "1"},
		norm("", ""), norm(", 1", ", 1"), norm(", 2", ", 2"), norm(`, "inf"`, ", np.inf"), norm(", math.huge", ", np.inf"),
		{
			of: "linalg.norm", ours: "linalg.norm(array.complex(a, b), 2)", theirs: "np.linalg.norm(Z(a, b), 2)", tol: 1e-13, kinds: "plain whole one nan",
			draw: func(g *draws) []*array.Array {
				n, m := g.size(1, 5), g.size(1, 5)
				return []*array.Array{g.array(n, m), g.array(n, m)}
			},
		},
		{
			of: "linalg.expm", ours: "linalg.expm(a * b)", theirs: "scipy.linalg.expm(a * b)", tol: 1e-11,
			draw: func(g *draws) []*array.Array { return append(square(g, 1, 6), scalar(math.Pow(10, 2*g.Float64()-1))) }, numbers: "NaN", condition: "np.linalg.norm(a * b, 1)", refuses: "rounding",
		},
		{
			of: "linalg.matrix_power", ours: "linalg.matrix_power(a, b)", theirs: "np.linalg.matrix_power(a, int(b))", tol: 1e-13,
			draw:      func(g *draws) []*array.Array { return append(square(g, 1, 5), g.integer(-3, 8)) },
			condition: "np.linalg.cond(a)**max(1, -b) if np.size(a) else 1", scale: "np.linalg.norm(a, 2)**b if b > 0 else 0",
		},
		{
			of: "linalg.solve_toeplitz", ours: "linalg.solve_toeplitz(a, c, {row = b})", theirs: "np.linalg.solve(scipy.linalg.toeplitz(a, np.append(a[:1], b[1:])), c)", tol: 1e-13,
			draw: func(g *draws) []*array.Array {
				n := g.size(1, 9)
				return []*array.Array{g.array(n), g.array(n), g.array(n)}
			}, condition: "np.linalg.cond(scipy.linalg.toeplitz(a, np.append(a[:1], b[1:])))",
		},
		{
			of: "linalg.solve_banded", ours: "linalg.solve_banded(1, 2, a, b)", theirs: "scipy.linalg.solve_banded((1, 2), a, b)", tol: 1e-13,
			draw: func(g *draws) []*array.Array {
				n := max(3, g.size(3, 9))
				return []*array.Array{g.array(4, n), g.array(n)}
			},
			condition: "np.linalg.cond(band(a))",
		},
	}
}

func agreePoly() []agreement {
	coefficients := func(g *draws) *array.Array { return g.array(g.size(1, 7)) }
	return []agreement{
		{
			of: "poly.polyval", ours: "poly.polyval(a, b)", theirs: "np.polynomial.polynomial.polyval(b, a)", tol: 1e-14, scale: "np.nanmax(np.polynomial.polynomial.polyval(abs(b), abs(a)))",
			draw: func(g *draws) []*array.Array {
				return []*array.Array{coefficients(g), (&draws{g.Rand, "plain"}).within(-3, 3, 1+g.IntN(6))}
			},
		},
		{
			of: "poly.polyval", ours: "poly.polyval(a, b)", theirs: "np.polynomial.polynomial.polyval(b, a)", tol: 1e-14, each: true, kinds: "nan inf one huge", numbers: "NaN", // where Horner's rule begins with 0 · ∞
			draw: func(g *draws) []*array.Array {
				return []*array.Array{array.Vector([]float64{1, 2, 0.5}), g.array(g.size(1, 7))}
			},
		},
		{
			of: "poly.polyfit", ours: "poly.polyfit(a, b, c)", tol: 1e-13, kinds: "plain whole one huge tiny beyond empty", // in units of 1, where squares of 1e300 overflow; with NaN NumPy does not end
			theirs: "(lambda u, w, n: np.polynomial.polynomial.polyfit(a / u, b / w, n) * np.cumprod(np.append(w, np.full(n, 1 / u))))(unit(a), unit(b), int(c))",
			draw: func(g *draws) []*array.Array {
				n := g.size(1, 12)
				return []*array.Array{g.array(n), g.array(n), g.integer(0, 4)}
			}, condition: "np.linalg.cond(np.polynomial.polynomial.polyvander(a, int(c)) / np.abs(np.polynomial.polynomial.polyvander(a, int(c))).max(0))**2",
			scale:   "max(abs(v[0]).max(), unit(b) * min(1, unit(a)))", // of values that cancel there are no more digits
			refuses: "must be as many, and at least|lose their digits",
		}, // SciPy warns and takes one of many
		{
			of: "poly.roots", ours: "local r = poly.roots(a)\nreturn abs(r):sort(), r.re:sort()", theirs: "(lambda r: (np.sort(abs(r)), np.sort(r.real)))(np.polynomial.polynomial.polyroots(a))", tol: 1e-13,
			kinds: "plain one whole", draw: func(g *draws) []*array.Array { return []*array.Array{coefficients(g)} }, condition: "rootcondition(a)", refuses: "every number is a root",
		},
		{
			of: "poly.roots", ours: "local r = poly.roots(a)\nreturn poly.fromroots(r) * a[#a]", theirs: "np.trim_zeros(a, 'b')", tol: 1e-12, kinds: "plain one whole",
			draw: func(g *draws) []*array.Array {
				a := coefficients(g)
				if k := a.Size() - 1; a.Data[k] == 0 {
					a.Data[k] = 1
				}
				return []*array.Array{a}
			}, scale: "np.abs(a).max() * max(1, np.abs(a[-1]))",
		},
		{
			of: "poly.fromroots", ours: "poly.fromroots(a)", theirs: "np.polynomial.polynomial.polyfromroots(a)", tol: 1e-13, draw: func(g *draws) []*array.Array { return []*array.Array{coefficients(g)} },
			scale: "np.abs(np.polynomial.polynomial.polyfromroots(-abs(a))).max()", refuses: "overflow",
		},
		{of: "poly.polyder", ours: "poly.polyder(a, b)", theirs: "np.polynomial.polynomial.polyder(a, int(b))", tol: 1e-15, each: true, draw: func(g *draws) []*array.Array { return []*array.Array{coefficients(g), g.integer(0, 8)} }},
		{of: "poly.polyint", ours: "poly.polyint(a, b)", theirs: "np.append(b, a / np.arange(1, len(a) + 1))", tol: 1e-15, each: true, draw: func(g *draws) []*array.Array { return []*array.Array{coefficients(g), scalar(g.NormFloat64())} }},
		{
			of: "poly.polymul", ours: "poly.polymul(a, b)", theirs: "np.convolve(a, b)", tol: 1e-15, draw: func(g *draws) []*array.Array { return []*array.Array{coefficients(g), coefficients(g)} },
			scale: "np.max(np.convolve(abs(a), abs(b)))",
		},
	}
}

// few draws a matrix most of whose entries are 0, with a diagonal that makes it regular as a rule.
func few(g *draws, n, m int) *array.Array {
	a := g.array(n, m)
	for i := range a.Data {
		switch {
		case m > 0 && i/m == i%m && a.Data[i] != 0:
			a.Data[i] *= 4
		case g.IntN(3) > 0 && finite(a.Data[i]):
			a.Data[i] = 0
		}
	}
	return a
}

func agreeSparse() []agreement {
	one := func(g *draws) []*array.Array {
		return []*array.Array{few(g, max(1, g.size(1, 8)), max(1, g.size(1, 8)))}
	}
	two := func(g *draws) []*array.Array {
		n, m := max(1, g.size(1, 6)), max(1, g.size(1, 6))
		return []*array.Array{few(g, n, m), few(g, n, m)}
	}
	system := func(g *draws) []*array.Array {
		n := max(1, g.size(1, 9))
		return []*array.Array{few(g, n, n), g.array(n)}
	}
	definite := func(g *draws) []*array.Array {
		a := g.definite(max(1, g.size(1, 9)))
		return []*array.Array{a, g.array(a.Shape[0])}
	}
	const condition = "np.linalg.cond(a)"
	dense := func(of, ours, theirs string, draw func(g *draws) []*array.Array, tol float64) agreement {
		return agreement{of: of, ours: ours, theirs: theirs, draw: draw, tol: tol}
	}
	const S = "scipy.sparse.csr_matrix"
	eigen := func(g *draws) []*array.Array {
		n := max(1, g.size(1, 12))
		a := few(g, n, n)
		for i := range n {
			for j := range i {
				a.Set(a.At(i, j), j, i)
			}
		}
		return []*array.Array{a, g.integer(1, 3)}
	}
	return []agreement{
		{
			of: "sparse.coo", ours: "sparse.coo{rows = a + 1, columns = b + 1, values = c, shape = {5, 5}}:dense()", theirs: "scipy.sparse.coo_matrix((c, (a.astype(int), b.astype(int))), shape=(5, 5))", tol: 1e-15,
			draw: func(g *draws) []*array.Array {
				n := g.size(1, 9)
				index := func() float64 { return float64(g.IntN(5)) }
				return []*array.Array{g.of(index, n), g.of(index, n), g.array(n)}
			},
		},
		dense("sparse.csr", "sparse.csr(a):dense()", "a", one, 0),
		dense("sparse:dense", "sparse.csr(a):dense()", "a", one, 0),
		dense("sparse:transpose", "sparse.csr(a):transpose():dense()", "a.T", one, 0),
		dense("sparse:at", "sparse.csr(a):at(1, 1)", "a[0, 0]", one, 0),
		dense("sparse:row", "local columns, values = sparse.csr(a):row(1)\nreturn columns - 1, values", "(lambda s: (s.indices[s.indptr[0]:s.indptr[1]], s.data[s.indptr[0]:s.indptr[1]]))("+S+"(a))", one, 0),
		dense("sparse:__add", "(sparse.csr(a) + sparse.csr(b)):dense()", S+"(a) + "+S+"(b)", two, 0),
		dense("sparse:__sub", "(sparse.csr(a) - sparse.csr(b)):dense()", S+"(a) - "+S+"(b)", two, 0),
		dense("sparse:__unm", "(-sparse.csr(a)):dense()", "-"+S+"(a)", one, 0),
		dense("sparse:__mul", "(sparse.csr(a) * 3):dense()", S+"(a) * 3", one, 0),
		dense("sparse:__div", "(sparse.csr(a) / 3):dense()", S+"(a) / 3", one, 1e-15),
		{
			of: "sparse.diags", ours: "sparse.diags({a, b, c}, {-1, 0, 2}, {shape = {#b, #b}}):dense()", theirs: "scipy.sparse.diags([a, b, c], [-1, 0, 2], shape=(len(b), len(b)))", kinds: "plain whole huge tiny beyond nan inf",
			draw: func(g *draws) []*array.Array {
				n := g.size(3, 9)
				return []*array.Array{g.array(n - 1), g.array(n), g.array(n - 2)}
			},
		},
		dense("sparse.eye", "sparse.eye(a):dense()", "np.eye(int(a))", func(g *draws) []*array.Array { return []*array.Array{g.integer(1, 9)} }, 0),
		// SciPy multiplies by the zeros, too: NaN and infinities differ.
		{of: "sparse.kron", ours: "sparse.kron(sparse.csr(a), sparse.csr(b)):dense()", theirs: "scipy.sparse.kron(a, b)", draw: two, kinds: "plain whole one huge tiny beyond"},
		{
			of: "sparse:dot", ours: "local s = sparse.csr(a)\nreturn s:dot(b), s:dot(c), s:dot(sparse.csr(c)):dense()", theirs: "(a @ b, a @ c, " + S + "(a) @ " + S + "(c))", tol: 1e-14, kinds: "plain whole one tiny beyond",
			draw: func(g *draws) []*array.Array {
				n, m := g.size(1, 6), g.size(1, 6)
				return []*array.Array{few(g, n, m), g.array(m), few(g, m, g.size(1, 5))}
			}, scale: "max(np.max(abs(a) @ abs(b)), np.max(abs(a) @ abs(c)))",
		},
		{of: "sparse.solve", ours: "sparse.solve(sparse.csr(a), b)", theirs: "np.linalg.solve(a, b)", draw: system, tol: 1e-14, condition: condition},
		{of: "sparse.lu", ours: "sparse.lu(sparse.csr(a)):solve(b)", theirs: "np.linalg.solve(a, b)", draw: system, tol: 1e-14, condition: condition},
		{of: "factor:solve", ours: "sparse.cholesky(sparse.csr(a)):solve(b)", theirs: "np.linalg.solve(a, b)", draw: definite, tol: 1e-14, condition: condition},
		{of: "sparse.cholesky", ours: "sparse.cholesky(sparse.csr(a)):solve(b)", theirs: "np.linalg.solve(a, b)", draw: definite, tol: 1e-14, condition: condition},
		{of: "sparse.cg", ours: "(sparse.cg(sparse.csr(a), b))", theirs: "np.linalg.solve(a, b)", draw: definite, tol: 1e-9, condition: condition},
		{of: "sparse.gmres", ours: "local x, r = sparse.gmres(sparse.csr(a), b)\nif not r.converged then error(\"not converged\") end\nreturn x", theirs: "np.linalg.solve(a, b)", draw: system, tol: 1e-9, condition: condition, numbers: "Singular"}, // which may have solutions
		{
			of: "sparse.eigsh", ours: "local s = sparse.csr(a)\nreturn (sparse.eigsh(s, {k = b})), (sparse.eigsh(s, {k = b, which = \"smallest\"}))",
			theirs: "(lambda w, k: (w[-k:], w[:k]))(np.linalg.eigvalsh(a), min(int(b), len(a)))", draw: eigen, tol: 1e-12, scale: "np.abs(np.linalg.eigvalsh(a)).max()",
		},
	}
}
