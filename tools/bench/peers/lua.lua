-- What lua5.1 takes for rows of Lua: lua5.1 lua.lua NAME MODE CALLS FOLDER. What is said is in driver.lua.
local name, quick = arg[1], arg[2] == "quick"
local function pick(full, small)
  if quick then return small end
  return full
end

local rows = {
  additions = function()
    local n = pick(1e7, 1e5)
    return function() local s = 0 for i = 1, n do s = s + i * 0.5 end return s end, function(s) return s end
  end,
  fill = function()
    local n = pick(2e6, 1e5)
    return function() local t = {} for i = 1, n do t[i] = i end return t end, function(t) return #t end
  end,
}

local work, answer = rows[name]()
local result
local function say(...) io.write(string.format(...), "\n") io.stdout:flush() end
say "ready"
for line in io.lines() do
  if line == "rest" then
    result = nil
    collectgarbage()
    say "rested"
  elseif line == "go" then
    local start = os.clock()
    for _ = 1, tonumber(arg[3]) do result = work() end
    say("%.9f", os.clock() - start)
  else
    say("answer %.17g", answer(result))
    say "end"
  end
end
