-- Learn the Green's function of a differential equation from data
-- A problem whose answer is known: u'' = f on [0, 1], held at both ends.
local m = mesh.uniform(0, 1, 60)
local problem = pde.poisson{mesh = m, left = 0, right = 0}

-- 40 pairs of a random forcing f and the response u, with 5 % noise on u.
local pairs = problem:sample{n = 40, input = {kernel = kernel.se{lengthscale = 0.1}}, seed = 1}
local noisy = pairs:noise{level = 0.05, seed = 2}

-- Learn G in u(y) = ∫ G(x, y) f(x) dx, and how much to smooth it, from the pairs alone.
local estimate = green.fit{data = noisy, kernel = kernel.exponential{lengthscale = 0.3}}
print(estimate)
print("relative error of G:", estimate:error{green = problem})
plot.heatmap(estimate:green(m, m), {x = m, y = m, title = "learned G(x, y)", xlabel = "x", ylabel = "y"})
