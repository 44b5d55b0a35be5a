package chunk_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// loopProgram generates a program of loops over numbers and tables, in which calls of E() stand where it is written: with
// them no loop is compiled to a program of package loops. Its variables are locals, variables of the function around the
// loops, or globals; some hold what is no number, and what the loops read is no number now and then.
func loopProgram(seed uint64, slow bool) string {
	g := &loopWriter{r: rand.New(rand.NewPCG(seed, 2)), slow: slow}
	declare := pick2(g.r, "local ", "local ", "")
	for _, name := range []string{"a", "b", "c", "d"} {
		g.line("%s%s = %s", declare, name, g.initial())
	}
	g.line("%st, u, m, o = {%s}, {%s}, {{%s}, {%s}, {}}, {x = %s, y = %s}", declare, g.list(), g.list(), g.list(), g.list(), g.initial(), g.initial())
	g.line("%sfloor, max = math.floor, math.max", declare)
	caught := g.r.IntN(2) == 0
	if caught {
		g.line("local function run(e, f)")
	}
	g.names = []string{"a", "b", "c", "d"}
	if caught {
		g.names = append(g.names, "e", "f")
	}
	for range 1 + g.r.IntN(3) {
		g.loop(0)
	}
	if caught {
		g.line("end P(pcall(run, %s, %s))", g.initial(), g.initial())
	}
	g.line("D(a, b, c, d, t, u, m[1], m[2], m[3], o, math.random())")
	return strings.Join(g.lines, "\n") + "\n"
}

// loopWriter writes one program.
type loopWriter struct {
	r     *rand.Rand
	slow  bool
	lines []string
	names []string // of numbers in scope
	rows  []string // of tables declared in the loops
	next  int
	size  int
}

func pick2[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }

func (g *loopWriter) pick(list ...string) string { return pick2(g.r, list...) }

func (g *loopWriter) line(format string, args ...any) {
	g.lines = append(g.lines, fmt.Sprintf(format, args...))
}

func (g *loopWriter) fresh() string {
	g.next++
	return fmt.Sprintf("v%d", g.next)
}

// target is a variable to assign to, seldom that of a for, which no program may change.
func (g *loopWriter) target() string {
	name := g.pick(g.names...)
	if name[0] == 'i' && g.r.IntN(20) > 0 {
		return g.target()
	}
	return name
}

// constant is a number; minus zero, infinity and what is none by bad luck are among them.
func (g *loopWriter) constant() string {
	switch g.r.IntN(16) {
	case 0:
		return g.pick("(0/0)", "(1/0)", "(-1/0)", "(-0)", "2^53", "-2^53", "1e300", "1e-300")
	case 1, 2:
		return fmt.Sprintf("%.3g", g.r.NormFloat64())
	}
	return fmt.Sprint(g.r.IntN(12) - 3)
}

// initial is what a variable holds before the loops: rarely something else than a number.
func (g *loopWriter) initial() string {
	if g.r.IntN(25) == 0 {
		return g.pick("nil", "'12'", "'x'", "true", "false", "{}", "math.sin", "setmetatable({}, {__index = function() return 7 end})")
	}
	return g.constant()
}

func (g *loopWriter) list() string {
	var items []string
	for range g.r.IntN(14) {
		items = append(items, g.initial())
	}
	if g.r.IntN(12) == 0 {
		items = append(items, "[0] = 5", "[2.5] = 6", "x = 7")
	}
	return strings.Join(items, ", ")
}

// key is an index: mostly one that is there.
func (g *loopWriter) key(depth int) string {
	switch g.r.IntN(10) {
	case 0:
		return g.expression(depth+1) + " % 50"
	case 1:
		return "#t + 1"
	case 2, 3:
		return "floor(" + g.expression(depth+1) + ") % 9 + 1"
	}
	return g.pick(g.names...) + " % 10" + g.pick("", " + 1", " + 1")
}

func (g *loopWriter) table() string {
	if len(g.rows) > 0 && g.r.IntN(3) == 0 {
		return g.pick(g.rows...)
	}
	return g.pick("t", "t", "t", "u", "u", "m[1]", "m[2]", "m["+g.key(3)+"]")
}

func (g *loopWriter) element(depth int) string {
	if g.r.IntN(4) == 0 {
		return g.pick("o.x", "o.y", "o.x", "o.z")
	}
	return g.table() + "[" + g.key(depth) + "]"
}

func (g *loopWriter) expression(depth int) string {
	if depth > 3 {
		return g.pick(g.names...)
	}
	sub := func() string { return g.expression(depth + 1) }
	switch g.r.IntN(13) {
	case 0, 1, 2:
		if g.r.IntN(40) == 0 {
			return "math.random()"
		}
		return g.pick(g.names...)
	case 3, 4:
		return g.constant()
	case 5, 6, 7:
		return "(" + sub() + " " + g.pick("+", "-", "*", "/", "%", "+", "-", "*") + " " + sub() + ")"
	case 8:
		return g.pick("-", "- -") + g.pick(g.names...)
	case 9:
		return g.element(depth)
	case 10:
		return g.pick("math.sin", "floor", "math.abs", "math.ceil", "math.log", "math.sqrt") + "(" + sub() + ")"
	case 11:
		return g.pick("max", "math.min", "math.atan2", "math.fmod", "math.log") + "(" + sub() + ", " + sub() + ")"
	}
	return g.pick(
		"#"+g.pick("t", "u", "m", "m[1]"),
		"("+g.condition(depth+1)+" and "+sub()+" or "+sub()+")",
		"("+sub()+") ^ "+g.pick("2", "3", "0.5", "-1", "7", g.pick(g.names...)))
}

