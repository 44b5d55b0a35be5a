-- The law of a cubic Helmholtz equation, -u″ - ω²u + c(x) u³ = f, read off pairs (f, u).
--
--     workbench scripts/examples/cubic_law.lua

local x = mesh.uniform(0, 1, 13)
local p = pde.helmholtz{mesh = x, omega = 2}
local c = array.linspace(1, 2, 13)                        -- what the pairs are to tell
local f = 6 * random.field{kernel = kernel.se{lengthscale = 0.2}, mesh = x, n = 24}
local u = p:solve(f)
for i = 1, 99 do u = 0.5 * u + 0.5 * p:solve(f - c * u^3) end

-- Which of these maps of u belongs to the law, and what stands before it?
local k = kernel.matern{nu = 1.5, lengthscale = 0.3}
local net = green.network{data = data.new{input = f, output = u, input_mesh = x}, kernel = k, choose = "reml",
  terms = {square = function(f, u) return u^2 end, cube = function(f, u) return u^3 end}}
for _, t in ipairs(net.report.terms) do print(t.formula, t.chosen) end  --> u^3	true
--> u^2	false

local law = net:term("cube"):coefficient()                -- G of u³ beside G of f: -c(x)
local at, found, true_c, low, high = {}, {}, {}, {}, {}
for i = 3, 11 do                                          -- G is next to nothing at the ends
  local v, half = -law.value[i], law.band[i]
  at[#at + 1], found[#found + 1], true_c[#true_c + 1], low[#low + 1], high[#high + 1] = (i - 1) / 12, v, c[i], v - half, v + half
end
plot.lines{ {x = at, y = found, low = low, high = high, label = "read off the pairs"}, {x = at, y = true_c, style = "k--", label = "1 + x"},
  xlabel = "x", title = "c(x) in -u″ - 4u + c(x) u³ = f", file = "out/cubic_law.png" }
print(math.abs(found[5] - 1.5) < 0.02)                    --> true

local new, info = net:predict(f[1])
print(info.steps <= 6, info.radius < 1)                   --> true	true
