// Package records makes pairs of functions of what experimenters write down: tables with one
// measurement in a row, or one function in a row with the positions above, in one file or in
// one for each run.
//
// [New] puts each measurement where it belongs: pairs by their labels, positions in order, a
// common mesh of all positions of the pairs, missing outputs where a pair has none. What is
// there twice, is in another unit, or is missing altogether is refused with its lines.
package records
