-- The systems of the paper as its code has them, which made the figures; where the
-- text says otherwise it is noted here. Change a number and run a figure again.
local systems = {}

-- -u″ = f on [0,1]. The text gives inputs the lengthscale 0.01; in the code 0.01 is
-- kw in exp(-d²/kw), which is the lengthscale sqrt(kw/2) = 0.0707 here.
systems.poisson = {
  noise = 0.1, n = 500, m = 100,
  input = function() return {kernel = kernel.se{lengthscale = math.sqrt(0.005)}, scale = 10} end,
  problem = function(m, left, right)
    return pde.poisson{mesh = mesh.uniform(0, 1, m), left = left or -0.1, right = right or 0.1}
  end,
}

-- -u″ - 400 u = f on [0,1], u(0) = -0.1, u(1) = 0.1.
systems.helmholtz = {
  n = 100, m = 100,
  input = function() return {kernel = kernel.se{lengthscale = math.sqrt(0.005)}, scale = 100} end,
  problem = function(m)
    return pde.helmholtz{mesh = mesh.uniform(0, 1, m), omega = 20, left = -0.1, right = 0.1}
  end,
}

-- Δu = V u on the unit square, from u on its boundary. Trained on inputs of the
-- lengthscale 0.1 (the text says 0.01 in one place) with 20 % noise.
systems.schrodinger = {
  noise = 0.2, n = 500, m = 50, trained = 0.1,
  potential = pde.hexagon{height = 1000, radius = 0.25, x = 0.5, y = 0.5},
  problem = function(m)
    local a = mesh.uniform(0, 1, m)
    return pde.schrodinger{mesh = a * a, potential = systems.schrodinger.potential}
  end,
  inputs = function(m, n, lengthscale, seed)
    return random.field{
      kernel = kernel.periodic{period = 4, lengthscale = lengthscale}, mesh = systems.schrodinger.problem(m).input_mesh, n = n, seed = seed,
    }
  end,
}

-- ∂u/∂t = 0.05 ∂x(V′u) + 0.05 ∂xx u on [-2,2] with reflecting ends, from u at t = 0.
-- The text does not scale the drift, and calls kw = 0.1 of exp(-d²/kw) lengthscale;
-- so do the numbers below.
systems.fokker_planck = {
  noise = 0.2, n = 500, m = 50, trained = 0.1,
  potential = function(x) return x^4 - 3 * x^2 end,
  problem = function(m)
    return pde.fokker_planck{
      mesh = mesh.uniform(-2, 2, m, "x"), time = mesh.uniform(0, 1, m, "t"),
      potential = systems.fokker_planck.potential, diffusivity = 0.05, drag = 20,
    }
  end,
  inputs = function(m, n, kw, seed)
    return random.field{kernel = kernel.se{lengthscale = math.sqrt(kw / 2)}, mesh = mesh.uniform(-2, 2, m), n = n, seed = seed}
  end,
}

-- spectral draws n functions of (x, t) on the unit square with the covariance
-- exp(-d/lengthscale), as sums of `waves` plane waves with random frequencies (Rahimi
-- and Recht 2007; the spectral density of this covariance is a bivariate Cauchy
-- distribution). They are functions, not values on a mesh: the same seed gives the
-- same ones on every mesh, and meshes may be fine.
local function spectral(m, n, lengthscale, seed, waves)
  local g = random.normal{shape = {4, waves}, seed = seed}
  local spread = lengthscale * math.abs(g[3])
  local points = array.linspace(0, 1, m):reshape(m, 1)
  local x, t = points * (g[1] / spread):reshape(1, waves), points * (g[2] / spread):reshape(1, waves)
  local cx, sx, ct, st = math.cos(x), math.sin(x), math.cos(t):transpose(), math.sin(t):transpose()
  local f = array.zeros(n, m * m)
  for i = 1, n do
    local c = random.normal{shape = {2, waves}, seed = seed * 100003 + i}
    local a, b = c[1], c[2]
    f[i] = (((cx * a + sx * b):dot(ct) + (cx * b - sx * a):dot(st)) / math.sqrt(waves)):reshape(m * m)
  end
  return f
end

