-- Every chunk must fail at the line that ends in a comment with an exclamation
-- mark, with exactly the text there; such comments alone on a line are the
-- further lines of the text.

toy.matern{nu = -1, lengthscale = 1} --! toy.matern: nu -1: must be > 0
--!   usage: toy.matern{nu=2.5, lengthscale}

toy.matern{lenght = 0.1} --! toy.matern: unknown argument 'lenght'; did you mean 'lengthscale'?
--!   usage: toy.matern{nu=2.5, lengthscale}

toy.matern{nu = 1.5} --! toy.matern: lengthscale: missing; want a number, a list of numbers or "auto"
--!   usage: toy.matern{nu=2.5, lengthscale}

toy.matern(1.5, 1) --! toy.matern: takes one table of named arguments: write toy.matern{nu = 1.5, lengthscale = 1}
--!   usage: toy.matern{nu=2.5, lengthscale}

toy.matern{1.5} --! toy.matern: 1.5 needs a name; write toy.matern{lengthscale = 1.5}
--!   usage: toy.matern{nu=2.5, lengthscale}

toy.se{"long"} --! toy.se: "long" needs a name; write toy.se{lengthscale = "long"}
--!   usage: toy.se{lengthscale="auto"}

toy.se{[{}] = 1} --! toy.se: 1 needs a name; write toy.se{lengthscale = 1}
--!   usage: toy.se{lengthscale="auto"}

toy.matern{nu = "a", lengthscale = 1} --! toy.matern: nu: want a number, got a string ("a")
--!   usage: toy.matern{nu=2.5, lengthscale}

toy.matern{nu = 0/0, lengthscale = 1} --! toy.matern: nu NaN: must be a number
--!   usage: toy.matern{nu=2.5, lengthscale}

toy.matern{nu = 7, lengthscale = 1} --! toy.matern: nu 7: is unlucky
--!   usage: toy.matern{nu=2.5, lengthscale}

toy.se{lengthscale = "autp"} --! toy.se: lengthscale: want a number, a list of numbers or "auto", got a string ("autp"); did you mean "auto"?
--!   usage: toy.se{lengthscale="auto"}

toy.se{lengthscale = {1, -2}} --! toy.se: lengthscale[2] -2: must be > 0
--!   usage: toy.se{lengthscale="auto"}

toy.se{lengthscale = {1, nil, 3}} --! toy.se: lengthscale[2]: want a number, got nil
--!   usage: toy.se{lengthscale="auto"}

toy.se{lengthscale = {1, "b"}} --! toy.se: lengthscale[2]: want a number, got a string ("b")
--!   usage: toy.se{lengthscale="auto"}

toy.se{lengthscale = {x = 1}} --! toy.se: lengthscale: want a number, a list of numbers or "auto", got a table {x=…}
--!   usage: toy.se{lengthscale="auto"}

toy.se{lengthscale = vec{1, 0}} --! toy.se: lengthscale[2] 0: must be > 0
--!   usage: toy.se{lengthscale="auto"}

toy.se{lengthscale = toy.gadget()} --! toy.se: lengthscale: want a number, a list of numbers or "auto", got a gadget
--!   usage: toy.se{lengthscale="auto"}

toy:se{lengthscale = 1} --! toy.se: write toy.se with a dot, not a colon
--!   usage: toy.se{lengthscale="auto"}

toy.sse{} --! module 'toy' has no 'sse'; did you mean 'se'?

toy.rbf{lengthscale = 1} --! module 'toy' has no 'rbf'; did you mean 'se'?

toy.Matern{} --! module 'toy' has no 'Matern'; did you mean 'matern'?

toy.nothing_like_it() --! module 'toy' has no 'nothing_like_it'; ?toy lists what it has

toy[1]() --! module 'toy' has no entry 1

toy.uniform(0, 1) --! toy.uniform: n: missing; want an integer
--!   usage: toy.uniform(a, b, n [, name])

