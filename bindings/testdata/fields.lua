-- What goes wrong with samples of several fields. The first chunk makes what the others use.

m, my = mesh.uniform(0, 1, 4), mesh.uniform(0, 1, 5, "y")
F, G, U = random.normal{shape = {6, 4}}, random.normal{shape = {6, 4}, seed = 2}, random.normal{shape = {6, 4}, seed = 3}
age, ids, t = {31, 45, 28, 60, 52, 39}, {"anna", "ben", "anna", "ben", 3, 3}, {1, 2, 3, 4, 5, 6}
data.new{input = {f = F, g = "a"}, output = {u = U}, input_mesh = m} --! data.new: input.g: want an array, got a string ("a")
--!   usage: data.new{input, output, input_mesh=, output_mesh=, group={}, …}

data.new{input = {f = F}, output = U, input_mesh = m} --! data.new: output: want names, since the inputs have them, such as output = {u = U}

data.new{input = F, output = {u = U}, input_mesh = m} --! data.new: input: want names, since the outputs have them, such as input = {f = F}

data.new{input = F, output = U, input_mesh = {f = m}} --! data.new: input_mesh, output_mesh: names go with named inputs and outputs: input = {f = F}, output = {u = U}

data.new{input = F, output = U, input_mesh = m, group = {subject = ids}} --! data.new: group and parameter go with named inputs and outputs: input = {f = F}, output = {u = U}

data.new{input = {f = F}, output = {u = U}, input_mesh = {f = m}} --! data.new: output_mesh.u: missing; output.u is 6×4: want a mesh of 4 points

data.new{input = {f = F, g = G}, output = {u = U}, input_mesh = {f = m}, output_mesh = m} --! data.new: input_mesh.g: missing; input.g is 6×4: want a mesh of 4 points; a covariate is one number for each sample

data.new{input = {f = F}, output = {u = U}, input_mesh = {f = m, h = m}, output_mesh = m} --! data.new: input_mesh.h: there is no input.h; inputs: f

data.new{input = {f = F}, output = {u = U}, input_mesh = m, output_mesh = {v = m}} --! data.new: output_mesh.v: there is no output.v; outputs: u

data.new{input = {}, output = {u = U}, input_mesh = {f = m}, group = {subject = ids}} --! data.new: input_mesh.f: there is no input.f; inputs: none

data.new{input = {}, output = {u = U}, output_mesh = m} --! data.new: input: missing; name at least one, such as input = {f = F}

data.new{input = {f = F:transpose()}, output = {u = U}, input_mesh = m} --! data.new: input.f 4×6: want one row for each pair, and it has as many rows as input_mesh.f has points; transposed? Then give f = f:transpose()

data.new{input = {f = F}, output = {u = U}, input_mesh = m, output_mesh = my} --! data.new: output.u 6×4: want 6×5, pairs × points of output_mesh.u

data.new{input = {f = random.normal{shape = {7, 4}}}, output = {u = U}, input_mesh = m} --! data.new: output.u has 6 samples and input.f 7: want one row, number or label for each sample

data.new{input = {f = F, age = {31, 45}}, output = {u = U}, input_mesh = m} --! data.new: output.u has 6 samples and input.age 2: want one row, number or label for each sample

data.new{input = {f = F}, output = {u = U}, input_mesh = m, group = {subject = {"anna"}}} --! data.new: output.u has 6 samples and group.subject 1: want one row, number or label for each sample

data.new{input = {f = F, age = {31, 45, 28, 60, 0/0, 39}}, output = {u = U}, input_mesh = m} --! data.new: input.age[5] is NaN: must be finite

data.new{input = {f = 0/0 * F}, output = {u = U}, input_mesh = m} --! data.new: input.f[1][1] is NaN: must be finite

data.new{input = {f = F}, output = {u = 0/0 * U}, input_mesh = m} --! data.new: output.u[1][1] is NaN: must be finite; missing = true allows outputs that were not observed

data.new{input = {f = F}, output = {u = U}, input_mesh = m, parameter = {theta = {1, 2, 3, 4, 1/0, 6}}} --! data.new: parameter.theta[5] is +Inf: must be finite

data.new{input = {f = F}, output = {u = U}, input_mesh = m, parameter = {theta = {2, 2, 2, 2, 2, 2}}} --! data.new: parameter.theta: is 2 for every sample: a family is learned from at least 2 values; leave it out

data.new{input = {f = F, age = {2, 2, 2, 2, 2, 2}}, output = {u = U}, input_mesh = m} --! data.new: input.age: is 2 for every sample: what it does cannot be told from the bias; leave it out

data.new{input = {f = F, g = array.ones(6, 4)}, output = {u = U}, input_mesh = m} --! data.new: input.g: is the same in every sample: what it does cannot be told from the bias; leave it out

data.new{input = {f = F, g = 3 - 2e-6 * F}, output = {u = U}, input_mesh = m} --! data.new: input.f and input.g: cannot be told apart: from sample to sample they change in the same way (correlation 1); give one of them