-- ∂u/∂t - 0.1 ∂xx u = f on [0,1] × [0,1], zero at the ends and at t = 0. The text
-- says 0.01.
systems.heat = {
  noise = 0.2, n = 100, m = 50, trained = 0.1,
  problem = function(m)
    return pde.heat{mesh = mesh.uniform(0, 1, m, "x"), time = mesh.uniform(0, 1, m, "t"), alpha = 0.1}
  end,
  inputs = function(m, n, lengthscale, seed)
    return random.field{kernel = kernel.exponential{lengthscale = lengthscale}, mesh = systems.heat.problem(m).input_mesh, n = n, seed = seed}
  end,
  functions = function(m, n, lengthscale, seed) return spectral(m, n, lengthscale, seed, 2000) end,
}

-- train draws noisy pairs to learn from.
function systems.train(system, m, n, seed)
  local p = system.problem(m)
  local input = system.inputs and system.inputs(m, n, system.trained, seed) or system.input()
  return p:sample{n = n, input = input, seed = seed}:noise{level = system.noise, seed = seed}
end

-- thinned returns values on a mesh, one row a sample, at every so many points of each axis.
local function thinned(a, m, every)
  local shape, ranges, points = {a.shape[1]}, {{}}, 1
  for i, k in ipairs(m.shape) do
    shape[i + 1], ranges[i + 1] = k, {1, k, every}
    points = points * ((k - 1) / every + 1)
  end
  return a:reshape(table.unpack(shape)):slice(ranges):reshape(a.shape[1], points)
end

-- train_finely draws noisy pairs on m points of each axis as train does, but of solutions
-- computed on spacings so many times finer.
function systems.train_finely(system, m, n, seed, every)
  local fine, p = system.problem((m - 1) * every + 1), system.problem(m)
  local f = system.inputs((m - 1) * every + 1, n, system.trained, seed)
  return data.new{
    input = thinned(f, fine.input_mesh, every), output = thinned(fine:solve(f), fine.output_mesh, every),
    input_mesh = p.input_mesh, output_mesh = p.output_mesh,
  }:noise{level = system.noise, seed = seed}
end

-- fit is green.fit to a relative residual below 1e-8, which all fits of the paper's
-- figures are held to; certificate says whether they were. count is for fits that are
-- made otherwise.
local fits, worst = 0, 0
systems.tolerance = 5e-9
function systems.count(residual) fits, worst = fits + 1, math.max(worst, residual) end
function systems.fit(spec)
  spec.tolerance = spec.tolerance or systems.tolerance
  local e = green.fit(spec)
  systems.count(e.report.residual)
  return e
end

function systems.certificate()
  return string.format("%d fits; the largest relative residual, recomputed from the definition, is %.1e.", fits, worst)
end

-- choose fits with each kernel of a list and returns the estimate that restricted
-- maximum likelihood prefers, the seconds of its fit, those of all, and its place in
-- the list. spec has the other arguments of green.fit.
function systems.choose(spec, kernels)
  local best, all, at = nil, 0, 0
  for i, k in ipairs(kernels) do
    spec.kernel = k
    local e = systems.fit(spec)
    all = all + e.report.seconds
    if not best or e.report.reml < best.report.reml then best, at = e, i end
  end
  return best, best.report.seconds, all, at
end

-- errors returns the relative L² error of each row: unweighted sums over points.
function systems.errors(u, exact)
  return (((u - exact)^2):sum(2) / (exact^2):sum(2))^0.5
end

-- The lengthscales of the inputs in the tests of Figures 4 to 6.
systems.lengthscales = {.01, .025, .05, .075, .1, .25, .5, .75, 1, 2.5, 5, 7.5, 10}

