-- Sweeps: every combination once, on one Lua state or several, with results that are
-- kept and taken up again.

local dir = os.tmpname()
os.remove(dir)
calls, offset = 0, 0
local function run(p)
  calls = calls + 1
  if p.n == 3 and p.kind == "odd" then error("three is odd") end
  return {twice = 2 * p.n + offset, list = {p.n, "text"}, nan = 0/0, first = p.index == 1}
end
local grid = {n = {1, 2, 3}, kind = {"even", "odd"}}

-- kind stands before n; a combination that fails stops no other
local rows = sweep.run{grid = grid, run = run, out = dir}
--> sweep: 1 of 6 combinations failed, the first with kind = odd, n = 3: scripts/tests/sweep.lua:9: three is odd
for _, r in ipairs(rows) do print(r.kind, r.n, r.twice, r.first, r.error and "failed") end
--> even	1	2	true	nil
--> even	2	4	false	nil
--> even	3	6	false	nil
--> odd	1	2	false	nil
--> odd	2	4	false	nil
--> odd	3	nil	nil	failed
print(calls, rows[2].list[1], rows[2].list[2], rows[2].nan ~= rows[2].nan, rows[2].seconds > 0)  --> 6	2	text	true	true

-- the counter is a variable that run uses, so it belongs to what is compared
calls = 0
rows = sweep.run{grid = grid, run = run, out = dir}
--> sweep: 1 of 6 combinations failed, the first with kind = odd, n = 3: scripts/tests/sweep.lua:9: three is odd
print(calls)  --> 1

-- what run uses has changed: nothing is taken
calls, offset = 0, 100
rows = sweep.run{grid = {n = {1, 2}, kind = {"even"}}, run = run, out = dir}
--> sweep: 2 kept results were those of another version of run, and were computed again
print(rows[1].twice, rows[2].twice, calls)  --> 102	104	2

-- seeds belong to a combination, not to its place
local function seeds(grid, seed) return sweep.run{grid = grid, seed = seed, run = function(p) return p.seed end} end
print(seeds({n = {1, 2}})[2].value == seeds({n = {7, 2}})[2].value, seeds({n = {1, 2}})[2].value == seeds({n = {1, 2}}, 5)[2].value)  --> true	false

-- jobs have copies of what run uses, kernels among the values
local m, helper = mesh.uniform(0, 1, 20), {step = function(x) return x / 2 end}
local function trace(p) return {value = p.k:gram(m):sum() + helper.step(p.n)} end
local values = {n = {1, 2, 3, 4}, k = {kernel.se{lengthscale = 0.1}, kernel.matern{nu = 1.5, lengthscale = 0.2}}}
local one, three = sweep.run{grid = values, run = trace}, sweep.run{grid = values, run = trace, jobs = 3}
for i, r in ipairs(one) do test.equal(r.value, three[i].value) end
print(#one, three[8].k, three[8].n)  --> 8	kernel.matern{nu=1.5, lengthscale=0.2}	4

-- mistakes
sweep.run{grid = {n = {1, 1}}, run = trace}                       --! grid: combinations 1 and 2 are the same: n = 1
sweep.run{grid = {n = 1}, run = trace}                            --! grid: n: want a list of values, got a number (1)
sweep.run{grid = {n = {m}}, run = trace}                          --! grid: n: value 1: want a number, string, boolean, kernel or constraint, got a mesh
sweep.run{grid = {1, 2}, run = trace}                             --! want names of parameters
sweep.run{grid = {index = {1}}, run = trace}                      --! index: rows have this field themselves
sweep.run{grid = {n = {}}, run = trace}                           --! grid: n: has no values
sweep.run{grid = {n = {1}}, run = function() return m end}        --! run returned a mesh: want a number
sweep.run{grid = {n = {1}}, run = function() end}                 --! run returned nothing
sweep.run{grid = {n = {1}}, run = function() return {n = 2} end}  --! run returned the field "n", which rows have already
sweep.run{grid = {n = {1}}, run = function() return {1, 2} end}   --! run returned a list
sweep.load("no/such/directory")                                   --! no/such/directory: no such directory
local co = coroutine.create(print)
sweep.run{grid = {n = {1, 2}}, jobs = 2, run = function() return co and 1 end}  --! jobs: run cannot be copied: it uses a thread
sweep.run{grid = {n = {1, 2}}, jobs = 0, run = trace}     --! jobs 0: must be in [1, 1024]
sweep.run{grid = {n = {1, 2}}, jobs = 1.5, run = trace}   --! jobs 1.5: must be an integer
