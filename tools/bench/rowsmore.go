package main

// dense are rows of linear algebra, beside OpenBLAS by way of NumPy.
func dense() []row {
	var all []row
	matrix := func(name, n, small, data, work, known string, calls int, asked reach) {
		all = append(all, row{
			name: name + " " + n, what: "linalg." + name + " of " + n + " × " + n, calls: calls, code: `
local n = pick(` + n + `, ` + small + `)
local a = random.normal{shape = {n, n}, seed = 1}
` + data + `
share("a", a)
return function() return ` + work + ` end, function(x, y, z) return ` + known + ` end`,
			peers: []string{name}, reach: asked,
		})
	}
	symmetric, positive := `a = a + a:transpose()`, `a = a:dot(a:transpose()) / n + array.eye(n)`
	near := `local b = random.normal{shape = {n}, seed = 2} share("b", b)`
	within := reach{Ratio: 2.5}
	matrix("eigh", "1000", "60", symmetric, "linalg.eigh(a)", `{residual = (a:dot(y) - y * x):norm() / a:norm(), answer = x}`, 1, within)
	matrix("eigh", "2000", "80", symmetric, "linalg.eigh(a)", `{residual = (a:dot(y) - y * x):norm() / a:norm(), answer = x}`, 1, within)
	matrix("svd", "1000", "60", "", "linalg.svd(a)", `{residual = ((x * y):dot(z:transpose()) - a):norm() / a:norm(), answer = y}`, 1, within)
	matrix("qr", "1000", "60", "", "linalg.qr(a)", `{residual = (x:dot(y) - a):norm() / a:norm(), answer = (y * y):sum(2)}`, 1, within)
	matrix("inv", "2000", "80", "", "linalg.inv(a)", `{residual = (a:dot(x) - array.eye(n)):norm() / n ^ 0.5, answer = x[1]}`, 1, within)
	matrix("solve", "2000", "80", near, "linalg.solve(a, b)", `{residual = (a:dot(x) - b):norm() / b:norm(), answer = x}`, 1, within)
	matrix("cholesky", "2000", "80", positive, "linalg.cholesky(a)", `{residual = (x:dot(x:transpose()) - a):norm() / a:norm(), answer = x[n]}`, 1, within)
	matrix("dot", "2000", "80", near, "a:dot(b)", `{answer = x}`, 50, reach{Seconds: .0016})
	matrix("product", "2000", "80", near, "a:dot(a)", `{answer = x[1]}`, 1, reach{})
	all[len(all)-2].what, all[len(all)-1].what = "matrix 2000 × 2000 times vector", "matrix 2000 × 2000 times matrix"
	return all
}

// sparse are rows of a problem on 200 × 200 points, beside SuperLU by way of SciPy.
func sparse() []row {
	problem := `
local k = pick(200, 20)
local a = mesh.uniform(0, 1, k)
local f = random.normal{shape = {1, k * k}, seed = 1}
share("f", f)
local fixed = {dirichlet = 0}
local function define()
  return pde.define{mesh = a * a, operator = function(u) return -u:laplacian() end, boundary = {["x-"] = fixed, ["x+"] = fixed, ["y-"] = fixed, ["y+"] = fixed}}
end
local p = define()
local function known(u) return {answer = u:reshape(k, k)[math.floor(k / 2)]} end
`
	return []row{
		{
			name: "define, solve", what: "pde.define on 200 × 200 points, and one solution", code: problem + `return function() return define():solve(f) end, known`,
			peers: []string{"laplace"}, reach: reach{Seconds: .25},
		},
		{
			name: "next solve", what: "one more solution of it", code: problem + `p:solve(f) return function() return p:solve(f) end, known`,
			peers: []string{"laplace_again"}, reach: reach{Seconds: .015}, calls: 5,
		},
	}
}

// files are rows of reading 80 MB that NumPy has written.
func files() []row {
	load := func(name, file string) row {
		return row{
			name: name, what: "array.load of " + file + ", 10⁷ numbers", peerFirst: true, peers: []string{file[:len(file)-4] + "_" + file[len(file)-3:]},
			code:  `return function() return array.load(folder .. "/` + file + `"` + map[bool]string{true: `, "f"`}[file == "packed.npz"] + `) end, function(a) return {answer = a[7]} end`,
			reach: reach{Ratio: 1.3},
		}
	}
	return []row{load("npz load", "packed.npz"), load("npy load", "plain.npy")}
}

// scripts are rows of Lua beside lua5.1, and of kernels in Lua beside C.
func scripts() []row {
	pairs := func(name, what, kernel, peer string, seconds float64) row {
		return row{
			name: name, what: what, threads: 1, calls: 10, peers: []string{peer}, code: `
local m = pick(1000, 100)
local i = array.linspace(1, m, m)
local function part(step, shift) local a = i * step + shift return a - math.floor(a) end
local p = mesh.points(array.stack({part(0.6180339887498949, 0), part(0.7548776662466927, 0)}, 2))
local q = mesh.points(array.stack({part(0.6180339887498949, 0.3), part(0.7548776662466927, 0.3)}, 2))
local k = ` + kernel + `
return function() return k:gram(p, q) end, function(g) return {answer = g:sum(2)} end`,
			reach: reach{Seconds: seconds},
		}
	}
	return []row{
		{
			name: "additions", what: "Lua: 10⁷ additions s = s + i * 0.5", threads: 1, peers: []string{"additions"}, reach: reach{Seconds: .35}, code: `
local n = pick(1e7, 1e5)
return function() local s = 0 for i = 1, n do s = s + i * 0.5 end return s end, function(s) return {answer = s} end`,
		},
		{
			name: "fill", what: "Lua: a table of 2·10⁶ numbers", threads: 1, peers: []string{"fill"}, reach: reach{Seconds: .2}, code: `
local n = pick(2e6, 1e5)
return function() local t = {} for i = 1, n do t[i] = i end return t end, function(t) return {answer = #t} end`,
		},
		pairs("pairs, Gibbs", "10⁶ values of a kernel in Lua without a family: 300 million a second are .0033 s", `kernel.define(function(p, q)
  local function length(a) return 0.15 + 0.3 * a[1] end
  local s = length(p)^2 + length(q)^2
  return 2 * length(p) * length(q) / s * math.exp(-dist(p, q)^2 / s)
end)`, "gibbs", 1./300),
		pairs("pairs, Matérn", "10⁶ values of the Matérn 5/2 kernel", `kernel.matern{nu = 2.5, lengthscale = 0.3}`, "matern", 0),
	}
}

// whole are programs that are run from their start to their end.
func whole() []row {
	quick := func(script string) []string {
		return []string{"WORKBENCH", "-e", `quick = true; package.path = "scripts/paper/?.lua;" .. package.path; dofile("` + script + `")`}
	}
	return []row{
		{
			name: "disc", what: "scripts/examples/disc.lua: 20,000 points on each side, drawn", command: []string{"WORKBENCH", "scripts/examples/disc.lua"},
			attempt: []string{"WORKBENCH", "scripts/examples/quickstart.lua"}, reach: reach{Seconds: 15},
		},
		{
			name: "paper", what: "make paper: all figures", command: []string{"make", "paper"},
			attempt: quick("scripts/paper/figure1.lua"), reach: reach{Seconds: 120},
		},
	}
}
