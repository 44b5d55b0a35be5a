package chunk_test

import (
	"fmt"
	"strings"
)

// number is an expression whose value is a number.
func (g *generator) number(depth int) (text string) {
	if depth > 3 {
		return g.leaf()
	}
	binary := func() {
		text = fmt.Sprintf("(%s %s %s)", g.number(depth+1), pick(g, "+", "-", "*", "+", "-"), g.number(depth+1))
	}
	tables, functions := g.tables(), g.functions()
	g.choose([]choice{
		{30, true, func() { text = g.leaf() }},
		{22, true, binary},
		{3, true, func() { text = "(- " + g.number(depth+1) + ")" }},
		{2, true, func() { text = fmt.Sprintf("(%s / %s)", g.number(depth+1), pick(g, "2", "4", "8", "3")) }},
		{2, true, func() { text = fmt.Sprintf("(M(%s) %% %s)", g.number(depth+1), pick(g, "2", "3", "7")) }},
		{2, true, func() { text = fmt.Sprintf("(M(%s) ^ 2)", g.number(depth+1)) }},
		{2, true, func() { // whole, so that the last digit is right in every C library
			text = fmt.Sprintf("(%s ^ %s)", pick(g, "2", "-3", "10", "(math.floor(M("+g.number(depth+1)+")) % 7)"),
				pick(g, "0", "1", "3", "4", "7", "(math.floor(M("+g.number(depth+1)+")) % 5)"))
		}},
		{6, true, func() {
			text = fmt.Sprintf("(%s and %s or %s)", g.condition(depth+1), g.number(depth+1), g.number(depth+1))
		}},
		{3, true, func() {
			text = fmt.Sprintf("N(%s or %s)", pick(g, "nil", "false", g.condition(depth+1)), g.number(depth+1))
		}},
		{2, true, func() {
			text = fmt.Sprintf("N(%s and %s)", pick(g, "nil", "true", "1", g.condition(depth+1)), g.number(depth+1))
		}},
		{6, len(functions) > 0, func() { text = g.call(depth) }},
		{6, len(tables) > 0, func() {
			text = fmt.Sprintf("N(%s%s)", pick(g, tables...), pick(g, ".x", ".y", "[1]", "[2]", "[3]", `["x"]`))
		}},
		{2, len(tables) > 0, func() { text = "(#" + pick(g, tables...) + ")" }},
		{3, true, func() { text = "N(" + g.condition(depth+1) + ")" }},
		{3, true, func() { text = "#(" + g.text(depth+1) + ")" }},
		{2, true, func() {
			text = fmt.Sprintf("N(tonumber(%s))", pick(g, `"10"`, `"0x1F"`, `" 7 "`, `"1e2"`, `"x"`, `"012"`))
		}},
		{2, true, func() { text = fmt.Sprintf("(%s + %s)", pick(g, `"10"`, `"007"`, `"1.5"`), g.number(depth+1)) }},
		{2, true, func() {
			text = fmt.Sprintf("math.%s(%s)", pick(g, "floor", "ceil", "abs", "floor"), g.number(depth+1))
		}},
		{2, true, func() {
			text = fmt.Sprintf("math.%s(M(%s), M(%s))", pick(g, "max", "min"), g.number(depth+1), g.number(depth+1))
		}},
		{2, true, func() {
			text = fmt.Sprintf("N((select(%s, %s, %s)))", pick(g, "1", "2", "-1", "'#'"), g.number(depth+1), g.number(depth+1))
		}},
		{1, g.depth < 3, func() {
			text = fmt.Sprintf("N((function(...) local a, b = ... return b or a end)(%s))", g.arguments(depth+1))
		}},
	})
	return text
}

// leaf is a constant or a variable.
func (g *generator) leaf() string {
	if numbers := g.numbers(); len(numbers) > 0 && g.chance(0.65) {
		return pick(g, numbers...)
	}
	return pick(g, "0", "1", "2", "3", "-1", "0.5", "7", "10", "1.25", "0x10", "1e2", "g1", "g2")
}

func (g *generator) call(depth int) string {
	return fmt.Sprintf("N(%s(%s))", pick(g, g.functions()...), g.arguments(depth+1))
}

func (g *generator) arguments(depth int) string {
	var list []string
	for range g.r.IntN(3) {
		list = append(list, g.number(depth))
	}
	return strings.Join(list, ", ")
}

// condition is an expression whose value is true or false.
func (g *generator) condition(depth int) (text string) {
	if depth > 3 {
		return fmt.Sprintf("(%s %s %s)", g.leaf(), pick(g, "<", "<=", ">", ">=", "==", "~="), g.leaf())
	}
	g.choose([]choice{
		{6, true, func() { text = pick(g, "true", "false", "nil", "1", "(1 == 1)", "not nil", `"s"`) }},
		{50, true, func() {
			text = fmt.Sprintf("(%s %s %s)", g.number(depth+1), pick(g, "<", "<=", ">", ">=", "==", "~="), g.number(depth+1))
		}},
		{6, true, func() {
			text = fmt.Sprintf("(%s %s %s)", g.text(depth+1), pick(g, "<", "<=", ">", ">=", "==", "~="), g.text(depth+1))
		}},
		{10, true, func() { text = "(not " + g.condition(depth+1) + ")" }},
		{14, true, func() { text = fmt.Sprintf("(%s and %s)", g.condition(depth+1), g.condition(depth+1)) }},
		{14, true, func() { text = fmt.Sprintf("(%s or %s)", g.condition(depth+1), g.condition(depth+1)) }},
	})
	return text
}

