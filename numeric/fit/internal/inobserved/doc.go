// Package inobserved is the problem in the space of the data for outputs of which some are missing,
// or whose errors are not white: that of complete data (package indata), seen through the
// whitening of what was observed.
package inobserved