data.new{input = {f = F}, output = {u = U}, input_mesh = m, group = {subject = {"a", "b", "c", "d", "e", "f"}}} --! data.new: group.subject: each of the 6 labels has one sample only: their curves cannot be told from noise; leave the group out

data.new{input = {f = F}, output = {u = U}, input_mesh = m, group = {subject = {1, 1, 1, 1, 1, 1}}} --! data.new: group.subject: every sample has the label "1": its curve cannot be told from the bias; leave the group out

data.new{input = {f = F}, output = {u = U}, input_mesh = m, group = {1, 1, 1, 2, 2, 2}} --! data.new: group[1]: the key must be a name
--!   usage: data.new{input, output, input_mesh=, output_mesh=, group={}, …}

data.new{input = {f = F}, output = {u = U}, input_mesh = m, group = {f = ids}} --! data.new: group.f: the name is that of input.f too; choose another

data.new{input = {f = F}, output = {f = U}, input_mesh = m, output_mesh = m} --! data.new: output.f: the name is that of input.f too; choose another

data.new{input = {f = F}, output = {u = U}, input_mesh = m, parameter = {x = t}} --! data.new: parameter.x: a coordinate of input_mesh has the name too, and kernels could not tell them apart; choose another

data.new{input = {["2f"] = F}, output = {u = U}, input_mesh = m} --! data.new: input: the name "2f": must be a letter, then letters, digits and _

data.new{input = {bias = F}, output = {u = U}, input_mesh = m} --! data.new: input: the name "bias": estimates have it for something else; choose another

data.new{input = {f = F}, output = {["end"] = U}, input_mesh = m} --! data.new: output: the name "end": is a word of the language; choose another

d = data.new{input = {f = F, g = G, age = age}, output = {u = U}, input_mesh = m, group = {subject = ids}}
d:pair("h", "u") --! frame:pair: input: there is no "h"; there are: f, g

d:pair("f", "age") --! frame:pair: output: there is no "age"; there are: u

d:take(4, 9) --! frame:take: samples 4 to 9: must be within 1 to 6, at least one

print(d.inputs) --! a frame has no 'inputs'; did you mean 'input'?
--!   fields: n, input, output, input_mesh, output_mesh, group, parameter
--!   methods: pair, save, noise, take, map, summary, plot, detrend, average, concat, shuffle, without, window, split

k = kernel.matern{lengthscale = 0.3}
est = green.fit{data = d, kernel = {f = k, g = k, age = k, subject = k}}
print(est.w) --! a model has no 'w'
--!   outputs and terms: u, f, g, age, subject
--!   fields: data, outputs, coupling
--!   methods: predict, error, save, at, check, summary, plot_residuals, plot

print(est.u.agge) --! an output has no 'agge'; did you mean 'age'?
--!   terms: f, g, age, subject
--!   fields: name, mesh, report, terms
--!   methods: bias, bias_std, predict, draw, error, check, summary, plot_residuals, plot

est.u.f = 1 --! an output cannot be assigned to, make another one: an output has no 'f'
--!   fields: name, mesh, report, terms
--!   methods: bias, bias_std, predict, draw, error, check, summary, plot_residuals, plot

est:predict{h = F} --! model:predict: inputs: there is no "h"; there are: f, g, age, subject

est:predict{f = F} --! model:predict: g: missing: the model needs it for every sample

est:predict{f = F, g = G, age = {1, 2}, subject = "anna"} --! model:predict: input.f has 6 samples and input.age 2: want one row, number or label for each sample

est:predict{f = F[1], g = G[1], age = "old", subject = "anna"} --! model:predict: inputs.age: want numbers, got text

est:predict{f = array.ones(7), g = G[1], age = 1, subject = "anna"} --! model:predict: inputs.f: has the shape 7, must be 4 points, or n × 4

est:predict({f = F[1], g = G[1], age = 1, subject = "anna"}, {input_mesh = {age = m}}) --! model:predict: input_mesh.age: there is no function of that name among the inputs

est:predict(d, {input_mesh = m}) --! model:predict: input_mesh: a frame knows its meshes

est:predict{f = 0/0 * F, g = G, age = 1, subject = "anna"} --! model:predict: input.f[1][1] is NaN: must be finite

est:at{theta = 1} --! model:at: the data have no parameters; give them to data.new as parameter = {theta = …}

est.u.subject:effect("dora") --! curves:effect: label: there is no "dora"; there are: anna, ben, 3

green.fit{data = d, kernel = k} --! green.fit: kernel: want a table by term, such as {f = kernel.matern{}}

green.fit{data = d, kernel = {k, k}} --! green.fit: kernel: want a table by term, such as {f = kernel.matern{}}

green.fit{data = d, kernel = {agee = k}} --! green.fit: kernel.agee: there is no term "agee"; did you mean 'age'?; terms: f, g, age, subject

green.fit{data = d, terms = {}} --! green.fit: terms: an empty list leaves nothing to learn; name some of f, g, age, subject, or leave terms out, for all of them

