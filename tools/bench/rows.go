package main

// rows are all rows, in the order of the table.
func rows() []row {
	var all []row
	for _, list := range [][]row{lines(), structured(), paper(), planes(), scattered(), dense(), sparse(), files(), scripts(), whole()} {
		all = append(all, list...)
	}
	return all
}

// facts is what a row of a fit knows of its estimate: in Lua.
const facts = `
local function facts(e, answer)
  local r = e.report
  return {residual = r.residual, gap = r.gap / r.objective, iterations = r.iterations, said_seconds = r.expected.seconds, said_bytes = r.expected.bytes, answer = answer or r.objective}
end
local function smooth_pairs(n, x, y)
  local f = random.field{kernel = kernel.se{lengthscale = 0.3}, mesh = x, n = n, seed = 1}
  local u = random.field{kernel = kernel.se{lengthscale = 0.3}, mesh = y, n = n, seed = 2}
  return data.new{input = f, output = u + 0.1 * random.normal{shape = u.shape, seed = 3}, input_mesh = x, output_mesh = y}
end
`

func lines() []row {
	line := func(name, m, small string, weights, seconds float64, peers ...string) row {
		return row{
			name: "lines " + name, what: "fit, 1-D × 1-D, m = " + m + ", 100 pairs, λ = 1e-6", code: facts + `
local m = pick(` + m + `, ` + small + `)
local d = smooth_pairs(100, mesh.uniform(0, 1, m), mesh.uniform(0, 1, m, "y"))
share("f", d.input) share("u", d.output)
return function() return green.fit{data = d, kernel = kernel.matern{nu = 2.5, lengthscale = 0.1}, lambda = 1e-6} end, facts`,
			reach: reach{Seconds: seconds, Most: "residual", Bound: 1e-10}, growth: "lines", weights: weights, peers: peers,
		}
	}
	return []row{
		line("316", "316", "40", 1e5, 0, "lines"),
		line("1000", "1000", "60", 1e6, 1, "lines"),
		line("2000", "2000", "80", 4e6, 6),
		line("3162", "3162", "100", 1e7, 20),
	}
}

func structured() []row {
	heat := `
local m, n = pick(50, 12), pick(100, 20)
local p = pde.heat{mesh = mesh.uniform(0, 1, m), time = mesh.uniform(0, 1, m, "t"), alpha = 0.1}
local d = p:sample{n = n, input = random.field{kernel = kernel.exponential{lengthscale = 0.1}, mesh = p.input_mesh, n = n, seed = 1}, seed = 1}:noise{level = 0.2, seed = 1}
local c = {constraint.time_invariant{input = "s", output = "t"}`
	fit := `}
return function() return green.fit{data = d, kernel = kernel.exponential{lengthscale = 0.04}, bias = false, lambda = 2e-7, tolerance = 1e-10, constraint = c} end, facts`
	return []row{
		{
			name: "symmetric Helmholtz", what: "fit, symmetric, m = n = 100, λ = 1e-5, to a residual of 1e-10", code: facts + `
local m = mesh.uniform(0, 1, 100)
local d = data.load("scripts/data/helmholtz.npz", {input_mesh = m}):take(1, 100)
share("f", d.input) share("u", d.output)
return function() return green.fit{data = d, kernel = kernel.matern{nu = 2.5, lengthscale = 0.02}, lambda = 1e-5, bias = false, tolerance = 1e-10, constraint = constraint.symmetric{"x", "y"}} end, facts`,
			peers: []string{"symmetric"}, reach: reach{Seconds: .1, Most: "iterations", Bound: 165},
		},
		{
			name: "Schrödinger", what: "fit, boundary to square, 492,500 weights, n = 500, λ = 1e-9", code: facts + `
local a, n = mesh.uniform(0, 1, pick(50, 12)), pick(500, 50)
local p = pde.schrodinger{mesh = a * a, potential = pde.hexagon{height = 1000, radius = 0.25, x = 0.5, y = 0.5}}
local d = p:sample{n = n, input = random.field{kernel = kernel.periodic{period = 4, lengthscale = 0.1}, mesh = p.input_mesh, n = n, seed = 1}, seed = 1}
return function() return green.fit{data = d, kernel = kernel.matern{nu = 2.5, lengthscale = 0.02}, bias = false, lambda = 1e-9, tolerance = 1e-10} end, facts`,
			reach: reach{Seconds: .5, Bytes: 250e6, Most: "residual", Bound: 1e-10},
		},
		{
			name: "heat, invariant", what: "fit, time-invariant, 247,500 weights, n = 100, λ = 2e-7", code: facts + heat + fit,
			reach: reach{Seconds: 1.2, Most: "residual", Bound: 1e-10},
		},
		{
			name: "heat, causal", what: "fit, time-invariant and causal, 125,000 weights", code: facts + heat + `, constraint.causal{input = "s", output = "t"}` + fit,
			reach: reach{Seconds: .8, Most: "residual", Bound: 1e-10},
		},
	}
}

func planes() []row {
	plane := func(k, small string, weights float64, asked reach) row {
		asked.Most, asked.Bound = "residual", 1e-10
		return row{
			name: "planes " + k, what: "fit, 2-D × 2-D grids of " + k + "² points, 100 pairs, λ = 1e-6", code: facts + `
local k = pick(` + k + `, ` + small + `)
local function plane(a, b) return mesh.uniform(0, 1, k, a) * mesh.uniform(0, 1, k, b) end
local d = smooth_pairs(100, plane("x1", "x2"), plane("y1", "y2"))
return function() return green.fit{data = d, kernel = kernel.matern{nu = 2.5, lengthscale = 0.1}, lambda = 1e-6} end, facts`,
			reach: asked, growth: "planes", weights: weights,
		}
	}
	return []row{
		plane("18", "5", 104976, reach{}), plane("32", "6", 1048576, reach{}),
		plane("56", "7", 9834496, reach{Seconds: 20, Bytes: 5e9}),
	}
}

func scattered() []row {
	points := func(m, small string, count, seconds float64) row {
		return row{
			name: "points " + m, what: "fit, " + m + " scattered points on each side, 100 pairs, λ = 1e-4", code: facts + `
local m = pick(` + m + `, ` + small + `)
local function points(shift)
  local i = array.linspace(1, m, m)
  local function part(step) local a = i * step + shift return a - math.floor(a) end
  return array.stack({part(0.6180339887498949), part(0.7548776662466927)}, 2)
end
local function pairs_on(p, seed) -- sums of 40 random waves: fields on any number of points
  local waves, phases = random.normal{shape = {2, 40}, seed = seed} * 3, random.uniform{shape = {40}, seed = seed + 1} * 2 * math.pi
  return (random.normal{shape = {100, 40}, seed = seed + 2} / 20 ^ 0.5):dot(math.cos(p:dot(waves) + phases):transpose())
end
local p, q = points(0.1), points(0.37)
local f, u = pairs_on(p, 1), pairs_on(q, 11)
local weights = array.ones(m) / m
local d = data.new{input = f, output = u + 0.1 * random.normal{shape = u.shape, seed = 21}, input_mesh = mesh.points(p, weights), output_mesh = mesh.points(q, weights)}
return function() return green.fit{data = d, kernel = kernel.matern{nu = 2.5, lengthscale = 0.3}, lambda = 1e-4} end, facts`,
			reach: reach{Seconds: seconds, Most: "residual", Bound: 1e-10}, growth: "points", weights: count * count,
		}
	}
	return []row{points("1000", "100", 1000, 1), points("20000", "1200", 20000, 6), points("200000", "1500", 200000, 30)}
}
