package chunk_test

import (
	"fmt"
	"strings"
)

func (g *generator) statement() {
	g.budget--
	numbers, functions, tables := g.numbers(), g.functions(), g.tables()
	if len(numbers) == 0 {
		g.local()
		return
	}
	shallow := g.depth < 3 && g.indent < 12
	g.choose([]choice{
		{14, true, g.local},
		{12, true, func() { g.line("%s = %s", g.target(), g.number(0)) }},
		{4, true, g.logical},
		{8, true, g.multiple},
		{10, g.indent < 12, g.ifStatement},
		{7, g.indent < 12, g.numericFor},
		{7, g.indent < 12, g.genericFor},
		{5, g.indent < 12, g.whileOrRepeat},
		{9, shallow, g.localFunction},
		{5, true, func() {
			t := g.name("t")
			g.line("local %s = %s", t, g.constructor())
			g.top().tables = append(g.top().tables, t)
		}},
		{5, true, func() {
			s := g.name("s")
			g.line("local %s = %s", s, g.text(0))
			g.top().strings = append(g.top().strings, s)
		}},
		{3, len(tables) > 0, g.tableCall},
		{6, shallow, g.protected},
		{2, g.indent < 12, func() { g.line("do"); g.block(3); g.line("end") }},
		{2, len(functions) > 0, g.results},
		{2, shallow, g.varargs},
		{2, true, g.closures},
		{2, true, g.method},
		{2, true, g.coroutine},
		{2, shallow, g.shadow},
		{1, true, g.metatable},
		{1, true, g.sorted},
		{3, true, g.raw},
		{2, true, g.pattern},
		{2, !g.features.Goto, g.formatted},
		{2, g.indent < 12, g.nestedLoops},
		{2, shallow, g.recursion},
		{1, true, g.paths},
		{1, g.indent < 3, g.crowd},
		{1, true, g.escaping},
		{3, g.features.Goto && g.indent < 12, g.backward},
		{3, g.features.Goto && g.indent < 12, g.forward},
		{2, g.features.Goto && g.indent < 12, g.outward},
		{5, true, func() { g.line("P(%s)", strings.Join(numbers[max(0, len(numbers)-3):], ", ")) }},
	})
}

func (g *generator) local() {
	var names, values []string
	for range pick(g, 1, 1, 1, 2, 3) {
		names = append(names, g.name("v"))
		values = append(values, g.number(0))
	}
	if len(values) > 1 && g.chance(0.15) {
		values = append(values[:len(values)-1], "N(P)")
	}
	g.line("local %s = %s", strings.Join(names, ", "), strings.Join(values, ", "))
	g.top().numbers = append(g.top().numbers, names...)
}

// target is something a number can be assigned to.
func (g *generator) target() string {
	targets := []string{pick(g, "g1", "g2", "g3")}
	if numbers := g.numbers(); len(numbers) > 0 {
		n := pick(g, numbers...)
		targets = append(targets, n, n, n)
	}
	if tables := g.tables(); len(tables) > 0 {
		t := pick(g, tables...)
		targets = append(targets, t+".x", fmt.Sprintf("%s[%s]", t, pick(g, "1", "2")))
	}
	return pick(g, targets...)
}

// logical assigns to a local from an expression with and, or that mentions it.
func (g *generator) logical() {
	v := pick(g, g.numbers()...)
	switch g.r.IntN(4) {
	case 0:
		g.line("%s = N((not %s or %s) and %s or %s)", v, g.condition(2), g.condition(2), v, g.number(2))
	case 1:
		g.line("%s = (%s and %s) or %s; %s = N(%s)", v, g.condition(2), v, g.number(2), v, v)
	case 2:
		g.line("%s = (%s or %s) and %s; %s = N(%s)", v, v, g.condition(2), g.number(2), v, v)
	case 3:
		g.line("%s = (N(%s))", v, v)
	}
}