toy.uniform(0, 1, 2.5) --! toy.uniform: n 2.5: must be an integer
--!   usage: toy.uniform(a, b, n [, name])

toy.uniform(0, 1, 1e300) --! toy.uniform: n 1e+300: is too large
--!   usage: toy.uniform(a, b, n [, name])

toy.uniform(0, 1, 1) --! toy.uniform: n 1: must be >= 2
--!   usage: toy.uniform(a, b, n [, name])

toy.uniform(0, nil, 3) --! toy.uniform: b: want a number, got nil
--!   usage: toy.uniform(a, b, n [, name])

toy.uniform(0, 1, 5, "x", 6) --! toy.uniform: takes at most 4 arguments, got 5
--!   usage: toy.uniform(a, b, n [, name])

toy.uniform(0, 1, 5, 7) --! toy.uniform: name: want a string, got a number (7)
--!   usage: toy.uniform(a, b, n [, name])

toy.uniform("0", 1, 5) --! toy.uniform: a: want a number, got a string ("0"); write 0, without quotes
--!   usage: toy.uniform(a, b, n [, name])

toy.uniform(0, 1, {n = 5, nmae = "t"}) --! toy.uniform: unknown argument 'nmae'; did you mean 'name'?
--!   usage: toy.uniform(a, b, n [, name])

toy.uniform(0, 1, 5, {n = 5}) --! toy.uniform: n: given twice, by position and by name
--!   usage: toy.uniform(a, b, n [, name])

toy.zeros() --! toy.zeros: n: missing; want integers
--!   usage: toy.zeros(n, …)

toy.zeros(2, -1) --! toy.zeros: n[2] -1: must be >= 0
--!   usage: toy.zeros(n, …)

toy.zeros(2, "a") --! toy.zeros: n[2]: want an integer, got a string ("a")
--!   usage: toy.zeros(n, …)

toy.zeros{2, 1.5} --! toy.zeros: n[2] 1.5: must be an integer
--!   usage: toy.zeros(n, …)

toy.heatmap() --! toy.heatmap: array: missing; want a vec
--!   usage: toy.heatmap(array [, {file=, log=false}])

toy.heatmap({1}, {fil = "a.png"}) --! toy.heatmap: unknown argument 'fil'; did you mean 'file'?
--!   usage: toy.heatmap(array [, {file=, log=false}])

toy.heatmap({1}, "a.png") --! toy.heatmap: takes one argument and a table of named ones, got 2
--!   usage: toy.heatmap(array [, {file=, log=false}])

toy.heatmap({1}, {log = 1}) --! toy.heatmap: log: want true or false, got a number (1)
--!   usage: toy.heatmap(array [, {file=, log=false}])

toy.heatmap(vec{1}, {log = true}, 3) --! toy.heatmap: takes one argument and a table of named ones, got 3
--!   usage: toy.heatmap(array [, {file=, log=false}])

toy.heatmap("x") --! toy.heatmap: array: want a vec, got a string ("x"); a vec is made by vec.ones(…)
--!   usage: toy.heatmap(array [, {file=, log=false}])

toy.lines{ {x = {1}, yy = {2}} } --! toy.lines: lines[1]: unknown argument 'yy'; want x, y or label
--!   usage: toy.lines{lines, …, file=, log=false}

toy.lines{ {x = {1}, y = "b"} } --! toy.lines: lines[1].y: want a list of numbers, got a string ("b")
--!   usage: toy.lines{lines, …, file=, log=false}

toy.lines{ {x = {1}} } --! toy.lines: lines[1].y: missing; want a list of numbers
--!   usage: toy.lines{lines, …, file=, log=false}

toy.lines{ {1, 2} } --! toy.lines: lines[1]: {1, 2} needs a name; write {x = {1, 2}}
--!   usage: toy.lines{lines, …, file=, log=false}

