test.case("not run", function() end)
local t = nil

print(t.x)