// multiple is an assignment to several targets.
func (g *generator) multiple() {
	var targets, values []string
	taken := map[string]bool{}
	for range 2 + g.r.IntN(2) {
		t := g.target()
		if !taken[t] {
			targets = append(targets, t)
			values = append(values, g.number(1))
		}
		taken[t] = true
	}
	if g.chance(0.1) {
		values = append(values, g.number(1))
	}
	g.line("%s = %s", strings.Join(targets, ", "), strings.Join(values, ", "))
}

func (g *generator) ifStatement() {
	g.line("if %s then", g.condition(0))
	g.block(3)
	if g.chance(0.3) {
		g.line("elseif %s then", g.condition(0))
		g.block(3)
	}
	if g.chance(0.5) {
		g.line("else")
		g.block(3)
	}
	g.line("end")
}

// body writes the body of a loop.
func (g *generator) body(declare ...string) {
	g.push()
	g.top().numbers = append(g.top().numbers, declare...)
	g.inLoop(func() {
		if g.chance(0.04) {
			g.line("do break end")
		}
		g.some(3)
		switch {
		case g.chance(0.15):
			g.line("if %s then break end", g.condition(0))
		case g.chance(0.04):
			g.line("break")
		}
	})
	g.pop()
}

func (g *generator) numericFor() {
	i := g.name("i")
	g.line("for %s = %s do", i, pick(g, "1, 3", "0, 2", "3, 1", "3, 1, -1", "1, 2, 0.5", "1, 1"))
	g.body(i)
	g.line("end")
}

func (g *generator) genericFor() {
	k, v := g.name("k"), g.name("e")
	var items []string
	for range g.r.IntN(4) {
		items = append(items, g.number(1))
	}
	list := "{" + strings.Join(items, ", ") + "}"
	switch g.r.IntN(5) {
	case 0, 1:
		g.line("for %s, %s in ipairs(%s) do", k, v, list)
		g.body(k, v)
	case 2:
		g.line("for %s in next, %s do", k, list)
		g.body(k)
	case 3:
		n := g.name("n")
		g.line("local %s = 0", n)
		g.line("for %s, %s in function(a, b) %s = %s + 1; if %s < 3 then return %s, N(a) + N(b) end end do", k, v, n, n, n, n)
		g.body(k, v)
	case 4:
		g.line("for %s in coroutine.wrap(function(...) for _, e in ipairs(%s) do coroutine.yield(e + select('#', ...)) end end) do", k, list)
		g.body(k)
	}
	g.line("end")
}

func (g *generator) whileOrRepeat() {
	c := g.name("c")
	g.line("local %s = 0", c)
	if g.chance(0.5) {
		g.line("while %s < 3 and (%s or true) do", c, g.condition(0))
		g.push()
		g.line("%s = %s + 1", c, c)
		g.pop()
		g.body()
		g.line("end")
		return
	}
	g.line("repeat")
	g.push()
	g.line("%s = %s + 1", c, c)
	g.inLoop(func() { g.some(2) })
	condition := g.condition(0) // sees the locals of the body
	g.pop()
	g.line("until %s >= 3 or (%s and %s > 1)", c, condition, c)
}

func (g *generator) localFunction() {
	f := g.name("f")
	var parameters []string
	for range g.r.IntN(3) {
		parameters = append(parameters, g.name("p"))
	}
	g.line("local function %s(%s)", f, strings.Join(parameters, ", "))
	g.push()
	for _, p := range parameters {
		g.line("%s = N(%s)", p, p)
	}
	g.top().numbers = append(g.top().numbers, parameters...)
	g.inFunction(func() {
		g.some(4)
		if g.chance(0.15) {
			g.line("if %s then error(%s) end", g.condition(0), pick(g, "'e'", "'e'", "{}", "7", "nil"))
		}
		g.line("return %s", pick(g, g.number(0), g.number(0), g.number(1)+", "+g.number(1)))
	})
	g.pop()
	g.line("end")
	g.top().functions = append(g.top().functions, f)
}

