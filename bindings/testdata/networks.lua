-- What goes wrong with networks and propagators. The first chunk makes what the others use.

m, k = mesh.uniform(0, 1, 6), kernel.matern{nu = 1.5, lengthscale = 0.3}
f = 8 * random.field{kernel = kernel.se{lengthscale = 0.4}, mesh = m, n = 12}
p = pde.poisson{mesh = m}
u = p:solve(f)
for i = 1, 60 do u = p:solve(f - 2 * u^3) end
d = data.new{input = f, output = u, input_mesh = m}
cube = {u3 = function(f, u) return u^3 end}
tanh = function(z) return math.tanh(z) end
green.network{data = d} --! green.network: terms: missing; want a table such as {u3 = function(f, u) return u^3 end}, or an activation

green.network{data = d, terms = cube, activation = tanh} --! green.network: terms, activation: a network is made of terms, or of layers with an activation; give one of them

green.network{data = d, terms = cube, steps = 3} --! green.network: steps: is for layers with an activation, which are trained; give layers = 2, activation = function(z) return math.tanh(z) end in place of terms, or leave steps out

green.network{data = d, terms = cube, seed = 3} --! green.network: seed: is for layers with an activation, which are trained; give layers = 2, activation = function(z) return math.tanh(z) end in place of terms, or leave seed out

green.network{data = d, terms = cube, train = "adam"} --! green.network: train: is for layers with an activation, which are trained; give layers = 2, activation = function(z) return math.tanh(z) end in place of terms, or leave train out

green.network{data = d, terms = cube, layers = 2, implicit = true} --! green.network: layers, implicit: a network has layers or is implicit; give one of them

green.network{data = d, terms = cube, implicit = false} --! green.network: layers: missing; want how many there may be, as implicit is false

green.network{data = d, terms = cube, kernel = {w = k}} --! green.network: kernel: there is no "w"; there are: f, u3

green.network{data = d, terms = {a = function(f, u) return 2 * u end}} --! green.network: terms.a: is linear in u, and so u is an integral of it whatever the data are: G has what is linear already; leave it out

green.network{data = d, terms = {a = function(f, u) return math.log(u - 100) end}} --! green.network: terms.a: is not finite: NaN for pair 1 at [0]: must be finite for the outputs of the data, and for predictions of them

green.network{data = d, terms = {a = function(f, u) return u^2 end, b = function(f, u) return 3 * u^2 end}} --! green.network: terms.a and terms.b: cannot be told apart: from sample to sample they change in the same way (correlation 1); give one of them

green.network{data = d, terms = {f = function(f, u) return u^2 end}} --! green.network: terms.f: is the name of an input or of the output; want another

green.network{data = d, terms = {report = function(f, u) return u^2 end}} --! green.network: terms: "report" is no name for a term: it is that of something else

green.network{data = data.new{input = f[{1, 4}], output = u[{1, 4}], input_mesh = m}, terms = cube} --! green.network: data: 2 pairs: a network leaves some of them out, and needs at least 6

green.network{data = d, activation = tanh} --! green.network: layers: missing; want how many there are, as activation is given

green.network{data = d, activation = tanh, layers = 200} --! green.network: layers 200: must be from 1 to 32

green.network{data = d, activation = {tanh, tanh, tanh}, layers = 2} --! green.network: activation: 3 of them for 2 layers: want 1, one for each layer before the last, or 2

green.network{data = d, activation = tanh, layers = 2, constraint = constraint.symmetric{}} --! green.network: constraint, activation: layers that are trained jointly have no constraints; leave one of them out

green.network{data = d, activation = tanh, layers = 2, implicit = true} --! green.network: implicit, activation: a network of layers with an activation is not implicit; leave one of them out

green.network{data = d, activation = tanh, layers = 2, choose = "reml"} --! green.network: choose, activation: there are no terms to choose; leave choose out

green.network{data = d, activation = tanh, layers = 2, kernel = {f = k}} --! green.network: kernel: with an activation all layers have one kernel; want a kernel, not a table

green.network{data = d, activation = tanh, layers = 2, tolerance = 1e-5} --! green.network: tolerance, max_iterations, activation: layers that are trained jointly have no iterative solver; see steps, or leave them out

green.network{data = d, activation = function(z, y) return z * y end, layers = 2} --! green.network: activation of layer 1: is a formula of more than one variable

net = green.network{data = d, terms = cube, kernel = k}
net:predict{1, 2, 3} --! network:predict: inputs.f: has the shape 3, must be 6 points, or n × 6

net:term("u2") --! network:term: term: there is no "u2"; there are: f, u3

net:term("u3", {layer = 2}) --! network:term: layer 2: the network has 1

net:term("f"):coefficient() --! network_term:coefficient: f: has no coefficient: that is for a term of u beside the only input with the same coordinates

green.propagator{data = d, terms = cube} --! green.propagator: data: outputs are on uniform(0, 1, 6): must be on space times time

circle = mesh.periodic(0, 1, 8)
b = pde.burgers{mesh = circle, time = mesh.uniform(0, 0.2, 5, "t"), viscosity = 0.1}:sample{n = 8, input = {kernel = kernel.periodic{period = 1, lengthscale = 1}}}
run = green.propagator{data = b, terms = {square = function(f, u) return u^2 end}}
run:predict(b.input[1], {last = 1e12}) --! propagator:predict: last 1e+12: is 2e+13 steps of 0.05 after the first time, 0: at most 1e+07 can be run at once

run:predict(b.input[1], {last = 0.12}) --! propagator:predict: last 0.12: must be the first time, 0, and a whole number of steps of 0.05
