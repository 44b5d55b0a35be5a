-- Figure 3: errors of the Green's function and of the bias of the Helmholtz equation
-- against the number of samples n, the mesh m and the noise, with and without the
-- symmetry G(x,y) = G(y,x). Kernel Matérn 5/2 of lengthscale 0.02.
--
-- The text says λ = 1e-5 for the first two panels; the published numbers are those
-- of 1e-3. The exact minimiser is best with the small one, which is used here.
local systems = require "systems"
local report = require "report"
local quick, out = quick or false, out or "out"

local seed = 1
local system = systems.helmholtz
local m, fine = mesh.uniform(0, 1, 100), mesh.uniform(0, 1, quick and 60 or 300)
local symmetric = constraint.symmetric{"x", "y"}
local matern = kernel.matern{nu = 2.5, lengthscale = 0.02}
local short_list = quick and {kernel.se{lengthscale = 0.1}} or {
  kernel.se{lengthscale = 0.04}, kernel.se{lengthscale = 0.07}, kernel.se{lengthscale = 0.1},
  kernel.matern{nu = 2.5, lengthscale = 0.05}, kernel.matern{nu = 2.5, lengthscale = 0.1},
}
local truth = system.problem(100)
local exact, bias = truth:green(fine, fine), truth:bias(fine)
local all = data.load("scripts/data/helmholtz.npz", {input_mesh = m})

local function errors(e)
  return e:error{green = exact, xmesh = fine, ymesh = fine}, e:error{bias = bias, ymesh = fine}, e.report.seconds
end
local function chosen(e) return (tostring(e.kernel):gsub("kernel%.", "")) end
local function fit(d, k, lambda, c)
  return errors(systems.fit{data = d, kernel = k, lambda = lambda, constraint = c})
end

local r = report.new{
  name = "figure3", out = out, seed = seed, title = "Figure 3: Helmholtz equation, samples, mesh and noise",
  about = "-u″ - 400 u = f on [0,1], u(0) = -0.1, u(1) = 0.1; inputs of the lengthscale 0.0707 and scale 100. Reference: n = 100 pairs on m = 100 points, without noise; "
    .. "kernel Matérn 5/2 of lengthscale 0.02. Published numbers are means of ten repetitions.",
}

-- Left: samples, drawn several times from the 600 of the file.
local published = {
  [10] = {.429, .206}, [20] = {.155, .0542}, [30] = {.0851, .0466}, [40] = {.0715, .0449}, [50] = {.0667, .0439},
  [60] = {.0630, .0434}, [70] = {.0630, .0427}, [80] = {.0615, .0426}, [90] = {.0658, .0422}, [100] = {.0614, .0424},
}
local left = {n = {}, plain = {}, symmetric = {}, bias = {}, symmetric_bias = {}}
local repeats = quick and 1 or 3
r:section("Samples n", "RE(G), mean of " .. repeats .. " random choices among the 600 pairs of the file; λ = 1e-5.", {{"bias", "RE(β)"}})
for i, n in ipairs(quick and {100} or {1, 2, 5, 10, 20, 30, 50, 70, 100}) do
  local sum = {0, 0, 0, 0, 0, 0}
  for k = 1, repeats do
    -- the first 100 pairs are those of the stored minima
    local train = n == 100 and k == 1 and all:take(1, 100) or (all:split{train = n, seed = k})
    local a, b, s = fit(train, matern, 1e-5)
    local c, d, t = fit(train, matern, 1e-5, symmetric)
    for j, v in ipairs{a, b, s, c, d, t} do sum[j] = sum[j] + v / repeats end
  end
  left.n[i], left.plain[i], left.bias[i], left.symmetric[i], left.symmetric_bias[i] = n, sum[1], sum[2], sum[4], sum[5]
  local p = published[n] or {}
  r:row{what = "n = " .. n, published = p[1], ours = sum[1], bias = sum[2], seconds = sum[3], reach = n == 100 and "0.033" or nil}
  r:row{what = "n = " .. n .. ", symmetric", published = p[2], ours = sum[4], bias = sum[5], seconds = sum[6], reach = n == 100 and "0.031" or nil}
end

-- Centre: meshes. The data come from finite differences on the same mesh, whose
-- Green's function, interpolated, sets a floor.
local function interpolation(n)
  local p = array.zeros(fine.size, n)
  for i = 1, fine.size do
    local s = (i - 1) / (fine.size - 1) * (n - 1)
    local j = math.min(math.floor(s), n - 2)
    p:set(i, j + 1, 1 - (s - j))
    p:set(i, j + 2, s - j)
  end
  return p
end
local function floor(problem, n)
  local g = problem:solve(array.eye(n)) - problem:solve(array.zeros(n))
  g = g / problem.input_mesh:weights():reshape(n, 1)
  local p = interpolation(n)
  return (p:dot(g):dot(p:transpose()) - exact):norm() / exact:norm()
end
published = {
  [10] = {1.016, 1.017}, [20] = {.658, .660}, [30] = {.2505, .2471}, [40] = {.1451, .1397}, [50] = {.1034, .0935},
  [60] = {.0853, .0702}, [70] = {.0662, .0561}, [80] = {.0719, .0486}, [90] = {.0640, .0431}, [100] = {.0570, .0409},
}
local centre = {m = {}, plain = {}, symmetric = {}, auto = {}, floor = {}, bias = {}}
r:section("Mesh m", "RE(G) for data simulated on each mesh, n = 100. The floor is the error of the finite differences themselves. Ours: kernel and λ from the data; beside it λ = 1e-5 with the kernel of the paper.",
  {{"floor", "floor"}, {"paper", "λ = 1e-5"}, {"symmetric", "symmetric"}, {"bias", "RE(β)"}})
