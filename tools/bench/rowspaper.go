package main

// paper are the fits of the paper's figures, as scripts/paper makes them, each with the error of what it learned: of G where
// that is a function of two numbers, else of predictions for fresh inputs.
func paper() []row {
	const common = `
package.path = "scripts/paper/?.lua;" .. package.path
local systems = require "systems"
local function known(e, error)
  local r = e.report
  local has, expected = pcall(function() return r.expected end) -- not that of older programs
  if not has then expected = {} end
  return {
    residual = r.residual, gap = r.gap / r.objective, iterations = r.iterations, error = error, answer = r.objective,
    said_seconds = expected.seconds, said_bytes = expected.bytes,
  }
end
local function error_of_green(problem)
  local fine = mesh.uniform(0, 1, pick(200, 30))
  local exact = problem:green(fine, fine)
  return function(e) return known(e, e:error{green = exact, xmesh = fine, ymesh = fine}) end
end
local function error_of_predictions(system, m)
  return function(e) return known(e, systems.test_errors(e, systems.test(system, m, 20, {.1}, 7))[1]) end
end
`
	const poisson = common + `
local m, n = pick(100, 30), pick(500, 50)
local problem = systems.poisson.problem(m, 0, 0)
local d = problem:sample{n = n, input = systems.poisson.input(), seed = 1}:noise{level = .1, seed = 1}
local facts = error_of_green(problem)
`
	const helmholtz = common + `
local m = mesh.uniform(0, 1, 100)
local d = data.load("scripts/data/helmholtz.npz", {input_mesh = m}):take(1, 100)
local facts = error_of_green(systems.helmholtz.problem(100))
local list = {
  kernel.se{lengthscale = 0.04}, kernel.se{lengthscale = 0.07}, kernel.se{lengthscale = 0.1},
  kernel.matern{nu = 2.5, lengthscale = 0.05}, kernel.matern{nu = 2.5, lengthscale = 0.1},
}
`
	const noisy = helmholtz + `d = data.new{input = d.input, output = array.load("scripts/data/helmholtz.npz", "u_noise20"), input_mesh = m}
`
	system := func(name, m, n string) string {
		return common + `
local system, m, n = systems.` + name + `, pick(50, 12), pick(` + n + `, 50)
local d = systems.train(system, m, n, 1)
local facts = error_of_predictions(system, m)
`
	}
	schrodinger, diffusion := system("schrodinger", "50", "500"), system("fokker_planck", "50", "500")
	heat := system("heat", "50", "100") + `
local invariant = constraint.time_invariant{input = "s", output = "t"}
local causal = {invariant, constraint.causal{input = "s", output = "t"}}
local k = kernel.exponential{lengthscale = 0.04}
`
	const oscillator = common + `
local time = mesh.uniform(0, 4, pick(81, 25))
local problem = pde.oscillator{time = time, c = 1, omega = 6}
local d = problem:sample{n = pick(30, 12), input = {kernel = kernel.exponential{lengthscale = 0.2}}, seed = 1}:noise{level = 0.2, seed = 1}
local exact = problem:green(time, time)
local function facts(e) return known(e, (e:green(time, time) - exact):norm() / exact:norm()) end
local list = {kernel.matern{nu = 1.5, lengthscale = 0.2}, kernel.matern{nu = 2.5, lengthscale = 0.2}}
`
	var all []row
	add := func(name, what, data, fit string, calls int) {
		all = append(all, row{
			name: "paper: " + name, what: what, code: data + `
return function() return ` + fit + ` end, facts`, calls: calls,
		})
	}
	one := func(arguments string) string { return `systems.fit{data = d, ` + arguments + `}` }
	chosen := func(arguments string) string { return `(systems.choose({data = d` + arguments + `}, list))` }
	add("Poisson", "Figure 1: 500 pairs, 10 % noise, λ = 1e-4", poisson, one("kernel = kernel.se{lengthscale = .05}, lambda = 1e-4"), 10)
	add("Poisson, λ", "Figure 1: λ from the data", poisson, one("kernel = kernel.se{lengthscale = .05}"), 5)
	add("Poisson, kink", "Figure 1: a kernel with a kink, λ from the data", poisson, one("kernel = kernel.kink{base = kernel.se{lengthscale = .5}, jump = kernel.se{lengthscale = .5}}"), 1)
	add("Poisson, Matérn", "Figure 7: Matérn 5/2 of lengthscale 0.02, λ = 1e-6", poisson, one("kernel = kernel.matern{nu = 2.5, lengthscale = .02}, lambda = 1e-6"), 10)
	add("Poisson, exponential", "Figure 7: exponential of lengthscale 0.02, λ = 1e-6", poisson, one("kernel = kernel.exponential{lengthscale = .02}, lambda = 1e-6"), 10)
	add("Helmholtz", "Figure 3: 100 pairs, λ = 1e-5", helmholtz, one("kernel = kernel.matern{nu = 2.5, lengthscale = .02}, lambda = 1e-5"), 10)
	add("Helmholtz, symmetric", "Figure 3: G(x, y) = G(y, x)", helmholtz, one("kernel = kernel.matern{nu = 2.5, lengthscale = .02}, lambda = 1e-5, constraint = constraint.symmetric{'x', 'y'}"), 1)
	add("Helmholtz, noise", "Figure 3: 20 % noise, λ = 1e-3", noisy, one("kernel = kernel.matern{nu = 2.5, lengthscale = .02}, lambda = 1e-3"), 10)
	add("Helmholtz, chosen", "Figure 3: 20 % noise, of five kernels and all λ", noisy, chosen(""), 1)
	add("Helmholtz, chosen, symmetric", "Figure 3: the same, symmetric", noisy, chosen(", constraint = constraint.symmetric{'x', 'y'}"), 1)
	add("Schrödinger", "Figure 4: 492,500 weights, 500 pairs, λ = 1e-9", schrodinger, one("kernel = kernel.matern{nu = 2.5, lengthscale = 1 / m}, bias = false, lambda = 1e-9"), 1)
	add("Schrödinger, λ", "Figures 4 and 8: 20 % noise, λ from the data", schrodinger, one("kernel = kernel.matern{nu = 2.5, lengthscale = {1 / m, 2 / m, 2 / m}}, bias = false"), 1)
	add("Fokker–Planck", "Figure 5: 125,000 weights, flip, λ = 1e-5", diffusion, one("kernel = kernel.matern{nu = 1.5, lengthscale = {.16, .16, .04}}, bias = false, constraint = constraint.flip{'x', 'y'}, lambda = 1e-5"), 1)
	add("Fokker–Planck, λ", "Figures 5 and 9: flip, λ from the data", diffusion, one("kernel = kernel.matern{nu = 2.5, lengthscale = {.24, .24, .48}}, bias = false, constraint = constraint.flip{'x', 'y'}"), 1)
	add("heat", "Figure 6: time-invariant, 247,500 weights, λ = 2e-7", heat, one("kernel = k, bias = false, constraint = invariant, lambda = 2e-7"), 1)
	add("heat, causal", "Figures 6 and 10: and causal, λ = 2e-7", heat, one("kernel = k, bias = false, constraint = causal, lambda = 2e-7"), 1)
	add("heat, λ", "Figure 6: time-invariant, λ from the data", heat, one("kernel = k, bias = false, constraint = invariant"), 1)
	add("heat, causal, λ", "Figure 6: and causal, λ from the data", heat, one("kernel = k, bias = false, constraint = causal"), 1)
	for _, c := range [][2]string{{"free", "nil"}, {"causal", "constraint.causal{}"}, {"time-invariant", "constraint.time_invariant{}"}, {"both", "{constraint.time_invariant{}, constraint.causal{}}"}} {
		add("oscillator, "+c[0], "section 5.5: of two kernels and all λ", oscillator, chosen(", bias = false, constraint = "+c[1]), 1)
	}
	return all
}
