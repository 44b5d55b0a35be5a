-- Lua in ten lines
local squares = {}
for i = 1, 5 do squares[i] = i ^ 2 end
print("squares: " .. table.concat(squares, ", "))

local function compose(f, g)
  return function(...) return f(g(...)) end
end
print("sin of sqrt of 2 is " .. compose(math.sin, math.sqrt)(2))

local a, b = 0, 1
for _ = 1, 10 do a, b = b, a + b end
print("the tenth Fibonacci number is " .. a)
