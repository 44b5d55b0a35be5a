// Package dense is what arrays of numbers, of complex numbers and of truth values have in common:
// shapes and what they may be, memory that need not be cleared and whether there is enough of it,
// and how arrays are printed.
package dense
