-- Arrays: elementwise arithmetic, matrices, decompositions
local a = array{{4, 1}, {1, 3}}
print(a * 2 + 1)
print(a:dot(a))
print(a:sum(), a:max(), a[1][2])
print(linalg.solve(a, array{1, 2}))

-- The functions of math work on arrays as on numbers.
local x = array.linspace(0, 2 * math.pi, 9)
print(math.sin(x))