func (g *loopWriter) condition(depth int) string {
	sub := func() string { return g.expression(depth + 1) }
	if depth > 3 {
		return sub() + " < " + sub()
	}
	switch g.r.IntN(8) {
	case 0:
		return g.element(depth)
	case 1:
		return g.element(depth) + g.pick(" == nil", " ~= nil")
	case 2:
		return "not (" + g.condition(depth+1) + ")"
	case 3:
		return "(" + g.condition(depth+1) + g.pick(" and ", " or ") + g.condition(depth+1) + ")"
	}
	return sub() + g.pick(" < ", " <= ", " > ", " >= ", " == ", " ~= ") + sub()
}

// block writes statements in a scope of their own.
func (g *loopWriter) block(depth int, last string) {
	names, rows := len(g.names), len(g.rows)
	if g.slow && last != "" {
		g.lines[len(g.lines)-1] += " E()"
	}
	for range 1 + g.r.IntN(3) {
		g.statement(depth)
	}
	if last != "" && g.r.IntN(6) == 0 {
		g.line("if %s then break end", g.condition(1))
	}
	g.names, g.rows = g.names[:names], g.rows[:rows]
}

func (g *loopWriter) statement(depth int) {
	if g.size++; g.size > 40 {
		return
	}
	switch n := g.r.IntN(16); {
	case n < 4:
		g.line("%s = %s", g.target(), g.expression(0))
	case n < 6:
		name := g.fresh()
		g.line("local %s = %s", name, g.expression(0))
		g.names = append(g.names, name)
	case n < 8:
		g.line("%s = %s", g.element(0), g.pick(g.expression(0), g.expression(0), g.expression(0), "true", "nil", "false"))
	case n == 8:
		g.line("%s, %s = %s, %s", g.element(1), g.target(), g.expression(1), g.element(1))
	case n == 9:
		name := g.fresh()
		g.line("local %s = m[%s]", name, g.pick("1", "2", "3", g.key(2)))
		g.rows = append(g.rows, name)
	case n < 12:
		g.line("if %s then", g.condition(0))
		g.block(depth, "")
		if g.r.IntN(2) == 0 {
			g.line("else")
			g.block(depth, "")
		}
		g.line("end")
	case n == 12:
		g.line("%s, %s = %s, %s", g.target(), g.target(), g.expression(1), g.expression(1))
	default:
		if depth < 3 {
			g.loop(depth)
		}
	}
}

func (g *loopWriter) loop(depth int) {
	most := []int{40, 9, 4}[depth]
	names := len(g.names)
	switch g.r.IntN(4) {
	case 0:
		w := g.fresh()
		g.line("local %s = 0 while %s < %d and %s do", w, w, most, g.pick("true", "1", g.condition(1)))
		if g.slow {
			g.lines[len(g.lines)-1] += " E()"
		}
		g.line("%s = %s + 1 local c%s = %s", w, w, w, w)
		g.names = append(g.names, "c"+w) // the counter itself is not assigned to, so that the loop ends
		g.block(depth+1, "")
		g.line("end")
	case 1:
		w := g.fresh()
		g.line("local %s = 0 repeat %s = %s + 1", w, w, w)
		g.block(depth+1, "loop")
		g.line("until %s > %d or %s", w, most, g.condition(1))
	default:
		i := "i" + g.fresh()
		g.names = append(g.names, i)
		first, step := g.r.IntN(8)-2, 1
		from, limit, by := fmt.Sprint(first), fmt.Sprint(first+g.r.IntN(most)), ""
		switch g.r.IntN(8) {
		case 0:
			step = 2 + g.r.IntN(3)
			by = fmt.Sprintf(", %d", step)
		case 1:
			from, limit, by = limit, from, ", -1"
		case 2:
			limit, by = fmt.Sprint(float64(first)+1.7), ", 0.1"
		case 3:
			limit = "#t"
		case 4:
			from = g.pick(g.initial(), g.constant()) // what is infinite is over at once, or not a loop at all
			limit = from + " + " + fmt.Sprint(most)
			if strings.Contains(from, "1/0") || strings.Contains(from, "1e300") || strings.Contains(from, "2^53") {
				from = "2^53 - 2"
				limit, by = "2^53 + 9", ", 2"
			}
		}
		g.line("for %s = %s, %s%s do", i, from, limit, by)
		g.block(depth+1, "loop")
		g.line("end")
	}
	g.names = g.names[:names]
}
