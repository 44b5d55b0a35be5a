package chunk_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// The files fuzz*_test.go find programs that the workbench runs differently from the reference implementations of Lua.
//
// Program generates a random program that ends, calls nothing but the language and its library, and prints what its
// variables hold; Reference runs programs with lua5.1 or luajit, Run with the workbench through one of the ways by which
// code can be loaded (LoadPaths). Equal outputs are the test.
//
//	go test ./workbench/chunk -run TestDifferential -fuzzlua=20000 [-fuzzseed=N]
//
// A new class of programs is a method of generator and a line in its list of statements or expressions.
//
// # Known differences
//
// The programs keep clear of what the manual leaves open and of the differences that are meant:
//
//   - the order in which operands with side effects are evaluated, the value of two equal keys in a constructor, # of a table
//     with holes: left open by the manual;
//   - negative zeros: the virtual machine has none as the result of + - * / %, and Lua 5.1 confuses the constants 0 and -0;
//   - a % b where the quotient is rounded, and with infinities: ours is exact;
//   - errors through coroutine.wrap: Lua 5.1 puts another position in front, luajit and we do not (the comparison removes it);
//   - the words of messages of the virtual machine: ours name the variable (only the position is compared);
//   - a single % at the end of the replacement of gsub: an error, in Lua 5.1 a zero byte;
//   - strings as the limits of a numeric for: an error.
//
// And luajit differs from Lua 5.1, the language we follow, where programs use goto: it rounds ties in %.14g and %.2f away
// from zero (RoundTies), math.min and math.max treat nan differently, and its compiler has a mistake that -joff avoids.

// Features of a program that not all references know.
type Features struct {
	Goto bool // goto and labels: not in Lua 5.1
}

// Program generates the program with a number. The same number always gives the same program.
func Program(seed uint64, f Features) string {
	g := &generator{r: rand.New(rand.NewPCG(seed, 1)), features: f}
	g.budget = 10 + g.r.IntN(30)
	g.push()
	g.line("g1, g2, g3 = 1, 2.5, -3")
	for g.budget > 0 {
		g.statement()
	}
	g.epilogue()
	return strings.Join(g.lines, "\n") + "\n"
}

// generator writes one program.
type generator struct {
	r        *rand.Rand
	features Features
	lines    []string
	indent   int
	serial   int
	budget   int // statements still to write
	depth    int // of functions
	loops    int // around the present place, in the present function
	scopes   []scope
}

// scope holds the names a block has declared.
type scope struct{ numbers, functions, tables, strings []string }

func (g *generator) line(format string, args ...any) {
	g.lines = append(g.lines, strings.Repeat(" ", g.indent)+fmt.Sprintf(format, args...))
}

func (g *generator) name(prefix string) string {
	g.serial++
	return fmt.Sprintf("%s%d", prefix, g.serial)
}

func (g *generator) push() { g.scopes = append(g.scopes, scope{}); g.indent++ }
func (g *generator) pop()  { g.scopes = g.scopes[:len(g.scopes)-1]; g.indent-- }
func (g *generator) top() *scope {
	return &g.scopes[len(g.scopes)-1]
}

func (g *generator) visible(of func(scope) []string) (names []string) {
	for _, s := range g.scopes {
		names = append(names, of(s)...)
	}
	return names
}

func (g *generator) numbers() []string { return g.visible(func(s scope) []string { return s.numbers }) }

func (g *generator) functions() []string {
	return g.visible(func(s scope) []string { return s.functions })
}

func (g *generator) tables() []string { return g.visible(func(s scope) []string { return s.tables }) }

func (g *generator) texts() []string { return g.visible(func(s scope) []string { return s.strings }) }

func (g *generator) chance(p float64) bool { return g.r.Float64() < p }

func pick[T any](g *generator, list ...T) T { return list[g.r.IntN(len(list))] }

// choice is one production and how often it is taken.
type choice struct {
	weight int
	ok     bool // whether it is possible here
	write  func()
}

func (g *generator) choose(choices []choice) {
	total := 0
	for _, c := range choices {
		if c.ok {
			total += c.weight
		}
	}
	n := g.r.IntN(total)
	for _, c := range choices {
		if !c.ok {
			continue
		}
		if n -= c.weight; n < 0 {
			c.write()
			return
		}
	}
}

// block writes statements in a scope of their own.
func (g *generator) block(most int) {
	g.push()
	g.some(most)
	g.pop()
}

// some writes up to most statements.
func (g *generator) some(most int) {
	for range 1 + g.r.IntN(most) {
		if g.budget > 0 {
			g.statement()
		}
	}
}

func (g *generator) inLoop(write func()) {
	g.loops++
	write()
	g.loops--
}

// inFunction writes the body of a function; loops around it are not its own.
func (g *generator) inFunction(write func()) {
	loops := g.loops
	g.loops = 0
	g.depth++
	write()
	g.depth--
	g.loops = loops
}

// epilogue prints everything the main block declared.
func (g *generator) epilogue() {
	s := g.scopes[0]
	for len(s.numbers) > 0 {
		n := min(len(s.numbers), 8)
		g.line("P(%s)", strings.Join(s.numbers[:n], ", "))
		s.numbers = s.numbers[n:]
	}
	for _, t := range s.strings {
		g.line("P(%s)", t)
	}
	for _, t := range s.tables {
		g.line("P(#%s, %s[1], %s[2], %s[3], %s.x, %s.y)", t, t, t, t, t, t)
	}
	for _, f := range s.functions {
		g.line("P(pcall(%s, 1, 2))", f)
	}
	g.line("P(g1, g2, g3)")
}
