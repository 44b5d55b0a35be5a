#!/usr/bin/env -S workbench test
-- Everything here passes: what a test file can say beside its lines.
local test = require "test"
local a = 2
local function twice(x) return 2 * x end

-- printed
print(a)                    --> 2
print(a, twice(a))          --> 2 4
print("a --> b")            --> a --> b
print(a) print(a)           --> 2
                            --> 2
for i = 1, 3 do
  print(i, i^2)             --> 1 1
end                         --> 2 4
--> 3 9
print()                     -->

-- values
a                           --> 2
a, twice(a)                 --> 2 4
twice(a) == 4 and "yes"     --> yes
"x" .. a                    --> x2
(function() return 7 end)() --> 7
#{1, 2, 3}                  --> 3
-a                          --> -2
nil                         --> nil

-- what prints has no value
(function() print "p" return "v" end)()  --> p

-- errors
error("out of range: n 0")  --! n 0
error({})                   --!
local unused = error("x")   --! x
nil + 1                     --! on nil
x = = 1                     --! expected an expression
vec.nu{nu = -1}             --! nu -1: must be > 0
                            --! usage: vec.nu

-- output before an error
(function() print(1) error("late") end)()
--> 1
--! late

-- locals live on, and closures see them change
local n = 0
local function count() n = n + 1 return n end
count()                     --> 1
count()                     --> 2
n = 10
count()                     --> 11
error("x")                  --! x
count()                     --> 12
n                           --> 12

-- tolerances
1/3                         --> 0.33333333333
1/3                         --> 0.333...
math.pi                     --> 3.14159...
math.pi                     --> 3.14   -- tol: 1e-3
-- tol: abs=0.01
math.pi                     --> 3.14
100                         --> 100.005
-- tol: default
1e300 * 1e10                --> inf
({x = 1}).x                 --> 1
{x = 1}.x                   --! expected a statement

if a ==                     --! expected an expression
---
a                           --> 2

-- a chunk that prints freely, because it expects nothing
print "hello"

return
