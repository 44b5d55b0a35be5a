-- The module data: files, shapes, noise, and what is refused at the door.

local m = mesh.uniform(0, 1, 100)
local d = data.load("scripts/data/poisson.npz", {input = "f", output = "u", input_mesh = m, rows = {1, 50}})
print(d.n, #d.input[1], #d.output[1])               --> 50	100	100
print(d:take(11, 20).n)                             --> 10
local a, b = d:split{train = 30, seed = 2}
print(a.n, b.n)                                     --> 30	20
print(d:noise{level = 0, seed = 1}.output:at(3, 4) == d.output:at(3, 4))  --> true
print(d:noise{level = 0.2, seed = 1}.output:at(3, 4) == d:noise{level = 0.2, seed = 1}.output:at(3, 4))  --> true

data.load("nosuch.npz", {input_mesh = m})           --! nosuch.npz: file does not exist
data.load("scripts/data/poisson.npz", {input = "g", input_mesh = m})  --! no array "g"
data.load("scripts/data/poisson.npz", {input_mesh = mesh.uniform(0, 1, 99)})  --! want
data.load("scripts/data/poisson.npz", {})           --! input_mesh
data.load("scripts/data/poisson.npz", {input_mesh = m, rows = {0, 5}})  --! rows
data.load("scripts/data/poisson.npz", {input_mesh = m, rows = {1, 1000}})  --! 600
d:take(40, 60)                                      --! pairs 40 to 60
d:noise{level = -1}                                 --! level
d:split{train = 50}                                 --! train

local path = os.tmpname() .. ".npz"
array.save(path, {f = d.input.T, u = d.output.T})
data.load(path, {input_mesh = m})                   --! axis = "columns"
print((data.load(path, {input_mesh = m, axis = "columns", rows = {2, 3}}).output - d:take(2, 3).output):norm())  --> 0
data.load(path, {input_mesh = m, axis = "cols"})    --! columns
array.save(path, {f = d.input, u = d.output.T})
data.load(path, {input_mesh = m, output_mesh = m})  --! data.new with output = output:transpose()
os.remove(path)

local ok = array.ones(3, 100)
local nan = array.ones(3, 100)
nan:set(2, 17, 0/0)
local inf = array.ones(3, 100)
inf:set(3, 1, 1/0)
data.new{input = nan, output = ok, input_mesh = m}  --! input[2][17] is NaN
data.new{input = ok, output = nan, input_mesh = m}  --! output[2][17] is NaN
data.new{input = ok, output = inf, input_mesh = m}  --! output[3][1] is +Inf
data.new{input = ok, output = array.ones(4, 100), input_mesh = m}  --! 3 inputs and 4 outputs: there must be one of each for a pair
data.new{input = {}, output = {}, input_mesh = m}   --! input: has no rows
data.new{input = ok, output = ok, input_mesh = 100} --! got a number (100)
data.new{input = ok, input_mesh = m}                --! output
