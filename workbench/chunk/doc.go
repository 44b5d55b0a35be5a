// Package chunk turns Lua source text into functions that compute what the source says.
//
// gopher-lua 1.1.2 compiles some ordinary Lua wrongly, without a word: a multiple assignment between locals, a break out of
// a block with closures, a table constructor of fifty items, and more. So every text that becomes a function in the
// workbench — files, the prompt, -e, load, loadstring, loadfile, dofile, require — comes through this package:
//
//	source → scan and parse (scanner.go, parser.go, statement.go, expression.go) → *Tree
//	       → check (scope.go) → rewrite (rewrite.go and one file per rewrite) → lua.Compile → patch (patch.go) → prototype
//
// The parser is ours, so that a syntax error has a column, says in human words what was expected and why, and knows whether
// more input could complete it. It builds gopher-lua's own ast, so that its compiler can be used unchanged.
//
// # Rewrites
//
// Each rewrite replaces a shape the compiler gets wrong by one that means the same and that it gets right:
//
//	assignment.go   a, b = b, a;  v = (f());  v = (...);  v = v and f() or g()
//	constant.go     conditions and operands of and, or, not that are constants; numerals the compiler misreads
//	power.go        a ^ b, whose value is right to the last digit
//	constructor.go  {1, 2, k = f()};  fifty items followed by a key or a call;  literals too long to compile
//	concat.go       a .. b, whose numbers print as print shows them and whose size is bounded
//	function.go     local f = function … f … end, where the inner f is not the new local
//	genericfor.go   for k in next, f() do;  iterators that were passed leftovers as their state
//	jump.go         break as the first thing in a loop, or out of a block whose locals were captured
//	patch.go        the variables that a goto closes
//	pop.go          t[#t] = nil
//
// One, loop.go, is for speed: loops over numbers get a program before them (package loops), which does what it can of them.
//
// To add one: a file here, one call in rewrite.go, a case in testdata/semantics.txt, and, if the generator in fuzz*_test.go cannot
// produce the shape yet, a production there. Temporaries are named "(1)", "(2)", … in the order of the text: no program can
// spell such a name, and the same text always compiles to the same function.
package chunk