toy.lines{ x = {1}, y = {2} } --! toy.lines: unknown argument 'x'; it belongs in a table of its own: write toy.lines{{x = …}}
--!   usage: toy.lines{lines, …, file=, log=false}

toy.lines{ 3 } --! toy.lines: lines[1]: want a table {x=, y=, label=}, got a number (3); write {x = 3}
--!   usage: toy.lines{lines, …, file=, log=false}

toy.lines{ {x = 1, y = 1}, filee = "a.png" } --! toy.lines: unknown argument 'filee'; did you mean 'file'?
--!   usage: toy.lines{lines, …, file=, log=false}

toy.symmetric{"x", "z"} --! toy.symmetric: names[2] "z": must be "x", "y" or "t"
--!   usage: toy.symmetric{names, …}

toy.symmetric("x", "y") --! toy.symmetric: takes one table, not a list of arguments: write toy.symmetric{"x", "y"}
--!   usage: toy.symmetric{names, …}

toy.fit{} --! toy.fit: data: missing; want a vec
--!   usage: toy.fit{data, kernel, bias=false, lambda="auto", criterion="reml", …}

toy.fit{data = {1}, kernel = vec{1}} --! toy.fit: kernel: want a kernel, got a vec; a kernel is made by toy.se{…} or toy.matern{…}
--!   usage: toy.fit{data, kernel, bias=false, lambda="auto", criterion="reml", …}

toy.fit{data = {1}, kernel = toy.se} --! toy.fit: kernel: want a kernel, got a function toy.se; did you mean to call it?
--!   usage: toy.fit{data, kernel, bias=false, lambda="auto", criterion="reml", …}

toy.fit{data = {1}, kernel = toy.se{}, lambda = "atuo"} --! toy.fit: lambda: want a number or "auto", got a string ("atuo"); did you mean "auto"?
--!   usage: toy.fit{data, kernel, bias=false, lambda="auto", criterion="reml", …}

toy.fit{data = {1}, kernel = toy.se{}, lambda = -1} --! toy.fit: lambda -1: must be > 0
--!   usage: toy.fit{data, kernel, bias=false, lambda="auto", criterion="reml", …}

toy.fit{data = {1}, kernel = toy.se{}, lambda = true} --! toy.fit: lambda: want a number or "auto", got true
--!   usage: toy.fit{data, kernel, bias=false, lambda="auto", criterion="reml", …}

toy.fit{data = {1}, kernel = toy.se{}, bias = true} --! toy.fit: bias: want a kernel or false, got true; a kernel is made by toy.se{…} or toy.matern{…}
--!   usage: toy.fit{data, kernel, bias=false, lambda="auto", criterion="reml", …}

toy.fit{data = {1}, kernel = toy.se{}, criterion = "GCV"} --! toy.fit: criterion "GCV": must be "reml", "gcv" or "loo"; did you mean "gcv"?
--!   usage: toy.fit{data, kernel, bias=false, lambda="auto", criterion="reml", …}

toy.fit{data = {1}, kernel = toy.se{}, criterion = 3} --! toy.fit: criterion: want "reml", "gcv" or "loo", got a number (3)
--!   usage: toy.fit{data, kernel, bias=false, lambda="auto", criterion="reml", …}

toy.fit{data = {1}, kernel = toy.se{}, tolerance = 1} --! toy.fit: tolerance 1: must be in (0, 1)
--!   usage: toy.fit{data, kernel, bias=false, lambda="auto", criterion="reml", …}

toy.fit{data = {1}, kernel = toy.se{}, rows = {2, 1}} --! toy.fit: rows: want {from, to} with from <= to
--!   usage: toy.fit{data, kernel, bias=false, lambda="auto", criterion="reml", …}

toy.fit{data = {1}, kernel = toy.se{}, rows = "al"} --! toy.fit: rows: want a number, a table {from, to} or "all", got a string ("al"); did you mean "all"?
--!   usage: toy.fit{data, kernel, bias=false, lambda="auto", criterion="reml", …}