green.fit{data = d, terms = {"f", "f*age"}} --! green.fit: f*age: the covariate comes first: age*f

green.fit{data = d, terms = {"f"}, kernel = {g = k}} --! green.fit: kernel.g: there is no term "g"; terms: f

green.fit{data = d, constraint = constraint.symmetric{}} --! green.fit: constraint: want a table by term, such as {f = constraint.symmetric{"x", "y"}}

green.fit{data = d, constraint = {age = constraint.symmetric{}}} --! green.fit: constraint.age: want the term of a function; that of age has no Green's function

green.fit{data = d, amplitude = {h = 1}} --! green.fit: amplitude.h: there is no term "h"; terms: f, g, age, subject

green.fit{data = d, method = "dense"} --! green.fit: method "dense": a model of several terms is solved exactly

green.fit{data = d, structure = "dense"} --! green.fit: structure "dense": the terms of a model have structures of their own; leave it out

green.fit{data = d, prior = pde.poisson{mesh = m}} --! green.fit: prior: want data with one function, these have 2 (f, g)

green.fit{data = d:pair("f", "u"), kernel = {f = k}} --! green.fit: kernel: want a kernel, since the data have one input; kernels by name go with named inputs, data.new{input = {f = F}, …}

green.fit{data = d:pair("f", "u"), kernel = k, outputs = "coregional"} --! green.fit: outputs: goes with named outputs, data.new{input = {f = F}, output = {u = U, v = V}, …}

green.fit{data = d:pair("f", "u"), kernel = k, terms = {"f"}} --! green.fit: terms, amplitude: go with named inputs; name those of these data: data.new{input = {f = d.input}, output = {u = d.output}, input_mesh = d.input_mesh, output_mesh = d.output_mesh}

green.fit{data = d:pair("f", "u"), constraint = {f = constraint.symmetric{}}, kernel = k} --! green.fit: constraint: want a constraint, since the data have one input; constraints by name go with named inputs, data.new{input = {f = F}, …}

d = data.new{input = {f = F}, output = {u = U}, input_mesh = m, parameter = {theta = t}}
est = green.fit{data = d, kernel = {f = k}}
est:at{theta = "x"} --! model:at: at.theta: want a number, got a string ("x")
--!   usage: model:at(at)

est.u.f:at{phi = 1} --! family:at: parameter: there is no "phi"; there are: theta

est.u.f:at{theta = 1, phi = 1} --! family:at: parameter: there is no "phi"; there are: theta

est:predict{f = F} --! model:predict: theta: missing: the model needs it for every sample

d = data.new{input = {f = F}, output = {u = U, v = U + 1}, input_mesh = m}
green.fit{data = d, prior = pde.poisson{mesh = m}} --! green.fit: prior: want a table by output, such as {u = …}

green.fit{data = d, prior = {w = pde.poisson{mesh = m}}} --! green.fit: prior: output: there is no "w"; there are: u, v

green.fit{data = d, prior = {u = F}} --! green.fit: prior.u: has the shape 6×4, must be 4 × 4, a value for each pair of points of the data

green.fit{data = d:pair("f", "u"), prior = {u = pde.poisson{mesh = m}}} --! green.fit: prior: want one, since the data have one output; priors by name go with named outputs

green.fit{data = d:pair("f", "u"), prior = F} --! green.fit: prior: has the shape 6×4, must be 4 × 4, a value for each pair of points of the data

green.fit{data = d:pair("f", "u"), kernel = k, prior = array.ones(4, 4)}(0.1, 0.2) --! estimate(…): prior: its values are on the meshes of the data and say nothing elsewhere; an estimate or a problem as the prior knows other points

d = data.new{input = {f = F, g = G}, output = {u = U}, input_mesh = m}
est = green.fit{data = d, kernel = {f = k, g = k}}
est.u.f:bias_std() --! estimate:bias_std: the posterior needs the data, which a term of a model shares with the others: ask the model, or its output; a term has std

est.u.f:span(F) --! estimate:span: the span needs the training inputs, which a term of a model shares with the others: ask the model, or its output; a term has std

est.u.f:save("term.npz") --! estimate:save: term.npz: a part of a model is not saved by itself: save the model

est:save("model.txt") --! model:save: model.txt: extension ".txt": models are saved as .npz; give one such as "model.npz"

green.compare{data = d, models = {a = {terms = {}}, b = {terms = {"f"}}}} --! green.compare: models.a: terms: an empty list leaves nothing to learn; name some of f, g, or leave terms out, for all of them

green.compare{data = d, models = {a = {terms = {"q"}}, b = {terms = {"f"}}}} --! green.compare: models.a: terms.q: there is no q in the model; there are f, g, covariate*field, covariate*group

green.compare{data = d, models = {a = {kernel = k}, b = {}}} --! green.compare: models.a: kernel: want a table by term, such as {f = kernel.matern{}}

green.compare{data = d, models = {a = {}}} --! green.compare: models: got 1, need at least 2 to compare
