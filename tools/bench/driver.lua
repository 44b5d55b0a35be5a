-- The script around the code of a row: it answers "rest" by throwing the last result away, "go" by doing the work
-- and then saying the seconds of the processors, and "accuracy" by what is known of the last result, a name and numbers
-- a line. Peers answer the same.
local quick, calls, folder = arg[1] == "quick", tonumber(arg[2]), arg[3]

-- pick is the first of two sizes, and the second where a row is only to be tried.
local function pick(full, small)
  if quick then return small end
  return full
end

-- share writes an array for the peers, which start when ours is ready.
local function share(name, a) a:save(folder .. "/" .. name .. ".npy") end

local function row()
--ROW--
end

local function say(...) io.write(string.format(...), "\n") io.stdout:flush() end

local function numbers(v)
  if type(v) == "number" then return string.format("%.17g", v) end
  local t = {}
  for i, x in ipairs(type(v) == "table" and v or v:reshape(v.size):table()) do t[i] = string.format("%.17g", x) end
  return table.concat(t, " ")
end

local work, accuracy = row()
local results
say "ready"
for line in io.lines() do
  if line == "rest" then
    results = nil
    collectgarbage()
    say "rested"
  elseif line == "go" then
    local start = os.clock()
    for _ = 1, calls do results = {work()} end
    say("%.9f", os.clock() - start)
  else
    for name, value in pairs(accuracy(unpack(results))) do say("%s %s", name, numbers(value)) end
    say "end"
  end
end
