// Package written is constraints as scripts and files write them: by the names of a [Catalog], by
// maps and masks that are formulas ([Defined]), and as JSON, as kernels under constraints are.
//
// A constraint is written to files by its name in the catalog and its parameters.
package written