// tableCall changes a table by the library, leaving no holes.
func (g *generator) tableCall() {
	t := pick(g, g.tables()...)
	g.line(pick(g,
		"table.insert(%[1]s, %[2]s)", "table.insert(%[1]s, 1, %[2]s)", "if #%[1]s > 3 then P((table.remove(%[1]s, 1)), %[2]s) end", "if #%[1]s > 3 then P(table.remove(%[1]s)) end; g1 = %[2]s",
		"%[1]s[#%[1]s + 1] = %[2]s", "%[1]s.y = %[2]s", "P(unpack(%[1]s, 1, 3)); g2 = %[2]s", "P(#%[1]s, next(%[1]s) ~= nil, %[2]s)"),
		t, g.number(1))
}

func (g *generator) protected() {
	o := g.name("o")
	head, tail := "pcall(function()", "end)"
	if g.chance(0.3) {
		head, tail = "xpcall(function()", "end, function(m) return type(m) end)"
	}
	g.line("local %s, %se = %s", o, o, head)
	g.push()
	g.inFunction(func() {
		g.some(3)
		if g.chance(0.6) {
			g.line("if %s then error(%s) end", g.condition(0), pick(g, "'x'", "'x', 2", "{1}", "5"))
		}
		if g.chance(0.5) {
			g.line("return %s", g.number(1))
		}
	})
	g.pop()
	g.line("%s", tail)
	g.line("P(%s, %se)", o, o)
	g.line("%s = N(%s)", o, o)
	g.top().numbers = append(g.top().numbers, o)
}

func (g *generator) results() {
	var names []string
	for range 1 + g.r.IntN(3) {
		names = append(names, g.name("v"))
	}
	g.line("local %s = %s(%s)", strings.Join(names, ", "), pick(g, g.functions()...), g.arguments(2))
	for _, n := range names {
		g.line("%s = N(%s)", n, n)
	}
	g.top().numbers = append(g.top().numbers, names...)
}

func (g *generator) varargs() {
	f, a, b := g.name("f"), g.name("p"), g.name("p")
	g.line("local function %s(...)", f)
	g.push()
	g.line("local %s, %s = ...", a, b)
	g.line("%s, %s = N(%s), N(%s)", a, b, a, b)
	g.top().numbers = append(g.top().numbers, a, b)
	g.inFunction(func() {
		if g.chance(0.5) {
			g.some(2)
		}
		if g.chance(0.3) {
			g.line("%s = (...); %s = N(%s)", a, a, a)
		}
		g.line(pick(g, "return select('#', ...), %s", "return %s, ...", "return %s, select(2, ...)", "return (...), %s",
			"return ..., %s", "return unpack({...}), %s", "return #{...}, %s"), g.number(1))
	})
	g.pop()
	g.line("end")
	g.top().functions = append(g.top().functions, f)
}

// closures makes functions that share variables of a loop and of the block around it.
func (g *generator) closures() {
	h, i, o, v := g.name("h"), g.name("i"), g.name("v"), pick(g, g.numbers()...)
	g.line("local %s = {}", h)
	g.line("for %[1]s = 1, 3 do local q = %[1]s + %[2]s; %[3]s[%[1]s] = function() q = q + 1; %[2]s = %[2]s + 1; return q + %[1]s end end", i, v, h)
	g.line("local %s = %s[1]() + %s[3]() * 2 + %s[1]()", o, h, h, h)
	g.top().numbers = append(g.top().numbers, o)
}

// escaping breaks out of blocks whose locals closures have captured.
func (g *generator) escaping() {
	f, i, o := g.name("h"), g.name("i"), g.name("v")
	g.line("local %s = function() return 0 end", f)
	g.line("%s", pick(g,
		fmt.Sprintf("for %s = 1, 3 do local q = %s * 2; if q > 2 then local w = q + 1; %s = function() w = w + 1; return w + q end; break end end", i, i, f),
		fmt.Sprintf("local %s = 0; while true do %s = %s + 1; local q = %s; do local w = q; %s = function() w = w + q; return w end; if %s > 1 then break end end end", i, i, i, i, f, i),
		fmt.Sprintf("for _, %s in ipairs{4, 5, 6} do local w = %s; repeat local z = w; %s = function() z = z + 1; return z end; break until true; if w == 5 then break end end", i, i, f)))
	g.line("local %sa, %sb, %sc = 100, 200, 300", o, o, o)
	g.line("local %s = %s() + %s()", o, f, f)
	g.top().numbers = append(g.top().numbers, o)
}