toy.fit{data = {1}, kernel = toy.se{}, steps = 0} --! toy.fit: steps 0: must be >= 1
--!   usage: toy.fit{data, kernel, bias=false, lambda="auto", criterion="reml", …}

toy.fit{data = {1}, kernel = toy.se{}, extra = {a = "b"}} --! toy.fit: extra.a: want a number, got a string ("b")
--!   usage: toy.fit{data, kernel, bias=false, lambda="auto", criterion="reml", …}

toy.fit{data = {1}, kernel = toy.se{}, extra = {1}} --! toy.fit: extra[1]: the key must be a name
--!   usage: toy.fit{data, kernel, bias=false, lambda="auto", criterion="reml", …}

toy.fit{data = {1}, kernel = toy.se{}, input = {kernel = toy.se{}, scale = 0}} --! toy.fit: input.scale 0: must be > 0
--!   usage: toy.fit{data, kernel, bias=false, lambda="auto", criterion="reml", …}

toy.fit{data = {1}, kernel = toy.se{}, input = {krenel = toy.se{}}} --! toy.fit: input: unknown argument 'krenel'; did you mean 'kernel'?
--!   usage: toy.fit{data, kernel, bias=false, lambda="auto", criterion="reml", …}

toy.fit{data = {1}, kernel = toy.se{}, input = "white"} --! toy.fit: input: want a vec or a table {kernel=, scale=}, got a string ("white"); a vec is made by vec.ones(…)
--!   usage: toy.fit{data, kernel, bias=false, lambda="auto", criterion="reml", …}

toy.seed{seed = -1} --! toy.seed: seed -1: must be >= 0
--!   usage: toy.seed{seed=1, byte=0, nan=0, fin=0, range="all", ends={0, 1}, nested={}}

toy.seed{byte = 256} --! toy.seed: byte 256: is too large
--!   usage: toy.seed{seed=1, byte=0, nan=0, fin=0, range="all", ends={0, 1}, nested={}}

toy.seed{fin = 1/0} --! toy.seed: fin inf: must be finite
--!   usage: toy.seed{seed=1, byte=0, nan=0, fin=0, range="all", ends={0, 1}, nested={}}

toy.seed{nested = {{1, 2}, {"a"}}} --! toy.seed: nested[2][1]: want a number, got a string ("a")
--!   usage: toy.seed{seed=1, byte=0, nan=0, fin=0, range="all", ends={0, 1}, nested={}}

print(toy.fit{data = {1}, kernel = toy.se{}}.residul) --! no field 'residul'; did you mean 'residual'?
--!   fields: method, residual, iterations, gap, path

vec{1, 2}.sum() --! vec:sum: want a vec before the colon, got nothing; call it as x:sum(…), not x.sum(…), where x is a vec
--!   usage: vec:sum([from])

vec{1, 2}.sum(3) --! vec:sum: want a vec before the colon, got a number (3); call it as x:sum(…), not x.sum(…), where x is a vec
--!   usage: vec:sum([from])

vec{1, 2}:summ() --! a vec has no 'summ'; did you mean 'sum'?
--!   fields: shape, me
--!   methods: sum, dot, scale

vec{1, 2}:sum(0) --! vec:sum: from 0: must be >= 1
--!   usage: vec:sum([from])

vec{1, 2}:sum(1, 2) --! vec:sum: takes one argument after the colon, got 2
--!   usage: vec:sum([from])

vec{1, 2}:dot() --! vec:dot: other: missing; want a vec
--!   usage: vec:dot(other)

vec{1, 2}:dot{1, 2, 3} --! vec:dot: dimension mismatch

vec{1, 2}:scale(3) --! vec:scale: takes one table of named arguments: write vec:scale{by = 3}
--!   usage: vec:scale{by}

vec{1, 2}.shape = 3 --! 'shape' of a vec is read-only

vec{1, 2}.colour = 3 --! a vec cannot be assigned to, make another one: a vec has no 'colour'
--!   fields: shape, me
--!   methods: sum, dot, scale

