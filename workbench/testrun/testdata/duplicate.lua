test.case("a", function() end)
test.case("a", function() end)
