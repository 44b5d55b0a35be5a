test.case("test_a", function() end)

function test_a() end
