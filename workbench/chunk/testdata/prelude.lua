-- What generated programs call. The workbench has the same functions in Go (run.go).
local out
local function show(x)
  local t = type(x)
  if t == "number" then
    if x ~= x then return "nan" elseif x == 0 then return "0" end
    return (("%.17g"):format(x):gsub("^%-?nan$", "nan"))
  elseif t == "string" then
    local n = 1
    while n > 0 do x, n = x:gsub("^[^\n]-:%d+: ([^\n]-:%d+: )", "%1") end -- coroutine.wrap adds a position in Lua 5.1
    x = x:gsub("^[^\n]-:(%d+): ", "p:%1: "):gsub("attempt to .*", "attempt"):gsub("bad argument .*", "bad argument"):gsub("unbalanced pattern", "malformed pattern"):gsub("malformed pattern .*", "malformed pattern")
    return "'" .. x:gsub("[^\32-\126]", function(c) return ("\\%d"):format(c:byte()) end) .. "'"
  elseif t == "nil" or t == "boolean" then
    return tostring(x)
  end
  return t
end
function P(...)
  local line = {}
  for i = 1, select("#", ...) do line[i] = show((select(i, ...))) end
  out[#out + 1] = table.concat(line, " ")
end
function N(x)
  local t = type(x)
  if t == "number" then return x elseif x == nil or x == false then return 0 elseif x == true then return 1 end
  return 2
end
function M(x)
  x = N(x)
  if x ~= x or x > 1e6 or x < -1e6 then return 0 end
  return x + 0
end
function Z(x)
  x = N(x)
  if x ~= x then return 0 end
  return x + 0
end
function S(x) return type(x) == "string" and x or "" end
function V(...)
  local r, n = {}, select("#", ...)
  for i = 1, n do r[i] = N((select(i, ...))) end
  return unpack(r, 1, n)
end
-- usage: lua prelude.lua FOLDER COUNT; runs 1.lua, 2.lua, … each with globals of its own and prints one line for each
if arg and arg[2] then
  for i = 1, tonumber(arg[2]) do
    out = {}
    local env = setmetatable({}, {__index = _G})
    env._G = env
    local f, message = loadfile(arg[1] .. "/" .. i .. ".lua")
    if f then
      setfenv(f, env)
      local ok, e = pcall(f)
      out[#out + 1] = ok and "ok" or "error " .. show(e)
    else
      out[#out + 1] = "syntax " .. message
    end
    print((table.concat(out, "|"):gsub("[\n\r]", " ")))
  end
end
