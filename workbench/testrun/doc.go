// Package testrun runs scripted regression tests: Lua files with cases, with
// functions named test_*, and with lines that say what they print or how they
// fail. It is "workbench test", the tests of the examples in the manual, and,
// through [GoTest], part of go test.
//
// # A test file
//
// A test file is a Lua script whose lines may also be expressions and code that
// is meant to fail. Comments say what is expected:
//
//	local k = kernel.matern{nu = 2.5, lengthscale = 1}
//	print(k(0, 0))            --> 1
//	k(0, 1)                   --> 0.52399...
//	kernel.matern{nu = -1}    --! nu -1: must be > 0
//
//	-- tol: 1e-6
//	print(energy(100))        --> 0.333333
//	print(energy(10))         --> 0.33   -- tol: abs=0.01
//
//	test.case("sum", function() test.near(0.1 + 0.2, 0.3, {ulp = 1}) end)
//
// Beside --> stands one line of output, or the value of an expression that
// prints nothing; further lines follow as comments of their own. Numbers are
// compared to the tolerance, 1e-9 relative unless a "-- tol:" line above says
// otherwise; digits followed by three dots are compared as far as they go; two
// whole numbers must be equal; other text must be the same but for the amount
// of blanks. Beside --! stands part of the error text; the line must fail, and
// may fail to compile. A line "---" ends code that is left unfinished on
// purpose.
//
// Lines without a blank line between them are a chunk, which is one test when
// it expects or checks something; it must print what it says and nothing else.
// It is called by the comment it begins with. The file runs from top to bottom
// as one program, so that locals work as they always do. Then the cases run.
//
// # Central types
//
// [Script] is a parsed file, [Tolerance] decides about numbers, session is a
// file that runs in a host made by a [Maker], and [Report] is the result.
// [Run] does everything, [Command] reads flags first.
//
// # To add
//
//   - a check: an entry in checks (check.go), with its failure text in diff.go
//   - a report format: a reporter, and its name in newReporter (run.go)
//   - an option: a field of [Options], a flag in parseFlags and in its usage
package testrun
