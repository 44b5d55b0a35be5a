package chunk_test

import (
	"fmt"
	"strings"
)

// anything is an expression whose value may be nil, a boolean, a number or a string.
func (g *generator) anything(depth int) (text string) {
	if depth > 3 {
		return pick(g, "nil", "false", "true", g.leaf())
	}
	g.choose([]choice{
		{3, true, func() { text = pick(g, "nil", "false", "true", "0", `""`) }},
		{3, true, func() { text = g.number(depth + 1) }},
		{2, true, func() { text = g.condition(depth + 1) }},
		{1, true, func() { text = g.text(depth + 1) }},
		{4, true, func() { text = fmt.Sprintf("(%s and %s)", g.anything(depth+1), g.anything(depth+1)) }},
		{4, true, func() { text = fmt.Sprintf("(%s or %s)", g.anything(depth+1), g.anything(depth+1)) }},
		{2, true, func() { text = "(not " + g.anything(depth+1) + ")" }},
		{1, true, func() { text = fmt.Sprintf("(%s == %s)", g.anything(depth+1), g.anything(depth+1)) }},
		{1, true, func() {
			text = fmt.Sprintf("((%s) %s (%s))", g.anything(depth+1), pick(g, "and", "or"), "P and "+g.anything(depth+1))
		}},
	})
	return text
}

// raw computes with values that are not only numbers.
func (g *generator) raw() {
	b := g.name("b")
	switch g.r.IntN(5) {
	case 0:
		g.line("P(%s, %s, %s)", g.anything(0), g.anything(0), g.anything(0))
	case 1:
		g.line("local %s = %s; %s = %s and %s or %s; P(%s)", b, g.anything(0), b, b, g.anything(1), g.anything(1), b)
	case 2:
		g.line("local %s = %s; if %s or %s then P(%s) else P(not %s) end", b, g.anything(0), b, g.anything(1), b, b)
	case 3:
		g.line("local %s = {%s, x = %s, %s}; P(%s.x, %s[1])", b, g.anything(1), g.anything(1), g.number(1), b, b)
	case 4:
		g.line("local %s, %sb = %s, %s; %s, %sb = %sb, %s; P(%s, %sb)", b, b, g.anything(1), g.anything(1), b, b, b, b, b, b)
	}
}

// nestedLoops breaks and returns out of loops inside loops, with and without closures.
func (g *generator) nestedLoops() {
	i, j, f := g.name("i"), g.name("i"), g.name("h")
	g.line("local %s", f)
	g.line("%s", pick(g,
		fmt.Sprintf("for %s = 1, 3 do", i), fmt.Sprintf("for _, %s in ipairs{1, 2, 3} do", i), fmt.Sprintf("local %s = 0; while %s < 3 do %s = %s + 1", i, i, i, i)))
	g.push()
	g.line("%s", pick(g,
		fmt.Sprintf("for %s = 1, 3 do", j), fmt.Sprintf("for %s in next, {7, 8} do", j),
		fmt.Sprintf("local %s = 0; while true do %s = %s + 1; if %s > 3 then break end", j, j, j, j)))
	g.push()
	g.line("local k%s, k%s = %s, %s", i, j, i, j)
	g.top().numbers = append(g.top().numbers, "k"+i, "k"+j)
	g.inLoop(func() { g.inLoop(func() { g.some(2) }) })
	if g.chance(0.6) {
		g.line("local w = %s; %s = function() w = w + %s; return w end", g.number(1), f, i)
	}
	g.line("if %s then break end", g.condition(0))
	g.pop()
	g.line("end")
	if g.chance(0.4) {
		g.line("if %s then break end", g.condition(1))
	}
	g.pop()
	g.line("end")
	g.line("if %s then P(%s(), %s()) end", f, f, f)
}