// text is an expression whose value is a string of moderate length.
func (g *generator) text(depth int) (text string) {
	if depth > 3 {
		return pick(g, `"b"`, `"xyz"`, `""`, `"A1"`, `'q'`)
	}
	texts := g.texts()
	g.choose([]choice{
		{10, true, func() { text = pick(g, `"b"`, `"xyz"`, `""`, `"hello world"`, `[[k=v, w=u]]`, `"\65\n"`) }},
		{10, len(texts) > 0, func() { text = "S(" + pick(g, texts...) + ")" }},
		{8, true, func() { text = fmt.Sprintf("(%s .. %s)", g.text(depth+1), g.text(depth+1)) }},
		{4, true, func() {
			text = fmt.Sprintf("(%s .. Z(%s) .. %s)", g.text(depth+1), g.number(depth+2), g.text(depth+1))
		}},
		{3, true, func() { text = "tostring(Z(" + g.number(depth+1) + "))" }},
		{2, true, func() { text = "tostring(" + g.condition(depth+1) + ")" }},
		{3, true, func() { text = fmt.Sprintf("(%s):sub(%s, %s)", g.text(depth+1), g.small(), g.small()) }},
		{2, true, func() { text = fmt.Sprintf("(%s):rep(%s)", g.text(depth+1), pick(g, "0", "1", "2", "3")) }},
		{2, true, func() { text = fmt.Sprintf("(%s):%s()", g.text(depth+1), pick(g, "upper", "lower", "reverse")) }},
		{3, true, func() {
			text = fmt.Sprintf("((%s):gsub(%s, %s))", g.text(depth+1),
				pick(g, `"%w"`, `"[aeiou]"`, `"(%w)(%w)"`, `"%s+"`, `"l+"`, `"^."`, `".-$"`, `"%d*"`),
				pick(g, `""`, `"<%0>"`, `"%1%1"`, `{h = "H", l = false}`, `function(a) return a .. a end`))
		}},
		{2, true, func() {
			text = fmt.Sprintf("tostring((%s):match(%s))", g.text(depth+1),
				pick(g, `"%a+"`, `"(%d+)"`, `"^%w"`, `"%S*$"`, `"o."`, `"(l)(l)"`, `"()o()"`, `"%b()"`))
		}},
		{2, true, func() {
			directives := []string{`"%d"`, `"%-8d|"`, `"%x"`, `"%05d"`, `"%+d"`}
			if !g.features.Goto { // luajit, the only reference then, rounds ties its own way
				directives = append(directives, `"%5.2f"`, `"%g"`, `"%+.3e"`, `"%5s"`)
			}
			text = fmt.Sprintf("string.format(%s, M(%s))", pick(g, directives...), g.number(depth+1))
		}},
		{2, true, func() {
			text = fmt.Sprintf("table.concat({Z(%s), %s}, %s)", g.number(depth+2), g.text(depth+1), pick(g, `"-"`, `""`))
		}},
		{1, true, func() { text = "string.format(\"%q\", " + g.text(depth+1) + ")" }},
		{1, true, func() {
			text = fmt.Sprintf("(%s and %s or %s)", g.condition(depth+1), g.text(depth+1), g.text(depth+1))
		}},
	})
	return text
}

// small is a small integer.
func (g *generator) small() string { return pick(g, "-3", "-2", "-1", "0", "1", "2", "3", "4") }

// constructor is a table with at least three items. Each key occurs once: which of two values remains is left open.
func (g *generator) constructor() string {
	n := 3 + g.r.IntN(2)
	constants := false
	if g.chance(0.08) { // around the fifty items gopher-lua stores at a time
		n, constants = pick(g, 49, 50, 51, 99, 100), true
	}
	keys := []string{pick(g, "x", `["x"]`), pick(g, "y", `["y"]`)}
	var fields []string
	keyed := func(chance float64) {
		if len(keys) > 0 && g.chance(chance) {
			fields = append(fields, keys[0]+" = "+g.value())
			keys = keys[1:]
		}
	}
	for i := range n {
		if constants {
			keyed(0.02)
			fields = append(fields, pick(g, fmt.Sprint(i), g.leaf()))
		} else {
			keyed(0.06)
			fields = append(fields, g.number(1))
		}
	}
	keyed(0.4)
	if functions := g.functions(); len(functions) > 0 && g.chance(0.25) {
		fields = append(fields, fmt.Sprintf("V(%s(%s))", pick(g, functions...), g.arguments(2)))
	}
	return "{" + strings.Join(fields, pick(g, ", ", "; ")) + "}"
}

// value is what a key is given: often the results of a call, of which it keeps one.
func (g *generator) value() string {
	if functions := g.functions(); len(functions) > 0 && g.chance(0.3) {
		return fmt.Sprintf("%s(%s)", pick(g, functions...), g.arguments(2))
	}
	return g.number(2)
}
