-- How cases are declared and what they may do.
local shared = {}

function test_plain() test.equal(1 + 1, 2) end

test.case("runs when the file is loaded", function() test.equal(shared, {1, 2}) end)
shared = {1, 2}

test.each("%d squared is %d", {{2, 4}, {3, 9}}, function(n, square) test.equal(n^2, square) end)
test.each("nu = %g", {0.5, 1.5}, function(nu) test.near(vec.nu{nu = nu}, nu) end)
test.each("{name} has {n}", {{name = "a", n = 1}, {name = "b", n = 2}}, function(row) test.equal(#row.name, 1) end)
test.each("no names", {true, "x"}, function(v) test.ok(v) end)

test.case("expectations belong to the case they stand in", function()
  print(1.0)              --> 1
  for i = 1, 2 do
    print(i)              --> 1
  end                     --> 2
end)

test.case("as do its errors", function()
  error("boom")           --! boom
end)

function test_prints()
  print("x")              --> y
end

test.each("prints %d", {1, 2}, function(n)
  print(n)                --> 1
end)

test.case("skips", function()
  test.skip("needs 8 GB")
  error("not reached")
end)
test.case("skips even when the error is caught", function() pcall(test.skip, "no data") end)
test.case("a failure before the skip counts", function() test.equal(1, 2) test.skip("x") end)
test.case("is skipped by an option", function() error("not run") end, {skip = "not today"})

test.case("within a case", function()
  test.case("another", function() test.equal(1, 2) end)
  test.case("skips itself", function() test.skip("x") end)
  test.case("fails", function() error("inner") end)
end)

test.case("takes too long", function() while true do end end, {timeout = 0.05})
test.case("takes less", function() end, {timeout = 60})

local seed = test.seed
test.case("has its own seed", function() test.ok(test.seed > 0 and test.seed ~= seed) end)

-- a chunk that checks is a test too
test.equal(1, 1)
test.equal(shared[1], 2)
