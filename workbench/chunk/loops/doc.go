// Package loops runs loops over numbers and tables of numbers without the virtual machine.
//
// gopher-lua puts each number on the heap and asks before each instruction whether it shall go on. A loop whose body does
// nothing but arithmetic on variables, comparisons, accesses to tables and calls of math is compiled to a small program
// over an array of float64 instead, which runs ten times faster:
//
//	Compile (compile.go, expression.go, variable.go)  a loop of the tree → *Program, or nil if there is something else in it
//	Program.Run (run.go)                              the Go function that the compiled Lua calls before the loop
//	frame.makeRoom (fill.go)                          tables that a loop fills are made large enough
//	frame.execute (execute.go)                        its instructions (program.go)
//
// A program decides nothing that it does not know how to. It is entered only if every variable holds what its use asks for:
// a number, a table without a metatable, a function of math that is still the library's own. Where an iteration meets
// anything else, an element that is not a number for example, it is undone, and the loop goes on in the virtual machine at
// the beginning of that iteration. So errors, their positions and all rules for other types are the machine's, and a program
// that is interrupted stops in the same way: the machine, which asks before its next instruction, raises the error.
package loops
