print(1) --> 2

test.case("a", function() end)
test.skip("needs a cluster")
error("not reached")
