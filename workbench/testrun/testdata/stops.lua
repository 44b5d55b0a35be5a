-- before
print(1) --> 1

-- here
local t = nil
local x = t.x
print(2) --> 2

-- after
print(3) --> 3

test.case("not run", function() end)