// recursion makes functions that call themselves and each other, in and out of tail position.
func (g *generator) recursion() {
	f, h, v := g.name("f"), g.name("h"), g.name("v")
	g.line("local %s", h)
	g.line("local function %s(n, a) if n <= 0 then return a end; %s; return %s(n - 1, a + %s) end", f,
		pick(g, "if n == 2 then return "+h+"(n - 1, a) end", "a = ("+h+"(0, a))", "a = a + n"), pick(g, f, h), g.number(2))
	g.line("function %s(n, ...) if n <= 0 then return ... end; return %s end", h, pick(g, f+"(n - 1, ...)", "("+f+"(n - 1, ...))", h+"(n - 1, (...))"))
	g.line("local %s = N(%s(%s, %s))", v, f, pick(g, "0", "1", "3", "5"), g.number(1))
	g.top().numbers = append(g.top().numbers, v)
}

// paths calls methods and functions along chains of fields, with arguments of all forms.
func (g *generator) paths() {
	o, v := g.name("o"), g.name("v")
	g.line("local %s = {a = {b = {n = %s}}}", o, g.number(1))
	g.line("function %s.a.b:add(d) self.n = self.n + N(d); return self end", o)
	g.line("function %s.a.count(...) return select('#', ...), ... end", o)
	g.line("function %s.a.f(t) return #t end", o)
	g.line("local %s = %s.a.b:add(%s):add((%s)).n + %s.a.f{1, 2, 3} + %s.a.f'ab' + %s['a'].count(%s)", v, o, g.number(1), g.number(1), o, o, o, g.arguments(1))
	g.line("%s.a.b.n, %s, %s.a.x = %s.a.count(%s.a.b.n, %s)", o, v, o, o, o, v)
	g.line("P(%s.a.b.n, %s.a.x); %s = N(%s)", o, o, v, v)
	g.top().numbers = append(g.top().numbers, v)
}

// crowd fills a function with constants or locals, so that operands do not fit into instructions any more.
func (g *generator) crowd() {
	if g.chance(0.5) {
		t := g.name("t")
		var items []string
		for i := range 270 {
			items = append(items, fmt.Sprintf("%d.25", g.serial*1000+i))
		}
		g.line("local %s = {%s}", t, strings.Join(items, ", "))
		g.top().tables = append(g.top().tables, t)
		return
	}
	var names []string
	for range 60 {
		names = append(names, g.name("v"))
	}
	values := make([]string, len(names))
	for i := range values {
		values[i] = g.leaf()
	}
	g.line("do")
	g.push()
	g.line("local %s = %s", strings.Join(names, ", "), strings.Join(values, ", "))
	g.top().numbers = append(g.top().numbers, names...)
	g.some(4)
	g.line("P(%s)", strings.Join(names[:5], ", "))
	var long []string
	for _, n := range names[:45] {
		long = append(long, "Z("+n+")")
	}
	g.line("P(#(%s))", strings.Join(long, " .. "))
	g.pop()
	g.line("end")
}

// outward is a goto out of two loops, past closures, and one that continues a while or repeat loop.
func (g *generator) outward() {
	l, i, j, f := g.name("l"), g.name("i"), g.name("i"), g.name("h")
	g.line("local %s", f)
	g.line("do")
	g.push()
	g.line("for %s = 1, 3 do", i)
	g.push()
	g.line("local %s = 0", j)
	g.line("while %s < 3 do", j)
	g.push()
	g.line("%s = %s + 1; local w = %s", j, j, g.number(1))
	g.line("%s = function() w = w + %s; return w end", f, i)
	g.inLoop(func() { g.inLoop(func() { g.block2() }) })
	g.line("if %s then goto %sa end", g.condition(0), l)
	g.line("if %s then goto %sb end", g.condition(0), l)
	g.line("do local z = w; w = z + 1 end")
	g.line("::%sb::", l)
	g.pop()
	g.line("end")
	g.pop()
	g.line("end")
	g.line("::%sa::", l)
	g.pop()
	g.line("end")
	g.line("P(%s and %s(), %s and %s())", f, f, f, f)
}

// block2 is a block in do … end.
func (g *generator) block2() {
	g.line("do")
	g.block(2)
	g.line("end")
}