for i, n in ipairs(quick and {30} or {10, 20, 30, 40, 50, 60, 70, 80, 90, 100}) do
  local problem = system.problem(n)
  local d = problem:sample{n = 100, input = system.input(), seed = seed}
  local k = kernel.matern{nu = 2.5, lengthscale = math.max(0.02, 2 / n)}
  local plain, low = fit(d, k, 1e-5), floor(problem, n)
  local sym = fit(d, k, 1e-5, symmetric)
  local best, seconds = systems.choose({data = d}, short_list)
  local auto, b = errors(best)
  for name, v in pairs{m = n, plain = plain, symmetric = sym, auto = auto, floor = low, bias = b} do centre[name][i] = v end
  r:row{
    what = "m = " .. n, published = published[n][1], ours = auto, seconds = seconds, reach = string.format("%.3f", 1.25 * low),
    floor = low, paper = plain, symmetric = sym, bias = b, note = chosen(best),
  }
end

-- Right: noise.
published = {
  [0] = {.0635, .0421}, [.1] = {.157, .103}, [.2] = {.293, .187}, [.3] = {.434, .280}, [.4] = {.574, .367}, [.5] = {.733, .466},
}
local reach = {[.2] = {"0.105", "0.08", "0.09"}, [.5] = {"0.15", "0.12", "0.09"}}
local right = {p = {}, paper = {}, auto = {}, symmetric = {}, bias = {}, kink = {}}
r:section("Noise", "RE(G) for n = m = 100. Ours: kernel and λ from the data; beside it λ = 1e-3 with the kernel of the paper. At 20 % and 50 % the noisy outputs are those of the file.",
  {{"paper", "λ = 1e-3"}, {"lambda", "λ"}})
for i, p in ipairs(quick and {.2} or {0, .1, .2, .3, .4, .5}) do
  local d = all:take(1, 100)
  if p == .2 or p == .5 then
    d = data.new{input = d.input, output = array.load("scripts/data/helmholtz.npz", "u_noise" .. 100 * p), input_mesh = m}
  elseif p > 0 then
    d = d:noise{level = p, seed = seed}
  end
  local name = string.format("%.0f %%", 100 * p)
  local best, seconds, all_seconds = systems.choose({data = d}, short_list)
  local auto, b = errors(best)
  local to = reach[p] or {}
  local plain, sym = fit(d, matern, 1e-3), fit(d, matern, 1e-3, symmetric)
  r:row{what = name, published = published[p][1], ours = auto, reach = to[1], seconds = seconds, paper = plain, lambda = best.report.lambda, note = chosen(best)}
  -- without noise λ → 0, where the symmetric solve is slow and nothing is gained
  local s, sb, sseconds, lambda = sym, nil, nil, 1e-3
  if p > 0 then
    local e = systems.choose({data = d, constraint = symmetric}, short_list)
    s, sb, sseconds = errors(e)
    lambda = e.report.lambda
    r:row{what = name .. ", symmetric", published = published[p][2], ours = s, reach = to[2], seconds = sseconds, paper = sym, lambda = lambda, note = chosen(e)}
  end
  r:row{what = name .. ", RE(β)", ours = b, reach = to[3], note = sb and string.format("symmetric %.3g", sb) or nil}
  local kink = systems.fit{data = d, kernel = kernel.kink{base = kernel.se{lengthscale = 0.1}, jump = kernel.se{lengthscale = 0.1}}}
  local g = errors(kink)
  r:row{what = name .. ", a kernel with a kink", ours = g, seconds = kink.report.seconds, lambda = kink.report.lambda, note = "not in the paper: SE 0.1 + |x - y||ξ - η| SE 0.1"}
  for k, v in pairs{p = 100 * p, paper = plain, auto = auto, symmetric = s, bias = b, kink = g} do right[k][i] = v end
end

r:picture(plot.grid{ {
  plot.lines{
    {x = left.n, y = left.plain, style = "bo-"}, {x = left.n, y = left.symmetric, style = "rs-"}, {x = left.n, y = left.bias, style = "b:"},
    logy = true, xlabel = "samples $n$", ylabel = "relative error", show = false,
  },
  plot.lines{
    {x = centre.m, y = centre.plain, label = "$G$, paper's kernel and λ", style = "bo-"}, {x = centre.m, y = centre.symmetric, label = "$G$, symmetric", style = "rs-"},
    {x = centre.m, y = centre.bias, label = "β", style = "b:"},
    {x = centre.m, y = centre.auto, label = "$G$, kernel and λ from the data", style = "g^-"}, {x = centre.m, y = centre.floor, label = "floor", style = "k--"},
    logy = true, xlabel = "mesh points $m$", legend = "none", show = false,
  },
  plot.lines{
    {x = right.p, y = right.paper, label = "$G$, kernel and λ of the paper", style = "bo-"}, {x = right.p, y = right.symmetric, label = "$G$, symmetric", style = "rs-"},
    {x = right.p, y = right.bias, label = "β", style = "b:"}, {x = right.p, y = right.auto, label = "$G$, from the data", style = "g^-"},
    {x = right.p, y = right.kink, label = "$G$, kink", style = "mv-"}, {x = {0, 50}, y = {0, 0}, label = "floor", style = "k--"},
    xlabel = "noise, per cent", ymin = 0, legend = "right", show = false,
  },
}, show = false }, {width = 13, caption = "Errors against samples, mesh and noise. Blue: kernel and λ of the paper; green: chosen by restricted maximum likelihood; red: symmetric, in the right picture with the chosen kernel and λ. Dashed: the floor that finite differences set."})
r:note(systems.certificate())
return r:close()
