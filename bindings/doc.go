// Package bindings holds the Lua modules of the workbench, one file per module
// (a type with many methods has one beside it). There are no numerics here:
// a function reads its arguments, calls numeric, and returns.
//
// To add a function, add one entry to the Funcs of its module or the Methods of
// its type, with an Example; package bind explains the declaration and derives
// checks, errors, help, completion and the manual from it. To add a module,
// write a file like linalg.go and list it in [All]. The tests run every Example
// and complain about anything without a description.
//
// Files stand in layers: what several share of a kind of value, its type in Go, its samples and how
// it is read from Lua, is in a file of its own below them (arrayvalue.go, framevalue.go, estimatevalue.go, …),
// functions and methods are above that, and the types and modules that list these on top.
//
// Indices, axes and their errors count from 1 here and from 0 in numeric.
package bindings
