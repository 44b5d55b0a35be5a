-- Figure 7: errors of the Green's function and of the bias of the Poisson and the
-- Helmholtz equation against the mesh and the lengthscale of the kernel: 2,240 fits.
local systems = require "systems"
local report = require "report"
local quick, out = quick or false, out or "out"

local seed = 1
local n = quick and 50 or 500
local fine = mesh.uniform(0, 1, quick and 50 or 200)
local meshes = quick and {10, 20} or {10, 20, 30, 40, 50, 60, 70, 80, 90, 100}
local sigmas = {}
for _, unit in ipairs(quick and {.1} or {.001, .01, .1}) do
  for i = 1, 9, quick and 4 or 1 do sigmas[#sigmas + 1] = i * unit end
end
sigmas[#sigmas + 1] = 1
local kernels = {
  {"exponential", function(s) return kernel.exponential{lengthscale = s} end},
  {"squared exponential", function(s) return kernel.se{lengthscale = s} end},
  {"Matérn 3/2", function(s) return kernel.matern{nu = 1.5, lengthscale = s} end},
  {"Matérn 5/2", function(s) return kernel.matern{nu = 2.5, lengthscale = s} end},
}
-- RE(G) stored with the paper's code for the rule σ = 2/m, by kernel, at these m.
local known = {20, 50, 100}
local published = {
  poisson = {{.0157, .0109, .0102}, {.0279, .0108, .0078}, {.0195, .0099, .0089}, {.0214, .0103, .0093}},
  helmholtz = {{.639, .107, .131}, {.680, .103, .138}, {.745, .105, .149}, {.737, .105, .158}},
}

local r = report.new{
  name = "figure7", out = out, seed = seed, title = "Figure 7: lengthscale of the kernel and mesh",
  about = "Poisson and Helmholtz (ω = 20) equations, u(0) = -0.1, u(1) = 0.1; n = " .. n .. " pairs without noise, simulated by finite differences on each mesh; λ = ρ = 1e-6. "
    .. "Inputs of the lengthscale 0.0707. Four kernels, " .. #meshes .. " meshes, " .. #sigmas .. " lengthscales, two equations: each fit is the exact minimiser. Errors on " .. fine.size .. "² points.",
}
local started, fits, seconds = os.time(), 0, 0

-- study fits on all meshes with all lengthscales of one kernel, two at a time. Returns
-- errors of G and of the bias by mesh and lengthscale, and those at σ = 2/m by mesh.
local function study(data, exact, bias, make)
  local of_green, of_bias, rule, tolerance = {}, {}, {}, systems.tolerance
  local function errors(p)
    local e = green.fit{data = data[p.mesh], kernel = make(p.sigma), lambda = 1e-6, tolerance = tolerance}
    return {
      green = e:error{green = exact, xmesh = fine, ymesh = fine}, bias = e:error{bias = bias, ymesh = fine},
      residual = e.report.residual, fit = e.report.seconds,
    }
  end
  local function count(row)
    systems.count(row.residual)
    fits, seconds = fits + 1, seconds + row.fit
    return row
  end
  local numbers = {}
  for i in ipairs(meshes) do numbers[i] = i end
  for _, row in ipairs(sweep.run{grid = {mesh = numbers, sigma = sigmas}, run = errors, jobs = 2}) do
    local i, m = row.mesh, meshes[row.mesh]
    of_green[i], of_bias[i] = of_green[i] or {}, of_bias[i] or {}
    table.insert(of_green[i], count(row).green)
    table.insert(of_bias[i], row.bias)
    if math.abs(row.sigma - 2 / m) < 1e-12 then rule[m] = row.green end
  end
  for i, m in ipairs(meshes) do
    for _, k in ipairs(known) do
      if k == m and not rule[m] then rule[m] = count(errors{mesh = i, sigma = 2 / m}).green end
    end
  end
  return of_green, of_bias, rule
end

for _, name in ipairs{"poisson", "helmholtz"} do
  local data, problem = {}, systems[name].problem(100)
  for i, m in ipairs(meshes) do
    data[i] = systems[name].problem(m):sample{n = n, input = systems[name].input(), seed = seed}
  end
  local exact, bias = problem:green(fine, fine), problem:bias(fine)
  local title = name == "poisson" and "Poisson" or "Helmholtz"
  r:section(title .. ": RE(G) at σ = 2/m", "The floor of finite differences is 0.146 at m = 40 and 0.0252 at m = 100 for the Helmholtz equation, 0.0010 at m = 100 for the Poisson equation.", {{"best", "best σ"}, {"least", "RE(G) there"}})
  local panels = {{}, {}}
  for i, k in ipairs(kernels) do
    local green, line, rule = study(data, exact, bias, k[2])
    for j, m in ipairs(known) do
      if rule[m] then
        local row, at = green[m / 10], 1
        for s, v in ipairs(row) do if v < row[at] then at = s end end
        r:row{what = k[1] .. ", m = " .. m, published = published[name][i][j], ours = rule[m], best = sigmas[at], least = row[at]}
      end
    end
    for j, values in ipairs{green, line} do
      panels[j][i] = plot.heatmap(values, {
        x = meshes, y = sigmas, logy = true, log = true, min = name == "poisson" and 1e-3 or 1e-2, max = 1, palette = "viridis", aspect = "fill", show = false, title = j == 1 and k[1] or nil,
        xlabel = j == 2 and "mesh points $m$" or nil, ylabel = i == 1 and (j == 1 and "$G$: lengthscale" or "$\\beta$: lengthscale") or nil,
        lines = {{x = meshes, y = 2 / array.from(#meshes, function(k) return meshes[k] end), style = "r--"}},
      })
    end
  end
  r:picture(plot.grid{panels[1], panels[2], same_colors = true, show = false},
    {name = name, width = 12, caption = title .. " equation: relative error of G (above) and of the bias (below) against mesh and lengthscale. Dashed: σ = 2/m."})
end
r:section("All fits")
r:row{what = "seconds for " .. fits .. " fits with their errors", ours = os.time() - started, reach = not quick and "300" or nil, seconds = seconds}
r:note(systems.certificate())
return r:close()