print(vec{1, 2}.shpae) --! a vec has no 'shpae'; did you mean 'shape'?
--!   fields: shape, me
--!   methods: sum, dot, scale

print(vec{1, 2}[3]) --! vec[3]: index 3: must be in 1 … 2

print(vec{1, 2}[1.5]) --! vec[1.5]: index 1.5: must be an integer

print(vec{1, 2}[{}]) --! vec[table]: index: want an integer, got a table

vec{1, 2}[1] = "a" --! vec[1] = …: value: want a number, got a string ("a")

print(toy.gadget().size) --! a gadget has no 'size'

toy.gadget()[1] = 2 --! a gadget cannot be assigned to, make another one: a gadget has no entry 1

print(vec{1} + "a") --! vec + string: right side: want a number or a vec, got a string ("a")

print(vec{1} + toy.se{}) --! vec + kernel: there is no such operation

print(toy.se{} + vec{1}) --! kernel + vec: there is no such operation

print({} + toy.se{}) --! table + kernel: left side: want a kernel, got a table

print(3 * toy.se{} * toy.se{}) --! kernel * kernel: want a number on one side

print(-vec{1} + vec{1, 2}) --! vec + vec: lengths 1 and 2: must be equal

toy.se{}("far") --! kernel(…): d: want a number, got a string ("far")
--!   usage: kernel(d)

vec{1, "a"} --! vec: x[2]: want a number, got a string ("a")
--!   usage: vec(x)

vec(1, 2) --! vec: takes one argument, got 2
--!   usage: vec(x)

toy.apply(3, 4) --! toy.apply: f: want a function, got a number (3)
--!   usage: toy.apply(f, x)

toy.fail("error") --! toy.fail: lambda 0: must be > 0

toy.fail("matrix") --! toy.fail: dimension mismatch

toy.fail("bug") --! toy.fail: internal error (please report): runtime error: index out of range [3] with length 0

toy.fail("panic") --! toy.fail: internal error (please report): blas: bad length

toy.fail("cancel") --! toy.fail: solve: context canceled

toy.fail("lua") --! raised by Go

toy.apply(function() toy.se{lengthscale = 0} end, 1) --! toy.se: lengthscale 0: must be > 0
--!   usage: toy.se{lengthscale="auto"}

toy.gadget(1) --! toy.gadget: takes no arguments, got 1
--!   usage: toy.gadget()

choose(1, 2, 3) --! choose: condition: want true or false, got a number (1)
--!   usage: choose(condition, a, b)

vec{1, 2}:sum("a rather long string that nobody would want to read twice in a message") --! vec:sum: from: want an integer, got a string ("a rather long string that nobody would …")
--!   usage: vec:sum([from])

-- The position is the line of the call, also in a function called elsewhere.
local function f(nu)
  return toy.matern{nu = nu, lengthscale = 1} --! toy.matern: nu 0: must be > 0
--!   usage: toy.matern{nu=2.5, lengthscale}
end
f(1) f(0)

-- A misspelt name of a variable that holds no value.
local lengthscale = 1
toy.matern{lengthscale = lenghtscale} --! toy.matern: lengthscale: missing; want a number, a list of numbers or "auto"
--!   usage: toy.matern{nu=2.5, lengthscale}

toy.white{1} --! toy.white: 1 needs a name
--!   usage: toy.white{}

toy.gadget({}, 2) --! toy.gadget: takes no arguments, got 2
--!   usage: toy.gadget()

print(toy.box{"first", "second"}.secnd) --! a box has no 'secnd'; did you mean 'second'?
--!   things: first, second
--!   fields: full
--!   methods: count

print(toy.box{}.a) --! a box has no 'a'
--!   fields: full
--!   methods: count

toy.box{"a"}.a = 1 --! a box cannot be assigned to, make another one: a box has no 'a'
--!   fields: full
--!   methods: count