-- test draws n fresh inputs of each lengthscale on m points and solves for their
-- clean outputs, all at once. draw is system.inputs unless given; where the list is a
-- part of one, before says how many lengthscales stand before it.
function systems.test(system, m, n, lengthscales, seed, draw, before)
  local problem = system.problem(m)
  local f = array.zeros(#lengthscales * n, problem.input_mesh.size)
  for i, l in ipairs(lengthscales) do
    local draws = (draw or system.inputs)(m, n, l, 1000 * seed + (before or 0) + i)
    for k = 1, n do f[(i - 1) * n + k] = draws[k] end
  end
  return {problem = problem, f = f, u = problem:solve(f), n = n, lengthscales = lengthscales}
end

-- predict returns the predictions of an estimate for a test.
function systems.predict(e, test)
  return e:predict(test.f, {xmesh = test.problem.input_mesh, ymesh = test.problem.output_mesh})
end

-- test_errors returns the mean error of an estimate at each lengthscale of a test.
function systems.test_errors(e, test)
  return systems.errors(systems.predict(e, test), test.u):reshape(#test.lengthscales, test.n):mean(2):table()
end

-- sweep adds a section to a report: test errors of estimates, a list of {estimate,
-- name of its lines by the mesh}, over lengthscales and meshes, a list of {points,
-- samples}; a table and a picture.
function systems.sweep(r, system, estimates, t)
  local columns, curves = {only = true}, {}
  for i, l in ipairs(t.lengthscales) do columns[i] = {"l" .. i, "ℓ = " .. l} end
  r:section("Test error against lengthscale and mesh", t.text, columns)
  for i, c in ipairs(t.meshes) do
    local errors, done, all = {}, 0, #t.lengthscales
    for k = 1, #estimates do errors[k] = {} end
    local at_once = math.max(1, math.floor(4e6 / (c[2] * system.problem(c[1]).output_mesh.size))) -- solutions of 32 MB
    while done < all do
      local some = {table.unpack(t.lengthscales, done + 1, math.min(done + at_once, all))}
      local test = systems.test(system, c[1], c[2], some, t.seed + i, system.functions, done)
      for k, e in ipairs(estimates) do
        for j, v in ipairs(systems.test_errors(e[1], test)) do errors[k][done + j] = v end
      end
      done, test = done + #some, nil
      collectgarbage()
    end
    for k, e in ipairs(estimates) do
      local row = {what = string.format(e[2], c[1]) .. ", " .. c[2] .. " samples"}
      for j, v in ipairs(errors[k]) do row["l" .. j] = v end
      r:row(row)
      curves[#curves + 1] = {x = t.lengthscales, y = errors[k], label = string.format(e[2], c[1]), style = e[3] or "o-", color = systems.colors[i]}
    end
  end
  curves.rules = {{x = system.trained, label = "trained on"}}
  curves.logx, curves.logy, curves.xlabel, curves.ylabel, curves.show = true, true, t.xlabel, "test error", false
  r:picture(plot.lines(curves), {name = "errors", width = 7, caption = t.caption})
end

-- examples adds a section to a report: of fresh inputs of each lengthscale the best
-- and the worst prediction, beside the solution. t has lengthscales, m, n, seed; the
-- axes and labels of the solution; and input, which draws an input as a panel.
function systems.examples(r, e, system, t)
  r:section("Best and worst predictions", t.text, {{"mean", "mean"}, {"best", "best"}, {"worst", "worst"}, only = true})
  local test = systems.test(system, t.m, t.n, t.lengthscales, t.seed, system.functions)
  local u = systems.predict(e, test)
  local all, rows = systems.errors(u, test.u):table(), {{}, {}, {}, {}, {}, {}}
  for i, l in ipairs(t.lengthscales) do
    local order, mean = {}, 0
    for k = 1, t.n do
      order[k] = (i - 1) * t.n + k
      mean = mean + all[order[k]] / t.n
    end
    table.sort(order, function(a, b) return all[a] < all[b] end)
    r:row{what = "ℓ = " .. l .. ", " .. t.n .. " samples", mean = mean, best = all[order[1]], worst = all[order[t.n]]}
    for j, k in ipairs{order[1], order[t.n]} do
      local most, at = math.abs(test.u[k]):max(), 3 * (j - 1)
      local function panel(v, title, label)
        return plot.heatmap(v:reshape(t.axes[1].size, t.axes[2].size), {
          x = t.axes[1], y = t.axes[2], title = title, xlabel = t.labels[1], ylabel = i == 1 and label .. ": " .. t.labels[2] or nil,
          palette = "bluered", min = -most, max = most, aspect = "fill", show = false,
        })
      end
      rows[at + 1][i] = t.input(test.f[k], string.format("ℓ = %g: %s", l, j == 1 and "best" or "worst"), i == 1)
      rows[at + 2][i] = panel(test.u[k], nil, "solution")
      rows[at + 3][i] = panel(u[k], string.format("error %.3g", all[k]), "predicted")
    end
  end
  r:picture(plot.grid{rows[1], rows[2], rows[3], rows[4], rows[5], rows[6], show = false}, {width = 13, dpi = 100, caption = t.caption})
end

-- The colours of meshes, coarse to fine.
systems.colors = {"#440154", "#3b528b", "#21918c", "#5ec962"}

return systems