// pattern matches random patterns, also malformed ones, in random texts.
func (g *generator) pattern() {
	var pattern, text strings.Builder
	if g.chance(0.2) {
		pattern.WriteByte('^')
	}
	for range 1 + g.r.IntN(5) {
		pattern.WriteString(pick(g, "a", "b", "c", ".", "%a", "%d", "%s", "%w", "%u", "%.", "[ab]", "[^a]", "[a-c]", "[%d_]", "[]]", "(a)", "(b*)", "(.-)", "()",
			"(%w+)", "%1", "%b()", "%f[%w]", "(", ")", "[", "%", "-", "x?", "$"))
		pattern.WriteString(pick(g, "", "", "", "*", "+", "-", "?"))
	}
	if g.chance(0.2) {
		pattern.WriteByte('$')
	}
	for range g.r.IntN(12) {
		text.WriteString(pick(g, "a", "b", "c", "ab", "A", "1", "23", " ", "_", ".", "(", ")", "(a)", "]", "-", "x"))
	}
	switch g.r.IntN(4) {
	case 0:
		g.line("P(pcall(string.find, %q, %q, %s))", text.String(), pattern.String(), g.small())
	case 1:
		g.line("P(pcall(string.match, %q, %q))", text.String(), pattern.String())
	case 2:
		g.line("P(pcall(string.gsub, %q, %q, %s, %s))", text.String(), pattern.String(),
			pick(g, `"<%0>"`, `"%1%1"`, `"%2"`, `""`, `{a = "A", ab = 1}`, "string.upper", "function() return false end", "function(x, y) return y or x end"), pick(g, "1", "2", "99"))
	case 3:
		g.line("P(pcall(function() local n = 0; for x, y in (%q):gmatch(%q) do n = n + 1; P(x, y); if n > 20 then break end end end))", text.String(), pattern.String())
	}
}

// formatted formats random numbers by random directives.
func (g *generator) formatted() {
	flags := pick(g, "", "", "", "-", "+", " ", "#", "0", "-+", "+0", "# ")
	width := pick(g, "", "", "1", "5", "12", "20")
	precision := pick(g, "", "", ".0", ".1", ".3", ".10", ".")
	verb := pick(g, "d", "i", "e", "E", "f", "g", "G", "s", "x", "X", "o", "u")
	value := pick(g, "Z(0)", "1", "42", "255", "123456789", "0.5", "1.5", "2.5", "1e15", "1e-5", "123.456", "99999.5", "0.1", "1/3", "2^31", "100000", "1000000")
	if strings.Contains("defgEGi", verb) && value != "Z(0)" && g.chance(0.3) {
		value = "-" + value
	}
	if strings.Contains("uxXos", verb) {
		flags = strings.Trim(flags, "+ #0") // not defined in C for these
	}
	g.line("P(string.format(\"[%%%s%s%s%s]\", %s))", flags, width, precision, verb, value)
}

func (g *generator) metatable() {
	o, v := g.name("o"), g.name("v")
	g.line("local %s = setmetatable({n = %s}, {__add = function(a, b) return N(type(a) == 'table' and a.n or a) + N(type(b) == 'table' and b.n or b) end,", o, g.number(1))
	g.line("  __pow = function(a, b) return N(type(a) == 'table' and a.n or a) - N(type(b) == 'table' and b.n or b) end,")
	g.line("  __index = function(t, k) return #k end, __concat = function(a, b) return 'c' end, __call = function(self, x) return N(x) + self.n end,")
	g.line("  __lt = function(a, b) return a.n < b.n end, __len = function() return 3 end, __unm = function(a) return -a.n end})")
	g.line("local %s = %s + %s + (1 + %s) + %s.key + #(%s .. 'x') + N(%s < %s) + (-%s) + %s(%s) + %s ^ %s + 4 ^ %s", v, o, g.number(1), o, o, o, o, o, o, o, g.number(1), o, pick(g, "2", "7", "g1"), o)
	g.top().numbers = append(g.top().numbers, v)
}

func (g *generator) sorted() {
	t := g.name("t")
	g.line("local %s = {%s, %s, %s, %s}", t, g.number(1), g.number(1), g.number(1), g.number(1))
	g.line("table.sort(%s%s)", t, pick(g, "", ", function(a, b) return a > b end"))
	g.line("P(unpack(%s))", t)
	g.top().tables = append(g.top().tables, t)
}
