-- Tables of named columns, and pairs from them: from what experimenters have to a fit.

local folder = os.tmpname()
os.remove(folder)
local function file(name, text)
  local f = assert(io.open(folder .. name, "w"))
  f:write(text)
  f:close()
  return folder .. name
end

-- A German spreadsheet with a wrong line.
local path = file(".a.csv", 'Lauf;Tiefe [m];f;u\nA;0,5;1;2\nA;1,5;2;NA\nB;0,5;3;kaputt\nB;1,5;4;6\nB;0,5;3;5\n')
sheet.load(path)                                    --! line 4, column u: "kaputt" is not a number; skip_bad = true
local s = sheet.load(path, {skip_bad = true})
print(s.n, s.units.Tiefe, s.skipped[1])             --> 4	m	4
print(s.Tief)                                       --! did you mean 'Tiefe'?
print(s:filter{Lauf = "B"}.f:sum(), s:filter(s.f:gt(1)).n)  --> 7	3
print(s:sort({"f"}, {descending = true}).Lauf[1])   --> B
local d, names, notes = s:pairs{pair = "Lauf", x = "Tiefe"}
print(d.n, names[2], d.output_mesh, #notes)         --> 2	B	mesh.uniform(0.5, 1.5, 2, "Tiefe")	1
s:pairs{pair = "Lauf", x = "Lauf"}                  --! holds words such as "A"

-- From a long table to an estimate, and its predictions as a table.
local m = mesh.uniform(0, 1, 40)
local f = random.field{kernel = kernel.se{lengthscale = 0.2}, mesh = m, n = 30, seed = 4}
local p = pde.poisson{mesh = m}
local u = p:solve(f)
local long = {run = {}, x = {}, f = {}, u = {}}
for i = 1, 30 do
  for k = 1, 40 do
    local at = #long.run + 1
    long.run[at], long.x[at], long.f[at], long.u[at] = "run" .. i, (k - 1) / 39, f:at(i, k), u:at(i, k)
  end
end
sheet.new(long, {columns = {"run", "x", "f", "u"}}):save(folder .. ".long.csv")
local all = data.load(folder .. ".long.csv", {pair = "run", x = "x"})
print((all.input - f):norm(), (all.output - u):norm())  --> 0	0
local est = green.fit{data = all, kernel = kernel.matern{nu = 1.5, lengthscale = 0.3}}
local predicted = est:predict(f[1])
sheet.new({x = array.linspace(0, 1, 40), u = predicted}):save(folder .. ".u.csv")
print(sheet.load(folder .. ".u.csv").u:sum() == predicted:sum())  --> true

-- A file for each run, and a function in each row.
local runs = folder .. ".runs"
assert(os.execute("mkdir " .. runs))
for i = 1, 11 do file(".runs/run" .. i .. ".csv", ("x,f,u\n0,%d,1\n0.5,2,%d\n1,3,4\n"):format(i, i)) end
local d, names = data.load(runs .. "/*.csv", {x = "x"})
print(d.n, names[2], names[11], d.input:at(11, 1))  --> 11	run2	run11	11
data.load(runs, {x = "x"})                          --! is a folder; write
data.load(runs .. "/*.tsv", {x = "x"})              --! no such file
file(".f.csv", "run,0,0.5,1\na,1,2,3\nb,4,5,6\n")
local wide = data.load(folder .. ".f.csv", {output = file(".u.csv", "run,2,1\nb,1,2\na,3,4\n"), pair = "run"})
print(wide.n, wide.input_mesh.size, wide.output:at(1, 1))  --> 2	3	4
data.load(folder .. ".f.csv", {pair = "run"})       --! output: missing; a function a row
data.load{pair = "run", x = "x"}                    --! path: missing
data.load(path, {pair = "Lauf", x = "Tiefe", input_mesh = m})  --! a table has the positions itself
os.execute("rm -r " .. folder .. ".*")
