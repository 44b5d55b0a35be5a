-- What a state of the workbench shows is what is compared.
local test = require "test"

-- numbers as print writes them
print(1/3, 1e15, -0.5)             --> 0.33333333333333 1e+15 -0.5
math.huge                          --> inf
string.format("%g", 1/3)           --> 0.333333
io.write("a", "b", "\n")           --> ab
io.read("*l")                      --> nil

-- Lua that computes what it says
local a, b = 1, 2
a, b = b, a
a, b                               --> 2 1
local n = 0
local function inc() n = n + 1 end
error("x")                         --! x
inc() inc()
n                                  --> 2

-- errors in the words of the workbench
local t
t.x = 1                            --! attempt to index
undefined_function()               --! undefined_function
vec.nu{nu = -1}                    --! case.lua:25: vec.nu: nu -1: must be > 0
vec.nu{nuu = 1}                    --! unknown argument 'nuu'; did you mean 'nu'?
test.nearr(1, 1)                   --! module 'test' has no 'nearr'; did you mean 'near'?
error({})                          --!
error(nil)                         --!

-- code that is not Lua
x = = 1                            --! expected an expression
for i = 1, 2 print(i) end          --! expected 'do'
local function f(                  --!
---

-- coroutines
local co = coroutine.wrap(function() for i = 1, 2 do coroutine.yield(i) end end)
co()                               --> 1
co()                               --> 2

test.case("the same numbers each time", function()
  print(math.random(1000000), test.seed)  --> 886552 4058889888
end)

test.case("errors of functions", function()
  test.error(function() local u u.x = 1 end, "attempt to index")
  test.equal(test.error(function() error("plain", 0) end), "plain")
end)

function test_collected()
  print(vec.nu{nu = 2.5})           --> 2.5
end