func (g *generator) method() {
	o, a, b := g.name("o"), g.name("v"), g.name("v")
	g.line("local %s = {v = %s}", o, g.number(1))
	g.line("function %s:m(d) self.v = self.v + d; if d > 2 then return self.v, d end; return self.v end", o)
	g.line("local %s, %s = %s:m(%s)", a, b, o, g.number(1))
	g.line("%s = N(%s)", b, b)
	g.top().numbers = append(g.top().numbers, a, b)
}

func (g *generator) coroutine() {
	c, x, v := g.name("co"), g.name("v"), pick(g, g.numbers()...)
	switch g.r.IntN(3) {
	case 0:
		g.line("local %s = coroutine.wrap(function(z) local y = coroutine.yield(z + %s); %s = %s + 1; coroutine.yield(N(y) * 2); return 7 end)", c, v, v, v)
		g.line("local %s = %s(%s) + %s(%s)", x, c, g.number(1), c, g.number(1))
	case 1:
		g.line("local %s = coroutine.create(function(...) local a, b, n = coroutine.yield(select('#', ...)); if a then error(a) end; return b, coroutine.yield() end)", c)
		g.line("P(coroutine.resume(%s, %s)); P(coroutine.resume(%s, %s)); P(coroutine.resume(%s, 1, 2), coroutine.status(%s))",
			c, pick(g, "nil", g.number(2), g.number(2)+", nil"), c, pick(g, "nil", "'e'", "nil, 5", "false, 6, 7"), c, c)
		g.line("local %s = N(coroutine.status(%s))", x, c)
	case 2:
		g.line("local %s = coroutine.wrap(function(a) while true do a = N(coroutine.yield(a)) + %s end end)", c, v)
		g.line("local %s = %s(%s) + N((pcall(%s, 1))) + %s(2)", x, c, g.number(1), c, c)
	}
	g.top().numbers = append(g.top().numbers, x)
}

// shadow declares a function under a name its body uses for another one.
func (g *generator) shadow() {
	f, v := g.name("f"), g.name("v")
	g.line("local %s = function(n) return N(n) + %s end", f, g.number(2))
	g.line("do")
	g.push()
	g.line("local %s = function(n) n = (N(n)); return %s(n) + 1 end", f, f)
	g.line("g3 = %s(%s)", f, g.number(2))
	g.pop()
	g.line("end")
	g.line("local %s = %s(1)", v, f)
	g.top().numbers = append(g.top().numbers, v)
	g.top().functions = append(g.top().functions, f)
}

// backward is a loop made of goto.
func (g *generator) backward() {
	l, c, f := g.name("l"), g.name("c"), g.name("h")
	g.line("local %s, %s = 0, nil", c, f)
	g.line("do")
	g.push()
	g.line("::%s::", l)
	g.line("%s = %s + 1", c, c)
	g.line("do")
	g.block(2)
	g.line("local q = %s; if not %s then %s = function() q = q + %s; return q end end", c, f, f, c)
	g.line("if %s < 3 then goto %s end", c, l)
	g.line("end")
	g.pop()
	g.line("end")
	g.line("P(%s(), %s())", f, f)
}

// forward is goto continue, and a goto out of nested blocks.
func (g *generator) forward() {
	l, i, v := g.name("l"), g.name("i"), pick(g, g.numbers()...)
	g.line("for %s = 1, 3 do", i)
	g.push()
	g.line("local w = function() %s = %s + %s; return %s end", v, v, i, v)
	g.line("if %s then P(w()); goto %s end", g.condition(0), l)
	g.line("do")
	g.block(2)
	g.line("if %s then goto %s end", g.condition(0), l)
	g.line("end")
	g.line("%s = w() + 1", v)
	g.line("::%s::", l)
	g.pop()
	g.line("end")
}
