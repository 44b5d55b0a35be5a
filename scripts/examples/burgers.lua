-- Burgers' equation, u_t + u u_x = ν u_xx on a circle, learned from pairs (u at the first time,
-- u in space and time) and run four times as long as the pairs last.
--
--     workbench scripts/examples/burgers.lua

local x, T, ends = mesh.periodic(0, 1, 32), mesh.uniform(0, 0.5, 17, "t"), mesh.uniform(0, 2, 65, "t")
local law = {kernel = kernel.periodic{period = 1, lengthscale = 0.8}, scale = 0.5}
local pairs_, truth = pde.burgers{mesh = x, time = T, viscosity = 0.04}, pde.burgers{mesh = x, time = ends, viscosity = 0.04}

-- A step of Duhamel's formula: what is linear, and what the square of u does to it.
local p = green.propagator{data = pairs_:sample{n = 60, input = law}, terms = {square = function(f, u) return u^2 end}}
print(p.report.left_out < 5e-3, p.report.invariant)       --> true	true

-- Other inputs, and times that no pair has seen.
local later = truth:sample{n = 6, input = law, seed = 2}
local e = p:error{data = later}
print(e.mean < 5e-3, #e.by_time)                          --> true	64
local t = array.linspace(2 / 64, 2, 64)
plot.lines{ {x = t, y = e.by_time, label = "run on"}, {x = {0.5, 0.5}, y = {1e-5, 1e-2}, style = "k--", label = "end of the pairs"},
  logy = true, xlabel = "t", ylabel = "relative error", title = "Burgers' equation, from 60 pairs", file = "out/burgers.png" }

local u, info = p:predict(3 * later.input[1])             -- beyond the amplitude of the pairs
print(#info.notes)                                        --> 1
