-- Every check once as it passes and once as it fails.

test.case("equal", function()
  test.equal(1, 1)
  test.equal(nil, nil)
  test.equal({1, {2}, a = {b = "c"}}, {1, {2}, a = {b = "c"}})
  test.equal(vec.of(1, 2), vec.of(1, 2))
  test.equal(vec.of(1, 2), {1, 2})
  test.equal(1/0, 1/0)
  local t = {}
  t.t = t
  test.equal(t, t)
end)

test.case("equal fails", function()
  test.equal(0.1 + 0.2, 0.3)
  test.equal("a", "b")
  test.equal(1, "1")
  test.equal(nil, false, {label = "nothing"})
  test.equal({1, 2, x = 3}, {1, 3, y = 4})
  test.equal({a = {b = 1}}, {a = {b = {}}})
  test.equal(vec.of(1, 2), vec.of(1, 2, 3))
  test.equal(0/0, 0/0)
end)

test.case("near", function()
  test.near(1 + 1e-10, 1)
  test.near(1.001, 1, {rel = 1e-2})
  test.near(0.001, 0, {abs = 1e-2})
  test.near(0.1 + 0.2, 0.3, {ulp = 1})
  test.near(0/0, 0/0, {nan = true})
  test.near({a = 1, b = {1, 2}, c = "x"}, {a = 1 + 1e-12, b = {1, 2}, c = "x"})
  test.near(vec.of(0, 1e-10), 0, {abs = 1e-9})
end)

test.case("near fails", function()
  test.near(1.001, 1)
  test.near(1.001, 1, {rel = 1e-6, abs = 1e-8})
  test.near(1e-20, 0)
  test.near(1.5, 1, {ulp = 4})
  test.near(0/0, 1, {abs = 1})
  test.near(1, 1/0, {label = "the last"})
end)

test.case("near fails on arrays", function()
  test.near(vec.grid(3, 2), vec.grid(2, 3))
  test.near(vec.of(1, 2, 3.5, 4), {1, 2, 3, 4.001}, {rel = 1e-3})
  test.near(vec.grid(6, 8), 0, {abs = 1})
end)

test.case("near fails in tables", function()
  test.near({a = {b = 1}, n = "x"}, {a = {b = 2}, n = "y"}, {rel = 1e-3})
end)

test.case("allclose", function()
  test.allclose({1, 2}, {1, 2.001}, {rtol = 1e-3})
  test.allclose({1, 2}, {1, 2.001}, {atol = 1e-2})
  test.allclose({{1, 2}, {3, 4}}, {{1, 2}, {3, 4.001}}, {rel = 1e-3, norm = "fro"})
end)

test.case("allclose fails", function()
  test.allclose({{1, 2}, {3, 4}}, {{1, 2}, {3, 5}}, {rel = 1e-3, norm = "fro"})
  test.allclose({1, 2}, {1}, {rel = 1e-3, norm = "fro"})
  test.allclose({0, 0.1}, {0, 0}, {rtol = 1e-3})
end)

test.case("error", function()
  test.error(error)
  test.error(function() vec.nu{nu = -1} end, "nu -1: must be > 0")
  test.equal(test.error(function() error("x", 0) end), "x")
end)

test.case("error fails", function()
  test.error(function() end, "boom")
  test.error(function() end)
  test.error(function() vec.nu{nu = -1} end, "nu -2")
end)

test.case("order", function()
  test.near(test.order({1e-2, 2.5e-3}, {0.1, 0.05}, 2), 2)
  test.order({1e-2, 3e-3}, {0.1, 0.05}, 2, {tol = 0.3})
end)

test.case("order fails", function()
  test.order({1e-2, 5e-3, 2.5e-3}, {0.1, 0.05, 0.025}, 2)
  test.order({1e-2, 2.5e-3, 6e-4}, {10, 20, 40}, 2, {tol = 0.1})
end)

test.case("order is misused", function() test.order({1}, {1}, 2) end)

test.case("ok", function()
  test.equal(test.ok(5), 5)
  test.equal(test.ok(""), "")
end)

test.case("ok fails", function()
  test.ok(nil, "singular matrix")
  test.ok(false)
end)

test.case("a case goes on after a failure, and keeps ten", function()
  for i = 1, 1000 do test.equal(i, 0) end
end)

test.case("an error ends it", function()
  test.equal(1, 2)
  local t = nil
  t.x = 1
end)

test.case("an error without a place", function()
  error({code = 3})
end)

test.case("what it prints is kept", function() print("hello") error("x") end)
